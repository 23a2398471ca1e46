//! Somebody who plays by an agent, with a machine to think with.

use super::Agent;
use super::greedy::{self, Greedy};
use super::search::Search;
use super::secrets::Secrets;
use super::worlds::Worlds;
use crate::bind::Bound;
use crate::evaluate::Try;
use crate::machine::{Machine, Move, Position, Program, Random, Step, Waits};

/// Worlds that a search goes through again and again.
const WORLDS: u32 = 128;

/// Plays by an agent, in any seat and in as many games of one program as there are.
#[derive(Debug)]
pub struct Player<'p> {
    agent: Agent,
    mind: Option<Box<Mind<'p>>>,
    choices: Choices,
}

/// How often somebody who judges had a choice, and how often judging did not help.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Choices {
    /// Decisions between two legal entries or more.
    pub made: u64,
    /// Those that chance might as well have made: all entries looked alike, or there was nothing to judge them by.
    pub by_chance: u64,
}

impl Choices {
    /// Both together.
    pub(crate) fn add(&mut self, more: Self) {
        self.made += more.made;
        self.by_chance += more.by_chance;
    }
}

/// What it takes to think.
#[derive(Debug)]
struct Mind<'p> {
    machine: Machine<'p>,
    secrets: Option<Secrets<'p>>,
    here: Position,
    legal: Vec<Move>,
    worlds: Worlds,
    greedy: Greedy,
    search: Search,
}

impl<'p> Player<'p> {
    /// A player for this program, which must be that of the rules, and which the agent must fit: see [`Agent::fits`].
    #[must_use]
    pub fn new(agent: Agent, bound: &'p Bound, program: &'p Program) -> Self {
        let thinks = agent != Agent::Random;
        let mind = thinks.then(|| {
            Box::new(Mind {
                machine: Machine::new(program),
                secrets: Secrets::new(bound, program),
                here: Position::default(),
                legal: Vec::new(),
                worlds: Worlds::default(),
                greedy: Greedy::default(),
                search: Search::default(),
            })
        });
        Self { agent, mind, choices: Choices::default() }
    }

    /// How it plays.
    #[must_use]
    pub fn agent(&self) -> Agent {
        self.agent
    }

    /// What it has chosen since this was asked last. A random player judges nothing, and is not counted.
    pub fn take_choices(&mut self) -> Choices {
        std::mem::take(&mut self.choices)
    }

    /// Must it know the history of the game? Only where something is hidden.
    #[must_use]
    pub fn needs_history(&self) -> bool {
        self.mind.as_ref().is_some_and(|mind| mind.secrets.is_some())
    }

    /// An entry for whoever is asked where `table` stands; nothing where nobody is. The game stays where it is.
    ///
    /// `history` is everything that was entered since the game began, by players and by chance; it may be empty if
    /// [`Player::needs_history`] says so. What the seat may not know is in both, but changes nothing.
    pub fn choose(&mut self, table: &mut Machine<'_>, history: &[Step], random: &mut Random) -> Try<Option<Move>> {
        let Waits::Player { seat, .. } = table.waits() else { return Ok(None) };
        let Some(mind) = self.mind.as_deref_mut() else { return table.sample(random) };
        mind.legal.clear();
        mind.legal.extend_from_slice(table.moves()?);
        if let [only] = mind.legal.as_slice() {
            return Ok(Some(*only));
        }
        table.save(&mut mind.here);
        let Mind { machine, secrets, here, legal, worlds, .. } = mind;
        let worlds = match secrets {
            None => std::slice::from_ref(&*here),
            Some(secrets) => {
                let count =
                    if let Agent::Mcts(count) = self.agent { count.min(WORLDS) as usize } else { greedy::WORLDS };
                worlds.imagine(machine, secrets, (history, seat, here), count, random)?;
                worlds.all()
            }
        };
        self.choices.made += 1;
        if worlds.is_empty() {
            // No idea how things came to be so: anything may be right.
            self.choices.by_chance += 1;
            return table.sample(random);
        }
        let (chosen, alike) = match self.agent {
            Agent::Mcts(count) => mind.search.choose(machine, worlds, (legal, count), random),
            Agent::Random | Agent::Greedy => mind.greedy.choose(machine, worlds, (legal, seat), random),
        };
        self.choices.by_chance += u64::from(alike);
        Ok(chosen)
    }
}
