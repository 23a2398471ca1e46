//! Masks of where a state has which value, kept up to date while random games are played.
//!
//! Conditions on whole boards begin with `Matches`: which elements are this? Asked right after an element was written, that
//! waits for the write to get to memory. A piece that plays on keeps the answers for all values instead, one bit for each
//! element: in registers if one mask is enough, else on the stack; and changes one bit of each with every write. The block
//! is written as well, so that nobody else can tell.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, StackSlot, StackSlotData, StackSlotKind, Value, types};
use cranelift_frontend::Variable;

use super::super::bits::first_members;
use super::super::instruction::{Instruction, Slot};
use super::super::program::StatePlace;
use super::pieces::Entry;
use super::translate::Translator;

/// Values of a state for which masks are kept.
const MOST_VALUES: u64 = 4;

/// Elements of a state for which masks are kept.
const MOST_ELEMENTS: u32 = 1024;

/// The masks of one state.
#[derive(Clone)]
pub(super) struct Planes {
    /// Where the state lies, and how many elements of one byte it has.
    first: u32,
    count: u32,
    /// For how many stored numbers there are masks, from 1 on; what is in none of them is 0.
    values: u32,
    kept: Kept,
}

/// Which stored number is asked about.
#[derive(Clone, Copy)]
enum Wanted {
    Known(i64),
    /// What this is, which lies between these.
    Found(Value, (i64, i64)),
}

/// Where masks are kept.
#[derive(Clone)]
enum Kept {
    /// One mask for each stored number.
    InRegisters(Vec<Variable>),
    /// Several for each.
    OnStack(StackSlot),
}

impl Planes {
    /// How many masks there are for each stored number.
    fn words(&self) -> u32 {
        self.count.div_ceil(64)
    }

    /// Where a mask lies on the stack.
    fn offset(&self, stored: u32, word: u32) -> i32 {
        i32::try_from(((stored - 1) * self.words() + word) * 8).unwrap_or(0)
    }

    fn lies_at(&self, (from, end): (i64, i64)) -> bool {
        from < i64::from(self.first) + i64::from(self.count) && end > i64::from(self.first)
    }
}

impl Translator<'_, '_> {
    /// Works out the masks that are kept, where a piece comes back to its own choice and nothing else writes the block.
    pub(super) fn begin_planes(&mut self) {
        let program = self.program;
        let Entry::Play(own) = self.entry else { return };
        let code = || self.body().iter().filter_map(|at| program.code.get(*at as usize));
        let comes_back =
            code().any(|instruction| matches!(instruction, Instruction::Choose { choice } if *choice == own));
        let writes = code().any(|instruction| matches!(instruction, Instruction::Call { .. } | Instruction::Restore));
        if !comes_back || writes {
            return;
        }
        let asked = |place: &&StatePlace| {
            let within = |from: u32| from >= place.first && from < place.first + place.count;
            code().any(|instruction| matches!(instruction, Instruction::Matches { from, .. } if within(*from)))
        };
        let small = |place: &&StatePlace| {
            let bytes = place.cell.width == 1 && place.cell.units == 1 && place.count <= MOST_ELEMENTS;
            bytes && place.values.is_some_and(|values| (2..=MOST_VALUES).contains(&values))
        };
        for place in program.layout.iter().filter(asked).filter(small).collect::<Vec<_>>() {
            self.keep_planes(place);
        }
    }

