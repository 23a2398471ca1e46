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
    ("check-set-bounded", &["check", "nim", "--set", "heap.most=4"]),
    ("check-unknown", &["check", "reversy"]),
    ("check-unknown-variant", &["check", "tikal:profesional"]),
    ("check-unused-number", &["check", "reversi", "--deny-warnings", "--set", "option.colour=red"]),
    ("test", &["test", "reversi", "tictactoe"]),
    ("test-json", &["test", "tictactoe", "--format", "json"]),
    ("test-failing", &["test", "tikal", "--set", "cost.camp=4", "--only", "T17"]),
    ("test-editions", &["test", "tikal:german", "tikal:romanian", "tikal:professional+romanian"]),
    ("test-nothing", &["test", "tictactoe", "--only", "no such example"]),
    ("help-test", &["test", "--help"]),
    ("test-failing-json", &["test", "tikal", "--set", "cost.camp=4", "--only", "T17", "--format", "json"]),
    ("test-failing-junit", &["test", "tikal", "--set", "cost.camp=4", "--only", "T17", "--format", "junit"]),
    ("test-failing-github", &["test", "tikal", "--set", "cost.camp=4", "--only", "T17", "--format", "github"]),
    ("test-refused", &["test", "tikal", "--set", "limit.camps=0", "--only", "T17"]),
    ("test-junit", &["test", "tictactoe", "--format", "junit"]),
    ("test-junit-broken", &["test", "reversi", "--set", "board.size=99", "--format", "junit"]),
    ("test-coverage", &["test", "breakthrough", "--coverage"]),
    ("test-coverage-json", &["test", "tictactoe", "--coverage", "--format", "json"]),
    ("test-coverage-below", &["test", "reversi", "--coverage=95"]),
    ("test-coverage-wrong", &["test", "reversi", "--coverage=101"]),
    ("test-mutants", &["test", "tictactoe", "breakthrough", "--mutants"]),
    ("test-mutants-json", &["test", "tictactoe", "--mutants", "--format", "json"]),
    ("test-accept-bundled", &["test", "tictactoe", "--accept"]),
    ("test-accept-changed", &["test", "./mine", "--accept", "--set", "cost=3"]),
    ("test-no-jobs", &["test", "tictactoe", "--jobs", "0"]),
    ("explain", &["explain"]),
    ("explain-code", &["explain", "bind::unknown-name"]),
    ("explain-unknown", &["explain", "bind::unknown-nam"]),
    ("numbers", &["numbers", "tikal"]),
    ("numbers-professional", &["numbers", "tikal:professional"]),
    ("numbers-uses", &["numbers", "tikal", "--uses", "cost.camp"]),
    ("numbers-uses-json", &["numbers", "tikal", "--uses", "cost.camp", "--format", "json"]),
    ("numbers-uses-through", &["numbers", "reversi", "--uses", "board.size"]),
    ("numbers-uses-ruling", &["numbers", "tikal", "--uses", "ruling.camp_needs_figure"]),
    ("numbers-uses-through-json", &["numbers", "nim", "--uses", "heap.size", "--format", "json"]),
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
    ("moves-log-game", &["moves", LOG, "--game", "2"]),
    ("moves-game", &["moves", "nim", "--game", "1"]),
    ("moves-log-missing", &["moves", "nowhere.log"]),
    ("moves-at", &["moves", "nim", "--at", "1"]),
    ("moves-players", &["moves", "nim", "--players", "3"]),
    ("moves-unknown", &["moves", "nym"]),
    ("play-no-agent", &["play", "nim", "--bot", "first"]),
    ("play-wrong-agent", &["play", "nim", "--bot", "first=randon"]),
    ("play-agent-without-number", &["play", "nim", "--bot", "first=mcts"]),
    ("play-agent-wrong-number", &["play", "nim", "--bot", "first=mcts:0"]),
    ("play-thinking-bots", &["play", "nim", "--seed", "1", "--bot", "1=mcts:200", "--bot", "second=greedy"]),
    ("play-wrong-seat", &["play", "nim", "--bot", "frist=random"]),
    ("play-log-there", &["play", "nim", "--log", "Cargo.toml"]),
    ("play-log-nowhere", &["play", "nim", "--log", "no/such/folder/game.log"]),
    ("play-log-overlay", &["play", "nim", "--log", "new.log", "--overlay", "x.toml"]),
    ("play-broken", &["play", "nim", "--set", "heap.most=0"]),
    ("play-bots", &["play", "nim", "--seed", "1", "--bot", "1=random", "--bot", "second=random"]),
    ("play-json", &["play", "nim", "--seed", "1", "--bot", "1=random", "--bot", "2=random", "--format", "json"]),
    ("play-no-input", &["play", "tictactoe", "--seed", "1"]),
    ("help-perft", &["perft", "--help"]),
    ("help-simulate", &["simulate", "--help"]),
    ("help-report", &["report", "merge", "--help"]),
    ("help-report-page", &["report", "page", "--help"]),
    ("report-page-missing", &["report", "page", "nowhere.json", "-o", "new.html"]),
    ("report-page-other", &["report", "page", "Cargo.toml", "-o", "new.html"]),
    ("report-page-there", &["report", "page", "nowhere.json", "-o", "Cargo.toml"]),
    ("simulate-report-there", &["simulate", "nim", "--games", "1", "--report", "Cargo.toml"]),
    ("simulate-report-folder", &["simulate", "nim", "--games", "1", "--report", "src"]),
    ("simulate-report-nowhere", &["simulate", "nim", "--games", "1", "--report", "no/such/folder/page.html"]),
    ("simulate-force-nothing", &["simulate", "nim", "--games", "1", "--force"]),
    ("perft", &["perft", "tictactoe", "--depth", "5", "--ends"]),
    ("perft-zero", &["perft", "nim", "--depth", "0"]),
    ("perft-json", &["perft", "tictactoe", "--depth", "2", "--format", "json"]),
    ("perft-log", &["perft", "nim", "--depth", "2", "--from", LOG]),
    ("perft-other-log", &["perft", "hex", "--depth", "2", "--from", LOG]),
    ("perft-log-set", &["perft", "nim", "--depth", "2", "--from", LOG, "--players", "2"]),
    ("perft-players", &["perft", "nim", "--depth", "2", "--players", "3"]),
    ("perft-no-depth", &["perft", "nim"]),
    ("simulate-no-games", &["simulate", "nim", "--games", "0"]),
    ("simulate-wrong-agent", &["simulate", "nim", "--games", "1", "--agent", "randon"]),
    ("simulate-wrong-seat", &["simulate", "nim", "--games", "1", "--agent", "frist=random"]),
    ("simulate-players", &["simulate", "nim", "--games", "1", "--players", "3"]),
    ("simulate-set", &["simulate", "nim", "--games", "1", "--set", "heap.mots=3"]),
    ("simulate-unknown", &["simulate", "nym", "--games", "1"]),
    ("simulate-logs-overlay", &["simulate", "nim", "--games", "1", "--logs", "new", "--overlay", "x.toml"]),
    ("simulate-logs-file", &["simulate", "nim", "--games", "1", "--logs", "Cargo.toml"]),
    ("help-score", &["score", "--help"]),
    ("help-replay", &["replay", "--help"]),
    ("score", &["score", LOG]),
    ("score-json", &["score", LOG, "--format", "json"]),
    ("score-tikal", &["score", TIKAL]),
    ("score-missing", &["score", "nowhere.log"]),
    ("score-why", &["score", LOG, "--why", "first"]),
    ("score-why-nothing", &["score", LOG, "--why", "2"]),
    ("score-why-wrong-seat", &["score", LOG, "--why", "frist"]),
    ("score-why-tikal", &["score", TIKAL, "--why", "1"]),
    ("score-why-tikal-plain", &["score", TIKAL, "--why", "2", "--format", "plain"]),
    ("score-why-maya", &["score", MAYA, "--why", "white"]),
    ("score-why-maya-json", &["score", MAYA, "--why", "grey", "--format", "json"]),
    ("score-why-reversi", &["score", REVERSI, "--why", "black"]),
    ("replay", &["replay", LOG]),
    ("replay-begin", &["replay", LOG, "--at", "0"]),
    ("replay-at", &["replay", LOG, "--at", "3"]),
    ("replay-json", &["replay", LOG, "--at", "3", "--format", "json"]),
    ("replay-short", &["replay", LOG, "--at", "7"]),
    ("replay-log", &["replay", LOG, "--at", "2", "--log"]),
    ("replay-tikal", &["replay", TIKAL, "--at", "150"]),
    ("replay-reversi", &["replay", REVERSI, "--as", "white"]),
    ("replay-maya", &["replay", MAYA, "--at", "70"]),
    ("replay-maya-as", &["replay", MAYA, "--at", "70", "--as", "black"]),
    ("replay-maya-as-json", &["replay", MAYA, "--at", "48", "--as", "black", "--format", "json"]),
    ("replay-maya-log", &["replay", MAYA, "--at", "60", "--as", "2", "--log"]),
    ("replay-maya-log-json", &["replay", MAYA, "--at", "50", "--as", "grey", "--log", "--format", "json"]),
    ("replay-wrong-seat", &["replay", MAYA, "--as", "greg"]),
    ("help-validate", &["validate", "--help"]),
    ("validate", &["validate", "rulesets/classics/nim/logs"]),
    ("validate-quiet", &["validate", "rulesets/classics/nim/logs", "-q", "--format", "plain"]),
    ("validate-sarif", &["validate", BROKEN, LOG, "--format", "sarif"]),
    ("validate-github", &["validate", BROKEN, LOG, "--format", "github"]),
    ("validate-junit", &["validate", BROKEN, LOG, "nowhere.log", "--format", "junit"]),
    ("validate-plain", &["validate", BROKEN, LOG, "--format", "plain"]),
    ("validate-set", &["validate", LOG, "--set", "heap.most=3", "--format", "plain"]),
    ("validate-set-wrong", &["validate", LOG, "--set", "heap.mots=3", "--format", "plain"]),
    ("validate-edition", &["validate", CAMP, "--rules", "tikal:romanian", "--format", "plain"]),
    ("validate-ruling", &["validate", CAMP, "--set", "ruling.camp_needs_figure=true", "--format", "plain"]),
    ("validate-which-edition", &["validate", CAMP, "--which"]),
    ("validate-rules-unknown", &["validate", LOG, "--rules", "nym"]),
    ("validate-missing", &["validate", "nowhere.log", LOG]),
    ("validate-missing-json", &["validate", "nowhere.log", "--format", "json"]),
    ("validate-no-logs", &["validate", "src/terminal"]),
    (
        "validate-strict",
        &["validate", "rulesets/maya/logs/own-cards.legal-if.log", "--strict", "-q", "--format", "plain"],
    ),
    ("validate-complete", &["validate", "rulesets/classics/nim/logs/open.unfinished.log", "--complete"]),
    ("explain-verdict", &["explain", "wrong-phase"]),
    ("explain-line", &["explain", "rulesets/tikal/logs/dear.unaffordable.log:9"]),
    ("explain-line-json", &["explain", "rulesets/tikal/logs/dear.unaffordable.log:9", "--format", "json"]),
    ("explain-line-chance", &["explain", "rulesets/tikal/logs/dear.unaffordable.log:6"]),
    ("explain-line-refused", &["explain", "rulesets/classics/nim/logs/too-many.log:7"]),
    ("explain-line-after", &["explain", "rulesets/classics/nim/logs/more.after-end.log:8", "--format", "plain"]),
    ("explain-line-head", &["explain", "rulesets/classics/nim/logs/too-many.log:2"]),
    ("explain-line-none", &["explain", "rulesets/classics/nim/logs/too-many.log:99"]),
    ("explain-line-missing", &["explain", "nowhere.log:1"]),
    ("explain-code-rules", &["explain", "wrong-phase", "--rules", "nim"]),
    ("help-diff", &["diff", "--help"]),
    ("diff", &["diff", OLD, NEW, "--games", "10"]),
    ("diff-plain", &["diff", OLD, NEW, "--games", "10", "--format", "plain"]),
    ("diff-json", &["diff", OLD, NEW, "--games", "10", "--format", "json"]),
    ("diff-nim", &["diff", "nim", "nim", "--set", "option.last=loses", "--games", "5"]),
    ("diff-tikal", &["diff", "tikal", "tikal", "--set", "cost.camp=4", "--games", "2"]),
    ("diff-editions", &["diff", "tikal:german", "tikal:romanian", "--games", "0"]),
    ("diff-variant", &["diff", "maya", "maya:series", "--games", "0", "--format", "plain"]),
    ("diff-variant-human", &["diff", "tikal", "tikal:professional", "--games", "1", "--most-witnesses", "3"]),
    ("diff-same", &["diff", "hex", "hex"]),
    ("diff-same-json", &["diff", "hex", "hex", "--format", "json"]),
    ("diff-strangers", &["diff", "nim", "hex"]),
    ("diff-unknown", &["diff", "nim", "nym"]),
    ("diff-set", &["diff", "nim", "nim", "--set", "heap.mots=3"]),
    ("diff-players", &["diff", "tikal", "tikal:romanian", "--players", "5"]),
    ("fmt-to-jsonl", &["fmt", "--to", "jsonl", LOG]),
    ("fmt-to-text", &["fmt", "--to", "text", LOG]),
    ("fmt-to-rules", &["fmt", "--to", "text", "rulesets/classics/nim/nim.ludex"]),
    ("fmt-to-check", &["fmt", "--to", "text", "--check", LOG]),
    ("fmt-log-broken", &["fmt", "--check", "src/log/cases/broken.jsonl", "--format", "plain"]),
    ("show-missing", &["show", "./nowhere", "--stage", "ast"]),
    ("show-program", &["show", "nim", "--stage", "program"]),
    ("wrong-format", &["list", "--format", "sarif"]),
    ("wrong-format-junit", &["check", "tictactoe", "--format", "junit"]),
    ("wrong-format-github", &["list", "--format", "github"]),
    ("wrong-flag", &["check", "--dney-warnings"]),
];

