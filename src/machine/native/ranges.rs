//! Interval analysis: what values slots can have, so that an index that always fits need not be compared with anything.
//!
//! Every write to a slot in the whole program counts, wherever it stands. A range that keeps growing is given up. It starts
//! from what is true of every program that passes `verify/`, and of nothing that the compiler means:
//!
//! - A constant has its slot to itself. Nothing else that is found by number has a range, and nothing is written by number
//!   outside of its run: both engines look.
//! - What is read from the block is whatever its width and bias allow; what is read from a table is in its own run, or 0.
//! - Rust writes parameters, drawn values and seats only within their ranges, and the same holds for native code that picks,
//!   draws or takes moves apart.
//! - What is found in masks is one of their members: both engines leave out bits that stand for none.

use std::collections::HashMap;

use super::super::Program;
use super::super::SLOTS;
use super::super::instruction::{Instruction, Slot, in_a_row};
use super::super::values::none_of;
use crate::bind::Type;

/// From one number to another.
type Range = (i64, i64);

const ANY: Range = (i64::MIN, i64::MAX);

/// Rounds before what still grows is given up.
const ROUNDS: usize = 8;

/// The ranges of all slots: the lowest number, and the complement of the highest. So zeroes are no numbers at all, and
/// slots that are never written take no memory.
#[derive(Debug)]
pub(super) struct Ranges {
    ranges: Vec<(i64, i64)>,
    is_constant: Vec<bool>,
}

impl Ranges {
    pub(super) fn of(program: &Program) -> Self {
        let tables = Tables::of(program);
        let mut ranges = Self { ranges: vec![(0, 0); SLOTS], is_constant: vec![false; SLOTS] };
        for &(slot, value) in &program.constants {
            ranges.is_constant[usize::from(slot)] = true;
            ranges.widen(slot, (value, value));
        }
        ranges.given(program);
        // What is found by number is not followed.
        for &(first, count) in &program.runs {
            in_a_row(first, count).for_each(|slot| {
                ranges.widen(slot, ANY);
            });
        }
        for round in 0.. {
            let mut changed = false;
            for &instruction in &program.code {
                if let Instruction::Put { base, .. } | Instruction::Unite { base, .. } = instruction {
                    changed |= ranges.widen(base, ANY);
                }
                let value = ranges.written(&tables, instruction);
                instruction.each_written(|slot| {
                    let value = match instruction {
                        Instruction::Next { to, members, .. } if to == slot => (0, last_of(members)),
                        Instruction::Next { .. } => some_of(ranges.read(slot)),
                        _ => value,
                    };
                    if ranges.widen(slot, value) {
                        changed = true;
                        if round >= ROUNDS {
                            ranges.widen(slot, ANY);
                        }
                    }
                });
            }
            if !changed {
                return ranges;
            }
        }
        ranges
    }

    /// What a slot can hold; before anything is written there, 0.
    pub(super) fn get(&self, slot: Slot) -> (i64, i64) {
        let (low, high) = self.known(slot).unwrap_or(ANY);
        (low.min(0), high.max(0))
    }

    /// What an instruction can read there: 0, too, unless it is a constant. Nothing says that a slot is written first.
    fn read(&self, slot: Slot) -> Range {
        match self.known(slot) {
            Some(constant) if self.is_constant[usize::from(slot)] => constant,
            Some((low, high)) => (low.min(0), high.max(0)),
            None => (0, 0),
        }
    }

    fn known(&self, slot: Slot) -> Option<Range> {
        let (low, not_high) = self.ranges[usize::from(slot)];
        (low <= !not_high).then_some((low, !not_high))
    }

    /// Takes more values in; true if there are new ones.
    fn widen(&mut self, slot: Slot, (low, high): Range) -> bool {
        let known = self.known(slot);
        let wider = known.map_or((low, high), |(known_low, known_high)| (known_low.min(low), known_high.max(high)));
        self.ranges[usize::from(slot)] = (wider.0, !wider.1);
        known != Some(wider)
    }

    /// What Rust writes.
    fn given(&mut self, program: &Program) {
        for param in program.offers.iter().flat_map(|offer| &offer.params) {
            // Two values at least: whoever wants to know whether the flow binds a parameter puts one of them there.
            self.widen(param.slot, values_of(param.low, param.size.max(2), &param.ty));
            self.widen(param.slot, (param.value(0), param.value(0)));
        }
        for chance in &program.chances {
            self.widen(chance.value, values_of(chance.low, chance.size, &chance.ty));
        }
        for region in &program.regions {
            if let Some((_, slot)) = region.one_more {
                self.widen(slot, (0, i64::from(region.members)));
            }
        }
        // Whoever asks about a seat, and whoever is asked, has one.
        let asked = program.routines().filter_map(|routine| routine.seat);
        for seat in asked.chain(program.choices.iter().map(|choice| choice.seat)) {
            if program.constants.binary_search_by_key(&seat, |(slot, _)| *slot).is_err() {
                self.widen(seat, (0, i64::from(program.players.max(1)) - 1));
            }
        }
    }

