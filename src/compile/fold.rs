//! Makers of instructions that look first at what is known.
//!
//! Whatever the numbers, options and players of a game decide is decided here while it is compiled, and
//! branches that cannot be taken are never written.

use super::builder::{Builder, Label};
use crate::bind::{ExprId, divide_down};
use crate::internal::exact;
use crate::machine::{Instruction, NO_NUMBER, Slot};

impl Builder {
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
            _ => self.work_out(|to| Instruction::Add { to, a, b }),
        }
    }

    fn add_const(&mut self, a: Slot, value: i64) -> Slot {
        let (a, before) = self.offset(a);
        let sum = before + value;
        let Ok(value) = i32::try_from(sum) else {
            let b = self.constant(sum);
            return self.work_out(|to| Instruction::Add { to, a, b });
        };
        if value == 0 {
            return a;
        }
        let to = self.work_out(|to| Instruction::AddConst { to, a, value });
        if Self::is_value(to) && Self::is_value(a) {
            self.offsets.insert(to, (a, sum));
        }
        to
    }

    /// A slot as another one and a constant.
    pub(super) fn offset(&self, slot: Slot) -> (Slot, i64) {
        self.offsets.get(&slot).copied().unwrap_or((slot, 0))
    }

    pub(super) fn subtract(&mut self, a: Slot, b: Slot) -> Slot {
        match (self.known(a), self.known(b)) {
            (Some(a), Some(b)) => self.constant(a.saturating_sub(b)),
            (None, Some(0)) => a,
            (None, Some(value)) if i32::try_from(value).is_ok_and(|value| value != i32::MIN) => {
                self.add_const(a, -value)
            }
            _ => self.work_out(|to| Instruction::Subtract { to, a, b }),
        }
    }

    pub(super) fn multiply(&mut self, a: Slot, b: Slot) -> Slot {
        match (self.known(a), self.known(b)) {
            (Some(a), Some(b)) => self.constant(a.saturating_mul(b)),
            (Some(1), None) => b,
            (None, Some(1)) => a,
            (Some(0), None) | (None, Some(0)) => self.constant(0),
            _ => self.work_out(|to| Instruction::Multiply { to, a, b }),
        }
    }

    pub(super) fn divide(&mut self, a: Slot, b: Slot) -> Slot {
        match (self.known(a), self.known(b)) {
            (Some(a), Some(b)) => self.constant(divide_down(a, b).unwrap_or(NO_NUMBER)),
            (None, Some(1)) => a,
            _ => self.work_out(|to| Instruction::Divide { to, a, b }),
        }
    }

    pub(super) fn modulo(&mut self, a: Slot, b: i64) -> Slot {
        match self.known(a) {
            Some(a) => self.constant(a.rem_euclid(b.max(1))),
            None => {
                let b = self.constant(b);
                self.work_out(|to| Instruction::Modulo { to, a, b })
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
            _ => self.work_out(|to| Instruction::MultiplyAdd { to, a, times, plus }),
        }
    }

    pub(super) fn extreme(&mut self, least: bool, a: Slot, b: Slot) -> Slot {
        match (self.known(a), self.known(b)) {
            (Some(a), Some(b)) => self.constant(if least { a.min(b) } else { a.max(b) }),
            _ if least => self.work_out(|to| Instruction::Least { to, a, b }),
            _ => self.work_out(|to| Instruction::Most { to, a, b }),
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
            _ => self.work_out(|to| match which {
                Masks::Both => Instruction::Both { to, a, b },
                Masks::Either => Instruction::Either { to, a, b },
                Masks::Without => Instruction::Without { to, a, b },
            }),
        }
    }

    /// A value that an instruction works out, or the slot that holds it already.
    pub(super) fn work_out(&mut self, make: impl Fn(Slot) -> Instruction) -> Slot {
        if let Some(known) = self.reuse.find(&make(0)) {
            return known;
        }
        let to = self.value_slot();
        let instruction = make(to);
        // Where values have run out, a slot is used again.
        if !self.is_dead() && Self::is_value(to) {
            self.reuse.keep(make(0), to, self.code.len());
        }
        self.push(instruction);
        to
    }

    /// Keeps the value of an expression with its variables in these slots; gives the slot that it is kept in.
    pub(super) fn keep_asked(&mut self, id: ExprId, of: &[Slot], value: Slot) -> Slot {
        let kept = if Self::is_value(value) { value } else { self.value_slot() };
        if !Self::is_value(kept) || self.is_dead() {
            return value;
        }
        self.copy(kept, value);
        self.reuse.keep_asked(id, of, kept, self.code.len().saturating_sub(1));
        kept
    }

    /// Makes sure that a partition is up to date, unless it is.
    pub(super) fn refresh(&mut self, region: u16) {
        let refresh = Instruction::Refresh { region };
        if self.reuse.find(&refresh).is_none() && !self.is_dead() {
            self.push(refresh);
            self.reuse.keep_always(refresh, 0, self.code.len() - 1);
        }
    }

    /// The group of a member in a partition that is up to date.
    pub(super) fn work_out_group(&mut self, base: Slot, member: Slot) -> Slot {
        let key = Instruction::Get { to: 0, base, at: member };
        if let Some(known) = self.reuse.find(&key) {
            return known;
        }
        let to = self.value_slot();
        if !self.is_dead() && Self::is_value(to) {
            self.reuse.keep_always(key, to, self.code.len());
        }
        self.push(Instruction::Get { to, base, at: member });
        to
    }

    /// A look into a table at a place that may be known.
    pub(super) fn table(&mut self, from: u32, at: Slot) -> Slot {
        match self.known(at).and_then(|at| usize::try_from(at).ok()) {
            Some(at) => {
                let value = self.in_table(from, at);
                self.constant(value)
            }
            None => {
                let count = self.table_room(from);
                self.work_out(|to| Instruction::Table { to, at, from, count })
            }
        }
    }

    /// An entry of the table that begins here or before; 0 behind its end, as for the instruction.
    pub(super) fn in_table(&self, from: u32, at: usize) -> i64 {
        let room: usize = exact(self.table_room(from));
        if at < room { self.tables[from as usize + at] } else { 0 }
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
                let high = self.constant(exact::<_, i64>(high));
                self.jump_if(Test::AtMost, a, high, false, to);
            }
        }
    }

    /// On to a label if a member is, or is not, in some masks.
    pub(super) fn jump_if_member(&mut self, bits: Slot, member: Slot, sense: bool, to: Label) {
        if let Some(member) = self.known(member) {
            // Behind a jump that is always taken, what is asked for may be no member of anything.
            let Ok(word) = Slot::try_from(member >> 6) else {
                if !sense {
                    self.jump(to);
                }
                return;
            };
            let word = bits.saturating_add(word);
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
