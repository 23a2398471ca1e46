//! Members of types and domains, in their order.

use super::frame::Frame;
use super::game::Game;
use super::{Try, trouble};
use crate::ast::BinaryOp;
use crate::bind::{Bind, Expr, ExprId, Type, TypeKind, Value};

/// Looks at a frame in which variables have their values; says whether it wants to see more.
type Visit<'v, 's> = &'v mut dyn FnMut(&mut Frame<'s>) -> Try<bool>;

impl Game<'_> {
    /// All values of a finite type that can be listed.
    pub(super) fn members(&self, ty: &Type, frame: &Frame<'_>) -> Try<Vec<Value>> {
        Ok(match ty {
            Type::Bool => vec![Value::Bool(false), Value::Bool(true)],
            Type::Int(low, high) => (*low..=*high).map(Value::Int).collect(),
            Type::Optional(inner) => {
                let mut all = self.members(inner, frame)?;
                all.push(Value::None);
                all
            }
            Type::Named(id) => match &self.bound().types.get(*id).kind {
                TypeKind::Regions(_) => self.region_members(*id, frame)?,
                TypeKind::Record(fields) => {
                    let mut rows: Vec<Vec<Value>> = vec![Vec::new()];
                    for (_, ty) in fields {
                        let values = self.members(ty, frame)?;
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
                    let count = u32::try_from(self.bound().types.count(*id)).unwrap_or(u32::MAX);
                    (0..count).map(|at| Value::Member(*id, at)).collect()
                }
            },
            Type::Set(_) | Type::List(..) | Type::Nothing | Type::Unknown => Vec::new(),
        })
    }

    /// What a domain holds now, in order.
    pub(super) fn domain(&self, id: ExprId, frame: &mut Frame<'_>) -> Try<Vec<Value>> {
        let node = self.bound().expr(id);
        if let Expr::Binary(BinaryOp::Range, low, high) = &node.kind {
            let (low, high) = (self.eval(*low, frame)?, self.eval(*high, frame)?);
            return Ok(match (low, high) {
                (Value::Int(low), Value::Int(high)) => (low..=high).map(Value::Int).collect(),
                _ => Vec::new(),
            });
        }
        if let Expr::Members(ty) = &node.kind {
            return self.members(ty, frame);
        }
        let value = self.eval(id, frame)?;
        self.held_by(&value, frame, node.span)
    }

    /// The members of a set, list, edge or region.
    pub(super) fn held_by(&self, value: &Value, frame: &Frame<'_>, span: crate::report::Span) -> Try<Vec<Value>> {
        Ok(match value {
            Value::Set(members) | Value::List(members) => members.clone(),
            Value::None => Vec::new(),
            Value::Member(id, at) => match &self.bound().types.get(*id).kind {
                TypeKind::Edges(cells) => {
                    let edges = self.bound().types.board_of(*id).map(|(_, board)| board.edges());
                    let Some(&(a, b)) = edges.and_then(|edges| edges.get(*at as usize)) else { return Ok(Vec::new()) };
                    [a, b].map(|cell| Value::Member(*cells, u32::try_from(cell).unwrap_or(0))).to_vec()
                }
                TypeKind::Regions(_) => self.region_of(*id, *at, frame)?,
                _ => return trouble(span, "this has no members"),
            },
            _ => return trouble(span, "this has no members"),
        })
    }

    /// Every combination of variables that satisfies their conditions, found before anything happens.
    pub fn combinations(&self, binds: &[Bind], frame: &mut Frame<'_>) -> Try<Vec<Vec<Value>>> {
        let mut found = Vec::new();
        self.each(binds, frame, &mut |frame| {
            let value = |bind: &Bind| frame.locals.get(bind.local).cloned().unwrap_or(Value::None);
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
        for value in self.candidates(first, frame)? {
            frame.locals.insert(first.local, value);
            let holds = match first.condition {
                Some(condition) => self.holds(condition, frame)?,
                None => true,
            };
            if holds && !self.each(rest, frame, visit)? {
                return Ok(false);
            }
        }
        Ok(true)
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
            _ => Vec::new(),
        })
    }
}
