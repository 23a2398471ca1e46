//! The wrong player, the wrong variable, and what counts for all players together.

use super::{Found, Rules};
use crate::bind::{Expr, ExprId, LocalId, StateId, Type};
use crate::examples::mutants::edit::Rewrite;
use crate::examples::mutants::places::{Place, Role};

pub(super) fn mutants(rules: &Rules<'_>, place: &Place, found: &mut Found<'_>) {
    let bound = rules.bound();
    let ty = rules.ty(place.id).plain();
    let text = rules.text(place.id);
    let kind = &bound.expr(place.id).kind;
    let is_player = rules.is_player(ty);
    if is_player && (matches!(kind, Expr::Me | Expr::Local(_)) || place.role == Role::Start) {
        found.add("player", &text, &format!("{text} + 1"), Rewrite::Plus(1));
    }
    let this = if let Expr::Local(local) = kind { Some(*local) } else { None };
    if is_player && this.is_some() && this != place.acting {
        found.add("player", &text, "me", Rewrite::Kind(Expr::Me));
    }
    if matches!(kind, Expr::Me | Expr::Local(_)) && matches!(ty, Type::Named(_)) {
        let is_same = |other: LocalId| Some(other) == this || this.is_none() && Some(other) == place.acting;
        for other in place.scope.iter().filter(|other| !is_same(**other)) {
            if rules.checked.locals.get(other.at()).map(Type::plain) == Some(ty) {
                let kind = if is_player { "player" } else { "variable" };
                found.add(kind, &text, &bound.local(*other).name, Rewrite::Kind(Expr::Local(*other)));
            }
        }
    }
    if let Expr::State(state) = kind {
        let state = bound.state(*state);
        for (other, id) in bound.states.iter().zip((0..).map(StateId)) {
            let is_like = other.ty == state.ty && other.indices == state.indices && other.span != state.span;
            if is_like && matches!(ty, Type::Named(_)) {
                let kind = if is_player { "player" } else { "variable" };
                found.add(kind, &text, &other.name, Rewrite::Kind(Expr::State(id)));
            }
        }
    }
    let args: &[ExprId] = match kind {
        Expr::Index(base, args) if matches!(bound.expr(*base).kind, Expr::State(_)) => args,
        Expr::Def(_, args) => args,
        _ => return,
    };
    if matches!(ty, Type::Int(..)) {
        for (nth, arg) in args.iter().enumerate().filter(|(_, arg)| rules.is_player(rules.ty(**arg))) {
            let of_all = rules.text_with(place.id, bound.expr(*arg).span, "q");
            found.add("player", &text, &format!("sum q in Player: {of_all}"), Rewrite::OfAll(nth));
        }
    }
}
