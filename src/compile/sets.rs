//! Sets: masks in slots.

use super::access::masks;
use super::builder::Label;
use super::compiler::{Compiler, Domain, SetVal, Stored, TableKey, Try, Var};
use super::fold::{Masks, Test};
use crate::ast::BinaryOp;
use crate::bind::{Bind, Expr, ExprId, Function, Type, TypeKind};
use crate::impossible;
use crate::internal::{Must, exact};
use crate::machine::{Instruction, Slot, first_members};

impl Compiler<'_> {
    /// A set; on to the label if it is `none`.
    pub(super) fn set(&mut self, id: ExprId, none: Label) -> Try<SetVal> {
        self.take_step(id)?;
        let span = self.span(id);
        let of = match self.ty(id).plain() {
            Type::Set(inner) => self.domain_of(inner, span)?,
            _ => Domain { low: 0, size: 0 },
        };
        let types = self.types();
        match &self.bound.expr(id).kind {
            Expr::None => {
                self.code.jump(none);
                Ok(self.empty_set(of))
            }
            Expr::Set(items) => {
                if let Some(known) = self.known_set(items, of) {
                    return Ok(known);
                }
                let set = self.new_set(of);
                for &item in items {
                    let next = self.code.label();
                    let value = self.strict(item, next)?;
                    self.join(set, value);
                    self.code.place(next);
                }
                Ok(set)
            }
            Expr::SetOf(bind) => self.set_of(bind, of),
            Expr::Members(ty) => self.members_set(ty, id, of),
            Expr::Local(local) => match self.locals.get(local).cloned() {
                Some(var) => self.set_in(&var, of, none),
                None => impossible!("{local:?} is read before it has a value"),
            },
            Expr::Number(number) => {
                let declared = self.bound.number(*number);
                let (Type::Set(inner), Some(value)) = (&declared.ty, declared.values.first()) else {
                    impossible!("a number that is no set");
                };
                let known = masks(types, inner, value, of.words());
                Ok(SetVal { bits: self.code.constant_run(&known), of })
            }
            Expr::State(state) => {
                let element = self.element(*state, &[], none)?;
                Ok(self.load_set(&element.place, element.at, of))
            }
            Expr::Field(base, member) => self.set_field(*base, &member.text, &[], of, none),
            Expr::Index(base, args) => match &self.bound.expr(*base).kind {
                Expr::State(state) => {
                    let element = self.element(*state, args, none)?;
                    Ok(self.load_set(&element.place, element.at, of))
                }
                Expr::Field(owner, member) => self.set_field(*owner, &member.text, args, of, none),
                Expr::Number(number) => {
                    let declared = self.bound.number(*number);
                    let Type::Set(inner) = &declared.ty else { impossible!("a number that is no set") };
                    let (at, below) = self.linear(&declared.indices, args, none)?;
                    let key = TableKey::Number(number.0);
                    let table = self.set_table(key, &declared.values, inner, of.words())?;
                    Ok(self.set_from_table(table, at, below, of))
                }
                other => impossible!("{other:?} is indexed for a set"),
            },
            Expr::Def(def, args) => self.call_set(*def, args, of, none),
            Expr::If(condition, then, otherwise) => {
                let other = self.code.label();
                if of.words() > 1 && self.is_empty_set(*otherwise) {
                    self.skip_if_beside(*then, *condition, other)?;
                }
                self.branch(*condition, false, other)?;
                self.either_set((*then, none), other, (*otherwise, none), of)
            }
            Expr::Binary(BinaryOp::Or, left, right) => {
                let other = self.code.label();
                self.either_set((*left, other), other, (*right, none), of)
            }
            Expr::Binary(op, left, right) => {
                let first = self.set_as(*left, of, none)?;
                self.joined_or_without(*op == BinaryOp::Add, first, *right, none, None)
            }
            Expr::Function(Function::Rotate, args) => self.rotate_set(args, of, none),
            Expr::Function(function, args) => self.board_set(*function, args, of, none),
            other => impossible!("{other:?} is no set"),
        }
    }

    /// One set or another: what comes first, from where the other is taken instead, and that one.
    fn either_set(
        &mut self,
        (one, no_one): (ExprId, Label),
        other_way: Label,
        (other, no_other): (ExprId, Label),
        of: Domain,
    ) -> Try<SetVal> {
        let (end, set) = (self.code.label(), self.room_for_set(of));
        let first = self.set_as(one, of, no_one)?;
        self.assign_set(set, first);
        self.code.jump(end);
        self.code.place(other_way);
        let second = self.set_as(other, of, no_other)?;
        self.assign_set(set, second);
        self.code.place(end);
        Ok(set)
    }

    /// `{x in D where C}`
    fn set_of(&mut self, bind: &Bind, of: Domain) -> Try<SetVal> {
        if let Some(union) = self.union(bind, of)? {
            return Ok(union);
        }
        if let Some(found) = self.members_where(std::slice::from_ref(bind), &[])?.filter(|found| found.of == of) {
            return Ok(found);
        }
        let set = self.new_set(of);
        let (local, zero) = (bind.local, self.constant(0));
        self.each_row(std::slice::from_ref(bind), &[], &mut |compiler| {
            let value = compiler.locals.get(&local).cloned();
            let value = value.map_or(zero, |var| compiler.read(&var));
            compiler.join(set, value);
            Ok(())
        })?;
        Ok(set)
    }

    /// All members of a type.
    fn members_set(&mut self, ty: &Type, id: ExprId, of: Domain) -> Try<SetVal> {
        if self.is_regions(ty) {
            let set = self.new_set(of);
            let over = self.span_of_type(ty, id)?;
            self.each(&over, None, false, &mut |compiler, value| {
                compiler.join(set, value);
                Ok(())
            })?;
            return Ok(set);
        }
        let mut all = vec![-1_i64; of.words()];
        let rest = of.size % 64;
        if let Some(last) = all.last_mut().filter(|_| rest != 0 || of.size == 0) {
            *last = first_members(rest);
        }
        Ok(SetVal { bits: self.code.constant_run(&all), of })
    }

    /// A set of members that are written out.
    fn known_set(&mut self, items: &[ExprId], of: Domain) -> Option<SetVal> {
        let mut masks = vec![0_i64; of.words()];
        for &item in items {
            let member = match &self.bound.expr(item).kind {
                Expr::Int(value) => value - of.low,
                Expr::Member(candidates) => i64::from(candidates.first()?.1),
                _ => return None,
            };
            let member = usize::try_from(member).ok()?;
            *masks.get_mut(member / 64)? |= 1 << (member % 64);
        }
        Some(SetVal { bits: self.code.constant_run(&masks), of })
    }

    /// `set + x`, `set - x`, where `x` is a set, a list or a member. On to `outside` if there is a member that
    /// the set cannot hold.
    pub(super) fn joined_or_without(
        &mut self,
        join: bool,
        set: SetVal,
        other: ExprId,
        none: Label,
        outside: Option<Label>,
    ) -> Try<SetVal> {
        match self.ty(other).plain() {
            Type::Set(_) | Type::Nothing => {
                let other = self.set(other, none)?;
                let other = self.convert(other, set.of, outside)?;
                let which = if join { Masks::Either } else { Masks::Without };
                Ok(self.combine(which, set, other))
            }
            Type::List(..) => {
                let list = self.list(other, none)?;
                let result = self.room_for_set(set.of);
                self.assign_set(result, set);
                let over = super::loops::Over::List(list);
                self.each(&over, None, false, &mut |compiler, value| {
                    compiler.join_or_leave(join, result, value, outside);
                    Ok(())
                })?;
                Ok(result)
            }
            _ => {
                let value = self.strict(other, none)?;
                let result = self.room_for_set(set.of);
                self.assign_set(result, set);
                self.join_or_leave(join, result, value, outside);
                Ok(result)
            }
        }
    }

    fn join_or_leave(&mut self, join: bool, set: SetVal, value: Slot, outside: Option<Label>) {
        let end = self.code.label();
        let (low, below) = (set.of.low, self.constant(-set.of.low));
        self.code.jump_outside(value, low, set.of.size, outside.unwrap_or(end));
        let member = self.code.add(value, below);
        self.code.push(if join {
            Instruction::Join { bits: set.bits, member }
        } else {
            Instruction::Leave { bits: set.bits, member }
        });
        self.code.place(end);
    }

    fn set_field(&mut self, base: ExprId, member: &str, args: &[ExprId], of: Domain, none: Label) -> Try<SetVal> {
        let row = self.strict(base, none)?;
        let Type::Named(mut id) = *self.ty(base).plain() else { impossible!("`{member}` of what has no columns") };
        while let TypeKind::Regions(Type::Named(inner)) = &self.types().get(id).kind {
            id = *inner;
        }
        let found = self.bound.columns.iter().position(|column| column.table == id && column.name == member);
        let nth = found.must("a table has the column that is asked for");
        let column = &self.bound.columns[nth];
        let Type::Set(inner) = column.ty.plain() else { impossible!("a column that is no set") };
        let (at, below) = self.column_at(nth, row, args, none)?;
        let table = self.set_table(TableKey::Column(nth), &column.values, inner, of.words())?;
        Ok(self.set_from_table(table, at, below, of))
    }

    /// A set out of a table of sets.
    pub(super) fn set_from_table(&mut self, table: u32, at: Slot, below: i64, of: Domain) -> SetVal {
        let words = of.words();
        let below = self.constant(-below);
        let at = self.code.add(at, below);
        let zero = self.constant(0);
        let at = self.code.multiply_add(at, exact::<_, u32>(words), zero);
        if let Some(known) = self.code.known(at).and_then(|at| usize::try_from(at).ok()) {
            let known: Vec<i64> = (known..known + words).map(|at| self.code.in_table(table, at)).collect();
            return SetVal { bits: self.code.constant_run(&known), of };
        }
        let set = self.room_for_set(of);
        for (nth, to) in (0..words).zip(set.bits..) {
            let from = table + exact::<_, u32>(nth);
            let count = self.code.table_room(from);
            self.code.push(Instruction::Table { to, at, from, count });
        }
        set
    }

    pub(super) fn load_set(&mut self, place: &Stored, at: Slot, of: Domain) -> SetVal {
        let set = self.room_for_set(of);
        for (nth, to) in (0..of.words()).zip(set.bits..) {
            let value = self.load_unit(place, at, nth, 0);
            self.code.copy(to, value);
        }
        set
    }

    pub(super) fn store_set(&mut self, place: &Stored, at: Slot, set: SetVal) {
        for (nth, slot) in (0..set.of.words()).zip(set.bits..) {
            self.store_unit(place, at, nth, slot, 0);
        }
    }

    fn set_in(&mut self, var: &Var, of: Domain, none: Label) -> Try<SetVal> {
        Ok(match var {
            Var::Set(set) => *set,
            Var::Maybe(there, var) => {
                let zero = self.constant(0);
                self.code.jump_if(Test::Same, *there, zero, true, none);
                return self.set_in(var, of, none);
            }
            Var::Kept(stored) => {
                let zero = self.constant(0);
                self.load_set(stored, zero, of)
            }
            Var::Slot(_) | Var::List(_) => self.empty_set(of),
        })
    }

    // ------------------------------------------------------------ parts

    pub(super) fn empty_set(&mut self, of: Domain) -> SetVal {
        SetVal { bits: self.code.constant_run(&vec![0; of.words()]), of }
    }

    pub(super) fn room_for_set(&mut self, of: Domain) -> SetVal {
        SetVal { bits: self.code.run(of.words()), of }
    }

    pub(super) fn new_set(&mut self, of: Domain) -> SetVal {
        let set = self.room_for_set(of);
        let zero = self.constant(0);
        (set.bits..).take(of.words()).for_each(|slot| self.code.copy(slot, zero));
        set
    }

    pub(super) fn copy_set(&mut self, set: SetVal) -> SetVal {
        let copy = self.room_for_set(set.of);
        self.assign_set(copy, set);
        copy
    }

    pub(super) fn assign_set(&mut self, to: SetVal, from: SetVal) {
        for (to, from) in (to.bits..).zip(from.bits..).take(to.of.words()) {
            self.code.copy(to, from);
        }
    }

    /// Puts a value that belongs there into a set.
    pub(super) fn join(&mut self, set: SetVal, value: Slot) {
        let below = self.constant(-set.of.low);
        let member = self.code.add(value, below);
        self.code.push(Instruction::Join { bits: set.bits, member });
    }

    pub(super) fn combine(&mut self, which: Masks, a: SetVal, b: SetVal) -> SetVal {
        if a.of.words() == 1 {
            return SetVal { bits: self.code.masks(which, a.bits, b.bits), of: a.of };
        }
        let set = self.room_for_set(a.of);
        for ((to, a), b) in (set.bits..).zip(a.bits..).zip(b.bits..).take(set.of.words()) {
            self.code.push(match which {
                Masks::Both => Instruction::Both { to, a, b },
                Masks::Either => Instruction::Either { to, a, b },
                Masks::Without => Instruction::Without { to, a, b },
            });
        }
        set
    }

    /// A set as one that can hold other members; members that it cannot hold are left out.
    pub(super) fn set_as(&mut self, id: ExprId, of: Domain, none: Label) -> Try<SetVal> {
        let set = self.set(id, none)?;
        self.convert(set, of, None)
    }

    /// The same; on to the label if there is a member that it cannot hold.
    pub(super) fn convert(&mut self, set: SetVal, of: Domain, outside: Option<Label>) -> Try<SetVal> {
        if set.of == of {
            return Ok(set);
        }
        if set.of.size == 0 {
            return Ok(self.empty_set(of));
        }
        let result = self.new_set(of);
        self.each(&super::loops::Over::Set(set), None, false, &mut |compiler, value| {
            let next = compiler.code.label();
            compiler.code.jump_outside(value, of.low, of.size, outside.unwrap_or(next));
            compiler.join(result, value);
            compiler.code.place(next);
            Ok(())
        })?;
        Ok(result)
    }

    pub(super) fn same_sets(&mut self, left: ExprId, right: ExprId, sense: bool, target: Label) -> Try<()> {
        for (one, other) in [(left, right), (right, left)] {
            if self.is_empty_set(other) {
                return self.branch_empty(one, sense, target);
            }
        }
        let (one, two) = (self.ty(left), self.ty(right));
        let shared = |a: Domain, b: Domain| {
            if a.size == 0 || b.size == 0 {
                return if a.size == 0 { b } else { a };
            }
            let low = a.low.min(b.low);
            let end = |of: Domain| i128::from(of.low) + i128::from(of.size);
            let size = end(a).max(end(b)) - i128::from(low);
            Domain { low, size: exact::<_, u64>(size) }
        };
        let inner = |compiler: &Self, ty: &Type, id: ExprId| match ty.plain() {
            Type::Set(inner) => compiler.domain_of(inner, compiler.span(id)),
            _ => Ok(Domain { low: 0, size: 0 }),
        };
        let of = shared(inner(self, one, left)?, inner(self, two, right)?);
        let (no_left, differ) = (self.code.label(), self.code.label());
        let first = self.set_as(left, of, no_left)?;
        let second = self.set_as(right, of, differ)?;
        for (a, b) in (first.bits..).zip(second.bits..).take(of.words()) {
            self.code.jump_if(Test::Same, a, b, false, differ);
        }
        self.same_so_far(no_left, differ, (sense, target), |compiler, none| compiler.set(right, none).map(drop))
    }
}
