//! What single instructions do that takes more than a line: partitions, pairings, sorting, trials.

use super::Machine;
use super::instruction::{NO_NUMBER, Slot, Target};

impl Machine<'_> {
    /// Where a partition is worked out, if what it is made of has changed since the last time.
    pub(super) fn outdated(&mut self, region: u16) -> Option<Target> {
        let partition = self.program.regions.get(usize::from(region))?;
        let known = self.made_of.get_mut(usize::from(region))?;
        let bytes = |&(from, to): &(u32, u32)| self.state.get(from as usize..to as usize).unwrap_or_default();
        let same = known.1 && known.0.iter().eq(partition.made_of.iter().flat_map(bytes));
        if same {
            return None;
        }
        known.0.clear();
        known.0.extend(partition.made_of.iter().flat_map(bytes));
        known.1 = true;
        Some(partition.work_out)
    }

    /// All members of one group go over to another; a group is named by its first member.
    pub(super) fn unite(&mut self, base: Slot, count: u16, a: Slot, b: Slot) {
        let group = |machine: &Self, member: Slot| {
            let member = usize::try_from(machine.slots[usize::from(member)]).unwrap_or(0);
            machine.slots.get(usize::from(base) + member).copied().unwrap_or(-1)
        };
        let (one, other) = (group(self, a), group(self, b));
        let (kept, gone) = (one.min(other), one.max(other));
        let groups = usize::from(base)..usize::from(base) + usize::from(count);
        for of in self.slots.get_mut(groups).into_iter().flatten().filter(|of| **of == gone) {
            *of = kept;
        }
    }

    /// Can every row get a member of its own? Augmenting paths.
    pub(super) fn pairing(&mut self, base: Slot, rows: Slot, words: u16) -> bool {
        let (base, words) = (usize::from(base), usize::from(words));
        let rows = usize::try_from(self.slots[usize::from(rows)]).unwrap_or(0);
        self.owners.clear();
        self.owners.resize(words * 64, None);
        for row in 0..rows {
            self.tried.clear();
            self.tried.resize(words, 0);
            if !self.give(base, words, row) {
                return false;
            }
        }
        true
    }

    #[expect(clippy::cast_sign_loss, reason = "masks and numbers share slots")]
    fn give(&mut self, base: usize, words: usize, row: usize) -> bool {
        for word in 0..words {
            loop {
                let fits = self.slots.get(base + row * words + word).copied().unwrap_or(0) as u64;
                let open = fits & !self.tried[word];
                if open == 0 {
                    break;
                }
                let bit = open.trailing_zeros() as usize;
                self.tried[word] |= 1 << bit;
                let member = word * 64 + bit;
                let free = match self.owners[member] {
                    None => true,
                    Some(other) => self.give(base, words, other),
                };
                if free {
                    self.owners[member] = Some(row);
                    return true;
                }
            }
        }
        false
    }

    /// Sorts rows by their keys, stably; rows are few.
    pub(super) fn sort(&mut self, sorting: u16) {
        let Some(sorting) = self.program.sortings.get(usize::from(sorting)) else { return };
        let rows = usize::try_from(self.slots[usize::from(sorting.rows)]).unwrap_or(0);
        for row in 1..rows {
            let mut at = row;
            while at > 0 && self.is_before(&sorting.keys, at, at - 1) {
                for &column in sorting.columns.iter().chain(&sorting.keys) {
                    self.slots.swap(usize::from(column) + at, usize::from(column) + at - 1);
                }
                at -= 1;
            }
        }
    }

    fn is_before(&self, keys: &[Slot], row: usize, other: usize) -> bool {
        let key = |column: Slot, row: usize| ordered(self.slots[usize::from(column) + row]);
        let order = keys.iter().map(|&column| key(column, row).cmp(&key(column, other)));
        order.fold(std::cmp::Ordering::Equal, std::cmp::Ordering::then) == std::cmp::Ordering::Less
    }

    /// Keeps the state before an effect is tried out.
    pub(super) fn keep(&mut self) {
        let mut kept = self.spare.pop().unwrap_or_default();
        kept.clear();
        kept.extend_from_slice(&self.state);
        self.kept.push(kept);
    }

    /// Brings the kept state back.
    pub(super) fn restore(&mut self) {
        if let Some(kept) = self.kept.pop() {
            self.state.copy_from_slice(&kept);
            self.spare.push(kept);
        }
    }
}

/// A key as a number that sorts right: nothing comes last. Members without one are made so by the compiler.
pub(super) fn ordered(key: i64) -> i64 {
    if key == NO_NUMBER { i64::MAX } else { key }
}
