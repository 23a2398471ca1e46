//! The state of a game: for each state of the ruleset its elements, the last index running fastest.

use crate::bind::{StateId, Type, TypeKind, Types, Value};
use crate::impossible;
use crate::internal::{Must, exact};

/// All states with their elements.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct State {
    /// By [`StateId`].
    pub elements: Vec<Vec<Value>>,
}

impl State {
    /// One element.
    #[must_use]
    pub fn get(&self, id: StateId, at: usize) -> Option<&Value> {
        self.elements.get(id.at())?.get(at)
    }

    /// One element as expressions read it: `none` if the state does not exist in this game.
    pub(super) fn read(&self, id: StateId, at: usize) -> Value {
        match self.elements.get(id.at()).map(Vec::as_slice) {
            Some([]) => Value::None,
            Some(elements) => elements.get(at).cloned().must("a state has an element for each index"),
            None => impossible!("state {id:?} is read before it has elements"),
        }
    }

    /// Writes one element. A state that does not exist in this game keeps nothing.
    pub fn set(&mut self, id: StateId, at: usize, value: Value) {
        let elements = self.elements.get_mut(id.at()).must("a state has elements before it is written");
        if !elements.is_empty() {
            *elements.get_mut(at).must("a state has an element for each index") = value;
        }
    }
}

/// The place of an index among its domain; `None` for what lies outside.
#[must_use]
pub(super) fn position(types: &Types, ty: &Type, value: &Value) -> Option<usize> {
    match (ty, value) {
        (Type::Int(low, high), Value::Int(value)) if (low..=high).contains(&value) => Some(exact(value - low)),
        (Type::Named(id), Value::Member(_, at)) if u64::from(*at) < types.count(*id) => Some(exact(*at)),
        (Type::Bool, Value::Bool(value)) => Some(usize::from(*value)),
        (Type::Named(id), Value::Record(_, values)) => {
            let TypeKind::Record(fields) = &types.get(*id).kind else {
                impossible!("a record of a type that is none");
            };
            let mut at = 0;
            for ((_, ty), value) in fields.iter().zip(values) {
                let size = exact::<_, usize>(types.size(ty));
                // In a field, none comes after everything else.
                let missing = *value == Value::None && ty.is_optional();
                at = at * size + if missing { size - 1 } else { position(types, ty.plain(), value)? };
            }
            Some(at)
        }
        _ => None,
    }
}

/// The place of an element: all indices together.
#[must_use]
pub(crate) fn offset(types: &Types, indices: &[Type], values: &[Value]) -> Option<usize> {
    let mut at = 0;
    for (ty, value) in indices.iter().zip(values) {
        at = next_offset(types, at, ty, value)?;
    }
    Some(at)
}

/// The place of an element with one more index.
pub(super) fn next_offset(types: &Types, before: usize, ty: &Type, value: &Value) -> Option<usize> {
    let size = exact::<_, usize>(types.size(ty));
    Some(before * size + position(types, ty, value)?)
}
