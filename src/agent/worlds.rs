//! Worlds that a seat cannot tell from the real one.
//!
//! The history of the game is played again from its beginning. What the seat was told happens again; what it was
//! not told is drawn anew from what is possible there. Whenever the seat would see something else than it saw, that
//! draw is taken back, and if nothing else can come, this world is given up and another one begun. So a seat draws
//! conclusions from everything it saw, and never looks at what it did not.
//!
//! What is dealt to one must not be what another one is known to have later. That is learnt when it happens: what
//! should have come, or should have been entered, and could not, is *owed* from then on. See `owed.rs`.

use super::owed::Owed;
use super::secrets::{Secrets, Told};
use crate::evaluate::{Trouble, Try};
use crate::machine::{Machine, Position, Random, Step, Waits};
use crate::report::Span;

/// Steps that may be played again for one decision.
const MOST_STEPS: usize = 1 << 17;

/// Worlds that are given up before what was learnt is given up, too.
const CAREFUL: usize = 1024;

/// What a seat knows about a game, and worlds in which all that is so.
#[derive(Debug, Default)]
pub(super) struct Worlds {
    /// From the first step on that the seat does not know.
    course: Vec<Known>,
    /// The position there.
    start: Position,
    owed: Owed,
    /// The position before a step that it does not know, and what can come there.
    before: Position,
    possible: Vec<(Step, u64)>,
    /// What was found.
    all: Vec<Position>,
    /// Steps that were played for it.
    steps: usize,
}

/// A step as a seat knows it, and what it sees behind it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Known {
    pub(super) told: Told,
    /// What was waited for.
    pub(super) waits: Waits,
    look: u64,
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
        secrets: &Secrets<'_>,
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
        self.owed.clear();
        let mut given_up = 0;
        while self.all.len() < count && self.steps < MOST_STEPS {
            if self.all.is_empty() && given_up == CAREFUL {
                self.owed.ignore();
            }
            // Where the rules break down in a world that was drawn, there is no such world.
            if self.world(machine, secrets, seat, random).unwrap_or(false) {
                self.all.push(machine.position());
            } else {
                given_up += 1;
            }
        }
        Ok(())
    }

    /// Plays the real game again, and notes what the seat knows of it.
    fn recall(&mut self, machine: &mut Machine<'_>, secrets: &Secrets<'_>, (history, seat): (&[Step], u32)) -> Try<()> {
        self.course.clear();
        machine.begin()?;
        for &step in history {
            if self.course.is_empty() {
                machine.save(&mut self.start);
            }
            let waits = machine.waits();
            let told = secrets.take(machine, step, seat)?;
            if !self.course.is_empty() || told != Told::Step(step) {
                self.course.push(Known { told, waits, look: secrets.look(machine.state(), seat) });
            }
        }
        Ok(())
    }

    /// Plays one world; false if it turns out to be none.
    fn world(&mut self, machine: &mut Machine<'_>, secrets: &Secrets<'_>, seat: u32, random: &mut Random) -> Try<bool> {
        machine.load(&self.start);
        self.owed.begin();
        for at in 0..self.course.len() {
            let Some(&known) = self.course.get(at) else { break };
            if machine.waits() != known.waits {
                return Ok(false);
            }
            self.possible(machine, (at, known.told), random)?;
            if self.possible.is_empty() {
                self.owed.learn(machine.program(), &self.course, at);
            }
            machine.save(&mut self.before);
            loop {
                let Some(nth) = random.weighted(self.possible.iter().map(|(_, weight)| *weight)) else {
                    return Ok(false);
                };
                let (step, _) = self.possible.swap_remove(nth);
                self.steps += 1;
                machine.take(step)?;
                if secrets.look(machine.state(), seat) == known.look {
                    self.owed.pay(at, known.told, step);
                    break;
                }
                machine.load(&self.before);
            }
        }
        Ok(true)
    }

    /// Everything that can have happened at a step, as far as the seat knows.
    fn possible(&mut self, machine: &mut Machine<'_>, (at, told): (usize, Told), random: &mut Random) -> Try<()> {
        self.possible.clear();
        self.steps += 1;
        match told {
            Told::Step(step) => {
                if machine.allows(step)? {
                    self.possible.push((step, 1));
                }
            }
            Told::Part { mask, bits } => {
                let moves = machine.moves()?.iter().filter(|entry| entry.0 & mask == bits);
                self.possible.extend(moves.map(|&entry| (Step::Entry(entry), 1)));
            }
            Told::Drawn(owner) => {
                let program = machine.program();
                self.possible.extend(machine.outcomes()?.iter().map(|&(value, weight)| (Step::Drawn(value), weight)));
                self.owed.choose(program, &self.course, (at, owner), &mut self.possible, random);
            }
        }
        Ok(())
    }
}
