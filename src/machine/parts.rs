//! What single instructions do that takes more than a line: partitions, pairings, sorting, trials.

use std::cmp::Ordering;

use super::Program;
use super::instruction::{Instruction, NO_NUMBER, Slot, Target};
use super::program::{Partition, Sorting};
use super::{Desk, Move, Slots};
use crate::bind::divide_down;
use crate::limits;

// None of these is to be put into the executor's loop, which needs every register for itself.
impl Desk {
    /// Calls a routine.
    #[inline(never)]
    pub(super) fn call(&mut self, back: Target) {
        self.calls.push(back);
    }

    /// Notes what chance can give; false if there is no room for more.
    #[inline(never)]
    pub(super) fn weigh(&mut self, value: i64, weight: i64) -> bool {
        let room = self.outcomes.len() < limits::MOVES;
        if room {
            self.outcomes.push((value, u64::try_from(weight).unwrap_or(0)));
        }
        room
    }

    /// Are as many entries listed as there is room for?
    pub(super) fn is_full(&self) -> bool {
        self.count >= limits::MOVES
    }

    /// Takes an entry into the list.
    pub(super) fn note(&mut self, entry: Move) {
        self.make_room();
        self.moves[self.count] = entry;
        self.count += 1;
    }

    /// There is room for one more entry.
    #[inline]
    pub(super) fn make_room(&mut self) {
        if self.moves.len() <= self.count {
            self.moves.resize((self.count * 2).max(64), Move::PASS);
        }
    }

    /// Notes a legal entry; false if an argument is none of its type.
    #[inline(never)]
    pub(super) fn emit(&mut self, program: &Program, slots: &Slots, offer: u16) -> bool {
        let Some(known) = program.offers.get(usize::from(offer)) else { return false };
        let mut code = u64::from(offer);
        for param in known.params.iter().skip(known.bound) {
            let value = param.code(slots[usize::from(param.slot)]).filter(|value| *value < param.size);
            let Some(value) = value else { return false };
            code |= value << param.shift;
        }
        self.note(Move(code));
        true
    }

    /// Where a partition is brought up to date, and whether it must be looked at again after that.
    ///
    /// If what changed concerns members that belonged nowhere before, they are taken in one by one.
    #[inline(never)]
    pub(super) fn outdated(
        &mut self,
        program: &Program,
        slots: &mut Slots,
        state: &[u8],
        region: u16,
    ) -> Option<(Target, bool)> {
        let partition = program.regions.get(usize::from(region))?;
        let known = self.made_of.get_mut(usize::from(region))?;
        if let (true, Some((one_more, slot))) = (known.1, partition.one_more) {
            match changed_member(partition, &known.0, state) {
                None => return None,
                Some(member) if slots.get(usize::from(partition.groups) + member).is_some_and(|group| *group < 0) => {
                    copy_member(partition, &mut known.0, state, member);
                    slots[usize::from(slot)] = i64::try_from(member).unwrap_or(0);
                    return Some((one_more, true));
                }
                Some(_) => {}
            }
        }
        let mut at = 0;
        let mut same = known.1;
        for &(from, to) in &partition.made_of {
            let now = state.get(from as usize..to as usize).unwrap_or_default();
            let then = known.0.get(at..at + now.len()).unwrap_or_default();
            same = same && now == then;
            at += now.len();
        }
        if same {
            return None;
        }
        known.0.clear();
        for &(from, to) in &partition.made_of {
            known.0.extend_from_slice(state.get(from as usize..to as usize).unwrap_or_default());
        }
        known.1 = true;
        Some((partition.work_out, false))
    }

    /// One byte was written since a partition was up to date. If a member follows from one byte, and this one belonged
    /// nowhere, notes it as the member to be taken in; false if more must be looked at.
    pub(super) fn take_in(
        &mut self,
        program: &Program,
        slots: &mut Slots,
        state: &[u8],
        region: u16,
        place: usize,
    ) -> bool {
        let Some(partition) = program.regions.get(usize::from(region)) else { return false };
        let (Some((_, slot)), [(from, to)]) = (partition.one_more, partition.made_of.as_slice()) else { return false };
        let Some((known, true)) = self.made_of.get_mut(usize::from(region)) else { return false };
        let (from, to) = (*from as usize, *to as usize);
        if to - from != usize::from(partition.members) || !(from..to).contains(&place) {
            return false;
        }
        let member = place - from;
        let outside = slots.get(usize::from(partition.groups) + member).is_some_and(|group| *group < 0);
        if let (true, Some(known), Some(now)) = (outside, known.get_mut(member), state.get(place)) {
            *known = *now;
            slots[usize::from(slot)] = i64::try_from(member).unwrap_or(0);
            return true;
        }
        false
    }

