use std::fs;

use crate::testing::{case_folder, pin, root, run, run_in, run_typing};

/// Commands whose output is pinned as a whole: name and arguments.
const PINNED: &[(&str, &[&str])] = &[
    ("help", &["--help"]),
    ("help-check", &["check", "--help"]),
    ("help-fmt", &["fmt", "--help"]),
    ("help-new", &["new", "--help"]),
    ("help-numbers", &["numbers", "--help"]),
    ("help-rulings", &["rulings", "--help"]),
    ("help-show", &["show", "--help"]),
    ("help-explain", &["explain", "--help"]),
    ("list", &["list"]),
    ("list-json", &["list", "--format", "json"]),
    ("check", &["check"]),
    ("check-json", &["check", "reversi", "--format", "json"]),
    ("check-set", &["check", "reversi", "--set", "board.sise=6"]),
    ("check-set-plain", &["check", "reversi", "--set", "board.size=99", "--format", "plain"]),
    ("check-set-github", &["check", "reversi", "--set", "board.size=99", "--format", "github"]),
    ("check-set-sarif", &["check", "reversi", "--set", "board.size=99", "--format", "sarif"]),
    ("check-unknown", &["check", "reversy"]),
    ("check-unknown-variant", &["check", "tikal:profesional"]),
    ("check-unused-number", &["check", "reversi", "--deny-warnings", "--set", "option.colour=red"]),
    ("test", &["test", "reversi", "tictactoe"]),
    ("test-json", &["test", "tictactoe", "--format", "json"]),
    ("test-failing", &["test", "tikal", "--set", "cost.camp=4", "--only", "T17"]),
    ("test-nothing", &["test", "tictactoe", "--only", "no such example"]),
    ("help-test", &["test", "--help"]),
    ("explain", &["explain"]),
    ("explain-code", &["explain", "bind::unknown-name"]),
    ("explain-unknown", &["explain", "bind::unknown-nam"]),
    ("numbers", &["numbers", "tikal"]),
    ("numbers-professional", &["numbers", "tikal:professional"]),
    ("numbers-uses", &["numbers", "tikal", "--uses", "cost.camp"]),
    ("numbers-uses-json", &["numbers", "tikal", "--uses", "cost.camp", "--format", "json"]),
    ("numbers-unknown", &["numbers", "tikal", "--uses", "cost.cmap"]),
    ("rulings", &["rulings", "tikal"]),
    ("rulings-romanian", &["rulings", "tikal:romanian"]),
    ("rulings-json", &["rulings", "maya", "--format", "json"]),
    ("help-moves", &["moves", "--help"]),
    ("help-play", &["play", "--help"]),
    ("moves", &["moves", "nim"]),
    ("moves-set", &["moves", "nim", "--set", "heap.most=5", "--set", "option.last=loses"]),
    ("moves-chance", &["moves", "maya", "--players", "3"]),
    ("moves-json", &["moves", "maya", "--format", "json"]),
    ("moves-log", &["moves", LOG]),
    ("moves-log-at", &["moves", LOG, "--at", "3"]),
    ("moves-log-json", &["moves", LOG, "--at", "5", "--format", "json"]),
    ("moves-log-short", &["moves", LOG, "--at", "7"]),
    ("moves-log-set", &["moves", LOG, "--set", "heap.most=5"]),
    ("moves-log-missing", &["moves", "nowhere.log"]),
    ("moves-at", &["moves", "nim", "--at", "1"]),
    ("moves-players", &["moves", "nim", "--players", "3"]),
    ("moves-unknown", &["moves", "nym"]),
    ("play-no-agent", &["play", "nim", "--bot", "first"]),
    ("play-wrong-agent", &["play", "nim", "--bot", "first=randon"]),
    ("play-wrong-seat", &["play", "nim", "--bot", "frist=random"]),
    ("play-log-there", &["play", "nim", "--log", "Cargo.toml"]),
    ("play-log-nowhere", &["play", "nim", "--log", "no/such/folder/game.log"]),
    ("play-log-overlay", &["play", "nim", "--log", "new.log", "--overlay", "x.toml"]),
    ("play-broken", &["play", "nim", "--set", "heap.most=0"]),
    ("play-bots", &["play", "nim", "--seed", "1", "--bot", "1=random", "--bot", "second=random"]),
    ("play-json", &["play", "nim", "--seed", "1", "--bot", "1=random", "--bot", "2=random", "--format", "json"]),
    ("play-no-input", &["play", "tictactoe", "--seed", "1"]),
    ("show-missing", &["show", "./nowhere", "--stage", "ast"]),
    ("wrong-format", &["list", "--format", "sarif"]),
    ("wrong-flag", &["check", "--dney-warnings"]),
];

