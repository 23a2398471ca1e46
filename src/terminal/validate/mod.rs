//! `ludex validate`

mod show;
mod summary;
mod which;

use std::io;
use std::path::{Path, PathBuf};

use clap::Args;

use super::{Changes, Exit, Format, LogRules, Output};
use crate::examples;
use crate::judge::{self, Feed, Input, Shelf, Strictness, Which};
use crate::limits;
use crate::report::clean_path;
use show::Told;
pub(super) use show::unreadable;
use summary::Summary;

/// Judge game logs
///
/// Says of each game whether it is legal, and if not, which entry is not, by which rule, and why.
#[derive(Debug, Args)]
pub(super) struct ValidateArgs {
    /// Logs (`.log`, `.jsonl`, either with `.gz`), folders with such files, or `-` for standard input
    #[arg(required = true, value_name = "LOG")]
    logs: Vec<PathBuf>,

    #[command(flatten)]
    by: LogRules,

    #[command(flatten)]
    changes: Changes,

    /// Go on after a fault, and find all of them
    #[arg(long)]
    all: bool,

    /// A game that is not over counts as a fault
    #[arg(long)]
    complete: bool,

    /// A game that is legal only if something hidden was so counts as a fault
    #[arg(long)]
    strict: bool,

    /// Warnings count as faults
    #[arg(long)]
    deny_warnings: bool,

    /// Judge on so many threads; as many as there are cores by default
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,

    /// Say under which rules of its game each log is legal, instead of judging it by those that it names
    ///
    /// Tried are the game, its variants and editions, and the closest of these with one ruling or option changed.
    #[arg(long, conflicts_with_all = ["all", "complete", "strict", "deny_warnings"])]
    which: bool,

    /// Entries that a game may have
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = clap::value_parser!(u32).range(1..))]
    most_entries: u32,
}

pub(super) fn validate(args: &ValidateArgs, output: &mut Output<'_>) -> io::Result<Exit> {
    let (inputs, exit) = inputs(&args.logs, output)?;
    let most_entries = usize::try_from(args.most_entries).unwrap_or(usize::MAX);
    let most_bytes = most_bytes(most_entries);
    let by = args.by.by(&args.changes, &output.environment);
    let strictness = Strictness { all: args.all, most_entries };
    let jobs = args.jobs.map_or_else(examples::cores, usize::from);
    if args.which {
        let told = which::which(&Which::new(by, strictness, jobs), inputs, most_bytes, output)?;
        return Ok(exit.max(told));
    }
    let shelf = Shelf::new(by);
    let teller = show::Teller {
        format: output.format,
        style: output.style,
        quiet: output.quiet,
        complete: args.complete,
        strict: args.strict,
        deny_warnings: args.deny_warnings,
    };
    let mut summary = Summary::new(output.format);
    let (standard, mut streams) = output.apart();
    let feed = Feed::new(inputs, standard, most_bytes);
    judge::judge_all(feed, &shelf, strictness, jobs, |met| teller.tell(met), &mut |told: Option<Told>| match told {
        Some(told) => summary.take(&told, &mut streams),
        None => streams.progress(&summary.progress()),
    })?;
    streams.progress("")?;
    summary.file_ends(&mut streams)?;
    summary.whole(output)?;
    if summary.games == 0 && exit == Exit::Fine && output.format == Format::Human {
        output.note("there was nothing to judge")?;
    }
    Ok(exit.max(summary.exit))
}

/// Bytes that a game of so many entries may have.
pub(super) fn most_bytes(most_entries: usize) -> usize {
    most_entries.saturating_mul(limits::ENTRY_BYTES).max(limits::GAME_BYTES)
}

/// The logs that arguments stand for; says which of them stand for none.
pub(super) fn inputs(paths: &[PathBuf], output: &mut Output<'_>) -> io::Result<(Vec<Input>, Exit)> {
    let (mut inputs, mut exit) = (Vec::new(), Exit::Fine);
    for path in paths {
        match inputs_of(path) {
            Ok(found) => inputs.extend(found),
            Err((message, help)) => {
                output.failure(&message, &help)?;
                exit = Exit::NoVerdict;
            }
        }
    }
    Ok((inputs, exit))
}

/// The logs that an argument stands for.
fn inputs_of(path: &Path) -> Result<Vec<Input>, (String, String)> {
    let shown = clean_path(path);
    if path.as_os_str() == "-" {
        return Ok(vec![Input::Standard]);
    }
    if !path.is_dir() {
        return Ok(vec![Input::File(path.to_owned())]);
    }
    let found = judge::logs_in(path);
    if found.is_empty() {
        return Err((
            format!("`{shown}` holds no log"),
            "logs end in `.log` or `.jsonl`, or in one of these and `.gz`".to_owned(),
        ));
    }
    Ok(found.into_iter().map(Input::File).collect())
}
