//! What a mutant changes, and how that is done to a bound ruleset.
//!
//! The rules of a ruleset have the same expressions under the same ids for every number of players and every setting,
//! so an edit speaks of them by id. Examples come after the rules.

use super::numbers::Step;
use crate::ast::{Aggregate, AssignOp, BinaryOp, TieRule, UnaryOp};
use crate::bind::{
    Bind, Block, Bound, Expr, ExprId, ExprNode, Function, Local, LocalId, Otherwise, StateId, Statement, Type, TypeId,
};
use crate::evaluate::Touch;
use crate::internal::exact;
use crate::report::Span;

/// One change.
#[derive(Debug, Clone)]
pub(super) enum Edit {
    /// Another number in the TOML.
    Number { way: Vec<Step>, to: i64, touch: Touch, exactly: bool, in_types: bool },
    /// A requirement of an action that is not there any more.
    Requirement { action: Span, requirement: Span },
    /// Another rule for the nth tie of an award.
    AwardTies { award: Span, nth: usize, to: TieRule },
    /// A claimant who is alone no longer gets all.
    AwardAlone { award: Span },
    /// Another rule for a tied winner.
    WinnerTies { winner: Span, to: TieRule },
    /// A state that is not reset when a turn begins.
    Turn(StateId),
    /// Another expression.
    Expr(ExprId, Rewrite),
    /// Another statement, or none.
    Statement(Span, Change),
}

/// What becomes of an expression.
#[derive(Debug, Clone)]
pub(super) enum Rewrite {
    /// This, whose parts are those that it has.
    Kind(Expr),
    /// One of its parts.
    Part(ExprId),
    /// `not x`
    Not,
    /// `-x`
    Negative,
    /// `x + n`
    Plus(i64),
    /// One more if a variable has this value.
    PlusIf(LocalId, Expr),
    /// `a / b`, rounded up.
    RoundedUp(ExprId, ExprId),
    /// The sum over all players in place of the player who is the nth index or argument.
    OfAll(usize),
    /// `a in b + low..b + high`, or `not in`
    Within(BinaryOp, [ExprId; 2], (i64, i64)),
    /// A range of whole numbers whose least or greatest one is others by so much.
    Range(i64, i64),
    /// `first` becomes last: by keys that are turned round, or by the place in the order of the type.
    Last,
}

/// What becomes of a statement.
#[derive(Debug, Clone)]
pub(super) enum Change {
    /// It is not there.
    Dropped,
    /// Another operator.
    Operator(AssignOp),
    /// The nth offer of a choice is not there.
    Offer(usize),
    /// One must act, even if nothing is possible.
    MustAct,
    /// One may always pass.
    MayPass,
    /// One passes only if nothing is possible.
    PassIfNothing,
    /// What is drawn stays where it is drawn from.
    Keeps,
}

/// Changes a bound ruleset; numbers have been changed before binding.
pub(super) fn apply(edit: &Edit, bound: &mut Bound) {
    match edit {
        Edit::Number { .. } => {}
        Edit::Requirement { action, requirement } => {
            for action in bound.actions.iter_mut().filter(|known| known.span == *action) {
                action.requirements.retain(|known| known.span != *requirement);
            }
        }
        Edit::AwardTies { award, nth, to } => {
            for award in bound.awards.iter_mut().filter(|known| known.span == *award) {
                award.ties.iter_mut().skip(*nth).take(1).for_each(|(rule, _)| *rule = *to);
            }
        }
        Edit::AwardAlone { award } => {
            bound.awards.iter_mut().filter(|known| known.span == *award).for_each(|award| award.alone.clear());
        }
        Edit::WinnerTies { winner, to } => {
            bound.winners.iter_mut().filter(|known| known.span == *winner).for_each(|winner| winner.ties = *to);
        }
        Edit::Turn(state) => bound.states[state.at()].per_turn = false,
        Edit::Expr(id, to) => rewrite(bound, *id, to),
        Edit::Statement(span, to) => {
            let phases = bound.phases.iter_mut().map(|phase| &mut phase.body);
            let actions = bound.actions.iter_mut().map(|action| &mut action.effect);
            bound.flow.iter_mut().chain(phases).chain(actions).for_each(|block| statement(block, *span, to));
        }
    }
}

