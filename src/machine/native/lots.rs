//! Drawing an entry from masks; see [`super::super::program::Lots`].
//!
//! The numbers and the order in which they are drawn are those of [`super::super::Machine::sample`].

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, Value, types};

use super::super::instruction::Target;
use super::super::lots::{Code, Lot, Lots};
use super::ended::Ended;
use super::translate::Translator;

/// For each mask of eight bits and each number below eight: which of the bits that are set has this number, counted from
/// the lowest. 0 if there are fewer.
static NTH_BITS: [u8; 256 * 8] = nth_bits();

const fn nth_bits() -> [u8; 256 * 8] {
    let mut table = [0; 256 * 8];
    let mut mask = 0;
    while mask < 256 {
        let (mut bit, mut nth) = (0, 0);
        while bit < 8 {
            if mask >> bit & 1 == 1 {
                table[mask * 8 + nth] = bit;
                nth += 1;
            }
            bit += 1;
        }
        mask += 1;
    }
    table
}

/// A lot while one is drawn: its mask, and how many entries come before it.
struct Counted {
    mask: Value,
    before: Value,
}

/// Does a lot have the same entries as the one before, but for an argument that goes on?
fn goes_on(one: &Lot, next: &Lot) -> bool {
    (one.offer, &one.codes, one.all_legal) == (next.offer, &next.codes, next.all_legal)
}

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
        let groups: Vec<&[Lot]> = lots.all.chunk_by(goes_on).collect();
        // How many entries there are up to each lot.
        let mut entries = self.b.ins().iconst(types::I64, 0);
        let mut counted: Vec<Vec<Counted>> = Vec::new();
        for group in &groups {
            let mut lots = Vec::new();
            for lot in *group {
                let (mask, before) = (self.lot_mask(lot), entries);
                let count = self.b.ins().popcnt(mask);
                entries = self.b.ins().iadd(entries, count);
                lots.push(Counted { mask, before });
            }
            counted.push(lots);
        }
        let total = match pass {
            Some(_) => self.b.ins().iadd_imm_s(entries, 1),
            None => entries,
        };
        let some = self.b.create_block();
        self.b.ins().brif(total, some, &[], nothing, &[]);
        self.b.switch_to_block(some);
        let pick = self.below_value(total);
        if let Some(go) = pass {
            self.pass_from(pick, entries, go);
        }
        for (nth, group) in groups.iter().enumerate() {
            if nth + 1 < groups.len() {
                let (here, next) = (self.b.create_block(), self.b.create_block());
                let within = self.b.ins().icmp(IntCC::UnsignedLessThan, pick, counted[nth + 1][0].before);
                self.b.ins().brif(within, here, &[], next, &[]);
                self.b.switch_to_block(here);
                self.draw_lot(group, &counted[nth], pick);
                self.b.switch_to_block(next);
            } else {
                self.draw_lot(group, &counted[nth], pick);
                return;
            }
        }
        self.b.ins().jump(nothing, &[]);
    }

    /// The mask of a lot, and no bit that stands for no move: so what is drawn can be relied upon as an index.
    fn lot_mask(&mut self, lot: &Lot) -> Value {
        let (room, (low, high)) = (lot.room(), self.range_of(lot.mask));
        let mask = self.read(lot.mask);
        let fits = room == -1 || low >= 0 && high <= room;
        if fits { mask } else { self.b.ins().band_imm_s(mask, room) }
    }

    /// The entry that a number stands for in lots that go on from each other: carries it out, or tests it first. Which
    /// lot it is in cannot be foreseen, so that is found out without a branch.
    fn draw_lot(&mut self, lots: &[Lot], counted: &[Counted], pick: Value) {
        let [lot, ..] = lots else { return };
        let (mut mask, mut before) = (counted[0].mask, counted[0].before);
        let mut from = self.b.ins().iconst(types::I64, i64::try_from(lot.from).unwrap_or(0));
        for (lot, counted) in lots.iter().zip(counted).skip(1) {
            let within = self.b.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, pick, counted.before);
            let further = self.b.ins().iconst(types::I64, i64::try_from(lot.from).unwrap_or(0));
            mask = self.b.ins().select(within, counted.mask, mask);
            before = self.b.ins().select(within, counted.before, before);
            from = self.b.ins().select(within, further, from);
        }
        let pick = self.b.ins().isub(pick, before);
        let program = self.program;
        let Some(offer) = program.offers.get(usize::from(lot.offer)) else {
            self.end(Ended::Flaw, self.place);
            return;
        };
        let bit = self.nth_bit(mask, pick, lot.all().saturating_sub(lot.from));
        let drawn = self.b.ins().iadd(bit, from);
        for (param, code) in offer.params.iter().skip(offer.bound).zip(&lot.codes) {
            let value = match *code {
                Code::Fixed(code) => self.b.ins().iconst(types::I64, param.value(code)),
                Code::Counted { each, of } => {
                    // What is drawn is below `lot.all()`: the verifier has seen that the mask begins below it, and
                    // `lot_mask` leaves no bit behind it.
                    let is_slowest = each.checked_mul(of) == Some(lot.all());
                    let code = self.counted(drawn, each, (!is_slowest).then_some(of));
                    self.b.ins().iadd_imm_s(code, param.value(0))
                }
            };
            self.write(param.slot, value);
        }
        if lot.all_legal {
            self.emit(lot.offer, None);
        } else {
            self.go(offer.test);
        }
    }

    /// A small number divided by a known one, modulo another.
    fn counted(&mut self, number: Value, each: u64, of: Option<u64>) -> Value {
        let each = i64::try_from(each).unwrap_or(1);
        let quotient = if each == 1 { number } else { self.b.ins().udiv_imm_u(number, each) };
        match of {
            Some(of) => self.b.ins().urem_imm_u(quotient, i64::try_from(of).unwrap_or(1)),
            None => quotient,
        }
    }

    /// Which bit of a mask with room for so many is the one with this number among those that are set: by halves, and from
    /// a table once only eight are left.
    fn nth_bit(&mut self, mut mask: Value, mut nth: Value, size: u64) -> Value {
        let mut place = self.b.ins().iconst(types::I64, 0);
        for width in [32_i64, 16, 8] {
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
        let eight = self.b.ins().band_imm_s(mask, 0xff);
        let row = self.b.ins().ishl_imm_u(eight, 3);
        let nth = self.b.ins().band_imm_s(nth, 7);
        let at = self.b.ins().bor(row, nth);
        let bit = self.load_byte(&NTH_BITS, at);
        self.b.ins().iadd(place, bit)
    }

    /// A number below another that is not 0, by multiplication with rejection.
    pub(super) fn below_value(&mut self, count: Value) -> Value {
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
