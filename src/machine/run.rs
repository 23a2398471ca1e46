//! The executor: follows a program from one place until it pauses, returns or fails.

use super::Machine;
use super::instruction::{Instruction, NO_NUMBER, Slot, Target};
use crate::bind::divide_down;

/// Why the executor stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Halt {
    /// A player is asked.
    Choose(u16),
    /// Chance is asked.
    Chance(u16),
    /// The game is over.
    Over,
    /// What was asked for is done, or enough has been emitted.
    Done,
    /// The ruleset cannot go on.
    Fail(u16),
    /// The budget of steps is used up, in a loop at this place.
    Tired(Target),
}

/// What to do with legal entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wanted {
    /// Keep them all.
    All,
    /// Count them.
    Number,
    /// Stop at the first.
    One,
}

impl Machine<'_> {
    fn at(&self, slot: Slot) -> i64 {
        self.slots[usize::from(slot)]
    }

    fn put(&mut self, slot: Slot, value: i64) {
        self.slots[usize::from(slot)] = value;
    }

    fn word(&self, bits: Slot, member: i64) -> (Slot, u64) {
        let word = u16::try_from(member >> 6).unwrap_or(0);
        (bits.wrapping_add(word), 1 << (member & 63))
    }

    /// Follows the program.
    #[expect(clippy::too_many_lines, reason = "one arm for each instruction")]
    #[expect(clippy::cast_sign_loss, reason = "masks and numbers share slots")]
    #[expect(clippy::cast_possible_wrap, reason = "masks and numbers share slots")]
    #[expect(clippy::cast_possible_truncation, reason = "stored numbers fit their width: writes are checked")]
    pub(super) fn run(&mut self, from: Target, wanted: Wanted) -> Halt {
        let program = self.program;
        let code = program.code.as_slice();
        let mut pc = from as usize;
        let floor = self.calls.len();
        macro_rules! go_back {
            ($target:expr) => {{
                if self.steps == 0 {
                    return Halt::Tired(pc as Target);
                }
                self.steps -= 1;
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
                let first = $from as usize + self.at($at) as usize * WIDTH;
                let mut bytes = [0; WIDTH];
                if let Some(stored) = self.state.get(first..first + WIDTH) {
                    bytes.copy_from_slice(stored);
                }
                self.put($to, <$number>::from_le_bytes(bytes) as i64 + i64::from($bias));
            }};
        }
        macro_rules! store {
            ($value:expr, $at:expr, $to:expr, $bias:expr, $number:ty) => {{
                const WIDTH: usize = size_of::<$number>();
                let first = $to as usize + self.at($at) as usize * WIDTH;
                let value = (self.at($value) - i64::from($bias)) as $number;
                if let Some(stored) = self.state.get_mut(first..first + WIDTH) {
                    stored.copy_from_slice(&value.to_le_bytes());
                }
            }};
        }
        loop {
            let Some(&instruction) = code.get(pc) else { return Halt::Done };
            match instruction {
                Instruction::Copy { to, from } => self.put(to, self.at(from)),
                Instruction::Add { to, a, b } => self.put(to, self.at(a).wrapping_add(self.at(b))),
                Instruction::AddConst { to, a, value } => self.put(to, self.at(a).wrapping_add(i64::from(value))),
                Instruction::Subtract { to, a, b } => self.put(to, self.at(a).wrapping_sub(self.at(b))),
                Instruction::Multiply { to, a, b } => self.put(to, self.at(a).wrapping_mul(self.at(b))),
                Instruction::Divide { to, a, b } => {
                    self.put(to, divide_down(self.at(a), self.at(b)).unwrap_or(NO_NUMBER));
                }
                Instruction::Modulo { to, a, b } => self.put(to, self.at(a).rem_euclid(self.at(b).max(1))),
                Instruction::MultiplyAdd { to, a, times, plus } => {
                    self.put(to, self.at(a).wrapping_mul(i64::from(times)).wrapping_add(self.at(plus)));
                }
                Instruction::Least { to, a, b } => self.put(to, self.at(a).min(self.at(b))),
                Instruction::Most { to, a, b } => self.put(to, self.at(a).max(self.at(b))),
                Instruction::Both { to, a, b } => self.put(to, self.at(a) & self.at(b)),
                Instruction::Either { to, a, b } => self.put(to, self.at(a) | self.at(b)),
                Instruction::Without { to, a, b } => self.put(to, self.at(a) & !self.at(b)),
                Instruction::Tally { to, a } => self.put(to, self.at(to) + i64::from(self.at(a).count_ones())),
                Instruction::Join { bits, member } => {
                    let (word, bit) = self.word(bits, self.at(member));
                    self.put(word, self.at(word) | bit as i64);
                }
                Instruction::Leave { bits, member } => {
                    let (word, bit) = self.word(bits, self.at(member));
                    self.put(word, self.at(word) & !bit as i64);
                }
                Instruction::Next { bits, words, to, go } => {
                    let masks = bits..bits.wrapping_add(words);
                    let mut found = None;
                    for (nth, slot) in masks.enumerate() {
                        let mask = self.at(slot);
                        if mask != 0 {
                            self.put(slot, mask & (mask - 1));
                            found = Some(nth as i64 * 64 + i64::from(mask.trailing_zeros()));
                            break;
                        }
                    }
                    match found {
                        Some(member) => self.put(to, member),
                        None => {
                            pc = go as usize;
                            continue;
                        }
                    }
                }
                Instruction::Jump { go } => {
                    if go as usize <= pc {
                        go_back!(go);
                    }
                    pc = go as usize;
                    continue;
                }
                Instruction::IfSame { a, b, go } => go_if!(self.at(a) == self.at(b), go),
                Instruction::IfOther { a, b, go } => go_if!(self.at(a) != self.at(b), go),
                Instruction::IfLess { a, b, go } => go_if!(self.at(a) < self.at(b), go),
                Instruction::IfAtMost { a, b, go } => go_if!(self.at(a) <= self.at(b), go),
                Instruction::IfOutside { a, low, count, go } => {
                    go_if!(self.at(a).wrapping_sub(i64::from(low)) as u64 >= u64::from(count), go);
                }
                Instruction::IfMember { bits, member, go } => {
                    let (word, bit) = self.word(bits, self.at(member));
                    go_if!(self.at(word) as u64 & bit != 0, go);
                }
                Instruction::IfNoMember { bits, member, go } => {
                    let (word, bit) = self.word(bits, self.at(member));
                    go_if!(self.at(word) as u64 & bit == 0, go);
                }
                Instruction::Count { at, last, go } => {
                    let next = self.at(at) + 1;
                    self.put(at, next);
                    if next <= self.at(last) {
                        go_back!(go);
                    }
                }
                Instruction::Tick => {
                    if self.steps == 0 {
                        return Halt::Tired(pc as Target);
                    }
                    self.steps -= 1;
                }
                Instruction::Table { to, at, from } => {
                    let at = from as usize + self.at(at) as usize;
                    self.put(to, program.tables.get(at).copied().unwrap_or(0));
                }
                Instruction::Load8 { to, at, from, bias } => load!(to, at, from, bias, u8),
                Instruction::Load16 { to, at, from, bias } => load!(to, at, from, bias, u16),
                Instruction::Load32 { to, at, from, bias } => load!(to, at, from, bias, u32),
                Instruction::Load64 { to, at, from } => load!(to, at, from, 0, i64),
                Instruction::Store8 { value, at, to, bias } => store!(value, at, to, bias, u8),
                Instruction::Store16 { value, at, to, bias } => store!(value, at, to, bias, u16),
                Instruction::Store32 { value, at, to, bias } => store!(value, at, to, bias, u32),
                Instruction::Store64 { value, at, to } => store!(value, at, to, 0, i64),
                Instruction::Get { to, base, at } => self.put(to, self.at(base.wrapping_add(self.at(at) as u16))),
                Instruction::Put { base, at, from } => {
                    self.put(base.wrapping_add(self.at(at) as u16), self.at(from));
                }
                Instruction::Call { go } => {
                    self.calls.push(pc as Target + 1);
                    pc = go as usize;
                    continue;
                }
                Instruction::Return => {
                    if self.calls.len() <= floor {
                        return Halt::Done;
                    }
                    pc = self.calls.pop().unwrap_or(0) as usize;
                    continue;
                }
                Instruction::Refresh { region } => {
                    if let Some(work_out) = self.outdated(region) {
                        self.calls.push(pc as Target + 1);
                        pc = work_out as usize;
                        continue;
                    }
                }
                Instruction::Unite { base, count, a, b } => self.unite(base, count, a, b),
                Instruction::Pairing { to, base, rows, words } => {
                    let paired = self.pairing(base, rows, words);
                    self.put(to, i64::from(paired));
                }
                Instruction::Sort { sorting } => self.sort(sorting),
                Instruction::Keep => self.keep(),
                Instruction::Restore => self.restore(),
                Instruction::Choose { choice } => return Halt::Choose(choice),
                Instruction::Chance { chance } => return Halt::Chance(chance),
                Instruction::Over => return Halt::Over,
                Instruction::Emit { offer } => match wanted {
                    Wanted::All => self.emit(offer),
                    Wanted::Number => self.counted += 1,
                    Wanted::One => {
                        self.emit(offer);
                        self.calls.truncate(floor);
                        return Halt::Done;
                    }
                },
                Instruction::Weigh { value, weight } => {
                    self.outcomes.push((self.at(value), self.at(weight) as u64));
                }
                Instruction::Paid { amount } => self.paid = self.at(amount),
                Instruction::Fail { trouble } => {
                    self.calls.truncate(floor);
                    return Halt::Fail(trouble);
                }
            }
            pc += 1;
        }
    }
}
