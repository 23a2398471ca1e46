//! What translated code and Rust tell each other, and what translated code calls.

use std::any::Any;
use std::ffi::c_void;
use std::mem::offset_of;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use super::super::instruction::{Slot, Target};
use super::super::parts::{quotient, remainder, rows_of, sort, steps_to_compare, steps_to_sort, unite};
use super::super::run::{Halt, Wanted};
use super::super::{Machine, Move, Slots};
use super::ended::{Ended, halt, number};
use super::pieces::Entry;
use super::{Native, module::Gate};
use crate::limits;

/// What a run of translated code works with, besides slots and block. Its address is the first argument of every
/// piece.
#[repr(C)]
pub(super) struct Frame {
    /// Turns of loops that are left.
    pub(super) steps: u64,
    /// Turns of loops that a listing may take.
    pub(super) budget: u64,
    /// Where entries are put, how many there are, and how many may be.
    pub(super) moves: *mut Move,
    pub(super) count: u64,
    pub(super) limit: u64,
    /// An entry, or the number of a possible one: what the piece is about.
    pub(super) about: u64,
    /// What the last action cost.
    pub(super) paid: i64,
    /// Is it left open whether anything is possible?
    pub(super) trusting: u64,
    /// Is one entry enough?
    one: u64,
    /// Four words that random numbers come from.
    words: *mut u64,
    /// Where they are noted as they were before anything was picked where nothing was found.
    before: *mut u64,
    /// Where entries that were played are put, how many there are, and how many may be.
    played: *mut Move,
    played_count: u64,
    played_limit: u64,
    /// The machine; valid as long as the frame.
    machine: *mut c_void,
    /// Where a panic is kept that translated code cannot be unwound by.
    panicked: *mut Option<Payload>,
}

/// What a panic carries.
type Payload = Box<dyn Any + Send>;

pub(super) const STEPS: usize = offset_of!(Frame, steps);
pub(super) const BUDGET: usize = offset_of!(Frame, budget);
pub(super) const MOVES: usize = offset_of!(Frame, moves);
pub(super) const COUNT: usize = offset_of!(Frame, count);
pub(super) const LIMIT: usize = offset_of!(Frame, limit);
pub(super) const ABOUT: usize = offset_of!(Frame, about);
pub(super) const PAID: usize = offset_of!(Frame, paid);
pub(super) const TRUSTING: usize = offset_of!(Frame, trusting);
pub(super) const ONE: usize = offset_of!(Frame, one);
pub(super) const WORDS: usize = offset_of!(Frame, words);
pub(super) const BEFORE: usize = offset_of!(Frame, before);
pub(super) const PLAYED: usize = offset_of!(Frame, played);
pub(super) const PLAYED_COUNT: usize = offset_of!(Frame, played_count);
pub(super) const PLAYED_LIMIT: usize = offset_of!(Frame, played_limit);

impl Native {
    /// Runs translated code.
    #[inline]
    pub(super) fn call(&self, code: *mut u8, machine: &mut Machine<'_>, about: u64, wanted: Wanted) -> Halt {
        self.call_with(code, machine, about, wanted, &mut [0; 4], 0)
    }

