//! What an entry is tested for: requirements, costs, and where arguments must come from.

use super::builder::Label;
use super::choose::Open;
use super::compiler::{Compiler, Try};
use crate::bind::walk::each_expr;
use crate::bind::{Action, Expr, ExprId, Requirement, Type};
use crate::machine::{Instruction, Question, Row};
use crate::report::Span;

impl Compiler<'_> {
    /// Are the first arguments, so many, taken from where they must be?
    pub(super) fn within_domains(&mut self, open: &Open<'_>, count: usize, no: Label) -> Try<()> {
        for ((local, within), param) in open.action.params.iter().zip(&open.params).take(count) {
            if let Some(within) = within {
                let yes = self.code.label();
                self.member_of(param.slot, *within, yes, no, false)?;
                self.code.place(yes);
            } else if self.is_regions(self.local_type(*local))
                && let Type::Named(ty) = self.local_type(*local)
            {
                let group = self.group(*ty, param.slot);
                self.code.jump_if(super::fold::Test::Same, group, param.slot, false, no);
            }
        }
        Ok(())
    }

    /// The parts of requirements that can be tested once so many parameters are known; or all of them.
    pub(super) fn due(&self, open: &Open<'_>, known: Option<usize>) -> Vec<(ExprId, Span)> {
        let action = open.action;
        let mut parts = Vec::new();
        for requirement in action.requirements.iter().filter(|requirement| !requirement.after) {
            if self.is_present(requirement.guard) {
                let due = self.conjuncts(requirement.condition).into_iter();
                let due = due.filter(|part| known.is_none_or(|known| known == self.needed(action, *part)));
                parts.extend(due.map(|part| (part, requirement.span)));
            }
        }
        parts
    }

    /// Tests what can be once so many parameters are known, and only these parts if they are given; or everything, what
    /// takes least first, for most entries that are tried are refused: unless a better order is known (`order.rs`).
    pub(super) fn tests(
        &mut self,
        open: &Open<'_>,
        known: Option<usize>,
        only: Option<&[ExprId]>,
        no: Label,
    ) -> Try<()> {
        let action = open.action;
        let mut questions = Vec::new();
        if self.costs_are_simple(action) {
            for (nth, price) in action.costs.iter().enumerate() {
                let needed = self.needed(action, price.place).max(self.needed(action, price.amount));
                if known.is_none_or(|known| known == needed) {
                    questions.push((Question::Price(nth), self.span(price.place)));
                }
            }
        }
        let mut parts = self.due(open, known);
        parts.retain(|(part, _)| only.is_none_or(|only| only.contains(part)));
        if known.is_none() {
            parts.sort_by_cached_key(|(part, _)| self.weight(*part));
        }
        questions.extend(parts.into_iter().map(|(part, span)| (Question::Part(part), span)));
        let row = Row { offer: open.number, known };
        self.order.apply(row, &mut questions);
        for (question, span) in questions {
            self.code.rule(span);
            let since = self.code.mark();
            match question {
                Question::Price(nth) => action.costs.get(nth).map_or(Ok(()), |price| self.afford(price, no))?,
                Question::Part(part) => self.branch(part, false, no)?,
            }
            self.code.tested(since, row, question);
        }
        Ok(())
    }

    /// Is an entry tried out before it is known to be legal?
    pub(super) fn has_last_tests(&mut self, action: &Action) -> bool {
        let after = |requirement: &Requirement| requirement.after && self.is_present(requirement.guard);
        action.requirements.iter().any(after) || !self.costs_are_simple(action)
    }

    /// What is tested when everything else holds: costs that depend on each other, and what follows.
    pub(super) fn last_tests(&mut self, open: &Open<'_>, no: Label) -> Try<()> {
        let action = open.action;
        let after: Vec<_> = action
            .requirements
            .iter()
            .filter(|requirement| requirement.after && self.is_present(requirement.guard))
            .collect();
        if self.costs_are_simple(action) && after.is_empty() {
            return Ok(());
        }
        let (back, end) = (self.code.label(), self.code.label());
        self.code.push(Instruction::Keep);
        self.pay(action, Some(back))?;
        if !after.is_empty() {
            let stop = self.code.label();
            let outer = self.trial.replace(stop);
            self.block(&action.effect)?;
            self.trial = outer;
            self.code.place(stop);
            for requirement in after {
                self.code.rule(requirement.span);
                self.branch(requirement.condition, false, back)?;
            }
        }
        self.code.push(Instruction::Restore);
        self.code.jump(end);
        self.code.place(back);
        self.code.push(Instruction::Restore);
        self.code.jump(no);
        self.code.place(end);
        Ok(())
    }

    /// How many parameters must be known before an expression is.
    pub(super) fn needed(&self, action: &Action, id: ExprId) -> usize {
        let mut needed = 0;
        each_expr(self.bound, id, &mut |_, kind| {
            if let Expr::Local(local) = kind
                && let Some(at) = action.params.iter().position(|(param, _)| param == local)
            {
                needed = needed.max(at + 1);
            }
        });
        needed
    }
}
