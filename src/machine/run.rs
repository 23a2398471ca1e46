//! The executor: follows a program from one place until it pauses, returns or fails.

use super::bits::{alike, among, first_members, highest, lower, lowest, matches, members, next_of};
use super::instruction::{Instruction, NO_MEMBER, Slot, Target};
use super::parts::{quotient, remainder, rows_of, sort, steps_to_compare, steps_to_sort, unite};
use super::{Machine, Program, all_slots};

/// Why the executor stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Halt {
    /// A player is asked.
    Choose(u16),
    /// Chance is asked.
    Chance(u16),
    /// The game is over.
    Over,
    /// Who wins is known, as a mask of seats.
    Decided(u16),
    /// What was asked for is done, or enough has been emitted.
    Done,
    /// The ruleset cannot go on.
    Fail(u16),
    /// The budget of steps is used up, in a loop at this place.
    Tired(Target),
    /// A player is asked, and everything about that has been seen to.
    Waits,
    /// The same, and nothing legal was picked.
    Stuck,
    /// The program is at fault, at this place: an instruction reached outside of what it may.
    Flaw(Target),
    /// What was held to be proved is not so, at this place: only where every access is tested.
    Unproved(Target),
}

/// What to do with legal entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wanted {
    /// Keep them all.
    All,
    /// Stop at the first.
    One,
}

/// An element of so many bytes. What indices begin at is taken off `from`, so `at` may be below 0.
#[inline]
#[expect(
    clippy::cast_sign_loss,
    clippy::cast_possible_truncation,
    reason = "what is below 0 wraps, and so does the sum"
)]
fn place(from: u32, at: i64, width: usize) -> usize {
    (from as usize).wrapping_add((at as usize).wrapping_mul(width))
}

/// The mask that holds a member, and its bit there; nothing if there is no such member.
#[inline]
fn word(program: &Program, bits: Slot, member: i64) -> Option<(usize, i64)> {
    Some((program.numbered(bits, member >> 6)?, 1_i64 << (member & 63)))
}

/// An entry of a table; 0 outside of it.
#[inline]
fn entry(program: &Program, from: u32, count: u32, at: i64) -> i64 {
    let within = at.cast_unsigned() < u64::from(count);
    let place = usize::try_from(at).ok().filter(|_| within).map(|at| from as usize + at);
    place.and_then(|place| program.tables.get(place)).copied().unwrap_or(0)
}

