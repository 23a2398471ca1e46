//! Putting instructions together: labels, slots, constants, tables.
//!
//! Slots come in three kinds: values that are worked out once and never change, in the order of the code;
//! what changes (counters, loop variables, sets in the making), freed when its block ends; and what routines
//! share with each other and the machine, constants among them.

use crate::internal::exact;
use std::collections::HashMap;

use super::reuse::Reuse;
use crate::limits;
use crate::machine::{Instruction, Question, Row, Slot, Target};
use crate::report::Span;

/// A place in the program that is not known yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Label(pub(super) u32);

/// Where the code stands, to go back to.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mark(usize, bool);

#[derive(Debug, Default)]
pub(super) struct Builder {
    pub(super) code: Vec<Instruction>,
    /// By label: where it stands, and how often it is named.
    targets: Vec<Option<usize>>,
    uses: Vec<u32>,
    constants: HashMap<i64, Slot>,
    known: HashMap<Slot, i64>,
    pub(super) tables: Vec<i64>,
    pub(super) table_runs: Vec<(u32, u32)>,
    /// The next slot for a value.
    value: u32,
    /// The next free slot of a routine, and the first that no routine has used so far.
    next: u32,
    high: u32,
    /// Slots from here on hold constants and what routines share.
    shared: u32,
    /// Slots ran out, while this was compiled.
    pub(super) full: Option<Span>,
    /// Steps that were taken so far, in vain or not.
    pub(super) steps: u64,
    pub(super) spans: Vec<(usize, Span)>,
    pub(super) names: Vec<(Label, String)>,
    /// Which instructions test entries: from where, up to where, in which row, and for what.
    pub(super) tests: Vec<(usize, usize, Row, Question)>,
    /// Nothing leads to the next instruction: it is not written.
    dead: bool,
    /// Where the last label was placed.
    last_label: usize,
    /// Where the last mark was set: what was written before it stays, whatever comes after.
    last_mark: usize,
    /// Labels in the order of the code, with where each stands.
    placed: Vec<(usize, Label)>,
    runs: HashMap<Vec<i64>, Slot>,
    /// Slots in a row that are found by number: the first, and how many.
    pub(super) rows: Vec<(Slot, u16)>,
    /// Values that are another value and a constant.
    pub(super) offsets: HashMap<Slot, (Slot, i64)>,
    /// Values that need not be worked out again.
    pub(super) reuse: Reuse,
    /// What loops write at present: nothing that was read before such a loop can be relied upon inside.
    pub(super) stores_in_loops: bool,
    /// Do loops try entries out at present? The state comes back after each, but partitions stay as it was for the trial.
    pub(super) tries_in_loops: bool,
}

/// What takes more steps than this is long.
const LONG_STEPS: u64 = 4;

/// The first slot that is never handed out: all slots are below.
const SLOTS: u32 = limits::SLOTS;

/// Slots below are for values, those from here on for what changes.
const VALUES: u32 = 40_000;

impl Builder {
    pub(super) fn new() -> Self {
        // The last slots stay free, so that counting on from any slot stays a slot.
        Self { shared: SLOTS - 2, next: VALUES, high: VALUES, ..Self::default() }
    }

    // ------------------------------------------------------------ slots

    /// A slot of this routine.
    pub(super) fn fresh(&mut self) -> Slot {
        self.run(1)
    }

    /// A slot that is written once.
    pub(super) fn value_slot(&mut self) -> Slot {
        if self.value >= VALUES {
            return self.fresh();
        }
        self.value += 1;
        exact::<_, Slot>(self.value - 1)
    }

    /// Can this slot hold only what it was first given?
    pub(super) fn is_value(slot: Slot) -> bool {
        u32::from(slot) < VALUES
    }

    /// Several slots in a row.
    pub(super) fn run(&mut self, count: usize) -> Slot {
        let first = self.next;
        self.next = self.next.saturating_add(u32::try_from(count).unwrap_or(SLOTS));
        if self.next >= self.shared {
            self.full = self.full.or(Some(self.span()));
            self.next = first.min(SLOTS - 1);
        }
        self.high = self.high.max(self.next);
        self.note_row(first, count);
        exact::<_, Slot>(first)
    }

