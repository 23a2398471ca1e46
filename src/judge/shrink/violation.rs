//! The shortest game that breaks an invariant, or that ends with a runtime error.

use crate::impossible;
use crate::internal::Must;
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

/// A game that breaks an invariant or fails, shortened.
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
    let mut hunt = Hunt::new(bound, program, Goal::Invariant(invariant), limits);
    hunt.machine.begin().ok()?;
    let mut items = Vec::new();
    for step in entries {
        items.push(hunt.item(*step).ok()?);
    }
    hunt.shortest(items, limits)
}

/// Shortens a game that ends with this runtime error. Nothing if it does not come back from its entries.
#[must_use]
pub fn shortest_failure(
    bound: &Bound,
    program: &Program,
    entries: &[Step],
    trouble: &Trouble,
    limits: Limits,
) -> Option<Short> {
    let mut hunt = Hunt::new(bound, program, Goal::Failure(trouble.clone()), limits);
    hunt.machine.begin().ok()?;
    let mut items = Vec::new();
    for step in entries {
        let place = hunt.machine.position();
        match hunt.item(*step) {
            Ok(item) => items.push(item),
            Err(found) if found == *trouble => {
                hunt.machine.load(&place);
                break;
            }
            Err(_) => return None,
        }
    }
    hunt.shortest(items, limits)
}

/// So many steps of the machine count as one try.
const STEPS_A_TRY: u64 = 100;

/// What a game is looked for that has it.
enum Goal {
    /// The invariant with this number does not hold.
    Invariant(usize),
    /// This runtime error comes, when the position is asked for something or with the next step.
    Failure(Trouble),
}

/// Looks for games that reach a goal.
struct Hunt<'p> {
    bound: &'p Bound,
    machine: Machine<'p>,
    goal: Goal,
    /// The step with which the last game that was found fails, as a log writes it.
    last: Option<String>,
    left: u64,
}

impl<'p> Hunt<'p> {
    fn new(bound: &'p Bound, program: &'p Program, goal: Goal, limits: Limits) -> Self {
        Self { bound, machine: Machine::new(program), goal, last: None, left: limits.steps }
    }

    /// Shortens a game whose entries were played.
    fn shortest(mut self, items: Vec<Item>, limits: Limits) -> Option<Short> {
        if !self.reaches().ok()? {
            return None;
        }
        let (kept, proof, positions) = fewest(&mut self, items, limits).ok()?;
        let lines = kept.into_iter().map(|item| item.text).chain(self.last).collect();
        Some(Short { lines, proof, positions })
    }

    /// A step as an entry, and what it is written as; the machine goes on behind it.
    fn item(&mut self, step: Step) -> Result<Item, Trouble> {
        let entry = entry_of(self.bound, &mut self.machine, step)?;
        Ok(Item::new(simulate::line(&mut self.machine, self.bound, step)?, Some(entry)))
    }

    /// Counts one more try: a long one counts for many.
    fn count(&mut self) {
        self.left = self.left.saturating_sub(1 + self.machine.steps_taken() / STEPS_A_TRY);
    }

    /// Is the goal reached where the machine stands?
    fn reaches(&mut self) -> Result<bool, Trouble> {
        match &self.goal {
            Goal::Invariant(number) => Ok(self.machine.broken_invariant()? == Some(*number)),
            Goal::Failure(wanted) => {
                let wanted = wanted.clone();
                self.fails(&wanted)
            }
        }
    }

    /// Does the wanted error come here? If a step leads to it, that is noted.
    fn fails(&mut self, wanted: &Trouble) -> Result<bool, Trouble> {
        let here = self.machine.position();
        let asked = asked(&mut self.machine, wanted);
        self.count();
        let found = match asked {
            Err(trouble) => {
                self.last = if trouble == *wanted { None } else { self.last.take() };
                trouble == *wanted
            }
            Ok(steps) => {
                let mut fails = None;
                for step in steps {
                    if self.left == 0 {
                        break;
                    }
                    self.machine.load(&here);
                    let taken = self.machine.take(step);
                    self.count();
                    if taken.is_err_and(|trouble| trouble == *wanted) {
                        fails = Some(step);
                        break;
                    }
                }
                self.machine.load(&here);
                if let Some(step) = fails {
                    self.last = Some(simulate::text(&mut self.machine, self.bound, step)?);
                }
                fails.is_some()
            }
        };
        self.machine.load(&here);
        Ok(found)
    }

