//! What a seat may see: the position with everything else covered.
//!
//! What is covered becomes [`Value::Unknown`]. How many members a hidden set or list has everybody may
//! know, so these keep their size.

use crate::bind::walk::each_statement;
use crate::bind::{ActionId, Block, Bound, Expr, ExprId, PhaseId, Statement, Value, Visibility};
use crate::evaluate::State;

/// The position as `viewer` sees it; nobody in particular sees only what all see.
pub(super) fn seen_by(bound: &Bound, state: &State, viewer: Option<u32>) -> State {
    let mut seen = state.clone();
    for (declared, elements) in bound.states.iter().zip(&mut seen.elements) {
        let rows = match declared.seen {
            Visibility::Public => continue,
            Visibility::Nobody => 1,
            // The owner is the first index, and the last index runs fastest.
            Visibility::Owner => bound.players.count.max(1) as usize,
        };
        let each = elements.len().div_ceil(rows).max(1);
        for (seat, row) in elements.chunks_mut(each).enumerate() {
            let own = declared.seen == Visibility::Owner && viewer.is_some_and(|viewer| viewer as usize == seat);
            if !own {
                row.iter_mut().for_each(cover);
            }
        }
    }
    seen
}

/// Is there anything that one seat sees and others do not?
pub(super) fn has_secrets(bound: &Bound, state: &State) -> bool {
    let owned = |(declared, elements): (&crate::bind::State, &Vec<Value>)| {
        declared.seen == Visibility::Owner && !elements.is_empty()
    };
    bound.states.iter().zip(&state.elements).any(owned)
}

fn cover(value: &mut Value) {
    match value {
        Value::Set(members) | Value::List(members) => members.iter_mut().for_each(|member| *member = Value::Unknown),
        other => *other = Value::Unknown,
    }
}

/// Is any part of it covered?
pub(super) fn is_covered(value: &Value) -> bool {
    match value {
        Value::Unknown => true,
        Value::Set(members) | Value::List(members) | Value::Record(_, members) => members.iter().any(is_covered),
        _ => false,
    }
}

/// Does an action write into something hidden? Then others see that it was done, but not with what.
pub(crate) fn hides_arguments(bound: &Bound, action: ActionId) -> bool {
    let mut phases: Vec<PhaseId> = Vec::new();
    let mut open: Vec<&Block> = vec![&bound.action(action).effect];
    let mut hides = false;
    while let Some(block) = open.pop() {
        each_statement(block, &mut |statement, _| match statement {
            Statement::Assign(place, _, value) => hides |= is_hidden(bound, *place) || is_hidden(bound, *value),
            Statement::Call(phase, _) if !phases.contains(phase) => {
                phases.push(*phase);
                open.push(&bound.phase(*phase).body);
            }
            _ => {}
        });
    }
    hides
}

/// Is this a place of a state that not everybody sees?
fn is_hidden(bound: &Bound, place: ExprId) -> bool {
    match &bound.expr(place).kind {
        Expr::State(state) => bound.state(*state).seen != Visibility::Public,
        Expr::Index(base, _) => is_hidden(bound, *base),
        _ => false,
    }
}