    /// Slots in a row that nobody else uses.
    pub(super) fn own(&mut self, count: usize) -> Slot {
        let count = u32::try_from(count.max(1)).unwrap_or(SLOTS);
        if count >= self.shared || self.shared - count <= self.high {
            self.full = self.full.or(Some(self.span()));
            return 0;
        }
        self.shared -= count;
        self.note_row(self.shared, count as usize);
        exact::<_, Slot>(self.shared)
    }

    fn note_row(&mut self, first: u32, count: usize) {
        if let (true, Ok(first), Ok(count)) = (count > 1, Slot::try_from(first), u16::try_from(count)) {
            self.rows.push((first, count));
        }
    }

    /// From here on slots are those of a routine that others call: none of theirs.
    pub(super) fn begin_routine(&mut self) {
        self.next = self.high;
    }

    /// What is free from here on.
    pub(super) fn level(&self) -> u32 {
        self.next
    }

    /// Frees what was taken since.
    pub(super) fn free_to(&mut self, level: u32) {
        self.next = level;
    }

    /// The slot of a constant.
    pub(super) fn constant(&mut self, value: i64) -> Slot {
        if let Some(&slot) = self.constants.get(&value) {
            return slot;
        }
        let slot = self.own(1);
        self.constants.insert(value, slot);
        self.known.insert(slot, value);
        slot
    }

    /// Slots in a row that hold constants.
    pub(super) fn constant_run(&mut self, values: &[i64]) -> Slot {
        if let [value] = values {
            return self.constant(*value);
        }
        if let Some(&slot) = self.runs.get(values) {
            return slot;
        }
        let first = self.own(values.len());
        for (slot, value) in (first..).zip(values) {
            self.known.insert(slot, *value);
        }
        self.runs.insert(values.to_vec(), first);
        first
    }

    /// The value of a slot, if it is a constant.
    pub(super) fn known(&self, slot: Slot) -> Option<i64> {
        self.known.get(&slot).copied()
    }

    pub(super) fn constants(&self) -> Vec<(Slot, i64)> {
        let mut all: Vec<(Slot, i64)> = self.known.iter().map(|(slot, value)| (*slot, *value)).collect();
        all.sort_unstable();
        all
    }

    /// Takes a table in.
    pub(super) fn add_table(&mut self, mut entries: Vec<i64>) {
        let number = |length: usize| exact::<_, u32>(length);
        self.steps += entries.len() as u64;
        self.table_runs.push((number(self.tables.len()), number(entries.len())));
        self.tables.append(&mut entries);
    }

    /// How many entries a table has from this one on.
    pub(super) fn table_room(&self, from: u32) -> u32 {
        let nth = self.table_runs.partition_point(|(first, _)| *first <= from);
        let run = nth.checked_sub(1).and_then(|nth| self.table_runs.get(nth));
        run.map_or(0, |(first, count)| (first + count).saturating_sub(from))
    }

    // ------------------------------------------------------------ code

    pub(super) fn label(&mut self) -> Label {
        self.targets.push(None);
        self.uses.push(0);
        Label(exact::<_, u32>(self.targets.len() - 1))
    }

    /// Here a routine begins that is called.
    pub(super) fn begin_at(&mut self, label: Label, name: String, span: Span) {
        self.dead = true;
        self.uses[label.0 as usize] += 1;
        self.place(label);
        self.reuse.forget_all();
        self.names.push((label, name));
        self.rule(span);
    }

    /// What follows is written only if anything goes on there.
    pub(super) fn begin_cold(&mut self, label: Label) {
        self.dead = true;
        self.place(label);
    }

    /// Is anything written that goes on there?
    pub(super) fn is_used(&self, label: Label) -> bool {
        self.uses.get(label.0 as usize).is_some_and(|uses| *uses > 0)
    }

    /// Here begins something that is asked for from outside.
    pub(super) fn entry(&mut self) -> Label {
        let label = self.label();
        self.uses[label.0 as usize] = 1;
        self.dead = true;
        self.place(label);
        self.reuse.forget_all();
        label
    }

    /// Here is what a label stands for. If nothing leads here, what follows is dead.
    pub(super) fn place(&mut self, label: Label) {
        // A jump to the very next instruction says nothing.
        while let Some(Instruction::Jump { go }) = self.code.last() {
            if *go != label.0 || self.last_label == self.code.len() || self.last_mark == self.code.len() {
                break;
            }
            self.code.pop();
        }
        self.targets[label.0 as usize] = Some(self.code.len());
        self.placed.push((self.code.len(), label));
        self.last_label = self.code.len();
        self.reuse.arrive(label);
        self.dead = self.dead && !self.is_used(label);
    }

