//! A close look at a game that was played: what was legal at every decision, who was ahead, where the points come
//! from, and what was left unspent.
//!
//! The compiled engine plays the game again and lists every legal entry. Where points come from and what was left
//! unspent only the reference evaluator can say, unless the score reads nothing but the last position. That is slow, so
//! a look has a budget of work, and its time is counted apart from that of playing.

use crate::internal::{Must, exact};
use std::cell::RefCell;
use std::collections::BTreeSet;

use super::found::{Found, OptionSeen, resources};
use super::game::Playout;
use super::outcome::Options;
use super::report::Points;
use super::run::Rules;
use crate::audit::{Audit, reads_numbers};
use crate::bind::{StateId, Value};
use crate::evaluate::{Decision, Game, How, Notice, Place, State, Trouble, Try};
use crate::limits;
use crate::machine::{Machine, Move, Position, Program, Step, Waits};
use crate::report::Span;
use crate::statistics::{Overflow, Spread};

/// Work that a look takes at least: so many games at most are looked at.
const EACH_GAME: u64 = limits::LOOK_WORK / limits::LOOK_GAMES;

/// Work for each entry that the compiled engine plays again, and for each score that it works out.
const EACH_ENTRY: u64 = 8;

/// Work for each step of the compiled engine.
const EACH_STEP: u64 = 4;

/// Arguments that are tried to find out whether an action could be paid for.
const MOST_TRIED: usize = 256;

/// Billionths of a choice.
const BILLION: u128 = 1_000_000_000;

/// A look at one game.
#[derive(Debug, Clone)]
pub(super) struct Sight {
    pub(super) found: Found,
    /// How often somebody else came to be ahead.
    /// Nothing if the look ended early.
    pub(super) lead_changes: Option<i64>,
    /// How much work it was: expressions that the reference evaluated, entries and scores.
    pub(super) work: u64,
}

/// A look takes more work than there is.
#[derive(Debug)]
pub(super) struct TooMuch;

/// Why there is no look at a game.
enum Blind {
    /// The ruleset cannot go on.
    Trouble(Trouble),
    /// The work was used up.
    Tired,
}

impl From<Trouble> for Blind {
    fn from(trouble: Trouble) -> Self {
        Self::Trouble(trouble)
    }
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
    /// Does a score read the last position only?
    scores_positions: bool,
    found: Found,
    /// Work that may still be done.
    left: u64,
}

impl<'t> Looker<'t> {
    pub(super) fn new(rules: Rules<'t>, program: &'t Program, judges: Vec<bool>) -> Self {
        let options = Options::of(program);
        let resources = resources(&rules.checked.bound, &options);
        let scores_positions = !reads_numbers(&rules.checked.bound);
        let (found, left) = (Found::default(), 0);
        Self { rules, machine: Machine::new(program), options, judges, resources, scores_positions, found, left }
    }

    /// Looks at a game with at most so much work; nothing if that is not enough.
    ///
    /// A runtime error that only the look meets is one of a move that nobody chose: the game itself counts.
    pub(super) fn look(&mut self, start: &Position, playout: &Playout, work: u64) -> Option<Sight> {
        self.left = work;
        self.found = Found {
            options: vec![OptionSeen::default(); self.options.len()],
            unspent: vec![Spread::default(); self.resources.len()],
            ..Found::default()
        };
        match self.see(start, playout) {
            Ok(changes) => {
                let found = std::mem::take(&mut self.found);
                Some(Sight { found, lead_changes: Some(changes), work: work - self.left })
            }
            Err(Blind::Tired) => None,
            Err(Blind::Trouble(trouble)) => {
                let found = Found::stumbled(trouble.message);
                Some(Sight { found, lead_changes: None, work: work - self.left })
            }
        }
    }

    fn spend(&mut self, work: u64) -> Result<(), Blind> {
        self.left = self.left.checked_sub(work).ok_or(Blind::Tired)?;
        Ok(())
    }

    /// What the machine did last is work.
    fn steps(&mut self) -> Result<(), Blind> {
        self.spend(self.machine.steps_taken().saturating_mul(EACH_STEP))
    }

    /// Who is ahead now.
    fn ahead(&mut self, lead: &mut Lead) -> Result<(), Blind> {
        let steps = lead.look(&mut self.machine);
        self.spend(steps.saturating_mul(EACH_STEP))
    }

