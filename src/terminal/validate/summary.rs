//! What came of all games, in bounded memory.
//!
//! A file may hold millions of games, and nobody reads what is wrong with each of them. So many games of a file are
//! shown, the others are counted.

use crate::internal::Must;
use std::collections::BTreeMap;
use std::io::{self, Write};

use serde_json::{Value, json as value};

use super::super::output::Streams;
use super::super::{Exit, Format, Output};
use super::show::Told;
use crate::limits::{JUNIT_CASES, SARIF_RESULTS, SHOWN_GAMES};
use crate::report::xml::escape;
use crate::report::{ANNOTATIONS, Code, Severity, sarif_log, shortened};

/// What came of all games.
pub(super) struct Summary {
    format: Format,
    pub(super) games: usize,
    pub(super) exit: Exit,
    entries: usize,
    verdicts: BTreeMap<&'static str, usize>,
    sarif: Vec<Value>,
    codes: Vec<&'static Code>,
    annotations: Vec<(Severity, String)>,
    /// Annotations of each kind.
    annotated: BTreeMap<Severity, usize>,
    cases: String,
    listed: usize,
    failures: usize,
    errors: usize,
    /// The file that is judged now.
    file: String,
    /// Games of it that were shown, and those that were only counted.
    shown: usize,
    counted: usize,
}

impl Summary {
    pub(super) fn new(format: Format) -> Self {
        Self {
            format,
            games: 0,
            exit: Exit::Fine,
            entries: 0,
            verdicts: BTreeMap::new(),
            sarif: Vec::new(),
            codes: Vec::new(),
            annotations: Vec::new(),
            annotated: BTreeMap::new(),
            cases: String::new(),
            listed: 0,
            failures: 0,
            errors: 0,
            file: String::new(),
            shown: 0,
            counted: 0,
        }
    }

    /// Counts a game, and writes what is to be shown of it.
    pub(super) fn take(&mut self, told: &Told, streams: &mut Streams<'_, '_>) -> io::Result<()> {
        let exit = told.exit.must("a game that was judged has an exit code");
        self.games += 1;
        self.entries += told.entries;
        self.exit = self.exit.max(exit);
        *self.verdicts.entry(told.verdict).or_default() += 1;
        self.failures += usize::from(exit == Exit::Negative);
        self.errors += usize::from(exit == Exit::NoVerdict);
        self.list(&told.case);
        if self.file != told.file {
            self.file_ends(streams)?;
            self.file.clone_from(&told.file);
        }
        let is_full = self.shown >= SHOWN_GAMES;
        self.shown += usize::from(told.is_shown);
        // A verdict is a result; that there is none is not.
        let says_nothing = exit == Exit::NoVerdict;
        if told.is_shown && is_full && (says_nothing || self.format != Format::Json) {
            self.counted += 1;
            let result = if says_nothing { "" } else { told.result.as_str() };
            return streams.results.write_all(result.as_bytes());
        }
        self.keep(told);
        streams.results.write_all(told.result.as_bytes())?;
        if told.diagnostics.is_empty() {
            return Ok(());
        }
        streams.progress("")?;
        streams.diagnostics.drawn(&told.diagnostics)
    }

    /// Lists a game by itself, as long as that is of use to anybody.
    fn list(&mut self, case: &str) {
        if self.listed < JUNIT_CASES {
            self.cases += case;
            self.listed += 1;
        }
    }

    /// What is written at the end as a whole.
    fn keep(&mut self, told: &Told) {
        let room = SARIF_RESULTS.saturating_sub(self.sarif.len());
        self.sarif.extend(told.sarif.iter().take(room).cloned());
        self.codes.extend(&told.codes);
        self.codes.sort_by_key(|code| code.id);
        self.codes.dedup_by_key(|code| code.id);
        for (severity, annotation) in &told.annotations {
            let count = self.annotated.entry(*severity).or_default();
            *count += 1;
            if *count <= ANNOTATIONS {
                self.annotations.push((*severity, annotation.clone()));
            }
        }
    }

    /// Says of how many games of a file nothing was shown.
    pub(super) fn file_ends(&mut self, streams: &mut Streams<'_, '_>) -> io::Result<()> {
        let (counted, file) = (std::mem::take(&mut self.counted), &self.file);
        self.shown = 0;
        if counted == 0 {
            return Ok(());
        }
        match self.format {
            Format::Json => {
                let object = value!({ "ludex": 1, "kind": "more", "file": file, "games": counted });
                writeln!(streams.results, "{object}")
            }
            Format::Human | Format::Plain => {
                streams.progress("")?;
                writeln!(streams.diagnostics, "{file}: {counted} more games with faults or warnings are not shown")
            }
            Format::Sarif | Format::Github | Format::Junit => {
                // Their results are a whole of their own.
                writeln!(streams.diagnostics, "{file}: {counted} more games with faults or warnings are left out")
            }
        }
    }

    pub(super) fn progress(&self) -> String {
        format!("{} games judged, {} entries", self.games, self.entries)
    }

    /// What is said once, at the end.
    pub(super) fn whole(&self, output: &mut Output<'_>) -> io::Result<()> {
        match self.format {
            Format::Sarif => output.line(sarif_log(&self.sarif, self.codes.clone()).to_string()),
            Format::Github => {
                let count = |severity| self.annotated.get(&severity).copied().unwrap_or(0);
                output.result(shortened(&self.annotations, count))
            }
            Format::Junit => {
                let more = self.games - self.listed;
                let more = if more == 0 {
                    String::new()
                } else {
                    format!("    <system-out>{}</system-out>\n", escape(&format!("{more} more games are not listed")))
                };
                output.result(format!(
                    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"ludex\">\n  <testsuite name=\"logs\" \
                     tests=\"{}\" failures=\"{}\" errors=\"{}\">\n{}{more}  </testsuite>\n</testsuites>\n",
                    self.games, self.failures, self.errors, self.cases
                ))
            }
            Format::Json => {
                let object = value!({
                    "ludex": 1, "kind": "summary", "games": self.games, "entries": self.entries,
                    "verdicts": self.verdicts,
                });
                output.line(object.to_string())
            }
            Format::Human | Format::Plain if self.games > 1 => {
                let verdicts: Vec<String> =
                    self.verdicts.iter().map(|(verdict, count)| format!("{count} {verdict}")).collect();
                output.note(format!("{} games, {} entries: {}", self.games, self.entries, verdicts.join(", ")))
            }
            Format::Human | Format::Plain => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn so_many_games_are_listed_one_by_one() {
        let mut summary = Summary::new(Format::Junit);
        (0..crate::limits::JUNIT_CASES).for_each(|_| summary.list("a"));
        assert_eq!(summary.cases.len(), crate::limits::JUNIT_CASES);
        summary.list("a");
        assert_eq!((summary.cases.len(), summary.listed), (crate::limits::JUNIT_CASES, crate::limits::JUNIT_CASES));
    }
}
