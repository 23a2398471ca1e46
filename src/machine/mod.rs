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
mod slots;
mod step;
mod values;

pub use instruction::{Instruction, NO_MEMBER, NO_NUMBER, Slot, Target};
pub use listing::list;
pub use moves::{Dice, Move};
pub use play::{Position, Waits};
pub use program::{
    Asks, Cell, Chance, Choice, HEADER, Offer, Otherwise, Param, Partition, Pause, Program, Routine, Sorting,
    StatePlace,
};
pub use step::Step;
pub use values::{code_of, from_code, from_slot, none_of, scalar_size, to_slot};

/// Slots that an instruction can name.
const SLOTS: usize = 1 << 16;

/// Steps that one entry may take before the ruleset is said to run away: turns of loops are counted.
pub const STEPS: u64 = 20_000_000;

/// Plays a program.
#[derive(Debug, Clone)]
pub struct Machine<'p> {
    program: &'p Program,
    slots: Box<Slots>,
    state: Vec<u8>,
    /// Are the moves those of the position?
    listed: bool,
    /// Steps that one entry may take.
    budget: u64,
    /// Is it left open at first whether anything is possible where the flow waits?
    trusting: bool,
    /// Is that open now?
    open: bool,
    desk: Desk,
}

/// The slots of a program.
type Slots = [i64; SLOTS];

/// What the machine works with beside slots and state: buffers that are used again and again.
#[derive(Debug, Clone, Default)]
struct Desk {
    moves: Vec<Move>,
    counted: u64,
    outcomes: Vec<(i64, u64)>,
    paid: i64,
    calls: Vec<Target>,
    steps: u64,
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
        let made_of = vec![(Vec::new(), false); program.regions.len()];
        let mut machine = Self {
            program,
            slots: empty_slots(),
            state: vec![0; program.bytes],
            listed: false,
            budget: STEPS,
            trusting: false,
            open: false,
            desk: Desk { made_of, ..Desk::default() },
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

/// Who knows what was entered next need not ask whether anything is possible: that entry shows it.
impl<'p> Machine<'p> {
    /// A machine that waits wherever the flow asks somebody, also if nothing is possible there: [`Machine::settle`]
    /// finds that out when it matters.
    #[must_use]
    pub fn trusting(program: &'p Program) -> Self {
        Self { trusting: true, ..Self::new(program) }
    }

    /// Was anything left open here?
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.open
    }
}

/// Half a megabyte that is best never put on the stack.
fn empty_slots() -> Box<Slots> {
    let mut slots = vec![0; SLOTS].into_boxed_slice();
    loop {
        match slots.try_into() {
            Ok(slots) => return slots,
            // INVARIANT: the length is right; the type asks for a way out.
            Err(_) => slots = vec![0; SLOTS].into_boxed_slice(),
        }
    }
}
