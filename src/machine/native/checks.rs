//! Tests that stay in native code, and tests that are left out because they were proved.
//!
//! A test that stays ends the run: the program is at fault. Where every access is tested ([`super::super::Engine::Checked`]),
//! the tests that were left out are there, too: then what was held to be proved is not so.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value};

use super::super::instruction::Slot;
use super::ended::Ended;
use super::translate::Translator;

impl Translator<'_, '_> {
    /// Goes on only if a condition holds: else the program is at fault here.
    pub(super) fn flawed_unless(&mut self, holds: Value) {
        self.end_unless(holds, Ended::Flaw);
    }

    /// What comes here is a flaw of the program.
    pub(super) fn never(&mut self) {
        let no = self.number(0);
        self.flawed_unless(no);
    }

    /// A condition was proved: it is tested only where everything is.
    pub(super) fn proved(&mut self, holds: Value) {
        if self.native.checked {
            self.end_unless(holds, Ended::Unproved);
        }
    }

    fn end_unless(&mut self, holds: Value, ended: Ended) {
        let (wrong, on) = (self.b.create_block(), self.b.create_block());
        self.b.set_cold_block(wrong);
        self.b.ins().brif(holds, on, &[], wrong, &[]);
        self.b.switch_to_block(wrong);
        self.end(ended, self.place);
        self.b.switch_to_block(on);
    }

    /// Where everything is tested: is what a slot is given in its range?
    pub(super) fn is_in_range(&mut self, slot: Slot, value: Value) {
        if !self.native.checked {
            return;
        }
        let (low, high) = self.native.borders.ranges.get(slot);
        if low > i64::MIN {
            let above = self.b.ins().icmp_imm_s(IntCC::SignedGreaterThanOrEqual, value, low);
            self.proved(above);
        }
        if high < i64::MAX {
            let below = self.b.ins().icmp_imm_s(IntCC::SignedLessThanOrEqual, value, high);
            self.proved(below);
        }
    }
}
