//! The parts of a compiled ruleset: instructions, and beside them what they refer to.

use std::ops::Range;

use super::instruction::{Instruction, NO_NUMBER, Slot, Target};
use super::lots::Lots;
use super::values::none_of;
use crate::bind::{ActionId, ExprId, StateId, Type};
use crate::report::Span;

/// What the compiler writes: the parts of a program that is not verified yet. [`super::Program::seal`] makes a program
/// of it, which gives its parts to be read and never to be changed.
#[derive(Debug, Clone, Default)]
pub struct Draft {
    /// What happens.
    pub code: Vec<Instruction>,
    /// Constants that are looked up by number.
    pub tables: Vec<i64>,
    /// Where each table begins among these, and how long it is.
    pub table_runs: Vec<(u32, u32)>,
    /// Slots that hold a constant all the time.
    pub constants: Vec<(Slot, i64)>,
    /// Slots in a row that are found by number: the first, and how many.
    pub runs: Vec<(Slot, u16)>,
    /// Where each state lies in the block.
    pub layout: Vec<StatePlace>,
    /// Bytes of the block.
    pub bytes: usize,
    /// Bytes from here on belong to the flow: what it must remember over a pause.
    pub flow: usize,
    /// Puts the initial values into an empty block and plays up to the first pause.
    pub begin: Target,
    /// Where the flow can wait, by the number in the block's header, from 1 on.
    pub pauses: Vec<Pause>,
    /// Where players are asked.
    pub choices: Vec<Choice>,
    /// Where chance is asked.
    pub chances: Vec<Chance>,
    /// What players can enter, over all choices.
    pub offers: Vec<Offer>,
    /// Partitions.
    pub regions: Vec<Partition>,
    /// Rows that are sorted.
    pub sortings: Vec<Sorting>,
    /// A seat's score.
    pub score: Option<Routine>,
    /// Works out who wins.
    pub winner: Option<Target>,
    /// Is that so little that it is worked out as soon as a game is over, where programs are carried out natively?
    pub winner_at_once: bool,
    /// Does it hold? With its number in the ruleset.
    pub invariants: Vec<(usize, Routine)>,
    /// What can go wrong, and in which rule.
    pub troubles: Vec<(String, Span)>,
    /// The rule that instructions from this one on were made from.
    pub spans: Vec<(Target, Span)>,
    /// What parts of the program are called, for the listing.
    pub names: Vec<(Target, String)>,
    /// Which instructions test entries for what, for whoever counts.
    pub tests: Vec<Tested>,
    /// How many seats.
    pub players: u32,
}

impl Draft {
    /// What can be asked about a position and is answered by a value: the score and the invariants.
    pub(super) fn routines(&self) -> impl Iterator<Item = &Routine> {
        self.score.iter().chain(self.invariants.iter().map(|(_, routine)| routine))
    }
}

/// Bytes before everything else: the number of the pause (two), and who is asked (two).
pub const HEADER: usize = 4;

/// How elements of a state lie in the block.
#[derive(Debug, Clone, PartialEq)]
pub struct StatePlace {
    /// Which state.
    pub state: StateId,
    /// Type of one element.
    pub ty: Type,
    /// Where the first element lies.
    pub first: u32,
    /// How many elements.
    pub count: u32,
    /// For each index how many values it has, and how many elements further on its next value lies.
    pub steps: Vec<(u32, u32)>,
    /// How one element lies there.
    pub cell: Cell,
    /// How many values one element can have, if it is a single value.
    pub values: Option<u64>,
}

impl StatePlace {
    /// Which element of the block it is that the rules count as this one, the last index running fastest.
    #[must_use]
    pub fn number(&self, at: u32) -> u32 {
        let mut rest = at;
        let mut number = 0;
        for &(size, step) in self.steps.iter().rev() {
            number += rest % size.max(1) * step;
            rest /= size.max(1);
        }
        number
    }

