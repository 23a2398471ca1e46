//! A ruleset, cut into its named parts: what two rulesets are compared by, and what can depend on a number.
//!
//! An action is several parts: each of its requirements, its costs, and the rest. What a part means is its tree
//! without places, so that layout and comments make no difference.

mod changed;
mod uses;

pub use changed::{Changed, changed_for, named as named_changes};
pub use uses::{Use, exercised, reads, uses};

use crate::ast::{self, Action, File, Item, ItemKind, Name, Requirement, StateLine, Text};
use crate::bind::Effective;
use crate::report::{Sources, Span};

/// A named part of the rules.
#[derive(Debug, Clone)]
pub struct Part {
    /// `action`, `requirement`, `cost`, `award`, `def`, `phase`, `state`, …
    pub kind: &'static str,
    /// Its name: `move.empty` for a requirement.
    pub name: String,
    /// What it says, as a tree without places.
    pub meaning: String,
    /// Where it stands.
    pub span: Span,
    /// What stands there and is a part of its own.
    without: Vec<Span>,
    /// The name of the action that it belongs to, if it is a cost or a requirement.
    of: Option<Span>,
}

impl Part {
    /// What to call it: `requirement move.empty`, `flow`.
    #[must_use]
    pub fn title(&self) -> String {
        title(self.kind, &self.name)
    }

    /// Its lines without comments and layout.
    #[must_use]
    pub fn lines(&self, sources: &Sources) -> Vec<String> {
        let text = sources.slice(self.span);
        let hidden = |at: usize| {
            let at = self.span.start as usize + at;
            self.without.iter().any(|span| span.file == self.span.file && span.range().contains(&at))
        };
        let shown: String = text.char_indices().filter(|(at, c)| *c == '\n' || !hidden(*at)).map(|(_, c)| c).collect();
        // That it replaces something is no part of what it says.
        let shown = shown.strip_prefix("replace ").unwrap_or(&shown);
        let bare = |line: &str| without_comment(line).split_whitespace().collect::<Vec<_>>().join(" ");
        shown.lines().map(bare).filter(|line| !line.is_empty()).collect()
    }

    /// Does it hold this place?
    #[must_use]
    pub fn holds(&self, span: Span) -> bool {
        let within = |outer: Span| outer.file == span.file && outer.start <= span.start && span.end <= outer.end;
        within(self.span) && !self.without.iter().any(|inner| within(*inner))
    }
}

/// A kind of part with its name; what there is only one of has no other name.
#[must_use]
pub fn title(kind: &str, name: &str) -> String {
    if kind == name { kind.to_owned() } else { format!("{kind} {name}") }
}

/// A line up to its comment; `#` in a text begins none.
fn without_comment(line: &str) -> &str {
    let (mut in_text, mut escaped) = (false, false);
    for (at, c) in line.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' if in_text => escaped = true,
            '"' => in_text = !in_text,
            '#' if !in_text => return line.get(..at).unwrap_or(line),
            _ => {}
        }
    }
    line
}

/// The parts that are in force, in order. Numbers and examples are none of them.
#[must_use]
pub fn cut(items: &Effective<'_>) -> Vec<Part> {
    let mut parts = Vec::new();
    for item in &items.items {
        match &item.kind {
            ItemKind::Action(action) => action_parts(items, item, action, &mut parts),
            ItemKind::State { per_turn, guard, lines } => {
                for line in lines {
                    let kind = ItemKind::State { per_turn: *per_turn, guard: guard.clone(), lines: vec![line.clone()] };
                    let name = line.name.text.clone();
                    parts.push(part("state", name, &kind, state_span(line)));
                }
            }
            kind => {
                if let Some((word, name)) = named(kind) {
                    parts.push(part(word, name, kind, item.span));
                }
            }
        }
    }
    // Several views, or scores with guards that read alike.
    for at in 0..parts.len() {
        let same = |known: &&Part| parts.get(at).is_some_and(|one| one.kind == known.kind && one.name == known.name);
        let before = parts.iter().take(at).filter(same).count();
        if before > 0
            && let Some(one) = parts.get_mut(at)
        {
            one.name += &format!(" ({})", before + 1);
        }
    }
    parts
}

fn part(kind: &'static str, name: String, item: &ItemKind, span: Span) -> Part {
    Part { kind, name, meaning: meaning(item), span, without: Vec::new(), of: None }
}

fn meaning(kind: &ItemKind) -> String {
    let kind = match kind {
        // A copy of a game may have another name.
        ItemKind::Game { title, .. } => {
            let name = Name { text: String::new(), span: Span::default() };
            ItemKind::Game { name, title: title.clone() }
        }
        kind => kind.clone(),
    };
    // Words for people that the tree as text leaves out.
    let words: String = match &kind {
        ItemKind::Invariant { phrase, .. } => phrase.iter().map(Text::plain).collect(),
        ItemKind::Award(award) => award.texts.iter().map(Text::plain).collect(),
        ItemKind::Regions(regions) => regions.title.iter().map(Text::plain).collect(),
        ItemKind::Table { columns, .. } => {
            columns.iter().filter_map(|column| column.unit.as_ref()).map(Text::plain).collect()
        }
        _ => String::new(),
    };
    let item = Item { kind, replaces: false, span: Span::default() };
    ast::dump(&File { items: vec![item], broken: Vec::new() }) + &words
}

