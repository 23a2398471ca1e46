//! What is owed: things that somebody is known to have had later on, so that they must have come to that seat, and to
//! nobody else.
//!
//! A deal comes before everything that is learnt about it. Drawn blindly, hardly one in a million deals would agree
//! with what was played since; so whatever made a world impossible is taken into account by the draws of the next.

use super::secrets::{Told, known_arguments};
use super::worlds::Known;
use crate::bind::Type;
use crate::machine::{Program, Random, Step, Waits};

#[derive(Debug, Default)]
pub(super) struct Owed {
    debts: Vec<Debt>,
    /// What draws gave in the world at hand, without the seat knowing: at which step, what.
    given: Vec<(usize, i64)>,
    /// Nothing is owed, whatever is learnt.
    ignored: bool,
}

#[derive(Debug)]
struct Debt {
    value: i64,
    ty: Type,
    /// To whom; to nobody whose draws are not seen, if no seat is named.
    seat: Option<u32>,
    /// From this step on: what was drawn before may have come back.
    since: usize,
    /// Up to this one.
    by: usize,
    /// Where the seat gets it in the world at hand.
    paid: Option<usize>,
}

impl Owed {
    pub(super) fn clear(&mut self) {
        self.debts.clear();
        self.ignored = false;
    }

    /// What was learnt leads nowhere.
    pub(super) fn ignore(&mut self) {
        self.clear();
        self.ignored = true;
    }

    /// A new world: nobody has got anything.
    pub(super) fn begin(&mut self) {
        self.given.clear();
        self.debts.iter_mut().for_each(|debt| debt.paid = None);
    }

    /// At this step there was no way on.
    pub(super) fn learn(&mut self, program: &Program, course: &[Known], at: usize) {
        let Some(known) = course.get(at).filter(|_| !self.ignored) else { return };
        let (seat, values) = match (known.told, known.waits) {
            (Told::Step(Step::Drawn(value)), Waits::Chance(chance)) => {
                (None, program.chances.get(usize::from(chance)).map(|chance| (value, &chance.ty)).into_iter().collect())
            }
            (told, Waits::Player { seat, .. }) => (Some(seat), known_arguments(program, told)),
            _ => return,
        };
        for (value, ty) in values {
            let drawn = self.given.iter().rev().find(|(_, given)| *given == value).map(|(step, _)| *step);
            let same = |debt: &&mut Debt| debt.value == value && debt.by == at && debt.ty == *ty.plain();
            match self.debts.iter_mut().find(same) {
                Some(Debt { since, paid: Some(early), .. }) => *since = *early + 1,
                Some(debt) => debt.since = debt.since.min(drawn.unwrap_or(debt.since)),
                None => {
                    let to_seat = |known: &Known| matches!(known.told, Told::Drawn(owner) if owner == seat);
                    let since = drawn.or_else(|| course.iter().position(to_seat)).unwrap_or(0);
                    self.debts.push(Debt { value, ty: ty.plain().clone(), seat, since, by: at, paid: None });
                }
            }
        }
    }

    /// Notes what a draw gave that the seat does not know.
    pub(super) fn pay(&mut self, at: usize, told: Told, step: Step) {
        if let (Told::Drawn(owner), Step::Drawn(value)) = (told, step) {
            self.given.push((at, value));
            let due = self.debts.iter_mut().filter(|debt| debt.value == value && debt.is_open(at) && debt.is_to(owner));
            due.for_each(|debt| debt.paid = Some(at));
        }
    }

    /// Leaves only what a draw for `owner` may give: nothing that is owed to others, and what is owed to the owner
    /// with just the chance that makes every deal with all of it alike.
    pub(super) fn choose(
        &self,
        program: &Program,
        course: &[Known],
        (at, owner): (usize, Option<u32>),
        possible: &mut Vec<(Step, u64)>,
        random: &mut Random,
    ) {
        let Some(Waits::Chance(chance)) = course.get(at).map(|known| known.waits) else { return };
        let Some(ty) = program.chances.get(usize::from(chance)).map(|chance| chance.ty.plain()) else { return };
        let open = || self.debts.iter().filter(|debt| debt.is_open(at) && debt.ty == *ty);
        let due =
            |step: &Step, own: bool| open().any(|debt| *step == Step::Drawn(debt.value) && debt.is_to(owner) == own);
        possible.retain(|(step, _)| !due(step, false) || due(step, true));
        let wanted = possible.iter().filter(|(step, _)| due(step, true)).count() as u64;
        if wanted == 0 {
            return;
        }
        let first = open().filter(|debt| debt.is_to(owner)).map(|debt| debt.by).min();
        let ahead = course.iter().take(first.unwrap_or(at)).skip(at);
        let draws = ahead.filter(|known| known.told == Told::Drawn(owner)).count() as u64;
        let from_debts = random.below(draws.max(wanted)) < wanted;
        possible.retain(|(step, _)| due(step, true) == from_debts);
    }
}

impl Debt {
    /// Is it to be paid at this step?
    fn is_open(&self, at: usize) -> bool {
        (self.since..self.by).contains(&at) && self.paid.is_none()
    }

    /// Is it owed to the seat that a draw is for?
    fn is_to(&self, owner: Option<u32>) -> bool {
        self.seat.is_some() && self.seat == owner
    }
}
