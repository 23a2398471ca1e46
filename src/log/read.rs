//! Lines → log: what each line says is put in its place, or it is a fault.
//!
//! [`Reader`] takes one line at a time and is patient: entries may be broken, and may follow the result.
//! [`read`] is strict: every line is understood, or the log is not read.

use std::collections::HashMap;

use super::lines::first_word;
use super::said::{Place, form, said, too_many};
use super::write::{entry_text, fact_text};
use super::{Claim, Line, Log, Outcome, RawLine, Said, Seat, WORDS, lines};
use crate::ast::{self, Fact};
use crate::limits::{LOG_FAULTS, LOG_SETTINGS};
use crate::report::{Fault, FileId, Span, codes};

/// Reads a log of one game, strictly. Its spans point into `file`.
pub fn read(file: FileId, text: &str) -> Result<Log, Vec<Fault>> {
    read_game(file, 0, text)
}

/// The same for a game that begins at the byte `base` of its file.
pub fn read_game(file: FileId, base: usize, text: &str) -> Result<Log, Vec<Fault>> {
    let mut strict = Strict::new(file);
    for line in lines(base, text).filter(|line| !line.is_blank()) {
        strict.line(&line);
    }
    strict.finish()
}

/// Reads a game of which nothing may be doubtful.
pub(super) struct Strict {
    pub(super) reader: Reader,
    faults: Vec<Fault>,
}

impl Strict {
    pub(super) fn new(file: FileId) -> Self {
        Self { reader: Reader::new(file), faults: Vec::new() }
    }

    pub(super) fn line(&mut self, line: &RawLine<'_>) {
        if self.faults.len() > LOG_FAULTS {
            return;
        }
        match self.reader.line(line) {
            Ok(Heard::Entry(entry)) => self.entry(&entry),
            Ok(Heard::Head | Heard::End) => {}
            Err(faults) => self.faults.extend(faults),
        }
    }

    fn entry(&mut self, entry: &Line) {
        if let Some(end) = self.reader.ended() {
            self.faults.push(
                Fault::new(&codes::MISPLACED_LINE, entry.span, "an entry stands after the result")
                    .label("too late")
                    .also(end, "the game has ended here")
                    .help("entries come before the result"),
            );
            return;
        }
        match canonical(self.reader.place, entry) {
            Ok(entry) => self.reader.log.entries.push(entry),
            Err(faults) => self.faults.extend(faults),
        }
    }

    pub(super) fn finish(mut self) -> Result<Log, Vec<Fault>> {
        self.faults.extend(self.reader.missing_head());
        self.faults.extend(self.reader.missing_end());
        if self.faults.is_empty() { Ok(self.reader.log) } else { Err(self.faults) }
    }
}

/// The entry and its claims in canonical spelling, if they are of the notation.
pub(super) fn canonical(place: Place, line: &Line) -> Result<Line, Vec<Fault>> {
    let mut faults = Vec::new();
    let mut text = String::new();
    if !line.text.is_empty() {
        match ast::parse_entry(line.span.file, line.span.start as usize, &line.text) {
            Ok(entry) => text = entry_text(&entry),
            Err(fault) => faults.push(*place.moved(fault)),
        }
    }
    let mut claims = Vec::new();
    for claim in &line.claims {
        match read_claim(claim) {
            Ok(fact) => claims.push(Claim { text: fact_text(&fact), span: claim.span }),
            Err(fault) => faults.push(*place.moved(fault)),
        }
    }
    if faults.is_empty() { Ok(Line { text, claims, span: line.span }) } else { Err(faults) }
}

/// What is claimed, as a fact.
pub fn read_claim(claim: &Claim) -> Result<Fact, Box<Fault>> {
    match ast::parse_entry(claim.span.file, claim.span.start as usize, &claim.text) {
        Ok(ast::Entry::Chance(fact)) => Ok(fact),
        Err(fault) if fault.code.id != codes::NOT_AN_ENTRY.id => Err(fault),
        _ => Err(Box::new(
            Fault::new(&codes::BAD_CLAIM, claim.span, "this claims nothing")
                .label("not of the form `name = value`")
                .help("write what is so after the entry: `then paid = 5, score ana = 12`"),
        )),
    }
}

/// What a line was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Heard {
    /// A line of the head: it is in the log now.
    Head,
    /// An entry as it is written, claims, or both. It is not in the log: that is up to who asked.
    Entry(Line),
    /// `result` or `winner`: it is in the log now.
    End,
}

