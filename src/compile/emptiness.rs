//! `set is {}`: whether anything is in a set, without making the set where that is known earlier.

use super::bits::Bits;
use super::board_sets::{MOST_PAIRS, leading_ways};
use super::builder::Label;
use super::compiler::{Compiler, TableKey, Try, Var};
use super::fold::Test;
use super::functions::walk;
use super::products::Mask;
use super::rays::Look;
use crate::ast::BinaryOp;
use crate::bind::{Expr, ExprId, Function, Type};
use crate::impossible;
use crate::internal::{Must, exact};
use crate::machine::NO_MEMBER;

impl<'c> Compiler<'c> {
    /// Is this `{}`?
    pub(super) fn is_empty_set(&self, id: ExprId) -> bool {
        matches!(&self.bound.expr(id).kind, Expr::Set(items) if items.is_empty())
    }

    /// On to `target` if it is `sense` that a set is empty. One that is not there is not empty.
    pub(super) fn branch_empty(&mut self, id: ExprId, sense: bool, target: Label) -> Try<()> {
        let end = self.code.label();
        let absent = if sense { end } else { target };
        match &self.bound.expr(id).kind {
            Expr::Set(items) if items.is_empty() => {
                if sense {
                    self.code.jump(target);
                }
            }
            Expr::If(condition, then, otherwise) => {
                let other = self.code.label();
                let one_step = self.is_empty_set(*otherwise).then(|| self.look_between(*then)).flatten();
                if let Some((from, look)) = one_step {
                    // Whether anything is there takes one step to see; if so, the set is not empty, or not there.
                    self.branch_beside(from, &look, *condition, other)?;
                    self.branch(*condition, true, if sense { end } else { target })?;
                } else {
                    self.branch(*condition, false, other)?;
                    self.branch_empty(*then, sense, target)?;
                    self.code.jump(end);
                }
                self.code.place(other);
                self.branch_empty(*otherwise, sense, target)?;
            }
            Expr::Def(def, args) if !self.is_long(*def) => {
                let def = self.bound.def(*def);
                let before = self.bind_params(&def.params, args, absent)?;
                self.branch_empty(def.body, sense, target)?;
                self.locals.extend(before);
            }
            Expr::Function(Function::Between, args) if self.is_large(args) => {
                self.branch_nothing_between(args, (sense, target), absent)?;
            }
            _ => {
                let (set, zero) = (self.set(id, absent)?, self.constant(0));
                let filled = if sense { end } else { target };
                for word in (set.bits..).take(set.of.words()) {
                    self.code.jump_if(Test::Same, word, zero, false, filled);
                }
                if sense {
                    self.code.jump(target);
                }
            }
        }
        self.code.place(end);
        Ok(())
    }

    /// The members of a variable for which a set is not empty, or not there.
    pub(super) fn filled_mask(&mut self, bits: &Bits, id: ExprId) -> Try<Option<Mask>> {
        self.take_step(id)?;
        let bound = self.bound;
        match &bound.expr(id).kind {
            Expr::Set(items) if items.is_empty() => Ok(Some(Mask::default())),
            Expr::If(condition, then, otherwise) => {
                let Some(otherwise) = self.filled_mask(bits, *otherwise)? else { return Ok(None) };
                let bits = if otherwise.is_empty() { bits } else { &bits.exactly() };
                let Some(holds) = self.mask(bits, *condition)? else { return Ok(None) };
                let Some(then) = self.filled_mask(bits, *then)? else { return Ok(None) };
                let one = self.meet(holds.clone(), then);
                if otherwise.is_empty() {
                    return Ok(Some(one));
                }
                let fails = self.others(bits.all(), holds);
                Ok(Some(one.or(self.meet(fails, otherwise))))
            }
            Expr::Def(def, args) => {
                let def = bound.def(*def);
                self.in_definition(bits, &def.params, args, &mut |compiler, inner| {
                    compiler.filled_mask(inner, def.body)
                })
            }
            Expr::Function(Function::Between, args) => match args.as_slice() {
                [from, to] if self.is_variable(bits, *from) => {
                    let beside = self.beside(bits, *to)?;
                    Ok(beside.map(|mask| self.others(bits.all(), mask)))
                }
                _ => Ok(None),
            },
            _ => Ok(None),
        }
    }