    /// The same, with random numbers, for so many entries at most.
    #[inline]
    pub(super) fn call_with(
        &self,
        code: *mut u8,
        machine: &mut Machine<'_>,
        about: u64,
        wanted: Wanted,
        words: &mut [u64; 4],
        most: usize,
    ) -> Halt {
        let one = wanted == Wanted::One;
        machine.desk.make_room();
        // From here on everything is reached through this pointer, and through pointers that vectors of the machine
        // keep themselves: while translated code runs there is no reference to any of it, but in what it calls.
        let holder: *mut Machine<'_> = machine;
        // SAFETY: made of a reference that is not used again before the call has ended.
        let machine = unsafe { &mut *holder };
        let mut before = [0; 4];
        let mut panicked = None;
        let mut frame = Frame {
            steps: machine.desk.steps,
            budget: machine.budget,
            moves: machine.desk.moves.as_mut_ptr(),
            count: machine.desk.count as u64,
            limit: if one { machine.desk.count as u64 + 1 } else { machine.desk.moves.len() as u64 },
            about,
            paid: machine.desk.paid,
            trusting: u64::from(machine.trusting && most == 0),
            one: u64::from(one),
            words: words.as_mut_ptr(),
            before: before.as_mut_ptr(),
            played: machine.desk.played.as_mut_ptr(),
            played_count: machine.desk.played_count as u64,
            played_limit: machine.desk.played.len().min(most) as u64,
            machine: holder.cast(),
            panicked: &raw mut panicked,
        };
        let (slots, state) = (machine.slots.as_mut_ptr(), machine.state.as_mut_ptr());
        let gate: Gate = self.gate;
        // SAFETY: `code` was made by this module for this program, which is the machine's. It reaches the frame, what
        // that points to, the slots and the block, which live longer than the call. The reference above is not used any
        // more; what translated code calls makes its own, and drops it before it returns.
        let ended = unsafe { gate(&raw mut frame, slots, state, code) };
        // SAFETY: nothing else refers to the machine now that the call has ended.
        let machine = unsafe { &mut *holder };
        machine.desk.steps = frame.steps;
        machine.desk.paid = frame.paid;
        machine.desk.count = usize::try_from(frame.count).unwrap_or(0);
        machine.desk.played_count = usize::try_from(frame.played_count).unwrap_or(0);
        let halt = halt(ended);
        if let Some(payload) = panicked {
            resume_unwind(payload);
        }
        if halt == Halt::Stuck {
            machine.desk.before = before;
        }
        halt
    }
}

/// The machine of a frame.
///
/// # Safety
///
/// The frame must be one that [`Native::call`] made and that is still being run.
unsafe fn machine_of<'f>(frame: *mut Frame) -> &'f mut Machine<'f> {
    // SAFETY: `call` has put its machine there, and holds it until the run ends; translated code has no other
    // reference to it, so this is the only one while the called function runs.
    unsafe { &mut *(*frame).machine.cast::<Machine<'f>>() }
}

/// Hands a piece to the executor of instructions, and takes back what it did.
pub(super) unsafe extern "C" fn stand_in(frame: *mut Frame, piece: u64) -> i64 {
    // SAFETY: called by translated code with the frame that it was given.
    let (machine, frame) = unsafe { (machine_of(frame), &mut *frame) };
    caught(frame.panicked, || stand_in_for(machine, frame, piece))
}

/// Does what may panic, and keeps the panic until translated code has returned. What is half done is not looked at again.
fn caught(panicked: *mut Option<Payload>, work: impl FnOnce() -> i64) -> i64 {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|payload| {
        // SAFETY: `call_with` has made the pointer of a variable that lives as long as the frame, and does not look at it
        // before the run has ended.
        unsafe { *panicked = Some(payload) };
        Ended::Flaw.about(0)
    })
}

fn stand_in_for(machine: &mut Machine<'_>, frame: &mut Frame, piece: u64) -> i64 {
    let Some(native) = machine.native else { return Ended::Flaw.about(0) };
    match usize::try_from(piece).ok().and_then(|piece| native.pieces.entries.get(piece)) {
        Some(&Entry::At(place)) => run(machine, frame, place),
        Some(&Entry::On(place)) => {
            // Nobody else asks for these pieces: if this one is worth while, it is there the next time.
            native.ready(machine.program, u32::try_from(piece).unwrap_or(u32::MAX), machine.often);
            run(machine, frame, place)
        }
        // The flow waits: whoever plays on takes it from there.
        Some(Entry::Play(choice)) => Ended::Choose.about(u32::from(*choice)),
        // The others have code of their own as soon as they can be called.
        Some(Entry::Enter(_) | Entry::Pick(_)) | None => Ended::Flaw.about(0),
    }
}