/// Reads a log line by line.
#[derive(Debug, Clone, Default)]
pub struct Reader {
    pub(super) place: Place,
    log: Log,
    /// Words whose lines have been read, each with its first place.
    seen: Vec<(&'static str, Span)>,
    /// The first line that is not the version.
    first: Option<Span>,
    /// Has an entry been read?
    entered: bool,
    /// Where each key was set first.
    set: HashMap<String, Span>,
    /// Is it said already that too much is set?
    crowded: bool,
}

impl Reader {
    /// Entries have been read by somebody else: the head is over.
    pub fn enter(&mut self) {
        self.entered = true;
    }

    /// A log of which nothing has been read yet.
    #[must_use]
    pub fn new(file: FileId) -> Self {
        Self { place: Place { file, within: None }, ..Self::default() }
    }

    /// The next lines are not in the file as such, but were made of what stands here.
    pub fn within(&mut self, span: Span) {
        self.place.within = Some(span);
    }

    /// What has been read. Entries are not among it.
    #[must_use]
    pub fn log(&self) -> &Log {
        &self.log
    }

    /// Is more set than a log may set?
    #[must_use]
    pub fn is_crowded(&self) -> bool {
        self.crowded
    }

    /// Where the result stands.
    #[must_use]
    pub fn ended(&self) -> Option<Span> {
        self.has("result")
    }

    /// Reads the next line. One that is blank does not count.
    pub fn line(&mut self, line: &RawLine<'_>) -> Result<Heard, Vec<Fault>> {
        if line.is_blank() {
            return Ok(Heard::Head);
        }
        let span = self.place.of(line);
        let said = said(self.place, line);
        let word = match &said {
            Ok(said) => said.word(),
            Err(_) => WORDS.into_iter().find(|word| *word == first_word(line.text)),
        };
        let is_first = self.first.is_none() && self.seen.is_empty();
        if !(word == Some("ludex") && is_first) {
            self.first.get_or_insert(span);
        }
        let Some(word) = word else {
            let said = said.map_err(|fault| vec![*fault])?;
            self.entered = true;
            return self.hear(said, span);
        };
        if let Some(fault) = self.misplaced(word, is_first, span) {
            return Err(vec![fault]);
        }
        // A line that cannot be read is not missing.
        if self.has(word).is_none() {
            self.seen.push((word, span));
        }
        self.hear(said.map_err(|fault| vec![*fault])?, span)
    }

    fn has(&self, word: &str) -> Option<Span> {
        self.seen.iter().find(|(known, _)| *known == word).map(|(_, span)| *span)
    }

    fn misplaced(&self, word: &str, is_first: bool, span: Span) -> Option<Fault> {
        let first = self.has(word).filter(|_| word != "set");
        let fault = |message: String| Fault::new(&codes::MISPLACED_LINE, span, message);
        if let Some(first) = first {
            let fault = fault(format!("there are two lines with `{word}`")).label("again here");
            return Some(fault.also(first, "first here").help("take one of them away"));
        }
        match word {
            "result" => None,
            "winner" if self.ended().is_some() => None,
            "winner" => Some(
                fault("`winner` stands before the result".to_owned())
                    .label("too early")
                    .help("write the line with `result` before it"),
            ),
            _ if self.entered || self.ended().is_some() => Some(
                fault(format!("`{word}` stands after the first entry"))
                    .label("too late")
                    .help("it belongs into the head, before all entries"),
            ),
            "ludex" if !is_first => Some(
                fault("the version stands after other lines".to_owned())
                    .label("too late")
                    .help("make it the very first line of the game"),
            ),
            _ => None,
        }
    }

    fn hear(&mut self, said: Said, span: Span) -> Result<Heard, Vec<Fault>> {
        match said {
            Said::Version(version) => {
                self.log.version = Some(version);
                self.log.places.version = span;
            }
            Said::Game(name) => {
                self.log.game = name;
                self.log.places.game = span;
            }
            Said::Rules(hash) => {
                self.log.rules = Some(hash);
                self.log.places.rules = span;
            }
            Said::Players(seats) => return self.players(seats, span),
            Said::Set(setting) => {
                if self.log.settings.len() >= LOG_SETTINGS {
                    // That is said once; what follows is not looked at.
                    let said = std::mem::replace(&mut self.crowded, true);
                    return if said { Ok(Heard::Head) } else { Err(vec![too_many(span, "set", LOG_SETTINGS)]) };
                }
                let first = self.set.get(&setting.key).copied();
                self.set.entry(setting.key.clone()).or_insert(span);
                self.log.settings.push(setting.clone());
                if let Some(first) = first {
                    let fault = Fault::new(&codes::MISPLACED_LINE, span, format!("`{}` is set twice", setting.key));
                    let fault = fault.label("again here").also(first, "first here");
                    return Err(vec![fault.help("take one of them away")]);
                }
            }
            Said::Seed(seed) => self.log.seed = Some(seed),
            Said::Expect(expect) => self.log.expect = Some(expect),
            Said::Result(scores) => return self.result(&scores, span),
            Said::Winner(winners) => return self.winner(&winners, span),
            Said::Entry(entry) => return Ok(Heard::Entry(entry)),
        }
        Ok(Heard::Head)
    }

