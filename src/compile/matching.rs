//! Elements of states, compared with a value for all members of a domain at once.
//!
//! As many elements as a mask has room for are compared by one instruction; where a member leads to another element, the
//! mask is moved by as much as their numbers differ.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::compiler::{Compiler, Try, Var};
use super::masks::{Bits, MOST};
use super::products::Mask;
use crate::bind::walk::each_expr;
use crate::bind::{Expr, ExprId, LocalId, StateId, Type};
use crate::machine::{Instruction, Slot, StatePlace, none_of};

/// Moves of one mask, for members that lead to elements at different distances.
const MOST_MOVES: usize = 4;

/// The number of each member's element, or that it has none; nothing if that is not known.
pub(super) type Elements = Option<Rc<[Option<i64>]>>;

/// What elements depend on: where they stand in the rules, the members, and all that is known.
pub(super) type ElementsKey = (ExprId, (i64, u64), Vec<(Option<LocalId>, Option<i64>)>);

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
        // Where there is no element, it is the same as nothing.
        let somewhere = elements.iter().all(Option::is_some);
        let missing = self.code.known(value) == Some(nothing);
        if !somewhere && may_miss && !missing {
            return Ok(None);
        }
        let Some(mask) = self.matching(&place, value, &elements) else { return Ok(None) };
        if somewhere || !missing {
            return Ok(Some(mask));
        }
        let nowhere = (0..).zip(elements.iter()).filter(|(_, element)| element.is_none());
        let nowhere = Mask::constant(nowhere.fold(0_i64, |mask, (bit, _)| mask | 1 << bit));
        Ok(Some(mask.or(nowhere)))
    }

    /// Members that lead to an element with a value, which is always something.
    fn same_at_end(
        &mut self,
        bits: &Bits,
        place: &StatePlace,
        args: &[ExprId],
        (value, shape): (ExprId, &Type),
    ) -> Try<Option<Mask>> {
        let ([end], Ok(count)) = (args, i64::try_from(bits.domain().size)) else { return Ok(None) };
        if u64::from(place.count) != bits.domain().size {
            return self.leading_on(bits, *end);
        }
        let value = self.scalar_as(value, shape)?;
        let each: Vec<Option<i64>> = (0..count).map(Some).collect();
        let Some(ends) = self.matching(place, value, &each) else { return Ok(None) };
        self.leading_to(bits, *end, &ends)
    }

    /// The number of each member's element, worked out once for each place in the rules and all that is known there.
    fn elements(&mut self, bits: &Bits, state: StateId, args: &[ExprId]) -> Try<Elements> {
        let Some(first) = args.first().filter(|_| args.iter().all(|arg| self.is_known_but_for(*arg, bits.names())))
        else {
            return Ok(None);
        };
        let mut known = Vec::new();
        let value = |var: Option<&Var>| match var {
            Some(Var::Slot(slot)) => self.code.known(*slot),
            _ => None,
        };
        for arg in args {
            each_expr(self.bound, *arg, &mut |_, kind| match kind {
                Expr::Local(local) if bits.names().contains(local) => known.push((Some(*local), None)),
                Expr::Local(local) => known.push((Some(*local), value(self.locals.get(local)))),
                Expr::Me => known.push((None, value(self.me.as_ref()))),
                _ => {}
            });
        }
        let key = (*first, (bits.domain().low, bits.domain().size), known);
        if let Some(elements) = self.elements.get(&key) {
            return Ok(elements.clone());
        }
        let elements = self.elements_of_all(bits, state, args)?;
        self.elements.insert(key, elements.clone());
        Ok(elements)
    }

    fn elements_of_all(&mut self, bits: &Bits, state: StateId, args: &[ExprId]) -> Try<Elements> {
        let bound = self.bound;
        let mut elements = Vec::new();
        for (_, member) in bits.members() {
            let (mark, none) = (self.code.mark(), self.code.label());
            let value = self.constant(member);
            bits.names().iter().for_each(|name| drop(self.locals.insert(*name, Var::Slot(value))));
            let (at, below) = self.linear(&bound.state(state).indices, args, none)?;
            let known = self.code.nothing_since(mark).then(|| self.code.known(at)).flatten();
            let nowhere = self.code.only_jumped_since(mark, none);
            self.code.rewind(mark);
            match known {
                Some(at) => elements.push(Some(at - below)),
                None if nowhere => elements.push(None),
                None => return Ok(None),
            }
        }
        Ok(Some(elements.into()))
    }

    /// The members whose elements have a value. As many elements as a mask has room for are compared at once, from those
    /// on that are as far from the members' numbers, and the mask is moved by what is left of the distance.
    fn matching(&mut self, place: &StatePlace, b: Slot, elements: &[Option<i64>]) -> Option<Mask> {
        let bias = i16::try_from(place.cell.bias).ok()?;
        let count = u8::try_from(u64::from(place.count).min(MOST)).ok()?;
        let last = i64::from(place.count) - i64::from(count);
        let mut moves: BTreeMap<i64, i64> = BTreeMap::new();
        for (bit, element) in (0_i64..).zip(elements) {
            if let Some(element) = element {
                *moves.entry(element - bit).or_default() |= 1 << bit;
            }
        }
        if moves.len() > MOST_MOVES {
            return None;
        }
        let room = if u64::from(count) == MOST { -1 } else { (1 << count) - 1 };
        let mut result = Mask::default();
        for (by, members) in moves {
            let first = by.clamp(0, last);
            let from = place.first + u32::try_from(first).ok()?;
            let slot = self.code.work_out(|to| Instruction::Matches { to, from, count, bias, b });
            let by = i8::try_from(by - first).ok()?;
            result = result.or(Mask::moved(slot, room, by, members));
        }
        Some(result)
    }
}
