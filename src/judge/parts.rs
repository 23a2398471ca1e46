//! Why a condition does not hold: the values of what it is made of.

use crate::ast::BinaryOp;
use crate::bind::walk::parts;
use crate::bind::{Expr, ExprId, Value};
use crate::evaluate::{Frame, Game};
use crate::report::Sources;

/// Values are cut after so many characters.
const LONGEST: usize = 160;

/// What a comparison compares, with its values; of other conditions there is no more to say than that they
/// do not hold.
pub(crate) fn found(game: &Game<'_>, sources: &Sources, condition: ExprId, frame: &mut Frame<'_>) -> String {
    let node = game.bound().expr(condition);
    let mut sides = Vec::new();
    if let Expr::Binary(op, left, right) = node.kind
        && !matches!(op, BinaryOp::And | BinaryOp::Or | BinaryOp::In | BinaryOp::NotIn)
    {
        for side in [left, right].into_iter().filter(|side| !is_literal(game, *side)) {
            if let Ok(value) = game.eval(side, frame) {
                sides.push(format!("{} is {}", text(game, sources, side), show(game, &value)));
            }
        }
    }
    if sides.is_empty() { "that it does not hold".to_owned() } else { sides.join(" and ") }
}

/// Does it say its own value?
fn is_literal(game: &Game<'_>, id: ExprId) -> bool {
    match &game.bound().expr(id).kind {
        Expr::Int(_) | Expr::Bool(_) | Expr::None | Expr::Member(_) => true,
        Expr::Unary(_, inner) => is_literal(game, *inner),
        Expr::Set(items) | Expr::List(items) | Expr::Make(_, items) => items.iter().all(|item| is_literal(game, *item)),
        _ => false,
    }
}

fn text(game: &Game<'_>, sources: &Sources, id: ExprId) -> String {
    sources.slice(game.bound().expr(id).span).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Everything in a condition that has a value worth telling, outermost first, each text once.
pub(crate) fn values(
    game: &Game<'_>,
    sources: &Sources,
    condition: ExprId,
    frame: &mut Frame<'_>,
) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for part in open(game, condition) {
        collect(game, sources, part, frame, &mut found);
    }
    found
}

/// The condition itself, or what it joins.
fn open(game: &Game<'_>, id: ExprId) -> Vec<ExprId> {
    match &game.bound().expr(id).kind {
        // That it does not hold is known; its parts tell why.
        Expr::Binary(_, left, right) => vec![*left, *right],
        Expr::Unary(_, inner) => open(game, *inner),
        _ => vec![id],
    }
}

fn collect(game: &Game<'_>, sources: &Sources, id: ExprId, frame: &mut Frame<'_>, found: &mut Vec<(String, String)>) {
    let node = game.bound().expr(id);
    let telling = match &node.kind {
        Expr::State(_)
        | Expr::Local(_)
        | Expr::Number(_)
        | Expr::Index(..)
        | Expr::Field(..)
        | Expr::Def(..)
        | Expr::Award(..)
        | Expr::Score(_)
        | Expr::Function(..)
        | Expr::Aggregate(..)
        | Expr::SetOf(_)
        | Expr::ListOf(_)
        | Expr::Outcome(_) => true,
        Expr::Binary(op, ..) => *op != BinaryOp::Range,
        Expr::Unary(_, inner) => !is_literal(game, *inner),
        Expr::If(..) => true,
        _ => false,
    };
    if telling && let Ok(value) = game.eval(id, frame) {
        let told = (text(game, sources, id), show(game, &value));
        if !told.0.is_empty() && !found.contains(&told) {
            found.push(told);
        }
        if value == Value::Bool(false)
            && let Ok(counter) = game.counterexample(id, frame)
            && !counter.is_empty()
        {
            found.extend(counter.into_iter().map(|(name, value)| (name, show(game, &value))));
            // Its variables have these values now, so that its body can be told as well.
            if let Expr::Aggregate(_, _, Some(body), _) = &node.kind {
                open(game, *body).into_iter().for_each(|part| collect(game, sources, part, frame, found));
            }
        }
    }
    // The variables of an aggregate have no value outside of it; only its domains do.
    let within = match &node.kind {
        Expr::Aggregate(_, binds, ..) => binds.iter().take(1).map(|bind| bind.domain).collect(),
        Expr::SetOf(bind) | Expr::ListOf(bind) => vec![bind.domain],
        // A place without its indices is no value.
        Expr::Index(base, args) => match &game.bound().expr(*base).kind {
            Expr::Field(owner, _) => std::iter::once(*owner).chain(args.iter().copied()).collect(),
            Expr::State(_) | Expr::Number(_) => args.clone(),
            _ => parts(&node.kind),
        },
        kind => parts(kind),
    };
    for part in within {
        collect(game, sources, part, frame, found);
    }
}

fn show(game: &Game<'_>, value: &Value) -> String {
    let text = value.show(&game.bound().types);
    match text.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}…", text.get(..at).unwrap_or("")),
        None => text,
    }
}
