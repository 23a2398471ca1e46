//! Legal entries: all of them, how many, whether there is one, or one of them at random.
//!
//! The order is that of the rules: offers as they stand in the `choose`, arguments in the order of their
//! domains, the first parameter running slowest, a pass last.

use super::Program;
use super::lots::{Lot, Lots};
use super::program::{Chance, Choice, Otherwise};
use super::run::{Halt, Wanted};
use super::{Machine, Waits};
use crate::evaluate::Trouble;
use crate::impossible;
use crate::internal::Must;

/// An entry of a player, packed: the number of its offer and its arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(pub u64);

impl Move {
    /// Bits for the number of the offer.
    pub const OFFER_BITS: u32 = 12;

    /// To pass.
    pub const PASS: Self = Self(u64::MAX);

    /// The number of the offer.
    #[must_use]
    pub fn offer(self) -> usize {
        usize::try_from(self.0 & ((1 << Self::OFFER_BITS) - 1)).unwrap_or(0)
    }
}

/// Where random numbers come from.
pub trait Dice {
    /// A number below `count`, each equally likely; `count` is above 0.
    fn below(&mut self, count: u64) -> u64;
}

impl<'p> Machine<'p> {
    /// Every legal entry, in order.
    pub fn moves(&mut self) -> Result<&[Move], Trouble> {
        if !self.listed {
            self.renew();
            self.list()?;
        }
        Ok(self.desk.moves.get(..self.desk.count).unwrap_or_default())
    }

    /// How many legal entries there are.
    pub fn count(&mut self) -> Result<u64, Trouble> {
        Ok(self.moves()?.len() as u64)
    }

    /// The first legal entry, without looking for the others.
    pub fn first(&mut self) -> Result<Option<Move>, Trouble> {
        if self.listed {
            return Ok(self.moves()?.first().copied());
        }
        let Waits::Player { choice, .. } = self.waits() else { return Ok(None) };
        self.renew();
        let found = self.is_any(choice)?.then(|| self.desk.moves.first().copied()).flatten();
        let otherwise = self.choice(choice).otherwise;
        let may_pass = matches!(otherwise, Otherwise::Pass(_) | Otherwise::PassIfNothing(_));
        Ok(found.or(may_pass.then_some(Move::PASS)))
    }

    /// Is this entry legal here?
    pub fn is_legal(&mut self, entry: Move) -> Result<bool, Trouble> {
        let Waits::Player { choice, .. } = self.waits() else { return Ok(false) };
        let point = self.choice(choice);
        self.renew();
        if entry == Move::PASS {
            return Ok(match point.otherwise {
                Otherwise::Pass(_) => true,
                Otherwise::PassIfNothing(_) => !self.is_any(choice)?,
                _ => false,
            });
        }
        let within = u16::try_from(entry.offer()).is_ok_and(|offer| point.offers.contains(&offer));
        if !within || !self.take_apart(entry) {
            return Ok(false);
        }
        self.test(entry)
    }

    fn test(&mut self, entry: Move) -> Result<bool, Trouble> {
        let offer = self.program.offers.get(entry.offer()).must("a move that is tested has an offer");
        // A list that there is stays as it is: what the test emits comes behind it.
        let listed = self.desk.count;
        let halt = self.run(offer.test, Wanted::One);
        self.must_be_done(halt)?;
        Ok(std::mem::replace(&mut self.desk.count, listed) > listed)
    }

    /// Puts the arguments of an entry where its offer expects them; false if there are no such arguments.
    pub(super) fn take_apart(&mut self, entry: Move) -> bool {
        let Some(offer) = self.program.offers.get(entry.offer()) else { return false };
        for param in offer.params.iter().skip(offer.bound) {
            let code = param.part_of(entry);
            if code >= param.size {
                return false;
            }
            self.slots[usize::from(param.slot)] = param.value(code);
        }
        true
    }

    /// A legal entry, each equally likely; nothing where nobody is asked.
    ///
    /// Arguments are picked blindly, or drawn from those that are worth it, and tested, which makes each legal entry
    /// equally likely without any list; if that does not hit soon, one of the list is taken.
    pub fn sample(&mut self, dice: &mut impl Dice) -> Result<Option<Move>, Trouble> {
        let Waits::Player { choice, .. } = self.waits() else { return Ok(None) };
        let point = self.choice(choice);
        if !self.listed {
            self.renew();
            let lots = point.lots.as_ref();
            let possible = match lots {
                Some(lots) => self.worth(lots)?,
                None => point.possible,
            };
            let pass = u64::from(matches!(point.otherwise, Otherwise::Pass(_)));
            let picks = if possible + pass == 0 { 0 } else { point.picks };
            for _ in 0..picks {
                let pick = dice.below(possible.saturating_add(pass));
                if pick >= possible {
                    return Ok(Some(Move::PASS));
                }
                let entry = match lots {
                    Some(lots) => self.try_lot(lots, pick)?,
                    None => self.try_pick(choice, pick)?,
                };
                if entry.is_some() {
                    return Ok(entry);
                }
            }
        }
        self.sample_listed(dice)
    }

    /// Works out the masks that entries are drawn from: how many there are.
    fn worth(&mut self, lots: &Lots) -> Result<u64, Trouble> {
        let halt = self.run(lots.work_out, Wanted::All);
        self.must_be_done(halt)?;
        Ok(lots.all.iter().map(|lot| u64::from((self.slots[usize::from(lot.mask)] & lot.room()).count_ones())).sum())
    }

