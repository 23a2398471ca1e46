//! Playing on where entries are neither drawn from masks nor picked blindly: all are listed, and one of the list is taken.
//!
//! What is listed, the numbers that are drawn and what becomes of a choice where nothing is possible are those of
//! [`super::super::Machine::sample`].

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value};

use super::super::moves::Move;
use super::super::program::{Choice, Otherwise};
use super::ended::Ended;
use super::frame;
use super::pieces::offers;
use super::translate::Translator;

impl Translator<'_, '_> {
    /// Lists all entries of a choice, takes one of them and carries it out.
    pub(super) fn play_listed(&mut self, number: u16, choice: &Choice) {
        let Some(piece) = self.native.pieces.at(choice.every) else {
            self.end(Ended::Flaw, self.place);
            return;
        };
        let zero = self.number(0);
        self.store_frame(frame::COUNT, zero);
        self.hand_over();
        let ended = self.call_piece(piece);
        self.end_unless_done(ended);
        self.outdate_all();
        self.read_steps();
        let entries = self.load_frame(frame::COUNT);
        self.store_frame(frame::COUNT, zero);
        let pass = if let Otherwise::Pass(go) = choice.otherwise { Some(go) } else { None };
        let total = if pass.is_some() { self.b.ins().iadd_imm_s(entries, 1) } else { entries };
        let (some, none) = (self.b.create_block(), self.b.create_block());
        self.b.ins().brif(total, some, &[], none, &[]);
        self.b.switch_to_block(none);
        self.nothing_listed(choice.otherwise);
        self.b.switch_to_block(some);
        let nth = self.below_value(total);
        if let Some(go) = pass {
            self.pass_from(nth, entries, go);
        }
        let entry = self.listed_entry(nth);
        self.note_played(entry);
        self.carry_out_one(number, entry);
    }

    /// Nothing is possible.
    fn nothing_listed(&mut self, otherwise: Otherwise) {
        match otherwise {
            Otherwise::Skip(go) => self.go(go),
            Otherwise::Must(trouble) => self.end(Ended::Fail, u32::from(trouble)),
            Otherwise::PassIfNothing(go) => {
                // Passing is all there is to take, and a number is drawn for it as for any other list.
                self.next_word();
                let entry = self.number(Move::PASS.0);
                self.note_played(entry);
                self.go(go);
            }
            // Passing is possible.
            Otherwise::Pass(_) => self.end(Ended::Flaw, self.place),
        }
    }

    /// Carries an entry of a choice out, whichever offer it is of.
    fn carry_out_one(&mut self, choice: u16, entry: Value) {
        let all: Vec<_> = offers(self.program, choice).collect();
        let first = self.program.choices.get(usize::from(choice)).map_or(0, |choice| choice.offers.start);
        let offer = self.b.ins().band_imm_s(entry, (1 << Move::OFFER_BITS) - 1);
        for (number, nth) in (first..).zip(0..all.len()) {
            if nth + 1 == all.len() {
                self.carry_out(all[nth], entry);
                return;
            }
            let (this, next) = (self.b.create_block(), self.b.create_block());
            let is_this = self.b.ins().icmp_imm_s(IntCC::Equal, offer, i64::from(number));
            self.b.ins().brif(is_this, this, &[], next, &[]);
            self.b.switch_to_block(this);
            self.carry_out(all[nth], entry);
            self.b.switch_to_block(next);
        }
        self.end(Ended::Flaw, self.place);
    }

    /// The entry with a number in the list.
    fn listed_entry(&mut self, nth: Value) -> Value {
        if self.native.checked {
            self.has_room(nth, frame::LIMIT);
        }
        let moves = self.load_frame(frame::MOVES);
        let offset = self.b.ins().ishl_imm_u(nth, 3);
        let place = self.b.ins().iadd(moves, offset);
        self.load_entry(place)
    }
}
