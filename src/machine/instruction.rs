//! The instruction set: what a compiled ruleset is made of.
//!
//! Everything a rule works out lies in numbered slots of 64 bits: truth is 0 or 1, a number is itself, a
//! member of a type is its place in that type, a small set is a mask, a larger one several masks in a row.
//! `none` is −1 among members and the least integer among numbers. Constants have slots of their own, so
//! an instruction names slots only. What a game is at lies in one block of bytes that `Load` and `Store`
//! reach; everything else about a game is in side tables of the [`super::Program`].

/// A numbered place for 64 bits.
pub type Slot = u16;

/// A place in the program.
pub type Target = u32;

/// `none` among members of a type.
pub const NO_MEMBER: i64 = -1;

/// `none` among numbers.
pub const NO_NUMBER: i64 = i64::MIN;

/// One step of a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Instruction {
    /// `to = from`
    Copy { to: Slot, from: Slot },
    /// `to = a + b`
    Add { to: Slot, a: Slot, b: Slot },
    /// `to = a + value`
    AddConst { to: Slot, a: Slot, value: i32 },
    /// `to = a - b`
    Subtract { to: Slot, a: Slot, b: Slot },
    /// `to = a * b`
    Multiply { to: Slot, a: Slot, b: Slot },
    /// `to = a / b`, rounded down; `none` if `b` is 0
    Divide { to: Slot, a: Slot, b: Slot },
    /// `to = a mod b`, never below 0; `b` is above 0
    Modulo { to: Slot, a: Slot, b: Slot },
    /// `to = a * times + plus`
    MultiplyAdd { to: Slot, a: Slot, times: u32, plus: Slot },
    /// The smaller of two numbers
    Least { to: Slot, a: Slot, b: Slot },
    /// The larger of two numbers
    Most { to: Slot, a: Slot, b: Slot },

    /// `to = a & b`: members of both
    Both { to: Slot, a: Slot, b: Slot },
    /// `to = a | b`: members of either
    Either { to: Slot, a: Slot, b: Slot },
    /// `to = a & !b`: members of the first only
    Without { to: Slot, a: Slot, b: Slot },
    /// `to` has the numbers of those of `count` elements of one byte that, `bias` added, are `b`
    Matches { to: Slot, from: u32, count: u8, bias: i16, b: Slot },
    /// `to` has the numbers of those of `count` elements of one byte from `from` on that are the same as those from `other` on
    Alike { to: Slot, from: u32, other: u32, count: u8 },
    /// `to` has the numbers of those of `count` elements of one byte from element `at` on that are stored as one of a set: four masks in `table[set]`
    Among { to: Slot, at: Slot, from: u32, count: u8, set: u32 },
    /// `to` has the members of `a`, each `by` lower
    Lower { to: Slot, a: Slot, by: i8 },
    /// The lowest of so many possible members of the masks that begin at `a`, -1 if there is none
    Lowest { to: Slot, a: Slot, members: u16 },
    /// The highest of so many possible members of the masks that begin at `a`, -1 if there is none
    Highest { to: Slot, a: Slot, members: u16 },
    /// `to += members of a`
    Tally { to: Slot, a: Slot },
    /// Puts a member into the masks that begin at `bits`
    Join { bits: Slot, member: Slot },
    /// Takes a member out of the masks that begin at `bits`
    Leave { bits: Slot, member: Slot },
    /// Takes the first of so many possible members out of some masks; on to `go` if there is none
    Next { bits: Slot, members: u32, to: Slot, go: Target },

    /// On to `go`
    Jump { go: Target },
    /// On to `go` if `a` is `b`
    IfSame { a: Slot, b: Slot, go: Target },
    /// On to `go` if `a` is not `b`
    IfOther { a: Slot, b: Slot, go: Target },
    /// On to `go` if `a < b`
    IfLess { a: Slot, b: Slot, go: Target },
    /// On to `go` if `a <= b`
    IfAtMost { a: Slot, b: Slot, go: Target },
    /// On to `go` unless `low <= a < low + count`
    IfOutside { a: Slot, low: i32, count: u32, go: Target },
    /// On to `go` if the masks that begin at `bits` have this member
    IfMember { bits: Slot, member: Slot, go: Target },
    /// On to `go` if they have not
    IfNoMember { bits: Slot, member: Slot, go: Target },
    /// On to `go` if element `at` of one byte, `bias` added, is `b`
    IfHolds8 { at: Slot, from: u32, bias: i16, b: Slot, go: Target },
    /// On to `go` if it is not
    IfLacks8 { at: Slot, from: u32, bias: i16, b: Slot, go: Target },
    /// On to `go` with the next number in `at`, unless that is `last`
    Count { at: Slot, last: Slot, go: Target },
    /// So many steps of the budget: a loop of the flow begins anew, or a routine has run
    Tick { cost: u32 },

    /// `to = table[from + at]`; 0 unless `at` is below `count`
    Table { to: Slot, at: Slot, from: u32, count: u32 },
    /// `to = table[from + at]`, 0 unless `at` is below `count`, and on to `go` if that is no member
    Find { to: Slot, at: Slot, from: u32, count: u16, go: Target },
    /// Element `at` of one byte, `bias` added
    Load8 { to: Slot, at: Slot, from: u32, bias: i32 },
    /// Element `at` of two bytes, `bias` added
    Load16 { to: Slot, at: Slot, from: u32, bias: i32 },
    /// Element `at` of four bytes, `bias` added
    Load32 { to: Slot, at: Slot, from: u32, bias: i32 },
    /// Element `at` of eight bytes
    Load64 { to: Slot, at: Slot, from: u32 },
    /// Writes element `at` of one byte, `bias` taken off
    Store8 { value: Slot, at: Slot, to: u32, bias: i32 },
    /// Writes element `at` of two bytes, `bias` taken off
    Store16 { value: Slot, at: Slot, to: u32, bias: i32 },
    /// Writes element `at` of four bytes, `bias` taken off
    Store32 { value: Slot, at: Slot, to: u32, bias: i32 },
    /// Writes element `at` of eight bytes
    Store64 { value: Slot, at: Slot, to: u32 },
    /// `to = slot[base + at]`
    Get { to: Slot, base: Slot, at: Slot },
    /// `slot[base + at] = from`
    Put { base: Slot, at: Slot, from: Slot },

    /// Runs a routine, then goes on here
    Call { go: Target },
    /// Back to where the routine was called; the end of what was asked for if nobody called
    Return,
    /// The masks that entries of a choice are drawn from are there: the end of what was asked for
    Lots { choice: u16 },
    /// Makes a partition anew if what it is made of has changed
    Refresh { region: u16 },
    /// Joins the groups of two members in a partition whose groups begin at `base`
    Unite { base: Slot, count: u16, a: Slot, b: Slot },
    /// Can each of `rows` masks at `base` give a member of its own?
    Pairing { to: Slot, base: Slot, rows: Slot, words: u16 },
    /// Sorts rows by their keys; see [`super::Sorting`]
    Sort { sorting: u16 },
    /// Keeps the state, to be brought back
    Keep,
    /// Brings the kept state back
    Restore,

    /// A player is asked
    Choose { choice: u16 },
    /// Chance is asked
    Chance { chance: u16 },
    /// The game is over
    Over,
    /// Who wins is known: the members of a mask. The end of what was asked for
    Decided { winners: Slot },
    /// The parameters of an offer hold a legal entry
    Emit { offer: u16 },
    /// Chance may give this value with this weight
    Weigh { value: Slot, weight: Slot },
    /// What the last action cost
    Paid { amount: Slot },
    /// The ruleset cannot go on
    Fail { trouble: u16 },
}

