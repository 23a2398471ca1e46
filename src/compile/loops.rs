//! Loops over what variables run over: ranges, types, sets, lists, edges, regions, seats in turn.
//!
//! Small loops whose members are known are written out, one body for each: with its variable a constant,
//! much of each body is known, and often nothing of it is left.

use super::builder::Label;
use super::compiler::{Compiler, Domain, ListVal, SetVal, Try, Var};
use super::fold::Test;
use crate::ast::BinaryOp;
use crate::bind::walk::each_expr;
use crate::bind::{Bind, Expr, ExprId, LocalId, Type, TypeId, TypeKind};
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

/// Combinations of variables.
struct Rows<'a> {
    binds: &'a [Bind],
    /// What is tested before the first variable is known, after the first, after the second, …
    conditions: Vec<Vec<ExprId>>,
    /// Is every loop written out?
    out: bool,
    /// How long the conditions and the body are.
    length: u64,
}

/// Loops with no more work than this are written out.
const WRITTEN_OUT: u64 = 6000;

impl<'c> Compiler<'c> {
    /// Emits the body for each combination of variables that satisfies their conditions.
    pub(super) fn each_row(&mut self, binds: &[Bind], bodies: &[ExprId], body: Body<'_, 'c>) -> Try<()> {
        self.each_row_where(binds, &[], bodies, body)
    }

    /// The same, where further conditions hold; each is tested as soon as its variables are known.
    pub(super) fn each_row_where(
        &mut self,
        binds: &[Bind],
        conditions: &[ExprId],
        bodies: &[ExprId],
        body: Body<'_, 'c>,
    ) -> Try<()> {
        let mut work: u64 = bodies.iter().chain(conditions).map(|&id| self.weight(id)).fold(1, u64::saturating_add);
        for bind in binds.iter().rev() {
            work = work.saturating_add(bind.condition.map_or(0, |condition| self.weight(condition)));
            work = work.saturating_mul(self.run_length(bind).unwrap_or(u64::MAX));
        }
        let mut length: u64 = bodies.iter().chain(conditions).map(|&id| self.length_of(id)).sum();
        length += binds.iter().filter_map(|bind| bind.condition).map(|id| self.length_of(id)).sum::<u64>();
        let rows = Rows { binds, conditions: self.by_variable(binds, conditions), out: work <= WRITTEN_OUT, length };
        let (end, level) = (self.code.label(), self.code.level());
        for &condition in &rows.conditions[0] {
            self.branch(condition, false, end)?;
        }
        self.each_of(&rows, 0, body)?;
        self.code.place(end);
        self.code.free_to(level);
        Ok(())
    }

    /// Conditions, by how many variables must be known.
    fn by_variable(&self, binds: &[Bind], conditions: &[ExprId]) -> Vec<Vec<ExprId>> {
        let mut sorted = vec![Vec::new(); binds.len() + 1];
        for &condition in conditions {
            let mut needed = 0;
            each_expr(self.bound, condition, &mut |_, kind| {
                if let Expr::Local(local) = kind {
                    let at = binds.iter().rposition(|bind| bind.local == *local);
                    needed = needed.max(at.map_or(0, |at| at + 1));
                }
            });
            sorted[needed].push(condition);
        }
        for (nth, bind) in binds.iter().enumerate() {
            sorted[nth + 1].splice(0..0, bind.condition);
        }
        sorted
    }

    fn each_of(&mut self, rows: &Rows<'_>, nth: usize, body: Body<'_, 'c>) -> Try<()> {
        let Some(bind) = rows.binds.get(nth) else { return body(self) };
        let level = self.code.level();
        let end = self.code.label();
        let mut over = self.span_of(bind, end)?;
        let mut conditions = rows.conditions[nth + 1].clone();
        let mut few = false;
        if let Over::Numbers(low, count) = over {
            let members = self.filtered(bind, (low, count), &mut conditions)?;
            few = members.len() <= 2 || members.len() <= 16 && rows.length <= 100;
            if u64::try_from(members.len()).is_ok_and(|left| left < count) {
                over = Over::Known(members);
            }
        }
        let out = rows.out || few || matches!(over, Over::Ends(..)) && rows.length < 100;
        self.each(&over, None, out, &mut |compiler, value| {
            compiler.locals.insert(bind.local, Var::Slot(value));
            let next = compiler.code.label();
            for &condition in &conditions {
                compiler.branch(condition, false, next)?;
            }
            compiler.each_of(rows, nth + 1, body)?;
            compiler.code.place(next);
            Ok(())
        })?;
        self.code.place(end);
        self.code.free_to(level);
        Ok(())
    }

