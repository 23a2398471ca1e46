//! What differs between two rulesets: numbers, rules, examples, and what players may do.
//!
//! The first three are read off the texts, by meaning. The last is found by playing: games at random go through both
//! rulesets with the same entries, and at every position it is asked what is legal, what it costs and what it
//! scores by each. What is found is shortened to a log that shows it.

mod examples;
mod games;
mod half;
mod numbers;
mod pair;
mod rules;
mod witness;

pub use examples::{ExampleDifference, OutcomeDifference};
pub use numbers::NumberDifference;
pub use pair::{Detail, Group, Kind};
pub use rules::{Change, RuleDifference};
pub use witness::Witness;

use crate::bind::Bound;
use crate::examples::parallel;
use crate::judge::{By, Limits, Origin, Rules};
use crate::log::{Closed, Log, Seat};

/// One of the two rulesets.
#[derive(Debug)]
pub struct Side {
    /// As it was named.
    pub ruleset: String,
    /// Ready to be played, with seats that are called alike in both.
    pub rules: Rules,
}

impl Side {
    /// The ruleset with its changes, for these seats.
    pub fn new(ruleset: &str, by: By, seats: &[String]) -> Result<Self, Box<Closed>> {
        let seat = |name: &String| Seat { name: name.clone(), who: None };
        let log = Log { game: ruleset.to_owned(), seats: seats.iter().map(seat).collect(), ..Log::default() };
        let by = By { ruleset: Some(ruleset.to_owned()), examples: true, ..by };
        Ok(Self {
            ruleset: ruleset.to_owned(),
            rules: Rules::of(&log, &by, Origin::nowhere("command line", 1), ruleset)?,
        })
    }

    fn bound(&self) -> &Bound {
        &self.rules.checked.bound
    }
}

/// How much is to be played.
#[derive(Debug, Clone, Copy)]
pub struct Plan {
    /// Games at random.
    pub games: u64,
    /// What they are decided by.
    pub seed: u64,
    /// Threads.
    pub jobs: usize,
    /// Entries of a game.
    pub most_entries: usize,
    /// Witnesses that are shortened and told.
    pub most_witnesses: usize,
    /// Work for shortening one.
    pub limits: Limits,
}

/// Everything that differs.
#[derive(Debug, Default)]
pub struct Diff {
    /// Have both rulesets no action in common? Then nothing else is told.
    pub strangers: bool,
    /// Numbers, options, rulings, rows of tables.
    pub numbers: Vec<NumberDifference>,
    /// Parts of the rules.
    pub rules: Vec<RuleDifference>,
    /// Examples.
    pub examples: Vec<ExampleDifference>,
    /// Examples that pass by one ruleset only.
    pub outcomes: Vec<OutcomeDifference>,
    /// What players may do.
    pub witnesses: Vec<Witness>,
    /// Groups of differences that are not told.
    pub untold: usize,
    /// Positions that were compared.
    pub positions: u64,
    /// Why games could not be played on.
    pub troubles: Vec<String>,
}

impl Diff {
    /// Compares two rulesets.
    #[must_use]
    pub fn of(old: &Side, new: &Side, plan: &Plan) -> Self {
        let names =
            |side: &Side| -> Vec<String> { side.bound().actions.iter().map(|action| action.name.clone()).collect() };
        let (before, after) = (names(old), names(new));
        let related = before.iter().any(|name| after.contains(name)) || before.is_empty() && after.is_empty();
        if !related {
            return Self { strangers: true, ..Self::default() };
        }
        let (numbers, rules) = (numbers::compare(old, new), rules::compare(old, new));
        let examples = examples::compare(old, new);
        let mut diff = Self { numbers, rules, examples, ..Self::default() };
        // Where the rules are the same, so are all games.
        let same_rules = diff.numbers.is_empty() && diff.rules.is_empty();
        if !same_rules {
            diff.outcomes = examples::outcomes(old, new, &diff.examples, plan.jobs);
            diff.play(old, new, plan);
        }
        diff
    }

    fn play(&mut self, old: &Side, new: &Side, plan: &Plan) {
        let seen = games::play(old, new, plan);
        self.positions = seen.positions;
        self.troubles = seen.troubles;
        let groups: Vec<_> = seen.groups.into_iter().collect();
        self.untold = groups.len().saturating_sub(plan.most_witnesses);
        let told = groups.get(..plan.most_witnesses).unwrap_or(&groups);
        self.witnesses =
            parallel::each(plan.jobs, told, |(group, sight)| witness::witness(old, new, group, sight, plan));
    }

    /// Is there no difference at all?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        !self.strangers
            && self.numbers.is_empty()
            && self.rules.is_empty()
            && self.examples.is_empty()
            && self.outcomes.is_empty()
            && self.witnesses.is_empty()
    }
}

#[cfg(test)]
mod tests;
