//! The machine: executes a compiled ruleset over a flat block of bytes.
//!
//! A position is a block of known size: copying it is one copy of bytes, and equal positions are equal
//! bytes. The machine holds one position to work on, the slots of the instructions, and buffers that grow
//! to their size once and are used again; playing allocates nothing after that. It answers what is legal
//! and what follows; *why* something is not legal is for the reference evaluator to say.

mod bits;
mod counting;
mod decode;
mod instruction;
mod listing;
mod lots;
mod moves;
#[expect(unsafe_code, reason = "running code that was made while the program runs")]
mod native;
mod parts;
mod play;
mod position;
mod program;
mod random;
mod run;
mod sealed;
mod slots;
mod step;
mod values;
mod verify;

pub(crate) use bits::{first_members, lower};
pub use counting::Count;
pub use instruction::{Instruction, NO_MEMBER, NO_NUMBER, Slot, Target};
pub use listing::list;
pub use lots::{Code, Lot, Lots};
pub use moves::{Dice, Move};
pub use play::Waits;
pub use position::Position;
pub use program::{
    Asks, Cell, Chance, Choice, Draft, HEADER, Offer, Otherwise, Param, Partition, Pause, Question, Routine, Row, Seen,
    Sorting, StatePlace, Tested,
};
pub use random::{Random, seed_of_game};
pub use sealed::Program;
pub use step::Step;
pub use values::{code_of, from_code, from_slot, none_of, scalar_size, to_slot};
pub use verify::Flaw;

use std::sync::atomic::{AtomicBool, Ordering};

use crate::impossible;

/// Slots that an instruction can name.
const SLOTS: usize = 1 << 16;

/// How a program is carried out. The answers are the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Engine {
    /// Instruction by instruction at first; what is run often natively, where the processor is known.
    #[default]
    Auto,
    /// Instruction by instruction.
    Bytecode,
    /// Natively from the beginning, where the processor is known.
    Native,
    /// The same, with a test for every access that native code would not test: an internal error names the instruction.
    Checked,
}

/// Is native code left out altogether?
static ONLY_INSTRUCTIONS: AtomicBool = AtomicBool::new(false);

/// From now on new machines carry out every program instruction by instruction. For whoever starts a process.
pub fn use_only_instructions() {
    ONLY_INSTRUCTIONS.store(true, Ordering::Relaxed);
}

/// Plays a program.
#[derive(Debug, Clone)]
pub struct Machine<'p> {
    program: &'p Program,
    /// Translated code, once it is worth while.
    native: Option<&'p native::Native>,
    /// Runs that are left before there is any; 0: there never will be.
    runs_to_native: u32,
    /// Runs of a piece before it is translated.
    often: u32,
    /// Does native code test every access?
    checked: bool,
    /// As many as there are slots. Not a box: native code points into it, and what a box owns nobody else may point to.
    slots: Vec<i64>,
    /// The block, and some bytes behind it.
    state: Vec<u8>,
    /// Are the moves those of the position?
    listed: bool,
    /// Are the outcomes those of the position?
    weighed: bool,
    /// Steps that one entry may take.
    budget: u64,
    /// Is it left open at first whether anything is possible where the flow waits?
    trusting: bool,
    /// Is that open now?
    open: bool,
    /// Who has won, as a mask of seats, if that is known.
    decided: Option<u16>,
    desk: Desk,
}

/// The slots of a program.
type Slots = [i64; SLOTS];

/// What the machine works with beside slots and state: buffers that are used again and again.
#[derive(Debug, Clone, Default)]
struct Desk {
    /// Room for entries, and how many there are.
    moves: Vec<Move>,
    count: usize,
    outcomes: Vec<(i64, u64)>,
    paid: i64,
    /// Room for entries that were played at random, and how many there are.
    played: Vec<Move>,
    played_count: usize,
    /// The generator before entries were picked of which none was legal.
    before: [u64; 4],
    winners: Vec<u32>,
    /// Where instructions are counted, if that is asked for.
    counting: Option<Box<counting::Counting>>,
    calls: Vec<Target>,
    steps: u64,
    /// For each partition the bytes that it was made of, and whether it was made at all.
    made_of: Vec<(Vec<u8>, bool)>,
    owners: Vec<Option<usize>>,
    tried: Vec<u64>,
    /// Masks of rows that were looked at to pair one more.
    looked_at: u64,
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
            native: program.native(false).known(),
            runs_to_native: native::OFTEN,
            often: native::OFTEN,
            checked: false,
            slots: vec![0; SLOTS],
            state: vec![0; program.bytes + native::BEHIND],
            listed: false,
            weighed: false,
            budget: crate::limits::STEPS,
            trusting: false,
            open: false,
            decided: None,
            desk: Desk { made_of, ..Desk::default() },
        };
        for &(slot, value) in &program.constants {
            machine.slots[usize::from(slot)] = value;
        }
        if ONLY_INSTRUCTIONS.load(Ordering::Relaxed) {
            return machine.with_engine(Engine::Bytecode);
        }
        machine
    }

    /// Says how programs are carried out.
    #[must_use]
    pub fn with_engine(mut self, engine: Engine) -> Self {
        self.native = None;
        self.checked = engine == Engine::Checked;
        (self.runs_to_native, self.often) = match engine {
            Engine::Auto => (native::OFTEN, native::OFTEN),
            Engine::Bytecode => (0, u32::MAX),
            Engine::Native | Engine::Checked => (1, 0),
        };
        self
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

/// The slots of a machine, as so many as they are.
fn all_slots(slots: &mut [i64]) -> &mut Slots {
    match slots.try_into() {
        Ok(slots) => slots,
        Err(_) => impossible!("a machine has not all its slots"),
    }
}
