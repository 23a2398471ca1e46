//! What the examples of a ruleset show of its rules, and what none of them ever shows.
//!
//! Every part is told by its place in the rules, so that it is the same part in every setting. What no
//! setting of the ruleset has is not counted.

mod items;

use std::collections::HashSet;

use super::suite::{Played, Suite};
use crate::check::{Allowed, allowed};
use crate::evaluate::Seen;
use crate::report::Span;

/// The code that a comment allows: `# allow test::coverage: reason`.
pub const CODE: &str = "test::coverage";

/// Something that an example can show.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Key {
    /// Something that happens.
    Seen(Seen),
    /// A ruling and one of its values.
    Reading(String, String),
}

/// A part of the rules, and whether an example shows it.
#[derive(Debug, Clone)]
pub struct Item {
    /// `requirement`, `action`, `cost`, `award`, `ruling` or `flow`
    pub kind: &'static str,
    /// What it is: `place.empty fails alone`.
    pub what: String,
    /// Its place in the rules.
    pub span: Span,
    /// An example shows it.
    pub exercised: bool,
    /// Why it need not be shown.
    pub exempt: Option<String>,
}

/// All parts of a ruleset.
#[derive(Debug, Clone, Default)]
pub struct Coverage {
    /// By place.
    pub items: Vec<Item>,
    /// Comments that exempt nothing.
    pub idle: Vec<Span>,
}

impl Coverage {
    /// What the examples that were played show. They must have been traced.
    #[must_use]
    pub fn of(suite: &Suite<'_>, played: &[Played]) -> Self {
        let readings: HashSet<&(String, String)> = played.iter().flat_map(|played| &played.readings).collect();
        let seen = |key: &Key| match key {
            Key::Seen(seen) => played.iter().any(|played| played.trace.seen.contains(seen)),
            Key::Reading(name, value) => readings.contains(&(name.clone(), value.clone())),
        };
        let sources = &suite.loaded.sources;
        let line = |span: Span| sources.get(span.file).map_or(0, |source| source.line_of(span.start));
        let mut allowances: Vec<(Allowed, bool)> =
            allowed(suite.loaded, CODE).into_iter().map(|allowed| (allowed, false)).collect();
        let mut items = Vec::new();
        for (key, mut item) in items::all(suite) {
            item.exercised = seen(&key);
            if !item.exercised {
                let speaks_of = |(allowed, _): &&mut (Allowed, bool)| {
                    allowed.file == item.span.file && allowed.line == line(item.span)
                };
                if let Some((allowed, used)) = allowances.iter_mut().find(speaks_of) {
                    *used = true;
                    item.exempt = Some(allowed.reason.clone());
                }
            }
            items.push(item);
        }
        let idle = allowances.into_iter().filter(|(allowed, used)| !used && suite.loaded.is_own(allowed.file));
        Self { items, idle: idle.map(|(allowed, _)| allowed.span).collect() }
    }

    /// How many are counted: all but those that are exempt.
    #[must_use]
    pub fn counted(&self) -> usize {
        self.items.iter().filter(|item| item.exempt.is_none()).count()
    }

    /// How many are shown.
    #[must_use]
    pub fn exercised(&self) -> usize {
        self.items.iter().filter(|item| item.exercised).count()
    }

    /// In hundredths, rounded down; all of nothing is all.
    #[must_use]
    pub fn percent(&self) -> usize {
        (self.exercised() * 100).checked_div(self.counted()).unwrap_or(100)
    }
}
