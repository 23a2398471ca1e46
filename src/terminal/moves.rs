//! `ludex moves`

use std::io;
use std::path::Path;

use clap::Args;

use super::fmt::why;
use super::{Changes, Exit, Format, Output};
use crate::bind::Entry;
use crate::check::Checked;
use crate::compile;
use crate::evaluate::{Pause, Trouble};
use crate::load::{self, Loaded};
use crate::log::{self, Log, Opened};
use crate::play::{Session, Stopped};
use crate::report::{Fault, Sources, Span, codes};
use crate::{check, machine, report};

/// The legal entries of a position, in log notation and in a stable order
#[derive(Debug, Args)]
pub(super) struct MovesArgs {
    /// A ruleset, for the beginning of a game; or a file that ends in `.log`
    #[arg(value_name = "RULESET|LOG")]
    game: String,

    #[command(flatten)]
    changes: Changes,

    /// After this many entries of the log; all of them if not said
    #[arg(long, value_name = "N")]
    at: Option<usize>,

    /// Number of players; the fewest if not said
    #[arg(long, value_name = "N")]
    players: Option<u32>,
}

pub(super) fn moves(args: &MovesArgs, output: &mut Output<'_>) -> io::Result<Exit> {
    let name = &args.game;
    if Path::new(name).extension().is_some_and(|kind| kind == "log") {
        return of_log(args, output);
    }
    if args.at.is_some_and(|at| at > 0) {
        output.failure("a ruleset has no entries", "`--at` goes with a log: a file that ends in `.log`")?;
        return Ok(Exit::NoVerdict);
    }
    let loaded = load::load(&args.changes.request(name));
    let checked = match check::chosen(&loaded, args.players, &[], Span::new(command_line(&loaded), 0, name.len())) {
        Ok(checked) => checked,
        Err(faults) => {
            output.faults(&loaded.sources, &faults, 20)?;
            return Ok(Exit::NoVerdict);
        }
    };
    let Some(program) = compiled(&checked, &loaded.sources, output)? else { return Ok(Exit::NoVerdict) };
    match Session::new(&checked, &program).and_then(|mut session| list(&mut session)) {
        Ok(listed) => show(&listed, output),
        Err(trouble) => cannot_go_on(&loaded.sources, &trouble, output),
    }
}

/// The text that the ruleset was named by.
pub(super) fn command_line(loaded: &Loaded) -> report::FileId {
    loaded.foreign.first().copied().unwrap_or_default()
}

fn of_log(args: &MovesArgs, output: &mut Output<'_>) -> io::Result<Exit> {
    if args.players.is_some() || args.changes.are_some() {
        return says_itself(output);
    }
    let Some(opened) = open(&args.game, output)? else { return Ok(Exit::NoVerdict) };
    output.faults(&opened.loaded.sources, &opened.warnings, 20)?;
    let entries = match args.at {
        Some(at) if at > opened.entries.len() => {
            let there = super::check::plural(opened.entries.len(), "entry").replace("entrys", "entries");
            output.failure(
                &format!("the log has no entry {at}"),
                &format!("it has {there}; `--at 0` is the beginning"),
            )?;
            return Ok(Exit::NoVerdict);
        }
        Some(at) => opened.entries.get(..at).unwrap_or(&[]),
        None => &opened.entries,
    };
    let Some(program) = compiled(&opened.checked, &opened.loaded.sources, output)? else {
        return Ok(Exit::NoVerdict);
    };
    let mut session = match replayed(&opened, &program, entries, output)? {
        Ok(session) => session,
        Err(exit) => return Ok(exit),
    };
    if args.at.is_none()
        && let Some(fault) = wrong_result(&session, &opened.log)
    {
        output.faults(&opened.loaded.sources, &[fault], 20)?;
        return Ok(Exit::Negative);
    }
    match list(&mut session) {
        Ok(listed) => show(&listed, output),
        Err(trouble) => cannot_go_on(&opened.loaded.sources, &trouble, output),
    }
}

/// Nothing can be set beside a log.
pub(super) fn says_itself(output: &mut Output<'_>) -> io::Result<Exit> {
    output.failure(
        "a log says itself who played, and with which numbers",
        "leave out `--players`, `--set` and `--overlay`, or change the head of the log",
    )?;
    Ok(Exit::NoVerdict)
}

