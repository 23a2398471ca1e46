//! Limits, from both sides: what is just within is accepted, what is beyond is refused with the code and the limit. And
//! `src/testing/hungry/*.ludex`: rulesets that ask for work without end; every command ends with a verdict or an error.

use std::fs;

use super::{root, run};
use crate::limits;

/// Files of a ruleset, by their names.
type Files = Vec<(String, String)>;

/// A limit, with what lies just within it, and what beyond.
struct Case {
    limit: &'static str,
    /// The command, and what follows the ruleset.
    command: &'static str,
    rest: &'static [&'static str],
    within: Files,
    beyond: Files,
    /// What is said about the second.
    said: String,
}

impl Case {
    /// Rules that are checked.
    fn check(limit: &'static str, within: &str, beyond: &str, said: impl Into<String>) -> Self {
        Self::by("check", &[], limit, rules(within), rules(beyond), said)
    }

    fn by(
        command: &'static str,
        rest: &'static [&'static str],
        limit: &'static str,
        within: Files,
        beyond: Files,
        said: impl Into<String>,
    ) -> Self {
        Self { limit, command, rest, within, beyond, said: said.into() }
    }

    fn run(&self, files: &Files) -> (u8, String) {
        let folder = tempfile::tempdir().expect("a temporary folder");
        for (name, text) in files {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            fs::write(path, text).expect("a file");
        }
        let path = folder.path().join("case.ludex").display().to_string();
        let (code, results, diagnostics) = run(&[&[self.command, &path], self.rest].concat());
        (code, results + &diagnostics)
    }
}

/// A game that does nothing, with this.
fn game(body: &str) -> String {
    format!(
        "game case \"A case\"\nplayers 2\n{body}\nflow {{ end }}\nscore(p: Player) = 1\nwinner(p: Player) by score(p)\n"
    )
}

fn rules(body: &str) -> Files {
    vec![file("case.ludex", game(body))]
}

fn file(name: impl Into<String>, text: impl Into<String>) -> (String, String) {
    (name.into(), text.into())
}

/// A text of exactly so many bytes: what follows is a comment.
fn padded(text: &str, bytes: usize) -> String {
    format!("{text}#{}\n", "x".repeat(bytes - text.len() - 2))
}

/// Rules with so many files of examples.
fn with_examples(count: usize) -> Files {
    let examples = (0..count).map(|nth| file(format!("examples/e{nth}.ludex"), "# nothing\n"));
    rules("").into_iter().chain(examples).collect()
}

/// A ruleset of exactly so many bytes.
fn of_bytes(bytes: usize) -> Files {
    let most = usize::try_from(limits::RULESET_FILE_BYTES).expect("a length");
    let mut files = rules("");
    let mut left = bytes - files[0].1.len();
    while left > 0 {
        let next = if left > most && left < most + 2 { most - 2 } else { left.min(most) };
        files.push(file(format!("examples/e{}.ludex", files.len()), padded("", next)));
        left -= next;
    }
    files
}

/// A ruleset of so many items.
fn of_items(items: usize) -> Files {
    let examples: String = (5..items).map(|nth| format!("example \"e{nth}\"\n    then over\n")).collect();
    vec![rules("").remove(0), file("examples/e.ludex", examples)]
}

/// A graph in which all places are joined.
fn joined(places: usize) -> Files {
    let names: Vec<String> = (0..places).map(|at| format!("p{at}")).collect();
    let row = |name: &String| {
        let others: Vec<String> =
            names.iter().filter(|other| *other != name).map(|other| format!("\"{other}\"")).collect();
        format!("{name} = [{}]\n", others.join(","))
    };
    let roads: String = names.iter().map(row).collect();
    vec![rules("board City = graph roads").remove(0), file("case.toml", format!("[roads]\n{roads}"))]
}

/// Definitions that use each other in a row.
fn chain(length: usize) -> String {
    let links: String = (1..length).map(|nth| format!("def a{nth} = a{} + 1\n", nth - 1)).collect();
    format!("def a0 = 1\n{links}invariant i: a{} > 0 \"i\"", length - 1)
}

/// The neighbours of each cell of so many boards: tables hold them all.
fn boards(count: usize) -> String {
    let board = |nth: usize| {
        let cells = format!("any a in B{nth}, c in neighbours(a): ordinal(a) > ordinal(c) + 9999");
        format!("board B{nth} = square 64 x 64\ninvariant i{nth}: {cells} \"i\"\n")
    };
    (0..count).map(board).collect()
}

/// A matching of so many with as many others.
fn partners(count: u64) -> String {
    format!("state {{ n: 0..9 = 0 }}\ninvariant i: pairing x in 1..{count}, y in 1..{count}: x + y > n \"i\"")
}

