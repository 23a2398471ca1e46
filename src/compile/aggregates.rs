//! Membership, aggregates and pairings.

use super::builder::Label;
use super::compiler::{Compiler, Try, Var};
use super::fold::Test;
use super::loops::Over;
use crate::ast::Aggregate;
use crate::bind::walk::each_expr;
use crate::bind::{Bind, Expr, ExprId, LocalId, Type};
use crate::impossible;
use crate::internal::{Must, exact};
use crate::limits;
use crate::machine::{Instruction, Slot, none_of};

impl Compiler<'_> {
    /// On to `target` if the left side is, or is not, among the right.
    pub(super) fn member(&mut self, left: ExprId, right: ExprId, sense: bool, target: Label) -> Try<()> {
        let (end, level) = (self.code.label(), self.code.level());
        let (yes, no) = if sense { (target, end) } else { (end, target) };
        let value = self.strict(left, no)?;
        match &self.bound.expr(right).kind {
            Expr::Set(items) => {
                for &item in items {
                    let next = self.code.label();
                    let other = self.strict(item, next)?;
                    self.code.jump_if(Test::Same, value, other, true, yes);
                    self.code.place(next);
                }
                self.code.jump(no);
            }
            Expr::SetOf(bind) if !bind.clockwise && matches!(self.bound.expr(bind.domain).kind, Expr::Members(_)) => {
                self.member_of_type(value, left, bind.domain, no)?;
                self.locals.insert(bind.local, Var::Slot(value));
                match bind.condition {
                    Some(condition) => self.branch(condition, sense, target)?,
                    None => self.code.jump(yes),
                }
            }
            Expr::Members(ty) if !self.is_regions(ty) => {
                self.member_of_type(value, left, right, no)?;
                self.code.jump(yes);
            }
            _ => self.member_of(value, right, yes, no, sense)?,
        }
        self.code.place(end);
        self.code.free_to(level);
        Ok(())
    }

    fn member_of_type(&mut self, value: Slot, left: ExprId, domain: ExprId, no: Label) -> Try<()> {
        if let Expr::Members(ty) = &self.bound.expr(domain).kind
            && !super::indices::within(self.ty(left), ty)
            && let Over::Numbers(low, count) = self.span_of_type(ty, domain)?
        {
            self.code.jump_outside(value, low, count, no);
        }
        Ok(())
    }

    /// On to `yes` or `no`, whichever `sense` asks for; straight on otherwise.
    pub(super) fn member_of(&mut self, value: Slot, right: ExprId, yes: Label, no: Label, sense: bool) -> Try<()> {
        let over = self.span_in(right, no)?;
        match over {
            Over::Set(set) => {
                self.code.jump_outside(value, set.of.low, set.of.size, no);
                let below = self.constant(-set.of.low);
                let member = self.code.add(value, below);
                self.code.jump_if_member(set.bits, member, sense, if sense { yes } else { no });
            }
            Over::Numbers(low, count) => {
                self.code.jump_outside(value, low, count, no);
                if sense {
                    self.code.jump(yes);
                }
            }
            Over::Range(low, high) => {
                self.code.jump_if(Test::Less, value, low, true, no);
                self.code.jump_if(Test::AtMost, value, high, sense, if sense { yes } else { no });
            }
            Over::Region(ty, region) => {
                let (one, other) = (self.group(ty, region), self.group(ty, value));
                let zero = self.constant(0);
                self.code.jump_if(Test::Less, one, zero, true, no);
                self.code.jump_if(Test::Same, one, other, sense, if sense { yes } else { no });
            }
            over => {
                self.each(&over, None, matches!(over, Over::Ends(..)), &mut |compiler, other| {
                    compiler.code.jump_if(Test::Same, value, other, true, yes);
                    Ok(())
                })?;
                self.code.jump(no);
            }
        }
        Ok(())
    }

    /// A number or member made of many, and whether it may be `none`.
    pub(super) fn aggregate(
        &mut self,
        which: Aggregate,
        binds: &[Bind],
        body: Option<ExprId>,
        by: &[ExprId],
        none: Label,
    ) -> Try<(Slot, bool)> {
        match (which, body) {
            (Aggregate::First, _) => self.first(binds, by),
            (Aggregate::Count, Some(body)) => {
                if let [_] = binds
                    && let Some(found) = self.members_where(binds, &self.conjuncts(body))?
                {
                    return Ok((self.size_of_set(found), false));
                }
                let (to, zero) = (self.code.fresh(), self.constant(0));
                self.code.copy(to, zero);
                self.each_row_where(binds, &self.conjuncts(body), &[], &mut |compiler| {
                    compiler.code.push(Instruction::AddConst { to, a: to, value: 1 });
                    Ok(())
                })?;
                Ok((to, false))
            }
            (Aggregate::Sum, Some(body)) => {
                let (to, zero) = (self.code.fresh(), self.constant(0));
                self.code.copy(to, zero);
                self.each_row(binds, &[body], &mut |compiler| {
                    let next = compiler.code.label();
                    let value = compiler.strict(body, next)?;
                    if compiler.code.known(value) != Some(0) {
                        compiler.code.push(Instruction::Add { to, a: to, b: value });
                    }
                    compiler.code.place(next);
                    Ok(())
                })?;
                Ok((to, false))
            }
            (Aggregate::Min | Aggregate::Max, Some(body)) => {
                let nothing = none_of(self.ty(body));
                let (to, nothing) = (self.code.fresh(), self.constant(nothing));
                self.code.copy(to, nothing);
                self.each_row(binds, &[body], &mut |compiler| {
                    let (next, take) = (compiler.code.label(), compiler.code.label());
                    let value = compiler.strict(body, next)?;
                    compiler.code.jump_if(Test::Same, to, nothing, true, take);
                    let (a, b) = if which == Aggregate::Min { (to, value) } else { (value, to) };
                    compiler.code.jump_if(Test::AtMost, a, b, true, next);
                    compiler.code.place(take);
                    compiler.code.copy(to, value);
                    compiler.code.place(next);
                    Ok(())
                })?;
                Ok((to, true))
            }
            _ => {
                self.code.jump(none);
                Ok((self.constant(0), false))
            }
        }
    }

    /// The first combination by its keys: the value of its first variable.
    fn first(&mut self, binds: &[Bind], by: &[ExprId]) -> Try<(Slot, bool)> {
        let bind = binds.first().must("the first of something has a variable");
        let variables = self.variables_of(binds, by);
        if let Some(known) = variables.as_ref().and_then(|of| self.code.reuse.find_asked(bind.domain, of)) {
            return Ok((known, true));
        }
        if let Some(found) = self.first_on_track(binds, by)? {
            return Ok((found, true));
        }
        if let Some(found) = self.first_on_ray(binds, by)? {
            return Ok((variables.map_or(found, |of| self.code.keep_asked(bind.domain, &of, found)), true));
        }
        let local = bind.local;
        let (to, end) = (self.code.fresh(), self.code.label());
        let nothing = self.constant(none_of(self.local_type(local)));
        self.code.copy(to, nothing);
        let best = self.code.run(by.len());
        self.each_row(binds, by, &mut |compiler| {
            let value = compiler.locals.get(&local).cloned();
            let value = value.map_or(nothing, |var| compiler.read(&var));
            if by.is_empty() {
                compiler.code.copy(to, value);
                compiler.code.jump(end);
                return Ok(());
            }
            let (take, next) = (compiler.code.label(), compiler.code.label());
            let mut keys = Vec::new();
            for &key in by {
                keys.push(compiler.key(key)?);
            }
            compiler.code.jump_if(Test::Same, to, nothing, true, take);
            for (&key, best) in keys.iter().zip(best..) {
                compiler.code.jump_if(Test::Less, key, best, true, take);
                compiler.code.jump_if(Test::Less, best, key, true, next);
            }
            compiler.code.jump(next);
            compiler.code.place(take);
            compiler.code.copy(to, value);
            for (&key, best) in keys.iter().zip(best..) {
                compiler.code.copy(best, key);
            }
            compiler.code.place(next);
            Ok(())
        })?;
        self.code.place(end);
        Ok((variables.map_or(to, |of| self.code.keep_asked(bind.domain, &of, to)), true))
    }

    /// The slots of all that combinations depend on, if these are slots only.
    fn variables_of(&self, binds: &[Bind], by: &[ExprId]) -> Option<Vec<Slot>> {
        let parts = binds.iter().flat_map(|bind| std::iter::once(bind.domain).chain(bind.condition));
        let parts: Vec<ExprId> = parts.chain(by.iter().copied()).collect();
        let mut own: Vec<LocalId> = binds.iter().map(|bind| bind.local).collect();
        for &part in &parts {
            each_expr(self.bound, part, &mut |_, kind| match kind {
                Expr::Aggregate(_, binds, ..) => own.extend(binds.iter().map(|bind| bind.local)),
                Expr::SetOf(bind) | Expr::ListOf(bind) => own.push(bind.local),
                _ => {}
            });
        }
        let mut slots = vec![match self.me.as_ref() {
            Some(Var::Slot(slot)) => Some(*slot),
            Some(_) => None,
            None => Some(Slot::MAX),
        }];
        for part in parts {
            each_expr(self.bound, part, &mut |_, kind| match kind {
                Expr::Local(local) if !own.contains(local) => slots.extend(match self.locals.get(local) {
                    Some(Var::Slot(slot)) => Some(Some(*slot)),
                    Some(_) => Some(None),
                    None => None,
                }),
                _ => {}
            });
        }
        slots.into_iter().collect()
    }

    /// A value to sort by: nothing comes last.
    pub(super) fn key(&mut self, id: ExprId) -> Try<Slot> {
        let none = self.code.label();
        let value = self.strict(id, none)?;
        Ok(self.or_none(value, none, i64::MAX))
    }

    /// Can every member of the first domain get one of its own from the second?
    pub(super) fn pairing(&mut self, binds: &[Bind], body: ExprId) -> Try<Slot> {
        let [left, right] = binds else { impossible!("a pairing of {} variables", binds.len()) };
        let of = self.domain_of(self.local_type(right.local), self.span(body))?;
        let words = of.words();
        let most = self.most_rows(left)?;
        let (rows, zero) = (self.code.fresh(), self.constant(0));
        let fits = self.code.run(most * words);
        let row = self.room_for_set(of);
        self.code.copy(rows, zero);
        let right_local = right.local;
        let stride = exact::<_, u32>(words);
        self.each_row(std::slice::from_ref(left), &[], &mut |compiler| {
            let empty = compiler.new_set(of);
            compiler.assign_set(row, empty);
            compiler.each_row(std::slice::from_ref(right), &[body], &mut |compiler| {
                let next = compiler.code.label();
                compiler.branch(body, false, next)?;
                let value = compiler.locals.get(&right_local).cloned();
                let value = compiler.read(&value.must("a variable has a value where it is visited"));
                compiler.join(row, value);
                compiler.code.place(next);
                Ok(())
            })?;
            for (nth, from) in (0..).zip(row.bits..).take(words) {
                let nth = compiler.constant(nth);
                let at = compiler.code.multiply_add(rows, stride, nth);
                compiler.code.push(Instruction::Put { base: fits, at, from });
            }
            compiler.code.push(Instruction::AddConst { to: rows, a: rows, value: 1 });
            Ok(())
        })?;
        let words = exact::<_, u16>(words);
        Ok(self.code.work_out(|to| Instruction::Pairing { to, base: fits, rows, words }))
    }

    /// How many rows a variable can give at most.
    pub(super) fn most_rows(&mut self, bind: &Bind) -> Try<usize> {
        let most = match self.ty(bind.domain).plain() {
            Type::List(most, _) if !bind.clockwise => Some(u64::from(*most)),
            _ if bind.clockwise => Some(u64::from(self.bound.players.count)),
            _ => crate::machine::scalar_size(self.types(), self.local_type(bind.local).plain()),
        };
        let most = most.filter(|most| *most <= limits::COMBINATIONS as u64).and_then(|most| usize::try_from(most).ok());
        let too_large = || {
            let shown = limits::shown(limits::COMBINATIONS as u64);
            super::compiler::too_large(
                self.span(bind.domain),
                format!("this may go through more than {shown} combinations"),
            )
        };
        most.ok_or_else(too_large)
    }
}
