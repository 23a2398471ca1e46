//! How translated code reaches the block, the tables and the slots.
//!
//! An index that is known is used as it is, if it fits. Any other is compared with the size first: what is
//! outside is read as 0 and written to nowhere, as in the executor of instructions. Both need no branch, because the
//! block has room behind its end: eight bytes that are always 0, and eight that are never read.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{AliasRegion, InstBuilder, MemFlagsData, Type, Value, types};

use super::super::instruction::Slot;
use super::kinds::of_states;
use super::module::address;
use super::translate::Translator;

/// Bytes behind the end of a block: what is always 0, and then what is never read.
pub(in crate::machine) const BEHIND: usize = 16;
const NEVER_READ: i64 = 8;

/// Where the header says who is asked.
pub(super) const SEAT: u32 = 2;

fn flags(kind: AliasRegion) -> MemFlagsData {
    MemFlagsData::new().with_notrap().with_alias_region(Some(kind))
}

/// An element of the block.
#[derive(Clone, Copy)]
pub(super) struct Element {
    at: Value,
    offset: i32,
    kind: AliasRegion,
}

fn type_of(width: u32) -> Type {
    match width {
        1 => types::I8,
        2 => types::I16,
        4 => types::I32,
        _ => types::I64,
    }
}

impl Translator<'_, '_> {
    // ------------------------------------------------------------ frame

    pub(super) fn load_frame(&mut self, offset: usize) -> Value {
        let flags = flags(self.kinds.frame);
        self.b.ins().load(types::I64, flags, self.frame, i32::try_from(offset).unwrap_or(0))
    }

    pub(super) fn store_frame(&mut self, offset: usize, value: Value) {
        let flags = flags(self.kinds.frame);
        self.b.ins().store(flags, value, self.frame, i32::try_from(offset).unwrap_or(0));
    }

    /// Puts an entry into the list.
    pub(super) fn store_entry(&mut self, moves: Value, count: Value, entry: Value) {
        let offset = self.b.ins().ishl_imm_u(count, 3);
        let place = self.b.ins().iadd(moves, offset);
        let flags = flags(self.kinds.moves).with_aligned();
        self.b.ins().store(flags, entry, place, 0);
    }

    /// Reads an entry of a list.
    pub(super) fn load_entry(&mut self, place: Value) -> Value {
        self.b.ins().load(types::I64, flags(self.kinds.moves).with_aligned(), place, 0)
    }

    /// A word of something that the frame points to.
    pub(super) fn load_word(&mut self, place: Value, offset: i32) -> Value {
        self.b.ins().load(types::I64, flags(self.kinds.frame).with_aligned(), place, offset)
    }

    pub(super) fn store_word(&mut self, place: Value, offset: i32, value: Value) {
        self.b.ins().store(flags(self.kinds.frame).with_aligned(), value, place, offset);
    }

    // ------------------------------------------------------------ slots

    pub(super) fn load_slot(&mut self, slot: Slot) -> Value {
        let flags = flags(self.kinds.slots).with_aligned();
        self.b.ins().load(types::I64, flags, self.slots, i32::from(slot) * 8)
    }

    pub(super) fn store_slot(&mut self, slot: Slot, value: Value) {
        let flags = flags(self.kinds.slots).with_aligned();
        self.b.ins().store(flags, value, self.slots, i32::from(slot) * 8);
    }

    /// Is a number, which lies between two others, always that of a slot of a run?
    pub(super) fn always_in_run(&self, base: Slot, (low, high): (i64, i64)) -> bool {
        low >= 0 && high < i64::from(self.program.run(base))
    }

    /// Is a number that of a slot of a run?
    fn is_in_run(&mut self, base: Slot, number: Value) -> Value {
        let run = i64::from(self.program.run(base));
        self.b.ins().icmp_imm_s(IntCC::UnsignedLessThan, number, run)
    }

    /// A slot that is found by number, which lies between two others; 0 outside of the run.
    pub(super) fn load_slot_at(&mut self, base: Slot, number: Value, range: (i64, i64)) -> Value {
        let flags = flags(self.kinds.slots).with_aligned();
        if self.always_in_run(base, range) {
            if self.native.checked {
                let inside = self.is_in_run(base, number);
                self.proved(inside);
            }
            let offset = self.b.ins().ishl_imm_u(number, 3);
            let place = self.b.ins().iadd(self.slots, offset);
            return self.b.ins().load(types::I64, flags, place, i32::from(base) * 8);
        }
        let inside = self.is_in_run(base, number);
        let none = self.number(0);
        let number = self.b.ins().select(inside, number, none);
        let offset = self.b.ins().ishl_imm_u(number, 3);
        let place = self.b.ins().iadd(self.slots, offset);
        let value = self.b.ins().load(types::I64, flags, place, i32::from(base) * 8);
        self.b.ins().select(inside, value, none)
    }

