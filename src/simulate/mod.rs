//! Many games on the compiled engine: counting sequences of entries, and playing at random.
//!
//! Threads share a program and nothing else. What they find out is summed up in whole numbers, so that no
//! result depends on how many of them there are.

mod crew;
mod game;
mod perft;
mod run;
mod tally;

pub use game::{Playout, line, outcome, written};
pub use perft::{Level, Perft, perft};
pub use run::{Broken, Halted, Keep, Plan, Why, run};
pub use tally::{SeatTally, Tally};

#[cfg(test)]
mod tests;
