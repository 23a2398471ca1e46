//! Verdicts in every format.

use std::collections::BTreeMap;
use std::io;

use serde_json::{Value, json as value};

use super::super::game::entries;
use super::super::{Exit, Format, Output};
use crate::judge::{Finding, Game, Judged, Met, Unreadable};
use crate::report::xml::{element, escape};
use crate::report::{Code, Fault, Human, Note, Severity, Sources, Style, sarif_log, sarif_result, shortened};

/// Faults of one game that are drawn.
const MOST_SHOWN: usize = 20;

/// Makes of a judged game what is to be shown of it, on any thread.
pub(super) struct Teller {
    pub(super) format: Format,
    pub(super) style: Style,
    pub(super) quiet: bool,
    pub(super) complete: bool,
    pub(super) strict: bool,
    pub(super) deny_warnings: bool,
}

/// What is shown of a game.
#[derive(Default)]
pub(super) struct Told {
    pub(super) result: String,
    pub(super) diagnostics: String,
    exit: Option<Exit>,
    verdict: &'static str,
    entries: usize,
    sarif: Vec<Value>,
    codes: Vec<&'static Code>,
    annotations: Vec<(Severity, String)>,
    case: String,
}

impl Teller {
    pub(super) fn tell(&self, met: &Met<'_>) -> Told {
        match met {
            Met::Game(game) => self.game(game),
            Met::Unreadable(file, line, why) => self.unreadable(file, *line, why),
        }
    }

    fn exit(&self, judged: &Judged) -> Exit {
        if !judged.faults.is_empty() {
            return Exit::NoVerdict;
        }
        let counts = |finding: &Finding| match finding.verdict() {
            "unfinished" => self.complete,
            "legal-if" => self.strict,
            _ => true,
        };
        let warned = self.deny_warnings && !judged.warnings.is_empty();
        if warned || judged.findings.iter().any(counts) { Exit::Negative } else { Exit::Fine }
    }

    fn game(&self, game: &Game<'_>) -> Told {
        let judged = game.judged;
        let exit = self.exit(judged);
        let mut told = Told { exit: Some(exit), verdict: judged.verdict(), entries: judged.entries, ..Told::default() };
        let mut faults: Vec<Fault> = judged.warnings.clone();
        faults.extend(judged.faults.iter().cloned());
        faults.extend(judged.findings.iter().filter(|finding| self.is_shown(finding)).map(Finding::fault));
        // Texts are only put together where something points into them.
        let sources = if faults.is_empty() { Sources::default() } else { game.sources() };
        match self.format {
            Format::Json => {
                let object = object(game, if faults.is_empty() { None } else { Some(&sources) });
                told.result = format!("{object}\n");
            }
            Format::Human | Format::Plain => {
                let human = Human { sources: &sources, style: self.style };
                for fault in faults.iter().take(MOST_SHOWN) {
                    let drawn = if self.format == Format::Human { human.draw(fault) } else { human.line(fault) };
                    told.diagnostics += &drawn;
                }
                if faults.len() > MOST_SHOWN {
                    told.diagnostics += &format!("{} more\n", faults.len() - MOST_SHOWN);
                }
                if exit != Exit::Fine || !self.quiet {
                    told.result = line(game);
                }
            }
            Format::Sarif => {
                told.sarif = faults.iter().map(|fault| sarif_result(&sources, fault)).collect();
                told.codes = faults.iter().map(|fault| fault.code).collect();
            }
            Format::Github => {
                told.annotations =
                    faults.iter().map(|fault| (fault.severity(), Note::of(&sources, fault).annotation())).collect();
            }
            Format::Junit => {
                let human = Human { sources: &sources, style: Style::Plain };
                let word = if exit == Exit::NoVerdict { "error" } else { "failure" };
                let wrong = faults.iter().filter(|fault| fault.is_error() || exit != Exit::Fine);
                let problems = wrong.map(|fault| element(word, &fault.message, &human.line(fault)));
                told.case = case(game.file, game.line, &problems.collect::<String>(), exit);
            }
        }
        told
    }

    /// That a game goes on is said in its line; it is a fault only if it must be over.
    fn is_shown(&self, finding: &Finding) -> bool {
        finding.verdict() != "unfinished" || self.complete || !matches!(self.format, Format::Human | Format::Plain)
    }