/// A bundled log, as a file.
const LOG: &str = "rulesets/classics/nim/logs/misere.log";
const TIKAL: &str = "rulesets/tikal/logs/two.log";
/// A camp where nobody stands: legal by the German edition only.
const CAMP: &str = "rulesets/tikal/logs/german-camp.unfinished.log";
const MAYA: &str = "rulesets/maya/logs/three.log";
const REVERSI: &str = "rulesets/classics/reversi/logs/random.log";

/// Two rulesets that differ in one thing of each kind.
const OLD: &str = "src/diff/cases/old";
const NEW: &str = "src/diff/cases/new";

/// A log that is broken in one way.
const BROKEN: &str = "rulesets/classics/nim/logs/too-many.log";

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
    // Three changes of a designer: `check` is content with each, and `test` says which passages they leave.
    let changes = [
        ("6-camp", "camp     = 5", "camp     = 4"),
        ("7-leader", "leader = 3 ", "leader = 1 "),
        ("8-points", "action_points = 10", "action_points = 8"),
    ];
    for (step, printed, mine_has) in changes {
        assert!(toml.contains(printed), "{printed}");
        fs::write(mine.join("mine.toml"), toml.replace(printed, mine_has)).expect("the numbers");
        check(&format!("{step}-check"), 0);
        let (code, text) = run_in(&mine, "mine", &["test", &path]);
        assert_eq!(code, 1, "{step}\n{text}");
        pin("terminal", &format!("round-trip-{step}-test"), "", &text);
    }
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

