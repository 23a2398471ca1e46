//! Playing a game again while watching what is written.

use crate::impossible;
use crate::internal::Must;
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};

use super::ledger::Ledger;
use super::rules::{RuleId, rule_at};
use super::split::{Part, Splitter, Way, sum, times};
use crate::ast::BinaryOp;
use crate::bind::walk::each_expr;
use crate::bind::{AwardId, Bound, DefId, Expr, ExprId, LocalId, StateId, Type, Value};
use crate::check::Checked;
use crate::evaluate::{Decision, Frame, Game, How, Notice, Place, Stand, State, Try, Write};
use crate::limits;
use crate::report::Sources;

/// What has happened in a game so far.
#[derive(Debug, Default)]
pub(super) struct Past {
    /// What the states began with.
    pub(super) beginning: State,
    /// Every change of elements that a score reads, taken apart.
    pub(super) changes: BTreeMap<Place, Vec<Part>>,
    /// The entry that last changed an element; 0 is the set-up.
    pub(super) last: BTreeMap<Place, usize>,
    /// The parts of locals.
    pub(super) lets: BTreeMap<LocalId, Vec<Part>>,
    /// How many parts there are.
    parts: usize,
}

/// A game that was played again, with everything that its scores are made of.
#[derive(Debug)]
pub struct Audit<'c> {
    game: Game<'c>,
    sources: &'c Sources,
    stand: Stand,
    past: Past,
}

impl<'c> Audit<'c> {
    /// Plays a game again. The decisions must be legal; the sources are those of the ruleset.
    pub fn of(checked: &'c Checked, sources: &'c Sources, decisions: &[Decision]) -> Try<Self> {
        let game = Game::new(checked);
        let (stand, past) = played(&game, sources, decisions)?;
        Ok(Self { game, sources, stand, past })
    }

    /// The same with at most so many steps of the reference evaluator, ledgers included; nothing if they are used up.
    pub(crate) fn limited(
        checked: &'c Checked,
        sources: &'c Sources,
        decisions: &[Decision],
        steps: u64,
    ) -> Try<Option<Self>> {
        let game = Game::limited(checked, steps);
        match played(&game, sources, decisions) {
            Ok((stand, past)) => Ok(Some(Self { game, sources, stand, past })),
            Err(_) if game.steps_left() == 0 => Ok(None),
            Err(trouble) => Err(trouble),
        }
    }

    /// A game that is known by its last state only, with at most so many steps. That is enough where no score
    /// [reads a number of the state](reads_numbers): the ledgers have the same rules and points, but do not name entries.
    pub(crate) fn at_end(checked: &'c Checked, sources: &'c Sources, state: State, steps: u64) -> Self {
        let stand = Stand { state, pause: crate::evaluate::Pause::Over, paid: 0 };
        Self { game: Game::limited(checked, steps), sources, stand, past: Past::default() }
    }

    /// What is left of the steps. After an error, 0 means that they were used up.
    pub(crate) fn steps_left(&self) -> u64 {
        self.game.steps_left()
    }

    /// Where the game stands after all decisions.
    #[must_use]
    pub fn stand(&self) -> &Stand {
        &self.stand
    }

    /// Where a seat's points come from.
    pub fn ledger(&self, seat: u32) -> Try<Ledger> {
        let state = &self.stand.state;
        let total = match self.game.score(seat, state)? {
            Value::Int(total) => total,
            other => impossible!("a score is {other:?}"),
        };
        let applies = self.game.score_rule(state)?.span;
        let nth = self
            .game
            .bound()
            .scores
            .iter()
            .position(|score| score.span == applies)
            .must("the rule that applies is one of the ruleset");
        let splitter = Splitter { game: &self.game, sources: self.sources, past: &self.past, by_history: true };
        let way = Way::new(&self.game, RuleId::Score(nth), None);
        let parts = splitter.score(seat, &Frame::new(state), &way)?;
        Ok(Ledger::new(seat, total, &parts))
    }
}

/// Plays a game again. Gives where it stands, and what has happened.
fn played(game: &Game<'_>, sources: &Sources, decisions: &[Decision]) -> Try<(Stand, Past)> {
    let beginning = game.beginning()?;
    let stand = Stand { state: beginning.clone(), pause: crate::evaluate::Pause::Over, paid: 0 };
    let past = Past { beginning: beginning.clone(), ..Past::default() };
    let Some(flow) = &game.bound().flow else { return Ok((stand, past)) };
    let recorder =
        Recorder { game, sources, counted: counted(game.bound()), entry: Cell::new(0), past: RefCell::new(past) };
    let mut left = decisions.iter();
    let stand = game.play_watched(
        flow,
        beginning,
        Box::new(|_, _, _| {
            let next = left.next()?;
            recorder.entry.set(recorder.entry.get() + 1);
            Some(next.clone())
        }),
        Some(&|notice, frame| recorder.note(notice, frame)),
    )?;
    Ok((stand, recorder.past.into_inner()))
}

/// Does a score read numbers of the state, so that its ledger needs the history of the game?
pub(crate) fn reads_numbers(bound: &Bound) -> bool {
    !counted(bound).is_empty()
}

/// Whoever watches a game.
struct Recorder<'r, 'c> {
    game: &'r Game<'c>,
    sources: &'r Sources,
    /// States that a score reads and that hold numbers.
    counted: BTreeSet<StateId>,
    /// The entry that is being carried out.
    entry: Cell<usize>,
    past: RefCell<Past>,
}

