use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::testing::{case_folder, pin, root, run, run_in};

/// Bad input, each refused before anything is played: name and arguments after `simulate`.
const REFUSED: &[(&str, &str)] = &[
    ("versus-unknown-key", "nim --games 10 --versus heap.mots=5"),
    ("versus-out-of-range", "nim --games 10 --versus heap.most=0"),
    ("versus-breaks", "nim --games 10 --versus heap.most=4"),
    ("versus-nothing", "nim --games 10 --versus option.last=wins"),
    ("versus-no-value", "nim --games 10 --versus heap.most"),
    ("versus-no-file", "nim --games 10 --versus-overlay nowhere.toml"),
    ("versus-logs", "nim --games 10 --versus heap.most=5 --logs new"),
    ("sweep-unknown-key", "nim --games 10 --sweep heap.mots=1..3"),
    ("sweep-backwards", "nim --games 10 --sweep heap.most=5..3"),
    ("sweep-out-of-range", "nim --games 10 --sweep heap.most=0..3"),
    ("sweep-many", "nim --games 10 --sweep heap.most=1..1000"),
    ("sweep-step", "nim --games 10 --sweep heap.most=1..9 step 0"),
    ("sweep-nothing", "nim --games 10 --sweep heap.most="),
    ("sweep-twice", "nim --games 10 --sweep heap.most=3,4,3"),
    ("sweep-word", "nim --games 10 --sweep heap.most=1..few"),
    ("sweep-ruling", "nim --games 10 --sweep option.last=wins,looses"),
    ("sweep-and-versus", "nim --games 10 --sweep heap.most=1..3 --versus heap.most=5"),
    ("shard-zero", "nim --games 10 --shard 0/4"),
    ("shard-beyond", "nim --games 10 --shard 5/4"),
    ("shard-of-none", "nim --games 10 --shard 1/0"),
    ("shard-word", "nim --games 10 --shard first"),
    ("shard-until", "nim --games 10 --shard 1/4 --versus heap.most=5 --until 0.1"),
    ("until-alone", "nim --games 10 --until 0.1"),
    ("until-nothing", "nim --games 10 --versus heap.most=5 --until 0"),
    ("until-measure", "nim --games 10 --versus heap.most=5 --until scroe=1"),
    ("agent-number", "nim --games 10 --agent mcts:0"),
    ("games-word", "nim --games many"),
];

/// `heap.most=1..9 step 0` is one word.
fn words(line: &str) -> Vec<&str> {
    match line.split_once(" --sweep ") {
        Some((before, value)) if value.contains(" step ") => before.split(' ').chain(["--sweep", value]).collect(),
        _ => line.split(' ').collect(),
    }
}

#[test]
fn bad_input_is_refused_before_anything_runs() {
    for (name, line) in REFUSED {
        let (code, text) = run_in(&root(), "", &[&["simulate"], words(line).as_slice()].concat());
        assert_eq!(code, 2, "{line}\n{text}");
        pin("terminal", &format!("simulate-{name}"), &format!("ludex simulate {line}"), &text);
    }
}

/// Without what differs between any two runs: measured times and the command line.
pub(super) fn without_times(text: &str) -> Value {
    fn strip(value: &mut Value) {
        match value {
            Value::Object(fields) => {
                for key in ["cpu_seconds", "playouts_per_second", "entries_per_second", "command"] {
                    fields.remove(key);
                }
                fields.iter_mut().for_each(|(_, value)| strip(value));
            }
            Value::Array(items) => items.iter_mut().for_each(strip),
            _ => {}
        }
    }
    let mut value = serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    strip(&mut value);
    value
}

/// What people are told, without the time that it took.
fn told(args: &[&str]) -> String {
    told_with(0, args)
}

/// The same of a command that ends with this code.
pub(super) fn told_with(expected: u8, args: &[&str]) -> String {
    let (code, results, diagnostics) = run(args);
    assert_eq!(code, expected, "{args:?}\n{results}{diagnostics}");
    assert!(expected > 0 || diagnostics.is_empty(), "{args:?}: {diagnostics}");
    let kept = results.lines().filter(|line| !line.contains("of CPU time"));
    kept.map(|line| line.split(", rules ").next().unwrap_or(line).to_owned() + "\n").collect()
}

