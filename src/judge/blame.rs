//! Blame: the earlier lines that made something so.

use super::rules::Rules;
use crate::bind::{Entry, Value};
use crate::evaluate::{Decision, Place, Trouble, element_name};
use crate::machine::{Machine, Step, Waits};
use crate::report::{FileId, Span};

/// So many lines are blamed.
const MOST: usize = 3;

/// An entry that was judged to be legal, and where it stands.
#[derive(Debug, Clone, Copy)]
pub(super) struct Played {
    pub(super) step: Step,
    pub(super) start: u32,
    pub(super) end: u32,
}

impl Played {
    pub(super) fn span(&self, file: FileId) -> Span {
        Span { file, start: self.start, end: self.end }
    }
}

/// The last lines that changed one of these elements, in order, and what they changed. The game is played once
/// more for it: that is rare, and keeping book all the time would make every log pay.
pub(super) fn changed(rules: &Rules, played: &[Played], about: &[Place]) -> Result<Vec<(Span, String)>, Trouble> {
    if about.is_empty() {
        return Ok(Vec::new());
    }
    let bound = &rules.checked.bound;
    let mut machine = Machine::new(&rules.program);
    machine.begin()?;
    let values = |machine: &Machine<'_>| -> Vec<Option<Value>> {
        about.iter().map(|(state, at)| machine.value(&bound.types, *state, *at)).collect()
    };
    let mut before = values(&machine);
    let mut found: Vec<(Span, String)> = Vec::new();
    for entry in played {
        machine.take(entry.step)?;
        let after = values(&machine);
        if after == before {
            continue;
        }
        let show = |value: &Option<Value>| value.as_ref().map_or_else(String::new, |value| value.show(&bound.types));
        let changes = about.iter().zip(before.iter().zip(&after)).filter(|(_, (before, after))| before != after);
        let changes: Vec<String> = changes
            .map(|(place, (before, after))| {
                format!("{} {} → {}", element_name(bound, *place), show(before), show(after))
            })
            .collect();
        found.push((entry.span(rules.file), changes.join(", ")));
        before = after;
    }
    Ok(found.split_off(found.len().saturating_sub(MOST)))
}

/// The last lines on which chance gave the same to the same place.
pub(super) fn drawn(rules: &Rules, played: &[Played], entry: &Entry) -> Result<Vec<(Span, String)>, Trouble> {
    let Entry::Chance { name, value: Some(value), .. } = entry else { return Ok(Vec::new()) };
    let bound = &rules.checked.bound;
    let mut machine = Machine::new(&rules.program);
    machine.begin()?;
    let mut found = Vec::new();
    for earlier in played {
        if let Waits::Chance(chance) = machine.waits()
            && rules.program.chances.get(usize::from(chance)).is_some_and(|chance| chance.name == *name)
            && machine.decides(&bound.types, earlier.step)? == Decision::Chance(value.clone())
        {
            found.push((earlier.span(rules.file), format!("{} came here", value.show(&bound.types))));
        }
        machine.take(earlier.step)?;
    }
    Ok(found.split_off(found.len().saturating_sub(MOST)))
}
