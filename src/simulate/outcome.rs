//! How one game came out, as far as it is counted.

use super::game::Playout;
use crate::agent::Choices;
use crate::bind::ActionId;
use crate::evaluate::Try;
use crate::internal::{Must, exact};
use crate::machine::{Machine, Move, Otherwise, Program, Step};

/// What players can choose over all of a game: actions in the order of the rules, then passing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Options {
    actions: Vec<ActionId>,
    pass: bool,
    /// By offer of the program.
    of_offer: Vec<usize>,
}

impl Options {
    pub(super) fn of(program: &Program) -> Self {
        let mut actions: Vec<ActionId> = program.offers.iter().map(|offer| offer.action).collect();
        actions.sort();
        actions.dedup();
        let place = |action: ActionId| actions.binary_search(&action).must("an offer is of an action");
        let of_offer = program.offers.iter().map(|offer| place(offer.action)).collect();
        let passes = |otherwise| matches!(otherwise, Otherwise::Pass(_) | Otherwise::PassIfNothing(_));
        let pass = program.choices.iter().any(|choice| passes(choice.otherwise));
        Self { actions, pass, of_offer }
    }

    pub(super) fn len(&self) -> usize {
        self.actions.len() + usize::from(self.pass)
    }

    /// The actions; nothing for passing.
    pub(super) fn iter(&self) -> impl Iterator<Item = Option<ActionId>> + '_ {
        self.actions.iter().copied().map(Some).chain(self.pass.then_some(None))
    }

    /// The place of an entry among the options.
    pub(super) fn place(&self, entry: Move) -> usize {
        if entry == Move::PASS { self.actions.len() } else { self.place_of(exact(entry.offer())) }
    }

    /// The place of an offer of the program among the options.
    pub(super) fn place_of(&self, offer: u16) -> usize {
        self.of_offer.get(usize::from(offer)).copied().must("an entry is of an offer")
    }
}

/// A game that was played.
#[derive(Debug, Clone, Default)]
pub(super) struct Outcome {
    /// Did it come to its end?
    pub(super) over: bool,
    /// How many there were.
    pub(super) entries: u64,
    /// By seat, if it is over.
    pub(super) scores: Vec<i64>,
    /// If it is over.
    pub(super) winners: Vec<u32>,
    /// How often each option was chosen.
    pub(super) chosen: Vec<u64>,
    /// By seat, what its player chose between; nobody if all play at random.
    pub(super) choices: Vec<Choices>,
}

impl Outcome {
    /// Reads what came of a game where the machine stands at its end.
    pub(super) fn read(&mut self, machine: &mut Machine<'_>, options: &Options, playout: &Playout) -> Try<()> {
        self.over = playout.over;
        self.entries = playout.entries.len() as u64;
        self.scores.clear();
        self.winners.clear();
        self.chosen.clear();
        self.chosen.resize(options.len(), 0);
        for step in &playout.entries {
            if let Step::Entry(entry) = step
                && let Some(count) = self.chosen.get_mut(options.place(*entry))
            {
                *count += 1;
            }
        }
        if playout.over {
            for seat in 0..machine.program().players {
                self.scores.push(machine.score(seat)?);
            }
            self.winners.extend(machine.winners()?);
        }
        Ok(())
    }

    /// Points between the first and the second.
    pub(super) fn margin(&self) -> Option<i64> {
        let (mut first, mut second) = (None, None);
        for &score in &self.scores {
            if first.is_none_or(|first| score > first) {
                second = first.replace(score);
            } else if second.is_none_or(|second| score > second) {
                second = Some(score);
            }
        }
        first?.checked_sub(second?)
    }
}
