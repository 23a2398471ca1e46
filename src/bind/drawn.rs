//! What a draw into a new local gives, as far as reading entries needs it: the type of a name in `z = ant`.
//!
//! Types are worked out after binding; but entries are read by what binding knows. So this looks at how the domain is
//! written. Of numbers it need not know the range: what chance can give is asked in the position.

use super::binder::Binder;
use super::model::{Expr, ExprId, Function};
use super::types::{Type, TypeKind};
use super::value::Value;
use crate::ast::{Aggregate, BinaryOp, UnaryOp};
use crate::limits;

/// Any number.
const NUMBER: Type = Type::Int(-limits::NUMBER, limits::NUMBER);

/// Definitions that are looked into, one inside another.
const DEEPEST: usize = limits::CHAIN;

impl Binder<'_> {
    /// The type of the members of a domain.
    pub(super) fn drawn_type(&self, from: ExprId) -> Option<Type> {
        self.member_type(from, 0)
    }

    fn member_type(&self, id: ExprId, depth: usize) -> Option<Type> {
        if depth > DEEPEST {
            return None;
        }
        let inside = |ty: &Type| match ty.plain() {
            Type::Set(inner) | Type::List(_, inner) => Some(inner.as_ref().clone()),
            Type::Named(id) => match &self.bound.types.get(*id).kind {
                TypeKind::Edges(cells) => Some(Type::Named(*cells)),
                TypeKind::Regions(of) => Some(of.clone()),
                _ => None,
            },
            _ => None,
        };
        match &self.bound.expr(id).kind {
            Expr::Binary(BinaryOp::Range, low, high) => match (self.constant_of(*low), self.constant_of(*high)) {
                (Some(low), Some(high)) => Some(Type::Int(low, high)),
                _ => Some(NUMBER),
            },
            Expr::Members(ty) => Some(ty.clone()),
            Expr::State(state) => {
                let state = self.bound.state(*state);
                match (state.indices.as_slice(), &state.ty) {
                    ([index], Type::Int(..)) => Some(index.clone()),
                    ([], ty) => inside(ty),
                    _ => None,
                }
            }
            Expr::Index(base, _) => match &self.bound.expr(*base).kind {
                Expr::State(state) => {
                    let state = self.bound.state(*state);
                    inside(&state.ty).or_else(|| state.indices.last().filter(|_| is_number(&state.ty)).cloned())
                }
                Expr::Number(number) => inside(&self.bound.number(*number).ty),
                _ => None,
            },
            Expr::Number(number) => inside(&self.bound.number(*number).ty),
            Expr::Set(items) | Expr::List(items) => items.iter().find_map(|item| self.value_type(*item, depth + 1)),
            Expr::SetOf(bind) | Expr::ListOf(bind) => self.member_type(bind.domain, depth + 1),
            Expr::Binary(_, one, other) | Expr::If(_, one, other) => {
                self.member_type(*one, depth + 1).or_else(|| self.member_type(*other, depth + 1))
            }
            Expr::Function(Function::Neighbours | Function::Between | Function::Ray | Function::Edge, args) => {
                self.value_type(*args.first()?, depth + 1)
            }
            Expr::Function(Function::Rotate, args) => self.member_type(*args.first()?, depth + 1),
            Expr::Local(local) => inside(self.bound.local(*local).ty.as_ref()?),
            Expr::Def(def, _) => self.member_type(self.bound.defs.get(def.at())?.body, depth + 1),
            _ => None,
        }
    }

    /// The type of one value.
    fn value_type(&self, id: ExprId, depth: usize) -> Option<Type> {
        if depth > DEEPEST {
            return None;
        }
        match &self.bound.expr(id).kind {
            Expr::Int(_) | Expr::Players | Expr::Score(_) | Expr::Award(..) | Expr::Unary(UnaryOp::Negate, _) => {
                Some(NUMBER)
            }
            Expr::Aggregate(Aggregate::Sum | Aggregate::Count, ..) => Some(NUMBER),
            Expr::Bool(_) | Expr::Unary(UnaryOp::Not, _) => Some(Type::Bool),
            Expr::Me => Some(Type::Named(self.bound.players.ty)),
            Expr::Member(candidates) => candidates.first().map(|(ty, _)| Type::Named(*ty)),
            Expr::State(state) => Some(self.bound.state(*state).ty.plain().clone()),
            Expr::Number(number) => Some(self.bound.number(*number).ty.plain().clone()),
            Expr::Index(base, _) => self.value_type(*base, depth + 1),
            Expr::Local(local) => Some(self.bound.local(*local).ty.as_ref()?.plain().clone()),
            Expr::Binary(
                BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Multiply | BinaryOp::Divide | BinaryOp::Or,
                one,
                other,
            )
            | Expr::If(_, one, other) => {
                self.value_type(*one, depth + 1).or_else(|| self.value_type(*other, depth + 1))
            }
            Expr::Binary(..) => Some(Type::Bool),
            Expr::Function(Function::Step, args) => self.value_type(*args.first()?, depth + 1),
            Expr::Function(Function::Seat, _) => Some(Type::Named(self.bound.players.ty)),
            Expr::Make(ty, _) => Some(Type::Named(*ty)),
            Expr::Def(def, _) => self.value_type(self.bound.defs.get(def.at())?.body, depth + 1),
            _ => None,
        }
    }

    fn constant_of(&self, id: ExprId) -> Option<i64> {
        match &self.bound.expr(id).kind {
            Expr::Int(value) => Some(*value),
            Expr::Players => Some(i64::from(self.bound.players.count)),
            Expr::Number(number) => match self.bound.number(*number).values.as_slice() {
                [Value::Int(value)] => Some(*value),
                _ => None,
            },
            _ => None,
        }
    }
}

fn is_number(ty: &Type) -> bool {
    matches!(ty, Type::Int(..))
}
