//! Masks in the making: what they are made of, before anything is worked out.
//!
//! "Three in a row" asks for one mask in several places: moved by one step, by two. As long as it is known what a mask is
//! made of, members that are left out anyway are left out at once, long rows are worked out by doubling, and where only
//! matters whether there are members at all, a row that is read from either end is asked for once.

use super::compiler::{Compiler, TableKey};
use super::fold::Masks;
use crate::machine::{Instruction, Slot, lower};

/// Masks with no more members than these are small: what is made of one is looked up.
const SMALL: u32 = 9;

/// What is made of fewer masks is worked out as fast.
const FEWEST_PARTS: usize = 6;

/// Members that are in one of several products.
#[derive(Debug, Clone, Default)]
pub(super) struct Mask(Vec<Product>);

/// Members that are in all of some masks.
#[derive(Debug, Clone)]
struct Product {
    /// In order, each once.
    of: Vec<Moved>,
    /// Members that are wanted, of those that can be in all.
    keep: i64,
}

/// A mask that is worked out, moved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Moved {
    /// By how much each member is lowered.
    by: i8,
    slot: Slot,
    /// What can be in it before it is moved.
    room: i64,
}

impl Moved {
    /// What can be in it.
    fn may(self) -> i64 {
        lower(self.room, self.by)
    }

    fn further(self, by: i8) -> Option<Self> {
        Some(Self { by: self.by.checked_add(by)?, ..self })
    }
}

impl Product {
    /// What can be in all of its masks.
    fn may(&self) -> i64 {
        self.of.iter().fold(-1, |may, moved| may & moved.may())
    }

    /// The same members, all moved so that no mask is raised and one stays where it is; as they are if some would be
    /// lost.
    fn centred(self) -> Self {
        let centre = || {
            let back = self.of.first()?.by.checked_neg()?;
            let of = self.of.iter().map(|moved| moved.further(back)).collect::<Option<Vec<_>>>()?;
            let keep = lower(self.keep, back);
            (keep.count_ones() == self.keep.count_ones()).then_some(Self { of, keep })
        };
        centre().unwrap_or(self)
    }
}

impl Mask {
    /// Members that are known.
    pub(super) fn constant(keep: i64) -> Self {
        Self::product(Vec::new(), keep)
    }

    /// These members of a mask that is worked out and has room for no others than some, after it is moved.
    pub(super) fn moved(slot: Slot, room: i64, by: i8, keep: i64) -> Self {
        Self::product(vec![Moved { by, slot, room }], keep)
    }

    fn product(of: Vec<Moved>, keep: i64) -> Self {
        let mut product = Product { of, keep };
        product.keep &= product.may();
        Self(if product.keep == 0 { Vec::new() } else { vec![product] })
    }

    /// Has it no members, whatever happens?
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Its members, if they are known.
    pub(super) fn known(&self) -> Option<i64> {
        match self.0.as_slice() {
            [] => Some(0),
            [only] if only.of.is_empty() => Some(only.keep),
            _ => None,
        }
    }

    /// What can be in it.
    fn room(&self) -> i64 {
        self.0.iter().fold(0, |room, product| room | product.keep)
    }

    /// Members of one or the other. Products of the same masks are one, and of members that are known nothing else is kept.
    pub(super) fn or(mut self, other: Self) -> Self {
        for product in other.0 {
            match self.0.iter_mut().find(|known| known.of == product.of) {
                Some(known) => known.keep |= product.keep,
                None => self.0.push(product),
            }
        }
        let known = self.0.iter().find(|product| product.of.is_empty()).map_or(0, |known| known.keep);
        self.0.iter_mut().filter(|product| !product.of.is_empty()).for_each(|product| product.keep &= !known);
        self.0.retain(|product| product.keep != 0);
        self
    }

    fn only(mut self, keep: i64) -> Self {
        self.0.iter_mut().for_each(|product| product.keep &= keep);
        self.0.retain(|product| product.keep != 0);
        self
    }
}

