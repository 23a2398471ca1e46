//! What always holds, asked wherever the log of a ruleset comes to.

use super::blame::Played;
use super::parts;
use super::rules::Rules;
use super::shrink::{Limits, shortest_violation};
use crate::evaluate::{Frame, Game, Trouble};
use crate::machine::{Machine, Step};
use crate::report::{Fault, Span, codes};

/// Work for making a log shorter that breaks an invariant.
const LIMITS: Limits = Limits { positions: 20_000, steps: 200_000 };

/// The first invariant that does not hold after one of these entries.
pub(super) fn broken(rules: &Rules, played: &[Played]) -> Result<Option<Fault>, Trouble> {
    let mut machine = Machine::new(&rules.program);
    machine.begin()?;
    for (nth, entry) in played.iter().enumerate() {
        machine.take(entry.step)?;
        if let Some(number) = machine.broken_invariant()? {
            let steps: Vec<Step> = played.iter().take(nth + 1).map(|entry| entry.step).collect();
            return Ok(told(rules, &machine, number, (&steps, entry.span(rules.file))));
        }
    }
    Ok(None)
}

fn told(rules: &Rules, machine: &Machine<'_>, number: usize, (steps, span): (&[Step], Span)) -> Option<Fault> {
    let bound = &rules.checked.bound;
    let invariant = bound.invariants.get(number)?;
    let game = Game::new(&rules.checked);
    let state = machine.read(&bound.types);
    let mut frame = Frame::new(&state);
    let sources = &rules.loaded.sources;
    let phrase = invariant.phrase.as_ref().and_then(|phrase| game.words(phrase, &mut frame).ok());
    let phrase = phrase.map(|phrase| format!(": {phrase}")).unwrap_or_default();
    let values = parts::values(&game, sources, invariant.condition, &mut frame);
    let values: Vec<String> = values.iter().map(|(text, value)| format!("{text} is {value}")).collect();
    let mut help = "mend the rule that breaks it, or the invariant".to_owned();
    if let Some(short) = shortest_violation(bound, &rules.program, steps, number, LIMITS) {
        let (was, is) = (steps.len(), short.lines.len());
        help += &format!("\nthe shortest game found that breaks it has {is} of {was} entries:");
        help.extend(short.lines.iter().map(|line| format!("\n  {line}")));
    }
    let message = format!("the invariant `{}` does not hold after this entry{phrase}", invariant.name);
    Some(
        Fault::new(&codes::INVARIANT, span, message)
            .label("broken from here on")
            .also(invariant.span, if values.is_empty() { "does not hold".to_owned() } else { values.join(", ") })
            .help(help),
    )
}
