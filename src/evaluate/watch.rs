//! Watching a game: what is written into the state, by which statement, and what a value was read from.
//!
//! Who asks where a score comes from needs more than where a game stands: every write with what was written
//! there before, at the moment when the expression behind it can still be taken apart. A game that nobody
//! watches pays for one test of an option at each write.

use std::collections::BTreeSet;

use super::Try;
use super::action::Place;
use super::flow::{Decide, Run, Stop};
use super::frame::{Frame, Locals};
use super::game::{Game, Stand};
use super::{Pause, State};
use crate::bind::{Block, ExprId, LocalId, StateId, Value};
use crate::report::Span;

/// What is about to happen to the state or to a local.
#[derive(Debug, Clone, Copy)]
pub enum Notice<'w> {
    /// An element is written.
    Write(Write<'w>),
    /// `let x = E`, with its value.
    Let(LocalId, ExprId, &'w Value),
}

/// A write into the state.
#[derive(Debug, Clone, Copy)]
pub struct Write<'w> {
    /// The state and the element.
    pub place: Place,
    /// What is there.
    pub before: &'w Value,
    /// What will be there.
    pub after: &'w Value,
    /// How it comes there.
    pub how: How,
    /// The statement, or its place.
    pub span: Span,
}

/// How a value comes into its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum How {
    /// `place = E`
    Set(ExprId),
    /// `place += E`
    Added(ExprId),
    /// `place -= E`
    Taken(ExprId),
    /// The price of an action.
    Paid,
    /// An exchange of two places.
    Exchanged,
    /// Chance: what was drawn, or what it was drawn from.
    Drawn,
    /// A turn begins, and what belongs to a turn begins anew.
    Turn,
}

/// Who watches. The frame is that of the statement, before it happens.
pub type Watch<'g> = &'g dyn Fn(&Notice<'_>, &mut Frame<'_>) -> Try<()>;

impl Game<'_> {
    /// As [`Game::play_with`], with somebody who watches.
    pub fn play_watched<'g>(
        &'g self,
        flow: &Block,
        state: State,
        decide: Decide<'g>,
        watch: Option<Watch<'g>>,
    ) -> Try<Stand> {
        let _question = self.fuel.question();
        let mut run = Run { decide, watch, watched: true, ..Run::trial(self, state, Locals::default(), None) };
        let pause = match run.block(flow) {
            Ok(()) | Err(Stop::Leave) => Pause::Over,
            Err(Stop::Pause(pause)) => pause,
            Err(Stop::Trouble(trouble)) => return Err(trouble),
        };
        Ok(Stand { state: run.state, pause, paid: run.paid })
    }

    /// What something gives, and the elements of the state that were read for it.
    pub fn reading<T>(&self, look: impl FnOnce() -> Try<T>) -> Try<(T, BTreeSet<Place>)> {
        self.reads.replace(Some(BTreeSet::new()));
        let value = look();
        let reads = self.reads.take().unwrap_or_default();
        Ok((value?, reads))
    }

    /// An element is read.
    pub(super) fn note_read(&self, place: Place) {
        if let Some(reads) = self.reads.borrow_mut().as_mut() {
            reads.insert(place);
        }
    }

    /// All elements of these states are read.
    pub(super) fn note_all_read(&self, states: impl Iterator<Item = (StateId, usize)>) {
        if let Some(reads) = self.reads.borrow_mut().as_mut() {
            reads.extend(states.flat_map(|(id, count)| (0..count).map(move |at| (id, at))));
        }
    }
}

impl Run<'_, '_> {
    /// Writes an element that is known to fit.
    pub(super) fn put(&mut self, at: Place, value: Value, how: How, span: Span) -> Try<()> {
        if let Some(watch) = self.watch {
            let before = self.state.read(at.0, at.1);
            let write = Write { place: at, before: &before, after: &value, how, span };
            self.with(|_, frame| watch(&Notice::Write(write), frame))?;
        }
        self.state.set(at.0, at.1, value);
        Ok(())
    }

    /// A local gets its value.
    pub(super) fn note_let(&mut self, local: LocalId, of: ExprId, value: &Value) -> Try<()> {
        match self.watch {
            Some(watch) => self.with(|_, frame| watch(&Notice::Let(local, of, value), frame)),
            None => Ok(()),
        }
    }

    /// A state begins anew.
    pub(super) fn put_all(&mut self, id: StateId, values: Vec<Value>, span: Span) -> Try<()> {
        if self.watch.is_some() {
            return values
                .into_iter()
                .enumerate()
                .try_for_each(|(at, value)| self.put((id, at), value, How::Turn, span));
        }
        if let Some(elements) = self.state.elements.get_mut(id.at()) {
            *elements = values;
        }
        Ok(())
    }
}
