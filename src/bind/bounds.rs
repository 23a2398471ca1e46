//! Constants in types: bounds of ranges, lengths of lists, sizes of boards.

use super::binder::Binder;
use super::value::divide_down;
use crate::ast::{BinaryOp, Expr, ExprKind, UnaryOp};
use crate::numbers::NodeKind;
use crate::report::{Fault, codes};

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

/// `limit.hands` as a path, if the expression is nothing but names and dots.
pub(super) fn dotted(expr: &Expr) -> Option<String> {
    match &expr.kind {
        ExprKind::Name(name) => Some(name.clone()),
        ExprKind::Field(base, member) => Some(format!("{}.{}", dotted(base)?, member.text)),
        _ => None,
    }
}
