//! In which order entries are tested: that of the rules, unless somebody knows a better one.
//!
//! Tests of one row ([`Row`]) may stand in any order: an entry is legal if it passes all of them, and none of them writes
//! anything or goes wrong. No type of an expression depends on what was asked before it: whatever may be `none` has a
//! label to go on to, what lies outside reads as nothing, and a question about nothing is answered no, in the reference as
//! here. So no test needs another one to hold first. Two things would: a price that may be taken from nowhere, and
//! what is asked after the effect. Neither is a test of a row (`costs.rs`, `Compiler::last_tests`). A partition that a test
//! asks about is brought up to date by whoever asks first.
//!
//! Only the budget of steps is not the same: what uses it up in one order may not in another.

use std::collections::BTreeMap;

use crate::machine::{Question, Row};

/// Rows whose tests stand in another order than the rules give.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Order {
    rows: BTreeMap<Row, Vec<Question>>,
}

impl Order {
    /// Says in which order the tests of a row stand.
    pub fn set(&mut self, row: Row, questions: Vec<Question>) {
        self.rows.insert(row, questions);
    }

    /// Puts tests into their order; what it does not know comes last.
    pub(super) fn apply<T>(&self, row: Row, questions: &mut [(Question, T)]) {
        let Some(order) = self.rows.get(&row) else { return };
        let place = |question: Question| order.iter().position(|known| *known == question).unwrap_or(order.len());
        questions.sort_by_key(|(question, _)| place(*question));
    }
}
