//! Aggregates, and sorting by keys.

use super::Try;
use super::flow::Frame;
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
        let mut rows = self.combinations(binds, frame)?;
        if which == Aggregate::First {
            self.sort(&mut rows, binds, by, frame)?;
            return Ok(rows.into_iter().next().and_then(|row| row.into_iter().next()).unwrap_or(Value::None));
        }
        let Some(body) = body else { return Ok(Value::None) };
        let mut values = Vec::new();
        for row in &rows {
            frame.enter(binds, row);
            values.push(self.eval(body, frame)?);
        }
        let holding = values.iter().filter(|value| **value == Value::Bool(true)).count();
        Ok(match which {
            Aggregate::Any => Value::Bool(holding > 0),
            Aggregate::All => Value::Bool(holding == values.len()),
            Aggregate::No => Value::Bool(holding == 0),
            Aggregate::Count => Value::Int(i64::try_from(holding).unwrap_or(i64::MAX)),
            Aggregate::Sum => {
                let number = |value: &Value| if let Value::Int(value) = value { *value } else { 0 };
                Value::Int(values.iter().map(number).fold(0, i64::saturating_add))
            }
            Aggregate::Min => values.into_iter().filter(|value| *value != Value::None).min().unwrap_or(Value::None),
            Aggregate::Max => values.into_iter().filter(|value| *value != Value::None).max().unwrap_or(Value::None),
            Aggregate::First | Aggregate::Pairing => Value::None,
        })
    }

    /// What `all` does not hold for, or `no` does: the variables of the first such combination, which they keep
    /// in the frame.
    pub fn counterexample(&self, id: ExprId, frame: &mut Frame<'_>) -> Try<Vec<(String, Value)>> {
        let Expr::Aggregate(which @ (Aggregate::All | Aggregate::No), binds, Some(body), _) =
            &self.bound().expr(id).kind
        else {
            return Ok(Vec::new());
        };
        for row in self.combinations(binds, frame)? {
            frame.enter(binds, &row);
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
            frame.enter(binds, &row);
            keyed.push((self.all(by, frame)?, row));
        }
        keyed.sort_by(|(a, _), (b, _)| a.cmp(b));
        rows.extend(keyed.into_iter().map(|(_, row)| row));
        Ok(())
    }

    /// Can every member of the first domain get one of its own from the second? Augmenting paths.
    fn pairing(&self, binds: &[Bind], body: Option<ExprId>, frame: &mut Frame<'_>) -> Try<bool> {
        let ([left, right], Some(body)) = (binds, body) else { return Ok(false) };
        let lefts = self.combinations(std::slice::from_ref(left), frame)?.concat();
        let mut fits: Vec<Vec<usize>> = Vec::new();
        let mut rights: Vec<Value> = Vec::new();
        for value in &lefts {
            frame.locals.insert(left.local, value.clone());
            let mut row = Vec::new();
            for candidate in self.combinations(std::slice::from_ref(right), frame)?.concat() {
                frame.locals.insert(right.local, candidate.clone());
                if self.holds(body, frame)? {
                    let at = rights.iter().position(|known| *known == candidate).unwrap_or_else(|| {
                        rights.push(candidate.clone());
                        rights.len() - 1
                    });
                    row.push(at);
                }
            }
            fits.push(row);
        }
        let mut taken: Vec<Option<usize>> = vec![None; rights.len()];
        Ok((0..fits.len()).all(|from| give(from, &fits, &mut taken, &mut vec![false; rights.len()])))
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