    fn keep_planes(&mut self, place: &StatePlace) {
        let values = place.values.and_then(|values| u32::try_from(values).ok()).map_or(0, |values| values - 1);
        let words = place.count.div_ceil(64);
        let kept = if words == 1 {
            Kept::InRegisters((0..values).map(|_| self.b.declare_var(types::I64)).collect())
        } else {
            let bytes = values * words * 8;
            Kept::OnStack(self.b.create_sized_stack_slot(StackSlotData::new(StackSlotKind::ExplicitSlot, bytes, 3)))
        };
        let planes = Planes { first: place.first, count: place.count, values, kept };
        for (stored, word) in (1..=values).flat_map(|stored| (0..words).map(move |word| (stored, word))) {
            let count = u8::try_from((place.count - word * 64).min(64)).unwrap_or(64);
            let value = self.number(u64::from(stored));
            let now = self.matching_bytes(place.first + word * 64, count, value);
            match &planes.kept {
                Kept::InRegisters(masks) => self.b.def_var(masks[stored as usize - 1], now),
                Kept::OnStack(stack) => {
                    let place = self.b.ins().stack_addr(types::I64, *stack, planes.offset(stored, word));
                    self.store_plane(place, now);
                }
            }
        }
        self.planes.push(planes);
    }

    /// The elements that have a value, if that is kept.
    pub(super) fn kept_plane(&mut self, from: u32, count: u8, bias: i16, b: Slot) -> Option<Value> {
        let bytes = (i64::from(from), i64::from(from) + i64::from(count));
        let planes = self.planes.iter().find(|planes| planes.lies_at(bytes))?.clone();
        let window = (from.checked_sub(planes.first)?, u32::from(count));
        if window.0 + window.1 > planes.count {
            return None;
        }
        let wanted = if let Some(b) = self.known(b) {
            Wanted::Known(b.wrapping_sub(i64::from(bias)))
        } else {
            let (low, high) = self.native.borders.ranges.get(b);
            let range = (low.saturating_sub(i64::from(bias)), high.saturating_sub(i64::from(bias)));
            let value = self.read(b);
            Wanted::Found(self.b.ins().iadd_imm_s(value, -i64::from(bias)), range)
        };
        Some(self.window(&planes, window, wanted))
    }

    /// Which elements from one on, so many, are stored as a number: in one mask, or in two.
    fn window(&mut self, planes: &Planes, (from, count): (u32, u32), wanted: Wanted) -> Value {
        let (word, within) = (from / 64, from % 64);
        let mut bits = self.plane(planes, word, wanted);
        if within > 0 {
            bits = self.b.ins().ushr_imm_u(bits, i64::from(within));
        }
        if within + count > 64 {
            let next = self.plane(planes, word + 1, wanted);
            let next = self.b.ins().ishl_imm_u(next, i64::from(64 - within));
            bits = self.b.ins().bor(bits, next);
        }
        let whole = from + count == planes.count && matches!(wanted, Wanted::Known(stored) if stored > 0);
        if count == 64 || whole { bits } else { self.b.ins().band_imm_s(bits, first_members(u64::from(count))) }
    }

    /// One mask of the elements that are stored as a number; what lies behind the last element may be anything.
    fn plane(&mut self, planes: &Planes, word: u32, wanted: Wanted) -> Value {
        match wanted {
            Wanted::Known(0) => {
                let mut any = self.number(0);
                for stored in 1..=planes.values {
                    let some = self.kept_mask(planes, word, stored);
                    any = self.b.ins().bor(any, some);
                }
                self.b.ins().bnot(any)
            }
            Wanted::Known(stored) => match u32::try_from(stored) {
                Ok(stored) if stored <= planes.values => self.kept_mask(planes, word, stored),
                _ => self.number(0),
            },
            Wanted::Found(value, (low, high)) => {
                let mut found = self.number(0);
                for stored in (0..=i64::from(planes.values)).filter(|stored| (low..=high).contains(stored)) {
                    let mask = self.plane(planes, word, Wanted::Known(stored));
                    let is = self.b.ins().icmp_imm_s(IntCC::Equal, value, stored);
                    found = self.b.ins().select(is, mask, found);
                }
                found
            }
        }
    }

    /// A mask as it is kept.
    fn kept_mask(&mut self, planes: &Planes, word: u32, stored: u32) -> Value {
        match &planes.kept {
            Kept::InRegisters(masks) => self.b.use_var(masks[stored as usize - 1]),
            Kept::OnStack(stack) => {
                let place = self.b.ins().stack_addr(types::I64, *stack, planes.offset(stored, word));
                self.load_plane(place)
            }
        }
    }

