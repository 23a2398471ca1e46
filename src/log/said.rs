//! One line → what it says, whatever stands around it. Entries are only cut from their claims here: whether they
//! can be entries is asked one by one, so that a broken one does not hide the others.

use super::lines::first_word;
use super::tokens::{Piece, Token, tokens};
use super::{Claim, Expect, Line, RawLine, Seat, Setting, VERDICTS, WORDS};
use crate::limits::{LOG_LINE_BYTES, LOG_SEATS};
use crate::report::{Fault, FileId, Span, codes, suggest};

/// What a line says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Said {
    /// `ludex 1`
    Version(u64),
    /// `game nim`
    Game(String),
    /// `rules 0123456789abcdef`
    Rules(u64),
    /// `players ana, ben = "Ben"`, each with its place.
    Players(Vec<(Seat, Span)>),
    /// `set cost.build = 4`
    Set(Setting),
    /// `seed 42`
    Seed(u64),
    /// `expect requirement take.enough`
    Expect(Expect),
    /// An entry as it is written, claims, or both.
    Entry(Line),
    /// `result ana 4, ben 5`
    Result(Vec<(String, i64)>),
    /// `winner ana`; nobody for `winner none`
    Winner(Vec<String>),
}

impl Said {
    /// The word that its line begins with; none for an entry.
    pub(super) fn word(&self) -> Option<&'static str> {
        Some(match self {
            Self::Version(_) => "ludex",
            Self::Game(_) => "game",
            Self::Rules(_) => "rules",
            Self::Players(_) => "players",
            Self::Set(_) => "set",
            Self::Seed(_) => "seed",
            Self::Expect(_) => "expect",
            Self::Result(_) => "result",
            Self::Winner(_) => "winner",
            Self::Entry(_) => return None,
        })
    }
}

/// Where lines stand: in a file, or all of them in a line of another notation that they were made of.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Place {
    pub(super) file: FileId,
    pub(super) within: Option<Span>,
}

impl Place {
    pub(super) fn span(self, start: usize, end: usize) -> Span {
        self.within.unwrap_or_else(|| Span::new(self.file, start, end))
    }

    pub(super) fn of(self, line: &RawLine<'_>) -> Span {
        self.span(line.start, line.start + line.text.len())
    }

    /// A fault of a text that may not be in the file as such.
    pub(super) fn moved(self, mut fault: Box<Fault>) -> Box<Fault> {
        if let Some(within) = self.within {
            fault.span = within;
            fault.related.clear();
        }
        fault
    }
}

/// Reads a line that is not blank.
pub(super) fn said(place: Place, line: &RawLine<'_>) -> Result<Said, Box<Fault>> {
    let span = place.of(line);
    let length = line.text.len() + line.comment.map_or(0, str::len);
    if length > LOG_LINE_BYTES {
        return Err(too_long(span, length));
    }
    let word = first_word(line.text);
    if !WORDS.contains(&word) {
        return Ok(Said::Entry(cut(place, line)));
    }
    let tokens = tokens(place, line);
    // Words that the language does not reserve may also be drawn: `seed = 4` is what chance gave.
    let drawn = matches!(word, "ludex" | "rules" | "seed" | "expect" | "result")
        && tokens.iter().any(|token| token.piece == Piece::Equals);
    if drawn {
        return Ok(Said::Entry(cut(place, line)));
    }
    let rest = tokens.get(1..).unwrap_or(&[]);
    let read = match word {
        "ludex" => number(rest).map(Said::Version),
        "game" => game(rest),
        "rules" => rules(rest),
        "players" => players(rest, span)?,
        "set" => set(rest, span),
        "seed" => number(rest).map(Said::Seed),
        "expect" => expect(rest, span)?,
        "result" => result(rest),
        _ => winner(rest),
    };
    read.ok_or_else(|| {
        Box::new(
            Fault::new(&codes::BAD_LINE, span, format!("this line with `{word}` cannot be read"))
                .label("not of its form")
                .help(form(word)),
        )
    })
}

/// A line that nobody has written by hand.
pub(super) fn too_long(span: Span, length: usize) -> Box<Fault> {
    let shown = Span { end: span.end.min(span.start + 40), ..span };
    Box::new(
        Fault::new(&codes::BAD_LINE, shown, format!("this line has {length} bytes"))
            .label(format!("more than {LOG_LINE_BYTES}"))
            .help("no entry needs so many; is this a log?"),
    )
}

/// An entry and what is claimed after it.
fn cut(place: Place, line: &RawLine<'_>) -> Line {
    let (mut text, mut claims) = (line.text, Vec::new());
    if let Some(then) = loose(line.text, is_then).next() {
        text = line.text.get(..then).unwrap_or("").trim_end();
        let mut from = then + "then".len();
        let commas = loose(line.text, |text, at| text.as_bytes().get(at) == Some(&b','));
        let ends: Vec<usize> = commas.filter(|&at| at >= from).chain([line.text.len()]).collect();
        for end in ends {
            let written = line.text.get(from..end).unwrap_or("");
            let start = line.start + from + (written.len() - written.trim_start().len());
            let written = written.trim();
            let span = place.span(start, start + written.len().max(1));
            claims.push(Claim { text: written.to_owned(), span });
            from = end + 1;
        }
    }
    Line { text: text.to_owned(), claims, span: place.span(line.start, line.start + text.len()) }
}

