//! One ruleset through everything: the checker, the reference, the program by instructions and in native code, logs, the
//! formatter and every stage.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use super::ruleset::Files;
use crate::compile::compile;
use crate::format::format;
use crate::machine::{Engine, Machine};
use crate::testing::engines::{Rules, compare_games, rules};
use crate::testing::listed::listed_is_legal;
use crate::testing::{native, run};

/// Games of each ruleset, number of players and engine.
const GAMES: u64 = 3;

/// A game that goes on for longer is left there.
const MOST_ENTRIES: usize = 40;

/// What became of a ruleset.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Fate {
    /// The checker refuses it, by these codes.
    Refused(Vec<String>),
    /// All agree; so many entries were played.
    Sound(usize),
}

/// A fault of Ludex.
#[derive(Debug)]
pub(super) struct Failure {
    /// Which law is broken: a smaller ruleset must break the same.
    pub(super) law: &'static str,
    pub(super) what: String,
}

const NO_PANIC: &str = "nothing panics";
const VERDICT: &str = "check gives a verdict";
const COMPILES: &str = "what is sound compiles";
const ENGINES: &str = "the engines agree";
const NATIVE: &str = "native code does what instructions do";
const FACTS: &str = "numbers and boards are what they are";
const EXAMPLES: &str = "examples are run";
const STAGES: &str = "every stage is shown";
const STAYS: &str = "what is formatted stays";
const MEANING: &str = "formatting keeps the meaning";
const SIMULATES: &str = "a ruleset can be simulated";
const LEGAL: &str = "what is simulated is legal";
const LISTED: &str = "only what is listed is legal";

type Told<T> = Result<T, Failure>;

fn failure<T>(law: &'static str, what: impl Into<String>) -> Told<T> {
    Err(Failure { law, what: what.into() })
}

/// Writes the files into a folder of their own; gives the path of the rules.
pub(in crate::testing) fn put(files: &Files, folder: &Path) -> String {
    let _ = fs::remove_dir_all(folder);
    for (name, text) in files {
        let path = folder.join("case").join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("a file");
    }
    folder.join("case").display().to_string()
}

/// Tries a ruleset, by all laws or by one; a panic is a failure like any other.
pub(super) fn attempt(files: &Files, folder: &Path, only: Option<&str>) -> Told<Fate> {
    let path = put(files, folder);
    let tried = catch_unwind(AssertUnwindSafe(|| all(files, folder, &path, only)));
    tried.unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str).or(panic.downcast_ref::<&str>().copied());
        failure(NO_PANIC, text.unwrap_or("a panic"))
    })
}

fn all(files: &Files, folder: &Path, path: &str, only: Option<&str>) -> Told<Fate> {
    let (code, results, diagnostics) = run(&["check", path, "--format", "plain"]);
    match code {
        0 => {}
        1 => return Ok(Fate::Refused(codes(&diagnostics))),
        _ => return failure(VERDICT, format!("exit {code}\n{results}{diagnostics}")),
    }
    let is_asked = |laws: &[&str]| only.is_none_or(|only| only == NO_PANIC || laws.contains(&only));
    let mut entries = 0;
    let variants = files.iter().filter(|(name, _)| name == "other.ludex").map(|_| format!("{path}:other"));
    for name in variants.chain([path.to_owned()]).filter(|_| is_asked(&[COMPILES, ENGINES, NATIVE, FACTS, LISTED])) {
        for rules in (1..=4).filter_map(|players| rules(&name, players, &[])) {
            entries += play(&rules)?;
            if let Err(what) = listed_is_legal(&name, &rules, 3) {
                return failure(LISTED, what);
            }
        }
    }
    if is_asked(&[EXAMPLES]) {
        let (code, results, diagnostics) = run(&["test", path]);
        if code > 1 || diagnostics.contains("test::invariant") {
            return failure(EXAMPLES, format!("exit {code}\n{results}{diagnostics}"));
        }
    }
    if is_asked(&[STAGES]) {
        stages(path)?;
    }
    if is_asked(&[STAYS, MEANING]) {
        formatted(files, folder, path)?;
    }
    if is_asked(&[SIMULATES, LEGAL]) {
        logs(folder, path)?;
    }
    Ok(Fate::Sound(entries))
}

