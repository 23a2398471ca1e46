//! Decisions in the notation of logs: what was entered, in words.

use crate::bind::{ActionId, Bound, Value};
use crate::evaluate::{Choice, Decision, Pause};
use crate::impossible;

/// The name of a seat.
pub(super) fn seat_name(bound: &Bound, seat: u32) -> String {
    Value::Member(bound.players.ty, seat).show(&bound.types)
}

/// Names of the seats, in seating order.
#[must_use]
pub fn seat_names(bound: &Bound) -> Vec<String> {
    (0..bound.players.count).map(|seat| seat_name(bound, seat)).collect()
}

/// A pass.
#[must_use]
pub fn shown_pass(bound: &Bound, seat: u32) -> String {
    format!("{} pass", seat_name(bound, seat))
}

/// What chance gave: the drawn place, its indices, the value.
#[must_use]
pub fn shown_chance(bound: &Bound, name: &str, indices: &[Value], value: &Value) -> String {
    let types = &bound.types;
    let indices: String = indices.iter().map(|index| format!(" {}", index.show(types))).collect();
    format!("{name}{indices} = {}", value.show(types))
}

/// An action with all its arguments, of which the flow binds the `first` ones: these are left out.
#[must_use]
pub fn shown_act(bound: &Bound, seat: u32, action: ActionId, first: usize, args: &[Value]) -> String {
    let action = bound.action(action);
    let mut shown = format!("{} {}", seat_name(bound, seat), action.name);
    for (at, ((local, _), value)) in action.params.iter().zip(args).enumerate().skip(first) {
        // What may be left out is, if it is nothing.
        if *value == Value::None {
            continue;
        }
        if at > first {
            shown += &format!(" {}", bound.local(*local).name);
        }
        shown += &format!(" {}", value.show(&bound.types));
    }
    shown
}

/// An action of which the others know only some arguments: `?` for every covered one that the flow does not bind.
pub(super) fn covered_act(
    bound: &Bound,
    (seat, action, args): (u32, ActionId, &[Value]),
    first: usize,
    is_open: impl Fn(usize) -> bool,
) -> String {
    let args: Vec<Value> =
        args.iter().enumerate().map(|(at, value)| if is_open(at) { value.clone() } else { Value::Unknown }).collect();
    shown_act(bound, seat, action, first, &args)
}

/// A decision as it is written at this pause. What the flow binds is left out, so where it was made must be known.
#[must_use]
pub fn entry_line(bound: &Bound, pause: &Pause, decision: &Decision) -> String {
    match decision {
        Decision::Pass { seat } => shown_pass(bound, *seat),
        Decision::Chance(value) => {
            let (name, indices): (&str, &[Value]) = match pause {
                Pause::Chance { name, indices, .. } => (name, indices),
                Pause::Over | Pause::Choose(_) => impossible!("chance decides where nothing is drawn"),
            };
            shown_chance(bound, name, indices, value)
        }
        Decision::Act { seat, action, args } => shown_act(bound, *seat, *action, left_out(pause, *action, args), args),
    }
}

/// How many first arguments an entry leaves out at this pause, because the offer binds them.
pub(super) fn left_out(pause: &Pause, action: ActionId, args: &[Value]) -> usize {
    let Pause::Choose(Choice { offers, .. }) = pause else { return 0 };
    let fits = offers.iter().find(|(offered, bound)| *offered == action && args.starts_with(bound));
    fits.map_or(0, |(_, bound)| bound.len())
}
