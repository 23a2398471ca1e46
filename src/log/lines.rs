//! A text → games and lines, by looking for line ends only: nothing is copied, nothing is understood yet.

use crate::internal::Must;
use std::iter::Peekable;

use memchr::memmem::{FindIter, find_iter};

use super::json;

/// The two notations of a log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// One entry a line, for people.
    Text,
    /// One JSON object a line, for programs.
    JsonLines,
}

impl Form {
    /// The notation of a file, by its suffix.
    #[must_use]
    pub fn of(name: &str) -> Option<Self> {
        match std::path::Path::new(name).extension()?.to_str()? {
            "log" => Some(Self::Text),
            "jsonl" => Some(Self::JsonLines),
            _ => None,
        }
    }

    /// Does the first line that says something begin a game?
    #[must_use]
    pub fn begins(self, text: &str) -> bool {
        let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
        let first = match self {
            Self::Text => lines.find(|line| !line.starts_with('#')).and_then(first_of_game),
            Self::JsonLines => lines.find(|line| !line.starts_with("{\"comment\"")).and_then(json::first_of_game),
        };
        first.is_some()
    }

    /// The games of a document, each with the byte that it begins at.
    #[must_use]
    pub fn games(self, text: &str) -> Games<'_> {
        let words = ["game", "ludex"].map(|word| find_iter(text.as_bytes(), word).peekable());
        Games { form: self, text, at: 0, ended: false, words }
    }
}

/// The games of a text in the notation for people. There is at least one, which may be empty.
#[must_use]
pub fn games(text: &str) -> Games<'_> {
    Form::Text.games(text)
}

/// See [`Form::games`].
#[derive(Debug)]
pub struct Games<'t> {
    form: Form,
    text: &'t str,
    at: usize,
    ended: bool,
    /// Where the words stand, one of which is in every line that a game may begin with.
    words: [Peekable<FindIter<'t, 'static>>; 2],
}

impl<'t> Games<'t> {
    /// The next line, from the beginning of one on, that a game may begin with.
    fn may_begin(&mut self, from: usize) -> Option<(usize, &'t str)> {
        let bytes = self.text.as_bytes();
        let nearest = self.words.iter_mut().filter_map(|words| {
            while words.next_if(|at| *at < from).is_some() {}
            words.peek().copied()
        });
        let at = nearest.min()?;
        let start = memchr::memrchr(b'\n', bytes.get(from..at)?).map_or(from, |before| from + before + 1);
        let end = memchr::memchr(b'\n', bytes.get(at..)?).map_or(bytes.len(), |behind| at + behind + 1);
        Some((start, self.text.get(start..end)?))
    }
}

impl<'t> Iterator for Games<'t> {
    type Item = (usize, &'t str);

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let start = self.at;
        let (mut starts, mut from) = (Starts::default(), start);
        while let Some((at, line)) = self.may_begin(from) {
            let word = match self.form {
                Form::Text => first_of_game(line),
                Form::JsonLines => json::first_of_game(line),
            };
            if word.is_some_and(|word| starts.is_next(word)) {
                self.at = at;
                return Some((start, self.text.get(start..at).must("a game begins and ends with a line")));
            }
            from = at + line.len();
        }
        self.ended = true;
        Some((start, self.text.get(start..).must("a game begins with a line")))
    }
}

/// A line that a game may begin with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum First {
    /// `ludex 1`
    Version,
    /// `game nim`
    Game,
}

/// Which of these lines a game has already.
#[derive(Debug, Default)]
pub(super) struct Starts {
    version: bool,
    game: bool,
}

impl Starts {
    /// Does the next game begin here?
    pub(super) fn is_next(&mut self, first: First) -> bool {
        let next = self.game || (first == First::Version && self.version);
        if next {
            *self = Self::default();
        }
        match first {
            First::Version => self.version = true,
            First::Game => self.game = true,
        }
        next
    }
}

fn first_of_game(line: &str) -> Option<First> {
    let line = line.trim_start();
    if !line.starts_with("game") && !line.starts_with("ludex") {
        return None;
    }
    let (said, _) = cut_comment(line);
    match first_word(said) {
        "game" => Some(First::Game),
        // Otherwise it is what chance gave to a place of this name.
        "ludex" if !said.contains('=') => Some(First::Version),
        _ => None,
    }
}

/// The word that a line begins with.
pub(super) fn first_word(line: &str) -> &str {
    line.split(char::is_whitespace).next().unwrap_or("")
}

/// A line, and where it begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RawLine<'t> {
    /// What it says, without blanks at its ends; empty for a blank line and for a comment of its own.
    pub text: &'t str,
    /// What follows `#`.
    pub comment: Option<&'t str>,
    /// The byte at which `text` begins.
    pub start: usize,
}

impl<'t> RawLine<'t> {
    /// One line, whose first byte is the byte `start` of the file.
    #[must_use]
    pub fn new(line: &'t str, start: usize) -> Self {
        let (said, comment) = cut_comment(line);
        let blanks = said.len() - said.trim_start().len();
        Self { text: said.trim(), comment: comment.map(str::trim_end), start: start + blanks }
    }

    /// Does it say nothing? Comments do not count.
    #[must_use]
    pub fn is_blank(&self) -> bool {
        self.text.is_empty()
    }
}

/// All lines of a text that begins at the byte `base` of its file.
pub fn lines(base: usize, text: &str) -> impl Iterator<Item = RawLine<'_>> {
    let mut at = base;
    text.split_inclusive('\n').map(move |line| {
        let start = at;
        at += line.len();
        RawLine::new(line, start)
    })
}

/// What stands before `#` and what after it, unless the sign is part of a text.
fn cut_comment(line: &str) -> (&str, Option<&str>) {
    let Some(sign) = line.find('#') else { return (line, None) };
    let (mut quoted, mut escaped) = (false, false);
    // Texts are rare, so most comments begin at the first sign.
    let from = line.get(..sign).and_then(|before| before.find('"')).unwrap_or(sign);
    for (at, byte) in line.bytes().enumerate().skip(from) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if quoted => escaped = true,
            b'"' => quoted = !quoted,
            b'#' if !quoted => return (line.get(..at).unwrap_or(""), line.get(at + 1..)),
            _ => {}
        }
    }
    (line, None)
}
