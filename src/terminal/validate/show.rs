//! Verdicts in every format.

use serde_json::{Value, json as value};

use super::super::game::entries;
use super::super::{Exit, Format};
use crate::judge::{Finding, Game, Judged, Met, Unreadable};
use crate::limits::{LOG_FAULTS, SHOWN_GAMES};
use crate::report::xml::{element, escape};
use crate::report::{Code, Fault, Human, Note, Severity, Sources, Style, sarif_result};

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
    pub(super) file: String,
    /// Is there more about it than its verdict?
    pub(super) is_shown: bool,
    pub(super) result: String,
    pub(super) diagnostics: String,
    pub(super) exit: Option<Exit>,
    pub(super) verdict: &'static str,
    pub(super) entries: usize,
    pub(super) sarif: Vec<Value>,
    pub(super) codes: Vec<&'static Code>,
    pub(super) annotations: Vec<(Severity, String)>,
    pub(super) case: String,
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
        game.file.clone_into(&mut told.file);
        told.is_shown = !faults.is_empty();
        // So many games before it in its file are shown that this one will only be counted.
        // For programs an illegal game is a result, of which nothing is left out.
        let counts = self.format != Format::Json || !judged.faults.is_empty();
        if counts && game.bad_before >= SHOWN_GAMES {
            faults.clear();
        }
        faults.truncate(if matches!(self.format, Format::Human | Format::Plain) { usize::MAX } else { LOG_FAULTS });
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
                let mut problems: String =
                    wrong.take(MOST_SHOWN).map(|fault| element(word, &fault.message, &human.line(fault))).collect();
                if problems.is_empty() && exit != Exit::Fine {
                    problems = element(word, judged.verdict(), "");
                }
                told.case = case(game.file, game.line, &problems, exit);
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
        file.clone_into(&mut told.file);
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
        "ruleset": judged.ruleset,
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

/// One line for a game: `match.log: legal by nim, 41 entries; white 4, black 5`.
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
            format!("{} by {}, {entries}{scores}", judged.verdict(), judged.ruleset)
        }
        verdict => {
            let names: Vec<&str> =
                judged.findings.iter().flat_map(|finding| &finding.broken).map(|broken| broken.name.as_str()).collect();
            let more = judged.findings.iter().filter(|finding| finding.is_illegal()).count().saturating_sub(1);
            let more = if more == 0 { String::new() } else { format!(", and {more} more") };
            let names = if names.is_empty() { String::new() } else { format!(" {}", names.join(", ")) };
            format!("illegal by {}, {verdict}{names}{more}", judged.ruleset)
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
