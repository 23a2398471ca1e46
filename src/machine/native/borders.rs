//! Which slots are looked at across the borders of pieces. All others never need to be in memory.
//!
//! A slot crosses if some piece may read it before it has written it, or if somebody outside the program reads it.
//! Between caller and called it also crosses if one writes what the other has at hand.

use std::collections::{BTreeSet, HashMap};

use super::super::instruction::{Instruction, Slot, Target};
use super::super::program::{Program, Seen};
use super::pieces::{Entry, Pieces, called, each_next};
use super::ranges::Ranges;

/// A set of slots.
#[derive(Debug, Clone)]
pub(super) struct SlotSet(Vec<u64>);

impl Default for SlotSet {
    fn default() -> Self {
        Self(vec![0; super::super::SLOTS / 64])
    }
}

impl SlotSet {
    pub(super) fn has(&self, slot: Slot) -> bool {
        self.0[usize::from(slot / 64)] & (1 << (slot % 64)) != 0
    }

    fn add(&mut self, slot: Slot) {
        self.0[usize::from(slot / 64)] |= 1 << (slot % 64);
    }

    fn add_all(&mut self, others: &Self) {
        self.0.iter_mut().zip(&others.0).for_each(|(word, other)| *word |= other);
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = Slot> + '_ {
        (0..=Slot::MAX)
            .step_by(64)
            .zip(&self.0)
            .filter(|(_, word)| **word != 0)
            .flat_map(|(first, word)| (0..64).filter(move |bit| word & (1 << bit) != 0).map(move |bit| first + bit))
    }
}

/// What is known about all pieces together.
#[derive(Debug)]
pub(super) struct Borders {
    /// How many slots belong together, by the first.
    runs: HashMap<Slot, u16>,
    /// The values of slots that never change.
    pub(super) constants: HashMap<Slot, i64>,
    /// What slots can hold.
    pub(super) ranges: Ranges,
    /// Read before written by some piece, or from outside.
    crossing: SlotSet,
    /// Written by what is called, or by what that calls.
    pub(super) written_by_called: SlotSet,
    /// Read by pieces that call.
    read_by_callers: SlotSet,
    called: BTreeSet<Target>,
}

/// What a piece does with its slots.
#[derive(Debug, Default)]
pub(super) struct Use {
    pub(super) read: SlotSet,
    pub(super) written: SlotSet,
    /// Found by number, so that they are in memory all the time.
    pub(super) pinned: SlotSet,
    pub(super) calls: bool,
}

impl Borders {
    pub(super) fn of(program: &Program, pieces: &Pieces) -> Self {
        let mut runs = HashMap::new();
        for &(first, count) in &program.runs {
            let known: &mut u16 = runs.entry(first).or_default();
            *known = count.max(*known);
        }
        let mut borders = Self {
            runs,
            constants: program.constants.iter().copied().collect(),
            ranges: Ranges::of(program),
            crossing: read_from_outside(program),
            written_by_called: SlotSet::default(),
            read_by_callers: SlotSet::default(),
            called: called(program).into_iter().collect(),
        };
        let all_called = borders.called.clone();
        for &entry in &pieces.entries {
            let body = pieces.body(program, entry);
            let used = borders.used(program, &body);
            let exposed = borders.exposed(program, entry, &body);
            borders.crossing.add_all(&exposed);
            if matches!(entry, Entry::At(place) if all_called.contains(&place)) {
                borders.written_by_called.add_all(&used.written);
            }
            if used.calls {
                borders.read_by_callers.add_all(&used.read);
            }
        }
        borders
    }

    /// How many slots belong together from this one on.
    pub(super) fn run(&self, first: Slot) -> u16 {
        self.runs.get(&first).copied().unwrap_or(1)
    }

    /// What some instructions do with slots.
    pub(super) fn used(&self, program: &Program, body: &[Target]) -> Use {
        let mut used = Use::default();
        for &at in body {
            let Some(&instruction) = program.code.get(at as usize) else { continue };
            self.each_read(program, instruction, |slot| used.read.add(slot));
            self.each_written(program, instruction, |slot| used.written.add(slot));
            self.each_pinned(program, instruction, |slot| used.pinned.add(slot));
            used.calls |= matches!(
                instruction,
                Instruction::Call { .. } | Instruction::Refresh { .. } | Instruction::Choose { .. }
            );
        }
        used
    }

    /// Must what a piece writes to a slot be in memory, too?
    pub(super) fn is_shared(&self, entry: Entry, used: &Use, slot: Slot) -> bool {
        self.crossing.has(slot)
            || (used.calls && self.written_by_called.has(slot))
            || (matches!(entry, Entry::At(place) if self.called.contains(&place)) && self.read_by_callers.has(slot))
    }

