//! Editions: the readings that one source gives of all rulings, chosen together.

use crate::ast::{ExprKind, File, ItemKind, UnaryOp};
use crate::numbers::{Node, NodeKind, Tree, Used};

/// The key of the source with this edition.
pub(super) fn source_of(numbers: &Tree, edition: &str) -> Option<String> {
    editions(numbers).into_iter().find(|(_, name)| name == edition).map(|(key, _)| key)
}

/// All editions that the numbers of a ruleset know.
#[must_use]
pub fn names(numbers: &Tree) -> Vec<String> {
    editions(numbers).into_iter().map(|(_, name)| name).collect()
}

fn editions(numbers: &Tree) -> Vec<(String, String)> {
    let Some(Node { kind: NodeKind::Table(sources), .. }) = numbers.get("source") else { return Vec::new() };
    let mut found = Vec::new();
    for (key, node) in &sources.entries {
        if let NodeKind::Table(lines) = &node.kind
            && let Some(Node { kind: NodeKind::Text(name), .. }) = lines.get("edition")
        {
            found.push((key.clone(), name.clone()));
        }
    }
    found
}

/// Sets every ruling that this source answers. One that it answers in two ways keeps its default.
pub(super) fn choose(layers: &[File], source: &str, numbers: &mut Tree) {
    for item in layers.iter().flat_map(|layer| &layer.items) {
        let ItemKind::Ruling { name, cites, .. } = &item.kind else { continue };
        let mut readings =
            cites.iter().filter(|cite| cite.source.text == source).filter_map(|cite| cite.reading.as_ref());
        let Some(first) = readings.next() else { continue };
        let kind = match &first.kind {
            ExprKind::Int(value) => NodeKind::Int(*value),
            ExprKind::Unary(UnaryOp::Negate, inner) => match inner.kind {
                ExprKind::Int(value) => NodeKind::Int(-value),
                _ => continue,
            },
            ExprKind::Name(word) if word == "true" => NodeKind::Bool(true),
            ExprKind::Name(word) if word == "false" => NodeKind::Bool(false),
            ExprKind::Name(word) => NodeKind::Text(word.clone()),
            _ => continue,
        };
        if readings.all(|other| crate::ast::dump_expr(other) == crate::ast::dump_expr(first)) {
            let node = Node { kind, span: first.span, key: name.span, used: Used::default() };
            numbers.set(&format!("ruling.{}", name.text), node);
        }
    }
}
