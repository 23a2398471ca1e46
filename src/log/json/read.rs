//! Objects → lines of the text.

use super::super::document::comment_text;
use super::super::read::Strict;
use super::super::said::{Place, said, too_long};
use super::super::tokens::is_bare;
use super::super::write::line;
use super::super::{Log, RawLine, Said, Seat, Setting};
use super::entry::{as_it_stands, entry};
use super::object::{Object, Read};
use super::value::Json;
use crate::limits::{LOG_FAULTS, LOG_LINE_BYTES};
use crate::report::{Fault, FileId, Span, codes, suggest};

/// Keys that stand together, by what their object is.
const HEAD: &[&str] = &["ludex", "game", "rules", "players", "set", "seed", "expect"];
const ACTION: &[&str] = &["seat", "do", "args", "then"];
const CHANCE: &[&str] = &["chance", "at", "is", "then"];
const END: &[&str] = &["result", "winner"];
/// An entry as it stands in the text.
const LINE: &[&str] = &["line"];

/// Lines of the text, and the comment beside the last of them.
#[derive(Debug, Default)]
pub(in super::super) struct Lines {
    pub(in super::super) lines: Vec<String>,
    pub(in super::super) comment: Option<String>,
}

/// One line of JSON as lines of the text: the head has several, a blank line and a comment of its own have none
/// but the comment. `at` is its place.
pub fn line_to_text(line: &str, at: Span) -> Result<String, Box<Fault>> {
    let Lines { lines, comment } = lines_of(line, at)?;
    let comment = comment.map(|comment| comment_text(&comment));
    Ok(match (lines.is_empty(), comment) {
        (true, comment) => comment.unwrap_or_default(),
        (false, None) => lines.join("\n"),
        (false, Some(comment)) => format!("{}  {comment}", lines.join("\n")),
    })
}

/// Reads a log of one game in JSON Lines, strictly. It begins at the byte `base` of its file.
pub fn read(file: FileId, base: usize, text: &str) -> Result<Log, Vec<Fault>> {
    let mut strict = Strict::new(file);
    let (mut at, mut faults) = (base, Vec::new());
    for written in text.split_inclusive('\n') {
        let start = at + (written.len() - written.trim_ascii_start().len());
        at += written.len();
        let written = written.trim_ascii();
        let span = Span::new(file, start, start + written.len());
        strict.reader.within(span);
        match lines_of(written, span) {
            Ok(lines) => lines.lines.iter().for_each(|line| strict.line(&RawLine::new(line, start))),
            Err(fault) => faults.push(*fault),
        }
        if faults.len() > LOG_FAULTS {
            break;
        }
    }
    match strict.finish() {
        Ok(log) if faults.is_empty() => Ok(log),
        Ok(_) => Err(faults),
        Err(more) => {
            // What a broken line leaves missing is no fault of its own.
            let alone = faults.is_empty();
            faults.extend(more.into_iter().filter(|fault| alone || fault.code.id != codes::MISSING_LINE.id));
            Err(faults)
        }
    }
}

/// One line of JSON as lines of the text, which can all be read.
pub(in super::super) fn lines_of(written: &str, at: Span) -> Read<Lines> {
    if written.trim_ascii().is_empty() {
        return Ok(Lines::default());
    }
    if written.len() > LOG_LINE_BYTES {
        return Err(too_long(at, written.len()));
    }
    let object = Object::read(written, at)?;
    let comment = match object.get("comment") {
        None => None,
        Some(Json::Text(text)) if !text.contains('\n') => Some(text.trim_end().to_owned()),
        Some(Json::Text(_)) => {
            let help = "write one object with `\"comment\"` for each line";
            return Err(object.fault("comment", "a comment has one line".to_owned(), "several lines", help));
        }
        Some(other) => return object.wrong("comment", other, "a string"),
    };
    let keys = family(&object)?;
    let lines = match keys {
        None => Vec::new(),
        Some(keys) if keys == HEAD => head(&object)?,
        Some(keys) if keys == END => end(&object)?,
        Some(keys) if keys == LINE => vec![as_it_stands(&object)?],
        Some(_) => vec![entry(&object, at)?],
    };
    let place = Place { file: at.file, within: Some(at) };
    for line in &lines {
        said(place, &RawLine::new(line, 0))?;
    }
    Ok(Lines { lines, comment })
}

/// What kind of object this is, by its keys.
fn family(object: &Object<'_>) -> Read<Option<&'static [&'static str]>> {
    let mut found: Option<&'static [&'static str]> = None;
    // `then` alone are claims, which are an entry without an action.
    for (key, _) in object.pairs.iter().filter(|(key, _)| key != "comment" && key != "then") {
        let Some(keys) = [HEAD, ACTION, CHANCE, END, LINE].into_iter().find(|keys| keys.contains(&key.as_str())) else {
            let all: Vec<&str> = [HEAD, ACTION, CHANCE, END, LINE, &["comment"]].concat();
            let help = suggest::did_you_mean(key, all.iter().copied());
            let help = help.unwrap_or_else(|| "take it away, or write it as a `\"comment\"`".to_owned());
            return Err(object.fault(key, format!("no line of a log has a key `{key}`"), "not known", help));
        };
        match found {
            Some(known) if known != keys => {
                let first = known.iter().find(|key| object.get(key).is_some()).copied().unwrap_or_default();
                let message = format!("`{key}` does not go with `{first}`");
                return Err(object.fault(key, message, "of another kind of line", "write it as a line of its own"));
            }
            _ => found = Some(keys),
        }
    }
    if object.get("then").is_some() {
        match found {
            Some(keys) if ![ACTION, CHANCE].contains(&keys) => {
                let message = "claims do not go with this line".to_owned();
                return Err(object.fault("then", message, "not here", "write them as a line of their own"));
            }
            _ => return Ok(Some(found.unwrap_or(ACTION))),
        }
    }
    Ok(found)
}

