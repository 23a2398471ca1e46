//! The machine: executes a compiled ruleset over a flat block of bytes.
//!
//! A position is a block of known size: copying it is one copy of bytes, and equal positions are equal
//! bytes. The machine holds one position to work on, the slots of the instructions, and buffers that grow
//! to their size once and are used again; playing allocates nothing after that. It answers what is legal
//! and what follows; *why* something is not legal is for the reference evaluator to say.

mod decode;
mod instruction;
mod listing;
mod moves;
mod parts;
mod play;
mod program;
mod run;
mod values;

pub use instruction::{Instruction, NO_MEMBER, NO_NUMBER, Slot, Target};
pub use listing::list;
pub use moves::{Dice, Move};
pub use play::{Position, Waits};
pub use program::{
    Asks, Cell, Chance, Choice, HEADER, Offer, Otherwise, Param, Partition, Pause, Program, Routine, Sorting,
    StatePlace,
};
pub use values::{code_of, from_code, from_slot, none_of, scalar_size, to_slot};

/// Slots that an instruction can name.
const SLOTS: usize = 1 << 16;

/// Steps that one entry may take before the ruleset is said to run away: turns of loops are counted.
pub const STEPS: u64 = 200_000_000;

/// Plays a program.
#[derive(Debug, Clone)]
pub struct Machine<'p> {
    program: &'p Program,
    slots: Box<[i64; SLOTS]>,
    state: Vec<u8>,
    moves: Vec<Move>,
    /// Are the moves those of the position?
    listed: bool,
    counted: u64,
    outcomes: Vec<(i64, u64)>,
    paid: i64,
    calls: Vec<Target>,
    steps: u64,
    /// Steps that one entry may take.
    budget: u64,
    /// For each partition the bytes that it was made of, and whether it was made at all.
    made_of: Vec<(Vec<u8>, bool)>,
    owners: Vec<Option<usize>>,
    tried: Vec<u64>,
    kept: Vec<Vec<u8>>,
    spare: Vec<Vec<u8>>,
}

impl<'p> Machine<'p> {
    /// A machine for this program, at no position yet.
    #[must_use]
    pub fn new(program: &'p Program) -> Self {
        let slots = vec![0; SLOTS].into_boxed_slice().try_into().unwrap_or_else(|_| Box::new([0; SLOTS]));
        let mut machine = Self {
            program,
            slots,
            state: vec![0; program.bytes],
            moves: Vec::new(),
            listed: false,
            counted: 0,
            outcomes: Vec::new(),
            paid: 0,
            calls: Vec::new(),
            steps: STEPS,
            budget: STEPS,
            made_of: vec![(Vec::new(), false); program.regions.len()],
            owners: Vec::new(),
            tried: Vec::new(),
            kept: Vec::new(),
            spare: Vec::new(),
        };
        for &(slot, value) in &program.constants {
            machine.slots[usize::from(slot)] = value;
        }
        machine
    }

    /// The program.
    #[must_use]
    pub fn program(&self) -> &'p Program {
        self.program
    }

    /// Sets how many steps one entry may take.
    #[must_use]
    pub fn with_budget(mut self, steps: u64) -> Self {
        self.budget = steps;
        self
    }
}
