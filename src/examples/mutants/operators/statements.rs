//! Statements that are missing or do something else, choices that offer too little or let players pass.

use super::Rules;
use crate::ast::AssignOp;
use crate::bind::{DrawPlace, Otherwise, StateId, Statement, Type};
use crate::examples::mutants::Mutant;
use crate::examples::mutants::edit::{Change, Edit};
use crate::examples::mutants::places::Step;

pub(super) fn mutants(rules: &Rules<'_>, steps: &[Step<'_>], found: &mut Vec<Mutant>) {
    for step in steps {
        for (kind, change, to) in changes(rules, step) {
            let edit = Edit::Statement(step.span, to);
            found.push(Mutant { kind, name: step.part.clone(), change, span: step.span, edit });
        }
    }
    for (state, id) in rules.bound().states.iter().zip((0..).map(StateId)) {
        if state.per_turn {
            let (name, change) = (format!("state {}", state.name), "not reset in a turn".to_owned());
            found.push(Mutant { kind: "turn", name, change, span: state.span, edit: Edit::Turn(id) });
        }
    }
    for award in rules.bound().awards.iter().filter(|award| !award.alone.is_empty()) {
        let (name, change) = (format!("award {}", award.name), "alone all -> dropped".to_owned());
        found.push(Mutant {
            kind: "ties",
            name,
            change,
            span: award.span,
            edit: Edit::AwardAlone { award: award.span },
        });
    }
}

fn changes(rules: &Rules<'_>, step: &Step<'_>) -> Vec<(&'static str, String, Change)> {
    let mut found = Vec::new();
    let head = head(rules, step);
    let is_needed = match step.statement {
        // A name would have no value.
        Statement::Let(..) => true,
        Statement::Draw(draw) => matches!(draw.place, DrawPlace::Local(_)),
        // Who sees what changes nothing of the game.
        Statement::Reveal(..) => true,
        _ => false,
    };
    if !is_needed {
        found.push(("statement", format!("{head} -> dropped"), Change::Dropped));
    }
    match step.statement {
        Statement::Assign(place, op, value) => {
            let is_number = matches!(rules.ty(*place).plain(), Type::Int(..));
            let others: &[(AssignOp, &str)] = match op {
                AssignOp::Add => &[(AssignOp::Take, "-="), (AssignOp::Set, "=")],
                AssignOp::Take => &[(AssignOp::Add, "+=")],
                AssignOp::Set if is_number => &[(AssignOp::Add, "+=")],
                AssignOp::Set | AssignOp::Exchange => &[],
            };
            for (other, word) in others {
                let to = format!("{} {word} {}", rules.text(*place), rules.text(*value));
                found.push(("statement", format!("{head} -> {to}"), Change::Operator(*other)));
            }
        }
        Statement::Draw(draw) if draw.takes => {
            found.push(("draw", format!("{head} -> nothing is taken out"), Change::Keeps));
        }
        Statement::Choose(choose) => {
            for (nth, (action, ..)) in choose.offers.iter().enumerate().filter(|_| choose.offers.len() > 1) {
                let name = &rules.bound().action(*action).name;
                found.push(("choice", format!("{name} is not offered"), Change::Offer(nth)));
            }
            let others = match choose.otherwise {
                Otherwise::Nothing => vec![("one may pass", Change::MayPass)],
                Otherwise::PassLeaves => vec![("one must act", Change::MustAct)],
                Otherwise::OrPass(_) => vec![("one passes only if nothing is possible", Change::PassIfNothing)],
                Otherwise::ElsePass(_) | Otherwise::Else(_) => vec![("one may pass", Change::MayPass)],
            };
            found.extend(others.into_iter().map(|(word, change)| ("choice", word.to_owned(), change)));
        }
        _ => {}
    }
    found
}

/// The first line of a statement.
fn head(rules: &Rules<'_>, step: &Step<'_>) -> String {
    let text = rules.sources.slice(step.span);
    let line = super::words(text.lines().next().unwrap_or_default());
    line.trim_end_matches('{').trim_end().to_owned()
}