#[test]
fn fmt_lays_out_logs() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    let text = "game   nim\nplayers a,b\na take 1  from 1 then paid=0 # so\n";
    let laid_out = "game nim\nplayers a, b\n\na take 1 from 1 then paid = 0  # so\n";
    let other = "Nov 16 server started\n";
    for (name, text) in [("x.log", text), ("server.log", other), ("events.jsonl", "{\"event\":1}\n")] {
        fs::write(at(name), text).expect("a file");
    }
    let path = folder.path().display().to_string();
    let (code, results, _) = run(&["fmt", "--check", &path]);
    assert_eq!((code, results.lines().count()), (1, 1), "{results}");
    assert_eq!(run(&["fmt", &path]).0, 0);
    assert_eq!(fs::read_to_string(at("x.log")).expect("a file"), laid_out);
    assert_eq!(fs::read_to_string(at("server.log")).expect("a file"), other, "what is no log is not touched");
    assert_eq!(run(&["fmt", "--check", &path]).0, 0);
    let (code, json, _) = run(&["fmt", "--to", "jsonl", &at("x.log").display().to_string()]);
    fs::write(at("y.jsonl"), &json).expect("a file");
    assert_eq!(code, 0);
    assert_eq!(run(&["fmt", "--check", &path]).0, 0, "{json}");
    let (_, back, _) = run(&["fmt", "--to", "text", &at("y.jsonl").display().to_string()]);
    assert_eq!(back, laid_out);
    let (code, _, diagnostics) = run(&["fmt", &at("server.log").display().to_string()]);
    assert_eq!(code, 2, "{diagnostics}");
}

