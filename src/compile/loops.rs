//! Loops over what variables run over: ranges, types, sets, lists, edges, regions, seats in turn.
//!
//! Small loops whose members are known are written out, one body for each: with its variable a constant,
//! much of each body is known, and often nothing of it is left.

use super::builder::Label;
use super::compiler::{Compiler, Domain, ListVal, SetVal, Try};
use super::fold::Test;
use crate::ast::BinaryOp;
use crate::bind::{Bind, Expr, ExprId, Type, TypeId, TypeKind};
use crate::impossible;
use crate::internal::exact;
use crate::machine::{Instruction, Slot};

/// What a variable runs over.
#[derive(Debug, Clone)]
pub(super) enum Over {
    /// These numbers, in order.
    Numbers(i64, u64),
    /// These.
    Known(Vec<i64>),
    /// From one number to another.
    Range(Slot, Slot),
    /// The members of a set.
    Set(SetVal),
    /// The items of a list.
    List(ListVal),
    /// All seats, from this one on.
    Seats(Slot),
    /// The two cells of an edge.
    Ends(TypeId, Slot),
    /// All regions.
    Regions(TypeId),
    /// The members of a region.
    Region(TypeId, Slot),
}

/// What is emitted for each member.
pub(super) type Body<'b, 'c> = &'b mut dyn FnMut(&mut Compiler<'c>) -> Try<()>;

/// How many members a range has whose ends are not known.
const SOME: u64 = 8;

