//! What an entry costs as boards grow: no more than in proportion to the cells, or something is slow by accident.

use ludex::compile::compile;
use ludex::machine::{Machine, Random};

use crate::measure::{measure, median};
use crate::playing::{playout, rules_with, start};

const SIZES: [u32; 4] = [8, 12, 16, 24];

/// Nanoseconds an entry for each size, and how they grow beside the cells.
pub(crate) fn boards(seconds: f64, rounds: usize, wanted: impl Fn(&str, u32) -> bool) {
    println!("\n{:<22}{:>8}{:>14}{:>12}{:>12}", "boards", "cells", "ns an entry", "cells ×", "cost ×");
    for (name, keys) in
        [("breakthrough", ["board.columns", "board.rows"].as_slice()), ("reversi", ["board.size"].as_slice())]
    {
        if !wanted(name, 2) {
            continue;
        }
        let mut first = None;
        for size in SIZES {
            let settings: Vec<String> = keys.iter().map(|key| format!("{key}={size}")).collect();
            let rules = rules_with(name, 2, &settings);
            let program = compile(&rules).expect("a program");
            let mut machine = Machine::new(&program);
            let start = start(&mut machine, name, 2);
            let costs = (0..rounds).map(|round| {
                let mut random = Random::new(round as u64 + 1);
                let tally = measure(seconds, || playout(&mut machine, &start, &mut random));
                tally.seconds * 1e9 / tally.entries as f64
            });
            let cost = median(costs.collect());
            let cells = size * size;
            let (first_cells, first_cost) = *first.get_or_insert((cells, cost));
            println!(
                "{:<22}{cells:>8}{cost:>14.0}{:>12.2}{:>12.2}",
                format!("{name} {size} × {size}"),
                f64::from(cells) / f64::from(first_cells),
                cost / first_cost
            );
        }
    }
}
