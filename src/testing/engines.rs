//! Random games through both engines, state by state: the program must do what the reference does.

use std::cell::RefCell;
use std::fmt::Write as _;

use crate::bind::{self, Choice, Types};
use crate::check::{Checked, check};
use crate::compile::compile;
use crate::evaluate::{Decision, Game, Pause, State};
use crate::load::{Folder, Request, load, variants};
use crate::machine::{Machine, Move, Waits, to_slot};

/// A small generator, so that games are the same on every machine.
pub(super) struct Lot(pub(super) u64);

impl crate::machine::Dice for Lot {
    fn below(&mut self, count: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) % count.max(1)
    }
}

/// A ruleset for one number of players.
pub(super) fn checked(name: &str, players: u32) -> Option<Checked> {
    let loaded = load(&Request { ruleset: name.to_owned(), ..Request::default() });
    let mut faults = Vec::new();
    let items = bind::effective(&loaded.layers, &mut faults);
    let bound = bind::bind(&items, &[], Choice { players: Some(players), numbers: &loaded.numbers }, &mut faults);
    let possible = (bound.players.fewest..=bound.players.most).contains(&players);
    possible.then(|| check(bound, &mut faults))
}

/// Every bundled ruleset with its variants.
pub(super) fn names() -> Vec<String> {
    let mut names = Vec::new();
    for name in Folder::bundled_names() {
        names.push(name.to_owned());
        names.extend(variants(name).into_iter().map(|variant| format!("{name}:{variant}")));
    }
    names
}

/// What was entered so far, for a report.
fn log(types: &Types, decisions: &[Decision]) -> String {
    let mut text = String::new();
    for decision in decisions {
        let shown = match decision {
            Decision::Act { seat, action, args } => {
                let args: Vec<String> = args.iter().map(|arg| arg.show(types)).collect();
                format!("seat {seat} action {} {}", action.0, args.join(" "))
            }
            Decision::Pass { seat } => format!("seat {seat} pass"),
            Decision::Chance(value) => format!("chance {}", value.show(types)),
        };
        let _ = writeln!(text, "{shown}");
    }
    text
}

/// Compares where the two engines stand; gives what differs.
fn difference(game: &Game<'_>, machine: &mut Machine<'_>, state: &State, pause: &Pause) -> Result<(), String> {
    let types = &game.bound().types;
    let found = machine.read(types);
    for (at, (one, other)) in state.elements.iter().zip(&found.elements).enumerate() {
        if one != other {
            let name = &game.bound().states[at].name;
            let show =
                |values: &[bind::Value]| values.iter().map(|value| value.show(types)).collect::<Vec<_>>().join(", ");
            return Err(format!("state {name}\n  reference {}\n  program   {}", show(one), show(other)));
        }
    }
    let told = |trouble: crate::evaluate::Trouble| format!("trouble: {}", trouble.message);
    match (pause, machine.waits()) {
        (Pause::Over, Waits::Nothing) => {
            let winners = game.winners(state).map_err(told)?;
            let found = machine.winners().map_err(told)?;
            if winners != found {
                return Err(format!("winners {winners:?} and {found:?}"));
            }
        }
        (Pause::Choose(choice), Waits::Player { seat, .. }) => {
            if choice.seat != seat {
                return Err(format!("asked: seat {} and {seat}", choice.seat));
            }
            let legal = game.legal(choice, state).map_err(told)?;
            let moves = machine.moves().map_err(told)?.to_vec();
            let mut found = Vec::new();
            for entry in moves {
                found.push(machine.decision(types, entry).map_err(told)?);
            }
            if legal != found {
                return Err(format!(
                    "legal entries\nreference:\n{}program:\n{}",
                    log(types, &legal),
                    log(types, &found)
                ));
            }
        }
        (Pause::Chance { candidates, .. }, Waits::Chance(chance)) => {
            let ty = &machine.program().chances[usize::from(chance)].ty;
            let outcomes = machine.outcomes().map_err(told)?;
            let wanted: Vec<(i64, u64)> =
                candidates.iter().map(|(value, weight)| (to_slot(types, ty, value).unwrap_or(-9), *weight)).collect();
            if wanted != outcomes {
                return Err(format!("outcomes {candidates:?} and {outcomes:?}"));
            }
        }
        (pause, waits) => return Err(format!("waits for {pause:?} and {waits:?}")),
    }
    for seat in 0..game.bound().players.count {
        let (one, other) = (game.score(seat, state).map_err(told)?, machine.score(seat).map_err(told)?);
        if one != bind::Value::Int(other) {
            return Err(format!("score of seat {seat}: {one:?} and {other}"));
        }
    }
    Ok(())
}