    /// Everything that a random entry is drawn from here, with whether it is held to be legal without a test; nothing
    /// where entries are picked blindly.
    #[cfg(test)]
    pub(crate) fn drawn_from(&mut self) -> Result<Option<Vec<(Move, bool)>>, Trouble> {
        let Waits::Player { choice, .. } = self.waits() else { return Ok(None) };
        let Some(lots) = &self.program.choices[usize::from(choice)].lots else { return Ok(None) };
        let count = self.worth(lots)?;
        let entry = |pick| Self::drawn(self.program, &self.slots, lots, pick);
        Ok(Some((0..count).filter_map(entry).map(|(entry, lot)| (entry, lot.all_legal)).collect()))
    }

    /// One of the entries in these masks, by its number; nothing if it is not legal.
    fn try_lot(&mut self, lots: &Lots, pick: u64) -> Result<Option<Move>, Trouble> {
        let Some((entry, lot)) = Self::drawn(self.program, &self.slots, lots, pick) else { return Ok(None) };
        let legal = lot.all_legal || (self.take_apart(entry) && self.test(entry)?);
        Ok(legal.then_some(entry))
    }

    /// The entry that a number stands for, and its lot.
    fn drawn<'l>(program: &Program, slots: &[i64], lots: &'l Lots, mut pick: u64) -> Option<(Move, &'l Lot)> {
        for lot in &lots.all {
            let mut mask = slots[usize::from(lot.mask)] & lot.room();
            let count = u64::from(mask.count_ones());
            if pick >= count {
                pick -= count;
                continue;
            }
            (0..pick).for_each(|_| mask &= mask - 1);
            let drawn = lot.from + u64::from(mask.trailing_zeros());
            let offer = program.offers.get(usize::from(lot.offer))?;
            let mut entry = Move(u64::from(lot.offer));
            for (param, code) in offer.params.iter().skip(offer.bound).zip(&lot.codes) {
                entry.0 |= code.of(drawn) << param.shift;
            }
            return Some((entry, lot));
        }
        None
    }

    /// One of the list of legal entries, each equally likely.
    pub(super) fn sample_listed(&mut self, dice: &mut impl Dice) -> Result<Option<Move>, Trouble> {
        let count = self.moves()?.len() as u64;
        if count == 0 {
            return Ok(None);
        }
        let nth = usize::try_from(dice.below(count)).unwrap_or(0);
        Ok(self.moves()?.get(nth).copied())
    }

    /// One of the possible entries of a choice, by its number; nothing if it is not legal.
    fn try_pick(&mut self, choice: u16, mut pick: u64) -> Result<Option<Move>, Trouble> {
        self.desk.count = 0;
        if let Some(halt) = self.pick_native(choice, pick) {
            self.must_be_done(halt)?;
            return Ok(self.desk.moves.first().copied().filter(|_| self.desk.count > 0));
        }
        let program = self.program;
        for number in self.choice(choice).offers.clone() {
            let offer = program.offers.get(usize::from(number)).must("what is offered is there");
            if pick >= offer.possible {
                pick -= offer.possible;
                continue;
            }
            let mut code = u64::from(number);
            for param in offer.params.iter().skip(offer.bound).rev() {
                let value = param.first + pick % param.picks.max(1);
                pick /= param.picks.max(1);
                code |= value << param.shift;
                self.slots[usize::from(param.slot)] = param.value(value);
            }
            return Ok(self.test(Move(code))?.then_some(Move(code)));
        }
        Ok(None)
    }

    /// Is anything legal among the offers?
    pub(super) fn is_any(&mut self, choice: u16) -> Result<bool, Trouble> {
        self.desk.count = 0;
        self.listed = false;
        self.enumerate(choice, Wanted::One)?;
        Ok(std::mem::take(&mut self.desk.count) > 0)
    }

    /// Lists all entries, with the steps that are left.
    pub(super) fn list(&mut self) -> Result<(), Trouble> {
        self.desk.count = 0;
        if let Waits::Player { choice, .. } = self.waits() {
            self.enumerate(choice, Wanted::All)?;
            let pass = match self.choice(choice).otherwise {
                Otherwise::Pass(_) => true,
                Otherwise::PassIfNothing(_) => self.desk.count == 0,
                Otherwise::Skip(_) | Otherwise::Must(_) => false,
            };
            if pass {
                self.desk.note(Move::PASS);
            }
        }
        self.listed = true;
        Ok(())
    }

    fn enumerate(&mut self, choice: u16, wanted: Wanted) -> Result<(), Trouble> {
        let halt = self.run(self.choice(choice).every, wanted);
        self.must_be_done(halt)
    }

    pub(super) fn must_be_done(&mut self, halt: Halt) -> Result<(), Trouble> {
        match halt {
            Halt::Fail(trouble) => Err(self.trouble(trouble)),
            Halt::Tired(at) => Err(self.tired(at)),
            Halt::Flaw(at) => self.flawed(at, "leaves its bounds"),
            Halt::Unproved(at) => self.flawed(at, "is not as was proved"),
            Halt::Done => Ok(()),
            Halt::Choose(_) | Halt::Chance(_) | Halt::Over | Halt::Decided(_) | Halt::Waits | Halt::Stuck => {
                impossible!("a routine ended with {halt:?}")
            }
        }
    }

    /// A choice, which the header or the flow has named.
    pub(super) fn choice(&self, number: u16) -> &'p Choice {
        self.program.choices.get(usize::from(number)).must("a choice that is waited at is there")
    }

    /// A draw, likewise.
    pub(super) fn chance_at(&self, number: u16) -> &'p Chance {
        self.program.chances.get(usize::from(number)).must("a draw that is waited at is there")
    }
}
