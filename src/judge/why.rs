//! Why an entry is not legal: asked of the reference evaluator, once, where the fast path has said no.

use super::finding::{Broken, Finding};
use super::parts;
use crate::bind::{ActionId, Bound, Entry, Value};
use crate::evaluate::{Decision, Pause, Place, Refusal, Try, action_frame, element_name};
use crate::internal::Must;
use crate::play::{Session, Stopped};
use crate::report::{Code, Fault, Sources, Span, codes};

/// So many legal entries are named.
const NEAREST: usize = 3;

/// Of so many legal entries the nearest are looked for.
const MOST_LOOKED_AT: usize = 20_000;

/// A rule that looks at more elements than this blames nobody in particular.
const MOST_BLAMED: usize = 12;

/// A finding, and the elements of the state that it is about.
pub(super) struct Why {
    pub(super) finding: Finding,
    pub(super) about: Vec<Place>,
}

/// An entry that was refused, with its place and text.
#[derive(Clone, Copy)]
pub(super) struct Refused<'e> {
    pub(super) entry: &'e Entry,
    pub(super) span: Span,
    pub(super) text: &'e str,
}

/// The code of a verdict.
pub(super) fn code_of(verdict: &str) -> &'static Code {
    codes::find(&format!("verdict::{verdict}")).must("every verdict has a code")
}

/// Explains why an entry is refused where the session stands; nothing if it is not.
pub(super) fn why(session: &mut Session<'_>, sources: &Sources, refused: Refused<'_>) -> Try<Option<Why>> {
    let refusal = match session.enter_entry(refused.entry) {
        Ok(()) => return Ok(None),
        Err(Stopped::Trouble(trouble)) => return Err(trouble),
        Err(Stopped::Refused(refusal)) => refusal,
    };
    let verdict = refusal.names.first().map_or("unreadable", String::as_str);
    let mut why = if verdict.contains('.') {
        requirement(session, sources, refused, &refusal)?
    } else {
        let (message, label, change) = plainly(session, verdict, refused)?;
        let mut finding = Finding::new(code_of(verdict), refused.span, refused.text, message).label(label);
        finding.change = change;
        Why { about: if verdict == "unaffordable" { prices(session, refused)? } else { Vec::new() }, finding }
    };
    nearest(session, refused, &mut why.finding)?;
    Ok(Some(why))
}

/// The same as a fault, for who plays a log entry by entry.
pub(crate) fn refusal(session: &mut Session<'_>, sources: &Sources, entry: &Entry, span: Span) -> Try<Fault> {
    let refused = Refused { entry, span, text: sources.slice(span) };
    let none = || Fault::new(&codes::UNREADABLE_ENTRY, span, "the rules refuse this entry");
    Ok(why(session, sources, refused)?.map_or_else(none, |why| why.finding.fault()))
}

fn requirement(session: &Session<'_>, sources: &Sources, refused: Refused<'_>, refusal: &Refusal) -> Try<Why> {
    let Some(Decision::Act { seat, action: id, args }) = session.meant(refused.entry) else {
        let finding = Finding::new(&codes::REQUIREMENT, refused.span, refused.text, "a requirement does not hold");
        return Ok(Why { finding, about: Vec::new() });
    };
    let (game, state) = (session.game(), &session.stand().state);
    let action = session.bound().action(id);
    // What is tested on the state that the effect leaves is only reached if all else holds.
    let is_after = action.requirements.iter().any(|requirement| {
        requirement.after && refusal.names.contains(&format!("{}.{}", action.name, requirement.name))
    });
    let left = if is_after { Some(game.left_by(seat, id, &args, state)?) } else { None };
    let (mut broken, mut held, mut about) = (Vec::new(), Vec::new(), Vec::new());
    for requirement in &action.requirements {
        let state = match &left {
            Some(left) if requirement.after => left,
            None if requirement.after => continue,
            _ => state,
        };
        let mut frame = action_frame(action, seat, &args, state);
        if let Some(guard) = requirement.guard
            && !game.holds(guard, &mut frame)?
        {
            continue;
        }
        let name = format!("{}.{}", action.name, requirement.name);
        let phrase = requirement.phrase.as_ref().and_then(|phrase| game.words(phrase, &mut frame).ok());
        if refusal.names.contains(&name) {
            about.extend(game.reading(|| game.eval(requirement.condition, &mut frame))?.1);
            let span = session.bound().expr(requirement.condition).span;
            let cites = if requirement.cites.is_empty() { &action.cites } else { &requirement.cites };
            broken.push(Broken {
                values: parts::values(game, sources, requirement.condition, &mut frame),
                text: sources.slice(span).split_whitespace().collect::<Vec<_>>().join(" "),
                citations: cites.iter().map(ToString::to_string).collect(),
                name,
                phrase,
                span,
            });
        } else {
            held.push(phrase.map_or_else(|| name.clone(), |phrase| format!("{phrase} ({name})")));
        }
    }
    let names: Vec<String> = broken.iter().map(|broken| format!("`{}`", broken.name)).collect();
    let phrases: Vec<&str> = broken.iter().filter_map(|broken| broken.phrase.as_deref()).collect();
    let told = if phrases.is_empty() { String::new() } else { format!(": {}", phrases.join("; ")) };
    let message = format!("this breaks {}{told}", names.join(" and "));
    let label = format!("does not hold{told}");
    let mut finding = Finding::new(&codes::REQUIREMENT, refused.span, refused.text, message).label(label);
    (finding.broken, finding.held) = (broken, held);
    about.sort_unstable();
    about.dedup();
    if about.len() > MOST_BLAMED {
        about.clear();
    }
    Ok(Why { finding, about })
}

