//! Facts: a state or a drawn place, its indices, its value, or its values in order of the last index.

use super::binder::{Binder, Symbol};
use super::entries::{Read, bad, show_word};
use super::model::{Entry, StateId};
use super::numbers::shortened;
use super::tolerance::pick;
use super::types::Type;
use super::value::Value;
use crate::ast::{self, Fact, ValueKind};
use crate::internal::exact;
use crate::report::{Fault, codes, suggest};

impl Binder<'_> {
    /// A fact of a position: a state, its indices, its value, or its values in order of the last index.
    pub(super) fn state_fact(&mut self, fact: &Fact, subject: Option<&ast::Name>) -> Vec<(StateId, Vec<Value>, Value)> {
        let Some((Symbol::State(id), _)) = self.symbols.get(&fact.name.text).cloned() else {
            let mut known = self.names_of(|symbol| matches!(symbol, Symbol::State(_)));
            known.extend(self.numbers.keys().cloned());
            known.sort();
            let message = format!("`{}` is neither a state nor a number", fact.name.text);
            self.misspelt(
                &codes::UNKNOWN_NAME,
                &fact.name.text,
                fact.name.span,
                message,
                &known,
                "a position sets states, numbers, options and rulings",
            );
            return Vec::new();
        };
        self.bound.states[id.at()].used = true;
        let state = self.bound.state(id);
        let (indices, ty) = (state.indices.clone(), state.ty.clone());
        match self.fact_rows(fact, subject, &indices, &ty) {
            Ok(rows) => rows.into_iter().map(|(indices, value)| (id, indices, value)).collect(),
            Err(bad) => {
                self.fault(bad.fault);
                Vec::new()
            }
        }
    }

    pub(super) fn fact_rows(
        &mut self,
        fact: &Fact,
        subject: Option<&ast::Name>,
        indices: &[Type],
        ty: &Type,
    ) -> Read<Vec<(Vec<Value>, Value)>> {
        let subject = subject.map(|name| ast::Value { kind: ValueKind::Word(name.text.clone()), span: name.span });
        let words: Vec<ast::Value> = subject.into_iter().chain(fact.indices.iter().cloned()).collect();
        let mut found = Vec::new();
        let mut at = 0;
        for index in indices {
            if at >= words.len() {
                break;
            }
            found.push(self.entry_value(index, &words, &mut at, fact.span)?);
        }
        let name = &fact.name.text;
        if at < words.len() || found.len() + 1 < indices.len() {
            let wanted: Vec<String> = indices.iter().map(|ty| self.bound.types.show(ty).to_string()).collect();
            return bad(
                "bad-argument",
                Fault::new(
                    &codes::WRONG_ARITY,
                    fact.span,
                    format!("`{name}` has {} indices, found {}", indices.len(), words.len()),
                )
                .label("the indices do not fit")
                .help(if wanted.is_empty() {
                    format!("write `{name} = …`")
                } else {
                    format!("write `{name} <{}> = …`", wanted.join("> <"))
                }),
            );
        }
        let mut at = 0;
        if found.len() == indices.len() {
            let value = self.entry_value(ty, &fact.values, &mut at, fact.span)?;
            return match fact.values.get(at) {
                None => Ok(vec![(found, value)]),
                Some(extra) => self.not_a_value(ty, &show_word(extra), extra.span),
            };
        }
        // The last index is left out: its values follow in order.
        let last = &indices[found.len()];
        let count = exact::<_, usize>(self.bound.types.size(last));
        let mut rows = Vec::new();
        while at < fact.values.len() && rows.len() < count {
            let index = index_value(last, rows.len());
            let value = self.entry_value(ty, &fact.values, &mut at, fact.span)?;
            rows.push((found.iter().cloned().chain([index]).collect(), value));
        }
        if rows.len() != count || at != fact.values.len() {
            let shown = self.bound.types.show(last).to_string();
            return bad(
                "bad-argument",
                Fault::new(
                    &codes::WRONG_LENGTH,
                    fact.span,
                    format!("`{name}` without its last index needs {count} values"),
                )
                .label(format!("one for each of {shown}"))
                .help("give them all in order, or write the index"),
            );
        }
        Ok(rows)
    }

    /// A chance entry: a drawn place, its indices, its value.
    pub(super) fn chance_entry(&mut self, fact: &Fact) -> Read<Vec<Entry>> {
        let name = &self.drawn_name(&fact.name)?;
        // One name may be drawn into in several places, each for things of its own.
        let places = self.drawn.get(name).cloned().unwrap_or_default();
        let mut read = None;
        for (indices, ty) in places {
            let rows = self.fact_rows(fact, None, &indices, &ty.unwrap_or(Type::Unknown));
            if read.as_ref().is_none_or(Result::is_err) && (rows.is_ok() || read.is_none()) {
                read = Some(rows);
            }
        }
        let rows = read.unwrap_or_else(|| self.fact_rows(fact, None, &[], &Type::Unknown))?;
        let known = |value: Value| (value != Value::Unknown).then_some(value);
        Ok(rows
            .into_iter()
            .map(|(indices, value)| Entry::Chance { name: name.clone(), indices, value: known(value) })
            .collect())
    }
}

impl Binder<'_> {
    /// The drawn place that a name means.
    fn drawn_name(&self, name: &ast::Name) -> Read<String> {
        let written = &name.text;
        if self.drawn.contains_key(written) {
            return Ok(written.clone());
        }
        let mut known: Vec<String> = self.drawn.keys().cloned().collect();
        known.sort();
        if self.tolerant {
            let names = known.iter().enumerate().map(|(at, name)| (name.as_str(), at));
            let meant = pick(written, names, true).clear(written, name.span)?;
            if let Some(meant) = meant.and_then(|at| known.get(at)) {
                return Ok(meant.clone());
            }
        }
        let near = suggest::did_you_mean(written, known.iter().map(String::as_str));
        bad(
            "impossible-chance",
            Fault::new(&codes::BAD_ENTRY, name.span, format!("nothing is drawn into `{written}`"))
                .label("not drawn anywhere")
                .help(near.unwrap_or_else(|| format!("drawn are: {}", shortened(&known)))),
        )
    }
}

/// The `at`-th value of an index type.
fn index_value(index: &Type, at: usize) -> Value {
    match index {
        Type::Int(low, _) => Value::Int(low + exact::<_, i64>(at)),
        Type::Named(id) => Value::Member(*id, exact::<_, u32>(at)),
        Type::Bool => Value::Bool(at == 1),
        _ => Value::Unknown,
    }
}
