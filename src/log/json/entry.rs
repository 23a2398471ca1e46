//! Objects of entries and claims → lines of the text.

use super::super::lines::first_word;
use super::super::read::read_claim;
use super::super::said::{Place, said};
use super::super::write::{entry_text, fact_text, line, quoted, value_text};
use super::super::{Claim, Line, RawLine, Said, WORDS};
use super::object::{Object, Read};
use super::read::bare;
use super::value::Json;
use crate::ast::{self, Entry, Fact, Name, Value};
use crate::report::{Fault, FileId, Span};

/// An entry in the notation of the text, claims and all.
pub(super) fn as_it_stands(object: &Object<'_>) -> Read<String> {
    let text = match object.get("line") {
        Some(Json::Text(text)) => text,
        Some(other) => return object.wrong("line", other, "a string"),
        None => return Ok(String::new()),
    };
    let raw = RawLine::new(text, 0);
    let alone = !text.contains('\n') && raw.comment.is_none() && !raw.is_blank();
    match said(Place::default(), &raw) {
        Ok(Said::Entry(_)) if alone => Ok(raw.text.to_owned()),
        _ => {
            let help = "the head and the end have keys of their own, and a comment is a `\"comment\"`";
            Err(object.fault("line", "`line` does not hold an entry".to_owned(), "something else", help))
        }
    }
}

/// An action, what chance gave, or claims alone.
pub(super) fn entry(object: &Object<'_>, at: Span) -> Read<String> {
    let needed = |key: &str, with: &str| {
        let message = format!("`{with}` needs `{key}` beside it");
        object.fault(with, message, "alone", format!("add `\"{key}\"`"))
    };
    let text = if let Some(name) = object.get("chance") {
        let Json::Text(name) = name else { return object.wrong("chance", name, "a string") };
        let name = Name { text: bare(object, name)?, span: at };
        let indices = values(object, "at")?;
        let values = values(object, "is")?;
        if values.is_empty() {
            return Err(needed("is", "chance"));
        }
        entry_text(&Entry::Chance(Fact { name, indices, values, span: at }))
    } else if let Some(seat) = object.get("seat") {
        let Json::Text(seat) = seat else { return object.wrong("seat", seat, "a string") };
        let mut words = vec![value(seat).unwrap_or_else(|| quoted(seat))];
        if let Some(action) = object.get("do") {
            let Json::Text(name) = action else { return object.wrong("do", action, "a string") };
            words.push(value(name).unwrap_or_else(|| quoted(name)));
        } else if object.get("args").is_some() {
            return Err(needed("do", "args"));
        }
        words.extend(values(object, "args")?.iter().map(value_text));
        words.join(" ")
    } else if let Some(key) = ["do", "args"].into_iter().find(|key| object.get(key).is_some()) {
        return Err(needed("seat", key));
    } else if let Some(key) = ["at", "is"].into_iter().find(|key| object.get(key).is_some()) {
        return Err(needed("chance", key));
    } else {
        String::new()
    };
    let claims = claims(object, at)?;
    if !text.is_empty() && !is_entry(&text, at) {
        return Err(read_otherwise(object, &text));
    }
    Ok(line(&Said::Entry(Line { text, claims, span: at })))
}

/// Is this line an entry, and nothing but that?
fn is_entry(text: &str, at: Span) -> bool {
    let place = Place { file: at.file, within: Some(at) };
    let said = said(place, &RawLine::new(text, 0));
    let alone = said.is_ok_and(|said| matches!(said, Said::Entry(line) if line.text == text && line.claims.is_empty()));
    alone && !text.contains('\n') && ast::parse_entry(at.file, 0, text).is_ok()
}

/// What would be something else as a line of the text: a seat called `game`, a value called `then`.
fn read_otherwise(object: &Object<'_>, text: &str) -> Box<Fault> {
    let first = first_word(text);
    let key = if object.get("chance").is_some() { "chance" } else { "seat" };
    if WORDS.contains(&first) || first == "then" {
        let message = format!("no entry begins with `{first}`");
        return object.fault(key, message, "begins another kind of line", "use the name that `players` gives the seat");
    }
    if text.split_whitespace().any(|word| word == "then") {
        let key = ["args", "do", "at", "is"].into_iter().find(|key| object.get(key).is_some()).unwrap_or(key);
        let help = "write claims under `\"then\"`; a text that says so stands in quotation marks: `\"\\\"then\\\"\"`";
        return object.fault(key, "no value is called `then`".to_owned(), "begins claims", help);
    }
    let help = "use names of letters, digits and `_`, and values of the notation";
    object.fault(key, "this cannot be written as an entry".to_owned(), "not an entry", help)
}

fn claims(object: &Object<'_>, at: Span) -> Read<Vec<Claim>> {
    let facts = match object.get("then") {
        None => return Ok(Vec::new()),
        Some(Json::List(facts)) if facts.is_empty() => {
            let message = "`then` claims nothing".to_owned();
            return Err(object.fault(
                "then",
                message,
                "empty",
                "take it away, or write a claim such as `\"paid = 5\"`",
            ));
        }
        Some(Json::List(facts)) => facts,
        Some(other) => return object.wrong("then", other, "an array of strings such as `\"paid = 5\"`"),
    };
    let mut claims = Vec::new();
    for fact in facts {
        let Json::Text(text) = fact else { return object.wrong("then", fact, "an array of strings") };
        let fact = read_claim(&Claim { text: text.clone(), span: at }).ok();
        let text = fact.map(|fact| fact_text(&fact)).filter(|text| !text.contains('\n'));
        let Some(text) = text else {
            let message = "`then` holds what is no claim".to_owned();
            return Err(object.fault(
                "then",
                message,
                "not `name = value`",
                "write claims such as `\"score ana = 12\"`",
            ));
        };
        claims.push(Claim { text, span: at });
    }
    Ok(claims)
}

/// The values under a key, each one value of the notation.
fn values(object: &Object<'_>, key: &str) -> Read<Vec<Value>> {
    let items = match object.get(key) {
        None => return Ok(Vec::new()),
        Some(Json::List(items)) => items,
        Some(other) => return object.wrong(key, other, "an array"),
    };
    let mut found = Vec::new();
    for item in items {
        let Some(text) = item.word() else { return object.wrong(key, item, "an array of strings and numbers") };
        let Some(value) = parsed(&text) else {
            let message = format!("`{}` is not one value", text.escape_debug());
            let help = "write each value as a string of its own: `\"red\"`, `\"b2-c2\"`, `\"{a, b}\"`";
            return Err(object.fault(key, message, "not one value", help));
        };
        found.push(value);
    }
    Ok(found)
}

/// One value of the notation.
fn parsed(text: &str) -> Option<Value> {
    match ast::parse_entry(FileId::default(), 0, &format!("x {text}")) {
        Ok(Entry::Move { mut words, .. }) if words.len() == 2 => words.pop(),
        _ => None,
    }
}

/// The same in canonical spelling.
fn value(text: &str) -> Option<String> {
    parsed(text).map(|value| value_text(&value))
}
