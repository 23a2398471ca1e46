//! Entries of a log, read one by one, by the same code that reads those of examples.

use super::binder::Binder;
use super::layers::Effective;
use super::model::Entry;
use super::{Choice, entries};
use crate::ast;
use crate::report::Fault;

/// What is needed to read entries: a ruleset bound for one choice, and the names of its seats.
pub struct Notation<'a> {
    binder: Binder<'a>,
}

/// An entry that cannot be one.
#[derive(Debug, Clone)]
pub struct Misread {
    /// The verdict it gets: `unknown-action`
    pub verdict: &'static str,
    /// What is wrong with it.
    pub fault: Fault,
}

impl<'a> Notation<'a> {
    /// Binds the rules; ids are the same as [`super::bind`] gives for the same choice.
    #[must_use]
    pub fn new(items: &'a Effective<'a>, choice: Choice<'a>, seats: Vec<String>) -> Self {
        let mut binder = Binder::new(items, choice);
        binder.declare();
        binder.bind_rules();
        binder.seats = seats;
        Self { binder }
    }

    /// Reads one entry. What leaves out its last index stands for several.
    pub fn read(&mut self, entry: &ast::Entry) -> Result<Vec<Entry>, Box<Misread>> {
        let read = match entry {
            ast::Entry::Chance(fact) => self.binder.chance_entry(fact),
            ast::Entry::Move { words, span } => self.binder.move_entry(words, *span).map(|entry| vec![entry]),
        };
        read.map_err(|bad| {
            let entries::BadEntry { verdict, fault } = *bad;
            Box::new(Misread { verdict, fault })
        })
    }
}
