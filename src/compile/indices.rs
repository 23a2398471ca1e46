//! Indices: which element of a state, a number or a column they stand for.
//!
//! Numbers and columns are tables, in which the last index runs fastest; elements of states lie as `layout.rs` says.

use super::builder::Label;
use super::compiler::{Compiler, Try};
use crate::bind::{ExprId, StateId, Type};
use crate::internal::{Must, exact};
use crate::machine::{Slot, scalar_size};

/// The value of an index, the least it can have, and how many it can.
#[derive(Debug, Clone, Copy)]
pub(super) struct Index {
    value: Slot,
    low: i64,
    size: u64,
}

impl Index {
    pub(super) fn value(self) -> Slot {
        self.value
    }

    pub(super) fn low(self) -> i64 {
        self.low
    }
}

impl Compiler<'_> {
    /// Which element of a state it is, as they lie in the block, and how much of that lies before the first.
    pub(super) fn number_of(&mut self, state: StateId, args: &[ExprId], none: Label) -> Try<(Slot, i64)> {
        let indices = self.index_values(&self.bound.state(state).indices, args, none)?;
        Ok(self.number_in(state, &indices))
    }

    /// The same, with all indices worked out.
    pub(super) fn number_in(&mut self, state: StateId, indices: &[Index]) -> (Slot, i64) {
        let order = self.state_place(state).slowest_first();
        self.joined(order.iter().filter_map(|&nth| indices.get(nth)))
    }

    /// All indices together, the last running fastest, and how much of that lies before the first element.
    pub(super) fn linear(&mut self, indices: &[Type], args: &[ExprId], none: Label) -> Try<(Slot, i64)> {
        let indices = self.index_values(indices, args, none)?;
        Ok(self.joined(indices.iter()))
    }

    /// The values of indices; on to the label if one of them is none.
    pub(super) fn index_values(&mut self, indices: &[Type], args: &[ExprId], none: Label) -> Try<Vec<Index>> {
        let mut values = Vec::new();
        for (ty, &arg) in indices.iter().zip(args) {
            let value = self.strict(arg, none)?;
            let index = self.index(ty, value);
            if !within(self.ty(arg), ty) {
                self.code.jump_outside(value, index.low, index.size, none);
            }
            values.push(index);
        }
        Ok(values)
    }

    /// A value as an index of this type.
    pub(super) fn index(&self, ty: &Type, value: Slot) -> Index {
        let low = if let Type::Int(low, _) = ty { *low } else { 0 };
        Index { value, low, size: scalar_size(self.types(), ty).must("a scalar type has a size") }
    }

    /// Some indices together, the last running fastest, and how much of that lies before the first element.
    fn joined<'a>(&mut self, indices: impl Iterator<Item = &'a Index>) -> (Slot, i64) {
        let mut at = self.constant(0);
        let mut below: i64 = 0;
        for Index { value, low, size } in indices {
            let times = exact::<_, u32>(*size);
            at = self.code.multiply_add(at, times, *value);
            below = below.saturating_mul(i64::from(times)).saturating_add(*low);
        }
        (at, below)
    }
}

/// Does every value of one type belong to another, but for `none`?
pub(super) fn within(found: &Type, wanted: &Type) -> bool {
    match (found.plain(), wanted.plain()) {
        (Type::Int(low, high), Type::Int(from, to)) => from <= low && high <= to,
        (Type::Nothing, _) => true,
        (found, wanted) => found == wanted,
    }
}
