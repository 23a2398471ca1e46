//! Worked examples, played: given a position, when these entries are made, then this must hold.

pub mod coverage;
mod foreign;
mod invariants;
mod moments;
pub mod mutants;
mod outcome;
pub(crate) mod parallel;
mod positions;
pub(crate) mod record;
mod run;
mod suite;

pub use foreign::{Foreign, Ran};
pub use outcome::{Failure, Moment, Outcome};
pub use parallel::cores;
pub use record::{Difference, Record};
pub use suite::{Played, Suite, Wants};

use crate::load::Loaded;

/// Plays every example of a ruleset that has been found sound.
#[must_use]
pub fn run(loaded: &Loaded) -> Vec<Outcome> {
    Suite::new(loaded).run(cores(), Wants::default()).into_iter().map(|played| played.outcome).collect()
}

#[cfg(test)]
mod tests;
