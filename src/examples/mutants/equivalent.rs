//! Mutants that are the same ruleset: no example could notice them.
//!
//! A mutant is equivalent if it compiles to the same program for every choice that the ruleset offers. A program knows
//! no reasons: a requirement that only repeats what another one says is not in it, yet it is named when an entry is
//! refused. So where a requirement is concerned, the programs must also be the same with each requirement alone.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use super::Mutant;
use super::edit::{Edit, apply};
use super::numbers;
use crate::bind::walk::each_expr;
use crate::bind::{Bound, Expr, ExprId};
use crate::check::{self, Checked};
use crate::compile::compile;
use crate::load::Loaded;

/// A ruleset for each of its choices.
#[derive(Debug)]
pub(super) struct Choices {
    all: Vec<Choice>,
    /// The most requirements that an action has.
    requirements: usize,
}

#[derive(Debug)]
struct Choice {
    checked: Checked,
    /// Programs: of the rules as they are, and with each requirement alone.
    programs: Vec<OnceLock<Option<u64>>>,
}

impl Choices {
    pub(super) fn new(loaded: &Loaded) -> Self {
        let mut all = Vec::new();
        check::each_choice(loaded, &mut |checked| all.push(checked.clone()));
        let most = |checked: &Checked| checked.bound.actions.iter().map(|action| action.requirements.len()).max();
        let requirements = all.iter().filter_map(most).max().unwrap_or(0);
        let choice = |checked| Choice { checked, programs: vec![OnceLock::new(); requirements + 1] };
        Self { all: all.into_iter().map(choice).collect(), requirements }
    }

    /// Does a mutant say the same as the ruleset?
    pub(super) fn are_same(&self, loaded: &Loaded, mutant: &Mutant) -> bool {
        if let Edit::Number { way, to, .. } = &mutant.edit {
            let mut changed = loaded.clone();
            numbers::set(&mut changed.numbers, way, *to);
            let (mut at, mut same) = (0, true);
            check::each_choice(&changed, &mut |checked| {
                same = same && self.all.get(at).is_some_and(|choice| self.is_same(choice, checked, true));
                at += 1;
            });
            return same && at == self.all.len();
        }
        self.all.iter().all(|choice| {
            let mut bound = choice.checked.bound.clone();
            let asks = concerns_requirements(&bound, &mutant.edit);
            apply(&mutant.edit, &mut bound);
            let mut faults = Vec::new();
            let checked = check::check(bound, &mut faults);
            !faults.iter().any(crate::report::Fault::is_error) && self.is_same(choice, &checked, asks)
        })
    }

    fn is_same(&self, choice: &Choice, mutant: &Checked, asks: bool) -> bool {
        let same = |nth: usize| {
            let own = choice.programs.get(nth).and_then(|known| *known.get_or_init(|| program(&choice.checked, nth)));
            own.is_some() && own == program(mutant, nth)
        };
        same(0) && (!asks || (1..=self.requirements).all(same))
    }
}

/// The whole program, or that with one requirement alone; nothing if it cannot be compiled.
fn program(checked: &Checked, nth: usize) -> Option<u64> {
    let program = match nth.checked_sub(1) {
        None => compile(checked),
        Some(nth) => compile(&only(checked, nth)),
    };
    program.ok().map(|program| program.identity())
}

/// The same rules, where each action has only its nth requirement, and no cost.
fn only(checked: &Checked, nth: usize) -> Checked {
    let mut checked = checked.clone();
    for action in &mut checked.bound.actions {
        action.requirements = action.requirements.drain(..).skip(nth).take(1).collect();
        action.costs.clear();
    }
    checked
}

/// Is it evaluated to judge an entry? Then it may decide what is named when one is refused.
fn concerns_requirements(bound: &Bound, edit: &Edit) -> bool {
    let id = match edit {
        Edit::Expr(id, _) => *id,
        // A requirement `after` looks at what the effect leaves.
        Edit::Statement(..) => {
            return bound.actions.iter().flat_map(|action| &action.requirements).any(|requirement| requirement.after);
        }
        Edit::WinnerTies { .. } | Edit::Turn(_) => return false,
        Edit::Number { .. } | Edit::Requirement { .. } | Edit::AwardTies { .. } | Edit::AwardAlone { .. } => {
            return true;
        }
    };
    let mut asked: Vec<ExprId> = Vec::new();
    for action in &bound.actions {
        asked.extend(
            action
                .requirements
                .iter()
                .flat_map(|requirement| requirement.guard.into_iter().chain([requirement.condition])),
        );
    }
    asked.extend(bound.regions.iter().map(|region| region.joined));
    let mut known: BTreeSet<ExprId> = BTreeSet::new();
    while let Some(next) = asked.pop() {
        if !known.insert(next) {
            continue;
        }
        each_expr(bound, next, &mut |part, kind| {
            known.insert(part);
            match kind {
                Expr::Def(def, _) => asked.push(bound.def(*def).body),
                Expr::Award(award, _) => {
                    let award = bound.award(*award);
                    asked.extend(award.pays.iter().copied().chain([award.by]));
                }
                Expr::Score(_) => asked.extend(bound.scores.iter().map(|score| score.body)),
                _ => {}
            }
        });
    }
    known.contains(&id)
}
