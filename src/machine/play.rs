//! Playing: from one pause to the next.

use super::program::{Asks, HEADER, Otherwise, Routine};
use super::run::{Halt, Wanted};
use super::{Machine, Move, Random, Target};
use crate::evaluate::Trouble;
use crate::impossible;
use crate::limits;
use crate::report::Span;

/// What a position waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Waits {
    /// A player; by number in [`super::Draft::choices`].
    Player {
        /// Which choice.
        choice: u16,
        /// Who is asked.
        seat: u32,
    },
    /// Chance; by number in [`super::Draft::chances`].
    Chance(u16),
    /// Nothing: the game is over.
    Nothing,
}

/// Something that whoever uses the machine must not ask for.
fn refused(what: &str) -> Trouble {
    Trouble { message: format!("refused: {what}"), span: Span::default() }
}

impl Machine<'_> {
    /// Begins a game.
    pub fn begin(&mut self) -> Result<(), Trouble> {
        self.state.fill(0);
        self.desk.paid = 0;
        self.renew();
        self.go_on(self.program.begin)
    }

    /// What the last action cost.
    #[must_use]
    pub fn paid(&self) -> i64 {
        self.desk.paid
    }

    /// What the position waits for.
    #[must_use]
    pub fn waits(&self) -> Waits {
        let &[a, b, c, d, ..] = self.state.as_slice() else { return Waits::Nothing };
        let pause = usize::from(u16::from_le_bytes([a, b]));
        let asks = pause.checked_sub(1).and_then(|pause| self.program.pauses.get(pause)).map(|pause| pause.asks);
        match asks {
            Some(Asks::Player(choice)) => Waits::Player { choice, seat: u32::from(u16::from_le_bytes([c, d])) },
            Some(Asks::Chance(chance)) => Waits::Chance(chance),
            None => Waits::Nothing,
        }
    }

    /// Enters what a player does. It must be legal: see [`Machine::is_legal`].
    pub fn play(&mut self, entry: Move) -> Result<(), Trouble> {
        let Waits::Player { choice, .. } = self.waits() else { return Err(refused("nobody is asked for a move")) };
        let program = self.program;
        let point = &program.choices[usize::from(choice)];
        self.renew();
        if entry == Move::PASS {
            return match point.otherwise {
                Otherwise::Pass(go) | Otherwise::PassIfNothing(go) => self.go_on(go),
                _ => Err(refused("nobody may pass here")),
            };
        }
        let number = u16::try_from(entry.offer()).unwrap_or(u16::MAX);
        let offer =
            program.offers.get(entry.offer()).filter(|offer| point.offers.contains(&number) && offer.has(entry));
        let Some(offer) = offer else { return Err(refused("there is no such move here")) };
        self.leave();
        if let Some(halt) = self.enter_native(entry.0, entry.offer()) {
            return self.go_on_after(halt);
        }
        self.take_apart(entry);
        self.go_on(offer.carry_out)
    }

    /// Plays entries at random as long as players are asked, at most so many; see [`Machine::played`]. Gives the same
    /// entries as [`Machine::sample`] does one by one.
    pub fn play_on(&mut self, random: &mut Random, most: usize) -> Result<(), Trouble> {
        self.desk.played_count = 0;
        self.renew();
        while let Waits::Player { choice, .. } = self.waits()
            && self.desk.played_count < most
        {
            if self.desk.played_count == self.desk.played.len() {
                self.desk.played.resize((self.desk.played_count * 2).max(64), Move::PASS);
            }
            match self.play_native(choice, random, most) {
                Some(Halt::Stuck) => {
                    let before = self.desk.before;
                    // What was skipped on the way here counts with what comes.
                    self.list()?;
                    let entry = self.sample_listed(random)?;
                    let otherwise = self.otherwise();
                    if let (None, Some(Otherwise::Skip(go))) = (entry, otherwise) {
                        // Nobody is asked here, and so nothing was picked.
                        random.words = before;
                        self.go_on(go)?;
                    } else {
                        self.play_picked(entry)?;
                    }
                }
                Some(halt) => self.go_on_after(halt)?,
                None => {
                    let entry = self.sample(random)?;
                    self.play_picked(entry)?;
                }
            }
        }
        Ok(())
    }

    fn play_picked(&mut self, entry: Option<Move>) -> Result<(), Trouble> {
        let Some(entry) = entry else { return Err(self.nothing_possible()) };
        if let Some(place) = self.desk.played.get_mut(self.desk.played_count) {
            *place = entry;
            self.desk.played_count += 1;
        }
        self.play(entry)
    }

    /// Nothing is possible where something must be.
    fn nothing_possible(&mut self) -> Trouble {
        self.trouble(if let Some(Otherwise::Must(trouble)) = self.otherwise() { trouble } else { u16::MAX })
    }

    /// What happens where the flow waits if nothing is entered.
    fn otherwise(&self) -> Option<Otherwise> {
        let Waits::Player { choice, .. } = self.waits() else { return None };
        self.program.choices.get(usize::from(choice)).map(|choice| choice.otherwise)
    }

    /// What was played at random last.
    #[must_use]
    pub fn played(&self) -> &[Move] {
        self.desk.played.get(..self.desk.played_count).unwrap_or_default()
    }

    /// Enters what chance gave. It must be one of the outcomes.
    pub fn draw(&mut self, value: i64) -> Result<(), Trouble> {
        let Waits::Chance(chance) = self.waits() else { return Err(refused("chance is not asked")) };
        let chance = &self.program.chances[usize::from(chance)];
        if !chance.has(value) {
            return Err(refused("chance has no such value"));
        }
        self.slots[usize::from(chance.value)] = value;
        self.renew();
        self.go_on(chance.resume)
    }

    /// A seat's score.
    pub fn score(&mut self, seat: u32) -> Result<i64, Trouble> {
        let Some(routine) = &self.program.score else { return Ok(0) };
        if seat >= self.program.players {
            return Err(refused("there is no such seat"));
        }
        self.ask(routine, seat)?;
        Ok(self.slots[usize::from(routine.answer)])
    }

    /// Who wins: most first, later keys break ties.
    pub fn winners(&mut self) -> Result<&[u32], Trouble> {
        let winners = match (self.decided, self.program.winner) {
            (Some(winners), _) => winners,
            (None, Some(entry)) => {
                self.renew();
                let halt = self.run(entry, Wanted::All);
                if let Halt::Decided(winners) = halt {
                    winners
                } else {
                    self.must_be_done(halt)?;
                    impossible!("winners are not decided");
                }
            }
            (None, None) => 0,
        };
        self.desk.winners.clear();
        let mut left = winners;
        while left != 0 {
            self.desk.winners.push(left.trailing_zeros());
            left &= left - 1;
        }
        Ok(&self.desk.winners)
    }

    /// The first invariant that does not hold, by its number in the ruleset.
    pub fn broken_invariant(&mut self) -> Result<Option<usize>, Trouble> {
        for (number, routine) in &self.program.invariants {
            self.ask(routine, 0)?;
            if self.slots[usize::from(routine.answer)] == 0 {
                return Ok(Some(*number));
            }
        }
        Ok(None)
    }

    fn ask(&mut self, routine: &Routine, seat: u32) -> Result<(), Trouble> {
        if let Some(slot) = routine.seat {
            self.slots[usize::from(slot)] = i64::from(seat);
        }
        self.renew();
        let halt = self.run(routine.entry, Wanted::All);
        self.must_be_done(halt)
    }

    /// Follows the flow to its next pause.
    fn go_on(&mut self, from: Target) -> Result<(), Trouble> {
        self.leave();
        let halt = self.run(from, Wanted::All);
        self.go_on_after(halt)
    }

    /// Whoever asks for one thing or enters one has a whole budget for it. What that leads to has no other: neither has
    /// a choice that is skipped because nothing is possible there.
    pub(super) fn renew(&mut self) {
        self.desk.steps = self.budget;
    }

    /// The steps that the last question or entry took.
    #[must_use]
    pub(crate) fn steps_taken(&self) -> u64 {
        self.budget.saturating_sub(self.desk.steps)
    }

    /// What is known about the position is not true of the next.
    pub(super) fn leave(&mut self) {
        self.listed = false;
        self.weighed = false;
        self.open = false;
        self.decided = None;
    }

    /// Goes on after the flow has come to a halt, until something is waited for.
    fn go_on_after(&mut self, mut halt: Halt) -> Result<(), Trouble> {
        loop {
            match halt {
                Halt::Waits | Halt::Stuck => return Ok(()),
                Halt::Choose(choice) => match self.arrive(choice)? {
                    Some(other) => halt = self.run(other, Wanted::All),
                    None => return Ok(()),
                },
                Halt::Chance(chance) => return self.arrive_at_chance(chance),
                Halt::Over => {
                    self.wait(None, 0);
                    return Ok(());
                }
                Halt::Decided(winners) => {
                    self.wait(None, 0);
                    self.decided = Some(winners);
                    return Ok(());
                }
                Halt::Fail(trouble) => return Err(self.trouble(trouble)),
                Halt::Tired(at) => return Err(self.tired(at)),
                Halt::Done => impossible!("the flow has returned"),
                Halt::Flaw(at) => self.flawed(at, "leaves its bounds"),
                Halt::Unproved(at) => self.flawed(at, "is not as was proved"),
            }
        }
    }

    /// Waits at a choice, or says where the flow goes on because nothing is possible.
    fn arrive(&mut self, choice: u16) -> Result<Option<Target>, Trouble> {
        let point = &self.program.choices[usize::from(choice)];
        let seat = self.slots[usize::from(point.seat)];
        let Some(seat) = u16::try_from(seat).ok().filter(|seat| u32::from(*seat) < self.program.players) else {
            impossible!("{seat} is no seat");
        };
        self.wait(Some(point.pause), seat);
        if self.trusting {
            self.open = matches!(point.otherwise, Otherwise::Skip(_) | Otherwise::Must(_));
            return Ok(None);
        }
        self.resolve(choice)
    }

    /// Where the flow goes on if nothing is possible at a choice.
    fn resolve(&mut self, choice: u16) -> Result<Option<Target>, Trouble> {
        match self.choice(choice).otherwise {
            Otherwise::Skip(go) if !self.is_any(choice)? => Ok(Some(go)),
            Otherwise::Must(trouble) if !self.is_any(choice)? => Err(self.trouble(trouble)),
            _ => Ok(None),
        }
    }

    fn arrive_at_chance(&mut self, chance: u16) -> Result<(), Trouble> {
        let point = self.chance_at(chance);
        self.wait(Some(point.pause), 0);
        self.open = self.trusting;
        if !self.trusting && self.weigh_all()?.is_empty() {
            return Err(self.trouble(point.nothing));
        }
        Ok(())
    }

    /// Goes on to where something is possible, if that was left open.
    pub fn settle(&mut self) -> Result<(), Trouble> {
        self.renew();
        while std::mem::take(&mut self.open) {
            match self.waits() {
                Waits::Nothing => {}
                Waits::Player { choice, .. } => {
                    if let Some(go) = self.resolve(choice)? {
                        self.go_on(go)?;
                    }
                }
                Waits::Chance(chance) => {
                    if self.weigh_all()?.is_empty()
                        && let Some(point) = self.program.chances.get(usize::from(chance))
                    {
                        return Err(self.trouble(point.nothing));
                    }
                }
            }
        }
        Ok(())
    }

    /// Writes down what is waited for, and clears what means nothing there.
    fn wait(&mut self, pause: Option<u16>, seat: u16) {
        let [a, b] = pause.map_or(0, |pause| pause + 1).to_le_bytes();
        let [c, d] = seat.to_le_bytes();
        if let Some(header) = self.state.get_mut(..HEADER) {
            header.copy_from_slice(&[a, b, c, d]);
        }
        let Some(pause) = pause.and_then(|pause| self.program.pauses.get(usize::from(pause))) else {
            if let Some(bytes) = self.state.get_mut(self.program.flow..self.program.bytes) {
                bytes.fill(0);
            }
            return;
        };
        for &(from, to) in &pause.clear {
            if let Some(bytes) = self.state.get_mut(from as usize..to as usize) {
                bytes.fill(0);
            }
        }
    }

    pub(super) fn trouble(&mut self, trouble: u16) -> Trouble {
        self.give_up();
        match self.program.troubles.get(usize::from(trouble)) {
            Some((message, span)) => Trouble { message: message.clone(), span: *span },
            None => impossible!("there is no trouble {trouble}"),
        }
    }

    /// An instruction has reached outside of what it may: the program, or what made it, is at fault.
    pub(super) fn flawed(&mut self, at: Target, what: &str) -> ! {
        self.give_up();
        impossible!("instruction {at}, {:?}, {what}", self.program.code.get(at as usize));
    }

    /// What was under way is left: a state that was kept comes back, and no partition can be relied upon.
    fn give_up(&mut self) {
        self.desk.calls.clear();
        while !self.desk.kept.is_empty() {
            let bytes = self.program.bytes;
            self.desk.restore(self.state.get_mut(..bytes).unwrap_or_default());
        }
        self.desk.made_of.iter_mut().for_each(|(_, made)| *made = false);
    }

    /// The budget is used up: names the place and the limit.
    pub(super) fn tired(&mut self, at: Target) -> Trouble {
        let full = match self.waits() {
            Waits::Chance(_) => self.desk.outcomes.len() >= limits::MOVES,
            _ => self.desk.is_full(),
        };
        let message = if full {
            format!("more than {} moves or outcomes are possible here", limits::shown(limits::MOVES as u64))
        } else {
            format!("this takes more than {} steps: it may never end", limits::shown(self.budget))
        };
        self.give_up();
        let after = self.program.spans.partition_point(|(from, _)| *from <= at);
        let span = after.checked_sub(1).and_then(|nth| self.program.spans.get(nth)).map(|(_, span)| *span);
        Trouble { message, span: span.unwrap_or_default() }
    }
}
