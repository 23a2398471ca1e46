//! Log → text, in the one canonical form.

use super::tokens::is_bare;
use super::{Line, Log, Said, Seat};
use crate::ast::{Entry, Fact, Value, ValueKind};
use crate::report::steers;

/// The text of a log.
#[must_use]
pub fn write(log: &Log) -> String {
    let mut out = String::new();
    for said in head(log) {
        out += &line(&said);
        out.push('\n');
    }
    if !log.entries.is_empty() {
        out.push('\n');
    }
    for entry in &log.entries {
        out += &entry_line(entry);
        out.push('\n');
    }
    if let Some(result) = &log.result {
        let name = |seat: usize| log.seats.get(seat).map_or("?", |seat| seat.name.as_str()).to_owned();
        let scores = result.scores.iter().enumerate().map(|(seat, &score)| (name(seat), score)).collect();
        let winners = result.winners.iter().map(|&seat| name(seat)).collect();
        out += &format!("\n{}\n{}\n", line(&Said::Result(scores)), line(&Said::Winner(winners)));
    }
    out
}

fn head(log: &Log) -> Vec<Said> {
    let mut head = Vec::new();
    head.extend(log.version.map(Said::Version));
    head.push(Said::Game(log.game.clone()));
    head.extend(log.rules.map(Said::Rules));
    head.push(Said::Players(log.seats.iter().map(|seat| (seat.clone(), log.places.players)).collect()));
    head.extend(log.settings.iter().cloned().map(Said::Set));
    head.extend(log.seed.map(Said::Seed));
    head.extend(log.expect.clone().map(Said::Expect));
    head
}

/// What a line says, as it is written.
pub(super) fn line(said: &Said) -> String {
    match said {
        Said::Version(version) => format!("ludex {version}"),
        Said::Game(name) => format!("game {}", word(name)),
        Said::Rules(hash) => format!("rules {hash:016x}"),
        Said::Players(seats) => {
            let seat = |(seat, _): &(Seat, _)| match &seat.who {
                Some(who) => format!("{} = {}", seat.name, text(who)),
                None => seat.name.clone(),
            };
            format!("players {}", seats.iter().map(seat).collect::<Vec<_>>().join(", "))
        }
        Said::Set(setting) => format!("set {} = {}", setting.key, word(&setting.value)),
        Said::Seed(seed) => format!("seed {seed}"),
        Said::Expect(expect) => match &expect.name {
            Some(name) => format!("expect {} {name}", expect.verdict),
            None => format!("expect {}", expect.verdict),
        },
        Said::Entry(entry) => entry_line(entry),
        Said::Result(scores) => {
            let scores: Vec<String> = scores.iter().map(|(name, score)| format!("{name} {score}")).collect();
            format!("result {}", scores.join(", "))
        }
        Said::Winner(winners) if winners.is_empty() => "winner none".to_owned(),
        Said::Winner(winners) => format!("winner {}", winners.join(", ")),
    }
}

fn entry_line(line: &Line) -> String {
    let claims: Vec<&str> = line.claims.iter().map(|claim| claim.text.as_str()).collect();
    let then = if claims.is_empty() { String::new() } else { format!("then {}", claims.join(", ")) };
    let blank = if line.text.is_empty() || then.is_empty() { "" } else { " " };
    format!("{}{blank}{then}", line.text)
}

/// A word as it is if it can stand so, otherwise in quotation marks.
fn word(value: &str) -> String {
    if !value.is_empty() && value.chars().all(|c| is_bare(c) && !steers(c)) { value.to_owned() } else { text(value) }
}

fn text(value: &str) -> String {
    let mut out = String::from("\"");
    for c in value.chars() {
        match c {
            '\\' => out.push_str("\\\\"),
            '"' => out.push_str("\\\""),
            '\n' => out.push_str("\\n"),
            // Whoever prints a log must not be at the mercy of a name in it.
            c if steers(c) => out.extend(c.escape_unicode()),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// An entry in canonical spelling: one blank between words.
#[must_use]
pub fn entry_text(entry: &Entry) -> String {
    match entry {
        Entry::Chance(fact) => fact_text(fact),
        Entry::Move { words, .. } => values_text(words),
    }
}

/// A fact in canonical spelling.
#[must_use]
pub fn fact_text(fact: &Fact) -> String {
    let mut head = fact.name.text.clone();
    for index in &fact.indices {
        head += &format!(" {}", value_text(index));
    }
    format!("{head} = {}", values_text(&fact.values))
}

fn values_text(values: &[Value]) -> String {
    values.iter().map(value_text).collect::<Vec<_>>().join(" ")
}

/// A value in canonical spelling.
pub(super) fn value_text(value: &Value) -> String {
    let many = |items: &[Vec<Value>]| items.iter().map(|item| values_text(item)).collect::<Vec<_>>().join(", ");
    match &value.kind {
        ValueKind::Word(word) => word.clone(),
        // A text of an entry has the escapes of the language, in which a brace begins a value.
        ValueKind::Text(text) => quoted(text),
        ValueKind::Unknown => "?".to_owned(),
        ValueKind::Set(items) => format!("{{{}}}", many(items)),
        ValueKind::List(items) => format!("[{}]", many(items)),
    }
}

/// A text as it stands in an entry.
pub(super) fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('{', "\\{"))
}