const NIM: &[(&str, &str)] = &[
    (
        "nim.ludex",
        r#"game nim "Nim"
players 2: ana, ben

numbers {
    start: 1..9 "sticks"
    most:  1..3 "sticks"
    bonus[Player]: 0..3 "points"
}

ruling last_wins: bool
    "Does the last stick win?"
    "The older way."

state {
    heap: 0..9 = start
    last: Player?
}

action take(n: 1..3)
    "Take sticks"
    require few:   n <= most  "at most {most} sticks, not {n}"
    require there: n <= heap  "{heap} sticks are left"
{
    heap -= n
    last = me
}

flow {
    cycle p clockwise from ana until heap is 0 {
        turn p { choose take or pass { last = none } }  # allow test::coverage: nobody ever passes
    }
    end
}

def won(p: Player) = if ruling.last_wins then last is p else last is not p and last is not none
score(p: Player) = if won(p) then 1 + bonus[p] else 0
winner(p: Player) by score(p) ties none
"#,
    ),
    ("nim.toml", "start = 5\nmost = 3\nbonus = [0, 1]\n\n[ruling]\nlast_wins = true\n"),
    (
        "examples/nim.ludex",
        r#"given four { heap = 4 }

example N1 "one to three sticks, & never more than <three>"
    given   four
    when    ana take 3
    then    heap is 1, heap < 3 and next is ben, moves is 2
    instead ana take 1; ben take 3
    then    over, winner is {ben}, score(ben) is 2

example N2 "no more than there are"
    given   { heap = 1 }
    when    ana take 2
    then    refused take.there, heap is 1 and last is none
    instead ana take 1
    then    over, all p in Player: score(p) < 2
"#,
    ),
];

/// Writes a small ruleset of its own, and gives its folder.
fn nim(case: &str) -> std::path::PathBuf {
    let folder = case_folder(case);
    for (file, text) in NIM {
        let path = folder.join(file);
        fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        fs::write(path, text).expect("a file");
    }
    folder
}

/// Runs `ludex test` on a small ruleset and pins what it writes.
fn test_nim(folder: &std::path::Path, step: &str, args: &[&str]) -> u8 {
    let path = folder.display().to_string();
    let (code, text) = run_in(folder, "nim", &[&["test", &path], args].concat());
    pin("terminal", step, "", &text);
    code
}

#[test]
fn coverage_mutants_and_failures_of_a_small_ruleset() {
    let folder = nim("nim");
    assert_eq!(test_nim(&folder, "nim-coverage", &["--coverage"]), 0);
    assert_eq!(test_nim(&folder, "nim-coverage-enough", &["--coverage=75"]), 0);
    assert_eq!(test_nim(&folder, "nim-coverage-below", &["--coverage=76", "--format", "junit"]), 1);
    assert_eq!(test_nim(&folder, "nim-mutants", &["--mutants"]), 0);
    fs::write(folder.join("nim.toml"), NIM[1].1.replace("most = 3", "most = 1").replace("[0, 1]", "[3, 3]"))
        .expect("a file");
    assert_eq!(test_nim(&folder, "nim-failing", &["--mutants"]), 1);
    assert_eq!(test_nim(&folder, "nim-failing-junit", &["--format", "junit"]), 1);
    assert_eq!(test_nim(&folder, "nim-failing-github", &["--format", "github"]), 1);
    // An exemption needs a reason, and something that it exempts.
    let rules = NIM[0].1.replace("  # allow test::coverage: nobody ever passes", "  # allow test::coverage");
    fs::write(
        folder.join("nim.ludex"),
        rules.replace("    last: Player?", "    last: Player?  # allow test::coverage: x"),
    )
    .expect("a file");
    let (code, text) = run_in(&folder, "nim", &["check", &folder.display().to_string(), "--format", "plain"]);
    assert!(code == 0 && text.contains("gives no reason"), "{text}");
    let (_, text) = run_in(&folder, "nim", &["test", &folder.display().to_string(), "--coverage"]);
    assert!(text.contains("this exempts nothing") && text.contains("never shown: flow `choose take`"), "{text}");
}

#[test]
fn outcomes_are_recorded_compared_and_accepted() {
    let folder = nim("nim-accept");
    let record = folder.join("examples/nim.outcomes");
    assert_eq!(test_nim(&folder, "nim-accept-1-first", &["--accept"]), 0);
    let first = fs::read_to_string(&record).expect("a record");
    assert_eq!(test_nim(&folder, "nim-accept-2-same", &[]), 0);
    // More entries are possible now, which no condition of the second example asks about.
    let examples =
        NIM[2].1.replace("heap = 1", "heap = 2").replace("refused take.there, heap is 1 and last is none", "over");
    fs::write(folder.join("examples/nim.ludex"), examples).expect("a file");
    assert_eq!(test_nim(&folder, "nim-accept-3-changed", &["--only", "N2"]), 1);
    assert_eq!(test_nim(&folder, "nim-accept-4-json", &["--format", "json"]), 1);
    assert_eq!(fs::read_to_string(&record).expect("a record"), first, "nothing is written unasked");
    fs::write(&record, first.replace("4 moves", "9 moves")).expect("a record");
    test_nim(&folder, "nim-accept-5-only", &["--accept", "--only", "N2"]);
    let kept = fs::read_to_string(&record).expect("a record");
    assert!(kept.contains("9 moves"), "what was not played is kept: {kept}");
    test_nim(&folder, "nim-accept-6-all", &["--accept"]);
    assert!(!fs::read_to_string(&record).expect("a record").contains("9 moves"));
    let left: Vec<_> = fs::read_dir(folder.join("examples")).expect("the folder").collect();
    assert_eq!(left.len(), 2, "nothing is left behind");
    let edition = format!("{}:french", folder.display());
    let (code, text) = run_in(&folder, "nim", &["test", &edition, "--accept"]);
    assert!(code == 2 && text.contains("as it stands"), "{text}");
}

