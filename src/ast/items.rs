//! Text → items: cuts a file at words in column 0 and parses each piece on its own.
//!
//! pest stops at its first error. Cutting first means one syntax fault for each broken item instead of
//! one for each file, and an item that parses is kept whatever stands before it.

use std::sync::Once;

use pest::Parser;
use pest::error::{ErrorVariant, InputLocation};

use super::expected;
use super::from_pairs;
use super::nesting::{nesting, too_deep};
use super::nodes::{File, Item};
use super::pairs::{Grammar, Origin, Rule};
use crate::limits;
use crate::report::{Fault, FileId, Source, Span, codes, suggest};

/// The words that begin an item, each with its rule.
const ITEM_WORDS: &[(&str, Rule)] = &[
    ("game", Rule::game_item),
    ("variant", Rule::variant_item),
    ("players", Rule::players_item),
    ("numbers", Rule::numbers_item),
    ("board", Rule::board_item),
    ("type", Rule::type_item),
    ("table", Rule::table_item),
    ("state", Rule::state_item),
    ("regions", Rule::regions_item),
    ("def", Rule::def_item),
    ("ruling", Rule::ruling_item),
    ("action", Rule::action_item),
    ("require", Rule::require_item),
    ("award", Rule::award_item),
    ("score", Rule::score_item),
    ("winner", Rule::winner_item),
    ("invariant", Rule::invariant_item),
    ("view", Rule::view_item),
    ("flow", Rule::flow_item),
    ("phase", Rule::phase_item),
    ("given", Rule::given_item),
    ("example", Rule::example_item),
];

/// Parses a whole file; broken items are left out and reported.
pub(super) fn parse(file: FileId, source: &Source, faults: &mut Vec<Fault>) -> File {
    let text = source.text();
    let (mut items, mut broken) = (Vec::new(), Vec::new());
    let pieces = cut(text);
    if let Some(&(start, end)) = pieces.get(limits::ITEMS) {
        let span = Span::new(file, start, end.min(start + leading_word(text.get(start..).unwrap_or("")).len()));
        faults.push(too_many_items(span));
    }
    for &(start, end) in pieces.iter().take(limits::ITEMS) {
        let piece = text.get(start..end).unwrap_or("");
        match parse_item(Origin { file, base: start }, piece) {
            Ok(item) => items.push(item),
            Err(fault) => {
                faults.push(*fault);
                let is_word = |c: char| c.is_alphanumeric() || c == '_';
                broken.extend(piece.split(|c| !is_word(c)).filter(|word| !word.is_empty()).map(str::to_owned));
            }
        }
    }
    broken.sort();
    broken.dedup();
    if let Some(stray) = stray_beginning(file, text) {
        faults.push(stray);
    }
    File { items, broken }
}

/// A ruleset has more items than it may.
pub(crate) fn too_many_items(span: Span) -> Fault {
    let most = limits::shown(limits::ITEMS as u64);
    Fault::new(&codes::TOO_LARGE, span, format!("a ruleset has at most {most} items, its examples included"))
        .label("one too many")
        .help("leave some out, or make several rulesets of it")
}

/// Byte ranges of the items: each begins with a word in column 0. Inside braces that are still open only
/// an item's own word counts, so that a statement that slipped to the left does not break its item apart.
fn cut(text: &str) -> Vec<(usize, usize)> {
    let mut starts = Vec::new();
    let (mut at, mut open) = (0, 0_usize);
    for line in text.split_inclusive('\n') {
        if line.starts_with(|c: char| c.is_alphabetic() || c == '_') {
            let word = leading_word(line);
            if open == 0 || word == "replace" || ITEM_WORDS.iter().any(|&(known, _)| known == word) {
                starts.push(at);
                open = 0;
            }
        }
        open = braces_after(line, open);
        at += line.len();
    }
    let ends = starts.iter().skip(1).copied().chain(std::iter::once(text.len()));
    starts.iter().copied().zip(ends).collect()
}

