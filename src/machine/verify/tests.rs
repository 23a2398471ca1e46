//! Programs that are broken on purpose: the verifier notices each.

use super::super::program::{Asks, Otherwise};
use super::super::{Code, Draft, Engine, Instruction, Machine, Program, Random};
use crate::check::chosen;
use crate::compile::compile;
use crate::load::{Request, load};
use crate::report::Span;
use crate::testing::root;

/// The program of a ruleset, by its name or its path in the repository.
fn program(ruleset: &str, players: u32) -> Program {
    let path = root().join(ruleset);
    let ruleset = if path.exists() { path.display().to_string() } else { ruleset.to_owned() };
    let loaded = load(&Request { ruleset, ..Request::default() });
    let rules = chosen(&loaded, Some(players), &[], Span::default()).expect("a ruleset");
    compile(&rules).expect("a program")
}

/// Breaks a program, and sees that the verifier says this.
fn noticed(name: &str, what: &str, breaks: impl FnOnce(&mut Draft)) {
    let players = if name == "rulesets/maya" { 3 } else { 2 };
    let mut draft = program(name.rsplit('/').next().expect("a name"), players).draft();
    breaks(&mut draft);
    match Program::seal(draft) {
        Ok(_) => panic!("{name}: nobody noticed that {what}"),
        Err(flaw) => assert!(flaw.to_string().contains(what), "{flaw} instead of: {what}"),
    }
}

/// The first instruction that can be changed like this is.
fn change(draft: &mut Draft, change: impl Fn(&mut Instruction) -> bool) {
    assert!(draft.code.iter_mut().any(change), "there is no such instruction");
}

#[test]
fn a_broken_instruction_is_noticed() {
    let beyond = |draft: &Draft| u32::try_from(draft.code.len()).expect("a place");
    noticed("reversi", "outside of the code", |draft| {
        let end = beyond(draft);
        change(draft, |instruction| instruction.target_mut().map(|go| *go = end).is_some());
    });
    noticed("reversi", "past the last instruction", |draft| draft.code.push(Instruction::Tick { cost: 1 }));
    noticed("reversi", "a constant is written", |draft| {
        let constant = draft.constants[0].0;
        change(draft, |instruction| match instruction {
            Instruction::Copy { to, .. } => std::mem::replace(to, constant) != constant,
            _ => false,
        });
    });
    noticed("hex", "behind the last one", |draft| {
        change(draft, |instruction| match instruction {
            Instruction::Next { bits, members, .. } => {
                (*bits, *members) = (u16::MAX, 65);
                true
            }
            _ => false,
        });
    });
    noticed("reversi", "behind the end of its table", |draft| {
        change(draft, |instruction| match instruction {
            Instruction::Table { count, .. } => {
                *count += 1;
                true
            }
            _ => false,
        });
    });
    noticed("tictactoe", "outside of the block, or are too many", |draft| {
        let bytes = u32::try_from(draft.bytes).expect("a size");
        change(draft, |instruction| match instruction {
            Instruction::Matches { from, .. } => {
                *from = bytes;
                true
            }
            _ => false,
        });
    });
    noticed("reversi", "there is nothing with this number", |draft| {
        draft.code.insert(0, Instruction::Emit { offer: 99 });
    });
    noticed("reversi", "outside of the block", |draft| {
        let (zero, _) = *draft.constants.iter().find(|(_, value)| *value == 0).expect("a 0");
        draft.code.insert(0, Instruction::Store8 { value: zero, at: zero, to: 1, bias: 0 });
    });
    noticed("reversi", "no mask is so wide", |draft| {
        draft.code.insert(0, Instruction::Lower { to: 0, a: 0, by: 64 });
    });
}

#[test]
fn a_broken_routine_is_noticed() {
    noticed("reversi", "this routine may not do that", |draft| draft.begin = draft.offers[0].every);
    noticed("reversi", "this routine may not do that", |draft| draft.offers[0].test = draft.offers[0].carry_out);
    noticed("reversi", "calls itself", |draft| {
        let go = draft.offers[0].every;
        draft.code[go as usize] = Instruction::Call { go };
    });
    noticed("reversi", "a loop spends no steps", |draft| {
        let go = draft.begin;
        draft.code[go as usize + 1] = Instruction::IfSame { a: 0, b: 0, go };
    });
    noticed("reversi", "outside of the code", |draft| {
        draft.score.as_mut().expect("a score").entry = u32::MAX;
    });
}

