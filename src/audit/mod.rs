//! Where the points of a game come from: a ledger for each seat that sums to its score.
//!
//! Players dispute scores more than moves, and a score says nothing about itself: it is a number at the end of
//! a game, made of what happened on many turns. So a game is played again by the reference evaluator with
//! somebody who watches every write (`record.rs`), and the score is taken apart by what it is made of
//! (`split.rs`): sums into what they add, definitions into their bodies, a state into its history, and each change of it
//! into the awards that were added. What cannot be taken apart is one part with its value, so that a ledger
//! is never wrong, at worst short. Each part names the rules that gave it (`rules.rs`) and the entries that
//! it follows from.

mod ledger;
mod record;
mod rules;
mod split;

pub use ledger::{Ledger, Line};
pub use record::Audit;
pub(crate) use record::reads_numbers;
pub use rules::{Rule, RuleId};

#[cfg(test)]
mod tests;
