//! A close look at a game that was played: what was legal at every decision, who was ahead, where the points come
//! from, and what was left unspent.
//!
//! This takes every legal entry to be listed, and the reference evaluator to play the game again, so it is for the
//! first games only, and is no part of the time that playing took.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use super::game::Playout;
use super::outcome::Options;
use super::report::{Figures, Points, Source, Unspent};
use super::run::Rules;
use crate::audit::{Audit, RuleId};
use crate::bind::{Bound, Expr, ExprId, StateId, Type, Value};
use crate::evaluate::{Decision, Game, How, Notice, Place, State, Trouble, Try};
use crate::machine::{Machine, Move, Position, Program, Step, Waits};
use crate::report::Span;
use crate::statistics::{Overflow, Spread};

/// Arguments that are tried to find out whether an action could be paid for.
const MOST_TRIED: usize = 256;

/// Billionths of a choice.
const BILLION: u128 = 1_000_000_000;

/// Games that were looked at, summed up.
#[derive(Debug, Clone, Default)]
pub(super) struct Found {
    games: u64,
    decisions: u64,
    legal_entries: u64,
    options: Vec<OptionSeen>,
    lead_changes: Spread,
    audited: u64,
    sources: BTreeMap<RuleId, Vec<Points>>,
    unspent: Vec<Spread>,
}

/// What was seen of one option.
#[derive(Debug, Clone, Copy, Default)]
struct OptionSeen {
    offered: u64,
    affordable: u64,
    legal: u64,
    taken: u64,
    judged: u64,
    judged_by_chance: u64,
}

/// Looks at games of one ruleset.
#[derive(Debug)]
pub(super) struct Looker<'t> {
    rules: Rules<'t>,
    machine: Machine<'t>,
    options: Options,
    /// By seat: does an agent play it that judges?
    judges: Vec<bool>,
    resources: Vec<StateId>,
    pub(super) found: Found,
}

impl<'t> Looker<'t> {
    pub(super) fn new(rules: Rules<'t>, program: &'t Program, judges: Vec<bool>) -> Self {
        let options = Options::of(program);
        let resources = resources(&rules.checked.bound, &options);
        let found = Found {
            options: vec![OptionSeen::default(); options.len()],
            unspent: vec![Spread::default(); resources.len()],
            ..Found::default()
        };
        Self { rules, machine: Machine::new(program), options, judges, resources, found }
    }

    /// Looks at a game. Gives how often somebody else came to be ahead.
    pub(super) fn look(&mut self, start: &Position, playout: &Playout) -> Try<i64> {
        let types = &self.rules.checked.bound.types;
        self.machine.load(start);
        let mut decisions = Vec::new();
        let mut lead = Lead::default();
        lead.look(&mut self.machine);
        for &step in &playout.entries {
            if let Step::Entry(entry) = step {
                self.decision(entry)?;
            }
            decisions.push(self.machine.decides(types, step)?);
            self.machine.take(step)?;
            lead.look(&mut self.machine);
        }
        self.found.games += 1;
        self.found.lead_changes.add(lead.changes, 1).map_err(too_much)?;
        self.unspent(&decisions)?;
        if playout.over {
            self.points(&decisions)?;
        }
        Ok(lead.changes)
    }

    /// What could be chosen where the machine stands, and what was.
    fn decision(&mut self, entry: Move) -> Try<()> {
        let Waits::Player { choice, seat } = self.machine.waits() else { return Ok(()) };
        let mut legal = vec![0_u64; self.options.len()];
        for &entry in self.machine.moves()? {
            if let Some(count) = legal.get_mut(self.options.place(entry)) {
                *count += 1;
            }
        }
        let all: u64 = legal.iter().sum();
        let judges = self.judges.get(seat as usize).copied().unwrap_or(false);
        let (mut offered, affordable) = self.offered(choice, seat, &legal)?;
        let taken = self.options.place(entry);
        let found = &mut self.found;
        found.decisions += 1;
        found.legal_entries += all;
        for (place, seen) in found.options.iter_mut().enumerate() {
            let count = legal.get(place).copied().unwrap_or(0);
            // Passing is offered where it is legal, and costs nothing.
            offered.extend((count > 0).then_some(place));
            let by_chance = u128::from(count) * BILLION / u128::from(all.max(1));
            seen.offered += u64::from(offered.contains(&place));
            seen.affordable += u64::from(count > 0 || affordable.contains(&place));
            seen.legal += u64::from(count > 0);
            seen.taken += u64::from(place == taken);
            seen.judged += u64::from(judges && place == taken);
            seen.judged_by_chance += if judges { u64::try_from(by_chance).unwrap_or(0) } else { 0 };
        }
        Ok(())
    }

