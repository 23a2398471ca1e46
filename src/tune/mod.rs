//! Checked ruleset → program whose tests stand in the order that random games have shown to be best.
//!
//! Which requirement refuses most, and what asking it takes, no rule says; a few games do. They are played by
//! instructions and counted, the ruleset is compiled again with what refuses most for least first, and the same games are
//! played again. A program that followed clearly fewer instructions is kept, so that none is ever worse by that
//! count. What is legal, the order of entries, positions and what seeds give are the same in both.
//!
//! That takes milliseconds, so it is for whoever plays many games.

mod ranking;
mod sample;

use crate::check::Checked;
use crate::compile::{compile, compile_in_order};
use crate::machine::Program;
use crate::report::Fault;
use sample::{Limit, Sample};

/// Instructions of the sample: most of a game of what takes long, and all games of what does not.
const INSTRUCTIONS: u64 = 1_000_000;

/// How often an order is tried: what a test takes, and what is left to it, depends on those before it.
const ROUNDS: usize = 2;

/// One part in so many must be saved: instructions do not all take as long, and less may come to nothing.
const PART: u64 = 20;

/// From so many random games on each thread on it pays. What gains most becomes a thirtieth faster, plays some four thousand
/// games in a second, and takes 30 ms to be measured. What gains nothing loses no more than that. Threads wait for it, so
/// that more of them need more games.
const WORTH: u64 = 10_000;

/// A program, and what was counted while it was chosen.
#[derive(Debug, Clone)]
pub struct Tuned {
    /// The program.
    pub program: Program,
    /// Entries of the sample.
    pub entries: u64,
    /// Instructions that they took in the order of the rules,
    pub before: u64,
    /// and in that of the program.
    pub after: u64,
}

/// Compiles a ruleset for so many games on so many threads.
pub fn compile_for(checked: &Checked, games: u64, jobs: usize) -> Result<Program, Box<Fault>> {
    if games / (jobs as u64).max(1) < WORTH { compile(checked) } else { Ok(tuned(checked)?.program) }
}

/// Compiles a ruleset, with its tests in a measured order.
pub fn tuned(checked: &Checked) -> Result<Tuned, Box<Fault>> {
    let program = compile(checked)?;
    let first = Sample::play(&program, Limit::Instructions(INSTRUCTIONS));
    let (entries, before) = (first.entries, first.followed);
    let mut tried = vec![ranking::present(&program)];
    let mut order = ranking::best(&program, &first.counts);
    let mut best = Tuned { program, entries, before, after: before };
    for _ in 0..ROUNDS {
        if tried.contains(&order) {
            break;
        }
        let program = compile_in_order(checked, order.clone())?;
        let sample = Sample::play(&program, Limit::Entries(entries));
        tried.push(order);
        order = ranking::best(&program, &sample.counts);
        // That games end alike is a law; a program that broke it would not be kept.
        let saved = before.saturating_sub(sample.followed);
        if sample.followed < best.after && saved >= before / PART && sample.ends == first.ends {
            best = Tuned { program, after: sample.followed, ..best };
        }
    }
    Ok(best)
}

#[cfg(test)]
mod tests;
