//! A step from one pause to the next: what a player entered, or what chance gave.

use super::run::Wanted;
use super::{Machine, Move, Seen, Waits, from_slot};
use crate::bind::{Types, Value};
use crate::evaluate::{Audience, Decision, Trouble};

/// What was entered, packed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Step {
    /// By a player.
    Entry(Move),
    /// By chance.
    Drawn(i64),
}

impl Machine<'_> {
    /// Takes a step; it must be legal.
    pub fn take(&mut self, step: Step) -> Result<(), Trouble> {
        match step {
            Step::Entry(entry) => self.play(entry),
            Step::Drawn(value) => self.draw(value),
        }
    }

    /// Is a step legal here?
    pub fn allows(&mut self, step: Step) -> Result<bool, Trouble> {
        match step {
            Step::Entry(entry) => self.is_legal(entry),
            Step::Drawn(value) => self.can_come(value),
        }
    }

    /// What chance can give here, with weights, in order.
    pub fn outcomes(&mut self) -> Result<&[(i64, u64)], Trouble> {
        if self.weighed {
            return Ok(&self.desk.outcomes);
        }
        self.renew();
        self.weigh_all()
    }

    /// The same, with the steps that are left.
    pub(super) fn weigh_all(&mut self) -> Result<&[(i64, u64)], Trouble> {
        self.desk.outcomes.clear();
        if let Waits::Chance(chance) = self.waits() {
            let halt = self.run(self.chance_at(chance).every, Wanted::All);
            self.must_be_done(halt)?;
            self.weighed = true;
        }
        Ok(&self.desk.outcomes)
    }

    /// The indices of the place that chance fills here.
    pub fn drawn_at(&mut self) -> Result<Vec<i64>, Trouble> {
        let Waits::Chance(chance) = self.waits() else { return Ok(Vec::new()) };
        let chance = self.chance_at(chance);
        self.renew();
        let halt = self.run(chance.indices, Wanted::All);
        self.must_be_done(halt)?;
        Ok(chance.at.iter().map(|(slot, _)| self.slots[usize::from(*slot)]).collect())
    }

    /// Can chance give this value of its type here?
    fn can_come(&mut self, value: i64) -> Result<bool, Trouble> {
        let Waits::Chance(chance) = self.waits() else { return Ok(false) };
        let chance = self.chance_at(chance);
        if !chance.has(value) {
            return Ok(false);
        }
        self.slots[usize::from(chance.value)] = value;
        self.weighed = false;
        self.desk.outcomes.clear();
        self.renew();
        let halt = self.run(chance.test, Wanted::All);
        self.must_be_done(halt)?;
        Ok(!self.desk.outcomes.is_empty())
    }

    /// Who sees what chance gives here.
    pub fn drawn_for(&mut self) -> Result<Audience, Trouble> {
        let Waits::Chance(chance) = self.waits() else { return Ok(Audience::All) };
        let chance = self.chance_at(chance);
        match chance.seen {
            Seen::All => Ok(Audience::All),
            Seen::Nobody => Ok(Audience::Nobody),
            Seen::Seat(slot) => {
                self.renew();
                let halt = self.run(chance.indices, Wanted::All);
                self.must_be_done(halt)?;
                Ok(u32::try_from(self.slots[usize::from(slot)]).map_or(Audience::Nobody, Audience::Seat))
            }
        }
    }

    /// What a step decides here.
    pub fn decides(&mut self, types: &Types, step: Step) -> Result<Decision, Trouble> {
        match step {
            Step::Entry(entry) => self.decision(types, entry),
            Step::Drawn(value) => {
                let chance = match self.waits() {
                    Waits::Chance(chance) => self.program().chances.get(usize::from(chance)),
                    _ => None,
                };
                Ok(Decision::Chance(chance.map_or(Value::Unknown, |chance| from_slot(types, &chance.ty, value))))
            }
        }
    }
}