/// The codes of errors: `…: error[check::type-mismatch]: …`
fn codes(diagnostics: &str) -> Vec<String> {
    let code = |line: &str| Some(line.split_once("error[")?.1.split_once(']')?.0.to_owned());
    diagnostics.lines().filter_map(code).collect()
}

/// Every engine plays the same games.
fn play(rules: &Rules) -> Told<usize> {
    let players = rules.checked.bound.players.count;
    let program = match compile(&rules.checked) {
        Ok(program) => program,
        Err(fault) => return failure(COMPILES, fault.message),
    };
    let mut machine = Machine::new(&program);
    if let Ok(Some(broken)) = machine.begin().and_then(|()| machine.broken_invariant()) {
        let name = &rules.checked.bound.invariants[broken].name;
        return failure(FACTS, format!("`{name}` does not hold when the game begins"));
    }
    let mut entries = 0;
    for engine in [Engine::Bytecode, Engine::Native, Engine::Checked] {
        let seeds = (1..=GAMES).map(|game| game * 7919 + u64::from(players));
        let mut machine = Machine::new(&program).with_engine(engine);
        match compare_games(rules, &mut machine, seeds, MOST_ENTRIES, true) {
            Ok(played) => entries += played,
            // The budgets of the engines count different things.
            Err(what) if what.contains("this takes more than") => {}
            Err(what) => return failure(ENGINES, format!("{engine:?} for {players}: {what}")),
        }
    }
    for seed in 1..=GAMES {
        if let Err(what) = native::both(&program, seed, MOST_ENTRIES) {
            return failure(NATIVE, format!("for {players}: {what}"));
        }
    }
    Ok(entries)
}

fn stages(path: &str) -> Told<()> {
    for stage in ["ast", "bound", "checked", "program"] {
        let (code, _, diagnostics) = run(&["show", path, "--stage", stage]);
        if code != 0 {
            return failure(STAGES, format!("{stage}: exit {code}\n{diagnostics}"));
        }
    }
    Ok(())
}

/// Formatting changes neither the meaning nor what is formatted already.
fn formatted(files: &Files, folder: &Path, path: &str) -> Told<()> {
    let tidy = |(name, text): &(String, String)| {
        let is_rules = Path::new(name).extension().is_some_and(|kind| kind == "ludex");
        (name.clone(), if is_rules { format(text) } else { text.clone() })
    };
    let once: Files = files.iter().map(tidy).collect();
    let twice: Files = once.iter().map(tidy).collect();
    if once != twice {
        return failure(STAYS, format!("{once:?}\n{twice:?}"));
    }
    let other = put(&once, &folder.join("formatted"));
    for stage in ["checked", "program"] {
        let (_, before, _) = run(&["show", path, "--stage", stage]);
        let (_, after, said) = run(&["show", &other, "--stage", stage]);
        if before != after {
            return failure(MEANING, format!("{stage}\n{said}"));
        }
    }
    Ok(())
}

/// What `simulate` writes, `validate` accepts.
pub(super) fn logs(folder: &Path, path: &str) -> Told<()> {
    let logs = folder.join("logs").display().to_string();
    let games = ["--games", "4", "--seed", "3", "--look", "1", "--most-entries", "60", "--logs", &logs];
    let (code, results, diagnostics) = run(&[&["simulate", path][..], &games].concat());
    let stuck = diagnostics.contains("cannot-go-on") || results.contains("cannot-go-on");
    if code > 2 || (code > 0 && !stuck) {
        return failure(SIMULATES, format!("exit {code}\n{results}{diagnostics}"));
    }
    if !PathBuf::from(&logs).is_dir() {
        return Ok(());
    }
    let (code, results, diagnostics) = run(&["validate", &logs, "--rules", path]);
    // A game that failed cannot be judged, either.
    if code == 2 && stuck {
        return Ok(());
    }
    if code != 0 && !results.contains("nothing to judge") && !diagnostics.contains("holds no log") {
        return failure(LEGAL, format!("exit {code}\n{results}{diagnostics}"));
    }
    Ok(())
}
