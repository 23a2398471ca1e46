//! Log → text, in the one canonical form.

use super::Log;
use super::tokens::is_bare;
use crate::ast::{Entry, Value, ValueKind};

/// The text of a log.
#[must_use]
pub fn write(log: &Log) -> String {
    let mut out = format!("game {}\n", word(&log.game));
    if let Some(hash) = log.rules {
        out += &format!("rules {hash:016x}\n");
    }
    let seat = |seat: &super::Seat| match &seat.who {
        Some(who) => format!("{} = {}", seat.name, text(who)),
        None => seat.name.clone(),
    };
    out += &format!("players {}\n", log.seats.iter().map(seat).collect::<Vec<_>>().join(", "));
    for setting in &log.settings {
        out += &format!("set {} = {}\n", setting.key, word(&setting.value));
    }
    if let Some(seed) = log.seed {
        out += &format!("seed {seed}\n");
    }
    if !log.entries.is_empty() {
        out.push('\n');
    }
    for entry in &log.entries {
        out += &entry.text;
        out.push('\n');
    }
    if let Some(result) = &log.result {
        let name = |seat: usize| log.seats.get(seat).map_or("?", |seat| seat.name.as_str());
        let scores: Vec<String> =
            result.scores.iter().enumerate().map(|(seat, score)| format!("{} {score}", name(seat))).collect();
        let winners: Vec<&str> = result.winners.iter().map(|&seat| name(seat)).collect();
        let winners = if winners.is_empty() { "none".to_owned() } else { winners.join(", ") };
        out += &format!("\nresult {}\nwinner {winners}\n", scores.join(", "));
    }
    out
}

/// A word as it is if it can stand so, otherwise in quotation marks.
fn word(value: &str) -> String {
    if !value.is_empty() && value.chars().all(is_bare) { value.to_owned() } else { text(value) }
}

fn text(value: &str) -> String {
    format!("\"{}\"", value.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
}

/// An entry in canonical spelling: one blank between words.
#[must_use]
pub fn entry_text(entry: &Entry) -> String {
    match entry {
        Entry::Chance(fact) => {
            let mut head = fact.name.text.clone();
            for index in &fact.indices {
                head += &format!(" {}", value_text(index));
            }
            format!("{head} = {}", values_text(&fact.values))
        }
        Entry::Move { words, .. } => values_text(words),
    }
}

fn values_text(values: &[Value]) -> String {
    values.iter().map(value_text).collect::<Vec<_>>().join(" ")
}

fn value_text(value: &Value) -> String {
    let many = |items: &[Vec<Value>]| items.iter().map(|item| values_text(item)).collect::<Vec<_>>().join(", ");
    match &value.kind {
        ValueKind::Word(word) => word.clone(),
        // A text of an entry has the escapes of the language, in which a brace begins a value.
        ValueKind::Text(text) => {
            format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('{', "\\{"))
        }
        ValueKind::Unknown => "?".to_owned(),
        ValueKind::Set(items) => format!("{{{}}}", many(items)),
        ValueKind::List(items) => format!("[{}]", many(items)),
    }
}
