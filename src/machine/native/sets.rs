//! Native code for masks and sets: which elements are this, members that come and go, the first of them.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};

use super::super::bits::{first_members, room_in};
use super::super::instruction::{NO_MEMBER, Slot, Target, in_a_row, masks_for};
use super::translate::Translator;

impl Translator<'_, '_> {
    /// Compares sixteen bytes at a time; the block has room behind its end for the last ones.
    pub(super) fn matches(&mut self, from: u32, count: u8, bias: i16, b: Slot) -> Value {
        if let Some(kept) = self.kept_plane(from, count, bias, b) {
            return kept;
        }
        let (low, high) = self.known(b).map_or_else(|| self.native.borders.ranges.get(b), |b| (b, b));
        let (low, high) = (low.saturating_sub(i64::from(bias)), high.saturating_sub(i64::from(bias)));
        let value = self.read(b);
        let value = self.b.ins().iadd_imm_s(value, -i64::from(bias));
        let mut mask = self.matching_bytes(from, count, value);
        if low < 0 || high > 0xff {
            // What no byte can be is in none of them.
            let fits = self.b.ins().icmp_imm_s(IntCC::UnsignedLessThanOrEqual, value, 0xff);
            let none = self.number(0);
            mask = self.b.ins().select(fits, mask, none);
        }
        mask
    }

    /// The elements that are stored as a number of one byte.
    pub(super) fn matching_bytes(&mut self, from: u32, count: u8, value: Value) -> Value {
        let byte = self.b.ins().ireduce(types::I8, value);
        let wanted = self.b.ins().splat(types::I8X16, byte);
        self.same_bytes(from, count, |_, _| wanted)
    }

    pub(super) fn alike(&mut self, from: u32, other: u32, count: u8) -> Value {
        self.same_bytes(from, count, |translator, first| translator.load_sixteen(other + first))
    }

    /// Which of some bytes are the same as others, sixteen at a time.
    fn same_bytes(&mut self, from: u32, count: u8, others: impl Fn(&mut Self, u32) -> Value) -> Value {
        let mut mask = self.number(0);
        for first in (0..u32::from(count)).step_by(16) {
            let (bytes, wanted) = (self.load_sixteen(from + first), others(self, first));
            let same = self.b.ins().icmp(IntCC::Equal, bytes, wanted);
            let bits = self.b.ins().vhigh_bits(types::I32, same);
            let bits = self.b.ins().uextend(types::I64, bits);
            let bits = self.b.ins().ishl_imm_u(bits, i64::from(first));
            mask = self.b.ins().bor(mask, bits);
        }
        if count < 64 {
            mask = self.b.ins().band_imm_s(mask, first_members(u64::from(count)));
        }
        mask
    }

    /// Not 0 if a set has a member.
    pub(super) fn member(&mut self, bits: Slot, member: Slot) -> Value {
        let range = self.words_of(member);
        let number = self.read(member);
        if self.masks(bits) > 1 {
            let word = self.b.ins().sshr_imm_u(number, 6);
            let mask = self.load_slot_at(bits, word, range);
            let shifted = self.b.ins().ushr(mask, number);
            return self.b.ins().band_imm_s(shifted, 1);
        }
        let mask = self.read(bits);
        let shifted = self.b.ins().ushr(mask, number);
        let bit = self.b.ins().band_imm_s(shifted, 1);
        if range == (0, 0) {
            return bit;
        }
        let inside = self.b.ins().icmp_imm_s(IntCC::UnsignedLessThan, number, 64);
        let none = self.number(0);
        self.b.ins().select(inside, bit, none)
    }

    /// Between which masks of a set the one of a member lies.
    fn words_of(&self, member: Slot) -> (i64, i64) {
        let (low, high) = self.range_of(member);
        (low >> 6, high >> 6)
    }

    fn bit(&mut self, number: Value) -> Value {
        let one = self.b.ins().iconst(types::I64, 1);
        self.b.ins().ishl(one, number)
    }

