//! What commands share that begin with a ruleset or a log: the way from a name to something that can be played.

use std::io;
use std::path::Path;

use super::{Changes, Exit, LogRules, Output};
use crate::bind::{Bound, Entry};
use crate::check::Checked;
use crate::compile;
use crate::evaluate::{Choice, Pause, Trouble, Try};
use crate::load::{self, Loaded};
use crate::log::{self, Log, Opened, Wanted};
use crate::play::{Session, Stopped};
use crate::report::{Fault, Sources, Span, clean_line, codes};
use crate::{check, judge, limits, machine, report, tune};

/// So many faults are shown.
const MOST_FAULTS: usize = 20;

/// A ruleset for a number of players, the fewest if not said; says why there is none.
pub(super) fn chosen(
    name: &str,
    changes: &Changes,
    players: Option<u32>,
    output: &mut Output<'_>,
) -> io::Result<Option<(Loaded, Checked)>> {
    let loaded = load::load_rules(&changes.request(name));
    match check::chosen(&loaded, players, &[], Span::new(command_line(&loaded), 0, name.len())) {
        Ok(checked) => Ok(Some((loaded, checked))),
        Err(faults) => {
            output.faults(&loaded.sources, &faults, MOST_FAULTS)?;
            Ok(None)
        }
    }
}

/// The text that the ruleset was named by.
fn command_line(loaded: &Loaded) -> report::FileId {
    loaded.foreign.first().copied().unwrap_or_default()
}

/// Nothing can be set beside a log.
pub(super) fn says_itself(output: &mut Output<'_>) -> io::Result<Exit> {
    output.failure(
        "a log says itself who played, and with which numbers",
        "leave out `--players`, `--set` and `--overlay`, or change the head of the log",
    )?;
    Ok(Exit::NoVerdict)
}

/// The first entries of a log, all if not said; says so if there are fewer.
pub(super) fn up_to<'o>(
    opened: &'o Opened,
    at: Option<usize>,
    output: &mut Output<'_>,
) -> io::Result<Option<&'o [(Entry, Span)]>> {
    let Some(at) = at else { return Ok(Some(&opened.entries)) };
    let found = opened.entries.get(..at);
    if found.is_none() {
        let there = entries(opened.entries.len());
        output.failure(&format!("the log has no entry {at}"), &format!("it has {there}; `--at 0` is the beginning"))?;
    }
    Ok(found)
}

/// So many entries, in words.
pub(super) fn entries(count: usize) -> String {
    if count == 1 { "1 entry".to_owned() } else { format!("{count} entries") }
}

/// A game with these entries of a log; says which of them is refused, or that the ruleset cannot go on.
pub(super) fn replayed<'o>(
    opened: &'o Opened,
    program: &'o machine::Program,
    entries: &[(Entry, Span)],
    output: &mut Output<'_>,
) -> io::Result<Result<Session<'o>, Exit>> {
    replayed_with(opened, program, entries, &mut |_, _| {}, output)
}

/// The same for somebody who looks at the game before each entry.
pub(super) fn replayed_with<'o>(
    opened: &'o Opened,
    program: &'o machine::Program,
    entries: &[(Entry, Span)],
    look: &mut dyn FnMut(&Session<'o>, &Entry),
    output: &mut Output<'_>,
) -> io::Result<Result<Session<'o>, Exit>> {
    let sources = &opened.loaded.sources;
    let rules = (&opened.loaded, &opened.checked.bound);
    let mut session = match Session::new(&opened.checked, program) {
        Ok(session) => session,
        Err(trouble) => return cannot_go_on(rules, &trouble, output).map(Err),
    };
    for (entry, span) in entries {
        look(&session, entry);
        match session.enter_entry(entry) {
            Ok(()) => {}
            Err(Stopped::Trouble(trouble)) => return cannot_go_on(rules, &trouble, output).map(Err),
            Err(Stopped::Refused(_)) => {
                let fault = match judge::refusal(&mut session, sources, entry, *span) {
                    Ok(fault) => fault,
                    Err(trouble) => return cannot_go_on(rules, &trouble, output).map(Err),
                };
                output.faults(sources, &[fault], 20)?;
                return Ok(Err(Exit::Negative));
            }
        }
    }
    Ok(Ok(session))
}

/// Does the result of a log follow from its entries? If not, both are told.
pub(super) fn wrong_result(session: &Session<'_>, log: &Log) -> Try<Option<Fault>> {
    let Some(said) = log.result.as_ref() else { return Ok(None) };
    let fault = |message: String, label: &str| {
        Fault::new(&codes::BOOKKEEPING, log.places.result, message)
            .label(label)
            .help("correct the result, or look for an entry that is missing")
    };
    let said_so = format!("the log says `{}`", outcome(log, said));
    if !session.is_over() {
        return Ok(Some(fault(format!("{said_so}, but the game is not over yet"), "the game goes on")));
    }
    let (scores, winners) = (session.scores()?, session.winners()?);
    let winners: Vec<usize> = winners.into_iter().map(|seat| seat as usize).collect();
    let right = log::Outcome { scores, winners };
    let wrong = || fault(format!("{said_so}, the rules `{}`", outcome(log, &right)), "the game does not end so");
    Ok((right != *said).then(wrong))
}

