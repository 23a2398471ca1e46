//! Claims of a log: facts about the position, and a few things that are not states.

use super::binder::{Binder, Symbol};
use super::entries::{Read, bad};
use super::model::StateId;
use super::types::Type;
use super::value::Value;
use crate::ast::Fact;
use crate::report::{Fault, codes, suggest};

/// What a log says to be so.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Claim {
    /// `paid = 5`: what the last action cost.
    Paid(i64),
    /// `score ana = 12`
    Score(u32, i64),
    /// `next = ana`, or `next = none` if nobody is asked.
    Next(Option<u32>),
    /// `purse ana = 7`: an element of a state.
    State(StateId, Vec<Value>, Value),
}

/// Names of claims that are no states.
const NAMES: [&str; 3] = ["paid", "score", "next"];

impl Binder<'_> {
    /// Reads a claim. A state that leaves out its last index gives one claim for each of its values.
    pub(super) fn claim(&mut self, fact: &Fact) -> Read<Vec<Claim>> {
        let name = fact.name.text.as_str();
        if let Some((Symbol::State(id), _)) = self.symbols.get(name).cloned() {
            let state = self.bound.state(id);
            let (indices, ty) = (state.indices.clone(), state.ty.clone());
            let rows = self.fact_rows(fact, None, &indices, &ty)?;
            return Ok(rows.into_iter().map(|(indices, value)| Claim::State(id, indices, value)).collect());
        }
        let seat = Type::Named(self.bound.players.ty);
        let number = Type::Int(i64::MIN, i64::MAX);
        let (indices, ty) = match name {
            "paid" => (Vec::new(), number),
            "score" => (vec![seat], number),
            "next" => (Vec::new(), seat.optional()),
            _ => {
                let mut known = self.names_of(|symbol| matches!(symbol, Symbol::State(_)));
                known.extend(NAMES.map(str::to_owned));
                known.sort();
                let near = suggest::did_you_mean(name, known.iter().map(String::as_str));
                let fault = Fault::new(&codes::BAD_ENTRY, fact.name.span, format!("nothing is called `{name}`"))
                    .label("this cannot be claimed")
                    .help(near.unwrap_or_else(|| "claim a state, `paid`, `score SEAT` or `next`".to_owned()));
                return bad("unreadable", fault);
            }
        };
        let rows = self.fact_rows(fact, None, &indices, &ty)?;
        let claims = rows.into_iter().filter_map(|(indices, value)| match (name, indices.as_slice(), value) {
            ("paid", [], Value::Int(paid)) => Some(Claim::Paid(paid)),
            ("score", [Value::Member(_, seat)], Value::Int(score)) => Some(Claim::Score(*seat, score)),
            ("next", [], Value::Member(_, seat)) => Some(Claim::Next(Some(seat))),
            ("next", [], Value::None) => Some(Claim::Next(None)),
            // What is not known is not claimed.
            _ => None,
        });
        Ok(claims.collect())
    }
}
