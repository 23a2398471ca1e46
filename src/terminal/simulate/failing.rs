//! Runs in which some games end with a runtime error, and runs whose close look is too much work.

use std::fs;

use serde_json::Value;

use super::tests::{fragile, told_with, without_times, write};
use crate::testing::{case_folder, pin, run};

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// With `step=5` some games leave the range of `heap`, and others do not.
fn failing(path: &str) -> Vec<&str> {
    vec!["simulate", path, "--games", "200", "--seed", "1", "--set", "step=5"]
}

#[test]
fn games_that_fail_do_not_lose_the_others() {
    let path = fragile("failing");
    let args = failing(&path);
    let text = told_with(1, &args).replace(&path, "fragile");
    pin("terminal", "simulate-failing", "", &text);
    let of = |jobs: &str| {
        let (code, results, diagnostics) = run(&[&args[..], &["--format", "json", "--jobs", jobs]].concat());
        assert_eq!((code, diagnostics.as_str()), (1, ""));
        without_times(&results)
    };
    let report = of("1");
    assert_eq!(report, of("3"), "threads change nothing");
    let count = |key: &str| report[key].as_u64().expect("a count");
    let failed = report["failures"]["games"].as_u64().expect("a count");
    assert!(failed > 0 && count("games") > 0, "{report}");
    assert_eq!(count("games") + failed, 200);
    assert_eq!(report["length"]["count"].as_u64(), Some(count("games")), "failed games count for nothing else");
    let first = &report["failures"]["first"];
    assert!(first["message"].as_str().is_some_and(|text| text.contains("0..19")), "{first}");
    // Adding 8 twice is not yet too much for 0..19, and no single step is.
    assert_eq!(
        (&first["shortest"]["entries"], &first["shortest"]["proof"]),
        (&3.into(), &"shortest".into()),
        "{first}"
    );
}

#[test]
fn logs_of_games_that_fail_show_the_error() {
    let path = fragile("failing-logs");
    let logs = case_folder("failing-logs-written").join("logs");
    let place = logs.display().to_string();
    let args = [&failing(&path)[..], &["--format", "json", "--logs", &place, "--force"]].concat();
    let (code, results, _) = run(&args);
    assert_eq!(code, 1, "{results}");
    assert_eq!(fs::read_dir(&logs).expect("logs").count(), 200, "every game has its log");
    let report = json(&results);
    let first = &report["failures"]["first"];
    let file = logs.join(format!("fragile-{:04}.log", first["game"].as_u64().expect("a number")));
    assert_eq!(fs::read_to_string(&file).ok().as_deref(), first["log"].as_str());
    let short = logs.join("short.log");
    fs::write(&short, first["shortest"]["log"].as_str().expect("a log")).expect("a file");
    for log in [file, short] {
        let (code, _, diagnostics) = run(&["moves", &log.display().to_string(), "--rules", &path]);
        assert_eq!(code, 2, "{diagnostics}");
        assert!(diagnostics.contains("machine::cannot-go-on"), "{diagnostics}");
    }
}

#[test]
fn failures_of_shards_add_up() {
    let path = fragile("failing-shards");
    let folder = case_folder("failing-shards-reports");
    for more in [&[][..], &["--versus", "start=1"], &["--sweep", "start=1,2"], &["--sensitivity"]] {
        let args = [&failing(&path)[..], &["--format", "json"], more].concat();
        let (code, whole, _) = run(&args);
        assert_eq!(code, 1, "{more:?}");
        let files: Vec<String> = ["1/3", "2/3", "3/3"]
            .iter()
            .map(|shard| {
                let (code, part, _) = run(&[&args[..], &["--shard", shard]].concat());
                assert_eq!(code, 1, "{more:?}");
                write(&folder, &format!("{}.json", &shard[..1]), &part)
            })
            .collect();
        let page = folder.join("page.html").display().to_string();
        let merge =
            ["report", "merge", &files[0], &files[1], &files[2], "--report", &page, "--force", "--format", "json"];
        let (code, merged, diagnostics) = run(&merge);
        assert_eq!(code, 1, "{more:?}: {diagnostics}");
        assert_eq!(without_times(&merged), without_times(&whole), "{more:?}");
        let page = fs::read_to_string(&page).expect("a page");
        assert!(page.contains("ended with a runtime error") && page.contains("seat1 add"), "{more:?}");
    }
}

/// Every game leaves the range at once.
const HOPELESS: &str = "game hopeless \"Hopeless\"\nplayers 2\nstate { heap: 0..9 = 9 }\n\
    action add(n: 1..3) { heap += n }\n\
    flow { cycle p clockwise from seat(1) until heap > 20 { turn p { choose add } } end }\n\
    score(p: Player) = heap\nwinner(p: Player) by score(p) ties share\n";

