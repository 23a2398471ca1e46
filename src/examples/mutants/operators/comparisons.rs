//! Comparisons that are off by one.

use super::{Found, Rules};
use crate::ast::BinaryOp;
use crate::bind::{Expr, Type};
use crate::examples::mutants::edit::Rewrite;
use crate::examples::mutants::places::Place;
use crate::report::Span;

pub(super) fn mutants(rules: &Rules<'_>, place: &Place, found: &mut Found<'_>) {
    let Expr::Binary(op, left, right) = rules.bound().expr(place.id).kind else { return };
    let are_numbers = [left, right].iter().all(|id| matches!(rules.ty(*id).plain(), Type::Int(..)));
    let others: &[BinaryOp] = match op {
        BinaryOp::Less => &[BinaryOp::AtMost],
        BinaryOp::AtMost => &[BinaryOp::Less],
        BinaryOp::More => &[BinaryOp::AtLeast],
        BinaryOp::AtLeast => &[BinaryOp::More],
        BinaryOp::Is if are_numbers => &[BinaryOp::AtMost, BinaryOp::AtLeast],
        BinaryOp::IsNot if are_numbers => &[BinaryOp::Less, BinaryOp::More],
        _ => &[],
    };
    for other in others {
        let (a, b) = (rules.bound().expr(left).span, rules.bound().expr(right).span);
        let between = Span { start: a.end, end: b.start, ..a };
        let to = rules.text_with(place.id, between, &format!(" {} ", other.symbol()));
        found.add("comparison", &rules.text(place.id), &to, Rewrite::Kind(Expr::Binary(*other, left, right)));
    }
}
