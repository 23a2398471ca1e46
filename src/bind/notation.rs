//! Entries of a log, read one by one, by the same code that reads those of examples, but patiently.

use super::binder::Binder;
use super::claims::Claim;
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
        binder.tolerant = true;
        Self { binder }
    }

    /// Who sits where: entries may name them too.
    pub fn call(&mut self, people: impl IntoIterator<Item = Option<String>>) {
        self.binder.people = people.into_iter().collect();
    }

    /// Reads one entry. What leaves out its last index stands for several.
    pub fn read(&mut self, entry: &ast::Entry) -> Result<Vec<Entry>, Box<Misread>> {
        let read = match entry {
            ast::Entry::Chance(fact) => self.binder.chance_entry(fact),
            ast::Entry::Move { words, span } => self.binder.move_entry(words, *span).map(|entry| vec![entry]),
        };
        read.map_err(|bad| misread(*bad))
    }

    /// Reads one claim. What leaves out its last index stands for several.
    pub fn claim(&mut self, fact: &ast::Fact) -> Result<Vec<Claim>, Box<Misread>> {
        self.binder.claim(fact).map_err(|bad| misread(*bad))
    }
}

fn misread(bad: entries::BadEntry) -> Box<Misread> {
    let entries::BadEntry { verdict, fault } = bad;
    Box::new(Misread { verdict, fault })
}
