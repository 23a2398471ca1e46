//! Which slots an instruction reads and writes: what passes over programs ask.

use super::instruction::{Instruction, Slot, in_a_row, masks_for};

impl Instruction {
    /// The slots that it reads, one by one; not those that it finds by number (`Get`) or as further masks.
    pub fn each_read(self, mut visit: impl FnMut(Slot)) {
        match self {
            Self::Copy { from: a, .. }
            | Self::AddConst { a, .. }
            | Self::Table { at: a, .. }
            | Self::Find { at: a, .. }
            | Self::Load8 { at: a, .. }
            | Self::Load16 { at: a, .. }
            | Self::Load32 { at: a, .. }
            | Self::Load64 { at: a, .. }
            | Self::Get { at: a, .. }
            | Self::IfOutside { a, .. }
            | Self::Next { bits: a, .. }
            | Self::Pairing { rows: a, .. }
            | Self::Matches { b: a, .. }
            | Self::Among { at: a, .. }
            | Self::Lower { a, .. }
            | Self::Lowest { a, .. }
            | Self::Highest { a, .. }
            | Self::Decided { winners: a }
            | Self::Paid { amount: a } => visit(a),
            Self::Add { a, b, .. }
            | Self::Subtract { a, b, .. }
            | Self::Multiply { a, b, .. }
            | Self::Divide { a, b, .. }
            | Self::Modulo { a, b, .. }
            | Self::Least { a, b, .. }
            | Self::Most { a, b, .. }
            | Self::Both { a, b, .. }
            | Self::Either { a, b, .. }
            | Self::Without { a, b, .. }
            | Self::MultiplyAdd { a, plus: b, .. }
            | Self::Tally { to: b, a }
            | Self::Join { bits: a, member: b }
            | Self::Leave { bits: a, member: b }
            | Self::IfSame { a, b, .. }
            | Self::IfOther { a, b, .. }
            | Self::IfLess { a, b, .. }
            | Self::IfAtMost { a, b, .. }
            | Self::IfMember { bits: a, member: b, .. }
            | Self::IfNoMember { bits: a, member: b, .. }
            | Self::IfHolds8 { at: a, b, .. }
            | Self::IfLacks8 { at: a, b, .. }
            | Self::Count { at: a, last: b, .. }
            | Self::Store8 { value: a, at: b, .. }
            | Self::Store16 { value: a, at: b, .. }
            | Self::Store32 { value: a, at: b, .. }
            | Self::Store64 { value: a, at: b, .. }
            | Self::Put { at: a, from: b, .. }
            | Self::Unite { a, b, .. }
            | Self::Weigh { value: a, weight: b } => {
                visit(a);
                visit(b);
            }
            Self::Alike { .. }
            | Self::Jump { .. }
            | Self::Tick { .. }
            | Self::Call { .. }
            | Self::Return
            | Self::Lots { .. }
            | Self::Refresh { .. }
            | Self::Sort { .. }
            | Self::Keep
            | Self::Restore
            | Self::Choose { .. }
            | Self::Chance { .. }
            | Self::Over
            | Self::Emit { .. }
            | Self::Fail { .. } => {}
        }
    }

    /// The slots that it writes, one by one; not those that it finds by number (`Put`).
    pub fn each_written(self, mut visit: impl FnMut(Slot)) {
        match self {
            Self::Copy { to, .. }
            | Self::Tally { to, .. }
            | Self::Get { to, .. }
            | Self::Pairing { to, .. }
            | Self::Find { to, .. }
            | Self::Count { at: to, .. }
            | Self::Join { bits: to, .. }
            | Self::Leave { bits: to, .. } => visit(to),
            Self::Next { bits, members, to, .. } => {
                in_a_row(bits, masks_for(members)).chain([to]).for_each(visit);
            }
            _ => {
                if let Some(to) = self.worked_out() {
                    visit(to);
                }
            }
        }
    }

    /// Does what it works out depend on its operands and the block alone?
    #[must_use]
    pub fn is_lasting(self) -> bool {
        self.worked_out().is_some()
    }

    fn worked_out(self) -> Option<Slot> {
        match self {
            Self::Add { to, .. }
            | Self::Subtract { to, .. }
            | Self::Multiply { to, .. }
            | Self::Divide { to, .. }
            | Self::Modulo { to, .. }
            | Self::Least { to, .. }
            | Self::Most { to, .. }
            | Self::Both { to, .. }
            | Self::Either { to, .. }
            | Self::Without { to, .. }
            | Self::AddConst { to, .. }
            | Self::Matches { to, .. }
            | Self::Alike { to, .. }
            | Self::Among { to, .. }
            | Self::Lower { to, .. }
            | Self::Lowest { to, .. }
            | Self::Highest { to, .. }
            | Self::MultiplyAdd { to, .. }
            | Self::Table { to, .. }
            | Self::Load8 { to, .. }
            | Self::Load16 { to, .. }
            | Self::Load32 { to, .. }
            | Self::Load64 { to, .. } => Some(to),
            _ => None,
        }
    }
}
