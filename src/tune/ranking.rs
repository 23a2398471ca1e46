//! From counts to an order: what refuses most for least comes first.

use crate::internal::Must;
use std::cmp::Ordering;
use std::collections::BTreeMap;

use crate::compile::Order;
use crate::machine::{Count, Instruction, Program, Question, Row, Target, Tested};

/// What was counted of a test.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Measured {
    /// How often it was asked,
    pub(super) asked: u64,
    /// how often it refused,
    pub(super) refused: u64,
    /// and all instructions that it took.
    pub(super) took: u64,
}

/// The order in which the tests of a program stand.
pub(super) fn present(program: &Program) -> Order {
    in_order(program, &[], |tests| tests.iter().map(|(question, _)| *question).collect())
}

/// The order in which they would have refused what they did for least.
pub(super) fn best(program: &Program, counts: &[Count]) -> Order {
    in_order(program, counts, ranked)
}

fn in_order(program: &Program, counts: &[Count], rank: impl Fn(&[(Question, Measured)]) -> Vec<Question>) -> Order {
    let mut rows: BTreeMap<Row, Vec<(Question, Measured)>> = BTreeMap::new();
    for test in &program.tests {
        let row = rows.entry(test.row).or_default();
        let found = measured(program, counts, test);
        match row.iter_mut().find(|(question, _)| *question == test.question) {
            Some((_, known)) => known.add(found),
            None => row.push((test.question, found)),
        }
    }
    let mut order = Order::default();
    for (row, tests) in rows {
        order.set(row, rank(&tests));
    }
    order
}

/// Tests by what they took for each refusal. Those that were never asked keep their places.
pub(super) fn ranked(tests: &[(Question, Measured)]) -> Vec<Question> {
    let places: Vec<usize> = (0..tests.len()).filter(|at| tests[*at].1.asked > 0).collect();
    let mut by_rank = places.clone();
    by_rank.sort_by(|one, other| tests[*one].1.before(tests[*other].1));
    let mut questions: Vec<Question> = tests.iter().map(|(question, _)| *question).collect();
    for (place, from) in places.into_iter().zip(by_rank) {
        questions[place] = tests[from].0;
    }
    questions
}

impl Measured {
    fn add(&mut self, other: Self) {
        self.asked += other.asked;
        self.refused += other.refused;
        self.took += other.took;
    }

    /// Instructions for each refusal, compared without dividing; what never refuses comes last.
    fn before(self, other: Self) -> Ordering {
        let cost = |one: Self, other: Self| u128::from(one.took) * u128::from(other.refused);
        let never = |one: Self| one.refused == 0;
        never(self).cmp(&never(other)).then_with(|| cost(self, other).cmp(&cost(other, self)))
    }
}

/// What the instructions of a test have done. It is left at its end if it holds, and anywhere else if it does not.
fn measured(program: &Program, counts: &[Count], test: &Tested) -> Measured {
    // What lies behind the last instruction that was followed is not counted.
    let count = |at: Target| counts.get(at as usize).copied().unwrap_or_default();
    let (mut took, mut again, mut held) = (0, 0, 0);
    for at in test.code.clone() {
        let instruction = program.code.get(at as usize).must("a test lies within its program");
        let Count { followed, jumped, called } = count(at);
        took += followed + called;
        let calls = matches!(instruction, Instruction::Call { .. } | Instruction::Refresh { .. });
        // What is called comes back to the next instruction.
        let jumped = if calls { 0 } else { jumped };
        match instruction.target() {
            Some(go) if go == test.code.start => again += jumped,
            Some(go) if go == test.code.end => held += jumped,
            _ => {}
        }
        if at + 1 == test.code.end {
            held += followed.saturating_sub(jumped);
        }
    }
    let asked = count(test.code.start).followed.saturating_sub(again);
    Measured { asked, refused: asked.saturating_sub(held), took }
}
