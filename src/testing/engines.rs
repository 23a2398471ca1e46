//! Random games through both engines, state by state: the program must do what the reference does.

use std::cell::RefCell;
use std::fmt::Write as _;

use super::{case_folder, run};
use crate::bind::{self, Choice, Type, Types};
use crate::check::{Checked, check};
use crate::compile::compile;
use crate::evaluate::{Decision, Game, Pause, State, Trouble};
use crate::examples::{cores, parallel};
use crate::load::{Folder, Request, load, variants};
use crate::log::{self, Line, Log, Seat};
use crate::machine::{Engine, Machine, Move, Step, Waits, scalar_size, to_slot};
use crate::play::entry_line;

/// Games that are tried to find a shorter one that shows a difference.
const MORE_GAMES: u64 = 200;

/// Values that are tried one by one where chance decides.
const MOST_VALUES: u64 = 256;

/// No game is longer than this.
const MOST_ENTRIES: usize = 10_000;

/// The same games on every machine.
struct Lot(u64);

impl crate::machine::Dice for Lot {
    fn below(&mut self, count: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) % count.max(1)
    }
}

/// A ruleset for one number of players.
pub(super) struct Rules {
    name: String,
    hash: u64,
    pub(super) checked: Checked,
}

pub(super) fn rules(name: &str, players: u32, settings: &[&str]) -> Option<Rules> {
    let settings = settings.iter().map(|&setting| setting.to_owned()).collect();
    let loaded = load(&Request { ruleset: name.to_owned(), settings, ..Request::default() });
    let mut faults = Vec::new();
    let items = bind::effective(&loaded.layers, &mut faults);
    let bound = bind::bind(&items, &[], Choice { players: Some(players), numbers: &loaded.numbers }, &mut faults);
    let possible = (bound.players.fewest..=bound.players.most).contains(&players);
    possible.then(|| Rules { name: name.to_owned(), hash: loaded.rules_hash(), checked: check(bound, &mut faults) })
}