/// A bundled log, as a file.
const LOG: &str = "rulesets/classics/nim/logs/misere.log";

#[test]
fn outputs_are_pinned() {
    for (name, args) in PINNED {
        let (_, text) = run_in(&root(), "", args);
        pin("terminal", name, &format!("ludex {}", args.join(" ")), &text);
    }
}

#[test]
fn completions_are_written_for_every_shell() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let (code, results, _) = run(&["completions", shell]);
        assert!(code == 0 && results.contains("ludex"), "{shell}");
    }
}

#[test]
fn a_new_ruleset_passes_check() {
    // `new` works in the current folder, which tests share; so the files are made by the same functions elsewhere.
    let folder = tempfile::tempdir().expect("a folder");
    for (file, text) in super::new::template("fresh") {
        let path = folder.path().join("fresh").join(file);
        fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        fs::write(path, text).expect("a file");
    }
    let path = folder.path().join("fresh").display().to_string();
    let (code, results, diagnostics) = run(&["check", &path, "--deny-warnings"]);
    assert_eq!(code, 0, "{results}{diagnostics}");
    assert!(results.contains("2 examples"), "{results}");
    let (code, _, _) = run(&["fmt", "--check", &path]);
    assert_eq!(code, 0, "the template is not in canonical layout");
}

#[test]
fn the_designers_round_trip() {
    let mine = case_folder("round-trip");
    let files = super::new::copy("tikal", "mine").expect("a copy");
    for (file, text) in &files {
        let path = mine.join(file);
        fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        fs::write(path, text).expect("a file");
    }
    let path = mine.display().to_string();
    let check = |step: &str, wanted: u8| {
        let (code, text) = run_in(&mine, "mine", &["check", &path]);
        assert_eq!(code, wanted, "{step}\n{text}");
        pin("terminal", &format!("round-trip-{step}"), "", &text);
    };
    check("1-copied", 0);
    let toml = fs::read_to_string(mine.join("mine.toml")).expect("the numbers");
    let cheaper: String = toml
        .lines()
        .map(|line| if line.starts_with("camp ") { "camp = 4\n".to_owned() } else { format!("{line}\n") })
        .collect();
    assert_ne!(cheaper, toml);
    fs::write(mine.join("mine.toml"), &cheaper).expect("the numbers");
    check("2-cheaper", 0);
    fs::write(mine.join("mine.toml"), cheaper.replace("camp = 4", "cmap = 4")).expect("the numbers");
    check("3-misspelt", 1);
    fs::write(mine.join("mine.toml"), cheaper.replace("camp = 4", "camp = 44")).expect("the numbers");
    check("4-out-of-range", 1);
    fs::write(mine.join("mine.toml"), cheaper).expect("the numbers");
    check("5-mended", 0);
}

#[test]
fn every_bundled_file_is_in_canonical_layout() {
    let rulesets = root().join("rulesets").display().to_string();
    let (code, results, diagnostics) = run(&["fmt", "--check", &rulesets]);
    assert_eq!(code, 0, "{results}{diagnostics}");
}

