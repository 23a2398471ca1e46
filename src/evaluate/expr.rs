//! Expressions. `none` spreads through reads; a question about nothing is answered no.

use super::action::Place;
use super::frame::Frame;
use super::game::Game;
use super::state::{next_offset, offset};
use super::trace::Touch;
use super::{Try, trouble};
use crate::ast::{BinaryOp, UnaryOp};
use crate::bind::{Expr, ExprId, LocalId, StateId, Type, TypeId, TypeKind, Value, divide_down};
use crate::impossible;
use crate::internal::{Must, exact};
use crate::report::Span;

impl Game<'_> {
    /// The value of an expression.
    pub fn eval(&self, id: ExprId, frame: &mut Frame<'_>) -> Try<Value> {
        let _question = self.fuel.question();
        let span = self.bound().expr(id).span;
        self.spend(1, span)?;
        self.touch(Touch::Expr(id));
        let value = self.raw(id, frame)?;
        match &value {
            Value::None if self.checked.types.get(id.at()) == Some(&Type::Bool) => return Ok(Value::Bool(false)),
            Value::Set(members) | Value::List(members) => self.spend_on(members.len(), span)?,
            _ => {}
        }
        Ok(value)
    }

    /// A condition.
    pub fn holds(&self, id: ExprId, frame: &mut Frame<'_>) -> Try<bool> {
        self.eval(id, frame).map(|value| matches!(value, Value::Bool(true)))
    }

    fn raw(&self, id: ExprId, frame: &mut Frame<'_>) -> Try<Value> {
        let node = self.bound().expr(id);
        let span = node.span;
        match &node.kind {
            Expr::Int(value) => Ok(Value::Int(*value)),
            Expr::Bool(value) => Ok(Value::Bool(*value)),
            Expr::None => Ok(Value::None),
            Expr::Me => match frame.me {
                Some(seat) => Ok(self.seat(seat)),
                None => trouble(span, "nobody is at turn"),
            },
            Expr::Players => Ok(Value::Int(i64::from(self.bound().players.count))),
            Expr::Local(local) => Ok(frame.locals.get(*local).cloned().must("a local has its value before it is read")),
            Expr::Member(candidates) => Ok(match candidates.first() {
                Some(&(ty, at)) => Value::Member(ty, at),
                None => impossible!("a member of no type"),
            }),
            Expr::Number(number) => {
                self.touch(Touch::Number(number.at(), 0));
                Ok(self.bound().number(*number).values.first().cloned().must("a number has a value"))
            }
            Expr::State(state) => {
                self.note_read((*state, 0));
                Ok(frame.state.read(*state, 0))
            }
            Expr::Def(def, args) => {
                let def = self.bound().def(*def);
                match self.bind_params(&def.params, args, frame)? {
                    Some(mut inner) => self.eval(def.body, &mut inner),
                    None => Ok(Value::None),
                }
            }
            Expr::Award(award, args) => self.award(*award, args, frame),
            Expr::Score(seat) => match self.eval(*seat, frame)? {
                Value::Member(_, seat) => self.score(seat, frame.state),
                Value::None => Ok(Value::None),
                other => impossible!("the score of {other:?}"),
            },
            Expr::Function(function, args) => self.function(*function, args, frame, span),
            Expr::Members(ty) => Ok(Value::Set(self.members(ty, frame, span)?)),
            Expr::Make(ty, args) => self.make(*ty, args, frame),
            Expr::Field(base, member) => {
                let base = self.eval(*base, frame)?;
                Ok(self.field(&base, &member.text, &[]))
            }
            Expr::Index(base, args) => self.index(*base, args, frame),
            Expr::Unary(UnaryOp::Not, inner) => Ok(Value::Bool(!self.holds(*inner, frame)?)),
            Expr::Unary(UnaryOp::Negate, inner) => Ok(match self.eval(*inner, frame)? {
                Value::Int(value) => Value::Int(-value),
                Value::None => Value::None,
                other => impossible!("{other:?} is negated"),
            }),
            Expr::Binary(op, left, right) => self.binary(*op, *left, *right, frame, span),
            Expr::If(condition, then, otherwise) => {
                let branch = if self.holds(*condition, frame)? { then } else { otherwise };
                self.eval(*branch, frame)
            }
            Expr::Aggregate(which, binds, body, by) => self.aggregate(*which, binds, *body, by, frame),
            Expr::Set(items) => Ok(set_of(self.all(items, frame)?)),
            Expr::List(items) => Ok(Value::List(self.all(items, frame)?)),
            Expr::SetOf(bind) => Ok(set_of(self.values(bind, frame)?)),
            Expr::ListOf(bind) => Ok(Value::List(self.values(bind, frame)?)),
            Expr::Outcome(outcome) => Ok(frame.outcome(*outcome)),
            Expr::Fault => trouble(span, "this could not be understood"),
        }
    }

    /// The values of several expressions.
    pub fn all(&self, ids: &[ExprId], frame: &mut Frame<'_>) -> Try<Vec<Value>> {
        ids.iter().map(|id| self.eval(*id, frame)).collect()
    }

    /// A frame with parameters; nothing if one that must be there is not.
    pub fn bind_params<'s>(
        &self,
        params: &[LocalId],
        args: &[ExprId],
        frame: &mut Frame<'s>,
    ) -> Try<Option<Frame<'s>>> {
        let mut inner = frame.fresh();
        for (param, arg) in params.iter().zip(args) {
            let value = self.eval(*arg, frame)?;
            let ty = &self.checked.locals[param.at()];
            if !ty.is_optional() && !self.belongs(&value, ty) {
                return Ok(None);
            }
            inner.locals.insert(*param, value);
        }
        Ok(Some(inner))
    }

    /// Is it a value of this type?
    pub(super) fn belongs(&self, value: &Value, ty: &Type) -> bool {
        match (value, ty) {
            (_, Type::Unknown | Type::Nothing) | (Value::None, Type::Optional(_)) | (Value::Bool(_), Type::Bool) => {
                true
            }
            (value, Type::Optional(inner)) => self.belongs(value, inner),
            (Value::Int(value), Type::Int(low, high)) => (low..=high).contains(&value),
            (Value::Member(id, at), Type::Named(ty)) => id == ty && u64::from(*at) < self.bound().types.count(*id),
            (Value::Record(id, _), Type::Named(ty)) => id == ty,
            (Value::Set(members), Type::Set(inner)) => members.iter().all(|member| self.belongs(member, inner)),
            (Value::List(members), Type::List(most, inner)) => {
                members.len() <= *most as usize && members.iter().all(|member| self.belongs(member, inner))
            }
            _ => false,
        }
    }

    fn make(&self, ty: TypeId, args: &[ExprId], frame: &mut Frame<'_>) -> Try<Value> {
        let values = self.all(args, frame)?;
        Ok(match &self.bound().types.get(ty).kind {
            TypeKind::Record(fields) => {
                let fits = fields.iter().zip(&values).all(|((_, ty), value)| self.belongs(value, ty));
                if fits { Value::Record(ty, values) } else { Value::None }
            }
            TypeKind::Regions(_) => match values.as_slice() {
                [Value::Member(_, at)] => match self.region_of(ty, *at, frame)?.first() {
                    Some(Value::Member(_, first)) => Value::Member(ty, *first),
                    None => Value::None,
                    Some(other) => impossible!("{other:?} is in a region"),
                },
                [Value::None] => Value::None,
                other => impossible!("a region of {other:?}"),
            },
            TypeKind::Cells(board) => match values.as_slice() {
                [Value::Int(column), Value::Int(row)] => {
                    let (width, height) = (board.width(), board.height());
                    let within = |at: i64, most: usize| usize::try_from(at - 1).ok().filter(|&at| at < most);
                    match (within(*column, width), within(*row, height)) {
                        (Some(column), Some(row)) => Value::Member(ty, exact(row * width + column)),
                        _ => Value::None,
                    }
                }
                values if values.contains(&Value::None) => Value::None,
                other => impossible!("a cell of {other:?}"),
            },
            other => impossible!("a value is made of {other:?}"),
        })
    }

    fn index(&self, base: ExprId, args: &[ExprId], frame: &mut Frame<'_>) -> Try<Value> {
        Ok(match &self.bound().expr(base).kind {
            Expr::State(state) if !self.bound().state(*state).indices.is_empty() => {
                let at = self.offset(&self.bound().state(*state).indices, args, frame)?;
                at.iter().for_each(|at| self.note_read((*state, *at)));
                at.map_or(Value::None, |at| frame.state.read(*state, at))
            }
            Expr::Number(number) => {
                let declared = self.bound().number(*number);
                let at = self.offset(&declared.indices, args, frame)?;
                at.iter().for_each(|at| self.touch(Touch::Number(number.at(), *at)));
                let value = |at| declared.values.get(at).cloned().must("a number has a value for each index");
                at.map_or(Value::None, value)
            }
            Expr::Field(owner, member) => {
                let values = self.all(args, frame)?;
                let owner = self.eval(*owner, frame)?;
                self.field(&owner, &member.text, &values)
            }
            _ => match (self.eval(base, frame)?, self.all(args, frame)?.as_slice()) {
                (Value::List(items), [Value::Int(at)]) => {
                    usize::try_from(at - 1).ok().and_then(|at| items.get(at)).cloned().unwrap_or(Value::None)
                }
                (Value::None, _) | (_, [Value::None]) => Value::None,
                (base, args) => impossible!("{base:?} is indexed by {args:?}"),
            },
        })
    }

    /// The place of an element: all indices together. Nothing if one of them lies outside.
    fn offset(&self, indices: &[Type], args: &[ExprId], frame: &mut Frame<'_>) -> Try<Option<usize>> {
        let types = &self.bound().types;
        let mut offset = Some(0);
        for (ty, arg) in indices.iter().zip(args) {
            let value = self.eval(*arg, frame)?;
            offset = offset.and_then(|at| next_offset(types, at, ty, &value));
        }
        Ok(offset)
    }

    /// The state and element that a place names.
    pub fn place(&self, place: ExprId, frame: &mut Frame<'_>) -> Try<Place> {
        let node = self.bound().expr(place);
        let (state, args): (StateId, &[ExprId]) = match &node.kind {
            Expr::State(state) => (*state, &[]),
            Expr::Index(base, args) => match &self.bound().expr(*base).kind {
                Expr::State(state) => (*state, args),
                _ => return trouble(node.span, "this cannot be written"),
            },
            _ => return trouble(node.span, "this cannot be written"),
        };
        match self.offset(&self.bound().state(state).indices, args, frame)? {
            Some(at) => Ok((state, at)),
            None => {
                let types = &self.bound().types;
                let shown: Vec<String> = self.all(args, frame)?.iter().map(|value| value.show(types)).collect();
                trouble(node.span, format!("there is no `{}` at {}", self.bound().state(state).name, shown.join(", ")))
            }
        }
    }

    /// A field of a record, edge or border, or a column of a row or of a region's first member.
    fn field(&self, base: &Value, member: &str, indices: &[Value]) -> Value {
        let types = &self.bound().types;
        let (id, at) = match base {
            Value::Record(id, fields) => {
                let TypeKind::Record(names) = &types.get(*id).kind else {
                    impossible!("a record of a type that is none");
                };
                let at = names.iter().position(|(name, _)| name == member);
                return at.and_then(|at| fields.get(at)).cloned().must("a record has the field that is asked for");
            }
            Value::Member(id, at) => (*id, *at),
            Value::None => return Value::None,
            other => impossible!("`{member}` of {other:?}"),
        };
        match &types.get(id).kind {
            TypeKind::Edges(cells) => {
                let edge = types.board_of(id).and_then(|(_, board)| board.edges().get(at as usize).copied());
                let (a, b) = edge.must("an edge is one of its board");
                Value::Member(*cells, exact(if member == "a" { a } else { b }))
            }
            TypeKind::Borders(_) => self.border_field(id, at, member),
            TypeKind::Regions(Type::Named(of)) => self.field(&Value::Member(*of, at), member, indices),
            _ => {
                let nth = self.bound().columns.iter().position(|column| column.table == id && column.name == member);
                let nth = nth.must("a table has the column that is asked for");
                let column = &self.bound().columns[nth];
                let each: u64 = column.indices.iter().map(|ty| types.size(ty)).product();
                let Some(inner) = offset(types, &column.indices, indices) else { return Value::None };
                let place = at as usize * exact::<_, usize>(each) + inner;
                self.touch(Touch::Column(nth, place));
                column.values.get(place).cloned().must("a column has a value in each row")
            }
        }
    }

    fn binary(&self, op: BinaryOp, left: ExprId, right: ExprId, frame: &mut Frame<'_>, span: Span) -> Try<Value> {
        match op {
            BinaryOp::And => return Ok(Value::Bool(self.holds(left, frame)? && self.holds(right, frame)?)),
            BinaryOp::Or => {
                let first = self.eval(left, frame)?;
                let is_bool = self.checked.types.get(left.at()) == Some(&Type::Bool);
                let enough = if is_bool { first == Value::Bool(true) } else { first != Value::None };
                return if enough { Ok(first) } else { self.eval(right, frame) };
            }
            BinaryOp::In | BinaryOp::NotIn => {
                let member = self.eval(left, frame)?;
                let found = member != Value::None && self.is_within(&member, right, frame)?;
                return Ok(Value::Bool(found == (op == BinaryOp::In)));
            }
            _ => {}
        }
        let (a, b) = (self.eval(left, frame)?, self.eval(right, frame)?);
        Ok(match op {
            BinaryOp::Is => Value::Bool(a == b),
            BinaryOp::IsNot => Value::Bool(a != b),
            BinaryOp::Less | BinaryOp::AtMost | BinaryOp::More | BinaryOp::AtLeast => {
                let order = match (&a, &b) {
                    (Value::Int(a), Value::Int(b)) => Some(a.cmp(b)),
                    (Value::Member(_, a), Value::Member(_, b)) => Some(a.cmp(b)),
                    (Value::None, _) | (_, Value::None) => None,
                    (a, b) => impossible!("{a:?} is compared with {b:?}"),
                };
                Value::Bool(order.is_some_and(|order| match op {
                    BinaryOp::Less => order.is_lt(),
                    BinaryOp::AtMost => order.is_le(),
                    BinaryOp::More => order.is_gt(),
                    _ => order.is_ge(),
                }))
            }
            _ => self.arithmetic(op, a, b, span)?,
        })
    }

    pub(super) fn arithmetic(&self, op: BinaryOp, a: Value, b: Value, span: Span) -> Try<Value> {
        let overflow = || super::Trouble { message: "this number is too large".to_owned(), span };
        Ok(match (a, b) {
            (Value::Int(a), Value::Int(b)) => match op {
                BinaryOp::Add => Value::Int(a.checked_add(b).ok_or_else(overflow)?),
                BinaryOp::Subtract => Value::Int(a.checked_sub(b).ok_or_else(overflow)?),
                BinaryOp::Multiply => Value::Int(a.checked_mul(b).ok_or_else(overflow)?),
                _ => divide_down(a, b).map_or(Value::None, Value::Int),
            },
            (Value::Member(id, at), Value::Int(by)) => {
                let count: i64 = exact(self.bound().types.count(id));
                let by = if op == BinaryOp::Subtract { -by } else { by };
                Value::Member(id, exact((i64::from(at) + by).rem_euclid(count)))
            }
            (Value::Member(id, to), Value::Member(_, from)) => {
                let count: i64 = exact(self.bound().types.count(id));
                Value::Int((i64::from(to) - i64::from(from)).rem_euclid(count))
            }
            (Value::Set(members), other) => {
                let others = match other {
                    Value::Set(others) | Value::List(others) => others,
                    Value::None => return Ok(Value::None),
                    one => vec![one],
                };
                self.spend_on(members.len().saturating_mul(others.len()), span)?;
                if op == BinaryOp::Add {
                    set_of([members, others].concat())
                } else {
                    Value::Set(members.into_iter().filter(|member| !others.contains(member)).collect())
                }
            }
            (Value::None, _) | (_, Value::None) => Value::None,
            (a, b) => impossible!("{op:?} of {a:?} and {b:?}"),
        })
    }
}

/// A set in canonical order.
pub(super) fn set_of(mut members: Vec<Value>) -> Value {
    members.retain(|member| *member != Value::None);
    members.sort();
    members.dedup();
    Value::Set(members)
}
