//! Random games through native code and through instructions, byte by byte: what one does the other does, too.

use super::constructs::everything;
use super::engines::rules;
use crate::compile::compile;
use crate::examples::{cores, parallel};
use crate::machine::{Dice, Engine, Machine, Program, Random, Waits};

/// No game is longer than this.
const MOST_ENTRIES: usize = 3000;

struct Lot(u64);

impl Dice for Lot {
    fn below(&mut self, count: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % count.max(1)
    }
}

/// Both stand alike: bytes, what is legal or can come, points and who wins.
pub(super) fn same(one: &mut Machine<'_>, other: &mut Machine<'_>) -> Result<(), String> {
    if one.state() != other.state() {
        return Err(format!("the positions\n{:?}\n{:?}", one.state(), other.state()));
    }
    let told = |what: &str, one: String, other: String| {
        if one == other { Ok(()) } else { Err(format!("{what}\n{one}\n{other}")) }
    };
    match one.waits() {
        Waits::Player { .. } => told("legal entries", format!("{:?}", one.moves()), format!("{:?}", other.moves()))?,
        Waits::Chance(_) => {
            told("outcomes", format!("{:?}", one.outcomes()), format!("{:?}", other.outcomes()))?;
            told("the place", format!("{:?}", one.drawn_at()), format!("{:?}", other.drawn_at()))?;
        }
        Waits::Nothing => told("winners", format!("{:?}", one.winners()), format!("{:?}", other.winners()))?,
    }
    // Nobody has the last of these seats: it is refused.
    for seat in (0..one.program().players).chain([u32::MAX]) {
        told("a score", format!("{:?}", one.score(seat)), format!("{:?}", other.score(seat)))?;
    }
    told("invariants", format!("{:?}", one.broken_invariant()), format!("{:?}", other.broken_invariant()))
}

/// Plays one game through both; gives its length.
fn compare(program: &Program, engine: Engine, seed: u64, most: usize) -> Result<usize, String> {
    let mut one = Machine::new(program).with_engine(Engine::Bytecode);
    let mut other = Machine::new(program).with_engine(engine);
    let mut lots = (Lot(seed), Lot(seed));
    let mut entries = 0;
    let (mut went, mut goes) = (one.begin(), other.begin());
    while entries < most {
        if went != goes {
            return Err(format!("after {entries} entries: {went:?} and {goes:?}"));
        }
        if went.is_err() {
            break;
        }
        same(&mut one, &mut other).map_err(|what| format!("after {entries} entries: {what}"))?;
        (went, goes) = match one.waits() {
            Waits::Nothing => break,
            Waits::Player { .. } => {
                let (entry, picked) = (one.sample(&mut lots.0), other.sample(&mut lots.1));
                if entry != picked {
                    return Err(format!("after {entries} entries: picked {entry:?} and {picked:?}"));
                }
                let Ok(Some(entry)) = entry else { break };
                if one.is_legal(entry) != Ok(true) || other.is_legal(entry) != Ok(true) {
                    return Err(format!("after {entries} entries: {entry:?} is not legal"));
                }
                (one.play(entry), other.play(entry))
            }
            Waits::Chance(_) => {
                let outcomes = one.outcomes().map(<[_]>::to_vec).unwrap_or_default();
                let nth = lots.0.below(outcomes.len() as u64);
                lots.1.below(outcomes.len() as u64);
                let Some((drawn, _)) = usize::try_from(nth).ok().and_then(|nth| outcomes.get(nth)).copied() else {
                    break;
                };
                (one.draw(drawn), other.draw(drawn))
            }
        };
        entries += 1;
    }
    Ok(entries)
}

