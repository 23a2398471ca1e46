//! Logs find their rules, and only their rules.

use std::fs;
use std::path::{Path, PathBuf};

use super::{Environment, run_with};
use crate::limits::SHOWN_GAMES;
use crate::testing::{case_folder, run};

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

fn log(game: &str, hash: Option<&str>, said: u32) -> String {
    let hash = hash.map(|hash| format!("rules {hash}\n")).unwrap_or_default();
    format!("game {game}\n{hash}players seat1, seat2\n\nseat1 say {said}\n")
}

fn text_of(path: &Path) -> String {
    path.display().to_string()
}

fn hash_of(ruleset: &str) -> String {
    let (_, out, _) = run(&["check", ruleset, "--format", "json"]);
    let at = out.find("\"hash\":\"").expect("a hash") + 8;
    out[at..at + 16].to_owned()
}

/// The ruleset that a log is judged by, and the codes of warnings.
fn judged_by(args: &[&str]) -> (String, Vec<String>) {
    let args: Vec<&str> = ["validate", "--format", "json"].into_iter().chain(args.iter().copied()).collect();
    let (code, out, beside) = run(&args);
    let verdict: serde_json::Value =
        serde_json::from_str(out.lines().next().unwrap_or_default()).unwrap_or_else(|_| panic!("{code} {out}{beside}"));
    let warnings = verdict["warnings"].as_array().cloned().unwrap_or_default();
    let codes = warnings.iter().map(|warning| warning["code"].as_str().unwrap_or("").to_owned()).collect();
    (verdict["ruleset"].as_str().unwrap_or("").to_owned(), codes)
}

#[test]
fn what_is_played_names_the_game_and_is_judged_by_the_ruleset_around_it() {
    let folder = case_folder("named").join("mygame");
    put(&folder.join("mygame.ludex"), &rules("mygame", 3));
    fs::create_dir_all(folder.join("logs")).expect("a folder");
    let (shown, logs, played) = (text_of(&folder), text_of(&folder.join("logs")), folder.join("logs/played.log"));
    let bots = ["--bot", "1=random", "--bot", "2=random"];
    let play = ["play", &shown, "--seed", "1", "--log", played.to_str().expect("a path")];
    assert_eq!(run(&[&play[..], &bots[..]].concat()).0, 0);
    assert_eq!(run(&["simulate", &shown, "--games", "2", "--seed", "1", "--logs", &logs]).0, 0);
    for file in ["played.log", "mygame-0001.log", "mygame-0002.log"] {
        let text = fs::read_to_string(folder.join("logs").join(file)).expect("a log");
        assert!(text.starts_with("game mygame\n"), "{text}");
    }
    let (code, out, said) = run(&["validate", &logs]);
    assert_eq!(code, 0, "{out}{said}");
    let expected = format!("played.log: legal by {shown}/mygame.ludex, 1 entry");
    assert!(out.contains(&expected), "{out}");
    // Every other command that takes a log finds the same.
    let played = text_of(&played);
    for words in [vec!["score", &played], vec!["replay", &played], vec!["moves", &played]] {
        let (code, out, said) = run(&words);
        assert_eq!(code, 0, "{words:?}\n{out}{said}");
    }
    assert_eq!(run(&["explain", &format!("{played}:6")]).0, 0);
    assert_eq!(run(&["shrink", &played]).0, 1, "there is nothing to shrink");
}

