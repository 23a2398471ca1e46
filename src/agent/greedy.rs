//! Greedy: the entry after which the seat is furthest ahead.
//!
//! Judged is the position right after the entry, before chance has its say: what has come by then is certain. Where
//! something is hidden, it is judged in several worlds that the seat holds possible, and the sum counts.

use super::worth::Worth;
use crate::evaluate::Try;
use crate::internal::exact;
use crate::machine::{Machine, Move, Position, Random};

/// Worlds that an entry is judged in.
pub(super) const WORLDS: usize = 16;

/// Buffers of greedy.
#[derive(Debug, Default)]
pub(super) struct Greedy {
    best: Vec<Move>,
}

impl Greedy {
    /// One of the best of these entries, each alike, and whether all of them are. The machine is used to try them out.
    pub(super) fn choose(
        &mut self,
        machine: &mut Machine<'_>,
        worlds: &[Position],
        (legal, seat): (&[Move], u32),
        random: &mut Random,
    ) -> (Option<Move>, bool) {
        let mut highest = Worth::LEAST;
        self.best.clear();
        for &entry in legal {
            let mut worth = Worth::default();
            for world in worlds {
                machine.load(world);
                // An entry at which the rules break down is worth less than any other.
                worth = worth.and(tried(machine, entry, seat).unwrap_or(Worth::LEAST));
            }
            if worth > highest {
                self.best.clear();
                highest = worth;
            }
            if worth == highest {
                self.best.push(entry);
            }
        }
        let nth = exact::<_, usize>(random.below(self.best.len() as u64));
        (self.best.get(nth).copied(), self.best.len() == legal.len())
    }
}

fn tried(machine: &mut Machine<'_>, entry: Move, seat: u32) -> Try<Worth> {
    machine.play(entry)?;
    Worth::of(machine, seat)
}