/// What an item is called, if it is a part by itself.
fn named(kind: &ItemKind) -> Option<(&'static str, String)> {
    let guarded = |word: &str, guard: &Option<ast::Expr>| {
        guard.as_ref().map_or_else(|| word.to_owned(), |guard| format!("if {}", ast::dump_expr(guard)))
    };
    Some(match kind {
        ItemKind::Game { .. } => ("title", "game".to_owned()),
        ItemKind::Variant { name, .. } => ("title", format!("variant {}", name.text)),
        ItemKind::Players { .. } => ("players", "players".to_owned()),
        ItemKind::Board { name, .. } => ("board", name.text.clone()),
        ItemKind::Type { name, .. } => ("type", name.text.clone()),
        ItemKind::Table { name, .. } => ("table", name.text.clone()),
        ItemKind::Regions(regions) => ("regions", regions.name.text.clone()),
        ItemKind::Def { name, .. } => ("def", name.text.clone()),
        ItemKind::Ruling { name, .. } => ("ruling", name.text.clone()),
        ItemKind::Award(award) => ("award", award.name.text.clone()),
        ItemKind::Score { guard, .. } => ("score", guarded("score", guard)),
        ItemKind::Winner { guard, .. } => ("winner", guarded("winner", guard)),
        ItemKind::Invariant { name, .. } => ("invariant", name.text.clone()),
        ItemKind::View { params, .. } => {
            let of = params.first().map_or_else(|| "panels".to_owned(), |param| ast::dump_type(&param.ty));
            ("view", of)
        }
        ItemKind::Flow(_) => ("flow", "flow".to_owned()),
        ItemKind::Phase { name, .. } => ("phase", name.text.clone()),
        ItemKind::NumbersFile(_)
        | ItemKind::Numbers(_)
        | ItemKind::State { .. }
        | ItemKind::Action(_)
        | ItemKind::Require { .. }
        | ItemKind::Given { .. }
        | ItemKind::Example(_) => return None,
    })
}

/// The action itself, what it costs, and each of its requirements: the one in force.
fn action_parts(items: &Effective<'_>, item: &Item, action: &Action, parts: &mut Vec<Part>) {
    let costs = cost_span(action);
    let rest = Action { costs: Vec::new(), requirements: Vec::new(), ..action.clone() };
    let without = action.requirements.iter().map(|requirement| requirement.span).chain(costs).collect();
    let whole = part("action", action.name.text.clone(), &ItemKind::Action(rest), item.span);
    parts.push(Part { without, ..whole });
    if let Some(span) = costs {
        let name = Name { span: Span::default(), ..action.name.clone() };
        let only = Action {
            name,
            params: Vec::new(),
            texts: Vec::new(),
            cites: Vec::new(),
            costs: action.costs.clone(),
            requirements: Vec::new(),
            effect: ast::Block { statements: Vec::new(), span: Span::default() },
        };
        let cost = part("cost", action.name.text.clone(), &ItemKind::Action(only), span);
        parts.push(Part { of: Some(action.name.span), ..cost });
    }
    for own in &action.requirements {
        let replaced = |(of, by): &&(&Name, &Requirement)| of.text == action.name.text && by.name.text == own.name.text;
        let requirement = items.requirements.iter().rev().find(replaced).map_or(own, |(_, by)| *by);
        let kind = ItemKind::Require { action: action.name.clone(), requirement: requirement.clone() };
        let name = format!("{}.{}", action.name.text, own.name.text);
        parts.push(Part { of: Some(action.name.span), ..part("requirement", name, &kind, requirement.span) });
    }
}

/// From the first place that is paid from to the last amount.
fn cost_span(action: &Action) -> Option<Span> {
    let (first, last) = (action.costs.first()?, action.costs.last()?);
    let end = match &last.each {
        None => last.amount.span,
        Some(each) => each.condition.as_ref().map_or(domain_span(each), |condition| condition.span),
    };
    Some(first.place.span.to(end))
}

fn domain_span(bind: &ast::Bind) -> Span {
    match &bind.domain {
        ast::Domain::In(domain) | ast::Domain::Clockwise(domain) => domain.span,
    }
}

fn state_span(line: &StateLine) -> Span {
    let last = line.seen_by.as_ref().or(line.init.as_ref()).map_or(line.ty.span, |expr| expr.span);
    line.name.span.to(last)
}

#[cfg(test)]
mod tests;
