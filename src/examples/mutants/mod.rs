//! Rulesets that are wrong in one place: would an example notice?
//!
//! Numbers are made one larger and one smaller, requirements are dropped, tie rules exchanged, and the operators change
//! expressions and statements. Only sections that evaluate what was changed are played again, and only up to the first
//! that fails.

mod allowed;
mod edit;
mod equivalent;
mod list;
mod numbers;
mod operators;
mod places;
mod trial;

use crate::bind::Type;
use crate::report::Span;

pub use allowed::{CODE, allow};
use edit::Edit;
pub use list::list;
pub use trial::Trial;

/// A ruleset with one change.
#[derive(Debug, Clone)]
pub struct Mutant {
    /// What kind of change: `number`, `comparison`, … as docs/output.md lists them.
    pub kind: &'static str,
    /// What is changed: a number's path, a requirement, a definition, the winner.
    pub name: String,
    /// How: `5 -> 6`, `dropped`, `a > b -> a >= b`.
    pub change: String,
    /// The number or rule.
    pub span: Span,
    edit: Edit,
}

/// What became of a mutant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fate {
    /// An example fails: its heading, and how.
    Example(String, String),
    /// The ruleset is not sound any more: the first fault.
    Check(String),
    /// It is the same ruleset: it compiles to the same programs.
    Equivalent,
    /// Nobody noticed, though so many sections read what was changed.
    Survived(usize),
    /// Nobody noticed, and the author says why.
    Allowed(String),
}

/// The range of whole numbers that a type has.
fn range(ty: &Type) -> Option<(i64, i64)> {
    match ty.plain() {
        Type::Int(low, high) => Some((*low, *high)),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
