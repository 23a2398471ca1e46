//! Sums and counts that are above 0, for all members at once.
//!
//! `sum f in Figure: figures[c, me, f] > 0` holds where one of the elements is above 0, if none is ever below. That the sum
//! is at least as large as something that is never below 1 holds at no other members: a mask of these says a part.

use super::bits::Bits;
use super::compiler::{Compiler, Try};
use super::matching::ByBit;
use super::products::Mask;
use crate::ast::{Aggregate, BinaryOp};
use crate::bind::{Bind, Expr, ExprId, Type};

impl Compiler<'_> {
    /// Members for which one number is larger than another, or as large, if the first is a sum.
    pub(super) fn larger_mask(
        &mut self,
        bits: &Bits,
        op: BinaryOp,
        (left, right): (ExprId, ExprId),
    ) -> Try<Option<Mask>> {
        let (sum, other, or_same) = match op {
            BinaryOp::More => (left, right, false),
            BinaryOp::AtLeast => (left, right, true),
            BinaryOp::Less => (right, left, false),
            BinaryOp::AtMost => (right, left, true),
            _ => return Ok(None),
        };
        let Type::Int(low, high) = *self.ty(other).plain() else { return Ok(None) };
        // What the sum must be at least.
        let (low, high) = if or_same { (low, high) } else { (low.saturating_add(1), high.saturating_add(1)) };
        let exact = (low, high) == (1, 1) && !self.ty(other).is_optional();
        if low < 1 || !exact && !bits.is_rough() || !self.is_sum(sum) {
            return Ok(None);
        }
        self.above_zero(&bits.exactly(), sum)
    }

    fn is_sum(&self, id: ExprId) -> bool {
        match &self.bound.expr(id).kind {
            Expr::Aggregate(Aggregate::Sum | Aggregate::Count, ..) => true,
            Expr::Def(def, _) => self.is_sum(self.bound.def(*def).body),
            _ => false,
        }
    }

    /// Members for which a number that is never below 0 is above it.
    fn above_zero(&mut self, bits: &Bits, id: ExprId) -> Try<Option<Mask>> {
        self.take_step(id)?;
        let bound = self.bound;
        let never_below = matches!(self.ty(id).plain(), Type::Int(low, _) if *low >= 0);
        match &bound.expr(id).kind {
            Expr::Aggregate(Aggregate::Count, binds, Some(body), _) => self.some(bits, binds, &self.conjuncts(*body)),
            Expr::Aggregate(Aggregate::Sum, binds, Some(body), _) if never_below => {
                self.any_above_zero(bits, binds, *body)
            }
            Expr::Def(def, args) => {
                let def = bound.def(*def);
                self.in_definition(bits, &def.params, args, &mut |compiler, inner| compiler.above_zero(inner, def.body))
            }
            Expr::Index(base, args) if never_below && let Expr::State(state) = bound.expr(*base).kind => {
                let Some((from, elements)) = self.elements_from(bits, state, args)? else { return Ok(None) };
                let place = self.state_place(state).clone();
                let optional = bound.state(state).ty.is_optional();
                let Type::Int(low, _) = *bound.state(state).ty.plain() else { return Ok(None) };
                // The least number that is stored for something above 0.
                let least = u64::try_from(1 - low).unwrap_or(0) + u64::from(optional);
                let values = place.values.unwrap_or(0);
                let set = std::array::from_fn(|word| {
                    (0..64)
                        .filter(|bit| (least..values).contains(&(word as u64 * 64 + bit)))
                        .fold(0, |set, bit| set | 1 << bit)
                });
                Ok(self.stored_as_one_of(&ByBit::new(bits, place, &elements), from, set))
            }
            _ => Ok(None),
        }
    }

    /// Members for which one of the numbers that are summed is above 0.
    fn any_above_zero(&mut self, bits: &Bits, binds: &[Bind], body: ExprId) -> Try<Option<Mask>> {
        let Some((bind, rest)) = binds.split_first() else { return self.above_zero(bits, body) };
        let Some(members) = self.known_members(bits, bind) else { return Ok(None) };
        let mut mask = Mask::default();
        for member in members {
            let inner = self.standing_for(bits, bind.local, member);
            let holds = match bind.condition {
                Some(condition) => self.mask(&inner, condition)?,
                None => Some(Mask::constant(bits.all())),
            };
            let Some(holds) = holds else { return Ok(None) };
            let Some(more) = self.any_above_zero(&inner, rest, body)? else { return Ok(None) };
            let more = self.meet(holds, more);
            mask = mask.or(more);
        }
        Ok(Some(mask))
    }
}
