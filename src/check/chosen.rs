//! One choice of a ruleset, ready to be played: so many seats, with these names.

use super::{Checked, check};
use crate::bind::{self, Choice};
use crate::load::Loaded;
use crate::report::{Fault, Span, codes, settle};

/// The ruleset for this many players; the fewest if not said. A fault about their number stands at `at`.
pub fn chosen(loaded: &Loaded, players: Option<u32>, seats: &[String], at: Span) -> Result<Checked, Vec<Fault>> {
    let mut faults = loaded.faults.clone();
    let mut checked = None;
    if !loaded.layers.is_empty() {
        let items = bind::effective(&loaded.layers, &mut faults);
        let bound = bind::bind(&items, &[], Choice { players, numbers: &loaded.numbers }, &mut faults);
        let (fewest, most) = (bound.players.fewest, bound.players.most);
        if let Some(players) = players.filter(|players| !(fewest..=most).contains(players)) {
            faults.push(
                Fault::new(&codes::PLAYER_COUNT, at, format!("{players} cannot play this game"))
                    .label("so many are said to play")
                    .help(if fewest == most { format!("{most} can") } else { format!("{fewest} to {most} can") }),
            );
        }
        checked = Some(check(bound, &mut faults));
    }
    faults.retain(Fault::is_error);
    settle(&mut faults);
    match checked {
        Some(mut checked) if faults.is_empty() => {
            let ty = checked.bound.players.ty;
            checked.bound.types.rename(ty, seats.iter().cloned());
            Ok(checked)
        }
        _ => Err(faults),
    }
}
