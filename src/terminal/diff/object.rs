//! What differs, for programs: one object a difference, and one at the end.

use std::io;

use serde_json::{Value, json};

use super::super::Output;
use super::super::numbers::place;
use super::Shown;
use crate::diff::{Change, ExampleDifference, NumberDifference, OutcomeDifference, RuleDifference, Witness};
use crate::report::Span;

pub(super) fn show(shown: &Shown<'_>, output: &mut Output<'_>) -> io::Result<()> {
    let diff = shown.diff;
    let numbers = diff.numbers.iter().map(|number| shown.number_object(number));
    let rules = diff.rules.iter().map(|rule| shown.rule_object(rule));
    let examples = diff.examples.iter().map(|example| shown.example_object(example));
    let outcomes = diff.outcomes.iter().map(outcome_object);
    let witnesses = diff.witnesses.iter().map(|witness| shown.witness_object(witness));
    for object in numbers.chain(rules).chain(examples).chain(outcomes).chain(witnesses) {
        output.line(object.to_string())?;
    }
    let object = json!({
        "ludex": 1, "kind": "diff", "old": shown.args.old, "new": shown.changed,
        "hashes": [format!("{:016x}", shown.old.rules.hash), format!("{:016x}", shown.new.rules.hash)],
        "same": diff.is_empty(), "different_games": diff.strangers,
        "numbers": diff.numbers.len(), "rules": diff.rules.len(), "examples": diff.examples.len(),
        "outcomes": diff.outcomes.len(), "witnesses": diff.witnesses.len(), "untold": diff.untold,
        "games": shown.plan.games, "seed": shown.plan.seed.to_string(), "positions": diff.positions,
        "players": shown.old.rules.checked.bound.players.count, "troubles": diff.troubles,
    });
    output.line(object.to_string())
}

impl Shown<'_> {
    fn both_at(&self, (old, new): (Option<Span>, Option<Span>)) -> (Option<Value>, Option<Value>) {
        let old = old.and_then(|span| place(&self.old.rules.loaded.sources, span));
        (old, new.and_then(|span| place(&self.new.rules.loaded.sources, span)))
    }

    fn number_object(&self, number: &NumberDifference) -> Value {
        let (old_at, new_at) = self.both_at(number.at);
        json!({
            "ludex": 1, "kind": "number-difference", "of": number.kind, "key": number.key, "what": number.what,
            "old": number.old, "new": number.new, "unit": number.unit, "citations": number.citations,
            "old_at": old_at, "new_at": new_at,
        })
    }

    fn rule_object(&self, rule: &RuleDifference) -> Value {
        let (old_at, new_at) = self.both_at(rule.at);
        json!({
            "ludex": 1, "kind": "rule-difference", "change": rule.change.word(), "of": rule.kind, "name": rule.name,
            "old_at": old_at, "new_at": new_at, "lines": rule.lines,
        })
    }

    fn example_object(&self, example: &ExampleDifference) -> Value {
        let (old_at, new_at) = self.both_at(example.at);
        let lines = if example.change == Change::Changed { example.lines.clone() } else { Vec::new() };
        json!({
            "ludex": 1, "kind": "example-difference", "change": example.change.word(), "heading": example.heading,
            "old_at": old_at, "new_at": new_at, "lines": lines,
        })
    }

    fn witness_object(&self, witness: &Witness) -> Value {
        let refuses = if witness.group.kind == crate::diff::Kind::Legal { self.old } else { self.new };
        let finding = witness.finding.as_ref().map(|finding| {
            let broken = finding.broken.iter().map(|broken| {
                let values = broken.values.iter().map(|(text, value)| json!({ "text": text, "value": value }));
                json!({
                    "name": broken.name, "phrase": broken.phrase, "text": broken.text,
                    "at": place(&refuses.rules.loaded.sources, broken.span),
                    "values": values.collect::<Vec<_>>(), "citations": broken.citations,
                })
            });
            let requirements: Vec<Value> = broken.collect();
            json!({ "verdict": finding.verdict(), "message": finding.message, "requirements": requirements })
        });
        let details = witness.details.iter();
        let details: Vec<Value> =
            details.map(|detail| json!({ "what": detail.what, "old": detail.old, "new": detail.new })).collect();
        json!({
            "ludex": 1, "kind": "witness", "shows": witness.group.kind.word(), "action": witness.group.action,
            "rule": witness.group.rule, "positions": witness.positions, "games": witness.games,
            "before": witness.was, "after": witness.before.len(), "entry": witness.entry, "details": details,
            "refused": finding, "log": witness.log,
        })
    }
}

fn outcome_object(outcome: &OutcomeDifference) -> Value {
    json!({
        "ludex": 1, "kind": "outcome-difference", "heading": outcome.heading,
        "passes_by": if outcome.by_new { "new" } else { "old" },
        "example_of": if outcome.from_new { "new" } else { "old" },
        "at": outcome.place, "reasons": outcome.reasons, "senseless": outcome.senseless,
    })
}
