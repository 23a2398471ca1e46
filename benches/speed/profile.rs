//! Where the time of an entry goes: choosing it, carrying it out, and what listing and copying would take.
//!
//! Positions of random games are gone through again, doing one thing in each of them.

use ludex::compile::compile;
use ludex::machine::{Machine, Move, Position, Program, Random, Waits};

use crate::measure::{cpu, median};
use crate::playing::{chance, rules, start};

/// Positions that are gone through.
const POSITIONS: usize = 2000;

/// Nanoseconds by ruleset.
pub(crate) fn profiles(rounds: usize, wanted: impl Fn(&str, u32) -> bool) {
    println!(
        "\n{:<22}{:>10}{:>10}{:>10}{:>10}{:>10}{:>10}",
        "ns in a position", "pick one", "carry out", "list all", "entries", "copy", "a number"
    );
    for &(name, players, ..) in crate::ALL.iter().filter(|(name, players, ..)| wanted(name, *players)) {
        let rules = rules(name, players);
        let program = compile(&rules).expect("a program");
        let mut machine = Machine::new(&program);
        let start = start(&mut machine, name, players);
        let positions = positions(&program, &start);
        let mut random = Random::new(2);
        let entries: Vec<Move> = positions
            .iter()
            .map(|position| {
                machine.load(position);
                machine.sample(&mut random).expect("no trouble").expect("an entry")
            })
            .collect();
        let mut time = |what: &mut dyn FnMut(&mut Machine<'_>, usize)| {
            let times = (0..=rounds).map(|_| {
                let begin = cpu();
                for (nth, position) in positions.iter().enumerate() {
                    machine.load(position);
                    what(&mut machine, nth);
                }
                (cpu() - begin).as_secs_f64() * 1e9 / positions.len() as f64
            });
            // The first time is for translating.
            median(times.skip(1).collect())
        };
        let copy = time(&mut |_, _| {});
        let pick = time(&mut |machine, _| {
            std::hint::black_box(machine.sample(&mut random).expect("no trouble"));
        });
        let act = time(&mut |machine, nth| machine.play(entries[nth]).expect("no trouble"));
        let mut all = 0;
        let list = time(&mut |machine, _| all += machine.moves().expect("no trouble").len());
        let mut numbers = Random::new(3);
        let number = time(&mut |_, _| {
            std::hint::black_box(numbers.next_word());
        });
        println!(
            "{:<22}{:>10.0}{:>10.0}{:>10.0}{:>10.1}{copy:>10.1}{:>10.1}",
            format!("{name} {players}"),
            pick - copy,
            act - copy,
            list - copy,
            all as f64 / (positions.len() * (rounds + 1)) as f64,
            (number - copy).max(0.0)
        );
    }
}

/// Positions of random games in which somebody chooses, some from each game.
fn positions(program: &Program, start: &Position) -> Vec<Position> {
    let mut machine = Machine::new(program);
    let mut random = Random::new(1);
    let mut all = Vec::new();
    while all.len() < POSITIONS {
        machine.load(start);
        loop {
            match machine.waits() {
                Waits::Nothing => break,
                Waits::Chance(_) => chance(&mut machine, &mut random),
                Waits::Player { .. } => {
                    if random.below(4) == 0 {
                        all.push(machine.position());
                    }
                    machine.play_on(&mut random, 1).expect("no trouble");
                }
            }
        }
    }
    all.truncate(POSITIONS);
    all
}
