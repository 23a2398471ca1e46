//! The logs of the bundled rulesets: every one gets the verdict that it says, and what is said about those that
//! are broken is pinned, for people and for programs.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use super::{pin, root, run_in};
use crate::judge::{By, held};
use crate::load::Folder;
use crate::log::VERDICTS;

/// Verdicts that only one bundled game can give: it alone hides something, or has costs.
const IN_ONE_GAME: [&str; 2] = ["legal-if", "unaffordable"];

/// All logs, by the name of their ruleset.
fn logs() -> Vec<(String, PathBuf)> {
    let mut all = Vec::new();
    for name in Folder::bundled_names() {
        let Some(Folder::Bundled(below)) = Folder::bundled(name) else { continue };
        let folder = root().join("rulesets").join(below).join("logs");
        let files = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
        all.extend(files.map(|file| (name.to_owned(), file)));
    }
    all.sort();
    all
}

#[test]
fn logs_get_the_verdict_that_they_say() {
    for name in super::engines::names() {
        for log in held(&name, &By::default(), None) {
            assert!(log.passed, "{}:{}: expected {}, found {}", log.file, log.line, log.expected, log.found);
        }
    }
}

#[test]
fn what_is_said_about_broken_logs_is_pinned() {
    let mut games: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (name, file) in logs() {
        let shown = file.strip_prefix(root()).expect("below the root").display().to_string();
        // By the rules in whose folder it is, so that a log of another game is one.
        let text = fs::read_to_string(&file).expect("a log");
        let own = text.contains(&format!("\ngame {name}")) || text.starts_with(&format!("game {name}"));
        let rules: &[&str] = if own { &[] } else { &["--rules", &name] };
        let human = run_in(&root(), "", &[&["validate", &shown], rules].concat());
        let json = run_in(&root(), "", &[&["validate", &shown, "--format", "json"], rules].concat());
        assert_eq!(human.0, json.0, "{shown}: the format changes no verdict");
        let object = json.1.lines().find_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
        let verdict = object.expect("a verdict")["verdict"].as_str().unwrap_or("").to_owned();
        if verdict != "legal" {
            let stem = file.file_stem().expect("a name").to_string_lossy().replace('.', "-");
            pin("verdicts", &format!("{name}-{stem}"), &shown, &human.1);
            pin("verdicts", &format!("{name}-{stem}-json"), &shown, &json.1);
        }
        games.entry(verdict).or_default().push(name);
    }
    for verdict in VERDICTS {
        let mut found = games.get(verdict).cloned().unwrap_or_default();
        found.dedup();
        let least = if IN_ONE_GAME.contains(&verdict) { 1 } else { 2 };
        assert!(found.len() >= least, "{verdict} is given by logs of {found:?}: not enough");
    }
}
