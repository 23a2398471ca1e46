//! How many more games two threads play than one, in the same time.

use std::time::{Duration, Instant};

use ludex::compile::compile;
use ludex::machine::{Machine, Position, Program, Random};

use crate::measure::median;
use crate::playing::{playout, rules, start};

/// Playouts of two threads by those of one, for each ruleset.
pub(crate) fn threads(seconds: f64, rounds: usize, wanted: impl Fn(&str, u32) -> bool) {
    println!("\n{:<22}{:>14}{:>14}{:>8}", "threads", "1: playouts/s", "2: playouts/s", "ratio");
    for (name, players) in [
        ("tictactoe", 2),
        ("connectfour", 2),
        ("breakthrough", 2),
        ("reversi", 2),
        ("hex", 2),
        ("maya", 2),
        ("indus", 4),
        ("tikal", 4),
    ] {
        if !wanted(name, players) {
            continue;
        }
        let rules = rules(name, players);
        let program = compile(&rules).expect("a program");
        let start = start(&mut Machine::new(&program), name, players);
        // What is run often is translated once, before anything is measured.
        rate(&program, &start, 1, seconds);
        let (mut one, mut two) = (Vec::new(), Vec::new());
        for _ in 0..rounds {
            one.push(rate(&program, &start, 1, seconds));
            two.push(rate(&program, &start, 2, seconds));
        }
        let (one, two) = (median(one), median(two));
        println!("{:<22}{one:>14.0}{two:>14.0}{:>8.2}", format!("{name} {players}"), two / one);
    }
}

/// Games a second of all threads together.
fn rate(program: &Program, start: &Position, threads: u64, seconds: f64) -> f64 {
    let until = Instant::now() + Duration::from_secs_f64(seconds);
    std::thread::scope(|scope| {
        let players: Vec<_> = (1..=threads)
            .map(|thread| {
                scope.spawn(move || {
                    let mut machine = Machine::new(program);
                    let mut random = Random::new(thread);
                    let (begin, mut games) = (Instant::now(), 0_u64);
                    while Instant::now() < until {
                        for _ in 0..8 {
                            playout(&mut machine, start, &mut random);
                        }
                        games += 8;
                    }
                    games as f64 / begin.elapsed().as_secs_f64()
                })
            })
            .collect();
        players.into_iter().map(|player| player.join().expect("no panic")).sum()
    })
}
