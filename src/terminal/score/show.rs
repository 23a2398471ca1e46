//! A ledger as text: a table of points with the entries that caused them, then the rules that gave them.

use std::io;

use super::super::game::line_of;
use super::super::{Format, Output};
use super::stands;
use crate::audit::{Ledger, Line, Rule, RuleId};
use crate::bind::Bound;
use crate::log::Opened;
use crate::play::Session;
use crate::report::Span;

/// What happens before anybody decides anything.
const BEFORE: &str = "set-up";

/// Entries are cut after so many characters in the table.
const WIDEST: usize = 40;

pub(super) fn ledger(
    opened: &Opened,
    session: &Session<'_>,
    ledger: &Ledger,
    output: &mut Output<'_>,
) -> io::Result<()> {
    let table = Table { opened, bound: session.bound() };
    let seat = session.seat_name(ledger.seat);
    match output.format {
        Format::Json => {
            let object = serde_json::json!({
                "ludex": 1, "kind": "ledger", "ruleset": opened.ruleset, "over": session.is_over(),
                "entries": session.decisions().len(), "seat": seat, "score": ledger.total,
                "lines": ledger.lines.iter().map(|line| table.object(line)).collect::<Vec<_>>(),
            });
            output.line(object.to_string())
        }
        Format::Plain => {
            ledger.lines.iter().try_for_each(|line| output.line(table.plain(line)))?;
            output.line(format!("{seat} has {}; {}", points(ledger.total), stands(session)))
        }
        _ => {
            output.line(format!("{seat} has {}; {}", points(ledger.total), stands(session)))?;
            if ledger.lines.is_empty() {
                return Ok(());
            }
            output.line("")?;
            table.rows(ledger).iter().try_for_each(|row| output.line(row))?;
            output.line("")?;
            table.rules(ledger).iter().try_for_each(|row| output.line(row))
        }
    }
}

fn points(count: i64) -> String {
    if count == 1 { "1 point".to_owned() } else { format!("{count} points") }
}

struct Table<'t> {
    opened: &'t Opened,
    bound: &'t Bound,
}

impl Table<'_> {
    /// The line of an entry and its text.
    fn entry(&self, number: usize) -> Option<(usize, String)> {
        let (_, span) = self.opened.entries.get(number.checked_sub(1)?)?;
        let sources = &self.opened.loaded.sources;
        let text = sources.slice(*span).split('#').next().unwrap_or("");
        Some((line_of(sources, *span), text.split_whitespace().collect::<Vec<_>>().join(" ")))
    }

    /// The entries of a line: what brought the points, then what was counted.
    fn entries(&self, line: &Line) -> Vec<(usize, String)> {
        line.entry.iter().chain(&line.from).filter_map(|&number| self.entry(number)).collect()
    }

    fn rows(&self, ledger: &Ledger) -> Vec<String> {
        let cut = |text: &str| match text.char_indices().nth(WIDEST) {
            Some((at, _)) => format!("{}…", text.get(..at).unwrap_or("")),
            None => text.to_owned(),
        };
        let told: Vec<Vec<(usize, String)>> = ledger.lines.iter().map(|line| self.entries(line)).collect();
        let widest =
            told.iter().flatten().map(|(_, text)| cut(text).chars().count()).max().unwrap_or(0).max(BEFORE.len());
        let mut rows = vec![format!("points  total  line  {:<widest$}  for", "entry")];
        let mut counted = false;
        for (line, entries) in ledger.lines.iter().zip(told) {
            let mut entries = entries.into_iter();
            let (number, text) = match entries.next() {
                Some((number, text)) => (number.to_string(), cut(&text)),
                None if line.entry == Some(0) => (String::new(), BEFORE.to_owned()),
                None => (String::new(), String::new()),
            };
            rows.push(format!("{:>+6}  {:>5}  {number:>4}  {text:<widest$}  {}", line.points, line.total, line.what));
            for (number, text) in entries {
                counted = true;
                rows.push(format!("{:6}  {:5}  {number:>4}  {}", "", "", cut(&text)));
            }
        }
        if counted {
            rows.push(String::new());
            rows.push("Lines without points last changed what is counted above them.".to_owned());
        }
        rows
    }

    /// Every rule that gave points, in the order in which they appear, with how much.
    fn rules(&self, ledger: &Ledger) -> Vec<String> {
        let mut seen: Vec<(RuleId, i64)> = Vec::new();
        for line in &ledger.lines {
            for rule in &line.rules {
                match seen.iter_mut().find(|(known, _)| known == rule) {
                    Some((_, sum)) => *sum += line.points,
                    None => seen.push((*rule, line.points)),
                }
            }
        }
        let mut rows = Vec::new();
        for (id, sum) in seen {
            let rule = id.rule(self.bound);
            rows.push(format!("{}{}: {}", named(&rule), self.place(rule.span), points(sum)));
            rows.extend(rule.title.map(|title| format!("  {title}")));
            let cites: Vec<String> = rule.cites.iter().map(ToString::to_string).collect();
            if !cites.is_empty() {
                rows.push(format!("  {}", cites.join(", ")));
            }
        }
        rows
    }

    fn place(&self, span: Option<Span>) -> String {
        span.map_or_else(String::new, |span| format!(" ({})", self.at(span)))
    }

    fn at(&self, span: Span) -> String {
        self.opened.loaded.sources.get(span.file).map_or_else(String::new, |source| {
            let place = source.place_of(span.start);
            format!("{}:{}:{}", source.name(), place.line, place.column)
        })
    }

    fn citations(&self, line: &Line) -> Vec<String> {
        let cited = line.cited(self.bound).map(|id| id.rule(self.bound).cites);
        cited.into_iter().flatten().map(ToString::to_string).collect()
    }

    fn plain(&self, line: &Line) -> String {
        let rule = line.rule().rule(self.bound);
        let mut out =
            format!("{:+} = {}: {}; {}{}", line.points, line.total, line.what, named(&rule), self.place(rule.span));
        let cites = self.citations(line);
        if !cites.is_empty() {
            out += &format!("; {}", cites.join(", "));
        }
        if line.entry == Some(0) {
            out += &format!("; {BEFORE}");
        }
        for (number, text) in self.entries(line) {
            out += &format!("; line {number}: {text}");
        }
        out
    }

    fn object(&self, line: &Line) -> serde_json::Value {
        let entry = |&number: &usize| {
            let (line, text) = self.entry(number)?;
            Some(serde_json::json!({ "entry": number, "line": line, "text": text }))
        };
        let at = |span: Span| {
            let source = self.opened.loaded.sources.get(span.file)?;
            let place = source.place_of(span.start);
            Some(serde_json::json!({ "file": source.name(), "line": place.line, "column": place.column }))
        };
        let rule = |id: &RuleId| {
            let rule = id.rule(self.bound);
            serde_json::json!({
                "kind": rule.kind, "name": rule.name, "title": rule.title,
                "at": rule.span.and_then(at),
                "citations": rule.cites.iter().map(ToString::to_string).collect::<Vec<_>>(),
            })
        };
        serde_json::json!({
            "points": line.points, "total": line.total, "what": line.what,
            "rules": line.rules.iter().map(rule).collect::<Vec<_>>(),
            "citations": self.citations(line),
            "entry": line.entry.as_ref().and_then(entry),
            "from": line.from.iter().filter_map(entry).collect::<Vec<_>>(),
        })
    }
}

fn named(rule: &Rule<'_>) -> String {
    if rule.kind == rule.name { rule.name.to_owned() } else { format!("{} {}", rule.kind, rule.name) }
}
