//! Native code for single instructions.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};

use super::super::instruction::{Instruction, NO_MEMBER, Slot, Target};
use super::ended::Ended;
use super::frame;
use super::memory::SEAT;
use super::translate::Translator;

impl Translator<'_, '_> {
    /// Translates an instruction; false if nothing follows it.
    pub(super) fn instruction(&mut self, at: Target, instruction: Instruction) -> bool {
        if self.emit_if(at) {
            return true;
        }
        if let Some((to, value)) = self.worked_out(instruction) {
            self.write(to, value);
            return true;
        }
        match instruction {
            Instruction::Join { bits, member } => self.join(bits, member),
            Instruction::Leave { bits, member } => self.leave(bits, member),
            Instruction::Next { .. } if self.store_all(at) => return false,
            Instruction::Next { bits, members, to, go } => self.next(bits, members, to, go),
            Instruction::Store8 { value, at, to, bias } => self.store_element(value, at, to, bias, 1),
            Instruction::Store16 { value, at, to, bias } => self.store_element(value, at, to, bias, 2),
            Instruction::Store32 { value, at, to, bias } => self.store_element(value, at, to, bias, 4),
            Instruction::Store64 { value, at, to } => self.store_element(value, at, to, 0, 8),
            Instruction::Put { base, at, from } => {
                let range = self.range_of(at);
                let (at, value) = (self.read(at), self.read(from));
                self.store_slot_at(base, at, range, value);
            }
            Instruction::Find { to, at, from, count, go } => {
                let found = self.load_table((from, count.into()), at);
                self.write(to, found);
                let none = self.b.ins().icmp_imm_s(IntCC::Equal, found, NO_MEMBER);
                self.go_if(none, go);
            }
            Instruction::Tick { cost } => self.spend(at, u64::from(cost)),
            Instruction::Call { go } => self.call(go),
            Instruction::Refresh { region } => self.refresh(region, at),
            Instruction::Unite { base, count, a, b } => {
                self.spend(at, instruction.steps(self.program.bytes));
                let (a, b) = (self.read(a), self.read(b));
                let (base, count) = (self.number(u64::from(base)), self.number(u64::from(count)));
                let arguments = [self.slots, base, count, a, b];
                let united = self.helper(frame::unite_groups as *const (), &arguments);
                self.flawed_unless(united);
            }
            Instruction::Sort { sorting } => {
                let sorting = self.number(u64::from(sorting));
                self.hand_over();
                let done = self.helper_with_frame(frame::sort_rows as *const (), &[sorting]);
                self.read_steps();
                let fits = self.b.ins().icmp_imm_s(IntCC::NotEqual, done, frame::NO_ROOM);
                self.flawed_unless(fits);
                let enough = self.b.ins().icmp_imm_s(IntCC::NotEqual, done, frame::NOT_ENOUGH);
                self.tired_unless(enough, at);
            }
            Instruction::Pairing { to, base, rows, words } => {
                let rows = self.read(rows);
                let (base, words) = (self.number(u64::from(base)), self.number(u64::from(words)));
                self.hand_over();
                let paired = self.helper_with_frame(frame::pairing as *const (), &[base, rows, words]);
                self.read_steps();
                let fits = self.b.ins().icmp_imm_s(IntCC::NotEqual, paired, frame::NO_ROOM);
                self.flawed_unless(fits);
                let enough = self.b.ins().icmp_imm_s(IntCC::NotEqual, paired, frame::NOT_ENOUGH);
                self.tired_unless(enough, at);
                self.write(to, paired);
            }
            Instruction::Keep => {
                self.spend(at, instruction.steps(self.program.bytes));
                self.helper_with_frame(frame::keep as *const (), &[]);
            }
            Instruction::Restore => {
                self.spend(at, instruction.steps(self.program.bytes));
                let restored = self.helper_with_frame(frame::restore as *const (), &[]);
                self.flawed_unless(restored);
                self.outdate_all();
            }
            Instruction::Emit { offer } => return self.emit(offer, None),
            Instruction::Weigh { value, weight } => {
                let (value, weight) = (self.read(value), self.read(weight));
                let room = self.helper_with_frame(frame::weigh as *const (), &[value, weight]);
                self.tired_unless(room, at);
            }
            Instruction::Paid { amount } => {
                let amount = self.read(amount);
                self.store_frame(frame::PAID, amount);
            }
            _ => return self.control(at, instruction),
        }
        true
    }

