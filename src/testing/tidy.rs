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

#[test]
fn nothing_is_left_undone() {
    let marks = ["todo!(", "unimplemented!(", "dbg!(", "FIXME", "XXX"];
    for (path, text) in rust_files() {
        for mark in marks {
            assert!(!text.contains(mark) || path.ends_with("tidy.rs"), "{} has {mark}", path.display());
        }
    }
}
