//! What shortening needs to know: a game that can be led anywhere, and what about it is to be kept.
//!
//! Leaving out and searching are the same whatever is looked for: a verdict, an invariant that breaks, a
//! difference between two rulesets. Who looks for something new says so here.

use std::hash::Hash;
use std::ops::ControlFlow;

use super::cut::Item;
use super::search::{self, Search};
use super::{Limits, Proof, reduce};
use crate::evaluate::Trouble;
use crate::machine::Step;

/// A game that can be led anywhere, and somebody who knows what is to be kept.
pub(crate) trait Trying {
    /// Where it stands. From equal places the same can follow.
    type Place: Eq + Hash;

    /// Goes to the beginning.
    fn begin(&mut self) -> Result<(), Trouble>;

    /// Where it stands now, and how many bytes that takes.
    fn place(&self) -> (Self::Place, usize);

    /// Goes to where it has stood before.
    fn go(&mut self, place: &Self::Place);

    /// Everything that can be entered here.
    fn steps(&mut self) -> Result<Vec<Step>, Trouble>;

    /// Enters one of these. Breaks off where nothing can follow that is worth looking at.
    fn take(&mut self, step: Step) -> ControlFlow<()>;

    /// The same, and how it is written.
    fn write(&mut self, step: Step) -> Result<String, Trouble>;

    /// Enters these, as far as they are legal; says whether all of them are.
    fn plays<'i>(&mut self, items: impl IntoIterator<Item = &'i Item>) -> bool;

    /// Can this be what is looked for? Whoever says yes has to be asked thoroughly.
    fn may_be_same(&mut self) -> Result<bool, Trouble>;

    /// Do these entries, from the beginning, lead to what is to be kept?
    fn is_same(&mut self, items: &[&Item]) -> bool;

    /// Is the work done that may be done?
    fn is_tired(&self) -> bool;

    /// Allows more work.
    fn rest(&mut self, steps: u64);

    /// Is something unknown, so that a game cannot be led but only be read?
    fn is_open(&self) -> bool {
        false
    }
}

/// The fewest entries that were found, how short that is, and how many positions were searched.
pub(crate) fn fewest<T: Trying>(
    trial: &mut T,
    items: Vec<Item>,
    limits: Limits,
) -> Result<(Vec<Item>, Proof, usize), Trouble> {
    let (mut kept, whole) = reduce::reduce(trial, items);
    let mut proof = if whole { Proof::Minimal } else { Proof::Unproved };
    let mut positions = 0;
    if kept.is_empty() {
        proof = Proof::Shortest;
    } else if !trial.is_open() {
        trial.rest(limits.steps);
        match search::shorter(trial, kept.len(), limits.positions, &mut positions)? {
            Search::Shorter(found) => (kept, proof) = (found, Proof::Shortest),
            Search::None => proof = Proof::Shortest,
            Search::Tired => {}
        }
    }
    Ok((kept, proof, positions))
}
