//! What costs steps in the compiled engines. Every game here ends, also where its steps are not counted: then a test fails,
//! and does not wait for ever.

use std::fmt::Write as _;

use super::engines::rules;
use super::{case_folder, root};
use crate::compile::compile;
use crate::evaluate::Trouble;
use crate::machine::{Engine, Machine, Program, Random};

const ENGINES: [Engine; 2] = [Engine::Bytecode, Engine::Native];

fn program(path: &str, settings: &[&str]) -> Program {
    let rules = rules(path, 2, settings).expect("a game for two");
    compile(&rules.checked).unwrap_or_else(|fault| panic!("{}", fault.message))
}

/// The program of a game that is made of this.
fn written(name: &str, text: &str) -> Program {
    let path = case_folder(name).join("case.ludex");
    let text = format!("game case \"A case\"\nplayers 2\n{text}score(p: Player) = n\nwinner(p: Player) by score(p)\n");
    std::fs::write(&path, text).expect("rules");
    program(&path.display().to_string(), &[])
}

fn is_tired<T: std::fmt::Debug>(told: &Result<T, Trouble>) -> bool {
    told.as_ref().is_err_and(|trouble| trouble.message.contains("20,000,000 steps"))
}

/// Regions by a relation ask about the few members that it can ever join, not about all pairs: on a large board that is
/// the difference between a part of the budget and more than all of it.
#[test]
fn regions_by_any_relation_stay_within_the_budget() {
    let path = root().join("src/testing/engines/region-leaps.ludex").display().to_string();
    let program = program(&path, &["n=26"]);
    for engine in ENGINES {
        let mut machine = Machine::new(&program).with_engine(engine);
        machine.begin().unwrap_or_else(|trouble| panic!("{engine:?}: {}", trouble.message));
        let moves = machine.moves().unwrap_or_else(|trouble| panic!("{engine:?}: {}", trouble.message));
        assert_eq!(moves.len(), 26 * 26, "{engine:?}");
    }
}

/// A choice that is skipped is a part of the move before it, however it is played.
#[test]
fn a_skipped_choice_does_not_renew_the_budget() {
    // One action is tested once, the other lists its entries: native code goes on after these in different ways.
    for (name, never) in [
        ("skipped-one", "never require no: (count a in 1..200, b in 1..200: a + b + n is 0) > 0"),
        ("skipped-list", "never(x: 1..200, y: 1..200) require no: x * y + n < 0"),
    ] {
        let program = written(
            name,
            &format!(
                "state {{ n: 0..9999 = 0 }}\naction go {{ n = 0 }}\naction {never} \"no\" {{ n = 0 }}\n\
                 flow {{ turn seat(1) {{ choose go }} repeat until n is 2000 {{ turn seat(1) {{ choose never else {{ n += 1 }} }} }} \
                 turn seat(1) {{ choose go }} end }}\n"
            ),
        );
        for engine in ENGINES {
            let begun = || {
                let mut machine = Machine::new(&program).with_engine(engine);
                machine.begin().expect("a beginning");
                machine
            };
            let mut machine = begun();
            let go = machine.moves().expect("moves")[0];
            let told = machine.play(go);
            assert!(is_tired(&told), "{name}, {engine:?}: {told:?}");
            let told = begun().play_on(&mut Random::new(1), 10);
            assert!(is_tired(&told), "{name}, {engine:?}, at random: {told:?}");
        }
    }
}

/// Definitions that call one another cost what they do, without any loop: two levels more cost several times as much.
#[test]
fn calls_cost_steps() {
    let steps = |depth: usize, engine: Engine| {
        let mut defs = "def f0 = n\n".to_owned();
        for nth in 1..=depth {
            let below = nth - 1;
            let _ = writeln!(defs, "def f{nth} = f{below} + f{below} - f{below}");
        }
        let go = format!(
            "action go require q: f{depth} is n \"q\" {{ n = 1 }}\nflow {{ turn seat(1) {{ choose go }} end }}\n"
        );
        let program = written("called-often", &format!("state {{ n: 0..9 = 0 }}\n{defs}{go}"));
        let mut machine = Machine::new(&program).with_engine(engine);
        machine.begin().expect("a beginning");
        assert_eq!(machine.moves().expect("moves").len(), 1);
        machine.steps_taken()
    };
    for engine in ENGINES {
        let (few, many) = (steps(14, engine), steps(16, engine));
        assert!(few > 0 && many > 4 * few, "{engine:?}: {few} and {many} steps");
    }
}

/// A matching costs what it looks at: one in which each row takes from another costs more than one in which none does,
/// although both have as many pairs.
#[test]
fn pairing_costs_steps() {
    let steps = |name: &str, fits: &str, engine: Engine| {
        let program = written(
            name,
            &format!(
                "state {{ n: 0..9 = 0 }}\naction go require q: pairing x in 1..600, y in 1..600: {fits} \"q\" {{ n = 1 }}\nflow {{ turn seat(1) {{ choose go }} end }}\n"
            ),
        );
        let mut machine = Machine::new(&program).with_engine(engine);
        machine.begin().expect("a beginning");
        assert_eq!(machine.moves().expect("moves").len(), 1, "{fits}: all can be paired");
        machine.steps_taken()
    };
    for engine in ENGINES {
        let plain = steps("paired-at-once", "x + y > 600 + n", engine);
        let moved = steps("paired-again", "x + y < 602 + n", engine);
        assert!(moved > plain + 10_000, "{engine:?}: {plain} and {moved} steps");
    }
}
