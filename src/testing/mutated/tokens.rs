//! Cuts any text into words, numbers, strings, signs and blanks, so that a change mostly keeps its grammar.

/// What a piece of text looks like, in rules, TOML, logs and JSON alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    Word,
    Number,
    String,
    Sign,
    Blank,
}

/// A piece of text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) class: Class,
    pub(super) text: String,
}

/// Signs of more than one character, long ones first.
const LONG: &[&str] = &["<->", "..", "<=", ">=", "+=", "-="];

/// Cuts a text; the pieces together are the text.
pub(super) fn cut(text: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let (class, length) = piece(first, rest);
        let (token, after) = rest.split_at(length);
        tokens.push(Token { class, text: token.to_owned() });
        rest = after;
    }
    tokens
}

fn piece(first: char, rest: &str) -> (Class, usize) {
    let run = |is: fn(char) -> bool| rest.find(|c| !is(c)).unwrap_or(rest.len());
    match first {
        // Line breaks stand alone: lines are what people change.
        '\n' => (Class::Blank, 1),
        c if c.is_whitespace() => (Class::Blank, run(|c| c.is_whitespace() && c != '\n')),
        c if c.is_ascii_digit() => (Class::Number, run(|c| c.is_ascii_digit())),
        c if c.is_alphanumeric() || c == '_' => (Class::Word, run(|c| c.is_alphanumeric() || c == '_')),
        '"' => match rest[1..].find(['"', '\n']) {
            Some(end) if rest.as_bytes()[end + 1] == b'"' => (Class::String, end + 2),
            _ => (Class::Sign, 1),
        },
        c => {
            let long = LONG.iter().find(|sign| rest.starts_with(**sign));
            (Class::Sign, long.map_or(c.len_utf8(), |sign| sign.len()))
        }
    }
}

/// The text of pieces.
pub(super) fn join(tokens: &[Token]) -> String {
    tokens.iter().map(|token| token.text.as_str()).collect()
}

/// Pieces from an opening bracket to the one that closes it: first and last.
pub(super) fn groups(tokens: &[Token]) -> Vec<(usize, usize)> {
    let mut open: Vec<(usize, &str)> = Vec::new();
    let mut found = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let wanted = match token.text.as_str() {
            "(" => Some(")"),
            "[" => Some("]"),
            "{" => Some("}"),
            _ => None,
        };
        if let Some(wanted) = wanted {
            open.push((at, wanted));
        } else if open.last().is_some_and(|(_, wanted)| *wanted == token.text) {
            found.extend(open.pop().map(|(first, _)| (first, at)));
        }
    }
    found
}

#[test]
fn pieces_are_the_text() {
    let text = "x[ä_1] += 12..3 \"a b\"\n\t\"open\n\u{1f600}{(a)}";
    let tokens = cut(text);
    assert_eq!(join(&tokens), text);
    let shown: Vec<&str> = tokens.iter().take(9).map(|token| token.text.as_str()).collect();
    assert_eq!(shown, ["x", "[", "ä_1", "]", " ", "+=", " ", "12", ".."]);
    assert_eq!(groups(&tokens).len(), 3);
}