#[test]
fn candidates_count_in_order_and_the_hash_decides() {
    let folder = case_folder("order");
    let around = folder.join("game/nim.ludex");
    let in_path = folder.join("path/nim/nim.ludex");
    put(&around, &rules("nim", 3));
    put(&in_path, &rules("nim", 5));
    // Merely beside the log.
    put(&folder.join("game/logs/nim/nim.ludex"), &rules("nim", 7));
    put(&folder.join("game/logs/nim.ludex"), &rules("nim", 7));
    let path = text_of(&folder.join("path"));
    let file = folder.join("game/logs/x.log");
    let judged = |text: &str, more: &[&str]| {
        put(&file, text);
        judged_by(&[&[file.to_str().expect("a path")], more].concat())
    };
    let (around, in_path, none) = (text_of(&around), text_of(&in_path), Vec::<String>::new());
    let other = vec!["log::other-rules".to_owned()];
    assert_eq!(judged(&log("nim", None, 3), &[]), (around.clone(), none.clone()));
    assert_eq!(judged(&log("nim", None, 3), &["--rules-path", &path]), (around.clone(), none.clone()));
    let hash = hash_of(&in_path);
    assert_eq!(judged(&log("nim", Some(&hash), 5), &["--rules-path", &path]), (in_path, none.clone()));
    assert_eq!(judged(&log("nim", Some(&hash), 3), &[]), (around.clone(), other.clone()));
    assert_eq!(judged(&log("nim", Some(&hash_of("nim")), 3), &["--rules-path", &path]).0, "nim");
    assert_eq!(judged(&log("nim", Some("0123456789abcdef"), 3), &["--rules-path", &path]), (around.clone(), other));
    // `--rules` decides alone.
    let beside = text_of(&folder.join("game/logs/nim.ludex"));
    assert_eq!(judged(&log("nim", None, 7), &["--rules", &beside]).0, beside);
    assert_eq!(judged(&log("other", None, 7), &["--rules", &beside]), (beside, vec!["log::other-rules".to_owned()]));
    // A path in an old log is looked up by its last part.
    let path_in_log = vec!["log::path".to_owned()];
    assert_eq!(judged(&log("../../path/nim", None, 3), &[]), (around.clone(), path_in_log.clone()));
    assert_eq!(judged(&log("/nowhere/nim.ludex", None, 3), &[]), (around, path_in_log));
    assert_eq!(judged(&log("/etc/passwd", None, 3), &[]), (String::new(), none));
}

#[test]
fn rules_that_are_named_judge_whatever_the_log_names() {
    let folder = case_folder("whatever");
    let (rules_file, file) = (folder.join("mine.ludex"), folder.join("x.log"));
    put(&rules_file, &rules("mine", 3));
    let (by, shown) = (text_of(&rules_file), text_of(&file));
    let judged = |entries: &str| {
        put(&file, &format!("game other\nplayers seat1, seat2\n\n{entries}"));
        let (code, out, said) = run(&["validate", &shown, "--rules", &by]);
        (code, out + &said)
    };
    let names_another = "the log names `other`, and is judged by A game";
    for (entries, code, verdict) in [("", 0, ": unfinished by"), ("seat2 say 1\n", 1, "wrong-player")] {
        let (exit, said) = judged(entries);
        assert!(exit == code && said.contains(verdict) && said.contains(names_another), "{exit} {said}");
    }
    // An entry that these rules know nothing of is of another game.
    let (exit, said) = judged("seat1 dance\n");
    assert!(exit == 1 && said.contains("wrong-game"), "{said}");
    for words in [vec!["moves", &shown, "--rules", &by], vec!["perft", &by, "--depth", "1", "--from", &shown]] {
        let (exit, _, said) = run(&words);
        assert!(exit == 2 && said.contains("`dance` is not an action") && said.contains(names_another), "{said}");
    }
}

#[test]
fn ludex_path_comes_after_the_flag() {
    let folder = case_folder("environment");
    put(&folder.join("a/mine/mine.ludex"), &rules("mine", 3));
    put(&folder.join("b/mine.ludex"), &rules("mine", 5));
    put(&folder.join("x.log"), &log("mine", None, 5));
    let judge = |more: &[&str], paths: Vec<PathBuf>| {
        let log = text_of(&folder.join("x.log"));
        let words = [&["ludex", "validate", &log], more].concat();
        let environment = Environment { rules_path: paths, ..Environment::default() };
        let (mut out, mut said) = (Vec::new(), Vec::new());
        let words = words.into_iter().map(Into::into).collect::<Vec<_>>();
        let exit = run_with(words, environment, &mut std::io::empty(), &mut out, &mut said);
        (exit.code(), String::from_utf8(out).expect("UTF-8"))
    };
    let (a, b) = (folder.join("a"), folder.join("b"));
    assert_eq!(judge(&[], Vec::new()).0, 2);
    assert_eq!(judge(&[], vec![a.clone()]).0, 1);
    let (code, out) = judge(&[], vec![b.clone(), a.clone()]);
    assert!(code == 0 && out.contains("b/mine.ludex"), "{out}");
    let (code, out) = judge(&["--rules-path", &text_of(&b)], vec![a]);
    assert!(code == 0 && out.contains("b/mine.ludex"), "{out}");
}

