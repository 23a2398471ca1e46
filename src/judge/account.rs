//! What a line of a log did: its cost, what held, what it changed. Or why it was not legal.

use super::finding::Finding;
use super::game::Judge;
use super::head::Head;
use super::judged::Strictness;
use super::rules::Rules;
use super::steps::steps;
use super::why::waits_for;
use super::worlds::Worlds;
use crate::bind::{self, Bound};
use crate::evaluate::{Decision, State, Trouble, action_frame, change, changed, element_name};
use crate::internal::Must;
use crate::log::{Form, Heard, Line, RawLine, json_line_to_text, read_entry};
use crate::machine::Step;
use crate::play::{Session, seat_names};
use crate::report::{Fault, Span};

/// What there is to say about a line.
#[derive(Debug)]
pub enum Account {
    /// It says nothing that could be judged: a comment, a line of the head, a result.
    Nothing,
    /// It is not legal, or something before it is not.
    Finding(Box<Finding>),
    /// It cannot be judged.
    Faults(Vec<Fault>),
    /// It is legal: what each of its entries did.
    Deeds(Vec<Deed>),
}

/// What a legal entry did.
#[derive(Debug)]
pub struct Deed {
    /// The entry in canonical spelling.
    pub entry: String,
    /// The action in the words of the rules.
    pub title: Option<String>,
    /// What was paid: from what, how much.
    pub paid: Vec<(String, i64)>,
    /// Requirements that held.
    pub held: Vec<String>,
    /// Passages of the rulebook.
    pub citations: Vec<String>,
    /// Elements of the state: before and after.
    pub changed: Vec<(String, String, String)>,
    /// Scores: before and after.
    pub scored: Vec<(String, i64, i64)>,
    /// How likely it was: its weight, and that of everything that chance could give.
    pub chance: Option<(u64, u64)>,
    /// Who or what is next.
    pub next: String,
}

/// Explains the line of a game that begins at this byte of its text.
#[must_use]
pub fn account(rules: &Rules, text: &str, form: Form, head: &Head, at: usize) -> Account {
    let before = text.get(..at).must("a line begins within its text");
    let written = text.get(at..).and_then(|rest| rest.lines().next()).unwrap_or("");
    let items = bind::effective(&rules.loaded.layers, &mut Vec::new());
    let mut judge = Judge::new(rules, &items, Strictness::default());
    let span = Span::new(rules.file, at, at + written.len());
    if is_end(written, form, span) {
        let judged = judge.game(text, form, &head.reader, head.body);
        let here = judged.findings.into_iter().find(|finding| span.range().contains(&(finding.span.start as usize)));
        return here.map_or(Account::Nothing, |finding| Account::Finding(Box::new(finding)));
    }
    let mut judged = judge.game(before, form, &head.reader, head.body.min(before.len()));
    if !judged.faults.is_empty() {
        return Account::Faults(judged.faults);
    }
    if let Some(at) = judged.findings.iter().position(Finding::is_illegal) {
        let mut finding = judged.findings.swap_remove(at);
        finding.message += "; nothing after it can be explained";
        return Account::Finding(Box::new(finding));
    }
    let mut reader = head.reader.clone();
    let said = match form {
        Form::Text => written.to_owned(),
        Form::JsonLines => {
            reader.within(span);
            match json_line_to_text(written, span) {
                Ok(said) => said,
                Err(fault) => return Account::Faults(vec![*fault]),
            }
        }
    };
    let line = RawLine::new(&said, at);
    if at < head.body || line.is_blank() {
        return Account::Nothing;
    }
    match reader.line(&line) {
        Ok(Heard::Head | Heard::End) => Account::Nothing,
        Ok(Heard::Entry(line)) => deeds(&mut judge, &line),
        Err(faults) => Account::Faults(faults),
    }
}

/// Does a line tell how the game ended?
fn is_end(written: &str, form: Form, span: Span) -> bool {
    let said = match form {
        Form::Text => written.to_owned(),
        Form::JsonLines => json_line_to_text(written, span).unwrap_or_default(),
    };
    let word = said.split_whitespace().next().unwrap_or("");
    ["result", "winner"].contains(&word) && !said.contains('=')
}

