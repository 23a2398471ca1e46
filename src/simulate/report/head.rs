//! What a report begins with: everything that is needed to run it again.

use serde::{Deserialize, Serialize};

/// The version of the shapes.
pub const VERSION: u32 = 1;

/// What was asked for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Head {
    /// The version of this shape.
    pub ludex: u32,
    /// The version of Ludex that played.
    pub version: String,
    /// The command line, word by word; of merged shards the one that merged them.
    pub command: Vec<String>,
    /// The ruleset, as it was named.
    pub ruleset: String,
    /// Its title.
    pub title: String,
    /// The hash of its rules, 16 hexadecimal digits, without what was set.
    pub hash: String,
    /// What was set: `key=value`, in order.
    pub settings: Vec<String>,
    /// TOML files laid over the numbers.
    pub overlays: Vec<Overlay>,
    /// How many seats.
    pub players: u32,
    /// Who plays, by seat.
    pub agents: Vec<String>,
    /// What every game's own seed is made from: digits.
    pub seed: String,
    /// How much.
    pub asked: Asked,
    /// Which part of the games this is; nothing: all of them.
    pub shard: Option<Shard>,
    /// Was it ended before its time? What is here are the first games, all complete.
    pub interrupted: bool,
    /// Were the invariants asked after every entry?
    pub invariants_checked: bool,
    /// How often intervals contain what they are for.
    pub confidence: f64,
}

/// How much is to be played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Asked {
    /// So many games, over all shards.
    pub games: u64,
    /// A game is cut off after so many entries.
    pub most_entries: u64,
    /// The first games that are looked at closely.
    pub look: u64,
}

/// A TOML file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Overlay {
    /// Its path, as it was given.
    pub file: String,
    /// The hash of its text, 16 hexadecimal digits.
    pub hash: String,
}

/// One of several parts: games whose number leaves the same rest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shard {
    /// Which, from 1.
    pub index: u64,
    /// Of how many.
    pub of: u64,
}

impl Shard {
    /// How many of so many games are its own: those with the numbers `index`, `index + of`, and so on.
    #[must_use]
    pub fn games(self, all: u64) -> u64 {
        all.checked_sub(self.index).map_or(0, |rest| rest / self.of.max(1) + 1)
    }

    /// The number of its game at this place, from 0.
    #[must_use]
    pub fn game(self, at: u64) -> u64 {
        self.index.saturating_add(at.saturating_mul(self.of))
    }
}
