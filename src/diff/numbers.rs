//! What differs in the numbers: values, ranges and units of numbers, options and rulings, and the rows of tables.

use crate::bind::{Bound, Column, Number};
use crate::internal::exact;
use crate::load::Loaded;
use crate::report::Span;

use super::Side;

/// A number that is not the same in both rulesets.
#[derive(Debug, Clone)]
pub struct NumberDifference {
    /// `number`, `option`, `ruling` or `row`
    pub kind: &'static str,
    /// Its path, as `--set` takes it; an element of an indexed number with its index.
    pub key: String,
    /// What differs: `value`, `type`, `unit`, or `row` of a table.
    pub what: &'static str,
    /// By the old rules; nothing if they do not have it.
    pub old: Option<String>,
    /// By the new rules.
    pub new: Option<String>,
    /// For people.
    pub unit: Option<String>,
    /// Passages of the rulebook that it comes from.
    pub citations: Vec<String>,
    /// In the TOML of both, as far as it stands there.
    pub at: (Option<Span>, Option<Span>),
}

/// All of them, in the order of the old rules; what is new comes last.
pub(super) fn compare(old: &Side, new: &Side) -> Vec<NumberDifference> {
    let (a, b) = (old.bound(), new.bound());
    let mut found = Vec::new();
    for number in &a.numbers {
        match b.numbers.iter().find(|known| known.path == number.path) {
            Some(other) => both((old, number), (new, other), &mut found),
            None => found.push(alone(a, number, true)),
        }
    }
    let is_new = |number: &&Number| !a.numbers.iter().any(|known| known.path == number.path);
    found.extend(b.numbers.iter().filter(is_new).map(|number| alone(b, number, false)));
    tables(old, new, &mut found);
    found
}

fn kind(path: &str) -> &'static str {
    match path.split('.').next() {
        Some("option") => "option",
        Some("ruling") => "ruling",
        _ => "number",
    }
}

fn citations(number: &Number) -> Vec<String> {
    number.cites.iter().map(ToString::to_string).collect()
}

/// A number that only one of both has.
fn alone(bound: &Bound, number: &Number, is_old: bool) -> NumberDifference {
    let values: Vec<String> = number.values.iter().map(|value| value.show(&bound.types)).collect();
    let values = if number.indices.is_empty() { values.concat() } else { format!("[{}]", values.join(", ")) };
    let (old, new) = if is_old { (Some(values), None) } else { (None, Some(values)) };
    NumberDifference {
        kind: kind(&number.path),
        key: number.path.clone(),
        what: "value",
        old,
        new,
        unit: number.unit.clone(),
        citations: citations(number),
        at: if is_old { (number.toml, None) } else { (None, number.toml) },
    }
}

/// A number that both have.
fn both((old, a): (&Side, &Number), (new, b): (&Side, &Number), found: &mut Vec<NumberDifference>) {
    let (types, others) = (&old.bound().types, &new.bound().types);
    let mut add = |key: String, what, (before, after): (String, String), at| {
        found.push(NumberDifference {
            kind: kind(&a.path),
            key,
            what,
            old: Some(before),
            new: Some(after),
            unit: b.unit.clone().or_else(|| a.unit.clone()),
            citations: citations(b),
            at,
        });
    };
    let declared = (Some(a.span), Some(b.span));
    let range = |types: &crate::bind::Types, number: &Number| {
        let indices: Vec<String> = number.indices.iter().map(|ty| types.show(ty).to_string()).collect();
        let by = if indices.is_empty() { String::new() } else { format!(" by {}", indices.join(", ")) };
        format!("{}{by}", types.show(&number.ty))
    };
    let (before, after) = (range(types, a), range(others, b));
    if before != after {
        add(a.path.clone(), "type", (before, after), declared);
    }
    if a.unit != b.unit {
        let shown = |unit: &Option<String>| unit.clone().unwrap_or_else(|| "none".to_owned());
        add(a.path.clone(), "unit", (shown(&a.unit), shown(&b.unit)), declared);
    }
    let named = elements(old.bound(), a);
    let others = elements(new.bound(), b);
    for (key, value) in &named {
        let other = others.iter().find(|(known, _)| known == key);
        let other = other.map_or_else(|| "none".to_owned(), |(_, value)| value.clone());
        if *value != other {
            let at = (place(&old.rules.loaded, key, a), place(&new.rules.loaded, key, b));
            add(key.clone(), "value", (value.clone(), other), at);
        }
    }
    for (key, value) in others.iter().filter(|(key, _)| !named.iter().any(|(known, _)| known == key)) {
        let at = (place(&old.rules.loaded, key, a), place(&new.rules.loaded, key, b));
        add(key.clone(), "value", ("none".to_owned(), value.clone()), at);
    }
}

