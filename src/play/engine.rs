//! The compiled engine below a session: positions as bytes, and what they mean in the terms of the rules.
//!
//! Going on is one step from where the game stands, not the whole game again, and taking back is one copy.
//! What the engine does not know (what is bound by an offer that does not fit) is left open, for the reference to say.

use super::Random;
use crate::agent::Player;
use crate::bind::Bound;
use crate::evaluate::{Audience, Choice, Decision, Pause, Stand, Trouble, Try};
use crate::internal::{Must, exact};
use crate::machine::{Machine, Move, Otherwise, Position, Program, Step, Waits, from_slot, to_slot};
use crate::report::Span;

/// A machine with everything that leads back to the beginning.
#[derive(Debug)]
pub(super) struct Engine<'c> {
    bound: &'c Bound,
    program: &'c Program,
    machine: Machine<'c>,
    /// Where the game stood after each decision, and what the last action had cost by then.
    positions: Vec<(Position, i64)>,
    /// What was entered, as the machine has it.
    steps: Vec<Step>,
    /// Was everything played here, so that all of it can be told?
    whole: bool,
}

impl<'c> Engine<'c> {
    pub(super) fn new(bound: &'c Bound, program: &'c Program) -> Try<Self> {
        let mut machine = Machine::new(program);
        machine.begin()?;
        Ok(Self { whole: true, ..Self::with(bound, program, machine, 0) })
    }

    /// At a position, with what the last action had cost by then.
    pub(super) fn at(bound: &'c Bound, program: &'c Program, position: &Position, paid: i64) -> Self {
        let mut machine = Machine::new(program);
        machine.load(position);
        Self::with(bound, program, machine, paid)
    }

    fn with(bound: &'c Bound, program: &'c Program, machine: Machine<'c>, paid: i64) -> Self {
        let positions = vec![(machine.position(), paid)];
        Self { bound, program, machine, positions, steps: Vec::new(), whole: false }
    }

    /// Where the game stands; nothing if that takes the reference to say.
    pub(super) fn stand(&mut self) -> Try<Option<Stand>> {
        let state = self.machine.read(&self.bound.types);
        let paid = self.positions.last().must("a game has a position").1;
        let pause = self.pause();
        let pause = self.settled(pause)?;
        if pause.is_none() {
            self.reload();
        }
        Ok(pause.map(|pause| Stand { state, pause, paid }))
    }

    fn pause(&mut self) -> Try<Option<Pause>> {
        let types = &self.bound.types;
        match self.machine.waits() {
            Waits::Nothing => Ok(Some(Pause::Over)),
            Waits::Player { choice, seat } => {
                let point =
                    self.program.choices.get(usize::from(choice)).must("a machine waits at a choice of its program");
                let mut offers = Vec::new();
                for number in point.offers.clone() {
                    match self.machine.offered(types, number) {
                        Some(offer) => offers.push(offer),
                        None if self.whole => return Ok(None),
                        // It stands for nothing.
                        None => {}
                    }
                }
                let pass = match point.otherwise {
                    Otherwise::Pass(_) => true,
                    Otherwise::PassIfNothing(_) => self.machine.is_legal(Move::PASS)?,
                    Otherwise::Must(_) | Otherwise::Skip(_) => false,
                };
                Ok(Some(Pause::Choose(Choice { seat, offers, pass, span: point.span })))
            }
            Waits::Chance(chance) => {
                let chance =
                    self.program.chances.get(usize::from(chance)).must("a machine waits for a chance of its program");
                let seen = if self.whole { self.machine.drawn_for()? } else { Audience::Nobody };
                let indices = self.machine.drawn_at()?;
                let indices = indices.iter().zip(&chance.at).map(|(&value, (_, ty))| from_slot(types, ty, value));
                let indices = indices.collect();
                let outcomes = self.machine.outcomes()?.iter();
                let candidates = outcomes.map(|&(value, weight)| (from_slot(types, &chance.ty, value), weight));
                let candidates = candidates.collect();
                Ok(Some(Pause::Chance { name: chance.name.clone(), indices, candidates, seen }))
            }
        }
    }