    /// A label to which something later in the code leads, too: what follows is reached even if nothing has led there yet.
    pub(super) fn place_for_later(&mut self, label: Label) {
        self.place(label);
        self.dead = false;
    }

    /// A new label, here: a loop begins.
    pub(super) fn here(&mut self) -> Label {
        let label = self.label();
        self.place(label);
        if self.stores_in_loops {
            self.reuse.forget_loads();
        } else if self.tries_in_loops {
            self.reuse.forget_partitions();
        }
        label
    }

    /// Charges a call of what was written since for its length.
    pub(super) fn tick(&mut self, since: Mark) {
        let cost = 1 + self.written_since(since) as u64 / Instruction::A_STEP;
        self.push(Instruction::Tick { cost: u32::try_from(cost).unwrap_or(u32::MAX) });
    }

    /// The same where a short one need not be charged: whoever runs it is charged as well.
    pub(super) fn tick_if_long(&mut self, since: Mark) {
        if self.written_since(since) as u64 > LONG_STEPS * Instruction::A_STEP {
            self.tick(since);
        }
    }

    pub(super) fn push(&mut self, instruction: Instruction) {
        if self.dead {
            return;
        }
        self.steps += 1;
        if let Some(uses) = instruction.target().and_then(|label| self.uses.get_mut(label as usize)) {
            *uses += 1;
        }
        self.reuse.wrote(&instruction, self.code.len());
        self.code.push(instruction);
        self.dead = instruction.ends();
    }

    /// Can the next instruction be reached?
    pub(super) fn is_dead(&self) -> bool {
        self.dead
    }

    /// The present place, to come back to.
    pub(super) fn mark(&mut self) -> Mark {
        self.last_mark = self.code.len();
        Mark(self.code.len(), self.dead)
    }

    /// Was nothing written since?
    pub(super) fn nothing_since(&self, mark: Mark) -> bool {
        self.code.len() == mark.0
    }

    /// How much was written since?
    pub(super) fn written_since(&self, mark: Mark) -> usize {
        self.code.len().saturating_sub(mark.0)
    }

    /// Was only a jump to this label written since?
    pub(super) fn only_jumped_since(&self, mark: Mark, label: Label) -> bool {
        self.code.len() == mark.0 + 1 && self.code.last() == Some(&Instruction::Jump { go: label.0 })
    }

    /// Takes back what was written since, and with it everything that was noted about it: what leads where, which labels
    /// are placed, which values are known.
    pub(super) fn take_back(&mut self, mark: Mark) {
        let Mark(to, dead) = mark;
        // INVARIANT: `place` takes away nothing from before a mark.
        debug_assert!(to <= self.code.len(), "code from before the mark is gone");
        for label in self.code.drain(to.min(self.code.len())..).filter_map(Instruction::target) {
            if let Some(uses) = self.uses.get_mut(label as usize) {
                *uses = uses.saturating_sub(1);
            }
        }
        while let Some((_, label)) = self.placed.pop_if(|(at, _)| *at > to) {
            self.targets[label.0 as usize] = None;
        }
        while self.spans.pop_if(|(from, _)| *from > to).is_some() {}
        while self.tests.pop_if(|(_, end, ..)| *end > to).is_some() {}
        self.last_label = self.last_label.min(to);
        self.last_mark = self.last_mark.min(to);
        self.reuse.take_back(to);
        self.dead = dead;
    }

    /// What follows was made from this rule.
    pub(super) fn rule(&mut self, span: Span) {
        if self.spans.last().map(|(_, known)| *known) != Some(span) {
            self.spans.push((self.code.len(), span));
        }
    }

    /// The rule that is being written.
    pub(super) fn span(&self) -> Span {
        self.spans.last().map(|(_, span)| *span).unwrap_or_default()
    }

    /// What was written since is a test of entries.
    pub(super) fn tested(&mut self, since: Mark, row: Row, question: Question) {
        if !self.nothing_since(since) {
            self.tests.push((since.0, self.code.len(), row, question));
        }
    }

    pub(super) fn target(&self, label: Label) -> Target {
        let at = self.targets.get(label.0 as usize).copied().flatten().unwrap_or(self.code.len());
        exact::<_, Target>(at)
    }
}
