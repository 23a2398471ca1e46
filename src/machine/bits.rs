//! Masks: which elements are this, and which members a set has.

use super::Slots;
use super::instruction::{NO_MEMBER, Slot, masks_for};

/// The numbers of the bytes that have this value.
#[inline(never)]
pub(super) fn matches(state: &[u8], from: u32, count: u8, value: i64) -> i64 {
    let Ok(value) = u8::try_from(value) else { return 0 };
    let bytes = state.get(from as usize..from as usize + usize::from(count)).unwrap_or_default();
    bytes.iter().take(64).enumerate().fold(0, |mask, (nth, byte)| mask | (i64::from(*byte == value) << nth))
}

/// The numbers of the bytes that are the same as others.
#[inline(never)]
pub(super) fn alike(state: &[u8], from: u32, other: u32, count: u8) -> i64 {
    let bytes = |from: u32| state.get(from as usize..from as usize + usize::from(count)).unwrap_or_default();
    let pairs = bytes(from).iter().zip(bytes(other)).take(64).enumerate();
    pairs.fold(0, |mask, (nth, (one, other))| mask | (i64::from(one == other) << nth))
}

/// The numbers of the bytes that are in a set.
#[inline(never)]
pub(super) fn among(state: &[u8], from: usize, count: u8, set: [u64; 4]) -> i64 {
    let bytes = state.get(from..from.wrapping_add(usize::from(count))).unwrap_or_default();
    let is_in = |byte: u8| (set[usize::from(byte >> 6)] >> (byte & 63) & 1).cast_signed();
    bytes.iter().take(64).enumerate().fold(0, |mask, (nth, byte)| mask | is_in(*byte) << nth)
}

/// A set of bytes, from the tables of a program.
pub(super) fn members(tables: &[i64], set: u32) -> [u64; 4] {
    std::array::from_fn(|word| tables.get(set as usize + word).map_or(0, |mask| mask.cast_unsigned()))
}

/// A mask with its first members, so many of them.
pub(crate) fn first_members(count: u64) -> i64 {
    let all = u32::try_from(count).ok().and_then(|count| 1_u64.checked_shl(count)).map(|above| above - 1);
    all.unwrap_or(u64::MAX).cast_signed()
}

/// The members that one of several masks has room for. What else it may hold is none of them, so that what is found can be
/// relied upon as an index.
pub(super) fn room_in(members: u32, nth: u16) -> i64 {
    first_members(u64::from(members.saturating_sub(u32::from(nth) * 64)))
}

/// The members of a mask, each so much lower; those below 0 or above 63 are left out.
pub(crate) fn lower(mask: i64, by: i8) -> i64 {
    let mask = mask.cast_unsigned();
    let far = u32::from(by.unsigned_abs());
    let moved = if by >= 0 { mask.checked_shr(far) } else { mask.checked_shl(far) };
    moved.unwrap_or(0).cast_signed()
}

/// The members of several masks, mask by mask: the mask, and how many members those before have room for.
fn masks(slots: &Slots, first: Slot, members: u16) -> impl DoubleEndedIterator<Item = (i64, i64)> {
    let count = masks_for(u32::from(members));
    (0..count).map(move |nth| {
        let mask = slots[usize::from(first.wrapping_add(nth))] & room_in(members.into(), nth);
        (mask, i64::from(nth) * 64)
    })
}

#[inline(never)]
pub(super) fn lowest(slots: &Slots, first: Slot, members: u16) -> i64 {
    let some = masks(slots, first, members).find(|(mask, _)| *mask != 0);
    some.map_or(NO_MEMBER, |(mask, below)| below + i64::from(mask.trailing_zeros()))
}

#[inline(never)]
pub(super) fn highest(slots: &Slots, first: Slot, members: u16) -> i64 {
    let some = masks(slots, first, members).rfind(|(mask, _)| *mask != 0);
    some.map_or(NO_MEMBER, |(mask, below)| below + 63 - i64::from(mask.leading_zeros()))
}

/// Takes the first member out of several masks.
#[inline(never)]
pub(super) fn next_of(slots: &mut Slots, bits: Slot, members: u32) -> Option<i64> {
    for nth in 0..masks_for(members) {
        let slot = &mut slots[usize::from(bits.wrapping_add(nth))];
        let mask = *slot & room_in(members, nth);
        if mask != 0 {
            *slot = mask & mask.wrapping_sub(1);
            return Some(i64::from(nth) * 64 + i64::from(mask.trailing_zeros()));
        }
    }
    None
}
