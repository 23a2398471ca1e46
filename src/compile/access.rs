//! Looking things up: states, numbers, columns, fields, items of lists; and what values are made of.

use super::builder::Label;
use super::compiler::{Compiler, Stored, TableKey, Try};
use super::indices::within;
use crate::bind::{Expr, ExprId, StateId, Type, TypeId, TypeKind, Value};
use crate::impossible;
use crate::internal::{Must, exact};
use crate::limits;
use crate::machine::{Instruction, NO_NUMBER, Slot, code_of, none_of, scalar_size, to_slot};

/// Where an element lies: in units of its cell from `first` on.
#[derive(Debug, Clone)]
pub(super) struct Element {
    pub(super) place: Stored,
    /// Which element, times the units of one.
    pub(super) at: Slot,
}

impl Compiler<'_> {
    /// A value that is looked up, and whether it may be `none`.
    pub(super) fn look_up(&mut self, id: ExprId, none: Label) -> Try<(Slot, bool)> {
        match &self.bound.expr(id).kind {
            Expr::State(state) => {
                let element = self.element(*state, &[], none)?;
                Ok(self.load_if_there(&element, self.bound.state(*state).ty.is_optional(), none))
            }
            Expr::Field(base, member) => self.field(*base, &member.text, &[], none),
            Expr::Index(base, args) => match &self.bound.expr(*base).kind {
                Expr::State(state) if !self.bound.state(*state).indices.is_empty() => {
                    let element = self.element(*state, args, none)?;
                    Ok(self.load_if_there(&element, self.bound.state(*state).ty.is_optional(), none))
                }
                Expr::Number(number) => {
                    let declared = self.bound.number(*number);
                    let at = self.linear(&declared.indices, args, none)?;
                    let key = TableKey::Number(number.0);
                    let value = self.value_in_table(key, &declared.values, &declared.ty, at);
                    Ok((value, declared.ty.is_optional()))
                }
                Expr::Field(owner, member) => self.field(*owner, &member.text, args, none),
                _ => {
                    let list = self.list(*base, none)?;
                    let [arg] = args.as_slice() else { impossible!("a list with {} indices", args.len()) };
                    let nth = self.strict(*arg, none)?;
                    let length = self.length(&list);
                    let (zero, one) = (self.constant(0), self.constant(1));
                    self.code.jump_if(super::fold::Test::AtMost, nth, zero, true, none);
                    self.code.jump_if(super::fold::Test::AtMost, nth, length, false, none);
                    let at = self.code.subtract(nth, one);
                    let Type::List(_, item) = self.ty(*base).plain() else { impossible!("what is no list has items") };
                    Ok((self.item(&list, at), item.is_optional()))
                }
            },
            other => impossible!("{other:?} is looked up"),
        }
    }

    /// The element of a state.
    pub(super) fn element(&mut self, state: StateId, args: &[ExprId], none: Label) -> Try<Element> {
        let place = self.state_place(state).clone();
        if place.count == 0 {
            self.code.jump(none);
        }
        let (at, below) = self.number_of(state, args, none)?;
        let stride = usize::from(place.cell.width) * place.cell.units as usize;
        let mut stored = Stored { first: place.first as usize, cell: place.cell.clone() };
        let below_bytes = usize::try_from(below).unwrap_or(0) * stride;
        let at = if below == 0 {
            at
        } else if below > 0 && below_bytes <= stored.first {
            stored.first -= below_bytes;
            at
        } else {
            let below = self.constant(-below);
            self.code.add(at, below)
        };
        let zero = self.constant(0);
        let at = self.code.multiply_add(at, stored.cell.units, zero);
        Ok(Element { place: stored, at })
    }

    /// A value out of a table, at a place that counts from `below` on.
    fn value_in_table(&mut self, key: TableKey, values: &[Value], ty: &Type, (at, below): (Slot, i64)) -> Slot {
        const PADDED: i64 = 64;
        let types = self.types();
        let (padding, at) = match usize::try_from(below) {
            Ok(padding) if below <= PADDED => (padding, at),
            _ => {
                let below = self.constant(-below);
                (0, self.code.add(at, below))
            }
        };
        let table = self.make_table(key, || {
            let values = values.iter().map(|value| to_slot(types, ty, value).must("a value has a slot of its type"));
            std::iter::repeat_n(0, padding).chain(values).collect()
        });
        self.code.table(table, at)
    }

    /// A table that is made once.
    pub(super) fn make_table(&mut self, key: TableKey, entries: impl FnOnce() -> Vec<i64>) -> u32 {
        if let Some(&known) = self.known_tables.get(&key) {
            return known;
        }
        let first = exact::<_, u32>(self.code.tables.len());
        self.code.add_table(entries());
        self.known_tables.insert(key, first);
        first
    }

    /// The same for a table that may be large, of at most so many entries: beyond the budget it is not even made.
    pub(super) fn make_large_table(
        &mut self,
        key: TableKey,
        most: usize,
        entries: impl FnOnce() -> Vec<i64>,
    ) -> Try<u32> {
        let steps = self.code.steps.saturating_add(most as u64);
        if !self.known_tables.contains_key(&key) && steps > limits::COMPILING_STEPS {
            self.code.steps = steps;
            self.within_budget(self.code.span())?;
        }
        Ok(self.make_table(key, entries))
    }

    /// A field of a record, edge or border, or a column of a row or of a region's first member.
    fn field(&mut self, base: ExprId, member: &str, args: &[ExprId], none: Label) -> Try<(Slot, bool)> {
        let value = self.strict(base, none)?;
        let Type::Named(id) = self.ty(base).plain() else { impossible!("`{member}` of what has no fields") };
        self.field_of(*id, value, member, args, none)
    }

    fn field_of(&mut self, id: TypeId, value: Slot, member: &str, args: &[ExprId], none: Label) -> Try<(Slot, bool)> {
        let types = self.types();
        match &types.get(id).kind {
            TypeKind::Record(fields) => {
                let nth =
                    fields.iter().position(|(name, _)| name == member).must("a record has the field that is asked for");
                Ok((self.record_field(id, nth, value), fields.get(nth).is_some_and(|(_, ty)| ty.is_optional())))
            }
            TypeKind::Edges(_) => {
                let table = self.ends_table(id);
                let zero = self.constant(0);
                let at = self.code.multiply_add(value, 2, zero);
                Ok((self.code.table(table + u32::from(member != "a"), at), false))
            }
            TypeKind::Borders(_) => {
                let sides = types.board_of(id).map_or(1, |(_, board)| board.sides().len().max(1));
                let sides = exact::<_, i64>(sides);
                if member == "cell" {
                    let sides = self.constant(sides);
                    return Ok((self.code.divide(value, sides), false));
                }
                Ok((self.code.modulo(value, sides), false))
            }
            TypeKind::Regions(Type::Named(of)) => self.field_of(*of, value, member, args, none),
            _ => {
                let found = self.bound.columns.iter().position(|column| column.table == id && column.name == member);
                let nth = found.must("a table has the column that is asked for");
                let column = &self.bound.columns[nth];
                let at = self.column_at(nth, value, args, none)?;
                let value = self.value_in_table(TableKey::Column(nth), &column.values, &column.ty, at);
                Ok((value, column.ty.is_optional()))
            }
        }
    }

    /// The place of an entry of a column: row and indices together.
    pub(super) fn column_at(&mut self, nth: usize, row: Slot, args: &[ExprId], none: Label) -> Try<(Slot, i64)> {
        let column = &self.bound.columns[nth];
        let (inner, below) = self.linear(&column.indices, args, none)?;
        let each: u64 = column.indices.iter().map(|ty| self.types().size(ty)).product();
        Ok((self.code.multiply_add(row, exact::<_, u32>(each), inner), below))
    }

    /// A field of a record, which is its fields in mixed radix.
    fn record_field(&mut self, id: TypeId, nth: usize, value: Slot) -> Slot {
        let types = self.types();
        let TypeKind::Record(fields) = &types.get(id).kind else { impossible!("a field of no record") };
        let size = |ty: &Type| exact::<_, i64>(scalar_size(types, ty).must("a scalar type has a size")).max(1);
        let stride = fields.iter().skip(nth + 1).map(|(_, ty)| size(ty)).fold(1, i64::saturating_mul);
        let ty = &fields[nth].1;
        let count = types.count(id);
        if count <= 4096 {
            let table = self.make_table(TableKey::Field(id, nth), || {
                let code = |at: u64| (exact::<_, i64>(at) / stride) % size(ty);
                let value = |at: u64| crate::machine::from_code(types, ty, exact::<_, u64>(code(at)));
                (0..count).map(|at| to_slot(types, ty, &value(at)).must("a field has a slot of its type")).collect()
            });
            return self.code.table(table, value);
        }
        let stride = self.constant(stride);
        let digits = self.code.divide(value, stride);
        let code = self.code.modulo(digits, size(ty));
        let low = self.constant(if let Type::Int(low, _) = ty.plain() { *low } else { 0 });
        let found = self.code.add(code, low);
        if !ty.is_optional() {
            return found;
        }
        let (to, end) = (self.code.fresh(), self.code.label());
        let (last, nothing) = (self.constant(size(ty) - 1), self.constant(none_of(ty)));
        self.code.copy(to, nothing);
        self.code.jump_if(super::fold::Test::Same, code, last, true, end);
        self.code.copy(to, found);
        self.code.place(end);
        to
    }

    /// `Piece(red, worker)`, `Square(3, 4)`
    pub(super) fn make(&mut self, id: TypeId, args: &[ExprId], none: Label) -> Try<Slot> {
        let types = self.types();
        match &types.get(id).kind {
            TypeKind::Record(fields) => {
                let mut at = self.constant(0);
                for ((_, ty), &arg) in fields.iter().zip(args) {
                    let size = scalar_size(types, ty).must("a scalar type has a size");
                    let code = self.code_in(arg, ty, none)?;
                    at = self.code.multiply_add(at, exact::<_, u32>(size), code);
                }
                Ok(at)
            }
            TypeKind::Regions(_) => {
                let [member] = args else { impossible!("a region of {} members", args.len()) };
                let member = self.strict(*member, none)?;
                Ok(self.group(id, member))
            }
            TypeKind::Cells(board) => {
                let [column, row] = args else { impossible!("a cell of {} numbers", args.len()) };
                let (width, height) = (board.width(), board.height());
                let column = self.coordinate(*column, width, none)?;
                let row = self.coordinate(*row, height, none)?;
                let at = self.code.multiply_add(row, exact::<_, u32>(width), column);
                let back = self.constant(-1 - exact::<_, i64>(width));
                Ok(self.code.add(at, back))
            }
            other => impossible!("a value is made of {other:?}"),
        }
    }

    /// A column or row, counted from 1; on to the label if there is none.
    fn coordinate(&mut self, id: ExprId, most: usize, none: Label) -> Try<Slot> {
        let value = self.strict(id, none)?;
        let most = exact::<_, i64>(most);
        if !within(self.ty(id), &Type::Int(1, most)) {
            self.code.jump_outside(value, 1, exact::<_, u64>(most), none);
        }
        Ok(value)
    }

    /// The code of a value among those of a type; on to the label if it is not one of them.
    fn code_in(&mut self, arg: ExprId, ty: &Type, none: Label) -> Try<Slot> {
        let size = scalar_size(self.types(), ty.plain()).must("a scalar type has a size");
        let low = if let Type::Int(low, _) = ty.plain() { *low } else { 0 };
        let below = self.constant(-low);
        if ty.is_optional() {
            let (missing, end, to) = (self.code.label(), self.code.label(), self.code.fresh());
            let value = self.strict(arg, missing)?;
            if !within(self.ty(arg), ty) {
                self.code.jump_outside(value, low, size, none);
            }
            let code = self.code.add(value, below);
            self.code.copy(to, code);
            self.code.jump(end);
            self.code.place(missing);
            let last = self.constant(exact::<_, i64>(size));
            self.code.copy(to, last);
            self.code.place(end);
            return Ok(to);
        }
        let value = self.strict(arg, none)?;
        if !within(self.ty(arg), ty) {
            self.code.jump_outside(value, low, size, none);
        }
        Ok(self.code.add(value, below))
    }

    // ------------------------------------------------------------ the block

    /// Reads one value.
    pub(super) fn load_one(&mut self, place: &Stored, at: Slot) -> Slot {
        let value = self.load_unit(place, at, 0, place.cell.bias);
        if !place.cell.no_number {
            return value;
        }
        let (below, nothing) = (self.constant(place.cell.bias), self.constant(NO_NUMBER));
        let (to, end) = (self.code.fresh(), self.code.label());
        self.code.copy(to, value);
        self.code.jump_if(super::fold::Test::Same, value, below, false, end);
        self.code.copy(to, nothing);
        self.code.place(end);
        to
    }

    /// Reads an element, and whether it may still be nothing: what stands for no number is found out at once.
    fn load_if_there(&mut self, element: &Element, optional: bool, none: Label) -> (Slot, bool) {
        if !element.place.cell.no_number {
            return (self.load_one(&element.place, element.at), optional);
        }
        let bias = element.place.cell.bias;
        let (value, below) = (self.load_unit(&element.place, element.at, 0, bias), self.constant(bias));
        self.code.jump_if(super::fold::Test::Same, value, below, true, none);
        (value, false)
    }

    /// Reads a unit of an element.
    pub(super) fn load_unit(&mut self, place: &Stored, at: Slot, nth: usize, bias: i64) -> Slot {
        let (from, at) = self.address(place, at, nth);
        let bias = exact::<_, i32>(bias);
        self.code.work_out(|to| match place.cell.width {
            1 => Instruction::Load8 { to, at, from, bias },
            2 => Instruction::Load16 { to, at, from, bias },
            4 => Instruction::Load32 { to, at, from, bias },
            8 => Instruction::Load64 { to, at, from },
            width => impossible!("a unit of {width} bytes"),
        })
    }

    /// Writes one value, which fits.
    pub(super) fn store_one(&mut self, place: &Stored, at: Slot, value: Slot) {
        if !place.cell.no_number {
            self.store_unit(place, at, 0, value, place.cell.bias);
            return;
        }
        let (below, nothing) = (self.constant(place.cell.bias), self.constant(NO_NUMBER));
        let (written, end) = (self.code.fresh(), self.code.label());
        self.code.copy(written, value);
        self.code.jump_if(super::fold::Test::Same, value, nothing, false, end);
        self.code.copy(written, below);
        self.code.place(end);
        self.store_unit(place, at, 0, written, place.cell.bias);
    }

    /// Writes a unit of an element.
    pub(super) fn store_unit(&mut self, place: &Stored, at: Slot, nth: usize, value: Slot, bias: i64) {
        let (to, at) = self.address(place, at, nth);
        let bias = exact::<_, i32>(bias);
        self.code.push(match place.cell.width {
            1 => Instruction::Store8 { value, at, to, bias },
            2 => Instruction::Store16 { value, at, to, bias },
            4 => Instruction::Store32 { value, at, to, bias },
            8 => Instruction::Store64 { value, at, to },
            width => impossible!("a unit of {width} bytes"),
        });
    }

    fn address(&mut self, place: &Stored, at: Slot, nth: usize) -> (u32, Slot) {
        let width = usize::from(place.cell.width);
        let mut first = place.first + nth * width;
        let mut at = at;
        // What is added to an index is better added to where the elements begin.
        let (base, more) = self.code.offset(at);
        let moved = i64::try_from(first).ok().and_then(|first| first.checked_add(more * i64::from(place.cell.width)));
        if let Some(moved) = moved.and_then(|moved| usize::try_from(moved).ok()) {
            first = moved;
            at = base;
        }
        if let Some(known) = self.code.known(at).and_then(|at| usize::try_from(at).ok()) {
            first += known * width;
            at = self.constant(0);
        }
        (exact::<_, u32>(first), at)
    }

    /// The words of a set that is one of several values in a table.
    pub(super) fn set_table(&mut self, key: TableKey, values: &[Value], inner: &Type, words: usize) -> Try<u32> {
        let types = self.types();
        let most = values.len().saturating_mul(words);
        self.make_large_table(key, most, || values.iter().flat_map(|value| masks(types, inner, value, words)).collect())
    }
}

/// A set as masks.
pub(super) fn masks(types: &crate::bind::Types, inner: &Type, value: &Value, words: usize) -> Vec<i64> {
    let mut masks = vec![0_i64; words];
    if let Value::Set(members) = value {
        for code in members.iter().filter_map(|member| code_of(types, inner.plain(), member)) {
            if let Some(mask) = usize::try_from(code / 64).ok().and_then(|word| masks.get_mut(word)) {
                *mask |= 1 << (code % 64);
            }
        }
    }
    masks
}
