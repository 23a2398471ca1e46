//! Conditions on all members of a domain at once: each is a bit of a mask.
//!
//! `any c in Cell: mark[c] is p and mark[step(c, w)] is p` asks the same of every cell. Elements of states are compared
//! with a value or with each other (`matching.rs`), what lies at the end of a ray is found from there (`rays.rs`), and what
//! is known of each member while this is compiled is a constant mask. If any part of a condition is something else,
//! nothing comes of it, and members are gone through one by one.

use crate::internal::exact;
use std::rc::Rc;

use super::bits::{self, Bits, Values};
use super::compiler::{Compiler, Domain, SetVal, Try, Var};
use super::fold::Masks;
use super::products::Mask;
use crate::ast::{Aggregate, BinaryOp, UnaryOp};
use crate::bind::walk::each_expr;
use crate::bind::{Bind, Expr, ExprId, LocalId, Type, TypeKind};
use crate::machine::Slot;

/// Domains with fewer members are gone through one by one.
const FEWEST: u64 = 8;

/// Masks for the members of a larger domain.
const MOST_WORDS: u64 = 16;

/// Combinations of further variables that are written out.
const MOST_COMBINATIONS: u64 = 64;

/// What a further variable stands for.
pub(super) enum Member {
    /// The same for every bit.
    Known(i64),
    /// Something for each bit.
    Each(Values),
}

