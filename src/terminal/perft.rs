//! `ludex perft`

use std::io;

use clap::Args;

use super::game::{cannot_go_on, chosen, compiled, open, replayed, says_itself};
use super::{Exit, Format, LogRules, Output, RulesetArgs};
use crate::bind::Bound;
use crate::load::Loaded;
use crate::machine::{Machine, Position, Program};
use crate::simulate::{Level, Perft};
use crate::{examples, simulate};

/// Count the sequences of entries of each length
///
/// What players enter and what chance gives counts alike, one entry each. A game that is over goes no
/// further: it is counted at the depth at which it ends, and not below.
#[derive(Debug, Args)]
pub(super) struct PerftArgs {
    #[command(flatten)]
    ruleset: RulesetArgs,

    /// Entries of the longest sequences
    #[arg(long, value_name = "N")]
    depth: u16,

    /// Number of players; the fewest if not said
    #[arg(long, value_name = "N")]
    players: Option<u32>,

    /// Count from the end of this log, read by the ruleset, instead of from the beginning of a game
    #[arg(long, value_name = "LOG")]
    from: Option<String>,

    /// Which game of a log that holds several, from 1
    #[arg(long, value_name = "N", requires = "from")]
    game: Option<usize>,

    /// Also count the games that are over at the last depth, which takes as long as one depth more
    #[arg(long)]
    ends: bool,

    /// Count on so many threads; as many as there are cores by default
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
}

pub(super) fn perft(args: &PerftArgs, output: &mut Output<'_>) -> io::Result<Exit> {
    let name = &args.ruleset.ruleset;
    if let Some(log) = &args.from {
        return from_log(args, log, output);
    }
    let Some((loaded, checked)) = chosen(name, &args.ruleset.changes, args.players, output)? else {
        return Ok(Exit::NoVerdict);
    };
    let Some(program) = compiled(&checked, &loaded.sources, output)? else { return Ok(Exit::NoVerdict) };
    let mut machine = Machine::new(&program);
    match machine.begin() {
        Ok(()) => count(args, &program, &machine.position(), (&loaded, &checked.bound), output),
        Err(trouble) => cannot_go_on((&loaded, &checked.bound), &trouble, output),
    }
}

fn from_log(args: &PerftArgs, log: &str, output: &mut Output<'_>) -> io::Result<Exit> {
    if args.players.is_some() || args.ruleset.changes.are_some() {
        return says_itself(output);
    }
    // The ruleset decides alone, whatever the log names.
    let by = LogRules { rules: Some(args.ruleset.ruleset.clone()), ..LogRules::default() };
    let Some(opened) = open(log, args.game, &by, output)? else { return Ok(Exit::NoVerdict) };
    output.faults(&opened.loaded.sources, &opened.warnings, 20)?;
    let Some(program) = compiled(&opened.checked, &opened.loaded.sources, output)? else {
        return Ok(Exit::NoVerdict);
    };
    match replayed(&opened, &program, &opened.entries, output)? {
        Ok(session) => count(args, &program, &session.position(), (&opened.loaded, &opened.checked.bound), output),
        Err(exit) => Ok(exit),
    }
}

fn count(
    args: &PerftArgs,
    program: &Program,
    from: &Position,
    rules: (&Loaded, &Bound),
    output: &mut Output<'_>,
) -> io::Result<Exit> {
    let jobs = args.jobs.map_or_else(examples::cores, usize::from);
    let wanted = Perft { depth: u32::from(args.depth), ends: args.ends, jobs };
    let counted = simulate::perft(program, from, wanted, &mut |done, all| {
        output.progress(&format!("{done} of {all} branches counted"))
    });
    output.progress_ends()?;
    match counted? {
        Ok(levels) => show(&args.ruleset.ruleset, &levels, output),
        Err(trouble) => cannot_go_on(rules, &trouble, output),
    }
}

fn show(ruleset: &str, levels: &[Level], output: &mut Output<'_>) -> io::Result<Exit> {
    // Nothing has been entered at depth 0: it is only shown if it is all there is.
    let shown: Vec<(usize, &Level)> = levels.iter().enumerate().skip(usize::from(levels.len() > 1)).collect();
    let widest = |numbers: &mut dyn Iterator<Item = u64>, title: &str| {
        numbers.map(|number| number.to_string().len()).max().unwrap_or(0).max(title.len())
    };
    let sequences = widest(&mut shown.iter().map(|(_, level)| level.sequences), "sequences");
    let over = widest(&mut shown.iter().filter_map(|(_, level)| level.over), "games over");
    if output.format != Format::Json {
        output.line(format!("depth  {:>sequences$}  {:>over$}", "sequences", "games over"))?;
    }
    for (depth, level) in shown {
        if output.format == Format::Json {
            let object = serde_json::json!({
                "ludex": 1, "kind": "perft", "ruleset": ruleset, "depth": depth,
                "sequences": level.sequences, "over": level.over,
            });
            output.line(object.to_string())?;
            continue;
        }
        let ends = level.over.map_or_else(|| "-".to_owned(), |over| over.to_string());
        output.line(format!("{depth:>5}  {:>sequences$}  {ends:>over$}", level.sequences))?;
    }
    if output.format == Format::Human && levels.iter().any(|level| level.over.is_none()) {
        output.note("`--ends` also counts the games that are over at the last depth")?;
    }
    Ok(Exit::Fine)
}