    /// Do the cells of a board take several words, but few enough for a table of pairs?
    fn is_large(&self, args: &[ExprId]) -> bool {
        let cells = args.first().and_then(|first| self.board(*first)).map_or(0, |(_, board, _)| board.cell_count());
        cells > 64 && cells * cells <= MOST_PAIRS
    }

    /// `between(a, b)`, where `b` is what is found along a way from `a`.
    fn look_between(&mut self, id: ExprId) -> Option<(ExprId, Look<'c>)> {
        let Expr::Function(Function::Between, args) = &self.bound.expr(id).kind else { return None };
        let [from, to] = args.as_slice() else { return None };
        Some((*from, self.look_from(*from, *to)?))
    }

    /// On to a label if nothing is between a cell and what is found along a way from it, as far as one step shows.
    /// If the way leads nowhere, a condition may tell the same.
    pub(super) fn skip_if_beside(&mut self, between: ExprId, condition: ExprId, nothing: Label) -> Try<()> {
        match self.look_between(between) {
            Some((from, look)) => self.branch_beside(from, &look, condition, nothing),
            None => Ok(()),
        }
    }

    /// On to a label if what is looked for along a way is right beside a cell, or if the way leads nowhere and a condition
    /// on what is found fails there.
    fn branch_beside(&mut self, from: ExprId, look: &Look<'c>, condition: ExprId, beside: Label) -> Try<()> {
        let elsewhere = self.code.label();
        let here = self.strict(from, elsewhere)?;
        let (cells, board, way) = look.line;
        let before = self.bind_params(look.params, look.args, elsewhere)?;
        // What is looked for in all directions is worked out before the first of them is left.
        self.work_out_looked_for(look)?;
        let key = TableKey::Board("beside", cells, cells, exact::<_, i64>(way));
        let table = self.make_table(key, || (0..board.cell_count()).map(|cell| walk(board, cell, way, 1)).collect());
        let (next, nowhere) = (self.code.table(table, here), self.constant(NO_MEMBER));
        let fails = self.fails_without(condition, look);
        self.code.jump_if(Test::Same, next, nowhere, true, if fails { beside } else { elsewhere });
        self.locals.insert(look.local, Var::Slot(next));
        self.branch(look.condition, true, beside)?;
        self.locals.extend(before);
        self.code.place(elsewhere);
        Ok(())
    }

    /// `S[x] is v`, with something for `v`, and for `x` what is looked for: it fails if nothing is found.
    fn fails_without(&self, condition: ExprId, look: &Look<'c>) -> bool {
        let Expr::Binary(BinaryOp::Is, left, right) = &self.bound.expr(condition).kind else { return false };
        let Expr::Index(base, args) = &self.bound.expr(*left).kind else { return false };
        let ([at], Expr::State(_)) = (args.as_slice(), &self.bound.expr(*base).kind) else { return false };
        let Expr::Def(def, args) = &self.bound.expr(*at).kind else { return false };
        let same = |(one, other): (&ExprId, &ExprId)| match (&self.bound.expr(*one).kind, &self.bound.expr(*other).kind)
        {
            (Expr::Local(one), Expr::Local(other)) => one == other,
            _ => false,
        };
        let something = !self.ty(*right).is_optional() && !matches!(self.ty(*right), Type::Nothing);
        something && self.bound.def(*def).params == look.params && args.iter().zip(look.args).all(same)
    }

    /// `between(a, b) is {}`
    fn branch_nothing_between(&mut self, args: &[ExprId], (sense, target): (bool, Label), absent: Label) -> Try<()> {
        let [from, to] = args else { impossible!("`between` has two arguments") };
        let (cells, board, _) = self.board(*from).must("`between` is about cells of a board");
        let count = board.cell_count();
        let (here, there) = (self.strict(*from, absent)?, self.strict(*to, absent)?);
        let key = TableKey::Board("apart", cells, cells, 0);
        let table = self.make_large_table(key, count.saturating_mul(count), || {
            let pairs = (0..count).flat_map(|from| (0..count).map(move |to| (from, to)));
            let apart = |((from, to), way): ((usize, usize), i64)| {
                usize::try_from(way).is_ok_and(|way| board.step(from, way) != Some(to))
            };
            pairs.zip(leading_ways(board)).map(|pair| i64::from(apart(pair))).collect()
        })?;
        let pair = self.code.multiply_add(here, exact::<_, u32>(count), there);
        let (apart, zero) = (self.code.table(table, pair), self.constant(0));
        self.code.jump_if(Test::Same, apart, zero, sense, target);
        Ok(())
    }
}
