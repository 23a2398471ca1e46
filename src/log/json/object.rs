//! One line of JSON → its object, with faults that name the key.

use super::super::lines::First;
use super::value::Json;
use crate::report::{Fault, Span, codes};

/// The object of a line.
pub(super) struct Object<'t> {
    line: &'t str,
    span: Span,
    pub(super) pairs: Vec<(String, Json)>,
}

pub(super) type Read<T> = Result<T, Box<Fault>>;

impl<'t> Object<'t> {
    /// Reads a line that stands at `span`.
    pub(super) fn read(line: &'t str, span: Span) -> Read<Self> {
        let help = "write one object a line, such as `{\"seat\":\"ana\",\"do\":\"take\",\"args\":[\"3\"]}`";
        let bad = |at: Span, message: String, label: &str| {
            Err(Box::new(Fault::new(&codes::BAD_JSON, at, message).label(label).help(help)))
        };
        match serde_json::from_str::<Json>(line) {
            Ok(Json::Object(pairs)) => Ok(Self { line, span, pairs }),
            Ok(other) => bad(span, format!("this line holds {}", other.kind()), "not an object"),
            Err(error) => {
                // Columns count bytes, from 1.
                let start = span.start.saturating_add(u32::try_from(error.column().saturating_sub(1)).unwrap_or(0));
                let start = start.min(span.end.saturating_sub(1)).max(span.start);
                let at = Span { start: floor(line, span, start), end: span.end, ..span };
                let message = error.to_string();
                let message = message.split(" at line ").next().unwrap_or("it breaks off").to_owned();
                if error.is_data() {
                    // The only thing that this reader refuses in sound JSON.
                    let fault = Fault::new(&codes::BAD_JSON, at, message);
                    return Err(Box::new(fault.label("the second one").help("take one of them away")));
                }
                bad(at, format!("this is not JSON: {message}"), "from here on")
            }
        }
    }

    pub(super) fn get(&self, key: &str) -> Option<&Json> {
        self.pairs.iter().find(|(known, _)| known == key).map(|(_, value)| value)
    }

    /// A fault about a key.
    pub(super) fn fault(&self, key: &str, message: String, label: &str, help: impl Into<String>) -> Box<Fault> {
        let written = serde_json::to_string(key).unwrap_or_default();
        let at = self.line.find(&written).map(|at| {
            let start = self.span.start.saturating_add(u32::try_from(at).unwrap_or(0));
            Span { start, end: start.saturating_add(u32::try_from(written.len()).unwrap_or(0)), ..self.span }
        });
        Box::new(Fault::new(&codes::BAD_JSON, at.unwrap_or(self.span), message).label(label).help(help))
    }

    /// The value of a key is of another type.
    pub(super) fn wrong<T>(&self, key: &str, found: &Json, wanted: &str) -> Read<T> {
        Err(self.fault(
            key,
            format!("`{key}` holds {}", found.kind()),
            &format!("expected {wanted}"),
            format!("write `\"{key}\"` with {wanted}"),
        ))
    }
}

/// The beginning of the character at this place.
fn floor(line: &str, span: Span, mut start: u32) -> u32 {
    while start > span.start && !line.is_char_boundary((start - span.start) as usize) {
        start -= 1;
    }
    start
}

/// Does a game begin with this line? It is only parsed if it looks so.
pub(in super::super) fn first_of_game(line: &str) -> Option<First> {
    if !line.contains("\"game\"") && !line.contains("\"ludex\"") {
        return None;
    }
    let Ok(Json::Object(pairs)) = serde_json::from_str::<Json>(line) else { return None };
    let has = |key: &str| pairs.iter().any(|(known, _)| known == key);
    match (has("game"), has("ludex")) {
        (true, _) => Some(First::Game),
        (_, true) => Some(First::Version),
        _ => None,
    }
}