/// Runs of each kind, quick ones.
const KINDS: &[(&str, &[&str])] = &[
    ("simulation", &["nim", "--games", "40", "--seed", "3", "--look", "15"]),
    ("agents", &["tictactoe", "--games", "20", "--seed", "3", "--agent", "2=greedy", "--look", "20"]),
    ("comparison", &["nim", "--games", "60", "--seed", "3", "--look", "10", "--versus", "heap.most=5"]),
    ("sweep", &["nim", "--games", "30", "--seed", "3", "--look", "10", "--sweep", "heap.most=4..7"]),
    ("sensitivity", &["nim", "--games", "20", "--seed", "3", "--look", "5", "--sensitivity"]),
];

#[test]
fn what_is_told_is_pinned_and_does_not_depend_on_threads() {
    for (name, args) in KINDS {
        let args = [&["simulate"], *args].concat();
        let text = told(&[args.as_slice(), &["--jobs", "1"]].concat());
        assert_eq!(text, told(&[args.as_slice(), &["--jobs", "3"]].concat()), "{name}");
        pin("terminal", &format!("simulate-told-{name}"), &format!("ludex {}", args.join(" ")), &text);
        let json = |jobs: &str| run(&[args.as_slice(), &["--jobs", jobs, "--format", "json"]].concat()).1;
        assert_eq!(without_times(&json("1")), without_times(&json("2")), "{name}");
    }
    // Costs, and what is left of what they are paid from.
    let args = ["simulate", "tikal", "--games", "6", "--seed", "1", "--look", "3"];
    pin("terminal", "simulate-told-costs", &format!("ludex {}", args.join(" ")), &told(&args));
}

/// So many games that entries are tested in a measured order on one thread, and in that of the rules on two.
#[test]
fn what_is_told_does_not_depend_on_the_order_of_tests() {
    let args = "simulate breakthrough --games 10000 --seed 3 --look 20 --format json --jobs";
    let json = |jobs: &str| run(&args.split(' ').chain([jobs]).collect::<Vec<_>>()).1;
    assert_eq!(without_times(&json("1")), without_times(&json("2")));
}

pub(super) fn write(folder: &Path, name: &str, text: &str) -> String {
    let file = folder.join(name);
    fs::write(&file, text).expect("a file");
    file.display().to_string()
}

#[test]
fn shards_together_are_one_run() {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, args) in KINDS {
        let args = [&["simulate"], *args, &["--format", "json"]].concat();
        let (code, whole, _) = run(&args);
        assert_eq!(code, 0, "{name}");
        // Out of order, and with shards that have nothing to look at.
        let files: Vec<String> = [2, 7, 1, 3, 6, 5, 4]
            .iter()
            .map(|index| {
                let (code, shard, diagnostics) = run(&[args.as_slice(), &["--shard", &format!("{index}/7")]].concat());
                assert_eq!((code, diagnostics.as_str()), (0, ""), "{name}");
                write(folder.path(), &format!("{name}-{index}.json"), &shard)
            })
            .collect();
        let files: Vec<&str> = files.iter().map(String::as_str).collect();
        let merge = [&["report", "merge"], files.as_slice()].concat();
        let (code, merged, diagnostics) = run(&[merge.as_slice(), &["--format", "json"]].concat());
        assert_eq!(code, 0, "{name}: {diagnostics}");
        assert_eq!(without_times(&merged), without_times(&whole), "{name}");
        // For people, too.
        assert_eq!(told(&merge), told(&args[..args.len() - 2]), "{name}");
    }
}

