//! Expressions of one value: truth, numbers, members, records.
//!
//! Whatever can be `none` is compiled with a label to go on to in that case, so that most of what reads
//! something absent costs one comparison, and what cannot be absent costs none.

use super::builder::Label;
use super::compiler::{Compiler, TableKey, Try, Var};
use super::fold::Test;
use crate::ast::{Aggregate, BinaryOp, UnaryOp};
use crate::bind::{Expr, ExprId, Type, TypeId};
use crate::impossible;
use crate::internal::{Must, exact};
use crate::machine::{Slot, none_of, to_slot};

impl Compiler<'_> {
    /// The value; `none` as its type has it.
    pub(super) fn scalar(&mut self, id: ExprId) -> Try<Slot> {
        self.scalar_as(id, self.ty(id))
    }

    /// The value; `none` as another type has it.
    pub(super) fn scalar_as(&mut self, id: ExprId, wanted: &Type) -> Try<Slot> {
        let none = self.code.label();
        let (value, _) = self.raw(id, none)?;
        Ok(self.or_none(value, none, none_of(wanted)))
    }

    /// A value, or at a label `none`.
    pub(super) fn or_none(&mut self, value: Slot, none: Label, nothing: i64) -> Slot {
        if !self.code.is_used(none) {
            return value;
        }
        let nothing = self.constant(nothing);
        if self.code.is_dead() {
            self.code.place(none);
            return nothing;
        }
        let (to, end) = (self.code.fresh(), self.code.label());
        self.code.copy(to, value);
        self.code.jump(end);
        self.code.place(none);
        self.code.copy(to, nothing);
        self.code.place(end);
        to
    }

    /// The value where there is one; on to the label otherwise.
    pub(super) fn strict(&mut self, id: ExprId, none: Label) -> Try<Slot> {
        let (value, may_miss) = self.raw(id, none)?;
        if may_miss {
            let nothing = self.constant(none_of(self.ty(id)));
            self.code.jump_if(Test::Same, value, nothing, true, none);
        }
        Ok(value)
    }

    /// The value, and whether it may still be `none`; on to the label if something that it needs is `none`.
    pub(super) fn raw(&mut self, id: ExprId, none: Label) -> Try<(Slot, bool)> {
        self.take_step(id)?;
        let ty = self.ty(id);
        let optional = ty.is_optional();
        let node = self.bound.expr(id);
        Ok(match &node.kind {
            Expr::Int(value) => (self.constant(*value), false),
            Expr::Bool(value) => (self.constant(*value), false),
            Expr::Players => (self.constant(self.bound.players.count), false),
            Expr::Member(candidates) => {
                let (_, at) = *candidates.first().must("a member is of a type");
                (self.constant(at), false)
            }
            Expr::None => {
                self.code.jump(none);
                (self.constant(0), false)
            }
            Expr::Me => match self.me.clone() {
                Some(me) => (self.read(&me), false),
                None => {
                    let fail = self.fail(node.span, "nobody is at turn");
                    self.code.jump(fail);
                    (self.constant(0), false)
                }
            },
            Expr::Local(local) => match self.locals.get(local).cloned() {
                Some(var) => (self.read(&var), self.local_type(*local).is_optional()),
                None => impossible!("{local:?} is read before it has a value"),
            },
            Expr::Number(number) => {
                let number = self.bound.number(*number);
                let value = number.values.first().must("a number has a value");
                let value = to_slot(self.types(), &number.ty, value).must("a value has a slot of its type");
                (self.constant(value), number.ty.is_optional())
            }
            Expr::State(_) | Expr::Index(..) | Expr::Field(..) => self.look_up(id, none)?,
            Expr::Def(def, args) => self.call(*def, args, none)?,
            Expr::Award(award, args) => (self.award(*award, args, none)?, false),
            Expr::Score(seat) => (self.score_of(*seat, none)?, optional),
            Expr::Function(function, args) if *ty != Type::Bool => self.function(*function, args, none)?,
            Expr::Make(made, args) => (self.make(*made, args, none)?, self.is_regions(&Type::Named(*made))),
            Expr::Unary(UnaryOp::Negate, inner) => {
                let value = self.strict(*inner, none)?;
                let zero = self.constant(0);
                (self.code.subtract(zero, value), false)
            }
            Expr::Binary(op @ (BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Multiply | BinaryOp::Divide), a, b) => {
                self.arithmetic(*op, *a, *b, none)?
            }
            Expr::Binary(BinaryOp::Or, left, right) if *ty != Type::Bool => {
                let (other, end, to) = (self.code.label(), self.code.label(), self.code.fresh());
                let first = self.strict(*left, other)?;
                if !self.code.is_used(other) {
                    return Ok((first, false));
                }
                self.code.copy(to, first);
                self.code.jump(end);
                self.code.place(other);
                let (second, may_miss) = self.raw(*right, none)?;
                self.code.copy(to, second);
                self.code.place(end);
                (to, may_miss)
            }
            Expr::If(condition, then, otherwise) if *ty != Type::Bool => {
                return self.either(*condition, *then, *otherwise, none);
            }
            Expr::Aggregate(which, binds, body, by)
                if !matches!(which, Aggregate::Any | Aggregate::All | Aggregate::No | Aggregate::Pairing) =>
            {
                self.aggregate(*which, binds, *body, by, none)?
            }
            _ if matches!(ty.plain(), Type::Set(_) | Type::List(..)) => {
                impossible!("a set or list is read as one value")
            }
            _ => (self.truth(id)?, false),
        })
    }

    fn either(&mut self, condition: ExprId, then: ExprId, otherwise: ExprId, none: Label) -> Try<(Slot, bool)> {
        let (other, end) = (self.code.label(), self.code.label());
        let mark = self.code.mark();
        self.branch(condition, false, other)?;
        if self.code.nothing_since(mark) {
            return self.raw(then, none);
        }
        if self.code.only_jumped_since(mark, other) {
            self.code.take_back(mark);
            return self.raw(otherwise, none);
        }
        let to = self.code.fresh();
        let (first, one) = self.raw(then, none)?;
        self.code.copy(to, first);
        self.code.jump(end);
        self.code.place(other);
        let (second, two) = self.raw(otherwise, none)?;
        self.code.copy(to, second);
        self.code.place(end);
        Ok((to, one || two))
    }

    /// A condition as a value.
    fn truth(&mut self, id: ExprId) -> Try<Slot> {
        let (no, mark) = (self.code.label(), self.code.mark());
        let (zero, one) = (self.constant(0), self.constant(1));
        self.branch(id, false, no)?;
        if self.code.nothing_since(mark) {
            return Ok(one);
        }
        if self.code.only_jumped_since(mark, no) {
            self.code.take_back(mark);
            return Ok(zero);
        }
        let (to, end) = (self.code.fresh(), self.code.label());
        self.code.copy(to, one);
        self.code.jump(end);
        self.code.place(no);
        self.code.copy(to, zero);
        self.code.place(end);
        Ok(to)
    }

    /// What a name of one value stands for.
    pub(super) fn read(&mut self, var: &Var) -> Slot {
        match var {
            Var::Slot(slot) => *slot,
            Var::Kept(stored) => {
                let zero = self.constant(0);
                self.load_one(stored, zero)
            }
            // INVARIANT: only names of one value are read as one.
            Var::Set(_) | Var::List(_) | Var::Maybe(..) => self.constant(0),
        }
    }

    fn arithmetic(&mut self, op: BinaryOp, left: ExprId, right: ExprId, none: Label) -> Try<(Slot, bool)> {
        let a = self.strict(left, none)?;
        let b = self.strict(right, none)?;
        let value = match (self.ty(left).plain(), self.ty(right).plain()) {
            (Type::Named(id), _) => {
                let count = exact::<_, i64>(self.types().count(*id)).max(1);
                if let (None, Some(by)) = (self.code.known(a), self.code.known(b)) {
                    let by = if op == BinaryOp::Add { by } else { -by }.rem_euclid(count);
                    return Ok((self.turned(*id, count, a, by), false));
                }
                let by = if let Type::Int(low, high) = self.ty(right).plain() { (*low, *high) } else { (0, count - 1) };
                let last = count - 1;
                let (value, from, to) = if op == BinaryOp::Add {
                    (self.code.add(a, b), by.0, last.saturating_add(by.1))
                } else {
                    (self.code.subtract(a, b), by.1.saturating_neg(), last.saturating_sub(by.0))
                };
                self.brought_back(*id, count, value, (from, to))
            }
            _ => match op {
                BinaryOp::Add => self.code.add(a, b),
                BinaryOp::Subtract => self.code.subtract(a, b),
                BinaryOp::Multiply => self.code.multiply(a, b),
                BinaryOp::Divide => return Ok((self.code.divide(a, b), true)),
                _ => impossible!("{op:?} is no arithmetic"),
            },
        };
        Ok((value, false))
    }

    /// The member of a cycle that a number between two others stands for: looked up, if these are few.
    fn brought_back(&mut self, id: TypeId, count: i64, value: Slot, (from, to): (i64, i64)) -> Slot {
        const MOST: i64 = 256;
        if to.saturating_sub(from) >= MOST {
            return self.code.modulo(value, count);
        }
        let table = self
            .make_table(TableKey::Cycle(id, from, to), || (from..=to).map(|number| number.rem_euclid(count)).collect());
        let first = self.constant(from);
        let at = self.code.subtract(value, first);
        self.code.table(table, at)
    }

    /// A member of a cycle some steps on: looked up.
    fn turned(&mut self, id: TypeId, count: i64, member: Slot, by: i64) -> Slot {
        let key = TableKey::Board("turn", id, id, by);
        let table = self.make_table(key, || (0..count).map(|member| (member + by) % count).collect());
        self.code.table(table, member)
    }
}