    /// Slots that a piece may read before it has written them: backwards through its blocks.
    fn exposed(&self, program: &Program, entry: Entry, body: &[Target]) -> SlotSet {
        let mut numbers = vec![usize::MAX; super::super::SLOTS];
        let mut slots: Vec<Slot> = Vec::new();
        let mut effects: Vec<(Vec<usize>, Vec<usize>)> = Vec::with_capacity(body.len());
        for &at in body {
            let mut number = |slot: Slot| {
                let number = &mut numbers[usize::from(slot)];
                if *number == usize::MAX {
                    *number = slots.len();
                    slots.push(slot);
                }
                *number
            };
            let (mut read, mut written) = (Vec::new(), Vec::new());
            if let Some(&instruction) = program.code.get(at as usize) {
                self.each_read(program, instruction, |slot| read.push(number(slot)));
                instruction.each_written(|slot| written.push(number(slot)));
            }
            effects.push((read, written));
        }
        let words = slots.len().div_ceil(64);
        let nth: HashMap<Target, usize> = body.iter().enumerate().map(|(nth, at)| (*at, nth)).collect();
        let blocks = Blocks::of(program, body, &nth, entry);
        let mut live = vec![0_u64; words * blocks.first.len()];
        let mut changed = true;
        let mut now = vec![0_u64; words];
        while changed {
            changed = false;
            for block in (0..blocks.first.len()).rev() {
                now.fill(0);
                for &next in &blocks.next[block] {
                    for (word, of) in now.iter_mut().zip(&live[next * words..(next + 1) * words]) {
                        *word |= of;
                    }
                }
                for (read, written) in effects[blocks.first[block]..blocks.last[block]].iter().rev() {
                    written.iter().for_each(|slot| now[slot / 64] &= !(1 << (slot % 64)));
                    read.iter().for_each(|slot| now[slot / 64] |= 1 << (slot % 64));
                }
                let known = &mut live[block * words..(block + 1) * words];
                if known != now.as_slice() {
                    known.copy_from_slice(&now);
                    changed = true;
                }
            }
        }
        let given: BTreeSet<Slot> = given(program, entry).collect();
        let starts = Pieces::starts(program, entry);
        let starts = starts.iter().filter_map(|start| blocks.of.get(nth.get(start).copied()?).copied());
        let mut exposed = SlotSet::default();
        for block in starts {
            for (number, slot) in slots.iter().enumerate() {
                if live[block * words + number / 64] & (1 << (number % 64)) != 0 && !given.contains(slot) {
                    exposed.add(*slot);
                }
            }
        }
        exposed
    }

    fn each_in_run(&self, first: Slot, visit: impl FnMut(Slot)) {
        (first..).take(usize::from(self.run(first))).for_each(visit);
    }

    /// Slots that an instruction reads, those that it finds by number among them.
    fn each_read(&self, program: &Program, instruction: Instruction, mut visit: impl FnMut(Slot)) {
        let mut seen = |slot: Slot| {
            if !self.constants.contains_key(&slot) {
                visit(slot);
            }
        };
        instruction.each_read(&mut seen);
        self.each_indexed(program, instruction, &mut seen);
        match instruction {
            Instruction::Emit { offer } => {
                let params = program.offers.get(usize::from(offer)).map(|offer| offer.params.as_slice());
                params.unwrap_or_default().iter().for_each(|param| seen(param.slot));
            }
            Instruction::Choose { choice } => {
                program.choices.get(usize::from(choice)).into_iter().for_each(|choice| seen(choice.seat));
            }
            _ => {}
        }
    }

    fn each_written(&self, program: &Program, instruction: Instruction, mut visit: impl FnMut(Slot)) {
        instruction.each_written(&mut visit);
        match instruction {
            Instruction::Put { .. }
            | Instruction::Join { .. }
            | Instruction::Leave { .. }
            | Instruction::Unite { .. }
            | Instruction::Sort { .. } => self.each_indexed(program, instruction, visit),
            _ => {}
        }
    }