    /// The indices, that which runs slowest first.
    #[must_use]
    pub fn slowest_first(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.steps.len()).collect();
        order.sort_by_key(|&nth| std::cmp::Reverse(self.steps[nth].1));
        order
    }
}

/// How one value lies in the block: units of 1, 2, 4 or 8 bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cell {
    /// Bytes of a unit.
    pub width: u8,
    /// Units of an element: 1, the words of a set, or 1 + the length of a list.
    pub units: u32,
    /// What is added to a stored number to get the value.
    pub bias: i64,
    /// Does the least stored number mean that there is no number?
    pub no_number: bool,
}

/// Where the flow waits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pause {
    /// A choice or a chance, by its number.
    pub asks: Asks,
    /// Bytes of the flow that mean nothing here, and are cleared so that equal positions are equal bytes.
    pub clear: Vec<(u32, u32)>,
}

/// Who is asked at a pause.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asks {
    /// A player; by number in [`Draft::choices`].
    Player(u16),
    /// Chance; by number in [`Draft::chances`].
    Chance(u16),
}

/// A choice.
#[derive(Debug, Clone)]
pub struct Choice {
    /// Which pause it is.
    pub pause: u16,
    /// Works out who is asked, before the pause.
    pub seat: Slot,
    /// What is offered: numbers in [`Draft::offers`].
    pub offers: std::ops::Range<u16>,
    /// Emits every legal entry of all offers.
    pub every: Target,
    /// How many entries the types of the parameters allow, over all offers.
    pub possible: u64,
    /// Entries that are picked blindly before all are listed; 0: they are listed at once.
    pub picks: u32,
    /// What entries are drawn from instead, where it can be worked out.
    pub lots: Option<Lots>,
    /// What else may happen.
    pub otherwise: Otherwise,
    /// The statement.
    pub span: Span,
}

impl Choice {
    /// Are all entries listed to take one of them at random?
    #[must_use]
    pub fn is_listed(&self) -> bool {
        self.picks == 0 && self.lots.is_none()
    }
}

/// What happens in a choice when nothing is entered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Otherwise {
    /// Something must be possible; else this trouble.
    Must(u16),
    /// One may always pass, and the flow goes on there.
    Pass(Target),
    /// One passes if nothing is possible, and the flow goes on there.
    PassIfNothing(Target),
    /// Nobody is asked if nothing is possible; the flow goes on there.
    Skip(Target),
}

/// An action that is offered in a choice.
#[derive(Debug, Clone)]
pub struct Offer {
    /// The action.
    pub action: ActionId,
    /// Its parameters.
    pub params: Vec<Param>,
    /// How many first parameters the flow binds.
    pub bound: usize,
    /// Emits every legal entry.
    pub every: Target,
    /// Emits the entry in the parameters if it is legal.
    pub test: Target,
    /// Pays, carries out, and goes on.
    pub carry_out: Target,
    /// How many entries can be picked: what types of parameters allow and no requirement refuses beforehand.
    pub possible: u64,
}

impl Offer {
    /// Are the arguments of a move values of the parameters?
    #[must_use]
    pub fn has(&self, entry: super::Move) -> bool {
        self.params.iter().skip(self.bound).all(|param| param.part_of(entry) < param.size)
    }
}

/// Tests that stand in a row, and may stand in any order: those of an offer that are possible once so many parameters are
/// known, or all of them, if an entry is tested as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Row {
    /// By number in [`Draft::offers`].
    pub offer: u16,
    /// How many parameters are known; nothing in the test of an entry.
    pub known: Option<usize>,
}

/// Something that an entry is tested for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Question {
    /// Can this price be paid? By its number in the action.
    Price(usize),
    /// Does this part of a requirement hold?
    Part(ExprId),
}

/// Where entries are tested for something; one question may be written several times.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tested {
    /// Beside which other tests.
    pub row: Row,
    /// For what.
    pub question: Question,
    /// Its instructions, without those that are called.
    pub code: Range<Target>,
}

