//! Walking bound trees: what an expression or a statement consists of.

use super::model::{Bind, Block, Bound, Draw, DrawPlace, Expr, ExprId, Otherwise, Statement};

/// The expressions that an expression is directly made of.
#[must_use]
pub fn parts(expr: &Expr) -> Vec<ExprId> {
    match expr {
        Expr::Def(_, args) | Expr::Award(_, args) | Expr::Function(_, args) | Expr::Make(_, args) => args.clone(),
        Expr::Set(items) | Expr::List(items) => items.clone(),
        Expr::Score(inner) | Expr::Field(inner, _) | Expr::Unary(_, inner) => vec![*inner],
        Expr::Index(base, args) => std::iter::once(*base).chain(args.iter().copied()).collect(),
        Expr::Binary(_, left, right) => vec![*left, *right],
        Expr::If(condition, then, otherwise) => vec![*condition, *then, *otherwise],
        Expr::Aggregate(_, binds, body, by) => {
            binds.iter().flat_map(bind_parts).chain(*body).chain(by.iter().copied()).collect()
        }
        Expr::SetOf(bind) | Expr::ListOf(bind) => bind_parts(bind),
        Expr::Fault
        | Expr::Int(_)
        | Expr::Bool(_)
        | Expr::None
        | Expr::Me
        | Expr::Players
        | Expr::Local(_)
        | Expr::Member(_)
        | Expr::Number(_)
        | Expr::State(_)
        | Expr::Members(_)
        | Expr::Outcome(_) => Vec::new(),
    }
}

/// The domain and condition of a variable.
#[must_use]
pub fn bind_parts(bind: &Bind) -> Vec<ExprId> {
    std::iter::once(bind.domain).chain(bind.condition).collect()
}

/// Visits an expression and everything in it, outermost first.
pub fn each_expr(bound: &Bound, id: ExprId, visit: &mut dyn FnMut(ExprId, &Expr)) {
    let kind = &bound.expr(id).kind;
    visit(id, kind);
    for part in parts(kind) {
        each_expr(bound, part, visit);
    }
}

/// The expressions that a statement evaluates itself, without its blocks.
#[must_use]
pub fn statement_parts(statement: &Statement) -> Vec<ExprId> {
    match statement {
        Statement::Let(_, value) => vec![*value],
        Statement::Assign(place, _, value) => vec![*place, *value],
        Statement::If(condition, ..) => vec![*condition],
        Statement::For(binds, by, _) => binds.iter().flat_map(bind_parts).chain(by.iter().copied()).collect(),
        Statement::Repeat(until, _) => until.iter().copied().collect(),
        Statement::Cycle(bind, until, _) => bind_parts(bind).into_iter().chain(*until).collect(),
        Statement::Turn(who, _) => vec![*who],
        Statement::Draw(draw) => draw_parts(draw),
        Statement::Choose(choose) => {
            choose.who.into_iter().chain(choose.offers.iter().flat_map(|(_, args, _)| args.iter().copied())).collect()
        }
        Statement::Call(_, args) => args.clone(),
        Statement::Reveal(_, args) => args.clone(),
        Statement::End => Vec::new(),
    }
}

fn draw_parts(draw: &Draw) -> Vec<ExprId> {
    let place = match draw.place {
        DrawPlace::State(place) => Some(place),
        DrawPlace::Local(_) => None,
    };
    std::iter::once(draw.from).chain(draw.condition).chain(draw.seen_by).chain(place).collect()
}

/// The blocks that a statement directly holds.
#[must_use]
pub fn statement_blocks(statement: &Statement) -> Vec<&Block> {
    match statement {
        Statement::If(_, then, otherwise) => vec![then, otherwise],
        Statement::For(_, _, body)
        | Statement::Repeat(_, body)
        | Statement::Cycle(_, _, body)
        | Statement::Turn(_, body) => {
            vec![body]
        }
        Statement::Choose(choose) => match &choose.otherwise {
            Otherwise::OrPass(block) | Otherwise::ElsePass(block) | Otherwise::Else(block) => vec![block],
            Otherwise::Nothing | Otherwise::PassLeaves => Vec::new(),
        },
        _ => Vec::new(),
    }
}

/// Visits every statement of a block, and of the blocks in it.
pub fn each_statement<'a>(block: &'a Block, visit: &mut dyn FnMut(&'a Statement, crate::report::Span)) {
    for (statement, span) in &block.statements {
        visit(statement, *span);
        for inner in statement_blocks(statement) {
            each_statement(inner, visit);
        }
    }
}
