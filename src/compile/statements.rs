//! Statements: the flow, and what actions do.
//!
//! What a block needs after a pause lies in the block of bytes, everything else in slots.

use super::builder::Label;
use super::compiler::{Compiler, Stored, Try, Var};
use super::fold::Test;
use crate::bind::walk::statement_blocks;
use crate::bind::{Bind, Block, ExprId, LocalId, PhaseId, Statement, Type};
use crate::machine::{Instruction, Slot};
use crate::report::Span;

impl Compiler<'_> {
    pub(super) fn block(&mut self, block: &Block) -> Try<()> {
        let kept = self.kept;
        let last_pause = block.statements.iter().rposition(|(statement, _)| self.statement_pauses(statement));
        for (nth, (statement, span)) in block.statements.iter().enumerate() {
            if self.code.is_dead() {
                break;
            }
            let level = self.code.level();
            let pauses = last_pause.is_some_and(|last| nth < last);
            self.code.rule(*span);
            self.within_budget(*span)?;
            self.statement(statement, *span, pauses)?;
            if !matches!(statement, Statement::Let(..) | Statement::Draw(_)) {
                self.code.free_to(level);
            }
        }
        self.kept = kept;
        Ok(())
    }

    fn statement(&mut self, statement: &Statement, span: Span, then_pauses: bool) -> Try<()> {
        match statement {
            Statement::Let(local, value) => {
                let var = self.value_of(*value, self.local_type(*local))?;
                self.declare(*local, var, then_pauses, span)?;
            }
            Statement::Assign(place, op, value) => self.assign(*place, *op, *value)?,
            Statement::If(condition, then, otherwise) => {
                let (other, end) = (self.code.label(), self.code.label());
                self.branch(*condition, false, other)?;
                self.block(then)?;
                self.code.jump(end);
                self.code.place(other);
                self.block(otherwise)?;
                self.code.place(end);
            }
            Statement::For(binds, by, body) if self.block_pauses(body) => {
                self.for_with_pauses(binds, by, body, span)?;
            }
            Statement::For(binds, by, body) => self.for_each(binds, by, body, span)?,
            Statement::Repeat(until, body) => {
                let end = self.code.label();
                let top = self.code.here();
                self.code.reuse.forget_loads();
                self.code.push(Instruction::Tick { cost: 1 });
                if let Some(until) = until {
                    self.branch(*until, true, end)?;
                }
                let outer = self.leave.replace(end);
                self.block(body)?;
                self.leave = outer;
                self.code.rule(span);
                self.code.jump(top);
                self.code.place(end);
            }
            Statement::Cycle(bind, until, body) => self.cycle(bind, *until, body, span)?,
            Statement::Turn(who, body) => self.turn(*who, body, span)?,
            Statement::Draw(draw) => self.draw(draw, span, then_pauses)?,
            Statement::Choose(choose) => self.choose(choose, span)?,
            Statement::Call(phase, args) => self.play_phase(*phase, args, span)?,
            Statement::Reveal(..) => {}
            Statement::End => self.code.push(Instruction::Over),
        }
        Ok(())
    }

    /// Does a statement wait for anybody?
    pub(super) fn statement_pauses(&self, statement: &Statement) -> bool {
        match statement {
            Statement::Draw(_) | Statement::Choose(_) => true,
            Statement::Call(phase, _) => {
                if let Some(&known) = self.pausing.borrow().get(phase) {
                    return known;
                }
                let pauses = self.block_pauses(&self.bound.phase(*phase).body);
                self.pausing.borrow_mut().insert(*phase, pauses);
                pauses
            }
            other => statement_blocks(other).into_iter().any(|block| self.block_pauses(block)),
        }
    }

    pub(super) fn block_pauses(&self, block: &Block) -> bool {
        block.statements.iter().any(|(statement, _)| self.statement_pauses(statement))
    }

    /// Any value, as what a name can stand for.
    pub(super) fn value_of(&mut self, id: ExprId, wanted: &Type) -> Try<Var> {
        let fail = self.fail(self.span(id), "there is no value here");
        match wanted.plain() {
            Type::Set(inner) => {
                let of = self.domain_of(inner, self.span(id))?;
                self.maybe(wanted.is_optional(), fail, |compiler, missing| {
                    let set = compiler.set_as(id, of, missing)?;
                    Ok(Var::Set(compiler.copy_set(set)))
                })
            }
            Type::List(most, _) => self.maybe(wanted.is_optional(), fail, |compiler, missing| {
                let list = compiler.list(id, missing)?;
                let copy = compiler.new_list(*most);
                compiler.assign_list(&copy, &list)?;
                Ok(Var::List(copy))
            }),
            _ => {
                let value = self.scalar_as(id, wanted)?;
                Ok(Var::Slot(value))
            }
        }
    }

    /// Lets a name stand for a value, over pauses if need be.
    pub(super) fn declare(&mut self, local: LocalId, var: Var, over_pauses: bool, span: Span) -> Try<()> {
        let ty = self.local_type(local);
        let var = if over_pauses { Var::Kept(self.keep_var(&var, ty, span)?) } else { var };
        self.locals.insert(local, var);
        Ok(())
    }

    pub(super) fn keep_var(&mut self, var: &Var, ty: &Type, span: Span) -> Try<Stored> {
        let stored = self.keep(ty, span)?;
        let zero = self.constant(0);
        match var {
            Var::Slot(slot) => self.store_one(&stored, zero, *slot),
            Var::Set(set) => self.store_set(&stored, zero, *set),
            Var::List(list) => self.store_list(&stored, zero, list)?,
            Var::Kept(_) | Var::Maybe(..) => {}
        }
        Ok(stored)
    }

    /// A round of seats that goes on and on.
    fn cycle(&mut self, bind: &Bind, until: Option<ExprId>, body: &Block, span: Span) -> Try<()> {
        let kept = self.kept;
        let seats = i64::from(self.bound.players.count);
        let seat_type = Type::Named(self.bound.players.ty);
        let (end, next, skip) = (self.code.label(), self.code.label(), self.code.label());
        let zero = self.constant(0);
        let first = self.strict(bind.domain, end)?;
        let pauses = self.block_pauses(body);
        let seat = self.variable(first, &seat_type, pauses, span)?;
        let skipped = match bind.condition {
            Some(_) => Some(self.variable(zero, &Type::Int(0, seats), pauses, span)?),
            None => None,
        };
        let after = until.and_then(|until| self.asked_after(bind.local, until, body));
        if let (Some(until), Some(_)) = (until, &after) {
            self.branch(until, true, end)?;
        }
        let top = self.code.here();
        self.code.reuse.forget_loads();
        self.code.push(Instruction::Tick { cost: 1 });
        if let (Some(until), None) = (until, &after) {
            self.branch(until, true, end)?;
        }
        self.locals.insert(bind.local, seat.clone());
        if let (Some(condition), Some(skipped)) = (bind.condition, &skipped) {
            self.branch(condition, false, skip)?;
            self.set_variable(skipped, zero);
        }
        self.block(body)?;
        if skipped.is_some() {
            // Whoever is skipped comes here, too, later in the code.
            self.code.place_for_later(next);
            self.code.reuse.forget_all();
        } else {
            self.code.place(next);
        }
        let level = self.code.level();
        self.code.rule(span);
        let now = self.read(&seat);
        if let Some(after) = after {
            self.ask_after(&after, now, end)?;
        }
        let one = self.constant(1);
        let after = self.code.add(now, one);
        let (last, same_round) = (self.constant(seats), self.code.label());
        let to = self.code.fresh();
        self.code.copy(to, after);
        self.code.jump_if(Test::Same, after, last, false, same_round);
        self.code.copy(to, zero);
        self.code.place(same_round);
        self.set_variable(&seat, to);
        self.code.free_to(level);
        self.code.jump(top);
        if let Some(skipped) = &skipped {
            self.code.place(skip);
            let count = self.read(skipped);
            let count = self.code.add(count, one);
            self.set_variable(skipped, count);
            // Nobody is left to go round.
            self.code.jump_if(Test::Less, count, last, true, next);
        }
        self.code.place(end);
        self.kept = kept;
        Ok(())
    }

    /// A variable of the flow.
    pub(super) fn variable(&mut self, value: Slot, ty: &Type, over_pauses: bool, span: Span) -> Try<Var> {
        if over_pauses {
            return Ok(Var::Kept(self.keep_var(&Var::Slot(value), ty, span)?));
        }
        let slot = self.code.fresh();
        self.code.copy(slot, value);
        Ok(Var::Slot(slot))
    }

    pub(super) fn set_variable(&mut self, var: &Var, value: Slot) {
        match var {
            Var::Slot(slot) => self.code.copy(*slot, value),
            Var::Kept(stored) => {
                let zero = self.constant(0);
                self.store_one(stored, zero, value);
            }
            Var::Set(_) | Var::List(_) | Var::Maybe(..) => {}
        }
    }

    fn turn(&mut self, who: ExprId, body: &Block, span: Span) -> Try<()> {
        let kept = self.kept;
        let fail = self.fail(span, "nobody can be at turn here");
        let seat = self.strict(who, fail)?;
        let pauses = self.block_pauses(body);
        let seat = self.variable(seat, &Type::Named(self.bound.players.ty), pauses, span)?;
        for (at, state) in self.bound.states.iter().enumerate() {
            if state.per_turn {
                self.initial(at)?;
            }
        }
        let outer = self.me.replace(seat);
        self.block(body)?;
        self.me = outer;
        self.kept = kept;
        Ok(())
    }

    fn play_phase(&mut self, phase: PhaseId, args: &[ExprId], span: Span) -> Try<()> {
        let phase = self.bound.phase(phase);
        let kept = self.kept;
        let fail = self.fail(span, "this does not fit into the phase's parameter");
        let pauses = self.block_pauses(&phase.body);
        let mut vars = Vec::new();
        for (&param, &arg) in phase.params.iter().zip(args) {
            let var = self.argument(param, arg, fail)?;
            let ty = self.local_type(param);
            let var = if pauses { Var::Kept(self.keep_var(&var, ty, span)?) } else { self.own_copy(var, ty)? };
            vars.push((param, var));
        }
        let outer = std::mem::take(&mut self.locals);
        self.locals.extend(vars);
        self.block(&phase.body)?;
        self.locals = outer;
        self.kept = kept;
        Ok(())
    }

    /// A value that stays when what it was made from changes.
    fn own_copy(&mut self, var: Var, ty: &Type) -> Try<Var> {
        Ok(match var {
            Var::Slot(slot) if self.code.known(slot).is_none() => {
                let copy = self.code.fresh();
                self.code.copy(copy, slot);
                Var::Slot(copy)
            }
            Var::Set(set) => Var::Set(self.copy_set(set)),
            Var::List(list) => {
                let copy = self.new_list(if let Type::List(most, _) = ty.plain() { *most } else { 0 });
                self.assign_list(&copy, &list)?;
                Var::List(copy)
            }
            other => other,
        })
    }

    /// Where the flow goes when nobody says anything else.
    pub(super) fn leave_label(&mut self) -> Label {
        match self.leave {
            Some(label) => label,
            None => {
                let label = self.code.label();
                self.overs.push(label);
                label
            }
        }
    }
}
