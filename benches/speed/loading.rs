//! How long it takes from the files of a ruleset to its first legal entries, by either engine.

use std::time::Instant;

use ludex::compile::compile;
use ludex::machine::{Engine, Machine, Waits};

use crate::measure::median;
use crate::playing::rules;

/// Milliseconds.
pub(crate) struct Loading {
    /// From a checked ruleset to its program.
    pub(crate) compile: f64,
    /// From the texts to the first legal entries, instruction by instruction.
    pub(crate) bytecode: f64,
    /// The same natively.
    pub(crate) native: f64,
}

pub(crate) fn loading(name: &str, players: u32, rounds: usize) -> Loading {
    let mut compiling = Vec::new();
    let mut first = |engine: Engine| {
        let times = (0..rounds).map(|_| {
            let begin = Instant::now();
            let rules = rules(name, players);
            let compiled = Instant::now();
            let program = compile(&rules).expect("a program");
            compiling.push(milliseconds(compiled));
            let mut machine = Machine::new(&program).with_engine(engine);
            machine.begin().expect("no trouble");
            while let Waits::Chance(_) = machine.waits() {
                let (value, _) = machine.outcomes().expect("no trouble")[0];
                machine.draw(value).expect("no trouble");
            }
            assert!(!machine.moves().expect("no trouble").is_empty(), "{name}: something is legal");
            milliseconds(begin)
        });
        median(times.collect())
    };
    let (bytecode, native) = (first(Engine::Bytecode), first(Engine::Native));
    Loading { compile: median(compiling), bytecode, native }
}

fn milliseconds(since: Instant) -> f64 {
    since.elapsed().as_secs_f64() * 1e3
}
