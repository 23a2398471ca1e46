//! Two games side by side, one by each ruleset, with the same entries: what differs where they stand?

use super::half::{Entered, Half};
use crate::bind::Bound;
use crate::evaluate::{State, Try};
use crate::play::seat_names;

/// Of so many entries of an action it is asked why they are refused, at each position.
const EXAMINED: usize = 4;

/// How an entry differs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Legal by the old rules only.
    Illegal,
    /// Legal by the new rules only.
    Legal,
    /// It costs more.
    Dearer,
    /// It costs less.
    Cheaper,
    /// It leads to other scores.
    Scored,
    /// It ends the game with other winners.
    Winner,
    /// It does something else, though both games stood alike.
    Effect,
}

impl Kind {
    /// In a word, for programs.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Illegal => "newly-illegal",
            Self::Legal => "newly-legal",
            Self::Dearer => "dearer",
            Self::Cheaper => "cheaper",
            Self::Scored => "scored-otherwise",
            Self::Winner => "another-winner",
            Self::Effect => "another-effect",
        }
    }
}

/// Differences that are told together.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Group {
    /// How it differs.
    pub kind: Kind,
    /// The action, `pass`, or what chance decides.
    pub action: String,
    /// The rule that refuses it by the other ruleset; the state that is another, of an effect.
    pub rule: String,
}

/// A value that is another by the new rules.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Detail {
    /// As a log claims it: `paid`, `score ana`, `purse ana`.
    pub what: String,
    /// By the old rules.
    pub old: String,
    /// By the new rules.
    pub new: String,
}

/// A difference at one position.
#[derive(Debug, Clone)]
pub(super) struct Difference {
    pub(super) group: Group,
    /// The entry that shows it.
    pub(super) text: String,
    pub(super) details: Vec<Detail>,
}

/// Two games.
pub(super) struct Pair<'r> {
    pub(super) old: Half<'r>,
    pub(super) new: Half<'r>,
    /// Of the old rules, the state of the new rules that has the same name.
    same: Vec<Option<usize>>,
}

/// What a position gives.
pub(super) struct Compared {
    pub(super) differences: Vec<Difference>,
    /// Entries that both allow.
    pub(super) common: Vec<(Entered, Entered)>,
}

impl<'r> Pair<'r> {
    pub(super) fn new(old: Half<'r>, new: Half<'r>) -> Self {
        let name = |name: &str| new.bound().states.iter().position(|state| state.name == name);
        let same = old.bound().states.iter().map(|state| name(&state.name)).collect();
        Self { old, new, same }
    }

    /// Compares everything that can be entered, or one action only.
    pub(super) fn compare(&mut self, only: Option<&str>) -> Try<Compared> {
        let before = (self.old.scores()?, self.new.scores()?);
        let wanted = |all: Vec<Entered>| -> Vec<Entered> {
            all.into_iter().filter(|one| only.is_none_or(|only| one.action == only)).collect()
        };
        let (old, new) = (wanted(self.old.all()?), wanted(self.new.all()?));
        let mut compared = Compared { differences: Vec::new(), common: Vec::new() };
        let (mut gone, mut come) = (Vec::new(), Vec::new());
        let (mut left, mut right) = (old.into_iter().peekable(), new.into_iter().peekable());
        loop {
            match (left.peek(), right.peek()) {
                (Some(a), Some(b)) if a.text == b.text => {
                    if let (Some(a), Some(b)) = (left.next(), right.next()) {
                        compared.differences.extend(self.between(&a, &b, &before));
                        compared.common.push((a, b));
                    }
                }
                (Some(a), Some(b)) if a.text > b.text => come.extend(right.next()),
                (Some(_), _) => gone.extend(left.next()),
                (None, Some(_)) => come.extend(right.next()),
                (None, None) => break,
            }
        }
        for entered in some_of_each(gone) {
            let rule = self.new.refusal(&entered.text)?;
            compared.differences.extend(refused(Kind::Illegal, entered, rule));
        }
        for entered in some_of_each(come) {
            let rule = self.old.refusal(&entered.text)?;
            compared.differences.extend(refused(Kind::Legal, entered, rule));
        }
        Ok(compared)
    }

