//! Conditions that one element of a state decides, for all members at once.
//!
//! `land[c].terrain is jungle`, `buried[c] > 0`, `figures[c, me, f] > 0`: whatever such a condition says, it holds for some
//! values of the element and not for others. The reference is asked about every value while this is compiled, and what is
//! left to do is to find the elements that are stored as one of those for which it holds (`Among`). They lie side by side
//! from an element on that may be found only when it is asked: that of the player who acts.

use crate::internal::exact;
use std::rc::Rc;

use super::bits::Bits;
use super::compiler::{Compiler, TableKey, Try, Var};
use super::indices::within;
use super::matching::{ByBit, Elements, Window};
use super::products::Mask;
use crate::bind::walk::{each_expr, parts};
use crate::bind::{DefId, Expr, ExprId, LocalId, StateId, Type, Value};
use crate::evaluate::{Frame, State};
use crate::machine::{Instruction, Slot, first_members, from_slot};

/// Values of an element, times elements of its state: more are not asked about.
const MOST: u64 = 1 << 15;

/// A set of numbers that an element can be stored as.
pub(super) type Stored = [u64; 4];

/// What decides a set of stored numbers: a condition, and the values of names that are known.
pub(super) type StoredKey = (ExprId, Vec<(LocalId, i64)>);

/// Where to count from, and the number of each member's element from there on.
pub(super) type Row = (Slot, Rc<[Option<i64>]>);

/// What a condition reads: one element for each bit.
struct Read {
    state: StateId,
    /// Each from `base` on.
    elements: Rc<[Option<i64>]>,
    base: Slot,
}

/// What is found out about a condition.
#[derive(Default)]
struct Found {
    read: Option<Read>,
    /// Variables of its own.
    own: Vec<LocalId>,
}

