//! What commands say when they meet an impossible case.

use std::fs;
use std::path::Path;

use crate::testing::{case_folder, pin, root, run_typing};

/// The place of the case, and a command that comes by it; `{}` is the folder of its ruleset.
const COMMANDS: &[(&str, &[&str])] = &[
    ("check", &["check", "{}"]),
    ("check", &["check", "{}", "{}/copy"]),
    ("examples", &["test", "{}", "--jobs", "1"]),
    ("examples", &["test", "{}", "--jobs", "4"]),
    ("examples", &["test", "{}", "--coverage"]),
    ("examples", &["test", "{}", "--mutants"]),
    ("play", &["play", "{}", "--bot", "second=random", "--log", "{}/played.log"]),
    ("simulate", &["simulate", "{}", "--games", "50", "--jobs", "1"]),
    ("simulate", &["simulate", "{}", "--games", "5000000", "--jobs", "4"]),
    ("simulate", &["simulate", "{}", "--games", "50", "--report", "{}/page.html"]),
    ("simulate", &["simulate", "{}", "--games", "50", "--versus", "heap.most=6"]),
    ("judge", &["validate", "{}/game.log", "--rules", "{}", "--jobs", "1"]),
    ("judge", &["validate", "{}/many.log", "--rules", "{}", "--jobs", "4"]),
    ("judge", &["validate", "{}/game.log", "--rules", "{}", "--which"]),
    ("judge", &["shrink", "{}/game.log", "--rules", "{}"]),
];

const GAME: &str = "game nim\nplayers first, second\n\nfirst take 3 from 1\n";

/// A bundled ruleset with a title that asks for an impossible case, its examples and some logs.
fn ruleset(folder: &Path, place: &str) {
    let from = root().join("rulesets/classics/nim");
    let rules = fs::read_to_string(from.join("nim.ludex")).expect("rules");
    for to in [folder.to_owned(), folder.join("copy")] {
        fs::create_dir_all(to.join("examples")).expect("a folder");
        fs::write(to.join("nim.ludex"), rules.replace("\"Nim\"", &format!("\"impossible in {place}\"")))
            .expect("rules");
        fs::copy(from.join("nim.toml"), to.join("nim.toml")).expect("numbers");
        fs::copy(from.join("examples/nim.ludex"), to.join("examples/nim.ludex")).expect("examples");
    }
    fs::write(folder.join("game.log"), GAME).expect("a log");
    fs::write(folder.join("many.log"), GAME.repeat(20_000)).expect("logs");
}

fn files(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder).expect("a folder");
    let mut names: Vec<String> =
        names.map(|entry| entry.expect("a file").file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[test]
fn an_impossible_case_ends_every_command_with_2() {
    for (at, (place, command)) in COMMANDS.iter().enumerate() {
        let folder = case_folder(&format!("internal-{at}"));
        ruleset(&folder, place);
        let before = files(&folder);
        let words: Vec<String> =
            command.iter().map(|word| word.replace("{}", &format!("./{}", folder.display()))).collect();
        let mut words: Vec<&str> = words.iter().map(String::as_str).collect();
        words.extend(["--format", "json"]);
        let (exit, results, diagnostics) = run_typing(&words, "take 1 from 1\ntake 1 from 1\n");
        let shown = format!("{words:?}\n{results}\n{diagnostics}");
        assert_eq!(exit, 2, "{shown}");
        let lines: Vec<serde_json::Value> =
            results.lines().map(|line| serde_json::from_str(line).expect("a whole object")).collect();
        let Some(last) = lines.last() else { panic!("{shown}") };
        assert_eq!((&last["kind"], &last["code"]), (&"fault".into(), &"internal::impossible".into()), "{shown}");
        assert!(last["message"].as_str().is_some_and(|text| text.contains(", at src/")), "{shown}");
        // Nothing is told of what has not come to its end, and no file is left.
        assert_eq!(lines.len(), 1, "{shown}");
        assert_eq!(files(&folder), before, "{shown}");
    }
}

#[test]
fn every_format_tells_of_an_impossible_case() {
    let folder = case_folder("internal-formats");
    ruleset(&folder, "judge");
    let log = format!("{}/game.log", folder.display());
    let rules = format!("./{}", folder.display());
    let mut all = String::new();
    for format in ["human", "plain", "json", "sarif", "github", "junit"] {
        let (exit, results, diagnostics) = run_typing(&["validate", &log, "--rules", &rules, "--format", format], "");
        assert_eq!(exit, 2, "{format}");
        let said = (results.clone() + &diagnostics).replace("%3A", ":");
        assert!(said.contains("internal::impossible"), "{format}: {said}");
        if format == "sarif" {
            let log: serde_json::Value = serde_json::from_str(&results).expect("a log");
            assert_eq!(log["runs"][0]["results"][0]["locations"], serde_json::json!([]), "{results}");
        } else {
            all += &format!("--- {format}: results\n{results}--- {format}: diagnostics\n{diagnostics}");
        }
    }
    // Where in the source it happens is of no interest here.
    let start = all.find("src/judge/game.rs:").expect("a place") + "src/judge/game.rs:".len();
    let line: String = all[start..].chars().take_while(char::is_ascii_digit).collect();
    let all =
        all.replace(&format!("game.rs:{line}"), "game.rs:LINE").replace(&format!("game.rs%3A{line}"), "game.rs%3ALINE");
    pin("terminal", "internal-formats", "", &all);
}

#[test]
fn a_result_is_not_right_because_the_score_fails() {
    let folder = case_folder("failing-score");
    let rules = fs::read_to_string(root().join("src/testing/hungry/sums.ludex")).expect("rules");
    fs::write(folder.join("case.ludex"), rules).expect("rules");
    let log = folder.join("game.log").display().to_string();
    let game = "game case\nplayers seat1, seat2\n\nseat1 go\n\nresult seat1 99, seat2 98\nwinner none\n";
    fs::write(&log, game).expect("a log");
    let rules = format!("./{}", folder.display());
    for command in ["moves", "score", "validate"] {
        let (exit, results, diagnostics) = run_typing(&[command, &log, "--rules", &rules], "");
        assert!(exit != 0, "{command}: {results}{diagnostics}");
        let said = results + &diagnostics;
        assert!(said.contains("000,000 steps"), "{command}: {said}");
    }
}
