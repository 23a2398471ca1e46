//! Playing examples by the rules of mutants.

use std::sync::OnceLock;

use super::edit::{Edit, apply};
use super::equivalent::Choices;
use super::numbers;
use super::{Fate, Mutant};
use crate::bind::Section;
use crate::check::{self, Checked};
use crate::evaluate::Touch;
use crate::examples::parallel;
use crate::examples::suite::{Played, Suite};
use crate::limits;
use crate::load::Loaded;
use crate::numbers::Tree;
use crate::report::Fault;

/// The examples of a ruleset as they were played by its own rules.
#[derive(Debug)]
pub struct Trial<'t, 'l> {
    suite: &'t Suite<'l>,
    /// Those that take the fewest steps first.
    sections: Vec<Known<'t, 'l>>,
    choices: OnceLock<Choices>,
}

/// A section, bound to the rules as they are.
#[derive(Debug)]
struct Known<'t, 'l> {
    section: &'t Section<'l>,
    played: &'t Played,
    checked: Checked,
    /// Steps that a mutant may take.
    budget: u64,
}

impl<'t, 'l> Trial<'t, 'l> {
    /// Sections that were played, in order; their games must have been traced.
    #[must_use]
    pub fn new(suite: &'t Suite<'l>, played: &'t [Played], jobs: usize) -> Self {
        let pairs: Vec<(&Section<'l>, &Played)> = suite.sections.iter().zip(played).collect();
        let known = |(section, played): &(&'t Section<'l>, &'t Played)| {
            let checked = suite.bind(section, &suite.loaded.numbers, &mut Vec::new());
            let budget = budget(suite.steps(&checked));
            Known { section, played, checked, budget }
        };
        let mut sections = parallel::each(jobs, &pairs, known);
        sections.sort_by_key(|known| known.budget);
        Self { suite, sections, choices: OnceLock::new() }
    }

    /// Tries mutants, several at once.
    #[must_use]
    pub fn run(&self, mutants: &[Mutant], jobs: usize) -> Vec<Fate> {
        parallel::each(jobs, mutants, |mutant| self.fate(mutant))
    }

    fn fate(&self, mutant: &Mutant) -> Fate {
        let suite = self.suite;
        let mut changed: Option<Tree> = None;
        if let Edit::Number { way, to, .. } = &mutant.edit {
            let mut numbers = suite.loaded.numbers.clone();
            numbers::set(&mut numbers, way, *to);
            let loaded = Loaded { numbers: numbers.clone(), ..suite.loaded.clone() };
            if let Some(fault) = check::ruleset(&loaded).faults.iter().find(|fault| fault.is_error()) {
                return Fate::Check(fault.message.clone());
            }
            changed = Some(numbers);
        }
        let mut readers = 0;
        for known in self.sections.iter().filter(|known| reads(mutant, known.played)) {
            let mut faults = Vec::new();
            let checked = match &changed {
                Some(numbers) => suite.bind(known.section, numbers, &mut faults),
                None => {
                    let mut bound = known.checked.bound.clone();
                    apply(&mutant.edit, &mut bound);
                    check::check(bound, &mut faults)
                }
            };
            if let Some(fault) = faults.iter().find(|fault: &&Fault| fault.is_error()) {
                return Fate::Check(fault.message.clone());
            }
            if !differs(mutant, known, &checked) {
                continue;
            }
            readers += 1;
            let Some(outcome) = suite.play_within(&checked, known.budget) else { continue };
            if let Some(failure) = outcome.failures.first() {
                return Fate::Example(known.played.outcome.heading(), failure.message());
            }
        }
        let choices = self.choices.get_or_init(|| Choices::new(suite.loaded));
        if choices.are_same(suite.loaded, mutant) { Fate::Equivalent } else { Fate::Survived(readers) }
    }
}

/// Steps that a mutant may take where the rules as they are take so many.
pub(super) fn budget(used: u64) -> u64 {
    used.saturating_mul(limits::MUTANT_SLOWER).saturating_add(limits::MUTANT_STEPS)
}

/// May a section that touched this notice the mutant?
pub(super) fn reads(mutant: &Mutant, played: &Played) -> bool {
    let touched = &played.trace.touched;
    match &mutant.edit {
        Edit::Number { in_types: true, .. } | Edit::Turn(_) => true,
        Edit::Number { touch, exactly: true, .. } => touched.contains(touch),
        Edit::Number { touch, .. } => touched.iter().any(|other| of_same(*touch, *other)),
        Edit::Requirement { action, .. } => touched.contains(&Touch::Requirements(*action)),
        Edit::AwardTies { award, .. } | Edit::AwardAlone { award } => touched.contains(&Touch::Award(*award)),
        Edit::WinnerTies { winner, .. } => touched.contains(&Touch::Winner(*winner)),
        Edit::Expr(id, _) => touched.contains(&Touch::Expr(*id)),
        Edit::Statement(span, _) => touched.contains(&Touch::Statement(*span)),
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
fn differs(mutant: &Mutant, known: &Known<'_, '_>, now: &Checked) -> bool {
    let Edit::Number { touch, in_types, .. } = &mutant.edit else { return true };
    if *in_types {
        return true;
    }
    let before = &known.checked;
    let (old, new) = match *touch {
        Touch::Number(id, _) => (&before.bound.numbers[id].values, &now.bound.numbers[id].values),
        Touch::Column(id, _) => (&before.bound.columns[id].values, &now.bound.columns[id].values),
        _ => return true,
    };
    let mut changed = (0..old.len()).filter(|&at| old.get(at) != new.get(at));
    changed.any(|at| {
        known.played.trace.touched.contains(&match *touch {
            Touch::Column(id, _) => Touch::Column(id, at),
            Touch::Number(id, _) => Touch::Number(id, at),
            other => other,
        })
    })
}
