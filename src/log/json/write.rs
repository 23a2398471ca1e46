//! Rows of a document → objects, written in one way only.

use serde_json::to_string;

use super::super::document::Row;
use super::super::write::value_text;
use super::super::{Expect, Line, Said, Seat};
use crate::ast::{self, Entry};
use crate::limits::LOG_LINE_BYTES;
use crate::report::{Escape, FileId, clean_lines};

/// The text of these rows. What stands together in the head or at the end is one object, up to a comment.
pub(in super::super) fn write(rows: &[Row]) -> String {
    let mut out = String::new();
    let mut at = 0;
    while let Some(row) = rows.get(at) {
        let mut written = object(std::slice::from_ref(row));
        let mut length = 1;
        while rows.get(at + length - 1).zip(rows.get(at + length)).is_some_and(|(last, next)| joins(last, next)) {
            let longer = object(rows.get(at..=at + length).unwrap_or(&[]));
            if longer.len() > LOG_LINE_BYTES {
                break;
            }
            written = longer;
            length += 1;
        }
        out += &written;
        out.push('\n');
        at += length;
    }
    out
}

/// Do both belong into one object?
fn joins(last: &Row, next: &Row) -> bool {
    let (Some(a), Some(b)) = (&last.said, &next.said) else { return false };
    last.comment.is_none() && last.section() == next.section() && a.word().is_some() && b.word().is_some()
}

fn object(rows: &[Row]) -> String {
    let mut pairs: Vec<String> = Vec::new();
    let mut settings: Vec<String> = Vec::new();
    for row in rows {
        match &row.said {
            Some(Said::Set(setting)) => settings.push(format!("{}:{}", string(&setting.key), string(&setting.value))),
            Some(said) => {
                close(&mut settings, &mut pairs);
                pairs.extend(said_pairs(said));
            }
            None => {}
        }
    }
    close(&mut settings, &mut pairs);
    let comment = rows.last().and_then(|row| row.comment.as_ref());
    pairs.extend(comment.map(|comment| format!("\"comment\":{}", string(comment))));
    format!("{{{}}}", pairs.join(","))
}

fn close(settings: &mut Vec<String>, pairs: &mut Vec<String>) {
    if !settings.is_empty() {
        pairs.push(format!("\"set\":{{{}}}", settings.join(",")));
        settings.clear();
    }
}

fn said_pairs(said: &Said) -> Vec<String> {
    match said {
        Said::Version(version) => vec![format!("\"ludex\":{version}")],
        Said::Game(name) => vec![format!("\"game\":{}", string(name))],
        Said::Rules(hash) => vec![format!("\"rules\":\"{hash:016x}\"")],
        Said::Players(seats) => {
            let seat = |(seat, _): &(Seat, _)| match &seat.who {
                Some(who) => format!("{{\"seat\":{},\"name\":{}}}", string(&seat.name), string(who)),
                None => format!("{{\"seat\":{}}}", string(&seat.name)),
            };
            vec![format!("\"players\":[{}]", seats.iter().map(seat).collect::<Vec<_>>().join(","))]
        }
        Said::Set(_) => Vec::new(),
        Said::Seed(seed) => vec![format!("\"seed\":{seed}")],
        Said::Expect(Expect { verdict, name, .. }) => {
            let name = name.as_ref().map(|name| format!(" {name}")).unwrap_or_default();
            vec![format!("\"expect\":{}", string(&format!("{verdict}{name}")))]
        }
        Said::Entry(line) => entry_pairs(line),
        Said::Result(scores) => {
            let scores: Vec<String> = scores.iter().map(|(name, score)| format!("{}:{score}", string(name))).collect();
            vec![format!("\"result\":{{{}}}", scores.join(","))]
        }
        Said::Winner(winners) => vec![format!("\"winner\":{}", strings(winners.iter().cloned()))],
    }
}

fn entry_pairs(line: &Line) -> Vec<String> {
    let mut pairs = Vec::new();
    match ast::parse_entry(FileId::default(), 0, &line.text) {
        Ok(Entry::Move { words, .. }) => {
            let mut words = words.iter().map(value_text);
            pairs.extend(words.next().map(|seat| format!("\"seat\":{}", string(&seat))));
            pairs.extend(words.next().map(|action| format!("\"do\":{}", string(&action))));
            if words.len() > 0 {
                pairs.push(format!("\"args\":{}", strings(words)));
            }
        }
        Ok(Entry::Chance(fact)) => {
            pairs.push(format!("\"chance\":{}", string(&fact.name.text)));
            if !fact.indices.is_empty() {
                pairs.push(format!("\"at\":{}", strings(fact.indices.iter().map(value_text))));
            }
            pairs.push(format!("\"is\":{}", strings(fact.values.iter().map(value_text))));
        }
        Err(_) if line.text.is_empty() => {}
        Err(_) => pairs.push(format!("\"line\":{}", string(&line.text))),
    }
    if !line.claims.is_empty() {
        pairs.push(format!("\"then\":{}", strings(line.claims.iter().map(|claim| claim.text.clone()))));
    }
    pairs
}

fn strings(items: impl Iterator<Item = String>) -> String {
    format!("[{}]", items.map(|item| string(&item)).collect::<Vec<_>>().join(","))
}

fn string(text: &str) -> String {
    // A string always becomes JSON, in which other signs than those below a blank may steer a terminal.
    clean_lines(&to_string(text).unwrap_or_default(), Escape::Json).into_owned()
}