/// What is typed in a conversation, line by line.
const TALKS: &[(&str, &[&str], &str)] = &[
    // Everything that can be typed, and a game to its end.
    (
        "play-talk",
        &["tictactoe", "--seed", "3"],
        "help\nundo\nplace b2\nplace b2\nplace d4\nplcae a1\ncross place a1\nnought -> a1\npass\n99\n0\n\n1\nundo\nhint\nboard\nmoves\n1\nplace a2\nplace c1\n place   c2 \n",
    ),
    // An agent answers; taking back takes its move back too.
    ("play-agent", &["nim", "--seed", "4", "--bot", "2=random"], "take 2 from 1\nundo\ntake 2 from 1\nquit\n"),
    // One that thinks: three in a row are prevented, and thought over again after a move is taken back.
    (
        "play-mcts",
        &["tictactoe", "--seed", "2", "--bot", "nought=mcts:300"],
        "place a1\nplace b1\nundo\nplace b1\nquit\n",
    ),
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

/// A result without what is different each time it is measured.
fn without_times(text: &str) -> String {
    let kept = text.lines().filter(|line| !line.contains("of CPU time"));
    kept.map(|line| line.split(", rules ").next().unwrap_or(line).to_owned() + "\n").collect()
}

#[test]
fn simulations_tell_the_same_whoever_plays() {
    let args = ["simulate", "nim", "--games", "30", "--seed", "5", "--agent", "random", "--agent", "2=random"];
    let (code, one, _) = run(&[&args[..], &["--jobs", "1"]].concat());
    let (_, three, _) = run(&[&args[..], &["--jobs", "3"]].concat());
    assert_eq!(code, 0);
    assert_eq!(without_times(&one), without_times(&three));
    pin("terminal", "simulate", &format!("ludex {}", args.join(" ")), &without_times(&one));
    let (_, json, _) = run(&[&args[..], &["--format", "json"]].concat());
    let object: serde_json::Value = serde_json::from_str(&json).expect("one object");
    assert_eq!((&object["kind"], &object["games"], &object["seed"]), (&"simulation".into(), &30.into(), &"5".into()));
    for field in ["cpu_seconds", "playouts_per_second", "entries_per_second"] {
        assert!(object[field].as_f64().is_some_and(|value| value > 0.0), "{field}: {json}");
    }
    let wins: u64 = object["seats"].as_array().expect("seats").iter().filter_map(|seat| seat["wins"].as_u64()).sum();
    assert_eq!(wins, 30, "somebody takes the last piece");
    let (code, _, diagnostics) = run(&["simulate", "reversi", "--games", "2", "--most-entries", "3"]);
    assert!(code == 0 && diagnostics.contains("2 games were not over after 3 entries"), "{diagnostics}");
}

#[test]
fn logs_of_simulations_can_be_played_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let logs = folder.path().join("new/logs");
    let path = logs.display().to_string();
    let args = ["simulate", "maya", "--games", "3", "--seed", "1", "--players", "3", "--logs", &path];
    let (code, _, diagnostics) = run(&args);
    assert_eq!((code, diagnostics.as_str()), (0, ""));
    let mut texts = Vec::new();
    for number in 1..=3 {
        let file = logs.join(format!("maya-{number:04}.log"));
        texts.push(fs::read_to_string(&file).expect("a log"));
        assert!(texts.iter().all(|text| text.contains("winner ")), "{texts:?}");
        // Every entry is legal, and the result right.
        let (code, _, diagnostics) = run(&["moves", &file.display().to_string()]);
        assert_eq!((code, diagnostics.as_str()), (0, "the game is over\n"));
    }
    assert_eq!(fs::read_dir(&logs).expect("the folder").count(), 3, "nothing is left behind");
    fs::write(logs.join("maya-0002.log"), "mine").expect("a file");
    fs::remove_file(logs.join("maya-0001.log")).expect("a file");
    let (code, _, diagnostics) = run(&args);
    assert!(code == 2 && diagnostics.contains("maya-0002.log` is there already"), "{diagnostics}");
    assert!(!logs.join("maya-0001.log").exists(), "refused before anything runs");
    let (code, _, _) = run(&[&args[..], &["--force", "--jobs", "2"]].concat());
    assert_eq!(code, 0);
    let again: Vec<String> =
        (1..=3).map(|number| fs::read_to_string(logs.join(format!("maya-{number:04}.log"))).expect("a log")).collect();
    assert_eq!(again, texts, "the same seed, the same games");
}

#[test]
fn a_broken_invariant_is_told_with_its_game() {
    let folder = nim("nim-invariant");
    let rules = format!("{}\ninvariant plenty: heap is not 2\n    \"two sticks are never left\"\n", NIM[0].1);
    fs::write(folder.join("nim.ludex"), rules).expect("a file");
    let path = folder.display().to_string();
    let args = ["simulate", &path, "--games", "50", "--seed", "1", "--check-invariants"];
    let (code, text) = run_in(&folder, "nim", &args);
    assert_eq!(code, 1, "{text}");
    assert!(text.contains("invariant `plenty`") && text.contains("does not hold after entry"), "{text}");
    // What is told is a log.
    let (_, results, _) = run(&args);
    let log = folder.join("broken.log");
    fs::write(&log, &results).expect("a file");
    let (code, _, diagnostics) = run(&["moves", &log.display().to_string(), "--rules", &path]);
    assert_eq!((code, diagnostics.as_str()), (0, ""), "{results}");
    let (code, results, _) = run(&[&args[..], &["--format", "json"]].concat());
    let object: serde_json::Value = serde_json::from_str(&results).expect("one object");
    assert_eq!((code, &object["kind"], &object["invariant"]), (1, &"violation".into(), &"plenty".into()));
    // Of five sticks, three are taken at once.
    let shortest = &object["shortest"];
    assert_eq!((&shortest["entries"], &shortest["proof"]), (&1.into(), &"shortest".into()), "{shortest}");
    assert!(shortest["log"].as_str().is_some_and(|log| log.ends_with("\n\nana take 3\n")), "{shortest}");
    let (code, _, _) = run(&args[..6]);
    assert_eq!(code, 0, "invariants are asked only if wanted");
}