/// A bundled ruleset for one number of players.
pub(super) fn checked(name: &str, players: u32) -> Option<Checked> {
    rules(name, players, &[]).map(|rules| rules.checked)
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

/// Every bundled ruleset with its variants, for each number of players.
pub(crate) fn every_ruleset(mut each: impl FnMut(&str, u32)) {
    for name in names() {
        for players in (1..=8).filter(|players| rules(&name, *players, &[]).is_some()) {
            each(&name, players);
        }
    }
}

/// Where the engines part: what differs, and what was decided before.
struct Parting {
    what: String,
    /// They agree that the ruleset cannot go on.
    agreed: bool,
    decisions: Vec<Decision>,
}

impl Parting {
    /// The game up to here as a log, so that it can be looked at with `ludex moves`.
    fn log(&self, rules: &Rules) -> String {
        let game = Game::new(&rules.checked);
        let bound = game.bound();
        let lines = RefCell::new(Vec::new());
        let mut left = self.decisions.iter();
        let decide = |_: &State, pause: &Pause, _: i64| {
            let decision = left.next()?;
            let text = entry_line(bound, pause, decision);
            lines.borrow_mut().push(Line { text, ..Line::default() });
            Some(decision.clone())
        };
        // How it goes on is not asked here: the reference itself may have come into trouble.
        if let (Some(flow), Ok(beginning)) = (&bound.flow, game.beginning()) {
            let _ = game.play_with(flow, beginning, Box::new(decide));
        }
        let seat = |seat| Seat { name: game.seat(seat).show(&bound.types), who: None };
        log::write(&Log {
            game: rules.name.clone(),
            rules: Some(rules.hash),
            seats: (0..bound.players.count).map(seat).collect(),
            entries: lines.into_inner(),
            ..Log::default()
        })
    }
}

/// Plays random games through both, one for each seed; gives how many entries they have together. Some games may
/// end because the ruleset cannot go on, if both say so.
/// If one differs, many more are tried, and the shortest log that shows a difference is told.
pub(super) fn compare_games(
    rules: &Rules,
    machine: &mut Machine<'_>,
    seeds: impl Iterator<Item = u64>,
    most: usize,
    may_fail: bool,
) -> Result<usize, String> {
    let mut entries = 0;
    for seed in seeds {
        match compare(&rules.checked, machine, seed, most) {
            Ok(length) => entries += length,
            Err(parting) if parting.agreed && may_fail => entries += parting.decisions.len(),
            Err(parting) => {
                let shortest = shorten(rules, machine, seed, parting);
                return Err(format!("{}\nafter the game\n\n{}", shortest.what, shortest.log(rules)));
            }
        }
    }
    Ok(entries)
}

/// Turns cannot be left out of a game in general, but other games may part sooner.
fn shorten(rules: &Rules, machine: &mut Machine<'_>, seed: u64, mut shortest: Parting) -> Parting {
    for other in (1..=MORE_GAMES).map(|more| seed + more * 104_729) {
        let Some(most) = shortest.decisions.len().checked_sub(1) else { break };
        if let Err(shorter) = compare(&rules.checked, machine, other, most)
            && (shortest.agreed || !shorter.agreed)
        {
            shortest = shorter;
        }
    }
    shortest
}

/// Decisions that one engine thinks legal, for a report.
fn list(types: &Types, decisions: &[Decision]) -> String {
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

/// What two engines say differently, or that neither can go on.
struct Differs {
    what: String,
    agreed: bool,
}

impl From<String> for Differs {
    fn from(what: String) -> Self {
        Self { what, agreed: false }
    }
}

fn answers<T, U>(one: Result<T, Trouble>, other: Result<U, Trouble>) -> Result<(T, U), Differs> {
    match (one, other) {
        (Ok(one), Ok(other)) => Ok((one, other)),
        (Err(trouble), Err(_)) => Err(Differs { what: format!("trouble: {}", trouble.message), agreed: true }),
        (Err(trouble), Ok(_)) => Err(format!("trouble of the reference: {}", trouble.message).into()),
        (Ok(_), Err(trouble)) => Err(format!("trouble of the program: {}", trouble.message).into()),
    }
}

/// Compares where the two engines stand; gives what differs.
fn difference(game: &Game<'_>, machine: &mut Machine<'_>, state: &State, pause: &Pause) -> Result<(), Differs> {
    let types = &game.bound().types;
    let found = machine.read(types);
    for (at, (one, other)) in state.elements.iter().zip(&found.elements).enumerate() {
        if one != other {
            let name = &game.bound().states[at].name;
            let show =
                |values: &[bind::Value]| values.iter().map(|value| value.show(types)).collect::<Vec<_>>().join(", ");
            return Err(format!("state {name}\n  reference {}\n  program   {}", show(one), show(other)).into());
        }
    }
    let told = |trouble: Trouble| format!("trouble of the program: {}", trouble.message);
    match (pause, machine.waits()) {
        (Pause::Over, Waits::Nothing) => {
            let (winners, found) = answers(game.winners(state), machine.winners())?;
            if winners != found {
                return Err(format!("winners {winners:?} and {found:?}").into());
            }
        }
        (Pause::Choose(choice), Waits::Player { seat, .. }) => {
            if choice.seat != seat {
                return Err(format!("asked: seat {} and {seat}", choice.seat).into());
            }
            let (legal, moves) = answers(game.legal(choice, state), machine.moves().map(<[Move]>::to_vec))?;
            let mut found = Vec::new();
            for entry in moves {
                found.push(machine.decision(types, entry).map_err(told)?);
            }
            if legal != found {
                return Err(format!(
                    "legal entries\nreference:\n{}program:\n{}",
                    list(types, &legal),
                    list(types, &found)
                )
                .into());
            }
        }
        (Pause::Chance { candidates, .. }, Waits::Chance(chance)) => {
            let ty = &machine.program().chances[usize::from(chance)].ty;
            let outcomes = machine.outcomes().map_err(told)?;
            let wanted: Vec<(i64, u64)> =
                candidates.iter().map(|(value, weight)| (to_slot(types, ty, value).unwrap_or(-9), *weight)).collect();
            if wanted != outcomes {
                return Err(format!("outcomes {candidates:?} and {outcomes:?}").into());
            }
            // What can come is found for one value as for all.
            let low = if let Type::Int(low, _) = ty.plain() { *low } else { 0 };
            let size = scalar_size(types, ty.plain()).unwrap_or(0).min(MOST_VALUES);
            for value in (low..).take(usize::try_from(size).unwrap_or(0)) {
                let alone = machine.allows(Step::Drawn(value)).map_err(told)?;
                if alone != wanted.iter().any(|(known, _)| *known == value) {
                    return Err(format!("outcome {value} alone is {alone}, of {wanted:?}").into());
                }
            }
        }
        (pause, waits) => return Err(format!("waits for {pause:?} and {waits:?}").into()),
    }
    for seat in 0..game.bound().players.count {
        let (one, other) = answers(game.score(seat, state), machine.score(seat))?;
        if one != bind::Value::Int(other) {
            return Err(format!("score of seat {seat}: {one:?} and {other}").into());
        }
    }
    Ok(())
}

/// Plays one random game through both, or its first entries; gives its length.
fn compare(checked: &Checked, machine: &mut Machine<'_>, seed: u64, most: usize) -> Result<usize, Parting> {
    let game = Game::new(checked);
    let types = &checked.bound.types;
    let lot = RefCell::new(Lot(seed));
    let decisions = RefCell::new(Vec::new());
    let differs = RefCell::new(None);
    let failed: RefCell<Option<String>> = RefCell::new(None);
    let begun = machine.begin();
    let machine = RefCell::new(machine);
    let flow = checked.bound.flow.clone().unwrap_or_default();
    let step = |state: &State, pause: &Pause| -> Option<Decision> {
        use crate::machine::Dice;
        let mut machine = machine.borrow_mut();
        if let Some(trouble) = failed.borrow_mut().take() {
            *differs.borrow_mut() = Some(Differs::from(trouble));
            return None;
        }
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
        // Then the reference must not go on to another pause, either.
        *failed.borrow_mut() = played.err().map(|trouble| format!("the program cannot go on: {}", trouble.message));
        Some(decision)
    };
    if let Err(trouble) = begun {
        let what = format!("the program cannot begin: {}", trouble.message);
        let begins = game.beginning().and_then(|state| game.play_with(&flow, state, Box::new(|_, _, _| None)));
        return Err(Parting { what, agreed: begins.is_err(), decisions: Vec::new() });
    }
    let beginning = game.beginning().map_err(|trouble| Parting {
        what: format!("the reference cannot begin: {}", trouble.message),
        agreed: false,
        decisions: Vec::new(),
    })?;
    let stand = game.play_with(&flow, beginning, Box::new(|state, pause, _| step(state, pause)));
    let wrong = differs.borrow_mut().take();
    let failed = failed.into_inner().map(|what| Differs { what, agreed: stand.is_err() });
    let wrong = match (wrong.or(failed), stand) {
        (Some(wrong), _) => Some(wrong),
        (None, Err(trouble)) => {
            // Where nothing may be possible the program waits, and tries entries out when it is asked.
            let agreed = machine.borrow_mut().moves().is_err();
            Some(Differs { what: format!("only the reference cannot go on: {}", trouble.message), agreed })
        }
        (None, Ok(stand)) if stand.pause == Pause::Over => {
            difference(&game, &mut machine.borrow_mut(), &stand.state, &stand.pause).err()
        }
        _ => None,
    };
    let decisions = decisions.into_inner();
    match wrong {
        Some(Differs { what, agreed }) => Err(Parting { what, agreed, decisions }),
        None => Ok(decisions.len()),
    }
}

/// So many games of every ruleset and number of players, on all cores. `LUDEX_GAMES=1000` asks for more.
#[test]
#[expect(clippy::print_stdout, reason = "who asks for a long run wants to see how far it is")]
fn both_engines_play_the_same_games() {
    let games: u64 = std::env::var("LUDEX_GAMES").ok().and_then(|games| games.parse().ok()).unwrap_or(20);
    let all: Vec<(String, u32)> =
        names().into_iter().flat_map(|name| (1..=4).map(move |players| (name.clone(), players))).collect();
    let told = parallel::each(cores(), &all, |(name, players)| {
        let rules = rules(name, *players, &[])?;
        // Every other game with a test for every access.
        let told = compile(&rules.checked).map_err(|fault| fault.message).and_then(|program| {
            let played = [(1, Engine::Auto), (2, Engine::Checked)].map(|(first, engine)| {
                let seeds = (first..=games).step_by(2).map(|game| game * 7919 + u64::from(*players));
                compare_games(&rules, &mut Machine::new(&program).with_engine(engine), seeds, MOST_ENTRIES, false)
            });
            played.into_iter().sum::<Result<usize, String>>()
        });
        match told {
            Ok(entries) => println!("{name} for {players}: {games} games, {entries} entries, all equal"),
            Err(wrong) => return Some(Err(format!("{name} for {players}: {wrong}"))),
        }
        Some(Ok(()))
    });
    let told: Vec<Result<(), String>> = told.into_iter().flatten().collect();
    assert!(told.len() > 10, "only {} rulesets and numbers of players were played", told.len());
    let wrong: Vec<String> = told.into_iter().filter_map(Result::err).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What is a mask or a table on a small board is not on a large one.
#[test]
fn both_engines_play_the_same_on_large_boards() {
    for (name, settings) in [
        ("reversi", &["board.size=18"] as &[&str]),
        ("breakthrough", &["board.columns=13", "board.rows=13"]),
        ("connectfour", &["board.columns=10", "board.rows=10"]),
    ] {
        let rules = rules(name, 2, settings).expect("a ruleset");
        let program = compile(&rules.checked).unwrap_or_else(|fault| panic!("{}", fault.message));
        let told = compare_games(&rules, &mut Machine::new(&program), [1, 2].into_iter(), 24, false);
        assert!(told.as_ref().is_ok_and(|entries| *entries > 20), "{name} with {settings:?}: {told:?}");
    }
}

/// A program of other rules stands for a fault in the compiler.
#[test]
fn a_difference_is_told_by_a_short_log() {
    let rules = rules("nim", 2, &[]).expect("a game for two");
    let other = self::rules("nim", 2, &["option.last=loses"]).expect("the same with another number");
    let program = compile(&other.checked).unwrap_or_else(|fault| panic!("{}", fault.message));
    let mut machine = Machine::new(&program);
    let first = compare(&rules.checked, &mut machine, 1, MOST_ENTRIES).expect_err("a difference");
    let told = compare_games(&rules, &mut machine, 1..=1, MOST_ENTRIES, false).expect_err("a difference");
    let (what, text) = told.split_once("\nafter the game\n\n").expect("a log");
    assert!(what.starts_with("winners"), "{what}");

    let opened = log::open("short.log", text).unwrap_or_else(|closed| panic!("{:?}\n{text}", closed.faults));
    assert!(opened.warnings.is_empty(), "{:?}", opened.warnings);
    // Nobody can take more than one heap at once, and the last piece shows who wins.
    assert_eq!(opened.entries.len(), 3, "{text}");
    assert!(opened.entries.len() < first.decisions.len(), "nothing was made shorter");
    assert_eq!(log::write(&opened.log), text);
    let path = case_folder("engines").join("short.log");
    std::fs::write(&path, text).expect("a log");
    let (code, results, diagnostics) = run(&["moves", &path.display().to_string()]);
    assert_eq!(code, 0, "{results}{diagnostics}");
}
