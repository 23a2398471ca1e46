//! The budget of steps in translated code: it lies in a variable of its own, and in the frame at borders.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value};

use super::super::instruction::Target;
use super::ended::Ended;
use super::frame;
use super::translate::Translator;

impl Translator<'_, '_> {
    /// Reads the steps that are left from the frame.
    pub(super) fn read_steps(&mut self) {
        if let Some(steps) = self.steps {
            let left = self.load_frame(frame::STEPS);
            self.b.def_var(steps, left);
        }
    }

    /// Takes so many steps: ends if there are no more.
    pub(super) fn spend(&mut self, at: Target, cost: u64) {
        let Some(steps) = self.steps else { return self.never() };
        let left = self.b.use_var(steps);
        let cost = cost.cast_signed();
        let enough = match cost {
            1 => left,
            _ => self.b.ins().icmp_imm_s(IntCC::UnsignedGreaterThanOrEqual, left, cost),
        };
        self.tired_unless(enough, at);
        let left = self.b.ins().iadd_imm_s(left, -cost);
        self.b.def_var(steps, left);
    }

    /// Ends unless there are enough steps.
    pub(super) fn tired_unless(&mut self, enough: Value, at: Target) {
        let (tired, on) = (self.b.create_block(), self.b.create_block());
        self.b.set_cold_block(tired);
        self.b.ins().brif(enough, on, &[], tired, &[]);
        self.b.switch_to_block(tired);
        self.end(Ended::Tired, at);
        self.b.switch_to_block(on);
    }
}
