//! Definitions: written out where they are used, or routines of their own if they are long.

use super::builder::Label;
use super::compiler::{Compiler, Domain, ListVal, SetVal, Try, Var};
use crate::bind::walk::parts;
use crate::bind::{DefId, Expr, ExprId, LocalId, Type, TypeId};
use crate::impossible;
use crate::internal::Must;
use crate::machine::{Instruction, Slot, scalar_size};

/// Definitions longer than this become routines.
const LONG: u64 = 250;

/// A definition that is called.
#[derive(Debug, Clone)]
pub(super) struct Routine {
    entry: Label,
    params: Vec<Var>,
    me: Option<Slot>,
    /// Where the answer is: a value, or the words of a set.
    answer: Slot,
    /// Is the answer, a set, there?
    there: Slot,
}

/// What is compiled after everything that uses it.
#[derive(Debug, Clone, Copy)]
pub(super) enum Pending {
    Def(DefId, bool),
    Region(TypeId),
    Score,
}

impl Compiler<'_> {
    /// How long an expression is, written out.
    pub(super) fn length_of(&mut self, id: ExprId) -> u64 {
        if let Some(&known) = self.lengths.get(&id) {
            return known;
        }
        let kind = &self.bound.expr(id).kind;
        let mut length: u64 = 1;
        for part in parts(kind) {
            length = length.saturating_add(self.length_of(part));
        }
        if let Expr::Def(def, _) = kind {
            let body = self.length_of(self.bound.def(*def).body);
            length = length.saturating_add(if body > LONG { 2 } else { body });
        }
        if let Expr::Award(award, _) = kind {
            let award = self.bound.award(*award);
            for &part in award.pays.iter().chain([&award.by]) {
                length = length.saturating_add(self.length_of(part));
            }
        }
        self.lengths.insert(id, length);
        length
    }

    pub(super) fn is_long(&mut self, def: DefId) -> bool {
        let def = self.bound.def(def);
        let scalar = !matches!(self.ty(def.body).plain(), Type::List(..));
        let plain_params = def.params.iter().all(|param| {
            let ty = self.local_type(*param);
            let maybe_set = ty.is_optional() && matches!(ty.plain(), Type::Set(_));
            !maybe_set && !matches!(ty.plain(), Type::List(..))
        });
        scalar && plain_params && self.length_of(def.body) > LONG
    }

    /// A value.
    pub(super) fn call(&mut self, def: DefId, args: &[ExprId], none: Label) -> Try<(Slot, bool)> {
        let body = self.bound.def(def).body;
        if self.is_long(def) {
            let routine = self.call_routine(def, args, none)?;
            let to = self.code.fresh();
            self.code.copy(to, routine.answer);
            return Ok((to, self.ty(body).is_optional()));
        }
        let before = self.bind_params(&self.bound.def(def).params, args, none)?;
        let kept_with = self.kept_with(def);
        let known = kept_with.as_ref().and_then(|of| self.code.reuse.find_asked(body, of));
        let found = match known {
            Some(known) => Ok((known, false)),
            None => self.raw(body, none),
        };
        self.locals.extend(before);
        let (value, may_miss) = found?;
        match kept_with {
            Some(of) if known.is_none() && !may_miss && self.code.known(value).is_none() => {
                Ok((self.code.keep_asked(body, &of, value), false))
            }
            _ => Ok((value, may_miss)),
        }
    }

    /// A condition.
    pub(super) fn call_branch(
        &mut self,
        def: DefId,
        args: &[ExprId],
        sense: bool,
        target: Label,
        no: Label,
    ) -> Try<()> {
        let body = self.bound.def(def).body;
        if self.is_long(def) {
            let routine = self.call_routine(def, args, no)?;
            let one = self.constant(1);
            self.code.jump_if(super::fold::Test::Same, routine.answer, one, sense, target);
            return Ok(());
        }
        let before = self.bind_params(&self.bound.def(def).params, args, no)?;
        let found = self.branch(body, sense, target);
        self.locals.extend(before);
        found
    }

    /// A set.
    pub(super) fn call_set(&mut self, def: DefId, args: &[ExprId], of: Domain, none: Label) -> Try<SetVal> {
        let body = self.bound.def(def).body;
        if self.is_long(def) {
            let routine = self.call_routine(def, args, none)?;
            let zero = self.constant(0);
            self.code.jump_if(super::fold::Test::Same, routine.there, zero, true, none);
            let inner = if let Type::Set(inner) = self.ty(body).plain() { inner.as_ref() } else { &Type::Nothing };
            let answer = SetVal { bits: routine.answer, of: self.domain_of(inner, self.span(body))? };
            let copy = self.copy_set(answer);
            return self.convert(copy, of, None);
        }
        let before = self.bind_params(&self.bound.def(def).params, args, none)?;
        let found = self.set_as(body, of, none);
        self.locals.extend(before);
        found
    }

    /// A list.
    pub(super) fn call_list(&mut self, def: DefId, args: &[ExprId], none: Label) -> Try<ListVal> {
        let before = self.bind_params(&self.bound.def(def).params, args, none)?;
        let found = self.list(self.bound.def(def).body, none);
        self.locals.extend(before);
        found
    }

    /// Gives parameters their values; what they were before is given back. On to the label if one that must
    /// be there is not.
    pub(super) fn bind_params(&mut self, params: &[LocalId], args: &[ExprId], none: Label) -> Try<Vec<(LocalId, Var)>> {
        let mut vars = Vec::new();
        for (&param, &arg) in params.iter().zip(args) {
            vars.push((param, self.argument(param, arg, none)?));
        }
        let mut before = Vec::new();
        for (param, var) in vars {
            before.extend(self.locals.insert(param, var).map(|old| (param, old)));
        }
        Ok(before)
    }

    /// The value of an argument.
    pub(super) fn argument(&mut self, param: LocalId, arg: ExprId, none: Label) -> Try<Var> {
        let wanted = self.local_type(param);
        match wanted.plain() {
            Type::Set(inner) => {
                let of = self.domain_of(inner, self.span(arg))?;
                self.maybe(wanted.is_optional(), none, |compiler, missing| {
                    let set = compiler.set(arg, missing)?;
                    Ok(Var::Set(compiler.convert(set, of, Some(missing))?))
                })
            }
            Type::List(most, item) => self.maybe(wanted.is_optional(), none, |compiler, missing| {
                let list = compiler.list(arg, missing)?;
                let found = compiler.ty(arg);
                let fits = matches!(found.plain(), Type::List(length, inner)
                    if length <= most && super::indices::within(inner, item) && inner.is_optional() <= item.is_optional());
                Ok(Var::List(if fits { list } else { compiler.fitting_list(&list, found, wanted, missing)? }))
            }),
            _ if wanted.is_optional() => Ok(Var::Slot(self.scalar_as(arg, wanted)?)),
            plain => {
                let value = self.strict(arg, none)?;
                if !super::indices::within(self.ty(arg), plain) {
                    let low = if let Type::Int(low, _) = plain { *low } else { 0 };
                    let size = scalar_size(self.types(), plain).must("a scalar type has a size");
                    self.code.jump_outside(value, low, size, none);
                }
                Ok(Var::Slot(value))
            }
        }
    }

    /// A set or list that may be absent, or must be there.
    pub(super) fn maybe(
        &mut self,
        optional: bool,
        none: Label,
        make: impl FnOnce(&mut Self, Label) -> Try<Var>,
    ) -> Try<Var> {
        if !optional {
            return make(self, none);
        }
        let (missing, end, there) = (self.code.label(), self.code.label(), self.code.fresh());
        let (zero, one) = (self.constant(0), self.constant(1));
        self.code.copy(there, zero);
        let var = make(self, missing)?;
        self.code.copy(there, one);
        self.code.place(missing);
        self.code.place(end);
        Ok(Var::Maybe(there, Box::new(var)))
    }

    fn call_routine(&mut self, def: DefId, args: &[ExprId], none: Label) -> Try<Routine> {
        let key = (def, self.me.is_some());
        let routine = match self.routines.get(&key) {
            Some(known) => known.clone(),
            None => self.new_routine(def)?,
        };
        let mut vars = Vec::new();
        for (&param, &arg) in self.bound.def(def).params.iter().zip(args) {
            vars.push(self.argument(param, arg, none)?);
        }
        for (to, from) in routine.params.iter().zip(vars) {
            match (to, from) {
                (Var::Slot(to), Var::Slot(from)) => self.code.copy(*to, from),
                (Var::Set(to), Var::Set(from)) => self.assign_set(*to, from),
                (to, from) => impossible!("a parameter {to:?} is given {from:?}"),
            }
        }
        if let (Some(to), Some(me)) = (routine.me, self.me.clone()) {
            let from = self.read(&me);
            self.code.copy(to, from);
        }
        self.code.push(Instruction::Call { go: routine.entry.0 });
        Ok(routine)
    }

    fn new_routine(&mut self, id: DefId) -> Try<Routine> {
        let def = self.bound.def(id);
        let mut params = Vec::new();
        for &param in &def.params {
            params.push(match self.local_type(param).plain() {
                Type::Set(inner) => {
                    let of = self.domain_of(inner, def.span)?;
                    Var::Set(SetVal { bits: self.code.own(of.words()), of })
                }
                _ => Var::Slot(self.code.own(1)),
            });
        }
        let words = match self.ty(def.body).plain() {
            Type::Set(inner) => self.domain_of(inner, def.span)?.words(),
            _ => 1,
        };
        let routine = Routine {
            entry: self.code.label(),
            params,
            me: self.me.is_some().then(|| self.code.own(1)),
            answer: self.code.own(words),
            there: self.code.own(1),
        };
        self.routines.insert((id, self.me.is_some()), routine.clone());
        self.pending.push(Pending::Def(id, self.me.is_some()));
        Ok(routine)
    }

    /// Compiles what was put off, and what that puts off in turn.
    pub(super) fn write_pending(&mut self) -> Try<()> {
        while let Some(pending) = self.pending.pop() {
            let (locals, me) = (std::mem::take(&mut self.locals), self.me.take());
            self.code.begin_routine();
            match pending {
                Pending::Def(def, has_me) => self.write_routine(def, has_me)?,
                Pending::Region(ty) => self.write_region(ty)?,
                Pending::Score => self.write_score()?,
            }
            self.locals = locals;
            self.me = me;
        }
        Ok(())
    }

    fn write_routine(&mut self, id: DefId, has_me: bool) -> Try<()> {
        let routine = self.routines.get(&(id, has_me)).cloned().must("a routine that was put off is known");
        let def = self.bound.def(id);
        self.code.begin_at(routine.entry, format!("def {}", def.name), def.span);
        let since = self.code.mark();
        self.me = routine.me.map(Var::Slot);
        for (&param, var) in def.params.iter().zip(&routine.params) {
            self.locals.insert(param, var.clone());
        }
        let (zero, one) = (self.constant(0), self.constant(1));
        if let Type::Set(inner) = self.ty(def.body).plain() {
            let of = self.domain_of(inner, def.span)?;
            let none = self.code.label();
            self.code.copy(routine.there, zero);
            let set = self.set(def.body, none)?;
            self.assign_set(SetVal { bits: routine.answer, of }, set);
            self.code.copy(routine.there, one);
            self.code.place(none);
        } else if *self.ty(def.body) == Type::Bool {
            let no = self.code.label();
            self.code.copy(routine.answer, zero);
            self.branch(def.body, false, no)?;
            self.code.copy(routine.answer, one);
            self.code.place(no);
        } else {
            let value = self.scalar(def.body)?;
            self.code.copy(routine.answer, value);
        }
        self.code.tick(since);
        self.code.push(Instruction::Return);
        Ok(())
    }

    // ------------------------------------------------------------ scores

    /// A seat's score; a short one is written out.
    pub(super) fn score_of(&mut self, seat: ExprId, none: Label) -> Try<Slot> {
        const SHORT: u64 = 50;
        let seat = self.strict(seat, none)?;
        let score = self.bound.scores.iter().find(|score| self.is_present(score.guard));
        if let Some(score) = score.filter(|_| !self.in_score)
            && self.length_of(score.body) <= SHORT
        {
            self.in_score = true;
            let before = self.locals.insert(score.param, Var::Slot(seat));
            let value = self.scalar(score.body);
            self.locals.extend(before.map(|before| (score.param, before)));
            self.in_score = false;
            return value;
        }
        let (entry, param, answer) = self.score_routine();
        self.code.copy(param, seat);
        self.code.push(Instruction::Call { go: entry.0 });
        let to = self.code.fresh();
        self.code.copy(to, answer);
        Ok(to)
    }

    pub(super) fn score_routine(&mut self) -> (Label, Slot, Slot) {
        if let Some(known) = self.score {
            return known;
        }
        let made = (self.code.label(), self.code.own(1), self.code.own(1));
        self.score = Some(made);
        self.pending.push(Pending::Score);
        made
    }

    fn write_score(&mut self) -> Try<()> {
        let (entry, param, answer) = self.score_routine();
        let span = self.bound.scores.first().map(|score| score.span).unwrap_or_default();
        self.code.begin_at(entry, "score".to_owned(), span);
        let since = self.code.mark();
        let score = self.bound.scores.iter().find(|score| self.is_present(score.guard));
        match score {
            Some(score) => {
                self.locals.insert(score.param, Var::Slot(param));
                let value = self.scalar(score.body)?;
                self.code.copy(answer, value);
            }
            None => {
                let fail = self.fail(span, "no score applies");
                self.code.jump(fail);
            }
        }
        self.code.tick(since);
        self.code.push(Instruction::Return);
        Ok(())
    }

    /// Does something exist in this game?
    pub(super) fn is_present(&self, guard: Option<ExprId>) -> bool {
        let Some(guard) = guard else { return true };
        let state = crate::evaluate::State::default();
        let present = self.game.holds(guard, &mut crate::evaluate::Frame::new(&state));
        present.unwrap_or_else(|trouble| {
            self.no_guard.replace(Some(trouble));
            false
        })
    }
}