/// Writes a log of a small ruleset and asks for its scores.
fn score_nim(folder: &std::path::Path, step: &str, log: &str, args: &[&str]) -> u8 {
    let file = folder.join("game.log");
    let rules = folder.join("nim.ludex").display().to_string();
    fs::write(&file, format!("game nim\nplayers ana, ben\n\n{log}")).expect("a log");
    let score = ["score", &file.display().to_string(), "--rules", &rules];
    let (code, text) = run_in(folder, "nim", &[&score, args].concat());
    pin("terminal", step, "", &text);
    code
}

#[test]
fn scores_of_games_that_are_not_over_wrong_or_refused() {
    let folder = nim("nim-score");
    assert_eq!(score_nim(&folder, "score-open", "ana take 3\n", &[]), 0);
    assert_eq!(score_nim(&folder, "score-open-why", "ana take 3\n", &["--why", "ben"]), 0);
    let whole = "ana take 3\nben take 2\n\n";
    assert_eq!(score_nim(&folder, "score-right", &format!("{whole}result ana 0, ben 2\nwinner ben\n"), &[]), 0);
    let wrong = format!("{whole}result ana 1, ben 2\nwinner ana\n");
    assert_eq!(score_nim(&folder, "score-wrong", &wrong, &[]), 1);
    assert_eq!(score_nim(&folder, "score-wrong-why", &wrong, &["--why", "ben", "--format", "plain"]), 1);
    assert_eq!(score_nim(&folder, "score-refused", "ana take 3\nana take 1\n", &[]), 1);
    assert_eq!(score_nim(&folder, "score-unreadable", "ana grab 3\n", &[]), 2);
}

#[test]
fn what_a_seat_knows_can_be_read_again() {
    let folder = case_folder("known");
    let rules = "game notes \"Notes\"\nplayers 2: ana, ben\nstate { note[Player]: 0..9 = 0 seen by owner\n    \
                 deck: set of 1..4 = {1, 2, 3, 4} seen by nobody }\n\
                 action write(at: 1..2, what: 1..9, more: 1..3?) \"Write\" { note[me] = what + at + (more or 0) }\n\
                 flow { for p in Player { draw card from deck seen by p\n    turn p { choose write } } reveal note; end }\n\
                 score(p: Player) = note[p]\nwinner(p: Player) by score(p) ties share\n";
    fs::write(folder.join("notes.ludex"), rules).expect("a file");
    let log = folder.join("game.log");
    let name = folder.join("notes.ludex").display().to_string();
    let entries = "card = 3\nana write 1 what 5\ncard = 2\nben write 2 what 4 more 1\n";
    fs::write(&log, format!("game notes\nplayers ana, ben\nseed 7\n\n{entries}")).expect("a log");
    let path = log.display().to_string();
    let (code, results, diagnostics) = run(&["replay", &path, "--rules", &name, "--as", "ben", "--log"]);
    assert_eq!((code, diagnostics.as_str()), (0, ""));
    assert!(
        results.ends_with("\n\ncard = ?\nana write ? what ? more ?\ncard = 2\nben write 2 what 4 more 1\n"),
        "{results}"
    );
    assert!(!results.contains("seed"), "the seed would tell what chance gave: {results}");
    let wanted = crate::log::Wanted { rules: Some(&name), ..crate::log::Wanted::default() };
    let opened = crate::log::open_game("known.log", &results, None, wanted).expect("it can be read");
    assert_eq!(crate::log::write(&opened.log), results);
    // Everything is open to who has the log, and the first three entries are a log as well.
    let (_, results, _) = run(&["replay", &path, "--rules", &name, "--at", "3", "--log"]);
    assert!(results.ends_with("seed 7\n\ncard = 3\nana write 1 what 5\ncard = 2\n"), "{results}");
    // Points that are hidden are not told.
    let (_, results, _) = run(&["replay", &path, "--rules", &name, "--at", "3", "--as", "ben", "--format", "json"]);
    let object: serde_json::Value = serde_json::from_str(&results).expect("one object");
    assert_eq!(object["scores"], serde_json::json!([null, 0]), "{results}");
    assert_eq!((&object["state"]["note ana"], &object["state"]["note ben"]), (&"?".into(), &"0".into()), "{results}");
}

#[test]
fn one_bad_file_does_not_stop_the_rest() {
    let folder = case_folder("mixed");
    let good = "game nim\nplayers first, second\n\nfirst take 3 from 1\nsecond take 4 from 2\nfirst take 5 from 3\n";
    for nth in 0..40 {
        fs::write(folder.join(format!("good{nth:02}.log")), good).expect("a log");
    }
    fs::write(folder.join("binary.log"), [0, 159, 146, 150]).expect("no log");
    fs::write(folder.join("cut.log.gz"), [0x1f, 0x8b, 8, 0]).expect("no log");
    fs::write(folder.join("head.log"), "players a, b\n").expect("no log");
    fs::write(folder.join("hash.log"), good.replace("players", "rules 0123456789abcdef\nplayers")).expect("a log");
    fs::write(folder.join("illegal.log"), good.replace("second take", "first take")).expect("a log");
    let (code, text) = run_in(&folder, "logs", &["validate", &folder.display().to_string(), "--format", "plain"]);
    assert_eq!(code, 2, "no verdict is worse than a negative one");
    pin("terminal", "validate-mixed", "", &text);
    let path = folder.join("hash.log").display().to_string();
    assert_eq!((run(&["validate", &path]).0, run(&["validate", &path, "--deny-warnings"]).0), (0, 1));
}

