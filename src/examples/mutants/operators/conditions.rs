//! Conditions that are dropped, turned round or joined wrongly.

use super::{Found, Rules, inner};
use crate::ast::{BinaryOp, UnaryOp};
use crate::bind::{Expr, Type};
use crate::examples::mutants::edit::Rewrite;
use crate::examples::mutants::places::{Place, Role};

pub(super) fn mutants(rules: &Rules<'_>, place: &Place, found: &mut Found<'_>) {
    if *rules.ty(place.id) != Type::Bool {
        return;
    }
    let kind = &rules.bound().expr(place.id).kind;
    if matches!(kind, Expr::Bool(_)) {
        return;
    }
    let text = rules.text(place.id);
    let constants: &[bool] = match place.role {
        Role::Where | Role::Conjunct | Role::Guard => &[true],
        Role::Disjunct => &[false],
        Role::Branch | Role::Until => &[true, false],
        _ => &[],
    };
    for constant in constants {
        found.add("condition", &text, &constant.to_string(), Rewrite::Kind(Expr::Bool(*constant)));
    }
    match kind {
        Expr::Binary(op @ (BinaryOp::And | BinaryOp::Or), left, right) => {
            let other = if *op == BinaryOp::And { BinaryOp::Or } else { BinaryOp::And };
            let to = rules.with_operator(place.id, (*left, *right), other.symbol());
            found.add("condition", &text, &to, Rewrite::Kind(Expr::Binary(other, *left, *right)));
        }
        Expr::Unary(UnaryOp::Not, inner) => {
            found.add("condition", &text, &rules.text(*inner), Rewrite::Part(*inner));
        }
        // `if` that always goes one way says as much.
        Expr::If(..) => {}
        _ if place.role == Role::Branch => {}
        Expr::Binary(op @ (BinaryOp::Is | BinaryOp::IsNot | BinaryOp::In | BinaryOp::NotIn), left, right) => {
            let other = match op {
                BinaryOp::Is => BinaryOp::IsNot,
                BinaryOp::IsNot => BinaryOp::Is,
                BinaryOp::In => BinaryOp::NotIn,
                _ => BinaryOp::In,
            };
            let to = rules.with_operator(place.id, (*left, *right), other.symbol());
            found.add("condition", &text, &to, Rewrite::Kind(Expr::Binary(other, *left, *right)));
        }
        _ => found.add("condition", &text, &format!("not {}", inner(&text)), Rewrite::Not),
    }
}