/// Judges the entry, and tells what its parts did.
fn deeds(judge: &mut Judge<'_>, line: &Line) -> Account {
    match judge.alone(line) {
        Ok(Some(finding)) => return Account::Finding(Box::new(finding)),
        Ok(None) => {}
        Err(fault) => return Account::Faults(vec![*fault]),
    }
    match told(judge, line) {
        Ok(deeds) if deeds.is_empty() => Account::Nothing,
        Ok(deeds) => Account::Deeds(deeds),
        Err(trouble) => Account::Faults(vec![judge.rules.cannot_go_on(&trouble, Some(line.span))]),
    }
}

fn told(judge: &mut Judge<'_>, line: &Line) -> Result<Vec<Deed>, Trouble> {
    let bound = &judge.rules.checked.bound;
    if let Some(world) = judge.worlds.take().as_ref().and_then(Worlds::first) {
        judge.machine.load(&world.position);
    }
    let Ok(entries) = read_entry(judge.notation(), line.span, &line.text) else { return Ok(Vec::new()) };
    let mut deeds = Vec::new();
    for entry in &entries {
        // Where something is unknown, any of the possibilities serves as an example.
        let Some(&step) = steps(bound, &mut judge.machine, entry)?.first() else { break };
        let session = judge.session()?;
        let decision = judge.machine.decides(&bound.types, step)?;
        let mut deed = deed(&session, &decision)?;
        if let Decision::Chance(_) = decision {
            deed.chance = weights(judge, step)?;
        }
        let before = scores(judge)?;
        judge.play(step, line.span)?;
        let after = scores(judge)?;
        let seats = seat_names(bound).into_iter().zip(before.into_iter().zip(after));
        deed.scored = seats.filter(|(_, (was, is))| was != is).map(|(seat, (was, is))| (seat, was, is)).collect();
        let later = judge.session()?;
        deed.changed = differences(bound, &session.stand().state, &later.stand().state);
        deed.next = waits_for(&later);
        deeds.push(deed);
    }
    Ok(deeds)
}

/// What an entry is, before it is played.
fn deed(session: &Session<'_>, decision: &Decision) -> Result<Deed, Trouble> {
    let mut deed = Deed {
        entry: session.show(decision),
        title: None,
        paid: Vec::new(),
        held: Vec::new(),
        citations: Vec::new(),
        changed: Vec::new(),
        scored: Vec::new(),
        chance: None,
        next: String::new(),
    };
    let Decision::Act { seat, action, args } = decision else { return Ok(deed) };
    let (game, state) = (session.game(), &session.stand().state);
    let action_id = *action;
    let action = session.bound().action(action_id);
    let mut frame = action_frame(action, *seat, args, state);
    deed.title.clone_from(&action.title);
    deed.citations = action.cites.iter().map(ToString::to_string).collect();
    for (place, amount, _) in game.prices(action, &mut frame)? {
        deed.paid.push((element_name(session.bound(), place), amount));
    }
    let left = game.left_by(*seat, action_id, args, state)?;
    for requirement in &action.requirements {
        let state = if requirement.after { &left } else { state };
        let mut frame = action_frame(action, *seat, args, state);
        if let Some(guard) = requirement.guard
            && !game.holds(guard, &mut frame)?
        {
            continue;
        }
        let name = format!("{}.{}", action.name, requirement.name);
        let phrase = requirement.phrase.as_ref().and_then(|phrase| game.words(phrase, &mut frame).ok());
        deed.held.push(phrase.map_or_else(|| name.clone(), |phrase| format!("{phrase} ({name})")));
        for cite in &requirement.cites {
            let cite = cite.to_string();
            if !deed.citations.contains(&cite) {
                deed.citations.push(cite);
            }
        }
    }
    Ok(deed)
}

fn weights(judge: &mut Judge<'_>, step: Step) -> Result<Option<(u64, u64)>, Trouble> {
    let outcomes = judge.machine.outcomes()?;
    let all = outcomes.iter().map(|(_, weight)| weight).sum();
    let own = outcomes.iter().find(|(value, _)| Step::Drawn(*value) == step);
    Ok(own.map(|(_, weight)| (*weight, all)))
}

fn scores(judge: &mut Judge<'_>) -> Result<Vec<i64>, Trouble> {
    (0..judge.rules.program.players).map(|seat| judge.machine.score(seat)).collect()
}

/// Elements that differ, each as it was and as it is.
fn differences(bound: &Bound, before: &State, after: &State) -> Vec<(String, String, String)> {
    let mut found = Vec::new();
    for place in changed(before, after) {
        let (Some(was), Some(is)) = (before.get(place.0, place.1), after.get(place.0, place.1)) else { continue };
        let (was, is) = change(bound, was, is);
        found.push((element_name(bound, place), was, is));
    }
    found
}
