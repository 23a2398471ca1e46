//! The same ruleset with a change.

use crate::bind::Bound;
use crate::check::{self, Checked};
use crate::load::Loaded;
use crate::machine::Program;
use crate::report::{Fault, Span};
use crate::tune::compile_for;

/// A ruleset that can be played.
pub(super) struct Variant {
    pub(super) loaded: Loaded,
    pub(super) checked: Checked,
    pub(super) program: Program,
}

/// A ruleset that cannot, and why.
pub(super) struct Faulty {
    pub(super) loaded: Loaded,
    pub(super) faults: Vec<Fault>,
}

impl Faulty {
    /// Is it the change that is wrong, not what becomes of the ruleset?
    pub(super) fn is_meant_wrongly(&self) -> bool {
        self.faults.iter().any(|fault| self.loaded.foreign.contains(&fault.span.file))
    }

    /// What is to be shown: if the change is wrong, not what else comes of it.
    pub(super) fn shown(&self) -> Vec<Fault> {
        let own = |fault: &&Fault| !self.is_meant_wrongly() || self.loaded.foreign.contains(&fault.span.file);
        self.faults.iter().filter(own).cloned().collect()
    }

    /// The first fault in one line.
    pub(super) fn message(&self) -> String {
        self.faults.first().map_or_else(String::new, |fault| fault.message.clone())
    }
}

impl Variant {
    /// For so many games on so many threads.
    pub(super) fn new(loaded: Loaded, players: u32, (games, jobs): (u64, usize)) -> Result<Self, Box<Faulty>> {
        let checked = match check::chosen(&loaded, Some(players), &[], Span::default()) {
            Ok(checked) => checked,
            Err(faults) => return Err(Box::new(Faulty { loaded, faults })),
        };
        match compile_for(&checked, games, jobs) {
            Ok(program) => Ok(Self { loaded, checked, program }),
            Err(fault) => Err(Box::new(Faulty { loaded, faults: vec![*fault] })),
        }
    }
}

/// Do two rulesets have the same numbers?
pub(super) fn same_numbers(a: &Bound, b: &Bound) -> bool {
    let numbers = |bound: &Bound| bound.numbers.iter().map(|number| number.values.clone()).collect::<Vec<_>>();
    let columns = |bound: &Bound| bound.columns.iter().map(|column| column.values.clone()).collect::<Vec<_>>();
    numbers(a) == numbers(b) && columns(a) == columns(b)
}
