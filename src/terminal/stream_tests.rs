//! What strangers write cannot steer a terminal; a closed pipe and a full disk are survived.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use super::{Environment, run_with};
use crate::report::steers;
use crate::testing::{case_folder, run, run_typing};

/// Signs that steer a terminal, turn lines round, or begin new ones.
const HOSTILE: &str = "\u{1b}]0;own\u{7}\u{1b}[31m\u{7f}\u{9b}2J\u{202e}\u{2066}\u{2028}\u{200f}\r";

fn rules(name: &str, most: u32) -> String {
    format!(
        "game {name} \"T{HOSTILE}itle\"\nplayers 2\nnumbers {{ cost.x: 0..9 \"u{HOSTILE}nit\" }}\n\
         ruling r: bool \"Que{HOSTILE}stion?\" \"Rea{HOSTILE}son\"\nstate {{ n: 0..9 = 0 }}\n\
         action go(x: 1..3) \"what{HOSTILE}\"\n    require ok: n + cost.x < {most} \"phr{HOSTILE}ase {{n}}\"\n{{ n += x }}\n\
         flow {{ turn seat(1) {{ choose go or pass {{ }} choose go or pass {{ }} }} end }}\n\
         score(p: Player) = n \nwinner(p: Player) by score(p)\nview {{ panel: n }}\n\
         example \"ti{HOSTILE}tle\"\n    when seat1 go 3\n    then n is 2\n"
    )
}

/// What is wrong with a text, if anything.
fn harm(args: &[&str], text: &str) -> Option<String> {
    let harmful = text.contains("\nFORGED") || text.chars().any(|c| steers(c) && !matches!(c, '\n' | '\t'));
    harmful.then(|| format!("{args:?}\n{}\n", text.escape_debug()))
}

const LOGS: [&str; 5] = ["a.log", "slip.log", "unread.log", "path.log", "json.jsonl"];

/// Commands with rulesets of a folder.
fn with_rulesets(place: &dyn Fn(&str) -> String) -> Vec<Vec<String>> {
    let (ansi, b, broken) = (place("ansi.ludex"), place("b.ludex"), place("broken.ludex"));
    let page = place("page.html");
    let mut commands: Vec<Vec<String>> = Vec::new();
    let mut add = |words: &[&str]| commands.push(words.iter().map(|&word| word.to_owned()).collect());
    for ruleset in [&ansi, &b, &broken, &place(""), &place("missing"), &format!("{ansi}:var{HOSTILE}")] {
        add(&["check", ruleset]);
        add(&["check", ruleset, "--verbose"]);
        add(&["check", ruleset, "--set", &format!("co{HOSTILE}=1")]);
        add(&["test", ruleset, "--coverage"]);
        add(&["numbers", ruleset]);
        add(&["numbers", ruleset, "--uses", "cost.x"]);
        add(&["rulings", ruleset]);
        add(&["moves", ruleset]);
        add(&["perft", ruleset, "--depth", "2"]);
        add(&["simulate", ruleset, "--games", "3", "--seed", "1"]);
        add(&["simulate", ruleset, "--games", "3", "--seed", "1", "--versus", "cost.x=0"]);
        add(&["play", ruleset, "--seed", "1"]);
        add(&["diff", ruleset, &b]);
        add(&["fmt", "--check", ruleset]);
        add(&["fmt", "--diff", ruleset]);
        for stage in ["ast", "bound", "program"] {
            add(&["show", ruleset, "--stage", stage]);
        }
    }
    add(&["simulate", &ansi, "--games", "3", "--seed", "1", "--report", &page]);
    add(&["list"]);
    add(&["new", &format!("x{HOSTILE}")]);
    add(&["explain", &format!("x{HOSTILE}")]);
    add(&[&format!("x{HOSTILE}")]);
    add(&["report", "page", &ansi, "-o", &place("new.html")]);
    add(&["report", "merge", &ansi]);
    commands
}

