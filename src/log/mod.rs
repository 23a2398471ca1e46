//! Game logs: one game as a text that a player can read and a machine can play again.
//!
//! A log has a head (the game, its rules' hash, the seats, what was set), one entry a line in the notation
//! of examples, and the result. It holds every outcome of chance, so it needs nothing but its ruleset to
//! be judged. Reading is strict; what is written is canonical, so that equal games are equal texts.
//! The format is described in `docs/logs.md`.

mod open;
mod read;
mod tokens;
mod write;

pub use open::{Closed, Opened, open, read_entry};
pub use read::read;
pub use write::{entry_text, write};

use crate::report::Span;

/// A game, as its log tells it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Log {
    /// `market:auction+english`, or a path.
    pub game: String,
    /// The hash of the rules it was played by.
    pub rules: Option<u64>,
    /// Who sat where, in seating order.
    pub seats: Vec<Seat>,
    /// Numbers, options and rulings that were changed: key and value.
    pub settings: Vec<Setting>,
    /// What chance was decided by.
    pub seed: Option<u64>,
    /// What was decided, in order.
    pub entries: Vec<Line>,
    /// How it ended.
    pub result: Option<Outcome>,
    /// Where the head's lines stand.
    pub places: Places,
}

/// A seat of a log.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Seat {
    /// What entries call it.
    pub name: String,
    /// Who played there: a person, an agent.
    pub who: Option<String>,
}

/// Something that was set for this game.
#[derive(Debug, Clone, Default)]
pub struct Setting {
    /// Its path.
    pub key: String,
    /// Its value, as `--set` takes it.
    pub value: String,
    /// Where; this is not compared.
    pub span: Span,
}

impl PartialEq for Setting {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key && self.value == other.value
    }
}

impl Eq for Setting {}

/// An entry of a log.
#[derive(Debug, Clone, Default)]
pub struct Line {
    /// In canonical spelling.
    pub text: String,
    /// Where; this is not compared.
    pub span: Span,
}

impl PartialEq for Line {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for Line {}

/// How a game ended.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Outcome {
    /// By seat.
    pub scores: Vec<i64>,
    /// Seats, in order.
    pub winners: Vec<usize>,
}

/// Where lines of a log stand; two logs do not differ by it.
#[derive(Debug, Clone, Copy, Default)]
pub struct Places {
    /// `game`
    pub game: Span,
    /// `rules`
    pub rules: Span,
    /// `players`
    pub players: Span,
    /// `result`
    pub result: Span,
}

impl PartialEq for Places {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Places {}

/// Words that begin lines other than entries. No seat has such a name.
pub const WORDS: [&str; 7] = ["game", "rules", "players", "set", "seed", "result", "winner"];

#[cfg(test)]
mod tests;
