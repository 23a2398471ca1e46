//! The simulation that the README tells of, played again. It takes a minute without optimisation, so `.ci/run` asks for it by name.

#![expect(clippy::expect_used, reason = "what goes wrong in a test ends it")]

use std::process::Command;

/// What the README shows of a command: its words, and the lines below it.
fn told(readme: &str, begins: &str) -> (Vec<String>, Vec<String>) {
    let mut lines = readme.lines().skip_while(|line| !line.starts_with(begins));
    let command = lines.next().expect("the README shows the command").trim_start_matches("$ ludex ");
    let output = lines.take_while(|line| *line != "```").map(str::to_owned).collect();
    (command.split_whitespace().map(str::to_owned).collect(), output)
}

#[test]
#[ignore = "thousands of games"]
fn the_readme_tells_what_a_simulation_gives() {
    let readme = include_str!("../README.md");
    let (words, expected) = told(readme, "$ ludex simulate tikal --players 4 --games 2000");
    let folder = tempfile::tempdir().expect("a folder");
    let run = Command::new(env!("CARGO_BIN_EXE_ludex")).args(&words).current_dir(folder.path()).output();
    let run = run.expect("the command runs");
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let found = String::from_utf8(run.stdout).expect("text");
    // Time is no result.
    let found: Vec<&str> = found.lines().filter(|line| !line.contains("CPU time")).collect();
    assert_eq!(found.join("\n"), expected.join("\n"));
    let page = words.iter().find(|word| word.ends_with(".html")).expect("the command makes a page");
    let page = std::fs::read_to_string(folder.path().join(page)).expect("the page");
    assert!(page.contains("cost.camp=4") && page.contains("greedy"), "the page says what it is about");
}