    /// An element is written, of so many bytes; what is stored may be known.
    pub(super) fn update_planes(&mut self, (to, at, width): (u32, Slot, u32), value: Value, known: Option<i64>) {
        let bytes = self.bytes_of(to, at, width);
        for planes in self.planes.clone().into_iter().filter(|planes| width == 1 && planes.lies_at(bytes)) {
            let always =
                bytes.0 >= i64::from(planes.first) && bytes.1 <= i64::from(planes.first) + i64::from(planes.count);
            let nth = self.read(at);
            let nth = self.b.ins().iadd_imm_s(nth, i64::from(to) - i64::from(planes.first));
            let one = self.b.ins().iconst(types::I64, 1);
            let mut bit = self.b.ins().ishl(one, nth);
            let within =
                (!always).then(|| self.b.ins().icmp_imm_s(IntCC::UnsignedLessThan, nth, i64::from(planes.count)));
            if self.native.checked && always {
                let within = self.b.ins().icmp_imm_s(IntCC::UnsignedLessThan, nth, i64::from(planes.count));
                self.proved(within);
            }
            if let Some(within) = within {
                let none = self.number(0);
                bit = self.b.ins().select(within, bit, none);
            }
            match &planes.kept {
                Kept::InRegisters(masks) => {
                    for (stored, mask) in (1..).zip(masks) {
                        let before = self.b.use_var(*mask);
                        let now = self.with_bit(before, bit, (value, known), stored);
                        self.b.def_var(*mask, now);
                    }
                }
                Kept::OnStack(stack) => {
                    // What lies outside changes no bit, of the first mask.
                    let word = self.b.ins().ushr_imm_u(nth, 6);
                    let first = self.number(0);
                    let word = within.map_or(word, |within| self.b.ins().select(within, word, first));
                    let offset = self.b.ins().ishl_imm_u(word, 3);
                    for stored in 1..=planes.values {
                        let base = self.b.ins().stack_addr(types::I64, *stack, planes.offset(stored, 0));
                        let place = self.b.ins().iadd(base, offset);
                        let before = self.load_plane(place);
                        let now = self.with_bit(before, bit, (value, known), i64::from(stored));
                        self.store_plane(place, now);
                    }
                }
            }
        }
    }

    /// The masks of a state that begins at a byte and has so many elements at least, if they are kept.
    pub(super) fn planes_from(&self, first: u32, count: u32) -> Option<Planes> {
        self.planes.iter().find(|planes| planes.first == first && count <= planes.count).cloned()
    }

    /// All elements whose bits are set are written, mask by mask from the first on.
    pub(super) fn update_plane_words(&mut self, planes: &Planes, bits: &[Value], value: Value, known: Option<i64>) {
        for (word, &bits) in (0..).zip(bits) {
            for stored in 1..=planes.values {
                let before = self.kept_mask(planes, word, stored);
                let now = self.with_bit(before, bits, (value, known), i64::from(stored));
                match &planes.kept {
                    Kept::InRegisters(masks) => self.b.def_var(masks[stored as usize - 1], now),
                    Kept::OnStack(stack) => {
                        let place = self.b.ins().stack_addr(types::I64, *stack, planes.offset(stored, word));
                        self.store_plane(place, now);
                    }
                }
            }
        }
    }

    /// A mask after some elements were written: it has their bits if the same number was stored.
    fn with_bit(&mut self, before: Value, bit: Value, (value, known): (Value, Option<i64>), stored: i64) -> Value {
        match known {
            Some(known) if known == stored => self.b.ins().bor(before, bit),
            Some(_) => self.b.ins().band_not(before, bit),
            None => {
                let (with, without) = (self.b.ins().bor(before, bit), self.b.ins().band_not(before, bit));
                let is = self.b.ins().icmp_imm_s(IntCC::Equal, value, stored);
                self.b.ins().select(is, with, without)
            }
        }
    }
}
