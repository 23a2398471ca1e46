//! Text → text in canonical layout.
//!
//! It works on the tokens of the text, not on the tree: the tree knows no comments, and what is never
//! taken apart cannot get lost. The author's line breaks stay: they follow the sense, and in facts and
//! entries a line end has a meaning. Blanks and indentation become canonical.
//!
//! ```text
//! lexer    text    → lines of tokens, comments kept
//! reader   lines   → the column of each line                 (nesting: what is open)
//! roles    tokens  → the part that each plays                (words: what words do)
//! rows     parts   → rows: tokens with the blanks before them
//! align    rows    → rows with columns
//! ```
//!
//! The layout is a function of the tokens, of the line breaks, of the comments in column 0 and of the
//! blank lines, and it leaves all these as they are. That is why formatting twice changes nothing, and
//! why the meaning stays: blanks mean nothing in Ludex but between words of an entry and about a minus
//! between two words, and there they are kept.

mod align;
mod lexer;
mod nesting;
mod reader;
mod roles;
mod rows;
mod words;

/// Canonical layout of a `.ludex` text. The text must parse; comments are kept.
#[must_use]
pub fn format(text: &str) -> String {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text).replace("\r\n", "\n");
    let mut rows = rows::rows(&text);
    align::requirements(&mut rows);
    align::comments(&mut rows);
    rows::write(&rows)
}

#[cfg(test)]
mod tests;