    fn players(&mut self, seats: Vec<(Seat, Span)>, span: Span) -> Result<Heard, Vec<Fault>> {
        self.log.places.players = span;
        let mut faults = Vec::new();
        for (seat, at) in seats {
            if let Some((why, help)) = self.bad_seat(&seat.name) {
                let message = format!("no seat can be called `{}`", seat.name);
                faults.push(Fault::new(&codes::BAD_SEAT, at, message).label(why).help(help));
            }
            self.log.seats.push(seat);
        }
        if faults.is_empty() { Ok(Heard::Head) } else { Err(faults) }
    }

    fn bad_seat(&self, word: &str) -> Option<(&'static str, &'static str)> {
        let plain = word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && word.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        if !plain {
            Some((
                "not a name",
                "use letters, digits and `_`; what the player is called stands behind it: `= \"Ana B.\"`",
            ))
        } else if WORDS.contains(&word) || matches!(word, "none" | "pass" | "then") {
            Some(("this word means something else in a log", "choose another name"))
        } else if self.log.seats.iter().any(|seat| seat.name == word) {
            Some(("another seat is called so", "give each seat a name of its own"))
        } else {
            None
        }
    }

    fn result(&mut self, said: &[(String, i64)], span: Span) -> Result<Heard, Vec<Fault>> {
        self.log.places.result = span;
        let in_order = said.len() == self.log.seats.len()
            && said.iter().zip(&self.log.seats).all(|((name, _), seat)| *name == seat.name);
        if !in_order {
            return Err(vec![unordered("result", span)]);
        }
        let scores = said.iter().map(|(_, score)| *score).collect();
        self.log.result = Some(Outcome { scores, winners: Vec::new() });
        Ok(Heard::End)
    }

    fn winner(&mut self, said: &[String], span: Span) -> Result<Heard, Vec<Fault>> {
        let seat = |name: &String| self.log.seats.iter().position(|seat| seat.name == *name);
        let winners: Option<Vec<usize>> = said.iter().map(seat).collect();
        let Some(winners) = winners.filter(|winners| winners.is_sorted_by(|a, b| a < b)) else {
            return Err(vec![unordered("winner", span)]);
        };
        if let Some(result) = &mut self.log.result {
            result.winners = winners;
        }
        Ok(Heard::End)
    }

    /// What the head must have.
    #[must_use]
    pub fn missing_head(&self) -> Vec<Fault> {
        let begin = self.place.span(0, 0);
        let first = self.first.or(self.has("ludex")).unwrap_or(begin);
        let mut faults = Vec::new();
        if self.has("game").is_none_or(|span| span != first) {
            let help = "make `game NAME` the first line, such as `game reversi`";
            faults.push(missing(first, "game", "begins otherwise", help));
        }
        if self.has("players").is_none() {
            let at = self.has("game").unwrap_or(first);
            faults.push(missing(at, "players", "nobody plays", "add a line such as `players ana, ben`"));
        }
        faults
    }

    /// What follows the result.
    #[must_use]
    pub fn missing_end(&self) -> Option<Fault> {
        let result = self.ended().filter(|_| self.has("winner").is_none())?;
        let help = "add a line `winner NAME`, or `winner none`";
        Some(missing(result, "winner", "nobody is said to have won", help))
    }
}

fn missing(span: Span, word: &str, label: &str, help: &str) -> Fault {
    Fault::new(&codes::MISSING_LINE, span, format!("the log needs a line with `{word}`")).label(label).help(help)
}

fn unordered(word: &str, span: Span) -> Fault {
    Fault::new(&codes::BAD_LINE, span, format!("this line with `{word}` does not fit the seats"))
        .label("other seats, or in another order")
        .help(form(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every line asks what was read before: if that grew with the lines, a log of two million would take for ever.
    #[test]
    fn what_is_kept_of_a_head_does_not_grow_with_its_lines() {
        let mut reader = Reader::new(FileId::default());
        let text: String = (0..5 * LOG_SETTINGS).map(|at| format!("set a = 1\nset a{at} = 1\n")).collect();
        for line in lines(0, &text) {
            let _ = reader.line(&line);
        }
        assert_eq!(reader.seen.len(), 1, "one word was read");
        assert_eq!((reader.log.settings.len(), reader.set.len() <= LOG_SETTINGS), (LOG_SETTINGS, true));
    }
}
