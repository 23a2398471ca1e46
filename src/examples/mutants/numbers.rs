//! Whole numbers in the TOML: finding each element of an indexed value, and setting it.

use crate::bind::{Type, Types};
use crate::internal::exact;
use crate::numbers::{Node, NodeKind, Tree};
use crate::report::Span;

/// A step into the tree: a key, and the place for an array.
pub(super) type Step = (String, usize);

/// All ways from a value to its elements, the last index running fastest.
pub(super) fn ways(types: &Types, start: Vec<Step>, indices: &[Type]) -> Vec<Vec<Step>> {
    let mut ways = vec![start];
    for index in indices {
        let names = names(types, index);
        ways = ways
            .into_iter()
            .flat_map(|way| {
                names.iter().enumerate().map(move |(at, name)| {
                    let mut longer = way.clone();
                    longer.push((name.clone(), at));
                    longer
                })
            })
            .collect();
    }
    ways
}

/// A dotted path as steps.
pub(super) fn steps(path: &str) -> Vec<Step> {
    path.split('.').map(|part| (part.to_owned(), usize::MAX)).collect()
}

fn names(types: &Types, index: &Type) -> Vec<String> {
    let size = exact::<_, i64>(types.size(index));
    match index {
        Type::Int(low, _) => (0..size).map(|at| (low + at).to_string()).collect(),
        Type::Named(id) => types.member_names(*id),
        Type::Bool => vec!["false".to_owned(), "true".to_owned()],
        _ => (0..size).map(|at| at.to_string()).collect(),
    }
}

/// The whole number at the end of a way, and its place.
pub(super) fn find(tree: &Tree, way: &[Step]) -> Option<(i64, Span)> {
    let (first, rest) = way.split_first()?;
    let mut node = tree.entries.get(&first.0)?;
    for (name, at) in rest {
        node = match &node.kind {
            NodeKind::Table(table) => table.entries.get(name)?,
            NodeKind::Array(elements) => elements.get(*at)?,
            _ => return None,
        };
    }
    match node.kind {
        NodeKind::Int(value) => Some((value, node.span)),
        _ => None,
    }
}

/// Puts another whole number there.
pub(super) fn set(tree: &mut Tree, way: &[Step], to: i64) {
    fn inner(node: &mut Node, way: &[Step], to: i64) {
        match (way.split_first(), &mut node.kind) {
            (None, kind) => *kind = NodeKind::Int(to),
            (Some(((name, _), rest)), NodeKind::Table(table)) => {
                table.entries.get_mut(name).into_iter().for_each(|node| inner(node, rest, to));
            }
            (Some(((_, at), rest)), NodeKind::Array(elements)) => {
                elements.get_mut(*at).into_iter().for_each(|node| inner(node, rest, to));
            }
            _ => {}
        }
    }
    if let Some(((name, _), rest)) = way.split_first() {
        tree.entries.get_mut(name).into_iter().for_each(|node| inner(node, rest, to));
    }
}

/// A way as people write it.
pub(super) fn shown(way: &[Step]) -> String {
    way.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>().join(".")
}
