//! Numbers and members that are off by one, terms that are missing, signs that are wrong.

use super::{Found, Rules};
use crate::ast::BinaryOp;
use crate::bind::{Expr, Function, TypeKind};
use crate::examples::mutants::edit::{Rewrite, member};
use crate::examples::mutants::places::Place;
use crate::internal::exact;

pub(super) fn mutants(rules: &Rules<'_>, place: &Place, found: &mut Found<'_>) {
    let bound = rules.bound();
    let text = rules.text(place.id);
    match &bound.expr(place.id).kind {
        Expr::Int(value) => {
            for other in [value.saturating_add(1), value.saturating_sub(1)] {
                found.add("literal", &text, &other.to_string(), Rewrite::Kind(Expr::Int(other)));
            }
        }
        Expr::Bool(value) => {
            found.add("literal", &text, &(!value).to_string(), Rewrite::Kind(Expr::Bool(!value)));
        }
        Expr::Member(candidates) => {
            let Some(&(ty, at)) = candidates.first() else { return };
            let count = bound.types.count(ty);
            if matches!(bound.types.get(ty).kind, TypeKind::Members(_)) && count > 1 {
                let other = (at + 1) % exact::<_, u32>(count);
                let name = bound.types.member_name(ty, other);
                found.add("literal", &text, &name, Rewrite::Kind(member(ty, other)));
            }
        }
        Expr::Binary(op, left, right) => {
            let other = match op {
                BinaryOp::Add => BinaryOp::Subtract,
                BinaryOp::Subtract => BinaryOp::Add,
                BinaryOp::Multiply | BinaryOp::Divide => *op,
                _ => return,
            };
            if other != *op {
                let to = rules.with_operator(place.id, (*left, *right), other.symbol());
                found.add("arithmetic", &text, &to, Rewrite::Kind(Expr::Binary(other, *left, *right)));
            }
            found.add("arithmetic", &text, &rules.text(*left), Rewrite::Part(*left));
            if matches!(op, BinaryOp::Add | BinaryOp::Multiply) {
                found.add("arithmetic", &text, &rules.text(*right), Rewrite::Part(*right));
            }
            if *op == BinaryOp::Divide {
                found.add("arithmetic", &text, &format!("{text}, rounded up"), Rewrite::RoundedUp(*left, *right));
            }
        }
        Expr::Function(Function::Least | Function::Most, args) => {
            for arg in args.iter().filter(|_| args.len() > 1) {
                found.add("arithmetic", &text, &rules.text(*arg), Rewrite::Part(*arg));
            }
        }
        _ => {}
    }
}
