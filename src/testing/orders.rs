//! Entries are tested in the order of the rules, in a measured one, or backwards: what is legal, and every game, is the same.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::constructs::{cases, everything};
use super::engines::{compare_games, every_ruleset, rules};
use super::instructions::count;
use super::native::same;
use super::pin;
use crate::compile::{Order, compile, compile_in_order};
use crate::examples::{cores, parallel};
use crate::machine::{Engine, Machine, Program, Random, Waits};
use crate::tune::tuned;

/// Games of each ruleset and number of players.
const GAMES: u64 = 3;

/// No game is longer than this.
const MOST_ENTRIES: usize = 3000;

/// The tests of a program, each row with its last test first.
fn backwards(program: &Program) -> Order {
    let mut rows: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for test in &program.tests {
        let row: &mut Vec<_> = rows.entry(test.row).or_default();
        if !row.contains(&test.question) {
            row.insert(0, test.question);
        }
    }
    let mut order = Order::default();
    rows.into_iter().for_each(|(row, questions)| order.set(row, questions));
    order
}

/// All that entries and positions are made of; slots and places in the code may differ.
fn shape(program: &Program) -> String {
    let mut text = format!("{:?}\n{} {}\n{:?}\n", program.layout, program.bytes, program.flow, program.pauses);
    for choice in &program.choices {
        let lots = choice.lots.as_ref().map(|lots| lots.all.len());
        let _ = writeln!(text, "{:?} {} {} {lots:?}", choice.offers, choice.possible, choice.picks);
    }
    for offer in &program.offers {
        let _ = writeln!(text, "{:?} {} {}", offer.action, offer.bound, offer.possible);
        for param in &offer.params {
            let _ = writeln!(text, "{:?} {} {:?}", param.ty, param.low, (param.size, param.first, param.picks));
            let _ = writeln!(text, "{} {}", param.shift, param.bits);
        }
    }
    text
}

/// Plays one game through two programs of a ruleset.
fn compare(programs: (&Program, &Program), seed: u64) -> Result<(), String> {
    let mut one = Machine::new(programs.0).with_engine(Engine::Bytecode);
    let mut other = Machine::new(programs.1).with_engine(Engine::Bytecode);
    let mut lots = (Random::new(seed), Random::new(seed));
    let (mut went, mut goes) = (one.begin(), other.begin());
    for entries in 0..MOST_ENTRIES {
        if went != goes {
            return Err(format!("after {entries} entries: {went:?} and {goes:?}"));
        }
        if went.is_err() {
            break;
        }
        (went, goes) = match one.waits() {
            Waits::Nothing => break,
            Waits::Player { .. } => {
                // Not listed before: this is how simulations ask.
                let (entry, picked) = (one.sample(&mut lots.0), other.sample(&mut lots.1));
                if entry != picked || lots.0 != lots.1 {
                    return Err(format!("after {entries} entries: picked {entry:?} and {picked:?}"));
                }
                same(&mut one, &mut other).map_err(|what| format!("after {entries} entries: {what}"))?;
                let Ok(Some(entry)) = entry else { break };
                (one.play(entry), other.play(entry))
            }
            Waits::Chance(_) => {
                same(&mut one, &mut other).map_err(|what| format!("after {entries} entries: {what}"))?;
                let outcomes = one.outcomes().map(<[_]>::to_vec).unwrap_or_default();
                let Some(nth) = lots.0.weighted(outcomes.iter().map(|(_, weight)| *weight)) else { break };
                lots.1.weighted(outcomes.iter().map(|(_, weight)| *weight));
                (one.draw(outcomes[nth].0), other.draw(outcomes[nth].0))
            }
        };
    }
    same(&mut one, &mut other)
}

#[test]
fn no_order_changes_a_game() {
    let told = parallel::each(cores(), &everything(), |(name, players)| {
        let rules = rules(name, *players, &[])?;
        let must = |fault: Box<crate::report::Fault>| -> Program { panic!("{name}: {}", fault.message) };
        let plain = compile(&rules.checked).unwrap_or_else(must);
        let turned = compile_in_order(&rules.checked, backwards(&plain)).unwrap_or_else(must);
        let tuned = tuned(&rules.checked).unwrap_or_else(|fault| panic!("{name}: {}", fault.message));
        assert!(tuned.after <= tuned.before, "{name} for {players} is worse than it was");
        for (what, other) in [("backwards", &turned), ("measured", &tuned.program)] {
            if shape(&plain) != shape(other) {
                return Some(Err(format!("{name} for {players}, {what}: another shape")));
            }
            for seed in 1..=GAMES {
                if let Err(wrong) = compare((&plain, other), seed) {
                    return Some(Err(format!("{name} for {players}, {what}, game {seed}: {wrong}")));
                }
            }
        }
        Some(Ok(()))
    });
    let told: Vec<Result<(), String>> = told.into_iter().flatten().collect();
    assert!(told.len() > 20, "only {} rulesets and numbers of players were played", told.len());
    let wrong: Vec<String> = told.into_iter().filter_map(Result::err).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The reference asks in the order of the rules, and comes to the same.
#[test]
fn the_reference_agrees_with_tests_that_are_asked_backwards() {
    let told = parallel::each(cores(), &cases(), |path| {
        let rules = rules(path, 2, &[])?;
        let plain = compile(&rules.checked).unwrap_or_else(|fault| panic!("{}", fault.message));
        let turned = compile_in_order(&rules.checked, backwards(&plain));
        let turned = turned.unwrap_or_else(|fault| panic!("{}", fault.message));
        let told = compare_games(&rules, &mut Machine::new(&turned), 1..=20, 100, true);
        told.err().map(|wrong| format!("{path}: {wrong}"))
    });
    let wrong: Vec<String> = told.into_iter().flatten().collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Other games than those that were measured.
#[test]
fn what_a_measured_order_saves_is_pinned() {
    let mut table = String::from("ruleset                 players  instructions an entry  in measured order\n");
    every_ruleset(|name, players| {
        let rules = rules(name, players, &[]).expect("a ruleset");
        let plain = compile(&rules.checked).unwrap_or_else(|fault| panic!("{}", fault.message));
        let tuned = tuned(&rules.checked).unwrap_or_else(|fault| panic!("{}", fault.message));
        let ((entries, before), (same, after)) = (count(&plain), count(&tuned.program));
        assert_eq!(entries, same, "{name}: other games");
        let _ = writeln!(table, "{name:<24}{players:>7}{:>23}{:>19}", before / entries, after / entries);
    });
    pin(
        "instructions",
        "in-measured-order",
        "the same games with tests in the order of the rules, and in a measured one",
        &table,
    );
}
