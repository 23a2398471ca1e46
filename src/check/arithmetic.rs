//! `+ - * /` on numbers, sets and cyclic types.

use crate::ast::BinaryOp;
use crate::bind::{ExprId, Type, TypeId};
use crate::report::{Fault, Span, codes};

use super::checker::Checker;
use super::expressions::{LARGEST, element};
use super::fit::{Fit, fit, join};

impl Checker {
    pub(super) fn arithmetic(&mut self, op: BinaryOp, left: ExprId, right: ExprId, span: Span) -> Type {
        let (a, b) = self.pair(left, right, None);
        let spreads = a.is_optional() || b.is_optional();
        let additive = matches!(op, BinaryOp::Add | BinaryOp::Subtract);
        match (a.plain(), b.plain()) {
            (Type::Unknown, _) | (_, Type::Unknown) => Type::Unknown,
            (Type::Int(..), Type::Int(..)) => interval(op, a.plain(), b.plain()).optional_if(spreads),
            (Type::Named(id), Type::Int(..)) if additive && self.turns(*id) => a.plain().clone().optional_if(spreads),
            (Type::Named(id), Type::Named(other)) if op == BinaryOp::Subtract && id == other && self.turns(*id) => {
                let count = i64::try_from(self.bound.types.count(*id)).unwrap_or(LARGEST);
                Type::Int(0, (count - 1).max(0)).optional_if(spreads)
            }
            (Type::Set(inner), other) if additive => {
                let member = element(other).unwrap_or(other).clone();
                match join(inner, &member) {
                    Some(joined) => Type::Set(Box::new(joined)).optional_if(spreads),
                    None => self.not_arithmetic(op, &a, &b, span),
                }
            }
            _ => self.not_arithmetic(op, &a, &b, span),
        }
    }

    /// Does `+ n` turn it round?
    pub(super) fn turns(&self, id: TypeId) -> bool {
        self.bound.types.get(id).cyclic
    }

    fn not_arithmetic(&mut self, op: BinaryOp, a: &Type, b: &Type, span: Span) -> Type {
        let (a, b) = (self.show(a), self.show(b));
        self.fault(
            Fault::new(&codes::TYPE_MISMATCH, span, format!("`{}` does not work on {a} and {b}", op.symbol()))
                .label(format!("{a} {} {b}", op.symbol()))
                .help("numbers can be added, sets joined, and seats, sides and rings turned by a number"),
        );
        Type::Unknown
    }

    /// The right side of `in`: the type of what it holds.
    pub(super) fn membership(&mut self, left: ExprId, right: ExprId, span: Span) {
        let inner = self.domain(right);
        let found = self.infer(left, Some(&inner));
        if fit(&found, &inner) == Fit::Never && fit(&inner, &found) == Fit::Never {
            self.mismatch(span, &found, &inner, "the member and what it is looked for in");
        }
    }
}

fn down(a: i128, n: i128) -> i128 {
    let quotient = a / n;
    if a % n != 0 && (a < 0) != (n < 0) { quotient - 1 } else { quotient }
}

/// Interval arithmetic; division by what may be 0 may give nothing.
pub(super) fn interval(op: BinaryOp, a: &Type, b: &Type) -> Type {
    let (&Type::Int(a, b), &Type::Int(c, d)) = (a, b) else { return Type::Unknown };
    let clamp = |value: i128| i64::try_from(value.clamp(i128::from(-LARGEST), i128::from(LARGEST))).unwrap_or(LARGEST);
    let [a, b, c, d] = [a, b, c, d].map(i128::from);
    let hull = |values: &[i128]| {
        let low = values.iter().copied().min().unwrap_or(0);
        let high = values.iter().copied().max().unwrap_or(0);
        Type::Int(clamp(low), clamp(high))
    };
    match op {
        BinaryOp::Add => hull(&[a + c, b + d]),
        BinaryOp::Subtract => hull(&[a - d, b - c]),
        BinaryOp::Multiply => hull(&[a * c, a * d, b * c, b * d]),
        _ => {
            let divisors: Vec<i128> = [c, d, -1, 1].into_iter().filter(|&n| n != 0 && (c..=d).contains(&n)).collect();
            let quotients: Vec<i128> = divisors.iter().flat_map(|&n| [down(a, n), down(b, n)]).collect();
            hull(&quotients).optional_if((c..=d).contains(&0))
        }
    }
}
