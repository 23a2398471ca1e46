//! Quantifiers that ask for too much or too little, and orders that are turned round.

use super::{Found, Rules, inner};
use crate::ast::Aggregate;
use crate::bind::{Expr, Function, Type};
use crate::examples::mutants::edit::Rewrite;
use crate::examples::mutants::places::{Place, Role};

pub(super) fn mutants(rules: &Rules<'_>, place: &Place, found: &mut Found<'_>) {
    let text = rules.text(place.id);
    if matches!(place.role, Role::Key | Role::WinnerKey) {
        if matches!(rules.ty(place.id).plain(), Type::Int(..)) {
            found.add("order", &text, &format!("-{}", inner(&text)), Rewrite::Negative);
        }
        found.add("order", &text, "0", Rewrite::Kind(Expr::Int(0)));
    }
    match &rules.bound().expr(place.id).kind {
        Expr::Aggregate(which, binds, body, by) => {
            let other = match which {
                Aggregate::Any | Aggregate::No => {
                    Some(if *which == Aggregate::Any { Aggregate::All } else { Aggregate::Any })
                }
                Aggregate::All => Some(Aggregate::Any),
                Aggregate::Sum | Aggregate::Min => Some(Aggregate::Max),
                Aggregate::Max => Some(Aggregate::Min),
                Aggregate::Count | Aggregate::First | Aggregate::Pairing => None,
            };
            if let Some(other) = other {
                let to = replaced(&text, which.word(), other.word());
                let kind = Expr::Aggregate(other, binds.clone(), *body, by.clone());
                found.add("quantifier", &text, &to, Rewrite::Kind(kind));
            }
            if *which == Aggregate::First && by.is_empty() {
                found.add("order", &text, &replaced(&text, "first", "last"), Rewrite::Last);
            }
        }
        Expr::Function(which @ (Function::Least | Function::Most), args) => {
            let other = if *which == Function::Least { Function::Most } else { Function::Least };
            let kind = Expr::Function(other, args.clone());
            found.add("quantifier", &text, &replaced(&text, which.word(), other.word()), Rewrite::Kind(kind));
        }
        _ => {}
    }
}

fn replaced(text: &str, word: &str, other: &str) -> String {
    text.replacen(word, other, 1)
}
