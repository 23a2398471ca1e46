//! Rulesets that nobody wrote: a generator of well-typed rulesets, and the laws that hold for each of them.
//!
//! ```text
//! choices      a list of numbers decides everything; it is made smaller where a law is broken
//! types        what a generator knows about types
//! writer       what is declared so far
//! expressions  an expression of a wanted type
//! members      values that may be none, sets, lists, domains
//! statements   effects and flow
//! data         players, types, boards, numbers, state
//! opinion      what is true of numbers and boards, worked out by other means
//! extras       citations, rulings, views, a variant, examples
//! ruleset      the files of a ruleset
//! trial        one ruleset through everything
//! ```
//!
//! `LUDEX_RULESETS=100000 cargo test --release --lib generated_rulesets -- --nocapture` tries so many, on all cores;
//! `LUDEX_SEED=7` begins elsewhere.

mod choices;
mod data;
mod expressions;
mod extras;
mod members;
mod opinion;
mod ruleset;
mod statements;
mod trial;
mod types;
mod writer;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use crate::examples::{cores, parallel};
use choices::{Choices, shrink};
pub(super) use trial::put;
use trial::{Failure, Fate, attempt};

/// Rulesets that are tried if nobody asks for more.
const RULESETS: u64 = 500;

/// How often a failing ruleset is tried to be made smaller.
const SHRINKING: usize = 800;

/// Rulesets between two lines about how far a run is.
const BATCH: u64 = 100;

/// The files of the ruleset of a seed.
pub(super) fn files(seed: u64) -> ruleset::Files {
    ruleset::write(Choices::random(seed)).0
}

/// What `simulate` writes of a ruleset, `validate` accepts; or why not.
pub(super) fn simulated_is_legal(folder: &Path, path: &str) -> Result<(), String> {
    trial::logs(folder, path).map_err(|failure| failure.what)
}

fn folder(name: impl std::fmt::Display) -> PathBuf {
    PathBuf::from("target/cases/generated").join(name.to_string())
}

fn asked(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

/// Writes the ruleset of a seed to a folder of its own; gives its path.
pub(super) fn written(seed: u64) -> String {
    let (files, _) = ruleset::write(Choices::random(seed));
    trial::put(&files, &folder(format!("mutants-{seed}")))
}

/// Tries the ruleset of a seed. If it breaks a law, gives the files of a smaller ruleset that does, too.
#[expect(clippy::print_stdout, reason = "who asks for a long run wants to see how far it is")]
fn try_seed(seed: u64) -> Result<Fate, String> {
    let place = folder(seed);
    let (files, made) = ruleset::write(Choices::random(seed));
    let told = attempt(&files, &place, None).map_err(|failure| {
        let law = failure.law;
        println!("seed {seed} breaks \"{law}\": looking for a smaller ruleset\n{}", failure.what);
        let breaks = |choices: &[u32]| {
            let (files, _) = ruleset::write(Choices::again(choices.to_vec()));
            matches!(attempt(&files, &place, Some(law)), Err(Failure { law: broken, .. }) if broken == law)
        };
        let small = shrink(made, SHRINKING, breaks);
        let (files, _) = ruleset::write(Choices::again(small));
        let what = attempt(&files, &place, Some(law)).err().map_or(failure.what, |failure| failure.what);
        let mut text = format!("seed {seed}: \"{law}\" does not hold\n{what}\n");
        for (name, content) in &files {
            let _ = writeln!(text, "---- {name}\n{content}");
        }
        text
    });
    let _ = std::fs::remove_dir_all(&place);
    told
}

#[test]
#[expect(clippy::print_stdout, reason = "who asks for a long run wants to see how far it is")]
fn generated_rulesets_keep_the_laws() {
    let (count, first) = (asked("LUDEX_RULESETS", RULESETS), asked("LUDEX_SEED", 1));
    let (mut sound, mut entries, mut failures) = (0, 0, Vec::new());
    let mut refused: BTreeMap<String, u64> = BTreeMap::new();
    for start in (first..first + count).step_by(usize::try_from(BATCH).expect("a number")) {
        let seeds: Vec<u64> = (start..(start + BATCH).min(first + count)).collect();
        for told in parallel::each(cores(), &seeds, |seed| try_seed(*seed)) {
            match told {
                Ok(Fate::Sound(played)) => (sound, entries) = (sound + 1, entries + played),
                Ok(Fate::Refused(codes)) => codes.into_iter().for_each(|code| *refused.entry(code).or_default() += 1),
                Err(failure) => failures.push(failure),
            }
        }
        let done = seeds.last().map_or(0, |last| last + 1 - first);
        println!("{done} rulesets, {sound} sound, {entries} entries, {} failures", failures.len());
        if failures.len() > 5 {
            break;
        }
    }
    println!("refused: {refused:?}");
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(sound * 4 > count * 3, "too many rulesets are refused: {refused:?}");
    assert!(entries > 0, "nothing was played");
}

/// Grammar rules that no generated ruleset needs, each with the reason.
const UNSEEN: &[(&str, &str)] = &[
    ("entry_line", "a line of a log: logs of simulated games are read by the law about them"),
    ("logged", "the same"),
    ("logged_deed", "the same"),
    ("unknown", "what a writer did not see is left open in logs only"),
    ("picture", "a picture needs a view whose signs stand for states"),
    ("soft_picture", "the same"),
    ("reserved", "it is only looked for, to tell names from words"),
];

/// Every rule of the grammar is written by the generator. What is silent leaves no trace in a parse.
#[test]
fn generated_rulesets_cover_the_grammar() {
    let grammar = include_str!("../../../grammar/ludex.pest");
    let declared = |line: &str| {
        let (name, rest) = line.split_once('=')?;
        let name = name.trim();
        let is_name = !name.is_empty() && name.chars().all(|c| c.is_ascii_lowercase() || c == '_');
        let is_seen = !rest.trim_start().starts_with('_');
        (is_name && is_seen && !line.starts_with([' ', '/'])).then(|| name.to_owned())
    };
    let mut left: BTreeSet<String> = grammar.lines().filter_map(declared).collect();
    assert!(left.len() > 150, "only {} rules were found in the grammar", left.len());
    for (rule, _) in UNSEEN {
        assert!(left.remove(*rule), "{rule} is no rule of the grammar");
    }
    for seed in 1..=RULESETS {
        let (files, _) = ruleset::write(Choices::random(seed));
        for (_, text) in files.iter().filter(|(name, _)| name.ends_with(".ludex")) {
            for rule in crate::ast::rules_in(text) {
                left.remove(&rule);
            }
        }
    }
    assert!(left.is_empty(), "no generated ruleset has these rules of the grammar: {left:?}");
}