    /// Every legal decision of a player, in order.
    pub(super) fn legal(&mut self) -> Try<Vec<Decision>> {
        let moves = self.machine.moves().map(<[Move]>::to_vec);
        let mut legal = Vec::new();
        for entry in self.settled(moves)? {
            let decision = self.machine.decision(&self.bound.types, entry);
            legal.push(self.settled(decision)?);
        }
        Ok(legal)
    }

    /// One of these, each alike: by its place in the list.
    pub(super) fn draw(&mut self, random: &mut Random) -> Try<Option<Decision>> {
        let count = self.machine.moves().map(|moves| moves.len() as u64);
        let count = self.settled(count)?;
        if count == 0 {
            return Ok(None);
        }
        let nth = exact::<_, usize>(random.below(count));
        let &entry = self.machine.moves()?.get(nth).must("a place that was drawn is one of the list");
        self.machine.decision(&self.bound.types, entry).map(Some)
    }

    /// What somebody chooses who knows no more than the seat that is asked.
    pub(super) fn choose(&mut self, player: &mut Player<'_>, random: &mut Random) -> Try<Option<Decision>> {
        let chosen = player.choose(&mut self.machine, &self.steps, random);
        let Some(entry) = self.settled(chosen)? else { return Ok(None) };
        self.machine.decision(&self.bound.types, entry).map(Some)
    }

    /// Is this legal for whoever is asked?
    pub(super) fn allows(&mut self, decision: &Decision) -> Try<bool> {
        let found = self.find(decision);
        Ok(self.settled(found)?.is_some())
    }

    /// The entry that means this and is legal. One action may be offered several times, with other things
    /// bound by the flow.
    fn find(&mut self, decision: &Decision) -> Try<Option<Move>> {
        let Waits::Player { choice, seat } = self.machine.waits() else { return Ok(None) };
        let offers = self.program.choices.get(usize::from(choice)).map(|point| point.offers.clone());
        match decision {
            Decision::Chance(_) => Ok(None),
            Decision::Pass { seat: who } => {
                let legal = *who == seat && self.machine.is_legal(Move::PASS)?;
                Ok(legal.then_some(Move::PASS))
            }
            Decision::Act { seat: who, .. } if *who != seat => Ok(None),
            Decision::Act { .. } => {
                for number in offers.into_iter().flatten() {
                    if let Some(entry) = self.machine.entry_of(&self.bound.types, number, decision)
                        && self.machine.is_legal(entry)?
                        && self.machine.decision(&self.bound.types, entry)? == *decision
                    {
                        return Ok(Some(entry));
                    }
                }
                Ok(None)
            }
        }
    }

    /// Decides what is legal.
    pub(super) fn enter(&mut self, decision: &Decision) -> Try<()> {
        let before = self.positions.last().must("a game has a position").1;
        let played = self.follow(decision);
        let step = self.settled(played)?;
        let paid = if matches!(decision, Decision::Act { .. }) { self.machine.paid() } else { before };
        self.positions.push((self.machine.position(), paid));
        self.steps.push(step);
        Ok(())
    }

    fn follow(&mut self, decision: &Decision) -> Try<Step> {
        let astray = || Trouble { message: "this cannot be entered here".to_owned(), span: Span::default() };
        let step = match (decision, self.machine.waits()) {
            (Decision::Chance(value), Waits::Chance(chance)) => {
                let ty = self.program.chances.get(usize::from(chance)).map(|chance| &chance.ty);
                let value: Option<i64> = ty.and_then(|ty| to_slot(&self.bound.types, ty, value));
                Step::Drawn(value.ok_or_else(astray)?)
            }
            _ => Step::Entry(self.find(decision)?.ok_or_else(astray)?),
        };
        self.machine.take(step)?;
        Ok(step)
    }

    /// Takes the last decision back. False if there is none.
    pub(super) fn undo(&mut self) -> bool {
        let any = self.positions.len() > 1;
        if any {
            self.positions.pop();
            self.steps.pop();
            self.reload();
        }
        any
    }

    /// Where the game stands, as bytes.
    pub(super) fn position(&self) -> Position {
        self.positions.last().must("a game has a position").0.clone()
    }

    /// After a trouble the machine stands somewhere in the middle of a rule.
    fn settled<T>(&mut self, result: Try<T>) -> Try<T> {
        if result.is_err() {
            self.reload();
        }
        result
    }

    fn reload(&mut self) {
        if let Some((position, _)) = self.positions.last() {
            self.machine.load(position);
        }
    }
}