    /// What an instruction writes.
    fn written(&self, tables: &Tables, instruction: Instruction) -> Range {
        let of = |slot: Slot| self.read(slot);
        match instruction {
            Instruction::Copy { from, .. } => of(from),
            Instruction::Add { a, b, .. } => sum(of(a), of(b)),
            Instruction::AddConst { a, value, .. } => sum(of(a), (i64::from(value), i64::from(value))),
            Instruction::Subtract { a, b, .. } => {
                let (low, high) = of(b);
                if low == i64::MIN { ANY } else { sum(of(a), (-high, -low)) }
            }
            Instruction::MultiplyAdd { a, times, plus, .. } => sum(times_of(of(a), times), of(plus)),
            Instruction::Least { a, b, .. } => {
                let ((a, b), (c, d)) = (of(a), of(b));
                (a.min(c), b.min(d))
            }
            Instruction::Most { a, b, .. } => {
                let ((a, b), (c, d)) = (of(a), of(b));
                (a.max(c), b.max(d))
            }
            Instruction::Both { a, b, .. } => {
                let (a, b) = (some_of(of(a)), some_of(of(b)));
                if a == ANY || b != ANY && b.1 < a.1 { b } else { a }
            }
            Instruction::Without { a, .. } => some_of(of(a)),
            Instruction::Modulo { b, .. } => (0, of(b).1.saturating_sub(1).max(0)),
            Instruction::Pairing { .. } => (0, 1),
            Instruction::Matches { count, .. }
            | Instruction::Alike { count, .. }
            | Instruction::Among { count, .. }
                if count < 63 =>
            {
                (0, (1 << count) - 1)
            }
            Instruction::Lowest { members, .. } | Instruction::Highest { members, .. } => (-1, last_of(members.into())),
            Instruction::Count { at, last, .. } => {
                let ((low, _), (_, high)) = (of(at), of(last));
                (low.saturating_add(1), high)
            }
            Instruction::Table { from, count, .. } => tables.range(from, count),
            Instruction::Find { from, count, .. } => tables.range(from, count.into()),
            // What the width allows: which state is read depends on the index.
            Instruction::Load8 { bias, .. } => (i64::from(bias), i64::from(bias) + 0xff),
            Instruction::Load16 { bias, .. } => (i64::from(bias), i64::from(bias) + 0xffff),
            Instruction::Load32 { bias, .. } => (i64::from(bias), i64::from(bias) + 0xffff_ffff),
            _ => ANY,
        }
    }
}

/// A mask of some members of another.
fn some_of((low, high): Range) -> Range {
    if low < 0 { ANY } else { (0, high) }
}

/// The last of so many members.
fn last_of(members: u32) -> i64 {
    i64::from(members.max(1)) - 1
}

fn sum((a, b): Range, (c, d): Range) -> Range {
    match (a.checked_add(c), b.checked_add(d)) {
        (Some(low), Some(high)) => (low, high),
        _ => ANY,
    }
}

/// What a value of a type can be: so many from the least on, or `none`.
fn values_of(low: i64, size: u64, ty: &Type) -> Range {
    let last = i64::try_from(size.max(1)).ok().and_then(|size| low.checked_add(size - 1));
    match last {
        Some(last) if ty.is_optional() => (low.min(none_of(ty.plain())), last.max(none_of(ty.plain()))),
        Some(last) => (low, last),
        None => ANY,
    }
}

fn times_of((low, high): Range, times: u32) -> Range {
    match (low.checked_mul(i64::from(times)), high.checked_mul(i64::from(times))) {
        (Some(low), Some(high)) => (low, high),
        _ => ANY,
    }
}

/// What is read from each table: asked for in every round, so counted once.
struct Tables(HashMap<(u32, u32), Range>);

impl Tables {
    fn of(program: &Program) -> Self {
        let mut ranges = HashMap::new();
        for instruction in &program.code {
            let (from, count) = match *instruction {
                Instruction::Table { from, count, .. } => (from, count),
                Instruction::Find { from, count, .. } => (from, u32::from(count)),
                _ => continue,
            };
            ranges.entry((from, count)).or_insert_with(|| {
                let end = (from as usize).saturating_add(count as usize);
                let entries = program.tables.get(from as usize..end);
                // What lies outside is read as 0.
                entries.map_or(ANY, |entries| {
                    entries.iter().fold((0, 0), |(low, high): Range, &entry| (low.min(entry), high.max(entry)))
                })
            });
        }
        Self(ranges)
    }

    /// What so many entries have, from one on.
    fn range(&self, from: u32, count: u32) -> Range {
        self.0.get(&(from, count)).copied().unwrap_or(ANY)
    }
}