    /// Writes a slot that is found by number, which lies between two others; the program is at fault outside of the run.
    pub(super) fn store_slot_at(&mut self, base: Slot, number: Value, range: (i64, i64), value: Value) {
        if !self.always_in_run(base, range) {
            let inside = self.is_in_run(base, number);
            self.flawed_unless(inside);
        } else if self.native.checked {
            let inside = self.is_in_run(base, number);
            self.proved(inside);
        }
        let flags = flags(self.kinds.slots).with_aligned();
        let offset = self.b.ins().ishl_imm_u(number, 3);
        let place = self.b.ins().iadd(self.slots, offset);
        self.b.ins().store(flags, value, place, i32::from(base) * 8);
    }

    // ------------------------------------------------------------ block

    /// Element `at` of so many bytes, for reading or for writing.
    pub(super) fn element(&mut self, from: u32, at: Slot, width: u32, writes: bool) -> Element {
        let bytes = i64::try_from(self.program.bytes).unwrap_or(0);
        let outside = if writes { bytes + NEVER_READ } else { bytes };
        if let Some(at) = self.known(at) {
            let place = at.wrapping_mul(i64::from(width)).wrapping_add(i64::from(from));
            let inside = place >= 0 && place <= bytes - i64::from(width);
            let place = if inside { place } else { outside };
            if let Ok(offset) = i32::try_from(place) {
                return self.known_element(offset, width);
            }
        }
        let always = self.always_within(at, i64::from(from), i64::from(width), bytes);
        let at = self.read(at);
        let at = if width == 1 { at } else { self.b.ins().imul_imm_s(at, i64::from(width)) };
        if let (true, Ok(offset)) = (always, i32::try_from(from)) {
            if self.native.checked {
                let place = self.b.ins().iadd_imm_s(at, i64::from(from));
                let inside = self.b.ins().icmp_imm_s(IntCC::UnsignedLessThanOrEqual, place, bytes - i64::from(width));
                self.proved(inside);
            }
            return Element { at: self.b.ins().iadd(self.state, at), offset, kind: self.kinds.state };
        }
        let place = self.b.ins().iadd_imm_s(at, i64::from(from));
        let inside = self.b.ins().icmp_imm_s(IntCC::UnsignedLessThanOrEqual, place, bytes - i64::from(width));
        let outside = self.b.ins().iconst(types::I64, outside);
        let place = self.b.ins().select(inside, place, outside);
        Element { at: self.b.ins().iadd(self.state, place), offset: 0, kind: self.kinds.state }
    }

    /// What lies at a known place.
    fn known_element(&self, offset: i32, width: u32) -> Element {
        let of_states = of_states(self.program, (i64::from(offset), i64::from(offset) + i64::from(width)));
        let kind = if of_states { self.kinds.state } else { self.kinds.flow };
        Element { at: self.state, offset, kind }
    }

    /// Is an index always inside, whatever the slot holds?
    fn always_within(&self, at: Slot, from: i64, width: i64, bytes: i64) -> bool {
        let (low, high) = self.native.borders.ranges.get(at);
        let place = |at: i64| at.checked_mul(width)?.checked_add(from);
        place(low).is_some_and(|first| first >= 0) && place(high).is_some_and(|last| last <= bytes - width)
    }

    pub(super) fn load(&mut self, element: Element, width: u32) -> Value {
        let (flags, at, offset) = (flags(element.kind), element.at, element.offset);
        match width {
            1 => self.b.ins().uload8(types::I64, flags, at, offset),
            2 => self.b.ins().uload16(types::I64, flags, at, offset),
            4 => self.b.ins().uload32(flags, at, offset),
            _ => self.b.ins().load(types::I64, flags, at, offset),
        }
    }

    pub(super) fn store(&mut self, element: Element, width: u32, value: Value) {
        let flags = flags(element.kind);
        let value = if width == 8 { value } else { self.b.ins().ireduce(type_of(width), value) };
        self.b.ins().store(flags, value, element.at, element.offset);
    }

    /// Sixteen bytes of the block, or those behind its end.
    pub(super) fn load_sixteen(&mut self, from: u32) -> Value {
        let flags = flags(self.kinds.state);
        let bytes = u32::try_from(self.program.bytes).unwrap_or(0);
        self.b.ins().load(types::I8X16, flags, self.state, i32::try_from(from.min(bytes)).unwrap_or(0))
    }

