//! Examples are cut into sections, each with one position.
//!
//! A position may set the number of players, numbers, options and rulings, so each section is bound
//! together with a ruleset in which they are so decided.

use super::layers::Effective;
use crate::ast::{self, Clause, Fact, File, GivenPart, Item, ItemKind, Name, ValueKind};
use crate::numbers::{Node, NodeKind, Tree, Used};
use crate::report::{Fault, Span, codes, suggest};

/// A part of an example that begins with one position.
#[derive(Debug, Clone)]
pub struct Section<'a> {
    /// The example.
    pub example: &'a ast::Example,
    /// The position's parts, those of named positions first.
    pub parts: Vec<&'a GivenPart>,
    /// What follows.
    pub clauses: Vec<&'a Clause>,
    /// How many play; `None` is the fewest.
    pub players: Option<u32>,
    /// Numbers, options and rulings that the position sets.
    pub settings: Vec<&'a Fact>,
    /// How many of the parts belong to the named position.
    pub shared: usize,
    /// The `given`; the title of an example that has none.
    pub span: Span,
}

impl Section<'_> {
    /// The settings as paths and values of the TOML.
    #[must_use]
    pub fn settings_as_nodes(&self) -> Vec<(String, Node)> {
        self.settings.iter().map(|fact| setting_as_node(fact)).collect()
    }

    /// Lays the section's settings over the numbers.
    #[must_use]
    pub fn numbers(&self, tree: &Tree) -> Tree {
        let mut tree = tree.clone();
        for (path, node) in self.settings_as_nodes() {
            tree.set(&path, node);
        }
        tree
    }
}

/// `weight clubs = 3` → `weight.clubs` and 3.
fn setting_as_node(fact: &Fact) -> (String, Node) {
    let kind = match fact.values.as_slice() {
        [ast::Value { kind: ValueKind::Word(word), .. }] => match (word.parse(), word.as_str()) {
            (Ok(number), _) => NodeKind::Int(number),
            (_, "true") => NodeKind::Bool(true),
            (_, "false") => NodeKind::Bool(false),
            _ => NodeKind::Text(word.clone()),
        },
        _ => NodeKind::Other("several values"),
    };
    let mut path = fact.name.text.clone();
    for index in &fact.indices {
        if let ValueKind::Word(word) = &index.kind {
            path = format!("{path}.{word}");
        }
    }
    (path, Node { kind, span: fact.span, key: fact.name.span, used: Used::default() })
}

/// Cuts all examples into sections.
pub fn sections<'a>(items: &Effective<'a>, files: &'a [File], faults: &mut Vec<Fault>) -> Vec<Section<'a>> {
    let all: Vec<&'a Item> = items.items.iter().copied().chain(files.iter().flat_map(|file| &file.items)).collect();
    let mut positions: Vec<(&'a Name, &'a [GivenPart])> = Vec::new();
    for item in &all {
        if let ItemKind::Given { name, parts } = &item.kind {
            if let Some((first, _)) = positions.iter().find(|(known, _)| known.text == name.text) {
                faults.push(
                    Fault::new(
                        &codes::DUPLICATE_NAME,
                        name.span,
                        format!("the position `{}` is given twice", name.text),
                    )
                    .label("again here")
                    .also(first.span, "first here")
                    .help("rename one of them"),
                );
            }
            positions.push((name, parts));
        }
    }
    for item in files.iter().flat_map(|file| &file.items) {
        if !matches!(item.kind, ItemKind::Given { .. } | ItemKind::Example(_)) {
            faults.push(
                Fault::new(
                    &codes::MISPLACED,
                    super::rules::head_of(item.span),
                    "a file of examples holds `given` and `example` only",
                )
                .label("this belongs into the rules")
                .help("move it into the ruleset's own file"),
            );
        }
    }
    let number_paths: Vec<&str> = all
        .iter()
        .filter_map(|item| match &item.kind {
            ItemKind::Numbers(lines) => Some(lines.iter().flat_map(|line| &line.paths)),
            _ => None,
        })
        .flatten()
        .map(|path| path.text.as_str())
        .collect();
    let cutter = Cutter { positions, number_paths };
    let mut found = Vec::new();
    for item in &all {
        if let ItemKind::Example(example) = &item.kind {
            cutter.cut(example, &mut found, faults);
        }
    }
    // A misspelt position is one fault, not two.
    let misspelt = faults.iter().any(|fault| fault.code.id == codes::UNKNOWN_POSITION.id);
    for (name, _) in cutter.positions.iter().filter(|_| !misspelt) {
        let used = found.iter().any(|section| {
            section
                .example
                .clauses
                .iter()
                .any(|clause| matches!(clause, Clause::Given { base: Some(base), .. } if base.text == name.text))
        });
        if !used {
            faults.push(
                Fault::new(&codes::UNUSED, name.span, format!("the position `{}` is never used", name.text))
                    .label("never used")
                    .help("use it in an example, or delete it"),
            );
        }
    }
    found
}

struct Cutter<'a> {
    positions: Vec<(&'a Name, &'a [GivenPart])>,
    number_paths: Vec<&'a str>,
}

impl<'a> Cutter<'a> {
    fn cut(&self, example: &'a ast::Example, found: &mut Vec<Section<'a>>, faults: &mut Vec<Fault>) {
        let empty = || Section {
            example,
            parts: Vec::new(),
            clauses: Vec::new(),
            players: None,
            settings: Vec::new(),
            shared: 0,
            span: example.title.span,
        };
        let mut current = empty();
        for clause in &example.clauses {
            if let Clause::Given { base, parts, span } = clause {
                if !current.clauses.is_empty() || !current.parts.is_empty() {
                    found.push(std::mem::replace(&mut current, empty()));
                }
                current.span = *span;
                if let Some(base) = base {
                    current.parts.extend(self.position(base, faults));
                    current.shared = current.parts.len();
                }
                current.parts.extend(parts);
                self.settle(&mut current);
            } else if !matches!(clause, Clause::Cite(_) | Clause::Erratum { .. }) {
                current.clauses.push(clause);
            }
        }
        found.push(current);
    }

    fn position(&self, name: &Name, faults: &mut Vec<Fault>) -> &'a [GivenPart] {
        if let Some((_, parts)) = self.positions.iter().find(|(known, _)| known.text == name.text) {
            return parts;
        }
        let known = self.positions.iter().map(|(known, _)| known.text.as_str());
        let near = suggest::did_you_mean(&name.text, known);
        faults.push(
            Fault::new(&codes::UNKNOWN_POSITION, name.span, format!("unknown position `{}`", name.text))
                .label("not given anywhere")
                .help(near.unwrap_or_else(|| format!("give it: `given {} {{ … }}`", name.text))),
        );
        &[]
    }

    fn settle(&self, section: &mut Section<'a>) {
        for part in &section.parts {
            match part {
                GivenPart::Count(count, _) => section.players = u32::try_from(*count).ok(),
                GivenPart::Seats(seats) => section.players = u32::try_from(seats.len()).ok(),
                GivenPart::Facts { subject: None, facts } => {
                    let is_number = |fact: &&Fact| {
                        fact.name.text.contains('.') || self.number_paths.contains(&fact.name.text.as_str())
                    };
                    section.settings.extend(facts.iter().filter(is_number));
                }
                _ => {}
            }
        }
    }
}