/// So many rulings, each with a rule of many parts.
fn rulings(count: usize) -> Files {
    let sum = "x + ".repeat(60);
    let ruling = |nth: usize| {
        format!("ruling r{nth}: 1..13 \"q\" \"r\"\ninvariant i{nth}: (sum x in 1..9: {sum}ruling.r{nth}) > 0 \"i\"\n")
    };
    let numbers: String = (0..count).map(|nth| format!("r{nth} = 1\n")).collect();
    let text: String = (0..count).map(ruling).collect();
    vec![rules(&text).remove(0), file("case.toml", format!("[ruling]\n{numbers}"))]
}

/// A flow that plays a phase of a hundred assignments so often.
fn phases(times: usize) -> Files {
    let hundred = "one ".repeat(100);
    let text = game(&format!("state {{ n: 0..9 = 0 }}\nphase one {{ n = 1 }}\nphase hundred {{ {hundred} }}"));
    vec![file("case.ludex", text.replace("flow { end }", &format!("flow {{ {} end }}", "hundred ".repeat(times))))]
}

/// A game in which one move goes through so many pairs of numbers.
fn loops(side: u64) -> Files {
    playing(&format!("{{ n = 0  for i in 1..{side}, j in 1..{side} {{ if i + j + n is 3 {{ n = 1 }} }} }}"))
}

/// A game in which a move does this.
fn playing(effect: &str) -> Files {
    let rules = format!(
        "game case \"A case\"\nplayers 2\nstate {{ n: 0..1099511627776 = 0 }}\naction go {effect}\nflow {{ turn seat(1) {{ choose go }} end }}\nscore(p: Player) = n\nwinner(p: Player) by score(p)\nexample \"goes\"\n    when seat1 go\n    then over\n"
    );
    vec![file("case.ludex", rules)]
}

/// A game with so many moves for each of so many.
fn moves(side: u64) -> Files {
    let mut files = playing("{ }");
    files[0].1 = files[0].1.replace("action go", &format!("action go(a: 1..{side}, b: 1..{side})"));
    files[0].1 = files[0].1.replace("seat1 go", "seat1 go 1 1");
    files
}

/// A game whose flow goes round so often before anybody is asked.
fn rounds(rounds: u32) -> Files {
    let rules = format!(
        "game case \"A case\"\nplayers 2\nstate {{ n: 0..99999 = 0 }}\naction go {{ }}\naction never require no: n > 99998 \"no\" {{ }}\nflow {{ repeat until n is {rounds} {{ turn seat(1) {{ choose never else {{ n += 1 }} }} }} turn seat(1) {{ choose go }} end }}\nscore(p: Player) = n\nwinner(p: Player) by score(p)\nexample \"goes\"\n    when seat1 go\n    then over\n"
    );
    vec![file("case.ludex", rules)]
}