#[test]
fn broken_parts_are_noticed() {
    noticed("reversi", "does not begin where the one before ends", |draft| draft.table_runs[0].0 = 1);
    noticed("reversi", "do not end with the last one", |draft| draft.tables.truncate(1));
    noticed("reversi", "two constants", |draft| draft.constants.push(draft.constants[0]));
    noticed("reversi", "no such size", |draft| draft.bytes += 1);
    noticed("reversi", "the flow keeps lies outside", |draft| draft.flow = draft.bytes + 1);
    noticed("reversi", "in the header or in another state", |draft| draft.layout[0].first = 2);
    noticed("reversi", "ends behind what states have room for", |draft| draft.layout[0].first += 4096);
    noticed("reversi", "no unit has so many bytes", |draft| draft.layout[0].cell.width = 3);
    noticed("reversi", "an element lies outside of it", |draft| draft.layout[0].steps[0].1 = 4096);
    noticed("hex", "behind the last one", |draft| draft.runs.push((u16::MAX, 2)));
    noticed("reversi", "nobody is asked there", |draft| draft.pauses[0].asks = Asks::Player(99));
    noticed("reversi", "clears what the flow does not keep", |draft| draft.pauses[0].clear.push((4, 8)));
    noticed("reversi", "there is no such trouble", |draft| draft.choices[0].otherwise = Otherwise::Must(9999));
    noticed("reversi", "too many", |draft| draft.players = 99);
    noticed("hex", "not those of states", |draft| draft.regions[0].made_of[0].1 = u32::MAX);
    noticed("hex", "more slots are found by number", |draft| draft.regions[0].members = u16::MAX);
    noticed("hex", "not those of its members", |draft| draft.regions[0].made_of[0].1 -= 1);
    noticed("maya", "nobody is asked there", |draft| draft.chances[0].pause += 1);
    noticed("maya", "a constant is written", |draft| draft.chances[0].value = draft.constants[0].0);
}

#[test]
fn broken_offers_are_noticed() {
    noticed("breakthrough", "offers what there is not", |draft| draft.choices[0].offers.end += 1);
    noticed("maya", "offers what another choice offers", |draft| {
        let shared = draft.choices[0].offers.clone();
        draft.choices[1].offers = shared;
    });
    noticed("breakthrough", "do not allow as many moves", |draft| draft.choices[0].possible += 1);
    noticed("breakthrough", "parameters do not allow as many moves", |draft| {
        draft.offers[0].possible += 1;
        draft.choices[0].possible += 1;
    });
    noticed("breakthrough", "parameters overlap", |draft| draft.offers[0].params[1].shift -= 1);
    noticed("breakthrough", "more values than its bits", |draft| draft.offers[0].params[1].bits -= 1);
    noticed("breakthrough", "not those of its type", |draft| draft.offers[0].params[0].low = 1);
    noticed("breakthrough", "picks are not among its values", |draft| draft.offers[0].params[0].first += 1);
    noticed("breakthrough", "binds more parameters", |draft| {
        draft.choices[0].lots = None;
        draft.offers[0].bound = 9;
    });
    noticed("breakthrough", "a constant is written", |draft| {
        draft.offers[0].params[0].slot = draft.constants[0].0;
    });
    noticed("reversi", "a mask begins behind its last move", |draft| {
        draft.choices[0].lots.as_mut().expect("lots").all[0].from = 64;
    });
    noticed("reversi", "has not so many values", |draft| {
        draft.choices[0].lots.as_mut().expect("lots").all[0].codes = vec![Code::Counted { each: 1, of: 65 }];
    });
}

/// A choice that counts moves of another as possible once wrote behind the end of a list. Such a program is refused; and if
/// it were not, a number that stands for no move ends the run.
#[test]
fn a_choice_that_counts_too_many_moves_is_refused() {
    let good = program("src/testing/engines/nested-choice.ludex", 2);
    let mut draft = good.draft();
    draft.choices[0].possible += 8000;
    let flaw = Program::seal(draft).expect_err("refused");
    assert!(flaw.to_string().contains("do not allow as many moves"), "{flaw}");
    let mut machine = Machine::new(&good).with_engine(Engine::Checked);
    machine.begin().expect("no trouble");
    machine.play_on(&mut Random::new(1), 200).expect("no trouble");
    let choice = 0;
    let halt = machine.pick_native(choice, good.choices[0].possible + 8000);
    assert!(matches!(halt, None | Some(super::super::run::Halt::Flaw(_))), "{halt:?}");
}

#[test]
fn another_programs_position_is_refused() {
    let (one, other) = (program("tictactoe", 2), program("connectfour", 2));
    let mut machine = Machine::new(&one);
    machine.begin().expect("no trouble");
    let position = machine.position();
    assert!(machine.fits(&position) && !Machine::new(&other).fits(&position));
    assert!(Machine::new(&program("tictactoe", 2)).fits(&position), "the same program");
    let refused = std::panic::catch_unwind(|| Machine::new(&other).load(&position));
    assert!(refused.is_err());
}
