//! One of two games that are played side by side: what can be entered in it, as logs write it.
//!
//! Two rulesets have nothing in common but their notation: positions, numbers of actions and types are each one's
//! own. So what is compared are lines.

use crate::internal::Must;
use std::collections::HashMap;

use crate::bind::{Bound, Choice, Effective, Entry, Notation};
use crate::evaluate::{State, Trouble, Try};
use crate::judge::{self, Rules};
use crate::log;
use crate::machine::{Machine, Position, Step, Waits};
use crate::play::{Session, Stopped, seat_names};
use crate::report::Span;
use crate::simulate;

/// A game by one ruleset.
pub(super) struct Half<'r> {
    rules: &'r Rules,
    pub(super) machine: Machine<'r>,
    notation: Notation<'r>,
    /// Lines that have been read.
    known: HashMap<String, Option<Entry>>,
}

/// A legal entry, and what came of it.
#[derive(Debug, Clone)]
pub(super) struct Entered {
    /// Its line.
    pub(super) text: String,
    /// The action, `pass`, or what chance decides.
    pub(super) action: String,
    pub(super) step: Step,
    pub(super) paid: i64,
    /// After it.
    pub(super) scores: Vec<i64>,
    /// Who wins, if it ends the game.
    pub(super) winners: Option<Vec<u32>>,
}

impl<'r> Half<'r> {
    pub(super) fn new(rules: &'r Rules, items: &'r Effective<'r>) -> Try<Self> {
        let bound = &rules.checked.bound;
        let choice = Choice { players: Some(bound.players.count), numbers: &rules.loaded.numbers };
        let notation = Notation::new(items, choice, seat_names(bound));
        let mut machine = Machine::new(&rules.program);
        machine.begin()?;
        Ok(Self { rules, machine, notation, known: HashMap::new() })
    }

    pub(super) fn bound(&self) -> &'r Bound {
        &self.rules.checked.bound
    }

    /// The score of every seat.
    pub(super) fn scores(&mut self) -> Try<Vec<i64>> {
        (0..self.rules.program.players).map(|seat| self.machine.score(seat)).collect()
    }

    /// Everything that is legal here, by its line. What the ruleset cannot go on after is left out.
    pub(super) fn all(&mut self) -> Try<Vec<Entered>> {
        let here = self.machine.position();
        let mut found = Vec::new();
        for step in judge::legal(&mut self.machine)? {
            self.machine.load(&here);
            found.extend(self.enter(step).ok());
        }
        self.machine.load(&here);
        found.sort_by(|a, b| a.text.cmp(&b.text));
        found.dedup_by(|a, b| a.text == b.text);
        Ok(found)
    }

    /// Enters what is legal.
    pub(super) fn enter(&mut self, step: Step) -> Try<Entered> {
        let bound = self.bound();
        let text = simulate::line(&mut self.machine, bound, step)?;
        let mut words = text.split(' ');
        let action = match step {
            Step::Entry(_) => words.nth(1),
            Step::Drawn(_) => words.next(),
        };
        let action = action.must("a line of a log names what is done").to_owned();
        let paid = if matches!(step, Step::Entry(_)) && action != "pass" { self.machine.paid() } else { 0 };
        let scores = self.scores()?;
        let over = self.machine.waits() == Waits::Nothing;
        let winners = if over { Some(self.machine.winners()?.to_vec()) } else { None };
        Ok(Entered { text, action, step, paid, scores, winners })
    }

    /// What a line says by these rules; nothing if it cannot be read.
    fn entry(&mut self, text: &str) -> Option<Entry> {
        if !self.known.contains_key(text) {
            let read = log::read_entry(&mut self.notation, Span::default(), text);
            let entry = read.ok().and_then(|entries| entries.into_iter().next());
            self.known.insert(text.to_owned(), entry);
        }
        self.known.get(text).cloned().flatten()
    }

    /// The step that a line means here, if it is legal.
    pub(super) fn step(&mut self, text: &str) -> Try<Option<Step>> {
        let Some(entry) = self.entry(text) else { return Ok(None) };
        Ok(judge::steps(self.bound(), &mut self.machine, &entry)?.first().copied())
    }

    /// Enters a line, if it is legal.
    pub(super) fn enter_line(&mut self, text: &str) -> Try<Option<Entered>> {
        match self.step(text)? {
            Some(step) => self.enter(step).map(Some),
            None => Ok(None),
        }
    }

    /// Why a line is refused here: `requirement take.enough`. Nothing if it is not.
    pub(super) fn refusal(&mut self, text: &str) -> Try<Option<String>> {
        let Some(entry) = self.entry(text) else {
            let read = log::read_entry(&mut self.notation, Span::default(), text);
            return Ok(read.err().map(|misread| misread.verdict.to_owned()));
        };
        let position = self.machine.position();
        let mut session = Session::at(&self.rules.checked, &self.rules.program, &position, 0)?;
        match session.enter_entry(&entry) {
            Ok(()) => Ok(None),
            Err(Stopped::Trouble(trouble)) => Err(trouble),
            Err(Stopped::Refused(refusal)) => {
                let is_named = refusal.names.iter().any(|name| name.contains('.'));
                let verdict = is_named.then(|| "requirement".to_owned());
                Ok(Some(verdict.into_iter().chain(refusal.names).collect::<Vec<_>>().join(" ")))
            }
        }
    }

    /// The state, as the rules have it.
    pub(super) fn state(&self) -> State {
        self.machine.read(&self.bound().types)
    }

    pub(super) fn position(&self) -> Position {
        self.machine.position()
    }

    pub(super) fn go(&mut self, position: &Position) {
        self.machine.load(position);
    }

    pub(super) fn begin(&mut self) -> Result<(), Trouble> {
        self.machine.begin()
    }
}