/// A result in one line.
fn outcome(log: &Log, outcome: &log::Outcome) -> String {
    let alone = Log { seats: log.seats.clone(), result: Some(outcome.clone()), ..Log::default() };
    let written = log::write(&alone);
    let lines = written.lines().filter(|line| line.starts_with("result ") || line.starts_with("winner "));
    lines.collect::<Vec<_>>().join("; ")
}

/// What a game waits for, in words.
pub(super) fn waits(session: &Session<'_>) -> String {
    let bound = session.bound();
    match &session.stand().pause {
        Pause::Over => "the game is over".to_owned(),
        Pause::Chance { name, indices, .. } => {
            let at: String = indices.iter().map(|index| format!(" {}", index.show(&bound.types))).collect();
            format!("chance decides `{name}{at}`")
        }
        Pause::Choose(choice) => {
            let mut offers = offers(bound, choice);
            offers.extend(choice.pass.then_some("pass"));
            format!("{} is to move: {}", session.seat_name(choice.seat), offers.join(", "))
        }
    }
}

/// The names of the actions that are offered, each once.
pub(super) fn offers<'b>(bound: &'b Bound, choice: &Choice) -> Vec<&'b str> {
    let mut names: Vec<&str> = Vec::new();
    for (action, _) in &choice.offers {
        let name = bound.action(*action).name.as_str();
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// The seat with this name or number; says so if there is none.
pub(super) fn seat(wanted: &str, seats: &[String], output: &mut Output<'_>) -> io::Result<Option<u32>> {
    match super::play::seat_called(wanted, seats) {
        Ok(seat) => Ok(u32::try_from(seat).ok()),
        Err((message, help)) => {
            output.failure(&message, &help)?;
            Ok(None)
        }
    }
}

/// The line of a text that a span begins on.
pub(super) fn line_of(sources: &Sources, span: Span) -> usize {
    sources.get(span.file).map_or(0, |source| source.line_of(span.start))
}

/// The ruleset as a program; says so if it is too large for one.
pub(super) fn compiled(
    checked: &Checked,
    sources: &Sources,
    output: &mut Output<'_>,
) -> io::Result<Option<machine::Program>> {
    compiled_or_told(compile::compile(checked), sources, output)
}

/// The same for so many games on so many threads.
pub(super) fn compiled_for(
    checked: &Checked,
    sources: &Sources,
    (games, jobs): (u64, usize),
    output: &mut Output<'_>,
) -> io::Result<Option<machine::Program>> {
    compiled_or_told(tune::compile_for(checked, games, jobs), sources, output)
}

fn compiled_or_told(
    compiled: Result<machine::Program, Box<Fault>>,
    sources: &Sources,
    output: &mut Output<'_>,
) -> io::Result<Option<machine::Program>> {
    match compiled {
        Ok(program) => Ok(Some(program)),
        Err(fault) => {
            output.faults(sources, &[*fault], 20)?;
            Ok(None)
        }
    }
}

/// Reads a log with everything that it names, of several games the one with this number; says why that is not possible.
pub(super) fn open(
    path: &str,
    number: Option<usize>,
    by: &LogRules,
    output: &mut Output<'_>,
) -> io::Result<Option<Opened>> {
    let shown = clean_line(path);
    let text = match judge::whole_text(Path::new(path), limits::PLAYED_LOG_BYTES) {
        Ok(text) => text,
        Err(why) => {
            output.failure(&format!("`{shown}` {why}"), "check the path")?;
            return Ok(None);
        }
    };
    let paths = by.paths(&output.environment);
    let wanted = Wanted { rules: by.rules.as_deref(), paths: &paths, log: Some(Path::new(path)) };
    match log::open_game(&shown, &text, number, wanted) {
        Ok(opened) => Ok(Some(opened)),
        Err(closed) => {
            let shown = closed.faults.get(..MOST_FAULTS).unwrap_or(&closed.faults);
            output.faults(&closed.sources, shown, MOST_FAULTS)?;
            if closed.faults.len() > shown.len() {
                output.note(format!("{} more", closed.faults.len() - shown.len()))?;
            }
            Ok(None)
        }
    }
}

/// The ruleset cannot go on: a fault of its own, with the rule in which it happened.
pub(super) fn cannot_go_on(rules: (&Loaded, &Bound), trouble: &Trouble, output: &mut Output<'_>) -> io::Result<Exit> {
    let fault = judge::cannot_go_on(trouble, None, rules);
    output.faults(&rules.0.sources, &[fault], 1)?;
    Ok(Exit::NoVerdict)
}
