//! What translated code leaves to Rust: calls of the functions in `frame.rs`, and when a partition needs none.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{AbiParam, InstBuilder, Signature, Value, types};

use super::super::instruction::{Slot, Target};
use super::super::parts::steps_to_compare;
use super::frame;
use super::module::address;
use super::translate::Translator;

/// What is known of a partition, unless it is the place of the only byte that was written since it was up to date.
pub(super) const FRESH: i64 = -1;
pub(super) const OUTDATED: i64 = -2;

impl Translator<'_, '_> {
    /// Brings a partition up to date, unless it was before and nothing was written since.
    pub(super) fn refresh(&mut self, region: u16, at: Target) {
        let Some(&fresh) = self.fresh.get(&region) else { return };
        let cost = self.program.regions.get(usize::from(region)).map_or(0, steps_to_compare);
        if cost > 0 {
            self.spend(at, cost);
        }
        let known = self.b.use_var(fresh);
        let (work, look, done, on) =
            (self.b.create_block(), self.b.create_block(), self.b.create_block(), self.b.create_block());
        let is_fresh = self.b.ins().icmp_imm_s(IntCC::Equal, known, FRESH);
        self.b.ins().brif(is_fresh, on, &[], work, &[]);
        self.b.switch_to_block(work);
        self.hand_over();
        let (number, instruction) = (self.number(u64::from(region)), self.number(u64::from(at)));
        let one_more = self.program.regions.get(usize::from(region)).and_then(|region| region.one_more);
        let one_more = one_more.and_then(|(entry, _)| self.native.pieces.at(entry));
        if let Some(piece) = one_more {
            // If one byte was written since, only that one need be looked at.
            let (ask, take) = (self.b.create_block(), self.b.create_block());
            let one = self.b.ins().icmp_imm_s(IntCC::SignedGreaterThanOrEqual, known, 0);
            self.b.ins().brif(one, ask, &[], look, &[]);
            self.b.switch_to_block(ask);
            let taken = self.helper_with_frame(frame::take_in as *const (), &[number, known]);
            self.b.ins().brif(taken, take, &[], look, &[]);
            self.b.switch_to_block(take);
            let ended = self.call_piece(piece);
            self.end_unless_done(ended);
            if cost > 0 {
                // By instructions it is looked at once more.
                self.read_steps();
                self.spend(at, cost);
                self.hand_over();
            }
            self.b.ins().jump(done, &[]);
        } else {
            self.b.ins().jump(look, &[]);
        }
        self.b.switch_to_block(look);
        let ended = self.helper_with_frame(frame::refresh as *const (), &[number, instruction]);
        self.end_unless_done(ended);
        self.b.ins().jump(done, &[]);
        self.b.switch_to_block(done);
        self.read_again();
        let yes = self.b.ins().iconst(types::I64, FRESH);
        self.b.def_var(fresh, yes);
        self.b.ins().jump(on, &[]);
        self.b.switch_to_block(on);
    }

    /// Bytes of the block are written: partitions that are made of them are not up to date any more. If one was, it is
    /// kept in mind which byte was the first.
    pub(super) fn outdate(&mut self, to: u32, at: Slot, width: u32) {
        let bytes = self.bytes_of(to, at, width);
        for (region, fresh) in self.fresh.clone() {
            if self.is_one_made_of(region, bytes) {
                let known = self.b.use_var(fresh);
                let was = self.b.ins().icmp_imm_s(IntCC::Equal, known, FRESH);
                let place = self.read(at);
                let place = self.b.ins().imul_imm_s(place, i64::from(width));
                let place = self.b.ins().iadd_imm_s(place, i64::from(to));
                let outdated = self.b.ins().iconst(types::I64, OUTDATED);
                let now = self.b.ins().select(was, place, outdated);
                self.b.def_var(fresh, now);
            }
        }
    }

    /// Is any partition of this piece made of some bytes?
    pub(super) fn is_made_of(&self, bytes: (i64, i64)) -> bool {
        self.fresh.keys().any(|region| self.is_one_made_of(*region, bytes))
    }

    fn is_one_made_of(&self, region: u16, (first, end): (i64, i64)) -> bool {
        let made_of = self.program.regions.get(usize::from(region)).map(|region| region.made_of.as_slice());
        let touched = |(from, to): &(u32, u32)| i64::from(*from) < end && first < i64::from(*to);
        made_of.unwrap_or_default().iter().any(touched)
    }

    /// Between which bytes of the block an element lies.
    pub(super) fn bytes_of(&self, to: u32, at: Slot, width: u32) -> (i64, i64) {
        let (low, high) = self.known(at).map_or_else(|| self.native.borders.ranges.get(at), |at| (at, at));
        let place = |at: i64| at.saturating_mul(i64::from(width)).saturating_add(i64::from(to));
        (place(low), place(high).saturating_add(i64::from(width)))
    }

    /// Calls a function of `frame.rs` that has numbers for arguments and for its answer.
    pub(super) fn helper(&mut self, function: *const (), arguments: &[Value]) -> Value {
        let mut signature = Signature::new(self.call_conv);
        signature.params.extend(arguments.iter().map(|_| AbiParam::new(types::I64)));
        signature.returns.push(AbiParam::new(types::I64));
        let signature = self.b.import_signature(signature);
        let function = self.b.ins().iconst(types::I64, address(function));
        let call = self.b.ins().call_indirect(signature, function, arguments);
        self.b.inst_results(call)[0]
    }

    /// The same, with the frame as its first argument.
    pub(super) fn helper_with_frame(&mut self, function: *const (), arguments: &[Value]) -> Value {
        let all: Vec<Value> = [self.frame].into_iter().chain(arguments.iter().copied()).collect();
        self.helper(function, &all)
    }
}