/// Plays one random game through both; gives its length.
pub(super) fn compare(checked: &Checked, machine: &mut Machine<'_>, seed: u64, most: usize) -> Result<usize, String> {
    let game = Game::new(checked);
    let types = &checked.bound.types;
    let lot = RefCell::new(Lot(seed));
    let decisions = RefCell::new(Vec::new());
    let differs = RefCell::new(None);
    let begun = machine.begin();
    let machine = RefCell::new(machine);
    let flow = checked.bound.flow.clone().unwrap_or_default();
    let step = |state: &State, pause: &Pause| -> Option<Decision> {
        use crate::machine::Dice;
        let mut machine = machine.borrow_mut();
        if let Err(difference) = difference(&game, &mut machine, state, pause) {
            *differs.borrow_mut() = Some(difference);
            return None;
        }
        if decisions.borrow().len() >= most {
            return None;
        }
        let mut lot = lot.borrow_mut();
        let (decision, played) = match pause {
            Pause::Over => return None,
            Pause::Chance { candidates, .. } => {
                let nth = usize::try_from(lot.below(candidates.len() as u64)).ok()?;
                let value = candidates[nth].0.clone();
                let outcome = machine.outcomes().ok()?[nth].0;
                (Decision::Chance(value), machine.draw(outcome))
            }
            Pause::Choose(_) => {
                let moves: Vec<Move> = machine.moves().ok()?.to_vec();
                let entry = moves[usize::try_from(lot.below(moves.len() as u64)).ok()?];
                let decision = machine.decision(types, entry).ok()?;
                (decision, machine.play(entry))
            }
        };
        decisions.borrow_mut().push(decision.clone());
        if let Err(trouble) = played {
            *differs.borrow_mut() = Some(format!("the program cannot go on: {}", trouble.message));
            return None;
        }
        Some(decision)
    };
    if let Err(trouble) = begun {
        return Err(format!("the program cannot begin: {}", trouble.message));
    }
    let beginning = game.beginning().map_err(|trouble| trouble.message)?;
    let stand = game.play_with(&flow, beginning, Box::new(|state, pause, _| step(state, pause)));
    let wrong = differs.borrow_mut().take();
    let wrong = match (wrong, stand) {
        (Some(wrong), _) => Some(wrong),
        (None, Err(trouble)) => Some(format!("the reference cannot go on: {}", trouble.message)),
        (None, Ok(stand)) if stand.pause == Pause::Over => {
            difference(&game, &mut machine.borrow_mut(), &stand.state, &stand.pause).err()
        }
        _ => None,
    };
    let decisions = decisions.into_inner();
    match wrong {
        Some(wrong) => Err(format!("{wrong}\nafter:\n{}", log(types, &decisions))),
        None => Ok(decisions.len()),
    }
}

#[test]
fn both_engines_play_the_same_games() {
    let games: u64 = std::env::var("LUDEX_GAMES").ok().and_then(|games| games.parse().ok()).unwrap_or(2);
    for name in names() {
        for players in 1..=4 {
            let Some(rules) = checked(&name, players) else { continue };
            let program = compile(&rules).unwrap_or_else(|fault| panic!("{name} for {players}: {}", fault.message));
            let mut machine = Machine::new(&program);
            for seed in 1..=games {
                let played = compare(&rules, &mut machine, seed * 7919 + u64::from(players), 10_000);
                if let Err(difference) = played {
                    panic!("{name} for {players}, seed {seed}: {difference}");
                }
            }
        }
    }
}