fn rewrite(bound: &mut Bound, id: ExprId, to: &Rewrite) {
    let ExprNode { kind, span } = bound.expr(id).clone();
    let mut add = Adding { bound, span };
    let kind = match (to, kind) {
        (Rewrite::Kind(kind), _) => kind.clone(),
        (Rewrite::Part(part), _) => add.bound.expr(*part).kind.clone(),
        (Rewrite::Not, kind) => Expr::Unary(UnaryOp::Not, add.expr(kind)),
        (Rewrite::Negative, kind) => Expr::Unary(UnaryOp::Negate, add.expr(kind)),
        (Rewrite::Plus(more), kind) => Expr::Binary(BinaryOp::Add, add.expr(kind), add.expr(Expr::Int(*more))),
        (Rewrite::PlusIf(local, value), kind) => {
            let (local, value) = (add.expr(Expr::Local(*local)), add.expr(value.clone()));
            let condition = add.expr(Expr::Binary(BinaryOp::Is, local, value));
            let (one, none) = (add.expr(Expr::Int(1)), add.expr(Expr::Int(0)));
            let more = add.expr(Expr::If(condition, one, none));
            Expr::Binary(BinaryOp::Add, add.expr(kind), more)
        }
        (Rewrite::RoundedUp(a, b), _) => {
            let a = add.expr(Expr::Unary(UnaryOp::Negate, *a));
            let down = add.expr(Expr::Binary(BinaryOp::Divide, a, *b));
            Expr::Unary(UnaryOp::Negate, down)
        }
        (Rewrite::Within(op, [a, b], (low, high)), _) => {
            let apart = add.expr(Expr::Binary(BinaryOp::Subtract, *a, *b));
            let (low, high) = (add.expr(Expr::Int(*low)), add.expr(Expr::Int(*high)));
            let range = add.expr(Expr::Binary(BinaryOp::Range, low, high));
            Expr::Binary(*op, apart, range)
        }
        (Rewrite::OfAll(nth), kind) => add.sum_of_all(*nth, kind),
        (Rewrite::Range(low, high), Expr::Members(Type::Int(from, to))) => {
            Expr::Members(Type::Int(from.saturating_add(*low), to.saturating_add(*high)))
        }
        (Rewrite::Range(..), kind) => kind,
        (Rewrite::Last, kind) => add.last(kind),
    };
    bound.exprs[id.at()].kind = kind;
}

/// Adds expressions with the place of the one that is changed.
struct Adding<'b> {
    bound: &'b mut Bound,
    span: Span,
}

impl Adding<'_> {
    fn expr(&mut self, kind: Expr) -> ExprId {
        self.bound.exprs.push(ExprNode { kind, span: self.span });
        ExprId(exact(self.bound.exprs.len() - 1))
    }

    fn sum_of_all(&mut self, nth: usize, mut kind: Expr) -> Expr {
        self.bound.locals.push(Local { name: "somebody".to_owned(), ty: None, span: self.span });
        let local = LocalId(exact(self.bound.locals.len() - 1));
        let somebody = self.expr(Expr::Local(local));
        if let Expr::Index(_, args) | Expr::Def(_, args) | Expr::Award(_, args) = &mut kind {
            args.iter_mut().skip(nth).take(1).for_each(|arg| *arg = somebody);
        }
        let body = self.expr(kind);
        let domain = self.expr(Expr::Members(Type::Named(self.bound.players.ty)));
        let bind = Bind { local, domain, clockwise: false, condition: None };
        Expr::Aggregate(Aggregate::Sum, vec![bind], Some(body), Vec::new())
    }

    fn last(&mut self, kind: Expr) -> Expr {
        let Expr::Aggregate(Aggregate::First, binds, body, keys) = kind else { return kind };
        let keys = match (keys.as_slice(), binds.first()) {
            ([], Some(bind)) => {
                let member = self.expr(Expr::Local(bind.local));
                vec![self.expr(Expr::Function(Function::Ordinal, vec![member]))]
            }
            _ => keys,
        };
        let keys = keys.into_iter().map(|key| self.expr(Expr::Unary(UnaryOp::Negate, key))).collect();
        Expr::Aggregate(Aggregate::First, binds, body, keys)
    }
}

/// A member of a type, as an expression.
pub(super) fn member(ty: TypeId, at: u32) -> Expr {
    Expr::Member(vec![(ty, at)])
}

/// Changes the statement that stands there.
fn statement(block: &mut Block, span: Span, to: &Change) {
    if matches!(to, Change::Dropped) {
        block.statements.retain(|(_, known)| *known != span);
    }
    for (kind, known) in &mut block.statements {
        if *known == span {
            change(kind, to);
        }
        for inner in inner_blocks(kind) {
            statement(inner, span, to);
        }
    }
}

fn inner_blocks(statement: &mut Statement) -> Vec<&mut Block> {
    match statement {
        Statement::If(_, then, otherwise) => vec![then, otherwise],
        Statement::For(_, _, body)
        | Statement::Repeat(_, body)
        | Statement::Cycle(_, _, body)
        | Statement::Turn(_, body) => vec![body],
        Statement::Choose(choose) => match &mut choose.otherwise {
            Otherwise::OrPass(block) | Otherwise::ElsePass(block) | Otherwise::Else(block) => vec![block],
            Otherwise::Nothing | Otherwise::PassLeaves => Vec::new(),
        },
        _ => Vec::new(),
    }
}

fn change(statement: &mut Statement, to: &Change) {
    match (statement, to) {
        (Statement::Assign(_, op, _), Change::Operator(other)) => *op = *other,
        (Statement::Draw(draw), Change::Keeps) => draw.takes = false,
        (Statement::Choose(choose), Change::Offer(nth)) => {
            choose.offers.remove(*nth);
        }
        (Statement::Choose(choose), Change::MustAct | Change::MayPass | Change::PassIfNothing) => {
            let block = match std::mem::replace(&mut choose.otherwise, Otherwise::Nothing) {
                Otherwise::OrPass(block) | Otherwise::ElsePass(block) | Otherwise::Else(block) => block,
                Otherwise::Nothing | Otherwise::PassLeaves => Block::default(),
            };
            choose.otherwise = match to {
                Change::MayPass => Otherwise::OrPass(block),
                Change::PassIfNothing => Otherwise::ElsePass(block),
                _ => Otherwise::Nothing,
            };
        }
        _ => {}
    }
}
