//! `{x in T where any a in D: x in S(a)}`: the union of all `S(a)`, without asking for every `x`.
//!
//! Which cells a group of pieces covers is naturally said cell by cell. Worked out so, it takes a test of every
//! cell with every piece; the union takes one step for each piece.

use super::builder::Label;
use super::compiler::{Compiler, Domain, SetVal, Try};
use crate::ast::{Aggregate, BinaryOp};
use crate::bind::{Bind, DefId, Expr, ExprId, LocalId, Type};
use crate::machine::Instruction;

/// What a set is the union of: for every row of these binds the set `of`, in which a definition may have named
/// parameters that stand for arguments.
struct Union<'b> {
    binds: &'b [Bind],
    of: ExprId,
    params: Vec<LocalId>,
    args: Vec<ExprId>,
}

impl<'c> Compiler<'c> {
    /// The set as a union, if it is one.
    pub(super) fn union(&mut self, bind: &Bind, of: Domain) -> Try<Option<SetVal>> {
        let Some(union) = self.as_union(bind) else { return Ok(None) };
        let set = self.new_set(of);
        self.each_row(union.binds, &[], &mut |compiler| {
            let next = compiler.code.label();
            let before = compiler.bind_params(&union.params, &union.args, next)?;
            compiler.take_in(set, union.of, next)?;
            compiler.locals.extend(before);
            compiler.code.place(next);
            Ok(())
        })?;
        Ok(Some(set))
    }

    /// Puts all members of one set into another that is in the making. Where there are none nothing is done. On to the label
    /// if the set is not there.
    pub(super) fn take_in(&mut self, all: SetVal, id: ExprId, none: Label) -> Try<()> {
        match &self.bound.expr(id).kind {
            Expr::Set(items) if items.is_empty() => {}
            Expr::If(condition, then, otherwise) => {
                let (other, end) = (self.code.label(), self.code.label());
                if all.of.words() > 1 && self.is_empty_set(*otherwise) {
                    self.skip_if_beside(*then, *condition, other)?;
                }
                self.branch(*condition, false, other)?;
                self.take_in(all, *then, none)?;
                self.code.jump(end);
                self.code.place(other);
                self.take_in(all, *otherwise, none)?;
                self.code.place(end);
            }
            Expr::Def(def, args) if !self.is_long(*def) => {
                let def = self.bound.def(*def);
                let before = self.bind_params(&def.params, args, none)?;
                self.take_in(all, def.body, none)?;
                self.locals.extend(before);
            }
            _ => {
                let part = self.set_as(id, all.of, none)?;
                for (to, b) in (all.bits..).zip(part.bits..).take(all.of.words()) {
                    self.code.push(Instruction::Either { to, a: to, b });
                }
            }
        }
        Ok(())
    }

    fn as_union(&self, bind: &Bind) -> Option<Union<'c>> {
        let bound = self.bound;
        let over_all = matches!(&bound.expr(bind.domain).kind, Expr::Members(ty) if !self.is_regions(ty));
        let Expr::Aggregate(Aggregate::Any, binds, Some(body), _) = &bound.expr(bind.condition?).kind else {
            return None;
        };
        let about = |id: ExprId, local: LocalId| self.mentions(id, local);
        let rows_are_free = binds.iter().all(|inner| {
            !about(inner.domain, bind.local) && inner.condition.is_none_or(|condition| !about(condition, bind.local))
        });
        if !over_all || bind.clockwise || !rows_are_free {
            return None;
        }
        match &bound.expr(*body).kind {
            Expr::Binary(BinaryOp::In, left, right) => {
                let own = matches!(&bound.expr(*left).kind, Expr::Local(local) if *local == bind.local);
                (own && self.is_set(*right) && !about(*right, bind.local)).then(|| Union {
                    binds,
                    of: *right,
                    params: Vec::new(),
                    args: Vec::new(),
                })
            }
            Expr::Def(def, args) => {
                let (member, of) = self.membership(*def)?;
                let own = |arg: &ExprId| matches!(&bound.expr(*arg).kind, Expr::Local(local) if *local == bind.local);
                let declared = &bound.def(*def).params;
                let nth = declared.iter().position(|param| *param == member)?;
                let others = args.iter().enumerate().filter(|(at, _)| *at != nth);
                // What is not of the parameter's type is in no set at all.
                let fits = self.local_type(member) == self.local_type(bind.local);
                if !fits || !args.get(nth).is_some_and(own) || others.clone().any(|(_, arg)| about(*arg, bind.local)) {
                    return None;
                }
                let params = declared.iter().copied().filter(|param| *param != member).collect();
                Some(Union { binds, of, params, args: others.map(|(_, arg)| *arg).collect() })
            }
            _ => None,
        }
    }

    /// A definition that asks whether a parameter is in a set that has nothing to do with it.
    fn membership(&self, def: DefId) -> Option<(LocalId, ExprId)> {
        let Expr::Binary(BinaryOp::In, left, right) = &self.bound.expr(self.bound.def(def).body).kind else {
            return None;
        };
        let Expr::Local(member) = &self.bound.expr(*left).kind else { return None };
        let free = self.is_set(*right) && !self.mentions(*right, *member);
        free.then_some((*member, *right))
    }

    fn is_set(&self, id: ExprId) -> bool {
        matches!(self.ty(id).plain(), Type::Set(_))
    }
}
