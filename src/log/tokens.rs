//! The tokens of a line. Only the head and the end are read this way; entries have the grammar.

use super::RawLine;
use super::said::Place;
use crate::report::Span;

/// A piece of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Piece {
    /// `white`, `ruling.suicide`, `4`
    Word(String),
    /// `"Ana"`
    Text(String),
    /// `,`
    Comma,
    /// `=`
    Equals,
    /// A text that does not end, or ends in an unknown escape.
    Broken,
}

/// A piece with its place.
#[derive(Debug, Clone)]
pub(super) struct Token {
    pub(super) piece: Piece,
    pub(super) span: Span,
}

/// Is this sign part of a bare word?
pub(super) fn is_bare(c: char) -> bool {
    !c.is_whitespace() && !c.is_control() && !matches!(c, ',' | '=' | '"' | '#')
}

/// Cuts a line into its pieces.
pub(super) fn tokens(place: Place, line: &RawLine<'_>) -> Vec<Token> {
    let mut found = Vec::new();
    let mut chars = line.text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let piece = match c {
            ',' => Piece::Comma,
            '=' => Piece::Equals,
            '"' => quoted(&mut chars),
            _ if is_bare(c) => {
                let mut word = c.to_string();
                while let Some((_, more)) = chars.next_if(|&(_, next)| is_bare(next)) {
                    word.push(more);
                }
                Piece::Word(word)
            }
            _ => continue,
        };
        let end = chars.peek().map_or(line.text.len(), |&(next, _)| next);
        found.push(Token { piece, span: place.span(line.start + at, line.start + end) });
    }
    found
}

fn quoted(chars: &mut std::iter::Peekable<std::str::CharIndices<'_>>) -> Piece {
    let mut text = String::new();
    while let Some((_, c)) = chars.next() {
        match c {
            '"' => return Piece::Text(text),
            '\\' => match chars.next() {
                Some((_, 'n')) => text.push('\n'),
                Some((_, c @ ('"' | '\\'))) => text.push(c),
                Some((_, 'u')) => match scalar(chars) {
                    Some(c) => text.push(c),
                    None => return Piece::Broken,
                },
                _ => return Piece::Broken,
            },
            _ => text.push(c),
        }
    }
    Piece::Broken
}

/// What stands after `\u`: a character by its number, `{1b}`.
fn scalar(chars: &mut std::iter::Peekable<std::str::CharIndices<'_>>) -> Option<char> {
    chars.next_if(|&(_, c)| c == '{')?;
    let mut digits = String::new();
    while let Some((_, digit)) = chars.next_if(|&(_, c)| c.is_ascii_hexdigit() && digits.len() < 6) {
        digits.push(digit);
    }
    chars.next_if(|&(_, c)| c == '}')?;
    char::from_u32(u32::from_str_radix(&digits, 16).ok()?)
}
