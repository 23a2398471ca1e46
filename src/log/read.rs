//! Text → log, strictly: every line is understood, or it is a fault with its place.

use super::tokens::{Piece, RawLine, Token, lines, tokens};
use super::write::entry_text;
use super::{Line, Log, Outcome, Seat, Setting, WORDS};
use crate::ast;
use crate::report::{Fault, FileId, Span, codes};

/// So many numbers may be set in a log.
const MOST_SETTINGS: usize = 1000;

/// So many seats a log may have.
const MOST_SEATS: usize = 64;

/// Reads a log. Its spans point into `file`.
pub fn read(file: FileId, text: &str) -> Result<Log, Vec<Fault>> {
    let mut reader = Reader { file, log: Log::default(), faults: Vec::new(), seen: Vec::new(), ended: None };
    for line in lines(text) {
        reader.line(&line);
    }
    reader.whole(text);
    if reader.faults.is_empty() { Ok(reader.log) } else { Err(reader.faults) }
}

struct Reader {
    file: FileId,
    log: Log,
    faults: Vec<Fault>,
    /// Words whose lines have been read, with their places.
    seen: Vec<(String, Span)>,
    /// Where the result stands: no entry follows it.
    ended: Option<Span>,
}

impl Reader {
    fn line(&mut self, line: &RawLine<'_>) {
        let span = Span::new(self.file, line.start, line.start + line.text.len());
        let word = line.text.split(|c: char| c.is_whitespace()).next().unwrap_or("");
        let tokens = tokens(self.file, line);
        // Words that the language does not reserve may also be drawn: `seed = 4` is what chance gave.
        let drawn =
            matches!(word, "rules" | "seed" | "result") && tokens.iter().any(|token| token.piece == Piece::Equals);
        if !WORDS.contains(&word) || drawn {
            return self.entry(line, span);
        }
        if self.is_misplaced(word, span) {
            return;
        }
        if word != "set" {
            self.seen.push((word.to_owned(), span));
        }
        let rest = tokens.get(1..).unwrap_or(&[]);
        let read = match word {
            "game" => self.game(rest, span),
            "rules" => self.rules(rest, span),
            "players" => self.players(rest, span),
            "set" => self.set(rest, span),
            "seed" => self.seed(rest),
            "result" => self.result(rest, span),
            _ => self.winner(rest, span),
        };
        if read.is_none() {
            self.faults.push(
                Fault::new(&codes::BAD_LINE, span, format!("this line with `{word}` cannot be read"))
                    .label("not of its form")
                    .help(form(word)),
            );
        }
    }

    fn is_misplaced(&mut self, word: &str, span: Span) -> bool {
        let first = self.seen.iter().find(|(known, _)| known == word).map(|(_, first)| *first);
        let at_end = matches!(word, "result" | "winner");
        let fault = if let Some(first) = first {
            Fault::new(&codes::MISPLACED_LINE, span, format!("there are two lines with `{word}`"))
                .label("again here")
                .also(first, "first here")
                .help("take one of them away")
        } else if !at_end && (!self.log.entries.is_empty() || self.ended.is_some()) {
            Fault::new(&codes::MISPLACED_LINE, span, format!("`{word}` stands after the first entry"))
                .label("too late")
                .help("it belongs into the head, before all entries")
        } else {
            return false;
        };
        self.faults.push(fault);
        true
    }

    fn entry(&mut self, line: &RawLine<'_>, span: Span) {
        if let Some(end) = self.ended {
            self.faults.push(
                Fault::new(&codes::MISPLACED_LINE, span, "an entry stands after the result")
                    .label("too late")
                    .also(end, "the game has ended here")
                    .help("entries come before the result"),
            );
            return;
        }
        match ast::parse_entry(self.file, line.start, line.text) {
            Ok(entry) => self.log.entries.push(Line { text: entry_text(&entry), span }),
            Err(fault) => self.faults.push(*fault),
        }
    }

    fn game(&mut self, rest: &[Token], span: Span) -> Option<()> {
        let [Token { piece: Piece::Word(name) | Piece::Text(name), .. }] = rest else { return None };
        if name.is_empty() {
            return None;
        }
        self.log.game.clone_from(name);
        self.log.places.game = span;
        Some(())
    }

    fn rules(&mut self, rest: &[Token], span: Span) -> Option<()> {
        let [Token { piece: Piece::Word(hash), .. }] = rest else { return None };
        let plain = hash.len() == 16 && hash.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        self.log.rules = Some(u64::from_str_radix(hash, 16).ok().filter(|_| plain)?);
        self.log.places.rules = span;
        Some(())
    }

    fn players(&mut self, rest: &[Token], span: Span) -> Option<()> {
        self.log.places.players = span;
        for part in rest.split(|token| token.piece == Piece::Comma) {
            if self.log.seats.len() >= MOST_SEATS {
                self.too_many(span, "players", MOST_SEATS);
                break;
            }
            let (name, who) = match part {
                [name] => (name, None),
                [name, Token { piece: Piece::Equals, .. }, who] => match &who.piece {
                    Piece::Text(who) => (name, Some(who.clone())),
                    _ => return None,
                },
                _ => return None,
            };
            let Piece::Word(word) = &name.piece else { return None };
            if let Some((why, help)) = self.bad_seat(word) {
                self.faults.push(
                    Fault::new(&codes::BAD_SEAT, name.span, format!("no seat can be called `{word}`"))
                        .label(why)
                        .help(help),
                );
            }
            self.log.seats.push(Seat { name: word.clone(), who });
        }
        Some(())
    }

