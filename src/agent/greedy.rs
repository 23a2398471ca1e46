//! Greedy: the entry after which the seat is furthest ahead.
//!
//! Judged is the position right after the entry, before chance has its say: what has come by then is certain.

use super::worth::Worth;
use crate::evaluate::Try;
use crate::machine::{Machine, Move, Position, Random};

/// Buffers of greedy.
#[derive(Debug, Default)]
pub(super) struct Greedy {
    best: Vec<Move>,
}

impl Greedy {
    /// One of the best of these entries. The machine is used to try them out from `position`.
    pub(super) fn choose(
        &mut self,
        machine: &mut Machine<'_>,
        position: &Position,
        (legal, seat): (&[Move], u32),
        random: &mut Random,
    ) -> Option<Move> {
        let mut highest = Worth::LEAST;
        self.best.clear();
        for &entry in legal {
            machine.load(position);
            // An entry at which the rules break down is worth less than any other.
            let worth = tried(machine, entry, seat).unwrap_or(Worth::LEAST);
            if worth > highest {
                self.best.clear();
                highest = worth;
            }
            if worth == highest {
                self.best.push(entry);
            }
        }
        let nth = usize::try_from(random.below(self.best.len() as u64)).unwrap_or(0);
        self.best.get(nth).copied()
    }
}

fn tried(machine: &mut Machine<'_>, entry: Move, seat: u32) -> Try<Worth> {
    machine.play(entry)?;
    Worth::of(machine, seat)
}
