//! What a log is judged by does not depend on the folder in which the command is started.

#![expect(clippy::expect_used, reason = "what goes wrong in a test ends it")]

use std::fs;
use std::path::Path;
use std::process::Command;

/// Rules of a game in which the first seat says a number up to `most`.
fn rules(name: &str, most: u32) -> String {
    format!(
        "game {name} \"A game\"\nplayers 2\nstate {{ n: 0..9 = 0 }}\naction say(x: 1..{most}) \"Say\" {{ n = x }}\n\
         flow {{ turn seat(1) {{ choose say }} end }}\nscore(p: Player) = n\nwinner(p: Player) by score(p) ties share\n"
    )
}

fn put(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
    fs::write(path, text).expect("a file");
}

/// The exit code of a command that is started in a folder, and all that it says.
fn run(folder: &Path, args: &[&str]) -> (Option<i32>, String) {
    let run =
        Command::new(env!("CARGO_BIN_EXE_ludex")).args(args).current_dir(folder).env_remove("LUDEX_PATH").output();
    let run = run.expect("the command runs");
    let text = |bytes| String::from_utf8(bytes).expect("text");
    (run.status.code(), text(run.stdout) + &text(run.stderr))
}

#[test]
fn a_log_is_judged_alike_from_every_folder() {
    let place = tempfile::tempdir().expect("a folder");
    let place = place.path().canonicalize().expect("a folder");
    // Rulesets that have the names of the logs' games, beside where the command is started, and in its folder.
    let tempting = place.join("tempting");
    for game in ["nim", "mine", "unknown"] {
        put(&tempting.join(format!("{game}.ludex")), &rules(game, 9));
        put(&tempting.join(game).join(format!("{game}.ludex")), &rules(game, 9));
    }
    let empty = place.join("empty");
    fs::create_dir_all(&empty).expect("a folder");
    put(&place.join("mine/mine.ludex"), &rules("mine", 3));
    let logs = place.join("mine/logs");
    // The first is a game of the bundled rules, the next two are legal by the tempting rules only.
    let said = [
        ("bundled", "game nim\nplayers a, b\n\na take 1 from 1\n", 0),
        ("around", "game mine\nplayers seat1, seat2\n\nseat1 say 5\n", 1),
        ("nowhere", "game unknown\nplayers seat1, seat2\n\nseat1 say 5\n", 2),
        ("path", "game ./mine.ludex\nplayers seat1, seat2\n\nseat1 say 5\n", 1),
        ("other", "game ./unknown.ludex\nplayers seat1, seat2\n\nseat1 say 5\n", 2),
    ];
    for (name, text, expected) in said {
        let log = logs.join(format!("{name}.log"));
        put(&log, text);
        let log = log.display().to_string();
        for words in [&["validate", "--format", "plain"] as &[&str], &["validate", "--format", "json"], &["moves"]] {
            let args = [words, &[&log]].concat();
            let first = run(&empty, &args);
            if words[0] == "validate" {
                assert_eq!(first.0, Some(expected), "{name}: {}", first.1);
            }
            for folder in [&tempting, &tempting.join("mine"), &logs, &place] {
                assert_eq!(run(folder, &args), first, "{name}: {words:?} in {}", folder.display());
            }
        }
        // The log may be named by a path from here, too.
        for (folder, log) in [
            (&logs, format!("{name}.log")),
            (&place.join("mine"), format!("logs/{name}.log")),
            (&tempting, format!("../mine/logs/{name}.log")),
        ] {
            let (code, text) = run(folder, &["validate", &log]);
            assert_eq!(code, Some(expected), "{name} in {}: {text}", folder.display());
        }
    }
}