#[test]
fn packed_logs_are_played_like_others() {
    let folder = case_folder("packed");
    let text = fs::read(root().join(LOG)).expect("a log");
    let file = folder.join("game.log.gz");
    let mut packed =
        flate2::write::GzEncoder::new(fs::File::create(&file).expect("a file"), flate2::Compression::fast());
    std::io::Write::write_all(&mut packed, &text).expect("packed");
    packed.finish().expect("packed");
    let (file, plain) = (file.display().to_string(), root().join(LOG).display().to_string());
    for args in [["moves", "--at"], ["replay", "--at"]] {
        let both = [&file, &plain].map(|log| run(&[args[0], log, args[1], "3"]));
        assert_eq!(both[0], both[1], "{args:?}");
        assert_eq!(both[0].0, 0);
    }
}

/// Logs of small games: what each is there for stands in its name.
const ARCHIVE: &[(&str, &str)] = &[
    (
        "forgotten.log",
        "game nim\nplayers first, second\n\nfirst take 3 from 1\nsecond take 4 from 2\nfirst take 5 from 3\n\nresult first 0, second 1\nwinner second\n",
    ),
    (
        "good.log",
        "game nim\nplayers first, second\n\nfirst take 3 from 1\nsecond take 4 from 2\nfirst take 5 from 3\n\nresult first 1, second 0\nwinner first\n",
    ),
    (
        "slip.log",
        "game nim\nplayers first, second\n\nfirst take 1 from 3\nsecond take 1 from 1\nfirst take 1 from 3\nsecond take 1 from 1\nfirst take 2 from 1\nsecond take 1 from 2\n",
    ),
    (
        "two.log",
        "game nim\nplayers first, second\n\nfirst take 1 from 1\n\ngame nim\nplayers first, second\n\nfirst take 1 from 1\nfirst take 1 from 1\n",
    ),
];

fn archive(case: &str) -> std::path::PathBuf {
    let folder = case_folder(case);
    for (file, text) in ARCHIVE {
        fs::write(folder.join(file), text).expect("a log");
    }
    folder
}

/// Runs a command on logs of a folder, and pins what it writes.
fn pin_in(folder: &std::path::Path, name: &str, args: &[&str]) -> u8 {
    let shown = folder.display().to_string();
    let args: Vec<String> = args.iter().map(|arg| arg.replace("DIR", &shown)).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let (code, text) = run_in(folder, "logs", &args);
    pin("terminal", name, "", &text);
    code
}

#[test]
fn rules_that_fit_a_log_are_named() {
    let folder = archive("which");
    let which = |name: &str, args: &[&str]| pin_in(&folder, name, &[&["validate", "--which"], args].concat());
    assert_eq!(which("which", &["DIR/good.log", "DIR/forgotten.log", "DIR/two.log"]), 1);
    assert_eq!(which("which-none", &["DIR/slip.log"]), 1);
    assert_eq!(which("which-plain", &["DIR/forgotten.log", "DIR/slip.log", "--format", "plain"]), 1);
    assert_eq!(which("which-json", &["DIR/forgotten.log", "DIR/slip.log", "--format", "json"]), 1);
    assert_eq!(which("which-missing", &["DIR/nowhere.log"]), 2);
    assert_eq!(which("which-other-game", &["DIR/good.log", "--rules", "hex"]), 1);
    assert_eq!(which("which-unknown-rules", &["DIR/good.log", "--rules", "hexx"]), 2);
    assert_eq!(which("which-sarif", &["DIR/good.log", "--format", "sarif"]), 2);
    fs::write(folder.join("empty.log"), "game tikal:romanian\nplayers ana, ben\n").expect("a log");
    assert_eq!(which("which-editions", &["DIR/empty.log"]), 0);
    // How many threads there are changes nothing.
    let log = folder.join("empty.log").display().to_string();
    let one = run(&["validate", "--which", &log, "--jobs", "1"]);
    assert_eq!(one, run(&["validate", "--which", &log, "--jobs", "3"]));
}

#[test]
fn what_a_change_does_to_an_archive_is_told() {
    let folder = archive("impact");
    let impact = |name: &str, args: &[&str]| pin_in(&folder, name, &[&["impact"], args].concat());
    assert_eq!(impact("impact", &["nim", "nim", "--set", "option.last=loses", "DIR"]), 1);
    assert_eq!(impact("impact-none", &["nim", "nim", "DIR"]), 0);
    assert_eq!(impact("impact-plain", &["nim", "nim", "--set", "option.last=loses", "DIR", "--format", "plain"]), 1);
    assert_eq!(impact("impact-json", &["nim", "nim", "--set", "option.last=loses", "DIR", "--format", "json"]), 1);
    assert_eq!(impact("impact-unknown", &["nim", "nym", "DIR"]), 2);
    assert_eq!(impact("impact-set", &["nim", "nim", "--set", "heap.mots=3", "DIR"]), 2);
    assert_eq!(impact("impact-missing", &["nim", "nim", "DIR/nowhere.log"]), 2);
    assert_eq!(impact("impact-other-game", &["hex", "hex", "DIR/good.log"]), 2);
    fs::write(folder.join("less.toml"), "heap.size = [3, 4, 4]\n").expect("numbers");
    let overlay = format!("{}/less.toml", folder.display());
    assert_eq!(impact("impact-overlay", &["nim", "nim", "--overlay", &overlay, "DIR"]), 1);
    let path = folder.display().to_string();
    let args = ["impact", "nim", "nim", "--set", "option.last=loses", &path, "--format", "json", "--jobs"];
    assert_eq!(run(&[&args[..], &["1"]].concat()), run(&[&args[..], &["3"]].concat()));
}

