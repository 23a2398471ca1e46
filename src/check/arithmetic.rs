//! `+ - * /` on numbers, sets and cyclic types.

use crate::ast::BinaryOp;
use crate::bind::{ExprId, Type, TypeId};
use crate::internal::Must;
use crate::limits;
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
            (&Type::Int(a, b), &Type::Int(c, d)) => {
                let (low, high, may_miss) = interval(op, (a, b), (c, d));
                self.number(low, high, span).optional_if(spreads || may_miss)
            }
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

    /// Numbers from one to another, if no engine has to fear that they are too large.
    pub(super) fn number(&mut self, low: i128, high: i128, span: Span) -> Type {
        match (i64::try_from(low), i64::try_from(high)) {
            (Ok(low), Ok(high)) if low >= -LARGEST && high <= LARGEST => Type::Int(low, high),
            _ => {
                let most = limits::shown(LARGEST.unsigned_abs());
                let far = if high > -low { high } else { low };
                self.fault(
                    Fault::new(&codes::TOO_LARGE_A_NUMBER, span, format!("this may come to {far}"))
                        .label(format!("a number is at most {most}, either side of zero"))
                        .help("give what it is made of smaller ranges, or limit a part of it with `min(…, …)`"),
                );
                Type::Unknown
            }
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

/// Interval arithmetic: the least and the greatest that it can come to, and whether it may come to nothing, as division
/// by 0 does.
fn interval(op: BinaryOp, (a, b): (i64, i64), (c, d): (i64, i64)) -> (i128, i128, bool) {
    let [a, b, c, d] = [a, b, c, d].map(i128::from);
    let hull = |values: &[i128]| {
        let low = values.iter().copied().min().must("a range has two ends");
        let high = values.iter().copied().max().must("a range has two ends");
        (low, high, false)
    };
    match op {
        BinaryOp::Add => hull(&[a + c, b + d]),
        BinaryOp::Subtract => hull(&[a - d, b - c]),
        BinaryOp::Multiply => hull(&[a * c, a * d, b * c, b * d]),
        _ => {
            let divisors: Vec<i128> = [c, d, -1, 1].into_iter().filter(|&n| n != 0 && (c..=d).contains(&n)).collect();
            let quotients: Vec<i128> = divisors.iter().flat_map(|&n| [down(a, n), down(b, n)]).collect();
            if quotients.is_empty() {
                // By 0 only: it always comes to nothing, of whatever range.
                return (0, 0, true);
            }
            let (low, high, _) = hull(&quotients);
            (low, high, (c..=d).contains(&0))
        }
    }
}
