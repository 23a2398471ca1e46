//! A few random games, the same each time, with everything counted.

use crate::evaluate::Try;
use crate::internal::Must;
use crate::machine::{Count, Machine, Program, Random, Waits, seed_of_game};

/// What the seeds of the games are made from.
const SEED: u64 = 0x6c75_6465_7800;

/// So many games show enough of what is soon over.
const GAMES: u64 = 40;

/// When a sample ends.
#[derive(Debug, Clone, Copy)]
pub(super) enum Limit {
    /// After the entry with which so many instructions were followed.
    Instructions(u64),
    /// After so many entries.
    Entries(u64),
}

/// What was played, and what that took.
#[derive(Debug)]
pub(super) struct Sample {
    /// Entries of players and of chance.
    pub(super) entries: u64,
    /// Instructions.
    pub(super) followed: u64,
    /// The same by place.
    pub(super) counts: Vec<Count>,
    /// The block with which each game ended, which another order of tests must not change; nothing if it came into trouble.
    pub(super) ends: Vec<Option<Vec<u8>>>,
}

impl Sample {
    /// Plays games until there are enough.
    pub(super) fn play(program: &Program, limit: Limit) -> Self {
        let mut machine = Machine::counting(program);
        let mut sample = Self { entries: 0, followed: 0, counts: Vec::new(), ends: Vec::new() };
        for game in 1..=GAMES {
            if sample.is_enough(&machine, limit) {
                break;
            }
            let played = sample.game(&mut machine, &mut Random::new(seed_of_game(SEED, game)), limit);
            sample.ends.push(played.ok().map(|()| machine.state().to_vec()));
        }
        sample.followed = machine.followed();
        sample.counts = machine.counts().to_vec();
        sample
    }

    fn is_enough(&self, machine: &Machine<'_>, limit: Limit) -> bool {
        match limit {
            Limit::Instructions(most) => machine.followed() >= most,
            Limit::Entries(most) => self.entries >= most,
        }
    }

    fn game(&mut self, machine: &mut Machine<'_>, random: &mut Random, limit: Limit) -> Try<()> {
        machine.begin()?;
        while !self.is_enough(machine, limit) {
            match machine.waits() {
                Waits::Nothing => break,
                Waits::Player { .. } => machine.play_on(random, 1)?,
                Waits::Chance(_) => {
                    let outcomes = machine.outcomes()?;
                    let drawn = random.weighted(outcomes.iter().map(|(_, weight)| *weight));
                    let &(value, _) = drawn.and_then(|drawn| outcomes.get(drawn)).must("chance gives something");
                    machine.draw(value)?;
                }
            }
            self.entries += 1;
        }
        Ok(())
    }
}
