//! Bound statements.

use super::{ActionId, Bind, ExprId, LocalId, PhaseId, StateId};
use crate::ast::AssignOp;
use crate::report::Span;

/// Statements with their place.
#[derive(Debug, Clone, Default)]
pub struct Block {
    /// In order.
    pub statements: Vec<(Statement, Span)>,
}

/// The forms of a bound statement.
#[derive(Debug, Clone)]
pub enum Statement {
    /// `let x = E`
    Let(LocalId, ExprId),
    /// `place = E`
    Assign(ExprId, AssignOp, ExprId),
    /// `if E { } else { }`
    If(ExprId, Block, Block),
    /// `for x in D by K { }`
    For(Vec<Bind>, Vec<ExprId>, Block),
    /// `repeat until E { }`
    Repeat(Option<ExprId>, Block),
    /// `cycle p clockwise from X where C until E { }`
    Cycle(Bind, Option<ExprId>, Block),
    /// `turn p { }`
    Turn(ExprId, Block),
    /// `draw …`
    Draw(Draw),
    /// `reveal S`, `reveal S[p]`
    Reveal(StateId, Vec<ExprId>),
    /// `end`
    End,
    /// `choose …`
    Choose(Choose),
    /// Play a phase.
    Call(PhaseId, Vec<ExprId>),
}

/// Chance.
#[derive(Debug, Clone)]
pub struct Draw {
    /// The name that entries use: the state's or the local's.
    pub name: String,
    /// A state's place, or a new local.
    pub place: DrawPlace,
    /// The candidate, for the condition.
    pub candidate: Option<LocalId>,
    /// Taken out of what it is drawn from.
    pub takes: bool,
    /// What it is drawn from.
    pub from: ExprId,
    /// Which may be drawn.
    pub condition: Option<ExprId>,
    /// Who sees the result.
    pub seen_by: Option<ExprId>,
    /// Nobody sees the result.
    pub hidden: bool,
}

/// Where a drawn value goes.
#[derive(Debug, Clone, Copy)]
pub enum DrawPlace {
    /// A state.
    State(ExprId),
    /// A new local.
    Local(LocalId),
}

/// A choice.
#[derive(Debug, Clone)]
pub struct Choose {
    /// Who is asked, if not `me`.
    pub who: Option<ExprId>,
    /// What is offered.
    pub offers: Vec<(ActionId, Vec<ExprId>, Span)>,
    /// What else may happen.
    pub otherwise: Otherwise,
}

/// What happens in a choice when nothing is entered.
#[derive(Debug, Clone)]
pub enum Otherwise {
    /// Nothing said.
    Nothing,
    /// `or pass`: leaves the enclosing `repeat`.
    PassLeaves,
    /// `or pass { }`
    OrPass(Block),
    /// `else pass { }`
    ElsePass(Block),
    /// `else { }`
    Else(Block),
}