#[test]
fn if_no_game_can_be_played_there_is_no_verdict() {
    let folder = case_folder("hopeless");
    let path = write(&folder, "hopeless.ludex", HOPELESS);
    let text = told_with(2, &["simulate", &path, "--games", "20", "--seed", "1"]).replace(&path, "hopeless");
    pin("terminal", "simulate-hopeless", "", &text);
}

/// The reference takes long to find out where points come from: it plays every loop again, and the score is a sum of
/// what was written.
const SLOW: &str = "game slow \"Slow\"\nplayers 2\nboard Cell = square 20 x 20\nstate { points[Player]: 0..999999 = 0; turns: 0..99 = 0 }\n\
    action add(n: 1..3) { points[me] += n * (count a in Cell, b in Cell: row(a) is row(b))\n turns += 1 }\n\
    flow { cycle p clockwise from seat(1) until turns > 3 { turn p { choose add } } end }\n\
    score(p: Player) = points[p]\nwinner(p: Player) by score(p) ties share\n";

#[test]
fn a_close_look_stops_when_its_work_is_done() {
    let folder = case_folder("slow");
    let path = write(&folder, "slow.ludex", SLOW);
    let args = ["simulate", &path, "--games", "40", "--seed", "1", "--format", "json", "--jobs"];
    let of = |jobs: &str| without_times(&run(&[&args[..], &[jobs]].concat()).1);
    let report = of("1");
    let (looked, skipped) = (report["look"]["games"].as_u64(), report["look"]["skipped"].as_u64());
    let (Some(looked), Some(skipped)) = (looked, skipped) else { panic!("{report}") };
    assert_eq!(looked + skipped, 40);
    assert!(looked > 0 && skipped > 0, "{looked} and {skipped}");
    assert_eq!(report["games"], 40, "all games are played");
    assert_eq!(report["look"]["audited"].as_u64(), Some(looked));
    assert_eq!(report, of("2"), "the same games are looked at, whoever does");
    let (_, text, _) = run(&args[..args.len() - 3]);
    assert!(text.contains(&format!("looked closely at the first {looked} of 40 games")), "{text}");
}

#[test]
fn agents_that_choose_as_chance_would_are_told() {
    let report = |agent: &str, game: &str| {
        let args =
            ["simulate", game, "--games", "10", "--seed", "1", "--agent", agent, "--look", "0", "--format", "json"];
        json(&run(&args).1)
    };
    // The score says nothing before the end.
    let greedy = report("1=greedy", "tictactoe");
    let seats = greedy["seats"].as_array().expect("seats");
    assert!(seats[0]["by_chance_share"].as_f64().is_some_and(|share| share > 0.5), "{greedy}");
    assert_eq!((&seats[1]["choices"], &seats[1]["by_chance_share"]), (&0.into(), &Value::Null));
    assert_eq!(greedy["warnings"].as_array().map(Vec::len), Some(1), "{greedy}");
    // Every disc counts, but in many positions each move turns as many.
    let greedy = &report("1=greedy", "reversi")["seats"][0];
    assert!(greedy["by_chance_share"].as_f64().is_some_and(|share| share > 0.0 && share < 0.4), "{greedy}");
    // One iteration tries one entry, at random; many find out.
    assert!(report("1=mcts:1", "tictactoe")["seats"][0]["by_chance_share"] == 1.0);
    assert!(report("1=mcts:200", "tictactoe")["seats"][0]["by_chance_share"].as_f64().is_some_and(|share| share < 0.1));
    for more in [&["--versus", "heap.most=5"][..], &["--sweep", "heap.most=5"], &["--sensitivity"]] {
        let args = ["simulate", "nim", "--games", "5", "--seed", "1", "--agent", "greedy"];
        let (_, text, _) = run(&[&args[..], more].concat());
        assert!(text.contains("warning: base: `greedy` chose as chance would in "), "{text}");
    }
}

/// The third stone is too much, but most games are over before.
const CROWDED: &str = "game crowded \"Crowded\"\nplayers 2\nstate { stones: 0..2 = 0; turns: 0..99 = 0 }\n\
    action add { stones += 1\n turns += 1 }\naction wait(n: 1..20) { turns += 1 }\n\
    flow { cycle p clockwise from seat(1) until turns > 12 { turn p { choose add, wait } } end }\n\
    score(p: Player) = turns\nwinner(p: Player) by score(p) ties share\n";

#[test]
fn the_shortest_game_with_the_same_error_is_shown() {
    let folder = case_folder("crowded");
    let path = write(&folder, "crowded.ludex", CROWDED);
    let args = ["simulate", &path, "--games", "300", "--seed", "1"];
    let text = told_with(1, &args).replace(&path, "crowded");
    assert!(text.contains("# the shortest game found with this error has 3 of "), "{text}");
    assert!(text.ends_with("\nseat1 add\nseat2 add\nseat1 add\n"), "{text}");
    let report = json(&run(&[&args[..], &["--format", "json"]].concat()).1);
    let first = &report["failures"]["first"];
    assert!(first["entries"].as_u64() > Some(3) && first["shortest"]["proof"] == "shortest", "{first}");
}
