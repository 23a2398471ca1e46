//! The last tests of a listed entry, without a branch.
//!
//! Whether the entries of a list are legal cannot be foreseen from one to the next, and a wrong guess costs a processor more
//! than noting an entry. So the last tests, which take little, only decide whether there is one entry more: it is put at the
//! end of the list either way, where the next one overwrites it if it does not count.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, types};

use super::super::instruction::{Instruction, Target};
use super::pieces::Entry;
use super::translate::Translator;

/// Instructions that are carried out though an earlier test has failed.
const MOST: Target = 8;

impl Translator<'_, '_> {
    /// Where an entry is noted if nothing from here on goes past that, and all there is before works values out.
    fn emitted_at(&self, at: Target) -> Option<(Target, u16)> {
        let code = |at: Target| self.program.code.get(at as usize).copied();
        let past = code(at)?.target().filter(|past| (at + 2..=at + 1 + MOST).contains(past))?;
        let Instruction::Emit { offer } = code(past - 1)? else { return None };
        let tests = |at: Target| {
            let Some(instruction) = code(at) else { return false };
            let branches = !matches!(
                instruction,
                Instruction::Next { .. }
                    | Instruction::Jump { .. }
                    | Instruction::Count { .. }
                    | Instruction::Find { .. }
                    | Instruction::Call { .. }
            );
            instruction.target().map_or(instruction.is_lasting(), |go| branches && go == past)
        };
        let alone = (at + 1..past).all(|at| !self.is_led_to(at));
        (alone && (at..past - 1).all(tests)).then_some((past, offer))
    }

    /// Translates the last tests of an entry that begin here, and what notes it; false if they do not.
    pub(super) fn emit_if(&mut self, at: Target) -> bool {
        // Who tests every access does nothing that a failed test should have kept from being done.
        if !matches!(self.entry, Entry::At(_)) || self.native.checked {
            return false;
        }
        let Some((past, offer)) = self.emitted_at(at) else { return false };
        let mut fails = None;
        for at in at..past - 1 {
            let Some(&instruction) = self.program.code.get(at as usize) else { continue };
            if let Some((to, value)) = self.worked_out(instruction) {
                self.write(to, value);
            } else if let Some((failed, _)) = self.asked(instruction) {
                fails = Some(fails.map_or(failed, |fails| self.b.ins().bor(fails, failed)));
            }
        }
        let Some(fails) = fails else { return false };
        let legal = self.b.ins().icmp_imm_s(IntCC::Equal, fails, 0);
        let legal = self.b.ins().uextend(types::I64, legal);
        self.emit(offer, Some(legal));
        self.go_on_from(past);
        true
    }
}