    /// The members for which those conditions hold that are known for every member; what is left to be
    /// tested stays among the conditions.
    fn filtered(&mut self, bind: &Bind, (low, count): (i64, u64), conditions: &mut Vec<ExprId>) -> Try<Vec<i64>> {
        const MOST: u64 = 1024;
        let last = low.saturating_add(i64::try_from(count).unwrap_or(i64::MAX));
        if count > MOST {
            return Ok((0..17).collect());
        }
        let mut members: Vec<i64> = (low..last).collect();
        let mut left = Vec::new();
        for &condition in conditions.iter() {
            if self.is_known_but_for(condition, bind.local) {
                let mut kept = Vec::new();
                for &member in &members {
                    if self.holds_for(bind, member, condition)? {
                        kept.push(member);
                    }
                }
                members = kept;
            } else {
                left.push(condition);
            }
        }
        *conditions = left;
        Ok(members)
    }

    /// Does a condition depend on nothing but a variable and what is known?
    fn is_known_but_for(&self, condition: ExprId, variable: LocalId) -> bool {
        let mut known = true;
        let mut open = vec![condition];
        let mut params: Vec<LocalId> = vec![variable];
        while let Some(id) = open.pop() {
            each_expr(self.bound, id, &mut |id, kind| match kind {
                Expr::Local(local) if !params.contains(local) => match self.locals.get(local) {
                    Some(Var::Slot(slot)) => known &= self.code.known(*slot).is_some(),
                    _ => known = false,
                },
                Expr::Def(def, _) => {
                    let def = self.bound.def(*def);
                    params.extend(&def.params);
                    open.push(def.body);
                }
                Expr::Me => known &= matches!(self.me, Some(Var::Slot(slot)) if self.code.known(slot).is_some()),
                Expr::State(_)
                | Expr::Award(..)
                | Expr::Score(_)
                | Expr::Aggregate(..)
                | Expr::SetOf(_)
                | Expr::ListOf(_)
                | Expr::Outcome(_) => known = false,
                Expr::Make(ty, _) => known &= !self.is_regions(&Type::Named(*ty)),
                Expr::Members(ty) => known &= !self.is_regions(ty),
                _ => known &= !self.is_regions(self.ty(id).plain()),
            });
        }
        known
    }

    /// Compiles a condition for one member, and looks what came of it.
    fn holds_for(&mut self, bind: &Bind, member: i64, condition: ExprId) -> Try<bool> {
        let (no, mark) = (self.code.label(), self.code.mark());
        let value = self.constant(member);
        self.locals.insert(bind.local, Var::Slot(value));
        self.branch(condition, false, no)?;
        let fails = self.code.only_jumped_since(mark, no);
        self.code.rewind(mark);
        Ok(!fails)
    }

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
            _ => Ok(Over::Numbers(0, 0)),
        }
    }

    pub(super) fn span_of_type(&mut self, ty: &Type, at: ExprId) -> Try<Over> {
        match ty {
            Type::Named(id) if self.is_regions(ty) => Ok(Over::Regions(*id)),
            _ => {
                let low = if let Type::Int(low, _) = ty { *low } else { 0 };
                match crate::machine::scalar_size(self.types(), ty) {
                    Some(size) if !ty.is_optional() => Ok(Over::Numbers(low, size)),
                    _ => Err(super::compiler::too_large(self.span(at), "this has too many members to go through")),
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
                    let value = self.constant(low.saturating_add(i64::try_from(nth).unwrap_or(i64::MAX)));
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
                let size = u64::try_from(last - low + 1).unwrap_or(0);
                let mut masks = vec![0_i64; usize::try_from(size.div_ceil(64)).unwrap_or(0).max(1)];
                for member in members {
                    let bit = usize::try_from(member - low).unwrap_or(0);
                    masks[bit / 64] |= 1 << (bit % 64);
                }
                let set = SetVal { bits: self.code.constant_run(&masks), of: Domain { low, size } };
                self.each_member(set, slot, false, body)
            }
            Over::Numbers(_, 0) => Ok(()),
            Over::Numbers(low, count) => {
                let low_slot = self.constant(*low);
                let last = self.constant(low.saturating_add(i64::try_from(count - 1).unwrap_or(i64::MAX)));
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
        let words = u16::try_from(words).unwrap_or(u16::MAX);
        self.code.push(Instruction::Next { bits: left.bits, words, to: member, go: end.0 });
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
