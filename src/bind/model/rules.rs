//! Rules of a bound ruleset: actions, awards, phases, results, views.

use super::{Bind, Block, Citation, ExprId, LocalId};
use crate::ast::TieRule;
use crate::report::Span;

/// What a player may enter.
#[derive(Debug, Clone)]
pub struct Action {
    /// Its name.
    pub name: String,
    /// What it is.
    pub title: Option<String>,
    /// Parameters and the sets they are taken from.
    pub params: Vec<(LocalId, Option<ExprId>)>,
    /// Where it is from.
    pub cites: Vec<Citation>,
    /// What it costs.
    pub costs: Vec<Price>,
    /// Requirements in the author's order.
    pub requirements: Vec<Requirement>,
    /// What it does.
    pub effect: Block,
    /// Its name in the rules.
    pub span: Span,
    /// Numbers of first parameters that offers bind; empty if it is never offered.
    pub offered: Vec<usize>,
}

/// What is paid.
#[derive(Debug, Clone)]
pub struct Price {
    /// What is paid from.
    pub place: ExprId,
    /// How much.
    pub amount: ExprId,
    /// Once for each of these.
    pub each: Option<Bind>,
}

/// A named condition of an action.
#[derive(Debug, Clone)]
pub struct Requirement {
    /// Its name within the action.
    pub name: String,
    /// It is there only if this constant holds.
    pub guard: Option<ExprId>,
    /// Tested on the state that the effect leaves.
    pub after: bool,
    /// The condition.
    pub condition: ExprId,
    /// The rule, positively.
    pub phrase: Option<Phrase>,
    /// Where it is from; its action's citations if it has none.
    pub cites: Vec<Citation>,
    /// Its name in the rules.
    pub span: Span,
}

/// A text with values.
#[derive(Debug, Clone)]
pub struct Phrase {
    /// Words and values in turn.
    pub parts: Vec<PhrasePart>,
}

/// A piece of a phrase.
#[derive(Debug, Clone)]
pub enum PhrasePart {
    /// Written out.
    Words(String),
    /// A value.
    Value(ExprId),
}

/// What a claimant gets.
#[derive(Debug, Clone)]
pub struct Award {
    /// Its name.
    pub name: String,
    /// What it is.
    pub title: Option<String>,
    /// Parameters; the last one is the claimant.
    pub params: Vec<LocalId>,
    /// Where it is from.
    pub cites: Vec<Citation>,
    /// The weight.
    pub by: ExprId,
    /// First, second, … place.
    pub pays: Vec<ExprId>,
    /// What a tie does, each with its guard.
    pub ties: Vec<(TieRule, Option<ExprId>)>,
    /// `alone all`, each with its guard.
    pub alone: Vec<Option<ExprId>>,
    /// Its name in the rules.
    pub span: Span,
    /// Is it mentioned?
    pub used: bool,
}

/// A named part of the flow.
#[derive(Debug, Clone)]
pub struct Phase {
    /// Its name.
    pub name: String,
    /// What it is.
    pub title: Option<String>,
    /// Parameters.
    pub params: Vec<LocalId>,
    /// Where it is from.
    pub cites: Vec<Citation>,
    /// What happens.
    pub body: Block,
    /// Its name in the rules.
    pub span: Span,
    /// Is it played somewhere?
    pub used: bool,
}

/// `score(p) if C = E`
#[derive(Debug, Clone)]
pub struct Score {
    /// The seat.
    pub param: LocalId,
    /// Only if this constant holds.
    pub guard: Option<ExprId>,
    /// Where it is from.
    pub cites: Vec<Citation>,
    /// The score.
    pub body: ExprId,
    /// Its item.
    pub span: Span,
}

/// `winner(p) if C by A, B ties share`
#[derive(Debug, Clone)]
pub struct Winner {
    /// The seat.
    pub param: LocalId,
    /// Only if this constant holds.
    pub guard: Option<ExprId>,
    /// Where it is from.
    pub cites: Vec<Citation>,
    /// Most first; later keys break ties.
    pub keys: Vec<ExprId>,
    /// What a tie in all keys does.
    pub ties: TieRule,
    /// Its item.
    pub span: Span,
}

/// What always holds.
#[derive(Debug, Clone)]
pub struct Invariant {
    /// Its name.
    pub name: String,
    /// Only if this constant holds.
    pub guard: Option<ExprId>,
    /// The condition.
    pub condition: ExprId,
    /// In words.
    pub phrase: Option<Phrase>,
    /// Its name in the rules.
    pub span: Span,
}

/// How a board is drawn.
#[derive(Debug, Clone)]
pub struct View {
    /// The cell; none for a game without a board, which has panels only.
    pub param: Option<LocalId>,
    /// Its slots.
    pub slots: Vec<ViewSlot>,
    /// Its item.
    pub span: Span,
}

/// A slot of a view.
#[derive(Debug, Clone)]
pub struct ViewSlot {
    /// `shade`, `text`, `edge`, `piece` or `panel`.
    pub word: String,
    /// Once for each of these.
    pub each: Option<Bind>,
    /// What is shown, and when.
    pub parts: Vec<(ViewPart, Option<ExprId>)>,
}

/// A value or a text.
#[derive(Debug, Clone)]
pub enum ViewPart {
    /// `"x"`
    Text(Phrase),
    /// `discs(p)`
    Value(ExprId),
}
