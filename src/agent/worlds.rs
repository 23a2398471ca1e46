//! Worlds that a seat cannot tell from the real one.
//!
//! The history of the game is played again from its beginning. What the seat was told happens again; what it was
//! not told is drawn anew from what is possible there. Whenever the seat would see something else than it saw, that
//! draw is taken back, and if nothing else can come, this world is given up and another one begun. So a seat draws
//! conclusions from everything it saw, and never looks at what it did not.
//!
//! What is dealt to others must not be what the seat itself is dealt later. That is learnt when it happens: a value
//! that had to come and could not is avoided by earlier draws of the same kind.

use super::secrets::{Secrets, Told};
use crate::evaluate::{Trouble, Try};
use crate::machine::{Machine, Position, Random, Step, Waits};
use crate::report::Span;

/// Steps that may be played again for one decision.
const MOST_STEPS: usize = 1 << 17;

/// Worlds that are given up before what was learnt is given up, too.
const CAREFUL: usize = 512;

/// What a seat knows about a game, and worlds in which all that is so.
#[derive(Debug, Default)]
pub(super) struct Worlds {
    /// From the first step on that the seat does not know.
    course: Vec<Known>,
    /// The position there.
    start: Position,
    /// The position before a step that it does not know, and what can come there.
    before: Position,
    possible: Vec<(Step, u64)>,
    /// What was found.
    all: Vec<Position>,
    /// Steps that were played for it.
    steps: usize,
}

/// A step as a seat knows it, and what it sees behind it.
#[derive(Debug, Clone)]
struct Known {
    told: Told,
    /// What was waited for.
    waits: Waits,
    look: u64,
    /// What chance did not give here, as far as it can be told.
    avoid: Vec<i64>,
}

impl Worlds {
    /// The worlds; there are none if none was found in time.
    pub(super) fn all(&self) -> &[Position] {
        &self.all
    }

    /// Makes so many worlds that are to `seat` as the real one is, which has this history.
    pub(super) fn imagine(
        &mut self,
        machine: &mut Machine<'_>,
        secrets: &Secrets,
        (history, seat, here): (&[Step], u32, &Position),
        count: usize,
        random: &mut Random,
    ) -> Try<()> {
        self.recall(machine, secrets, (history, seat))?;
        if machine.position() != *here {
            let message = "the history of the game does not lead to its position".to_owned();
            return Err(Trouble { message, span: Span::default() });
        }
        self.all.clear();
        if self.course.is_empty() {
            // The seat knows everything.
            self.all.push(here.clone());
            return Ok(());
        }
        self.steps = 0;
        let mut given_up = 0;
        while self.all.len() < count && self.steps < MOST_STEPS {
            let careful = !self.all.is_empty() || given_up < CAREFUL;
            // Where the rules break down in a world that was drawn, there is no such world.
            if self.world(machine, secrets, (seat, careful), random).unwrap_or(false) {
                self.all.push(machine.position());
            } else {
                given_up += 1;
            }
        }
        Ok(())
    }

    /// Plays the real game again, and notes what the seat knows of it.
    fn recall(&mut self, machine: &mut Machine<'_>, secrets: &Secrets, (history, seat): (&[Step], u32)) -> Try<()> {
        self.course.clear();
        machine.begin()?;
        for &step in history {
            let (waits, told) = (machine.waits(), secrets.told(machine, step, seat)?);
            if self.course.is_empty() {
                if let Told::Step(_) = told {
                    machine.take(step)?;
                    continue;
                }
                machine.save(&mut self.start);
            }
            machine.take(step)?;
            let look = secrets.look(machine.state(), seat);
            self.course.push(Known { told, waits, look, avoid: Vec::new() });
        }
        Ok(())
    }

    /// Plays one world; false if it turns out to be none.
    fn world(
        &mut self,
        machine: &mut Machine<'_>,
        secrets: &Secrets,
        (seat, careful): (u32, bool),
        random: &mut Random,
    ) -> Try<bool> {
        machine.load(&self.start);
        for at in 0..self.course.len() {
            let Some(known) = self.course.get(at) else { break };
            let look = known.look;
            if machine.waits() != known.waits {
                return Ok(false);
            }
            self.steps += 1;
            if let Told::Step(step) = known.told {
                if !machine.allows(step)? {
                    self.learn(at, step);
                    return Ok(false);
                }
                machine.take(step)?;
                if secrets.look(machine.state(), seat) != look {
                    return Ok(false);
                }
                continue;
            }
            self.possible(machine, at, careful)?;
            machine.save(&mut self.before);
            loop {
                let Some(nth) = random.weighted(self.possible.iter().map(|(_, weight)| *weight)) else {
                    return Ok(false);
                };
                let (step, _) = self.possible.swap_remove(nth);
                self.steps += 1;
                machine.take(step)?;
                if secrets.look(machine.state(), seat) == look {
                    break;
                }
                machine.load(&self.before);
            }
        }
        Ok(true)
    }

    /// Everything that can have happened where the seat does not know.
    fn possible(&mut self, machine: &mut Machine<'_>, at: usize, careful: bool) -> Try<()> {
        self.possible.clear();
        let Some(known) = self.course.get(at) else { return Ok(()) };
        match known.told {
            Told::Step(_) => {}
            Told::Something => {
                let outcomes = machine.outcomes()?.iter();
                let open = outcomes.filter(|(value, _)| !careful || !known.avoid.contains(value));
                self.possible.extend(open.map(|&(value, weight)| (Step::Drawn(value), weight)));
            }
            Told::Offer(offer) => {
                let moves = machine.moves()?.iter().filter(|entry| entry.offer() == offer);
                self.possible.extend(moves.map(|&entry| (Step::Entry(entry), 1)));
            }
        }
        Ok(())
    }

    /// This should have come and could not: earlier draws of the same kind must not have given it, back to where the
    /// seat saw it last.
    fn learn(&mut self, at: usize, step: Step) {
        let (Step::Drawn(value), Some(waits)) = (step, self.course.get(at).map(|known| known.waits)) else { return };
        for known in self.course.iter_mut().take(at).rev().filter(|known| known.waits == waits) {
            if known.told == Told::Step(step) {
                break;
            }
            if known.told == Told::Something && !known.avoid.contains(&value) {
                known.avoid.push(value);
            }
        }
    }
}
