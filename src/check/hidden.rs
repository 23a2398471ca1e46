//! What a ruleset hides at all, and what is said if it takes too long to follow that.

use crate::bind::walk::each_statement;
use crate::bind::{Bound, Statement, Visibility};
use crate::limits;
use crate::report::{Fault, Span, codes};

/// A ruleset that hides something, but uses it in more ways than are followed: nobody knows who learns what.
pub(super) fn unclear(bound: &Bound) -> Option<Fault> {
    let span = first(bound)?;
    let most = limits::shown(u64::from(limits::SECRET_STEPS));
    let message = format!("finding out who learns what is hidden takes more than {most} steps");
    let fault = Fault::new(&codes::TOO_LARGE_TO_PLAY, span, message).label("hidden here");
    Some(fault.help("let definitions and phases use each other less often"))
}

/// The first state, or else the first draw, that not everybody sees.
fn first(bound: &Bound) -> Option<Span> {
    let state = bound.states.iter().find(|state| state.seen != Visibility::Public);
    let mut found = state.map(|state| state.span);
    let blocks = bound.flow.iter().chain(bound.phases.iter().map(|phase| &phase.body));
    for block in blocks.chain(bound.actions.iter().map(|action| &action.effect)) {
        each_statement(block, &mut |statement, span| {
            let hides = matches!(statement, Statement::Draw(draw) if draw.hidden || draw.seen_by.is_some());
            found = found.or(hides.then_some(span));
        });
    }
    found
}
