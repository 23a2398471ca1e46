//! Bound examples: positions, entries, expectations.

use std::borrow::Cow;

use super::{ActionId, Block, Citation, ExprId, StateId};
use crate::bind::value::Value;
use crate::report::Span;

/// A worked example.
#[derive(Debug, Clone)]
pub struct Example {
    /// The rulebook rows it pins.
    pub rows: Vec<String>,
    /// What it shows.
    pub title: String,
    /// Where it is from.
    pub cites: Vec<Citation>,
    /// Printed contradictions, explained.
    pub errata: Vec<String>,
    /// Position, entries, expectations, in order.
    pub steps: Vec<Step>,
    /// Its title in the file.
    pub span: Span,
}

/// A step of an example.
#[derive(Debug, Clone)]
pub enum Step {
    /// Begin anew from this position.
    Given(Position),
    /// Enter these.
    When(Vec<(Entry, Span)>),
    /// Enter these in place of the last.
    Instead(Vec<(Entry, Span)>),
    /// This must hold.
    Holds(ExprId),
    /// The last entry is refused: a requirement or a verdict code.
    Refused(String, Span),
}

/// A position.
#[derive(Debug, Clone, Default)]
pub struct Position {
    /// What is being played, if not the game's own flow.
    pub flow: Option<Block>,
    /// Facts: a state, its index values, its value.
    pub facts: Vec<(StateId, Vec<Value>, Value)>,
    /// Invariants that it need not keep.
    pub breaks: Vec<Breaks>,
    /// Where the example gives it.
    pub span: Span,
}

/// An invariant that a position is said to break.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Breaks {
    /// The invariant's name.
    pub invariant: String,
    /// Why it does.
    pub reason: String,
    /// The name, where the position says so.
    pub span: Span,
    /// Does a position say so that several examples share?
    pub shared: bool,
}

/// An entry.
#[derive(Debug, Clone, PartialEq)]
pub enum Entry {
    /// A player's action; arguments that the flow binds are left out at the front.
    Act {
        /// The seat.
        seat: u32,
        /// The action.
        action: ActionId,
        /// Index of the first argument given.
        first: usize,
        /// The arguments from there on.
        args: Vec<Value>,
        /// How else it can be read, if another offer binds more or fewer arguments.
        others: Vec<(usize, Vec<Value>)>,
    },
    /// A player passes.
    Pass {
        /// The seat.
        seat: u32,
    },
    /// What chance gave: the drawn place, its indices, its value; `None` is unknown to the writer.
    Chance {
        /// The drawn place.
        name: String,
        /// Its indices.
        indices: Vec<Value>,
        /// The value.
        value: Option<Value>,
    },
    /// It cannot be an entry at all; an example may expect exactly that.
    Unreadable {
        /// The verdict it gets.
        verdict: &'static str,
    },
}

impl Entry {
    /// The same as one of the offers reads it; how it is read by itself if none does.
    #[must_use]
    pub fn as_offered(&self, is_offered: impl Fn(ActionId, usize) -> bool) -> Cow<'_, Self> {
        let Self::Act { seat, action, first, others, .. } = self else { return Cow::Borrowed(self) };
        if is_offered(*action, *first) {
            return Cow::Borrowed(self);
        }
        let read = |(first, args): &(usize, Vec<Value>)| {
            let (first, args, others) = (*first, args.clone(), Vec::new());
            Cow::Owned(Self::Act { seat: *seat, action: *action, first, args, others })
        };
        others.iter().find(|(first, _)| is_offered(*action, *first)).map_or(Cow::Borrowed(self), read)
    }
}