/// Commands with logs of a folder.
fn with_logs(place: &dyn Fn(&str) -> String, logs: &[String]) -> Vec<Vec<String>> {
    let (ansi, b) = (place("ansi.ludex"), place("b.ludex"));
    let mut commands: Vec<Vec<String>> = Vec::new();
    let mut add = |words: &[&str]| commands.push(words.iter().map(|&word| word.to_owned()).collect());
    for log in logs {
        for words in [
            vec!["validate", log],
            vec!["validate", log, "--all", "--rules", &ansi],
            vec!["validate", log, "--which"],
            vec!["score", log],
            vec!["score", log, "--why", "1"],
            vec!["replay", log],
            vec!["replay", log, "--log"],
            vec!["replay", log, "--rules", &b, "--as", "2"],
            vec!["moves", log],
            vec!["shrink", log],
            vec!["impact", &ansi, &b, log],
            vec!["perft", &ansi, "--depth", "1", "--from", log],
            vec!["explain", &format!("{log}:5")],
            vec!["fmt", log, "--check"],
            vec!["fmt", log, "--to", "jsonl"],
        ] {
            add(&words);
        }
    }
    commands
}

#[test]
fn nothing_hostile_reaches_a_terminal_in_any_command_or_format() {
    let folder = case_folder("hostile").join(format!("dir\nFORGED {HOSTILE}\nFORGED"));
    let place = |file: &str| folder.join(file).to_str().expect("a path").to_owned();
    fs::create_dir_all(folder.join("logs")).expect("a folder with such a name");
    let write = |file: &str, text: &str| fs::write(folder.join(file), text).expect("a file");
    write("ansi.ludex", &rules("ansi", 3));
    write("ansi.toml", "[cost]\nx = 1\n[ruling]\nr = true\n");
    write("b.ludex", &rules("b", 4));
    write("b.toml", "[cost]\nx = 1\n[ruling]\nr = true\n");
    write("broken.ludex", &format!("game broken \"x\"\nplayers {HOSTILE}2\n"));
    write("broken.toml", &format!("x = {HOSTILE}\n"));
    let head = format!("game ansi\nplayers seat1 = \"A{HOSTILE}\", seat2 = \"B\"\n# {HOSTILE}\n\n");
    write("logs/a.log", &format!("{head}seat1 go 1\nseat1 pass\n\nresult seat1 1, seat2 1\nwinner none\n"));
    write("logs/slip.log", &format!("{head}seat1 go 3\nseat1 go 3  # {HOSTILE}\n"));
    write("logs/unread.log", &format!("{head}seat1 {HOSTILE} 3\n"));
    write("logs/path.log", &format!("game \"../x{HOSTILE}\\n FORGED\"\nplayers a, b\n"));
    write("logs/json.jsonl", "{\"game\":\"ansi\",\"players\":[{\"seat\":\"a\u{202e}\"}]}\n");
    let logs: Vec<String> = LOGS.iter().map(|log| place(&format!("logs/{log}"))).collect();
    let (page, mut harms) = (place("page.html"), Vec::new());
    let mut commands = with_rulesets(&place);
    commands.extend(with_logs(&place, &logs));
    assert!(commands.len() > 150);
    for words in &commands {
        for format in ["human", "plain", "json", "sarif", "junit", "github"] {
            let _ = fs::remove_file(&page);
            let args: Vec<&str> = words.iter().map(String::as_str).chain(["--format", format]).collect();
            let (_, results, diagnostics) = run_typing(&args, &format!("go 1{HOSTILE}\nmoves\nboard\ngo 1\npass\n"));
            harms.extend(harm(&args, &results));
            harms.extend(harm(&args, &diagnostics));
            if matches!(format, "json" | "sarif") {
                for line in results.lines() {
                    serde_json::from_str::<serde_json::Value>(line)
                        .unwrap_or_else(|error| panic!("{args:?} {error}: {line}"));
                }
            }
            if let Ok(page) = fs::read_to_string(&page) {
                harms.extend(harm(&args, &page));
            }
        }
    }
    assert!(harms.is_empty(), "{} harms\n{}", harms.len(), harms.join("\n"));
    // Colours are ours; what a stranger writes is not coloured.
    let (_, _, drawn) = run(&["validate", &logs[1], "--color", "always"]);
    let own = drawn.split('\u{1b}').skip(1).all(|piece| {
        piece
            .strip_prefix('[')
            .and_then(|rest| rest.trim_start_matches(|c: char| c.is_ascii_digit() || c == ';').chars().next())
            == Some('m')
    });
    assert!(own && drawn.contains('\u{1b}'), "{}", drawn.escape_debug());
    assert!(!drawn.contains("\u{1b}[31m\u{7f}") && !drawn.contains("]0;own\u{7}"), "{}", drawn.escape_debug());
}

