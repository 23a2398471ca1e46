//! Loops that store one value for every member of a set, where masks of that state are kept.
//!
//! `for x in set { S[x] = v }` is three instructions: the next member, a store, and back. Each store would change one bit of
//! each kept mask, and wait for the one before. All bits are changed at once instead; only bytes are stored one by one.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};

use super::super::instruction::{Instruction, Slot, Target, masks_for};
use super::translate::Translator;

/// Such a loop.
pub(super) struct StoreAll {
    /// The set: where its masks begin, and how many members it can have.
    bits: Slot,
    members: u32,
    /// What is stored, with what is taken off it.
    value: Slot,
    bias: i32,
    /// Where the first element lies.
    to: u32,
    /// The jump back, and where the loop ends.
    back: Target,
    end: Target,
}

impl Translator<'_, '_> {
    /// The loop that begins at an instruction, if it only stores, and nothing leads into its middle.
    fn store_all_at(&self, at: Target) -> Option<StoreAll> {
        let code = |at: Target| self.program.code.get(at as usize).copied();
        let Instruction::Next { bits, members, to: member, go: end } = code(at)? else { return None };
        let Instruction::Store8 { value, at: element, to, bias } = code(at + 1)? else { return None };
        let alone = !self.is_led_to(at + 1) && !self.is_led_to(at + 2);
        let same = element == member && value != member && code(at + 2)? == Instruction::Jump { go: at };
        (alone && same).then_some(StoreAll { bits, members, value, bias, to, back: at + 2, end })
    }

    /// Translates a loop that only stores and begins here; false if there is none, or nothing to be gained.
    pub(super) fn store_all(&mut self, at: Target) -> bool {
        let Some(all) = self.store_all_at(at) else { return false };
        let bytes = (i64::from(all.to), i64::from(all.to) + i64::from(all.members));
        let Some(planes) = self.planes_from(all.to, all.members) else { return false };
        if self.is_made_of(bytes) {
            return false;
        }
        let masks: Vec<Value> =
            (0..masks_for(all.members)).map(|nth| self.mask_of(all.bits, nth, all.members)).collect();
        self.take_turns(&masks, all.back);
        let known = self.known(all.value).map(|value| value.wrapping_sub(i64::from(all.bias)));
        let value = self.read(all.value);
        let value = self.b.ins().iadd_imm_s(value, -i64::from(all.bias));
        self.update_plane_words(&planes, &masks, value, known);
        for (word, mask) in (0..).zip(masks) {
            self.store_members(all.to + word * 64, mask, value);
        }
        self.go(all.end);
        self.go_on_from(at + 3);
        true
    }

    /// As many turns of a loop as there are members.
    fn take_turns(&mut self, masks: &[Value], back: Target) {
        let Some(steps) = self.steps else { return };
        let mut turns = self.number(0);
        for &mask in masks {
            let count = self.b.ins().popcnt(mask);
            turns = self.b.ins().iadd(turns, count);
        }
        let left = self.b.use_var(steps);
        let enough = self.b.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, left, turns);
        self.tired_unless(enough, back);
        let left = self.b.ins().isub(left, turns);
        self.b.def_var(steps, left);
    }

    /// Stores one byte for each member of a mask, from a place of the block on.
    fn store_members(&mut self, from: u32, mask: Value, value: Value) {
        let (top, store, done) = (self.b.create_block(), self.b.create_block(), self.b.create_block());
        let left = self.b.append_block_param(top, types::I64);
        self.b.ins().jump(top, &[mask.into()]);
        self.b.switch_to_block(top);
        self.b.ins().brif(left, store, &[], done, &[]);
        self.b.switch_to_block(store);
        let member = self.b.ins().ctz(left);
        self.store_byte(from, member, value);
        let below = self.b.ins().iadd_imm_s(left, -1);
        let rest = self.b.ins().band(left, below);
        self.b.ins().jump(top, &[rest.into()]);
        self.b.switch_to_block(done);
    }
}