    /// Slots that an instruction finds by number: all that it may find.
    fn each_indexed(&self, program: &Program, instruction: Instruction, mut visit: impl FnMut(Slot)) {
        match instruction {
            Instruction::Get { base, .. }
            | Instruction::Put { base, .. }
            | Instruction::Pairing { base, .. }
            | Instruction::Join { bits: base, .. }
            | Instruction::Leave { bits: base, .. }
            | Instruction::IfMember { bits: base, .. }
            | Instruction::IfNoMember { bits: base, .. } => self.each_in_run(base, visit),
            Instruction::Next { bits, words, .. } => (bits..).take(usize::from(words)).for_each(visit),
            Instruction::Unite { base, count, .. } => (base..).take(usize::from(count)).for_each(visit),
            Instruction::Sort { sorting } => {
                let Some(sorting) = program.sortings.get(usize::from(sorting)) else { return };
                visit(sorting.rows);
                for &first in sorting.columns.iter().chain(&sorting.keys) {
                    self.each_in_run(first, &mut visit);
                }
            }
            _ => {}
        }
    }

    /// Slots that must be in memory because an instruction finds them by number.
    fn each_pinned(&self, program: &Program, instruction: Instruction, mut visit: impl FnMut(Slot)) {
        match instruction {
            Instruction::Get { .. }
            | Instruction::Put { .. }
            | Instruction::Pairing { .. }
            | Instruction::Unite { .. }
            | Instruction::Sort { .. } => self.each_indexed(program, instruction, visit),
            Instruction::Join { bits, .. }
            | Instruction::Leave { bits, .. }
            | Instruction::IfMember { bits, .. }
            | Instruction::IfNoMember { bits, .. }
                if self.run(bits) > 1 =>
            {
                self.each_in_run(bits, visit);
            }
            Instruction::Next { bits, words, .. } if words > 1 => {
                (bits..).take(usize::from(words)).for_each(&mut visit);
            }
            _ => {}
        }
    }
}

/// The instructions of a piece in runs without branches.
struct Blocks {
    /// By instruction of the piece: its block.
    of: Vec<usize>,
    first: Vec<usize>,
    last: Vec<usize>,
    next: Vec<Vec<usize>>,
}

impl Blocks {
    fn of(program: &Program, body: &[Target], nth: &HashMap<Target, usize>, entry: Entry) -> Self {
        let mut leads = vec![false; body.len()];
        let mut branch = vec![false; body.len()];
        for start in Pieces::starts(program, entry) {
            nth.get(&start).into_iter().for_each(|start| leads[*start] = true);
        }
        for (number, &at) in body.iter().enumerate() {
            let mut plain = false;
            each_next(program, at, |next| {
                if next == at + 1 && nth.get(&next) == Some(&(number + 1)) {
                    plain = true;
                } else if let Some(next) = nth.get(&next) {
                    leads[*next] = true;
                    branch[number] = true;
                }
            });
            branch[number] |= !plain;
        }
        let mut blocks = Self { of: Vec::new(), first: Vec::new(), last: Vec::new(), next: Vec::new() };
        for number in 0..body.len() {
            if number == 0 || leads[number] || branch[number - 1] {
                blocks.first.push(number);
                blocks.last.push(number);
            }
            blocks.of.push(blocks.first.len() - 1);
            if let Some(last) = blocks.last.last_mut() {
                *last = number + 1;
            }
        }
        for block in 0..blocks.first.len() {
            let mut next = Vec::new();
            each_next(program, body[blocks.last[block] - 1], |at| {
                if let Some(number) = nth.get(&at) {
                    next.push(blocks.of[*number]);
                }
            });
            blocks.next.push(next);
        }
        blocks
    }
}

/// Slots that a piece is given in another way than through memory.
fn given(program: &Program, entry: Entry) -> impl Iterator<Item = Slot> + '_ {
    let offers = match entry {
        Entry::At(_) | Entry::On(_) => 0..0,
        Entry::Enter(offer) => offer..offer + 1,
        Entry::Pick(choice) | Entry::Play(choice) => {
            program.choices.get(usize::from(choice)).map_or(0..0, |choice| choice.offers.clone())
        }
    };
    offers
        .filter_map(|offer| program.offers.get(usize::from(offer)))
        .flat_map(|offer| offer.params.iter().skip(offer.bound).map(|param| param.slot))
}

/// Slots that somebody outside the program reads.
fn read_from_outside(program: &Program) -> SlotSet {
    let routines = program.score.iter().chain(&program.winner);
    let routines = routines.chain(program.invariants.iter().map(|(_, routine)| routine));
    let mut slots = SlotSet::default();
    program.choices.iter().for_each(|choice| slots.add(choice.seat));
    program.chances.iter().flat_map(|chance| &chance.at).for_each(|(slot, _)| slots.add(*slot));
    for chance in &program.chances {
        if let Seen::Seat(slot) = chance.seen {
            slots.add(slot);
        }
    }
    routines.flat_map(|routine| &routine.answers).for_each(|slot| slots.add(*slot));
    slots
}
