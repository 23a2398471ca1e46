//! Comparisons that are off by one.

use super::{Found, Rules};
use crate::ast::BinaryOp;
use crate::bind::{Expr, ExprId, Type};
use crate::examples::mutants::edit::Rewrite;
use crate::examples::mutants::places::Place;

pub(super) fn mutants(rules: &Rules<'_>, place: &Place, found: &mut Found<'_>) {
    let Expr::Binary(op, left, right) = rules.bound().expr(place.id).kind else { return };
    // The same comparison with or without what is equal, and how the right side says it one further.
    let (other, more) = match op {
        BinaryOp::Less => (BinaryOp::AtMost, -1),
        BinaryOp::AtMost => (BinaryOp::Less, 1),
        BinaryOp::More => (BinaryOp::AtLeast, 1),
        BinaryOp::AtLeast => (BinaryOp::More, -1),
        BinaryOp::Is | BinaryOp::IsNot => return equality(rules, place, (op, left, right), found),
        _ => return,
    };
    let text = rules.text(place.id);
    let to = rules.with_operator(place.id, (left, right), other.symbol());
    found.add("comparison", &text, &to, Rewrite::Kind(Expr::Binary(other, left, right)));
    // A number that is written there, or in the TOML, is changed by itself.
    let is_plain = |id| matches!(rules.bound().expr(id).kind, Expr::Int(_) | Expr::Number(_));
    let is_number = matches!(rules.ty(right).plain(), Type::Int(..));
    if is_number && !is_plain(left) && !is_plain(right) {
        let sign = if more < 0 { "-" } else { "+" };
        found.at(right, "comparison", &text, &format!("{text} {sign} 1"), Rewrite::Plus(more));
    }
}

/// `a is b` also where `a` is one more, or one less.
fn equality(rules: &Rules<'_>, place: &Place, (op, left, right): (BinaryOp, ExprId, ExprId), found: &mut Found<'_>) {
    let (Type::Int(low, high), Type::Int(least, most)) = (rules.ty(left).plain(), rules.ty(right).plain()) else {
        return;
    };
    let (text, b) = (rules.text(place.id), rules.text(right));
    let (word, other) = if op == BinaryOp::Is { ("or", BinaryOp::In) } else { ("nor", BinaryOp::NotIn) };
    // What the types rule out is no change.
    if *high > *least {
        let within = Rewrite::Within(other, [left, right], (0, 1));
        found.add("comparison", &text, &format!("{text} {word} {b} + 1"), within);
    }
    if *low < *most {
        let within = Rewrite::Within(other, [left, right], (-1, 0));
        found.add("comparison", &text, &format!("{text} {word} {b} - 1"), within);
    }
}