impl Machine<'_> {
    /// Follows the program: natively, if what begins here is translated.
    #[inline]
    pub(super) fn run(&mut self, from: Target, wanted: Wanted) -> Halt {
        match self.run_native(from, wanted) {
            Some(halt) => halt,
            None if self.desk.counting.is_some() => self.follow::<true>(from, wanted),
            None => self.follow::<false>(from, wanted),
        }
    }

    /// Follows the program, instruction by instruction; counts them if `COUNTS`. Not a part of `run`: whoever goes natively
    /// need not make room for it.
    #[inline(never)]
    #[expect(clippy::too_many_lines, reason = "one arm for each instruction")]
    #[expect(clippy::cast_sign_loss, reason = "masks and numbers share slots")]
    #[expect(clippy::cast_possible_truncation, reason = "stored numbers fit their width: writes are checked")]
    fn follow<const COUNTS: bool>(&mut self, from: Target, wanted: Wanted) -> Halt {
        let Self { program, slots, state, desk, .. } = self;
        let (program, slots) = (*program, all_slots(slots));
        let state = state.get_mut(..program.bytes).unwrap_or_default();
        let code = program.code.as_slice();
        let mut pc = from as usize;
        let floor = desk.calls.len();
        let mut steps = desk.steps;
        macro_rules! at {
            ($slot:expr) => {
                slots[usize::from($slot)]
            };
        }
        macro_rules! spend {
            ($cost:expr) => {{
                let cost: u64 = $cost;
                if steps < cost {
                    break Halt::Tired(pc as Target);
                }
                steps -= cost;
            }};
        }
        macro_rules! go_back {
            ($target:expr) => {{
                spend!(Instruction::steps_back(pc, $target as usize));
                pc = $target as usize;
                continue;
            }};
        }
        macro_rules! go_if {
            ($condition:expr, $target:expr) => {{
                if $condition {
                    pc = $target as usize;
                    continue;
                }
            }};
        }
        macro_rules! load {
            ($to:expr, $at:expr, $from:expr, $bias:expr, $number:ty) => {{
                const WIDTH: usize = size_of::<$number>();
                let first = place($from, at!($at), WIDTH);
                let mut bytes = [0; WIDTH];
                if let Some(stored) = state.get(first..first.wrapping_add(WIDTH)) {
                    bytes.copy_from_slice(stored);
                }
                at!($to) = i64::from(<$number>::from_le_bytes(bytes)).wrapping_add(i64::from($bias));
            }};
        }
        macro_rules! store {
            ($value:expr, $at:expr, $to:expr, $bias:expr, $number:ty) => {{
                const WIDTH: usize = size_of::<$number>();
                let first = place($to, at!($at), WIDTH);
                let value = at!($value).wrapping_sub(i64::from($bias)) as $number;
                if let Some(stored) = state.get_mut(first..first.wrapping_add(WIDTH)) {
                    stored.copy_from_slice(&value.to_le_bytes());
                }
            }};
        }
        let halt = loop {
            let Some(&instruction) = code.get(pc) else { break Halt::Flaw(pc as Target) };
            if COUNTS {
                desk.count_at(pc);
            }
            match instruction {
                Instruction::Copy { to, from } => at!(to) = at!(from),
                Instruction::Add { to, a, b } => at!(to) = at!(a).wrapping_add(at!(b)),
                Instruction::AddConst { to, a, value } => at!(to) = at!(a).wrapping_add(i64::from(value)),
                Instruction::Subtract { to, a, b } => at!(to) = at!(a).wrapping_sub(at!(b)),
                Instruction::Multiply { to, a, b } => at!(to) = at!(a).wrapping_mul(at!(b)),
                Instruction::Divide { to, a, b } => {
                    at!(to) = quotient(at!(a), at!(b));
                }
                Instruction::Modulo { to, a, b } => at!(to) = remainder(at!(a), at!(b)),
                Instruction::MultiplyAdd { to, a, times, plus } => {
                    at!(to) = at!(a).wrapping_mul(i64::from(times)).wrapping_add(at!(plus));
                }
                Instruction::Least { to, a, b } => at!(to) = at!(a).min(at!(b)),
                Instruction::Most { to, a, b } => at!(to) = at!(a).max(at!(b)),
                Instruction::Both { to, a, b } => at!(to) = at!(a) & at!(b),
                Instruction::Either { to, a, b } => at!(to) = at!(a) | at!(b),
                Instruction::Without { to, a, b } => at!(to) = at!(a) & !at!(b),
                Instruction::Tally { to, a } => at!(to) = at!(to).wrapping_add(i64::from(at!(a).count_ones())),
                Instruction::Matches { to, from, count, bias, b } => {
                    at!(to) = matches(state, from, count, at!(b).wrapping_sub(i64::from(bias)));
                }
                Instruction::Alike { to, from, other, count } => at!(to) = alike(state, from, other, count),
                Instruction::Among { to, at, from, count, set } => {
                    at!(to) = among(state, place(from, at!(at), 1), count, members(&program.tables, set));
                }
                Instruction::Lower { to, a, by } => at!(to) = lower(at!(a), by),
                Instruction::Lowest { to, a, members } => at!(to) = lowest(slots, a, members),
                Instruction::Highest { to, a, members } => at!(to) = highest(slots, a, members),
                Instruction::Join { bits, member } => {
                    let Some((word, bit)) = word(program, bits, at!(member)) else { break Halt::Flaw(pc as Target) };
                    slots[word] |= bit;
                }
                Instruction::Leave { bits, member } => {
                    let Some((word, bit)) = word(program, bits, at!(member)) else { break Halt::Flaw(pc as Target) };
                    slots[word] &= !bit;
                }
                Instruction::Next { bits, members: members @ 0..=64, to, go } => {
                    let mask = at!(bits) & first_members(u64::from(members));
                    go_if!(mask == 0, go);
                    at!(bits) = mask & mask.wrapping_sub(1);
                    at!(to) = i64::from(mask.trailing_zeros());
                }
                Instruction::Next { bits, members, to, go } => match next_of(slots, bits, members) {
                    Some(member) => at!(to) = member,
                    None => {
                        pc = go as usize;
                        continue;
                    }
                },
                Instruction::Jump { go } => {
                    if go as usize <= pc {
                        go_back!(go);
                    }
                    pc = go as usize;
                    continue;
                }
                Instruction::IfSame { a, b, go } => go_if!(at!(a) == at!(b), go),
                Instruction::IfOther { a, b, go } => go_if!(at!(a) != at!(b), go),
                Instruction::IfLess { a, b, go } => go_if!(at!(a) < at!(b), go),
                Instruction::IfAtMost { a, b, go } => go_if!(at!(a) <= at!(b), go),
                Instruction::IfOutside { a, low, count, go } => {
                    go_if!(at!(a).wrapping_sub(i64::from(low)) as u64 >= u64::from(count), go);
                }
                Instruction::IfMember { bits, member, go } => {
                    let held = word(program, bits, at!(member)).is_some_and(|(word, bit)| slots[word] & bit != 0);
                    go_if!(held, go);
                }
                Instruction::IfNoMember { bits, member, go } => {
                    let held = word(program, bits, at!(member)).is_some_and(|(word, bit)| slots[word] & bit != 0);
                    go_if!(!held, go);
                }
                Instruction::IfHolds8 { at, from, bias, b, go } => {
                    let stored = state.get(place(from, at!(at), 1)).copied().unwrap_or(0);
                    go_if!(i64::from(stored) + i64::from(bias) == at!(b), go);
                }
                Instruction::IfLacks8 { at, from, bias, b, go } => {
                    let stored = state.get(place(from, at!(at), 1)).copied().unwrap_or(0);
                    go_if!(i64::from(stored) + i64::from(bias) != at!(b), go);
                }
                Instruction::Count { at, last, go } => {
                    if at!(at) < at!(last) {
                        at!(at) += 1;
                        go_back!(go);
                    }
                }
                Instruction::Tick { cost } => spend!(u64::from(cost)),
                Instruction::Table { to, at, from, count } => at!(to) = entry(program, from, count, at!(at)),
                Instruction::Find { to, at, from, count, go } => {
                    let found = entry(program, from, count.into(), at!(at));
                    at!(to) = found;
                    go_if!(found == NO_MEMBER, go);
                }
                Instruction::Load8 { to, at, from, bias } => load!(to, at, from, bias, u8),
                Instruction::Load16 { to, at, from, bias } => load!(to, at, from, bias, u16),
                Instruction::Load32 { to, at, from, bias } => load!(to, at, from, bias, u32),
                Instruction::Load64 { to, at, from } => load!(to, at, from, 0, i64),
                Instruction::Store8 { value, at, to, bias } => store!(value, at, to, bias, u8),
                Instruction::Store16 { value, at, to, bias } => store!(value, at, to, bias, u16),
                Instruction::Store32 { value, at, to, bias } => store!(value, at, to, bias, u32),
                Instruction::Store64 { value, at, to } => store!(value, at, to, 0, i64),
                Instruction::Get { to, base, at } => {
                    at!(to) = program.numbered(base, at!(at)).map_or(0, |slot| slots[slot]);
                }
                Instruction::Put { base, at, from } => {
                    let Some(slot) = program.numbered(base, at!(at)) else { break Halt::Flaw(pc as Target) };
                    slots[slot] = at!(from);
                }
                Instruction::Call { go } => {
                    desk.call(pc as Target + 1);
                    pc = go as usize;
                    continue;
                }
                Instruction::Return => {
                    if desk.calls.len() <= floor {
                        break Halt::Done;
                    }
                    let Some(back) = desk.calls.pop() else { break Halt::Done };
                    pc = back as usize;
                    continue;
                }
                Instruction::Lots { .. } => break Halt::Done,
                Instruction::Refresh { region } => {
                    spend!(program.regions.get(usize::from(region)).map_or(0, steps_to_compare));
                    if let Some((go, again)) = desk.outdated(program, slots, state, region) {
                        desk.call(pc as Target + Target::from(!again));
                        pc = go as usize;
                        continue;
                    }
                }
                Instruction::Unite { base, count, a, b } => {
                    spend!(instruction.steps(program.bytes));
                    if !unite(slots, base, count, at!(a), at!(b)) {
                        break Halt::Flaw(pc as Target);
                    }
                }
                Instruction::Pairing { to, base, rows, words } => {
                    let rows = rows_of(at!(rows), program.run(base) / u32::from(words.max(1)));
                    let Some(rows) = rows else { break Halt::Flaw(pc as Target) };
                    match desk.pairing(slots, base, rows, words, &mut steps) {
                        Some(paired) => at!(to) = i64::from(paired),
                        None => break Halt::Tired(pc as Target),
                    }
                }
                Instruction::Sort { sorting } => {
                    let known = program.sortings.get(usize::from(sorting));
                    let Some((sorting, rows)) =
                        known.and_then(|sorting| Some((sorting, sorting.rows_in(program, slots)?)))
                    else {
                        break Halt::Flaw(pc as Target);
                    };
                    spend!(steps_to_sort(sorting, rows));
                    sort(slots, sorting, rows);
                }
                Instruction::Keep => {
                    spend!(instruction.steps(program.bytes));
                    desk.keep(state);
                }
                Instruction::Restore => {
                    spend!(instruction.steps(program.bytes));
                    if !desk.restore(state) {
                        break Halt::Flaw(pc as Target);
                    }
                }
                Instruction::Choose { choice } => break Halt::Choose(choice),
                Instruction::Chance { chance } => break Halt::Chance(chance),
                Instruction::Over => break Halt::Over,
                Instruction::Decided { winners } => break Halt::Decided(at!(winners) as u16),
                Instruction::Emit { offer } => {
                    if wanted == Wanted::All && desk.is_full() {
                        break Halt::Tired(pc as Target);
                    }
                    if !desk.emit(program, slots, offer) {
                        break Halt::Flaw(pc as Target);
                    }
                    if wanted == Wanted::One {
                        desk.calls.truncate(floor);
                        break Halt::Done;
                    }
                }
                Instruction::Weigh { value, weight } => {
                    if !desk.weigh(at!(value), at!(weight)) {
                        break Halt::Tired(pc as Target);
                    }
                }
                Instruction::Paid { amount } => desk.paid = at!(amount),
                Instruction::Fail { trouble } => {
                    desk.calls.truncate(floor);
                    break Halt::Fail(trouble);
                }
            }
            pc += 1;
        };
        desk.steps = steps;
        halt
    }
}
