//! Lots: what random entries are drawn from, as masks.
//!
//! To pick arguments blindly and test them costs most where few fit each other, or where much is required of one. Where
//! masks say something about every requirement (`narrow.rs`), a routine works out the mask of values that they leave, one
//! for each combination of the other arguments, and an entry is drawn from these. If they say all, it is legal; else it is
//! tested. Elsewhere blind picks are as fast.

use super::choose::Open;
use super::compiler::{Compiler, Domain, Try, Var};
use super::masks::Bits;
use super::products::Mask;
use crate::machine::{Instruction, Lot, Lots};

/// Masks of one choice.
const MOST_LOTS: usize = 64;

/// Combinations of all arguments but one.
const MOST_COMBINATIONS: usize = 16;

/// Members that a mask has room for.
const WORD: u64 = 64;

/// To test so much again and again costs more than masks do.
const HEAVY: u64 = 100;

/// Of so few possible entries one that is picked blindly is soon legal.
const FEW: u64 = 16;

impl Compiler<'_> {
    /// What entries of a choice are drawn from. Nothing if a parameter has too many values, if masks say nothing about a
    /// requirement, or if nothing is required.
    pub(super) fn lots(&mut self, choice: u16, offers: &[Open<'_>]) -> Try<Option<Lots>> {
        let possible = offers.iter().map(Open::possible).fold(0, u64::saturating_add);
        let fitting = offers.iter().any(|open| open.params.len() - open.args.len() >= 2);
        if possible <= FEW || !(fitting || self.required(offers) > HEAVY) {
            return Ok(None);
        }
        let mark = self.code.mark();
        let entry = self.code.entry();
        let mut all = Vec::new();
        let mut good = true;
        for open in offers {
            good = good && self.lots_of(open, &mut all)?;
        }
        if !good || all.len() > MOST_LOTS || all.iter().all(|lot: &Lot| self.code.known(lot.mask).is_some()) {
            self.code.rewind(mark);
            return Ok(None);
        }
        let names = offers.iter().map(|open| open.action.name.as_str()).collect::<Vec<_>>().join(", ");
        self.code.names.push((entry, format!("lots of {names}")));
        self.code.push(Instruction::Lots { choice });
        Ok(Some(Lots { work_out: entry.0, all }))
    }

    /// How much is required, roughly.
    fn required(&mut self, offers: &[Open<'_>]) -> u64 {
        let mut required: u64 = 0;
        for requirement in offers.iter().flat_map(|open| &open.action.requirements) {
            required = required.saturating_add(self.weight(requirement.condition));
        }
        required
    }

    /// The lots of an offer, one for each combination of all arguments but that with most values; false if there
    /// can be none.
    fn lots_of(&mut self, open: &Open<'_>, all: &mut Vec<Lot>) -> Try<bool> {
        let free = || open.params.iter().enumerate().skip(open.args.len());
        let action = open.action;
        let simple = free().all(|(_, param)| !param.ty.is_optional() && !self.is_regions(&param.ty));
        let within = action.params.iter().any(|(_, within)| within.is_some());
        let mut after = action.requirements.iter().filter(|requirement| requirement.after);
        if !simple || within || !action.costs.is_empty() || after.any(|after| self.is_present(after.guard)) {
            return Ok(false);
        }
        let bits = free().max_by_key(|(_, param)| param.size).map(|(nth, _)| nth);
        let mut combinations: Vec<Vec<Option<u64>>> = vec![Vec::new()];
        for (nth, param) in free() {
            let codes = if Some(nth) == bits { 0..1 } else { param.first..param.first + param.picks };
            if codes.end - codes.start > MOST_COMBINATIONS as u64 || combinations.len() > MOST_COMBINATIONS {
                return Ok(false);
            }
            let code = |code: u64| (Some(nth) != bits).then_some(code);
            let longer = combinations
                .iter()
                .flat_map(|known| codes.clone().map(move |value| [known.as_slice(), &[code(value)]].concat()));
            combinations = longer.collect();
        }
        let (level, misfit) = (self.code.level(), self.code.label());
        let (locals, me) = self.enter_action(open, misfit)?;
        let words = bits.map_or(1, |bits| open.params[bits].size.div_ceil(WORD));
        let mut good = combinations.len() as u64 * words <= MOST_LOTS as u64;
        for (codes, word) in combinations.iter().flat_map(|codes| (0..words).map(move |word| (codes, word))) {
            if good {
                good = self.lot(open, bits, word * WORD, codes, all)?;
            }
        }
        self.locals = locals;
        self.me = me;
        self.code.free_to(level);
        // What the flow gives must fit, or masks would have to say that it does not.
        good &= !self.code.is_used(misfit);
        Ok(good)
    }

    /// One lot, with values of one parameter from this code on, unless it is always empty; false if no mask can say what
    /// is legal.
    fn lot(
        &mut self,
        open: &Open<'_>,
        bits: Option<usize>,
        from: u64,
        codes: &[Option<u64>],
        all: &mut Vec<Lot>,
    ) -> Try<bool> {
        let action = open.action;
        for (((local, _), param), code) in action.params.iter().zip(&open.params).skip(open.args.len()).zip(codes) {
            if let Some(code) = code {
                let value = self.constant(param.value(*code));
                self.locals.insert(*local, Var::Slot(value));
            }
        }
        let (variable, mut mask) = match bits {
            Some(nth) => {
                let param = &open.params[nth];
                let size = (param.size - from).min(WORD);
                let worth = (0..size).filter(|bit| (param.first..param.first + param.picks).contains(&(from + bit)));
                let mask = worth.fold(0_i64, |mask, bit| mask | 1 << bit);
                let of = Domain { low: param.value(from), size };
                (Bits::of(action.params[nth].0, of), Mask::constant(mask))
            }
            None => (Bits::none(), Mask::constant(1)),
        };
        let mut all_legal = true;
        for requirement in action.requirements.iter().filter(|requirement| !requirement.after) {
            if !self.is_present(requirement.guard) {
                continue;
            }
            for part in self.conjuncts(requirement.condition) {
                if mask.is_empty() {
                    return Ok(true);
                }
                let Some(said) = self.said(std::slice::from_ref(&variable), part)? else { return Ok(false) };
                all_legal &= said.exact;
                mask = said.masks.into_iter().fold(mask, |mask, allowed| self.meet(mask, allowed));
            }
        }
        let mask = self.worked_out(mask);
        let known = self.code.known(mask);
        if known != Some(0) {
            let kept = if known.is_some() { mask } else { self.code.own(1) };
            if known.is_none() {
                self.code.copy(kept, mask);
            }
            all.push(Lot { offer: open.number, mask: kept, from, codes: codes.to_vec(), all_legal });
        }
        Ok(true)
    }
}