    /// Can every row get a member of its own? Augmenting paths. Nothing if the steps that are left are not enough.
    #[inline(never)]
    pub(super) fn pairing(
        &mut self,
        slots: &Slots,
        base: Slot,
        rows: usize,
        words: u16,
        steps: &mut u64,
    ) -> Option<bool> {
        let (base, words) = (usize::from(base), usize::from(words));
        self.owners.clear();
        self.owners.resize(words * 64, None);
        for row in 0..rows {
            self.tried.clear();
            self.tried.resize(words, 0);
            self.looked_at = words as u64;
            let given = self.give(slots, base, words, row);
            *steps = steps.checked_sub(1 + self.looked_at / 4)?;
            if !given {
                return Some(false);
            }
        }
        Some(true)
    }

    #[expect(clippy::cast_sign_loss, reason = "masks and numbers share slots")]
    fn give(&mut self, slots: &Slots, base: usize, words: usize, row: usize) -> bool {
        for word in 0..words {
            loop {
                self.looked_at += 1;
                let fits = slots.get(base + row * words + word).copied().unwrap_or(0) as u64;
                let open = fits & !self.tried[word];
                if open == 0 {
                    break;
                }
                let bit = open.trailing_zeros() as usize;
                self.tried[word] |= 1 << bit;
                let member = word * 64 + bit;
                let free = match self.owners[member] {
                    None => true,
                    Some(other) => self.give(slots, base, words, other),
                };
                if free {
                    self.owners[member] = Some(row);
                    return true;
                }
            }
        }
        false
    }

    /// Keeps the state before an effect is tried out.
    #[inline(never)]
    pub(super) fn keep(&mut self, state: &[u8]) {
        let mut kept = self.spare.pop().unwrap_or_default();
        kept.clear();
        kept.extend_from_slice(state);
        self.kept.push(kept);
    }

    /// Brings the kept state back; false if there is none.
    #[inline(never)]
    pub(super) fn restore(&mut self, state: &mut [u8]) -> bool {
        let Some(kept) = self.kept.pop() else { return false };
        state.copy_from_slice(&kept);
        self.spare.push(kept);
        true
    }
}

/// How many rows there are; nothing if there is no room for so many.
pub(super) fn rows_of(rows: i64, most: u32) -> Option<usize> {
    usize::try_from(rows).ok().filter(|rows| *rows <= most as usize)
}

impl Sorting {
    /// How many rows are sorted; nothing if a column has no room for so many.
    pub(super) fn rows_in(&self, program: &Program, slots: &Slots) -> Option<usize> {
        let most = self.columns.iter().chain(&self.keys).map(|column| program.run(*column)).min();
        rows_of(slots[usize::from(self.rows)], most.unwrap_or(0))
    }
}

/// The steps that it takes to sort rows.
pub(super) fn steps_to_sort(sorting: &Sorting, rows: usize) -> u64 {
    let rows = rows as u64;
    let deep = u64::from(u64::BITS - rows.leading_zeros());
    let (columns, keys) = (sorting.columns.len() as u64, sorting.keys.len() as u64);
    1 + rows * (columns + keys * (1 + deep)) / 4
}

/// The steps that it takes to see whether a partition is up to date: what it is made of is compared.
pub(super) fn steps_to_compare(partition: &Partition) -> u64 {
    let bytes: u64 = partition.made_of.iter().map(|(from, to)| u64::from(to - from)).sum();
    bytes / (16 * Instruction::A_STEP)
}

/// All members of one group go over to another; a group is named by its first member. False if there is no such member.
#[inline(never)]
pub(super) fn unite(slots: &mut Slots, base: Slot, count: u16, a: i64, b: i64) -> bool {
    let group = |member: i64| {
        let member = usize::try_from(member).ok().filter(|member| *member < usize::from(count))?;
        slots.get(usize::from(base) + member).copied()
    };
    let (Some(one), Some(other)) = (group(a), group(b)) else { return false };
    let (kept, gone) = (one.min(other), one.max(other));
    // No member of a group comes before the one that names it.
    let first = usize::try_from(gone).unwrap_or(0).min(usize::from(count));
    let groups = usize::from(base) + first..usize::from(base) + usize::from(count);
    for of in slots.get_mut(groups).unwrap_or_default() {
        if *of == gone {
            *of = kept;
        }
    }
    true
}

