//! A ledger: what was scored, line by line, with a running total.

use super::rules::RuleId;
use super::split::{Part, Step};
use crate::bind::Bound;

/// Everything that makes up a seat's score.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ledger {
    /// The seat.
    pub seat: u32,
    /// The score; the points of all lines together.
    pub total: i64,
    /// In the order of the score's parts; changes of a state in the order in which they happened.
    pub lines: Vec<Line>,
}

/// Points, and where they come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// How many; never 0.
    pub points: i64,
    /// The points so far, these included.
    pub total: i64,
    /// What they are for: rules with their arguments, outermost first, and the last expression.
    pub what: String,
    /// The rules, outermost first.
    pub rules: Vec<RuleId>,
    /// The entry that brought them, from 1; 0 is the set-up, nothing what is counted in the position.
    pub entry: Option<usize>,
    /// Entries, from 1, that last changed what was counted: the latest three.
    pub from: Vec<usize>,
}

impl Line {
    /// The innermost rule.
    #[must_use]
    pub fn rule(&self) -> RuleId {
        self.rules.last().copied().unwrap_or(RuleId::Flow)
    }

    /// The rule whose passages of the rulebook speak for these points: the innermost that has any.
    #[must_use]
    pub fn cited(&self, bound: &Bound) -> Option<RuleId> {
        self.rules.iter().rev().copied().find(|id| !id.rule(bound).cites.is_empty())
    }
}

impl Ledger {
    pub(super) fn new(seat: u32, total: i64, parts: &[Part]) -> Self {
        let mut so_far = 0_i64;
        let mut lines = Vec::new();
        for part in parts.iter().filter(|part| part.points != 0) {
            so_far = so_far.saturating_add(part.points);
            lines.push(Line {
                points: part.points,
                total: so_far,
                what: told(part),
                rules: part.path.iter().map(|step| step.rule).collect(),
                entry: part.entry,
                from: part.from.clone(),
            });
        }
        debug_assert_eq!(so_far, total, "a ledger sums to the score");
        Self { seat, total, lines }
    }
}

/// `scoring > majority(north, ana): ana 3, ben 2`
fn told(part: &Part) -> String {
    let mut words: Vec<String> = Vec::new();
    let last = part.path.len().saturating_sub(1);
    for (at, step) in part.path.iter().enumerate() {
        // What is bound here and handed on need not be said twice.
        let next: &[String] = part.path.get(at + 1).map_or(&[], |next| &next.args);
        let bound = step.bindings.iter().filter(|(_, value)| !next.contains(value));
        let bound: Vec<String> = bound.map(|(name, value)| format!("{name} = {value}")).collect();
        // That it belongs to the score goes without saying, unless there is nothing else.
        let silent = matches!(step.rule, RuleId::Score(_)) && at < last;
        let call = if silent { None } else { Some(called(step)) };
        let text: Vec<String> = call.into_iter().chain(bound).collect();
        if !text.is_empty() {
            words.push(text.join(", "));
        }
    }
    let mut told = words.join(" > ");
    if let Some(text) = &part.text {
        told += &format!(": {text}");
    }
    if let Some(since) = &part.since {
        told += &format!(" ({since})");
    }
    told
}

fn called(step: &Step) -> String {
    if step.args.is_empty() { step.name.clone() } else { format!("{}({})", step.name, step.args.join(", ")) }
}
