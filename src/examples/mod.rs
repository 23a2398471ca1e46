//! Worked examples, played: given a position, when these entries are made, then this must hold.

mod outcome;
mod run;

pub use outcome::{Failure, Outcome};
pub use run::run;

#[cfg(test)]
mod tests;
