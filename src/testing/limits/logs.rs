//! Limits on logs, folders and reports, from both sides.

use std::fs;

use super::super::run;
use super::rules::{choosing, game};
use crate::agent::Agent;
use crate::limits;

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

/// A log of exactly so many bytes: comments fill it up.
fn long_log(bytes: usize) -> String {
    let mut text = "game nim\nplayers ana, ben\n\n".to_owned();
    while text.len() < bytes {
        // No line may be too short for its `#` and its end.
        let left = bytes - text.len();
        let line = if left > 1002 { 1000 } else { left };
        text += &format!("#{}\n", "x".repeat(line - 2));
    }
    text
}

#[test]
fn logs_have_so_many_bytes() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let log = folder.path().join("a.log");
    let path = log.display().to_string();
    let line = format!("{path}:3");
    let explained = ["explain", line.as_str()];
    let few = limits::GAME_BYTES / limits::ENTRY_BYTES;
    let (few, many) = (few.to_string(), (2 * few).to_string());
    let validate_few = ["validate", path.as_str(), "--most-entries", few.as_str()];
    let validate_many = ["validate", path.as_str(), "--most-entries", many.as_str()];
    let one_entry = ["validate", path.as_str(), "--most-entries", "1"];
    for (most, args) in [
        (limits::PLAYED_LOG_BYTES, &["moves", path.as_str()][..]),
        (limits::EXPLAINED_GAME_BYTES, &explained),
        (limits::GAME_BYTES, &one_entry),
        (limits::GAME_BYTES, &validate_few),
        (2 * few.parse::<usize>().expect("a number") * limits::ENTRY_BYTES, &validate_many),
    ] {
        fs::write(&log, long_log(most)).expect("a log");
        let (_, out, said) = run(args);
        assert!(!said.contains("MiB") && !out.contains("MiB"), "{args:?} within {most}: {out}{said}");
        fs::write(&log, long_log(most + 1)).expect("a log");
        let (code, out, said) = run(args);
        assert!(code == 2 && (out + &said).contains("MiB"), "{args:?} beyond {most}: {code} {said}");
    }
}

#[test]
fn reports_have_so_many_bytes() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("a.json");
    let path = file.display().to_string();
    let (code, report, _) =
        run(&["simulate", "nim", "--games", "2", "--seed", "1", "--shard", "1/1", "--format", "json"]);
    assert_eq!(code, 0);
    let most = usize::try_from(limits::REPORT_BYTES).expect("a length");
    fs::write(&file, format!("{report}{}", " ".repeat(most - report.len()))).expect("a report");
    let (code, _, said) = run(&["report", "merge", &path]);
    assert_eq!(code, 0, "{said}");
    fs::write(&file, format!("{report}{}", " ".repeat(most + 1 - report.len()))).expect("a report");
    let (code, out, said) = run(&["report", "merge", &path]);
    assert!(code == 2 && (out + &said).contains("is larger than 64 MiB"), "{code} {said}");
}

#[test]
fn folders_are_walked_so_deep() {
    let judged = |depth: usize| {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let place = folder.path().join(vec!["d"; depth].join("/"));
        fs::create_dir_all(&place).expect("folders");
        fs::write(place.join("a.log"), "game nim\nplayers a, b\n").expect("a log");
        let (_, out, said) = run(&["validate", &folder.path().display().to_string()]);
        (out + &said).contains("a.log")
    };
    assert!(judged(limits::FOLDERS));
    assert!(!judged(limits::FOLDERS + 1));
}

#[test]
fn a_sweep_has_so_many_values() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let rules = folder.path().join("case.ludex");
    fs::write(&rules, game("numbers { prize: 1..99 }\ninvariant i: prize > 0 \"i\"")).expect("rules");
    fs::write(folder.path().join("case.toml"), "prize = 1\n").expect("numbers");
    let rules = rules.display().to_string();
    let swept = |most: usize| {
        let sweep = format!("prize=1..{most}");
        run(&["simulate", &rules, "--games", "1", "--seed", "1", "--sweep", &sweep])
    };
    let (code, out, said) = swept(limits::SWEEP_VALUES);
    assert_eq!(code, 0, "{out}{said}");
    let (code, _, said) = swept(limits::SWEEP_VALUES + 1);
    assert!(code == 2 && said.contains("at most 64"), "{code} {said}");
}

#[test]
fn an_agent_thinks_for_so_many_iterations() {
    let asked = |count: u32| Agent::parse(&format!("mcts:{count}")).map_err(|(message, help)| message + &help);
    assert!(asked(limits::ITERATIONS).is_ok());
    let said = asked(limits::ITERATIONS + 1).expect_err("too many");
    assert!(said.contains("1 to 1000000"), "{said}");
}

/// What the judge says about a game in which so many values of each of two draws are unknown, and the next one is wrong.
fn unknown(values: usize, draws: usize) -> String {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (rules, log) = (folder.path().join("case.ludex"), folder.path().join("a.log"));
    let drawn = format!("draw die in 1..{values}\n").repeat(draws);
    let text = format!(
        "state {{ n: 0..9 = 0; die: 1..{values} = 1 }}\naction go require no: n > 0 \"no\" {{ n = 1 }}\naction stay {{ }}"
    );
    let text = choosing(&text)
        .remove(0)
        .1
        .replace("flow { turn seat(1) { choose go }", &format!("flow {{ {drawn} turn seat(1) {{ choose go, stay }}"));
    fs::write(&rules, text).expect("rules");
    let unknown = "die = ?\n".repeat(draws);
    fs::write(&log, format!("game case\nplayers seat1, seat2\n\n{unknown}seat1 go\n")).expect("a log");
    let (_, out, said) = run(&["validate", &log.display().to_string(), "--rules", &rules.display().to_string()]);
    out + &said
}

#[test]
fn so_much_may_be_unknown() {
    // Each way to a position counts, and each pair of ways that leads to the same one.
    let side = 724;
    assert!(2 * side * side <= limits::WAYS && 2 * (side + 1) * (side + 1) > limits::WAYS);
    for (within, draws) in [(limits::WORLDS, 1), (side, 2)] {
        let said = unknown(within, draws);
        assert!(said.contains("illegal") && !said.contains("too much is unknown"), "{said}");
        let said = unknown(within + 1, draws);
        assert!(said.contains("too much is unknown"), "{said}");
    }
}
