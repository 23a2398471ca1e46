//! Putting instructions together: labels, slots, constants, tables. What is known is worked out here.
//!
//! Every maker of an instruction looks first whether its operands are constants; so whatever the numbers,
//! options and players of a game decide is decided while it is compiled, and branches that cannot be taken
//! are never written.

use std::collections::HashMap;

use crate::bind::divide_down;
use crate::machine::{Instruction, NO_NUMBER, Slot, Target};
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
    /// The next free slot of a routine, and the first that no routine has used so far.
    next: u32,
    high: u32,
    /// Slots from here on hold constants and what routines share.
    shared: u32,
    /// Slots ran out.
    pub(super) full: bool,
    pub(super) spans: Vec<(usize, Span)>,
    pub(super) names: Vec<(Label, String)>,
    /// Nothing leads to the next instruction: it is not written.
    dead: bool,
    /// Where the last label was placed.
    last_label: usize,
    runs: HashMap<Vec<i64>, Slot>,
}

/// The first slot that is never handed out: all slots are below.
const SLOTS: u32 = 1 << 16;

impl Builder {
    pub(super) fn new() -> Self {
        // The last slots stay free, so that counting on from any slot stays a slot.
        Self { shared: SLOTS - 2, ..Self::default() }
    }

    // ------------------------------------------------------------ slots

    /// A slot of this routine.
    pub(super) fn fresh(&mut self) -> Slot {
        self.run(1)
    }

    /// Several slots in a row.
    pub(super) fn run(&mut self, count: usize) -> Slot {
        let first = self.next;
        self.next = self.next.saturating_add(u32::try_from(count).unwrap_or(SLOTS));
        if self.next >= self.shared {
            self.full = true;
            self.next = first.min(SLOTS - 1);
        }
        self.high = self.high.max(self.next);
        Slot::try_from(first).unwrap_or(0)
    }