/// A game with these entries of a log; says which of them is refused, or that the ruleset cannot go on.
pub(super) fn replayed<'o>(
    opened: &'o Opened,
    program: &'o machine::Program,
    entries: &[(Entry, Span)],
    output: &mut Output<'_>,
) -> io::Result<Result<Session<'o>, Exit>> {
    let sources = &opened.loaded.sources;
    let mut session = match Session::new(&opened.checked, program) {
        Ok(session) => session,
        Err(trouble) => return cannot_go_on(sources, &trouble, output).map(Err),
    };
    for (entry, span) in entries {
        match session.enter_entry(entry) {
            Ok(()) => {}
            Err(Stopped::Trouble(trouble)) => return cannot_go_on(sources, &trouble, output).map(Err),
            Err(Stopped::Refused(refusal)) => {
                let reasons = session.why(&refusal, session.meant(entry).as_ref());
                let fault = Fault::new(&codes::REFUSED, *span, "the rules refuse this entry")
                    .label(reasons.join("; "))
                    .help("`ludex moves` with `--at` lists what was possible before it");
                output.faults(sources, &[fault], 20)?;
                return Ok(Err(Exit::Negative));
            }
        }
    }
    Ok(Ok(session))
}

/// The ruleset as a program; says so if it is too large for one.
pub(super) fn compiled(
    checked: &Checked,
    sources: &Sources,
    output: &mut Output<'_>,
) -> io::Result<Option<machine::Program>> {
    match compile::compile(checked) {
        Ok(program) => Ok(Some(program)),
        Err(fault) => {
            output.faults(sources, &[*fault], 20)?;
            Ok(None)
        }
    }
}

/// So many faults of a log are shown.
const MOST_FAULTS: usize = 20;

/// Reads a log with everything that it names; says why that is not possible.
pub(super) fn open(path: &str, output: &mut Output<'_>) -> io::Result<Option<Opened>> {
    let text = match load::read_text(Path::new(path)) {
        Ok(text) => text,
        Err(trouble) => {
            output.failure(&format!("`{path}` {}", why(&trouble)), "check the path")?;
            return Ok(None);
        }
    };
    match log::open(path, &text) {
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

/// Does the result of a log follow from its entries?
fn wrong_result(session: &Session<'_>, log: &Log) -> Option<Fault> {
    let said = log.result.as_ref()?;
    let fault = |label: String| {
        Fault::new(&codes::WRONG_RESULT, log.places.result, "the game does not end so")
            .label(label)
            .help("correct the result, or look for an entry that is missing")
    };
    if !session.is_over() {
        return Some(fault("the game is not over yet".to_owned()));
    }
    let (scores, winners) = (session.scores().ok()?, session.winners().ok()?);
    let winners: Vec<usize> = winners.into_iter().map(|seat| seat as usize).collect();
    let same = scores == said.scores && winners == said.winners;
    let right = Log { seats: log.seats.clone(), result: Some(log::Outcome { scores, winners }), ..Log::default() };
    let right = log::write(&right);
    let lines: Vec<&str> =
        right.lines().filter(|line| line.starts_with("result") || line.starts_with("winner")).collect();
    (!same).then(|| fault(format!("by the rules: {}", lines.join("; "))))
}

/// The ruleset cannot go on: a fault of its own, with the rule in which it happened.
pub(super) fn cannot_go_on(sources: &Sources, trouble: &Trouble, output: &mut Output<'_>) -> io::Result<Exit> {
    let fault =
        Fault::new(&codes::CANNOT_GO_ON, trouble.span, format!("the ruleset cannot go on: {}", trouble.message))
            .label("in this rule")
            .help("this is a fault of the ruleset, not of an entry: mend the rule at this place");
    output.faults(sources, &[fault], 1)?;
    Ok(Exit::NoVerdict)
}

/// A legal entry, with its weight if chance decides.
type Listed = Vec<(String, Option<u64>)>;

fn list(session: &mut Session<'_>) -> Result<Listed, Trouble> {
    let weights: Vec<u64> = match &session.stand().pause {
        Pause::Chance { candidates, .. } => candidates.iter().map(|(_, weight)| *weight).collect(),
        _ => Vec::new(),
    };
    let legal = session.legal()?;
    Ok(legal.iter().enumerate().map(|(at, decision)| (session.show(decision), weights.get(at).copied())).collect())
}

fn show(listed: &Listed, output: &mut Output<'_>) -> io::Result<Exit> {
    let widest = listed.iter().map(|(entry, _)| entry.chars().count()).max().unwrap_or(0);
    for (entry, weight) in listed {
        match (output.format, weight) {
            (Format::Json, weight) => {
                let object = serde_json::json!({ "ludex": 1, "kind": "move", "entry": entry, "weight": weight });
                output.line(object.to_string())?;
            }
            (_, None) => output.line(entry)?,
            // A comment, so that the line can be put into a log as it is.
            (_, Some(weight)) => output.line(format!("{entry:<widest$}  # weight {weight}"))?,
        }
    }
    if listed.is_empty() {
        output.note("the game is over")?;
    }
    Ok(Exit::Fine)
}
