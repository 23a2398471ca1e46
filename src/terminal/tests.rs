use std::fs;

use crate::testing::{case_folder, pin, root, run, run_in};

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
    ("show-missing", &["show", "./nowhere", "--stage", "ast"]),
    ("wrong-format", &["list", "--format", "sarif"]),
    ("wrong-flag", &["check", "--dney-warnings"]),
];

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
