//! Entries that are worth picking: which arguments, and how often before all entries are listed.
//!
//! A random entry is picked blindly and tested, so each argument that can never be legal costs a part of all
//! picks. A requirement that speaks of one parameter and of what is known (`from > 1`) is tried here with every value of
//! it; what is left between the first and the last good one is what is picked from.

use super::choose::Open;
use super::compiler::{Compiler, Try};
use crate::bind::{Action, LocalId};
use crate::machine::{Offer, Param};

/// Parameters with more values are taken as they are.
const MOST: u64 = 256;

/// Entries picked before all are listed, if no more are possible than four times as many.
const FEWEST_PICKS: u32 = 48;

/// With more combinations of arguments than these most picks are in vain.
const MOST_POSSIBLE: u64 = 1024;

/// The same where nothing has more than two arguments: they soon fit each other.
const MOST_PAIRS: u64 = 8192;

/// The same where picks are drawn from lots: if none of so few is legal, most likely none is.
const FROM_LOTS: u32 = 12;

/// How many entries of a choice are picked before all are listed: a quarter of what is possible, or none where little
/// of that is ever legal and nothing tells what is.
pub(super) fn most_picks(possible: u64, offers: &[Offer], drawn_from_lots: bool) -> u32 {
    let pairs = offers.iter().all(|offer| offer.params.len() - offer.bound <= 2);
    let most = if pairs { MOST_PAIRS } else { MOST_POSSIBLE };
    if drawn_from_lots {
        return FROM_LOTS;
    }
    if possible == 0 || possible > most {
        return 0;
    }
    u32::try_from(possible / 4).unwrap_or(u32::MAX).max(FEWEST_PICKS)
}

impl Open<'_> {
    /// How many entries can be picked.
    pub(super) fn possible(&self) -> u64 {
        self.params.iter().skip(self.args.len()).map(|param| param.picks).fold(1, u64::saturating_mul)
    }
}

impl Compiler<'_> {
    /// Narrows what is picked for the parameters that the flow does not bind.
    pub(super) fn narrow_picks(&mut self, action: &Action, params: &mut [Param], bound: usize) -> Try<()> {
        // Where nothing leads, nothing would be written, and every value would seem to be good.
        self.code.entry();
        for ((local, _), param) in action.params.iter().zip(params).skip(bound) {
            if param.size > MOST || param.ty.is_optional() || self.is_regions(&param.ty) {
                continue;
            }
            while param.picks > 0 && self.is_hopeless(action, *local, param.value(param.first))? {
                param.first += 1;
                param.picks -= 1;
            }
            while param.picks > 0 && self.is_hopeless(action, *local, param.value(param.first + param.picks - 1))? {
                param.picks -= 1;
            }
        }
        Ok(())
    }

    /// Does a requirement refuse this value whatever else is chosen, at any time?
    fn is_hopeless(&mut self, action: &Action, local: LocalId, value: i64) -> Try<bool> {
        let mut hopeless = false;
        for requirement in action.requirements.iter().filter(|requirement| !requirement.after) {
            if !self.is_present(requirement.guard) {
                continue;
            }
            for part in self.conjuncts(requirement.condition) {
                hopeless |= !hopeless
                    && self.is_known_but_for(part, &[local])
                    && self.holds_for(local, value, part)? == Some(false);
            }
        }
        self.locals.remove(&local);
        Ok(hopeless)
    }
}
