//! Statement nodes.

use super::expr::{Bind, Expr, Name};
use crate::report::Span;

/// `{ … }`
#[derive(Debug, Clone, PartialEq)]
pub struct Block {
    /// In order.
    pub statements: Vec<Statement>,
    /// With its braces.
    pub span: Span,
}

/// A statement with its place.
#[derive(Debug, Clone, PartialEq)]
pub struct Statement {
    /// What it does.
    pub kind: StatementKind,
    /// All of it.
    pub span: Span,
}

/// The forms of a statement.
#[derive(Debug, Clone, PartialEq)]
pub enum StatementKind {
    /// `let x = E`
    Let(Name, Expr),
    /// `place = E`
    Assign(Expr, AssignOp, Expr),
    /// `if E { } else { }`
    If(Expr, Block, Option<Block>),
    /// `for x in D, y in E by K { }`
    For { binds: Vec<Bind>, by: Vec<Expr>, body: Block },
    /// `repeat until E { }`
    Repeat { until: Option<Expr>, body: Block },
    /// `cycle p clockwise from X where C until E { }`
    Cycle { seat: Name, from: Expr, condition: Option<Expr>, until: Option<Expr>, body: Block },
    /// `turn p { }`
    Turn(Expr, Block),
    /// `draw P = x from S where C seen by p`
    Draw(Draw),
    /// `reveal S`
    Reveal(Expr),
    /// `end`
    End,
    /// `p choose a, b(x) or pass`
    Choose { who: Option<Expr>, offers: Vec<Offer>, otherwise: Otherwise },
    /// `auction(p)`
    Call(Expr),
}

/// How a statement writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AssignOp {
    /// `=`
    Set,
    /// `+=`
    Add,
    /// `-=`
    Take,
    /// `<->`
    Exchange,
}

/// `draw P = x from S where C seen by p`
#[derive(Debug, Clone, PartialEq)]
pub struct Draw {
    /// A state, or a new local.
    pub place: Expr,
    /// A name for the candidate, for `where`.
    pub candidate: Option<Name>,
    /// `from` takes it out; `in` does not.
    pub takes: bool,
    /// What it is drawn from.
    pub from: Expr,
    /// Which may be drawn.
    pub condition: Option<Expr>,
    /// Who sees the result.
    pub seen_by: Option<Expr>,
}

/// `build(card)`
#[derive(Debug, Clone, PartialEq)]
pub struct Offer {
    /// The action.
    pub action: Name,
    /// First arguments, bound by the flow.
    pub args: Vec<Expr>,
}

/// What happens in a choice when nothing is entered.
#[derive(Debug, Clone, PartialEq)]
pub enum Otherwise {
    /// Nothing said: one of the offers must be legal.
    Nothing,
    /// `or pass { }`
    OrPass(Option<Block>),
    /// `else pass { }`
    ElsePass(Option<Block>),
    /// `else { }`
    Else(Block),
}
