//! What a change of the rules does to games that were played before it.

use std::sync::Arc;

use super::finding::Finding;
use super::head::Head;
use super::judged::{Judged, Strictness};
use super::rules::{Failed, Rules, Shelf};
use super::run::Game;
use super::single::judge_one;
use crate::report::{FileId, Sources, codes};

/// What the new rules change about a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Effect {
    /// An entry, or what is claimed, is legal by the old rules only.
    Illegal,
    /// The same entries come to other scores or winners, or end the game by one of both only.
    Outcome,
    /// All of it is legal by the new rules only.
    NewlyLegal,
    /// Nothing.
    Unaffected,
    /// It is illegal by both.
    IllegalByBoth,
    /// It cannot be judged by one of both.
    NoVerdict,
}

impl Effect {
    /// All of them, in the order in which they are told.
    pub const ALL: [Self; 6] =
        [Self::Illegal, Self::Outcome, Self::NewlyLegal, Self::IllegalByBoth, Self::NoVerdict, Self::Unaffected];

    /// In a word, for programs.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Illegal => "illegal",
            Self::Outcome => "outcome",
            Self::NewlyLegal => "newly-legal",
            Self::Unaffected => "unaffected",
            Self::IllegalByBoth => "illegal-by-both",
            Self::NoVerdict => "no-verdict",
        }
    }

    /// Do the new rules change anything?
    #[must_use]
    pub fn is_affected(self) -> bool {
        matches!(self, Self::Illegal | Self::Outcome | Self::NewlyLegal)
    }
}

/// A game that was judged by old rules, judged by new ones.
#[derive(Debug)]
pub struct Impact {
    /// What is different.
    pub effect: Effect,
    /// What came of it by the new rules.
    pub new: Judged,
    /// Names of the seats.
    pub seats: Vec<String>,
    rules: Option<Arc<Rules>>,
    failed: Option<Arc<Failed>>,
}

impl Impact {
    /// Judges a game by the rules on this shelf, and compares.
    #[must_use]
    pub fn of(game: &Game<'_>, shelf: &Shelf, strictness: Strictness) -> Self {
        let mut impact =
            Self { effect: Effect::NoVerdict, new: Judged::default(), seats: Vec::new(), rules: None, failed: None };
        // If the head cannot be read, the old rules have said so.
        let Ok(head) = Head::read(game.text, game.form, FileId::default()) else { return impact };
        impact.seats = head.log().seats.iter().map(|seat| seat.name.clone()).collect();
        match shelf.rules(head.log(), game.path) {
            Ok(rules) => {
                impact.new = judge_one(&rules, game.text, game.form, strictness);
                impact.rules = Some(rules);
                impact.effect = compare(game.judged, &impact.new);
            }
            Err(failed) => {
                impact.new.faults.clone_from(&failed.faults);
                impact.failed = Some(failed);
            }
        }
        impact
    }

    /// The texts of the new rules, and the game's.
    #[must_use]
    pub fn sources(&self, game: &Game<'_>) -> Sources {
        if let Some(failed) = &self.failed {
            return failed.sources(game.origin(), game.text);
        }
        let mut sources = self.rules.as_ref().map(|rules| rules.loaded.sources.clone()).unwrap_or_default();
        sources.add_part(game.file, game.text, game.line);
        sources
    }
}

/// What is different.
fn compare(old: &Judged, new: &Judged) -> Effect {
    let cannot = |judged: &Judged| !judged.faults.is_empty() || judged.findings.iter().any(is_another);
    if cannot(old) || cannot(new) {
        return Effect::NoVerdict;
    }
    match (old.fault(), new.fault()) {
        (None, None) if old.outcome == new.outcome => Effect::Unaffected,
        (None, None) => Effect::Outcome,
        (None, Some(finding)) if is_result(finding) && new.outcome.is_some() => Effect::Outcome,
        (None, Some(_)) => Effect::Illegal,
        (Some(_), None) => Effect::NewlyLegal,
        (Some(_), Some(_)) => Effect::IllegalByBoth,
    }
}

/// Is it no log that these rules could judge?
fn is_another(finding: &Finding) -> bool {
    [codes::WRONG_GAME.id, codes::UNKNOWN_VERSION.id].contains(&finding.code.id)
}

/// Is it the result that does not follow?
fn is_result(finding: &Finding) -> bool {
    finding.code.id == codes::BOOKKEEPING.id && finding.entry == "result"
}

#[cfg(test)]
mod tests;
