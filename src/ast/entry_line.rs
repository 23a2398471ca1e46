//! One line of a game log → entry. Logs and examples share the notation, so they share the grammar.

use pest::Parser;
use pest::error::{ErrorVariant, InputLocation};

use super::example::Entry;
use super::examples_from_pairs;
use super::nesting::{nesting, too_deep};
use super::pairs::{Grammar, Kids, Origin, Rule};
use crate::report::{Fault, FileId, Span, codes};

/// Parses one entry that begins at this byte of a file.
pub fn parse_entry(file: FileId, base: usize, text: &str) -> Result<Entry, Box<Fault>> {
    let origin = Origin { file, base };
    let whole = Span::new(file, base, base + text.len().max(1));
    let pairs = Grammar::parse(Rule::entry_line, text).map_err(|error| {
        let at = match error.location {
            InputLocation::Pos(at) | InputLocation::Span((at, _)) => at.min(text.len()),
        };
        if matches!(error.variant, ErrorVariant::CustomError { .. }) {
            return Box::new(nesting(origin, at));
        }
        let rest = text.get(at..).unwrap_or("");
        let word = rest.split_whitespace().next().unwrap_or("");
        let span = if word.is_empty() { whole } else { Span::new(file, base + at, base + at + word.len()) };
        Box::new(
            Fault::new(&codes::NOT_AN_ENTRY, span, format!("`{}` is not an entry", shortened(text.trim())))
                .label("not readable from here on")
                .help("write `seat action argument name argument`, `seat pass`, or for chance `name = value`"),
        )
    })?;
    if let Some(fault) = too_deep(origin, &pairs) {
        return Err(Box::new(fault));
    }
    let line = pairs.into_iter().next();
    let entry = line.and_then(|line| Kids::of(line).next()).and_then(|pair| examples_from_pairs::entry(origin, pair));
    entry.ok_or_else(|| {
        Box::new(
            Fault::new(&codes::INTERNAL, whole, "this entry could not be read")
                .label("the grammar accepts it, the reader does not")
                .help("this is a fault of Ludex, not of your log: please report it with the text"),
        )
    })
}

/// As much of a line as a message can hold.
fn shortened(text: &str) -> String {
    const MOST: usize = 60;
    if text.chars().count() <= MOST { text.to_owned() } else { text.chars().take(MOST).chain(['…']).collect() }
}