impl Recorder<'_, '_> {
    fn note(&self, notice: &Notice<'_>, frame: &mut Frame<'_>) -> Try<()> {
        match notice {
            Notice::Let(local, of, Value::Int(_)) => {
                let rule = rule_at(self.game.bound(), self.game.bound().expr(*of).span);
                let parts = self.split(*of, frame, &Way::new(self.game, rule, Some(self.entry.get())))?;
                self.past.borrow_mut().lets.insert(*local, parts);
            }
            Notice::Let(local, ..) => {
                self.past.borrow_mut().lets.remove(local);
            }
            Notice::Write(write) if write.before != write.after => {
                if self.counted.contains(&write.place.0) {
                    let parts = self.change(write, frame)?;
                    let past = &mut *self.past.borrow_mut();
                    past.parts += parts.len();
                    past.changes.entry(write.place).or_default().extend(parts);
                }
                self.past.borrow_mut().last.insert(write.place, self.entry.get());
            }
            Notice::Write(_) => {}
        }
        Ok(())
    }

    /// What a change is made of; its parts sum to the difference.
    fn change(&self, write: &Write<'_>, frame: &mut Frame<'_>) -> Try<Vec<Part>> {
        let number = |value: &Value| match value {
            Value::Int(value) => *value,
            Value::None => 0,
            other => impossible!("{other:?} is written where points are"),
        };
        let (before, after) = (number(write.before), number(write.after));
        let points = after.saturating_sub(before);
        let rule = rule_at(self.game.bound(), write.span);
        let way = Way::new(self.game, rule, Some(self.entry.get()));
        let parts = match write.how {
            _ if self.past.borrow().parts > limits::LEDGER_PARTS => Vec::new(),
            How::Added(of) => self.split(of, frame, &way)?,
            How::Taken(of) => times(self.split(of, frame, &way)?, -1),
            How::Set(of) if before == 0 => self.split(of, frame, &way)?,
            How::Set(of) => self.beyond(of, write.place, frame, &way)?.unwrap_or_default(),
            _ => Vec::new(),
        };
        if !parts.is_empty() && sum(&parts) == Some(points) {
            return Ok(parts);
        }
        let past = self.past.borrow();
        let splitter = self.splitter(&past);
        let (text, reads) = match write.how {
            How::Set(of) | How::Added(of) | How::Taken(of) => {
                let (_, reads) = self.game.reading(|| self.game.eval(of, frame))?;
                (format!("{}, from {before} to {after}", splitter.text(of)), reads)
            }
            How::Paid => ("its cost".to_owned(), BTreeSet::new()),
            How::Exchanged => (format!("exchanged, from {before} to {after}"), BTreeSet::new()),
            How::Drawn => (format!("drawn, from {before} to {after}"), BTreeSet::new()),
            How::Turn => (format!("a turn begins, from {before} to {after}"), BTreeSet::new()),
        };
        Ok(splitter.leaf(points, Some(text), &reads, &way))
    }

    /// What is added to a place that is written as itself and more: `points[p] = points[p] + E`.
    fn beyond(&self, of: ExprId, place: Place, frame: &mut Frame<'_>, way: &Way) -> Try<Option<Vec<Part>>> {
        let (left, right, by) = match self.game.bound().expr(of).kind {
            Expr::Binary(BinaryOp::Add, left, right) => (left, right, 1),
            Expr::Binary(BinaryOp::Subtract, left, right) => (left, right, -1),
            Expr::State(_) | Expr::Index(..) => {
                let same = self.game.place(of, frame).is_ok_and(|found| found == place);
                return Ok(same.then(Vec::new));
            }
            _ => return Ok(None),
        };
        let Some(before) = self.beyond(left, place, frame, way)? else { return Ok(None) };
        Ok(Some([before, times(self.split(right, frame, way)?, by)].concat()))
    }

    fn split(&self, of: ExprId, frame: &mut Frame<'_>, way: &Way) -> Try<Vec<Part>> {
        let past = self.past.borrow();
        self.splitter(&past).split(of, frame, way)
    }

    fn splitter<'s>(&'s self, past: &'s Past) -> Splitter<'s, 's> {
        // A state that is added to another is what it is then: its own history is another story.
        Splitter { game: self.game, sources: self.sources, past, by_history: false }
    }
}

/// The states that hold numbers and that a score reads, through definitions and awards.
fn counted(bound: &Bound) -> BTreeSet<StateId> {
    let mut open: Vec<ExprId> = bound.scores.iter().map(|score| score.body).collect();
    let mut states = BTreeSet::new();
    let (mut defs, mut awards): (BTreeSet<DefId>, BTreeSet<AwardId>) = Default::default();
    while let Some(id) = open.pop() {
        each_expr(bound, id, &mut |_, kind| match kind {
            Expr::State(state) if matches!(bound.state(*state).ty.plain(), Type::Int(..)) => {
                states.insert(*state);
            }
            Expr::Def(def, _) if defs.insert(*def) => open.push(bound.def(*def).body),
            Expr::Award(id, _) if awards.insert(*id) => {
                let award = bound.award(*id);
                open.extend(award.pays.iter().chain([&award.by]));
            }
            _ => {}
        });
    }
    states
}
