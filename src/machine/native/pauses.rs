//! Where pieces meet those who ask and are asked: entries come in, are found legal, and the flow waits.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};

use super::super::instruction::NO_NUMBER;
use super::super::program::{Choice, Offer, Otherwise, Param};
use super::super::values::none_of;
use super::ended::Ended;
use super::frame;
use super::pieces::{Entry, offers};
use super::translate::Translator;
use crate::bind::Type;

impl Translator<'_, '_> {
    /// Takes the entry that the piece is about apart, and carries it out.
    pub(super) fn take_apart(&mut self, offer: u16) {
        let program = self.program;
        let Some(offer) = program.offers.get(usize::from(offer)) else {
            self.end(Ended::Flaw, 0);
            return;
        };
        let entry = self.load_frame(frame::ABOUT);
        self.carry_out(offer, entry);
    }

    /// Puts the arguments of an entry where its offer expects them, and carries it out.
    pub(super) fn carry_out(&mut self, offer: &Offer, entry: Value) {
        for param in offer.params.iter().skip(offer.bound) {
            let code = self.b.ins().ushr_imm_u(entry, i64::from(param.shift));
            let mask = if param.bits >= 64 { -1 } else { (1_i64 << param.bits) - 1 };
            let code = self.b.ins().band_imm_s(code, mask);
            // An entry that could not be is taken for another, so that no index is outside.
            let last = self.b.ins().iconst(types::I64, i64::try_from(param.size.max(1)).unwrap_or(i64::MAX) - 1);
            let code = self.b.ins().umin(code, last);
            let value = self.value_of(param, code);
            self.write(param.slot, value);
        }
        self.go(offer.carry_out);
    }

    /// Tests the entry that a number stands for among the possible ones of a choice.
    pub(super) fn take_pick(&mut self, choice: u16, mut pick: Value) {
        let offers: Vec<&Offer> = offers(self.program, choice).collect();
        for offer in offers {
            let possible = i64::try_from(offer.possible).unwrap_or(i64::MAX);
            let (here, next) = (self.b.create_block(), self.b.create_block());
            let within = self.b.ins().icmp_imm_s(IntCC::UnsignedLessThan, pick, possible);
            self.b.ins().brif(within, here, &[], next, &[]);
            self.b.switch_to_block(here);
            let mut rest = pick;
            for (nth, param) in offer.params.iter().skip(offer.bound).enumerate().rev() {
                let picks = i64::try_from(param.picks).unwrap_or(i64::MAX).max(1);
                // What is left for the first parameter is its value.
                let code = if nth == 0 { rest } else { self.b.ins().urem_imm_s(rest, picks) };
                if nth > 0 {
                    rest = self.b.ins().udiv_imm_s(rest, picks);
                }
                let code = self.b.ins().iadd_imm_s(code, param.first.cast_signed());
                let value = self.value_of(param, code);
                self.write(param.slot, value);
            }
            self.go(offer.test);
            self.b.switch_to_block(next);
            pick = self.b.ins().iadd_imm_s(pick, possible.wrapping_neg());
        }
        // No number is picked that stands for no entry: `verify` has added them up.
        self.end(Ended::Flaw, self.place);
    }

    /// What something in an entry stands for.
    fn value_of(&mut self, param: &Param, code: Value) -> Value {
        let value = self.b.ins().iadd_imm_s(code, param.low);
        match &param.ty {
            Type::Optional(inner) => {
                let none = self.b.ins().iconst(types::I64, none_of(inner));
                self.b.ins().select(code, value, none)
            }
            _ => value,
        }
    }

