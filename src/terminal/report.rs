//! `ludex report`: what can be done with reports of simulations

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};

use super::page::PageFile;
use super::simulate::Told;
use super::{Exit, Output};
use crate::limits;
use crate::report::clean_path;
use crate::simulate::report::{Report, VERSION, merge};

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
    /// Show a report as one page for a browser
    Page(PageArgs),
}

/// Put the reports of all shards together, as one run would have given them
#[derive(Debug, Args)]
struct MergeArgs {
    /// Reports of `simulate --shard I/N --format json`, all of one run
    #[arg(required = true)]
    files: Vec<PathBuf>,

    /// Write what came of it as a page for a browser, too
    #[arg(long, value_name = "FILE.html")]
    report: Option<PathBuf>,

    /// Overwrite a page that is there already
    #[arg(long, requires = "report")]
    force: bool,
}

/// Show a report as one page for a browser
#[derive(Debug, Args)]
struct PageArgs {
    /// A report of `simulate --format json` or `report merge --format json`
    file: PathBuf,

    /// Where to write the page
    #[arg(short = 'o', long = "output", value_name = "FILE.html")]
    to: PathBuf,

    /// Overwrite a page that is there already
    #[arg(long)]
    force: bool,
}

pub(super) fn report(args: &ReportArgs, output: &mut Output<'_>) -> io::Result<Exit> {
    match &args.what {
        What::Merge(args) => merged(args, output),
        What::Page(args) => page(args, output),
    }
}

fn page(args: &PageArgs, output: &mut Output<'_>) -> io::Result<Exit> {
    let page = PageFile { file: Some(&args.to), force: args.force };
    let written = page.prepare().and_then(|()| {
        let shown = clean_path(&args.file);
        let help = "name a file that `ludex simulate --format json` wrote";
        let mut report = read(&args.file).map_err(|why| (format!("`{shown}` {why}"), help.to_owned()))?;
        let shape = report.head().ludex;
        if shape != VERSION {
            let message = format!("`{shown}` has the shape of version {shape}, not {VERSION}");
            return Err((message, "use the version of Ludex that wrote it".to_owned()));
        }
        report.derive();
        page.write(&report)
    });
    if let Err((message, help)) = written {
        output.failure(&message, &help)?;
        return Ok(Exit::NoVerdict);
    }
    Ok(Exit::Fine)
}

fn merged(args: &MergeArgs, output: &mut Output<'_>) -> io::Result<Exit> {
    let page = PageFile { file: args.report.as_deref(), force: args.force };
    if let Err((message, help)) = page.prepare() {
        output.failure(&message, &help)?;
        return Ok(Exit::NoVerdict);
    }
    let mut shards = Vec::new();
    for file in &args.files {
        let shown = clean_path(file);
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
        Ok(report) => Told { report, page }.tell(output),
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
    let read = opened.take(limits::REPORT_BYTES + 1).read_to_string(&mut text);
    read.map_err(|error| format!("cannot be read: {error}"))?;
    if text.len() as u64 > limits::REPORT_BYTES {
        return Err(format!("is larger than {} MiB", limits::REPORT_BYTES >> 20));
    }
    serde_json::from_str(&text).map_err(|error| format!("is not a report: {error}"))
}
