//! Limits beyond which nothing is refused: something is not looked at, or takes longer, or is shown in part.

use std::fs;

use super::super::run;
use super::Files;
use super::rules::{choosing, file, game};
use crate::limits;

fn written(files: &Files) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (name, text) in files {
        fs::write(folder.path().join(name), text).expect("a file");
    }
    let path = folder.path().join("case.ludex").display().to_string();
    (folder, path)
}

/// Of an option, so many other values are checked, and the highest.
#[test]
fn so_many_values_of_an_option_are_checked() {
    let most = limits::SWITCH_VALUES;
    let checked = |broken: usize| {
        let text = format!(
            "numbers {{ option.side: 1..{} }}\nboard B = square 1 x ((option.side - {broken}) * (option.side - {broken}))\nstate {{ n[B]: 0..1 = 0 }}\ninvariant i: all b in B: n[b] >= 0 \"i\"",
            most + 3
        );
        let (_folder, path) =
            written(&vec![file("case.ludex", game(&text)), file("case.toml", "[option]\nside = 1\n")]);
        run(&["check", &path]).0
    };
    assert_eq!((checked(most + 1), checked(most + 2), checked(most + 3)), (1, 0, 1));
}

/// The faults of a log are counted up to a limit.
#[test]
fn so_many_faults_of_a_log_are_read() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let log = folder.path().join("a.log");
    let found = |faults: usize| {
        fs::write(&log, format!("game nim\nplayers ana, ben\n\n{}", "ana (\n".repeat(faults))).expect("a log");
        let (_, out, said) = run(&["moves", &log.display().to_string()]);
        let more =
            (out + &said).lines().rev().find_map(|line| line.strip_suffix(" more")?.trim().parse::<usize>().ok());
        more.map_or(0, |more| more + 20)
    };
    assert_eq!(found(limits::LOG_FAULTS), limits::LOG_FAULTS);
    assert!((limits::LOG_FAULTS..limits::LOG_FAULTS + 10).contains(&found(2 * limits::LOG_FAULTS)));
}

/// SARIF has so many results.
#[test]
fn a_sarif_file_has_so_many_results() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let results = |games: usize| {
        let files = games / limits::SHOWN_GAMES;
        for nth in 0..files {
            let text = "game nowhere\nplayers a, b\n\n".repeat(limits::SHOWN_GAMES);
            fs::write(folder.path().join(format!("{nth}.log")), text).expect("a log");
        }
        let (_, out, _) = run(&["validate", &folder.path().display().to_string(), "--format", "sarif"]);
        let sarif: serde_json::Value = serde_json::from_str(&out).expect("SARIF");
        sarif["runs"][0]["results"].as_array().map_or(0, Vec::len)
    };
    assert_eq!(results(limits::SARIF_RESULTS), limits::SARIF_RESULTS);
    assert_eq!(results(limits::SARIF_RESULTS + 200), limits::SARIF_RESULTS);
}

/// A report for build servers lists so many games, and counts them all.
#[test]
fn a_junit_report_lists_so_many_games() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let log = folder.path().join("a.log");
    let listed = |games: usize| {
        fs::write(&log, "game nowhere\nplayers a, b\n".repeat(games)).expect("a log");
        let (_, out, _) = run(&["validate", &log.display().to_string(), "--format", "junit"]);
        assert!(out.contains(&format!("tests=\"{games}\"")), "{}", super::start(&out));
        out.matches("<testcase ").count()
    };
    assert_eq!(listed(limits::JUNIT_CASES), limits::JUNIT_CASES);
    assert_eq!(listed(limits::JUNIT_CASES + 1), limits::JUNIT_CASES);
}

/// A close look has so much work, and each game takes a part of it.
#[test]
fn so_many_games_are_looked_at() {
    let (_folder, path) = written(&choosing("state { n: 0..1 = 0 }\naction go { n = 1 }"));
    let looked = |games: u64| {
        let games = games.to_string();
        let (code, out, said) =
            run(&["simulate", &path, "--games", &games, "--look", &games, "--seed", "1", "--format", "json"]);
        assert_eq!(code, 0, "{said}");
        let report: serde_json::Value = serde_json::from_str(&out).expect("a report");
        (report["look"]["games"].as_u64().expect("a count"), report["look"]["skipped"].as_u64().expect("a count"))
    };
    // What such a game takes beyond its part is little.
    let most = limits::LOOK_GAMES;
    assert_eq!(looked(most * 9 / 10), (most * 9 / 10, 0));
    let (games, skipped) = looked(most + 1);
    assert!((most * 9 / 10..=most).contains(&games) && games + skipped == most + 1, "{games} {skipped}");
    assert_eq!(limits::LOOK_WORK / limits::LOOK_GAMES, 4000, "what every game takes");
}

