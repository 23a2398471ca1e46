//! What came of examples, for machines that do not know Ludex: XML as build servers read it, annotations of GitHub.

use super::Ran;
use super::extras::{changed, coverage_text, mutants_text, survival};
use super::show::{judged, lines};
use crate::examples::mutants::Fate;
use crate::report::xml::{element, escape};
use crate::report::{Note, Severity, annotations, clean_line};

/// One document: a suite for each ruleset, a case for each position of an example.
pub(super) fn junit(all: &[Ran], least: Option<u8>) -> String {
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"ludex\">\n");
    for ran in all {
        let mut cases: Vec<String> = Vec::new();
        let (mut failures, errors) = (0, ran.errors.len().min(1));
        if let Some(fault) = ran.errors.first() {
            let problem =
                element("error", &fault.message, &format!("{}: {}", fault.code.id, clean_line(&fault.message)));
            cases.push(case(ran, "check", None, &problem));
        }
        for outcome in &ran.outcomes {
            let place = ran.loaded.sources.get(outcome.span.file);
            let place = place.map(|source| (source.name(), source.line_of(outcome.span.start)));
            let problems: String = outcome
                .failures
                .iter()
                .map(|failure| {
                    let text = format!(
                        "{}\n{}",
                        super::place(&ran.loaded, failure.span),
                        lines(&ran.loaded, outcome, failure).join("\n")
                    );
                    element("failure", &failure.message(), &text)
                })
                .collect();
            failures += usize::from(!outcome.passed());
            cases.push(case(ran, &outcome.heading(), place, &problems));
        }
        for file in &ran.changed {
            failures += 1;
            cases.push(case(ran, &file.path(), None, &element("failure", "not as recorded", &file.text())));
        }
        for log in &ran.logs {
            failures += usize::from(!log.passed);
            let problem = if log.passed { String::new() } else { element("failure", &judged(log), &judged(log)) };
            cases.push(case(ran, &log.file, Some((&log.file, log.line)), &problem));
        }
        let mut said = String::new();
        if let (Some(coverage), Some(least)) = (&ran.coverage, least) {
            let text = coverage_text(ran, coverage, least);
            let below = coverage.percent() < usize::from(least);
            failures += usize::from(below);
            let problem = if below { element("failure", &format!("less than {least}%"), &text) } else { String::new() };
            cases.push(case(ran, "coverage", None, &problem));
            said += &text;
        }
        if !ran.mutants.is_empty() {
            said += &mutants_text(ran);
        }
        let said = if said.is_empty() { said } else { format!("    <system-out>{}</system-out>\n", escape(&said)) };
        out += &format!(
            "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{failures}\" errors=\"{errors}\">\n{}{said}  </testsuite>\n",
            escape(&ran.name),
            cases.len(),
            cases.concat()
        );
    }
    out + "</testsuites>\n"
}

fn case(ran: &Ran, name: &str, place: Option<(&str, usize)>, problems: &str) -> String {
    let place = place.map(|(file, line)| format!(" file=\"{}\" line=\"{line}\"", escape(file))).unwrap_or_default();
    let head = format!("    <testcase classname=\"{}\" name=\"{}\"{place}", escape(&ran.name), escape(name));
    if problems.is_empty() { format!("{head}/>\n") } else { format!("{head}>\n{problems}    </testcase>\n") }
}

/// Failures as errors, what no example shows or notices as warnings.
pub(super) fn github(all: &[Ran]) -> String {
    let mut notes = Vec::new();
    for ran in all {
        let sources = &ran.loaded.sources;
        let note =
            |severity, span, title: &str, text: String| Note { severity, sources, span, title: title.to_owned(), text };
        for fault in &ran.errors {
            notes.push(note(Severity::Error, fault.span, fault.code.id, fault.message.clone()));
        }
        for outcome in &ran.outcomes {
            for failure in &outcome.failures {
                let text = lines(&ran.loaded, outcome, failure).join("\n");
                notes.push(note(Severity::Error, failure.span, &format!("failed: {}", outcome.heading()), text));
            }
        }
        for file in &ran.changed {
            for difference in &file.differences {
                let text = format!("{}\n{}", difference.heading, difference.lines.join("\n"));
                let found = ran.outcomes.iter().find(|outcome| difference.heading.starts_with(&outcome.heading()));
                let span = found.map(|outcome| outcome.span).unwrap_or_default();
                notes.push(note(Severity::Error, span, &format!("not as recorded: {}", file.path()), text));
            }
        }
        for log in ran.logs.iter().filter(|log| !log.passed) {
            let span = log.faults.first().map(|fault| fault.span).unwrap_or_default();
            let title = format!("failed: {}", log.file);
            notes.push(Note { severity: Severity::Error, sources: &log.sources, span, title, text: judged(log) });
        }
        let missing = ran.coverage.iter().flat_map(|coverage| &coverage.items);
        for item in missing.filter(|item| !item.exercised && item.exempt.is_none()) {
            notes.push(note(Severity::Warning, item.span, "never shown", format!("{} {}", item.kind, item.what)));
        }
        for (mutant, fate) in &ran.mutants {
            if let Fate::Survived(readers) = fate {
                notes.push(note(Severity::Warning, mutant.span, &changed(mutant), survival(*readers)));
            }
        }
    }
    annotations(&notes)
}
