//! The shortest game that breaks an invariant.

use std::ops::ControlFlow;

use super::cut::Item;
use super::trial::legal;
use super::trying::{Trying, fewest};
use super::{Limits, Proof};
use crate::bind::{Bound, Entry};
use crate::evaluate::{Decision, Trouble};
use crate::log::{self, Line, Log};
use crate::machine::{Machine, Position, Program, Step, Waits, from_slot};
use crate::simulate;

use super::super::steps::steps;

/// A game that breaks an invariant, shortened.
#[derive(Debug, Clone)]
pub struct Short {
    /// Its entries.
    pub lines: Vec<String>,
    /// How short it is.
    pub proof: Proof,
    /// Positions that were searched.
    pub positions: usize,
}

impl Short {
    /// Its log.
    #[must_use]
    pub fn log(&self, head: &Log) -> String {
        let line = |text: &String| Line { text: text.clone(), ..Line::default() };
        log::write(&Log { entries: self.lines.iter().map(line).collect(), result: None, ..head.clone() })
    }
}

/// Shortens a game after which the invariant with this number does not hold. Nothing if it does not come back from
/// its entries, or holds after them.
#[must_use]
pub fn shortest_violation(
    bound: &Bound,
    program: &Program,
    entries: &[Step],
    invariant: usize,
    limits: Limits,
) -> Option<Short> {
    let mut hunt = Hunt { bound, machine: Machine::new(program), invariant, left: limits.steps };
    hunt.machine.begin().ok()?;
    let mut items = Vec::new();
    for step in entries {
        items.push(hunt.item(*step).ok()?);
    }
    if !hunt.breaks().ok()? {
        return None;
    }
    let (kept, proof, positions) = fewest(&mut hunt, items, limits).ok()?;
    Some(Short { lines: kept.into_iter().map(|item| item.text).collect(), proof, positions })
}

/// Looks for games that break an invariant.
struct Hunt<'p> {
    bound: &'p Bound,
    machine: Machine<'p>,
    invariant: usize,
    left: u64,
}

impl Hunt<'_> {
    /// A step as an entry, and what it is written as; the machine goes on behind it.
    fn item(&mut self, step: Step) -> Result<Item, Trouble> {
        let entry = entry_of(self.bound, &mut self.machine, step)?;
        Ok(Item::new(simulate::line(&mut self.machine, self.bound, step)?, Some(entry)))
    }

    fn breaks(&mut self) -> Result<bool, Trouble> {
        Ok(self.machine.broken_invariant()? == Some(self.invariant))
    }

    fn enters(&mut self, entry: &Entry) -> Result<bool, Trouble> {
        match steps(self.bound, &mut self.machine, entry)?.first() {
            Some(step) => self.machine.take(*step).map(|()| true),
            None => Ok(false),
        }
    }
}

/// What a step says, as a log would.
fn entry_of(bound: &Bound, machine: &mut Machine<'_>, step: Step) -> Result<Entry, Trouble> {
    let program = machine.program();
    Ok(match (machine.decides(&bound.types, step)?, step) {
        (Decision::Act { seat, action, args }, Step::Entry(entry)) => {
            let first = program.offers.get(entry.offer()).map_or(0, |offer| offer.bound);
            Entry::Act { seat, action, first, args: args.get(first..).unwrap_or_default().to_vec() }
        }
        (Decision::Chance(value), _) => {
            let Waits::Chance(chance) = machine.waits() else { return Ok(Entry::Unreadable { verdict: "unreadable" }) };
            let Some(chance) = program.chances.get(usize::from(chance)) else {
                return Ok(Entry::Unreadable { verdict: "unreadable" });
            };
            let at = machine.drawn_at()?;
            let indices = at.iter().zip(&chance.at).map(|(at, (_, ty))| from_slot(&bound.types, ty, *at)).collect();
            Entry::Chance { name: chance.name.clone(), indices, value: Some(value) }
        }
        (Decision::Pass { seat } | Decision::Act { seat, .. }, _) => Entry::Pass { seat },
    })
}

impl Trying for Hunt<'_> {
    type Place = Position;

    fn begin(&mut self) -> Result<(), Trouble> {
        self.machine.begin()
    }

    fn place(&self) -> (Position, usize) {
        (self.machine.position(), self.machine.state().len())
    }

    fn go(&mut self, place: &Position) {
        self.machine.load(place);
    }

    fn steps(&mut self) -> Result<Vec<Step>, Trouble> {
        legal(&mut self.machine)
    }

    fn take(&mut self, step: Step) -> ControlFlow<()> {
        if self.machine.take(step).is_err() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn write(&mut self, step: Step) -> Result<String, Trouble> {
        simulate::line(&mut self.machine, self.bound, step)
    }

    fn plays<'i>(&mut self, items: impl IntoIterator<Item = &'i Item>) -> bool {
        items.into_iter().all(|item| {
            self.left = self.left.saturating_sub(1);
            item.entry.as_ref().is_some_and(|entry| self.enters(entry).unwrap_or(false))
        })
    }

    fn may_be_same(&mut self) -> Result<bool, Trouble> {
        self.breaks()
    }

    fn is_same(&mut self, items: &[&Item]) -> bool {
        // What a search has found has been led there already.
        if items.iter().any(|item| item.entry.is_none()) {
            return true;
        }
        self.begin().is_ok() && self.plays(items.iter().copied()) && self.breaks().unwrap_or(false)
    }

    fn is_tired(&self) -> bool {
        self.left == 0
    }

    fn rest(&mut self, steps: u64) {
        self.left = steps;
    }
}
