//! Games that cannot be played to their end, because of a fault of the ruleset.

use super::game::Playout;
use crate::evaluate::Trouble;

/// A game that shows a fault of the ruleset.
#[derive(Debug, Clone)]
pub struct Broken {
    /// At which table, from 0.
    pub table: usize,
    /// Its number.
    pub game: u64,
    /// Everything up to the entry after which it showed.
    pub playout: Playout,
    /// What happened.
    pub why: Why,
}

/// What went wrong in a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Why {
    /// An invariant, by its number in the ruleset, does not hold.
    Invariant(usize),
    /// The ruleset cannot go on.
    Trouble(Trouble),
}

/// Games with a runtime error, at one table. They count for nothing else.
#[derive(Debug, Clone, Default)]
pub struct Failures {
    /// How many.
    pub games: u64,
    /// The one with the lowest number, with its error.
    pub first: Option<Box<(Broken, Trouble)>>,
}

impl Failures {
    /// One game more.
    pub(super) fn add(&mut self, table: usize, game: u64, playout: &Playout, trouble: Trouble) {
        self.games += 1;
        if self.first.as_ref().is_none_or(|first| game < first.0.game) {
            let why = Why::Trouble(trouble.clone());
            self.first = Some(Box::new((Broken { table, game, playout: playout.clone(), why }, trouble)));
        }
    }

    /// Both together.
    pub(super) fn merge(&mut self, other: &Self) {
        self.games += other.games;
        if let Some(more) = &other.first
            && self.first.as_ref().is_none_or(|first| more.0.game < first.0.game)
        {
            self.first = Some(more.clone());
        }
    }
}
