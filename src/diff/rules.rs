//! What differs in the rules, part by part. Layout and comments make no difference.

use super::Side;
use crate::bind;
use crate::examples::record::diff;
use crate::parts::{self, Part};
use crate::report::Span;

/// How a part differs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// Only the new rules have it.
    Added,
    /// Only the old rules have it.
    Removed,
    /// Both have it, and it says something else.
    Changed,
}

impl Change {
    /// In a word.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Removed => "removed",
            Self::Changed => "changed",
        }
    }
}

/// A part of the rules that is not the same in both.
#[derive(Debug, Clone)]
pub struct RuleDifference {
    /// How it differs.
    pub change: Change,
    /// `action`, `requirement`, …
    pub kind: &'static str,
    /// Its name.
    pub name: String,
    /// Where it stands in both.
    pub at: (Option<Span>, Option<Span>),
    /// Its lines: `-` for the old, `+` for the new, a blank for both.
    pub lines: Vec<String>,
}

/// All of them: in the order of the old rules, what is new last.
pub(super) fn compare(old: &Side, new: &Side) -> Vec<RuleDifference> {
    let cut = |side: &Side| parts::cut(&bind::effective(&side.rules.loaded.layers, &mut Vec::new()));
    let (before, after) = (cut(old), cut(new));
    let same = |a: &Part, b: &Part| a.kind == b.kind && a.name == b.name;
    let lines =
        |side: &Side, part: Option<&Part>| part.map_or_else(Vec::new, |part| part.lines(&side.rules.loaded.sources));
    let difference = |change, a: Option<&Part>, b: Option<&Part>| {
        let part = a.or(b)?;
        Some(RuleDifference {
            change,
            kind: part.kind,
            name: part.name.clone(),
            at: (a.map(|part| part.span), b.map(|part| part.span)),
            lines: diff(&lines(old, a), &lines(new, b)),
        })
    };
    let mut found = Vec::new();
    for a in &before {
        match after.iter().find(|b| same(a, b)) {
            Some(b) if a.meaning == b.meaning => {}
            Some(b) => found.extend(difference(Change::Changed, Some(a), Some(b))),
            None if belongs_to_action(a) && !has_action(&after, a) => {}
            None => found.extend(difference(Change::Removed, Some(a), None)),
        }
    }
    for b in after.iter().filter(|b| !before.iter().any(|a| same(a, b))) {
        if !belongs_to_action(b) || has_action(&before, b) {
            found.extend(difference(Change::Added, None, Some(b)));
        }
    }
    found
}

/// Does it come and go with an action?
fn belongs_to_action(part: &Part) -> bool {
    matches!(part.kind, "requirement" | "cost")
}

fn has_action(parts: &[Part], part: &Part) -> bool {
    let action = part.name.split('.').next().unwrap_or("");
    parts.iter().any(|known| known.kind == "action" && known.name == action)
}