    pub(super) fn join(&mut self, bits: Slot, member: Slot) {
        self.change_set(bits, member, |b, mask, bit| b.ins().bor(mask, bit));
    }

    pub(super) fn leave(&mut self, bits: Slot, member: Slot) {
        self.change_set(bits, member, |b, mask, bit| b.ins().band_not(mask, bit));
    }

    fn change_set(
        &mut self,
        bits: Slot,
        member: Slot,
        change: impl FnOnce(&mut cranelift_frontend::FunctionBuilder<'_>, Value, Value) -> Value,
    ) {
        let range = self.words_of(member);
        let number = self.read(member);
        let bit = self.bit(number);
        if self.masks(bits) == 1 {
            if range != (0, 0) {
                let inside = self.b.ins().icmp_imm_s(IntCC::UnsignedLessThan, number, 64);
                self.flawed_unless(inside);
            }
            let mask = self.read(bits);
            let changed = change(&mut self.b, mask, bit);
            self.write(bits, changed);
        } else {
            let word = self.b.ins().sshr_imm_u(number, 6);
            let mask = self.load_slot_at(bits, word, range);
            let changed = change(&mut self.b, mask, bit);
            self.store_slot_at(bits, word, range, changed);
        }
    }

    /// Takes the first member out of some masks.
    pub(super) fn next(&mut self, bits: Slot, members: u32, to: Slot, go: Target) {
        let on = self.b.create_block();
        for (nth, slot) in (0..).zip(in_a_row(bits, masks_for(members))) {
            let mask = self.mask_of(bits, nth, members);
            let (here, next) = (self.b.create_block(), self.b.create_block());
            self.b.ins().brif(mask, here, &[], next, &[]);
            self.b.switch_to_block(here);
            let first = self.b.ins().ctz(mask);
            let below = self.b.ins().iadd_imm_s(mask, -1);
            let rest = self.b.ins().band(mask, below);
            self.write(slot, rest);
            let member = self.b.ins().iadd_imm_s(first, i64::from(nth) * 64);
            self.write(to, member);
            self.b.ins().jump(on, &[]);
            self.b.switch_to_block(next);
        }
        self.go(go);
        self.b.switch_to_block(on);
    }

    /// One of the masks with room for so many members, and none that would be more: so what is found in it can be relied
    /// upon as an index.
    pub(super) fn mask_of(&mut self, first: Slot, nth: u16, members: u32) -> Value {
        let slot = first.wrapping_add(nth);
        let mask = self.read(slot);
        let room = room_in(members, nth);
        let (low, high) = self.native.borders.ranges.get(slot);
        let fits = room == -1 || low >= 0 && high <= room;
        if fits { mask } else { self.b.ins().band_imm_s(mask, room) }
    }

    pub(super) fn lowest(&mut self, first: Slot, members: u32) -> Value {
        let mut found = self.b.ins().iconst(types::I64, NO_MEMBER);
        for word in (0..masks_for(members)).rev() {
            let mask = self.mask_of(first, word, members);
            let lowest = self.b.ins().ctz(mask);
            let lowest = self.b.ins().iadd_imm_s(lowest, i64::from(word) * 64);
            found = self.b.ins().select(mask, lowest, found);
        }
        found
    }

    pub(super) fn highest(&mut self, first: Slot, members: u32) -> Value {
        let mut found = None;
        for word in 0..masks_for(members) {
            let mask = self.mask_of(first, word, members);
            let last = self.b.ins().iconst(types::I64, i64::from(word) * 64 + 63);
            let above = self.b.ins().clz(mask);
            let highest = self.b.ins().isub(last, above);
            // Of an empty mask this is the number before its first, and of the first one -1.
            found = Some(match found {
                Some(found) => self.b.ins().select(mask, highest, found),
                None => highest,
            });
        }
        found.unwrap_or_else(|| self.b.ins().iconst(types::I64, NO_MEMBER))
    }
}
