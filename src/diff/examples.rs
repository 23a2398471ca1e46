//! What differs in the examples, and which of them come out otherwise by the other rules.

use super::{Change, Side};
use crate::ast::{self, Clause, File, Item, ItemKind};
use crate::examples::{Foreign, Ran, record::diff};
use crate::report::{Sources, Span};

/// An example that is not the same in both rulesets.
#[derive(Debug, Clone)]
pub struct ExampleDifference {
    /// How it differs.
    pub change: Change,
    /// Its rows and its title.
    pub heading: String,
    /// Where it stands in both.
    pub at: (Option<Span>, Option<Span>),
    /// What it says, as a tree: `-` for the old, `+` for the new, a blank for both.
    pub lines: Vec<String>,
}

/// A position of an example that passes by one ruleset only.
#[derive(Debug, Clone)]
pub struct OutcomeDifference {
    /// Its rows and its title.
    pub heading: String,
    /// Does it pass by the new rules, and not by the old ones?
    pub by_new: bool,
    /// Is it an example of the new ruleset only?
    pub from_new: bool,
    /// `file:line` of its title.
    pub place: String,
    /// What fails by the other rules, or why it makes no sense there.
    pub reasons: Vec<String>,
    /// Does it speak of something that the other rules do not have?
    pub senseless: bool,
}

/// An example with all that it stands on.
struct Told {
    heading: String,
    meaning: String,
    span: Span,
}

fn all(side: &Side) -> Vec<Told> {
    let loaded = &side.rules.loaded;
    let files = || loaded.layers.iter().chain(&loaded.examples).flat_map(|file| &file.items);
    let dumped = |item: &Item| {
        let item = Item { replaces: false, ..item.clone() };
        ast::dump(&File { items: vec![item], broken: Vec::new() })
    };
    let given = |wanted: &str| {
        files().find(|item| matches!(&item.kind, ItemKind::Given { name, .. } if name.text == wanted)).map(dumped)
    };
    let mut found = Vec::new();
    for item in files() {
        let ItemKind::Example(example) = &item.kind else { continue };
        let mut meaning = dumped(item);
        for clause in &example.clauses {
            if let Clause::Given { base: Some(base), .. } = clause {
                meaning += &given(&base.text).unwrap_or_default();
            }
        }
        let rows: Vec<&str> = example.rows.iter().map(|row| row.text.as_str()).collect();
        let heading = format!("{} \"{}\"", rows.join(", "), example.title.plain()).trim().to_owned();
        found.push(Told { heading, meaning, span: example.title.span });
    }
    found
}

/// What differs in the examples themselves.
pub(super) fn compare(old: &Side, new: &Side) -> Vec<ExampleDifference> {
    let (before, after) = (all(old), all(new));
    let lines = |told: Option<&Told>| -> Vec<String> {
        told.map_or_else(Vec::new, |told| told.meaning.lines().map(str::to_owned).collect())
    };
    let difference = |change, a: Option<&Told>, b: Option<&Told>| {
        let heading = a.or(b)?.heading.clone();
        let at = (a.map(|told| told.span), b.map(|told| told.span));
        Some(ExampleDifference { change, heading, at, lines: diff(&lines(a), &lines(b)) })
    };
    let mut found = Vec::new();
    for a in &before {
        match after.iter().find(|b| b.heading == a.heading) {
            Some(b) if a.meaning == b.meaning => {}
            Some(b) => found.extend(difference(Change::Changed, Some(a), Some(b))),
            None => found.extend(difference(Change::Removed, Some(a), None)),
        }
    }
    let is_new = |b: &&Told| !before.iter().any(|a| a.heading == b.heading);
    found.extend(after.iter().filter(is_new).filter_map(|b| difference(Change::Added, None, Some(b))));
    found
}

/// Plays the examples of both by the rules of both, and tells those that pass by one only.
pub(super) fn outcomes(
    old: &Side,
    new: &Side,
    differences: &[ExampleDifference],
    jobs: usize,
) -> Vec<OutcomeDifference> {
    let (before, after) = (&old.rules.loaded, &new.rules.loaded);
    let mut found = Vec::new();
    for (from_new, examples) in [(false, before), (true, after)] {
        // What is the same in both is played once.
        let is_own = |heading: &str| {
            !from_new || differences.iter().any(|known| known.at.1.is_some() && heading.starts_with(&known.heading))
        };
        if from_new && !differences.iter().any(|known| known.at.1.is_some()) {
            continue;
        }
        let (by_old, by_new) = (Foreign::new(before, examples), Foreign::new(after, examples));
        for ((heading, span, old_ran), (.., new_ran)) in by_old.run(jobs).into_iter().zip(by_new.run(jobs)) {
            let by_new_only = match (&old_ran, &new_ran) {
                (Ran::Passed, Ran::Passed) => continue,
                (Ran::Passed, _) => false,
                (_, Ran::Passed) => true,
                _ => continue,
            };
            if !is_own(&heading) {
                continue;
            }
            let (reasons, senseless) = match if by_new_only { old_ran } else { new_ran } {
                Ran::Passed => (Vec::new(), false),
                Ran::Failed(reasons) => (reasons, false),
                Ran::Senseless(reason) => (vec![reason], true),
            };
            let place = place(by_old.sources(), span);
            found.push(OutcomeDifference { heading, by_new: by_new_only, from_new, place, reasons, senseless });
        }
    }
    found
}

fn place(sources: &Sources, span: Span) -> String {
    sources
        .get(span.file)
        .map_or_else(String::new, |source| format!("{}:{}", source.name(), source.place_of(span.start).line))
}
