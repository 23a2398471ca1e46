//! Native code on or off: a command prints the same, and writes the same logs. By processes, for `LUDEX_NATIVE` is asked for
//! once, when a process begins.

#![expect(clippy::expect_used, reason = "what goes wrong in a test ends it")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Exit code, results without the line that has the time, and diagnostics.
type Printed = (Option<i32>, String, String);

/// Simulates games of a ruleset, with their logs in a folder; then judges these and lists first moves.
fn printed(ruleset: &str, native: &str, logs: &Path) -> Vec<Printed> {
    let logs = logs.display().to_string();
    let run = |args: &[&str]| -> Printed {
        let output = Command::new(env!("CARGO_BIN_EXE_ludex"))
            .args(args)
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .env("LUDEX_NATIVE", native)
            .env_remove("LUDEX_PATH")
            .output()
            .expect("the command runs");
        let text = |bytes| String::from_utf8(bytes).expect("text");
        let results = text(output.stdout).lines().filter(|line| !line.contains("of CPU time")).fold(
            String::new(),
            |mut kept, line| {
                kept += line;
                kept.push('\n');
                kept
            },
        );
        (output.status.code(), results, text(output.stderr))
    };
    // So many games that native code is reached, and a close look.
    let simulate =
        ["simulate", ruleset, "--games", "40", "--seed", "11", "--look", "3", "--most-entries", "400", "--logs", &logs];
    let mut all = vec![run(&simulate), run(&["perft", ruleset, "--depth", "2"]), run(&["moves", ruleset])];
    if Path::new(&logs).is_dir() {
        all.push(run(&["validate", &logs, "--rules", ruleset, "--format", "json"]));
    }
    all
}

fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<_> = fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .map(|file| (file.file_name().display().to_string(), fs::read(file.path()).expect("a log")))
        .collect();
    files.sort();
    files
}

fn rulesets() -> Vec<String> {
    let bundled = [
        "tictactoe",
        "connectfour",
        "breakthrough",
        "reversi",
        "hex",
        "nim",
        "maya",
        "maya:series",
        "indus",
        "indus:combinations",
        "tikal",
        "tikal:professional",
    ];
    let constructs = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/testing/engines");
    let mut paths: Vec<PathBuf> = fs::read_dir(constructs)
        .expect("the constructs")
        .map(|entry| entry.expect("a construct").path())
        .filter(|path| path.extension().is_some_and(|kind| kind == "ludex"))
        .collect();
    paths.sort();
    bundled.into_iter().map(str::to_owned).chain(paths.into_iter().map(|path| path.display().to_string())).collect()
}

#[test]
fn native_code_changes_nothing_that_is_printed() {
    let place = tempfile::tempdir().expect("a folder");
    let logs = place.path().join("logs");
    let (mut played, mut parted) = (0, Vec::new());
    for ruleset in rulesets() {
        // In the same folder, since reports name it.
        let of = |native: &str| {
            let _ = fs::remove_dir_all(&logs);
            (printed(&ruleset, native, &logs), files(&logs))
        };
        let (on, off) = (of("on"), of("off"));
        played += on.1.len();
        if on != off {
            parted.push(format!("{ruleset}\n{on:?}\nand\n{off:?}"));
        }
    }
    assert!(parted.is_empty(), "{}", parted.join("\n"));
    assert!(played > 1000, "only {played} games were written");
}
