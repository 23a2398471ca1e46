//! Definitions that are worked out once where they are asked for again and again.
//!
//! A step costs what lies between two cells and requires that something does: the same definition of the same two cells.
//! And while every tile of the uppermost kind may come, which kind that is stays the same. The values of such definitions
//! are kept with the slots of their arguments (`reuse.rs`): from the first time on in an action, from before a loop on
//! where the loop changes nothing about them.

use super::compiler::{Compiler, Try, Var};
use crate::bind::walk::{each_expr, parts};
use crate::bind::{Action, DefId, Expr, ExprId, LocalId, Type};
use crate::machine::Slot;

/// What is lighter is worked out again as fast as it is kept.
const LIGHT: u64 = 10;

/// What is lighter is not worked out before a loop, which may never ask for it.
const HEAVY: u64 = 20;

impl Compiler<'_> {
    /// Writes the tests of an action: what it asks for more than once is kept.
    pub(super) fn keeping_repeated<T>(&mut self, action: &Action, write: impl FnOnce(&mut Self) -> Try<T>) -> Try<T> {
        let before = self.kept_defs.len();
        let requirements = action.requirements.iter().map(|requirement| requirement.condition);
        let asked = requirements.chain(action.costs.iter().map(|price| price.amount));
        let (mut seen, mut open): (Vec<DefId>, Vec<ExprId>) = (Vec::new(), asked.collect());
        while let Some(id) = open.pop() {
            each_expr(self.bound, id, &mut |_, kind| {
                let Expr::Def(def, _) = kind else { return };
                if !seen.contains(def) {
                    seen.push(*def);
                    open.push(self.bound.def(*def).body);
                } else if !self.kept_defs.contains(def) {
                    self.kept_defs.push(*def);
                }
            });
        }
        let written = write(self);
        self.kept_defs.truncate(before);
        written
    }

    /// Writes a loop over these variables: definitions in these conditions that have nothing to do with them are worked out
    /// before it.
    pub(super) fn before_loop<T>(
        &mut self,
        conditions: &[ExprId],
        variables: &[LocalId],
        write: impl FnOnce(&mut Self) -> Try<T>,
    ) -> Try<T> {
        let before = self.kept_defs.len();
        let mut open = conditions.to_vec();
        while let Some(id) = open.pop() {
            let kind = &self.bound.expr(id).kind;
            match kind {
                // What a long definition gives, which is called, is not kept.
                Expr::Def(def, args) if !self.is_long(*def) && self.stays(id, args, variables) => {
                    self.kept_defs.push(*def);
                    let (mark, none) = (self.code.mark(), self.code.label());
                    self.call(*def, args, none)?;
                    if self.code.is_used(none) {
                        self.code.take_back(mark);
                    }
                }
                _ => open.extend(parts(kind)),
            }
        }
        let written = write(self);
        self.kept_defs.truncate(before);
        written
    }

    /// Is a definition worth being worked out before a loop, and the same all the time?
    fn stays(&mut self, id: ExprId, args: &[ExprId], variables: &[LocalId]) -> bool {
        let simple = !matches!(self.ty(id).plain(), Type::Bool | Type::Set(_) | Type::List(..));
        if !simple || self.weight(id) <= HEAVY {
            return false;
        }
        let mut stays = true;
        for &arg in args {
            each_expr(self.bound, arg, &mut |_, kind| match kind {
                Expr::Local(local) => stays &= !variables.contains(local) && self.locals.contains_key(local),
                Expr::Aggregate(..) | Expr::SetOf(_) | Expr::ListOf(_) => stays = false,
                _ => {}
            });
        }
        stays && !self.can_fail(id)
    }

    /// Can an expression come to a trouble? Nobody may be at turn, and no score may apply.
    fn can_fail(&self, id: ExprId) -> bool {
        let (mut fails, mut seen, mut awards, mut open) = (false, Vec::new(), Vec::new(), vec![id]);
        while let Some(id) = open.pop() {
            each_expr(self.bound, id, &mut |_, kind| match kind {
                Expr::Me => fails |= self.me.is_none(),
                Expr::Score(_) | Expr::Fault => fails = true,
                Expr::Def(def, _) if !seen.contains(def) => {
                    seen.push(*def);
                    open.push(self.bound.def(*def).body);
                }
                Expr::Award(award, _) if !awards.contains(award) => {
                    awards.push(*award);
                    let award = self.bound.award(*award);
                    open.extend(award.pays.iter().chain([&award.by]));
                }
                _ => {}
            });
        }
        fails
    }

    /// What the value of a definition is kept with: its arguments and who acts; nothing if it is not kept.
    pub(super) fn kept_with(&mut self, def: DefId) -> Option<Vec<Slot>> {
        let (body, params) = (self.bound.def(def).body, &self.bound.def(def).params);
        if !self.kept_defs.contains(&def) || self.weight(body) <= LIGHT {
            return None;
        }
        let me = match self.me.as_ref() {
            Some(Var::Slot(slot)) => *slot,
            Some(_) => return None,
            None => Slot::MAX,
        };
        let param = |param: &LocalId| match self.locals.get(param) {
            Some(Var::Slot(slot)) => Some(*slot),
            _ => None,
        };
        std::iter::once(Some(me)).chain(params.iter().map(param)).collect()
    }
}
