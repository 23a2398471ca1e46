//! `for`: what it runs over is fixed before anything happens.

use super::compiler::{Compiler, Stored, Try, Var};
use super::fold::Test;
use super::loops::Over;
use crate::ast::AssignOp;
use crate::bind::walk::each_statement;
use crate::bind::{Bind, Block, Expr, ExprId, StateId, Statement, Type};
use crate::internal::{Must, exact};
use crate::limits;
use crate::machine::{Instruction, Slot};
use crate::report::Span;

impl Compiler<'_> {
    /// `for` without pauses: straight through, if its body does not touch what it runs over.
    pub(super) fn for_each(&mut self, binds: &[Bind], by: &[ExprId], body: &Block, span: Span) -> Try<()> {
        let mut read: Vec<ExprId> = binds.iter().flat_map(crate::bind::walk::bind_parts).collect();
        read.extend(by);
        let read = self.states_read(read);
        let written = self.states_written(body);
        if by.is_empty() && !read.iter().any(|state| written.contains(state)) {
            let mut inside: Vec<ExprId> = Vec::new();
            each_statement(body, &mut |statement, _| inside.extend(crate::bind::walk::statement_parts(statement)));
            return self
                .storing(|compiler| compiler.each_row_done(binds, &inside, &mut |compiler| compiler.block(body)));
        }
        if by.is_empty() && self.for_each_once(binds, body, &written)? {
            return Ok(());
        }
        let (rows, columns) = self.rows(binds, by)?;
        let (end, zero, one) = (self.code.label(), self.constant(0), self.constant(1));
        self.code.rule(span);
        self.code.jump_if(Test::Same, rows, zero, true, end);
        let last = self.code.subtract(rows, one);
        self.storing(|compiler| {
            compiler.count_up(zero, last, None, &mut |compiler, nth| {
                for (bind, &base) in binds.iter().zip(&columns) {
                    let value = compiler.code.work_out(|to| Instruction::Get { to, base, at: nth });
                    compiler.locals.insert(bind.local, Var::Slot(value));
                }
                compiler.block(body)
            })
        })?;
        self.code.place(end);
        Ok(())
    }

    /// `for w in W, x in f(w) { S[x] = E }`: it makes no difference for which `w`, nor how often, so all `x` are put together
    /// first. False, and nothing is written, if the loop is none of this kind.
    fn for_each_once(&mut self, binds: &[Bind], body: &Block, written: &[StateId]) -> Try<bool> {
        let ([(Statement::Assign(place, AssignOp::Set, value), _)], [outer @ .., last]) =
            (body.statements.as_slice(), binds)
        else {
            return Ok(false);
        };
        let Expr::Index(base, args) = &self.bound.expr(*place).kind else { return Ok(false) };
        let is_last = |id: &ExprId| matches!(self.bound.expr(*id).kind, Expr::Local(local) if local == last.local);
        let named =
            matches!(self.bound.expr(*base).kind, Expr::State(_)) && matches!(args.as_slice(), [arg] if is_last(arg));
        let Type::Set(inner) = self.ty(last.domain).plain() else { return Ok(false) };
        let fixed = !self.states_read(vec![*value]).iter().any(|state| written.contains(state))
            && !outer.iter().any(|bind| self.mentions(*value, bind.local));
        if outer.is_empty() || last.clockwise || last.condition.is_some() || !named || !fixed {
            return Ok(false);
        }
        let of = self.domain_of(inner, self.span(last.domain))?;
        let (all, level) = (self.new_set(of), self.code.level());
        self.each_row(outer, &[last.domain], &mut |compiler| {
            let none = compiler.code.label();
            compiler.take_in(all, last.domain, none)?;
            compiler.code.place(none);
            Ok(())
        })?;
        self.code.free_to(level);
        self.storing(|compiler| {
            compiler.each(&Over::Set(all), None, false, &mut |compiler, value| {
                compiler.locals.insert(last.local, Var::Slot(value));
                compiler.block(body)
            })
        })?;
        Ok(true)
    }

    /// Compiles loops that store into the block.
    pub(super) fn storing<T>(&mut self, write: impl FnOnce(&mut Self) -> Try<T>) -> Try<T> {
        let before = std::mem::replace(&mut self.code.stores_in_loops, true);
        let done = write(self);
        self.code.stores_in_loops = before;
        done
    }

    /// All combinations, found before anything happens: how many, and where each variable's values begin.
    fn rows(&mut self, binds: &[Bind], by: &[ExprId]) -> Try<(Slot, Vec<Slot>)> {
        let mut most: usize = 1;
        for bind in binds {
            most = most.saturating_mul(self.most_rows(bind)?);
        }
        if most > limits::COMBINATIONS {
            let span = binds.first().map(|bind| self.span(bind.domain)).unwrap_or_default();
            return Err(super::compiler::too_large(
                span,
                format!("this may go through more than {} combinations", limits::shown(limits::COMBINATIONS as u64)),
            ));
        }
        let (rows, zero) = (self.code.fresh(), self.constant(0));
        self.code.copy(rows, zero);
        let columns: Vec<Slot> = binds.iter().map(|_| self.code.run(most)).collect();
        let keys: Vec<Slot> = by.iter().map(|_| self.code.run(most)).collect();
        self.each_row(binds, by, &mut |compiler| {
            for (bind, &base) in binds.iter().zip(&columns) {
                let value = compiler.locals.get(&bind.local).cloned();
                let value = compiler.read(&value.must("a variable has a value where it is visited"));
                compiler.code.push(Instruction::Put { base, at: rows, from: value });
            }
            for (&key, &base) in by.iter().zip(&keys) {
                let value = compiler.key(key)?;
                compiler.code.push(Instruction::Put { base, at: rows, from: value });
            }
            compiler.code.push(Instruction::AddConst { to: rows, a: rows, value: 1 });
            Ok(())
        })?;
        if !by.is_empty() {
            let sorting = exact::<_, u16>(self.program.sortings.len());
            self.program.sortings.push(crate::machine::Sorting { rows, columns: columns.clone(), keys });
            self.code.push(Instruction::Sort { sorting });
        }
        Ok((rows, columns))
    }

    /// `for` with pauses: the combinations are kept in the block, with how many are done.
    pub(super) fn for_with_pauses(&mut self, binds: &[Bind], by: &[ExprId], body: &Block, span: Span) -> Try<()> {
        let kept = self.kept;
        let mut most: usize = 1;
        for bind in binds {
            most = most.saturating_mul(self.most_rows(bind)?);
        }
        let (rows, columns) = self.rows(binds, by)?;
        let count_type = Type::Int(0, exact::<_, i64>(most));
        let zero = self.constant(0);
        let count = self.variable(rows, &count_type, true, span)?;
        let done = self.variable(zero, &count_type, true, span)?;
        let mut stored = Vec::new();
        for (bind, &base) in binds.iter().zip(&columns) {
            stored.push(self.keep_rows(base, most, rows, self.local_type(bind.local), span)?);
        }
        let end = self.code.label();
        let top = self.code.here();
        self.code.reuse.forget_loads();
        self.code.push(Instruction::Tick { cost: 1 });
        let now = self.read(&done);
        let all = self.read(&count);
        self.code.jump_if(Test::Less, now, all, false, end);
        for (bind, rows) in binds.iter().zip(&stored) {
            let value = self.load_one(rows, now);
            let var = self.variable(value, self.local_type(bind.local), true, span)?;
            self.locals.insert(bind.local, var);
        }
        let one = self.constant(1);
        let after = self.code.add(now, one);
        self.set_variable(&done, after);
        self.block(body)?;
        self.code.rule(span);
        self.code.jump(top);
        self.code.place(end);
        self.kept = kept;
        Ok(())
    }

    /// A column of combinations in the block; what is not used is cleared.
    fn keep_rows(&mut self, base: Slot, most: usize, rows: Slot, ty: &Type, span: Span) -> Try<Stored> {
        let stored = self.keep(ty, span)?;
        self.kept += super::layout::bytes_of(&stored.cell) * most.saturating_sub(1);
        self.most_kept = self.most_kept.max(self.kept);
        if most == 0 {
            return Ok(stored);
        }
        let (zero, last) = (self.constant(0), self.constant(exact::<_, i64>(most) - 1));
        let bias = self.constant(stored.cell.bias);
        let place = stored.clone();
        self.storing(|compiler| {
            compiler.count_up(zero, last, None, &mut |compiler, nth| {
                let (empty, end) = (compiler.code.label(), compiler.code.label());
                compiler.code.jump_if(Test::Less, nth, rows, false, empty);
                let value = compiler.code.work_out(|to| Instruction::Get { to, base, at: nth });
                compiler.store_one(&place, nth, value);
                compiler.code.jump(end);
                compiler.code.place(empty);
                compiler.store_unit(&place, nth, 0, bias, place.cell.bias);
                compiler.code.place(end);
                Ok(())
            })
        })?;
        Ok(stored)
    }
}
