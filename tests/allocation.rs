//! Playing allocates nothing once the machine's buffers have grown: counted by an allocator of this process.

#![expect(clippy::expect_used, reason = "what goes wrong in a test ends it")]

#[path = "../benches/speed/allocations.rs"]
mod allocations;

use ludex::check;
use ludex::compile::compile;
use ludex::load::{Request, load};
use ludex::machine::{Engine, Machine, Position, Waits};
use ludex::play::Random;
use ludex::report::Span;

/// Plays one game to its end; gives how many entries it has. Sampling lists entries only now and then, so that
/// the list may grow late: warming up lists them all.
fn play(machine: &mut Machine<'_>, start: &Position, random: &mut Random, warm_up: bool) -> u64 {
    machine.load(start);
    for entries in 0.. {
        match machine.waits() {
            Waits::Nothing => return entries,
            Waits::Player { .. } => {
                if warm_up {
                    machine.moves().expect("no trouble");
                }
                let entry = machine.sample(random).expect("no trouble").expect("a legal entry");
                machine.play(entry).expect("no trouble");
            }
            Waits::Chance(_) => {
                let outcomes = machine.outcomes().expect("no trouble");
                let drawn = random.weighted(outcomes.iter().map(|(_, weight)| *weight)).expect("an outcome");
                let (value, _) = outcomes[drawn];
                machine.draw(value).expect("no trouble");
            }
        }
    }
    0
}

#[test]
fn playing_allocates_nothing_after_warm_up() {
    for (name, players) in [
        ("tictactoe", 2),
        ("reversi", 2),
        ("connectfour", 2),
        ("hex", 2),
        ("nim", 2),
        ("indus", 2),
        ("maya", 2),
        ("tikal", 2),
    ] {
        let loaded = load(&Request { ruleset: name.to_owned(), ..Request::default() });
        let checked = check::chosen(&loaded, Some(players), &[], Span::default()).expect("a ruleset");
        let program = compile(&checked).expect("a program");
        for engine in [Engine::Bytecode, Engine::Native] {
            let mut machine = Machine::new(&program).with_engine(engine);
            machine.begin().expect("no trouble");
            let start = machine.position();
            let mut games = |seeds: std::ops::RangeInclusive<u64>, warm_up: bool| -> u64 {
                seeds.map(|seed| play(&mut machine, &start, &mut Random::new(seed), warm_up)).sum()
            };
            games(1..=20, true);
            // What is run for the first time is translated.
            games(21..=40, false);
            let before = allocations::count();
            let entries = games(21..=40, false);
            let counted = allocations::count() - before;
            assert!(entries > 20, "{name}: {entries} entries");
            assert_eq!(counted, 0, "{name}, {engine:?}: allocations in {entries} entries");
        }
    }
}
