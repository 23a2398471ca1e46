//! How many instructions an entry takes: a change that makes rules slower, or faster, shows as a number.

use std::fmt::Write as _;

use super::engines::{every_ruleset, rules};
use super::pin;
use crate::compile::compile;
use crate::machine::{Machine, Program, Random, Waits};

/// Games of each ruleset.
const GAMES: u64 = 20;

/// Plays on where chance decides.
fn draw(machine: &mut Machine<'_>, random: &mut Random) {
    let outcomes = machine.outcomes().expect("no trouble");
    let drawn = random.weighted(outcomes.iter().map(|(_, weight)| *weight)).expect("an outcome");
    let value = outcomes[drawn].0;
    machine.draw(value).expect("no trouble");
}

/// Plays some games; gives how many entries they have, and how many instructions these took.
pub(super) fn count(program: &Program) -> (u64, u64) {
    let mut machine = Machine::counting(program);
    let mut entries = 0;
    for seed in 0..GAMES {
        let mut random = Random::new(seed);
        machine.begin().expect("no trouble");
        loop {
            match machine.waits() {
                Waits::Nothing => break,
                Waits::Chance(_) => {
                    draw(&mut machine, &mut random);
                    entries += 1;
                }
                Waits::Player { .. } => {
                    machine.play_on(&mut random, 2000).expect("no trouble");
                    entries += machine.played().len() as u64;
                }
            }
        }
    }
    (entries, machine.followed())
}

#[test]
fn instructions_of_an_entry_are_pinned() {
    let mut table = String::from("ruleset                 players  program  block  entries  instructions an entry\n");
    every_ruleset(|name, players| {
        let rules = rules(name, players, &[]).expect("a ruleset");
        let program = compile(&rules.checked).unwrap_or_else(|fault| panic!("{}", fault.message));
        let (entries, followed) = count(&program);
        let (code, bytes, each) = (program.code.len(), program.bytes, followed / entries);
        let _ = writeln!(table, "{name:<24}{players:>7}{code:>9}{bytes:>7}{entries:>9}{each:>23}");
    });
    pin("instructions", "an-entry", "instructions of random games, by the executor", &table);
}
