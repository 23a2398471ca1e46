//! What random entries are drawn from, where masks say which are worth it.

use super::instruction::{Slot, Target};

/// What random entries of a choice are drawn from.
#[derive(Debug, Clone)]
pub struct Lots {
    /// Writes the masks.
    pub work_out: Target,
    /// In the order in which their entries are counted; an entry that is in none of them is never legal.
    pub all: Vec<Lot>,
}

/// Entries of an offer that have some arguments in common.
#[derive(Debug, Clone)]
pub struct Lot {
    /// The offer, by number in [`super::Draft::offers`].
    pub offer: u16,
    /// A bit for each combination of the others,
    pub mask: Slot,
    /// counted from this one.
    pub from: u64,
    /// All arguments that the flow does not bind.
    pub codes: Vec<Code>,
    /// Are all of these legal? Otherwise they are tested.
    pub all_legal: bool,
}

impl Lot {
    /// How many moves its arguments allow.
    #[must_use]
    pub fn all(&self) -> u64 {
        let counted = self.codes.iter().map(|code| if let Code::Counted { of, .. } = code { *of } else { 1 });
        counted.fold(1, u64::saturating_mul)
    }

    /// The bits that stand for a move.
    #[must_use]
    pub(super) fn room(&self) -> i64 {
        super::first_members(self.all().saturating_sub(self.from))
    }
}

/// The code of an argument in a lot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Code {
    /// The same for all entries.
    Fixed(u64),
    /// What the number of a combination gives, divided by `each`, modulo `of`.
    Counted {
        /// Combinations of the arguments that run faster.
        each: u64,
        /// How many values it has.
        of: u64,
    },
}

impl Code {
    /// The code in one combination.
    #[must_use]
    pub fn of(self, combination: u64) -> u64 {
        match self {
            Self::Fixed(code) => code,
            Self::Counted { each, of } => combination / each.max(1) % of.max(1),
        }
    }
}