#[test]
fn diagnostics_over_many_games_are_capped_and_the_rest_is_counted() {
    let folder = case_folder("many");
    let file = folder.join("many.log");
    let count = 20 * SHOWN_GAMES;
    put(&file, &"game nowhere\nplayers a, b\n".repeat(count));
    let shown = text_of(&file);
    for jobs in ["1", "3"] {
        let (code, out, said) = run(&["validate", &shown, "--jobs", jobs, "--format", "plain"]);
        assert_eq!(code, 2);
        assert_eq!(out.lines().count(), SHOWN_GAMES);
        assert_eq!(said.matches("error[load::unknown-ruleset]").count(), SHOWN_GAMES);
        let rest = format!("{} more games with faults or warnings are not shown", count - SHOWN_GAMES);
        assert!(said.contains(&rest), "{said}");
        let (_, out, _) = run(&["validate", &shown, "--jobs", jobs, "--format", "json"]);
        assert_eq!(out.lines().count(), SHOWN_GAMES + 2);
        assert!(
            out.contains(&format!("{{\"file\":\"{shown}\",\"games\":{},\"kind\":\"more\"", count - SHOWN_GAMES)),
            "{out}"
        );
    }
    // Illegal games are results: their verdicts stay, one line each.
    put(&file, &"game nim\nplayers a, b\n\na take 9 from 1\n".repeat(count));
    let (code, out, said) = run(&["validate", &shown, "--format", "plain"]);
    assert_eq!((code, out.lines().count()), (1, count));
    assert_eq!(said.matches("error[").count(), SHOWN_GAMES);
    let (_, out, _) = run(&["validate", &shown, "--format", "json"]);
    assert_eq!(out.matches("\"code\":\"verdict::requirement\"").count(), count);
    let (_, out, _) = run(&["validate", &shown, "--format", "junit"]);
    assert_eq!((out.matches("<testcase").count(), out.matches("<failure").count()), (count, count));
}

/// A pipe has no end until somebody writes to it: whoever reads one may wait for ever. A log must not lead there.
#[cfg(unix)]
#[test]
fn a_pipe_is_no_ruleset_that_a_log_leads_to() {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    let folder = case_folder("pipes");
    let text = rules("mine", 3);
    let written = log("mine", None, 1);
    let in_path = folder.join("path/mine.ludex");
    let around = folder.join("around/mine/mine.ludex");
    let numbers = folder.join("numbers/mine/mine.toml");
    put(&folder.join("numbers/mine/mine.ludex"), &text);
    for pipe in [&in_path, &around, &numbers] {
        fs::create_dir_all(pipe.parent().expect("a folder")).expect("a folder");
        let made = std::process::Command::new("mkfifo").arg(pipe).status().expect("mkfifo");
        assert!(made.success(), "{}", pipe.display());
        // Who reads gets rules, so that the test fails and does not wait.
        let served = Arc::new(AtomicUsize::new(0));
        let writer = std::thread::spawn({
            let (pipe, served, text) = (pipe.clone(), Arc::clone(&served), text.clone());
            move || {
                while fs::write(&pipe, &text).is_ok() && served.fetch_add(1, Ordering::SeqCst) < 100 {}
            }
        });
        let x = folder.join("x.log");
        put(&x, &written);
        let beside = pipe.parent().expect("a folder").join("logs/x.log");
        put(&beside, &written);
        let named = folder.join("named.log");
        put(&named, &log(&text_of(&pipe.canonicalize().expect("a path")), None, 1));
        let (x, beside, path) = (text_of(&x), text_of(&beside), text_of(pipe.parent().expect("a folder")));
        let named = text_of(&named);
        for args in [
            &["validate", &x, "--rules-path", &path] as &[&str],
            &["validate", &beside],
            &["validate", &beside, "--which"],
            &["moves", &beside],
            &["validate", &named],
            &["moves", &named],
            &["score", &x, "--rules-path", &path],
        ] {
            let (code, out, said) = run(args);
            assert_eq!(served.load(Ordering::SeqCst), 0, "{args:?} has read {}\n{out}{said}", pipe.display());
            // The numbers of a game may be left out; its rules may not.
            if pipe != &numbers {
                assert!(code == 2 && said.contains("load::unknown-ruleset"), "{args:?}: exit {code}\n{out}{said}");
            }
        }
        // The last one to read is the test itself: the writer ends.
        served.store(100, Ordering::SeqCst);
        assert_eq!(fs::read_to_string(pipe).expect("a text"), text);
        writer.join().expect("the writer ends");
    }
}
