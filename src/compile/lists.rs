//! Lists: in slots, in the block or in a table.

use super::builder::Label;
use super::compiler::{Compiler, ListVal, Stored, Try, Var};
use super::fold::Test;
use super::loops::Over;
use crate::ast::BinaryOp;
use crate::bind::{Expr, ExprId, Function, Type};
use crate::impossible;
use crate::internal::{Must, exact};
use crate::machine::{Instruction, Slot};

impl Compiler<'_> {
    /// A list; on to the label if it is `none`.
    pub(super) fn list(&mut self, id: ExprId, none: Label) -> Try<ListVal> {
        self.take_step(id)?;
        let most = if let Type::List(most, _) = self.ty(id).plain() { *most } else { 0 };
        match &self.bound.expr(id).kind {
            Expr::List(items) => {
                let list = self.new_list(most);
                let inner = self.item_type(id);
                for &item in items {
                    let value = self.scalar_as(item, &inner)?;
                    self.append(&list, value, None);
                }
                Ok(list)
            }
            Expr::ListOf(bind) => {
                let list = self.new_list(most);
                let local = bind.local;
                self.each_row(std::slice::from_ref(bind), &[], &mut |compiler| {
                    let value = compiler.locals.get(&local).cloned();
                    let value = compiler.read(&value.must("a variable has a value where it is visited"));
                    compiler.append(&list, value, None);
                    Ok(())
                })?;
                Ok(list)
            }
            Expr::Local(local) => match self.locals.get(local).cloned() {
                Some(var) => self.list_in(&var, none),
                None => impossible!("{local:?} is read before it has a value"),
            },
            Expr::State(state) => {
                let element = self.element(*state, &[], none)?;
                Ok(ListVal::Stored { place: element.place, at: element.at })
            }
            Expr::Index(base, args) => match &self.bound.expr(*base).kind {
                Expr::State(state) => {
                    let element = self.element(*state, args, none)?;
                    Ok(ListVal::Stored { place: element.place, at: element.at })
                }
                _ => self.constant_list(id),
            },
            Expr::Def(def, args) => self.call_list(*def, args, none),
            Expr::If(condition, then, otherwise) => {
                let other = self.code.label();
                self.branch(*condition, false, other)?;
                self.either_list((*then, none), other, (*otherwise, none), most)
            }
            Expr::Binary(BinaryOp::Or, left, right) => {
                let other = self.code.label();
                self.either_list((*left, other), other, (*right, none), most)
            }
            Expr::Function(Function::Ray, args) => self.ray(args, none),
            Expr::None => {
                self.code.jump(none);
                Ok(self.new_list(0))
            }
            _ => self.constant_list(id),
        }
    }

    /// One list or another: what comes first, from where the other is taken instead, and that one.
    fn either_list(
        &mut self,
        (one, no_one): (ExprId, Label),
        other_way: Label,
        (other, no_other): (ExprId, Label),
        most: u32,
    ) -> Try<ListVal> {
        let (end, list) = (self.code.label(), self.new_list(most));
        let first = self.list(one, no_one)?;
        self.assign_list(&list, &first)?;
        self.code.jump(end);
        self.code.place(other_way);
        let second = self.list(other, no_other)?;
        self.assign_list(&list, &second)?;
        self.code.place(end);
        Ok(list)
    }

    /// Lists of the TOML are known.
    fn constant_list(&mut self, id: ExprId) -> Try<ListVal> {
        let values = match &self.bound.expr(id).kind {
            Expr::Number(number) => self.bound.number(*number).values.first().cloned(),
            _ => None,
        };
        let Some(crate::bind::Value::List(values)) = values else {
            let span = self.span(id);
            return Err(super::compiler::too_large(span, "lists of the TOML with indices cannot be played yet"));
        };
        let inner = self.item_type(id);
        let list = self.new_list(exact::<_, u32>(values.len()));
        for value in &values {
            let value = crate::machine::to_slot(self.types(), &inner, value).must("an item of a list has a slot");
            let value = self.constant(value);
            self.append(&list, value, None);
        }
        Ok(list)
    }

    pub(super) fn item_type(&self, id: ExprId) -> Type {
        match self.ty(id).plain() {
            Type::List(_, inner) => inner.as_ref().clone(),
            // The empty list has no type of its own.
            Type::Nothing => Type::Nothing,
            other => impossible!("{other:?} has items"),
        }
    }

    fn list_in(&mut self, var: &Var, none: Label) -> Try<ListVal> {
        Ok(match var {
            Var::List(list) => list.clone(),
            Var::Maybe(there, var) => {
                let zero = self.constant(0);
                self.code.jump_if(Test::Same, *there, zero, true, none);
                return self.list_in(var, none);
            }
            Var::Kept(stored) => ListVal::Stored { place: stored.clone(), at: self.constant(0) },
            Var::Slot(_) | Var::Set(_) => self.new_list(0),
        })
    }

    pub(super) fn new_list(&mut self, most: u32) -> ListVal {
        let length = self.code.fresh();
        let items = self.code.run(most as usize);
        let zero = self.constant(0);
        self.code.copy(length, zero);
        ListVal::Slots { length, items, most }
    }

    pub(super) fn length(&mut self, list: &ListVal) -> Slot {
        match list {
            ListVal::Slots { length, .. } | ListVal::Table { length, .. } => *length,
            ListVal::Stored { place, at } => self.load_unit(place, *at, 0, 0),
        }
    }

    /// An item, counted from 0.
    pub(super) fn item(&mut self, list: &ListVal, nth: Slot) -> Slot {
        match list {
            ListVal::Slots { items, .. } => {
                if let Some(at) = self.code.known(nth).and_then(|at| u16::try_from(at).ok()) {
                    return items.saturating_add(at);
                }
                let items = *items;
                self.code.work_out(|to| Instruction::Get { to, base: items, at: nth })
            }
            ListVal::Table { from, start, .. } => {
                let at = self.code.add(*start, nth);
                self.code.table(*from, at)
            }
            ListVal::Stored { place, at } => {
                let at = self.code.add(*at, nth);
                let item = Stored {
                    first: place.first + usize::from(place.cell.width),
                    cell: crate::machine::Cell { units: 1, ..place.cell.clone() },
                };
                self.load_one(&item, at)
            }
        }
    }

    /// Puts an item at the end; on to the label if the list is full.
    pub(super) fn append(&mut self, list: &ListVal, value: Slot, full: Option<Label>) {
        let ListVal::Slots { length, items, most } = *list else { impossible!("a stored list is appended to") };
        if let Some(full) = full {
            let most = self.constant(i64::from(most));
            self.code.jump_if(Test::Less, length, most, false, full);
        }
        self.code.push(Instruction::Put { base: items, at: length, from: value });
        self.code.push(Instruction::AddConst { to: length, a: length, value: 1 });
    }

    /// Makes one list the same as another.
    pub(super) fn assign_list(&mut self, to: &ListVal, from: &ListVal) -> Try<()> {
        let ListVal::Slots { length, .. } = *to else { impossible!("a stored list is assigned to") };
        let zero = self.constant(0);
        self.code.copy(length, zero);
        self.each(&Over::List(from.clone()), None, false, &mut |compiler, value| {
            compiler.append(to, value, None);
            Ok(())
        })
    }

    /// A copy of a list as one of another type; on to the label if it is too long, or an item does not belong there.
    pub(super) fn fitting_list(&mut self, list: &ListVal, found: &Type, wanted: &Type, fail: Label) -> Try<ListVal> {
        let (Type::List(_, found), Type::List(most, item)) = (found.plain(), wanted.plain()) else {
            return Ok(self.new_list(0));
        };
        let copy = self.new_list(*most);
        self.each(&Over::List(list.clone()), None, false, &mut |compiler, value| {
            compiler.must_fit(value, found, item, fail);
            compiler.append(&copy, value, Some(fail));
            Ok(())
        })?;
        Ok(copy)
    }

    /// Writes a list into the block; it fits.
    pub(super) fn store_list(&mut self, place: &Stored, at: Slot, list: &ListVal) -> Try<()> {
        self.storing(|compiler| compiler.write_list(place, at, list))
    }

    fn write_list(&mut self, place: &Stored, at: Slot, list: &ListVal) -> Try<()> {
        let length = self.length(list);
        self.store_unit(place, at, 0, length, 0);
        let written = Stored {
            first: place.first + usize::from(place.cell.width),
            cell: crate::machine::Cell { units: 1, ..place.cell.clone() },
        };
        let (nth, zero) = (self.code.fresh(), self.constant(0));
        self.code.copy(nth, zero);
        self.each(&Over::List(list.clone()), None, false, &mut |compiler, value| {
            let at = compiler.code.add(at, nth);
            compiler.store_one(&written, at, value);
            compiler.code.push(Instruction::AddConst { to: nth, a: nth, value: 1 });
            Ok(())
        })?;
        // What lies behind the end is cleared, so that equal lists are equal bytes.
        let most = place.cell.units.saturating_sub(1);
        let (last, end) = (self.constant(i64::from(most)), self.code.label());
        self.code.jump_if(Test::Less, nth, last, false, end);
        let last = self.constant(i64::from(most) - 1);
        let bias = self.constant(written.cell.bias);
        self.count_up(nth, last, None, &mut |compiler, nth| {
            let at = compiler.code.add(at, nth);
            compiler.store_unit(&written, at, 0, bias, written.cell.bias);
            Ok(())
        })?;
        self.code.place(end);
        Ok(())
    }

    pub(super) fn same_lists(&mut self, left: ExprId, right: ExprId, sense: bool, target: Label) -> Try<()> {
        let (no_left, differ) = (self.code.label(), self.code.label());
        let one = self.list(left, no_left)?;
        let two = self.list(right, differ)?;
        let (a, b) = (self.length(&one), self.length(&two));
        self.code.jump_if(Test::Same, a, b, false, differ);
        let (nth, zero) = (self.code.fresh(), self.constant(0));
        self.code.copy(nth, zero);
        self.each(&Over::List(one), None, false, &mut |compiler, value| {
            let other = compiler.item(&two, nth);
            compiler.code.jump_if(Test::Same, value, other, false, differ);
            compiler.code.push(Instruction::AddConst { to: nth, a: nth, value: 1 });
            Ok(())
        })?;
        self.same_so_far(no_left, differ, (sense, target), |compiler, none| compiler.list(right, none).map(drop))
    }
}