/// Verdicts that no requirement gives: what is wrong, what to see at the line, and the least that would have to
/// be different.
fn plainly(session: &Session<'_>, verdict: &str, refused: Refused<'_>) -> Try<(String, String, Option<String>)> {
    let bound = session.bound();
    let waits = waits_for(session);
    let name = match refused.entry {
        Entry::Act { action, .. } => bound.action(*action).name.as_str(),
        Entry::Pass { .. } => "pass",
        Entry::Chance { name, .. } => name.as_str(),
        Entry::Unreadable { .. } => "this",
    };
    Ok(match verdict {
        "wrong-player" => {
            let seat = match refused.entry {
                Entry::Act { seat, .. } | Entry::Pass { seat } => session.seat_name(*seat),
                _ => "chance".to_owned(),
            };
            (
                format!("it is not the turn of `{seat}`"),
                waits,
                Some("look for an entry that is missing before it, or for a wrong seat in it".to_owned()),
            )
        }
        "wrong-phase" => (format!("`{name}` is not possible now"), waits, Some(offered(session))),
        "after-end" => (
            "an entry stands after the end of the game".to_owned(),
            waits,
            Some("take it away, or look for an entry that is missing before".to_owned()),
        ),
        "impossible-chance" => {
            let value = match refused.entry {
                Entry::Chance { value: Some(value), .. } => value.show(&bound.types),
                _ => "?".to_owned(),
            };
            (format!("chance cannot give `{value}` here"), format!("`{name}` cannot be this now"), None)
        }
        "unaffordable" => {
            let (message, change) = short_of(session, refused)?;
            (message, format!("`{name}` costs more than there is"), change)
        }
        "bad-argument" => (misfit(session, refused)?, "there is no such thing to choose here".to_owned(), None),
        _ => ("this cannot be entered".to_owned(), waits, None),
    })
}

/// The elements that are paid from.
fn prices(session: &Session<'_>, refused: Refused<'_>) -> Try<Vec<Place>> {
    let Some(Decision::Act { seat, action, args }) = session.meant(refused.entry) else { return Ok(Vec::new()) };
    let action = session.bound().action(action);
    let mut frame = action_frame(action, seat, &args, &session.stand().state);
    let prices = session.game().prices(action, &mut frame)?;
    Ok(prices.into_iter().map(|(place, ..)| place).collect())
}

/// What is missing to pay: `needs 5 ap, has 3`.
fn short_of(session: &Session<'_>, refused: Refused<'_>) -> Try<(String, Option<String>)> {
    let Some(Decision::Act { seat, action, args }) = session.meant(refused.entry) else {
        return Ok(("this costs more than there is".to_owned(), None));
    };
    let action = session.bound().action(action);
    let mut frame = action_frame(action, seat, &args, &session.stand().state);
    let mut needed: Vec<(Place, i64)> = Vec::new();
    for (place, amount, _) in session.game().prices(action, &mut frame)? {
        match needed.iter_mut().find(|(known, _)| *known == place) {
            Some((_, sum)) => *sum += amount,
            None => needed.push((place, amount)),
        }
    }
    let (mut short, mut more) = (Vec::new(), Vec::new());
    for ((state, at), amount) in needed {
        if let Some(Value::Int(have)) = session.stand().state.get(state, at)
            && *have < amount
        {
            let name = element_name(session.bound(), (state, at));
            short.push(format!("needs {amount} {name}, has {have}"));
            more.push(format!("{} more {name}", amount - have));
        }
    }
    if short.is_empty() {
        return Ok(("this costs more than there is".to_owned(), None));
    }
    let change = format!("with {} it could be paid", more.join(" and "));
    Ok((format!("`{}` {}", action.name, short.join("; ")), Some(change)))
}

