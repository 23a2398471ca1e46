//! A decision as a line of a log. What the flow binds is left out, so where it was made must be known.

use crate::bind::{ActionId, Bound, Value};
use crate::evaluate::{Choice, Decision, Pause};

/// A decision in the notation of logs, as it is written at this pause.
#[must_use]
pub fn entry_line(bound: &Bound, pause: &Pause, decision: &Decision) -> String {
    let types = &bound.types;
    let name = |seat: u32| Value::Member(bound.players.ty, seat).show(types);
    match decision {
        Decision::Pass { seat } => format!("{} pass", name(*seat)),
        Decision::Chance(value) => {
            let (name, indices): (&str, &[Value]) = match pause {
                Pause::Chance { name, indices, .. } => (name, indices),
                _ => ("chance", &[]),
            };
            let indices: String = indices.iter().map(|index| format!(" {}", index.show(types))).collect();
            format!("{name}{indices} = {}", value.show(types))
        }
        Decision::Act { seat, action, args } => {
            let first = left_out(pause, *action, args);
            let action = bound.action(*action);
            let mut shown = format!("{} {}", name(*seat), action.name);
            for (at, ((local, _), value)) in action.params.iter().zip(args).enumerate().skip(first) {
                // What may be left out is, if it is nothing.
                if *value == Value::None {
                    continue;
                }
                if at > first {
                    shown += &format!(" {}", bound.local(*local).name);
                }
                shown += &format!(" {}", value.show(types));
            }
            shown
        }
    }
}

/// How many first arguments an entry leaves out at this pause, because the offer binds them.
pub(super) fn left_out(pause: &Pause, action: ActionId, args: &[Value]) -> usize {
    let Pause::Choose(Choice { offers, .. }) = pause else { return 0 };
    let fits = offers.iter().find(|(offered, bound)| *offered == action && args.starts_with(bound));
    fits.map_or(0, |(_, bound)| bound.len())
}
