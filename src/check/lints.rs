//! Warnings: what is never used, not cited, or makes no difference.

use crate::bind::Bound;
use crate::report::{Fault, Span, codes};

use super::constants::Folder;

/// Warns about everything that works but looks wrong.
pub(super) fn check(folder: &Folder<'_>, faults: &mut Vec<Fault>) {
    unused(folder.bound, faults);
    uncited(folder.bound, faults);
    idle_requirements(folder, faults);
}

fn unused(bound: &Bound, faults: &mut Vec<Fault>) {
    let mut report = |what: &str, name: &str, span: Span| {
        faults.push(
            Fault::new(&codes::UNUSED, span, format!("the {what} `{name}` is never used"))
                .label("never used")
                .help("use it, or delete it"),
        );
    };
    for def in bound.defs.iter().filter(|def| !def.used) {
        report("definition", &def.name, def.span);
    }
    for action in bound.actions.iter().filter(|action| action.offered.is_empty()) {
        report("action", &action.name, action.span);
    }
    for award in bound.awards.iter().filter(|award| !award.used) {
        report("award", &award.name, award.span);
    }
    for phase in bound.phases.iter().filter(|phase| !phase.used) {
        report("phase", &phase.name, phase.span);
    }
    for state in bound.states.iter().filter(|state| !state.used) {
        report("state", &state.name, state.span);
    }
    for column in bound.columns.iter().filter(|column| !column.used) {
        report("column", &column.name, column.span);
    }
    for number in bound.numbers.iter().filter(|number| number.uses.is_empty()) {
        let fault = Fault::new(
            &codes::UNUSED_NUMBER,
            number.toml.unwrap_or(number.span),
            format!("the number `{}` is never used", number.path),
        );
        faults.push(
            fault
                .label("changing it changes nothing")
                .also(number.span, "declared here")
                .help("use it in a rule, or delete it from the rules and the TOML"),
        );
    }
}

fn uncited(bound: &Bound, faults: &mut Vec<Fault>) {
    if bound.sources.is_empty() {
        return;
    }
    let mut report = |what: &str, name: &str, span: Span| {
        faults.push(
            Fault::new(&codes::UNCITED, span, format!("the {what} `{name}` cites no source"))
                .label("where is it from?")
                .help(format!(
                    "add `cite {} \"section\"`",
                    bound.sources.first().map_or("source", |source| source.key.as_str())
                )),
        );
    };
    for action in bound.actions.iter().filter(|action| action.cites.is_empty()) {
        report("action", &action.name, action.span);
    }
    for award in bound.awards.iter().filter(|award| award.cites.is_empty()) {
        report("award", &award.name, award.span);
    }
    for score in bound.scores.iter().filter(|score| score.cites.is_empty()) {
        report("rule", "score", score.span);
    }
    for winner in bound.winners.iter().filter(|winner| winner.cites.is_empty()) {
        report("rule", "winner", winner.span);
    }
}

pub(super) fn idle_requirements(folder: &Folder<'_>, faults: &mut Vec<Fault>) {
    for action in &folder.bound.actions {
        for requirement in &action.requirements {
            if requirement.guard.is_some_and(|guard| folder.decided(guard) != Some(true)) {
                continue;
            }
            let name = format!("{}.{}", action.name, requirement.name);
            let Some(holds) = folder.follows(requirement.condition) else { continue };
            let (code, message, help) = if holds {
                (
                    &codes::ALWAYS_HOLDS,
                    format!("the requirement `{name}` can never fail"),
                    "delete it, or correct the condition or the numbers in it",
                )
            } else {
                (
                    &codes::NEVER_HOLDS,
                    format!("the requirement `{name}` can never hold"),
                    "correct the condition or the numbers in it: nobody can ever do this",
                )
            };
            let mut fault = Fault::new(code, folder.bound.expr(requirement.condition).span, message)
                .label(if holds { "always true" } else { "always false" })
                .help(help);
            fault.citations = requirement.cites.iter().map(ToString::to_string).collect();
            faults.push(fault);
        }
    }
}
