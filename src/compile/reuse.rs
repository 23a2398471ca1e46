//! Values that have been worked out and still hold: they need not be worked out again.
//!
//! A value holds as long as every way to the present place leads past where it was worked out, nothing that it
//! was made of has been written since, and, if it was read from the block, nothing has been stored there.

use std::collections::HashMap;

use super::builder::Label;
use crate::bind::ExprId;
use crate::machine::{Instruction, Slot};

/// What a value is.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Made {
    /// What an instruction works out; its own target is slot 0.
    By(Instruction),
    /// What an expression that takes a loop stands for, with its variables in these slots.
    Asked(ExprId, Vec<Slot>),
}

#[derive(Debug, Default)]
pub(super) struct Reuse {
    known: HashMap<Made, Slot>,
    /// What is known, in the order of the code: where it was worked out.
    order: Vec<(usize, Made)>,
    /// What was made of a slot.
    made_of: HashMap<Slot, Vec<Made>>,
    /// The first jump to each label,
    jumps: HashMap<u32, usize>,
    /// and these in the order of the code.
    first_jumps: Vec<(usize, u32)>,
}

impl Reuse {
    /// The slot that holds what this instruction would work out; its own target is slot 0.
    pub(super) fn find(&self, instruction: &Instruction) -> Option<Slot> {
        self.known.get(&Made::By(*instruction)).copied()
    }

    pub(super) fn keep(&mut self, instruction: Instruction, slot: Slot, at: usize) {
        if instruction.is_lasting() {
            self.keep_always(instruction, slot, at);
        }
    }

    /// The same for what holds until something is stored.
    pub(super) fn keep_always(&mut self, instruction: Instruction, slot: Slot, at: usize) {
        let mut operands = Vec::new();
        instruction.each_read(|operand| operands.push(operand));
        self.note(Made::By(instruction), &operands, slot, at);
    }

    /// The slot that holds the value of an expression with its variables in these slots.
    pub(super) fn find_asked(&self, id: ExprId, of: &[Slot]) -> Option<Slot> {
        self.known.get(&Made::Asked(id, of.to_vec())).copied()
    }

    /// The value of an expression is in a slot, which nobody writes again.
    pub(super) fn keep_asked(&mut self, id: ExprId, of: &[Slot], slot: Slot, at: usize) {
        self.note(Made::Asked(id, of.to_vec()), of, slot, at);
    }

    fn note(&mut self, made: Made, operands: &[Slot], slot: Slot, at: usize) {
        for &operand in operands {
            self.made_of.entry(operand).or_default().push(made.clone());
        }
        self.known.insert(made.clone(), slot);
        self.order.push((at, made));
    }

    /// An instruction is written at this place.
    pub(super) fn wrote(&mut self, instruction: &Instruction, at: usize) {
        if let Some(label) = instruction.target() {
            self.jumps.entry(label).or_insert_with(|| {
                self.first_jumps.push((at, label));
                at
            });
        }
        match instruction {
            Instruction::Store8 { .. }
            | Instruction::Store16 { .. }
            | Instruction::Store32 { .. }
            | Instruction::Store64 { .. }
            | Instruction::Restore => self.forget_loads(),
            _ => {}
        }
        instruction.each_written(|slot| {
            for gone in self.made_of.remove(&slot).unwrap_or_default() {
                self.known.remove(&gone);
            }
        });
        if let Instruction::Put { base, .. } = *instruction {
            // It may write any slot from there on.
            self.made_of.retain(|slot, made| {
                let stays = *slot < base;
                if !stays {
                    self.known.retain(|known, _| !made.contains(known));
                }
                stays
            });
        }
    }

    /// A label is placed: what was worked out after the first jump to it may not have been.
    pub(super) fn arrive(&mut self, label: Label) {
        if let Some(&first) = self.jumps.get(&label.0) {
            self.forget_from(first);
        }
    }

    /// The code from this place on is taken back: neither its values nor its jumps are there any more.
    pub(super) fn take_back(&mut self, to: usize) {
        self.forget_from(to);
        while let Some((_, label)) = self.first_jumps.pop_if(|(at, _)| *at >= to) {
            self.jumps.remove(&label);
        }
    }

    /// What was worked out from this place on is not known any more.
    fn forget_from(&mut self, from: usize) {
        while let Some((_, gone)) = self.order.pop_if(|(at, _)| *at >= from) {
            self.known.remove(&gone);
        }
    }

    pub(super) fn forget_all(&mut self) {
        self.known.clear();
        self.order.clear();
        self.made_of.clear();
    }

    /// Partitions may have been worked out for something that was only tried.
    pub(super) fn forget_partitions(&mut self) {
        self.known.retain(|made, _| !matches!(made, Made::By(Instruction::Refresh { .. })));
    }

    /// Something was stored.
    pub(super) fn forget_loads(&mut self) {
        self.known.retain(|made, _| {
            !matches!(
                made,
                Made::Asked(..)
                    | Made::By(
                        Instruction::Load8 { .. }
                            | Instruction::Load16 { .. }
                            | Instruction::Load32 { .. }
                            | Instruction::Load64 { .. }
                            | Instruction::Matches { .. }
                            | Instruction::Alike { .. }
                            | Instruction::Among { .. }
                            | Instruction::Refresh { .. }
                            | Instruction::Get { .. }
                    )
            )
        });
    }
}