fn cases() -> Vec<Case> {
    let bytes = usize::try_from(limits::RULESET_FILE_BYTES).expect("a length");
    let long = |bytes: usize| vec![file("case.ludex", padded(&game(""), bytes))];
    let nested = |depth: usize| format!("invariant i: {}1 > 0 \"i\"", "1 + ".repeat(depth));
    let range = |high: i64| format!("state {{ n: 0..{high} = 0 }}\ninvariant i: n is 0 \"i\"");
    let product = |high: i64| format!("state {{ n: 0..{high} = 0 }}\ninvariant j: n * {} >= 0 \"j\"", limits::NUMBER);
    let fixed = |rows: usize| playing(&format!("{{ for i in 1..{rows} where i > n {{ n = i }} }}"));
    let set = |members: u64| format!("state {{ s: set of 1..{members} }}\ninvariant i: s is {{}} \"i\"");
    let sets = |count: u64| format!("state {{ s[1..{count}]: set of 1..4096 }}\ninvariant i: s[1] is {{}} \"i\"");
    let lists = |depth: usize| {
        let types: String = (1..=depth).map(|nth| format!("type A{nth} = list 1 of A{}\n", nth - 1)).collect();
        format!("type A0 = x | y\n{types}")
    };
    // Elements count over all numbers.
    let half = limits::ELEMENTS / 2;
    let prizes = |most: u64| format!("numbers {{ prize[1..{half}]: 0..9; fine[1..{most}]: 0..9 }}");
    let seats = |most: i64| vec![file("case.ludex", game("").replace("players 2", &format!("players {most}")))];
    let board = |height: i64| {
        format!("board B = square 256 x {height}\nstate {{ n[B]: 0..1 = 0 }}\ninvariant i: n[a1] is 0 \"i\"")
    };
    vec![
        Case::by("check", &[], "RULESET_FILE_BYTES", long(bytes), long(bytes + 1), "load::too-large"),
        Case::by(
            "check",
            &[],
            "RULESET_FILES",
            with_examples(limits::RULESET_FILES),
            with_examples(limits::RULESET_FILES + 1),
            "load::too-large",
        ),
        Case::by(
            "check",
            &[],
            "RULESET_BYTES",
            of_bytes(limits::RULESET_BYTES),
            of_bytes(limits::RULESET_BYTES + 1),
            "the ruleset is larger than 4 MiB",
        ),
        Case::by("check", &[], "ITEMS", of_items(limits::ITEMS), of_items(limits::ITEMS + 1), "at most 10,000 items"),
        Case::check("NESTING", &nested(limits::NESTING - 2), &nested(limits::NESTING - 1), "syntax::nesting"),
        Case::check("BOARD_CELLS", &board(256), &board(257), "bind::board-shape"),
        Case::by("check", &[], "BOARD_EDGES", joined(362), joined(363), "bind::board-shape"),
        Case::check("NUMBER", &range(limits::NUMBER), &range(limits::NUMBER + 1), "1,099,511,627,776"),
        Case::check("EXPRESSION", &product(4_194_304), &product(4_194_305), "check::too-large"),
        Case::check("MEMBERS", &set(limits::MEMBERS), &set(limits::MEMBERS + 1), "at most 4,096"),
        Case::check("TYPE_DEPTH", &lists(limits::TYPE_DEPTH), &lists(limits::TYPE_DEPTH + 1), "syntax::nesting"),
        Case::check("ELEMENTS", &prizes(half), &prizes(half + 1), "numbers::too-many"),
        Case::by("check", &[], "PLAYERS", seats(limits::PLAYERS), seats(limits::PLAYERS + 1), "bind::player-count"),
        Case::check("CHAIN", &chain(limits::CHAIN), &chain(limits::CHAIN + 1), "syntax::nesting"),
        Case::check("STATE_BITS", &sets(2048), &sets(2049), "check::state-size"),
        // A budget of work is tested close to where it ends, not to the step: what counts as a step may change.
        Case::check("COMPILING_STEPS", &boards(14), &boards(17), "4,000,000 steps"),
        Case::by("check", &[], "CHECKING_STEPS", rulings(73), rulings(82), "10,000,000 steps"),
        Case::by("check", &[], "INSTRUCTIONS", phases(3900), phases(4100), "400,000 instructions"),
        Case::by(
            "check",
            &[],
            "COMBINATIONS",
            fixed(limits::COMBINATIONS),
            fixed(limits::COMBINATIONS + 1),
            "20,000 combinations",
        ),
        Case::check("SLOTS", &partners(1190), &partners(1240), "65,536 values"),
        Case::by("simulate", &["--games", "1", "--seed", "1"], "STEPS", loops(4400), loops(4550), "20,000,000 steps"),
        Case::by("perft", &["--depth", "1"], "MOVES", moves(1000), moves(1100), "1,048,576 moves"),
        Case::by("test", &[], "REFERENCE_STEPS", loops(895), loops(930), "10,000,000 steps"),
        Case::by("test", &[], "ROUNDS", rounds(limits::ROUNDS), rounds(limits::ROUNDS + 1), "went round 10000 times"),
    ]
}

/// Limits that refuse nothing: beyond them something is slower, or shown in part.
const SILENT: &[&str] = &[
    "TABLE_STEPS",
    "WRITTEN_OUT",
    "LOOK_WORK",
    "LOOK_GAMES",
    "FAILURE_POSITIONS",
    "FAILURE_STEPS",
    "LOG_FAULTS",
    "SARIF_RESULTS",
    "JUNIT_CASES",
];

#[test]
fn limits_hold_from_both_sides() {
    for case in cases() {
        let (code, out) = case.run(&case.within);
        let fine = code == 0 || (case.limit == "ELEMENTS" && out.contains("numbers::missing"));
        assert!(fine && !out.contains(&case.said), "{}: refused within the limit\n{}", case.limit, start(&out));
        let (code, out) = case.run(&case.beyond);
        assert!(code != 0 && out.contains(&case.said), "{}: exit {code}\n{}", case.limit, start(&out));
    }
}

