//! Going on after a fault, so that one slip does not hide the rest of a game.
//!
//! An entry that is merely not allowed is carried out as if it had been: that is what happened at the table.
//! What cannot be carried out is passed over, and so is everything after it that does not fit, until an
//! entry does; whoever is asked meanwhile may pass, if the rules let them.

use super::finding::Finding;
use super::game::{Go, Judge, Stop};
use super::steps::{as_offered, steps};
use crate::bind::{Bound, Entry, Value};
use crate::evaluate::Decision;
use crate::log::Line;
use crate::machine::{Machine, Move, Step, Waits, to_slot};
use crate::report::Span;

/// Passes that may lie between a fault and the entry that fits again.
const MOST_PASSES: usize = 16;

/// The log and the rules are not at the same point of the game.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lost;

impl Judge<'_> {
    /// Notes a finding about an entry, and finds a way to go on if that is wanted.
    pub(super) fn astray(&mut self, entry: Option<&Entry>, mut finding: Finding, span: Span) -> Go<()> {
        if !self.goes_on() || self.worlds.is_some() {
            self.judged.findings.push(finding);
            return Err(Stop::Enough);
        }
        if self.lost.is_some() {
            self.judged.skipped += 1;
            return Ok(());
        }
        match entry.and_then(|entry| self.forced(entry)) {
            Some(step) => {
                finding.resumed = Some("judged on as if it had been legal".to_owned());
                self.play(step, span)?;
            }
            None => {
                finding.resumed = Some("judged on without it, from the next entry that fits".to_owned());
                self.lost = Some(Lost);
            }
        }
        self.found(finding)
    }

    /// The log is lost, and this entry does not fit: passes lead to where it does, or it is passed over. False if
    /// the log is not lost.
    pub(super) fn resynchronises(&mut self, entry: &Entry, line: &Line) -> Go<bool> {
        if self.lost.is_none() {
            return Ok(false);
        }
        let (before, played) = (self.machine.position(), self.played.len());
        for _ in 0..MOST_PASSES {
            if !self.machine.is_legal(Move::PASS)? {
                break;
            }
            self.play(Step::Entry(Move::PASS), line.span)?;
            if let Some(step) = steps(&self.rules.checked.bound, &mut self.machine, entry)?.first() {
                self.play(*step, line.span)?;
                self.lost = None;
                return Ok(true);
            }
        }
        self.machine.load(&before);
        self.played.truncate(played);
        self.judged.skipped += 1;
        Ok(true)
    }

    /// The step that an illegal entry would be, if it can be carried out at all.
    fn forced(&mut self, entry: &Entry) -> Option<Step> {
        let before = self.machine.position();
        let step = meant(&self.rules.checked.bound, &mut self.machine, entry)?;
        let possible = self.machine.take(step).and_then(|()| self.machine.settle()).is_ok();
        self.machine.load(&before);
        possible.then_some(step)
    }
}

/// What an entry means, legal or not; nothing if it is not offered at all.
fn meant(bound: &Bound, machine: &mut Machine<'_>, entry: &Entry) -> Option<Step> {
    let entry = &*as_offered(machine, entry);
    match (entry, machine.waits()) {
        (Entry::Act { seat, action, first, args, .. }, Waits::Player { choice, seat: asked }) if *seat == asked => {
            let point = machine.program().choices.get(usize::from(choice))?;
            let args = [vec![Value::None; *first].as_slice(), args.as_slice()].concat();
            let decision = Decision::Act { seat: *seat, action: *action, args };
            let offers = point.offers.clone().filter(|number| {
                machine.program().offers.get(usize::from(*number)).is_some_and(|offer| offer.bound == *first)
            });
            let mut entries = offers.filter_map(|number| machine.entry_of(&bound.types, number, &decision));
            let found = entries.next();
            // Testing an entry works out what the flow binds.
            found.filter(|found| machine.is_legal(*found).is_ok()).map(Step::Entry)
        }
        (Entry::Chance { name, value: Some(value), .. }, Waits::Chance(chance)) => {
            let chance = machine.program().chances.get(usize::from(chance)).filter(|chance| chance.name == *name)?;
            to_slot(&bound.types, &chance.ty, value).map(Step::Drawn)
        }
        _ => None,
    }
}
