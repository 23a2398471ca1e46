//! Which arguments of an action are laid open when it is done, although it touches something hidden: what is played
//! from a hidden hand to where all see it.

use crate::ast::AssignOp;
use crate::bind::walk::each_statement;
use crate::bind::{ActionId, Bound, Expr, ExprId, StateId, Statement, Visibility};

/// The places of parameters that are put, as they are, into a state that all see and that the action touches only
/// once, with that state.
pub(super) fn shown(bound: &Bound, action: ActionId) -> Vec<(usize, StateId)> {
    let action = bound.action(action);
    let mut touched: Vec<StateId> = Vec::new();
    let mut calls = false;
    each_statement(&action.effect, &mut |statement, _| match statement {
        Statement::Assign(place, op, value) => {
            touched.extend(head(bound, *place));
            if *op == AssignOp::Exchange {
                touched.extend(head(bound, *value));
            }
        }
        Statement::Draw(_) | Statement::Call(..) => calls = true,
        _ => {}
    });
    let mut found = Vec::new();
    // What stands in a branch may not happen.
    for (statement, _) in action.effect.statements.iter().filter(|_| !calls) {
        let Statement::Assign(place, AssignOp::Set | AssignOp::Add, value) = statement else { continue };
        let once = |state: &StateId| touched.iter().filter(|other| *other == state).count() == 1;
        let all_see = |state: &StateId| bound.state(*state).seen == Visibility::Public;
        if let Expr::Local(local) = bound.expr(*value).kind
            && let Some(state) = head(bound, *place).filter(once).filter(all_see)
            && let Some(nth) = action.params.iter().position(|(param, _)| *param == local)
        {
            found.push((nth, state));
        }
    }
    found
}

/// The state that a place is part of.
fn head(bound: &Bound, place: ExprId) -> Option<StateId> {
    match bound.expr(place).kind {
        Expr::State(state) => Some(state),
        Expr::Index(base, _) => head(bound, base),
        _ => None,
    }
}
