//! Elements of states, compared with a value or with each other for all members of a domain at once.
//!
//! As many elements as a mask has room for are compared by one instruction; where a member leads to another element, the
//! mask is moved by as much as their numbers differ.

use std::collections::BTreeMap;
use std::ops::Range;
use std::rc::Rc;

use super::bits::{Bits, Values};
use super::compiler::{Compiler, Try, Var};
use super::products::Mask;
use crate::bind::walk::each_expr;
use crate::bind::{Expr, ExprId, LocalId, StateId, Type};
use crate::machine::{Instruction, Slot, StatePlace, first_members, none_of};

/// Moves of one mask, for members that lead to elements at different distances; for many members more.
const MOST_MOVES: usize = 4;
const MEMBERS_A_MOVE: usize = 4;

/// The number of each member's element, or that it has none; nothing if that is not known.
pub(super) type Elements = Option<Rc<[Option<i64>]>>;

/// What elements depend on: where they stand in the rules, how many bits there are, and what names stand for.
pub(super) type ElementsKey = (ExprId, usize, Vec<(Option<LocalId>, Named)>);

/// What a name stands for.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Named {
    Known(Option<i64>),
    Each(Values),
}

/// Elements of a state, by bit; nothing for bits that do not matter.
pub(super) struct ByBit {
    pub(super) place: StatePlace,
    elements: Vec<(i64, Option<i64>)>,
}

/// Elements that are asked about at once.
pub(super) struct Window {
    /// The first, and how many.
    pub(super) first: i64,
    pub(super) count: u8,
    /// By how much their numbers in the window lie above the bits,
    pub(super) by: i8,
    /// and of which bits.
    pub(super) members: i64,
}

impl ByBit {
    pub(super) fn new(bits: &Bits, place: StatePlace, elements: &[Option<i64>]) -> Self {
        let wanted = (0..bits.count()).filter(|bit| bits.is_wanted(*bit));
        let elements = wanted.filter_map(|bit| Some((i64::try_from(bit).ok()?, elements[bit])));
        Self { elements: elements.collect(), place }
    }

    /// Members that have no element.
    pub(super) fn nowhere(&self) -> i64 {
        self.elements.iter().filter(|(_, element)| element.is_none()).fold(0, |mask, (bit, _)| mask | 1 << bit)
    }

    /// Members that have one.
    pub(super) fn somewhere(&self) -> i64 {
        self.elements.iter().filter(|(_, element)| element.is_some()).fold(0, |mask, (bit, _)| mask | 1 << bit)
    }

    /// All elements that there are.
    pub(super) fn whole(&self) -> Range<i64> {
        0..i64::from(self.place.count)
    }

    /// The elements of members, from the first to the last.
    pub(super) fn row(&self) -> Range<i64> {
        let some = || self.elements.iter().filter_map(|(_, element)| *element);
        some().min().unwrap_or(0)..some().max().map_or(0, |last| last + 1)
    }

    /// The windows of some elements that have those of all members: as many elements as a mask has room for, from those on
    /// that are as far from the members' numbers, with what is left of the distance. Nothing if there would be too many.
    pub(super) fn windows(&self, of: &Range<i64>) -> Option<Vec<Window>> {
        let mut moves: BTreeMap<i64, i64> = BTreeMap::new();
        for (bit, element) in &self.elements {
            if let Some(element) = element {
                *moves.entry(element - bit).or_default() |= 1 << bit;
            }
        }
        if !are_few(moves.len(), self.elements.len()) {
            return None;
        }
        let window = |(by, members): (i64, i64)| {
            // The last elements of a large state are compared by themselves, others with as many as there is room for.
            let last = (of.end - 64).max(of.start);
            let first = if last > of.start && by > last { by.min(of.end - 1) } else { by.clamp(of.start, last) };
            let count = u8::try_from((of.end - first).min(64)).ok()?;
            Some(Window { first, count, by: i8::try_from(by - first).ok()?, members })
        };
        moves.into_iter().map(window).collect()
    }

    /// Only these members.
    fn only(&self, mask: i64) -> Self {
        let some = self.elements.iter().filter(|(bit, _)| mask >> bit & 1 == 1).copied();
        Self { place: self.place.clone(), elements: some.collect() }
    }
}

