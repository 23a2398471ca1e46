//! How fast programs are, beside the same games written by hand: `cargo bench --bench speed`.
//!
//! One table for all rulesets: random playouts in turn with the hand-written ones, several rounds, medians of the
//! rates per second of CPU time of the thread; mean length and the first player's result show that both play the
//! same game. Beside that: how much faster native code is than instructions, what compiling and loading to the first
//! legal entries take, bytes of a position, instructions and allocations of an entry. Then what a measured order of tests
//! saves (the first table plays with it, as simulations do), where the time goes,
//! sequences of entries (perft), two threads, and boards that grow.
//! `cargo bench --bench speed -- 0.2 5 hex maya:2` sets seconds a round, rounds, and games.

#![expect(
    clippy::expect_used,
    clippy::print_stdout,
    clippy::cast_precision_loss,
    clippy::unchecked_time_subtraction,
    reason = "a measurement talks, counts in fractions, and stops at the first surprise"
)]

mod allocations;
#[path = "../anchors/mod.rs"]
mod anchors;
mod boards;
mod loading;
mod measure;
mod order;
#[path = "../playing/mod.rs"]
mod playing;
mod profile;
mod threads;

use ludex::compile::compile;
use ludex::machine::{Engine, Machine, Random};
use ludex::tune::tuned;

use anchors::rng::Rng;
use anchors::{games, plain, tikal, tower};
use loading::loading;
use measure::{Tally, cpu, measure, median};
use playing::{perft, playout, rules, start};

/// Plays one game by hand; gives moves and twice the first player's result.
type ByHand = fn(&mut Rng) -> (u32, u32);

/// Rulesets, with what they are measured against: tuned, and plain.
const ALL: &[(&str, u32, Option<ByHand>, Option<ByHand>)] = &[
    ("tictactoe", 2, Some(games::tictactoe), Some(plain::tictactoe)),
    ("connectfour", 2, Some(games::connect4), Some(plain::connect4)),
    ("breakthrough", 2, Some(games::breakthrough), Some(plain::breakthrough)),
    ("reversi", 2, Some(games::othello), Some(plain::othello)),
    ("hex", 2, Some(games::hex11), None),
    ("nim", 2, None, None),
    ("maya", 2, Some(tower::maya), None),
    ("maya", 3, None, None),
    ("maya", 4, None, None),
    ("maya:series", 2, None, None),
    ("indus", 2, None, None),
    ("indus", 3, None, None),
    ("indus", 4, None, None),
    ("indus:combinations", 4, None, None),
    ("tikal", 2, None, None),
    ("tikal", 3, None, None),
    ("tikal", 4, Some(tikal::tikal), Some(tikal::plain::tikal)),
    ("tikal:professional", 2, None, None),
    ("tikal:professional", 3, None, None),
    ("tikal:professional", 4, None, None),
];

/// Instructions of an entry, as a test has counted and pinned them.
const INSTRUCTIONS: &str = include_str!("../../snapshots/instructions/an-entry.snap");

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    let seconds: f64 = words.first().and_then(|word| word.parse().ok()).unwrap_or(0.3);
    let rounds: usize = words.get(1).and_then(|word| word.parse().ok()).unwrap_or(5);
    let only = words.get(2..).unwrap_or_default();
    let wanted = |name: &str, players: u32| {
        let exactly = format!("{name}:{players}");
        only.is_empty() || only.iter().any(|word| word == name || *word == exactly)
    };
    println!(
        "{:<22}{:>11}{:>11}{:>8}{:>7}{:>7}{:>9}{:>7}{:>7}{:>7}{:>7}{:>8}{:>9}{:>9}{:>9}{:>9}",
        "ruleset",
        "playouts/s",
        "entries/s",
        "gained",
        "length",
        "first",
        "× tuned",
        "length",
        "first",
        "plain",
        "bytes",
        "instr.",
        "allocs",
        "compile",
        "to 1st",
        "native"
    );
    for &(name, players, by_hand, by_afternoon) in ALL.iter().filter(|(name, players, ..)| wanted(name, *players)) {
        row(name, players, [by_hand, by_afternoon], seconds, rounds);
    }
    order::orders(seconds, rounds, wanted);
    profile::profiles(rounds, wanted);
    perfts(&wanted);
    threads::threads(seconds, rounds, wanted);
    boards::boards(seconds, rounds, wanted);
}

