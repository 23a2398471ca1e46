//! Which slots are looked at across the borders of pieces. All others never need to be in memory.
//!
//! A slot crosses if some piece may read it before it has written it, or if somebody outside the program reads it.
//! Between caller and called it also crosses if one writes what the other has at hand. A piece that plays on, or lists
//! entries, and leads to no other has only those to think of who are outside: where the flow waits, all that lasts is in
//! the block, and all that comes of listing is a list.

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

use super::super::Program;
use super::super::instruction::{Instruction, Slot, Target, in_a_row, masks_for};
use super::super::program::Seen;
use super::blocks::Blocks;
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
    /// These slots.
    fixed: SlotSet,
    /// What slots can hold.
    pub(super) ranges: Ranges,
    /// By piece: slots that it may read before it writes them.
    exposed: Vec<Vec<Slot>>,
    /// All these, and what is read from outside.
    crossing: SlotSet,
    /// What is read from outside.
    outside: SlotSet,
    /// Written by what is called, or by what that calls.
    pub(super) written_by_called: SlotSet,
    /// Read by pieces that call.
    read_by_callers: SlotSet,
    called: BTreeSet<Target>,
    /// What lists the entries of an offer.
    listing: BTreeSet<Target>,
}

/// What a piece does with its slots.
#[derive(Debug, Default)]
pub(super) struct Use {
    pub(super) read: SlotSet,
    pub(super) written: SlotSet,
    /// Found by number, so that they are in memory all the time.
    pub(super) pinned: SlotSet,
    pub(super) calls: bool,
    /// Does it call nothing, and lead to no other piece before the flow waits or the game is over?
    alone: bool,
}

