//! Awards: who has most gets most.

use super::builder::Label;
use super::compiler::{Compiler, Try, Var};
use super::fold::Test;
use super::loops::Over;
use crate::ast::TieRule;
use crate::bind::{Award, AwardId, ExprId, Type};
use crate::impossible;
use crate::internal::{Must, exact};
use crate::machine::{Instruction, Slot};

impl Compiler<'_> {
    /// What the claimant gets.
    pub(super) fn award(&mut self, id: AwardId, args: &[ExprId], none: Label) -> Try<Slot> {
        let award = self.bound.award(id);
        let before = self.bind_params(&award.params, args, none)?;
        let points = self.points(award);
        self.locals.extend(before);
        points
    }

    fn points(&mut self, award: &Award) -> Try<Slot> {
        let zero = self.constant(0);
        let claimant = *award.params.last().must("an award has a claimant");
        let Some(Var::Slot(me)) = self.locals.get(&claimant).cloned() else { impossible!("the claimant is unknown") };
        let claimants = match self.local_type(claimant) {
            Type::Named(id) => self.types().count(*id),
            other => impossible!("{other:?} claims an award"),
        };
        let (to, end) = (self.code.fresh(), self.code.label());
        self.code.copy(to, zero);
        // Every claimant's weight; what is not above 0 does not count.
        let weights = self.code.run(exact::<_, usize>(claimants));
        let out = claimants.saturating_mul(self.weight(award.by)) <= 400;
        self.each(&Over::Numbers(0, claimants), None, out, &mut |compiler, rival| {
            compiler.locals.insert(claimant, Var::Slot(rival));
            let none = compiler.code.label();
            let weight = compiler.strict(award.by, none)?;
            let weight = compiler.or_none(weight, none, 0);
            compiler.code.push(Instruction::Put { base: weights, at: rival, from: weight });
            Ok(())
        })?;
        self.locals.insert(claimant, Var::Slot(me));
        let mine = self.code.work_out(|to| Instruction::Get { to, base: weights, at: me });
        self.code.jump_if(Test::AtMost, mine, zero, true, end);
        let [ahead, tied, all] = [self.code.fresh(), self.code.fresh(), self.code.fresh()];
        for count in [ahead, tied, all] {
            self.code.copy(count, zero);
        }
        self.each(&Over::Numbers(0, claimants), None, claimants <= 4, &mut |compiler, rival| {
            let next = compiler.code.label();
            let weight = compiler.code.work_out(|to| Instruction::Get { to, base: weights, at: rival });
            compiler.code.jump_if(Test::AtMost, weight, zero, true, next);
            compiler.code.push(Instruction::AddConst { to: all, a: all, value: 1 });
            compiler.code.jump_if(Test::Less, weight, mine, true, next);
            let equal = compiler.code.label();
            compiler.code.jump_if(Test::Same, weight, mine, true, equal);
            compiler.code.push(Instruction::AddConst { to: ahead, a: ahead, value: 1 });
            compiler.code.jump(next);
            compiler.code.place(equal);
            compiler.code.push(Instruction::AddConst { to: tied, a: tied, value: 1 });
            compiler.code.place(next);
            Ok(())
        })?;
        let places = self.places(award)?;
        if award.alone.iter().any(|guard| self.is_present(*guard)) {
            let (one, others) = (self.constant(1), self.code.label());
            self.code.jump_if(Test::Same, all, one, false, others);
            let sum = (places..).take(award.pays.len()).fold(zero, |sum, place| self.code.add(sum, place));
            self.code.copy(to, sum);
            self.code.jump(end);
            self.code.place(others);
        }
        let rule = award.ties.iter().filter(|(_, guard)| self.is_present(*guard)).map(|(rule, _)| *rule).next_back();
        self.shared(rule.unwrap_or(TieRule::None), places, award.pays.len(), [ahead, tied], to, end);
        self.code.place(end);
        Ok(to)
    }

    /// What each place pays, in a row of slots.
    fn places(&mut self, award: &Award) -> Try<Slot> {
        let places = self.code.run(award.pays.len());
        for (&pays, place) in award.pays.iter().zip(places..) {
            let none = self.code.label();
            let points = self.strict(pays, none)?;
            let points = self.or_none(points, none, 0);
            self.code.copy(place, points);
        }
        Ok(places)
    }

    fn shared(&mut self, rule: TieRule, places: Slot, pays: usize, [ahead, tied]: [Slot; 2], to: Slot, end: Label) {
        let (one, many) = (self.constant(1), self.code.label());
        let number = self.constant(exact::<_, i64>(pays));
        self.code.jump_if(Test::Less, ahead, number, false, end);
        if rule != TieRule::Share {
            self.code.jump_if(Test::Same, tied, one, false, many);
        }
        self.code.push(Instruction::Get { to, base: places, at: ahead });
        self.code.jump(end);
        self.code.place(many);
        if !matches!(rule, TieRule::Split | TieRule::SplitUp) {
            return;
        }
        // The places that they take together, shared out.
        let (sum, zero) = (self.code.fresh(), self.constant(0));
        self.code.copy(sum, zero);
        let past = self.code.add(ahead, tied);
        for (nth, place) in (0..pays).zip(places..) {
            let next = self.code.label();
            let nth = self.constant(exact::<_, i64>(nth));
            self.code.jump_if(Test::Less, nth, ahead, true, next);
            self.code.jump_if(Test::Less, nth, past, false, next);
            self.code.push(Instruction::Add { to: sum, a: sum, b: place });
            self.code.place(next);
        }
        let mut whole = sum;
        if rule == TieRule::SplitUp {
            let more = self.code.add(sum, tied);
            whole = self.code.subtract(more, one);
        }
        let share = self.code.divide(whole, tied);
        self.code.copy(to, share);
    }
}
