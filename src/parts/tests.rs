use super::{Use, changed_for, cut, named_changes, uses};
use crate::bind::{self, Choice};
use crate::load::{Loaded, Request, load};
use crate::report::Span;
use crate::testing::{case_folder, run};

fn loaded(ruleset: &str) -> Loaded {
    load(&Request { ruleset: ruleset.to_owned(), ..Request::default() })
}

fn used(ruleset: &str, key: &str) -> Vec<String> {
    let loaded = loaded(ruleset);
    let items = bind::effective(&loaded.layers, &mut Vec::new());
    let choice = Choice { players: None, numbers: &loaded.numbers };
    let bound = bind::bind(&items, &[], choice, &mut Vec::new());
    let number = bound.numbers.iter().find(|number| number.path == key).expect("a number");
    let shown = |used: &Use| {
        let through: String = used.through.iter().map(|name| format!(" < {name}")).collect();
        format!("{} {}{through}", used.part.kind, used.part.name)
    };
    uses(&bound, &items, number).iter().map(shown).collect()
}

#[test]
fn what_uses_a_number_is_found_through_what_uses_it() {
    assert_eq!(used("tikal", "cost.camp"), ["cost camp"]);
    let sizes = used("nim", "heap.size");
    assert!(sizes.contains(&"invariant shrinking".to_owned()), "{sizes:?}");
    // What a state holds at first is handed on; what it may hold at most is not.
    assert!(sizes.iter().any(|line| line.ends_with("< pieces")), "{sizes:?}");
}

#[test]
fn every_part_has_its_own_name_and_text() {
    for name in ["tikal", "tikal:professional", "maya", "indus:combinations", "nim"] {
        let loaded = loaded(name);
        let parts = cut(&bind::effective(&loaded.layers, &mut Vec::new()));
        for part in &parts {
            let same = parts.iter().filter(|other| (other.kind, &other.name) == (part.kind, &part.name)).count();
            assert_eq!(same, 1, "{name}: {} {}", part.kind, part.name);
            assert!(!part.meaning.is_empty() && !part.lines(&loaded.sources).is_empty(), "{name}: {part:?}");
        }
    }
}

#[test]
fn comments_and_layout_are_no_part_of_a_line() {
    assert_eq!(super::without_comment("a is \"#1\"  # so"), "a is \"#1\"  ");
    assert_eq!(super::without_comment("\"\\\"#\" # \"x\""), "\"\\\"#\" ");
}

/// Takes too much from a heap before anybody is asked, if the numbers are changed so.
const TAKES_TOO_MUCH: &str = "\
game case \"A case\"
players 2
numbers { start.heap: 0..9; take.first: 0..9; prize: 0..9; most: 1..20; idle: 0..9 }
table Card { weight: 0..9 }
state { heap: 0..most = start.heap; spare: 0..9 = idle }
action take(n: 1..2)
    \"Take some\"
{
    spare = 0
}
flow {
    open
    turn seat(1) { choose take }
    end
}
phase open { heap -= take.first + red.weight }
score(p: Player) = prize + spare
winner(p: Player) by score(p) ties share
";

const ITS_NUMBERS: &str =
    "prize = 1\nidle = 2\nmost = 9\n[start]\nheap = 5\n[take]\nfirst = 3\n[card]\nred = { weight = 1 }\n";

const ITS_EXAMPLE: &str = "example \"one\"\n    given { players ana, ben }\n    then moves is 2\n";

#[test]
fn a_runtime_error_names_the_changed_numbers_and_their_ranges() {
    let folder = case_folder("changed");
    let path = folder.display().to_string();
    std::fs::create_dir_all(folder.join("examples")).expect("a folder");
    std::fs::write(folder.join("case.ludex"), TAKES_TOO_MUCH).expect("rules");
    std::fs::write(folder.join("case.toml"), ITS_NUMBERS).expect("numbers");
    std::fs::write(folder.join("examples/one.ludex"), ITS_EXAMPLE).expect("an example");
    std::fs::write(folder.join("over.toml"), "[take]\nfirst = 7\n").expect("an overlay");
    let over = folder.join("over.toml").display().to_string();
    let log = folder.join("one.log");
    std::fs::write(&log, "game case\nplayers seat1, seat2\nset take.first = 6\n\nseat1 take 1\n").expect("a log");
    let log = log.display().to_string();
    let first = "`take.first` is set to 9 (range 0..9)";
    for (args, named) in [
        (vec!["moves", &path, "--set", "take.first=9"], first),
        (vec!["simulate", &path, "--games", "2", "--set", "take.first=9"], first),
        (vec!["simulate", &path, "--games", "2", "--versus", "take.first=9"], first),
        (vec!["perft", &path, "--depth", "1", "--set", "take.first=9"], first),
        (vec!["play", &path, "--set", "take.first=9"], first),
        (vec!["test", &path, "--set", "take.first=9"], first),
        // What the failing rule does not depend on is left out; the element of a table has a range as well.
        (vec!["moves", &path, "--set", "prize=9", "--set", "take.first=9"], first),
        (vec!["moves", &path, "--set", "card.red.weight=9"], "`card.red.weight` is set to 9 (range 0..9)"),
        (vec!["moves", &path, "--set", "start.heap=0"], "`start.heap` is set to 0 (range 0..9)"),
        (vec!["moves", &path, "--overlay", &over], "`take.first` is set to 7 (range 0..9)"),
        (vec!["validate", &log, "--rules", &path], "`take.first` is set to 6 (range 0..9)"),
    ] {
        let (code, results, diagnostics) = run(&args);
        let shown = format!("{results}{diagnostics}").split_whitespace().collect::<Vec<_>>().join(" ");
        // A long line of help is broken, and has a margin.
        let shown = shown.replace(" │ ", " ");
        assert!(code != 0 && shown.contains(named), "{args:?}: {code}\n{shown}");
        assert!(!shown.contains("`prize`"), "{args:?}: {shown}");
    }
    // With nothing changed there is nothing to name.
    let (code, _, diagnostics) = run(&["moves", &path]);
    assert_eq!(code, 0, "{diagnostics}");
}

#[test]
fn numbers_that_cannot_be_tied_to_a_rule_are_all_named() {
    let folder = case_folder("changed-all");
    std::fs::write(folder.join("case.ludex"), TAKES_TOO_MUCH).expect("rules");
    std::fs::write(folder.join("case.toml"), ITS_NUMBERS).expect("numbers");
    let settings = ["prize=3", "idle=4", "most=8"].map(str::to_owned).to_vec();
    let loaded = load(&Request { ruleset: folder.display().to_string(), settings, ..Request::default() });
    let items = bind::effective(&loaded.layers, &mut Vec::new());
    let choice = Choice { players: None, numbers: &loaded.numbers };
    let bound = bind::bind(&items, &[], choice, &mut Vec::new());
    let phase = bound.phases.first().expect("a phase").span;
    let keys = |at| changed_for(&loaded, &bound, at).into_iter().map(|changed| changed.key).collect::<Vec<_>>();
    // The range of a state that the rule writes ties a number to it.
    assert_eq!(keys(phase), ["most"]);
    assert_eq!(keys(Span::default()), ["prize", "idle", "most"]);
    let all = changed_for(&loaded, &bound, Span::default());
    let said = named_changes(&[all.clone(), all].concat()).expect("changes");
    assert!(said.ends_with("`idle` is set to 4 (range 0..9); and 1 more is set"), "{said}");
    assert_eq!(named_changes(&[]), None);
}