/// One ruleset. Times of loading are milliseconds.
fn row(name: &str, players: u32, by_hand: [Option<ByHand>; 2], seconds: f64, rounds: usize) {
    let rules = rules(name, players);
    // As simulations play it.
    let program = tuned(&rules).expect("a program").program;
    let mut machine = Machine::new(&program);
    let start = start(&mut machine, name, players);
    // Buffers grow and code is translated before anything is measured.
    let mut random = Random::new(0);
    measure(seconds, || playout(&mut machine, &start, &mut random));
    let mut tallies: [Vec<Tally>; 3] = Default::default();
    for round in 0..rounds {
        let mut random = Random::new(round as u64 + 1);
        tallies[0].push(measure(seconds, || playout(&mut machine, &start, &mut random)));
        for (nth, by_hand) in by_hand.into_iter().enumerate() {
            if let Some(by_hand) = by_hand {
                let mut rng = Rng::new(round as u64 + 1);
                tallies[nth + 1].push(measure(seconds, || by_hand(&mut rng)));
            }
        }
    }
    let rate = |nth: usize| {
        let rates: Vec<f64> = tallies[nth].iter().map(Tally::rate).collect();
        (!rates.is_empty()).then(|| median(rates))
    };
    let sum = |nth: usize, what: fn(&Tally) -> u64| tallies[nth].iter().map(what).sum::<u64>() as f64;
    let mean = |nth: usize, what: fn(&Tally) -> u64| sum(nth, what) / sum(nth, |tally| tally.games);
    let ours = rate(0).unwrap_or(0.0);
    let length = mean(0, |tally| tally.entries);
    let first = mean(0, |tally| tally.result) / 2.0;
    // What native code has gained.
    let mut by_instructions = Machine::new(&program).with_engine(Engine::Bytecode);
    let slow = measure(seconds, || playout(&mut by_instructions, &start, &mut random));
    let mut line = format!(
        "{:<22}{ours:>11.0}{:>11.0}{:>8.1}{length:>7.1}{first:>7.3}",
        format!("{name} {players}"),
        ours * length,
        ours / slow.rate()
    );
    line += &rate(1).map_or(" ".repeat(23), |by_hand| {
        let (length, first) = (mean(1, |tally| tally.entries), mean(1, |tally| tally.result) / 2.0);
        format!("{:>9.1}{length:>7.1}{first:>7.3}", by_hand / ours)
    });
    line += &rate(2).map_or(" ".repeat(7), |plain| format!("{:>7.1}", plain / ours));
    // Something rare may be translated late: what lasts is what the last round shows.
    let allocations = tallies[0].last().map_or(0.0, |last| last.allocations as f64 / last.entries as f64);
    let loading = loading(name, players, rounds);
    println!(
        "{line}{:>7}{:>8}{allocations:>9.4}{:>9.1}{:>9.1}{:>9.1}",
        start.bytes().len(),
        instructions(name, players).unwrap_or("-"),
        loading.compile,
        loading.bytecode,
        loading.native
    );
}

/// What the test of instructions has counted for a ruleset.
fn instructions(name: &str, players: u32) -> Option<&'static str> {
    let players = players.to_string();
    INSTRUCTIONS.lines().find_map(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        (words.len() == 6 && words[0] == name && words[1] == players).then(|| words[5])
    })
}

/// Sequences a second, and how much of an entry's time one copy takes: all that undoing could save.
fn perfts(wanted: &impl Fn(&str, u32) -> bool) {
    println!(
        "\n{:<22}{:>7}{:>12}{:>14}{:>12}{:>8}",
        "perft", "depth", "sequences", "sequences/s", "ns an entry", "copy"
    );
    for (name, depth) in [("tictactoe", 7), ("connectfour", 6), ("breakthrough", 4), ("reversi", 6), ("hex", 2)] {
        if !wanted(name, 2) {
            continue;
        }
        let rules = rules(name, 2);
        let program = compile(&rules).expect("a program");
        let mut machine = Machine::new(&program);
        machine.begin().expect("no trouble");
        let mut kept = Vec::new();
        let begin = cpu();
        let sequences = perft(&mut machine, &mut kept, depth);
        let seconds = (cpu() - begin).as_secs_f64();
        let mut position = machine.position();
        let copies = 2_000_000;
        let begin = cpu();
        for _ in 0..copies {
            machine.load(std::hint::black_box(&position));
            machine.save(&mut position);
        }
        // A load and a save are two copies.
        let copy = (cpu() - begin).as_secs_f64() * 1e9 / f64::from(2 * copies);
        let entry = seconds * 1e9 / sequences as f64;
        println!(
            "{name:<22}{depth:>7}{sequences:>12}{:>14.0}{entry:>12.0}{:>7.1}%",
            sequences as f64 / seconds,
            100.0 * copy / entry
        );
    }
}