impl Compiler<'_> {
    /// Members whose element of a state is a value that has nothing to do with them.
    pub(super) fn same_mask(&mut self, bits: &Bits, element: ExprId, value: ExprId) -> Try<Option<Mask>> {
        let Expr::Index(base, args) = &self.bound.expr(element).kind else { return Ok(None) };
        let Expr::State(state) = self.bound.expr(*base).kind else { return Ok(None) };
        let place = self.state_place(state).clone();
        let fits = place.cell.width == 1 && place.cell.units == 1 && !place.cell.no_number;
        if !fits || place.count == 0 || self.depends(bits, value) {
            return Ok(None);
        }
        let (shape, value_type) = (self.ty(element), self.ty(value));
        let may_miss = value_type.is_optional() || matches!(value_type, Type::Nothing);
        let Some(elements) = self.elements(bits, state, args)? else {
            return if may_miss { Ok(None) } else { self.same_at_end(bits, &place, args, (value, shape)) };
        };
        let value = self.scalar_as(value, shape)?;
        let nothing = none_of(shape);
        let elements = ByBit::new(bits, place, &elements);
        // Where there is no element, it is the same as nothing.
        let nowhere = elements.nowhere();
        let missing = self.code.known(value) == Some(nothing);
        if nowhere != 0 && may_miss && !missing {
            return Ok(None);
        }
        let Some(mask) = self.matching(&elements, value) else { return Ok(None) };
        Ok(Some(if missing { mask.or(Mask::constant(nowhere)) } else { mask }))
    }

    /// Members for which two elements are the same.
    pub(super) fn alike_mask(&mut self, bits: &Bits, one: ExprId, other: ExprId) -> Try<Option<Mask>> {
        let Some(one) = self.by_bit(bits, one)? else { return Ok(None) };
        let Some(other) = self.by_bit(bits, other)? else { return Ok(None) };
        if one.place.cell != other.place.cell || one.place.ty != other.place.ty {
            return Ok(None);
        }
        // Where there is no element, it is the same as nothing.
        let nothing = self.constant(none_of(&one.place.ty));
        let mut mask = Mask::constant(one.nowhere() & other.nowhere());
        for (some, none) in [(&one, &other), (&other, &one)] {
            let Some(empty) = self.matching(&some.only(none.nowhere()), nothing) else { return Ok(None) };
            mask = mask.or(empty);
        }
        let Some(alike) = self.alike(&one, &other) else { return Ok(None) };
        Ok(Some(mask.or(alike)))
    }

    /// The elements of a state that an expression stands for.
    fn by_bit(&mut self, bits: &Bits, id: ExprId) -> Try<Option<ByBit>> {
        let Expr::Index(base, args) = &self.bound.expr(id).kind else { return Ok(None) };
        let Expr::State(state) = self.bound.expr(*base).kind else { return Ok(None) };
        let place = self.state_place(state).clone();
        if place.cell.width != 1 || place.cell.units != 1 || place.cell.no_number {
            return Ok(None);
        }
        Ok(self.elements(bits, state, args)?.map(|elements| ByBit::new(bits, place, &elements)))
    }

    /// The members whose two elements are the same, where there are both. Pairs that are equally far from each other are
    /// compared at once, as many as a mask has room for.
    fn alike(&mut self, one: &ByBit, other: &ByBit) -> Option<Mask> {
        let mut moves: BTreeMap<(i64, i64), i64> = BTreeMap::new();
        for ((bit, a), (_, b)) in one.elements.iter().zip(&other.elements) {
            if let (Some(a), Some(b)) = (a, b) {
                *moves.entry((a - bit, b - a)).or_default() |= 1 << bit;
            }
        }
        if !are_few(moves.len(), one.elements.len()) {
            return None;
        }
        let (counted, others) = (i64::from(one.place.count), i64::from(other.place.count));
        let mut result = Mask::default();
        for ((by, far), members) in moves {
            // Elements that have one so far from them.
            let (low, end) = ((-far).max(0), counted.min(others - far));
            let count = (end - low).min(64);
            let first = by.clamp(low, (end - count).max(low));
            let from = one.place.first + u32::try_from(first).ok()?;
            let other = other.place.first + u32::try_from(first + far).ok()?;
            let count = u8::try_from(count).ok()?;
            let slot = self.code.work_out(|to| Instruction::Alike { to, from, other, count });
            let by = i8::try_from(by - first).ok()?;
            result = result.or(Mask::moved(slot, first_members(u64::from(count)), by, members));
        }
        Some(result)
    }

    /// Members that lead to an element with a value, which is always something.
    fn same_at_end(
        &mut self,
        bits: &Bits,
        place: &StatePlace,
        args: &[ExprId],
        (value, shape): (ExprId, &Type),
    ) -> Try<Option<Mask>> {
        let ([end], Some(of)) = (args, bits.domain()) else { return Ok(None) };
        let Ok(count) = i64::try_from(of.size) else { return Ok(None) };
        if u64::from(place.count) != of.size {
            return self.leading_on(bits, *end);
        }
        let value = self.scalar_as(value, shape)?;
        let each = ByBit { place: place.clone(), elements: (0..count).map(|cell| (cell, Some(cell))).collect() };
        let Some(ends) = self.matching(&each, value) else { return Ok(None) };
        self.leading_to(bits, *end, &ends)
    }

    /// The number of each member's element, worked out once for each place in the rules and all that is known there.
    fn elements(&mut self, bits: &Bits, state: StateId, args: &[ExprId]) -> Try<Elements> {
        let names = bits.names();
        let Some(first) = args.first().filter(|_| args.iter().all(|arg| self.is_known_but_for(*arg, &names))) else {
            return Ok(None);
        };
        let mut known = Vec::new();
        let value = |var: Option<&Var>| match var {
            Some(Var::Slot(slot)) => self.code.known(*slot),
            _ => None,
        };
        for arg in args {
            each_expr(self.bound, *arg, &mut |_, kind| match kind {
                Expr::Local(local) => {
                    let each = bits.values(*local).map(|values| Named::Each(Rc::clone(values)));
                    let named = each.unwrap_or_else(|| Named::Known(value(self.locals.get(local))));
                    known.push((Some(*local), named));
                }
                Expr::Me => known.push((None, Named::Known(value(self.me.as_ref())))),
                _ => {}
            });
        }
        let key = (*first, bits.count(), known);
        if let Some(elements) = self.elements.get(&key) {
            return Ok(elements.clone());
        }
        let elements = self.elements_of_all(bits, state, args)?;
        self.elements.insert(key, elements.clone());
        Ok(elements)
    }

    pub(super) fn elements_of_all(&mut self, bits: &Bits, state: StateId, args: &[ExprId]) -> Try<Elements> {
        let mut elements = Vec::new();
        for bit in 0..bits.count() {
            let (mark, none) = (self.code.mark(), self.code.label());
            self.at_bit(bits, bit);
            let (at, below) = self.number_of(state, args, none)?;
            let known = self.code.nothing_since(mark).then(|| self.code.known(at)).flatten();
            let nowhere = self.code.only_jumped_since(mark, none);
            self.code.take_back(mark);
            match known {
                Some(at) => elements.push(Some(at - below)),
                None if nowhere => elements.push(None),
                None => return Ok(None),
            }
        }
        Ok(Some(elements.into()))
    }

    /// The members whose elements have a value.
    pub(super) fn matching(&mut self, of: &ByBit, b: Slot) -> Option<Mask> {
        let bias = i16::try_from(of.place.cell.bias).ok()?;
        let mut result = Mask::default();
        for Window { first, count, by, members } in of.windows(&of.whole())? {
            let from = of.place.first + u32::try_from(first).ok()?;
            let slot = self.code.work_out(|to| Instruction::Matches { to, from, count, bias, b });
            result = result.or(Mask::moved(slot, first_members(u64::from(count)), by, members));
        }
        Some(result)
    }
}

/// Are so many moves of a mask less work than to look at each member?
fn are_few(moves: usize, members: usize) -> bool {
    moves <= MOST_MOVES.max(members / MEMBERS_A_MOVE)
}
