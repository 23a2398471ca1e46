//! What an expression is worked out in: the position, the locals, who is at turn.

use crate::internal::Must;
use std::collections::BTreeMap;

use super::state::State;
use crate::bind::{LocalId, Outcome, Value};

/// Values of locals. A rule has few of them at a time, so looking through a list is faster than a map.
#[derive(Debug, Clone, Default)]
pub(super) struct Locals(Vec<(LocalId, Value)>);

impl Locals {
    pub(super) fn get(&self, local: LocalId) -> Option<&Value> {
        self.0.iter().find(|(known, _)| *known == local).map(|(_, value)| value)
    }

    pub(super) fn insert(&mut self, local: LocalId, value: Value) {
        match self.0.iter_mut().find(|(known, _)| *known == local) {
            Some((_, place)) => *place = value,
            None => self.0.push((local, value)),
        }
    }
}

/// What an expression is worked out in.
#[derive(Debug, Clone)]
pub struct Frame<'s> {
    pub(super) state: &'s State,
    pub(super) locals: Locals,
    pub(super) me: Option<u32>,
    /// What an example may ask: by name.
    pub(super) outcomes: BTreeMap<&'static str, Value>,
}

impl<'s> Frame<'s> {
    /// Nobody at turn, no locals.
    #[must_use]
    pub fn new(state: &'s State) -> Self {
        Self { state, locals: Locals::default(), me: None, outcomes: BTreeMap::new() }
    }

    /// Within an action or a turn of this seat.
    #[must_use]
    pub fn acting(mut self, seat: u32) -> Self {
        self.me = Some(seat);
        self
    }

    /// The position.
    #[must_use]
    pub fn state(&self) -> &'s State {
        self.state
    }

    /// The value of a local, if it has any here.
    #[must_use]
    pub fn get(&self, local: LocalId) -> Option<&Value> {
        self.locals.get(local)
    }

    /// A local has this value.
    pub fn set(&mut self, local: LocalId, value: Value) {
        self.locals.insert(local, value);
    }

    /// The same position without locals.
    #[must_use]
    pub(super) fn fresh(&self) -> Frame<'s> {
        Frame { me: self.me, ..Frame::new(self.state) }
    }

    pub(super) fn outcome(&self, outcome: Outcome) -> Value {
        self.outcomes.get(outcome.word()).cloned().must("an outcome is told before it is asked for")
    }

    /// Tells what an outcome's name stands for.
    pub fn tell(&mut self, outcome: Outcome, value: Value) {
        self.outcomes.insert(outcome.word(), value);
    }
}
