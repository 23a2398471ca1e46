//! What playing touched, for those who want to know: coverage asks what was seen, mutants what was read.
//!
//! A game that is not traced pays for one test of an option at each of these places.

use std::collections::HashSet;

use super::flow::{Run, Stop};
use super::frame::{Frame, Locals};
use super::game::{Decision, Game, Refusal, Stand};
use super::{Pause, State, Try, trouble};
use crate::bind::{Action, ActionId, ExprId, Requirement, Value};
use crate::limits;
use crate::report::Span;

/// A value or rule that was read, even if only to list what is legal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Touch {
    /// An element of a number: the number's place in its table, and the element's.
    Number(usize, usize),
    /// An element of a column: the column's place in its table, and the element's.
    Column(usize, usize),
    /// The requirements of the action that is named here.
    Requirements(Span),
    /// The award that is named here.
    Award(Span),
    /// The winner that is said here.
    Winner(Span),
    /// An expression.
    Expr(ExprId),
    /// The statement that stands here.
    Statement(Span),
}

/// What really happened, told by its place in the rules, so that it is the same in every setting.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Seen {
    /// An action was carried out.
    Done(Span),
    /// A requirement held for an entry.
    Held(Span),
    /// A requirement was the only one of its entry that failed.
    Alone(Span),
    /// A cost was paid, and it was not nothing.
    Paid(Span),
    /// An action was refused, because it could not be paid.
    TooDear(Span),
    /// An award gave something.
    Awarded(Span),
    /// A statement went this way.
    Went(Span, Way),
}

/// A way that a statement can go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Way {
    /// The condition held.
    Then,
    /// The condition did not hold.
    Else,
    /// The body of a loop was played.
    Entered,
    /// A player passed.
    Passed,
    /// Nothing could be chosen.
    Otherwise,
}

/// All that was touched and seen.
#[derive(Debug, Clone, Default)]
pub struct Trace {
    /// What was read.
    pub touched: HashSet<Touch>,
    /// What happened.
    pub seen: HashSet<Seen>,
}

impl Trace {
    /// Takes over what another one has.
    pub fn join(&mut self, other: Trace) {
        self.touched.extend(other.touched);
        self.seen.extend(other.seen);
    }
}

impl Game<'_> {
    /// What was touched so far; nothing if this game is not traced.
    #[must_use]
    pub fn trace(&self) -> Trace {
        self.trace.as_ref().map(|trace| trace.borrow().clone()).unwrap_or_default()
    }

    pub(super) fn touch(&self, what: Touch) {
        if let Some(trace) = &self.trace {
            trace.borrow_mut().touched.insert(what);
        }
    }

    pub(super) fn see(&self, what: Seen) {
        if let Some(trace) = &self.trace {
            trace.borrow_mut().seen.insert(what);
        }
    }

    /// Which requirements of an entry held, and which one failed alone.
    pub(super) fn see_entry(&self, id: ActionId, verdict: Result<(), &Refusal>, state: &State) -> Try<()> {
        if self.trace.is_none() {
            return Ok(());
        }
        let action = self.bound().action(id);
        let present = self.present(action, state)?;
        let failed = match verdict {
            Ok(()) => &[],
            Err(refusal) => refusal.names.as_slice(),
        };
        let fails = |requirement: &Requirement| failed.contains(&format!("{}.{}", action.name, requirement.name));
        let dear = failed.iter().any(|name| name == "unaffordable");
        if dear {
            self.see(Seen::TooDear(action.span));
        }
        let judged = failed.is_empty() || dear || present.iter().any(|requirement| fails(requirement));
        // What is tested after the effect is not reached by an entry that fails before it.
        let reached_after =
            failed.is_empty() || present.iter().any(|requirement| requirement.after && fails(requirement));
        for requirement in present.into_iter().filter(|_| judged) {
            if fails(requirement) {
                if failed.len() == 1 {
                    self.see(Seen::Alone(requirement.span));
                }
            } else if !requirement.after || reached_after {
                self.see(Seen::Held(requirement.span));
            }
        }
        Ok(())
    }

    /// The requirements of an action that are there in this game.
    fn present<'a>(&self, action: &'a Action, state: &State) -> Try<Vec<&'a Requirement>> {
        let mut present = Vec::new();
        for requirement in &action.requirements {
            let guarded = match requirement.guard {
                Some(guard) => self.holds(guard, &mut Frame::new(state))?,
                None => true,
            };
            present.extend(guarded.then_some(requirement));
        }
        Ok(present)
    }

    /// The requirements that a refusal names, each with its phrase, values filled in, and its place.
    pub fn phrases(
        &self,
        stand: &Stand,
        (seat, id): (u32, ActionId),
        args: &[Value],
        refusal: &Refusal,
    ) -> Try<Vec<(String, Option<String>, Span)>> {
        let action = self.bound().action(id);
        let first = action.params.len().saturating_sub(args.len());
        let offered = match &stand.pause {
            Pause::Choose(choice) => choice.offers.iter().find(|(offer, bound)| *offer == id && bound.len() == first),
            _ => None,
        };
        let args = offered.map_or_else(|| args.to_vec(), |(_, bound)| [bound.as_slice(), args].concat());
        let mut phrases = Vec::new();
        for requirement in self.present(action, &stand.state)? {
            let name = format!("{}.{}", action.name, requirement.name);
            if !refusal.names.contains(&name) {
                continue;
            }
            let left =
                if requirement.after { self.left_by(seat, id, &args, &stand.state)? } else { stand.state.clone() };
            let mut frame = super::action::action_frame(action, seat, &args, &left);
            let words = match &requirement.phrase {
                Some(phrase) => Some(self.words(phrase, &mut frame)?),
                None => None,
            };
            phrases.push((name, words, requirement.span));
        }
        Ok(phrases)
    }
}

impl<'g, 'c> Run<'g, 'c> {
    /// Tries something on a copy of the state: nobody decides, and nothing of it counts as seen.
    pub(super) fn trial(game: &'g Game<'c>, state: State, locals: Locals, me: Option<u32>) -> Self {
        Self { game, state, locals, me, decide: super::flow::nobody(), watch: None, paid: 0, watched: false, idle: 0 }
    }

    /// Notes what happens, unless this is only a trial.
    pub(super) fn see(&self, what: Seen) {
        if self.watched {
            self.game.see(what);
        }
    }

    /// Asks for a decision.
    pub(super) fn ask(&mut self, pause: &Pause) -> Option<Decision> {
        let decision = (self.decide)(&self.state, pause, self.paid);
        if decision.is_some() {
            self.idle = 0;
            self.game.fuel.renew();
        }
        decision
    }

    /// One more round of a loop. A loop that goes round and round without a decision would never end.
    pub(super) fn go_round(&mut self, word: &str, span: Span) -> Result<(), Stop> {
        self.see(Seen::Went(span, Way::Entered));
        self.idle += 1;
        if self.idle > limits::ROUNDS {
            return Ok(trouble(
                span,
                format!("this `{word}` went round {} times, and nobody had anything to decide", limits::ROUNDS),
            )?);
        }
        Ok(())
    }
}
