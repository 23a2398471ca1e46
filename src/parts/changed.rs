//! Numbers that the user has changed: which of them may have led to a runtime error?

use std::fmt;

use super::uses::{Ranges, depending};
use crate::bind::{self, Bound, Effective, Expr, Type};
use crate::load::Loaded;
use crate::numbers::{Node, NodeKind, Tree};
use crate::report::Span;

/// Numbers that a message names; of the others it says how many there are.
const MOST_NAMED: usize = 5;

/// A number that a setting or an overlay has changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Changed {
    /// Its key, as `--set` takes it.
    pub key: String,
    /// The value that was set.
    pub value: String,
    /// The range that the rules declare.
    pub range: String,
}

impl fmt::Display for Changed {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "`{}` is set to {} (range {})", self.key, self.value, self.range)
    }
}

/// What a message says about them; nothing if there are none.
#[must_use]
pub fn named(changed: &[Changed]) -> Option<String> {
    let shown: Vec<String> = changed.iter().take(MOST_NAMED).map(ToString::to_string).collect();
    let more = changed.len().saturating_sub(MOST_NAMED);
    let rest = match more {
        0 => String::new(),
        1 => "; and 1 more is set".to_owned(),
        _ => format!("; and {more} more are set"),
    };
    (!shown.is_empty()).then(|| format!("{}{rest}", shown.join(", ")))
}

/// The changed numbers that the rule at a place depends on. If it depends on none of them, all that were changed:
/// what happened before may have led there.
#[must_use]
pub fn changed_for(loaded: &Loaded, bound: &Bound, at: Span) -> Vec<Changed> {
    let mut leaves = Vec::new();
    collect(loaded, &loaded.numbers, &mut String::new(), &mut leaves);
    let items = bind::effective(&loaded.layers, &mut Vec::new());
    let found = leaves.into_iter().filter_map(|(key, value)| {
        let (range, mentioned) = declared(bound, &key)?;
        let reaches = depends(bound, &items, &mentioned, at);
        Some((Changed { key, value, range }, reaches))
    });
    let (near, far): (Vec<_>, Vec<_>) = found.partition(|(_, reaches)| *reaches);
    let chosen = if near.is_empty() { far } else { near };
    chosen.into_iter().map(|(changed, _)| changed).collect()
}

/// Keys and values that come from the command line, an overlay or the head of a log.
fn collect(loaded: &Loaded, tree: &Tree, path: &mut String, found: &mut Vec<(String, String)>) {
    for (key, node) in &tree.entries {
        let before = path.len();
        if !path.is_empty() {
            path.push('.');
        }
        path.push_str(key);
        match &node.kind {
            NodeKind::Table(table) => collect(loaded, table, path, found),
            NodeKind::Array(items) if !is_foreign(loaded, node) => {
                for (nth, item) in items.iter().enumerate().filter(|(_, item)| is_foreign(loaded, item)) {
                    found.push((format!("{path}.{}", nth + 1), loaded.sources.slice(item.span).to_owned()));
                }
            }
            _ if is_foreign(loaded, node) => {
                found.push((path.clone(), loaded.sources.slice(node.span).to_owned()));
            }
            _ => {}
        }
        path.truncate(before);
    }
}

fn is_foreign(loaded: &Loaded, node: &Node) -> bool {
    loaded.foreign.contains(&node.span.file)
}

/// The range of the number or column with this key, and the places that mention it.
fn declared(bound: &Bound, key: &str) -> Option<(String, Vec<Span>)> {
    let under = |path: &str| key.strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
    if let Some(number) = bound.numbers.iter().find(|number| under(&number.path)) {
        return Some((range(bound, &number.ty), number.uses.clone()));
    }
    let mut names = key.split('.');
    let (table, name) = (names.next()?, names.nth(1)?);
    let is_meant =
        |column: &&bind::Column| column.name == name && bound.types.get(column.table).name.to_lowercase() == table;
    let column = bound.columns.iter().find(is_meant)?;
    let mentions = bound.exprs.iter().filter(|node| matches!(&node.kind, Expr::Field(_, field) if field.text == name));
    Some((range(bound, &column.ty), mentions.map(|node| node.span).collect()))
}

fn range(bound: &Bound, ty: &Type) -> String {
    match ty {
        Type::Named(id) => bound.types.member_names(*id).join(" | "),
        other => bound.types.show(other).to_string(),
    }
}

fn depends(bound: &Bound, items: &Effective<'_>, mentioned: &[Span], at: Span) -> bool {
    depending(bound, items, mentioned, Ranges::Carry).iter().any(|used| used.part.holds(at))
}
