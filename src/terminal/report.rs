//! `ludex report`: what can be done with reports of simulations

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};

use super::simulate::Told;
use super::{Exit, Output};
use crate::simulate::report::{Report, merge};

/// Bytes that a report may have.
const MOST_BYTES: u64 = 64 << 20;

/// Work with the reports of `simulate --format json`
#[derive(Debug, Args)]
pub(super) struct ReportArgs {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Put the reports of all shards together, as one run would have given them
    Merge(MergeArgs),
}

/// Put the reports of all shards together, as one run would have given them
#[derive(Debug, Args)]
struct MergeArgs {
    /// Reports of `simulate --shard I/N --format json`, all of one run
    #[arg(required = true)]
    files: Vec<PathBuf>,
}

pub(super) fn report(args: &ReportArgs, output: &mut Output<'_>) -> io::Result<Exit> {
    let What::Merge(args) = &args.what;
    let mut shards = Vec::new();
    for file in &args.files {
        let shown = file.display().to_string();
        match read(file) {
            Ok(report) => shards.push((shown, report)),
            Err(why) => {
                let help = "name files that `ludex simulate --shard I/N --format json` wrote";
                output.failure(&format!("`{shown}` {why}"), help)?;
                return Ok(Exit::NoVerdict);
            }
        }
    }
    match merge(shards, &output.command) {
        Ok(report) => Told { report }.tell(output),
        Err(mismatch) => {
            output.failure(&mismatch.message, &mismatch.help)?;
            Ok(Exit::NoVerdict)
        }
    }
}

/// A report from its file, or why there is none.
fn read(file: &Path) -> Result<Report, String> {
    let mut text = String::new();
    let opened = File::open(file).map_err(|error| format!("cannot be read: {error}"))?;
    let read = opened.take(MOST_BYTES + 1).read_to_string(&mut text);
    read.map_err(|error| format!("cannot be read: {error}"))?;
    if text.len() as u64 > MOST_BYTES {
        return Err("is too large for a report".to_owned());
    }
    serde_json::from_str(&text).map_err(|error| format!("is not a report: {error}"))
}
