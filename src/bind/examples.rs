//! Examples: cut into sections by their positions, then bound one by one.
//!
//! A position may set the number of players, numbers, options and rulings, so each section is bound
//! together with a ruleset in which they are so decided.

use super::binder::Binder;
use super::layers::Effective;
use super::model::{Entry, Example, Expr, ExprId, Position, StateId, Step, ViewPart};
use super::statements::Place;
use super::types::{Type, TypeKind};
use super::value::Value;
use crate::ast::{self, BinaryOp, Clause, Expectation, Fact, File, GivenPart, Item, ItemKind, Name, ValueKind};
use crate::numbers::{Node, NodeKind, Tree, Used};
use crate::report::{Fault, codes, suggest};

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
}

impl Section<'_> {
    /// Lays the section's settings over the numbers.
    #[must_use]
    pub fn numbers(&self, tree: &Tree) -> Tree {
        let mut tree = tree.clone();
        for fact in &self.settings {
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
            tree.set(&path, Node { kind, span: fact.span, key: fact.name.span, used: Used::default() });
        }
        tree
    }
}

/// Cuts all examples into sections.
pub fn sections<'a>(items: &Effective<'a>, files: &'a [File], faults: &mut Vec<Fault>) -> Vec<Section<'a>> {
    let all: Vec<&'a Item> = items.items.iter().copied().chain(files.iter().flat_map(|file| &file.items)).collect();
    let mut positions: Vec<(&'a Name, &'a [GivenPart])> = Vec::new();
    for item in &all {
        if let ItemKind::Given { name, parts } = &item.kind {
            if let Some((first, _)) = positions.iter().find(|(known, _)| known.text == name.text) {
                faults.push(
                    Fault::new(&codes::DUPLICATE_NAME, name.span, format!("the position `{}` is given twice", name.text))
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
                Fault::new(&codes::MISPLACED, super::rules::head_of(item.span), "a file of examples holds `given` and `example` only")
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
    found
}

struct Cutter<'a> {
    positions: Vec<(&'a Name, &'a [GivenPart])>,
    number_paths: Vec<&'a str>,
}

impl<'a> Cutter<'a> {
    fn cut(&self, example: &'a ast::Example, found: &mut Vec<Section<'a>>, faults: &mut Vec<Fault>) {
        let empty = || Section { example, parts: Vec::new(), clauses: Vec::new(), players: None, settings: Vec::new() };
        let mut current = empty();
        for clause in &example.clauses {
            if let Clause::Given { base, parts, .. } = clause {
                if !current.clauses.is_empty() || !current.parts.is_empty() {
                    found.push(std::mem::replace(&mut current, empty()));
                }
                if let Some(base) = base {
                    current.parts.extend(self.position(base, faults));
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

impl Binder<'_> {
    /// Binds sections that share this choice.
    pub(super) fn bind_examples(&mut self, sections: &[&Section<'_>]) {
        self.in_example = true;
        for section in sections {
            self.scope.clear();
            self.section(section);
        }
        self.in_example = false;
    }

    fn section(&mut self, section: &Section<'_>) {
        self.seats = self.section_seats(section);
        let example = section.example;
        let mut cites = Vec::new();
        let mut errata = Vec::new();
        for clause in &example.clauses {
            match clause {
                Clause::Cite(written) => cites.extend(self.citations(written)),
                Clause::Erratum { source, page, texts, .. } => {
                    let citation = self.citation(source, *page, texts.first());
                    let words: Vec<String> = texts.iter().skip(1).map(ast::Text::plain).collect();
                    errata.extend(citation.map(|citation| format!("{citation}: {}", words.join(" "))));
                }
                _ => {}
            }
        }
        let mut steps = vec![Step::Given(self.position(&section.parts, &section.settings))];
        for (at, clause) in section.clauses.iter().enumerate() {
            match clause {
                Clause::When(entries, span) => {
                    steps.push(Step::When(self.entries(entries, *span, section.clauses.get(at + 1).copied())));
                }
                Clause::Instead(entries, span) => {
                    steps.push(Step::Instead(self.entries(entries, *span, section.clauses.get(at + 1).copied())));
                }
                Clause::Then(expectations) => {
                    for expectation in expectations {
                        steps.extend(match expectation {
                            Expectation::Refused(name) => self.refusal(name).map(Step::Refused),
                            Expectation::Holds(expr) => Some(Step::Holds(self.expr(expr))),
                        });
                    }
                }
                _ => {}
            }
        }
        self.bound.examples.push(Example {
            rows: example.rows.iter().map(|row| row.text.clone()).collect(),
            title: example.title.plain(),
            cites,
            errata,
            steps,
            span: example.title.span,
        });
    }

    fn section_seats(&mut self, section: &Section<'_>) -> Vec<String> {
        let mut seats = self.bound.types.member_names(self.bound.players.ty);
        for part in &section.parts {
            match part {
                GivenPart::Seats(names) => {
                    seats = names.iter().map(|name| name.text.clone()).collect();
                    let count = u32::try_from(names.len()).unwrap_or(u32::MAX);
                    self.player_count(count, names.first().map(|name| name.span));
                }
                GivenPart::Count(count, span) => self.player_count(u32::try_from(*count).unwrap_or(u32::MAX), Some(*span)),
                _ => {}
            }
        }
        seats
    }

    fn player_count(&mut self, count: u32, span: Option<crate::report::Span>) {
        let (fewest, most) = (self.bound.players.fewest, self.bound.players.most);
        if !(fewest..=most).contains(&count) {
            self.fault(
                Fault::new(&codes::PLAYER_COUNT, span.unwrap_or_default(), format!("{count} cannot play this game"))
                    .label(format!("{fewest} to {most} can"))
                    .help("name as many seats as the rules allow"),
            );
        }
    }

    fn position(&mut self, parts: &[&GivenPart], settings: &[&Fact]) -> Position {
        let mut position = Position::default();
        for part in parts {
            match part {
                GivenPart::Flow(block) => position.flow = Some(self.block(block, Place::Flow)),
                GivenPart::Facts { subject, facts } => {
                    for fact in facts {
                        if !settings.iter().any(|known| std::ptr::eq(*known, fact)) {
                            position.facts.extend(self.state_fact(fact, subject.as_ref()));
                        }
                    }
                }
                GivenPart::Picture { board, rows } => position.facts.extend(self.picture(board, rows)),
                GivenPart::Count(..) | GivenPart::Seats(_) => {}
            }
        }
        position
    }

    fn entries(&mut self, entries: &[ast::Entry], span: crate::report::Span, next: Option<&Clause>) -> Vec<Entry> {
        let expected: Vec<&str> = match next {
            Some(Clause::Then(expectations)) => expectations
                .iter()
                .filter_map(|expectation| match expectation {
                    Expectation::Refused(name) => Some(name.text.as_str()),
                    Expectation::Holds(_) => None,
                })
                .collect(),
            _ => Vec::new(),
        };
        let mut bound = Vec::new();
        for (at, entry) in entries.iter().enumerate() {
            let read = match entry {
                ast::Entry::Chance(fact) => self.chance_entry(fact),
                ast::Entry::Move { words, span } => self.move_entry(words, *span).map(|entry| vec![entry]),
            };
            match read {
                Ok(entries) => bound.extend(entries),
                // An example may show that something is no entry at all.
                Err(bad) if at + 1 == entries.len() && expected.contains(&bad.verdict) => {
                    bound.push(Entry::Unreadable { verdict: bad.verdict });
                }
                Err(bad) => self.fault(bad.fault),
            }
        }
        if bound.is_empty() && entries.is_empty() {
            self.fault(Fault::new(&codes::BAD_ENTRY, span, "nothing is entered here").label("empty").help("write an entry"));
        }
        bound
    }

    /// A picture: the signs of the view's text, read backwards.
    fn picture(&mut self, board: &Name, rows: &[ast::Text]) -> Vec<(StateId, Vec<Value>, Value)> {
        let Type::Named(id) = self.type_named(board) else { return Vec::new() };
        let TypeKind::Cells(shape) = &self.bound.types.get(id).kind else { return Vec::new() };
        let (width, height) = (shape.width(), shape.height());
        let signs = self.signs(id);
        if signs.is_empty() {
            self.fault(
                Fault::new(&codes::PICTURE, board.span, format!("the view of `{}` has no signs to read", board.text))
                    .label("cannot be read as a picture")
                    .help("its `text` parts must be signs with conditions: `\"x\" where disc[c] is black`"),
            );
            return Vec::new();
        }
        let mut facts = Vec::new();
        if rows.len() != height {
            self.picture_size(board.span, height, rows.len(), "rows");
        }
        for (row, line) in rows.iter().enumerate().take(height) {
            let text = line.plain();
            let cells: Vec<&str> = text.split_whitespace().collect();
            if cells.len() != width {
                self.picture_size(line.span, width, cells.len(), "signs");
            }
            for (column, sign) in cells.iter().enumerate().take(width) {
                let cell = Value::Member(id, u32::try_from((height - 1 - row) * width + column).unwrap_or(0));
                match signs.iter().find(|(known, _)| known == sign) {
                    Some((_, meaning)) => {
                        facts.extend(meaning.iter().map(|(state, value)| (*state, vec![cell.clone()], value.clone())));
                    }
                    None => {
                        let known: Vec<String> = signs.iter().map(|(sign, _)| sign.clone()).collect();
                        let message = format!("the view knows no sign `{sign}`");
                        let way_out = format!("its signs: {}", known.join(" "));
                        self.misspelt(&codes::PICTURE, sign, line.span, message, &[], &way_out);
                    }
                }
            }
        }
        facts
    }

    fn picture_size(&mut self, span: crate::report::Span, wanted: usize, found: usize, what: &str) {
        self.fault(
            Fault::new(&codes::PICTURE, span, format!("the board has {wanted} {what}, the picture {found}"))
                .label(format!("{found} here"))
                .help("signs are separated by blanks, the top row comes first"),
        );
    }

    /// What each sign of a board's view says about a cell.
    fn signs(&self, board: super::types::TypeId) -> Vec<(String, Vec<(StateId, Value)>)> {
        let of_board = |view: &&super::model::View| self.bound.local(view.param).ty == Some(Type::Named(board));
        let mut signs = Vec::new();
        for view in self.bound.views.iter().filter(of_board) {
            for slot in view.slots.iter().filter(|slot| slot.word == "text" && slot.each.is_none()) {
                for (part, condition) in &slot.parts {
                    if let (ViewPart::Text(phrase), Some(condition)) = (part, condition)
                        && let [super::model::PhrasePart::Words(sign)] = phrase.parts.as_slice()
                    {
                        let mut meaning = Vec::new();
                        if self.meaning(*condition, &mut meaning).is_some() {
                            signs.push((sign.clone(), meaning));
                        }
                    }
                }
            }
        }
        signs
    }

    /// `PLACE is VALUE`, several joined by `and`.
    fn meaning(&self, condition: ExprId, out: &mut Vec<(StateId, Value)>) -> Option<()> {
        match &self.bound.expr(condition).kind {
            Expr::Binary(BinaryOp::And, left, right) => {
                self.meaning(*left, out)?;
                self.meaning(*right, out)
            }
            Expr::Binary(BinaryOp::Is, place, value) => {
                let Expr::Index(base, _) = self.bound.expr(*place).kind else { return None };
                let Expr::State(state) = self.bound.expr(base).kind else { return None };
                let plain = self.bound.state(state).ty.plain();
                let value = match &self.bound.expr(*value).kind {
                    Expr::None => Value::None,
                    Expr::Int(value) => Value::Int(*value),
                    Expr::Bool(value) => Value::Bool(*value),
                    Expr::Member(candidates) => {
                        let &(id, at) = candidates.iter().find(|(id, _)| plain == &Type::Named(*id))?;
                        Value::Member(id, at)
                    }
                    _ => return None,
                };
                out.push((state, value));
                Some(())
            }
            _ => None,
        }
    }
}
