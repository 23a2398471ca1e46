//! Members of types and domains, in their order.

use super::frame::Frame;
use super::game::Game;
use super::trace::Touch;
use super::{Try, trouble};
use crate::ast::BinaryOp;
use crate::bind::{Bind, Expr, ExprId, Type, TypeKind, Value};
use crate::impossible;
use crate::internal::{Must, exact};
use crate::report::Span;

/// Looks at a frame in which variables have their values; says whether it wants to see more.
type Visit<'v, 's> = &'v mut dyn FnMut(&mut Frame<'s>) -> Try<bool>;

/// Steps that it costs to remember a combination.
const A_ROW: u64 = 4;

impl Game<'_> {
    /// All values of a finite type that can be listed.
    pub(super) fn members(&self, ty: &Type, frame: &Frame<'_>, span: Span) -> Try<Vec<Value>> {
        if !matches!(ty.plain(), Type::Set(_) | Type::List(..)) {
            self.spend(self.bound().types.size(ty.plain()), span)?;
        }
        Ok(match ty {
            Type::Bool => vec![Value::Bool(false), Value::Bool(true)],
            Type::Int(low, high) => (*low..=*high).map(Value::Int).collect(),
            Type::Optional(inner) => {
                let mut all = self.members(inner, frame, span)?;
                all.push(Value::None);
                all
            }
            Type::Named(id) => match &self.bound().types.get(*id).kind {
                TypeKind::Regions(_) => self.region_members(*id, frame)?,
                TypeKind::Record(fields) => {
                    let mut rows: Vec<Vec<Value>> = vec![Vec::new()];
                    for (_, ty) in fields {
                        let values = self.members(ty, frame, span)?;
                        let extend = |row: &Vec<Value>| {
                            values
                                .iter()
                                .map(|value| [row.as_slice(), std::slice::from_ref(value)].concat())
                                .collect::<Vec<_>>()
                        };
                        rows = rows.iter().flat_map(extend).collect();
                    }
                    rows.into_iter().map(|row| Value::Record(*id, row)).collect()
                }
                _ => {
                    let count: u32 = exact(self.bound().types.count(*id));
                    (0..count).map(|at| Value::Member(*id, at)).collect()
                }
            },
            Type::Set(_) | Type::List(..) | Type::Nothing | Type::Unknown => Vec::new(),
        })
    }

    /// What a domain holds now, in order, asked from outside.
    pub(crate) fn held(&self, id: ExprId, frame: &mut Frame<'_>) -> Try<Vec<Value>> {
        let _question = self.fuel.question();
        self.domain(id, frame)
    }

    /// What a domain holds now, in order.
    pub(super) fn domain(&self, id: ExprId, frame: &mut Frame<'_>) -> Try<Vec<Value>> {
        let node = self.bound().expr(id);
        self.touch(Touch::Expr(id));
        if let Expr::Binary(BinaryOp::Range, low, high) = &node.kind {
            let (low, high) = (self.eval(*low, frame)?, self.eval(*high, frame)?);
            return Ok(match (low, high) {
                (Value::Int(low), Value::Int(high)) => {
                    self.spend(length(low, high), node.span)?;
                    (low..=high).map(Value::Int).collect()
                }
                (Value::None, _) | (_, Value::None) => Vec::new(),
                (low, high) => impossible!("a range from {low:?} to {high:?}"),
            });
        }
        if let Expr::Members(ty) = &node.kind {
            return self.members(ty, frame, node.span);
        }
        let value = self.eval(id, frame)?;
        self.held_by(&value, frame, node.span)
    }

    /// Does a domain hold a value now?
    pub(super) fn is_within(&self, value: &Value, domain: ExprId, frame: &mut Frame<'_>) -> Try<bool> {
        self.touch(Touch::Expr(domain));
        if let Expr::Binary(BinaryOp::Range, low, high) = &self.bound().expr(domain).kind {
            let (low, high) = (self.eval(*low, frame)?, self.eval(*high, frame)?);
            return Ok(match (low, value, high) {
                (Value::Int(low), Value::Int(value), Value::Int(high)) => (low..=high).contains(value),
                (Value::None, ..) | (.., Value::None) => false,
                (low, value, high) => impossible!("{value:?} in a range from {low:?} to {high:?}"),
            });
        }
        if let Expr::Members(ty) = &self.bound().expr(domain).kind
            && !matches!(ty, Type::Named(id) if matches!(self.bound().types.get(*id).kind, TypeKind::Regions(_)))
        {
            return Ok(self.belongs(value, ty));
        }
        Ok(self.domain(domain, frame)?.contains(value))
    }

    /// The members of a set, list, edge or region.
    pub(super) fn held_by(&self, value: &Value, frame: &Frame<'_>, span: Span) -> Try<Vec<Value>> {
        Ok(match value {
            Value::Set(members) | Value::List(members) => members.clone(),
            Value::None => Vec::new(),
            Value::Member(id, at) => match &self.bound().types.get(*id).kind {
                TypeKind::Edges(cells) => {
                    let edges = self.bound().types.board_of(*id).map(|(_, board)| board.edges());
                    let &(a, b) = edges.and_then(|edges| edges.get(*at as usize)).must("an edge is one of its board");
                    [a, b].map(|cell| Value::Member(*cells, exact(cell))).to_vec()
                }
                TypeKind::Regions(_) => self.region_of(*id, *at, frame)?,
                _ => return trouble(span, "this has no members"),
            },
            _ => return trouble(span, "this has no members"),
        })
    }

    /// Every combination of variables that satisfies their conditions, found before anything happens.
    pub fn combinations(&self, binds: &[Bind], frame: &mut Frame<'_>) -> Try<Vec<Vec<Value>>> {
        let _question = self.fuel.question();
        let mut found = Vec::new();
        let span = binds.first().map(|bind| self.bound().expr(bind.domain).span).unwrap_or_default();
        self.each(binds, frame, &mut |frame| {
            // Each is remembered: that takes more memory than a step should.
            self.spend(A_ROW, span)?;
            let value =
                |bind: &Bind| frame.locals.get(bind.local).cloned().must("a variable has a value where it is visited");
            found.push(binds.iter().map(value).collect());
            Ok(true)
        })?;
        Ok(found)
    }

    /// Every value of one variable that satisfies its condition.
    pub(super) fn values(&self, bind: &Bind, frame: &mut Frame<'_>) -> Try<Vec<Value>> {
        let mut found = self.candidates(bind, frame)?;
        if let Some(condition) = bind.condition {
            let mut kept = Vec::new();
            for value in found {
                frame.locals.insert(bind.local, value.clone());
                if self.holds(condition, frame)? {
                    kept.push(value);
                }
            }
            found = kept;
        }
        Ok(found)
    }

    /// Visits every combination of variables that satisfies their conditions, until the visitor has seen enough.
    pub(super) fn each<'s>(&self, binds: &[Bind], frame: &mut Frame<'s>, visit: Visit<'_, 's>) -> Try<bool> {
        let Some((first, rest)) = binds.split_first() else { return visit(frame) };
        self.touch(Touch::Expr(first.domain));
        if !first.clockwise
            && let Expr::Binary(BinaryOp::Range, low, high) = &self.bound().expr(first.domain).kind
        {
            let (low, high) = (self.eval(*low, frame)?, self.eval(*high, frame)?);
            let (low, high) = match (low, high) {
                (Value::Int(low), Value::Int(high)) => (low, high),
                (Value::None, _) | (_, Value::None) => return Ok(true),
                (low, high) => impossible!("a range from {low:?} to {high:?}"),
            };
            let span = self.bound().expr(first.domain).span;
            // A range may be longer than anybody has the patience to look: its members are made one by one.
            for value in low..=high {
                self.spend(1, span)?;
                if !self.each_with(first, Value::Int(value), rest, frame, visit)? {
                    return Ok(false);
                }
            }
            return Ok(true);
        }
        for value in self.candidates(first, frame)? {
            if !self.each_with(first, value, rest, frame, visit)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The same with this value of the first variable.
    fn each_with<'s>(
        &self,
        first: &Bind,
        value: Value,
        rest: &[Bind],
        frame: &mut Frame<'s>,
        visit: Visit<'_, 's>,
    ) -> Try<bool> {
        frame.locals.insert(first.local, value);
        let holds = match first.condition {
            Some(condition) => self.holds(condition, frame)?,
            None => true,
        };
        if holds { self.each(rest, frame, visit) } else { Ok(true) }
    }

    /// What a variable runs over.
    pub(super) fn candidates(&self, bind: &Bind, frame: &mut Frame<'_>) -> Try<Vec<Value>> {
        if !bind.clockwise {
            return self.domain(bind.domain, frame);
        }
        let players = self.bound().players.clone();
        Ok(match self.eval(bind.domain, frame)? {
            Value::Member(_, first) => (0..players.count)
                .map(|step| Value::Member(players.ty, (first + step) % players.count.max(1)))
                .collect(),
            Value::None => Vec::new(),
            other => impossible!("clockwise from {other:?}"),
        })
    }
}

/// How many numbers a range has.
fn length(low: i64, high: i64) -> u64 {
    if low > high { 0 } else { high.abs_diff(low).saturating_add(1) }
}