#[test]
fn shards_that_do_not_belong_together_are_refused() {
    let folder = case_folder("shards");
    let shard = |name: &str, more: &[&str]| {
        let args = ["simulate", "nim", "--games", "9", "--look", "0", "--format", "json"];
        let (code, text, diagnostics) = run(&[&args[..], more].concat());
        assert_eq!(code, 0, "{diagnostics}");
        write(&folder, name, &text)
    };
    let one = shard("1.json", &["--seed", "1", "--shard", "1/3"]);
    let two = shard("2.json", &["--seed", "1", "--shard", "2/3"]);
    let other = shard("other.json", &["--seed", "2", "--shard", "3/3"]);
    let set = shard("set.json", &["--seed", "1", "--shard", "3/3", "--set", "heap.most=5"]);
    let fourth = shard("fourth.json", &["--seed", "1", "--shard", "3/4"]);
    let whole = shard("whole.json", &["--seed", "1"]);
    let first = fs::read_to_string(&one).expect("a file");
    let broken = write(&folder, "broken.json", &first[..200]);
    let log = write(&folder, "nim.log", "game nim\n");
    let early = write(&folder, "early.json", &first.replace("\"interrupted\":false", "\"interrupted\":true"));
    let second = fs::read_to_string(&two).expect("a file");
    let (before, after) = second.split_once("\"entries\":").expect("the count");
    let after = after.trim_start_matches(|digit: char| digit.is_ascii_digit());
    let large = write(&folder, "large.json", &format!("{before}\"entries\":{}{after}", u64::MAX));
    let three = shard("3.json", &["--seed", "1", "--shard", "3/3"]);
    let cases: &[(&str, &[&str])] = &[
        ("missing", &[&one, &two]),
        ("twice", &[&one, &two, &one]),
        ("other-seed", &[&one, &two, &other]),
        ("other-settings", &[&one, &two, &set]),
        ("other-count", &[&one, &two, &fourth]),
        ("whole", &[&one, &two, &whole]),
        ("broken", &[&one, &broken]),
        ("log", &[&log]),
        ("early", &[&early, &two, &three]),
        ("large", &[&one, &large, &three]),
        ("nowhere", &["nowhere.json"]),
        ("nothing", &[]),
    ];
    for (name, files) in cases {
        let (code, text) = run_in(&folder, "shards", &[&["report", "merge"], *files].concat());
        assert_eq!(code, 2, "{name}\n{text}");
        pin("terminal", &format!("report-merge-{name}"), "", &text);
    }
    let (code, _, diagnostics) = run(&["report", "merge", &three, &one, &two]);
    assert_eq!((code, diagnostics.as_str()), (0, ""));
}

/// A game in which one number breaks things in the middle.
const FRAGILE: &str = "game fragile \"Fragile\"\nplayers 2\nnumbers {\n    step: 0..5\n    idle: 0..9\n    start: 0..9\n}\n\
    state {\n    heap: 0..19 = start\n    taken[Player]: 0..99 = 0\n}\n\
    action add(n: 1..3) {\n    heap += n + step\n    taken[me] += n\n}\n\
    flow {\n    cycle p clockwise from seat(1) until heap > 12 { turn p { choose add } }\n    end\n}\n\
    score(p: Player) = taken[p]\nwinner(p: Player) by score(p) ties share\n";

pub(super) fn fragile(name: &str) -> String {
    let folder = case_folder(name);
    write(&folder, "fragile.ludex", FRAGILE);
    write(&folder, "fragile.toml", "step = 4\nidle = 3\nstart = 0\n");
    folder.join("fragile.ludex").display().to_string()
}

#[test]
fn changes_that_break_the_game_are_told_beside_the_others() {
    let path = fragile("fragile");
    let base = ["simulate", &path, "--games", "30", "--seed", "1"];
    for (name, more) in [("sweep", &["--sweep", "step=3..5"][..]), ("sensitivity", &["--sensitivity"])] {
        let text = told_with(1, &[&base[..], more].concat()).replace(&path, "fragile");
        pin("terminal", &format!("simulate-fragile-{name}"), "", &text);
        assert!(text.contains("game ") && text.contains("not used") == (name == "sensitivity"), "{text}");
    }
    let text = told_with(1, &[&base[..], &["--versus", "step=5"]].concat()).replace(&path, "fragile");
    pin("terminal", "simulate-fragile-versus", "", &text);
}

#[test]
fn a_comparison_stops_when_it_knows_enough() {
    let args = ["simulate", "nim", "--games", "3000", "--seed", "1", "--look", "0", "--versus", "option.last=loses"];
    let json = |more: &[&str]| without_times(&run(&[&args[..], more, &["--format", "json"]].concat()).1);
    let wide = json(&["--until", "0.6"]);
    assert_eq!((&wide["stopping"]["reached"], &wide["base"]["games"]), (&true.into(), &200.into()), "{wide}");
    assert_eq!(wide["stopping"]["looks"], serde_json::json!([100, 200, 400, 800, 1600, 3000]));
    assert_eq!(wide, json(&["--until", "0.6", "--jobs", "3"]), "looks do not depend on threads");
    let narrow = json(&["--until", "share=0.001"]);
    assert_eq!((&narrow["stopping"]["reached"], &narrow["base"]["games"]), (&false.into(), &3000.into()));
    // Every look is one more statement.
    let plain = json(&[]);
    assert_eq!(plain["statements"].as_u64().map(|count| count * 6), narrow["statements"].as_u64());
    pin("terminal", "simulate-until", "", &told(&[&args[..], &["--until", "0.6"]].concat()));
}

