//! Every choice that a ruleset offers, for those who want to know what is there in any of them.

use super::constants::Folder;
use super::ruleset::{node_of, switches};
use super::{Checked, check};
use crate::bind::{self, Bound, Choice, ExprId, Value};
use crate::load::Loaded;

/// Visits a sound ruleset for each number of players, and with each option and ruling changed alone.
pub fn each_choice(loaded: &Loaded, visit: &mut dyn FnMut(&Checked)) {
    // What is wrong has been told before.
    let mut faults = Vec::new();
    let items = bind::effective(&loaded.layers, &mut faults);
    let mut run = |players, numbers: &_| {
        check(bind::bind(&items, &[], Choice { players, numbers }, &mut faults), &mut Vec::new())
    };
    let players = run(None, &loaded.numbers).bound.players;
    for count in players.fewest..=players.most {
        let checked = run(Some(count), &loaded.numbers);
        visit(&checked);
        for (id, values) in switches(&checked.bound) {
            let number = checked.bound.number(id);
            for value in values {
                if number.in_types {
                    let mut changed = loaded.numbers.clone();
                    changed.set(&number.path, node_of(&checked.bound, &value, number.span));
                    visit(&run(Some(count), &changed));
                } else {
                    let mut other = checked.clone();
                    other.bound.numbers[id.at()].values = vec![value];
                    visit(&other);
                }
            }
        }
    }
}

/// Rulings and options by their path, each with the values that it could have instead.
#[must_use]
pub fn other_readings(bound: &Bound) -> Vec<(String, Vec<String>)> {
    let shown = |value: Value| value.show(&bound.types);
    switches(bound)
        .into_iter()
        .map(|(id, values)| (bound.number(id).path.clone(), values.into_iter().map(shown).collect()))
        .collect()
}

/// A condition that is known before the game begins.
#[must_use]
pub fn decided(checked: &Checked, condition: ExprId) -> Option<bool> {
    Folder::new(&checked.bound, &checked.types).decided(condition)
}