/// How many masks have room for so many members.
pub(super) fn masks_for(members: u32) -> u16 {
    u16::try_from(members.div_ceil(64)).unwrap_or(u16::MAX).max(1)
}

/// So many slots from one on; `verify` has seen that they do not end behind the last one.
pub(super) fn in_a_row(first: Slot, count: u16) -> impl Iterator<Item = Slot> {
    (0..count).map(move |nth| first.wrapping_add(nth))
}

impl Instruction {
    /// So many instructions are one step of the budget.
    pub const A_STEP: u64 = 16;

    /// The steps that a jump back costs: as many as the code that it repeats is long.
    #[inline]
    pub(crate) const fn steps_back(from: usize, to: usize) -> u64 {
        1 + from.saturating_sub(to) as u64 / Self::A_STEP
    }

    /// The steps that an instruction costs which does more than one thing, in a program with a block of so many bytes.
    pub(crate) fn steps(self, bytes: usize) -> u64 {
        match self {
            Self::Tick { cost } => u64::from(cost),
            Self::Unite { count, .. } => 1 + u64::from(count) / (4 * Self::A_STEP),
            Self::Keep | Self::Restore => 1 + bytes as u64 / (16 * Self::A_STEP),
            _ => 0,
        }
    }

    /// Where it may go on to, other than the next instruction.
    #[must_use]
    pub fn target(mut self) -> Option<Target> {
        self.target_mut().map(|target| *target)
    }

    /// The same, to be changed.
    pub fn target_mut(&mut self) -> Option<&mut Target> {
        match self {
            Self::Next { go, .. }
            | Self::Jump { go }
            | Self::IfSame { go, .. }
            | Self::IfOther { go, .. }
            | Self::IfLess { go, .. }
            | Self::IfAtMost { go, .. }
            | Self::IfOutside { go, .. }
            | Self::IfMember { go, .. }
            | Self::IfNoMember { go, .. }
            | Self::IfHolds8 { go, .. }
            | Self::IfLacks8 { go, .. }
            | Self::Find { go, .. }
            | Self::Count { go, .. }
            | Self::Call { go } => Some(go),
            _ => None,
        }
    }

    /// Does the next instruction never follow?
    #[must_use]
    pub fn ends(self) -> bool {
        matches!(
            self,
            Self::Jump { .. }
                | Self::Return
                | Self::Lots { .. }
                | Self::Choose { .. }
                | Self::Chance { .. }
                | Self::Over
                | Self::Decided { .. }
                | Self::Fail { .. }
        )
    }
}
