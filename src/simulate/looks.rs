//! The close looks of a run, added up in the order of the games, as far as a budget of work goes.
//!
//! The games that count are the longest run of first ones whose looks fit into the budget together. Which they are
//! depends on the games only, not on threads: a thread may look at a game that turns out to lie behind the end, and that
//! look is thrown away.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::found::Found;
use super::look::Sight;
use super::report::Difference;
use crate::statistics::Overflow;

/// The looks of a run.
#[derive(Debug)]
pub(super) struct Looks(Mutex<Pile>);

/// What is known so far.
#[derive(Debug)]
struct Pile {
    /// The place of the game that is added next.
    next: u64,
    /// Work that may still be done.
    left: u64,
    /// The first game did not fit that would have been next.
    closed: bool,
    /// Games that were looked at before their turn, with their work.
    waiting: BTreeMap<u64, Option<Looked>>,
    /// The work of these.
    waiting_work: u64,
    sums: Sums,
    overflow: bool,
}

/// What the looks add up to.
#[derive(Debug, Clone)]
pub(super) struct Sums {
    /// Table by table.
    pub(super) found: Vec<Found>,
    /// How the lead changes, of each table but the first beside the first.
    pub(super) leads: Vec<Difference>,
    /// Games that were not looked at because the budget was used up.
    pub(super) skipped: u64,
    /// What is left of the budget.
    pub(super) left: u64,
}

/// A game at all tables that was looked at; nothing for a table where it failed.
pub(super) type Looked = Vec<Option<Sight>>;

impl Looks {
    /// Looks at games from this place on, at so many tables, with so much work.
    pub(super) fn new(first: u64, tables: usize, work: u64) -> Self {
        let sums = Sums {
            found: vec![Found::default(); tables],
            leads: vec![Difference::default(); tables.saturating_sub(1)],
            skipped: 0,
            left: work,
        };
        Self(Mutex::new(Pile {
            next: first,
            left: work,
            closed: false,
            waiting: BTreeMap::new(),
            waiting_work: 0,
            sums,
            overflow: false,
        }))
    }

    fn pile(&self) -> MutexGuard<'_, Pile> {
        // Whoever panicked ends the run anyway.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The most work that a look at the next game may take: it cannot count if it takes more.
    pub(super) fn left(&self) -> u64 {
        let pile = self.pile();
        if pile.closed { 0 } else { pile.left }
    }

    /// The game at this place was looked at; `None` if that took more work than there was.
    pub(super) fn add(&self, place: u64, looked: Option<Looked>) {
        let mut pile = self.pile();
        let pile = &mut *pile;
        pile.waiting_work = pile.waiting_work.saturating_add(looked.as_ref().map_or(0, work));
        pile.waiting.insert(place, looked);
        pile.take_in();
        pile.forget();
    }

    /// What all of them add up to.
    pub(super) fn end(self) -> Result<Sums, Overflow> {
        let mut pile = self.0.into_inner().unwrap_or_else(PoisonError::into_inner);
        pile.sums.left = if pile.closed { 0 } else { pile.left };
        if pile.overflow { Err(Overflow) } else { Ok(pile.sums) }
    }
}

/// The work of a game at all tables.
fn work(looked: &Looked) -> u64 {
    looked.iter().flatten().fold(0, |sum, sight| sum.saturating_add(sight.work))
}

impl Pile {
    /// Adds the games whose turn it is.
    fn take_in(&mut self) {
        while let Some(looked) = self.waiting.remove(&self.next) {
            self.next += 1;
            let work = looked.as_ref().map_or(0, work);
            self.waiting_work = self.waiting_work.saturating_sub(work);
            match looked.filter(|_| !self.closed && work <= self.left) {
                Some(looked) => {
                    self.left -= work;
                    self.overflow |= self.sums.add(&looked).is_err();
                }
                None => {
                    self.closed = true;
                    self.sums.skipped += 1;
                }
            }
        }
    }

    /// Games that can no longer fit, because those before them take all that is left, need not be kept.
    fn forget(&mut self) {
        let all = if self.closed { 0 } else { self.left };
        for looked in self.waiting.values_mut().rev() {
            if self.waiting_work <= all {
                break;
            }
            if let Some(gone) = looked.take() {
                self.waiting_work = self.waiting_work.saturating_sub(work(&gone));
            }
        }
    }
}

impl Sums {
    fn add(&mut self, looked: &Looked) -> Result<(), Overflow> {
        for (sum, sight) in self.found.iter_mut().zip(looked) {
            if let Some(sight) = sight {
                sum.merge(&sight.found)?;
            }
        }
        let Some(Some(base)) = looked.first() else { return Ok(()) };
        for (lead, sight) in self.leads.iter_mut().zip(looked.iter().skip(1)) {
            let changes = sight.as_ref().and_then(|sight| sight.lead_changes);
            if let Some((base, changes)) = base.lead_changes.zip(changes) {
                lead.add(base, changes)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sight(work: u64) -> Looked {
        vec![Some(Sight { found: Found::one(), lead_changes: Some(0), work })]
    }

    /// What is left in which order games are looked at in: how many count, and how many do not.
    fn added(work: u64, games: &[(u64, Option<u64>)]) -> (u64, u64, u64, usize) {
        let looks = Looks::new(0, 1, work);
        let mut kept = 0;
        for (place, work) in games {
            looks.add(*place, work.map(sight));
            kept = kept.max(looks.pile().waiting.values().flatten().count());
        }
        let sums = looks.end().expect("room");
        (sums.found[0].games, sums.skipped, sums.left, kept)
    }

    #[test]
    fn the_first_games_that_fit_count_whatever_the_order() {
        let mut games = vec![(0, Some(3)), (1, Some(4)), (2, Some(2)), (3, Some(5)), (4, Some(1))];
        assert_eq!(added(100, &games), (5, 0, 85, 0));
        // The fourth does not fit, and the fifth does not count though it would.
        assert_eq!(added(11, &games), (3, 2, 0, 0));
        games.reverse();
        assert_eq!(added(11, &games), (3, 2, 0, 3));
        games.swap(1, 3);
        assert_eq!((added(11, &games).0, added(11, &games).1), (3, 2));
        // One that could not be looked at for want of work ends it, too.
        assert_eq!(added(11, &[(1, None), (2, Some(1)), (0, Some(1))]), (1, 2, 0, 1));
    }

    #[test]
    fn what_cannot_fit_any_more_is_not_kept() {
        let games: Vec<(u64, Option<u64>)> = (1..1000).map(|place| (place, Some(10))).collect();
        let (count, _, _, kept) = added(100, &games);
        assert_eq!((count, kept), (0, 10));
    }
}
