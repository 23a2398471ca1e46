//! What differs between two positions, element by element and in words.

use super::Place;
use super::state::State;
use crate::bind::{Bound, StateId, Value};
use crate::internal::exact;

/// Sets with more members than this are told by what came and went.
const FEW: usize = 8;

/// An element of the state as the rules write it: `pieces[3]`.
pub(crate) fn element_name(bound: &Bound, (state, at): Place) -> String {
    let declared = bound.state(state);
    let indices = bound.types.index_names(&declared.indices, at);
    if indices.is_empty() { declared.name.clone() } else { format!("{}[{}]", declared.name, indices.join(", ")) }
}

/// The elements that differ. Both positions have the same elements.
pub(crate) fn changed(before: &State, after: &State) -> Vec<Place> {
    let mut found = Vec::new();
    for (number, (was, is)) in before.elements.iter().zip(&after.elements).enumerate() {
        let id = StateId(exact(number));
        let differing = was.iter().zip(is).enumerate().filter(|(_, (was, is))| was != is);
        found.extend(differing.map(|(at, _)| (id, at)));
    }
    found
}

/// What there was, and what there is.
pub(crate) fn change(bound: &Bound, was: &Value, is: &Value) -> (String, String) {
    let show = |value: &Value| value.show(&bound.types);
    let (Value::Set(before), Value::Set(after)) = (was, is) else { return (show(was), show(is)) };
    if before.len() <= FEW && after.len() <= FEW {
        return (show(was), show(is));
    }
    let beyond = |some: &[Value], others: &[Value]| {
        some.iter().filter(|member| !others.contains(member)).map(show).collect::<Vec<_>>().join(", ")
    };
    let (gone, new) = (beyond(before, after), beyond(after, before));
    let gone = if gone.is_empty() { gone } else { format!(", without {gone}") };
    let new = if new.is_empty() { new } else { format!(", with {new}") };
    (format!("{} members", before.len()), format!("{} members{gone}{new}", after.len()))
}
