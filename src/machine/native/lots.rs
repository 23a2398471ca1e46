//! Drawing an entry from masks; see [`super::super::program::Lots`].
//!
//! The numbers and the order in which they are drawn are those of [`super::super::Machine::sample`].

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, Value, types};

use super::super::instruction::Target;
use super::super::program::{Lot, Lots};
use super::frame::Ended;
use super::translate::Translator;

impl Translator<'_, '_> {
    /// The masks are worked out: an entry is drawn where entries are played, else whoever asked reads them.
    pub(super) fn worked_out_lots(&mut self) {
        match self.playing.and_then(|playing| playing.picks) {
            Some((_, again)) => drop(self.b.ins().jump(again, &[])),
            None => self.end(Ended::Done, 0),
        }
    }

    /// Draws an entry, or a pass if that leads somewhere; on to `nothing` if there is nothing to draw.
    pub(super) fn draw_from(&mut self, lots: &Lots, pass: Option<Target>, nothing: Block) {
        let masks: Vec<Value> = lots.all.iter().map(|lot| self.read(lot.mask)).collect();
        let counts: Vec<Value> = masks.iter().map(|mask| self.b.ins().popcnt(*mask)).collect();
        let none = self.b.ins().iconst(types::I64, 0);
        let entries = counts.iter().fold(none, |sum, count| self.b.ins().iadd(sum, *count));
        let total = match pass {
            Some(_) => self.b.ins().iadd_imm_s(entries, 1),
            None => entries,
        };
        let some = self.b.create_block();
        self.b.ins().brif(total, some, &[], nothing, &[]);
        self.b.switch_to_block(some);
        let mut pick = self.below_value(total);
        if let Some(go) = pass {
            self.pass_from(pick, entries, go);
        }
        for (nth, lot) in lots.all.iter().enumerate() {
            if nth + 1 == lots.all.len() {
                self.draw_lot(lot, masks[nth], pick);
                return;
            }
            let (here, next) = (self.b.create_block(), self.b.create_block());
            let within = self.b.ins().icmp(IntCC::UnsignedLessThan, pick, counts[nth]);
            self.b.ins().brif(within, here, &[], next, &[]);
            self.b.switch_to_block(here);
            self.draw_lot(lot, masks[nth], pick);
            self.b.switch_to_block(next);
            pick = self.b.ins().isub(pick, counts[nth]);
        }
        self.b.ins().jump(nothing, &[]);
    }

    /// The entry that a number stands for in a lot: carries it out, or tests it first.
    fn draw_lot(&mut self, lot: &Lot, mask: Value, pick: Value) {
        let program = self.program;
        let Some(offer) = program.offers.get(usize::from(lot.offer)) else {
            self.end(Ended::Over, 0);
            return;
        };
        for (param, code) in offer.params.iter().skip(offer.bound).zip(&lot.codes) {
            let value = match code {
                Some(code) => self.b.ins().iconst(types::I64, param.value(*code)),
                None => {
                    let bit = self.nth_bit(mask, pick, param.size - lot.from);
                    self.b.ins().iadd_imm_s(bit, param.value(lot.from))
                }
            };
            self.write(param.slot, value);
        }
        if lot.all_legal {
            self.emit(lot.offer);
        } else {
            self.go(offer.test);
        }
    }

    /// Which bit of a mask with room for so many is the one with this number among those that are set: by halves.
    fn nth_bit(&mut self, mut mask: Value, mut nth: Value, size: u64) -> Value {
        let mut place = self.b.ins().iconst(types::I64, 0);
        for width in [32_i64, 16, 8, 4, 2, 1] {
            if width.unsigned_abs() >= size {
                continue;
            }
            let low = self.b.ins().band_imm_s(mask, (1 << width) - 1);
            let count = self.b.ins().popcnt(low);
            let beyond = self.b.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, nth, count);
            let (shifted, rest) = (self.b.ins().ushr_imm_u(mask, width), self.b.ins().isub(nth, count));
            let further = self.b.ins().iadd_imm_s(place, width);
            mask = self.b.ins().select(beyond, shifted, mask);
            nth = self.b.ins().select(beyond, rest, nth);
            place = self.b.ins().select(beyond, further, place);
        }
        place
    }

    /// A number below another that is not 0, by multiplication with rejection.
    fn below_value(&mut self, count: Value) -> Value {
        let (draw, rare, done) = (self.b.create_block(), self.b.create_block(), self.b.create_block());
        self.b.set_cold_block(rare);
        self.b.append_block_param(done, types::I64);
        self.b.ins().jump(draw, &[]);
        self.b.switch_to_block(draw);
        let word = self.next_word();
        let low = self.b.ins().imul(word, count);
        let high = self.b.ins().umulhi(word, count);
        let good = self.b.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, low, count);
        self.b.ins().brif(good, done, &[high.into()], rare, &[]);
        self.b.switch_to_block(rare);
        let opposite = self.b.ins().ineg(count);
        let rejected = self.b.ins().urem(opposite, count);
        let good = self.b.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, low, rejected);
        self.b.ins().brif(good, done, &[high.into()], draw, &[]);
        self.b.switch_to_block(done);
        self.b.block_params(done)[0]
    }
}