    /// What a branch asks, and where it goes if that holds.
    pub(super) fn asked(&mut self, instruction: Instruction) -> Option<(Value, Target)> {
        Some(match instruction {
            Instruction::IfSame { a, b, go } => (self.compared(IntCC::Equal, a, b), go),
            Instruction::IfOther { a, b, go } => (self.compared(IntCC::NotEqual, a, b), go),
            Instruction::IfLess { a, b, go } => (self.compared(IntCC::SignedLessThan, a, b), go),
            Instruction::IfAtMost { a, b, go } => (self.compared(IntCC::SignedLessThanOrEqual, a, b), go),
            Instruction::IfOutside { a, low, count, go } => {
                let a = self.read(a);
                let above = self.b.ins().iadd_imm_s(a, -i64::from(low));
                (self.b.ins().icmp_imm_s(IntCC::UnsignedGreaterThanOrEqual, above, i64::from(count)), go)
            }
            Instruction::IfMember { bits, member, go } => {
                let bit = self.member(bits, member);
                (self.b.ins().icmp_imm_s(IntCC::NotEqual, bit, 0), go)
            }
            Instruction::IfNoMember { bits, member, go } => {
                let bit = self.member(bits, member);
                (self.b.ins().icmp_imm_s(IntCC::Equal, bit, 0), go)
            }
            Instruction::IfHolds8 { at, from, bias, b, go } => (self.held(IntCC::Equal, at, from, bias, b), go),
            Instruction::IfLacks8 { at, from, bias, b, go } => (self.held(IntCC::NotEqual, at, from, bias, b), go),
            _ => return None,
        })
    }

    /// Instructions that go elsewhere, or end.
    fn control(&mut self, at: Target, instruction: Instruction) -> bool {
        if let Some((condition, go)) = self.asked(instruction) {
            self.go_if(condition, go);
            return true;
        }
        match instruction {
            Instruction::Count { at: counter, last, go } => {
                let (now, last) = (self.read(counter), self.read(last));
                let again = self.b.ins().icmp(IntCC::SignedLessThan, now, last);
                let (turn, on) = (self.b.create_block(), self.b.create_block());
                self.b.ins().brif(again, turn, &[], on, &[]);
                self.b.switch_to_block(turn);
                let next = self.b.ins().iadd_imm_s(now, 1);
                self.write(counter, next);
                self.spend(at, Instruction::steps_back(at as usize, go as usize));
                self.go(go);
                self.b.switch_to_block(on);
            }
            Instruction::Jump { go } => {
                if go <= at {
                    self.spend(at, Instruction::steps_back(at as usize, go as usize));
                }
                self.go(go);
                return false;
            }
            Instruction::Return => {
                match self.playing.and_then(|playing| playing.picks) {
                    // A test that was not passed: another entry is tried.
                    Some((_, again)) => {
                        self.b.ins().jump(again, &[]);
                    }
                    None => self.end(Ended::Done, 0),
                }
                return false;
            }
            Instruction::Lots { .. } => {
                self.worked_out_lots();
                return false;
            }
            Instruction::Choose { choice } => {
                self.choose(choice);
                return false;
            }
            Instruction::Chance { chance } => {
                self.end(Ended::Chance, u32::from(chance));
                return false;
            }
            Instruction::Fail { trouble } => {
                self.end(Ended::Fail, u32::from(trouble));
                return false;
            }
            Instruction::Decided { winners } => {
                let winners = self.read(winners);
                self.decided(winners);
                return false;
            }
            Instruction::Over => {
                self.over();
                return false;
            }
            // Everything else has its place above.
            _ => {
                debug_assert!(false, "{instruction:?} has no translation");
                self.end(Ended::Flaw, at);
                return false;
            }
        }
        true
    }

    /// Instructions that work out a value and do nothing else.
    pub(super) fn worked_out(&mut self, instruction: Instruction) -> Option<(Slot, Value)> {
        Some(match instruction {
            Instruction::Copy { to, from } => (to, self.read(from)),
            Instruction::Add { to, a, b } => self.of_two(to, a, b, |b, x, y| b.ins().iadd(x, y)),
            Instruction::Subtract { to, a, b } => self.of_two(to, a, b, |b, x, y| b.ins().isub(x, y)),
            Instruction::Multiply { to, a, b } => self.of_two(to, a, b, |b, x, y| b.ins().imul(x, y)),
            Instruction::Least { to, a, b } => self.of_two(to, a, b, |b, x, y| b.ins().smin(x, y)),
            Instruction::Most { to, a, b } => self.of_two(to, a, b, |b, x, y| b.ins().smax(x, y)),
            Instruction::Both { to, a, b } => self.of_two(to, a, b, |b, x, y| b.ins().band(x, y)),
            Instruction::Either { to, a, b } => self.of_two(to, a, b, |b, x, y| b.ins().bor(x, y)),
            Instruction::Without { to, a, b } => self.of_two(to, a, b, |b, x, y| b.ins().band_not(x, y)),
            Instruction::AddConst { to, a, value } => {
                let a = self.read(a);
                (to, self.b.ins().iadd_imm_s(a, i64::from(value)))
            }
            Instruction::MultiplyAdd { to, a, times, plus } => {
                let (a, plus) = (self.read(a), self.read(plus));
                let product = self.b.ins().imul_imm_s(a, i64::from(times));
                (to, self.b.ins().iadd(product, plus))
            }
            Instruction::Matches { to, from, count, bias, b } => (to, self.matches(from, count, bias, b)),
            Instruction::Alike { to, from, other, count } => (to, self.alike(from, other, count)),
            Instruction::Among { to, at, from, count, set } => (to, self.among((from, at, count), set)),
            Instruction::Lower { to, a, by } => {
                let a = self.read(a);
                let far = i64::from(by.unsigned_abs());
                let moved = if by >= 0 { self.b.ins().ushr_imm_u(a, far) } else { self.b.ins().ishl_imm_u(a, far) };
                (to, moved)
            }
            Instruction::Lowest { to, a, members } => (to, self.lowest(a, members.into())),
            Instruction::Highest { to, a, members } => (to, self.highest(a, members.into())),
            Instruction::Divide { to, a, b } => (to, self.divided(a, b)),
            Instruction::Modulo { to, a, b } => (to, self.remaining(a, b)),
            Instruction::Tally { to, a } => {
                let (sum, a) = (self.read(to), self.read(a));
                let members = self.b.ins().popcnt(a);
                (to, self.b.ins().iadd(sum, members))
            }
            Instruction::Table { to, at, from, count } => (to, self.load_table((from, count), at)),
            Instruction::Load8 { to, at, from, bias } => (to, self.load_element(at, from, bias, 1)),
            Instruction::Load16 { to, at, from, bias } => (to, self.load_element(at, from, bias, 2)),
            Instruction::Load32 { to, at, from, bias } => (to, self.load_element(at, from, bias, 4)),
            Instruction::Load64 { to, at, from } => (to, self.load_element(at, from, 0, 8)),
            Instruction::Get { to, base, at } => {
                let range = self.range_of(at);
                let at = self.read(at);
                (to, self.load_slot_at(base, at, range))
            }
            _ => return None,
        })
    }

