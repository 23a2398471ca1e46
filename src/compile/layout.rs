//! Where everything lies in the block: the header, then the states; what the flow remembers comes last.

use crate::bind::{Bound, StateId, Type, Types, Visibility};
use crate::internal::exact;
use crate::limits;
use crate::machine::{Cell, HEADER, StatePlace, scalar_size};

/// How a value of a type lies in the block; nothing if it is too large or made of what cannot lie there.
pub(super) fn cell(types: &Types, ty: &Type) -> Option<Cell> {
    match ty {
        Type::Set(inner) => {
            let members = scalar_size(types, inner).filter(|&size| size <= limits::MEMBERS)?;
            Some(match members {
                0..=8 => plain(1),
                9..=16 => plain(2),
                17..=32 => plain(4),
                _ => Cell { units: u32::try_from(members.div_ceil(64)).ok()?, ..plain(8) },
            })
        }
        Type::List(length, inner) => {
            let inner = cell(types, inner).filter(|inner| inner.units == 1)?;
            let width = inner.width.max(width_for(u64::from(*length) + 1));
            Some(Cell { width, units: length.checked_add(1)?, ..inner })
        }
        Type::Optional(inner) if matches!(**inner, Type::Set(_) | Type::List(..)) => None,
        Type::Optional(inner) => {
            let size = scalar_size(types, inner)?;
            Some(match (&**inner, width_for(size + 1)) {
                (Type::Int(low, _), width) if width < 8 && i32::try_from(low - 1).is_ok() => {
                    Cell { bias: low - 1, no_number: true, ..plain(width) }
                }
                (Type::Int(..), _) => plain(8),
                (_, width) => Cell { bias: -1, ..plain(width) },
            })
        }
        Type::Int(low, _) => Some(match width_for(scalar_size(types, ty)?) {
            8 => plain(8),
            width if i32::try_from(*low).is_ok() => Cell { bias: *low, ..plain(width) },
            _ => plain(8),
        }),
        _ => Some(plain(width_for(scalar_size(types, ty)?))),
    }
}

fn plain(width: u8) -> Cell {
    Cell { width, units: 1, bias: 0, no_number: false }
}

fn width_for(size: u64) -> u8 {
    match size {
        0..=0x100 => 1,
        0x101..=0x1_0000 => 2,
        0x1_0001..=0x1_0000_0000 => 4,
        _ => 8,
    }
}

/// Bytes of one element.
pub(super) fn bytes_of(cell: &Cell) -> usize {
    usize::from(cell.width) * exact::<_, usize>(cell.units)
}

/// How far the next value of each index lies. Elements of a state that fits one mask lie in the order of the rules, so that
/// several indices can vary in it; of a larger one those lie side by side that differ only in the index with most values.
/// What each owner alone sees stays together.
fn steps(types: &Types, indices: &[Type], seen: Visibility) -> Vec<(u32, u32)> {
    let sizes: Vec<u32> = indices.iter().map(|ty| exact::<_, u32>(types.size(ty))).collect();
    let in_order = seen == Visibility::Owner || sizes.iter().fold(1, |all: u32, size| all.saturating_mul(*size)) <= 64;
    let most = sizes.iter().enumerate().max_by_key(|(_, size)| **size).map_or(0, |(nth, _)| nth);
    let fastest = if in_order { sizes.len().saturating_sub(1) } else { most };
    let mut steps: Vec<(u32, u32)> = sizes.iter().map(|size| (*size, 1)).collect();
    let mut step = sizes.get(fastest).copied().unwrap_or(1);
    for nth in (0..sizes.len()).rev().filter(|nth| *nth != fastest) {
        steps[nth].1 = step;
        step = step.saturating_mul(sizes[nth]);
    }
    steps
}

/// Why a state has no place.
pub(super) enum Misfit {
    /// Nothing of its type lies in a block.
    Kind(StateId),
    /// With it the block is too long.
    Size(StateId),
}

/// Lays the states out behind the header, and says where they end; the state that cannot be, otherwise.
pub(super) fn states(bound: &Bound, absent: &[bool]) -> Result<(Vec<StatePlace>, usize), Misfit> {
    let mut at = HEADER;
    let mut places = Vec::new();
    for ((state, id), absent) in bound.states.iter().zip((0..).map(StateId)).zip(absent) {
        let cell = cell(&bound.types, &state.ty).ok_or(Misfit::Kind(id))?;
        let count =
            if *absent { 0 } else { state.indices.iter().map(|ty| bound.types.size(ty)).fold(1, u64::saturating_mul) };
        let bytes = usize::try_from(count).ok().and_then(|count| count.checked_mul(bytes_of(&cell)));
        let bytes = bytes.filter(|bytes| at + bytes <= limits::STATE_BYTES).ok_or(Misfit::Size(id))?;
        places.push(StatePlace {
            state: id,
            ty: state.ty.clone(),
            first: u32::try_from(at).map_err(|_| Misfit::Size(id))?,
            count: u32::try_from(count).map_err(|_| Misfit::Size(id))?,
            steps: steps(&bound.types, &state.indices, state.seen),
            cell,
            values: scalar_size(&bound.types, state.ty.plain()).map(|size| size + u64::from(state.ty.is_optional())),
        });
        at += bytes;
    }
    Ok((places, at))
}
