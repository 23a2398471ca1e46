//! Many games on the compiled engine: counting sequences of entries, and playing at random.
//!
//! Threads share a program and nothing else. What they find out is summed up in whole numbers, so that no
//! result depends on how many of them there are.

mod clock;
mod compare;
mod crew;
mod failures;
mod found;
mod game;
mod look;
mod looks;
mod measure;
mod outcome;
mod perft;
pub mod report;
mod run;
mod table;
mod tally;
mod trials;

pub use compare::{Until, compare, looks};
pub use failures::{Broken, Failures, Why};
pub use game::{Playout, line, outcome, text, written};
pub use measure::measures;
pub use perft::{Level, Perft, perft};
pub use run::{Halted, Keep, Part, Plan, Played, Progress, Rules, Sums, play, run};
pub use table::Table;
pub use tally::Tally;
pub use trials::{Trial, Trials, try_all};

#[cfg(test)]
mod tests;
