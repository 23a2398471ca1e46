//! The tree of a TOML file, and laying one over another.

use std::sync::atomic::{AtomicBool, Ordering};

use indexmap::IndexMap;
use toml::de::{DeTable, DeValue};

use crate::report::{Fault, FileId, Source, Span, codes};

/// A value with its place.
#[derive(Debug, Clone)]
pub struct Node {
    /// What it is.
    pub kind: NodeKind,
    /// The value's place; a table's is its header or braces.
    pub span: Span,
    /// The key's place.
    pub key: Span,
    /// Did a declaration of the rules ask for it?
    pub used: Used,
}

/// A mark that is set while the tree is only read, perhaps by several threads.
#[derive(Debug, Default)]
pub struct Used(AtomicBool);

impl Clone for Used {
    fn clone(&self) -> Self {
        Self(AtomicBool::new(self.is_marked()))
    }
}

impl Used {
    /// Sets the mark.
    pub fn mark(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Is it set?
    #[must_use]
    pub fn is_marked(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// What a node is.
#[derive(Debug, Clone)]
pub enum NodeKind {
    /// `[limit]`
    Table(Tree),
    /// `[1, 2]`
    Array(Vec<Node>),
    /// `3`
    Int(i64),
    /// `true`
    Bool(bool),
    /// `"red"`
    Text(String),
    /// A float or a date: never what the rules want.
    Other(&'static str),
}

impl NodeKind {
    /// What to call it.
    #[must_use]
    pub fn describe(&self) -> String {
        match self {
            Self::Table(_) => "a table".to_owned(),
            Self::Array(_) => "an array".to_owned(),
            Self::Int(value) => format!("`{value}`"),
            Self::Bool(value) => format!("`{value}`"),
            Self::Text(value) => format!("the text `{value}`"),
            Self::Other(what) => (*what).to_owned(),
        }
    }
}

/// A table: keys in file order.
#[derive(Debug, Clone, Default)]
pub struct Tree {
    /// Keys in file order.
    pub entries: IndexMap<String, Node>,
}

impl Tree {
    /// Parses a file; a fault leaves an empty tree.
    pub fn parse(file: FileId, source: &Source, faults: &mut Vec<Fault>) -> Tree {
        let (table, errors) = DeTable::parse_recoverable(source.text());
        if errors.is_empty() {
            return from_table(file, table.get_ref());
        }
        for error in errors {
            let place = error.span().unwrap_or(0..0);
            let span = Span::new(file, place.start, place.end.max(place.start + 1));
            let message = error.message().lines().next().unwrap_or("not TOML").to_owned();
            faults.push(
                Fault::new(&codes::INVALID_TOML, span, message)
                    .label("here")
                    .help("texts need quotation marks, tables begin with `[name]`, and each key stands once"),
            );
        }
        Tree::default()
    }

    /// The node at a dotted path.
    #[must_use]
    pub fn get(&self, path: &str) -> Option<&Node> {
        let (head, rest) = path.split_once('.').map_or((path, None), |(head, rest)| (head, Some(rest)));
        let node = self.entries.get(head)?;
        match (rest, &node.kind) {
            (None, _) => Some(node),
            (Some(rest), NodeKind::Table(table)) => table.get(rest),
            (Some(_), _) => None,
        }
    }

    /// Marks every table on the way to a path as used.
    pub fn mark_way(&self, path: &str) {
        if let Some((head, rest)) = path.split_once('.')
            && let Some(node) = self.entries.get(head)
        {
            node.used.mark();
            if let NodeKind::Table(table) = &node.kind {
                table.mark_way(rest);
            }
        }
    }

    /// Joins another file of the same layer: no key may stand in both.
    pub fn join(&mut self, other: Tree, faults: &mut Vec<Fault>) {
        for (key, node) in other.entries {
            match self.entries.get_mut(&key) {
                None => {
                    self.entries.insert(key, node);
                }
                Some(known) => match (&mut known.kind, node.kind) {
                    (NodeKind::Table(known), NodeKind::Table(table)) => known.join(table, faults),
                    _ => faults.push(
                        Fault::new(&codes::DUPLICATE_KEY, node.key, format!("`{key}` stands in two files"))
                            .label("again here")
                            .also(known.key, "first here")
                            .help("keep one of the two"),
                    ),
                },
            }
        }
    }

    /// Lays another tree over this one: its values win, its new keys are added.
    pub fn overlay(&mut self, over: Tree) {
        for (key, node) in over.entries {
            match self.entries.get_mut(&key) {
                Some(Node { kind: NodeKind::Table(below), .. }) if matches!(node.kind, NodeKind::Table(_)) => {
                    if let NodeKind::Table(above) = node.kind {
                        below.overlay(above);
                    }
                }
                _ => {
                    self.entries.insert(key, node);
                }
            }
        }
    }

    /// Sets one value, making the tables on its way.
    pub fn set(&mut self, path: &str, node: Node) {
        match path.split_once('.') {
            None => {
                self.entries.insert(path.to_owned(), node);
            }
            Some((head, rest)) => {
                let (span, key) = (node.span, node.key);
                let fresh = || Node { kind: NodeKind::Table(Tree::default()), span, key, used: Used::default() };
                let entry = self.entries.entry(head.to_owned()).or_insert_with(fresh);
                if !matches!(entry.kind, NodeKind::Table(_)) {
                    *entry = fresh();
                }
                if let NodeKind::Table(table) = &mut entry.kind {
                    table.set(rest, node);
                }
            }
        }
    }
}

fn from_table(file: FileId, table: &DeTable<'_>) -> Tree {
    let mut entries = IndexMap::new();
    for (key, value) in table {
        let key_span = Span::new(file, key.span().start, key.span().end);
        entries.insert(key.get_ref().to_string(), from_value(file, value.get_ref(), value.span(), key_span));
    }
    Tree { entries }
}

fn from_value(file: FileId, value: &DeValue<'_>, place: std::ops::Range<usize>, key: Span) -> Node {
    let span = Span::new(file, place.start, place.end);
    let kind = match value {
        DeValue::Integer(value) => match i64::from_str_radix(value.as_str(), value.radix()) {
            Ok(value) => NodeKind::Int(value),
            Err(_) => NodeKind::Other("a number beyond all bounds"),
        },
        DeValue::Boolean(value) => NodeKind::Bool(*value),
        DeValue::String(value) => NodeKind::Text(value.to_string()),
        DeValue::Float(_) => NodeKind::Other("a fraction"),
        DeValue::Datetime(_) => NodeKind::Other("a date"),
        DeValue::Table(table) => NodeKind::Table(from_table(file, table)),
        DeValue::Array(array) => {
            let element = |value: &toml::Spanned<DeValue<'_>>| {
                from_value(file, value.get_ref(), value.span(), Span::new(file, value.span().start, value.span().end))
            };
            NodeKind::Array(array.iter().map(element).collect())
        }
    };
    Node { kind, span, key, used: Used::default() }
}
