//! Somebody who plays by an agent, with a machine to think with.

use super::Agent;
use super::greedy::Greedy;
use crate::bind::Bound;
use crate::evaluate::Try;
use crate::machine::{Machine, Move, Position, Program, Random, Step, Waits};

/// Plays by an agent, in any seat and in as many games of one program as there are.
#[derive(Debug)]
pub struct Player<'p> {
    agent: Agent,
    mind: Option<Box<Mind<'p>>>,
}

/// What it takes to think.
#[derive(Debug)]
struct Mind<'p> {
    machine: Machine<'p>,
    here: Position,
    legal: Vec<Move>,
    greedy: Greedy,
}

impl<'p> Player<'p> {
    /// A player for this program, which must be that of the ruleset; see [`Agent::fits`].
    #[must_use]
    pub fn new(agent: Agent, _bound: &Bound, program: &'p Program) -> Self {
        let thinks = agent != Agent::Random;
        let mind = thinks.then(|| {
            Box::new(Mind {
                machine: Machine::new(program),
                here: Position::default(),
                legal: Vec::new(),
                greedy: Greedy::default(),
            })
        });
        Self { agent, mind }
    }

    /// How it plays.
    #[must_use]
    pub fn agent(&self) -> Agent {
        self.agent
    }

    /// An entry for whoever is asked where `table` stands; nothing where nobody is. The machine of the game stays
    /// as it is. `history` is everything that was entered since the game began, by players and by chance.
    pub fn choose(&mut self, table: &mut Machine<'_>, _history: &[Step], random: &mut Random) -> Try<Option<Move>> {
        let Waits::Player { seat, .. } = table.waits() else { return Ok(None) };
        let Some(mind) = self.mind.as_deref_mut() else { return table.sample(random) };
        mind.legal.clear();
        mind.legal.extend_from_slice(table.moves()?);
        if let [only] = mind.legal.as_slice() {
            return Ok(Some(*only));
        }
        table.save(&mut mind.here);
        Ok(mind.greedy.choose(&mut mind.machine, &mind.here, (&mind.legal, seat), random))
    }
}