/// How many braces are open after a line; those in texts and comments do not count.
fn braces_after(line: &str, mut open: usize) -> usize {
    let (mut quoted, mut escaped) = (false, false);
    for c in line.chars() {
        match c {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            '#' if !quoted => break,
            '{' if !quoted => open += 1,
            '}' if !quoted => open = open.saturating_sub(1),
            _ => {}
        }
    }
    open
}

/// Something before the first item that is neither blank nor a comment.
fn stray_beginning(file: FileId, text: &str) -> Option<Fault> {
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if line.starts_with(|c: char| c.is_alphabetic() || c == '_') {
            return None;
        }
        let bare = line.trim();
        if !bare.is_empty() && !bare.starts_with('#') {
            let start = at + (line.len() - line.trim_start().len());
            let span = Span::new(file, start, start + bare.len());
            return Some(
                Fault::new(&codes::UNKNOWN_ITEM, span, "this stands outside of any item")
                    .label("no item has begun yet")
                    .help("an item begins with its word in column 0, such as `game`, `state` or `action`"),
            );
        }
        at += line.len();
    }
    None
}

fn parse_item(origin: Origin, text: &str) -> Result<Item, Box<Fault>> {
    static LIMIT: Once = Once::new();
    // A sound grammar needs some twenty calls a byte. The limit is a net below the largest file allowed.
    LIMIT.call_once(|| pest::set_call_limit(std::num::NonZeroUsize::new(1_000_000_000)));

    let (word, rest_at, replaces) = first_word(text);
    let Some(&(_, rule)) = ITEM_WORDS.iter().find(|&&(known, _)| known == word) else {
        return Err(Box::new(unknown_item(origin, word, rest_at)));
    };
    let body = text.get(rest_at..).unwrap_or("");
    let inner = Origin { base: origin.base + rest_at, ..origin };
    let pairs = Grammar::parse(rule, body).map_err(|error| Box::new(syntax_fault(inner, body, &error)))?;
    if let Some(fault) = too_deep(inner, &pairs) {
        return Err(Box::new(fault));
    }
    let pair = pairs.into_iter().next();
    let whole = inner.base + body.trim_end().len();
    let span = pair.as_ref().map_or(Span::new(origin.file, origin.base, whole), |pair| inner.span(pair));
    let span = Span::new(origin.file, origin.base, span.end as usize);
    match pair.and_then(|pair| from_pairs::item(inner, pair)) {
        Some(kind) => Ok(Item { kind, replaces, span }),
        None => Err(Box::new(
            Fault::new(&codes::INTERNAL, span, format!("this `{word}` could not be read"))
                .label("the grammar accepts it, the reader does not")
                .help("this is a fault of Ludex, not of your ruleset: please report it with the text"),
        )),
    }
}

/// The item's word, where it stands, and whether `replace` stands before it.
fn first_word(text: &str) -> (&str, usize, bool) {
    let word = leading_word(text);
    if word != "replace" {
        return (word, 0, false);
    }
    let after = text.get(word.len()..).unwrap_or("");
    let blanks = after.len() - after.trim_start().len();
    let at = word.len() + blanks;
    (leading_word(text.get(at..).unwrap_or("")), at, true)
}

fn leading_word(text: &str) -> &str {
    let end = text.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(text.len());
    text.get(..end).unwrap_or("")
}

fn unknown_item(origin: Origin, word: &str, at: usize) -> Fault {
    let span = Span::new(origin.file, origin.base + at, origin.base + at + word.len().max(1));
    let words = ITEM_WORDS.iter().map(|&(word, _)| word).chain(std::iter::once("replace"));
    let help = suggest::did_you_mean(word, words).unwrap_or_else(|| {
        "a word in column 0 begins an item (`game`, `state`, `action`, …); indent what belongs to the item before"
            .into()
    });
    Fault::new(&codes::UNKNOWN_ITEM, span, format!("`{word}` does not begin an item")).label("not an item").help(help)
}