#[test]
fn pages_are_written_beside_results() {
    let folder = case_folder("pages");
    let shown = |name: &str| folder.join(name).display().to_string();
    let (page, again, json) = (shown("page.html"), shown("again.html"), shown("report.json"));
    let args = ["simulate", "nim", "--games", "20", "--seed", "1", "--format", "json", "--report", &page];
    let (code, results, diagnostics) = run(&args);
    assert_eq!((code, diagnostics.as_str()), (0, ""), "{results}");
    let first = fs::read_to_string(&page).expect("a page");
    let (code, _) = run_in(&root(), "", &args);
    assert_eq!(code, 2, "nothing is overwritten unasked");
    assert_eq!(fs::read_to_string(&page).expect("a page"), first);
    let (code, text) = run_in(&root(), "", &[&args[..], &["--force"]].concat());
    assert_eq!(code, 0, "{text}");
    // What is shown comes from the report alone.
    fs::write(&json, &results).expect("a file");
    let (code, text) = run_in(&root(), "", &["report", "page", &json, "-o", &again]);
    assert_eq!(code, 0, "{text}");
    let main = |page: &str| {
        page.split_once("<main>").and_then(|(_, rest)| rest.split_once("</main>")).map(|(main, _)| main.to_owned())
    };
    assert_eq!(main(&fs::read_to_string(&again).expect("a page")), main(&first));
    let left: Vec<_> =
        fs::read_dir(&folder).expect("a folder").map(|entry| entry.expect("an entry").file_name()).collect();
    assert_eq!(left.len(), 3, "nothing is left lying about: {left:?}");
}

#[test]
fn merged_shards_have_pages() {
    let folder = case_folder("merged-pages");
    let shown = |name: &str| folder.join(name).display().to_string();
    for shard in ["1", "2"] {
        let part = format!("{shard}/2");
        let args = ["simulate", "nim", "--games", "20", "--seed", "1", "--shard", &part, "--format", "json"];
        fs::write(folder.join(shard), run(&args).1).expect("a file");
    }
    let page = shown("page.html");
    let (code, text) = run_in(&root(), "", &["report", "merge", &shown("1"), &shown("2"), "--report", &page]);
    assert_eq!(code, 0, "{text}");
    assert!(fs::read_to_string(&page).expect("a page").contains("report merge"));
}

#[test]
fn reports_of_other_shapes_have_no_page() {
    let folder = case_folder("other-shapes");
    let (json, page) = (folder.join("report.json"), folder.join("page.html"));
    let (_, results, _) = run(&["simulate", "nim", "--games", "2", "--format", "json"]);
    fs::write(&json, results.replace("\"ludex\":1", "\"ludex\":2")).expect("a file");
    let (json, page) = (json.display().to_string(), page.display().to_string());
    let (code, _, diagnostics) = run(&["report", "page", &json, "-o", &page]);
    assert!(code == 2 && diagnostics.contains("version 2, not 1"), "{diagnostics}");
}

#[test]
fn logs_of_variants_have_names_for_every_system() {
    let folder = case_folder("simulate-logs-of-variants").join("logs");
    let place = folder.display().to_string();
    let (code, results, diagnostics) =
        run(&["simulate", "maya:series", "--games", "1", "--seed", "1", "--look", "0", "--logs", &place, "--force"]);
    assert_eq!(code, 0, "{results}{diagnostics}");
    let names = fs::read_dir(&folder).expect("logs").map(|file| file.expect("a log").file_name());
    let names: Vec<String> = names.map(|name| name.to_string_lossy().into_owned()).collect();
    assert!(matches!(names.as_slice(), [name] if name.ends_with("-0001.log") && !name.contains(':')), "{names:?}");
}