/// Runs something else from inside translated code.
fn run(machine: &mut Machine<'_>, frame: &mut Frame, place: Target) -> i64 {
    let before = usize::try_from(frame.count).unwrap_or(0);
    machine.desk.steps = frame.steps;
    machine.desk.paid = frame.paid;
    machine.desk.count = before;
    let wanted = if frame.one != 0 { Wanted::One } else { Wanted::All };
    let halt = machine.run(place, wanted);
    frame.steps = machine.desk.steps;
    frame.paid = machine.desk.paid;
    frame.count = machine.desk.count as u64;
    // Translated code puts an entry at the end of the list before it asks whether that was the last that fits.
    machine.desk.make_room();
    frame.moves = machine.desk.moves.as_mut_ptr();
    if frame.one == 0 {
        frame.limit = machine.desk.moves.len() as u64;
    } else if machine.desk.count > before {
        return Ended::Enough.about(0);
    }
    number(halt)
}

/// There is no room for another entry: makes some, or says that there are enough, or too many for what is written at
/// this place.
pub(super) unsafe extern "C" fn full(frame: *mut Frame, at: u64) -> i64 {
    // SAFETY: called by translated code with the frame that it was given.
    let (machine, frame) = unsafe { (machine_of(frame), &mut *frame) };
    if frame.one != 0 {
        return Ended::Enough.about(0);
    }
    if machine.desk.moves.len() >= limits::MOVES {
        return Ended::Tired.about(Target::try_from(at).unwrap_or(0));
    }
    let room = machine.desk.moves.len() * 2;
    machine.desk.moves.resize(room, Move::PASS);
    frame.moves = machine.desk.moves.as_mut_ptr();
    frame.limit = room as u64;
    Ended::Done.about(0)
}

/// Brings a partition up to date.
///
/// The first look was paid for. `at` is the instruction that asks.
pub(super) unsafe extern "C" fn refresh(frame: *mut Frame, region: u64, at: u64) -> i64 {
    // SAFETY: called by translated code with the frame that it was given.
    let (machine, frame) = unsafe { (machine_of(frame), &mut *frame) };
    caught(frame.panicked, || refreshed(machine, frame, region, at))
}

fn refreshed(machine: &mut Machine<'_>, frame: &mut Frame, region: u64, at: u64) -> i64 {
    let region = u16::try_from(region).unwrap_or(u16::MAX);
    let cost = machine.program.regions.get(usize::from(region)).map_or(0, steps_to_compare);
    loop {
        let bytes = machine.program.bytes;
        let Machine { program, slots, state, desk, .. } = &mut *machine;
        let Ok(slots) = slots.as_mut_slice().try_into() else { return Ended::Flaw.about(0) };
        let Some((go, again)) = desk.outdated(program, slots, &state[..bytes], region) else {
            return Ended::Done.about(0);
        };
        let ended = run(machine, frame, go);
        if ended != Ended::Done.about(0) || !again {
            return ended;
        }
        match frame.steps.checked_sub(cost) {
            Some(left) => frame.steps = left,
            None => return Ended::Tired.about(Target::try_from(at).unwrap_or(0)),
        }
    }
}

/// The only byte that was written since a partition was up to date: is that about a member that belonged nowhere, so that
/// taking it in is all there is to do?
pub(super) unsafe extern "C" fn take_in(frame: *mut Frame, region: u64, place: u64) -> i64 {
    // SAFETY: called by translated code with the frame that it was given.
    let machine = unsafe { machine_of(frame) };
    let bytes = machine.program.bytes;
    let Machine { program, slots, state, desk, .. } = machine;
    let Ok(slots) = slots.as_mut_slice().try_into() else { return 0 };
    let region = u16::try_from(region).unwrap_or(u16::MAX);
    let taken = usize::try_from(place).is_ok_and(|place| desk.take_in(program, slots, &state[..bytes], region, place));
    i64::from(taken)
}

