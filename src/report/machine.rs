//! Faults for machines: JSON lines, SARIF, and annotations for GitHub.

use serde::Serialize;
use serde_json::{Value, json as value};

use super::codes::{Code, Severity};
use super::fault::Fault;
use super::source::{Sources, Span};

/// Annotations of one kind that GitHub shows for a step.
pub const ANNOTATIONS: usize = 10;

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
    let results: Vec<Value> = faults.iter().map(|(sources, fault)| sarif_result(sources, fault)).collect();
    sarif_log(&results, faults.iter().map(|(_, fault)| fault.code).collect())
}

/// One fault as a result of a SARIF log.
#[must_use]
pub fn sarif_result(sources: &Sources, fault: &Fault) -> Value {
    let location = |span: Span| {
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
    let help = fault.help.as_deref().unwrap_or("");
    value!({
        "ruleId": fault.code.id,
        "level": fault.severity().word(),
        "message": { "text": format!("{}. {help}", fault.message) },
        "locations": location(fault.span).into_iter().collect::<Vec<_>>(),
        "relatedLocations": fault.related.iter().filter_map(|(span, _)| location(*span)).collect::<Vec<_>>(),
    })
}

/// A SARIF log of these results, which have these codes.
#[must_use]
pub fn sarif_log(results: &[Value], mut codes: Vec<&'static Code>) -> Value {
    codes.sort_by_key(|code| code.id);
    codes.dedup_by_key(|code| code.id);
    let rules: Vec<Value> = codes
        .iter()
        .map(|code| value!({ "id": code.id, "shortDescription": { "text": code.title() }, "fullDescription": { "text": code.page } }))
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
pub fn github(faults: &[(&Sources, &Fault)]) -> String {
    annotations(&faults.iter().map(|(sources, fault)| Note::of(sources, fault)).collect::<Vec<_>>())
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

impl<'s> Note<'s> {
    /// What a fault says.
    #[must_use]
    pub fn of(sources: &'s Sources, fault: &Fault) -> Self {
        let text = match &fault.help {
            Some(help) => format!("{}\n{help}", fault.message),
            None => fault.message.clone(),
        };
        Note { severity: fault.severity(), sources, span: fault.span, title: fault.code.id.to_owned(), text }
    }

    /// One workflow command.
    #[must_use]
    pub fn annotation(&self) -> String {
        let place = at(self.sources, self.span).map_or(String::new(), |at| {
            format!(
                "file={},line={},col={},endLine={},endColumn={},",
                property(at.file),
                at.line,
                at.column,
                at.end_line,
                at.end_column
            )
        });
        format!("::{} {place}title={}::{}\n", self.severity.word(), property(&self.title), escape(&self.text))
    }
}

/// Workflow commands for notes.
#[must_use]
pub fn annotations(notes: &[Note<'_>]) -> String {
    let all: Vec<(Severity, String)> = notes.iter().map(|note| (note.severity, note.annotation())).collect();
    shortened(&all, |severity| all.iter().filter(|(kind, _)| *kind == severity).count())
}

/// The first annotations of each kind, and how many more there are of `count` in all.
#[must_use]
pub fn shortened(annotations: &[(Severity, String)], count: impl Fn(Severity) -> usize) -> String {
    let mut out = String::new();
    for severity in [Severity::Error, Severity::Warning] {
        let of_kind: Vec<_> = annotations.iter().filter(|(kind, _)| *kind == severity).collect();
        out.extend(of_kind.iter().take(ANNOTATIONS).map(|(_, annotation)| annotation.as_str()));
        let more = count(severity).saturating_sub(ANNOTATIONS);
        if more > 0 {
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
