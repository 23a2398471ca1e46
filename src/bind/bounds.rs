//! Constants in types: bounds of ranges, lengths of lists, sizes of boards.

use super::binder::Binder;
use super::value::divide_down;
use crate::ast::{BinaryOp, Expr, ExprKind, TypeExpr, TypeKind, UnaryOp};
use crate::numbers::NodeKind;
use crate::report::{Fault, Span, codes};

impl Binder<'_> {
    /// The value of a constant; `None` after a fault.
    pub(super) fn constant(&mut self, expr: &Expr) -> Option<i64> {
        match &expr.kind {
            ExprKind::Int(value) => Some(*value),
            ExprKind::Name(name) if name == "players" => Some(i64::from(self.bound.players.count)),
            ExprKind::Name(_) | ExprKind::Field(..) => self.constant_number(expr),
            ExprKind::Unary(UnaryOp::Negate, inner) => self.constant(inner)?.checked_neg(),
            ExprKind::Binary(op, left, right) => {
                let (left, right) = (self.constant(left)?, self.constant(right)?);
                let value = match op {
                    BinaryOp::Add => left.checked_add(right),
                    BinaryOp::Subtract => left.checked_sub(right),
                    BinaryOp::Multiply => left.checked_mul(right),
                    BinaryOp::Divide => divide_down(left, right),
                    _ => None,
                };
                value.or_else(|| self.not_constant(expr))
            }
            _ => self.not_constant(expr),
        }
    }

    /// Numbers that a range names, with their values: `0..limit.hands` is narrow because `limit.hands` is small.
    pub(super) fn names_in_range(&self, ty: &TypeExpr) -> Vec<(Span, String)> {
        let TypeKind::Range(low, high) = &ty.kind else { return Vec::new() };
        let mut paths = Vec::new();
        paths_in(low, &mut paths);
        paths_in(high, &mut paths);
        let value = |path: String| match self.choice.numbers.get(&path) {
            Some(node) if self.number_lines.contains_key(path.as_str()) => {
                Some((node.span, format!("`{path}` is {}", node.kind.describe().trim_matches('`'))))
            }
            _ => None,
        };
        paths.into_iter().filter_map(value).collect()
    }

    fn not_constant(&mut self, expr: &Expr) -> Option<i64> {
        self.fault(
            Fault::new(&codes::NOT_CONSTANT, expr.span, "a type needs a constant here")
                .label("not known before the game begins")
                .help("use integers, numbers from the TOML, `players`, and `+ - * /`"),
        );
        None
    }

    fn constant_number(&mut self, expr: &Expr) -> Option<i64> {
        let Some(path) = dotted(expr) else { return self.not_constant(expr) };
        if !self.number_lines.contains_key(path.as_str()) {
            let known: Vec<String> = self.number_lines.keys().map(|&path| path.to_owned()).collect();
            let mut known = known;
            known.sort();
            let message = format!("unknown number `{path}`");
            self.misspelt(&codes::UNKNOWN_NAME, &path, expr.span, message, &known, "declare it in `numbers { … }`");
            return None;
        }
        match self.choice.numbers.get(&path).map(|node| &node.kind) {
            Some(NodeKind::Int(value)) => {
                self.numbers_used_in_types.push((path, expr.span));
                Some(*value)
            }
            // Missing or mistyped: reported when the number itself is bound.
            _ => None,
        }
    }
}

/// The paths of numbers in a bound.
fn paths_in(bound: &Expr, paths: &mut Vec<String>) {
    match &bound.kind {
        ExprKind::Unary(_, inner) => paths_in(inner, paths),
        ExprKind::Binary(_, left, right) => {
            paths_in(left, paths);
            paths_in(right, paths);
        }
        _ => paths.extend(dotted(bound).filter(|path| !paths.contains(path))),
    }
}

/// `limit.hands` as a path, if the expression is nothing but names and dots.
pub(super) fn dotted(expr: &Expr) -> Option<String> {
    match &expr.kind {
        ExprKind::Name(name) => Some(name.clone()),
        ExprKind::Field(base, member) => Some(format!("{}.{}", dotted(base)?, member.text)),
        _ => None,
    }
}
