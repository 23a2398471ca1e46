//! Every whole number of a ruleset's TOML, to be changed by one.

use crate::bind::Bound;
use crate::load::Loaded;
use crate::numbers::{Node, NodeKind};
use crate::report::{Fault, Span, codes};

/// A number in the TOML.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Leaf {
    /// Its path; places in arrays count from 1.
    pub(super) key: String,
    way: Vec<Key>,
    pub(super) value: i64,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Key {
    Name(String),
    Place(usize),
}

impl Leaf {
    /// One less, and one more.
    pub(super) fn beside(&self) -> impl Iterator<Item = i64> + use<> {
        [self.value.checked_sub(1), self.value.checked_add(1)].into_iter().flatten()
    }

    /// Puts another number there, as somebody would who sets it. Gives the place of what was set.
    pub(super) fn put(&self, loaded: &mut Loaded, value: i64) -> Span {
        let text = value.to_string();
        let end = text.len();
        let file = loaded.sources.add("--sensitivity", text);
        loaded.foreign.push(file);
        let span = Span::new(file, 0, end);
        let mut way = self.way.iter();
        let Some(Key::Name(first)) = way.next() else { return span };
        let mut node = loaded.numbers.entries.get_mut(first);
        for key in way {
            node = node.and_then(|node| match (&mut node.kind, key) {
                (NodeKind::Table(tree), Key::Name(name)) => tree.entries.get_mut(name),
                (NodeKind::Array(items), Key::Place(at)) => items.get_mut(*at),
                _ => None,
            });
        }
        if let Some(node) = node {
            (node.kind, node.span) = (NodeKind::Int(value), span);
        }
        span
    }
}

/// Is the only fault that the number set at this place does not fit its range?
pub(super) fn is_out_of_range(faults: &[Fault], set: Span) -> bool {
    faults.iter().all(|fault| fault.code.id == codes::OUT_OF_RANGE.id && fault.span == set)
}

/// Numbers that the rules of this game use, and the paths of those that they do not.
pub(super) fn leaves(loaded: &Loaded, bound: &Bound) -> (Vec<Leaf>, Vec<String>) {
    let mut all = Vec::new();
    for (key, node) in &loaded.numbers.entries {
        // Sources and colours are for people.
        if !matches!(key.as_str(), "source" | "view") {
            collect(node, &mut vec![Key::Name(key.clone())], &mut all);
        }
    }
    let (used, unused): (Vec<Leaf>, Vec<Leaf>) = all.into_iter().partition(|leaf| is_used(bound, leaf));
    (used, unused.into_iter().map(|leaf| leaf.key).collect())
}

fn collect(node: &Node, way: &mut Vec<Key>, all: &mut Vec<Leaf>) {
    match &node.kind {
        NodeKind::Int(value) => {
            let words = way.iter().map(|key| match key {
                Key::Name(name) => name.clone(),
                Key::Place(at) => (at + 1).to_string(),
            });
            let key = words.collect::<Vec<_>>().join(".");
            all.push(Leaf { key, way: way.clone(), value: *value });
        }
        NodeKind::Table(tree) => {
            for (key, node) in &tree.entries {
                way.push(Key::Name(key.clone()));
                collect(node, way, all);
                way.pop();
            }
        }
        NodeKind::Array(items) => {
            for (at, node) in items.iter().enumerate() {
                way.push(Key::Place(at));
                collect(node, way, all);
                way.pop();
            }
        }
        NodeKind::Bool(_) | NodeKind::Text(_) | NodeKind::Other(_) => {}
    }
}

/// Does a rule mention the number, or the column of the table?
fn is_used(bound: &Bound, leaf: &Leaf) -> bool {
    let under = |path: &str| leaf.key.strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
    if let Some(number) = bound.numbers.iter().find(|number| under(&number.path)) {
        return !number.uses.is_empty() || number.in_types;
    }
    let names: Vec<&str> = leaf.key.split('.').collect();
    let column = bound.columns.iter().find(|column| {
        let table = bound.types.get(column.table).name.to_lowercase();
        names.first() == Some(&table.as_str()) && names.get(2) == Some(&column.name.as_str())
    });
    column.is_none_or(|column| column.used)
}
