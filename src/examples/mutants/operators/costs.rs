//! Costs and payments that are missing, or wrong for one argument only.

use super::{Found, Rules};
use crate::bind::{Expr, Type, TypeKind};
use crate::examples::mutants::edit::{Rewrite, member};
use crate::examples::mutants::places::{Place, Role};
use crate::internal::exact;

/// A parameter with more values is not tried value by value.
const MOST: u64 = 4;

pub(super) fn mutants(rules: &Rules<'_>, place: &Place, found: &mut Found<'_>) {
    let text = rules.text(place.id);
    if matches!(place.role, Role::Cost(_) | Role::Pay) {
        found.add("cost", &text, "0", Rewrite::Kind(Expr::Int(0)));
    }
    let Role::Cost(params) = &place.role else { return };
    let types = &rules.bound().types;
    for param in params {
        let name = &rules.bound().local(*param).name;
        let values: Vec<(String, Expr)> = match rules.checked.locals.get(param.at()) {
            Some(ty) if types.size(ty) > MOST || rules.is_player(ty) => continue,
            Some(Type::Bool) => [true, false].map(|value| (value.to_string(), Expr::Bool(value))).to_vec(),
            Some(Type::Int(low, high)) => (*low..=*high).map(|value| (value.to_string(), Expr::Int(value))).collect(),
            Some(Type::Named(id)) if matches!(types.get(*id).kind, TypeKind::Members(_)) => {
                (0..exact(types.count(*id))).map(|at| (types.member_name(*id, at), member(*id, at))).collect()
            }
            _ => continue,
        };
        for (value, expr) in values {
            let to = format!("{text} + 1 if {name} is {value}");
            found.add("cost", &text, &to, Rewrite::PlusIf(*param, expr));
        }
    }
}
