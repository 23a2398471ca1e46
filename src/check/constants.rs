//! Constants: what is known before the game begins, and what follows from it.
//!
//! A folded value serves three ends: guards (`if two_players`) must have one, branches that it closes are
//! absent, and a requirement that has one is worth a warning.

use std::cell::Cell;
use std::collections::HashMap;

use crate::ast::{BinaryOp, UnaryOp};
use crate::bind::{Bound, Expr, ExprId, Function, LocalId, Type, TypeKind, Value, divide_down};
use crate::limits;

/// Folds expressions of a typed ruleset.
pub(super) struct Folder<'a> {
    pub(super) bound: &'a Bound,
    pub(super) types: &'a [Type],
    steps: Cell<u32>,
}

type Env = HashMap<LocalId, Value>;

impl<'a> Folder<'a> {
    pub(super) fn new(bound: &'a Bound, types: &'a [Type]) -> Self {
        Self { bound, types, steps: Cell::new(0) }
    }

    /// The value of an expression, if it is known before the game begins.
    pub(super) fn fold(&self, id: ExprId) -> Option<Value> {
        self.steps.set(limits::FOLDING_STEPS);
        self.value(id, &Env::new(), 0)
    }

    /// A condition that is known.
    pub(super) fn decided(&self, id: ExprId) -> Option<bool> {
        match self.fold(id) {
            Some(Value::Bool(value)) => Some(value),
            _ => None,
        }
    }

    /// A condition that is known, or follows from the ranges of what it compares.
    pub(super) fn follows(&self, id: ExprId) -> Option<bool> {
        if let Some(value) = self.decided(id) {
            return Some(value);
        }
        match &self.bound.expr(id).kind {
            Expr::Unary(UnaryOp::Not, inner) => self.follows(*inner).map(|value| !value),
            Expr::Binary(BinaryOp::And, left, right) => match (self.follows(*left), self.follows(*right)) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (Some(true), Some(true)) => Some(true),
                _ => None,
            },
            Expr::Binary(BinaryOp::Or, left, right) if self.types[left.at()] == Type::Bool => {
                match (self.follows(*left), self.follows(*right)) {
                    (Some(true), _) | (_, Some(true)) => Some(true),
                    (Some(false), Some(false)) => Some(false),
                    _ => None,
                }
            }
            Expr::Binary(op, left, right) => {
                let (a, b) = (self.interval(*left)?, self.interval(*right)?);
                compare(*op, a, b)
            }
            _ => None,
        }
    }

    fn interval(&self, id: ExprId) -> Option<(i64, i64)> {
        match (self.fold(id), &self.types[id.at()]) {
            (Some(Value::Int(value)), _) => Some((value, value)),
            (_, Type::Int(low, high)) => Some((*low, *high)),
            _ => None,
        }
    }

    /// Does a constant range or set hold this?
    fn holds(&self, id: ExprId, member: &Value, env: &Env, depth: usize) -> Option<bool> {
        match &self.bound.expr(id).kind {
            Expr::Binary(BinaryOp::Range, low, high) => {
                match (self.value(*low, env, depth)?, self.value(*high, env, depth)?, member) {
                    (Value::Int(low), Value::Int(high), Value::Int(member)) => Some((low..=high).contains(member)),
                    (Value::Int(_), Value::Int(_), _) => Some(false),
                    _ => None,
                }
            }
            Expr::Set(items) => {
                let items: Option<Vec<Value>> = items.iter().map(|item| self.value(*item, env, depth)).collect();
                Some(items?.contains(member))
            }
            _ => None,
        }
    }

    /// A plain column of a row.
    fn column(&self, row: &Value, name: &str) -> Option<Value> {
        let Value::Member(table, at) = row else { return None };
        if !matches!(self.bound.types.get(*table).kind, TypeKind::Members(_)) {
            return None;
        }
        let column = self.bound.columns.iter().find(|column| column.table == *table && column.name == name)?;
        if column.indices.is_empty() { known(column.values.get(*at as usize)?) } else { None }
    }

    fn value(&self, id: ExprId, env: &Env, depth: usize) -> Option<Value> {
        self.steps.set(self.steps.get().checked_sub(1)?);
        let fold = |id: ExprId| self.value(id, env, depth);
        let truth = |id: ExprId| match self.value(id, env, depth) {
            Some(Value::Bool(value)) => Some(value),
            _ => None,
        };
        Some(match &self.bound.expr(id).kind {
            Expr::Int(value) => Value::Int(*value),
            Expr::Bool(value) => Value::Bool(*value),
            Expr::None => Value::None,
            Expr::Players => Value::Int(i64::from(self.bound.players.count)),
            Expr::Local(local) => env.get(local)?.clone(),
            Expr::Member(candidates) => match candidates.as_slice() {
                [(ty, at)] => Value::Member(*ty, *at),
                _ => return None,
            },
            Expr::Number(number) => {
                let number = self.bound.number(*number);
                if !number.indices.is_empty() {
                    return None;
                }
                known(number.values.first()?)?
            }
            Expr::Index(base, args) => {
                let Expr::Number(number) = self.bound.expr(*base).kind else { return None };
                let number = self.bound.number(number);
                let mut at: usize = 0;
                for (ty, arg) in number.indices.iter().zip(args) {
                    let size = usize::try_from(self.bound.types.size(ty)).ok()?;
                    let index = position(ty, &fold(*arg)?)?;
                    if index >= size {
                        return Some(Value::None);
                    }
                    at = at.checked_mul(size)?.checked_add(index)?;
                }
                known(number.values.get(at)?)?
            }
            Expr::Def(def, args) if depth < limits::FOLDING_DEPTH => {
                let def = self.bound.def(*def);
                let mut inner = Env::new();
                for (param, arg) in def.params.iter().zip(args) {
                    if let Some(value) = fold(*arg) {
                        inner.insert(*param, value);
                    }
                }
                self.value(def.body, &inner, depth + 1)?
            }
            Expr::Unary(UnaryOp::Not, inner) => Value::Bool(!truth(*inner)?),
            Expr::Unary(UnaryOp::Negate, inner) => match fold(*inner)? {
                Value::Int(value) => Value::Int(value.checked_neg()?),
                _ => return None,
            },
            Expr::Binary(BinaryOp::And, left, right) => match (truth(*left), truth(*right)) {
                (Some(false), _) | (_, Some(false)) => Value::Bool(false),
                (Some(true), Some(true)) => Value::Bool(true),
                _ => return None,
            },
            Expr::Binary(BinaryOp::Or, left, right) if self.types[left.at()] == Type::Bool => {
                match (truth(*left), truth(*right)) {
                    (Some(true), _) | (_, Some(true)) => Value::Bool(true),
                    (Some(false), Some(false)) => Value::Bool(false),
                    _ => return None,
                }
            }
            Expr::Binary(BinaryOp::Or, left, right) => match fold(*left)? {
                Value::None => fold(*right)?,
                value => value,
            },
            Expr::Binary(op @ (BinaryOp::In | BinaryOp::NotIn), left, right) => {
                let held = self.holds(*right, &fold(*left)?, env, depth)?;
                Value::Bool(held == (*op == BinaryOp::In))
            }
            Expr::Function(function @ (Function::Least | Function::Most), args) => match args.as_slice() {
                [a, b] => {
                    let (a, b) = (fold(*a)?, fold(*b)?);
                    if *function == Function::Least { a.min(b) } else { a.max(b) }
                }
                _ => return None,
            },
            Expr::Field(base, member) => self.column(&fold(*base)?, &member.text)?,
            Expr::Binary(op, left, right) => binary(*op, fold(*left)?, fold(*right)?)?,
            Expr::If(condition, then, otherwise) => {
                if truth(*condition)? {
                    fold(*then)?
                } else {
                    fold(*otherwise)?
                }
            }
            _ => return None,
        })
    }
}