    /// Slots in a row that nobody else uses.
    pub(super) fn own(&mut self, count: usize) -> Slot {
        let count = u32::try_from(count.max(1)).unwrap_or(SLOTS);
        if count >= self.shared || self.shared - count <= self.high {
            self.full = true;
            return 0;
        }
        self.shared -= count;
        Slot::try_from(self.shared).unwrap_or(0)
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

    // ------------------------------------------------------------ code

    pub(super) fn label(&mut self) -> Label {
        self.targets.push(None);
        self.uses.push(0);
        Label(u32::try_from(self.targets.len() - 1).unwrap_or(u32::MAX))
    }

    /// Here a routine begins that is called.
    pub(super) fn begin_at(&mut self, label: Label, name: String, span: Span) {
        self.dead = true;
        self.uses[label.0 as usize] += 1;
        self.place(label);
        self.names.push((label, name));
        self.from_rule(span);
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
        label
    }

    /// Here is what a label stands for. If nothing leads here, what follows is dead.
    pub(super) fn place(&mut self, label: Label) {
        // A jump to the very next instruction says nothing.
        while let Some(Instruction::Jump { go }) = self.code.last() {
            if *go != label.0 || self.last_label == self.code.len() {
                break;
            }
            self.code.pop();
        }
        self.targets[label.0 as usize] = Some(self.code.len());
        self.last_label = self.code.len();
        self.dead = self.dead && !self.is_used(label);
    }

    /// A new label, here.
    pub(super) fn here(&mut self) -> Label {
        let label = self.label();
        self.place(label);
        label
    }

    pub(super) fn push(&mut self, instruction: Instruction) {
        if self.dead {
            return;
        }
        if let Some(uses) = instruction.target().and_then(|label| self.uses.get_mut(label as usize)) {
            *uses += 1;
        }
        self.code.push(instruction);
        self.dead = instruction.ends();
    }

    /// Can the next instruction be reached?
    pub(super) fn is_dead(&self) -> bool {
        self.dead
    }

    pub(super) fn mark(&self) -> Mark {
        Mark(self.code.len(), self.dead)
    }

    /// Was nothing written since?
    pub(super) fn nothing_since(&self, mark: Mark) -> bool {
        self.code.len() == mark.0
    }

    /// Was only a jump to this label written since?
    pub(super) fn only_jumped_since(&self, mark: Mark, label: Label) -> bool {
        self.code.len() == mark.0 + 1 && self.code.last() == Some(&Instruction::Jump { go: label.0 })
    }

    /// Takes back what was written since.
    pub(super) fn rewind(&mut self, mark: Mark) {
        self.code.truncate(mark.0);
        while self.spans.last().is_some_and(|(from, _)| *from > mark.0) {
            self.spans.pop();
        }
        self.last_label = self.last_label.min(mark.0);
        self.dead = mark.1;
    }

    /// What follows was made from this rule.
    pub(super) fn from_rule(&mut self, span: Span) {
        if self.spans.last().map(|(_, known)| *known) != Some(span) {
            self.spans.push((self.code.len(), span));
        }
    }

    pub(super) fn target(&self, label: Label) -> Target {
        let at = self.targets.get(label.0 as usize).copied().flatten().unwrap_or(self.code.len());
        Target::try_from(at).unwrap_or(Target::MAX)
    }

    // ------------------------------------------------------------ numbers

    pub(super) fn copy(&mut self, to: Slot, from: Slot) {
        if to != from {
            self.push(Instruction::Copy { to, from });
        }
    }

    pub(super) fn add(&mut self, a: Slot, b: Slot) -> Slot {
        match (self.known(a), self.known(b)) {
            (Some(a), Some(b)) => self.constant(a.saturating_add(b)),
            (Some(0), None) => b,
            (None, Some(0)) => a,
            (None, Some(value)) if i32::try_from(value).is_ok() => self.add_const(a, value),
            (Some(value), None) if i32::try_from(value).is_ok() => self.add_const(b, value),
            _ => self.into_fresh(|to| Instruction::Add { to, a, b }),
        }
    }

    fn add_const(&mut self, a: Slot, value: i64) -> Slot {
        let value = i32::try_from(value).unwrap_or(0);
        self.into_fresh(|to| Instruction::AddConst { to, a, value })
    }

    pub(super) fn subtract(&mut self, a: Slot, b: Slot) -> Slot {
        match (self.known(a), self.known(b)) {
            (Some(a), Some(b)) => self.constant(a.saturating_sub(b)),
            (None, Some(0)) => a,
            (None, Some(value)) if i32::try_from(value).is_ok_and(|value| value != i32::MIN) => {
                self.add_const(a, -value)
            }
            _ => self.into_fresh(|to| Instruction::Subtract { to, a, b }),
        }
    }

    pub(super) fn multiply(&mut self, a: Slot, b: Slot) -> Slot {
        match (self.known(a), self.known(b)) {
            (Some(a), Some(b)) => self.constant(a.saturating_mul(b)),
            (Some(1), None) => b,
            (None, Some(1)) => a,
            (Some(0), None) | (None, Some(0)) => self.constant(0),
            _ => self.into_fresh(|to| Instruction::Multiply { to, a, b }),
        }
    }

    pub(super) fn divide(&mut self, a: Slot, b: Slot) -> Slot {
        match (self.known(a), self.known(b)) {
            (Some(a), Some(b)) => self.constant(divide_down(a, b).unwrap_or(NO_NUMBER)),
            (None, Some(1)) => a,
            _ => self.into_fresh(|to| Instruction::Divide { to, a, b }),
        }
    }

    pub(super) fn modulo(&mut self, a: Slot, b: i64) -> Slot {
        match self.known(a) {
            Some(a) => self.constant(a.rem_euclid(b.max(1))),
            None => {
                let b = self.constant(b);
                self.into_fresh(|to| Instruction::Modulo { to, a, b })
            }
        }
    }

    /// `a * times + plus`
    pub(super) fn multiply_add(&mut self, a: Slot, times: u32, plus: Slot) -> Slot {
        if times == 1 {
            return self.add(a, plus);
        }
        match (self.known(a), self.known(plus)) {
            (Some(a), _) => {
                let product = self.constant(a.saturating_mul(i64::from(times)));
                self.add(product, plus)
            }
            _ => self.into_fresh(|to| Instruction::MultiplyAdd { to, a, times, plus }),
        }
    }

    pub(super) fn extreme(&mut self, least: bool, a: Slot, b: Slot) -> Slot {
        match (self.known(a), self.known(b)) {
            (Some(a), Some(b)) => self.constant(if least { a.min(b) } else { a.max(b) }),
            _ if least => self.into_fresh(|to| Instruction::Least { to, a, b }),
            _ => self.into_fresh(|to| Instruction::Most { to, a, b }),
        }
    }

    /// Members of one mask, both, …
    pub(super) fn masks(&mut self, which: Masks, a: Slot, b: Slot) -> Slot {
        match (self.known(a), self.known(b)) {
            (Some(a), Some(b)) => self.constant(match which {
                Masks::Both => a & b,
                Masks::Either => a | b,
                Masks::Without => a & !b,
            }),
            (None, Some(0)) if which != Masks::Both => a,
            (Some(0), None) if which == Masks::Either => b,
            (Some(0), None) => a,
            _ => self.into_fresh(|to| match which {
                Masks::Both => Instruction::Both { to, a, b },
                Masks::Either => Instruction::Either { to, a, b },
                Masks::Without => Instruction::Without { to, a, b },
            }),
        }
    }

    pub(super) fn into_fresh(&mut self, make: impl FnOnce(Slot) -> Instruction) -> Slot {
        let to = self.fresh();
        self.push(make(to));
        to
    }

    /// A look into a table at a place that may be known.
    pub(super) fn table(&mut self, from: u32, at: Slot) -> Slot {
        match self.known(at).and_then(|at| usize::try_from(at).ok()) {
            Some(at) => {
                let value = self.tables.get(from as usize + at).copied().unwrap_or(0);
                self.constant(value)
            }
            None => self.into_fresh(|to| Instruction::Table { to, at, from }),
        }
    }

    // ------------------------------------------------------------ branches

    pub(super) fn jump(&mut self, to: Label) {
        self.push(Instruction::Jump { go: to.0 });
    }

    /// On to a label if a comparison comes out as wanted.
    pub(super) fn jump_if(&mut self, test: Test, a: Slot, b: Slot, sense: bool, to: Label) {
        let (known_a, known_b) = (self.known(a), self.known(b));
        let decided = match (known_a, known_b) {
            (Some(a), Some(b)) => Some(match test {
                Test::Same => a == b,
                Test::Less => a < b,
                Test::AtMost => a <= b,
            }),
            _ if a == b => Some(test != Test::Less),
            _ => None,
        };
        if let Some(decided) = decided {
            if decided == sense {
                self.jump(to);
            }
            return;
        }
        let go = to.0;
        self.push(match (test, sense) {
            (Test::Same, true) => Instruction::IfSame { a, b, go },
            (Test::Same, false) => Instruction::IfOther { a, b, go },
            (Test::Less, true) => Instruction::IfLess { a, b, go },
            (Test::Less, false) => Instruction::IfAtMost { a: b, b: a, go },
            (Test::AtMost, true) => Instruction::IfAtMost { a, b, go },
            (Test::AtMost, false) => Instruction::IfLess { a: b, b: a, go },
        });
    }

    /// On to a label unless a number lies in a range.
    pub(super) fn jump_outside(&mut self, a: Slot, low: i64, count: u64, to: Label) {
        let high = i128::from(low) + i128::from(count) - 1;
        if let Some(value) = self.known(a) {
            if i128::from(value) < i128::from(low) || i128::from(value) > high {
                self.jump(to);
            }
            return;
        }
        match (i32::try_from(low), u32::try_from(count)) {
            (Ok(low), Ok(count)) => self.push(Instruction::IfOutside { a, low, count, go: to.0 }),
            _ => {
                let low = self.constant(low);
                self.jump_if(Test::Less, a, low, true, to);
                let high = self.constant(i64::try_from(high).unwrap_or(i64::MAX));
                self.jump_if(Test::AtMost, a, high, false, to);
            }
        }
    }

    /// On to a label if a member is, or is not, in some masks.
    pub(super) fn jump_if_member(&mut self, bits: Slot, member: Slot, sense: bool, to: Label) {
        if let Some(member) = self.known(member) {
            let word = bits.saturating_add(Slot::try_from(member >> 6).unwrap_or(0));
            if let Some(mask) = self.known(word) {
                if (mask >> (member & 63) & 1 == 1) == sense {
                    self.jump(to);
                }
                return;
            }
        }
        let go = to.0;
        self.push(if sense {
            Instruction::IfMember { bits, member, go }
        } else {
            Instruction::IfNoMember { bits, member, go }
        });
    }
}

/// A comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Test {
    Same,
    Less,
    AtMost,
}

/// What two masks are made to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Masks {
    Both,
    Either,
    Without,
}
