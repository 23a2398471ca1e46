//! Arguments that are worth picking: what a requirement refuses before the game begins is never tried.
//!
//! A random entry is picked blindly and tested, so each argument that can never be legal costs a part of all
//! picks. A requirement that speaks of one parameter and of what is known (`from > 1`) is tried here with every value of
//! it; what is left between the first and the last good one is what is picked from.

use super::compiler::{Compiler, Try};
use crate::bind::{Action, LocalId};
use crate::machine::Param;

/// Parameters with more values are taken as they are.
const MOST: u64 = 256;

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
                    && self.holds_for(&[local], value, part)? == Some(false);
            }
        }
        self.locals.remove(&local);
        Ok(hopeless)
    }
}
