//! `ludex impact`

mod show;

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;

use super::game::chosen;
use super::validate::{inputs, most_bytes};
use super::{Changes, Exit, Format, Output};
use crate::examples;
use crate::judge::{self, By, Feed, Shelf, Strictness};
use show::{Summary, Teller, Told};

/// What a change of the rules does to games that were played before it
///
/// Every game is judged by both rulesets. Told are games that become illegal, and by which rule; games that end
/// otherwise; and games that become legal. The exit code is 1 if there is one.
#[derive(Debug, Args)]
pub(super) struct ImpactArgs {
    /// The rules before the change
    old: String,

    /// The rules after it; `--set` and `--overlay` change these
    new: String,

    /// Logs (`.log`, `.jsonl`, either with `.gz`), folders with such files, or `-` for standard input
    #[arg(required = true, value_name = "LOG")]
    logs: Vec<PathBuf>,

    #[command(flatten)]
    changes: Changes,

    /// Judge on so many threads; as many as there are cores by default
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,

    /// Entries that a game may have
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = clap::value_parser!(u32).range(1..))]
    most_entries: u32,
}

pub(super) fn impact(args: &ImpactArgs, output: &mut Output<'_>) -> io::Result<Exit> {
    // What is wrong with a ruleset is said once, not for each game.
    for (ruleset, changes) in [(&args.old, &Changes::default()), (&args.new, &args.changes)] {
        if chosen(ruleset, changes, None, output)?.is_none() {
            return Ok(Exit::NoVerdict);
        }
    }
    let (inputs, exit) = inputs(&args.logs, output)?;
    let most_entries = usize::try_from(args.most_entries).unwrap_or(usize::MAX);
    let strictness = Strictness { most_entries, ..Strictness::default() };
    let old = Shelf::new(By { ruleset: Some(args.old.clone()), ..By::default() });
    let new = Shelf::new(By {
        ruleset: Some(args.new.clone()),
        overlays: args.changes.overlays.clone(),
        settings: args.changes.settings.clone(),
        ..By::default()
    });
    let jobs = args.jobs.map_or_else(examples::cores, usize::from);
    let teller = Teller { format: output.format, style: output.style, new, strictness };
    let mut summary = Summary::default();
    let (standard, mut streams) = output.apart();
    let feed = Feed::new(inputs, standard, most_bytes(most_entries));
    judge::judge_all(feed, &old, strictness, jobs, |met| teller.tell(met), &mut |told: Option<Told>| match told {
        Some(told) => {
            let drawn = summary.take(&told);
            if drawn {
                streams.progress("")?;
                streams.diagnostics.drawn(&told.diagnostics)?;
            }
            streams.results.write_all(told.result.as_bytes())
        }
        None => streams.progress(&summary.progress()),
    })?;
    streams.progress("")?;
    if summary.games == 0 && exit == Exit::Fine && output.format == Format::Human {
        output.note("there was nothing to judge")?;
    }
    show::whole(&summary, output)?;
    Ok(exit.max(summary.exit()))
}