/// The argument that does not fit.
fn misfit(session: &Session<'_>, refused: Refused<'_>) -> Try<String> {
    let wrong = "an argument is none of those that can be chosen".to_owned();
    let Some(Decision::Act { seat, action, args }) = session.meant(refused.entry) else { return Ok(wrong) };
    let action = session.bound().action(action);
    let mut frame = action_frame(action, seat, &args, &session.stand().state);
    let Some(at) = session.game().misfit(action, &args, &mut frame)? else { return Ok(wrong) };
    let (local, _) = action.params.get(at).must("what does not fit is a parameter");
    let value = args.get(at).must("what does not fit is an argument");
    let name = &session.bound().local(*local).name;
    Ok(format!("`{}` is none of those that `{name}` can be here", value.show(&session.bound().types)))
}

/// Who or what is waited for.
pub(super) fn waits_for(session: &Session<'_>) -> String {
    match &session.stand().pause {
        Pause::Choose(choice) => format!("{} is to move", session.seat_name(choice.seat)),
        Pause::Chance { name, .. } => format!("chance decides `{name}` now"),
        Pause::Over => "the game is over".to_owned(),
    }
}

/// What can be entered now, by name.
fn offered(session: &Session<'_>) -> String {
    match &session.stand().pause {
        Pause::Choose(choice) => {
            let mut names: Vec<String> =
                choice.offers.iter().map(|(action, _)| format!("`{}`", session.bound().action(*action).name)).collect();
            names.dedup();
            if choice.pass {
                names.push("`pass`".to_owned());
            }
            format!("now {} may enter {}", session.seat_name(choice.seat), names.join(", "))
        }
        Pause::Chance { name, .. } => format!("write what chance gave first: `{name} = …`"),
        Pause::Over => "the game is over".to_owned(),
    }
}

/// How unlike an entry is: another seat, another action, other arguments, other letters.
type Distance = (bool, bool, usize, usize);

/// The legal entries that are most like what was entered, and what would have to change for the first.
fn nearest(session: &mut Session<'_>, refused: Refused<'_>, finding: &mut Finding) -> Try<()> {
    let meant = session.meant(refused.entry);
    let legal = session.legal()?;
    let mut ranked: Vec<(Distance, usize)> = Vec::new();
    for (at, decision) in legal.iter().take(MOST_LOOKED_AT).enumerate() {
        let shown = session.show(decision);
        let letters = strsim::damerau_levenshtein(&shown, refused.text);
        ranked.push((distance(refused.entry, meant.as_ref(), decision, letters), at));
    }
    ranked.sort_unstable();
    let near: Vec<&Decision> = ranked.iter().take(NEAREST).filter_map(|(.., at)| legal.get(*at)).collect();
    finding.nearest = near.iter().map(|decision| session.show(decision)).collect();
    if finding.change.is_none() {
        finding.change = match (&meant, near.first()) {
            (Some(Decision::Act { action, args, .. }), Some(Decision::Act { action: other, args: others, .. }))
                if action == other =>
            {
                other_arguments(session.bound(), *action, args, others)
            }
            (Some(Decision::Act { action, .. }), _) => {
                let name = &session.bound().action(*action).name;
                Some(format!("no `{name}` at all is legal here"))
            }
            _ => None,
        };
    }
    Ok(())
}

fn distance(entry: &Entry, meant: Option<&Decision>, decision: &Decision, letters: usize) -> Distance {
    let (seat, action) = match entry {
        Entry::Act { seat, action, .. } => (Some(*seat), Some(*action)),
        Entry::Pass { seat } => (Some(*seat), None),
        _ => (None, None),
    };
    match decision {
        Decision::Act { seat: who, action: what, args } => {
            let differing = match meant {
                Some(Decision::Act { args: meant, .. }) => {
                    meant.iter().zip(args).filter(|(meant, real)| meant != real).count()
                }
                _ => 0,
            };
            (seat != Some(*who), action != Some(*what), differing, letters)
        }
        Decision::Pass { seat: who } => (seat != Some(*who), action.is_some(), 0, letters),
        Decision::Chance(_) => (false, false, 0, letters),
    }
}

/// `legal with from 4 instead of 3`
fn other_arguments(bound: &Bound, action: ActionId, args: &[Value], others: &[Value]) -> Option<String> {
    let mut changed = Vec::new();
    for ((local, _), (is, should)) in bound.action(action).params.iter().zip(args.iter().zip(others)) {
        if is != should {
            let (is, should) = (is.show(&bound.types), should.show(&bound.types));
            changed.push(format!("`{}` {should} instead of {is}", bound.local(*local).name));
        }
    }
    (!changed.is_empty()).then(|| format!("it would be legal with {}", changed.join(" and ")))
}
