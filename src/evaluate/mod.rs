//! The reference evaluator: walks the checked tree, simple and slow, so that it is plainly right.
//!
//! It answers what a rule gives in a position, which entries are legal there and why others are not.
//! A game is not a machine with a place in its program: it is the list of what was decided so far. To go
//! on, the flow is played again from its beginning with one decision more, and stops where it needs the
//! next; or it is played once with somebody to ask at every pause ([`Game::play_with`]). Nothing has to be
//! saved and resumed, so nothing can be resumed wrongly.

mod action;
mod aggregate;
mod award;
mod board;
mod changes;
mod domain;
mod draw;
mod expr;
mod flow;
mod frame;
mod fuel;
mod game;
mod regions;
mod state;
mod tell;
mod trace;
mod watch;

pub use action::Place;
pub(crate) use action::action_frame;
pub(crate) use board::{cells_between, inward};
pub(crate) use changes::{change, changed, element_name};
pub use flow::{Audience, Choice, Decide, Pause};
pub use frame::Frame;
pub use game::{Decision, Game, Refusal, Stand};
pub use state::State;
pub(crate) use state::offset;
pub use trace::{Seen, Touch, Trace, Way};
pub use watch::{How, Notice, Watch, Write};

use crate::report::Span;

/// A ruleset that cannot go on: a value outside of its place, a choice without a legal entry, …
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trouble {
    /// What happened.
    pub message: String,
    /// The rule in which it happened.
    pub span: Span,
}

/// What evaluating gives.
pub type Try<T> = Result<T, Trouble>;

/// A trouble at a place.
pub(crate) fn trouble<T>(span: Span, message: impl Into<String>) -> Try<T> {
    Err(Trouble { message: message.into(), span })
}

#[cfg(test)]
mod tests;
