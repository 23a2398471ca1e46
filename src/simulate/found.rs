//! What close looks at games have found, and how it comes into a report.

use std::collections::{BTreeMap, BTreeSet};

use super::outcome::Options;
use super::report::{Figures, Points, Source, Unspent};
use crate::audit::RuleId;
use crate::bind::{Bound, Expr, ExprId, StateId, Type};
use crate::statistics::{Overflow, Spread};

/// Games that were looked at, summed up.
#[derive(Debug, Clone, Default)]
pub(super) struct Found {
    pub(super) games: u64,
    /// Games in which a move that nobody chose cannot be carried out, and what the first of these is told.
    pub(super) stumbled: u64,
    pub(super) stumble: Option<String>,
    pub(super) decisions: u64,
    pub(super) legal_entries: u64,
    pub(super) options: Vec<OptionSeen>,
    pub(super) lead_changes: Spread,
    pub(super) audited: u64,
    pub(super) sources: BTreeMap<RuleId, Vec<Points>>,
    pub(super) unspent: Vec<Spread>,
}

/// What was seen of one option.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct OptionSeen {
    pub(super) offered: u64,
    pub(super) affordable: u64,
    pub(super) legal: u64,
    pub(super) taken: u64,
    pub(super) judged: u64,
    pub(super) judged_by_chance: u64,
}

/// States of numbers that actions are paid from.
pub(super) fn resources(bound: &Bound, options: &Options) -> Vec<StateId> {
    let head = |mut id: ExprId| loop {
        match &bound.expr(id).kind {
            Expr::Index(base, _) => id = *base,
            Expr::State(state) => return Some(*state),
            _ => return None,
        }
    };
    let actions = options.iter().flatten().map(|id| bound.action(id));
    let places = actions.flat_map(|action| action.costs.iter().map(|price| price.place));
    let states: BTreeSet<StateId> = places.filter_map(head).collect();
    states.into_iter().filter(|state| matches!(bound.state(*state).ty.plain(), Type::Int(..))).collect()
}

impl Found {
    #[cfg(test)]
    pub(super) fn one() -> Self {
        Self { games: 1, ..Self::default() }
    }

    /// A game that could not be looked at to its end.
    pub(super) fn stumbled(message: String) -> Self {
        Self { stumbled: 1, stumble: Some(message), ..Self::default() }
    }

    /// Both together; what is added lies after what is known.
    pub(super) fn merge(&mut self, other: &Self) -> Result<(), Overflow> {
        self.games += other.games;
        self.stumbled += other.stumbled;
        if self.stumble.is_none() {
            self.stumble.clone_from(&other.stumble);
        }
        self.decisions += other.decisions;
        self.legal_entries += other.legal_entries;
        self.audited += other.audited;
        self.lead_changes.merge(&other.lead_changes)?;
        if other.options.is_empty() {
            // Nothing was seen.
        } else if self.options.is_empty() {
            self.options.clone_from(&other.options);
            self.unspent.clone_from(&other.unspent);
        } else {
            for (seen, more) in self.options.iter_mut().zip(&other.options) {
                seen.offered += more.offered;
                seen.affordable += more.affordable;
                seen.legal += more.legal;
                seen.taken += more.taken;
                seen.judged += more.judged;
                seen.judged_by_chance += more.judged_by_chance;
            }
            for (spread, more) in self.unspent.iter_mut().zip(&other.unspent) {
                spread.merge(more)?;
            }
        }
        for (rule, points) in &other.sources {
            let known = self.sources.entry(*rule).or_insert_with(|| vec![Points::default(); points.len()]);
            for (known, more) in known.iter_mut().zip(points) {
                known.gained = known.gained.checked_add(more.gained).ok_or(Overflow)?;
                known.lost = known.lost.checked_add(more.lost).ok_or(Overflow)?;
            }
        }
        Ok(())
    }

    /// Puts what was found into a report.
    pub(super) fn tell(&self, bound: &Bound, options: &Options, figures: &mut Figures) {
        for (action, seen) in figures.actions.iter_mut().zip(&self.options) {
            (action.offered, action.affordable, action.legal) = (seen.offered, seen.affordable, seen.legal);
            (action.taken, action.judged, action.judged_by_chance) = (seen.taken, seen.judged, seen.judged_by_chance);
        }
        let look = &mut figures.look;
        (look.games, look.audited) = (self.games, self.audited);
        (look.stumbled, look.stumble) = (self.stumbled, self.stumble.clone());
        (look.decisions, look.legal_entries) = (self.decisions, self.legal_entries);
        look.lead_changes = self.lead_changes.clone();
        look.sources = merged_sources(bound, &self.sources);
        let states = resources(bound, options).into_iter().map(|id| bound.state(id)).enumerate();
        let told = |(at, state): (usize, &crate::bind::State)| Unspent {
            resource: state.name.clone(),
            when: if state.per_turn { "turn" } else { "game" }.to_owned(),
            left: self.unspent.get(at).cloned().unwrap_or_default(),
        };
        look.unspent = states.map(told).collect();
    }
}

/// Rules by kind and name; several scores are one.
fn merged_sources(bound: &Bound, found: &BTreeMap<RuleId, Vec<Points>>) -> Vec<Source> {
    let mut sources: Vec<Source> = Vec::new();
    for (id, points) in found {
        let rule = id.rule(bound);
        if let Some(known) =
            sources.iter_mut().find(|source| (source.kind.as_str(), source.name.as_str()) == (rule.kind, rule.name))
        {
            for (known, more) in known.points.iter_mut().zip(points) {
                known.gained += more.gained;
                known.lost += more.lost;
            }
            continue;
        }
        sources.push(Source {
            kind: rule.kind.to_owned(),
            name: rule.name.to_owned(),
            title: rule.title.map(str::to_owned),
            points: points.clone(),
            ..Source::default()
        });
    }
    sources
}
