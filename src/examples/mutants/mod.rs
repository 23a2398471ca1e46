//! Rulesets that are wrong in one place: would an example notice?
//!
//! Every number is made one larger and one smaller, every requirement is dropped, every tie rule is
//! exchanged for each other one. Only sections that read what was changed are played again, and only up to
//! the first that fails.

mod list;
mod numbers;

use super::parallel;
use super::suite::{Played, Suite, Wants};
use crate::ast::TieRule;
use crate::bind::{Bound, Section, Type};
use crate::check::{self, Checked};
use crate::evaluate::Touch;
use crate::load::Loaded;
use crate::report::{Fault, Span};

pub use list::list;
use numbers::Step;

/// A ruleset with one change.
#[derive(Debug, Clone)]
pub struct Mutant {
    /// `number`, `requirement` or `ties`
    pub kind: &'static str,
    /// What is changed: a number's path, a requirement, an award, the winner.
    pub name: String,
    /// How: `5 -> 6`, `dropped`, `split -> none`.
    pub change: String,
    /// The number or rule.
    pub span: Span,
    edit: Edit,
}

#[derive(Debug, Clone)]
enum Edit {
    /// Another number in the TOML.
    Number { way: Vec<Step>, to: i64, touch: Touch, exactly: bool, in_types: bool },
    /// A requirement of an action that is not there any more.
    Requirement { action: Span },
    /// Another rule for the nth tie of an award.
    AwardTies { nth: usize, to: TieRule },
    /// Another rule for a tied winner.
    WinnerTies { to: TieRule },
}

/// What became of a mutant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fate {
    /// An example fails: its heading, and how.
    Example(String, String),
    /// The ruleset is not sound any more: the first fault.
    Check(String),
    /// Nobody noticed, though so many sections read what was changed.
    Survived(usize),
}

/// Tries mutants, several at once; the traces are those of the sections, unchanged and in order.
#[must_use]
pub fn run(suite: &Suite<'_>, played: &[Played], mutants: &[Mutant], jobs: usize) -> Vec<Fate> {
    parallel::each(jobs, mutants, |mutant| fate(suite, played, mutant))
}

fn fate(suite: &Suite<'_>, played: &[Played], mutant: &Mutant) -> Fate {
    let mut numbers = suite.loaded.numbers.clone();
    if let Edit::Number { way, to, .. } = &mutant.edit {
        numbers::set(&mut numbers, way, *to);
        let changed = Loaded { numbers: numbers.clone(), ..suite.loaded.clone() };
        let report = check::ruleset(&changed);
        if let Some(fault) = report.faults.iter().find(|fault| fault.is_error()) {
            return Fate::Check(fault.message.clone());
        }
    }
    let mut readers = 0;
    for (section, before) in suite.sections.iter().zip(played) {
        if !reads(mutant, before) {
            continue;
        }
        let mut faults: Vec<Fault> = Vec::new();
        let mut checked = suite.bind(section, &numbers, &mut faults);
        if let Some(fault) = faults.iter().find(|fault| fault.is_error()) {
            return Fate::Check(fault.message.clone());
        }
        if !differs(suite, section, mutant, before, &checked) {
            continue;
        }
        readers += 1;
        apply(mutant, &mut checked.bound);
        let Some(after) = suite.play(section, &checked, Wants::default()) else { continue };
        if let Some(failure) = after.outcome.failures.first() {
            return Fate::Example(after.outcome.heading(), failure.message());
        }
    }
    Fate::Survived(readers)
}

/// May a section that touched this notice the mutant?
fn reads(mutant: &Mutant, played: &Played) -> bool {
    let touched = &played.trace.touched;
    match &mutant.edit {
        Edit::Number { in_types: true, .. } => true,
        Edit::Number { touch, exactly: true, .. } => touched.contains(touch),
        Edit::Number { touch, .. } => touched.iter().any(|other| of_same(*touch, *other)),
        Edit::Requirement { action } => touched.contains(&Touch::Requirements(*action)),
        Edit::AwardTies { .. } => touched.contains(&Touch::Award(mutant.span)),
        Edit::WinnerTies { .. } => touched.contains(&Touch::Winner(mutant.span)),
    }
}

/// Elements of the same number or column.
fn of_same(a: Touch, b: Touch) -> bool {
    match (a, b) {
        (Touch::Number(a, _), Touch::Number(b, _)) | (Touch::Column(a, _), Touch::Column(b, _)) => a == b,
        _ => false,
    }
}

/// Has the section, which may set the number itself, an element that it read and that is other now?
fn differs(suite: &Suite<'_>, section: &Section<'_>, mutant: &Mutant, played: &Played, now: &Checked) -> bool {
    let Edit::Number { touch, in_types, .. } = &mutant.edit else { return true };
    if *in_types {
        return true;
    }
    let before = suite.bind(section, &suite.loaded.numbers, &mut Vec::new());
    let (old, new) = match *touch {
        Touch::Number(id, _) => (&before.bound.numbers[id].values, &now.bound.numbers[id].values),
        Touch::Column(id, _) => (&before.bound.columns[id].values, &now.bound.columns[id].values),
        _ => return true,
    };
    let mut changed = (0..old.len()).filter(|&at| old.get(at) != new.get(at));
    changed.any(|at| {
        played.trace.touched.contains(&match *touch {
            Touch::Column(id, _) => Touch::Column(id, at),
            Touch::Number(id, _) => Touch::Number(id, at),
            other => other,
        })
    })
}

/// Changes a rule; numbers have been changed before binding.
fn apply(mutant: &Mutant, bound: &mut Bound) {
    match &mutant.edit {
        Edit::Number { .. } => {}
        Edit::Requirement { action } => {
            for action in bound.actions.iter_mut().filter(|known| known.span == *action) {
                action.requirements.retain(|requirement| requirement.span != mutant.span);
            }
        }
        Edit::AwardTies { nth, to } => {
            for award in bound.awards.iter_mut().filter(|award| award.span == mutant.span) {
                award.ties.iter_mut().skip(*nth).take(1).for_each(|(rule, _)| *rule = *to);
            }
        }
        Edit::WinnerTies { to } => {
            bound.winners.iter_mut().filter(|winner| winner.span == mutant.span).for_each(|winner| winner.ties = *to);
        }
    }
}

/// The range of whole numbers that a type has.
fn range(ty: &Type) -> Option<(i64, i64)> {
    match ty.plain() {
        Type::Int(low, high) => Some((*low, *high)),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