/// A pest error in the user's words.
fn syntax_fault(origin: Origin, text: &str, error: &pest::error::Error<Rule>) -> Fault {
    let at = match error.location {
        InputLocation::Pos(at) | InputLocation::Span((at, _)) => at,
    };
    let (at, found) = found_at(text, at);
    let at = if found.is_empty() { text.trim_end().len().saturating_sub(1) } else { at };
    let span = Span::new(origin.file, origin.base + at, origin.base + at + found.len().max(1));
    let ErrorVariant::ParsingError { positives, .. } = &error.variant else {
        return nesting(origin, at);
    };
    let mut wanted: Vec<&str> = Vec::new();
    for words in positives.iter().filter_map(|&rule| expected::words(rule)) {
        if !wanted.contains(&words) {
            wanted.push(words);
        }
    }
    let shown = if found.is_empty() { "the end of the item".to_owned() } else { format!("`{found}`") };
    let message = match wanted.split_last() {
        None => format!("{shown} does not fit here"),
        Some((only, [])) => format!("expected {only}, found {shown}"),
        Some((last, first)) if wanted.len() <= 6 => format!("expected {} or {last}, found {shown}", first.join(", ")),
        Some(_) => format!("{shown} does not fit here"),
    };
    let word = leading_word(text);
    let fault = Fault::new(&codes::UNEXPECTED, span, message).label("here");
    match reserved_help(found).or_else(|| habit_help(text, at)) {
        Some(help) => fault.help(help),
        None => fault.help(format!("`ludex explain {}` shows the forms of `{word}`", codes::UNEXPECTED.id)),
    }
}

fn reserved_help(found: &str) -> Option<String> {
    let reserved = Grammar::parse(Rule::reserved, found).is_ok_and(|pairs| pairs.as_str() == found);
    reserved.then(|| format!("`{found}` is a word of the language; if a name was meant, choose another one"))
}

/// What other languages write, and what is written here.
fn habit_help(text: &str, at: usize) -> Option<String> {
    const HABITS: [(&str, &str); 9] = [
        ("==", "equality is written `is`"),
        ("=", "equality is written `is`; `=` assigns"),
        ("!=", "inequality is written `is not`"),
        ("!", "negation is written `not`"),
        ("&&", "`and` joins conditions"),
        ("||", "`or` joins conditions"),
        (":=", "assignment is written `=`"),
        ("\u{201c}", "texts stand in straight quotation marks: `\"`"),
        ("\u{201e}", "texts stand in straight quotation marks: `\"`"),
    ];
    let rest = text.get(at..)?;
    HABITS.iter().find(|(habit, _)| rest.starts_with(habit)).map(|(_, help)| (*help).to_owned())
}

/// The token at a place, skipping blanks, line ends and comments before it.
fn found_at(text: &str, at: usize) -> (usize, &str) {
    let mut at = at;
    loop {
        let rest = text.get(at..).unwrap_or("");
        let blanks = rest.len() - rest.trim_start().len();
        at += blanks;
        let rest = text.get(at..).unwrap_or("");
        if !rest.starts_with('#') {
            let word = leading_word(rest);
            let length = if word.is_empty() { rest.chars().next().map_or(0, char::len_utf8) } else { word.len() };
            return (at, rest.get(..length).unwrap_or(""));
        }
        at += rest.find('\n').unwrap_or(rest.len());
    }
}

/// The names of all grammar rules that the items of a text are made of.
#[cfg(test)]
pub(crate) fn rules_in(text: &str) -> std::collections::BTreeSet<String> {
    let mut found = std::collections::BTreeSet::new();
    for (start, end) in cut(text) {
        let piece = &text[start..end];
        let (word, rest_at, _) = first_word(piece);
        let Some(&(_, rule)) = ITEM_WORDS.iter().find(|&&(known, _)| known == word) else { continue };
        if let Ok(pairs) = Grammar::parse(rule, &piece[rest_at..]) {
            found.extend(pairs.flatten().map(|pair| format!("{:?}", pair.as_rule())));
        }
    }
    found
}
