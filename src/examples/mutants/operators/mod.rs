//! Operators: what can be wrong about an expression or a statement.
//!
//! Each file has operators of one kind. An operator may propose something that is no sound ruleset any more: what
//! `check` refuses is no mutant.

mod arithmetic;
mod comparisons;
mod conditions;
mod costs;
mod domains;
mod players;
mod quantifiers;
mod statements;

use super::Mutant;
use super::edit::{Edit, Rewrite};
use super::places::{self, Place};
use crate::bind::{Bound, ExprId, Type};
use crate::check::Checked;
use crate::report::{Sources, Span};

/// A ruleset whose mutants are looked for.
pub(super) struct Rules<'r> {
    pub(super) checked: &'r Checked,
    pub(super) sources: &'r Sources,
}

impl Rules<'_> {
    fn bound(&self) -> &Bound {
        &self.checked.bound
    }

    fn ty(&self, id: ExprId) -> &Type {
        self.checked.types.get(id.at()).unwrap_or(&Type::Unknown)
    }

    fn is_player(&self, ty: &Type) -> bool {
        *ty.plain() == Type::Named(self.bound().players.ty)
    }

    /// An expression as it is written.
    fn text(&self, id: ExprId) -> String {
        self.words(self.bound().expr(id).span)
    }

    fn words(&self, span: Span) -> String {
        words(self.sources.slice(span))
    }

    /// An expression as it is written, with other text in place of a part of it.
    fn text_with(&self, id: ExprId, part: Span, other: &str) -> String {
        let whole = self.bound().expr(id).span;
        let before = Span { end: part.start, ..whole };
        let after = Span { start: part.end, ..whole };
        words(&format!("{}{other}{}", self.sources.slice(before), self.sources.slice(after)))
    }

    /// An expression with another operator between its two parts.
    fn with_operator(&self, id: ExprId, (left, right): (ExprId, ExprId), symbol: &str) -> String {
        let (left, right) = (self.bound().expr(left).span, self.bound().expr(right).span);
        self.text_with(id, Span { start: left.end, end: right.start, ..left }, &format!(" {symbol} "))
    }
}

/// A text as a part of a larger one.
fn inner(text: &str) -> String {
    let is_one = !text.contains(' ') || text.starts_with('(') && text.ends_with(')');
    if is_one { text.to_owned() } else { format!("({text})") }
}

/// A text without comments, with one blank between words.
fn words(text: &str) -> String {
    let lines = text.lines().map(|line| line.split_once(" # ").map_or(line, |(line, _)| line));
    lines.flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ")
}

/// Mutants of one place.
struct Found<'f> {
    place: &'f Place,
    span: Span,
    all: &'f mut Vec<Mutant>,
}

impl Found<'_> {
    fn add(&mut self, kind: &'static str, from: &str, to: &str, rewrite: Rewrite) {
        self.at(self.place.id, kind, from, to, rewrite);
    }

    /// The same, where a part of the place is rewritten.
    fn at(&mut self, id: ExprId, kind: &'static str, from: &str, to: &str, rewrite: Rewrite) {
        let (name, change) = (self.place.part.clone(), format!("{from} -> {to}"));
        let edit = Edit::Expr(id, rewrite);
        self.all.push(Mutant { kind, name, change, span: self.span, edit });
    }
}

/// Every mutant of the rules that `check` does not refuse for this setting.
pub(super) fn all(rules: &Rules<'_>, found: &mut Vec<Mutant>) {
    let places = places::all(rules.bound());
    for place in &places.exprs {
        let span = rules.bound().expr(place.id).span;
        let mut found = Found { place, span, all: found };
        for operator in [
            comparisons::mutants,
            conditions::mutants,
            quantifiers::mutants,
            players::mutants,
            arithmetic::mutants,
            domains::mutants,
            costs::mutants,
        ] {
            operator(rules, place, &mut found);
        }
    }
    statements::mutants(rules, &places.steps, found);
}

#[cfg(test)]
mod tests;
