//! The verifier: what the executor and native code rely on, seen to be true of one program.
//!
//! | file | verifies |
//! |---|---|
//! | `parts.rs` | layout, constants, runs of slots, tables, pauses, choices, chances, regions, sortings, routines |
//! | `offers.rs` | offers, their parameters, and what random moves are drawn from |
//! | `operands.rs` | targets, slots, table runs and numbers of single instructions |
//! | `flow.rs` | routines do only what they are asked for, do not call themselves, and spend steps in every loop |
//!
//! It runs once for each program, when that is sealed ([`super::Program::seal`]), in every build. It does not show that a
//! program means what its rules say; the tests of engines do that. It shows that no program can reach memory that is
//! not its own; `native/mod.rs` says which of these facts native code uses.

mod flow;
mod offers;
mod operands;
mod parts;
#[cfg(test)]
mod tests;

use std::fmt;

use super::instruction::{Slot, Target};
use super::program::Draft;

/// Something that is not as it must be, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Flaw {
    place: String,
    what: String,
}

impl fmt::Display for Flaw {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "the program is flawed: {}: {}", self.place, self.what)
    }
}

impl std::error::Error for Flaw {}

type Seen = Result<(), Flaw>;

/// Says what is wrong at a place, unless a condition holds.
fn must(holds: bool, place: impl FnOnce() -> String, what: &str) -> Seen {
    if holds { Ok(()) } else { Err(Flaw { place: place(), what: what.to_owned() }) }
}

/// Verifies a program; `more` says by slot how many more are found by number from that one on.
pub(super) fn verify(draft: &Draft, more: &[u16]) -> Seen {
    let verifier = Verifier::new(draft, more)?;
    verifier.parts()?;
    verifier.offers()?;
    verifier.operands()?;
    verifier.flow()
}

struct Verifier<'a> {
    draft: &'a Draft,
    more: &'a [u16],
    /// By slot: does it hold a constant?
    constant: Vec<bool>,
}

impl<'a> Verifier<'a> {
    fn new(draft: &'a Draft, more: &'a [u16]) -> Result<Self, Flaw> {
        let mut constant = vec![false; super::SLOTS];
        for &(slot, _) in &draft.constants {
            let known = std::mem::replace(&mut constant[usize::from(slot)], true);
            must(!known, || format!("slot {slot}"), "it has two constants")?;
        }
        let sorted = draft.constants.is_sorted_by_key(|(slot, _)| *slot);
        must(sorted, || "constants".to_owned(), "they are not in order")?;
        Ok(Self { draft, more, constant })
    }

    /// A place in the code.
    fn target(&self, target: Target, place: impl FnOnce() -> String) -> Seen {
        must((target as usize) < self.draft.code.len(), place, "a target lies outside of the code")
    }

    /// A slot that is written.
    fn written(&self, slot: Slot, place: impl FnOnce() -> String) -> Seen {
        must(!self.constant[usize::from(slot)], place, "a constant is written")
    }

    /// So many slots from one on exist.
    fn in_a_row(first: Slot, count: usize, place: impl FnOnce() -> String) -> Seen {
        must(usize::from(first) + count <= super::SLOTS, place, "slots lie behind the last one")
    }

    /// Slots that are found by number, at least so many.
    fn run(&self, base: Slot, count: usize, place: impl FnOnce() -> String) -> Seen {
        let run = usize::from(self.more[usize::from(base)]) + 1;
        must(count <= run, place, "more slots are found by number than lie there")
    }

    /// Slots that are found by number and written.
    fn written_run(&self, base: Slot, count: usize, place: impl Fn() -> String) -> Seen {
        self.run(base, count, &place)?;
        let run = usize::from(self.more[usize::from(base)]) + 1;
        let constant = self.constant[usize::from(base)..].iter().take(run).any(|constant| *constant);
        must(!constant, place, "a constant is written by number")
    }

    fn trouble(&self, trouble: u16, place: impl FnOnce() -> String) -> Seen {
        must(usize::from(trouble) < self.draft.troubles.len(), place, "there is no such trouble")
    }
}