    /// So many bytes of the block from an index on, and whether they lie in it, if that is not certain; if not, others do.
    pub(super) fn window_at(&mut self, from: u32, at: Slot, count: u32) -> (Element, Option<Value>) {
        let last = i64::try_from(self.program.bytes).unwrap_or(0) - i64::from(count);
        let (low, high) = self.known(at).map_or_else(|| self.native.borders.ranges.get(at), |at| (at, at));
        let (low, high) = (low.saturating_add(i64::from(from)), high.saturating_add(i64::from(from)));
        let at = self.read(at);
        if let (true, Ok(offset)) = (low >= 0 && high <= last, i32::try_from(from)) {
            if self.native.checked {
                let place = self.b.ins().iadd_imm_s(at, i64::from(from));
                let inside = self.b.ins().icmp_imm_s(IntCC::UnsignedLessThanOrEqual, place, last);
                self.proved(inside);
            }
            let at = self.b.ins().iadd(self.state, at);
            return (Element { at, offset, kind: self.kinds.state }, None);
        }
        let place = self.b.ins().iadd_imm_s(at, i64::from(from));
        let inside = self.b.ins().icmp_imm_s(IntCC::UnsignedLessThanOrEqual, place, last);
        let first = self.b.ins().iconst(types::I64, 0);
        let place = self.b.ins().select(inside, place, first);
        (Element { at: self.b.ins().iadd(self.state, place), offset: 0, kind: self.kinds.state }, Some(inside))
    }

    /// Sixteen bytes of a window; the block has room behind its end for the last ones.
    pub(super) fn sixteen_of(&mut self, window: Element, first: i32) -> Value {
        self.b.ins().load(types::I8X16, flags(window.kind), window.at, window.offset + first)
    }

    /// Reads from a known place of the block.
    pub(super) fn load_fixed(&mut self, offset: u32, width: u32) -> Value {
        let element = self.known_element(i32::try_from(offset).unwrap_or(0), width);
        self.load(element, width)
    }

    /// Writes to a known place of the block.
    pub(super) fn store_fixed(&mut self, offset: u32, width: u32, value: Value) {
        let element = self.known_element(i32::try_from(offset).unwrap_or(0), width);
        self.store(element, width, value);
    }

    /// Writes one byte of the block, so many behind another; it must lie in the block.
    pub(super) fn store_byte(&mut self, from: u32, behind: Value, value: Value) {
        if self.native.checked {
            let bytes = i64::try_from(self.program.bytes).unwrap_or(0);
            let place = self.b.ins().iadd_imm_s(behind, i64::from(from));
            let inside = self.b.ins().icmp_imm_s(IntCC::UnsignedLessThan, place, bytes);
            self.proved(inside);
        }
        let at = self.b.ins().iadd(self.state, behind);
        let element = Element { at, offset: i32::try_from(from).unwrap_or(0), kind: self.kinds.state };
        self.store(element, 1, value);
    }

    // ------------------------------------------------------------ tables

    /// An entry of a table that has so many from one on; 0 outside of these.
    pub(super) fn load_table(&mut self, (from, count): (u32, u32), at: Slot) -> Value {
        let tables = &self.native.tables;
        // One more entry than the program has, which is 0.
        let outside = i64::try_from(tables.len()).unwrap_or(1) - 1;
        if let Some(at) = self.known(at) {
            let place = usize::try_from(at).ok().filter(|at| *at < count as usize).map(|at| at + from as usize);
            let value = place.and_then(|place| tables.get(place)).copied().unwrap_or(0);
            return self.b.ins().iconst(types::I64, value);
        }
        let base = address(tables.as_ptr());
        let always = self.always_within(at, 0, 1, i64::from(count));
        let at = self.read(at);
        let mut place = self.b.ins().iadd_imm_s(at, i64::from(from));
        if !always || self.native.checked {
            let inside = self.b.ins().icmp_imm_s(IntCC::UnsignedLessThan, at, i64::from(count));
            if always {
                self.proved(inside);
            }
            let outside = self.b.ins().iconst(types::I64, outside);
            place = self.b.ins().select(inside, place, outside);
        }
        let offset = self.b.ins().ishl_imm_u(place, 3);
        let base = self.b.ins().iconst(types::I64, base);
        let place = self.b.ins().iadd(base, offset);
        let flags = flags(self.kinds.constant).with_aligned().with_readonly().with_can_move();
        self.b.ins().load(types::I64, flags, place, 0)
    }

    /// A mask on the stack.
    pub(super) fn load_plane(&mut self, place: Value) -> Value {
        let flags = flags(self.kinds.planes).with_aligned();
        self.b.ins().load(types::I64, flags, place, 0)
    }

    pub(super) fn store_plane(&mut self, place: Value, mask: Value) {
        let flags = flags(self.kinds.planes).with_aligned();
        self.b.ins().store(flags, mask, place, 0);
    }

    /// A byte of a table that is part of Ludex; the number must be below its length.
    pub(super) fn load_byte(&mut self, table: &'static [u8], at: Value) -> Value {
        let base = self.b.ins().iconst(types::I64, address(table.as_ptr()));
        let place = self.b.ins().iadd(base, at);
        let flags = flags(self.kinds.constant).with_readonly().with_can_move();
        self.b.ins().uload8(types::I64, flags, place, 0)
    }

    /// What runs a piece.
    pub(super) fn code_of(&mut self, piece: u32) -> Value {
        let place = self.native.code.as_ptr().wrapping_add(piece as usize);
        let place = self.b.ins().iconst(types::I64, address(place));
        let flags = flags(self.kinds.frame).with_aligned();
        self.b.ins().load(types::I64, flags, place, 0)
    }
}