/// Rows that are sorted by exchanging neighbours.
const FEW_ROWS: usize = 32;

/// Sorts rows by their keys, stably.
#[inline(never)]
pub(super) fn sort(slots: &mut Slots, sorting: &Sorting, rows: usize) {
    if rows > FEW_ROWS {
        return sort_many(slots, sorting, rows);
    }
    for row in 1..rows {
        let mut at = row;
        while at > 0 && is_before(slots, &sorting.keys, at, at - 1) {
            for &column in sorting.columns.iter().chain(&sorting.keys) {
                slots.swap(usize::from(column) + at, usize::from(column) + at - 1);
            }
            at -= 1;
        }
    }
}

fn sort_many(slots: &mut Slots, sorting: &Sorting, rows: usize) {
    let mut order: Vec<usize> = (0..rows).collect();
    order.sort_by(|&row, &other| compare(slots, &sorting.keys, row, other));
    let mut sorted: Vec<i64> = Vec::with_capacity(rows);
    for &column in sorting.columns.iter().chain(&sorting.keys) {
        let column = usize::from(column);
        sorted.clear();
        sorted.extend(order.iter().map(|&row| slots[column + row]));
        slots[column..column + rows].copy_from_slice(&sorted);
    }
}

fn is_before(slots: &Slots, keys: &[Slot], row: usize, other: usize) -> bool {
    compare(slots, keys, row, other) == Ordering::Less
}

fn compare(slots: &Slots, keys: &[Slot], row: usize, other: usize) -> Ordering {
    let key = |column: Slot, row: usize| ordered(slots[usize::from(column) + row]);
    let order = keys.iter().map(|&column| key(column, row).cmp(&key(column, other)));
    order.fold(Ordering::Equal, Ordering::then)
}

/// A key as a number that sorts right: nothing comes last.
pub(super) fn ordered(key: i64) -> i64 {
    if key == NO_NUMBER { i64::MAX } else { key }
}

/// The first byte that differs, found eight at a time.
fn first_difference(now: &[u8], then: &[u8]) -> Option<usize> {
    let (words, rest) = now.as_chunks::<8>();
    let (old_words, old_rest) = then.as_chunks::<8>();
    let count = words.len().min(old_words.len());
    for nth in 0..count {
        let differs = u64::from_le_bytes(words[nth]) ^ u64::from_le_bytes(old_words[nth]);
        if differs != 0 {
            return Some(nth * 8 + differs.trailing_zeros() as usize / 8);
        }
    }
    let byte = rest.iter().zip(old_rest).position(|(now, then)| now != then);
    byte.map(|byte| words.len() * 8 + byte)
}

/// The first member of whom something has changed.
fn changed_member(partition: &Partition, then: &[u8], state: &[u8]) -> Option<usize> {
    let mut at = 0;
    let mut first: Option<usize> = None;
    for &(from, to) in &partition.made_of {
        let now = state.get(from as usize..to as usize).unwrap_or_default();
        let then = then.get(at..at + now.len()).unwrap_or_default();
        at += now.len();
        if let Some(byte) = first_difference(now, then) {
            let each = (now.len() / usize::from(partition.members).max(1)).max(1);
            first = Some(first.map_or(byte / each, |first| first.min(byte / each)));
        }
    }
    first
}

/// Takes over what is said of one member.
fn copy_member(partition: &Partition, then: &mut [u8], state: &[u8], member: usize) {
    let mut at = 0;
    for &(from, to) in &partition.made_of {
        let length = (to - from) as usize;
        let each = (length / usize::from(partition.members).max(1)).max(1);
        let (first, last) = (member * each, (member + 1) * each);
        let now = state.get(from as usize + first..from as usize + last);
        if let (Some(now), Some(then)) = (now, then.get_mut(at + first..at + last)) {
            then.copy_from_slice(now);
        }
        at += length;
    }
}

/// A quotient, rounded down; no number if there is none.
#[inline(never)]
pub(super) fn quotient(a: i64, b: i64) -> i64 {
    divide_down(a, b).unwrap_or(NO_NUMBER)
}

/// A remainder that is never below 0.
#[inline(never)]
pub(super) fn remainder(a: i64, b: i64) -> i64 {
    a.rem_euclid(b.max(1))
}
