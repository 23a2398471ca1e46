//! A report on its way out: what it begins with, and the format asked for.

use std::io;
use std::path::PathBuf;

use super::super::page::PageFile;
use super::super::{Exit, Format, Output};
use super::{CONFIDENCE, Table, compared, failures, show};
use crate::load::{Loaded, text_hash};
use crate::report::{clean_line, clean_path};
use crate::simulate::report::{Asked, Head, Overlay, Report, VERSION};

/// A report that is to be told.
pub(crate) struct Told<'a> {
    pub(crate) report: Report,
    /// The page that is to be written, too.
    pub(crate) page: PageFile<'a>,
}

impl Told<'_> {
    /// Works out what follows from the counts, and writes everything in the format asked for.
    pub(crate) fn tell(mut self, output: &mut Output<'_>) -> io::Result<Exit> {
        self.report.derive();
        if output.format == Format::Json {
            output.line(serde_json::to_string(&self.report).map_err(io::Error::other)?)?;
        } else {
            match &self.report {
                Report::Simulation(report) => show::simulation(report, output)?,
                Report::Comparison(report) => compared::comparison(report, output)?,
                Report::Sweep(report) => compared::sweep(report, output)?,
                Report::Sensitivity(report) => compared::sensitivity(report, output)?,
            }
            failures::show(&self.report, output)?;
        }
        if let Err((message, help)) = self.page.write(&self.report) {
            output.failure(&message, &help)?;
            return Ok(Exit::NoVerdict);
        }
        if self.report.head().interrupted {
            output.note("interrupted: this is what came of the games that were complete")?;
            return Ok(Exit::Interrupted);
        }
        Ok(match &self.report {
            report if report.is_empty() => Exit::NoVerdict,
            report if report.has_failures() => Exit::Negative,
            _ => Exit::Fine,
        })
    }
}

impl Table<'_> {
    /// A report, with the page that was asked for.
    pub(super) fn told(&self, report: Report) -> Told<'_> {
        Told { report, page: PageFile { file: self.args.report.as_deref(), force: self.args.force } }
    }

    /// What a report begins with.
    pub(super) fn report_head(&self, interrupted: bool, output: &Output<'_>) -> Head {
        Head {
            ludex: VERSION,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            command: output.command.clone(),
            ruleset: clean_line(&self.args.ruleset.ruleset).into_owned(),
            title: self.checked.bound.title.clone(),
            hash: format!("{:016x}", self.loaded.rules_hash()),
            settings: self.args.ruleset.changes.settings.clone(),
            overlays: overlays(&self.args.ruleset.changes.overlays, self.loaded),
            players: self.program.players,
            agents: self.agents.iter().map(ToString::to_string).collect(),
            seed: self.seed.to_string(),
            asked: Asked { games: self.args.games, most_entries: self.args.most_entries, look: self.args.look },
            shard: self.shard,
            interrupted,
            invariants_checked: self.args.check_invariants,
            confidence: CONFIDENCE,
        }
    }

    /// Who a comparison is about.
    pub(super) fn about(&self) -> String {
        match self.agents.split_first() {
            Some((first, others)) if others.iter().all(|other| other == first) => {
                format!("games that `{first}` plays in every seat")
            }
            _ => {
                let seats = self.head.seats.iter().zip(&self.agents);
                let seats: Vec<String> = seats.map(|(seat, agent)| format!("`{agent}` as {}", seat.name)).collect();
                format!("games with {}", seats.join(", "))
            }
        }
    }
}

/// Files that were laid over the numbers, with the hashes of their texts.
pub(super) fn overlays(files: &[PathBuf], loaded: &Loaded) -> Vec<Overlay> {
    let hash = |file: &str| {
        let source = loaded.sources.iter().find(|(_, source)| source.name() == file);
        source.map_or_else(String::new, |(_, source)| format!("{:016x}", text_hash(source.text())))
    };
    let files = files.iter().map(|file| clean_path(file));
    files.map(|file| Overlay { hash: hash(&file), file }).collect()
}
