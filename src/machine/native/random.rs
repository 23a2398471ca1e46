//! Pieces that play on: entries are picked at random, tested and carried out without leaving native code.
//!
//! The numbers and the order in which they are drawn are those of [`super::super::Machine::sample`], so that a seed
//! gives the same game on every engine.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};
use cranelift_frontend::Variable;

use super::super::instruction::Target;
use super::super::moves::Move;
use super::super::program::Otherwise;
use super::ended::Ended;
use super::frame;
use super::memory::SEAT;
use super::pieces::Entry;
use super::translate::{Playing, Translator};

impl Translator<'_, '_> {
    /// Plays on from a choice.
    pub(super) fn play(&mut self, number: u16) {
        let program = self.program;
        let Some(choice) = program.choices.get(usize::from(number)) else {
            self.end(Ended::Flaw, self.place);
            return;
        };
        let words = self.begin_playing();
        self.begin_planes();
        if choice.is_listed() {
            let arrive = self.b.create_block();
            if let Some(playing) = &mut self.playing {
                playing.picks = Some((arrive, arrive));
            }
            self.b.ins().jump(arrive, &[]);
            self.b.switch_to_block(arrive);
            self.end_if_enough(number);
            self.play_listed(number, choice);
            return;
        }
        // Where everything that is drawn is legal, one draw is enough.
        let sure = choice.lots.as_ref().is_some_and(|lots| lots.all.iter().all(|lot| lot.all_legal));
        let before = if sure { words } else { words.map(|_| self.b.declare_var(types::I64)) };
        let tries = (!sure).then(|| self.b.declare_var(types::I64));
        let (arrive, again) = (self.b.create_block(), self.b.create_block());
        if let Some(playing) = &mut self.playing {
            playing.picks = Some((arrive, again));
        }
        self.b.ins().jump(arrive, &[]);

        self.b.switch_to_block(arrive);
        self.end_if_enough(number);
        for (before, word) in before.into_iter().zip(words).filter(|_| !sure) {
            let value = self.b.use_var(word);
            self.b.def_var(before, value);
        }
        if let Some(tries) = tries {
            let most = self.b.ins().iconst(types::I64, i64::from(choice.picks));
            self.b.def_var(tries, most);
        }
        match &choice.lots {
            Some(lots) => self.go(lots.work_out),
            None => drop(self.b.ins().jump(again, &[])),
        }

        self.b.switch_to_block(again);
        let (stuck, on) = (self.b.create_block(), self.b.create_block());
        match tries {
            Some(tries) => {
                let left = self.b.use_var(tries);
                self.b.ins().brif(left, on, &[], stuck, &[]);
            }
            None => drop(self.b.ins().jump(on, &[])),
        }
        self.b.switch_to_block(stuck);
        self.store_words(frame::BEFORE, before);
        self.end(Ended::Stuck, 0);
        self.b.switch_to_block(on);
        if let Some(tries) = tries {
            let left = self.b.use_var(tries);
            let left = self.b.ins().iadd_imm_s(left, -1);
            self.b.def_var(tries, left);
        }
        let pass = if let Otherwise::Pass(go) = choice.otherwise { Some(go) } else { None };
        if let Some(lots) = &choice.lots {
            self.draw_from(lots, pass, stuck);
            return;
        }
        let pick = self.below(choice.possible.saturating_add(u64::from(pass.is_some())).max(1));
        if let Some(go) = pass {
            let within = self.b.ins().iconst(types::I64, i64::try_from(choice.possible).unwrap_or(i64::MAX));
            self.pass_from(pick, within, go);
        }
        if choice.possible == 0 {
            self.b.ins().jump(again, &[]);
        } else {
            self.take_pick(number, pick);
        }
    }

    /// Ends where somebody is asked if there is no room for one more entry.
    fn end_if_enough(&mut self, number: u16) {
        let (count, limit) = (self.load_frame(frame::PLAYED_COUNT), self.load_frame(frame::PLAYED_LIMIT));
        let room = self.b.ins().icmp(IntCC::UnsignedLessThan, count, limit);
        let (enough, on) = (self.b.create_block(), self.b.create_block());
        self.b.ins().brif(room, on, &[], enough, &[]);
        self.b.switch_to_block(enough);
        self.end_at_choice(number);
        self.b.switch_to_block(on);
    }

    /// Each entry may take as many steps: until somebody has entered something again, whoever was asked in between.
    fn renew_budget(&mut self) {
        let budget = self.load_frame(frame::BUDGET);
        self.store_frame(frame::STEPS, budget);
        if let Some(steps) = self.steps {
            self.b.def_var(steps, budget);
        }
    }

