//! What always holds, asked wherever an example comes to.
//!
//! A position that is set up by hand often shows only what matters: a few pieces, and no stock. It says which invariants
//! it breaks and why (`breaks NAME "reason"`); these are not asked in it, but all others are, after every entry.

use super::outcome::Failure;
use crate::bind::{Breaks, Entry, Invariant};
use crate::compile::compile;
use crate::evaluate::{Frame, Game, State, Try};
use crate::judge::{self, Limits, parts};
use crate::machine::Machine;
use crate::report::{Sources, Span, codes};

/// Work for making a game shorter that breaks an invariant.
const LIMITS: Limits = Limits { positions: 2_000, steps: 20_000 };

/// Some invariants of a ruleset.
type Some<'c> = Vec<&'c Invariant>;

/// The invariants that hold in a position, and those that it breaks.
pub(super) fn asked<'c>(game: &Game<'c>, state: &State) -> Try<(Some<'c>, Some<'c>)> {
    let (mut kept, mut broken) = (Vec::new(), Vec::new());
    for invariant in &game.bound().invariants {
        if !is_there(game, invariant, state)? {
            continue;
        }
        if holds(game, invariant, state)? { kept.push(invariant) } else { broken.push(invariant) }
    }
    Ok((kept, broken))
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

/// What is told of a position that was set up by hand and breaks an invariant without saying so.
pub(super) fn in_position(game: &Game<'_>, sources: &Sources, invariant: &Invariant, at: (&State, Span)) -> Failure {
    let name = &invariant.name;
    let help =
        format!("set up what is missing, or say why it is: `breaks {name} \"only the pieces in question are set up\"`");
    Failure {
        expected: format!("that the position keeps the invariant `{name}`"),
        code: Some(&codes::POSITION),
        help: Some(help),
        ..failure(game, sources, invariant, at)
    }
}

/// What is told of a position that says it breaks an invariant, and does not.
pub(super) fn idle(breaks: &Breaks) -> Failure {
    let name = &breaks.invariant;
    let everywhere = if breaks.shared { " in every example that begins there" } else { "" };
    Failure {
        code: Some(&codes::IDLE_BREAKS),
        help: Some(format!("take `breaks {name}` away")),
        ..Failure::new(
            breaks.span,
            format!("that the position breaks the invariant `{name}`"),
            format!("that it holds{everywhere}"),
        )
    }
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
        ..Failure::new(span, "", "")
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