    /// Notes an entry that is legal, or legal if a condition holds; true if the piece goes on.
    pub(super) fn emit(&mut self, number: u16, legal: Option<Value>) -> bool {
        let program = self.program;
        let Some(offer) = program.offers.get(usize::from(number)) else {
            self.end(Ended::Flaw, self.place);
            return false;
        };
        let entry = self.packed(offer, number, legal);
        if self.playing.is_some() {
            self.note_played(entry);
            self.go(offer.carry_out);
            return false;
        }
        let (moves, count) = (self.load_frame(frame::MOVES), self.load_frame(frame::COUNT));
        if self.native.checked {
            self.has_room(count, frame::LIMIT);
        }
        self.store_entry(moves, count, entry);
        let one = legal.unwrap_or_else(|| self.number(1));
        let count = self.b.ins().iadd(count, one);
        self.store_frame(frame::COUNT, count);
        if matches!(self.entry, Entry::Pick(_)) {
            self.end(Ended::Enough, 0);
            return false;
        }
        let limit = self.load_frame(frame::LIMIT);
        let full = self.b.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, count, limit);
        let (ask, on) = (self.b.create_block(), self.b.create_block());
        self.b.ins().brif(full, ask, &[], on, &[]);
        self.b.switch_to_block(ask);
        self.hand_over();
        let place = self.number(u64::from(offer.every));
        let ended = self.helper_with_frame(frame::full as *const (), &[place]);
        self.end_unless_done(ended);
        self.b.ins().jump(on, &[]);
        self.b.switch_to_block(on);
        true
    }

    /// There is room for one more in a list.
    pub(super) fn has_room(&mut self, count: Value, limit: usize) {
        let limit = self.load_frame(limit);
        let room = self.b.ins().icmp(IntCC::UnsignedLessThan, count, limit);
        self.proved(room);
    }

    /// The parameters of an offer as an entry. Each is a value of its type, which was proved or is tested: else it would
    /// be another entry.
    fn packed(&mut self, offer: &Offer, number: u16, legal: Option<Value>) -> Value {
        let mut entry = self.b.ins().iconst(types::I64, i64::from(number));
        for param in offer.params.iter().skip(offer.bound) {
            let value = self.read(param.slot);
            let mut code = self.b.ins().iadd_imm_s(value, param.low.wrapping_neg());
            if matches!(param.ty, Type::Optional(_)) {
                let none = self.b.ins().icmp_imm_s(IntCC::Equal, value, NO_NUMBER);
                let zero = self.b.ins().iconst(types::I64, 0);
                code = self.b.ins().select(none, zero, code);
            }
            self.is_code_of(param, code, legal);
            let code = self.b.ins().ishl_imm_u(code, i64::from(param.shift));
            entry = self.b.ins().bor(entry, code);
        }
        entry
    }

    /// The code of an argument is one of its parameter's, at least if the entry is legal.
    fn is_code_of(&mut self, param: &Param, code: Value, legal: Option<Value>) {
        let (low, high) = self.range_of(param.slot);
        let last = i128::from(param.low) + i128::from(param.size) - 1;
        let is_proved = low >= param.low && i128::from(high) <= last;
        if is_proved && !self.native.checked {
            return;
        }
        let size = self.number(param.size);
        let mut fits = self.b.ins().icmp(IntCC::UnsignedLessThan, code, size);
        if let Some(legal) = legal {
            let illegal = self.b.ins().icmp_imm_s(IntCC::Equal, legal, 0);
            fits = self.b.ins().bor(fits, illegal);
        }
        if is_proved { self.proved(fits) } else { self.flawed_unless(fits) }
    }

    /// Somebody is asked: waits, or goes on if nothing is possible.
    pub(super) fn choose(&mut self, number: u16) {
        let program = self.program;
        let Some(choice) = program.choices.get(usize::from(number)) else {
            self.end(Ended::Flaw, self.place);
            return;
        };
        if self.playing.is_none() {
            let trusting = self.load_frame(frame::TRUSTING);
            let (trust, on) = (self.b.create_block(), self.b.create_block());
            self.b.ins().brif(trusting, trust, &[], on, &[]);
            self.b.switch_to_block(trust);
            self.end_at_choice(number);
            self.b.switch_to_block(on);
        }
        self.wait(choice);
        if self.playing.is_some() {
            // Who picks an entry finds out whether there is one.
            self.play_at(number);
            return;
        }
        match choice.otherwise {
            Otherwise::Pass(_) | Otherwise::PassIfNothing(_) => self.end(Ended::Waits, 0),
            otherwise => self.go_on_unless_possible(choice, otherwise),
        }
    }

    /// Ends where somebody is asked, and says who.
    pub(super) fn end_at_choice(&mut self, number: u16) {
        self.name_seat(number);
        self.end(Ended::Choose, u32::from(number));
    }

    /// Puts who is asked at a choice where others look for it.
    pub(super) fn name_seat(&mut self, number: u16) {
        let Some(choice) = self.program.choices.get(usize::from(number)) else { return };
        let seat = match self.playing {
            Some(playing) => self.b.use_var(playing.seat),
            None => self.read(choice.seat),
        };
        if self.known(choice.seat).is_none() {
            self.store_slot(choice.seat, seat);
        }
    }

    /// Writes down who is asked, and clears what means nothing here.
    fn wait(&mut self, choice: &Choice) {
        let program = self.program;
        let (low, high) = self.range_of(choice.seat);
        let seat = self.read(choice.seat);
        if low < 0 || high >= i64::from(program.players) {
            self.seat_exists(seat);
        }
        if let Some(playing) = self.playing {
            self.b.def_var(playing.seat, seat);
        }
        let seat = self.b.ins().ishl_imm_u(seat, 16);
        let header = self.b.ins().bor_imm_s(seat, i64::from(choice.pause) + 1);
        self.store_fixed(0, 4, header);
        let clear = program.pauses.get(usize::from(choice.pause)).map(|pause| pause.clear.as_slice());
        for &(from, to) in clear.unwrap_or_default() {
            self.clear(from, to);
        }
    }

    /// Whoever is asked has a seat: what is indexed by it relies on that.
    pub(super) fn seat_exists(&mut self, seat: Value) {
        let players = i64::from(self.program.players);
        let exists = self.b.ins().icmp_imm_s(IntCC::UnsignedLessThan, seat, players);
        self.flawed_unless(exists);
    }

    /// Is anything possible? One entry is enough.
    fn go_on_unless_possible(&mut self, choice: &Choice, otherwise: Otherwise) {
        let program = self.program;
        let one = self.b.ins().iconst(types::I64, 1);
        let zero = self.b.ins().iconst(types::I64, 0);
        self.store_frame(frame::ONE, one);
        self.store_frame(frame::LIMIT, one);
        self.store_frame(frame::COUNT, zero);
        self.hand_over();
        let possible = self.b.create_block();
        for offer in choice.offers.clone().filter_map(|offer| program.offers.get(usize::from(offer))) {
            let Some(piece) = self.native.pieces.at(offer.every) else { return self.end(Ended::Flaw, self.place) };
            let ended = self.call_piece(piece);
            let (other, trouble, on) = (self.b.create_block(), self.b.create_block(), self.b.create_block());
            self.b.ins().brif(ended, other, &[], on, &[]);
            self.b.switch_to_block(other);
            let enough = self.b.ins().icmp_imm_s(IntCC::Equal, ended, Ended::Enough.about(0));
            self.b.ins().brif(enough, possible, &[], trouble, &[]);
            self.b.switch_to_block(trouble);
            self.b.ins().return_(&[ended]);
            self.b.switch_to_block(on);
        }
        let nothing = self.b.create_block();
        self.b.ins().jump(nothing, &[]);
        self.b.switch_to_block(possible);
        self.store_frame(frame::COUNT, zero);
        self.end(Ended::Waits, 0);
        self.b.switch_to_block(nothing);
        self.read_again();
        match otherwise {
            Otherwise::Skip(go) => self.go(go),
            Otherwise::Must(trouble) => self.end(Ended::Fail, u32::from(trouble)),
            Otherwise::Pass(_) | Otherwise::PassIfNothing(_) => self.end(Ended::Waits, 0),
        }
    }

    /// The game is over: who wins is worked out before native code is left, or left to whoever asks. By a piece of its own:
    /// this one keeps its registers for what it does again and again.
    pub(super) fn over(&mut self) {
        let winner = self.program.winner.filter(|_| self.program.winner_at_once);
        match winner.and_then(|winner| self.native.pieces.at(winner)) {
            Some(piece) => self.go_to_piece(piece),
            None => self.end(Ended::Over, 0),
        }
    }

    /// Ends with who wins.
    pub(super) fn decided(&mut self, winners: Value) {
        self.hand_over();
        let winners = self.b.ins().ishl_imm_u(winners, 8);
        let ended = self.b.ins().bor_imm_s(winners, Ended::Decided.about(0));
        self.b.ins().return_(&[ended]);
    }

    /// Clears bytes of the block.
    fn clear(&mut self, from: u32, to: u32) {
        let mut at = from;
        let zero = self.b.ins().iconst(types::I64, 0);
        while at < to {
            let width = [8, 4, 2, 1].into_iter().find(|width| at + width <= to).unwrap_or(1);
            self.store_fixed(at, width, zero);
            at += width;
        }
    }
}
