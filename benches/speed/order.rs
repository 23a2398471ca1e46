//! What it saves to test entries in a measured order, and what finding it takes.

use std::time::Instant;

use ludex::compile::compile;
use ludex::machine::{Machine, Random};
use ludex::tune::tuned;

use crate::measure::{Tally, measure, median};
use crate::playing::{playout, rules, start};

/// Instructions of an entry before and after, playouts a second before and after, in turn, and milliseconds.
pub(crate) fn orders(seconds: f64, rounds: usize, wanted: impl Fn(&str, u32) -> bool) {
    println!(
        "\n{:<22}{:>8}{:>9}{:>8}{:>13}{:>10}{:>8}{:>9}{:>11}",
        "order of tests", "instr.", "measured", "ratio", "playouts/s", "measured", "ratio", "compile", "measuring"
    );
    for &(name, players, ..) in crate::ALL.iter().filter(|(name, players, ..)| wanted(name, *players)) {
        let rules = rules(name, players);
        let (mut compiling, mut tuning) = (Vec::new(), Vec::new());
        for _ in 0..rounds {
            let begin = Instant::now();
            std::hint::black_box(compile(&rules).expect("a program"));
            let compiled = Instant::now();
            std::hint::black_box(tuned(&rules).expect("a program"));
            compiling.push((compiled - begin).as_secs_f64() * 1e3);
            tuning.push(compiled.elapsed().as_secs_f64() * 1e3);
        }
        let (plain, tuned) = (compile(&rules).expect("a program"), tuned(&rules).expect("a program"));
        let mut machines = [Machine::new(&plain), Machine::new(&tuned.program)];
        let mut rates: [Vec<f64>; 2] = Default::default();
        // The first round is for translating.
        for round in 0..=rounds {
            for (machine, rates) in machines.iter_mut().zip(&mut rates) {
                let start = start(machine, name, players);
                let mut random = Random::new(round as u64);
                let tally: Tally = measure(seconds, || playout(machine, &start, &mut random));
                rates.extend((round > 0).then_some(tally.rate()));
            }
        }
        let [before, after] = rates.map(median);
        let each = |followed: u64| followed as f64 / tuned.entries as f64;
        println!(
            "{:<22}{:>8.0}{:>9.0}{:>8.3}{before:>13.0}{after:>10.0}{:>8.3}{:>9.1}{:>11.1}",
            format!("{name} {players}"),
            each(tuned.before),
            each(tuned.after),
            each(tuned.after) / each(tuned.before),
            after / before,
            median(compiling),
            median(tuning)
        );
    }
}
