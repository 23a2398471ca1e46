//! Positions as lines of a record: one line for each state, elements that stand in a row together.

use crate::bind::{Bound, StateId};
use crate::evaluate::{Place, State, change, changed};
use crate::internal::{Must, exact};

/// An element: its place, what it was, and what it is.
type Element = (Place, Option<String>, String);

/// All states: `pieces: 0`, `owner: none, but [a1] red, [c2..c4] blue`.
pub(super) fn whole(bound: &Bound, state: &State) -> Vec<String> {
    let mut lines = Vec::new();
    for (number, elements) in state.elements.iter().enumerate() {
        let id = StateId(exact(number));
        let name = &bound.state(id).name;
        let shown: Vec<String> = elements.iter().map(|value| value.show(&bound.types)).collect();
        let often = |value: &&String| shown.iter().filter(|other| other == value).count();
        // A state that does not exist in this game has no elements.
        let Some(most) = shown.iter().rev().max_by_key(often) else { continue };
        let rare = often(&most) * 2 <= shown.len();
        let others = shown.iter().enumerate().filter(|(_, value)| rare || *value != most);
        let others = rows(bound, others.map(|(at, value)| ((id, at), None, value.clone())).collect());
        lines.push(match others.as_slice() {
            [] => format!("{name}: {most}"),
            others if rare => format!("{name}: {}", others.join(", ")),
            others => format!("{name}: {most}, but {}", others.join(", ")),
        });
    }
    lines
}

/// Have both the same elements? They may have been made with other numbers.
pub(super) fn of_same_size(one: &State, other: &State) -> bool {
    one.elements.iter().map(Vec::len).eq(other.elements.iter().map(Vec::len))
}

/// What differs, a line for each state: `pieces[c3, ana] 3 -> 2, [d4, ana] 0 -> 1`.
pub(super) fn changes(bound: &Bound, before: &State, after: &State) -> Vec<String> {
    let places = changed(before, after);
    let mut lines = Vec::new();
    for some in places.chunk_by(|a, b| a.0 == b.0) {
        let Some((id, _)) = some.first() else { continue };
        let name = &bound.state(*id).name;
        let elements = after.elements.get(id.at()).must("a state that has changed is there");
        if let [one, others @ ..] = elements.as_slice()
            && some.len() > 2
            && others.iter().all(|other| other == one)
        {
            lines.push(format!("{name} all -> {}", one.show(&bound.types)));
            continue;
        }
        let element = |&place: &Place| {
            let value =
                |state: &State| state.get(place.0, place.1).cloned().must("an element that has changed is there");
            let (was, is) = change(bound, &value(before), &value(after));
            (place, Some(was), is)
        };
        lines.push(format!("{name}{}", rows(bound, some.iter().map(element).collect()).join(", ")));
    }
    lines
}

/// Elements with their indices. Those that follow each other in the last index and were alike stand together:
/// `[c3, 1..3] none -> red blue red`, `[a1..c1] none -> red`.
fn rows(bound: &Bound, elements: Vec<Element>) -> Vec<String> {
    let indices = |(id, at): Place| bound.types.index_names(&bound.state(id).indices, at);
    let mut rows: Vec<Vec<Element>> = Vec::new();
    for element in elements {
        let goes_on = |row: &&mut Vec<Element>| {
            let Some(((before, was, is), (first, ..))) = row.last().zip(row.first()) else { return false };
            let (now, start) = (indices(element.0), indices(*first));
            let (Some((_, fixed)), Some((_, fixed_before))) = (now.split_last(), start.split_last()) else {
                return false;
            };
            let alike = row.iter().all(|(.., other)| *other == element.2);
            let listed = !fixed.is_empty() && !is.contains(' ') && !element.2.contains(' ');
            before.1 + 1 == element.0.1 && *was == element.1 && fixed == fixed_before && (alike || listed)
        };
        match rows.last_mut().filter(goes_on) {
            Some(row) => row.push(element),
            None => rows.push(vec![element]),
        }
    }
    let text = |row: &Vec<Element>| {
        let ((first, was, is), (last, ..)) = row.first().zip(row.last()).must("a row has an element");
        let (mut names, ends) = (indices(*first), indices(*last));
        if row.len() > 1
            && let (Some(from), Some(to)) = (names.last_mut(), ends.last())
        {
            *from = format!("{from}..{to}");
        }
        let alike = row.iter().all(|(.., other)| other == is);
        let values: Vec<&str> =
            row.iter().take(if alike { 1 } else { row.len() }).map(|(.., is)| is.as_str()).collect();
        let was = was.as_ref().map_or_else(String::new, |was| format!("{was} -> "));
        let names = if names.is_empty() { String::new() } else { format!("[{}]", names.join(", ")) };
        format!("{names} {was}{}", values.join(" "))
    };
    rows.iter().map(text).collect()
}
