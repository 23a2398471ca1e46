//! Game logs: one game as a text that a player can read and a machine can play again.
//!
//! A log has a head (the game, its rules' hash, the seats, what was set), one entry a line in the notation
//! of examples, and the result. It holds every outcome of chance, so it needs nothing but its ruleset to
//! be judged. What is written is canonical, so that equal games are equal texts.
//! The format is described in `docs/logs.md`.
//!
//! ```text
//! lines     text      → games, lines                      (nothing is copied)
//! said      line      → what it says, by itself           (tokens: the head and the end)
//! read      lines     → log, strictly or patiently
//! json      lines     ◀──▶ objects of JSON Lines
//! document  text      → rows with their comments → text in canonical layout, in either notation
//! open      log       → the ruleset that it names, its entries as that understands them
//! other     log, rules that it was not written by → a warning
//! ```

mod document;
mod json;
mod lines;
mod open;
mod other;
mod read;
mod said;
mod tokens;
mod write;

pub use document::Document;
pub use json::{line_to_text as json_line_to_text, read as read_json_lines};
pub use lines::{Form, Games, RawLine, games, lines};
pub(crate) use open::{Chosen, Foreign};
pub use open::{Closed, Opened, Wanted, open, open_game, read_entry};
pub(crate) use other::{names_other_game, other_game, other_rules};
pub use read::{Heard, Reader, read, read_claim, read_game};
pub use said::Said;
pub use write::{entry_text, fact_text, write};

use crate::report::Span;

/// A game, as its log tells it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Log {
    /// The version of the format, if it is said.
    pub version: Option<u64>,
    /// `market:auction+english`; in old logs perhaps a path.
    pub game: String,
    /// The hash of the rules it was played by.
    pub rules: Option<u64>,
    /// Who sat where, in seating order.
    pub seats: Vec<Seat>,
    /// Numbers, options and rulings that were changed: key and value.
    pub settings: Vec<Setting>,
    /// What chance was decided by.
    pub seed: Option<u64>,
    /// What judging it should give.
    pub expect: Option<Expect>,
    /// What was decided, and what is claimed, in order.
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

/// What judging a log should give.
#[derive(Debug, Clone, Default)]
pub struct Expect {
    /// One of [`VERDICTS`].
    pub verdict: String,
    /// What it is about: the requirement that fails.
    pub name: Option<String>,
    /// Where; this is not compared.
    pub span: Span,
}

impl PartialEq for Expect {
    fn eq(&self, other: &Self) -> bool {
        self.verdict == other.verdict && self.name == other.name
    }
}

impl Eq for Expect {}

/// An entry of a log and what is claimed after it, or claims on a line of their own.
#[derive(Debug, Clone, Default)]
pub struct Line {
    /// The entry: in canonical spelling if it was read strictly, otherwise as it is written. Empty if the line
    /// only claims something about where the game stands.
    pub text: String,
    /// What is so after it.
    pub claims: Vec<Claim>,
    /// Where the entry stands, or the line of claims; this is not compared.
    pub span: Span,
}

impl PartialEq for Line {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text && self.claims == other.claims
    }
}

/// Something that a log says is so: `score ana = 12`
#[derive(Debug, Clone, Default)]
pub struct Claim {
    /// The fact: in canonical spelling if it was read strictly, otherwise as it is written.
    pub text: String,
    /// Where; this is not compared.
    pub span: Span,
}

impl PartialEq for Claim {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for Claim {}

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
    /// `ludex`
    pub version: Span,
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
pub const WORDS: [&str; 9] = ["ludex", "game", "rules", "players", "set", "seed", "expect", "result", "winner"];

/// What judging a log may give.
pub const VERDICTS: [&str; 16] = [
    "legal",
    "unfinished",
    "legal-if",
    "wrong-phase",
    "wrong-player",
    "unknown-action",
    "bad-argument",
    "unaffordable",
    "requirement",
    "impossible-chance",
    "bookkeeping",
    "after-end",
    "unreadable",
    "ambiguous",
    "wrong-game",
    "unknown-version",
];

#[cfg(test)]
mod tests;
