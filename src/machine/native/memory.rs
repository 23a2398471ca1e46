//! How translated code reaches the block, the tables and the slots.
//!
//! An index that is known is used as it is, if it fits. Any other is compared with the size first: what is
//! outside is read as 0 and written to nowhere, as in the executor of instructions. Both need no branch, because the
//! block has room behind its end: eight bytes that are always 0, and eight that are never read.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{AliasRegion, AliasRegionData, InstBuilder, MemFlagsData, Type, Value, types};
use cranelift_frontend::FunctionBuilder;

use super::super::instruction::Slot;
use super::super::program::HEADER;
use super::module::address;
use super::translate::Translator;

/// Bytes behind the end of a block: what is always 0, and then what is never read.
pub(in crate::machine) const BEHIND: usize = 16;
const NEVER_READ: i64 = 8;

/// Where the header says who is asked.
pub(super) const SEAT: u32 = 2;

/// Kinds of memory that do not overlap.
#[derive(Clone, Copy)]
pub(super) struct Kinds {
    frame: AliasRegion,
    slots: AliasRegion,
    state: AliasRegion,
    flow: AliasRegion,
    moves: AliasRegion,
    constant: AliasRegion,
}

impl Kinds {
    pub(super) fn new(builder: &mut FunctionBuilder<'_>) -> Self {
        let mut kind = |user_id: u32, description: &'static str| {
            let data = AliasRegionData { user_id, description: description.into() };
            builder.func.dfg.alias_regions.insert(data)
        };
        Self {
            frame: kind(0, "frame"),
            slots: kind(1, "slots"),
            state: kind(2, "block"),
            moves: kind(3, "entries"),
            constant: kind(4, "tables"),
            flow: kind(5, "flow"),
        }
    }
}

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

    /// The place of a slot that is found by number.
    fn slot_at(&mut self, base: Slot, number: Value) -> Value {
        let number = self.b.ins().iadd_imm_s(number, i64::from(base));
        let number = self.b.ins().band_imm_s(number, 0xffff);
        let offset = self.b.ins().ishl_imm_u(number, 3);
        self.b.ins().iadd(self.slots, offset)
    }

    pub(super) fn load_slot_at(&mut self, base: Slot, number: Value) -> Value {
        let place = self.slot_at(base, number);
        let flags = flags(self.kinds.slots).with_aligned();
        self.b.ins().load(types::I64, flags, place, 0)
    }

    pub(super) fn store_slot_at(&mut self, base: Slot, number: Value, value: Value) {
        let place = self.slot_at(base, number);
        let flags = flags(self.kinds.slots).with_aligned();
        self.b.ins().store(flags, value, place, 0);
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
                return self.known_element(offset);
            }
        }
        let always = self.always_within(at, i64::from(from), i64::from(width), bytes);
        let at = self.read(at);
        let at = if width == 1 { at } else { self.b.ins().imul_imm_s(at, i64::from(width)) };
        if let (true, Ok(offset)) = (always, i32::try_from(from)) {
            return Element { at: self.b.ins().iadd(self.state, at), offset, kind: self.kinds.state };
        }
        let place = self.b.ins().iadd_imm_s(at, i64::from(from));
        let inside = self.b.ins().icmp_imm_s(IntCC::UnsignedLessThanOrEqual, place, bytes - i64::from(width));
        let outside = self.b.ins().iconst(types::I64, outside);
        let place = self.b.ins().select(inside, place, outside);
        Element { at: self.b.ins().iadd(self.state, place), offset: 0, kind: self.kinds.state }
    }

    /// What lies at a known place. Indices are those of states: they never lead into the header, or to what the flow keeps.
    fn known_element(&self, offset: i32) -> Element {
        let of_states = usize::try_from(offset).is_ok_and(|at| (HEADER..self.program.flow).contains(&at));
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
        let element = self.known_element(i32::try_from(offset).unwrap_or(0));
        self.load(element, width)
    }

    /// Writes to a known place of the block.
    pub(super) fn store_fixed(&mut self, offset: u32, width: u32, value: Value) {
        let element = self.known_element(i32::try_from(offset).unwrap_or(0));
        self.store(element, width, value);
    }

    /// Writes one byte of the block, so many behind another; it must lie in the block.
    pub(super) fn store_byte(&mut self, from: u32, behind: Value, value: Value) {
        let at = self.b.ins().iadd(self.state, behind);
        let element = Element { at, offset: i32::try_from(from).unwrap_or(0), kind: self.kinds.state };
        self.store(element, 1, value);
    }

    // ------------------------------------------------------------ tables

    pub(super) fn load_table(&mut self, from: u32, at: Slot) -> Value {
        let tables = &self.native.tables;
        // One more entry than the program has, which is 0.
        let outside = i64::try_from(tables.len()).unwrap_or(1) - 1;
        if let Some(at) = self.known(at) {
            let place = at.wrapping_add(i64::from(from));
            let value = usize::try_from(place).ok().and_then(|place| tables.get(place)).copied().unwrap_or(0);
            return self.b.ins().iconst(types::I64, value);
        }
        let base = address(tables.as_ptr());
        let always = self.always_within(at, i64::from(from), 1, outside);
        let at = self.read(at);
        let mut place = self.b.ins().iadd_imm_s(at, i64::from(from));
        if !always {
            let inside = self.b.ins().icmp_imm_s(IntCC::UnsignedLessThan, place, outside);
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
        let flags = MemFlagsData::new().with_notrap().with_aligned();
        self.b.ins().load(types::I64, flags, place, 0)
    }

    pub(super) fn store_plane(&mut self, place: Value, mask: Value) {
        let flags = MemFlagsData::new().with_notrap().with_aligned();
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