/// A stream that fails.
struct Failing(io::ErrorKind);

impl Write for Failing {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        Err(self.0.into())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A stream that holds everything back, and has no room for it.
struct Late;

impl Write for Late {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Err(io::ErrorKind::StorageFull.into())
    }
}

/// Runs a command whose results go there; gives the exit code and what is said beside.
fn run_into(args: &[&str], results: &mut dyn Write) -> (u8, String) {
    let args: Vec<_> = std::iter::once("ludex").chain(args.iter().copied()).map(Into::into).collect();
    let mut diagnostics = Vec::new();
    let exit = run_with(args, Environment::default(), &mut io::empty(), results, &mut diagnostics);
    (exit.code(), String::from_utf8(diagnostics).expect("UTF-8"))
}

/// Commands with the exit code that they have.
fn commands() -> Vec<(Vec<&'static str>, u8)> {
    let slip = "rulesets/classics/nim/logs/too-many.log";
    vec![
        (vec!["validate", slip], 1),
        (vec!["validate", "rulesets/classics/nim/logs"], 1),
        (vec!["validate", "nowhere.log"], 2),
        (vec!["check", "nim"], 0),
        (vec!["list"], 0),
        (vec!["test", "tictactoe"], 0),
        (vec!["simulate", "nim", "--games", "5", "--seed", "1"], 0),
        (vec!["moves", "nim"], 0),
        (vec!["play", "nim", "--seed", "1", "--bot", "1=random", "--bot", "2=random"], 0),
    ]
}

#[test]
fn under_a_closed_pipe_a_command_goes_on_and_keeps_its_exit_code() {
    for (args, expected) in commands() {
        let (usual, said) = run_into(&args, &mut Vec::new());
        assert_eq!(usual, expected, "{args:?}\n{said}");
        let (code, without) = run_into(&args, &mut Failing(io::ErrorKind::BrokenPipe));
        assert_eq!((code, without), (expected, said), "{args:?}");
    }
}

#[test]
fn a_full_disk_gives_a_message_in_every_format() {
    for (args, _) in commands() {
        for format in ["human", "plain", "json", "sarif", "junit", "github"] {
            let args: Vec<&str> = args.iter().copied().chain(["--format", format]).collect();
            let mut all = Vec::new();
            let (usual, _) = run_into(&args, &mut all);
            if all.is_empty() {
                continue;
            }
            for stream in [&mut Failing(io::ErrorKind::StorageFull) as &mut dyn Write, &mut Late] {
                let (code, said) = run_into(&args, stream);
                assert_eq!(code, 2, "{args:?} {usual}");
                assert!(said.contains("error: cannot write: "), "{args:?}\n{said}");
            }
        }
    }
}

#[test]
fn a_full_disk_gives_a_message_for_help() {
    for args in [&["--help"][..], &["--version"], &["simulate", "--help"]] {
        let (code, said) = run_into(args, &mut Failing(io::ErrorKind::StorageFull));
        assert!(code == 2 && said.contains("error: cannot write: "), "{args:?}: {code} {said}");
        let (code, said) = run_into(args, &mut Failing(io::ErrorKind::BrokenPipe));
        assert!(code == 0 && said.is_empty(), "{args:?}: {code} {said}");
    }
}

