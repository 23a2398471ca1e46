//! Kinds of memory that do not overlap, as Cranelift is told.
//!
//! The frame, slots, block, lists, tables and stack are different pieces of memory. Inside the block, states and what the flow
//! keeps count as two kinds only in pieces of which it is shown that no access by index leads from one to the other.

use cranelift_codegen::ir::{AliasRegion, AliasRegionData};
use cranelift_frontend::FunctionBuilder;

use super::super::Program;
use super::super::instruction::{Instruction, Slot, Target};
use super::super::program::HEADER;
use super::borders::Borders;

/// Kinds of memory that do not overlap.
#[derive(Clone, Copy)]
pub(super) struct Kinds {
    pub(super) frame: AliasRegion,
    pub(super) slots: AliasRegion,
    pub(super) state: AliasRegion,
    pub(super) flow: AliasRegion,
    pub(super) moves: AliasRegion,
    pub(super) constant: AliasRegion,
    pub(super) planes: AliasRegion,
}

impl Kinds {
    /// The kinds of a piece. What the flow keeps is a kind of its own only where no index leads from states into it.
    pub(super) fn new(builder: &mut FunctionBuilder<'_>, apart: bool) -> Self {
        let mut kind = |user_id: u32, description: &'static str| {
            let data = AliasRegionData { user_id, description: description.into() };
            builder.func.dfg.alias_regions.insert(data)
        };
        let state = kind(2, "block");
        Self {
            frame: kind(0, "frame"),
            slots: kind(1, "slots"),
            state,
            moves: kind(3, "entries"),
            constant: kind(4, "tables"),
            flow: if apart { kind(5, "flow") } else { state },
            planes: kind(6, "planes"),
        }
    }
}

/// Are these bytes those of states?
pub(super) fn of_states(program: &Program, (first, end): (i64, i64)) -> bool {
    usize::try_from(first).is_ok_and(|first| first >= HEADER)
        && i64::try_from(program.flow).is_ok_and(|flow| end <= flow)
}

/// Does every access of a piece to the block lie either in states, or at a known place outside of them?
pub(super) fn are_states_apart(program: &Program, borders: &Borders, body: &[Target]) -> bool {
    let apart = |at: &Target| {
        let Some(&instruction) = program.code.get(*at as usize) else { return false };
        let element = |at: Slot, from: u32, width: i64| {
            let known = borders.constants.get(&at);
            let (low, high) = known.map_or_else(|| borders.ranges.get(at), |at| (*at, *at));
            let place = |at: i64| at.saturating_mul(width).saturating_add(i64::from(from));
            let (first, end) = (place(low), place(high).saturating_add(width));
            let flow = i64::try_from(program.flow).unwrap_or(i64::MAX);
            let header = usize::try_from(end).is_ok_and(|end| end <= HEADER);
            of_states(program, (first, end)) || known.is_some() && (header || first >= flow)
        };
        let row = |from: u32, count: u8| of_states(program, (i64::from(from), i64::from(from) + i64::from(count)));
        match instruction {
            Instruction::Load8 { at, from, .. }
            | Instruction::Store8 { at, to: from, .. }
            | Instruction::IfHolds8 { at, from, .. }
            | Instruction::IfLacks8 { at, from, .. } => element(at, from, 1),
            Instruction::Load16 { at, from, .. } | Instruction::Store16 { at, to: from, .. } => element(at, from, 2),
            Instruction::Load32 { at, from, .. } | Instruction::Store32 { at, to: from, .. } => element(at, from, 4),
            Instruction::Load64 { at, from, .. } | Instruction::Store64 { at, to: from, .. } => element(at, from, 8),
            Instruction::Matches { from, count, .. } => row(from, count),
            Instruction::Alike { from, other, count, .. } => row(from, count) && row(other, count),
            // Where it is not certain that its bytes lie in the block, the first ones are read instead.
            Instruction::Among { at, from, count, .. } => {
                let last = count.saturating_sub(1);
                element(at, from, 1) && element(at, from.saturating_add(u32::from(last)), 1)
            }
            _ => true,
        }
    };
    body.iter().all(apart)
}
