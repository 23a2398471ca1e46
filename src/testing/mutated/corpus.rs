//! What is mutated: rulesets of the tests, of the documentation and of the generator, logs of their games, reports.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use crate::compile::compile;
use crate::judge::{By, Shelf};
use crate::load::Folder;
use crate::log::{self, Form, Line, Log, Seat};
use crate::machine::{Machine, Random, Step, Waits};
use crate::play::seat_names;
use crate::simulate::line;
use crate::testing::engines::rules;
use crate::testing::generated;
use crate::testing::{root, run};

/// Generated rulesets among the seeds.
const GENERATED: u64 = 120;

/// Entries of a log; a short one shows as much and takes less time.
const ENTRIES: usize = 24;

/// What is done with an input.
#[derive(Clone)]
pub(super) enum Kind {
    /// `case.ludex` with what belongs to it: it is checked, compiled and played.
    Rules,
    /// A log that is judged by rules at hand.
    Log(Arc<Judging>),
    /// A report of `simulate`: it is merged and shown as a page.
    Report,
}

/// The rules that a log is judged by, and where they are.
pub(super) struct Judging {
    pub(super) ruleset: String,
    pub(super) shelf: Shelf,
}

/// Files, and what is done with them. The first file is the one that matters.
#[derive(Clone)]
pub(super) struct Input {
    pub(super) kind: Kind,
    pub(super) files: Vec<(String, String)>,
}

impl Input {
    /// Is it worth being mutated as often as others? Large rulesets take long.
    pub(super) fn is_small(&self) -> bool {
        self.files.iter().map(|(_, text)| text.len()).sum::<usize>() < 4000
    }
}

/// Inputs by their kind, small ones before large ones.
#[derive(Default)]
pub(super) struct Corpus {
    pub(super) rules: Vec<Input>,
    /// Rulesets of more than a few lines.
    pub(super) large: Vec<Input>,
    pub(super) logs: Vec<Input>,
    pub(super) reports: Vec<Input>,
}

impl Corpus {
    pub(super) fn new() -> Self {
        let mut corpus = Self::default();
        for folder in ["src/testing/engines", "src/testing/cases"] {
            for (path, files) in beside(&root().join(folder)) {
                corpus.add_rules(files);
                if folder.ends_with("engines") {
                    corpus.logs.extend(logs_of(&path));
                }
            }
        }
        pages(&root().join("docs/faults"), &mut |files| corpus.add_rules(files));
        (1..=GENERATED).for_each(|seed| corpus.add_rules(generated::files(seed)));
        for name in Folder::bundled_names() {
            corpus.logs.extend(logs_of(name));
            corpus.large.push(Input { kind: Kind::Rules, files: bundled(name) });
        }
        corpus.reports.extend(reports());
        corpus
    }

    fn add_rules(&mut self, files: Vec<(String, String)>) {
        let input = Input { kind: Kind::Rules, files };
        if input.is_small() { self.rules.push(input) } else { self.large.push(input) }
    }
}

/// Rulesets of one file, each with its numbers if there are any.
fn beside(folder: &Path) -> BTreeMap<String, Vec<(String, String)>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("a file").path();
        if path.extension().is_some_and(|kind| kind == "ludex") {
            let mut files = vec![("case.ludex".to_owned(), fs::read_to_string(&path).expect("a text"))];
            let toml = fs::read_to_string(path.with_extension("toml"));
            files.extend(toml.ok().map(|toml| ("case.toml".to_owned(), toml)));
            found.insert(path.display().to_string(), files);
        }
    }
    found
}

/// A bundled ruleset under another name, without its examples.
fn bundled(name: &str) -> Vec<(String, String)> {
    let folder = Folder::bundled(name).expect("a ruleset");
    let kinds = ["ludex", "toml"].map(|kind| (format!("{name}.{kind}"), format!("case.{kind}")));
    kinds.into_iter().filter_map(|(file, to)| Some((to, folder.read(&file).ok()?))).collect()
}

/// The rulesets that the pages about faults show.
fn pages(folder: &Path, found: &mut impl FnMut(Vec<(String, String)>)) {
    let mut paths: Vec<_> =
        fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("a file").path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            pages(&path, found);
            continue;
        }
        let text = fs::read_to_string(&path).expect("a page");
        let mut files = Vec::new();
        for block in text.split("\n```").skip(1).step_by(2) {
            let (info, body) = block.split_once('\n').unwrap_or((block, ""));
            if let Some((_, name)) = info.split_once(' ')
                && ["case.ludex", "case.toml"].contains(&name)
            {
                files.push((name.to_owned(), format!("{body}\n")));
            }
        }
        if files.first().is_some_and(|(name, _)| name == "case.ludex") {
            found(files);
        }
    }
}

/// Logs of a random game of a ruleset, in both notations.
fn logs_of(name: &str) -> Vec<Input> {
    let Some(rules) = (1..=4).find_map(|players| rules(name, players, &[])) else { return Vec::new() };
    let Ok(program) = compile(&rules.checked) else { return Vec::new() };
    let bound = &rules.checked.bound;
    let mut machine = Machine::new(&program);
    let mut random = Random::new(3);
    let mut entries = Vec::new();
    if machine.begin().is_err() {
        return Vec::new();
    }
    while entries.len() < ENTRIES {
        let step = match machine.waits() {
            Waits::Player { .. } => machine.sample(&mut random).ok().flatten().map(Step::Entry),
            Waits::Chance(_) => {
                let outcomes = machine.outcomes().map(<[_]>::to_vec).unwrap_or_default();
                let nth = Random::below(&mut random, outcomes.len().max(1) as u64);
                usize::try_from(nth).ok().and_then(|nth| outcomes.get(nth)).map(|(value, _)| Step::Drawn(*value))
            }
            Waits::Nothing => None,
        };
        let Some(step) = step else { break };
        // The machine takes the step, too.
        let Ok(text) = line(&mut machine, bound, step) else { break };
        entries.push(Line { text, ..Line::default() });
    }
    let seats = seat_names(bound).into_iter().map(|name| Seat { name, who: None }).collect();
    let text = log::write(&Log { game: bound.name.clone(), seats, entries, ..Log::default() });
    let shelf = Shelf::new(By { ruleset: Some(name.to_owned()), ..By::default() });
    let judging = Arc::new(Judging { ruleset: name.to_owned(), shelf });
    let input =
        |name: &str, text| Input { kind: Kind::Log(Arc::clone(&judging)), files: vec![(name.to_owned(), text)] };
    let mut logs = Vec::new();
    if let Ok(document) = log::Document::from_text(crate::report::FileId::default(), &text) {
        logs.push(input("game.jsonl", document.write(Form::JsonLines)));
    }
    logs.push(input("game.log", text));
    logs
}

/// Reports of every kind.
fn reports() -> Vec<Input> {
    let all: [&[&str]; 4] = [&[], &["--versus", "heap.most=5"], &["--sweep", "heap.most=4..6"], &["--sensitivity"]];
    let mut found = Vec::new();
    for more in all {
        let args =
            [&["simulate", "nim", "--games", "4", "--seed", "1", "--jobs", "1", "--format", "json"], more].concat();
        let (code, results, _) = run(&args);
        if code == 0 {
            found.push(Input { kind: Kind::Report, files: vec![("report.json".to_owned(), results)] });
        }
    }
    found
}