    fn unreadable(&self, file: &str, line: usize, why: &Unreadable) -> Told {
        let (message, help) = unreadable(file, line, why);
        let mut told = Told { exit: Some(Exit::NoVerdict), verdict: "no-verdict", ..Told::default() };
        match self.format {
            Format::Json => {
                let object = value!({
                    "ludex": 1, "kind": "verdict", "file": file, "line": line, "verdict": "no-verdict", "legal": false,
                    "message": message, "help": help,
                });
                told.result = format!("{object}\n");
            }
            Format::Human | Format::Plain => told.diagnostics = format!("error: {message}\n  help: {help}\n"),
            Format::Junit => told.case = case(file, line, &element("error", &message, help), Exit::NoVerdict),
            Format::Github => {
                told.annotations = vec![(Severity::Error, format!("::error title=ludex::{message}\n"))];
            }
            Format::Sarif => {
                told.sarif = vec![value!({
                    "level": "error", "message": { "text": format!("{message}. {help}") },
                    "locations": [{ "physicalLocation": { "artifactLocation": { "uri": file } } }],
                })];
            }
        }
        told
    }
}

/// Why a file cannot be read on from this line, and what to do about it.
pub(in super::super) fn unreadable(file: &str, line: usize, why: &Unreadable) -> (String, &'static str) {
    match why {
        Unreadable::System(_) => (format!("`{file}` {why}"), "check the path, the file and its rights"),
        Unreadable::NotUtf8(_) => (format!("`{file}` {why}"), "is this a log? Logs are text"),
        Unreadable::Empty => (format!("`{file}` {why}"), "a log has at least the lines `game` and `players`"),
        Unreadable::TooLarge(_) => {
            (format!("`{file}` {why}, from line {line} on"), "is this a log? `--most-entries` allows more")
        }
    }
}

/// The verdict about a game.
fn object(game: &Game<'_>, sources: Option<&Sources>) -> Value {
    let judged = game.judged;
    let faults = |faults: &[Fault]| -> Vec<Value> {
        sources
            .map(|sources| faults.iter().map(|fault| crate::report::json(sources, fault)).collect())
            .unwrap_or_default()
    };
    let findings: Vec<Value> = sources
        .map(|sources| judged.findings.iter().map(|finding| object_of(game, sources, finding)).collect())
        .unwrap_or_default();
    let scores: serde_json::Map<String, Value> =
        judged.scores.iter().map(|(seat, score)| (seat.clone(), value!(score))).collect();
    value!({
        "ludex": 1,
        "kind": "verdict",
        "file": game.file,
        "line": game.line,
        "game": judged.game,
        "verdict": judged.verdict(),
        "legal": judged.faults.is_empty() && !judged.findings.iter().any(Finding::is_illegal),
        "entries": judged.entries,
        "skipped": judged.skipped,
        "scores": scores,
        "findings": findings,
        "warnings": faults(&judged.warnings),
        "faults": faults(&judged.faults),
    })
}

fn object_of(game: &Game<'_>, sources: &Sources, finding: &Finding) -> Value {
    let fault = crate::report::json(sources, &finding.fault());
    let place = |span: crate::report::Span| {
        let source = sources.get(span.file)?;
        let at = source.place_of(span.start);
        Some(value!({ "file": source.name(), "line": at.line, "column": at.column }))
    };
    let broken: Vec<Value> = finding
        .broken
        .iter()
        .map(|broken| {
            let values: Vec<Value> =
                broken.values.iter().map(|(text, is)| value!({ "text": text, "value": is })).collect();
            value!({
                "requirement": broken.name, "phrase": broken.phrase, "condition": broken.text,
                "at": place(broken.span), "values": values, "citations": broken.citations,
            })
        })
        .collect();
    let blame: Vec<Value> = finding
        .blame
        .iter()
        .map(|(span, what)| value!({ "line": game.line_of(*span), "text": sources.slice(*span), "what": what }))
        .collect();
    value!({
        "verdict": finding.verdict(), "code": finding.code.id, "at": fault["at"], "entry": finding.entry,
        "message": finding.message, "label": finding.label, "broken": broken, "held": finding.held,
        "nearest": finding.nearest, "change": finding.change, "blame": blame, "resumed": finding.resumed,
    })
}

