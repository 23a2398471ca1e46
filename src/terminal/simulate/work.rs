//! How much is played here: games, threads, and what rulesets are compiled for.

use std::sync::atomic::AtomicBool;

use super::{SimulateArgs, Table};
use crate::agent::Agent;
use crate::examples;
use crate::limits;
use crate::simulate::report::Shard;
use crate::simulate::{Part, Plan};

/// Whoever thinks plays as much for one entry as random players do for many; a game of theirs is worth at least so many.
const THINKING: u64 = 100;

/// Threads.
fn jobs(args: &SimulateArgs) -> usize {
    args.jobs.map_or_else(examples::cores, usize::from)
}

/// How many random games the games of every ruleset are worth, and on how many threads they are played.
pub(super) fn work(args: &SimulateArgs, shard: Option<Shard>, agents: &[Agent]) -> (u64, usize) {
    let thinks = agents.iter().any(|agent| *agent != Agent::Random);
    (games_here(args, shard).saturating_mul(if thinks { THINKING } else { 1 }), jobs(args))
}

/// How many games are played here.
fn games_here(args: &SimulateArgs, shard: Option<Shard>) -> u64 {
    shard.map_or(args.games, |shard| shard.games(args.games))
}

impl Table<'_> {
    /// What all games have in common.
    pub(super) fn plan(&self) -> Plan {
        Plan {
            games: self.args.games,
            seed: self.seed,
            most_entries: self.args.most_entries,
            check_invariants: self.args.check_invariants,
            jobs: jobs(self.args),
        }
    }

    /// Which games are played here.
    pub(super) fn part<'s>(&self, stop: Option<&'s AtomicBool>) -> Part<'s> {
        let places = 0..games_here(self.args, self.shard);
        Part { places, shard: self.shard, look: self.args.look, work: limits::LOOK_WORK, stop }
    }
}
