//! Masks of where a state has which value, kept up to date while random games are played.
//!
//! Conditions on whole boards begin with `Matches`: which elements are this? Asked right after an element was written, that
//! waits for the write to get to memory. A piece that plays on keeps the answers for all values in registers instead, and
//! changes one bit of each with every write. Memory is written as well, so that nobody else can tell.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};
use cranelift_frontend::Variable;

use super::super::instruction::{Instruction, Slot};
use super::pieces::Entry;
use super::translate::Translator;

/// Values of a state for which masks are kept.
const MOST_VALUES: u64 = 4;

/// Elements of one state from one place on.
#[derive(Clone)]
pub(super) struct Planes {
    from: u32,
    count: u8,
    bias: i16,
    /// A mask for each stored number from 1 on; what is in none of them is 0.
    masks: Vec<Variable>,
}

impl Planes {
    fn all(&self) -> i64 {
        if self.count >= 64 { -1 } else { (1 << self.count) - 1 }
    }
}

impl Translator<'_, '_> {
    /// Works out the masks that are kept, where a piece comes back to its own choice and nothing else writes the block.
    pub(super) fn begin_planes(&mut self) {
        let program = self.program;
        let Entry::Play(own) = self.entry else { return };
        let code = || self.body().iter().filter_map(|at| program.code.get(*at as usize));
        let comes_back =
            code().any(|instruction| matches!(instruction, Instruction::Choose { choice } if *choice == own));
        let writes = code().any(|instruction| matches!(instruction, Instruction::Call { .. } | Instruction::Restore));
        if !comes_back || writes {
            return;
        }
        let mut windows: Vec<(u32, u8, i16, u64)> = Vec::new();
        for instruction in code() {
            let Instruction::Matches { from, count, bias, .. } = *instruction else { continue };
            let Some(values) = self.values_at(from).filter(|values| *values <= MOST_VALUES) else { continue };
            let window = (from, count, bias, values);
            let alone = code().all(|other| self.writes_bytes_only(other, from, count));
            if alone && !windows.contains(&window) {
                windows.push(window);
            }
        }
        for (from, count, bias, values) in windows {
            let masks = (1..values).map(|value| {
                let mask = self.b.declare_var(types::I64);
                let value = self.number(value);
                let now = self.matching_bytes(from, count, value);
                self.b.def_var(mask, now);
                mask
            });
            let planes = Planes { from, count, bias, masks: masks.collect() };
            self.planes.push(planes);
        }
    }

    /// How many values an element of the state has that lies there.
    fn values_at(&self, from: u32) -> Option<u64> {
        let place = self.program.layout.iter().rfind(|place| place.first <= from && place.count > 0)?;
        place.values
    }

    /// Does an instruction write no element of several bytes there?
    fn writes_bytes_only(&self, instruction: &Instruction, from: u32, count: u8) -> bool {
        let (to, at, width) = match *instruction {
            Instruction::Store16 { to, at, .. } => (to, at, 2),
            Instruction::Store32 { to, at, .. } => (to, at, 4),
            Instruction::Store64 { to, at, .. } => (to, at, 8),
            _ => return true,
        };
        let (first, end) = self.bytes_of(to, at, width);
        end <= i64::from(from) || first >= i64::from(from) + i64::from(count)
    }

    /// The elements that have a value, if that is kept.
    pub(super) fn kept_plane(&mut self, from: u32, count: u8, bias: i16, b: Slot) -> Option<Value> {
        let planes = self.planes.iter().find(|kept| (kept.from, kept.count, kept.bias) == (from, count, bias))?.clone();
        if let Some(b) = self.known(b) {
            return Some(self.plane(&planes, b.wrapping_sub(i64::from(bias))));
        }
        let (low, high) = self.native.borders.ranges.get(b);
        let (low, high) = (low.saturating_sub(i64::from(bias)), high.saturating_sub(i64::from(bias)));
        let value = self.read(b);
        let value = self.b.ins().iadd_imm_s(value, -i64::from(bias));
        let mut found = self.number(0);
        for stored in
            (0..=i64::try_from(planes.masks.len()).unwrap_or(0)).filter(|stored| (low..=high).contains(stored))
        {
            let mask = self.plane(&planes, stored);
            let is = self.b.ins().icmp_imm_s(IntCC::Equal, value, stored);
            found = self.b.ins().select(is, mask, found);
        }
        Some(found)
    }

    /// The elements that are stored as a number.
    fn plane(&mut self, planes: &Planes, stored: i64) -> Value {
        match usize::try_from(stored) {
            Ok(0) => {
                let mut any = self.number(0);
                for mask in &planes.masks {
                    let mask = self.b.use_var(*mask);
                    any = self.b.ins().bor(any, mask);
                }
                let all = self.b.ins().iconst(types::I64, planes.all());
                self.b.ins().band_not(all, any)
            }
            Ok(stored) if let Some(mask) = planes.masks.get(stored - 1) => self.b.use_var(*mask),
            _ => self.number(0),
        }
    }

    /// An element of one byte is written.
    pub(super) fn update_planes(&mut self, to: u32, at: Slot, value: Value, known: Option<i64>) {
        let (first, end) = self.bytes_of(to, at, 1);
        for planes in self.planes.clone() {
            let (from, count) = (i64::from(planes.from), i64::from(planes.count));
            if end <= from || first >= from + count {
                continue;
            }
            let bit = if let Some(at) = self.known(at) {
                self.b.ins().iconst(types::I64, 1 << (at + i64::from(to) - from))
            } else {
                let at = self.read(at);
                let nth = self.b.ins().iadd_imm_s(at, i64::from(to) - from);
                let one = self.b.ins().iconst(types::I64, 1);
                let bit = self.b.ins().ishl(one, nth);
                if first >= from && end <= from + count {
                    bit
                } else {
                    let within = self.b.ins().icmp_imm_s(IntCC::UnsignedLessThan, nth, count);
                    let none = self.number(0);
                    self.b.ins().select(within, bit, none)
                }
            };
            for (stored, mask) in (1_i64..).zip(&planes.masks) {
                let before = self.b.use_var(*mask);
                let now = match known {
                    Some(known) if known == stored => self.b.ins().bor(before, bit),
                    Some(_) => self.b.ins().band_not(before, bit),
                    None => {
                        let (with, without) = (self.b.ins().bor(before, bit), self.b.ins().band_not(before, bit));
                        let is = self.b.ins().icmp_imm_s(IntCC::Equal, value, stored);
                        self.b.ins().select(is, with, without)
                    }
                };
                self.b.def_var(*mask, now);
            }
        }
    }
}
