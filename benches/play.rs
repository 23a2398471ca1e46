//! How fast programs are played: `cargo bench --bench play`.
//!
//! Random games and sequences of entries, for each ruleset by itself. `cargo bench --bench speed` measures the
//! same in turn with games written by hand.

#![expect(clippy::expect_used, reason = "a measurement stops at the first surprise")]

mod anchors;
mod playing;

use anchors::rng::Rng;
use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use ludex::compile::compile;
use ludex::machine::Machine;
use playing::{Lot, perft, playout, rules, start};

fn main() {
    divan::main();
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

/// Playouts a second.
#[divan::bench(args = RULESETS)]
fn playouts(bencher: Bencher<'_, '_>, &(name, players): &(&str, u32)) {
    let rules = rules(name, players);
    let program = compile(&rules).expect("a program");
    let mut machine = Machine::new(&program);
    let start = start(&mut machine, name, players);
    let mut lot = Lot(Rng::new(1));
    bencher.counter(ItemsCount::new(1_u32)).bench_local(|| black_box(playout(&mut machine, &start, &mut lot)));
}

/// Entries a second: the same games, counted by what is entered.
#[divan::bench(args = RULESETS)]
fn entries(bencher: Bencher<'_, '_>, &(name, players): &(&str, u32)) {
    let rules = rules(name, players);
    let program = compile(&rules).expect("a program");
    let mut machine = Machine::new(&program);
    let start = start(&mut machine, name, players);
    // The same game each time, so that its length is known.
    let (length, _) = playout(&mut machine, &start, &mut Lot(Rng::new(1)));
    bencher
        .counter(ItemsCount::new(length))
        .bench_local(|| black_box(playout(&mut machine, &start, &mut Lot(Rng::new(1)))));
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
