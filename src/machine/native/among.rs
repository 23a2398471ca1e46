//! Native code for masks of elements that are one of a set: sixteen bytes at a time.
//!
//! A set that is one value, one range or all but that, as most conditions on numbers are, takes a comparison. Any other is looked up by
//! the halves of a byte: the lower half finds a row of bits, the upper half one bit of that row.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{ConstantData, InstBuilder, Value, types};

use super::super::bits::{first_members, members};
use super::super::instruction::Slot;
use super::translate::Translator;

/// Which bytes are wanted.
enum Wanted {
    /// From one on so many more.
    Range(u8, u8),
    /// All others.
    Outside(u8, u8),
    /// Any set, as the rows of its lower halves: for upper halves below 8, and from there on.
    Rows([u8; 16], [u8; 16]),
}

impl Wanted {
    fn of(set: [u64; 4]) -> Self {
        let is_in = |byte: u8| set[usize::from(byte >> 6)] >> (byte & 63) & 1 == 1;
        let range = |wanted: bool| {
            let first = (0..=u8::MAX).find(|byte| is_in(*byte) == wanted)?;
            let last = (0..=u8::MAX).rfind(|byte| is_in(*byte) == wanted)?;
            (first..=last).all(|byte| is_in(byte) == wanted).then_some((first, last - first))
        };
        if let Some((first, more)) = range(true) {
            return Self::Range(first, more);
        }
        if let Some((first, more)) = range(false) {
            return Self::Outside(first, more);
        }
        let row =
            |low: u8, from: u8| (0..8).fold(0, |row, high| row | u8::from(is_in((from + high) << 4 | low)) << high);
        let rows = |from: u8| std::array::from_fn(|low| row(u8::try_from(low).unwrap_or(0), from));
        Self::Rows(rows(0), rows(8))
    }
}

impl Translator<'_, '_> {
    /// Which of some elements are stored as one of a set; none of them if they do not lie in the block.
    pub(super) fn among(&mut self, (from, at, count): (u32, Slot, u8), set: u32) -> Value {
        if usize::from(count) > self.program.bytes {
            return self.number(0);
        }
        let wanted = Wanted::of(members(&self.program.tables, set));
        let (window, inside) = self.window_at(from, at, u32::from(count));
        let mut mask = self.number(0);
        for first in (0..i32::from(count)).step_by(16) {
            let bytes = self.sixteen_of(window, first);
            let found = self.wanted_bytes(bytes, &wanted);
            let bits = self.b.ins().vhigh_bits(types::I32, found);
            let bits = self.b.ins().uextend(types::I64, bits);
            let bits = self.b.ins().ishl_imm_u(bits, i64::from(first));
            mask = self.b.ins().bor(mask, bits);
        }
        if matches!(wanted, Wanted::Outside(..)) {
            mask = self.b.ins().bnot(mask);
        }
        if count < 64 {
            mask = self.b.ins().band_imm_s(mask, first_members(u64::from(count)));
        }
        match inside {
            Some(inside) => {
                let none = self.number(0);
                self.b.ins().select(inside, mask, none)
            }
            None => mask,
        }
    }

    /// All bits of each byte that is in a range, or in a set; of those that are left out, if that is a range.
    fn wanted_bytes(&mut self, bytes: Value, wanted: &Wanted) -> Value {
        match wanted {
            Wanted::Range(first, 0) | Wanted::Outside(first, 0) => {
                let one = self.sixteen_times(*first);
                self.b.ins().icmp(IntCC::Equal, bytes, one)
            }
            Wanted::Range(first, more) | Wanted::Outside(first, more) => {
                let (first, more) = (self.sixteen_times(*first), self.sixteen_times(*more));
                let above = self.b.ins().isub(bytes, first);
                self.b.ins().icmp(IntCC::UnsignedLessThanOrEqual, above, more)
            }
            Wanted::Rows(lower, upper) => {
                let half = self.sixteen_times(0xf);
                let low = self.b.ins().band(bytes, half);
                let high = self.b.ins().ushr_imm_u(bytes, 4);
                let found = self.found_in_rows(low, high, lower, 0);
                let found = if upper.iter().all(|row| *row == 0) {
                    found
                } else {
                    let more = self.found_in_rows(low, high, upper, 8);
                    self.b.ins().bor(found, more)
                };
                let none = self.sixteen_times(0);
                self.b.ins().icmp(IntCC::NotEqual, found, none)
            }
        }
    }

    /// Not 0 in each byte whose row, by the lower half, has the bit of the upper half, counted from one on.
    fn found_in_rows(&mut self, low: Value, high: Value, rows: &[u8; 16], from: usize) -> Value {
        let bits = std::array::from_fn(|high| if (from..from + 8).contains(&high) { 1 << (high - from) } else { 0 });
        let (rows, bits) = (self.sixteen(*rows), self.sixteen(bits));
        let row = self.b.ins().swizzle(rows, low);
        let bit = self.b.ins().swizzle(bits, high);
        self.b.ins().band(row, bit)
    }

    fn sixteen_times(&mut self, byte: u8) -> Value {
        self.sixteen([byte; 16])
    }

    fn sixteen(&mut self, bytes: [u8; 16]) -> Value {
        let bytes = self.b.func.dfg.constants.insert(ConstantData::from(bytes.as_slice()));
        self.b.ins().vconst(types::I8X16, bytes)
    }
}
