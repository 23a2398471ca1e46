//! Nodes of positions and examples, and of the notation of entries.

use super::expr::{Expr, Name, Text};
use super::nodes::Cite;
use super::statement::Block;
use crate::report::Span;

/// A part of a position.
#[derive(Debug, Clone, PartialEq)]
pub enum GivenPart {
    /// `players 3`
    Count(i64, Span),
    /// `players ana, ben`
    Seats(Vec<Name>),
    /// `flow { … }`
    Flow(Block),
    /// `picture Square ". x" "o ."`
    Picture { board: Name, rows: Vec<Text> },
    /// `breaks pieces_kept "only the pieces in question are set up"`
    Breaks { invariants: Vec<Name>, reason: Text },
    /// `c3: land = A2, camp = ana`
    Facts { subject: Option<Name>, facts: Vec<Fact> },
}

/// `figures ana worker = 2`
#[derive(Debug, Clone, PartialEq)]
pub struct Fact {
    /// The state, number or drawn place.
    pub name: Name,
    /// Its indices.
    pub indices: Vec<Value>,
    /// Its value, or its values in order.
    pub values: Vec<Value>,
    /// All of it.
    pub span: Span,
}

/// A value in the notation of entries.
#[derive(Debug, Clone, PartialEq)]
pub struct Value {
    /// What it is.
    pub kind: ValueKind,
    /// All of it.
    pub span: Span,
}

/// The forms of a value.
#[derive(Debug, Clone, PartialEq)]
pub enum ValueKind {
    /// `red`, `b2-c2`, `-3`
    Word(String),
    /// `"Ana"`
    Text(String),
    /// `?`
    Unknown,
    /// `{red, blue worker}`
    Set(Vec<Vec<Value>>),
    /// `[red worker]`
    List(Vec<Vec<Value>>),
}

/// An example with its clauses as written.
#[derive(Debug, Clone, PartialEq)]
pub struct Example {
    /// The rulebook rows it pins.
    pub rows: Vec<Name>,
    /// What it shows.
    pub title: Text,
    /// In order.
    pub clauses: Vec<Clause>,
}

/// A clause of an example.
#[derive(Debug, Clone, PartialEq)]
pub enum Clause {
    /// `cite …`
    Cite(Vec<Cite>),
    /// `erratum de "Ziehen" "prints 3"`
    Erratum { source: Name, page: Option<i64>, texts: Vec<Text>, span: Span },
    /// `given opening, purse ana = 5`
    Given { base: Option<Name>, parts: Vec<GivenPart>, span: Span },
    /// `when ana pass; die = 4`
    When(Vec<Entry>, Span),
    /// `instead ana pass`
    Instead(Vec<Entry>, Span),
    /// `then over, refused move.empty`
    Then(Vec<Expectation>),
}

/// An entry of a log.
#[derive(Debug, Clone, PartialEq)]
pub enum Entry {
    /// `die = 4`
    Chance(Fact),
    /// `ana move worker from c3`
    Move {
        /// Seat, action, arguments.
        words: Vec<Value>,
        /// All of it.
        span: Span,
    },
}

/// What must hold.
#[derive(Debug, Clone, PartialEq)]
pub enum Expectation {
    /// `refused move.empty`
    Refused(Name),
    /// A condition.
    Holds(Expr),
}
