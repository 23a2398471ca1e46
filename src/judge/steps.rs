//! What an entry can mean where a game stands: one step of the machine, several if parts of it are unknown,
//! none if it is not legal.

use crate::internal::Must;
use std::borrow::Cow;

use crate::bind::{Bound, Entry, Value};
use crate::evaluate::{Decision, Trouble};
use crate::machine::{Machine, Move, Step, Waits, from_slot};

/// Every legal step that an entry can mean.
pub(crate) fn steps(bound: &Bound, machine: &mut Machine<'_>, entry: &Entry) -> Result<Vec<Step>, Trouble> {
    let entry = &*as_offered(machine, entry);
    match (entry, machine.waits()) {
        (Entry::Pass { seat }, Waits::Player { seat: asked, .. }) if *seat == asked => {
            Ok(if machine.is_legal(Move::PASS)? { vec![Step::Entry(Move::PASS)] } else { Vec::new() })
        }
        (Entry::Act { seat, action, first, args, .. }, Waits::Player { choice, seat: asked }) if *seat == asked => {
            let program = machine.program();
            let point = program.choices.get(usize::from(choice)).must("a machine waits at a choice of its program");
            let mut found = Vec::new();
            for number in point.offers.clone() {
                let offer = program.offers.get(usize::from(number)).must("a choice has its offers");
                if offer.action != *action || offer.bound != *first {
                    continue;
                }
                if args.iter().any(is_unknown) {
                    found.extend(fitting(bound, machine, number, args, *first)?);
                    continue;
                }
                let args = [vec![Value::None; *first].as_slice(), args.as_slice()].concat();
                let decision = Decision::Act { seat: *seat, action: *action, args };
                if let Some(entry) = machine.entry_of(&bound.types, number, &decision)
                    && machine.is_legal(entry)?
                {
                    found.push(Step::Entry(entry));
                }
            }
            Ok(found)
        }
        (Entry::Chance { name, indices, value }, Waits::Chance(chance)) => {
            let types = &bound.types;
            let chance =
                machine.program().chances.get(usize::from(chance)).must("a machine waits for a chance of its program");
            let at = machine.drawn_at()?;
            let at = at.iter().zip(&chance.at).map(|(value, (_, ty))| from_slot(types, ty, *value));
            if chance.name != *name || !at.eq(indices.iter().cloned()) {
                return Ok(Vec::new());
            }
            let outcomes = machine.outcomes()?.iter().filter(|(_, weight)| *weight > 0);
            let fits =
                |slot: &i64| value.as_ref().is_none_or(|pattern| fits(pattern, &from_slot(types, &chance.ty, *slot)));
            Ok(outcomes.map(|(slot, _)| *slot).filter(fits).map(Step::Drawn).collect())
        }
        _ => Ok(Vec::new()),
    }
}

/// An entry as one of the offers reads it where the machine stands.
pub(super) fn as_offered<'e>(machine: &Machine<'_>, entry: &'e Entry) -> Cow<'e, Entry> {
    let Waits::Player { choice, .. } = machine.waits() else { return Cow::Borrowed(entry) };
    let program = machine.program();
    let point = program.choices.get(usize::from(choice)).must("a machine waits at a choice of its program");
    entry.as_offered(|action, first| {
        let mut offers = point.offers.clone().filter_map(|number| program.offers.get(usize::from(number)));
        offers.any(|offer| offer.action == action && offer.bound == first)
    })
}

/// Legal entries of an offer whose arguments are like these, as far as these are known.
fn fitting(
    bound: &Bound,
    machine: &mut Machine<'_>,
    number: u16,
    args: &[Value],
    first: usize,
) -> Result<Vec<Step>, Trouble> {
    let mut found = Vec::new();
    for entry in machine.moves()?.to_vec() {
        if entry == Move::PASS || entry.offer() != usize::from(number) {
            continue;
        }
        if let Decision::Act { args: real, .. } = machine.decision(&bound.types, entry)?
            && args.iter().zip(real.iter().skip(first)).all(|(pattern, value)| fits(pattern, value))
        {
            found.push(Step::Entry(entry));
        }
    }
    Ok(found)
}

/// Is any part of it unknown?
pub(super) fn is_unknown(value: &Value) -> bool {
    match value {
        Value::Unknown => true,
        Value::Set(parts) | Value::List(parts) | Value::Record(_, parts) => parts.iter().any(is_unknown),
        _ => false,
    }
}

/// Is a value like this pattern, of which parts may be unknown?
fn fits(pattern: &Value, value: &Value) -> bool {
    match (pattern, value) {
        (Value::Unknown, _) => true,
        (Value::Record(_, pattern), Value::Record(_, parts)) | (Value::List(pattern), Value::List(parts)) => {
            pattern.len() == parts.len() && pattern.iter().zip(parts).all(|(pattern, part)| fits(pattern, part))
        }
        (Value::Set(pattern), Value::Set(parts)) => {
            let known = pattern.iter().filter(|part| !is_unknown(part));
            pattern.len() == parts.len() && known.into_iter().all(|part| parts.contains(part))
        }
        (pattern, value) => pattern == value,
    }
}

/// What a step cost: chance and who passes pay nothing.
pub(super) fn cost(machine: &Machine<'_>, step: Step) -> i64 {
    match step {
        Step::Entry(entry) if entry != Move::PASS => machine.paid(),
        _ => 0,
    }
}
