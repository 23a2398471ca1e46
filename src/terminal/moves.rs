//! `ludex moves`

use std::io;
use std::path::Path;

use clap::Args;

use super::game::{cannot_go_on, chosen, compiled, open, replayed, says_itself, up_to, wrong_result};
use super::{Changes, Exit, Format, LogRules, Output};
use crate::evaluate::{Pause, Trouble};
use crate::judge;
use crate::play::Session;

/// The legal entries of a position, in log notation and in a stable order
#[derive(Debug, Args)]
pub(super) struct MovesArgs {
    /// A ruleset, for the beginning of a game; or a file that ends in `.log` or `.jsonl`
    #[arg(value_name = "RULESET|LOG")]
    game: String,

    #[command(flatten)]
    changes: Changes,

    #[command(flatten)]
    by: LogRules,

    /// After this many entries of the log; all of them if not said
    #[arg(long, value_name = "N")]
    at: Option<usize>,

    /// Which game of a log that holds several, from 1
    #[arg(long = "game", value_name = "N")]
    game_number: Option<usize>,

    /// Number of players; the fewest if not said
    #[arg(long, value_name = "N")]
    players: Option<u32>,
}

pub(super) fn moves(args: &MovesArgs, output: &mut Output<'_>) -> io::Result<Exit> {
    let name = &args.game;
    if judge::is_log(Path::new(name)) {
        return of_log(args, output);
    }
    if args.at.is_some_and(|at| at > 0) || args.game_number.is_some() || args.by.are_some() {
        let help = "`--at`, `--game` and `--rules` go with a log: a file that ends in `.log` or `.jsonl`";
        output.failure("a ruleset has no entries", help)?;
        return Ok(Exit::NoVerdict);
    }
    let Some((loaded, checked)) = chosen(name, &args.changes, args.players, output)? else {
        return Ok(Exit::NoVerdict);
    };
    let Some(program) = compiled(&checked, &loaded.sources, output)? else { return Ok(Exit::NoVerdict) };
    match Session::new(&checked, &program).and_then(|mut session| list(&mut session)) {
        Ok(listed) => show(&listed, output),
        Err(trouble) => cannot_go_on((&loaded, &checked.bound), &trouble, output),
    }
}

fn of_log(args: &MovesArgs, output: &mut Output<'_>) -> io::Result<Exit> {
    if args.players.is_some() || args.changes.are_some() {
        return says_itself(output);
    }
    let Some(opened) = open(&args.game, args.game_number, &args.by, output)? else { return Ok(Exit::NoVerdict) };
    output.faults(&opened.loaded.sources, &opened.warnings, 20)?;
    let Some(entries) = up_to(&opened, args.at, output)? else { return Ok(Exit::NoVerdict) };
    let Some(program) = compiled(&opened.checked, &opened.loaded.sources, output)? else {
        return Ok(Exit::NoVerdict);
    };
    let mut session = match replayed(&opened, &program, entries, output)? {
        Ok(session) => session,
        Err(exit) => return Ok(exit),
    };
    let wrong = if args.at.is_none() { wrong_result(&session, &opened.log) } else { Ok(None) };
    match wrong {
        Ok(None) => {}
        Ok(Some(fault)) => {
            output.faults(&opened.loaded.sources, &[fault], 20)?;
            return Ok(Exit::Negative);
        }
        Err(trouble) => return cannot_go_on((&opened.loaded, &opened.checked.bound), &trouble, output),
    }
    match list(&mut session) {
        Ok(listed) => show(&listed, output),
        Err(trouble) => cannot_go_on((&opened.loaded, &opened.checked.bound), &trouble, output),
    }
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