    /// The options that the flow offers here, and those of them that are not legal but could be paid for.
    fn offered(&mut self, choice: u16, seat: u32, legal: &[u64]) -> Try<(BTreeSet<usize>, BTreeSet<usize>)> {
        let (mut offered, mut affordable) = (BTreeSet::new(), BTreeSet::new());
        let Rules { checked, .. } = self.rules;
        let game = Game::new(checked);
        let mut state: Option<State> = None;
        let offers = self.machine.program().choices.get(usize::from(choice)).map_or(0..0, |point| point.offers.clone());
        for number in offers {
            let place = self.options.place_of(number);
            offered.insert(place);
            if legal.get(place).is_some_and(|count| *count > 0) || affordable.contains(&place) {
                continue;
            }
            if let Some((action, bound)) = self.machine.offered(&checked.bound.types, number) {
                let state = state.get_or_insert_with(|| self.machine.read(&checked.bound.types));
                if game.payable(action, seat, &bound, state, MOST_TRIED)? {
                    affordable.insert(place);
                }
            }
        }
        Ok((offered, affordable))
    }

    /// Where the points of all seats come from.
    fn points(&mut self, decisions: &[Decision]) -> Try<()> {
        let Rules { checked, sources } = self.rules;
        let audit = Audit::of(checked, sources, decisions)?;
        let seats = checked.bound.players.count;
        for seat in 0..seats {
            for line in audit.ledger(seat)?.lines {
                let points =
                    self.found.sources.entry(line.rule()).or_insert_with(|| vec![Points::default(); seats as usize]);
                if let Some(points) = points.get_mut(seat as usize) {
                    let side = if line.points > 0 { &mut points.gained } else { &mut points.lost };
                    *side += i128::from(line.points);
                }
            }
        }
        self.found.audited += 1;
        Ok(())
    }

    /// What is left of what actions are paid from, when it is lost: at the end of a turn, or of the game.
    fn unspent(&mut self, decisions: &[Decision]) -> Try<()> {
        let Rules { checked, .. } = self.rules;
        let Some(flow) = checked.bound.flow.as_ref().filter(|_| !self.resources.is_empty()) else { return Ok(()) };
        let game = Game::new(checked);
        // Elements that a turn has begun with, and what was left when the next one began.
        let begun: RefCell<BTreeSet<Place>> = RefCell::default();
        let left: RefCell<Vec<(StateId, i64)>> = RefCell::default();
        let mut next = decisions.iter();
        let stand = game.play_watched(
            flow,
            game.beginning()?,
            Box::new(|_, _, _| next.next().cloned()),
            Some(&|notice, _| {
                if let Notice::Write(write) = notice
                    && write.how == How::Turn
                    && self.resources.contains(&write.place.0)
                    && !begun.borrow_mut().insert(write.place)
                    && let Value::Int(before) = write.before
                {
                    left.borrow_mut().push((write.place.0, *before));
                }
                Ok(())
            }),
        )?;
        let over = stand.pause == crate::evaluate::Pause::Over;
        for (&resource, spread) in self.resources.iter().zip(&mut self.found.unspent) {
            let turns = left.borrow();
            let lapsed = turns.iter().filter(|(of, _)| *of == resource).map(|(_, left)| *left);
            let elements = stand.state.elements.get(resource.at()).map_or(&[][..], Vec::as_slice);
            let last =
                elements.iter().filter_map(|value| if let Value::Int(left) = value { Some(*left) } else { None });
            for left in lapsed.chain(last.filter(|_| over)) {
                spread.add(left, 1).map_err(too_much)?;
            }
        }
        Ok(())
    }
}

/// More was counted than a number can hold.
fn too_much(_: Overflow) -> Trouble {
    Trouble { message: "the sums of what games came to are too large".to_owned(), span: Span::default() }
}

/// Who is ahead of all others, and how often that became somebody else.
#[derive(Default)]
struct Lead {
    ahead: Option<u32>,
    changes: i64,
}

impl Lead {
    fn look(&mut self, machine: &mut Machine<'_>) {
        let (mut best, mut ahead) = (None, None);
        for seat in 0..machine.program().players {
            // A score that only the end has says nothing before it.
            let Ok(score) = machine.score(seat) else { return };
            if best.is_none_or(|best| score > best) {
                (best, ahead) = (Some(score), Some(seat));
            } else if best == Some(score) {
                ahead = None;
            }
        }
        if let Some(seat) = ahead {
            self.changes += i64::from(self.ahead.is_some_and(|before| before != seat));
            self.ahead = Some(seat);
        }
    }
}

/// States of numbers that actions are paid from.
fn resources(bound: &Bound, options: &Options) -> Vec<StateId> {
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
    /// Both together.
    pub(super) fn merge(&mut self, other: &Self) -> Result<(), Overflow> {
        self.games += other.games;
        self.decisions += other.decisions;
        self.legal_entries += other.legal_entries;
        self.audited += other.audited;
        self.lead_changes.merge(&other.lead_changes)?;
        if self.options.is_empty() {
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
        (look.decisions, look.legal_entries) = (self.decisions, self.legal_entries);
        look.lead_changes = self.lead_changes.clone();
        look.sources = merged_sources(bound, &self.sources);
        let states = resources(bound, options).into_iter().map(|id| bound.state(id));
        let told = |(state, left): (&crate::bind::State, &Spread)| Unspent {
            resource: state.name.clone(),
            when: if state.per_turn { "turn" } else { "game" }.to_owned(),
            left: left.clone(),
        };
        look.unspent = states.zip(&self.unspent).map(told).collect();
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
