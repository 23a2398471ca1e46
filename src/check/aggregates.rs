//! Domains, and what aggregates make of them.

use crate::ast::{Aggregate, BinaryOp};
use crate::bind::{Bind, Expr, ExprId, Type, TypeKind};
use crate::limits;
use crate::report::{Fault, Span, codes};

use super::checker::Checker;
use super::expressions::{LARGEST, spread};

impl Checker {
    /// What a domain holds: the type of a variable that runs over it.
    pub(super) fn domain(&mut self, id: ExprId) -> Type {
        self.domain_of(id, None)
    }

    /// The same, where the type of its members is expected.
    pub(super) fn domain_of(&mut self, id: ExprId, wanted: Option<&Type>) -> Type {
        if let Expr::Binary(BinaryOp::Range, low, high) = self.kind(id) {
            let wanted = Type::Int(-LARGEST, LARGEST);
            let low = self.expect(low, &wanted, "the beginning of a range");
            let high = self.expect(high, &wanted, "the end of a range");
            let inner = match (low.plain(), high.plain()) {
                (Type::Int(low, _), Type::Int(_, high)) => Type::Int(*low.min(high), *high.max(low)),
                _ => Type::Unknown,
            };
            self.types[id.at()] = Type::Set(Box::new(inner.clone()));
            return inner;
        }
        let hint = wanted.map(|wanted| Type::Set(Box::new(wanted.clone())));
        let ty = self.infer(id, hint.as_ref());
        match ty.plain() {
            Type::Set(inner) | Type::List(_, inner) => inner.as_ref().clone(),
            Type::Named(named) => match &self.bound.types.get(*named).kind {
                TypeKind::Edges(cells) => Type::Named(*cells),
                TypeKind::Regions(of) => of.clone(),
                _ => self.not_a_domain(&ty, id),
            },
            Type::Unknown | Type::Nothing => Type::Unknown,
            _ => self.not_a_domain(&ty, id),
        }
    }

    fn not_a_domain(&mut self, ty: &Type, id: ExprId) -> Type {
        let shown = self.show(ty);
        self.fault(
            Fault::new(&codes::NOT_ENUMERABLE, self.span(id), format!("a value of {shown} has no members"))
                .label(format!("of type {shown}"))
                .help("use a type, a set, a list, a range, an edge or a region"),
        );
        Type::Unknown
    }

    /// A variable with its domain and condition.
    pub(super) fn bind(&mut self, bind: &Bind) {
        let inner = if bind.clockwise {
            let seat = self.player();
            self.expect(bind.domain, &seat, "where the round begins");
            seat
        } else {
            self.domain(bind.domain)
        };
        self.set_local(bind.local, inner);
        if let Some(condition) = bind.condition {
            self.condition(condition);
        }
    }

    pub(super) fn aggregate(&mut self, which: Aggregate, binds: &[Bind], body: Option<ExprId>, span: Span) -> Type {
        let mut most: i64 = 1;
        for bind in binds {
            self.bind(bind);
            // A list may hold a member several times.
            let size = match self.types[bind.domain.at()].plain() {
                Type::List(length, _) if !bind.clockwise => u64::from(*length),
                _ => self.bound.types.size(self.local_type(bind.local)),
            };
            // No engine has the steps to go through more.
            most = most.saturating_mul(i64::try_from(size).unwrap_or(limits::NUMBER)).min(limits::NUMBER);
        }
        match (which, body) {
            (Aggregate::First, _) => {
                binds.first().map_or(Type::Unknown, |bind| self.local_type(bind.local).clone().optional())
            }
            (_, None) => Type::Unknown,
            (Aggregate::Any | Aggregate::All | Aggregate::No | Aggregate::Pairing, Some(body)) => {
                self.condition(body);
                Type::Bool
            }
            (Aggregate::Count, Some(body)) => {
                self.condition(body);
                Type::Int(0, most)
            }
            (Aggregate::Sum, Some(body)) => self.sum(body, most, span),
            (Aggregate::Min | Aggregate::Max, Some(body)) => {
                let ty = self.infer(body, None);
                if !matches!(ty.plain(), Type::Int(..) | Type::Named(_) | Type::Unknown) {
                    let shown = self.show(&ty);
                    self.fault(
                        Fault::new(&codes::TYPE_MISMATCH, span, format!("values of {shown} have no order"))
                            .label(format!("of type {shown}"))
                            .help("compare numbers or members of an enumeration"),
                    );
                }
                spread(ty, true)
            }
        }
    }

    /// What is `none` adds nothing.
    fn sum(&mut self, body: ExprId, most: i64, span: Span) -> Type {
        let ty = self.expect(body, &Type::Int(-LARGEST, LARGEST).optional(), "what is summed up");
        match ty.plain() {
            Type::Int(low, high) => {
                let scale = |bound: i64| i128::from(bound) * i128::from(most);
                let (low, high) = (scale(*low).min(0), scale(*high).max(0));
                self.number(low, high, span)
            }
            _ => Type::Unknown,
        }
    }
}