/// After a draw with as many outcomes as there may be, the next choice counts its own moves only.
#[test]
fn outcomes_are_no_moves() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (rules, log) = (folder.path().join("case.ludex"), folder.path().join("a.log"));
    let text = format!(
        "game case \"A case\"\nplayers 2\nstate {{ n: 0..9 = 0; die: 1..{0} = 1 }}\naction go(x: 1..3) {{ n = x }}\nflow {{ draw die in 1..{0}\n turn seat(1) {{ choose go }} end }}\nscore(p: Player) = n\nwinner(p: Player) by score(p)\n",
        limits::MOVES
    );
    fs::write(&rules, text).expect("rules");
    fs::write(&log, "game case\nplayers seat1, seat2\n\ndie = 7\n").expect("a log");
    let (rules, log) = (rules.display().to_string(), log.display().to_string());
    let (code, out, said) = run(&["moves", &log, "--rules", &rules]);
    assert!(code == 0 && out.contains("seat1 go 3"), "{out}{said}");
}

#[test]
fn a_log_has_so_many_seats() {
    let judged = |seats: usize| {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let names: Vec<String> = (0..seats).map(|seat| format!("s{seat}")).collect();
        let log = folder.path().join("a.log");
        fs::write(&log, format!("game nim\nplayers {}\n", names.join(", "))).expect("a log");
        run(&["validate", &log.display().to_string()]).2
    };
    assert!(!judged(limits::LOG_SEATS).contains("more than 64"));
    assert!(judged(limits::LOG_SEATS + 1).contains("more than 64"));
}

#[test]
fn a_ruleset_is_looked_for_in_so_many_folders_above_its_log() {
    let judged = |depth: usize| {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let place = folder.path().join("case");
        let logs = place.join("logs").join(vec!["d"; depth].join("/"));
        fs::create_dir_all(&logs).expect("folders");
        fs::write(place.join("case.ludex"), game("")).expect("rules");
        fs::write(logs.join("a.log"), "game case\nplayers a, b\n").expect("a log");
        run(&["validate", &logs.join("a.log").display().to_string()]).0
    };
    assert_eq!(judged(limits::LOG_FOLDERS - 1), 0);
    assert_eq!(judged(limits::LOG_FOLDERS), 2);
}

/// Every limit is documented, and tested here, in `hungry/`, or where logs and simulations are tested.
#[test]
fn every_limit_is_documented_and_tested() {
    let source = include_str!("../limits.rs");
    let names: Vec<&str> =
        source.lines().filter_map(|line| line.strip_prefix("pub const ")?.split(':').next()).collect();
    assert!(names.len() > 20, "{names:?}");
    let documented = fs::read_to_string(root().join("docs/limits.md")).expect("docs/limits.md");
    let tests = tests_below(&root().join("src"));
    let here: Vec<&str> = cases().iter().map(|case| case.limit).collect();
    for name in names {
        assert!(documented.contains(&format!("`{name}`")), "docs/limits.md does not list {name}");
        let tested = here.contains(&name) || SILENT.contains(&name) || tests.contains(&format!("limits::{name}"));
        assert!(tested, "no test asks about {name}");
    }
}

/// The texts of all tests.
fn tests_below(folder: &std::path::Path) -> String {
    let mut text = String::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let is_test = path.display().to_string().contains("test");
        if path.is_dir() {
            text += &tests_below(&path);
        } else if is_test && path.extension().is_some_and(|kind| kind == "rs") {
            text += &fs::read_to_string(&path).expect("a text");
        }
    }
    text
}

/// What every command says about rulesets that never come to an end.
#[test]
fn no_ruleset_keeps_a_command_busy_for_ever() {
    let mut seen = 0;
    let mut paths: Vec<_> = fs::read_dir(root().join("src/testing/hungry"))
        .expect("the cases")
        .map(|entry| entry.expect("a case").path())
        .collect();
    paths.sort();
    for path in paths {
        let shown = path.display().to_string();
        let said = fs::read_to_string(&path).expect("a text");
        let said: Vec<(&str, &str)> = said
            .lines()
            .filter_map(|line| line.strip_prefix("# ")?.split_once(": "))
            .filter(|(command, _)| COMMANDS.iter().any(|(known, _)| known == command))
            .collect();
        for (command, rest) in COMMANDS {
            let (code, results, diagnostics) = run(&[&[*command, shown.as_str()], *rest].concat());
            let out = results + &diagnostics;
            for (_, words) in said.iter().filter(|(of, _)| of == command) {
                assert!(code != 0 && out.contains(words), "{shown}: {command}: exit {code}\n{}", start(&out));
            }
            assert!(!out.contains("internal error"), "{shown}: {command}\n{}", start(&out));
        }
        seen += 1;
    }
    assert!(seen > 10, "only {seen} cases were found");
}

const COMMANDS: &[(&str, &[&str])] = &[
    ("check", &[]),
    ("test", &[]),
    ("moves", &[]),
    ("simulate", &["--games", "2", "--seed", "1"]),
    ("perft", &["--depth", "2"]),
    ("show", &["--stage", "program"]),
];

fn start(text: &str) -> String {
    text.chars().take(2000).collect()
}
