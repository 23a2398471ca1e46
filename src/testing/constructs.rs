//! `src/testing/engines/*.ludex`: small games of what no bundled ruleset uses, played through the reference and the
//! program, by instructions and in native code.

use std::fs;

use super::engines::{compare_games, names, rules};
use super::{root, run};
use crate::compile::compile;
use crate::examples::{cores, parallel};
use crate::machine::{Engine, Machine};

/// Games of each ruleset and number of players.
const GAMES: u64 = 40;

/// A game that goes on for longer is left there.
const MOST_ENTRIES: usize = 200;

/// `LUDEX_CASE`: a part of the names of the rulesets that are played.
fn only() -> String {
    std::env::var("LUDEX_CASE").unwrap_or_default()
}

/// The files of all cases.
pub(super) fn cases() -> Vec<String> {
    let only = only();
    let mut paths: Vec<String> = fs::read_dir(root().join("src/testing/engines"))
        .expect("the cases")
        .map(|entry| entry.expect("a case").path())
        .filter(|path| path.extension().is_some_and(|kind| kind == "ludex"))
        .map(|path| path.display().to_string())
        .filter(|path| path.contains(&only))
        .collect();
    paths.sort();
    paths
}

/// Every bundled ruleset and every case, for numbers of players that it may be for.
pub(super) fn everything() -> Vec<(String, u32)> {
    let only = only();
    let all = names().into_iter().filter(|name| name.contains(&only)).chain(cases());
    all.flat_map(|name| (1..=4).map(move |players| (name.clone(), players))).collect()
}

/// Plays one ruleset for each possible number of players; gives for how many it could be played.
fn play(path: &str) -> Result<usize, String> {
    let (code, results, diagnostics) = run(&["check", path]);
    if code != 0 {
        return Err(format!("{results}{diagnostics}"));
    }
    let mut played = 0;
    for players in 1..=5 {
        let Some(rules) = rules(path, players, &[]) else { continue };
        let program = compile(&rules.checked).map_err(|fault| format!("for {players}: {}", fault.message))?;
        for engine in [Engine::Bytecode, Engine::Native] {
            let seeds = (1..=GAMES).map(|game| game * 7919 + u64::from(players));
            let mut machine = Machine::new(&program).with_engine(engine);
            compare_games(&rules, &mut machine, seeds, MOST_ENTRIES, true)
                .map_err(|wrong| format!("for {players}, {engine:?}: {wrong}"))?;
        }
        played += 1;
    }
    Ok(played)
}

#[test]
fn both_engines_agree_on_every_construct() {
    let told = parallel::each(cores(), &cases(), |path| match play(path) {
        Ok(0) => Some(format!("{path}: for no number of players")),
        Ok(_) => None,
        Err(wrong) => Some(format!("{path}: {wrong}")),
    });
    assert!(!told.is_empty(), "no case was found");
    let wrong: Vec<String> = told.into_iter().flatten().collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
