//! All mutants of a ruleset: numbers, requirements, ties, then what the operators make of expressions and statements.

use super::edit::{Edit, apply};
use super::numbers::{Step, find, shown, steps, ways};
use super::operators::{self, Rules};
use super::{Mutant, range};
use crate::ast::TieRule;
use crate::bind::Bound;
use crate::check::{self, Checked};
use crate::evaluate::Touch;
use crate::examples::parallel;
use crate::examples::suite::Suite;
use crate::report::Fault;

/// What ties can do, in the order of the reference.
const RULES: [TieRule; 4] = [TieRule::None, TieRule::Split, TieRule::SplitUp, TieRule::Share];

/// Every mutant of a ruleset's own numbers and rules; those of what it is a variant of belong there.
#[must_use]
pub fn list(suite: &Suite<'_>, jobs: usize) -> Vec<Mutant> {
    let mut found = Vec::new();
    // Numbers that only some numbers of players have are found with most of them.
    let mut widest: Option<Checked> = None;
    check::each_choice(suite.loaded, &mut |checked| {
        let more = widest.as_ref().is_none_or(|known| known.bound.players.count < checked.bound.players.count);
        if more {
            widest = Some(checked.clone());
        }
    });
    let Some(checked) = widest else { return found };
    let bound = &checked.bound;
    numbers(suite, bound, &mut found);
    requirements(bound, &mut found);
    ties(bound, &mut found);
    let mut of_rules = Vec::new();
    operators::all(&Rules { checked: &checked, sources: &suite.loaded.sources }, &mut of_rules);
    of_rules.retain(|mutant| suite.loaded.is_own(mutant.span.file));
    let sound = parallel::each(jobs, &of_rules, |mutant| is_sound(mutant, bound));
    let mut sound = sound.into_iter();
    of_rules.retain(|_| sound.next().unwrap_or(false));
    found.retain(|mutant| suite.loaded.is_own(mutant.span.file));
    of_rules.sort_by_key(|mutant| mutant.span);
    found.extend(of_rules);
    found
}

/// Is it still a ruleset? Whatever `check` refuses nobody can play.
fn is_sound(mutant: &Mutant, bound: &Bound) -> bool {
    let (mut bound, mut faults) = (bound.clone(), Vec::new());
    apply(&mutant.edit, &mut bound);
    check::check(bound, &mut faults);
    !faults.iter().any(Fault::is_error)
}

fn numbers(suite: &Suite<'_>, bound: &Bound, found: &mut Vec<Mutant>) {
    for (id, number) in bound.numbers.iter().enumerate() {
        let Some(within) = range(&number.ty) else { continue };
        let plain = number.indices.is_empty();
        for (at, way) in ways(&bound.types, steps(&number.path), &number.indices).into_iter().enumerate() {
            changes(suite, within, (&way, Touch::Number(id, at)), (plain, number.in_types), found);
        }
    }
    for (id, column) in bound.columns.iter().enumerate() {
        let Some(within) = range(&column.ty) else { continue };
        let table = bound.types.get(column.table);
        let mut start = 0;
        for row in bound.types.member_names(column.table) {
            let way = steps(&format!("{}.{row}.{}", table.name.to_lowercase(), column.name));
            let all = ways(&bound.types, way, &column.indices);
            let plain = column.indices.is_empty();
            for (at, way) in all.iter().enumerate() {
                changes(suite, within, (way, Touch::Column(id, start + at)), (plain, false), found);
            }
            start += all.len();
        }
    }
}

/// One more and one less, within the range of the type.
fn changes(
    suite: &Suite<'_>,
    (low, high): (i64, i64),
    (way, touch): (&[Step], Touch),
    (exactly, in_types): (bool, bool),
    found: &mut Vec<Mutant>,
) {
    let Some((from, span)) = find(&suite.loaded.numbers, way) else { return };
    for to in [from.saturating_add(1), from.saturating_sub(1)]
        .into_iter()
        .filter(|to| (low..=high).contains(to) && *to != from)
    {
        found.push(Mutant {
            kind: "number",
            name: shown(way),
            change: format!("{from} -> {to}"),
            span,
            edit: Edit::Number { way: way.to_vec(), to, touch, exactly, in_types },
        });
    }
}

fn requirements(bound: &Bound, found: &mut Vec<Mutant>) {
    for action in &bound.actions {
        found.extend(action.requirements.iter().map(|requirement| Mutant {
            kind: "requirement",
            name: format!("{}.{}", action.name, requirement.name),
            change: "dropped".to_owned(),
            span: requirement.span,
            edit: Edit::Requirement { action: action.span, requirement: requirement.span },
        }));
    }
}

fn ties(bound: &Bound, found: &mut Vec<Mutant>) {
    for award in &bound.awards {
        for (nth, (from, _)) in award.ties.iter().enumerate() {
            found.extend(RULES.into_iter().filter(|to| to != from).map(|to| Mutant {
                kind: "ties",
                name: award.name.clone(),
                change: format!("{} -> {}", word(*from), word(to)),
                span: award.span,
                edit: Edit::AwardTies { award: award.span, nth, to },
            }));
        }
    }
    for winner in &bound.winners {
        let to = if winner.ties == TieRule::None { TieRule::Share } else { TieRule::None };
        found.push(Mutant {
            kind: "ties",
            name: "winner".to_owned(),
            change: format!("{} -> {}", word(winner.ties), word(to)),
            span: winner.span,
            edit: Edit::WinnerTies { winner: winner.span, to },
        });
    }
}

fn word(rule: TieRule) -> &'static str {
    match rule {
        TieRule::None => "none",
        TieRule::Split => "split",
        TieRule::SplitUp => "split up",
        TieRule::Share => "share",
    }
}
