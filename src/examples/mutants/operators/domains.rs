//! Domains that are too wide or too narrow.

use super::{Found, Rules};
use crate::ast::BinaryOp;
use crate::bind::{Expr, Type};
use crate::examples::mutants::edit::Rewrite;
use crate::examples::mutants::places::{Place, Role};

/// Whole numbers that a variable may run over when its domain is dropped.
const MOST: u64 = 1000;

pub(super) fn mutants(rules: &Rules<'_>, place: &Place, found: &mut Found<'_>) {
    let Role::Domain(local) = place.role else { return };
    let bound = rules.bound();
    let text = rules.text(place.id);
    match &bound.expr(place.id).kind {
        // The name of a type has no ends that could be wrong here.
        Expr::Members(Type::Int(low, high)) if text.contains("..") => {
            for (less, more) in [(1, 0), (-1, 0), (0, -1), (0, 1)] {
                let to = format!("{}..{}", low + less, high + more);
                found.add("domain", &text, &to, Rewrite::Range(less, more));
            }
        }
        Expr::Members(_) => {}
        Expr::Binary(BinaryOp::Range, low, high) => {
            for end in [*low, *high].into_iter().filter(|end| !matches!(bound.expr(*end).kind, Expr::Int(_))) {
                let end_text = rules.text(end);
                for (word, more) in [("+", 1), ("-", -1)] {
                    let to = rules.text_with(place.id, bound.expr(end).span, &format!("{end_text} {word} 1"));
                    found.at(end, "domain", &text, &to, Rewrite::Plus(more));
                }
            }
        }
        _ => {
            let Some(ty) = rules.checked.locals.get(local.at()).map(Type::plain) else { return };
            let is_listed = match ty {
                Type::Int(..) => bound.types.size(ty) <= MOST,
                Type::Named(_) => true,
                _ => false,
            };
            if is_listed {
                let to = bound.types.show(ty).to_string();
                found.add("domain", &text, &to, Rewrite::Kind(Expr::Members(ty.clone())));
            }
        }
    }
}
