//! pest pairs → types as written.

use pest::iterators::Pair;

use super::expr_from_pairs::expr;
use super::from_pairs::{indices, optional_expr, optional_text};
use super::nodes::{Column, TypeBody, TypeExpr, TypeKind};
use super::pairs::{Kids, Origin, Read, Rule};

/// The right side of a `type` item.
pub(super) fn type_body(origin: Origin, pair: Pair<'_, Rule>) -> Read<TypeBody> {
    if pair.as_rule() != Rule::record_type {
        return type_expr(origin, pair).map(TypeBody::Expr);
    }
    let field = |pair| {
        let mut kids = Kids::of(pair);
        Some((origin.name(&kids.next()?), type_expr(origin, kids.next()?)?))
    };
    Kids::of(pair).rest().map(field).collect::<Read<_>>().map(TypeBody::Record)
}

/// Any type.
pub(super) fn type_expr(origin: Origin, pair: Pair<'_, Rule>) -> Read<TypeExpr> {
    let span = origin.span(&pair);
    let mut kids = Kids::of(pair);
    let inner = kids.next()?;
    let optional = kids.next().is_some();
    let rule = inner.as_rule();
    let mut parts = Kids::of(inner);
    let kind = match rule {
        Rule::set_type => TypeKind::Set(Box::new(type_expr(origin, parts.next()?)?)),
        Rule::list_type => {
            let length = expr(origin, parts.next()?)?;
            TypeKind::List(Box::new(length), Box::new(type_expr(origin, parts.next()?)?))
        }
        Rule::enum_type => TypeKind::Enum(parts.rest().map(|kid| origin.name(&kid)).collect()),
        Rule::range_type => {
            let low = expr(origin, parts.next()?)?;
            let _dots = parts.take(Rule::range_op);
            TypeKind::Range(Box::new(low), Box::new(expr(origin, parts.next()?)?))
        }
        Rule::type_path => {
            let head = origin.name(&parts.next()?);
            let member = match parts.next() {
                Some(field) => Some(origin.name(&Kids::of(field).next()?)),
                None => None,
            };
            TypeKind::Path(head, member)
        }
        _ => return None,
    };
    Some(TypeExpr { kind, optional, span })
}

/// A column of a table.
pub(super) fn column(origin: Origin, pair: Pair<'_, Rule>) -> Read<Column> {
    let mut kids = Kids::of(pair);
    Some(Column {
        names: kids.take_all(Rule::name).iter().map(|name| origin.name(name)).collect(),
        indices: indices(origin, kids.take(Rule::index_list))?,
        ty: type_expr(origin, kids.next()?)?,
        default: optional_expr(origin, kids.take(Rule::expr))?,
        unit: optional_text(origin, kids.take(Rule::text))?,
    })
}
