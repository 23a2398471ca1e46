//! What came of examples, for people and as JSON.

use std::io;

use serde_json::{Value, json};

use super::{Ran, place};
use crate::examples::{Failure, Outcome};
use crate::judge::Held;
use crate::load::Loaded;
use crate::report::Span;
use crate::terminal::check::plural;
use crate::terminal::{Format, Output};

pub(super) fn ruleset(output: &mut Output<'_>, ran: &Ran) -> io::Result<()> {
    if !ran.errors.is_empty() {
        output.faults(&ran.loaded.sources, &ran.errors, 20)?;
        return output.note(format!("{}: its examples cannot be played before its errors are mended", ran.name));
    }
    match output.format {
        Format::Json => {
            for outcome in &ran.outcomes {
                output.line(object(&ran.name, &ran.loaded, outcome).to_string())?;
            }
            for changed in &ran.changed {
                output.line(changed.object(&ran.name).to_string())?;
            }
            for log in &ran.logs {
                output.line(log_object(&ran.name, log).to_string())?;
            }
            output.line(summary_object(ran).to_string())
        }
        Format::Human | Format::Plain => {
            for outcome in &ran.outcomes {
                for failure in &outcome.failures {
                    output.line(format!("{}: failed: {}", place(&ran.loaded, failure.span), outcome.heading()))?;
                    for line in lines(&ran.loaded, outcome, failure) {
                        output.line(format!("    {line}"))?;
                    }
                }
            }
            for changed in &ran.changed {
                output.result(changed.text())?;
            }
            for log in ran.logs.iter().filter(|log| !log.passed) {
                output.faults(&log.sources, &log.faults, 3)?;
                output.line(format!("{}:{}: failed: {}", log.file, log.line, judged(log)))?;
            }
            output.line(summary(ran))
        }
        Format::Sarif | Format::Github | Format::Junit => Ok(()),
    }
}

/// Everything there is to say about a failure.
pub(super) fn lines(loaded: &Loaded, outcome: &Outcome, failure: &Failure) -> Vec<String> {
    let mut lines = vec![format!("expected  {}", failure.expected), format!("found     {}", failure.found)];
    let mut word = "values";
    // What the lines above say need not be said again.
    let told = |text: &str, value: &str| {
        format!(" {} ", failure.found).contains(&format!(" {text} is {value} "))
            || (text == failure.expected && value == "false")
    };
    for (text, value) in failure.values.iter().filter(|(text, value)| !told(text, value)) {
        lines.push(format!("{word:<10}{text} = {value}"));
        word = "";
    }
    for (name, phrase, span) in &failure.requirements {
        let phrase = phrase.as_ref().map(|phrase| format!(": {phrase}")).unwrap_or_default();
        lines.push(format!("rule      {name}{phrase} ({})", place(loaded, *span)));
    }
    if let Some(code) = failure.code {
        lines.push(format!("code      {}", code.id));
    }
    if let Some(help) = &failure.help {
        lines.push(format!("help      {help}"));
    }
    if !outcome.cites.is_empty() {
        lines.push(format!("rulebook  {}", outcome.cites.join(", ")));
    }
    lines
}

/// Examples, and how many of them failed; one with several positions counts once.
pub(super) fn counts(ran: &Ran) -> (usize, usize) {
    let count = |spans: Vec<Span>| {
        let mut spans = spans;
        spans.sort();
        spans.dedup();
        spans.len()
    };
    let all = ran.outcomes.iter().map(|outcome| outcome.span).collect();
    let failed = ran.outcomes.iter().filter(|outcome| !outcome.passed()).map(|outcome| outcome.span).collect();
    (count(all), count(failed))
}

fn summary(ran: &Ran) -> String {
    let (examples, failed) = counts(ran);
    let expectations = ran.outcomes.iter().map(|outcome| outcome.expectations).sum();
    let word = if ran.failed() { "failed" } else { "ok" };
    let mut line =
        format!("{word:<7}{:<26} {}, {}", ran.name, plural(examples, "example"), plural(expectations, "expectation"));
    if failed > 0 {
        line += &format!(", {failed} failed");
    }
    if !ran.logs.is_empty() {
        line += &format!(", {}", plural(ran.logs.len(), "log"));
        let failed = ran.logs.iter().filter(|log| !log.passed).count();
        if failed > 0 {
            line += &format!(", {failed} not judged as expected");
        }
    }
    let changed = ran.changed.iter().map(|changed| changed.differences.len()).sum();
    if changed > 0 {
        line += &format!(", {} not as recorded", plural(changed, "outcome"));
    }
    line
}

fn summary_object(ran: &Ran) -> Value {
    let (examples, failed) = counts(ran);
    let expectations: usize = ran.outcomes.iter().map(|outcome| outcome.expectations).sum();
    json!({
        "ludex": 1, "kind": "tested", "ruleset": ran.name, "examples": examples, "expectations": expectations,
        "failed": failed, "logs": ran.logs.len(), "passed": !ran.failed(),
    })
}

/// What a log should have come to, and what it came to.
pub(super) fn judged(log: &Held) -> String {
    format!("expected {}, found {}", log.expected, log.found)
}

fn log_object(name: &str, log: &Held) -> Value {
    json!({
        "ludex": 1, "kind": "log", "ruleset": name, "file": log.file, "line": log.line, "expected": log.expected,
        "found": log.found, "passed": log.passed,
    })
}

fn object(name: &str, loaded: &Loaded, outcome: &Outcome) -> Value {
    let failures: Vec<Value> = outcome.failures.iter().map(|failure| failure_object(loaded, failure)).collect();
    json!({
        "ludex": 1, "kind": "example", "ruleset": name, "rows": outcome.rows, "title": outcome.title,
        "position": outcome.position,
        "at": place(loaded, outcome.span), "expectations": outcome.expectations, "passed": outcome.passed(),
        "failures": failures, "citations": outcome.cites,
    })
}

fn failure_object(loaded: &Loaded, failure: &Failure) -> Value {
    let values: Vec<Value> =
        failure.values.iter().map(|(text, value)| json!({ "text": text, "value": value })).collect();
    let requirements: Vec<Value> = failure
        .requirements
        .iter()
        .map(|(name, phrase, span)| json!({ "name": name, "phrase": phrase, "at": place(loaded, *span) }))
        .collect();
    json!({
        "at": place(loaded, failure.span), "message": failure.message(), "expected": failure.expected,
        "found": failure.found, "values": values, "requirements": requirements,
        "code": failure.code.map(|code| code.id), "help": failure.help,
    })
}
