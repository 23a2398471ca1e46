//! Definitions, awards and phases that refer to each other: circles, and chains that are too long.
//!
//! Everything after this walks from a definition into those it uses by calling itself. That is safe only
//! because circles and long chains are found here first, without recursion.

use crate::bind::walk::{each_expr, each_statement};
use crate::bind::{Bound, Expr, ExprId, Statement};
use crate::limits;
use crate::report::{Fault, Span, codes};

/// Reports circles and long chains; gives whether there are any.
pub(super) fn check(bound: &Bound, faults: &mut Vec<Fault>) -> bool {
    let before = faults.len();
    let nodes: Vec<(String, Span)> = bound
        .defs
        .iter()
        .map(|def| (format!("`{}` is defined by itself", def.name), def.span))
        .chain(bound.awards.iter().map(|award| (format!("the award `{}` depends on itself", award.name), award.span)))
        .collect();
    let uses: Vec<Vec<(usize, Span)>> = bound
        .defs
        .iter()
        .map(|def| vec![def.body])
        .chain(bound.awards.iter().map(|award| award.pays.iter().copied().chain([award.by]).collect()))
        .map(|bodies: Vec<ExprId>| expr_uses(bound, &bodies))
        .collect();
    let help = "definitions do not recurse; for connected groups use `regions`, for loops an aggregate";
    walk(&nodes, &uses, help, faults);

    let nodes: Vec<(String, Span)> =
        bound.phases.iter().map(|phase| (format!("the phase `{}` plays itself", phase.name), phase.span)).collect();
    let mut uses: Vec<Vec<(usize, Span)>> = Vec::new();
    for phase in &bound.phases {
        let mut found = Vec::new();
        each_statement(&phase.body, &mut |statement, span| {
            if let Statement::Call(callee, _) = statement {
                found.push((callee.at(), span));
            }
        });
        uses.push(found);
    }
    walk(&nodes, &uses, "use `repeat` or `cycle` for what happens again", faults);
    faults.len() > before
}

/// What bodies use: definitions by their number, awards after them.
fn expr_uses(bound: &Bound, bodies: &[ExprId]) -> Vec<(usize, Span)> {
    let mut found = Vec::new();
    for &body in bodies {
        each_expr(bound, body, &mut |id, kind| match kind {
            Expr::Def(def, _) => found.push((def.at(), bound.expr(id).span)),
            Expr::Award(award, _) => found.push((bound.defs.len() + award.at(), bound.expr(id).span)),
            _ => {}
        });
    }
    found
}

/// How far a node has been looked at.
#[derive(Clone, Copy, PartialEq)]
enum Mark {
    New,
    Open,
    /// The longest chain below it.
    Done(usize),
}

/// Depth first, with a stack of its own.
fn walk(nodes: &[(String, Span)], uses: &[Vec<(usize, Span)>], help: &str, faults: &mut Vec<Fault>) {
    let mut marks = vec![Mark::New; nodes.len()];
    for start in 0..nodes.len() {
        let mut stack = vec![(start, 0)];
        while let Some((node, next)) = stack.pop() {
            if next == 0 {
                if marks[node] != Mark::New {
                    continue;
                }
                marks[node] = Mark::Open;
            }
            let Some(&(used, span)) = uses[node].get(next) else {
                marks[node] = Mark::Done(close(&nodes[node], &uses[node], &marks, faults));
                continue;
            };
            stack.push((node, next + 1));
            match marks.get(used) {
                Some(Mark::New) => stack.push((used, 0)),
                Some(Mark::Open) => faults.push(
                    Fault::new(&codes::RECURSION, nodes[used].1, nodes[used].0.clone())
                        .label("needs itself")
                        .also(span, "used here, on the way")
                        .help(help),
                ),
                _ => {}
            }
        }
    }
}

/// The chain below a node that is done; reported where it becomes too long.
fn close(node: &(String, Span), uses: &[(usize, Span)], marks: &[Mark], faults: &mut Vec<Fault>) -> usize {
    let depth = |&(used, _): &(usize, Span)| match marks.get(used) {
        Some(Mark::Done(depth)) => depth + 1,
        _ => 1,
    };
    let longest = uses.iter().map(depth).max().unwrap_or(0);
    if longest == limits::CHAIN {
        faults.push(
            Fault::new(
                &codes::NESTING,
                node.1,
                format!("more than {} of these use each other in a row", limits::CHAIN),
            )
            .label("the chain is too long from here on")
            .help("let them use each other less deeply"),
        );
    }
    longest
}