    /// More than any game has: said once, and the rest is not read.
    fn too_many(&mut self, span: Span, word: &str, most: usize) {
        let said = |fault: &Fault| fault.code.id == codes::BAD_LINE.id && fault.label.starts_with("more than");
        if !self.faults.iter().any(said) {
            self.faults.push(
                Fault::new(&codes::BAD_LINE, span, format!("there is too much under `{word}`"))
                    .label(format!("more than {most} from here on"))
                    .help("no game needs so many; is this a log?"),
            );
        }
    }

    fn bad_seat(&self, word: &str) -> Option<(&'static str, &'static str)> {
        let plain = word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && word.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        if !plain {
            Some((
                "not a name",
                "use letters, digits and `_`; what the player is called stands behind it: `= \"Ana B.\"`",
            ))
        } else if WORDS.contains(&word) || word == "none" || word == "pass" {
            Some(("this word means something else in a log", "choose another name"))
        } else if self.log.seats.iter().any(|seat| seat.name == word) {
            Some(("another seat is called so", "give each seat a name of its own"))
        } else {
            None
        }
    }

    fn set(&mut self, rest: &[Token], span: Span) -> Option<()> {
        let [key, Token { piece: Piece::Equals, .. }, value] = rest else { return None };
        if self.log.settings.len() >= MOST_SETTINGS {
            self.too_many(span, "set", MOST_SETTINGS);
            return Some(());
        }
        let (Piece::Word(key), Piece::Word(value) | Piece::Text(value)) = (&key.piece, &value.piece) else {
            return None;
        };
        if let Some(first) = self.log.settings.iter().find(|setting| setting.key == *key) {
            self.faults.push(
                Fault::new(&codes::MISPLACED_LINE, span, format!("`{key}` is set twice"))
                    .label("again here")
                    .also(first.span, "first here")
                    .help("take one of them away"),
            );
        }
        self.log.settings.push(Setting { key: key.clone(), value: value.clone(), span });
        Some(())
    }

    fn seed(&mut self, rest: &[Token]) -> Option<()> {
        let [Token { piece: Piece::Word(seed), .. }] = rest else { return None };
        let plain = seed.bytes().all(|byte| byte.is_ascii_digit());
        self.log.seed = Some(seed.parse().ok().filter(|_| plain)?);
        Some(())
    }

    fn result(&mut self, rest: &[Token], span: Span) -> Option<()> {
        self.ended = Some(span);
        self.log.places.result = span;
        let mut scores = Vec::new();
        for (at, part) in rest.split(|token| token.piece == Piece::Comma).enumerate() {
            let [Token { piece: Piece::Word(name), .. }, Token { piece: Piece::Word(score), .. }] = part else {
                return None;
            };
            if self.log.seats.get(at)?.name != *name {
                return None;
            }
            scores.push(score.parse().ok()?);
        }
        if scores.len() != self.log.seats.len() {
            return None;
        }
        self.log.result = Some(Outcome { scores, winners: Vec::new() });
        Some(())
    }

    fn winner(&mut self, rest: &[Token], span: Span) -> Option<()> {
        if self.ended.is_none() {
            self.faults.push(
                Fault::new(&codes::MISPLACED_LINE, span, "`winner` stands before the result")
                    .label("too early")
                    .help("write the line with `result` before it"),
            );
            return Some(());
        }
        let mut winners = Vec::new();
        if !matches!(rest, [Token { piece: Piece::Word(none), .. }] if none == "none") {
            for part in rest.split(|token| token.piece == Piece::Comma) {
                let [Token { piece: Piece::Word(name), .. }] = part else { return None };
                let seat = self.log.seats.iter().position(|seat| seat.name == *name)?;
                if winners.last().is_some_and(|last| *last >= seat) {
                    return None;
                }
                winners.push(seat);
            }
        }
        if let Some(result) = &mut self.log.result {
            result.winners = winners;
        }
        Some(())
    }

    /// What must be there, and in which order.
    fn whole(&mut self, text: &str) {
        let has = |word: &str| self.seen.iter().find(|(known, _)| known == word).map(|(_, span)| *span);
        let first_line = lines(text)
            .next()
            .map_or(Span::new(self.file, 0, 0), |line| Span::new(self.file, line.start, line.start + line.text.len()));
        let mut missing = Vec::new();
        if has("game").is_none_or(|span| span != first_line) {
            missing.push((
                first_line,
                "game",
                "begins otherwise",
                "make `game NAME` the first line, such as `game reversi`",
            ));
        }
        if has("players").is_none() {
            missing.push((
                has("game").unwrap_or(first_line),
                "players",
                "nobody plays",
                "add a line such as `players ana, ben`",
            ));
        }
        if let Some(result) = has("result").filter(|_| has("winner").is_none()) {
            missing.push((
                result,
                "winner",
                "nobody is said to have won",
                "add a line `winner NAME`, or `winner none`",
            ));
        }
        for (span, word, label, help) in missing {
            self.faults.push(
                Fault::new(&codes::MISSING_LINE, span, format!("the log needs a line with `{word}`"))
                    .label(label)
                    .help(help),
            );
        }
    }
}

/// How a line is written.
fn form(word: &str) -> &'static str {
    match word {
        "game" => "write `game NAME`, such as `game reversi` or `game \"my games/mine\"`",
        "rules" => "write `rules` and 16 hexadecimal digits in small letters, or leave the line out",
        "players" => "write `players ana, ben`, or `players ana = \"Ana\", ben = \"Ben\"`",
        "set" => "write `set key = value`",
        "seed" => "write `seed` and a whole number",
        "result" => "write `result` and each seat with its score, in seating order: `result ana 4, ben 5`",
        _ => "write `winner` and the seats in seating order: `winner ana`, `winner ana, ben` or `winner none`",
    }
}
