//! Fewer members to go through: those that masks leave.
//!
//! Where masks cannot say all that is asked, they often say a part of it: a disc closes a line only where a square is empty
//! and a disc of the other colour lies beside it. What they leave is gone through one by one. That pays where much is asked,
//! or where nothing is left to be asked.

use super::bits::{self, Bits};
use super::builder::Label;
use super::compiler::{Compiler, Domain, SetVal, Try};
use super::fold::{Masks, Test};
use super::products::Mask;
use crate::bind::{ExprId, LocalId, Type};

/// Fewer members are gone through as they are: the first that will do is soon found, and masks wait for what was just written.
const FEWEST: u64 = 16;

/// Of fewer members it is not asked beforehand whether there are any.
const FEWEST_AT_ONCE: u64 = 8;

/// Masks for the members of a domain.
const MOST_WORDS: u64 = 16;

/// What is lighter is tested as fast as masks are worked out, unless they leave nothing to test or are soon worked out.
const HEAVY: u64 = 50;

/// Masks are soon worked out if each instruction of them is asked about so many members.
const MEMBERS_AN_INSTRUCTION: u64 = 2;

/// What masks say about a condition.
pub(super) struct Said {
    /// Where it holds, or may hold.
    pub(super) masks: Vec<Mask>,
    /// Does it hold wherever they say?
    pub(super) exact: bool,
}

impl Compiler<'_> {
    /// The members of a variable, or of these, that conditions leave, as far as masks can say; what is left to be tested
    /// stays among the conditions.
    pub(super) fn narrowed(
        &mut self,
        local: LocalId,
        of: Domain,
        members: Option<&[i64]>,
        conditions: &mut Vec<ExprId>,
    ) -> Try<Option<SetVal>> {
        if of.size < FEWEST || of.size.div_ceil(64) > MOST_WORDS {
            return Ok(None);
        }
        let mark = self.code.mark();
        let windows: Vec<Bits> = Bits::windows(local, of).into_iter().map(|bits| self.that_fit(local, bits)).collect();
        let worth = |window: &Bits| {
            let is_worth = |member: &i64| members.is_none_or(|members| members.binary_search(member).is_ok());
            let worth = window.members().filter(|(_, member)| is_worth(member));
            Mask::constant(worth.fold(0, |mask, (bit, _)| mask | 1 << bit))
        };
        let mut masks: Vec<Mask> = windows.iter().map(worth).collect();
        let (mut left, mut spared) = (Vec::new(), 0);
        for &condition in conditions.iter() {
            let said = self.said(&windows, condition)?;
            if said.is_some() {
                spared = self.weight(condition).max(spared);
            }
            if said.as_ref().is_none_or(|said| !said.exact) {
                left.push(condition);
            }
            if let Some(said) = said {
                masks = masks.into_iter().zip(said.masks).map(|(mask, more)| self.meet(mask, more)).collect();
            }
        }
        if masks.iter().all(|mask| mask.known().is_some()) {
            self.code.take_back(mark);
            return Ok(None);
        }
        let set = self.set_of_masks(of, masks);
        let short = self.code.written_since(mark) as u64 <= of.size / MEMBERS_AN_INSTRUCTION;
        if !left.is_empty() && spared <= HEAVY && !short {
            self.code.take_back(mark);
            return Ok(None);
        }
        *conditions = left;
        Ok(Some(set))
    }

    /// Members that a variable can be: a parameter's domain may have others, which are refused anyway.
    fn that_fit(&self, local: LocalId, bits: Bits) -> Bits {
        let Type::Int(low, high) = self.local_type(local).plain() else { return bits };
        let fit = bits.members().filter(|(_, member)| (low..=high).contains(&member));
        bits.wanted(fit.fold(0, |mask, (bit, _)| mask | 1 << bit))
    }

    /// The members of a set that conditions leave, as far as masks can say that are there already.
    pub(super) fn left_of(&mut self, local: LocalId, set: SetVal, conditions: &mut Vec<ExprId>) -> Try<Option<SetVal>> {
        if set.of.size > bits::MOST {
            return Ok(None);
        }
        let window = self.that_fit(local, Bits::of(local, set.of));
        let (mut left, mut bits) = (Vec::new(), set.bits);
        for &condition in conditions.iter() {
            let mark = self.code.mark();
            let said = self.said(std::slice::from_ref(&window), condition)?;
            let mask = said.filter(|said| said.exact).and_then(|said| said.masks.into_iter().next());
            let mask = mask.map(|mask| self.worked_out(mask));
            match mask {
                Some(mask) if self.code.nothing_since(mark) => bits = self.code.masks(Masks::Both, bits, mask),
                _ => {
                    self.code.take_back(mark);
                    left.push(condition);
                }
            }
        }
        *conditions = left;
        Ok((bits != set.bits).then_some(SetVal { bits, of: set.of }))
    }

    /// On to the label if no member of a variable satisfies conditions, as far as masks say all about them.
    pub(super) fn some_left(&mut self, local: LocalId, of: Domain, conditions: &[ExprId], none: Label) -> Try<()> {
        if of.size < FEWEST_AT_ONCE || of.size > bits::MOST {
            return Ok(());
        }
        let window = Bits::of(local, of);
        let mut all = Mask::constant(window.all());
        for &condition in conditions {
            let mark = self.code.mark();
            match self.said(std::slice::from_ref(&window), condition)? {
                Some(said) if said.exact => {
                    for mask in said.masks {
                        // Each is worked out by itself, so that it is there when it is asked for.
                        if mask.known().is_none() {
                            self.worked_out(mask.clone());
                        }
                        all = self.meet(all, mask);
                    }
                }
                _ => self.code.take_back(mark),
            }
        }
        if all.known().is_none() {
            let (all, zero) = (self.worked_out(all), self.constant(0));
            self.code.jump_if(Test::Same, all, zero, true, none);
        }
        Ok(())
    }

    /// What masks say about a condition, if they say anything.
    pub(super) fn said(&mut self, windows: &[Bits], condition: ExprId) -> Try<Option<Said>> {
        for exact in [true, false] {
            let mark = self.code.mark();
            let mut masks = Vec::new();
            for window in windows {
                let mask = if exact { self.mask(window, condition)? } else { self.mask(&window.roughly(), condition)? };
                let Some(mask) = mask else { break };
                masks.push(mask);
            }
            let trivial = !exact && masks.iter().zip(windows).all(|(mask, window)| mask.known() == Some(window.all()));
            if masks.len() == windows.len() && !trivial {
                return Ok(Some(Said { masks, exact }));
            }
            self.code.take_back(mark);
        }
        Ok(None)
    }
}