    fn enters(&mut self, entry: &Entry) -> Result<bool, Trouble> {
        match steps(self.bound, &mut self.machine, entry)?.first() {
            Some(step) => self.machine.take(*step).map(|()| true),
            None => Ok(false),
        }
    }
}

/// Everything that a simulation asks of a position. Gives the steps that can follow.
fn asked(machine: &mut Machine<'_>, wanted: &Trouble) -> Result<Vec<Step>, Trouble> {
    // Not everybody asks whether invariants hold: another error there is none of this game.
    if let Err(trouble) = machine.broken_invariant()
        && trouble == *wanted
    {
        return Err(trouble);
    }
    if machine.waits() == Waits::Nothing {
        for seat in 0..machine.program().players {
            machine.score(seat)?;
        }
        machine.winners()?;
        return Ok(Vec::new());
    }
    legal(machine)
}

/// What a step says, as a log would.
fn entry_of(bound: &Bound, machine: &mut Machine<'_>, step: Step) -> Result<Entry, Trouble> {
    let program = machine.program();
    Ok(match (machine.decides(&bound.types, step)?, step) {
        (Decision::Act { seat, action, args }, Step::Entry(entry)) => {
            let first = program.offers.get(entry.offer()).must("an entry is of an offer").bound;
            let args = args.get(first..).must("the flow binds arguments that are there").to_vec();
            Entry::Act { seat, action, first, args, others: Vec::new() }
        }
        (Decision::Chance(value), _) => {
            let Waits::Chance(chance) = machine.waits() else { impossible!("chance decides where nothing is drawn") };
            let chance = program.chances.get(usize::from(chance)).must("a machine waits for a chance of its program");
            let at = machine.drawn_at()?;
            let indices = at.iter().zip(&chance.at).map(|(at, (_, ty))| from_slot(&bound.types, ty, *at)).collect();
            Entry::Chance { name: chance.name.clone(), indices, value: Some(value) }
        }
        (Decision::Pass { seat }, _) => Entry::Pass { seat },
        (Decision::Act { .. }, Step::Drawn(_)) => impossible!("what chance gives is taken for an action"),
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
        match self.goal {
            Goal::Invariant(_) => legal(&mut self.machine),
            // Whatever else fails leads nowhere.
            Goal::Failure(_) => Ok(legal(&mut self.machine).unwrap_or_default()),
        }
    }

    fn take(&mut self, step: Step) -> ControlFlow<()> {
        let taken = self.machine.take(step);
        self.count();
        if taken.is_err() || self.left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn write(&mut self, step: Step) -> Result<String, Trouble> {
        simulate::line(&mut self.machine, self.bound, step)
    }

    fn plays<'i>(&mut self, items: impl IntoIterator<Item = &'i Item>) -> bool {
        items.into_iter().all(|item| {
            let entered = item.entry.as_ref().is_some_and(|entry| self.enters(entry).unwrap_or(false));
            self.count();
            entered && self.left > 0
        })
    }

    fn may_be_same(&mut self) -> Result<bool, Trouble> {
        self.reaches()
    }

    fn is_same(&mut self, items: &[&Item]) -> bool {
        // What a search has found has been led there already.
        if items.iter().any(|item| item.entry.is_none()) {
            return true;
        }
        self.begin().is_ok() && self.plays(items.iter().copied()) && self.reaches().unwrap_or(false)
    }

    fn is_tired(&self) -> bool {
        self.left == 0
    }

    fn rest(&mut self, steps: u64) {
        self.left = steps;
    }
}
