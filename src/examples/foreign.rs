//! The examples of one ruleset, played by the rules of another.

use super::parallel;
use super::suite::{Suite, Wants};
use crate::ast::{self, Clause, File, GivenPart, ItemKind};
use crate::load::Loaded;
use crate::report::Span;

/// What came of one section of an example.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ran {
    /// Everything came as expected.
    Passed,
    /// Something did not: what was expected, and what came.
    Failed(Vec<String>),
    /// It speaks of something that these rules do not have.
    Senseless(String),
}

/// The examples of one ruleset with the rules of another.
#[derive(Debug)]
pub struct Foreign {
    loaded: Loaded,
}

impl Foreign {
    /// Puts both together.
    #[must_use]
    pub fn new(rules: &Loaded, examples: &Loaded) -> Self {
        let is_example = |item: &ast::Item| matches!(item.kind, ItemKind::Given { .. } | ItemKind::Example(_));
        let mut loaded = rules.clone();
        loaded.examples.clear();
        loaded.layers.iter_mut().for_each(|layer| layer.items.retain(|item| !is_example(item)));
        for file in examples.layers.iter().chain(&examples.examples) {
            let Some(source) = file.items.first().and_then(|item| examples.sources.get(item.span.file)) else {
                continue;
            };
            let id = loaded.sources.add(source.name(), source.text());
            let Some(source) = loaded.sources.get(id) else { continue };
            // What is wrong with it has been told by `check`.
            let mut file = ast::parse(id, source, &mut Vec::new());
            file.items.retain(is_example);
            file.items.iter_mut().for_each(forget_invariants);
            loaded.examples.push(File { broken: Vec::new(), ..file });
        }
        Self { loaded }
    }

    /// Plays every section, in order: its heading, its title's place, and what came of it.
    #[must_use]
    pub fn run(&self, jobs: usize) -> Vec<(String, Span, Ran)> {
        let suite = Suite::new(&self.loaded);
        let mut headings: Vec<(String, Span)> = Vec::new();
        for (at, section) in suite.sections.iter().enumerate() {
            let before = suite.sections.iter().take(at);
            let position = before.filter(|other| std::ptr::eq(other.example, section.example)).count() + 1;
            headings.push((heading(section.example, position), section.example.title.span));
        }
        let ran = parallel::each(jobs, &suite.sections, |section| {
            let mut faults = Vec::new();
            let checked = suite.bind(section, &self.loaded.numbers, &mut faults);
            if let Some(fault) = faults.iter().find(|fault| fault.is_error()) {
                return Ran::Senseless(fault.message.clone());
            }
            match suite.play(section, &checked, Wants::default()) {
                None => Ran::Senseless("it cannot be played".to_owned()),
                Some(played) if played.outcome.passed() => Ran::Passed,
                Some(played) => Ran::Failed(played.outcome.failures.iter().map(super::Failure::message).collect()),
            }
        });
        headings.into_iter().zip(ran).map(|((heading, span), ran)| (heading, span, ran)).collect()
    }

    /// The texts that places point into.
    #[must_use]
    pub fn sources(&self) -> &crate::report::Sources {
        &self.loaded.sources
    }
}

/// What a position breaks by its own rules says nothing about these rules, which may have no such invariant.
fn forget_invariants(item: &mut ast::Item) {
    let forget = |parts: &mut Vec<GivenPart>| parts.retain(|part| !matches!(part, GivenPart::Breaks { .. }));
    match &mut item.kind {
        ItemKind::Given { parts, .. } => forget(parts),
        ItemKind::Example(example) => {
            for clause in &mut example.clauses {
                if let Clause::Given { parts, .. } = clause {
                    forget(parts);
                }
            }
        }
        _ => {}
    }
}

/// As [`super::Outcome::heading`] has it.
fn heading(example: &ast::Example, position: usize) -> String {
    let rows: Vec<&str> = example.rows.iter().map(|row| row.text.as_str()).collect();
    let rows = if rows.is_empty() { String::new() } else { format!("{} ", rows.join(", ")) };
    let position = if position > 1 { format!(" #{position}") } else { String::new() };
    format!("{rows}\"{}\"{position}", example.title.plain())
}