/// One line for a game: `match.log: legal, 41 entries; white 4, black 5`.
fn line(game: &Game<'_>) -> String {
    let judged = game.judged;
    let place = match judged.findings.iter().find(|finding| finding.is_illegal()) {
        Some(finding) => format!("{}:{}", game.file, game.line_of(finding.span)),
        None if game.line > 1 => format!("{}:{}", game.file, game.line),
        None => game.file.to_owned(),
    };
    let verdict = match judged.verdict() {
        "no-verdict" => "no verdict was possible".to_owned(),
        "legal" | "unfinished" | "legal-if" => {
            let entries = entries(judged.entries);
            let scores: Vec<String> = judged.scores.iter().map(|(seat, score)| format!("{seat} {score}")).collect();
            let scores = if scores.is_empty() { String::new() } else { format!("; {}", scores.join(", ")) };
            format!("{}, {entries}{scores}", judged.verdict())
        }
        verdict => {
            let names: Vec<&str> =
                judged.findings.iter().flat_map(|finding| &finding.broken).map(|broken| broken.name.as_str()).collect();
            let more = judged.findings.iter().filter(|finding| finding.is_illegal()).count().saturating_sub(1);
            let more = if more == 0 { String::new() } else { format!(", and {more} more") };
            let names = if names.is_empty() { String::new() } else { format!(" {}", names.join(", ")) };
            format!("illegal, {verdict}{names}{more}")
        }
    };
    format!("{place}: {verdict}\n")
}

fn case(file: &str, line: usize, problems: &str, exit: Exit) -> String {
    let head = format!(
        "    <testcase classname=\"{}\" name=\"game in line {line}\" file=\"{}\" line=\"{line}\"",
        escape(file),
        escape(file)
    );
    if exit == Exit::Fine || problems.is_empty() {
        format!("{head}/>\n")
    } else {
        format!("{head}>\n{problems}    </testcase>\n")
    }
}

/// What came of all games.
pub(super) struct Summary {
    pub(super) games: usize,
    pub(super) exit: Exit,
    entries: usize,
    verdicts: BTreeMap<&'static str, usize>,
    sarif: Vec<Value>,
    codes: Vec<&'static Code>,
    annotations: Vec<(Severity, String)>,
    cases: String,
    failures: usize,
    errors: usize,
}

impl Default for Summary {
    fn default() -> Self {
        Self {
            games: 0,
            exit: Exit::Fine,
            entries: 0,
            verdicts: BTreeMap::new(),
            sarif: Vec::new(),
            codes: Vec::new(),
            annotations: Vec::new(),
            cases: String::new(),
            failures: 0,
            errors: 0,
        }
    }
}

impl Summary {
    pub(super) fn take(&mut self, told: &Told) {
        let exit = told.exit.unwrap_or(Exit::Fine);
        self.games += 1;
        self.entries += told.entries;
        self.exit = self.exit.max(exit);
        *self.verdicts.entry(told.verdict).or_default() += 1;
        self.sarif.extend(told.sarif.iter().cloned());
        self.codes.extend(&told.codes);
        self.codes.sort_by_key(|code| code.id);
        self.codes.dedup_by_key(|code| code.id);
        self.annotations.extend(told.annotations.iter().cloned());
        self.cases += &told.case;
        self.failures += usize::from(exit == Exit::Negative);
        self.errors += usize::from(exit == Exit::NoVerdict);
    }

    pub(super) fn progress(&self) -> String {
        format!("{} games judged, {} entries", self.games, self.entries)
    }
}

/// What is said once, at the end.
pub(super) fn whole(summary: &Summary, output: &mut Output<'_>) -> io::Result<()> {
    match output.format {
        Format::Sarif => output.line(sarif_log(&summary.sarif, summary.codes.clone()).to_string()),
        Format::Github => output.result(shortened(&summary.annotations)),
        Format::Junit => output.result(format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"ludex\">\n  <testsuite name=\"logs\" tests=\"{}\" \
             failures=\"{}\" errors=\"{}\">\n{}  </testsuite>\n</testsuites>\n",
            summary.games, summary.failures, summary.errors, summary.cases
        )),
        Format::Json => {
            let object = value!({
                "ludex": 1, "kind": "summary", "games": summary.games, "entries": summary.entries,
                "verdicts": summary.verdicts,
            });
            output.line(object.to_string())
        }
        Format::Human | Format::Plain if summary.games > 1 => {
            let verdicts: Vec<String> =
                summary.verdicts.iter().map(|(verdict, count)| format!("{count} {verdict}")).collect();
            output.note(format!("{} games, {} entries: {}", summary.games, summary.entries, verdicts.join(", ")))
        }
        Format::Human | Format::Plain => Ok(()),
    }
}
