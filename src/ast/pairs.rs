//! Walking pest pairs: the only file, with its siblings `*_from_pairs.rs`, that knows pest's types.
//!
//! The grammar guarantees the shape of a pair, but the compiler cannot see that. Readers therefore
//! return `Option`: `None` means that grammar and reader disagree, which is our fault, and is reported
//! as `syntax::internal` instead of ending the program.

use pest::iterators::Pair;
use pest_derive::Parser;

use super::expr::{Name, Text, TextPart};
use crate::report::{FileId, Span};

/// The parser that pest derives from the grammar file.
#[derive(Parser)]
#[grammar = "grammar/ludex.pest"]
pub(super) struct Grammar;

/// What a reader gives: `None` if the pair does not have the shape the grammar promises.
pub(super) type Read<T> = Option<T>;

/// Where the text of an item lies in its file.
#[derive(Clone, Copy)]
pub(super) struct Origin {
    pub(super) file: FileId,
    pub(super) base: usize,
}

impl Origin {
    /// The span of a pair in its file, without white space at its end.
    pub(super) fn span(self, pair: &Pair<'_, Rule>) -> Span {
        let span = pair.as_span();
        let text = without_comment_tail(pair.as_str());
        Span::new(self.file, self.base + span.start(), self.base + span.start() + text.len())
    }

    /// A word.
    pub(super) fn name(self, pair: &Pair<'_, Rule>) -> Name {
        Name { text: pair.as_str().to_owned(), span: self.span(pair) }
    }

    /// A text with its values.
    pub(super) fn text(self, pair: Pair<'_, Rule>) -> Read<Text> {
        let span = self.span(&pair);
        let mut parts = Vec::new();
        for piece in pair.into_inner() {
            match piece.as_rule() {
                Rule::text_piece => parts.push(TextPart::Words(unescape(piece.as_str()))),
                Rule::text_hole => {
                    let inner = Kids::of(piece).next()?;
                    parts.push(TextPart::Value(super::expr_from_pairs::expr(self, inner)?));
                }
                _ => {}
            }
        }
        Some(Text { parts, span })
    }
}

/// pest lets a rule that ends in something optional reach over white space and comments before it
/// finds that nothing follows. A span should end where its last token does.
fn without_comment_tail(text: &str) -> &str {
    let mut end = text.trim_end();
    while let Some(line_start) = end.rfind('\n') {
        let last_line = end.get(line_start..).unwrap_or("").trim_start();
        if !last_line.starts_with('#') {
            break;
        }
        end = end.get(..line_start).unwrap_or("").trim_end();
    }
    end
}

fn unescape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        out.push(if c == '\\' { chars.next().unwrap_or('\\') } else { c });
    }
    out
}

/// The children of a pair that carry meaning: punctuation and keywords are skipped.
pub(super) struct Kids<'i> {
    inner: std::iter::Peekable<std::vec::IntoIter<Pair<'i, Rule>>>,
}

impl<'i> Kids<'i> {
    pub(super) fn of(pair: Pair<'i, Rule>) -> Self {
        let kept: Vec<_> = pair.into_inner().filter(|kid| !super::expected::is_noise(kid.as_rule())).collect();
        Self { inner: kept.into_iter().peekable() }
    }

    /// The next child, whatever it is.
    pub(super) fn next(&mut self) -> Read<Pair<'i, Rule>> {
        self.inner.next()
    }

    /// The next child, if it is of this rule.
    pub(super) fn take(&mut self, rule: Rule) -> Option<Pair<'i, Rule>> {
        self.inner.next_if(|kid| kid.as_rule() == rule)
    }

    /// All next children of this rule.
    pub(super) fn take_all(&mut self, rule: Rule) -> Vec<Pair<'i, Rule>> {
        std::iter::from_fn(|| self.take(rule)).collect()
    }

    /// All that is left.
    pub(super) fn rest(self) -> impl Iterator<Item = Pair<'i, Rule>> {
        self.inner
    }
}

/// Does the pair have a direct child of this rule?
pub(super) fn has(pair: &Pair<'_, Rule>, rule: Rule) -> bool {
    pair.clone().into_inner().any(|kid| kid.as_rule() == rule)
}