#[test]
fn a_log_is_shrunk_to_its_fault() {
    let folder = archive("shrink");
    let shrink = |name: &str, args: &[&str]| pin_in(&folder, name, &[&["shrink"], args].concat());
    assert_eq!(shrink("shrink", &["DIR/slip.log"]), 0);
    assert_eq!(shrink("shrink-unsearched", &["DIR/slip.log", "--most-positions", "0"]), 0);
    assert_eq!(shrink("shrink-json", &["DIR/slip.log", "--format", "json"]), 0);
    assert_eq!(shrink("shrink-legal", &["DIR/good.log"]), 1);
    assert_eq!(shrink("shrink-legal-json", &["DIR/good.log", "--format", "json"]), 1);
    assert_eq!(shrink("shrink-several", &["DIR/two.log"]), 2);
    assert_eq!(shrink("shrink-second", &["DIR/two.log", "--game", "2"]), 0);
    assert_eq!(shrink("shrink-no-game", &["DIR/two.log", "--game", "3"]), 2);
    assert_eq!(shrink("shrink-missing", &["DIR/nowhere.log"]), 2);
    assert_eq!(shrink("shrink-folder", &["DIR"]), 2);
    fs::write(folder.join("unknown.log"), "game nym\nplayers a, b\n").expect("a log");
    assert_eq!(shrink("shrink-unknown", &["DIR/unknown.log"]), 2);
    // What comes out has the same verdict, and cannot be made shorter.
    let (_, small, _) = run(&["shrink", &folder.join("slip.log").display().to_string()]);
    let file = folder.join("small.log").display().to_string();
    fs::write(&file, &small).expect("a log");
    let (code, results, _) = run(&["validate", &file]);
    assert!(code == 1 && results.contains("requirement take.enough"), "{results}");
    assert_eq!(run(&["shrink", &file]).1, small);
}

#[test]
fn witnesses_are_logs_that_one_ruleset_takes_and_the_other_does_not() {
    let folder = case_folder("witnesses");
    let found = folder.join("found").display().to_string();
    let (old, new) = (root().join(OLD).display().to_string(), root().join(NEW).display().to_string());
    let diff = ["diff", &old, &new, "--games", "10", "--witnesses", &found];
    assert_eq!(run(&diff).0, 1);
    let files: Vec<_> = fs::read_dir(&found).expect("the folder").flatten().map(|entry| entry.path()).collect();
    assert!(files.len() >= 5, "{files:?}");
    for file in files {
        let path = file.display().to_string();
        let legal_by = |rules: &str| run(&["validate", &path, "--rules", rules]).0 == 0;
        let newly_legal = path.contains("newly-legal");
        assert_eq!((legal_by(&old), legal_by(&new)), (!newly_legal, newly_legal), "{path}");
        let text = fs::read_to_string(&file).expect("a log");
        let (_, results, _) = run(&["validate", &path, "--rules", &old, "--format", "json"]);
        let object: serde_json::Value = serde_json::from_str(results.lines().next().expect("a verdict")).expect("JSON");
        let verdict = object["verdict"].as_str().expect("a verdict");
        assert!(text.contains(&format!("expect {verdict}")), "{text}\n{results}");
    }
    // What is there is not written over unasked.
    let (code, _, diagnostics) = run(&diff);
    assert!(code == 2 && diagnostics.contains("is there already"), "{diagnostics}");
    assert_eq!(run(&[&diff[..], &["--force"]].concat()).0, 1);
    // How many threads there are changes nothing.
    let plain = [&diff[..5], &["--format", "json", "--jobs"]].concat();
    assert_eq!(run(&[&plain[..], &["1"]].concat()), run(&[&plain[..], &["3"]].concat()));
}

#[test]
fn a_broken_invariant_fails_an_example_and_a_log() {
    let folder = nim("nim-test-invariant");
    let rules = format!("{}\ninvariant plenty: heap is not 1\n    \"one stick is never left\"\n", NIM[0].1);
    fs::write(folder.join("nim.ludex"), rules).expect("a file");
    let path = folder.display().to_string();
    let (code, text) = run_in(&folder, "nim", &["test", &path]);
    pin("terminal", "test-invariant", "", &text);
    assert_eq!(code, 1, "{text}");
    fs::create_dir_all(folder.join("logs")).expect("a folder");
    fs::write(
        folder.join("logs/two.log"),
        "game nim\nplayers ana, ben\n\nana take 1\nben take 1\nana take 1\nben take 1\n",
    )
    .expect("a log");
    let (code, text) = run_in(&folder, "nim", &["test", &path, "--only", "two"]);
    pin("terminal", "test-invariant-log", "", &text);
    assert_eq!(code, 1, "{text}");
    fs::write(
        folder.join("examples/whole.ludex"),
        "example \"stick by stick\"\n    given { players ana, ben }\n    when  ana take 1; ben take 1; ana take 1; ben take 1\n    then  not over\n",
    )
    .expect("an example");
    let (code, text) = run_in(&folder, "nim", &["test", &path, "--only", "stick by stick"]);
    pin("terminal", "test-invariant-whole", "", &text);
    assert_eq!(code, 1, "{text}");
}