    /// What differs about an entry that both allow.
    fn between(&self, a: &Entered, b: &Entered, (old, new): &(Vec<i64>, Vec<i64>)) -> Vec<Difference> {
        let mut found = Vec::new();
        let mut add = |kind, details| {
            let group = Group { kind, action: a.action.clone(), rule: String::new() };
            found.push(Difference { group, text: a.text.clone(), details });
        };
        if a.paid != b.paid {
            let kind = if b.paid > a.paid { Kind::Dearer } else { Kind::Cheaper };
            let detail = Detail { what: "paid".to_owned(), old: a.paid.to_string(), new: b.paid.to_string() };
            add(kind, vec![detail]);
        }
        // What was another before is told already.
        let seats = seat_names(self.old.bound());
        let agreed = old.iter().zip(new).map(|(old, new)| old == new);
        let after = a.scores.iter().zip(&b.scores);
        let scores = seats.iter().zip(after.zip(agreed)).filter(|(_, ((a, b), agreed))| *agreed && a != b);
        let details: Vec<Detail> = scores
            .map(|(seat, ((a, b), _))| Detail { what: format!("score {seat}"), old: a.to_string(), new: b.to_string() })
            .collect();
        let scored = !details.is_empty();
        if scored {
            add(Kind::Scored, details);
        }
        if let (Some(old), Some(new)) = (&a.winners, &b.winners)
            && old != new
            && !scored
        {
            let shown = |winners: &[u32]| {
                let names = winners.iter().filter_map(|seat| seats.get(*seat as usize)).map(String::as_str);
                let names: Vec<&str> = names.collect();
                if names.is_empty() { "none".to_owned() } else { names.join(", ") }
            };
            add(Kind::Winner, vec![Detail { what: "winner".to_owned(), old: shown(old), new: shown(new) }]);
        }
        found
    }

    /// The first element that both rulesets have and that is another: the state's name, and the element.
    pub(super) fn other_state(&self) -> Option<(String, Detail)> {
        let (old, new) = (self.old.state(), self.new.state());
        let (a, b) = (self.old.bound(), self.new.bound());
        for (at, same) in self.same.iter().enumerate() {
            let (Some(state), Some(same)) = (a.states.get(at), *same) else { continue };
            let (before, after) = (elements(a, &old, at), elements(b, &new, same));
            if before.len() != after.len() {
                continue;
            }
            if let Some((nth, (old, new))) = before.zip(after).enumerate().find(|(_, (old, new))| old != new) {
                let names = a.types.index_names(&state.indices, nth);
                let what = std::iter::once(state.name.clone()).chain(names).collect::<Vec<_>>().join(" ");
                return Some((state.name.clone(), Detail { what, old, new }));
            }
        }
        None
    }
}

fn elements<'s>(bound: &'s Bound, state: &'s State, at: usize) -> impl ExactSizeIterator<Item = String> + 's {
    state.elements.get(at).map_or(&[][..], Vec::as_slice).iter().map(|value| value.show(&bound.types))
}

fn refused(kind: Kind, entered: Entered, rule: Option<String>) -> Option<Difference> {
    let group = Group { kind, action: entered.action, rule: rule? };
    Some(Difference { group, text: entered.text, details: Vec::new() })
}

/// A few entries of every action, spread over all of them.
fn some_of_each(mut all: Vec<Entered>) -> Vec<Entered> {
    all.sort_by(|a, b| a.action.cmp(&b.action));
    let mut some = Vec::new();
    for chunk in all.chunk_by(|a, b| a.action == b.action) {
        let step = chunk.len().div_ceil(EXAMINED).max(1);
        some.extend(chunk.iter().step_by(step).cloned());
    }
    some
}
