//! What is asked about a position from outside: a seat's score, who wins, and whether invariants hold.

use super::compiler::{Compiler, Try, Var};
use super::fold::Test;
use crate::ast::TieRule;
use crate::bind::{ExprId, Winner};
use crate::machine::{Instruction, NO_NUMBER, Routine, Slot};

impl Compiler<'_> {
    /// Scores, winners, invariants.
    pub(super) fn results(&mut self) -> Try<()> {
        if !self.bound.scores.is_empty() {
            let (entry, seat, answer) = self.score_routine();
            self.program.score = Some(Routine { entry: entry.0, seat: Some(seat), answer });
        }
        let winner = self.bound.winners.iter().find(|winner| self.is_present(winner.guard));
        if let Some(winner) = winner {
            let entry = self.code.entry();
            self.code.names.push((entry, "winner".to_owned()));
            self.winner(winner)?;
            self.program.winner = Some(entry.0);
        }
        for (number, invariant) in self.bound.invariants.iter().enumerate() {
            if self.is_present(invariant.guard) {
                let entry = self.code.entry();
                self.code.names.push((entry, format!("invariant {}", invariant.name)));
                self.code.rule(invariant.span);
                let answer = self.code.own(1);
                self.put(invariant.condition, answer)?;
                self.code.push(Instruction::Return);
                self.program.invariants.push((number, Routine { entry: entry.0, seat: None, answer }));
            }
        }
        Ok(())
    }

    /// Who has most, seat by seat; later keys break ties.
    fn winner(&mut self, winner: &Winner) -> Try<()> {
        let level = self.code.level();
        let most: Vec<Slot> = winner.keys.iter().map(|_| self.code.fresh()).collect();
        let now: Vec<Slot> = winner.keys.iter().map(|_| self.code.fresh()).collect();
        let winners = self.code.fresh();
        for seat in 0..self.bound.players.count {
            let keys = if seat == 0 { &most } else { &now };
            let (alone, param) = (self.constant(1_i64 << seat), self.constant(seat));
            self.locals.insert(winner.param, Var::Slot(param));
            for (&key, &to) in winner.keys.iter().zip(keys) {
                self.put(key, to)?;
                self.most_if_none(key, to);
            }
            let (ahead, next) = (self.code.label(), self.code.label());
            if seat > 0 {
                for (&now, &most) in now.iter().zip(&most) {
                    self.code.jump_if(Test::Less, now, most, true, next);
                    self.code.jump_if(Test::Less, most, now, true, ahead);
                }
                self.code.push(Instruction::Join { bits: winners, member: param });
                self.code.jump(next);
                self.code.place(ahead);
                most.iter().zip(&now).for_each(|(&most, &now)| self.code.copy(most, now));
            }
            self.code.copy(winners, alone);
            self.code.place(next);
        }
        if winner.ties == TieRule::None {
            let (count, none, one) = (self.code.fresh(), self.constant(0), self.constant(1));
            let alone = self.code.label();
            self.code.copy(count, none);
            self.code.push(Instruction::Tally { to: count, a: winners });
            self.code.jump_if(Test::AtMost, count, one, true, alone);
            self.code.copy(winners, none);
            self.code.place(alone);
        }
        self.code.push(Instruction::Decided { winners });
        self.code.free_to(level);
        Ok(())
    }

    /// No number at all is more than every number.
    fn most_if_none(&mut self, key: ExprId, value: Slot) {
        if self.ty(key).is_optional() {
            let (nothing, most, there) = (self.constant(NO_NUMBER), self.constant(i64::MAX), self.code.label());
            self.code.jump_if(Test::Same, value, nothing, false, there);
            self.code.copy(value, most);
            self.code.place(there);
        }
    }

    /// Puts a value into a slot.
    fn put(&mut self, id: ExprId, to: Slot) -> Try<()> {
        let level = self.code.level();
        let value = self.scalar(id)?;
        self.code.copy(to, value);
        self.code.free_to(level);
        Ok(())
    }
}