impl Compiler<'_> {
    /// How many members a variable runs over, if that is known and small.
    pub(super) fn run_length(&mut self, bind: &Bind) -> Option<u64> {
        if bind.clockwise {
            return Some(u64::from(self.bound.players.count));
        }
        match &self.bound.expr(bind.domain).kind {
            Expr::Members(ty) if !self.is_regions(ty) => crate::machine::scalar_size(self.types(), ty),
            Expr::Set(items) => Some(items.len() as u64),
            Expr::Binary(BinaryOp::Range, low, high) => match (self.number(*low), self.number(*high)) {
                (Some(low), Some(high)) => u64::try_from(high.saturating_sub(low).saturating_add(1)).ok().or(Some(0)),
                _ => match self.ty(bind.domain).plain() {
                    Type::Set(inner) => crate::machine::scalar_size(self.types(), inner).map(|size| size.min(SOME)),
                    _ => None,
                },
            },
            _ => match self.ty(bind.domain).plain() {
                Type::Named(id) if matches!(self.types().get(*id).kind, TypeKind::Edges(_)) => Some(2),
                _ => None,
            },
        }
    }

    /// A number that is the same all through this game.
    fn number(&self, id: ExprId) -> Option<i64> {
        match &self.bound.expr(id).kind {
            Expr::Int(value) => Some(*value),
            Expr::Players => Some(i64::from(self.bound.players.count)),
            Expr::Number(number) => match self.bound.number(*number).values.first() {
                Some(crate::bind::Value::Int(value)) => Some(*value),
                _ => None,
            },
            Expr::Binary(op, left, right) => {
                let (a, b) = (self.number(*left)?, self.number(*right)?);
                match op {
                    BinaryOp::Add => a.checked_add(b),
                    BinaryOp::Subtract => a.checked_sub(b),
                    BinaryOp::Multiply => a.checked_mul(b),
                    BinaryOp::Divide => crate::bind::divide_down(a, b),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    pub(super) fn is_regions(&self, ty: &Type) -> bool {
        matches!(ty, Type::Named(id) if matches!(self.types().get(*id).kind, TypeKind::Regions(_)))
    }

    /// What a variable runs over; on to `empty` if it is nothing.
    pub(super) fn span_of(&mut self, bind: &Bind, empty: Label) -> Try<Over> {
        if bind.clockwise {
            return Ok(Over::Seats(self.strict(bind.domain, empty)?));
        }
        self.span_in(bind.domain, empty)
    }

    pub(super) fn span_in(&mut self, domain: ExprId, empty: Label) -> Try<Over> {
        match &self.bound.expr(domain).kind {
            Expr::Binary(BinaryOp::Range, low, high) => {
                let low = self.strict(*low, empty)?;
                let high = self.strict(*high, empty)?;
                return Ok(match (self.code.known(low), self.code.known(high)) {
                    (Some(low), Some(high)) => {
                        Over::Numbers(low, u64::try_from(i128::from(high) - i128::from(low) + 1).unwrap_or(0))
                    }
                    _ => Over::Range(low, high),
                });
            }
            Expr::Members(ty) => return self.span_of_type(ty, domain),
            _ => {}
        }
        match self.ty(domain).plain() {
            Type::Set(_) => Ok(Over::Set(self.set(domain, empty)?)),
            Type::List(..) => Ok(Over::List(self.list(domain, empty)?)),
            Type::Named(id) => {
                let value = self.strict(domain, empty)?;
                Ok(match self.types().get(*id).kind {
                    TypeKind::Edges(_) => Over::Ends(*id, value),
                    _ => Over::Region(*id, value),
                })
            }
            // `none` and the empty list have no members.
            Type::Nothing => Ok(Over::Numbers(0, 0)),
            other => impossible!("{other:?} is gone through"),
        }
    }

    pub(super) fn span_of_type(&mut self, ty: &Type, at: ExprId) -> Try<Over> {
        match ty {
            Type::Named(id) if self.is_regions(ty) => Ok(Over::Regions(*id)),
            _ => {
                let low = if let Type::Int(low, _) = ty { *low } else { 0 };
                match crate::machine::scalar_size(self.types(), ty) {
                    Some(size) if !ty.is_optional() => Ok(Over::Numbers(low, size)),
                    _ => {
                        let shown = self.types().show(ty).to_string();
                        Err(super::compiler::too_large(self.span(at), format!("nothing can go through all of {shown}")))
                    }
                }
            }
        }
    }

    /// Emits the body for each member, which is in a slot: the given one, if the loop is not written out.
    pub(super) fn each(
        &mut self,
        span: &Over,
        slot: Option<Slot>,
        out: bool,
        body: &mut dyn FnMut(&mut Self, Slot) -> Try<()>,
    ) -> Try<()> {
        let inside = self.code.level();
        match span {
            Over::Numbers(low, count) if out => {
                for nth in 0..*count {
                    let value = self.constant(low.saturating_add(exact::<_, i64>(nth)));
                    body(self, value)?;
                    self.code.free_to(inside);
                }
                Ok(())
            }
            Over::Known(members) if out => {
                for &member in members {
                    let value = self.constant(member);
                    body(self, value)?;
                    self.code.free_to(inside);
                }
                Ok(())
            }
            Over::Known(members) => {
                let low = members.first().copied().unwrap_or(0);
                let last = members.last().copied().unwrap_or(0);
                let size = exact::<_, u64>(last - low + 1);
                let mut masks = vec![0_i64; exact::<_, usize>(size.div_ceil(64)).max(1)];
                for member in members {
                    let bit = exact::<_, usize>(member - low);
                    masks[bit / 64] |= 1 << (bit % 64);
                }
                let set = SetVal { bits: self.code.constant_run(&masks), of: Domain { low, size } };
                self.each_member(set, slot, false, body)
            }
            Over::Numbers(_, 0) => Ok(()),
            Over::Numbers(low, count) => {
                let low_slot = self.constant(*low);
                let last = self.constant(low.saturating_add(exact::<_, i64>(count - 1)));
                self.count_up(low_slot, last, slot, body)
            }
            Over::Range(low, high) => {
                let end = self.code.label();
                self.code.jump_if(Test::Less, *high, *low, true, end);
                self.count_up(*low, *high, slot, body)?;
                self.code.place(end);
                Ok(())
            }
            Over::Set(set) => self.each_member(*set, slot, out, body),
            Over::List(list) => self.each_item(list, slot, body),
            Over::Seats(first) => self.each_seat(*first, slot, out, body),
            Over::Ends(edges, edge) => {
                let table = self.ends_table(*edges);
                if out {
                    for nth in 0..2 {
                        let zero = self.constant(0);
                        let at = self.code.multiply_add(*edge, 2, zero);
                        let value = self.code.table(table + nth, at);
                        body(self, value)?;
                        self.code.free_to(inside);
                    }
                    return Ok(());
                }
                let (zero, one) = (self.constant(0), self.constant(1));
                let edge = *edge;
                self.count_up(zero, one, None, &mut |compiler, nth| {
                    let at = compiler.code.multiply_add(edge, 2, nth);
                    let value = compiler.code.table(table, at);
                    let value = compiler.as_slot(value, slot);
                    body(compiler, value)
                })
            }
            Over::Regions(ty) => self.each_region(*ty, slot, body),
            Over::Region(ty, region) => self.each_in_region(*ty, *region, slot, body),
        }
    }

    pub(super) fn as_slot(&mut self, value: Slot, slot: Option<Slot>) -> Slot {
        match slot {
            Some(slot) => {
                self.code.copy(slot, value);
                slot
            }
            None => value,
        }
    }

    /// `low` to `last`, at least once.
    pub(super) fn count_up(
        &mut self,
        low: Slot,
        last: Slot,
        slot: Option<Slot>,
        body: &mut dyn FnMut(&mut Self, Slot) -> Try<()>,
    ) -> Try<()> {
        let at = slot.unwrap_or_else(|| self.code.fresh());
        self.code.copy(at, low);
        let top = self.code.here();
        let inside = self.code.level();
        body(self, at)?;
        self.code.free_to(inside);
        self.code.push(Instruction::Count { at, last, go: top.0 });
        Ok(())
    }

    fn each_member(
        &mut self,
        set: SetVal,
        slot: Option<Slot>,
        out: bool,
        body: &mut dyn FnMut(&mut Self, Slot) -> Try<()>,
    ) -> Try<()> {
        let words = set.of.words();
        let known: Option<Vec<i64>> = (set.bits..).take(words).map(|slot| self.code.known(slot)).collect();
        if let Some(known) = known
            && (out || known.iter().all(|mask| *mask == 0))
        {
            for (word, mask) in (0_i64..).zip(known) {
                for bit in (0..64).filter(|bit| mask >> bit & 1 == 1) {
                    let value = self.constant(set.of.low + word * 64 + bit);
                    body(self, value)?;
                }
            }
            return Ok(());
        }
        let left = self.copy_set(set);
        let member = slot.unwrap_or_else(|| self.code.fresh());
        let end = self.code.label();
        let top = self.code.here();
        let members = exact::<_, u32>(set.of.size);
        self.code.push(Instruction::Next { bits: left.bits, members, to: member, go: end.0 });
        let inside = self.code.level();
        let value = if set.of.low == 0 {
            member
        } else {
            let low = self.constant(set.of.low);
            let value = self.code.add(member, low);
            self.as_slot(value, slot)
        };
        body(self, value)?;
        self.code.free_to(inside);
        self.code.jump(top);
        self.code.place(end);
        Ok(())
    }

    fn each_item(
        &mut self,
        list: &ListVal,
        slot: Option<Slot>,
        body: &mut dyn FnMut(&mut Self, Slot) -> Try<()>,
    ) -> Try<()> {
        let end = self.code.label();
        let (zero, one) = (self.constant(0), self.constant(1));
        let length = self.length(list);
        self.code.jump_if(Test::Same, length, zero, true, end);
        let last = self.code.subtract(length, one);
        self.count_up(zero, last, None, &mut |compiler, nth| {
            let value = compiler.item(list, nth);
            let value = compiler.as_slot(value, slot);
            body(compiler, value)
        })?;
        self.code.place(end);
        Ok(())
    }

    fn each_seat(
        &mut self,
        first: Slot,
        slot: Option<Slot>,
        out: bool,
        body: &mut dyn FnMut(&mut Self, Slot) -> Try<()>,
    ) -> Try<()> {
        let seats = i64::from(self.bound.players.count);
        if let (Some(first), true) = (self.code.known(first), out) {
            for step in 0..seats {
                let seat = self.constant((first + step) % seats.max(1));
                body(self, seat)?;
            }
            return Ok(());
        }
        let seat = slot.unwrap_or_else(|| self.code.fresh());
        self.code.copy(seat, first);
        let (zero, last, all) = (self.constant(0), self.constant(seats - 1), self.constant(seats));
        self.count_up(zero, last, None, &mut |compiler, _| {
            body(compiler, seat)?;
            let same_round = compiler.code.label();
            compiler.code.push(Instruction::AddConst { to: seat, a: seat, value: 1 });
            compiler.code.jump_if(Test::Same, seat, all, false, same_round);
            compiler.code.copy(seat, zero);
            compiler.code.place(same_round);
            Ok(())
        })
    }
}
