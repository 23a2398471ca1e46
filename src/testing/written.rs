//! What `simulate` writes is read and judged: every log of every ruleset and construct is legal for `validate`, and `moves` reads it to
//! its end.

use std::fs;

use super::constructs::cases;
use super::engines::names;
use super::{case_folder, run};
use crate::examples::{cores, parallel};

/// Cases whose games cannot go on.
const FAILING: &[&str] = &[
    "absent-afterwards.ludex",
    "never-afterwards.ludex",
    "largest-numbers.ludex",
    "misfits.ludex",
    "numbers.ludex",
    "outside-chains.ludex",
];

/// Games of each ruleset.
const GAMES: &str = "4";

fn judged(path: &str) -> Result<bool, String> {
    let name = path.rsplit('/').next().unwrap_or(path).replace(['.', ':'], "-");
    let folder = case_folder(&format!("written-{name}")).join("logs").display().to_string();
    let args = ["simulate", path, "--games", GAMES, "--seed", "5", "--look", "0", "--logs", &folder];
    let (code, results, diagnostics) = run(&[&args[..], &["--most-entries", "200"]].concat());
    if code != 0 {
        // Some cases are there to fail.
        let is_meant = FAILING.iter().any(|case| path.ends_with(case));
        return if is_meant && diagnostics.contains("cannot go on") {
            Ok(false)
        } else {
            Err(format!("{results}{diagnostics}"))
        };
    }
    let (code, results, diagnostics) = run(&["validate", &folder, "--rules", path]);
    if code != 0 {
        return Err(format!("validate: {results}{diagnostics}"));
    }
    for log in fs::read_dir(&folder).map_err(|error| error.to_string())? {
        let log = log.map_err(|error| error.to_string())?.path().display().to_string();
        let (code, _, diagnostics) = run(&["moves", &log, "--rules", path]);
        if code != 0 {
            return Err(format!("moves {log}: {diagnostics}"));
        }
    }
    Ok(true)
}

#[test]
fn what_is_simulated_is_legal() {
    let all: Vec<String> = cases().into_iter().chain(names()).collect();
    let told = parallel::each(cores(), &all, |path| judged(path).map_err(|wrong| format!("{path}: {wrong}")));
    let (good, wrong): (Vec<_>, Vec<_>) = told.into_iter().partition(Result::is_ok);
    let wrong: Vec<String> = wrong.into_iter().filter_map(Result::err).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let played = good.iter().filter(|played| matches!(played, Ok(true))).count();
    assert!(played > 40, "only {played} cases could be simulated");
}