/// Playing on natively gives the game that picking one entry after the other by instructions gives.
fn compare_playing_on(program: &Program, engine: Engine, seed: u64, most: usize) -> Result<(), String> {
    let mut one = Machine::new(program).with_engine(Engine::Bytecode);
    let mut other = Machine::new(program).with_engine(engine);
    let mut lots = (Random::new(seed), Random::new(seed));
    let mut entries = Vec::new();
    let (mut went, mut goes) = (one.begin(), other.begin());
    let mut played = 0;
    while played < most && went.is_ok() && goes.is_ok() {
        played += 1 + entries.len();
        if let Waits::Chance(_) = one.waits() {
            let outcomes = one.outcomes().map(<[_]>::to_vec).unwrap_or_default();
            let nth = lots.0.below(outcomes.len() as u64);
            lots.1.below(outcomes.len() as u64);
            let Some((drawn, _)) = usize::try_from(nth).ok().and_then(|nth| outcomes.get(nth)).copied() else { break };
            (went, goes) = (one.draw(drawn), other.draw(drawn));
            continue;
        }
        entries.clear();
        while let (Waits::Player { .. }, true) = (one.waits(), entries.len() < 40) {
            let entry = match one.sample(&mut lots.0) {
                Ok(Some(entry)) => entry,
                Ok(None) => break,
                Err(trouble) => {
                    went = Err(trouble);
                    break;
                }
            };
            entries.push(entry);
            went = one.play(entry);
            if went.is_err() {
                break;
            }
        }
        goes = other.play_on(&mut lots.1, 40);
        // Where a game cannot go on, native code may have drawn less.
        let same_lots = went.is_err() || lots.0 == lots.1;
        if other.played() != entries || one.state() != other.state() || went != goes || !same_lots {
            let (lot, other_lot) = lots;
            return Err(format!(
                "{entries:?} {went:?} {lot:?}\n{:?}\nand\n{:?} {goes:?} {other_lot:?}\n{:?}",
                one.state(),
                other.played(),
                other.state()
            ));
        }
        if one.waits() == Waits::Nothing {
            return same(&mut one, &mut other);
        }
    }
    Ok(())
}

/// Plays one game by entries and one in one go: natively, and with a test for every access.
pub(super) fn both(program: &Program, seed: u64, most: usize) -> Result<(), String> {
    for engine in [Engine::Native, Engine::Checked] {
        let told = compare(program, engine, seed, most).and_then(|_| compare_playing_on(program, engine, seed, most));
        told.map_err(|what| format!("{engine:?}: {what}"))?;
    }
    Ok(())
}

#[test]
fn native_code_does_what_instructions_do() {
    let games: u64 = std::env::var("LUDEX_GAMES").ok().and_then(|games| games.parse().ok()).unwrap_or(20);
    let told = parallel::each(cores(), &everything(), |(name, players)| {
        let rules = rules(name, *players, &[])?;
        let program = compile(&rules.checked).unwrap_or_else(|fault| panic!("{}", fault.message));
        let mut told = Vec::new();
        for game in 0..games {
            let seed = game * 7919 + u64::from(*players);
            if let Err(what) = both(&program, seed, MOST_ENTRIES) {
                told.push(format!("{name} for {players}, game {game}: {what}"));
                break;
            }
        }
        Some(told)
    });
    let told: Vec<Vec<String>> = told.into_iter().flatten().collect();
    let is_part = std::env::var_os("LUDEX_CASE").is_some();
    assert!(told.len() > 10 || is_part, "only {} rulesets and numbers of players were played", told.len());
    let wrong: Vec<String> = told.into_iter().flatten().collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// Boards of several masks, whose values are kept elsewhere than those of one.
#[test]
fn native_code_does_what_instructions_do_on_large_boards() {
    for (name, settings) in [
        ("reversi", &["board.size=12"] as &[&str]),
        ("reversi", &["board.size=18"]),
        ("breakthrough", &["board.columns=13", "board.rows=13"]),
        ("connectfour", &["board.columns=10", "board.rows=10"]),
        ("hex", &["board.size=7"]),
        ("hex", &["board.size=19"]),
    ] {
        let rules = rules(name, 2, settings).expect("a ruleset");
        let program = compile(&rules.checked).unwrap_or_else(|fault| panic!("{}", fault.message));
        for seed in 1..=3 {
            let told = both(&program, seed, MOST_ENTRIES);
            assert!(told.is_ok(), "{name} with {settings:?}: {told:?}");
        }
    }
}

/// Who has won is forgotten when a state is written.
#[test]
fn what_is_put_changes_who_wins() {
    let path = super::root().join("src/testing/engines/who-wins.ludex").display().to_string();
    let rules = rules(&path, 2, &[]).expect("a ruleset");
    let program = compile(&rules.checked).unwrap_or_else(|fault| panic!("{}", fault.message));
    let types = &rules.checked.bound.types;
    let mut machine = Machine::new(&program).with_engine(Engine::Native);
    machine.begin().expect("no trouble");
    let beginning = machine.read(types);
    machine.play_on(&mut Random::new(1), 500).expect("no trouble");
    assert_eq!(machine.waits(), Waits::Nothing);
    assert_eq!(machine.winners().expect("no trouble"), [1]);
    for (state, elements) in (0..).map(crate::bind::StateId).zip(&beginning.elements) {
        for (at, value) in elements.iter().enumerate() {
            machine.put(types, state, at, value);
        }
    }
    assert_eq!(machine.winners().expect("no trouble"), [0, 1]);
}
