//! Single instructions: every operand names something that there is.

use super::{Seen, Verifier, must};
use crate::machine::SLOTS;
use crate::machine::instruction::{Instruction, Slot, Target, masks_for};
use crate::machine::program::HEADER;

impl Verifier<'_> {
    pub(super) fn operands(&self) -> Seen {
        let code = &self.draft.code;
        let ends = code.last().is_some_and(|last| last.ends()) && Target::try_from(code.len()).is_ok();
        must(ends, || "code".to_owned(), "execution runs past the last instruction")?;
        for (at, &instruction) in code.iter().enumerate() {
            let place = || format!("instruction {at}, {instruction:?}");
            if let Some(target) = instruction.target() {
                self.target(target, place)?;
            }
            self.rows(instruction, &place)?;
            let mut constant = false;
            instruction.each_written(|slot| constant |= self.constant[usize::from(slot)]);
            must(!constant, place, "a constant is written")?;
            self.numbers(instruction, &place)?;
            self.memory(instruction, &place)?;
        }
        Ok(())
    }

    /// Slots in a row.
    fn rows(&self, instruction: Instruction, place: &dyn Fn() -> String) -> Seen {
        match instruction {
            Instruction::Next { bits, members, .. } => {
                let fits = members as usize <= SLOTS * 64;
                must(fits, place, "no set has so many members")?;
                Self::in_a_row(bits, usize::from(masks_for(members)), place)
            }
            Instruction::Lowest { a, members, .. } | Instruction::Highest { a, members, .. } => {
                Self::in_a_row(a, usize::from(masks_for(members.into())), place)
            }
            Instruction::Put { base, .. }
            | Instruction::Join { bits: base, .. }
            | Instruction::Leave { bits: base, .. } => self.written_run(base, 1, place),
            Instruction::Unite { base, count, .. } => self.written_run(base, usize::from(count), place),
            Instruction::Pairing { base, words, .. } => {
                must(words > 0, place, "its rows have no masks")?;
                self.run(base, usize::from(words), place)
            }
            _ => Ok(()),
        }
    }

    /// Things that are named by their number.
    fn numbers(&self, instruction: Instruction, place: &dyn Fn() -> String) -> Seen {
        let draft = self.draft;
        let (number, count) = match instruction {
            Instruction::Lots { choice } | Instruction::Choose { choice } => (choice, draft.choices.len()),
            Instruction::Chance { chance } => (chance, draft.chances.len()),
            Instruction::Refresh { region } => (region, draft.regions.len()),
            Instruction::Sort { sorting } => (sorting, draft.sortings.len()),
            Instruction::Emit { offer } => (offer, draft.offers.len()),
            Instruction::Fail { trouble } => (trouble, draft.troubles.len()),
            Instruction::Lower { by, .. } => return must(by.unsigned_abs() < 64, place, "no mask is so wide"),
            _ => return Ok(()),
        };
        must(usize::from(number) < count, place, "there is nothing with this number")
    }

    /// Tables and the block.
    fn memory(&self, instruction: Instruction, place: &dyn Fn() -> String) -> Seen {
        let bytes = self.draft.bytes as u64;
        let row = |from: u32, count: u8| u64::from(from) + u64::from(count) <= bytes && (1..=64).contains(&count);
        match instruction {
            Instruction::Matches { from, count, .. } => {
                must(row(from, count), place, "its bytes lie outside of the block, or are too many")
            }
            Instruction::Alike { from, other, count, .. } => must(
                row(from, count) && row(other, count),
                place,
                "its bytes lie outside of the block, or are too many",
            ),
            Instruction::Among { count, set, .. } => {
                must((1..=64).contains(&count), place, "a mask has not so many members")?;
                must(self.in_table(set, 4), place, "its set is not one table's")
            }
            Instruction::Table { from, count, .. } => {
                must(self.in_table(from, count), place, "it looks behind the end of its table")
            }
            Instruction::Find { from, count, .. } => {
                must(self.in_table(from, count.into()), place, "it looks behind the end of its table")
            }
            Instruction::Load8 { at, from, .. } => self.element(at, from, 1, false, place),
            Instruction::Load16 { at, from, .. } => self.element(at, from, 2, false, place),
            Instruction::Load32 { at, from, .. } => self.element(at, from, 4, false, place),
            Instruction::Load64 { at, from, .. } => self.element(at, from, 8, false, place),
            Instruction::Store8 { at, to, .. } => self.element(at, to, 1, true, place),
            Instruction::Store16 { at, to, .. } => self.element(at, to, 2, true, place),
            Instruction::Store32 { at, to, .. } => self.element(at, to, 4, true, place),
            Instruction::Store64 { at, to, .. } => self.element(at, to, 8, true, place),
            _ => Ok(()),
        }
    }

    /// Do so many entries lie in one table?
    fn in_table(&self, from: u32, count: u32) -> bool {
        let runs = &self.draft.table_runs;
        let nth = runs.partition_point(|(first, _)| *first <= from);
        let run = nth.checked_sub(1).and_then(|nth| runs.get(nth));
        run.is_some_and(|(first, all)| u64::from(from) + u64::from(count) <= u64::from(*first) + u64::from(*all))
    }

    /// An element with a known number lies in the block, and is not written to its header. Elements with other numbers are
    /// compared with the size of the block when they are reached: such a store may reach the header, whose pause and seat
    /// are tested wherever they are read.
    fn element(&self, at: Slot, from: u32, width: i64, writes: bool, place: &dyn Fn() -> String) -> Seen {
        let known = self.draft.constants.binary_search_by_key(&at, |(slot, _)| *slot);
        let Ok(nth) = known else { return Ok(()) };
        let first = i128::from(self.draft.constants[nth].1) * i128::from(width) + i128::from(from);
        let least = if writes { HEADER as i128 } else { 0 };
        let within = first >= least && first + i128::from(width) <= self.draft.bytes as i128;
        must(within, place, "it reaches outside of the block")
    }
}
