//! Writing states; what does not fit is a failure of the ruleset.

use super::access::Element;
use super::builder::Label;
use super::compiler::{Compiler, ListVal, Try, Var, too_large};
use super::fold::Test;
use super::indices::within;
use super::loops::Over;
use crate::ast::AssignOp;
use crate::bind::walk::{each_statement, statement_parts};
use crate::bind::{Block, Expr, ExprId, StateId, Statement, Type};
use crate::impossible;
use crate::internal::{Must, exact};
use crate::machine::{Instruction, Slot, none_of, scalar_size};

impl Compiler<'_> {
    /// The state that a place is an element of.
    pub(super) fn state_of(&self, place: ExprId) -> Option<StateId> {
        match &self.bound.expr(place).kind {
            Expr::State(state) => Some(*state),
            Expr::Index(base, _) => self.state_of(*base),
            _ => None,
        }
    }

    /// The indices of a place.
    pub(super) fn indices_of(&self, place: ExprId) -> &[ExprId] {
        match &self.bound.expr(place).kind {
            Expr::Index(_, args) => args,
            _ => &[],
        }
    }

    /// The element that a place names; on to a failure if there is none.
    pub(super) fn place_of(&mut self, place: ExprId) -> Try<Element> {
        let Some(state) = self.state_of(place) else {
            return Err(too_large(self.span(place), "only an element of a state can be written"));
        };
        let name = &self.bound.state(state).name;
        let fail = self.fail(self.span(place), format!("there is no such `{name}`"));
        let args = self.indices_of(place).to_vec();
        self.element(state, &args, fail)
    }

    pub(super) fn assign(&mut self, place: ExprId, op: AssignOp, value: ExprId) -> Try<()> {
        if op == AssignOp::Exchange {
            return self.exchange(place, value);
        }
        let ty = self.place_type(place);
        let fail = self.misfit(place, &ty);
        match ty.plain() {
            Type::Set(inner) => {
                let of = self.domain_of(inner, self.span(place))?;
                let new = if op == AssignOp::Set {
                    let set = self.set(value, fail)?;
                    self.convert(set, of, Some(fail))?
                } else {
                    let element = self.place_of(place)?;
                    let now = self.load_set(&element.place, element.at, of);
                    let join = op == AssignOp::Add;
                    self.joined_or_without(join, now, value, fail, join.then_some(fail))?
                };
                let element = self.place_of(place)?;
                self.store_set(&element.place, element.at, new);
                Ok(())
            }
            Type::List(most, item) => self.assign_to_list(place, op, value, *most, item, fail),
            _ => self.assign_one(place, op, value, &ty, fail),
        }
    }

    pub(super) fn place_type(&self, place: ExprId) -> Type {
        self.state_of(place).map_or(Type::Nothing, |state| self.bound.state(state).ty.clone())
    }

    pub(super) fn misfit(&mut self, place: ExprId, ty: &Type) -> Label {
        let shown = self.types().show(ty).to_string();
        self.fail(self.span(place), format!("what is written does not fit into {shown}"))
    }

    fn assign_one(&mut self, place: ExprId, op: AssignOp, value: ExprId, ty: &Type, fail: Label) -> Try<()> {
        let found = self.ty(value);
        if op == AssignOp::Set {
            let new = self.scalar_as(value, ty)?;
            self.must_fit(new, found, ty, fail);
            let element = self.place_of(place)?;
            self.store_one(&element.place, element.at, new);
            return Ok(());
        }
        let missing = if ty.is_optional() { self.code.label() } else { fail };
        let change = self.strict(value, missing)?;
        let element = self.place_of(place)?;
        let now = self.load_one(&element.place, element.at);
        if ty.is_optional() {
            let nothing = self.constant(none_of(ty));
            self.code.jump_if(Test::Same, now, nothing, true, missing);
        }
        let new = if op == AssignOp::Add { self.code.add(now, change) } else { self.code.subtract(now, change) };
        let new = match ty.plain() {
            Type::Named(id) => {
                let count = exact::<_, i64>(self.types().count(*id));
                self.code.modulo(new, count)
            }
            plain => {
                let low = if let Type::Int(low, _) = plain { *low } else { 0 };
                self.code.jump_outside(
                    new,
                    low,
                    scalar_size(self.types(), plain).must("a scalar type has a size"),
                    fail,
                );
                new
            }
        };
        self.store_one(&element.place, element.at, new);
        if ty.is_optional() {
            let end = self.code.label();
            self.code.jump(end);
            self.code.place(missing);
            let nothing = self.constant(none_of(ty));
            let element = self.place_of(place)?;
            self.store_one(&element.place, element.at, nothing);
            self.code.place(end);
        }
        Ok(())
    }

    /// On to a failure unless a value of one type fits into another.
    pub(super) fn must_fit(&mut self, value: Slot, found: &Type, wanted: &Type, fail: Label) {
        let end = self.code.label();
        if found.is_optional() || matches!(found, Type::Nothing) {
            let nothing = self.constant(none_of(wanted));
            self.code.jump_if(Test::Same, value, nothing, true, if wanted.is_optional() { end } else { fail });
        }
        if !within(found, wanted) {
            let low = if let Type::Int(low, _) = wanted.plain() { *low } else { 0 };
            let size = scalar_size(self.types(), wanted.plain()).must("a scalar type has a size");
            self.code.jump_outside(value, low, size, fail);
        }
        self.code.place(end);
    }

    fn assign_to_list(
        &mut self,
        place: ExprId,
        op: AssignOp,
        value: ExprId,
        most: u32,
        item: &Type,
        fail: Label,
    ) -> Try<()> {
        let new = self.new_list(most);
        if op != AssignOp::Set {
            let element = self.place_of(place)?;
            let now = ListVal::Stored { place: element.place, at: element.at };
            self.assign_list(&new, &now)?;
        }
        match (op, self.ty(value).plain()) {
            (AssignOp::Take, Type::List(..) | Type::Set(_)) => {
                let over = self.span_in(value, fail)?;
                self.each(&over, None, false, &mut |compiler, gone| compiler.take_last(&new, gone))?;
            }
            (AssignOp::Take, _) => {
                let gone = self.scalar_as(value, item)?;
                self.take_last(&new, gone)?;
            }
            (_, Type::List(_, inner)) => {
                let more = self.list(value, fail)?;
                let inner = inner.as_ref().clone();
                self.each(&Over::List(more), None, false, &mut |compiler, value| {
                    compiler.must_fit(value, &inner, item, fail);
                    compiler.append(&new, value, Some(fail));
                    Ok(())
                })?;
            }
            _ => {
                let one = self.scalar_as(value, item)?;
                self.must_fit(one, self.ty(value), item, fail);
                self.append(&new, one, Some(fail));
            }
        }
        let element = self.place_of(place)?;
        self.store_list(&element.place, element.at, &new)
    }

    /// Takes the last occurrence of a value out of a list.
    fn take_last(&mut self, list: &ListVal, gone: Slot) -> Try<()> {
        let ListVal::Slots { length, items, .. } = *list else { impossible!("a list that is changed is not loaded") };
        let (found, end) = (self.code.fresh(), self.code.label());
        let (nowhere, zero, one) = (self.constant(-1), self.constant(0), self.constant(1));
        self.code.copy(found, nowhere);
        self.code.jump_if(Test::Same, length, zero, true, end);
        let last = self.code.subtract(length, one);
        self.count_up(zero, last, None, &mut |compiler, nth| {
            let next = compiler.code.label();
            let item = compiler.code.work_out(|to| Instruction::Get { to, base: items, at: nth });
            compiler.code.jump_if(Test::Same, item, gone, false, next);
            compiler.code.copy(found, nth);
            compiler.code.place(next);
            Ok(())
        })?;
        self.code.jump_if(Test::Same, found, nowhere, true, end);
        let (shorter, moved) = (self.code.label(), self.code.fresh());
        self.code.copy(moved, found);
        self.code.jump_if(Test::Less, found, last, false, shorter);
        let before_last = self.code.subtract(last, one);
        self.count_up(moved, before_last, None, &mut |compiler, nth| {
            let next = compiler.code.add(nth, one);
            let item = compiler.code.work_out(|to| Instruction::Get { to, base: items, at: next });
            compiler.code.push(Instruction::Put { base: items, at: nth, from: item });
            Ok(())
        })?;
        self.code.place(shorter);
        self.code.copy(length, last);
        self.code.place(end);
        Ok(())
    }

    fn exchange(&mut self, one: ExprId, other: ExprId) -> Try<()> {
        let (first, second) = (self.place_type(one), self.place_type(other));
        let (to_first, to_second) = (self.misfit(one, &first), self.misfit(other, &second));
        let a = self.place_of(one)?;
        let b = self.place_of(other)?;
        match (first.plain(), second.plain()) {
            (Type::Set(inner), Type::Set(other_inner)) => {
                let of = self.domain_of(inner, self.span(one))?;
                let other_of = self.domain_of(other_inner, self.span(other))?;
                let left = self.load_set(&a.place, a.at, of);
                let right = self.load_set(&b.place, b.at, other_of);
                let new = self.convert(right, of, Some(to_first))?;
                self.store_set(&a.place, a.at, new);
                let new = self.convert(left, other_of, Some(to_second))?;
                self.store_set(&b.place, b.at, new);
            }
            (Type::List(..), Type::List(..)) => {
                let left = ListVal::Stored { place: a.place.clone(), at: a.at };
                let left = self.fitting_list(&left, &first, &second, to_second)?;
                let right = ListVal::Stored { place: b.place.clone(), at: b.at };
                let right = self.fitting_list(&right, &second, &first, to_first)?;
                self.store_list(&a.place, a.at, &right)?;
                self.store_list(&b.place, b.at, &left)?;
            }
            _ => {
                let left = self.load_one(&a.place, a.at);
                let right = self.load_one(&b.place, b.at);
                self.must_fit(right, &second, &first, to_first);
                self.store_one(&a.place, a.at, right);
                self.must_fit(left, &first, &second, to_second);
                self.store_one(&b.place, b.at, left);
            }
        }
        Ok(())
    }

    /// The states that a block writes, through phases and what is offered.
    pub(super) fn states_written(&self, block: &Block) -> Vec<StateId> {
        let mut written = Vec::new();
        let mut phases = Vec::new();
        let mut open = vec![block];
        while let Some(block) = open.pop() {
            each_statement(block, &mut |statement, _| match statement {
                Statement::Assign(place, op, value) => {
                    written.extend(self.state_of(*place));
                    if *op == AssignOp::Exchange {
                        written.extend(self.state_of(*value));
                    }
                }
                Statement::Draw(draw) => {
                    let parts = statement_parts(statement);
                    written.extend(
                        parts
                            .into_iter()
                            .filter(|id| *id != draw.from || draw.takes)
                            .filter_map(|id| self.state_of(id)),
                    );
                }
                Statement::Turn(..) => {
                    let states = self.bound.states.iter().zip((0..).map(StateId));
                    written.extend(states.filter(|(state, _)| state.per_turn).map(|(_, id)| id));
                }
                Statement::Call(phase, _) if !phases.contains(phase) => {
                    phases.push(*phase);
                    open.push(&self.bound.phase(*phase).body);
                }
                Statement::Choose(choose) => {
                    for (action, ..) in &choose.offers {
                        let action = self.bound.action(*action);
                        written.extend(action.costs.iter().filter_map(|cost| self.state_of(cost.place)));
                        open.push(&action.effect);
                    }
                }
                _ => {}
            });
        }
        written
    }

    /// The initial value of a state: at the beginning, and of some when a turn begins.
    pub(super) fn initial(&mut self, at: usize) -> Try<()> {
        let state = &self.bound.states[at];
        let place = self.program.layout[at].clone();
        if place.count == 0 {
            return Ok(());
        }
        let stored = super::compiler::Stored { first: place.first as usize, cell: place.cell.clone() };
        let level = self.code.level();
        let fail = self.fail(state.span, "the initial value does not fit");
        let zero = self.constant(0);
        self.storing(|compiler| compiler.initial_elements(at, &place.slowest_first(), zero, &stored, fail))?;
        self.code.free_to(level);
        Ok(())
    }

    fn initial_elements(
        &mut self,
        at: usize,
        left: &[usize],
        element: Slot,
        stored: &super::compiler::Stored,
        fail: Label,
    ) -> Try<()> {
        let state = &self.bound.states[at];
        if let Some((&nth, rest)) = left.split_first() {
            let first = &state.indices[nth];
            let local = state.index_locals.get(nth).copied().flatten();
            let size = scalar_size(self.types(), first).must("a scalar type has a size");
            let low = if let Type::Int(low, _) = first { *low } else { 0 };
            let times = exact::<_, u32>(size);
            let weight = state.init.map_or(1, |init| self.weight(init));
            let out = self.types().size(first).saturating_mul(weight) < 64 && state.indices.len() == 1;
            return self.each(&Over::Numbers(low, size), None, out, &mut |compiler, value| {
                if let Some(local) = local {
                    compiler.locals.insert(local, Var::Slot(value));
                }
                let below = compiler.constant(-low);
                let code = compiler.code.add(value, below);
                let element = compiler.code.multiply_add(element, times, code);
                compiler.initial_elements(at, rest, element, stored, fail)
            });
        }
        let zero = self.constant(0);
        let unit = self.code.multiply_add(element, stored.cell.units, zero);
        match (state.ty.plain(), state.init) {
            (Type::Set(inner), init) => {
                let of = self.domain_of(inner, state.span)?;
                let set = match init {
                    Some(init) => {
                        let set = self.set(init, fail)?;
                        self.convert(set, of, Some(fail))?
                    }
                    None => self.empty_set(of),
                };
                self.store_set(stored, unit, set);
            }
            (Type::List(..), init) => {
                let list = match init {
                    Some(init) => {
                        let list = self.list(init, fail)?;
                        self.fitting_list(&list, self.ty(init), &state.ty, fail)?
                    }
                    None => self.new_list(0),
                };
                self.store_list(stored, unit, &list)?;
            }
            (_, Some(init)) => {
                let value = self.scalar_as(init, &state.ty)?;
                self.must_fit(value, self.ty(init), &state.ty, fail);
                self.store_one(stored, unit, value);
            }
            (_, None) => {
                let nothing = if state.ty.is_optional() { none_of(&state.ty) } else { 0 };
                let nothing = self.constant(nothing);
                self.store_one(stored, unit, nothing);
            }
        }
        Ok(())
    }
}
