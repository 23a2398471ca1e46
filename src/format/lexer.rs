//! Text → lines of tokens.
//!
//! Not the lexer of the grammar: it has to keep what pest throws away (comments, line ends, what stood
//! in column 0, what stood next to what) and need not know what anything means. It never fails: a sign
//! that it does not know is a token of its own.

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A name, a word of the language or a number.
    Word,
    /// `"…"`, with all its holes.
    Text,
    /// Everything else: an operator, a bracket, a separator.
    Sign,
}

/// A token as it is written.
#[derive(Debug, Clone, Copy)]
pub(super) struct Token<'t> {
    pub(super) kind: Kind,
    pub(super) text: &'t str,
    /// Nothing stands between it and the token before it on its line.
    pub(super) glued: bool,
}

impl Token<'_> {
    /// Is it this sign or word, and not a text?
    pub(super) fn is(&self, text: &str) -> bool {
        self.kind != Kind::Text && self.text == text
    }
}

/// A line that is not blank.
#[derive(Debug, Clone)]
pub(super) struct Line<'t> {
    /// What stands in it, without its comment.
    pub(super) code: Vec<Token<'t>>,
    /// The comment at its end, without trailing blanks.
    pub(super) comment: Option<&'t str>,
    /// It begins in column 0.
    pub(super) flush: bool,
    /// A blank line stands before it.
    pub(super) parted: bool,
}

impl Line<'_> {
    /// Does an item begin here? As in `src/ast/items.rs`: a word in column 0.
    pub(super) fn begins_item(&self) -> bool {
        let word = |token: &Token<'_>| token.text.starts_with(|c: char| c.is_alphabetic() || c == '_');
        self.flush && self.code.first().is_some_and(|token| token.kind == Kind::Word && word(token))
    }
}

const SIGNS: [&str; 6] = ["<->", "..", "+=", "-=", "<=", ">="];

/// The lines of a text whose line ends are `\n`. Blank lines are left out, but remembered.
pub(super) fn lines(text: &str) -> Vec<Line<'_>> {
    let mut lines = Vec::new();
    let mut line = empty(true, false);
    let mut glued = false;
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '\n' | '\r' => {
                let blank = line.code.is_empty() && line.comment.is_none();
                let next = empty(first == '\n', blank);
                if blank {
                    line = Line { parted: !lines.is_empty(), ..next };
                } else {
                    lines.push(std::mem::replace(&mut line, next));
                }
                glued = false;
                1
            }
            ' ' | '\t' => {
                line.flush = line.flush && !line.code.is_empty();
                glued = false;
                1
            }
            '#' => {
                let length = rest.find('\n').unwrap_or(rest.len());
                line.comment = rest.get(..length).map(str::trim_end);
                length
            }
            _ => {
                let (kind, length) = token(rest, first);
                let text = rest.get(..length).unwrap_or(rest);
                line.code.push(Token { kind, text, glued });
                glued = true;
                length
            }
        };
        rest = rest.get(length..).unwrap_or("");
    }
    if !line.code.is_empty() || line.comment.is_some() {
        lines.push(line);
    }
    lines
}

fn empty<'t>(flush: bool, parted: bool) -> Line<'t> {
    Line { code: Vec::new(), comment: None, flush, parted }
}

/// The kind and the length of the token at the beginning.
fn token(rest: &str, first: char) -> (Kind, usize) {
    let in_word = |c: char| c.is_alphanumeric() || c == '_';
    if in_word(first) {
        (Kind::Word, rest.find(|c| !in_word(c)).unwrap_or(rest.len()))
    } else if first == '"' {
        (Kind::Text, text_length(rest))
    } else {
        let sign = SIGNS.into_iter().find(|sign| rest.starts_with(sign));
        (Kind::Sign, sign.map_or(first.len_utf8(), str::len))
    }
}

/// How far a text reaches. In its holes line ends and comments may stand, as the grammar has it.
fn text_length(rest: &str) -> usize {
    let mut holes = 0_usize;
    let mut chars = rest.char_indices().skip(1);
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => return at + 1,
            '\n' if holes == 0 => return at,
            '\\' if holes == 0 => drop(chars.next()),
            '#' if holes > 0 => drop(chars.find(|&(_, c)| c == '\n')),
            '{' => holes += 1,
            '}' => holes = holes.saturating_sub(1),
            _ => {}
        }
    }
    rest.len()
}
