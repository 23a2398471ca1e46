//! Conditions, as branches: on to a label if they come out as wanted, and otherwise straight on.
//!
//! A question about nothing is answered no.

use super::builder::Label;
use super::compiler::{Compiler, Try};
use super::fold::Test;
use crate::ast::{Aggregate, BinaryOp, UnaryOp};
use crate::bind::{Expr, ExprId, Function, Type};
use crate::impossible;
use crate::machine::{Slot, none_of};

impl Compiler<'_> {
    /// On to `target` if the condition is `sense`.
    pub(super) fn branch(&mut self, id: ExprId, sense: bool, target: Label) -> Try<()> {
        self.take_step(id)?;
        let level = self.code.level();
        if matches!(&self.bound.expr(id).kind, Expr::Aggregate(..) | Expr::Def(..))
            && let Some(answer) = self.tabled(id)?
        {
            let one = self.constant(1);
            self.code.jump_if(Test::Same, answer, one, sense, target);
        } else {
            self.branch_on(id, sense, target)?;
        }
        self.code.free_to(level);
        Ok(())
    }

    /// The same, part by part.
    fn branch_on(&mut self, id: ExprId, sense: bool, target: Label) -> Try<()> {
        let end = self.code.label();
        let no = if sense { end } else { target };
        match &self.bound.expr(id).kind {
            Expr::Bool(value) => {
                if *value == sense {
                    self.code.jump(target);
                }
            }
            Expr::Unary(UnaryOp::Not, inner) => self.branch(*inner, !sense, target)?,
            Expr::Binary(BinaryOp::And, left, right) => self.both(*left, *right, sense, target)?,
            Expr::Binary(BinaryOp::Or, left, right) => {
                if sense {
                    self.branch(*left, true, target)?;
                    self.branch(*right, true, target)?;
                } else {
                    self.branch(*left, true, end)?;
                    self.branch(*right, false, target)?;
                }
            }
            Expr::Binary(op @ (BinaryOp::Is | BinaryOp::IsNot), left, right) => {
                self.same(*left, *right, sense == (*op == BinaryOp::Is), target)?;
            }
            Expr::Binary(
                op @ (BinaryOp::Less | BinaryOp::AtMost | BinaryOp::More | BinaryOp::AtLeast),
                left,
                right,
            ) => {
                self.compare(*op, *left, *right, sense, target, no)?;
            }
            Expr::Binary(op @ (BinaryOp::In | BinaryOp::NotIn), left, right) => {
                self.member(*left, *right, sense == (*op == BinaryOp::In), target)?;
            }
            Expr::If(condition, then, otherwise) => {
                let other = self.code.label();
                self.branch(*condition, false, other)?;
                self.branch(*then, sense, target)?;
                self.code.jump(end);
                self.code.place(other);
                self.branch(*otherwise, sense, target)?;
            }
            Expr::Aggregate(which @ (Aggregate::Any | Aggregate::All | Aggregate::No), binds, Some(body), _) => {
                // `all` fails with the first that does not hold, the others end with the first that does.
                let when_found = (*which == Aggregate::Any) == sense;
                let stop = if when_found { target } else { end };
                if *which != Aggregate::All
                    && let Some(found) = self.any_where(binds, &self.conjuncts(*body))?
                {
                    let none = self.constant(0);
                    self.code.jump_if(Test::Same, found, none, !when_found, target);
                    self.code.place(end);
                    return Ok(());
                }
                if *which != Aggregate::All && self.branch_meeting(binds, &self.conjuncts(*body), stop)? {
                } else if *which == Aggregate::All {
                    self.each_row(binds, &[*body], &mut |compiler| compiler.branch(*body, false, stop))?;
                } else {
                    self.each_row_where(binds, &self.conjuncts(*body), &[], &mut |compiler| {
                        compiler.code.jump(stop);
                        Ok(())
                    })?;
                }
                if !when_found {
                    self.code.jump(target);
                }
            }
            Expr::Aggregate(Aggregate::Pairing, binds, Some(body), _) => {
                let paired = self.pairing(binds, *body)?;
                let one = self.constant(1);
                self.code.jump_if(Test::Same, paired, one, sense, target);
            }
            Expr::Def(def, args) => self.call_branch(*def, args, sense, target, no)?,
            Expr::Function(Function::Adjacent, args) => self.adjacent(args, sense, target, no)?,
            _ => {
                let (value, _) = self.raw(id, no)?;
                let one = self.constant(1);
                self.code.jump_if(Test::Same, value, one, sense, target);
            }
        }
        self.code.place(end);
        Ok(())
    }

    /// `and`; what is known to be false makes the other side superfluous.
    fn both(&mut self, left: ExprId, right: ExprId, sense: bool, target: Label) -> Try<()> {
        let before = self.code.mark();
        if sense {
            let end = self.code.label();
            self.branch(left, false, end)?;
            let between = self.code.mark();
            self.branch(right, true, target)?;
            if self.code.nothing_since(between) {
                self.code.take_back(before);
            }
            self.code.place(end);
        } else {
            self.branch(left, false, target)?;
            let between = self.code.mark();
            self.branch(right, false, target)?;
            if self.code.only_jumped_since(between, target) {
                self.code.take_back(before);
                self.code.jump(target);
            }
        }
        Ok(())
    }

    fn same(&mut self, left: ExprId, right: ExprId, sense: bool, target: Label) -> Try<()> {
        let (one, other) = (self.ty(left), self.ty(right));
        let shape = if matches!(one.plain(), Type::Nothing) { other } else { one };
        match shape.plain() {
            Type::Set(_) => self.same_sets(left, right, sense, target),
            Type::List(..) => self.same_lists(left, right, sense, target),
            _ => {
                if let Some((count, few)) = self.counted_against(left, right) {
                    return self.branch_count(count, few, sense, target);
                }
                if let Expr::Def(def, args) = &self.bound.expr(left).kind
                    && let def = self.bound.def(*def)
                    && let Some((count, few)) = self.counted_against(def.body, right)
                {
                    let end = self.code.label();
                    let before = self.bind_params(&def.params, args, if sense { end } else { target })?;
                    self.branch_count(count, few, sense, target)?;
                    self.locals.extend(before);
                    self.code.place(end);
                    return Ok(());
                }
                self.same_values(left, right, shape, sense, target)
            }
        }
    }

    /// Two values; what is absent is the same as what is absent.
    fn same_values(&mut self, left: ExprId, right: ExprId, shape: &Type, sense: bool, target: Label) -> Try<()> {
        const SHORT: u64 = 30;
        let (one, other) = (self.ty(left), self.ty(right));
        let (no_left, no_right, end) = (self.code.label(), self.code.label(), self.code.label());
        let short = !other.is_optional() || self.weight(right) <= SHORT;
        let (a, a_may_miss) = if short { self.raw(left, no_left)? } else { (self.scalar_as(left, shape)?, true) };
        let (b, _) = if short { self.raw(right, no_right)? } else { (self.scalar_as(right, shape)?, true) };
        if self.never(a, other) || self.never(b, one) {
            if !sense {
                self.code.jump(target);
            }
        } else {
            self.code.jump_if(Test::Same, a, b, sense, target);
        }
        if self.code.is_used(no_left) || self.code.is_used(no_right) {
            self.code.jump(end);
            let nothing = self.constant(none_of(shape));
            self.code.place(no_right);
            if a_may_miss {
                self.code.jump_if(Test::Same, a, nothing, sense, target);
            } else if !sense {
                self.code.jump(target);
            }
            self.code.jump(end);
            self.code.place(no_left);
            if other.is_optional() {
                let b = self.scalar_as(right, shape)?;
                self.code.jump_if(Test::Same, b, nothing, sense, target);
            } else if !sense {
                self.code.jump(target);
            }
            self.code.place(end);
        }
        Ok(())
    }

    /// Two sets or lists are the same up to here; where the left one is absent, they are if the right one is, too.
    pub(super) fn same_so_far(
        &mut self,
        no_left: Label,
        differ: Label,
        (sense, target): (bool, Label),
        right: impl FnOnce(&mut Self, Label) -> Try<()>,
    ) -> Try<()> {
        let end = self.code.label();
        let same = if sense { target } else { end };
        self.code.jump(same);
        if self.code.is_used(no_left) {
            self.code.place(no_left);
            right(self, same)?;
        }
        self.code.place(differ);
        if !sense {
            self.code.jump(target);
        }
        self.code.place(end);
        Ok(())
    }

    /// Is this a constant that no value of a type is?
    fn never(&self, slot: Slot, ty: &Type) -> bool {
        let Some(value) = self.code.known(slot) else { return false };
        match ty {
            Type::Int(low, high) => !(low..=high).contains(&&value),
            Type::Named(_) => value < 0,
            _ => false,
        }
    }

    fn compare(&mut self, op: BinaryOp, left: ExprId, right: ExprId, sense: bool, target: Label, no: Label) -> Try<()> {
        let a = self.strict(left, no)?;
        let b = self.strict(right, no)?;
        let (test, a, b) = match op {
            BinaryOp::Less => (Test::Less, a, b),
            BinaryOp::AtMost => (Test::AtMost, a, b),
            BinaryOp::More => (Test::Less, b, a),
            BinaryOp::AtLeast => (Test::AtMost, b, a),
            _ => impossible!("{op:?} compares nothing"),
        };
        self.code.jump_if(test, a, b, sense, target);
        Ok(())
    }

    /// `count … is 0` asks whether there is none, and need not count.
    fn counted_against(&self, left: ExprId, right: ExprId) -> Option<(ExprId, bool)> {
        match (&self.bound.expr(left).kind, &self.bound.expr(right).kind) {
            (Expr::Aggregate(Aggregate::Count, ..), Expr::Int(0)) => Some((left, true)),
            _ => None,
        }
    }

    fn branch_count(&mut self, count: ExprId, none: bool, sense: bool, target: Label) -> Try<()> {
        let Expr::Aggregate(_, binds, Some(body), _) = &self.bound.expr(count).kind else {
            impossible!("what is no count is counted");
        };
        if let Some(found) = self.any_where(binds, &self.conjuncts(*body))? {
            let zero = self.constant(0);
            self.code.jump_if(Test::Same, found, zero, none == sense, target);
            return Ok(());
        }
        let end = self.code.label();
        let stop = if none == sense { end } else { target };
        self.each_row_where(binds, &self.conjuncts(*body), &[], &mut |compiler| {
            compiler.code.jump(stop);
            Ok(())
        })?;
        if none == sense {
            self.code.jump(target);
        }
        self.code.place(end);
        Ok(())
    }

    /// What a condition is made of with `and`.
    pub(super) fn conjuncts(&self, id: ExprId) -> Vec<ExprId> {
        match &self.bound.expr(id).kind {
            Expr::Binary(BinaryOp::And, left, right) => {
                let mut parts = self.conjuncts(*left);
                parts.extend(self.conjuncts(*right));
                parts
            }
            _ => vec![id],
        }
    }
}