/// Places outside of texts, sets and lists for which something holds.
fn loose(text: &str, wanted: impl Fn(&str, usize) -> bool) -> impl Iterator<Item = usize> {
    let (mut quoted, mut escaped, mut depth) = (false, false, 0_usize);
    text.bytes().enumerate().filter_map(move |(at, byte)| {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if quoted => escaped = true,
            b'"' => quoted = !quoted,
            _ if quoted => {}
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.saturating_sub(1),
            _ if depth == 0 && wanted(text, at) => return Some(at),
            _ => {}
        }
        None
    })
}

fn is_then(text: &str, at: usize) -> bool {
    let Some((before, rest)) = text.split_at_checked(at) else { return false };
    rest.strip_prefix("then").is_some_and(|after| {
        after.chars().next().is_none_or(char::is_whitespace)
            && before.chars().next_back().is_none_or(|c| c.is_whitespace() || matches!(c, '}' | ']' | '"'))
    })
}

fn number(rest: &[Token]) -> Option<u64> {
    let [Token { piece: Piece::Word(number), .. }] = rest else { return None };
    let plain = number.bytes().all(|byte| byte.is_ascii_digit());
    number.parse().ok().filter(|_| plain)
}

fn game(rest: &[Token]) -> Option<Said> {
    let [Token { piece: Piece::Word(name) | Piece::Text(name), .. }] = rest else { return None };
    (!name.is_empty()).then(|| Said::Game(name.clone()))
}

fn rules(rest: &[Token]) -> Option<Said> {
    let [Token { piece: Piece::Word(hash), .. }] = rest else { return None };
    let plain = hash.len() == 16 && hash.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    u64::from_str_radix(hash, 16).ok().filter(|_| plain).map(Said::Rules)
}

fn players(rest: &[Token], span: Span) -> Result<Option<Said>, Box<Fault>> {
    let mut seats = Vec::new();
    for part in rest.split(|token| token.piece == Piece::Comma) {
        let (name, who) = match part {
            [name] => (name, None),
            [name, Token { piece: Piece::Equals, .. }, Token { piece: Piece::Text(who), .. }] => {
                (name, Some(who.clone()))
            }
            _ => return Ok(None),
        };
        let Piece::Word(word) = &name.piece else { return Ok(None) };
        if seats.len() >= LOG_SEATS {
            return Err(Box::new(too_many(span, "players", LOG_SEATS)));
        }
        seats.push((Seat { name: word.clone(), who }, name.span));
    }
    Ok(Some(Said::Players(seats)))
}

/// More than any game has.
pub(super) fn too_many(span: Span, word: &str, most: usize) -> Fault {
    Fault::new(&codes::BAD_LINE, span, format!("there is too much under `{word}`"))
        .label(format!("more than {most} from here on"))
        .help("no game needs so many; is this a log?")
}

fn set(rest: &[Token], span: Span) -> Option<Said> {
    let [key, Token { piece: Piece::Equals, .. }, value] = rest else { return None };
    let (Piece::Word(key), Piece::Word(value) | Piece::Text(value)) = (&key.piece, &value.piece) else {
        return None;
    };
    Some(Said::Set(Setting { key: key.clone(), value: value.clone(), span }))
}

fn expect(rest: &[Token], span: Span) -> Result<Option<Said>, Box<Fault>> {
    let (verdict, at, name) = match rest {
        [Token { piece: Piece::Word(verdict), span }] => (verdict, *span, None),
        [Token { piece: Piece::Word(verdict), span }, Token { piece: Piece::Word(name), .. }] => {
            (verdict, *span, Some(name.clone()))
        }
        _ => return Ok(None),
    };
    if !VERDICTS.contains(&verdict.as_str()) {
        let near = suggest::did_you_mean(verdict, VERDICTS);
        let fault = Fault::new(&codes::BAD_LINE, at, format!("no verdict is called `{verdict}`"))
            .label("not known")
            .help(near.unwrap_or_else(|| format!("the verdicts: {}", VERDICTS.join(", "))));
        return Err(Box::new(fault));
    }
    Ok(Some(Said::Expect(Expect { verdict: verdict.clone(), name, span })))
}

fn result(rest: &[Token]) -> Option<Said> {
    let mut scores = Vec::new();
    for part in rest.split(|token| token.piece == Piece::Comma) {
        let [Token { piece: Piece::Word(name), .. }, Token { piece: Piece::Word(score), .. }] = part else {
            return None;
        };
        scores.push((name.clone(), score.parse().ok()?));
    }
    Some(Said::Result(scores))
}

fn winner(rest: &[Token]) -> Option<Said> {
    let mut winners = Vec::new();
    if !matches!(rest, [Token { piece: Piece::Word(none), .. }] if none == "none") {
        for part in rest.split(|token| token.piece == Piece::Comma) {
            let [Token { piece: Piece::Word(name), .. }] = part else { return None };
            winners.push(name.clone());
        }
    }
    Some(Said::Winner(winners))
}

/// How a line is written.
pub(super) fn form(word: &str) -> &'static str {
    match word {
        "ludex" => "write `ludex 1`: the version of the format",
        "game" => "write `game NAME`, such as `game reversi` or `game \"my games/mine\"`",
        "rules" => "write `rules` and 16 hexadecimal digits in small letters, or leave the line out",
        "players" => "write `players ana, ben`, or `players ana = \"Ana\", ben = \"Ben\"`",
        "set" => "write `set key = value`",
        "seed" => "write `seed` and a whole number",
        "expect" => "write `expect legal`, or another verdict, perhaps with a name: `expect requirement take.enough`",
        "result" => "write `result` and each seat with its score, in seating order: `result ana 4, ben 5`",
        _ => "write `winner` and the seats in seating order: `winner ana`, `winner ana, ben` or `winner none`",
    }
}
