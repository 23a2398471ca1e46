//! A table: a ruleset as a program, and who sits there.

use super::failures::Failures;
use super::game::{Choosers, Playout};
use super::look::{Looker, Sight, TooMuch};
use super::outcome::{Options, Outcome};
use super::report::Figures;
use super::run::{Plan, Sums};
use super::tally::Tally;
use crate::agent::{Agent, Player};
use crate::check::Checked;
use crate::evaluate::{Trouble, Try};
use crate::machine::{Machine, Position, Program};
use crate::play::{Random, seed_of_game};
use crate::report::Sources;
use crate::statistics::Overflow;

/// The rules that a program was made from.
#[derive(Debug, Clone, Copy)]
pub struct Rules<'t> {
    /// Checked, for one number of players and one choice of numbers.
    pub checked: &'t Checked,
    /// Their texts.
    pub sources: &'t Sources,
}

/// Where games are played.
#[derive(Debug, Clone)]
pub struct Table<'t> {
    /// What is played.
    pub program: &'t Program,
    /// The rules that it was made from; without them everybody plays at random, and nobody looks.
    pub rules: Option<Rules<'t>>,
    /// Who plays, by seat.
    pub agents: Vec<Agent>,
}

impl<'t> Table<'t> {
    /// Everybody plays at random.
    #[must_use]
    pub fn random(program: &'t Program) -> Self {
        Self { program, rules: None, agents: vec![Agent::Random; program.players as usize] }
    }

    /// Where every game begins.
    pub(super) fn start(&self) -> Try<Position> {
        let mut machine = Machine::new(self.program);
        machine.begin()?;
        Ok(machine.position())
    }

    /// What games came to, as a report has it; what follows from the counts is still to be worked out.
    pub fn figures(&self, sums: &Sums) -> Result<Figures, Overflow> {
        let Some(rules) = self.rules else { return Ok(Figures::default()) };
        let agents: Vec<String> = self.agents.iter().map(ToString::to_string).collect();
        let mut figures = sums.tally.figures(&rules.checked.bound, &agents)?;
        sums.found.tell(&rules.checked.bound, &Options::of(self.program), &mut figures);
        figures.cpu_seconds = sums.spent.as_secs_f64();
        (figures.look.skipped, figures.look.cpu_seconds) = (sums.skipped, sums.looked.as_secs_f64());
        Ok(figures)
    }
}

/// A table with somebody who plays there, on one thread.
pub(super) struct Seated<'t> {
    start: &'t Position,
    machine: Machine<'t>,
    options: Options,
    /// By seat; nobody if all play at random.
    players: Vec<Player<'t>>,
    generators: Vec<Random>,
    looker: Option<Looker<'t>>,
    pub(super) playout: Playout,
    pub(super) outcome: Outcome,
    pub(super) tally: Tally,
    pub(super) failures: Failures,
}

impl<'t> Seated<'t> {
    pub(super) fn new(table: &'t Table<'t>, start: &'t Position, look: bool) -> Self {
        let judges: Vec<bool> = table.agents.iter().map(|agent| *agent != Agent::Random).collect();
        let players = match table.rules.filter(|_| judges.contains(&true)) {
            Some(rules) => {
                let player = |&agent| Player::new(agent, &rules.checked.bound, table.program);
                table.agents.iter().map(player).collect()
            }
            None => Vec::new(),
        };
        Self {
            start,
            machine: Machine::new(table.program),
            options: Options::of(table.program),
            players,
            generators: Vec::new(),
            looker: table.rules.filter(|_| look).map(|rules| Looker::new(rules, table.program, judges)),
            playout: Playout::default(),
            outcome: Outcome::default(),
            tally: Tally::new(table.program),
            failures: Failures::default(),
        }
    }

    /// Plays a game, and reads what came of it. A runtime error is noted; an invariant that breaks is given by its number.
    pub(super) fn play(&mut self, game: u64, table: usize, plan: Plan) -> Result<(), usize> {
        match self.try_play(game, plan) {
            Ok(()) => self.playout.broken.map_or(Ok(()), Err),
            Err(trouble) => {
                self.fail(game, table, trouble);
                Ok(())
            }
        }
    }

    fn fail(&mut self, game: u64, table: usize, trouble: Trouble) {
        self.playout.failed = true;
        self.failures.add(table, game, &self.playout, trouble);
    }

    /// Counts the game that was just played, unless it failed.
    pub(super) fn count(&mut self) -> Result<(), Overflow> {
        if self.playout.failed { Ok(()) } else { self.tally.add(&self.outcome) }
    }

    fn try_play(&mut self, game: u64, plan: Plan) -> Try<()> {
        let seed = seed_of_game(plan.seed, game);
        let mut random = Random::new(seed);
        self.machine.load(self.start);
        let mut choosers = Choosers::Random;
        if !self.players.is_empty() {
            // Chance does not depend on how much the players think.
            self.generators.clear();
            let seats = 1..=self.players.len() as u64;
            self.generators.extend(seats.map(|seat| Random::new(seed_of_game(seed, seat))));
            choosers = Choosers::Players(&mut self.players, &mut self.generators);
        }
        let limits = (plan.most_entries, plan.check_invariants);
        let played = self.playout.play(&mut self.machine, &mut random, &mut choosers, limits);
        self.outcome.choices.clear();
        self.outcome.choices.extend(self.players.iter_mut().map(Player::take_choices));
        played?;
        if self.playout.broken.is_some() {
            return Ok(());
        }
        self.outcome.read(&mut self.machine, &self.options, &self.playout)
    }

    /// Looks closely at the game that was just played, with at most so much work. There is nothing to see if the game
    /// failed.
    pub(super) fn look(&mut self, work: u64) -> Result<Option<Sight>, TooMuch> {
        if self.playout.failed {
            return Ok(None);
        }
        let sight = self.looker.as_mut().ok_or(TooMuch)?.look(self.start, &self.playout, work);
        sight.map(Some).ok_or(TooMuch)
    }

    /// How many seats.
    pub(super) fn players(&self) -> u32 {
        self.machine.program().players
    }
}
