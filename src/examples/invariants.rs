//! What always holds, asked wherever an example comes to.
//!
//! A position that is set up by hand often shows only what matters: a few pieces, and no stock. An invariant that it
//! does not keep is not asked in it, but all others are, after every entry.

use super::outcome::Failure;
use crate::bind::{Entry, Invariant};
use crate::compile::compile;
use crate::evaluate::{Frame, Game, State, Try};
use crate::judge::{self, Limits, parts};
use crate::machine::Machine;
use crate::report::{Sources, Span};

/// Work for making a game shorter that breaks an invariant.
const LIMITS: Limits = Limits { positions: 2_000, steps: 20_000 };

/// The invariants that are asked from this position on: those that hold in it, if it was set up by hand.
pub(super) fn asked<'c>(game: &Game<'c>, state: &State, by_hand: bool) -> Try<Vec<&'c Invariant>> {
    let mut asked = Vec::new();
    for invariant in &game.bound().invariants {
        if is_there(game, invariant, state)? && (!by_hand || holds(game, invariant, state)?) {
            asked.push(invariant);
        }
    }
    Ok(asked)
}

fn is_there(game: &Game<'_>, invariant: &Invariant, state: &State) -> Try<bool> {
    match invariant.guard {
        Some(guard) => game.holds(guard, &mut Frame::new(state)),
        None => Ok(true),
    }
}

fn holds(game: &Game<'_>, invariant: &Invariant, state: &State) -> Try<bool> {
    game.holds(invariant.condition, &mut Frame::new(state))
}

/// The first of these that does not hold, by its place among them.
pub(super) fn broken(game: &Game<'_>, asked: &[&Invariant], state: &State) -> Try<Option<usize>> {
    for (at, invariant) in asked.iter().enumerate() {
        if !holds(game, invariant, state)? {
            return Ok(Some(at));
        }
    }
    Ok(None)
}

/// What is told of it: after which entry it does not hold, and the values that it is made of.
pub(super) fn failure(
    game: &Game<'_>,
    sources: &Sources,
    invariant: &Invariant,
    (state, span): (&State, Span),
) -> Failure {
    let mut frame = Frame::new(state);
    let phrase = invariant.phrase.as_ref().and_then(|phrase| game.words(phrase, &mut frame).ok());
    Failure {
        expected: format!("that the invariant `{}` holds after every entry", invariant.name),
        found: parts::found(game, sources, invariant.condition, &mut frame),
        values: parts::values(game, sources, invariant.condition, &mut frame),
        requirements: vec![(format!("invariant {}", invariant.name), phrase, invariant.span)],
        span,
    }
}

/// The shortest game found that breaks an invariant, of one that was played from its beginning: beside what it is.
pub(super) fn shortest(game: &Game<'_>, invariant: &Invariant, entered: &[&Entry]) -> Option<(String, String)> {
    let (checked, bound) = (game.checked(), game.bound());
    let number = bound.invariants.iter().position(|other| other.name == invariant.name)?;
    let program = compile(checked).ok()?;
    let mut machine = Machine::new(&program);
    machine.begin().ok()?;
    let mut steps = Vec::new();
    for entry in entered {
        let step = *judge::steps(bound, &mut machine, entry).ok()?.first()?;
        machine.take(step).ok()?;
        steps.push(step);
    }
    let short = judge::shortest_violation(bound, &program, &steps, number, LIMITS)?;
    let what = format!("the shortest game found that breaks it, {} of {} entries", short.lines.len(), steps.len());
    Some((what, short.lines.join("; ")))
}