#[cfg(unix)]
#[test]
fn a_link_among_logs_does_not_lead_out_of_their_folder() {
    let folder = case_folder("linked");
    let (secret, logs) = (folder.join("secret.txt"), folder.join("logs"));
    fs::create_dir_all(&logs).expect("a folder");
    fs::write(&secret, "TOP SECRET\n").expect("a file");
    fs::write(logs.join("a.log"), "game nim\nplayers first, second\n").expect("a log");
    std::os::unix::fs::symlink("../secret.txt", logs.join("s.log")).expect("a link");
    std::os::unix::fs::symlink("a.log", logs.join("b.log")).expect("a link");
    let (code, results, diagnostics) = run(&["validate", &logs.display().to_string()]);
    assert!(code == 0 && !diagnostics.contains("SECRET"), "{results}{diagnostics}");
    assert_eq!(results.matches("unfinished by nim").count(), 2, "{results}");
}

#[cfg(target_os = "linux")]
#[test]
fn fmt_names_a_file_only_after_it_was_written() {
    use std::os::fd::AsRawFd;
    // A file that is deleted, but open, can be read and not replaced.
    let path = case_folder("fmt-fails").join("x.ludex");
    fs::write(&path, "game x   \"X\"\n").expect("a file");
    let open = fs::File::open(&path).expect("the file");
    fs::remove_file(&path).expect("it is gone");
    let (code, results, diagnostics) = run(&["fmt", &format!("/proc/self/fd/{}", open.as_raw_fd())]);
    assert_eq!((code, results.as_str()), (2, ""), "{diagnostics}");
    assert!(diagnostics.contains("cannot write"), "{diagnostics}");
}

#[cfg(unix)]
#[test]
fn what_is_not_a_ruleset_is_never_shown() {
    let folder = case_folder("secrets");
    let shown = |file: &str| folder.join(file).display().to_string();
    let secret = "root:SECRET:0:0\ngame over\n";
    fs::write(folder.join("passwd"), secret).expect("a file");
    fs::write(folder.join("latin"), b"root:SECRET:\xff\n").expect("a file");
    let inside = folder.join("mine");
    fs::create_dir_all(inside.join("examples")).expect("a folder");
    fs::create_dir_all(inside.join("logs")).expect("a folder");
    let template: Vec<(String, String)> = super::new::template("mine");
    for (file, text) in template.iter().filter(|(file, _)| file == "mine.ludex") {
        fs::write(inside.join(file), text).expect("a file");
    }
    let link = |from: &str| std::os::unix::fs::symlink(Path::new("../..").join("passwd"), inside.join(from));
    std::os::unix::fs::symlink("../passwd", inside.join("mine.toml")).expect("a link");
    link("examples/x.ludex").expect("a link");
    link("logs/x.log").expect("a link");
    fs::write(folder.join("x.log"), format!("game {}\nplayers a, b\n", shown("passwd"))).expect("a log");
    let copy = shown("copy.ludex");
    fs::write(&copy, secret).expect("a file");
    for args in [
        vec!["check", &shown("passwd")],
        vec!["check", &copy],
        vec!["check", &shown("latin")],
        vec!["check", &shown("mine")],
        vec!["test", &shown("mine")],
        vec!["validate", &shown("x.log")],
        vec!["validate", &shown("x.log"), "--rules", &copy],
        vec!["validate", &shown("x.log"), "--rules", "nim"],
        vec!["validate", &shown("x.log"), "--which"],
        vec!["moves", &shown("x.log")],
        vec!["score", &shown("x.log"), "--rules", &copy],
    ] {
        for format in ["human", "plain", "json"] {
            let args: Vec<&str> = args.iter().copied().chain(["--format", format]).collect();
            let (code, results, diagnostics) = run(&args);
            assert!(code > 0 || args.contains(&"nim"), "{args:?}\n{results}{diagnostics}");
            assert!(!format!("{results}{diagnostics}").contains("SECRET"), "{args:?}\n{results}{diagnostics}");
        }
    }
}