    fn of_two(
        &mut self,
        to: Slot,
        a: Slot,
        b: Slot,
        make: impl FnOnce(&mut cranelift_frontend::FunctionBuilder<'_>, Value, Value) -> Value,
    ) -> (Slot, Value) {
        let (a, b) = (self.read(a), self.read(b));
        (to, make(&mut self.b, a, b))
    }

    pub(super) fn number(&mut self, number: u64) -> Value {
        self.b.ins().iconst(types::I64, number.cast_signed())
    }

    // ------------------------------------------------------------ block

    fn load_element(&mut self, at: Slot, from: u32, bias: i32, width: u32) -> Value {
        if let (Some(playing), SEAT, 0, 2, Some(0)) = (self.playing, from, bias, width, self.known(at)) {
            return self.b.use_var(playing.seat);
        }
        let element = self.element(from, at, width, false);
        let stored = self.load(element, width);
        if bias == 0 { stored } else { self.b.ins().iadd_imm_s(stored, i64::from(bias)) }
    }

    fn store_element(&mut self, value: Slot, at: Slot, to: u32, bias: i32, width: u32) {
        let known = self.known(value).map(|value| value.wrapping_sub(i64::from(bias)));
        let value = self.read(value);
        let value = if bias == 0 { value } else { self.b.ins().iadd_imm_s(value, -i64::from(bias)) };
        let element = self.element(to, at, width, true);
        self.store(element, width, value);
        self.outdate(to, at, width);
        self.update_planes((to, at, width), value, known);
    }

    /// Compares an element of one byte with a value.
    fn held(&mut self, how: IntCC, at: Slot, from: u32, bias: i16, b: Slot) -> Value {
        let element = self.element(from, at, 1, false);
        let stored = self.load(element, 1);
        if let Some(b) = self.known(b) {
            self.b.ins().icmp_imm_s(how, stored, b.wrapping_sub(i64::from(bias)))
        } else {
            let b = self.read(b);
            let held = self.b.ins().iadd_imm_s(stored, i64::from(bias));
            self.b.ins().icmp(how, held, b)
        }
    }

    /// `a / b`, rounded down.
    fn divided(&mut self, a: Slot, b: Slot) -> Value {
        match self.known(b).filter(|b| *b > 0 && self.is_never_negative(a)) {
            Some(b) => {
                let a = self.read(a);
                self.b.ins().udiv_imm_s(a, b)
            }
            None => {
                let arguments = [self.read(a), self.read(b)];
                self.helper(frame::divide as *const (), &arguments)
            }
        }
    }

    /// The remainder of that.
    fn remaining(&mut self, a: Slot, b: Slot) -> Value {
        match self.known(b).filter(|b| *b > 0) {
            // Of two's complement the lowest bits are the remainder, below 0 as well.
            Some(b) if b.count_ones() == 1 => {
                let a = self.read(a);
                self.b.ins().band_imm_s(a, b - 1)
            }
            Some(b) if self.is_never_negative(a) => {
                let a = self.read(a);
                self.b.ins().urem_imm_s(a, b)
            }
            _ => {
                let arguments = [self.read(a), self.read(b)];
                self.helper(frame::modulo as *const (), &arguments)
            }
        }
    }

    fn is_never_negative(&self, slot: Slot) -> bool {
        self.range_of(slot).0 >= 0
    }

    /// Between which numbers the value of a slot lies.
    pub(super) fn range_of(&self, slot: Slot) -> (i64, i64) {
        self.known(slot).map_or_else(|| self.native.borders.ranges.get(slot), |value| (value, value))
    }
}