impl Borders {
    pub(super) fn of(program: &Program, pieces: &Pieces) -> Self {
        let mut runs = HashMap::new();
        for &(first, count) in &program.runs {
            let known: &mut u16 = runs.entry(first).or_default();
            *known = count.max(*known);
        }
        let mut fixed = SlotSet::default();
        program.constants.iter().for_each(|(slot, _)| fixed.add(*slot));
        let mut borders = Self {
            runs,
            constants: program.constants.iter().copied().collect(),
            fixed,
            ranges: Ranges::of(program),
            exposed: Vec::new(),
            crossing: read_from_outside(program),
            outside: read_from_outside(program),
            written_by_called: SlotSet::default(),
            read_by_callers: SlotSet::default(),
            called: called(program).into_iter().collect(),
            listing: program.offers.iter().map(|offer| offer.every).collect(),
        };
        let all_called = borders.called.clone();
        let mut desk = Desk::of(program);
        for &entry in &pieces.entries {
            let body = pieces.body(program, entry);
            let used = borders.used(program, entry, &body);
            let exposed = borders.exposed(program, entry, &body, &mut desk);
            borders.crossing.add_all(&exposed);
            borders.exposed.push(exposed.iter().collect());
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
    pub(super) fn used(&self, program: &Program, entry: Entry, body: &[Target]) -> Use {
        // Who picks an entry finds out whether there is one; else that is asked where the flow waits.
        let asks = !matches!(entry, Entry::Play(_) | Entry::On(_));
        let mut used = Use { alone: true, ..Use::default() };
        for &at in body {
            each_next(program, at, |next| used.alone &= body.binary_search(&next).is_ok());
            let Some(&instruction) = program.code.get(at as usize) else { continue };
            self.each_read(program, instruction, |slot| used.read.add(slot));
            self.each_written(program, instruction, |slot| used.written.add(slot));
            self.each_pinned(program, instruction, |slot| used.pinned.add(slot));
            used.calls |= match instruction {
                Instruction::Call { .. } | Instruction::Refresh { .. } => true,
                Instruction::Choose { .. } => asks,
                _ => false,
            };
        }
        used.alone &= !used.calls;
        used
    }

    /// May a piece read a slot before it writes it?
    pub(super) fn is_exposed(&self, piece: u32, slot: Slot) -> bool {
        self.exposed.get(piece as usize).is_none_or(|exposed| exposed.binary_search(&slot).is_ok())
    }

    /// Must what a piece writes to a slot be in memory, too?
    pub(super) fn is_shared(&self, entry: Entry, used: &Use, slot: Slot) -> bool {
        let tells_nobody = match entry {
            Entry::Play(_) => used.alone,
            Entry::At(place) => used.alone && self.listing.contains(&place),
            _ => false,
        };
        if tells_nobody {
            return self.outside.has(slot);
        }
        self.crossing.has(slot)
            || (used.calls && self.written_by_called.has(slot))
            || (matches!(entry, Entry::At(place) if self.called.contains(&place)) && self.read_by_callers.has(slot))
    }

    /// Slots that a piece may read before it has written them: backwards through its blocks.
    fn exposed(&self, program: &Program, entry: Entry, body: &[Target], desk: &mut Desk) -> SlotSet {
        let (mut slots, mut touched): (Vec<Slot>, Vec<usize>) = (Vec::new(), Vec::new());
        let mut effects: Vec<Effect> = Vec::with_capacity(body.len());
        for (nth, &at) in body.iter().enumerate() {
            desk.nth[at as usize] = nth;
            let numbers = &mut desk.numbers;
            let mut number = |slot: Slot| {
                let number = &mut numbers[usize::from(slot)];
                if *number == 0 {
                    slots.push(slot);
                    *number = slots.len();
                }
                *number - 1
            };
            let first = touched.len();
            let instruction = program.code[at as usize];
            self.each_read(program, instruction, |slot| touched.push(number(slot)));
            let read = touched.len();
            instruction.each_written(|slot| touched.push(number(slot)));
            effects.push(Effect { read: first..read, written: read..touched.len() });
        }
        let words = slots.len().div_ceil(64);
        let blocks = Blocks::of(program, body, &desk.nth, entry);
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
                for effect in effects[blocks.first[block]..blocks.last[block]].iter().rev() {
                    touched[effect.written.clone()].iter().for_each(|slot| now[slot / 64] &= !(1 << (slot % 64)));
                    touched[effect.read.clone()].iter().for_each(|slot| now[slot / 64] |= 1 << (slot % 64));
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
        let starts = starts.iter().filter_map(|start| blocks.of.get(*desk.nth.get(*start as usize)?).copied());
        let mut exposed = SlotSet::default();
        for block in starts {
            for (number, slot) in slots.iter().enumerate() {
                if live[block * words + number / 64] & (1 << (number % 64)) != 0 && !given.contains(slot) {
                    exposed.add(*slot);
                }
            }
        }
        slots.iter().for_each(|slot| desk.numbers[usize::from(*slot)] = 0);
        body.iter().for_each(|at| desk.nth[*at as usize] = usize::MAX);
        exposed
    }

    fn each_in_run(&self, first: Slot, visit: impl FnMut(Slot)) {
        in_a_row(first, self.run(first)).for_each(visit);
    }

    /// Slots that an instruction reads, those that it finds by number among them.
    fn each_read(&self, program: &Program, instruction: Instruction, mut visit: impl FnMut(Slot)) {
        let mut seen = |slot: Slot| {
            if !self.fixed.has(slot) {
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
            Instruction::Lots { choice } => {
                let lots = program.choices.get(usize::from(choice)).and_then(|choice| choice.lots.as_ref());
                lots.into_iter().flat_map(|lots| &lots.all).for_each(|lot| seen(lot.mask));
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
            Instruction::Next { bits, members, .. } => in_a_row(bits, masks_for(members)).for_each(visit),
            Instruction::Lowest { a, members, .. } | Instruction::Highest { a, members, .. } => {
                in_a_row(a, masks_for(u32::from(members))).for_each(visit);
            }
            Instruction::Unite { base, count, .. } => in_a_row(base, count).for_each(visit),
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
    fn each_pinned(&self, program: &Program, instruction: Instruction, visit: impl FnMut(Slot)) {
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
            _ => {}
        }
    }
}

/// What is used again for every piece, and empty between them.
struct Desk {
    /// By slot: its number in the piece, from 1 on.
    numbers: Vec<usize>,
    /// By instruction: its number in the piece.
    nth: Vec<usize>,
}

impl Desk {
    fn of(program: &Program) -> Self {
        Self { numbers: vec![0; super::super::SLOTS], nth: vec![usize::MAX; program.code.len()] }
    }
}

/// What an instruction does with slots, among all that are touched.
struct Effect {
    read: Range<usize>,
    written: Range<usize>,
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
    let mut slots = SlotSet::default();
    // What is given with an offer is worked out with its entries, and is a part of them.
    let given = program.offers.iter().flat_map(|offer| offer.params.iter().take(offer.bound));
    given.for_each(|param| slots.add(param.slot));
    let lots = program.choices.iter().filter_map(|choice| choice.lots.as_ref()).flat_map(|lots| &lots.all);
    lots.for_each(|lot| slots.add(lot.mask));
    program.chances.iter().flat_map(|chance| &chance.at).for_each(|(slot, _)| slots.add(*slot));
    for chance in &program.chances {
        if let Seen::Seat(slot) = chance.seen {
            slots.add(slot);
        }
    }
    program.routines().for_each(|routine| slots.add(routine.answer));
    slots
}