    /// A question to the reference evaluator, whose steps are work.
    fn ask<T>(&mut self, question: impl FnOnce(&mut Self, &Game<'t>) -> Try<T>) -> Result<T, Blind> {
        let game = Game::limited(self.rules.checked, self.left);
        let answer = question(self, &game);
        self.left = game.steps_left();
        answer.map_err(|trouble| if self.left == 0 { Blind::Tired } else { Blind::Trouble(trouble) })
    }

    /// Looks at a game. Gives how often somebody else came to be ahead.
    fn see(&mut self, start: &Position, playout: &Playout) -> Result<i64, Blind> {
        let types = &self.rules.checked.bound.types;
        self.spend(EACH_GAME)?;
        self.machine.load(start);
        let mut decisions = Vec::new();
        let mut lead = Lead::default();
        self.ahead(&mut lead)?;
        let each = EACH_ENTRY.saturating_mul(1 + u64::from(self.machine.program().players));
        for &step in &playout.entries {
            self.spend(each)?;
            if let Step::Entry(entry) = step {
                self.decision(entry)?;
            }
            decisions.push(self.machine.decides(types, step)?);
            self.machine.take(step)?;
            self.steps()?;
            self.ahead(&mut lead)?;
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
    fn decision(&mut self, entry: Move) -> Result<(), Blind> {
        let Waits::Player { choice, seat } = self.machine.waits() else { return Ok(()) };
        let mut legal = vec![0_u64; self.options.len()];
        for &entry in self.machine.moves()? {
            *legal.get_mut(self.options.place(entry)).must("an entry is one of the options") += 1;
        }
        let all: u64 = legal.iter().sum();
        self.spend(all)?;
        self.steps()?;
        let judges = self.judges.get(seat as usize).copied().must("somebody sits in every seat");
        let (mut offered, affordable) = self.offered(choice, seat, &legal)?;
        let taken = self.options.place(entry);
        let found = &mut self.found;
        found.decisions += 1;
        found.legal_entries += all;
        for (place, seen) in found.options.iter_mut().enumerate() {
            let count = legal.get(place).copied().must("an option has its count");
            // Passing is offered where it is legal, and costs nothing.
            offered.extend((count > 0).then_some(place));
            let by_chance = u128::from(count) * BILLION / u128::from(all.max(1));
            seen.offered += u64::from(offered.contains(&place));
            seen.affordable += u64::from(count > 0 || affordable.contains(&place));
            seen.legal += u64::from(count > 0);
            seen.taken += u64::from(place == taken);
            seen.judged += u64::from(judges && place == taken);
            seen.judged_by_chance += if judges { exact::<_, u64>(by_chance) } else { 0 };
        }
        Ok(())
    }

    /// The options that the flow offers here, and those of them that are not legal but could be paid for.
    fn offered(&mut self, choice: u16, seat: u32, legal: &[u64]) -> Result<(BTreeSet<usize>, BTreeSet<usize>), Blind> {
        let (mut offered, mut affordable) = (BTreeSet::new(), BTreeSet::new());
        let Rules { checked, .. } = self.rules;
        let mut state: Option<State> = None;
        let point = self.machine.program().choices.get(usize::from(choice));
        let offers = point.must("a machine waits at a choice of its program").offers.clone();
        for number in offers {
            let place = self.options.place_of(number);
            offered.insert(place);
            if legal.get(place).is_some_and(|count| *count > 0) || affordable.contains(&place) {
                continue;
            }
            if let Some((action, bound)) = self.machine.offered(&checked.bound.types, number) {
                let state = state.get_or_insert_with(|| self.machine.read(&checked.bound.types));
                if self.ask(|_, game| game.payable(action, seat, &bound, state, MOST_TRIED))? {
                    affordable.insert(place);
                }
            }
        }
        Ok((offered, affordable))
    }

    /// Where the points of all seats come from.
    fn points(&mut self, decisions: &[Decision]) -> Result<(), Blind> {
        let Rules { checked, sources } = self.rules;
        let audit = if self.scores_positions {
            Audit::at_end(checked, sources, self.machine.read(&checked.bound.types), self.left)
        } else {
            Audit::limited(checked, sources, decisions, self.left)?.ok_or(Blind::Tired)?
        };
        let seats = checked.bound.players.count;
        for seat in 0..seats {
            let ledger = audit.ledger(seat);
            self.left = audit.steps_left();
            let tired = self.left == 0;
            let ledger = ledger.map_err(|trouble| if tired { Blind::Tired } else { Blind::Trouble(trouble) })?;
            for line in ledger.lines {
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
    fn unspent(&mut self, decisions: &[Decision]) -> Result<(), Blind> {
        if self.resources.is_empty() {
            return Ok(());
        }
        self.ask(|looker, game| looker.unspent_by(game, decisions))
    }

    fn unspent_by(&mut self, game: &Game<'_>, decisions: &[Decision]) -> Try<()> {
        let Rules { checked, .. } = self.rules;
        let Some(flow) = &checked.bound.flow else { return Ok(()) };
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
    /// Gives the steps that it took.
    fn look(&mut self, machine: &mut Machine<'_>) -> u64 {
        let (mut best, mut ahead, mut steps) = (None, None, 0);
        for seat in 0..machine.program().players {
            // A score that only the end has says nothing before it.
            let score = machine.score(seat);
            steps += machine.steps_taken();
            let Ok(score) = score else { return steps };
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
        steps
    }
}
