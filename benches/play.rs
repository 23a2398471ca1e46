//! How fast programs are played: `cargo bench --bench play`.
//!
//! Random games and sequences of entries, for each ruleset by itself. `cargo bench --bench speed` measures the
//! same in turn with games written by hand. First comes how many entries are legal in a position: on average
//! and at most in random games, and on crowded boards.

#![expect(clippy::expect_used, clippy::print_stdout, reason = "a measurement talks, and stops at the first surprise")]

mod anchors;
mod playing;

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use ludex::compile::compile;
use ludex::machine::{Machine, Position, Random, Waits};
use playing::{chance, perft, playout, rules, start};

fn main() {
    println!("{:36}{:>9}{:>12}{:>9}", "legal entries", "players", "a position", "at most");
    for &(name, players) in RULESETS {
        tell("", name, players, 20, 1, usize::MAX);
    }
    for &(name, players) in CROWDED {
        tell("full board: ", name, players, 5, 4, END);
    }
    divan::main();
}

/// Prints how many entries are legal in the last positions of some games.
fn tell(what: &str, name: &str, players: u32, games: u32, rush: u32, last: usize) {
    let rules = rules(name, players);
    let program = compile(&rules).expect("a program");
    let mut machine = Machine::new(&program);
    let start = start(&mut machine, name, players);
    let mut random = Random::new(1);
    let (mut all, mut most, mut seen) = (0, 0, 0);
    for _ in 0..games {
        for position in positions(&mut machine, &start, &mut random, rush).iter().rev().take(last) {
            machine.load(position);
            let entries = machine.moves().expect("no trouble").len();
            (all, most, seen) = (all + entries, most.max(entries), seen + 1);
        }
    }
    println!("{:36}{players:>9}{:>12}{most:>9}", format!("{what}{name}"), all / seen.max(1));
}

const RULESETS: &[(&str, u32)] = &[
    ("tictactoe", 2),
    ("connectfour", 2),
    ("breakthrough", 2),
    ("reversi", 2),
    ("hex", 2),
    ("nim", 2),
    ("maya", 2),
    ("maya", 3),
    ("maya", 4),
    ("indus", 2),
    ("indus", 3),
    ("indus", 4),
    ("tikal", 2),
    ("tikal", 3),
    ("tikal", 4),
    ("tikal:professional", 2),
    ("tikal:professional", 3),
    ("tikal:professional", 4),
];

/// The positions of one random game in which a player chooses. Of `rush` entries drawn, the one that the rules
/// offer first is played: where bringing figures in is offered first, the board gets crowded.
fn positions(machine: &mut Machine<'_>, start: &Position, random: &mut Random, rush: u32) -> Vec<Position> {
    machine.load(start);
    let mut seen = Vec::new();
    loop {
        match machine.waits() {
            Waits::Nothing => return seen,
            Waits::Player { .. } => {
                seen.push(machine.position());
                let drawn = (0..rush).map(|_| machine.sample(random).expect("no trouble").expect("a legal entry"));
                let entry = drawn.min_by_key(|entry| entry.offer()).expect("an entry");
                machine.play(entry).expect("no trouble");
            }
            Waits::Chance(_) => chance(machine, random),
        }
    }
}

/// Games whose last positions have a full board with many figures on it.
const CROWDED: &[(&str, u32)] = &[
    ("tikal", 2),
    ("tikal", 3),
    ("tikal", 4),
    ("tikal:professional", 2),
    ("tikal:professional", 3),
    ("tikal:professional", 4),
];

/// In so many positions before the end the last tile has been laid.
const END: usize = 12;

/// Playouts a second.
#[divan::bench(args = RULESETS)]
fn playouts(bencher: Bencher<'_, '_>, &(name, players): &(&str, u32)) {
    let rules = rules(name, players);
    let program = compile(&rules).expect("a program");
    let mut machine = Machine::new(&program);
    let start = start(&mut machine, name, players);
    let mut random = Random::new(1);
    bencher.counter(ItemsCount::new(1_u32)).bench_local(|| black_box(playout(&mut machine, &start, &mut random)));
}

/// Entries a second: the same games, counted by what is entered.
#[divan::bench(args = RULESETS)]
fn entries(bencher: Bencher<'_, '_>, &(name, players): &(&str, u32)) {
    let rules = rules(name, players);
    let program = compile(&rules).expect("a program");
    let mut machine = Machine::new(&program);
    let start = start(&mut machine, name, players);
    // The same game each time, so that its length is known.
    let (length, _) = playout(&mut machine, &start, &mut Random::new(1));
    bencher
        .counter(ItemsCount::new(length))
        .bench_local(|| black_box(playout(&mut machine, &start, &mut Random::new(1))));
}

/// Legal entries a second, listed on a full board with many figures.
#[divan::bench(args = CROWDED)]
fn listed(bencher: Bencher<'_, '_>, &(name, players): &(&str, u32)) {
    let rules = rules(name, players);
    let program = compile(&rules).expect("a program");
    let mut machine = Machine::new(&program);
    let start = start(&mut machine, name, players);
    let mut full = positions(&mut machine, &start, &mut Random::new(1), 4);
    let full = full.split_off(full.len().saturating_sub(END));
    let mut list = |position: &Position| {
        machine.load(position);
        machine.moves().expect("no trouble").len()
    };
    let entries: usize = full.iter().map(&mut list).sum();
    bencher
        .counter(ItemsCount::new(entries))
        .bench_local(|| full.iter().map(|position| black_box(list(position))).sum::<usize>());
}

/// Sequences of entries a second.
#[divan::bench(args = [("tictactoe", 5), ("connectfour", 4), ("breakthrough", 3), ("reversi", 4), ("hex", 2), ("nim", 4)])]
fn sequences(bencher: Bencher<'_, '_>, (name, depth): (&str, usize)) {
    let rules = rules(name, 2);
    let program = compile(&rules).expect("a program");
    let mut machine = Machine::new(&program);
    machine.begin().expect("no trouble");
    let mut kept = Vec::new();
    let sequences = perft(&mut machine, &mut kept, depth);
    bencher.counter(ItemsCount::new(sequences)).bench_local(|| black_box(perft(&mut machine, &mut kept, depth)));
}