#[test]
fn fmt_writes_whole_files_or_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let (good, broken) = (folder.path().join("good.ludex"), folder.path().join("broken.ludex"));
    fs::write(&good, "game x   \"X\"\r\nplayers  2\r\n").expect("a file");
    fs::write(&broken, "game x \"X\nplayers 2\n").expect("a file");
    let path = folder.path().display().to_string();
    let (code, _, _) = run(&["fmt", "--check", &path]);
    assert_eq!(code, 2);
    let (code, _, diagnostics) = run(&["fmt", &path]);
    assert_eq!(code, 2, "{diagnostics}");
    assert_eq!(fs::read_to_string(&good).expect("a file"), "game x \"X\"\nplayers 2\n");
    assert_eq!(fs::read_to_string(&broken).expect("a file"), "game x \"X\nplayers 2\n");
    let (code, _, _) = run(&["fmt", "--check", &good.display().to_string()]);
    assert_eq!(code, 0);
    assert_eq!(fs::read_dir(folder.path()).expect("the folder").count(), 2, "nothing is left behind");
}

/// What is typed in a conversation, line by line.
const TALKS: &[(&str, &[&str], &str)] = &[
    // Everything that can be typed, and a game to its end.
    (
        "play-talk",
        &["tictactoe", "--seed", "3"],
        "help\nundo\nplace b2\nplace b2\nplace d4\nplac a1\ncross place a1\nnought -> a1\npass\n99\n0\n\n1\nundo\nhint\nboard\nmoves\n1\nplace a2\nplace c1\n place   c2 \n",
    ),
    // An agent answers; taking back takes its move back too.
    ("play-agent", &["nim", "--seed", "4", "--bot", "2=random"], "take 2 from 1\nundo\ntake 2 from 1\nquit\n"),
    // Several people and hidden things: the screen is handed over.
    ("play-secrets", &["maya", "--players", "3", "--seed", "1"], "\n1\n\nmoves\nundo\n\nquit\n"),
];

#[test]
fn conversations_are_pinned() {
    for (name, args, typed) in TALKS {
        let args: Vec<&str> = std::iter::once("play").chain(args.iter().copied()).collect();
        let (code, results, diagnostics) = run_typing(&args, typed);
        let text = format!("exit {code}\n--- results\n{results}--- diagnostics\n{diagnostics}");
        pin("terminal", name, &format!("ludex {}", args.join(" ")), &text);
    }
}

#[test]
fn a_game_is_saved_and_can_be_gone_on_from() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("game.log").display().to_string();
    let args = ["play", "nim", "--seed", "4", "--set", "option.last = loses", "--log", &file];
    let (code, results, _) = run_typing(&args, "take 2 from 1\ntake 1 from 1\nquit\n");
    assert_eq!(code, 0, "{results}");
    let saved = fs::read_to_string(&file).expect("the log");
    assert!(saved.contains("set option.last = loses\nseed 4\n\nfirst take 2 from 1\n"), "{saved}");
    let (code, results, diagnostics) = run(&["moves", &file]);
    assert_eq!((code, results.lines().count(), diagnostics.as_str()), (0, 9, ""), "{results}");
    // Nothing is overwritten, and nothing else is left behind.
    let (code, _, diagnostics) = run_typing(&args, "quit\n");
    assert!(code == 2 && diagnostics.contains("is there already"), "{diagnostics}");
    assert_eq!(fs::read_to_string(&file).expect("the log"), saved);
    assert_eq!(fs::read_dir(folder.path()).expect("the folder").count(), 1);
}

#[test]
fn whatever_is_typed_ends_in_order() {
    let long = "place ".repeat(20_000);
    for typed in ["\u{0}\n", "{{{{\n", &long, "cross\n", "\"\n", "cross place {b2}\n", "place b2 b2\n", "1 2 3\n"] {
        let (code, results, diagnostics) = run_typing(&["play", "tictactoe", "--seed", "1"], typed);
        assert_eq!((code, diagnostics.as_str()), (0, ""), "{typed}\n{results}");
    }
}