/// Joins two groups of a partition; false if there is no such member.
pub(super) unsafe extern "C" fn unite_groups(slots: *mut Slots, base: u64, count: u64, a: i64, b: i64) -> i64 {
    // SAFETY: called by translated code with the slots that it was given.
    let slots = unsafe { &mut *slots };
    let (Ok(base), Ok(count)) = (Slot::try_from(base), u16::try_from(count)) else { return 0 };
    i64::from(unite(slots, base, count, a, b))
}

/// Sorts rows.
pub(super) unsafe extern "C" fn sort_rows(frame: *mut Frame, sorting: u64) -> i64 {
    // SAFETY: called by translated code with the frame that it was given.
    let (machine, frame) = unsafe { (machine_of(frame), &mut *frame) };
    let program = machine.program;
    let Ok(slots): Result<&mut Slots, _> = machine.slots.as_mut_slice().try_into() else { return NO_ROOM };
    let sorting = usize::try_from(sorting).ok().and_then(|sorting| program.sortings.get(sorting));
    let Some(sorting) = sorting else { return NO_ROOM };
    let Some(rows) = sorting.rows_in(program, slots) else { return NO_ROOM };
    let Some(left) = frame.steps.checked_sub(steps_to_sort(sorting, rows)) else { return NOT_ENOUGH };
    frame.steps = left;
    sort(slots, sorting, rows);
    1
}

/// What sorting and pairing answer if the steps that are left are not enough, or if there is no room for the rows.
pub(super) const NOT_ENOUGH: i64 = 2;
pub(super) const NO_ROOM: i64 = 3;

/// Can each row have a member of its own?
pub(super) unsafe extern "C" fn pairing(frame: *mut Frame, base: u64, rows: i64, words: u64) -> i64 {
    // SAFETY: called by translated code with the frame that it was given.
    let (machine, frame) = unsafe { (machine_of(frame), &mut *frame) };
    let Machine { program, slots, desk, .. } = machine;
    let (Ok(base), Ok(words @ 1..)) = (Slot::try_from(base), u16::try_from(words)) else { return NO_ROOM };
    let Ok(slots): Result<&mut Slots, _> = slots.as_mut_slice().try_into() else { return NO_ROOM };
    let Some(rows) = rows_of(rows, program.run(base) / u32::from(words)) else { return NO_ROOM };
    desk.pairing(slots, base, rows, words, &mut frame.steps).map_or(NOT_ENOUGH, i64::from)
}

/// Keeps the block.
pub(super) unsafe extern "C" fn keep(frame: *mut Frame) -> i64 {
    // SAFETY: called by translated code with the frame that it was given.
    let machine = unsafe { machine_of(frame) };
    let bytes = machine.program.bytes;
    machine.desk.keep(&machine.state[..bytes]);
    0
}

/// Brings the kept block back; false if there is none.
pub(super) unsafe extern "C" fn restore(frame: *mut Frame) -> i64 {
    // SAFETY: called by translated code with the frame that it was given.
    let machine = unsafe { machine_of(frame) };
    let bytes = machine.program.bytes;
    i64::from(machine.desk.restore(&mut machine.state[..bytes]))
}

/// Notes what chance can give; false if there is no room for more.
pub(super) unsafe extern "C" fn weigh(frame: *mut Frame, value: i64, weight: i64) -> i64 {
    // SAFETY: called by translated code with the frame that it was given.
    i64::from(unsafe { machine_of(frame) }.desk.weigh(value, weight))
}

/// Divides, rounding down.
pub(super) extern "C" fn divide(a: i64, b: i64) -> i64 {
    quotient(a, b)
}

/// The remainder of that.
pub(super) extern "C" fn modulo(a: i64, b: i64) -> i64 {
    remainder(a, b)
}
