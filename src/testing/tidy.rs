//! The house rules, as tests: sizes, module docs, and nothing about a game in the engine.

use std::fs;
use std::path::{Path, PathBuf};

use super::root;

fn rust_files() -> Vec<(PathBuf, String)> {
    fn walk(folder: &Path, files: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                walk(&path, files);
            } else if path.extension().is_some_and(|kind| kind == "rs") {
                files.push(path);
            }
        }
    }
    let mut files = Vec::new();
    walk(&root().join("src"), &mut files);
    files.sort();
    files.into_iter().map(|path| (path.clone(), fs::read_to_string(path).expect("a text"))).collect()
}

fn is_test(path: &Path) -> bool {
    path.ends_with("tests.rs") || path.parent().is_some_and(|parent| parent.ends_with("testing"))
}

#[test]
fn files_are_small() {
    const MOST: usize = 400;
    for (path, text) in rust_files() {
        let lines = text.lines().count();
        let table = text.lines().next().is_some_and(|line| line.contains("table"));
        assert!(lines <= MOST || is_test(&path) || table, "{} has {lines} lines", path.display());
    }
}

#[test]
fn modules_say_why() {
    for (path, text) in rust_files() {
        if !path.ends_with("tests.rs") {
            assert!(text.starts_with("//! "), "{} has no module doc", path.display());
        }
    }
}

#[test]
fn nothing_about_a_game_is_in_the_engine() {
    // The list stands with the rulesets, whose words they are.
    let list = fs::read_to_string(root().join("rulesets/nouns.txt")).expect("the nouns");
    let nouns: Vec<&str> = list.lines().collect();
    assert!(nouns.len() > 10, "the list of nouns is too short to show anything");
    for (path, text) in rust_files() {
        if is_test(&path) {
            continue;
        }
        let lower = text.to_lowercase();
        for &noun in &nouns {
            let found = lower.match_indices(noun).any(|(at, _)| {
                let letter = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
                !letter(lower[..at].chars().next_back()) && !letter(lower[at + noun.len()..].chars().next())
            });
            assert!(!found, "{} speaks of `{noun}`", path.display());
        }
    }
}

/// Folders whose results are verdicts, or what verdicts are made of.
const JUDGING: &[&str] = &[
    "agent", "audit", "bind", "check", "compile", "diff", "evaluate", "examples", "judge", "play", "simulate", "tune",
];

/// Defaults in these folders that are numbers or values of the language: how many a file has, and what they mean there.
const DEFAULTS: &[(&str, usize, &str)] = &[
    ("agent/owed.rs", 1, "a debt that nobody saw arise is as old as the game"),
    ("agent/worth.rs", 1, "who plays alone is ahead of nobody"),
    ("bind/examples.rs", 2, "too many players to count are refused as too many"),
    ("bind/types.rs", 2, "an empty range has no members; more sets than can be counted are too many"),
    ("check/expressions.rs", 1, "a list may be as long as lists can be"),
    ("check/nesting.rs", 1, "what uses nothing is not nested"),
    ("compile/access.rs", 1, "used only where it is above 0"),
    ("compile/among.rs", 2, "a state of sets or lists has no single values"),
    ("compile/builder.rs", 1, "a step that costs too much costs the most"),
    ("compile/layout.rs", 1, "a state without indices has one element"),
    ("compile/loops.rs", 3, "an empty range has no members"),
    ("compile/masks.rs", 1, "what may be endless is too much"),
    ("compile/matching.rs", 1, "no elements lie between 0 and 0"),
    ("compile/meeting.rs", 1, "what may be endless is not worth it"),
    ("compile/picks.rs", 1, "more picks than can be counted are as many as can"),
    ("compile/regions.rs", 1, "more members than slots are refused as too large"),
    ("compile/rows.rs", 1, "what may be endless is too much"),
    ("compile/sums.rs", 2, "all numbers of a range may be above 0; sets are not summed"),
    ("evaluate/award.rs", 2, "a place that is not paid gets nothing"),
    ("evaluate/board.rs", 1, "the top of an empty list is `none`"),
    ("evaluate/expr.rs", 3, "there is no such cell, element of a table, or item of a list"),
    ("judge/rules.rs", 1, "too many seats to count are refused as too many"),
    ("judge/which/candidates.rs", 1, "nothing was judged"),
    ("judge/which/mod.rs", 1, "nothing was judged"),
    ("play/board.rs", 2, "an empty board has columns of one character"),
    ("play/render.rs", 1, "no names have no width"),
    ("simulate/clock.rs", 1, "a clock before its beginning has not begun"),
    ("simulate/crew.rs", 1, "one thread at least"),
    ("simulate/game.rs", 1, "a limit that does not fit is none"),
    ("simulate/report/derive.rs", 1, "a report that somebody wrote may hold any number"),
    ("simulate/report/merge.rs", 2, "a report that is no shard"),
];

/// Does a line put a number or a value of the language in place of what is missing?
fn has_default(line: &str) -> bool {
    let default = |rest: &str| {
        let word = rest.split(')').next().unwrap_or("");
        word.parse::<i64>().is_ok_and(|number| number < 100) || word.ends_with("::MAX") || word == "Value::None"
    };
    line.match_indices(".unwrap_or(").any(|(at, start)| default(&line[at + start.len()..]))
        || ["_ => Value::None", "_ => Ok(Value::None)", "else { return Value::None"]
            .iter()
            .any(|arm| line.contains(arm))
}

#[test]
fn what_is_impossible_is_no_default() {
    assert!(has_default("let at = u32::try_from(at).unwrap_or(0);") && has_default("_ => Value::None,"));
    assert!(has_default(".unwrap_or(u16::MAX)") && !has_default("name.unwrap_or(other)"));
    for (path, text) in rust_files() {
        let path = path.strip_prefix(root().join("src")).expect("a file of src").to_string_lossy().replace('\\', "/");
        if !JUDGING.iter().any(|folder| path.starts_with(&format!("{folder}/"))) || path.ends_with("tests.rs") {
            continue;
        }
        let found: Vec<&str> = text.lines().filter(|line| has_default(line)).map(str::trim).collect();
        let allowed = DEFAULTS.iter().find(|(file, ..)| *file == path).map_or(0, |(_, count, _)| *count);
        assert!(
            found.len() == allowed,
            "{path}: {} defaults, {allowed} allowed. If there cannot be any value, use `impossible!`, `must` or `exact`; \
             if the default is a case of its own, say what it means in `DEFAULTS`:\n{}",
            found.len(),
            found.join("\n")
        );
    }
    for (file, ..) in DEFAULTS {
        assert!(root().join("src").join(file).exists(), "`DEFAULTS` speaks of {file}, which is not there");
    }
}

#[test]
fn nothing_is_left_undone() {
    let marks = ["todo!(", "unimplemented!(", "dbg!(", "FIXME", "XXX"];
    for (path, text) in rust_files() {
        for mark in marks {
            assert!(!text.contains(mark) || path.ends_with("tidy.rs"), "{} has {mark}", path.display());
        }
    }
}