fn known(value: &Value) -> Option<Value> {
    (*value != Value::Unknown).then(|| value.clone())
}

fn position(ty: &Type, value: &Value) -> Option<usize> {
    match (ty, value) {
        (Type::Int(low, _), Value::Int(value)) => usize::try_from(value.checked_sub(*low)?).ok(),
        (Type::Named(_), Value::Member(_, at)) => usize::try_from(*at).ok(),
        (Type::Bool, Value::Bool(value)) => Some(usize::from(*value)),
        _ => None,
    }
}

fn binary(op: BinaryOp, left: Value, right: Value) -> Option<Value> {
    if let BinaryOp::Is | BinaryOp::IsNot = op {
        return Some(Value::Bool((left == right) == (op == BinaryOp::Is)));
    }
    let (a, b) = match (left, right) {
        (Value::Int(a), Value::Int(b)) => (a, b),
        (Value::Member(ty, a), Value::Member(other, b)) if ty == other => {
            let order = matches!(op, BinaryOp::Less | BinaryOp::AtMost | BinaryOp::More | BinaryOp::AtLeast);
            return if order { compare(op, (a.into(), a.into()), (b.into(), b.into())).map(Value::Bool) } else { None };
        }
        _ => return None,
    };
    Some(match op {
        BinaryOp::Add => Value::Int(a.checked_add(b)?),
        BinaryOp::Subtract => Value::Int(a.checked_sub(b)?),
        BinaryOp::Multiply => Value::Int(a.checked_mul(b)?),
        BinaryOp::Divide => Value::Int(divide_down(a, b)?),
        _ => Value::Bool(compare(op, (a, a), (b, b))?),
    })
}

/// A comparison of two intervals, if it comes out the same for all their numbers.
fn compare(op: BinaryOp, (a, b): (i64, i64), (c, d): (i64, i64)) -> Option<bool> {
    let decided = |always: bool, never: bool| {
        if always {
            Some(true)
        } else if never {
            Some(false)
        } else {
            None
        }
    };
    match op {
        BinaryOp::Less => decided(b < c, a >= d),
        BinaryOp::AtMost => decided(b <= c, a > d),
        BinaryOp::More => decided(a > d, b <= c),
        BinaryOp::AtLeast => decided(a >= d, b < c),
        BinaryOp::Is => decided(a == b && c == d && a == c, b < c || d < a),
        BinaryOp::IsNot => compare(BinaryOp::Is, (a, b), (c, d)).map(|same| !same),
        _ => None,
    }
}
