//! Native code: the same program, translated for the processor where it runs often.
//!
//! A program is cut into pieces (`pieces.rs`), each of which becomes one function. A piece is translated when it
//! has been run often enough, and until then, or where there is no translation, the executor of instructions
//! does its work: both read and write the same slots and the same block at every border between pieces, so
//! that they can take turns. Inside a piece slots are registers; `borders.rs` finds out which of them somebody
//! else may look at.
//!
//! # Why this is sound
//!
//! This folder is the only one with `unsafe`. Translated code reaches the following memory and no other. Each row says what
//! keeps it inside; a fact of the verifier was seen to be true of this program (`../verify/`), a proof follows from such
//! facts and from tests that both engines make (`ranges.rs`), and a test is in the code.
//!
//! | memory | inside, because |
//! |---|---|
//! | block, at a known place | the verifier: states, pauses and known indices lie in it; sixteen bytes at a time end at most `BEHIND` bytes behind it |
//! | block, by index | a proof that the index fits, else a test: outside is read as 0 and written to nowhere |
//! | block, by the members of a mask | the masks are cut to the members that the state has room for (`stores.rs`) |
//! | slots, named | any name is a slot: there are as many as names |
//! | slots, by number | a proof that the number is in the run, else a test: outside is read as 0, and a write ends the run |
//! | tables | a proof that the index is in the table's own run, else a test: outside is read as 0 |
//! | planes on the stack | a proof that the element is the state's, else a test |
//! | list of moves | an entry is noted only where `count < limit`: Rust makes room before it calls, and `frame::full` after each entry that fills the list |
//! | list of played moves | room is tested where a move is picked. The verifier: one move is noted from there to the next pause, since a test emits once, and the flow neither emits nor returns |
//! | frame, generator | their own fields; they outlive the call |
//! | other pieces | a number that the translator took from the list of pieces |
//!
//! Further:
//!
//! - **Ranges** hold for whatever a slot is given, by instructions, native code or Rust. Parameters are clamped where a move is
//!   taken apart, picked numbers are below what the verifier has added up, drawn bits are cut to those that stand for a
//!   move, the seat is checked before a player is asked, and positions of other programs are refused.
//! - **The stack** is bounded: no routine calls itself, and calls are at most so deep as the verifier allows; a large frame
//!   probes it.
//! - **Alias facts**: frame, slots, block, lists, tables and stack are different memory. Inside the block, states and what the
//!   flow keeps are told apart only in pieces where every access is proved to be in one of them (`kinds.rs`).
//! - **References**: while translated code runs there is no reference to the machine. It gets raw pointers that vectors of the
//!   machine keep themselves; Rust that it calls makes a reference of the pointer in the frame, and drops it before it
//!   returns. Nothing unwinds through it: what it calls reports a fault by a number.
//! - **Division** is by a known number above 0, or by a count that was just seen not to be 0.
//!
//! [`super::Engine::Checked`] tests what was proved as well, and the range of everything that is written (`checks.rs`).

mod among;
mod blocks;
mod borders;
mod checks;
mod effects;
mod emits;
mod ended;
mod frame;
mod fuel;
mod helpers;
mod kinds;
mod listed;
mod lots;
mod memory;
mod module;
mod pauses;
mod pieces;
mod planes;
mod random;
mod ranges;
mod sets;
mod stores;
#[cfg(test)]
mod tests;
mod translate;

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU32, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError, TryLockError};

use super::Program;
use super::run::{Halt, Wanted};
use super::{Machine, Random, Target};
use crate::impossible;
use borders::Borders;
use module::Module;
use pieces::Pieces;

pub(super) use memory::BEHIND;

/// Runs of a piece before it is translated.
pub(super) const OFTEN: u32 = 400;

/// Runs until native code that another thread makes is asked for again.
const SOON: u32 = 32;

/// A translated piece, or nothing.
type Code = AtomicPtr<u8>;

/// The native code of one program, which all its machines share.
pub(crate) struct Native {
    pieces: Pieces,
    borders: Borders,
    /// By piece: what runs it; at first something that hands it to the executor of instructions.
    code: Box<[Code]>,
    heat: Box<[AtomicU32]>,
    tables: Box<[i64]>,
    /// Nothing once it has failed: the program is then carried on by instructions.
    module: Mutex<Option<Module>>,
    gate: module::Gate,
    /// Hands a piece to the executor of instructions.
    stand_in: Code,
    /// Is every access tested that need not be?
    checked: bool,
}

impl Native {
    fn of(program: &Program, checked: bool) -> Option<Self> {
        // What is translated is verified: once a program, in every build.
        if let Err(flaw) = program.verify() {
            impossible!("{flaw}");
        }
        let pieces = Pieces::of(program);
        let borders = Borders::of(program, &pieces);
        let (module, gate, stand_in) = Module::new()?;
        let count = pieces.entries.len();
        let code = (0..count).map(|_| AtomicPtr::new(stand_in)).collect();
        let heat = (0..count).map(|_| AtomicU32::new(0)).collect();
        let mut tables = program.tables.clone();
        tables.push(0);
        let tables = tables.into_boxed_slice();
        Some(Self {
            pieces,
            borders,
            code,
            heat,
            tables,
            module: Mutex::new(Some(module)),
            gate,
            stand_in: AtomicPtr::new(stand_in),
            checked,
        })
    }

