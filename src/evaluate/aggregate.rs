//! Aggregates, and sorting by keys.

use crate::impossible;
use crate::internal::Must;
use std::collections::BTreeMap;

use super::Try;
use super::frame::Frame;
use super::game::Game;
use crate::ast::Aggregate;
use crate::bind::{Bind, Expr, ExprId, Value};

impl Game<'_> {
    pub(super) fn aggregate(
        &self,
        which: Aggregate,
        binds: &[Bind],
        body: Option<ExprId>,
        by: &[ExprId],
        frame: &mut Frame<'_>,
    ) -> Try<Value> {
        if which == Aggregate::Pairing {
            return Ok(Value::Bool(self.pairing(binds, body, frame)?));
        }
        if which == Aggregate::First {
            return self.first(binds, by, frame);
        }
        let body = body.must("all aggregates but the first have a body");
        // What has been seen of the values so far.
        let (mut holding, mut failing, mut sum, mut best) = (0, 0, 0_i64, Value::None);
        self.each(binds, frame, &mut |frame| {
            let value = self.eval(body, frame)?;
            let holds = matches!(value, Value::Bool(true));
            holding += i64::from(holds);
            failing += i64::from(!holds);
            match (which, value) {
                (Aggregate::Sum, Value::Int(value)) => {
                    let added = sum.checked_add(value);
                    let span = self.bound().expr(body).span;
                    let too_large = || super::Trouble { message: "this number is too large".to_owned(), span };
                    sum = added.ok_or_else(too_large)?;
                }
                (Aggregate::Sum, Value::None) => {}
                (Aggregate::Sum, other) => impossible!("{other:?} is added up"),
                (Aggregate::Min, value) if best == Value::None || value < best => best = value,
                (Aggregate::Max, value) if best == Value::None || (value != Value::None && value > best) => {
                    best = value;
                }
                _ => {}
            }
            let settled = match which {
                Aggregate::Any | Aggregate::No => holds,
                Aggregate::All => !holds,
                _ => false,
            };
            Ok(!settled)
        })?;
        Ok(match which {
            Aggregate::Any => Value::Bool(holding > 0),
            Aggregate::All => Value::Bool(failing == 0),
            Aggregate::No => Value::Bool(holding == 0),
            Aggregate::Count => Value::Int(holding),
            Aggregate::Sum => Value::Int(sum),
            Aggregate::Min | Aggregate::Max => best,
            Aggregate::First | Aggregate::Pairing => impossible!("{which:?} comes here"),
        })
    }

    /// The first value by the keys, or of all if there are no keys.
    fn first(&self, binds: &[Bind], by: &[ExprId], frame: &mut Frame<'_>) -> Try<Value> {
        let mut best: Option<(Vec<Value>, Value)> = None;
        self.each(binds, frame, &mut |frame| {
            let value = binds
                .first()
                .and_then(|bind| frame.locals.get(bind.local))
                .cloned()
                .must("a variable has a value where it is visited");
            let keys = self.all(by, frame)?;
            if best.as_ref().is_none_or(|(least, _)| keys < *least) {
                best = Some((keys, value));
            }
            Ok(!by.is_empty())
        })?;
        Ok(best.map_or(Value::None, |(_, value)| value))
    }

    /// What `all` does not hold for, or `no` does: the variables of the first such combination, which they keep
    /// in the frame.
    pub fn counterexample(&self, id: ExprId, frame: &mut Frame<'_>) -> Try<Vec<(String, Value)>> {
        let Expr::Aggregate(which @ (Aggregate::All | Aggregate::No), binds, Some(body), _) =
            &self.bound().expr(id).kind
        else {
            return Ok(Vec::new());
        };
        let _question = self.fuel.question();
        for row in self.combinations(binds, frame)? {
            enter(binds, &row, frame);
            if self.holds(*body, frame)? == (*which == Aggregate::No) {
                let name = |bind: &Bind| self.bound().local(bind.local).name.clone();
                return Ok(binds.iter().map(name).zip(row).collect());
            }
        }
        Ok(Vec::new())
    }

    /// Sorts combinations by keys, ascending; equal ones keep their order.
    pub(super) fn sort(
        &self,
        rows: &mut Vec<Vec<Value>>,
        binds: &[Bind],
        by: &[ExprId],
        frame: &mut Frame<'_>,
    ) -> Try<()> {
        if by.is_empty() {
            return Ok(());
        }
        let mut keyed = Vec::new();
        for row in rows.drain(..) {
            enter(binds, &row, frame);
            keyed.push((self.all(by, frame)?, row));
        }
        keyed.sort_by(|(a, _), (b, _)| a.cmp(b));
        rows.extend(keyed.into_iter().map(|(_, row)| row));
        Ok(())
    }

    /// Can every member of the first domain get one of its own from the second? Augmenting paths.
    fn pairing(&self, binds: &[Bind], body: Option<ExprId>, frame: &mut Frame<'_>) -> Try<bool> {
        let ([left, right], Some(body)) = (binds, body) else { impossible!("a pairing of {} variables", binds.len()) };
        let lefts = self.values(left, frame)?;
        let mut fits: Vec<Vec<usize>> = Vec::new();
        let mut rights: BTreeMap<Value, usize> = BTreeMap::new();
        for value in &lefts {
            frame.locals.insert(left.local, value.clone());
            let mut row = Vec::new();
            for candidate in self.values(right, frame)? {
                frame.locals.insert(right.local, candidate.clone());
                if self.holds(body, frame)? {
                    let next = rights.len();
                    row.push(*rights.entry(candidate).or_insert(next));
                }
            }
            fits.push(row);
        }
        let mut taken: Vec<Option<usize>> = vec![None; rights.len()];
        for from in 0..fits.len() {
            let mut tried = vec![false; rights.len()];
            let given = give(from, &fits, &mut taken, &mut tried);
            // Each row that lost its member to another looked for a new one.
            let rows = 1 + tried.iter().filter(|tried| **tried).count();
            self.spend_on(rows.saturating_mul(rights.len()), self.bound().expr(body).span)?;
            if !given {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

fn enter(binds: &[Bind], row: &[Value], frame: &mut Frame<'_>) {
    for (bind, value) in binds.iter().zip(row) {
        frame.set(bind.local, value.clone());
    }
}

fn give(from: usize, fits: &[Vec<usize>], taken: &mut [Option<usize>], tried: &mut [bool]) -> bool {
    for &to in &fits[from] {
        if std::mem::replace(&mut tried[to], true) {
            continue;
        }
        let free = match taken[to] {
            None => true,
            Some(other) => give(other, fits, taken, tried),
        };
        if free {
            taken[to] = Some(from);
            return true;
        }
    }
    false
}
