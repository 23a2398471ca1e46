//! Faults for machines: JSON lines, SARIF, and annotations for GitHub.

use serde::Serialize;
use serde_json::{Value, json as value};

use super::codes::Severity;
use super::fault::Fault;
use super::source::{Sources, Span};

/// Annotations of one kind that GitHub shows for a step.
const ANNOTATIONS: usize = 10;

#[derive(Serialize)]
struct At<'a> {
    file: &'a str,
    start: u32,
    end: u32,
    line: usize,
    column: usize,
    end_line: usize,
    end_column: usize,
}

fn at(sources: &Sources, span: Span) -> Option<At<'_>> {
    let source = sources.get(span.file)?;
    let (from, to) = (source.place_of(span.start), source.place_of(span.end));
    Some(At {
        file: source.name(),
        start: span.start,
        end: span.end,
        line: from.line,
        column: from.column,
        end_line: to.line,
        end_column: to.column,
    })
}

/// One fault as a JSON object.
#[must_use]
pub fn json(sources: &Sources, fault: &Fault) -> Value {
    let related: Vec<Value> =
        fault.related.iter().map(|(span, label)| value!({ "at": at(sources, *span), "label": label })).collect();
    value!({
        "ludex": 1,
        "kind": "fault",
        "code": fault.code.id,
        "severity": fault.severity().word(),
        "message": fault.message,
        "at": at(sources, fault.span),
        "label": fault.label,
        "help": fault.help,
        "related": related,
        "citations": fault.citations,
    })
}

/// All faults as one SARIF 2.1.0 log.
#[must_use]
pub fn sarif(faults: &[(&Sources, &Fault)]) -> Value {
    let mut rules: Vec<&super::codes::Code> = faults.iter().map(|(_, fault)| fault.code).collect();
    rules.sort_by_key(|code| code.id);
    rules.dedup_by_key(|code| code.id);
    let rules: Vec<Value> = rules
        .iter()
        .map(|code| value!({ "id": code.id, "shortDescription": { "text": code.title() }, "fullDescription": { "text": code.page } }))
        .collect();
    let location = |sources: &Sources, span: Span| {
        at(sources, span).map(|at| {
            value!({ "physicalLocation": {
                "artifactLocation": { "uri": at.file },
                "region": {
                    "startLine": at.line, "startColumn": at.column,
                    "endLine": at.end_line, "endColumn": at.end_column,
                },
            } })
        })
    };
    let results: Vec<Value> = faults
        .iter()
        .map(|(sources, fault)| {
            let help = fault.help.as_deref().unwrap_or("");
            value!({
                "ruleId": fault.code.id,
                "level": fault.severity().word(),
                "message": { "text": format!("{}. {help}", fault.message) },
                "locations": [location(sources, fault.span)],
                "relatedLocations": fault.related.iter().map(|(span, _)| location(sources, *span)).collect::<Vec<_>>(),
            })
        })
        .collect();
    value!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": { "name": "ludex", "version": env!("CARGO_PKG_VERSION"), "rules": rules } },
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    })
}

/// Workflow commands that put faults on the lines of a pull request.
#[must_use]
pub fn github<'s>(faults: &[(&'s Sources, &Fault)]) -> String {
    let note = |(sources, fault): &(&'s Sources, &Fault)| {
        let text = match &fault.help {
            Some(help) => format!("{}\n{help}", fault.message),
            None => fault.message.clone(),
        };
        Note { severity: fault.severity(), sources, span: fault.span, title: fault.code.id.to_owned(), text }
    };
    annotations(&faults.iter().map(note).collect::<Vec<_>>())
}

/// Something to say about a place.
#[derive(Debug)]
pub struct Note<'s> {
    /// How bad it is.
    pub severity: Severity,
    /// The texts.
    pub sources: &'s Sources,
    /// The place.
    pub span: Span,
    /// In short.
    pub title: String,
    /// In full.
    pub text: String,
}

/// Workflow commands for notes: the first of each kind, and how many more there are.
#[must_use]
pub fn annotations(notes: &[Note<'_>]) -> String {
    let mut out = String::new();
    for severity in [Severity::Error, Severity::Warning] {
        let of_kind: Vec<_> = notes.iter().filter(|note| note.severity == severity).collect();
        for note in of_kind.iter().take(ANNOTATIONS) {
            let place = at(note.sources, note.span).map_or(String::new(), |at| {
                format!(
                    "file={},line={},col={},endLine={},endColumn={},",
                    property(at.file),
                    at.line,
                    at.column,
                    at.end_line,
                    at.end_column
                )
            });
            out += &format!("::{} {place}title={}::{}\n", severity.word(), property(&note.title), escape(&note.text));
        }
        if of_kind.len() > ANNOTATIONS {
            let more = of_kind.len() - ANNOTATIONS;
            out += &format!("::notice title=ludex::{more} more of kind {} are not shown\n", severity.word());
        }
    }
    out
}

fn escape(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    escape(text).replace(':', "%3A").replace(',', "%2C")
}
