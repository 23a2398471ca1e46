//! Limits, from both sides: what is just within is accepted, what is beyond is refused with the code and the limit. And
//! `src/testing/hungry/*.ludex`: rulesets that ask for work without end; every command ends with a verdict or an error.

mod logs;
mod rules;
mod slower;

use std::fs;

use super::{root, run};
use rules::{cases, programs};

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
        Self::by("check", &[], limit, rules::rules(within), rules::rules(beyond), said)
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

#[test]
fn limits_hold_from_both_sides() {
    for case in cases().into_iter().chain(programs()) {
        let (code, out) = case.run(&case.within);
        let fine = code == 0 || (case.limit == "ELEMENTS" && out.contains("numbers::missing"));
        assert!(fine && !out.contains(&case.said), "{}: refused within the limit\n{}", case.limit, start(&out));
        let (code, out) = case.run(&case.beyond);
        assert!(code != 0 && out.contains(&case.said), "{}: exit {code}\n{}", case.limit, start(&out));
    }
}

/// Every limit is documented, and tested in this folder or where logs and simulations are tested.
#[test]
fn every_limit_is_documented_and_tested() {
    let source = include_str!("../../limits.rs");
    let names: Vec<&str> =
        source.lines().filter_map(|line| line.strip_prefix("pub const ")?.split(':').next()).collect();
    assert!(names.len() > 20, "{names:?}");
    let documented = fs::read_to_string(root().join("docs/limits.md")).expect("docs/limits.md");
    let tests = tests_below(&root().join("src"));
    let here: Vec<&str> = cases().iter().chain(&programs()).map(|case| case.limit).collect();
    for name in names {
        assert!(documented.contains(&format!("`{name}`")), "docs/limits.md does not list {name}");
        let tested = here.contains(&name) || tests.contains(&format!("limits::{name}"));
        assert!(tested, "no test asks about {name}");
    }
}

/// The texts of all tests.
fn tests_below(folder: &std::path::Path) -> String {
    let mut text = String::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let within = path.strip_prefix(root()).expect("a path in the repository").display().to_string();
        let is_test = within.contains("test");
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