impl Compiler<'_> {
    /// Members of both.
    pub(super) fn meet(&mut self, one: Mask, other: Mask) -> Mask {
        if let Some(keep) = other.known() {
            return one.only(keep);
        }
        if let Some(keep) = one.known() {
            return other.only(keep);
        }
        let (one, other) = (self.one_product(one), self.one_product(other));
        let mut of = one.of;
        of.extend(other.of);
        of.sort_unstable();
        of.dedup();
        Mask::product(of, one.keep & other.keep)
    }

    /// All of these members but some.
    pub(super) fn others(&mut self, all: i64, mask: Mask) -> Mask {
        if let Some(known) = mask.known() {
            return Mask::constant(all & !known);
        }
        if let Some(opposite) = self.opposite(all, &mask) {
            return opposite;
        }
        let (mask, every) = (self.worked_out(mask), self.constant(all));
        let rest = self.code.masks(Masks::Without, every, mask);
        if super::builder::Builder::is_value(rest) && super::builder::Builder::is_value(mask) {
            self.opposites.insert(rest, (mask, all));
        }
        Mask::moved(rest, all, 0, all)
    }

    /// The same where a mask was itself made of opposites, each for other members: what is not among these, moved, is among
    /// those, moved, or was not asked about.
    fn opposite(&self, all: i64, mask: &Mask) -> Option<Mask> {
        let (mut result, mut asked) = (Mask::default(), 0);
        for Product { of, keep } in &mask.0 {
            let [moved] = of.as_slice() else { return None };
            let &(others, room) = self.opposites.get(&moved.slot)?;
            if asked & keep != 0 || keep & !lower(room, moved.by) != 0 {
                return None;
            }
            asked |= keep;
            result = result.or(Mask::moved(others, room, moved.by, *keep));
        }
        Some(result.or(Mask::constant(all & !asked)))
    }

    /// The slot of a mask.
    pub(super) fn worked_out(&mut self, mask: Mask) -> Slot {
        let mut result = self.constant(0);
        for product in mask.0 {
            let members = self.product(&product);
            result = self.code.masks(Masks::Either, result, members);
        }
        result
    }

    /// A slot that is not 0 if a mask has members.
    pub(super) fn has_members(&mut self, mask: Mask) -> Slot {
        let centred = mask.0.into_iter().map(|product| Mask(vec![product.centred()]));
        let mask = centred.fold(Mask::default(), Mask::or);
        self.looked_up(&mask).unwrap_or_else(|| self.worked_out(mask))
    }

    /// Whether a mask has members, from a table, if it is made of a single small one in several ways.
    fn looked_up(&mut self, mask: &Mask) -> Option<Slot> {
        let parts: usize = mask.0.iter().map(|product| product.of.len()).sum();
        let only = mask.0.first()?.of.first()?;
        let alike = mask
            .0
            .iter()
            .flat_map(|product| &product.of)
            .all(|moved| (moved.slot, moved.room) == (only.slot, only.room));
        if !alike || parts < FEWEST_PARTS || !(1..1 << SMALL).contains(&only.room) {
            return None;
        }
        let rows = mask.0.iter().map(|product| (product.of.iter().map(|moved| moved.by).collect(), product.keep));
        let rows: Vec<(Vec<i8>, i64)> = rows.collect();
        let has_row = |members: i64| {
            let row =
                |(moves, keep): &(Vec<i8>, i64)| moves.iter().fold(*keep, |kept, by| kept & lower(members, *by)) != 0;
            i64::from(rows.iter().any(row))
        };
        let all = (only.room.cast_unsigned() + 1).next_power_of_two().cast_signed();
        let table = self.make_table(TableKey::Rows(only.room, rows.clone()), || (0..all).map(has_row).collect());
        Some(self.code.table(table, only.slot))
    }

    /// A mask as one product.
    fn one_product(&mut self, mask: Mask) -> Product {
        let room = mask.room();
        match <[Product; 1]>::try_from(mask.0) {
            Ok([product]) => product,
            Err(products) => {
                let slot = self.worked_out(Mask(products));
                Product { of: vec![Moved { by: 0, slot, room }], keep: room }
            }
        }
    }

    fn product(&mut self, product: &Product) -> Slot {
        if product.of.is_empty() {
            return self.constant(product.keep);
        }
        let all = self.met(&product.of);
        if product.keep == product.may() {
            return all;
        }
        let keep = self.constant(product.keep);
        self.code.masks(Masks::Both, all, keep)
    }

    /// What is in all of some masks.
    fn met(&mut self, of: &[Moved]) -> Slot {
        if let Some((half, by)) = half(of) {
            let one = self.met(&half);
            let other = self.lower(one, by);
            return self.code.masks(Masks::Both, one, other);
        }
        let mut result = None;
        for moved in of {
            let there = self.lower(moved.slot, moved.by);
            result = Some(match result {
                Some(one) => self.code.masks(Masks::Both, one, there),
                None => there,
            });
        }
        result.unwrap_or_else(|| self.constant(-1))
    }

    pub(super) fn lower(&mut self, a: Slot, by: i8) -> Slot {
        if by == 0 { a } else { self.code.work_out(|to| Instruction::Lower { to, a, by }) }
    }
}

/// Masks that are all of some when they are taken together with themselves, moved; the fewest, if that spares anything.
fn half(of: &[Moved]) -> Option<(Vec<Moved>, i8)> {
    // What is raised and then lowered may have lost members.
    let first = of.first().filter(|first| first.by >= 0 && of.len() > 3)?;
    let distances = of.iter().map(|moved| moved.by - first.by).filter(|by| *by > 0);
    let halves = distances.filter_map(|by| {
        let mut half: Vec<Moved> = Vec::new();
        for moved in of {
            let covered = half.iter().any(|half| half.further(by) == Some(*moved));
            if !covered {
                moved.further(by).filter(|further| of.contains(further))?;
                half.push(*moved);
            }
        }
        Some((half, by))
    });
    halves.min_by_key(|(half, _)| half.len()).filter(|(half, _)| half.len() + 1 < of.len())
}