fn head(object: &Object<'_>) -> Read<Vec<String>> {
    let mut lines = Vec::new();
    for &key in HEAD {
        let Some(value) = object.get(key) else { continue };
        match (key, value) {
            ("ludex", value) => lines.push(line(&Said::Version(number(object, key, value)?))),
            ("seed", value) => lines.push(line(&Said::Seed(number(object, key, value)?))),
            ("game", Json::Text(name)) => lines.push(line(&Said::Game(name.clone()))),
            ("rules" | "expect", Json::Text(words)) => lines.push(format!("{key} {}", plain(object, key, words)?)),
            ("players", Json::List(seats)) => {
                let seats = seats.iter().map(|seat| player(object, seat)).collect::<Read<Vec<_>>>()?;
                lines.push(line(&Said::Players(seats)));
            }
            ("set", Json::Object(settings)) => {
                for (name, value) in settings {
                    let Some(value) = value.word() else { return object.wrong(name, value, "a string or a number") };
                    let key = bare(object, name)?;
                    lines.push(line(&Said::Set(Setting { key, value, span: Span::default() })));
                }
            }
            ("players", other) => return object.wrong(key, other, "an array of objects with `\"seat\"`"),
            ("set", other) => return object.wrong(key, other, "an object"),
            (_, other) => return object.wrong(key, other, "a string"),
        }
    }
    Ok(lines)
}

fn number(object: &Object<'_>, key: &str, value: &Json) -> Read<u64> {
    let found = match value {
        Json::Number(Ok(number)) => u64::try_from(*number).ok(),
        // Not every program keeps 64 bits of a number.
        Json::Text(digits) => digits.parse().ok().filter(|_| digits.bytes().all(|byte| byte.is_ascii_digit())),
        _ => None,
    };
    found.map_or_else(|| object.wrong(key, value, "a whole number from 0 on, of at most 64 bits"), Ok)
}

fn player(object: &Object<'_>, seat: &Json) -> Read<(Seat, Span)> {
    let wanted = "objects such as `{\"seat\":\"ana\",\"name\":\"Ana\"}`";
    let Json::Object(pairs) = seat else { return object.wrong("players", seat, wanted) };
    let mut found = Seat::default();
    for (key, value) in pairs {
        match (key.as_str(), value) {
            ("seat", Json::Text(name)) => found.name = bare(object, name)?,
            ("name", Json::Text(name)) => found.who = Some(name.clone()),
            ("seat" | "name", other) => return object.wrong(key, other, "a string"),
            _ => {
                let message = format!("a player has no key `{key}`");
                return Err(object.fault(key, message, "not known", format!("write {wanted}")));
            }
        }
    }
    if found.name.is_empty() {
        let message = "a player has no `seat`".to_owned();
        return Err(object.fault("players", message, "one is missing", format!("write {wanted}")));
    }
    Ok((found, Span::default()))
}

/// A name that can stand in a line as it is.
pub(super) fn bare(object: &Object<'_>, name: &str) -> Read<String> {
    if !name.is_empty() && name.chars().all(is_bare) {
        return Ok(name.to_owned());
    }
    let help = "a name has no blanks, and none of `, = \" #`";
    Err(object.fault(name, format!("`{}` is not a name", name.escape_debug()), "not a name", help))
}

/// Words that can stand in a line as they are.
fn plain<'v>(object: &Object<'_>, key: &str, words: &'v str) -> Read<&'v str> {
    if words.chars().all(|c| is_bare(c) || c == ' ') {
        return Ok(words);
    }
    let help = "use letters, digits and `-`, `_`, `.`";
    Err(object.fault(key, format!("`{key}` has signs that cannot stand there"), "other signs", help))
}

fn end(object: &Object<'_>) -> Read<Vec<String>> {
    let mut lines = Vec::new();
    match object.get("result") {
        None => {}
        Some(Json::Object(pairs)) => {
            let mut scores = Vec::new();
            for (name, score) in pairs {
                let Json::Number(Ok(score)) = score else { return object.wrong(name, score, "a whole number") };
                let Ok(score) = i64::try_from(*score) else {
                    return object.wrong(name, &Json::Number(Ok(*score)), "a number of at most 64 bits");
                };
                scores.push((bare(object, name)?, score));
            }
            lines.push(line(&Said::Result(scores)));
        }
        Some(other) => return object.wrong("result", other, "an object of seats with their scores"),
    }
    match object.get("winner") {
        None => {}
        Some(Json::List(names)) => {
            let mut winners = Vec::new();
            for name in names {
                let Json::Text(name) = name else { return object.wrong("winner", name, "an array of strings") };
                winners.push(bare(object, name)?);
            }
            lines.push(line(&Said::Winner(winners)));
        }
        Some(other) => return object.wrong("winner", other, "an array of seats, empty if nobody won"),
    }
    Ok(lines)
}