    /// Passes if a pick lies behind all entries; goes on here if not.
    pub(super) fn pass_from(&mut self, pick: Value, entries: Value, go: Target) {
        let within = self.b.ins().icmp(IntCC::UnsignedLessThan, pick, entries);
        let (act, pass) = (self.b.create_block(), self.b.create_block());
        self.b.ins().brif(within, act, &[], pass, &[]);
        self.b.switch_to_block(pass);
        let entry = self.b.ins().iconst(types::I64, Move::PASS.0.cast_signed());
        self.note_played(entry);
        self.go(go);
        self.b.switch_to_block(act);
    }

    /// Takes the generator over.
    pub(super) fn begin_playing(&mut self) -> [Variable; 4] {
        let place = self.load_frame(frame::WORDS);
        let words = [0, 8, 16, 24].map(|offset| {
            let word = self.b.declare_var(types::I64);
            let value = self.load_word(place, offset);
            self.b.def_var(word, value);
            word
        });
        let (seat, asked) = (self.b.declare_var(types::I64), self.load_fixed(SEAT, 2));
        self.b.def_var(seat, asked);
        self.playing = Some(Playing { words, seat, picks: None });
        self.seat_exists(asked);
        words
    }

    /// Plays on from the choice that the flow has come to.
    pub(super) fn play_at(&mut self, number: u16) {
        match (self.playing.and_then(|playing| playing.picks), self.entry) {
            (Some((arrive, _)), Entry::Play(own)) if own == number => {
                self.b.ins().jump(arrive, &[]);
            }
            _ => match self.native.pieces.play(number) {
                Some(piece) => {
                    self.name_seat(number);
                    self.go_to_piece(piece);
                }
                None => self.end_at_choice(number),
            },
        }
    }

    /// Notes an entry that is played.
    pub(super) fn note_played(&mut self, entry: Value) {
        let (played, count) = (self.load_frame(frame::PLAYED), self.load_frame(frame::PLAYED_COUNT));
        if self.native.checked {
            self.has_room(count, frame::PLAYED_LIMIT);
        }
        self.store_entry(played, count, entry);
        let count = self.b.ins().iadd_imm_s(count, 1);
        self.store_frame(frame::PLAYED_COUNT, count);
        self.renew_budget();
    }

    /// Gives the generator back.
    pub(super) fn hand_over_random(&mut self) {
        let Some(playing) = self.playing else { return };
        self.store_words(frame::WORDS, playing.words);
    }

    /// Writes the words of a generator to where the frame says.
    fn store_words(&mut self, to: usize, words: [Variable; 4]) {
        let place = self.load_frame(to);
        for (word, offset) in words.into_iter().zip([0, 8, 16, 24]) {
            let value = self.b.use_var(word);
            self.store_word(place, offset, value);
        }
    }

    /// A number below a known one, by multiplication with rejection.
    fn below(&mut self, count: u64) -> Value {
        let rejected = count.wrapping_neg() % count.max(1);
        let (draw, done) = (self.b.create_block(), self.b.create_block());
        self.b.ins().jump(draw, &[]);
        self.b.switch_to_block(draw);
        let word = self.next_word();
        let factor = self.b.ins().iconst(types::I64, count.cast_signed());
        let low = self.b.ins().imul(word, factor);
        let high = self.b.ins().umulhi(word, factor);
        let good = self.b.ins().icmp_imm_s(IntCC::UnsignedGreaterThanOrEqual, low, rejected.cast_signed());
        self.b.ins().brif(good, done, &[], draw, &[]);
        self.b.switch_to_block(done);
        high
    }

    /// The next 64 bits of the generator; see [`super::super::Random`].
    pub(super) fn next_word(&mut self) -> Value {
        let Some(playing) = self.playing else { return self.b.ins().iconst(types::I64, 0) };
        let [a, b, c, d] = playing.words.map(|word| self.b.use_var(word));
        let sum = self.b.ins().iadd(a, d);
        let turned = self.b.ins().rotl_imm_u(sum, 23);
        let result = self.b.ins().iadd(turned, a);
        let shifted = self.b.ins().ishl_imm_u(b, 17);
        let c = self.b.ins().bxor(c, a);
        let d = self.b.ins().bxor(d, b);
        let b = self.b.ins().bxor(b, c);
        let a = self.b.ins().bxor(a, d);
        let c = self.b.ins().bxor(c, shifted);
        let d = self.b.ins().rotl_imm_u(d, 45);
        for (word, value) in playing.words.into_iter().zip([a, b, c, d]) {
            self.b.def_var(word, value);
        }
        result
    }
}
