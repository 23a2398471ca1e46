//! How fast programs are, beside the same games written by hand: `cargo bench --bench speed`.
//!
//! Random playouts of each game, in turn with the hand-written ones, several rounds; medians of the rates
//! per second of CPU time of the thread. Mean length and the first player's result show that both play the
//! same game. `cargo bench --bench speed -- 0.2 5 hex` sets seconds a round, rounds, and games.

#![expect(
    clippy::expect_used,
    clippy::print_stdout,
    clippy::cast_precision_loss,
    clippy::unchecked_time_subtraction,
    reason = "a measurement talks, counts in fractions, and stops at the first surprise"
)]

mod anchors;
mod playing;

use std::time::Duration;

use ludex::compile::compile;
use ludex::machine::{Machine, Random};

use anchors::rng::Rng;
use anchors::{games, plain, tower};
use playing::{perft, playout, rules, start};

/// Plays one game by hand; gives moves and twice the first player's result.
type ByHand = fn(&mut Rng) -> (u32, u32);

/// CPU time of this thread.
fn cpu() -> Duration {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(u64::try_from(now.tv_sec).unwrap_or(0), u32::try_from(now.tv_nsec).unwrap_or(0))
}

/// What many playouts gave.
#[derive(Default, Clone, Copy)]
struct Tally {
    games: u64,
    entries: u64,
    result: u64,
    seconds: f64,
}

impl Tally {
    fn rate(&self) -> f64 {
        self.games as f64 / self.seconds
    }
}

fn measure(seconds: f64, mut play: impl FnMut() -> (u32, u32)) -> Tally {
    let mut tally = Tally::default();
    let mut batch = 1;
    let begin = cpu();
    while tally.seconds < seconds {
        let before = cpu();
        for _ in 0..batch {
            let (entries, result) = play();
            tally.games += 1;
            tally.entries += u64::from(entries);
            tally.result += u64::from(result);
        }
        if (cpu() - before).as_secs_f64() < 0.005 {
            batch *= 2;
        }
        tally.seconds = (cpu() - begin).as_secs_f64();
    }
    tally
}

fn median(mut rates: Vec<f64>) -> f64 {
    rates.sort_by(f64::total_cmp);
    rates[rates.len() / 2]
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    let seconds: f64 = words.first().and_then(|word| word.parse().ok()).unwrap_or(0.3);
    let rounds: usize = words.get(1).and_then(|word| word.parse().ok()).unwrap_or(5);
    let only = words.get(2..).unwrap_or_default();
    let all: &[(&str, u32, Option<ByHand>, Option<ByHand>)] = &[
        ("tictactoe", 2, Some(games::tictactoe), Some(plain::tictactoe)),
        ("connectfour", 2, Some(games::connect4), Some(plain::connect4)),
        ("breakthrough", 2, Some(games::breakthrough), Some(plain::breakthrough)),
        ("reversi", 2, Some(games::othello), Some(plain::othello)),
        ("hex", 2, Some(games::hex11), None),
        ("nim", 2, None, None),
        ("maya", 2, Some(tower::maya), None),
        ("maya", 3, None, None),
        ("maya", 4, None, None),
        ("indus", 2, None, None),
        ("indus", 3, None, None),
        ("indus", 4, None, None),
        ("tikal", 2, None, None),
        ("tikal", 3, None, None),
        ("tikal", 4, None, None),
        ("tikal:professional", 2, None, None),
        ("tikal:professional", 3, None, None),
        ("tikal:professional", 4, None, None),
    ];
    println!(
        "{:<22}{:>12}{:>12}{:>8}{:>8}{:>10}{:>8}{:>8}{:>8}{:>8}",
        "game", "playouts/s", "entries/s", "length", "first", "x slower", "length", "first", "plain", "bytes"
    );
    for (name, players, by_hand, by_afternoon) in all {
        if !only.is_empty() && !only.iter().any(|word| word == name) {
            continue;
        }
        if ludex::load::Folder::bundled_names().iter().all(|known| *known != name.split(':').next().unwrap_or("")) {
            continue;
        }
        let rules = rules(name, *players);
        let program = compile(&rules).expect("a program");
        let mut machine = Machine::new(&program);
        let start = start(&mut machine, name, *players);
        let mut tallies: [Vec<Tally>; 3] = Default::default();
        for round in 0..rounds {
            let mut random = Random::new(round as u64 + 1);
            tallies[0].push(measure(seconds, || playout(&mut machine, &start, &mut random)));
            for (nth, by_hand) in [by_hand, by_afternoon].into_iter().enumerate() {
                if let Some(by_hand) = by_hand {
                    let mut rng = Rng::new(round as u64 + 1);
                    tallies[nth + 1].push(measure(seconds, || by_hand(&mut rng)));
                }
            }
        }
        show(&format!("{name} {players}"), &tallies, start.bytes().len());
    }
    perfts(only);
}

/// Sequences a second, and how much of an entry's time one copy takes: all that undoing could save.
fn perfts(only: &[String]) {
    println!(
        "\n{:<22}{:>7}{:>12}{:>14}{:>12}{:>8}",
        "perft", "depth", "sequences", "sequences/s", "ns an entry", "copy"
    );
    for (name, depth) in [("tictactoe", 7), ("connectfour", 6), ("breakthrough", 4), ("reversi", 6), ("hex", 2)] {
        if !only.is_empty() && !only.iter().any(|word| word == name) {
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

fn show(name: &str, tallies: &[Vec<Tally>; 3], bytes: usize) {
    let rate = |nth: usize| {
        let rates: Vec<f64> = tallies[nth].iter().map(Tally::rate).collect();
        (!rates.is_empty()).then(|| median(rates))
    };
    let mean = |nth: usize, what: fn(&Tally) -> u64| {
        let games: u64 = tallies[nth].iter().map(|tally| tally.games).sum();
        tallies[nth].iter().map(what).sum::<u64>() as f64 / games as f64
    };
    let ours = rate(0).unwrap_or(0.0);
    let length = mean(0, |tally| tally.entries);
    let mut line = format!(
        "{name:<22}{ours:>12.0}{:>12.0}{length:>8.2}{:>8.3}",
        ours * length,
        mean(0, |tally| tally.result) / 2.0
    );
    if let Some(by_hand) = rate(1) {
        line += &format!(
            "{:>10.1}{:>8.2}{:>8.3}",
            by_hand / ours,
            mean(1, |tally| tally.entries),
            mean(1, |tally| tally.result) / 2.0
        );
    } else {
        line += &" ".repeat(26);
    }
    line += &rate(2).map_or(" ".repeat(8), |plain| format!("{:>8.1}", plain / ours));
    println!("{line}{bytes:>8}");
}