    /// What hands a piece to the executor of instructions. It never changes.
    #[inline]
    fn stand_in(&self) -> *mut u8 {
        self.stand_in.load(Ordering::Relaxed)
    }

    /// What runs a piece, if it is translated; translates it if it has been asked for often enough.
    #[inline]
    fn ready(&self, program: &Program, piece: u32, often: u32) -> Option<*mut u8> {
        let code = self.code.get(piece as usize)?.load(Ordering::Acquire);
        if code != self.stand_in() {
            return Some(code);
        }
        self.warm(program, piece, often)
    }

    #[cold]
    fn warm(&self, program: &Program, piece: u32, often: u32) -> Option<*mut u8> {
        let heat = self.heat.get(piece as usize)?.fetch_add(1, Ordering::Relaxed);
        if heat < often {
            return None;
        }
        // While another thread translates, this one goes on by instructions.
        let mut module = match self.module.try_lock() {
            Ok(module) => module,
            // Where a translation has panicked, what it left half made is not used again.
            Err(TryLockError::WouldBlock | TryLockError::Poisoned(_)) => return None,
        };
        let place = self.code.get(piece as usize)?;
        let known = place.load(Ordering::Acquire);
        if known != self.stand_in() {
            return Some(known);
        }
        let made = module.as_mut()?.translate(program, self, piece);
        // Whoever plays goes on by instructions then, but there is no reason why this should ever happen.
        debug_assert!(made.is_some(), "{:?} cannot be translated", self.pieces.entries.get(piece as usize));
        match made {
            Some(code) => {
                place.store(code, Ordering::Release);
                Some(code)
            }
            None => {
                *module = None;
                None
            }
        }
    }
}

impl Drop for Native {
    fn drop(&mut self) {
        let module = self.module.get_mut().unwrap_or_else(PoisonError::into_inner);
        if let Some(module) = module.take() {
            module.free();
        }
    }
}

/// The native code of a program, made when it is first asked for.
#[derive(Default)]
pub(crate) struct Place {
    made: OnceLock<Option<Native>>,
    /// Has somebody begun to make it?
    begun: AtomicBool,
}

impl Place {
    pub(super) fn of<'p>(&'p self, program: &Program, checked: bool) -> Option<&'p Native> {
        self.made.get_or_init(|| Native::of(program, checked)).as_ref()
    }

    /// Is another thread making it just now?
    fn is_made_elsewhere(&self) -> bool {
        self.made.get().is_none() && self.begun.swap(true, Ordering::Relaxed)
    }

    /// What there is already, thanks to another machine.
    pub(super) fn known(&self) -> Option<&Native> {
        self.made.get().and_then(Option::as_ref)
    }
}

/// A copy of a program has native code of its own.
impl Clone for Place {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl fmt::Debug for Place {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Place")
    }
}

impl fmt::Debug for Native {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Native").field("pieces", &self.pieces.entries.len()).finish_non_exhaustive()
    }
}

impl<'p> Machine<'p> {
    /// The native code of the program, once it has been run often.
    #[inline]
    fn native(&mut self) -> Option<&'p Native> {
        if self.native.is_none() && self.runs_to_native > 0 {
            self.runs_to_native -= 1;
            if self.runs_to_native == 0 {
                // While another thread makes it, this one goes on by instructions, unless these are not wanted.
                if self.often > 0 && self.program.native(self.checked).is_made_elsewhere() {
                    self.runs_to_native = SOON;
                } else {
                    self.native = self.program.native(self.checked).of(self.program, self.checked);
                }
            }
        }
        self.native
    }

    /// Runs what begins at a place natively, if it is translated.
    #[inline]
    pub(super) fn run_native(&mut self, from: Target, wanted: Wanted) -> Option<Halt> {
        let native = self.native()?;
        let piece = native.pieces.at(from)?;
        let code = native.ready(self.program, piece, self.often)?;
        Some(native.call(code, self, 0, wanted))
    }

    /// Carries out an entry natively, if that is translated.
    #[inline]
    pub(super) fn enter_native(&mut self, entry: u64, offer: usize) -> Option<Halt> {
        let native = self.native()?;
        let piece = native.pieces.enter(offer)?;
        let code = native.ready(self.program, piece, self.often)?;
        Some(native.call(code, self, entry, Wanted::All))
    }

    /// Plays entries at random from a choice on, if that is translated.
    #[inline]
    pub(super) fn play_native(&mut self, choice: u16, random: &mut Random, most: usize) -> Option<Halt> {
        let native = self.native()?;
        let piece = native.pieces.play(choice)?;
        let code = native.ready(self.program, piece, self.often)?;
        self.leave();
        Some(native.call_with(code, self, 0, Wanted::All, &mut random.words, most))
    }

    /// Tries one of the possible entries of a choice natively, if that is translated.
    #[inline]
    pub(super) fn pick_native(&mut self, choice: u16, pick: u64) -> Option<Halt> {
        let native = self.native()?;
        let piece = native.pieces.pick(choice)?;
        let code = native.ready(self.program, piece, self.often)?;
        Some(native.call(code, self, pick, Wanted::One))
    }
}