/// A parameter of an offer, and its part of a [`super::Move`].
#[derive(Debug, Clone)]
pub struct Param {
    /// Where its value is put.
    pub slot: Slot,
    /// Its type.
    pub ty: Type,
    /// Its least value; what is below stands for `none`.
    pub low: i64,
    /// How many values.
    pub size: u64,
    /// The first value that may ever be legal, counted from the least, and how many are picked from there on.
    pub first: u64,
    /// See `first`.
    pub picks: u64,
    /// Bits below its own.
    pub shift: u32,
    /// Its own bits.
    pub bits: u32,
}

impl Param {
    /// Its part of a move.
    #[must_use]
    pub fn part_of(&self, entry: super::Move) -> u64 {
        entry.0 >> self.shift & ((1 << self.bits) - 1)
    }

    /// What stands for a value in an entry.
    #[must_use]
    pub fn code(&self, value: i64) -> Option<u64> {
        if value == NO_NUMBER {
            return Some(0);
        }
        u64::try_from(value.checked_sub(self.low)?).ok()
    }

    /// What something in an entry stands for.
    #[must_use]
    pub fn value(&self, code: u64) -> i64 {
        match &self.ty {
            Type::Optional(inner) if code == 0 => none_of(inner),
            _ => i64::try_from(code).unwrap_or(0) + self.low,
        }
    }
}

/// Who sees what chance gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Seen {
    /// Everybody.
    All,
    /// Nobody.
    Nobody,
    /// Whose number is put into this slot; nobody if it is none.
    Seat(Slot),
}

/// A pause for chance.
#[derive(Debug, Clone)]
pub struct Chance {
    /// Which pause it is.
    pub pause: u16,
    /// The name that entries use.
    pub name: String,
    /// Works out the indices of the drawn place, and who sees what comes.
    pub indices: Target,
    /// Where they are put, with their types.
    pub at: Vec<(Slot, Type)>,
    /// Who sees what comes.
    pub seen: Seen,
    /// Weighs everything that can come.
    pub every: Target,
    /// Weighs the value that is put into its slot, if it can come.
    pub test: Target,
    /// Where the drawn value is put.
    pub value: Slot,
    /// Its type.
    pub ty: Type,
    /// Its least value, and how many it can have; `none` of an optional type is neither counted nor drawn.
    pub low: i64,
    /// See `low`.
    pub size: u64,
    /// Takes it, and goes on.
    pub resume: Target,
    /// What happens if nothing can come.
    pub nothing: u16,
    /// The statement.
    pub span: Span,
}

impl Chance {
    /// Is this one of the values of its type?
    #[must_use]
    pub fn has(&self, value: i64) -> bool {
        let none = self.ty.is_optional() && value == none_of(self.ty.plain());
        none || i128::from(value) - i128::from(self.low) >= 0
            && i128::from(value) - i128::from(self.low) < i128::from(self.size)
            || self.size == u64::MAX
    }
}

/// A partition of a domain, kept as long as what it is made of stays the same.
#[derive(Debug, Clone, Default)]
pub struct Partition {
    /// Bytes that it is made of.
    pub made_of: Vec<(u32, u32)>,
    /// How many members it may have, and where the group of each is.
    pub members: u16,
    /// The slot of the first member's group.
    pub groups: Slot,
    /// Works the groups out.
    pub work_out: Target,
    /// Takes one member more in, which is put into the slot; where the bytes of one member concern no other.
    pub one_more: Option<(Target, Slot)>,
}

/// Rows to be sorted: `columns` of a row and its `keys` lie in slots, each in a run of its own.
#[derive(Debug, Clone)]
pub struct Sorting {
    /// How many rows there are.
    pub rows: Slot,
    /// Where the values of each variable begin.
    pub columns: Vec<Slot>,
    /// Where the values of each key begin.
    pub keys: Vec<Slot>,
}

/// Something that can be asked about a position.
#[derive(Debug, Clone)]
pub struct Routine {
    /// Where it begins.
    pub entry: Target,
    /// Where the seat goes, if it is about one.
    pub seat: Option<Slot>,
    /// Where the answer is.
    pub answer: Slot,
}
