//! Trying a shorter log: does it come to the same verdict?

use std::ops::ControlFlow;

use crate::bind::{Bound, Entry};
use crate::evaluate::Trouble;
use crate::log::{self, Form, Log, Reader};
use crate::machine::{Machine, Position, Step, Waits};
use crate::play::{Session, Stopped};
use crate::simulate;

use super::super::game::Judge;
use super::super::head::Head;
use super::super::steps::steps;
use super::Wanted;
use super::cut::{Cut, Item, Tail};
use super::trying::Trying;

/// Judging a log takes as much time as playing so many entries.
const JUDGING: u64 = 500;

/// Tries logs.
pub(super) struct Trial<'r> {
    judge: Judge<'r>,
    machine: Machine<'r>,
    head: String,
    reader: Reader,
    tail: Tail,
    /// What the last action cost, if that matters.
    paid: i64,
    wanted: Wanted,
    /// Was the game over where it failed?
    over: bool,
    open: bool,
    /// Entries that may still be played.
    left: u64,
}

impl<'r> Trial<'r> {
    /// Logs with this head; nothing if it cannot be written.
    pub(super) fn new(
        judge: Judge<'r>,
        log: &Log,
        cut: &Cut,
        (wanted, over): (Wanted, bool),
        left: u64,
    ) -> Option<Self> {
        let head = log::write(&Log { entries: Vec::new(), result: None, ..log.clone() });
        let reader = Head::read(&head, Form::Text, judge.rules.file).ok()?.reader;
        let machine = Machine::new(&judge.rules.program);
        let (tail, open) = (cut.tail.clone(), cut.open);
        Some(Self { judge, machine, head, reader, tail, paid: 0, wanted, over, open, left })
    }

    fn bound(&self) -> &'r Bound {
        &self.judge.rules.checked.bound
    }

    /// A log with these entries, and the byte at which what fails begins.
    pub(super) fn text(&self, items: &[&Item]) -> (String, usize) {
        let mut out = self.head.clone();
        if !items.is_empty() || !matches!(self.tail, Tail::Head | Tail::Result(_)) {
            out.push('\n');
        }
        let claim = match &self.tail {
            Tail::Claim(text) => Some(text.as_str()),
            _ => None,
        };
        // What is claimed stands on the line of the last entry.
        let (before, last) = match items {
            [before @ .., last] if claim.is_some() => (before, Some(last)),
            _ => (items, None),
        };
        out.extend(before.iter().map(|item| item.line(None)));
        let mut at = out.len();
        match &self.tail {
            Tail::Head => at = 0,
            Tail::Entry(text, _) => out += &format!("{text}\n"),
            Tail::Claim(text) => out += &last.map_or_else(|| format!("then {text}\n"), |last| last.line(claim)),
            Tail::Result(lines) => out += &format!("\n{}\n", lines.join("\n")),
        }
        (out, at)
    }

    fn enters(&mut self, entry: &Entry) -> Result<bool, Trouble> {
        match steps(self.bound(), &mut self.machine, entry)?.first() {
            Some(step) => self.machine.take(*step).map(|()| true),
            None => Ok(false),
        }
    }

    /// May it fail in the same way where the machine stands?
    fn may_fail(&mut self, position: &Position) -> Result<bool, Trouble> {
        let entry = match &self.tail {
            Tail::Entry(_, Some(entry)) => entry.clone(),
            Tail::Result(_) => return Ok((self.machine.waits() == Waits::Nothing) == self.over),
            Tail::Head | Tail::Entry(_, None) | Tail::Claim(_) => return Ok(true),
        };
        let asked = match (self.machine.waits(), &entry) {
            (Waits::Player { seat, .. }, Entry::Act { seat: who, .. }) => seat == *who,
            _ => false,
        };
        let about_rules = !self.wanted.requirements.is_empty();
        if (about_rules && !asked) || !steps(self.bound(), &mut self.machine, &entry)?.is_empty() {
            return Ok(false);
        }
        let rules = self.judge.rules;
        let mut session = Session::at(&rules.checked, &rules.program, position, 0)?;
        match session.enter_entry(&entry) {
            Err(Stopped::Refused(refusal)) if about_rules => {
                let mut names = refusal.names;
                names.sort();
                Ok(names == self.wanted.requirements)
            }
            Err(Stopped::Refused(refusal)) => Ok(refusal.names.iter().any(|name| name == self.wanted.verdict)),
            Ok(()) | Err(Stopped::Trouble(_)) => Ok(false),
        }
    }
}

impl Trying for Trial<'_> {
    type Place = (Position, i64);

    fn begin(&mut self) -> Result<(), Trouble> {
        self.paid = 0;
        self.machine.begin()
    }

    fn place(&self) -> (Self::Place, usize) {
        ((self.machine.position(), self.paid), self.machine.state().len())
    }

    fn go(&mut self, (position, paid): &Self::Place) {
        self.machine.load(position);
        self.paid = *paid;
    }

    fn steps(&mut self) -> Result<Vec<Step>, Trouble> {
        legal(&mut self.machine)
    }

    fn take(&mut self, step: Step) -> ControlFlow<()> {
        // Where the rules cannot go on, nothing follows.
        if self.machine.take(step).is_err() {
            return ControlFlow::Break(());
        }
        if matches!((&self.tail, step), (Tail::Claim(_), Step::Entry(_))) {
            self.paid = self.machine.paid();
        }
        ControlFlow::Continue(())
    }

    fn write(&mut self, step: Step) -> Result<String, Trouble> {
        let bound = self.bound();
        simulate::line(&mut self.machine, bound, step)
    }

    fn plays<'i>(&mut self, items: impl IntoIterator<Item = &'i Item>) -> bool {
        items.into_iter().all(|item| {
            self.left = self.left.saturating_sub(1);
            item.entry.as_ref().is_some_and(|entry| self.enters(entry).unwrap_or(false))
        })
    }

    fn may_be_same(&mut self) -> Result<bool, Trouble> {
        let position = self.machine.position();
        self.may_fail(&position)
    }

    /// Does a log with these entries come to the same verdict, for what fails?
    fn is_same(&mut self, items: &[&Item]) -> bool {
        let (text, at) = self.text(items);
        self.left = self.left.saturating_sub(JUDGING + items.len() as u64);
        let judged = self.judge.game(&text, Form::Text, &self.reader, self.head.len());
        let fault = judged.fault().filter(|fault| fault.span.start as usize >= at);
        judged.faults.is_empty() && fault.map(Wanted::of).as_ref() == Some(&self.wanted)
    }

    fn is_tired(&self) -> bool {
        self.left == 0
    }

    fn rest(&mut self, steps: u64) {
        self.left = steps;
    }

    fn is_open(&self) -> bool {
        self.open
    }
}

/// Everything that is legal where a machine stands.
pub(crate) fn legal(machine: &mut Machine<'_>) -> Result<Vec<Step>, Trouble> {
    Ok(match machine.waits() {
        Waits::Player { .. } => machine.moves()?.iter().copied().map(Step::Entry).collect(),
        Waits::Chance(_) => {
            let outcomes = machine.outcomes()?.iter().filter(|(_, weight)| *weight > 0);
            outcomes.map(|(value, _)| Step::Drawn(*value)).collect()
        }
        Waits::Nothing => Vec::new(),
    })
}