/// The shortest failing game is looked for in so many positions, with so many moves.
#[test]
fn so_long_is_a_failing_game_shortened() {
    let proof = |length: u64, choices: u64| {
        let text = format!(
            "game case \"A case\"\nplayers 2\nstate {{ n: 0..{length} = 0 }}\naction go(x: 1..{choices}) {{ n += 1 }}\nflow {{ cycle p clockwise from seat(1) until n < 0 {{ turn p {{ choose go }} }} end }}\nscore(p: Player) = n\nwinner(p: Player) by score(p)\n"
        );
        let (_folder, path) = written(&vec![file("case.ludex", text)]);
        let (code, out, _) =
            run(&["simulate", &path, "--games", "1", "--seed", "1", "--format", "json", "--look", "0"]);
        assert_eq!(code, 2, "{out}");
        let report: serde_json::Value = serde_json::from_str(&out).expect("a report");
        report["failures"]["first"]["shortest"]["proof"].as_str().unwrap_or("nothing").to_owned()
    };
    let positions = limits::FAILURE_POSITIONS as u64;
    let steps = limits::FAILURE_STEPS;
    assert_eq!(proof(positions - 10, 1), "shortest");
    assert_eq!(proof(positions + 10, 1), "unproved");
    assert_eq!(proof(300, steps / 1000), "shortest");
    assert_eq!(proof(1500, steps / 1000), "unproved");
}

/// Loops are unrolled up to a limit, and conditions become tables as long as that is cheap.
#[test]
fn so_much_is_done_while_compiling() {
    let program = |text: &str| {
        let (_folder, path) = written(&choosing(text));
        let (code, out, said) = run(&["show", &path, "--stage", "program"]);
        assert_eq!(code, 0, "{said}");
        out.lines().count() as u64
    };
    // A loop inside a loop: each by itself is short enough to be written out.
    let nested = |outer: u64| {
        format!(
            "state {{ n: 0..9999 = 0; m[1..200]: 0..9 = 0 }}\naction go {{ for i in 1..{outer} {{ for j in 1..3 {{ for k in 1..3 {{ if m[i + j + k] is 3 {{ n = j }} }} }} }} }}"
        )
    };
    // Written out, a round takes 18 lines.
    let (two, many) = (program(&nested(2)), program(&nested(75)));
    assert!(many >= two + 18 * 73, "{two} and {many} lines");
    let deep = "for i in 1..9 { for j in 1..9 { for k in 1..9 { for l in 1..9 { for o in 1..9 { n = i } } } } }";
    let deep = program(&format!("state {{ n: 0..9999 = 0 }}\naction go {{ {deep} }}"));
    assert!(deep < limits::WRITTEN_OUT, "{deep} lines");
}

/// What few values decide is looked up, if working it out takes no more than this.
#[test]
fn so_much_is_worked_out_while_compiling() {
    let entries = |members: u64| {
        let rules = format!(
            "state {{ n: 0..9 = 0 }}\naction go require r: any x in 1..{members}: x * x is n * n * n + 7 \"r\" {{ n = 1 }}"
        );
        let (_folder, path) = written(&choosing(&rules));
        run(&["show", &path, "--stage", "program"]).1.contains(" 0 table entries")
    };
    // Ten values of `n`, and some ten steps for each member.
    let members = limits::TABLE_STEPS / 100;
    assert_eq!((entries(members / 2), entries(2 * members)), (false, true));
}

/// A ledger takes the points of a game apart into so many parts.
#[test]
fn so_many_parts_has_a_ledger() {
    let lines = |writes: usize| {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let (rules, log) = (folder.path().join("case.ludex"), folder.path().join("a.log"));
        let text = format!(
            "game case \"A case\"\nplayers 2\nstate {{ n: 0..9999999 = 0\n u: 1..2 = 1\n v: 1..2 = 1 }}\naction go {{ for i in 1..{}, j in 1..100 {{ n += u + v }} }}\naction one {{ n += u + v }}\nflow {{ turn seat(1) {{ choose go }} turn seat(1) {{ choose one }} end }}\nscore(p: Player) = n\nwinner(p: Player) by score(p)\n",
            writes / 100
        );
        fs::write(&rules, text).expect("rules");
        fs::write(&log, "game case\nplayers seat1, seat2\n\nseat1 go\nseat1 one\n").expect("a log");
        let (rules, log) = (rules.display().to_string(), log.display().to_string());
        let (code, out, said) = run(&["score", &log, "--rules", &rules, "--why", "seat1"]);
        assert_eq!(code, 0, "{said}");
        out.lines().filter(|line| line.contains("seat1 one")).count()
    };
    let half = limits::LEDGER_PARTS / 2;
    assert_eq!((lines(half - 1000), lines(half + 1000)), (2, 1));
}