/// Every element with its key.
fn elements(bound: &Bound, number: &Number) -> Vec<(String, String)> {
    let key = |at: usize| {
        let names = bound.types.index_names(&number.indices, at);
        std::iter::once(number.path.clone()).chain(names).collect::<Vec<_>>().join(".")
    };
    number.values.iter().enumerate().map(|(at, value)| (key(at), value.show(&bound.types))).collect()
}

/// Where an element stands in the TOML, or at least its number.
fn place(loaded: &Loaded, key: &str, number: &Number) -> Option<Span> {
    loaded.numbers.get(key).map(|node| node.span).or(number.toml)
}

/// The rows of tables that both have, value by value.
fn tables(old: &Side, new: &Side, found: &mut Vec<NumberDifference>) {
    let (before, after) = (cells(old.bound()), cells(new.bound()));
    let rows = |cells: &[Cell]| {
        let mut rows: Vec<String> = cells.iter().map(|cell| cell.row.clone()).collect();
        rows.dedup();
        rows
    };
    let (old_rows, new_rows) = (rows(&before), rows(&after));
    let has_table = |rows: &[String], row: &str| {
        let table = row.split('.').next().unwrap_or("");
        rows.iter().any(|known| known.split('.').next() == Some(table))
    };
    let span = |side: &Side, key: &str| side.rules.loaded.numbers.get(key).map(|node| node.span);
    let mut add = |key: &str, what, (before, after): (Option<String>, Option<String>), unit: Option<String>| {
        let at = (span(old, key), span(new, key));
        let (key, citations) = (key.to_owned(), Vec::new());
        found.push(NumberDifference { kind: "row", key, what, old: before, new: after, unit, citations, at });
    };
    let there = || Some("a row".to_owned());
    for row in old_rows.iter().filter(|row| !new_rows.contains(row) && has_table(&new_rows, row)) {
        add(row, "row", (there(), None), None);
    }
    for row in new_rows.iter().filter(|row| !old_rows.contains(row) && has_table(&old_rows, row)) {
        add(row, "row", (None, there()), None);
    }
    for cell in &before {
        if let Some(other) = after.iter().find(|other| other.key == cell.key)
            && other.value != cell.value
        {
            add(&cell.key, "value", (Some(cell.value.clone()), Some(other.value.clone())), other.unit.clone());
        }
    }
}

/// One value of a row.
struct Cell {
    row: String,
    key: String,
    value: String,
    unit: Option<String>,
}

fn cells(bound: &Bound) -> Vec<Cell> {
    let mut cells = Vec::new();
    for column in &bound.columns {
        let table = bound.types.get(column.table).name.to_lowercase();
        let each = exact::<_, usize>(column.indices.iter().map(|ty| bound.types.size(ty)).product::<u64>());
        for at in 0..exact::<_, u32>(bound.types.count(column.table)) {
            let (row, at) = (bound.types.member_name(column.table, at), at as usize);
            let values = column.values.iter().skip(at * each).take(each).enumerate();
            cells.extend(values.map(|(nth, value)| Cell {
                row: format!("{table}.{row}"),
                key: key_of(bound, column, &format!("{table}.{row}"), nth),
                value: value.show(&bound.types),
                unit: column.unit.clone(),
            }));
        }
    }
    cells.sort_by(|a, b| a.row.cmp(&b.row));
    cells
}

fn key_of(bound: &Bound, column: &Column, row: &str, nth: usize) -> String {
    let names = bound.types.index_names(&column.indices, nth);
    [row.to_owned(), column.name.clone()].into_iter().chain(names).collect::<Vec<_>>().join(".")
}