impl Compiler<'_> {
    /// Members for which a condition holds, if for each of them one element of a state decides it.
    pub(super) fn among_mask(&mut self, bits: &Bits, id: ExprId) -> Try<Option<Mask>> {
        let mark = self.code.mark();
        let mut found = Found::default();
        if self.reads(bits, id, &mut found)?.is_some()
            && let Some(read) = found.read
            && let Some(mask) = self.mask_of_read(bits, id, &read)
        {
            return Ok(Some(mask));
        }
        self.code.take_back(mark);
        Ok(None)
    }

    fn mask_of_read(&mut self, bits: &Bits, id: ExprId, read: &Read) -> Option<Mask> {
        let sample =
            |there: bool| (0..bits.count()).find(|bit| bits.is_wanted(*bit) && read.elements[*bit].is_some() == there);
        let place = self.state_place(read.state).clone();
        let elements = ByBit::new(bits, place, &read.elements);
        let mut mask = Mask::default();
        if let Some(bit) = sample(false)
            && *self.answers(bits, bit, id, read.state, 1)?.first()?
        {
            mask = Mask::constant(elements.nowhere());
        }
        let Some(bit) = sample(true) else { return Some(mask) };
        let stored = self.stored(bits, bit, id, read.state)?;
        let found = self.stored_as_one_of(&elements, read.base, stored)?;
        Some(mask.or(found))
    }

    /// Finds the one element that a condition reads; nothing if it reads another, or if anything else decides it.
    fn reads(&mut self, bits: &Bits, id: ExprId, found: &mut Found) -> Try<Option<()>> {
        self.take_step(id)?;
        let bound = self.bound;
        let kind = &bound.expr(id).kind;
        match kind {
            Expr::Index(base, args) if let Expr::State(state) = bound.expr(*base).kind => {
                if self.mention_any(args, &found.own) {
                    return Ok(None);
                }
                let Some((base, elements)) = self.elements_from(bits, state, args)? else { return Ok(None) };
                let known = found.read.get_or_insert(Read { state, elements: Rc::clone(&elements), base });
                let same = known.state == state && known.base == base && known.elements == elements;
                return Ok(same.then_some(()));
            }
            Expr::Local(local) => {
                let known = matches!(self.locals.get(local), Some(Var::Slot(slot)) if self.code.known(*slot).is_some());
                let decides = bits.values(*local).is_some() || !known;
                return Ok((!decides || found.own.contains(local)).then_some(()));
            }
            Expr::Def(def, args) => return self.reads_in_definition(bits, *def, args, found),
            Expr::State(_) | Expr::Me | Expr::Award(..) | Expr::Score(_) | Expr::Outcome(_) | Expr::Fault => {
                return Ok(None);
            }
            Expr::Aggregate(_, binds, ..) => found.own.extend(binds.iter().map(|bind| bind.local)),
            Expr::SetOf(bind) | Expr::ListOf(bind) => found.own.push(bind.local),
            Expr::Members(ty) if self.is_regions(ty) => return Ok(None),
            Expr::Make(ty, _) if self.is_regions(&Type::Named(*ty)) => return Ok(None),
            _ if self.is_regions(self.ty(id).plain()) => return Ok(None),
            _ => {}
        }
        for part in parts(kind) {
            if self.reads(bits, part, found)?.is_none() {
                return Ok(None);
            }
        }
        Ok(Some(()))
    }

    /// The same in a definition: what it is given of a condition's own variables is its own, too, while it is asked.
    fn reads_in_definition(&mut self, bits: &Bits, def: DefId, args: &[ExprId], found: &mut Found) -> Try<Option<()>> {
        let def = self.bound.def(def);
        let (mut own, mut params, mut given) = (Vec::new(), Vec::new(), Vec::new());
        for (&param, &arg) in def.params.iter().zip(args) {
            if !self.mention_any(&[arg], &found.own) {
                params.push(param);
                given.push(arg);
            } else if self.reads(bits, arg, found)?.is_some() {
                own.push(param);
            } else {
                return Ok(None);
            }
        }
        found.own.extend(&own);
        let read =
            self.in_definition(bits, &params, &given, &mut |compiler, inner| compiler.reads(inner, def.body, found));
        found.own.retain(|name| !own.contains(name));
        read
    }

    /// Does any of these mention one of these names? What a condition's own variables stand for is not known here.
    fn mention_any(&self, args: &[ExprId], names: &[LocalId]) -> bool {
        names.iter().any(|name| args.iter().any(|arg| self.mentions(*arg, *name)))
    }

    /// The number of each member's element, counted from one that has nothing to do with the members.
    pub(super) fn elements_from(&mut self, bits: &Bits, state: StateId, args: &[ExprId]) -> Try<Option<Row>> {
        let place = self.state_place(state).clone();
        let (ty, indices) = (&self.bound.state(state).ty, &self.bound.state(state).indices);
        let few = place.values.is_some_and(|values| values <= 256 && values * u64::from(place.count) <= MOST);
        let fits = place.cell.width == 1 && place.cell.units == 1 && place.count > 0 && few;
        if !fits || self.is_regions(ty.plain()) || args.len() != indices.len() {
            return Ok(None);
        }
        let (mut base, mut elements): (_, Vec<Option<i64>>) = (self.constant(0), vec![Some(0); bits.count()]);
        for ((index, &arg), &(_, step)) in indices.iter().zip(args).zip(&place.steps) {
            let low = self.index(index, base).low();
            if self.depends(bits, arg) {
                let Some(values) = self.at_each_bit(bits, index, arg)? else { return Ok(None) };
                let sum = |(at, value): (Option<i64>, &Option<i64>)| Some(at? + ((*value)? - low) * i64::from(step));
                elements = elements.into_iter().zip(values.iter()).map(sum).collect();
                continue;
            }
            let none = self.code.label();
            let value = self.strict(arg, none)?;
            if self.code.is_used(none) || !within(self.ty(arg), index) {
                return Ok(None);
            }
            let low = self.constant(low);
            let nth = self.code.subtract(value, low);
            base = self.code.multiply_add(nth, step, base);
        }
        if let Some(known) = self.code.known(base) {
            elements.iter_mut().flatten().for_each(|element| *element += known);
            base = self.constant(0);
        }
        Ok(Some((base, elements.into())))
    }

    /// What an index is for each member, or that there is none.
    fn at_each_bit(&mut self, bits: &Bits, index: &Type, arg: ExprId) -> Try<Elements> {
        if let Expr::Local(local) = self.bound.expr(arg).kind
            && let Some(values) = bits.values(local)
            && within(self.ty(arg), index)
        {
            return Ok(Some(values.iter().copied().map(Some).collect()));
        }
        if !self.is_known_but_for(arg, &bits.names()) {
            return Ok(None);
        }
        let mut values = Vec::new();
        for bit in 0..bits.count() {
            let (mark, none) = (self.code.mark(), self.code.label());
            self.at_bit(bits, bit);
            let found = self.index_values(std::slice::from_ref(index), &[arg], none)?;
            let known = found.first().and_then(|found| self.code.known(found.value()));
            let known = known.filter(|_| self.code.nothing_since(mark));
            let nowhere = self.code.only_jumped_since(mark, none);
            self.code.take_back(mark);
            match known {
                Some(value) => values.push(Some(value)),
                None if nowhere => values.push(None),
                None => return Ok(None),
            }
        }
        Ok(Some(values.into()))
    }

    /// The numbers that an element is stored as when a condition holds; nothing if the reference has no answer.
    fn stored(&mut self, bits: &Bits, bit: usize, id: ExprId, state: StateId) -> Option<Stored> {
        let key = (id, self.known_names(bits, id));
        if let Some(known) = self.stored.get(&key) {
            return *known;
        }
        let values = self.state_place(state).values.unwrap_or(0);
        let set = self.answers(bits, bit, id, state, values).map(|answers| {
            let mut set = Stored::default();
            for nth in answers.iter().enumerate().filter(|(_, holds)| **holds).map(|(nth, _)| nth) {
                set[nth / 64] |= 1 << (nth % 64);
            }
            set
        });
        self.stored.insert(key, set);
        set
    }

    /// Names in a condition that stand for something known.
    fn known_names(&self, bits: &Bits, id: ExprId) -> Vec<(LocalId, i64)> {
        let mut names = Vec::new();
        each_expr(self.bound, id, &mut |_, kind| {
            if let Expr::Local(local) = kind
                && bits.values(*local).is_none()
                && let Some(Var::Slot(slot)) = self.locals.get(local)
                && let Some(value) = self.code.known(*slot)
            {
                names.push((*local, value));
            }
        });
        names
    }

    /// Does a condition hold if all elements of a state are stored as 0, as 1, …? What only says which element it is
    /// does not matter then, and may be anything of its type: names and other states are.
    fn answers(&self, bits: &Bits, bit: usize, id: ExprId, state: StateId, values: u64) -> Option<Vec<bool>> {
        let known = self.known_names(bits, id);
        let mut names = Vec::new();
        each_expr(self.bound, id, &mut |_, kind| {
            if let Expr::Local(local) = kind {
                let ty = self.local_type(*local);
                let known = known.iter().find(|(name, _)| name == local).map(|(_, value)| *value);
                let value = bits.values(*local).map(|values| values[bit]).or(known);
                let value = value.map_or_else(|| self.any_of(ty), |value| from_slot(self.types(), ty, value));
                names.push((*local, value));
            }
        });
        let ty = &self.bound.state(state).ty;
        let least = if let Type::Int(low, _) = ty.plain() { *low } else { 0 } - i64::from(ty.is_optional());
        let elements = self.bound.states.iter().zip(&self.program.layout);
        let elements = elements.map(|(state, place)| vec![self.any_of(&state.ty); place.count as usize]).collect();
        let mut all = State { elements };
        let mut answers = Vec::new();
        for nth in 0..values {
            let nothing = nth == 0 && ty.is_optional();
            let slot = least.checked_add_unsigned(nth)?;
            let value = if nothing { Value::None } else { from_slot(self.types(), ty.plain(), slot) };
            all.elements.get_mut(state.at())?.fill(value);
            let mut frame = Frame::new(&all).acting(0);
            names.iter().for_each(|(name, value)| frame.set(*name, value.clone()));
            answers.push(self.tables.eval(id, &mut frame).ok()? == Value::Bool(true));
        }
        Some(answers)
    }

    /// Some value of a type.
    fn any_of(&self, ty: &Type) -> Value {
        match ty {
            Type::Optional(_) => Value::None,
            Type::Set(_) => Value::Set(Vec::new()),
            Type::List(..) => Value::List(Vec::new()),
            Type::Int(low, _) => Value::Int(*low),
            ty => from_slot(self.types(), ty, 0),
        }
    }

    /// Members whose element is stored as one of a set.
    pub(super) fn stored_as_one_of(&mut self, of: &ByBit, base: Slot, set: Stored) -> Option<Mask> {
        let values = of.place.values.unwrap_or(0);
        let all = of.somewhere();
        let held = set.iter().map(|mask| u64::from(mask.count_ones())).sum::<u64>();
        if held == 0 || held == values {
            return Some(Mask::constant(if held == 0 { 0 } else { all }));
        }
        // One value, or all but one: as planes are kept for these, they are asked about in the same way as elsewhere.
        if self.code.known(base) == Some(0) && !of.place.cell.no_number && (held == 1 || held + 1 == values) {
            let is_in = |nth: &u64| set[exact::<_, usize>(nth / 64)] >> (nth % 64) & 1 == 1;
            let one = (0..values).find(|nth| is_in(nth) == (held == 1))?;
            let one = self.constant(of.place.cell.bias.checked_add_unsigned(one)?);
            let mask = self.matching(of, one)?;
            return Some(if held == 1 { mask } else { self.others(all, mask) });
        }
        let set = set.map(u64::cast_signed);
        let set = self.make_table(TableKey::Stored(set), || set.to_vec());
        let (at, more) = self.code.offset(base);
        let row = if self.code.known(base).is_some() { of.whole() } else { of.row() };
        let mut result = Mask::default();
        for Window { first, count, by, members } in of.windows(&row)? {
            let from = u32::try_from(i64::from(of.place.first) + first + more).ok()?;
            let slot = self.code.work_out(|to| Instruction::Among { to, at, from, count, set });
            result = result.or(Mask::moved(slot, first_members(u64::from(count)), by, members));
        }
        Some(result)
    }
}