impl Compiler<'_> {
    /// The members of the first variable for which there are others so that all conditions hold, if that can be
    /// found for all at once.
    pub(super) fn members_where(&mut self, binds: &[Bind], conditions: &[ExprId]) -> Try<Option<SetVal>> {
        let Some((of, masks)) = self.masks_where(binds, conditions)? else { return Ok(None) };
        Ok(Some(self.set_of_masks(of, masks)))
    }

    /// A set of what is in some masks.
    pub(super) fn set_of_masks(&mut self, of: Domain, masks: Vec<Mask>) -> SetVal {
        let masks: Vec<Slot> = masks.into_iter().map(|mask| self.worked_out(mask)).collect();
        if let [bits] = masks.as_slice() {
            return SetVal { bits: *bits, of };
        }
        let set = self.room_for_set(of);
        (set.bits..).zip(masks).for_each(|(to, from)| self.code.copy(to, from));
        set
    }

    /// Not 0 if there are such members.
    pub(super) fn any_where(&mut self, binds: &[Bind], conditions: &[ExprId]) -> Try<Option<Slot>> {
        let Some((_, masks)) = self.masks_where(binds, conditions)? else { return Ok(None) };
        let masks: Vec<Slot> = masks.into_iter().map(|mask| self.has_members(mask)).collect();
        Ok(masks.into_iter().reduce(|all, more| self.code.masks(Masks::Either, all, more)))
    }

    fn masks_where(&mut self, binds: &[Bind], conditions: &[ExprId]) -> Try<Option<(Domain, Vec<Mask>)>> {
        let Some((first, rest)) = binds.split_first() else { return Ok(None) };
        let Expr::Members(ty) = &self.bound.expr(first.domain).kind else { return Ok(None) };
        if first.clockwise || self.is_regions(ty) || ty.is_optional() {
            return Ok(None);
        }
        let of = self.domain_of(ty, self.span(first.domain))?;
        let words = of.size.div_ceil(bits::MOST);
        if of.size < FEWEST || words > MOST_WORDS {
            return Ok(None);
        }
        let combinations = rest.iter().map(|bind| self.run_length(bind).unwrap_or(u64::MAX));
        if combinations.fold(words, u64::saturating_mul) > MOST_COMBINATIONS {
            return Ok(None);
        }
        let conditions: Vec<ExprId> = first.condition.into_iter().chain(conditions.iter().copied()).collect();
        let mark = self.code.mark();
        let mut masks = Vec::new();
        for bits in Bits::windows(first.local, of) {
            let Some(mask) = self.some(&bits, rest, &conditions)? else {
                self.code.take_back(mark);
                return Ok(None);
            };
            masks.push(mask);
        }
        Ok(Some((of, masks)))
    }

    /// Members for which there are values of some variables so that all conditions hold.
    pub(super) fn some(&mut self, bits: &Bits, binds: &[Bind], conditions: &[ExprId]) -> Try<Option<Mask>> {
        let Some((bind, rest)) = binds.split_first() else {
            let mut mask = Mask::constant(bits.all());
            for &condition in conditions {
                if mask.is_empty() {
                    break;
                }
                let Some(more) = self.mask(bits, condition)? else { return Ok(None) };
                mask = self.meet(mask, more);
            }
            return Ok(Some(mask));
        };
        let Some(members) = self.known_members(bits, bind) else { return Ok(None) };
        let mut mask = Mask::default();
        let conditions: Vec<ExprId> = bind.condition.into_iter().chain(conditions.iter().copied()).collect();
        for member in members {
            let inner = self.standing_for(bits, bind.local, member);
            let Some(more) = self.some(&inner, rest, &conditions)? else { return Ok(None) };
            mask = mask.or(more);
        }
        Ok(Some(mask))
    }

    /// Members for which a condition holds with all values of some variables.
    fn all_of(&mut self, bits: &Bits, binds: &[Bind], body: ExprId) -> Try<Option<Mask>> {
        let Some((bind, rest)) = binds.split_first() else { return self.mask(bits, body) };
        let Some(members) = self.known_members(bits, bind).filter(|_| bind.condition.is_none()) else {
            return Ok(None);
        };
        let mut mask = Mask::constant(bits.all());
        for member in members {
            let inner = self.standing_for(bits, bind.local, member);
            let Some(more) = self.all_of(&inner, rest, body)? else { return Ok(None) };
            mask = self.meet(mask, more);
        }
        Ok(Some(mask))
    }

    /// Lets a further variable stand for something.
    pub(super) fn standing_for(&mut self, bits: &Bits, name: LocalId, member: Member) -> Bits {
        match member {
            Member::Each(values) => bits.with(name, values),
            Member::Known(value) => {
                let value = self.constant(value);
                self.locals.insert(name, Var::Slot(value));
                bits.clone()
            }
        }
    }

    /// What a further variable runs over, if that is known, or known for each bit.
    pub(super) fn known_members(&mut self, bits: &Bits, bind: &Bind) -> Option<Vec<Member>> {
        if bind.clockwise {
            return None;
        }
        if self.depends(bits, bind.domain) {
            return self.ends_at_bits(bits, bind.domain);
        }
        Some(self.known_range(bind)?.into_iter().map(Member::Known).collect())
    }

    /// The two ends of an edge that is another one at each bit.
    fn ends_at_bits(&mut self, bits: &Bits, edge: ExprId) -> Option<Vec<Member>> {
        let Type::Named(ty) = *self.ty(edge) else { return None };
        if !matches!(self.types().get(ty).kind, TypeKind::Edges(_)) {
            return None;
        }
        let edges = self.values_of(bits, edge)?;
        let table = self.ends_table(ty) as usize;
        let end = |nth: usize| {
            let end = |edge: &i64| self.code.tables.get(table + usize::try_from(*edge).ok()? * 2 + nth).copied();
            edges.iter().map(end).collect::<Option<Values>>().map(Member::Each)
        };
        Some(vec![end(0)?, end(1)?])
    }

    /// What a variable runs over, if that is known.
    pub(super) fn known_range(&mut self, bind: &Bind) -> Option<Vec<i64>> {
        match &self.bound.expr(bind.domain).kind {
            Expr::Members(ty) if !self.is_regions(ty) && !ty.is_optional() => {
                let low = if let Type::Int(low, _) = ty { *low } else { 0 };
                let size = crate::machine::scalar_size(self.types(), ty).filter(|size| *size <= MOST_COMBINATIONS)?;
                Some((low..).take(usize::try_from(size).ok()?).collect())
            }
            Expr::Set(items) => items.iter().map(|item| self.known_value(*item)).collect(),
            Expr::Binary(BinaryOp::Range, low, high) => {
                let (low, high) = (self.known_value(*low)?, self.known_value(*high)?);
                (high.saturating_sub(low) <= exact::<_, i64>(MOST_COMBINATIONS)).then(|| (low..=high).collect())
            }
            _ => None,
        }
    }

    /// A value that comes out while this is compiled.
    pub(super) fn known_value(&mut self, id: ExprId) -> Option<i64> {
        let (mark, none) = (self.code.mark(), self.code.label());
        let value = self.strict(id, none);
        let written = !self.code.nothing_since(mark);
        self.code.take_back(mark);
        value.ok().filter(|_| !written).and_then(|value| self.code.known(value))
    }

    /// Is an expression the member of the domain that the bits are?
    pub(super) fn is_variable(&self, bits: &Bits, id: ExprId) -> bool {
        matches!(&self.bound.expr(id).kind, Expr::Local(local) if bits.is_member(*local))
    }

    /// Does an expression mention anything that varies?
    pub(super) fn depends(&self, bits: &Bits, id: ExprId) -> bool {
        let mut found = false;
        each_expr(self.bound, id, &mut |_, kind| {
            found |= matches!(kind, Expr::Local(local) if bits.values(*local).is_some());
        });
        found
    }

    /// The members for which a condition holds.
    pub(super) fn mask(&mut self, bits: &Bits, id: ExprId) -> Try<Option<Mask>> {
        self.take_step(id)?;
        if let Some(known) = self.known_mask(bits, id)? {
            return Ok(Some(Mask::constant(known)));
        }
        let mark = self.code.mark();
        if let Some(mask) = self.mask_by_parts(bits, id)? {
            return Ok(Some(mask));
        }
        self.code.take_back(mark);
        if let Some(mask) = self.among_mask(bits, id)? {
            return Ok(Some(mask));
        }
        let found = self.tabled_mask(bits, id)?;
        let found = found.map(|slot| match self.code.known(slot) {
            Some(known) => Mask::constant(known),
            None => Mask::moved(slot, bits.all(), 0, bits.all()),
        });
        Ok(found.or_else(|| bits.is_rough().then(|| Mask::constant(bits.all()))))
    }

    fn mask_by_parts(&mut self, bits: &Bits, id: ExprId) -> Try<Option<Mask>> {
        let bound = self.bound;
        match &bound.expr(id).kind {
            Expr::Unary(UnaryOp::Not, inner) => {
                Ok(self.mask(&bits.exactly(), *inner)?.map(|mask| self.others(bits.all(), mask)))
            }
            Expr::Binary(op @ (BinaryOp::And | BinaryOp::Or), left, right) => {
                let mark = self.code.mark();
                let Some(one) = self.mask(bits, *left)? else { return Ok(None) };
                let Some(other) = self.mask(bits, *right)? else { return Ok(None) };
                // What one side decides for all members makes the other superfluous.
                let decided = if *op == BinaryOp::And { 0 } else { bits.all() };
                if one.known() == Some(decided) || other.known() == Some(decided) {
                    self.code.take_back(mark);
                    return Ok(Some(Mask::constant(decided)));
                }
                Ok(Some(if *op == BinaryOp::And { self.meet(one, other) } else { one.or(other) }))
            }
            Expr::Binary(op @ (BinaryOp::Is | BinaryOp::IsNot), set, right) if self.is_empty_set(*right) => {
                if *op == BinaryOp::IsNot {
                    return self.filled_mask(bits, *set);
                }
                Ok(self.filled_mask(&bits.exactly(), *set)?.map(|mask| self.others(bits.all(), mask)))
            }
            Expr::Binary(op @ (BinaryOp::Is | BinaryOp::IsNot), left, right) => {
                // What may be the same is more than what is, and less would be left.
                let bits = if *op == BinaryOp::Is { bits } else { &bits.exactly() };
                let mut same = self.same_mask(bits, *left, *right)?;
                if same.is_none() {
                    same = self.same_mask(bits, *right, *left)?;
                }
                if same.is_none() {
                    same = self.alike_mask(bits, *left, *right)?;
                }
                Ok(same.map(|mask| if *op == BinaryOp::Is { mask } else { self.others(bits.all(), mask) }))
            }
            Expr::Binary(
                op @ (BinaryOp::More | BinaryOp::AtLeast | BinaryOp::Less | BinaryOp::AtMost),
                left,
                right,
            ) => self.larger_mask(bits, *op, (*left, *right)),
            Expr::Aggregate(Aggregate::Any, binds, Some(body), _) => self.some(bits, binds, &self.conjuncts(*body)),
            Expr::Aggregate(Aggregate::No, binds, Some(body), _) => {
                let found = self.some(&bits.exactly(), binds, &self.conjuncts(*body))?;
                Ok(found.map(|mask| self.others(bits.all(), mask)))
            }
            Expr::Aggregate(Aggregate::All, binds, Some(body), _) => self.all_of(bits, binds, *body),
            Expr::Def(def, args) => {
                let def = bound.def(*def);
                self.in_definition(bits, &def.params, args, &mut |compiler, inner| compiler.mask(inner, def.body))
            }
            _ => Ok(None),
        }
    }

    /// A condition that is known for every member.
    fn known_mask(&mut self, bits: &Bits, id: ExprId) -> Try<Option<i64>> {
        if !self.is_known_but_for(id, &bits.names()) {
            return Ok(None);
        }
        let mut mask = 0;
        for bit in (0..bits.count()).filter(|bit| bits.is_wanted(*bit)) {
            self.at_bit(bits, bit);
            match self.holds_now(id)? {
                Some(true) => mask |= 1 << bit,
                Some(false) => {}
                None => return Ok(None),
            }
        }
        Ok(Some(mask))
    }

    /// A definition: its parameters vary as what they are given does.
    pub(super) fn in_definition<T>(
        &mut self,
        bits: &Bits,
        params: &[LocalId],
        args: &[ExprId],
        body: &mut dyn FnMut(&mut Self, &Bits) -> Try<Option<T>>,
    ) -> Try<Option<T>> {
        let (mut names, mut values) = (Vec::new(), Vec::new());
        for (&param, &arg) in params.iter().zip(args) {
            if self.depends(bits, arg) {
                let Some(each) = self.given_at_bits(bits, param, arg) else { return Ok(None) };
                names.push((param, each));
                continue;
            }
            let (mark, none) = (self.code.mark(), self.code.label());
            if matches!(self.local_type(param).plain(), Type::Set(_) | Type::List(..)) {
                return Ok(None);
            }
            let value = self.argument(param, arg, none)?;
            if self.code.is_used(none) {
                self.code.take_back(mark);
                return Ok(None);
            }
            values.push((param, value));
        }
        let mut before = Vec::new();
        for (param, value) in values {
            before.extend(self.locals.insert(param, value).map(|old| (param, old)));
        }
        let found = body(self, &bits.renamed(names));
        self.locals.extend(before);
        found
    }

    /// What a parameter is given at each bit, if that is known and always fits.
    fn given_at_bits(&mut self, bits: &Bits, param: LocalId, arg: ExprId) -> Option<Values> {
        if !matches!(self.local_type(param), Type::Int(..) | Type::Named(_)) {
            return None;
        }
        let values = match self.bound.expr(arg).kind {
            Expr::Local(local) => Rc::clone(bits.values(local)?),
            _ => self.values_of(bits, arg)?,
        };
        let fits = match (self.local_type(param), self.ty(arg).plain()) {
            (Type::Int(low, high), Type::Int(..)) => values.iter().all(|value| (low..=high).contains(&value)),
            (Type::Named(wanted), Type::Named(given)) => wanted == given,
            _ => false,
        };
        fits.then_some(values)
    }
}
