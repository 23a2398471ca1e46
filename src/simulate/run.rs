//! Many games at random, on several threads.

use std::io;
use std::time::Duration;

use super::crew::Crew;
use super::game::Playout;
use super::tally::Tally;
use crate::evaluate::Trouble;
use crate::machine::{Machine, Position, Program};
use crate::play::{Random, seed_of_game};

/// What is to be played.
#[derive(Debug, Clone, Copy)]
pub struct Plan {
    /// How many games; they are numbered from 1.
    pub games: u64,
    /// What every game's own seed is made from.
    pub seed: u64,
    /// A game is cut off after so many entries.
    pub most_entries: u64,
    /// Ask after every entry whether the invariants hold?
    pub check_invariants: bool,
    /// Threads.
    pub jobs: usize,
}

/// Does something with each game, by its number.
pub type Keep<'k> = dyn Fn(u64, &Playout) -> io::Result<()> + Sync + 'k;

/// A game that shows a fault of the ruleset.
#[derive(Debug, Clone)]
pub struct Broken {
    /// Its number.
    pub game: u64,
    /// Everything up to the entry after which it showed.
    pub playout: Playout,
    /// What happened.
    pub why: Why,
}

/// What went wrong in a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Why {
    /// An invariant, by its number in the ruleset, does not hold.
    Invariant(usize),
    /// The ruleset cannot go on.
    Trouble(Trouble),
}

/// Why a simulation ended before its time.
#[derive(Debug)]
pub enum Halted {
    /// A game shows a fault: the first one that does.
    Broken(Box<Broken>),
    /// A game could not be kept, or nobody watches any more.
    Io(io::Error),
}

struct Worker<'p> {
    machine: Machine<'p>,
    start: Position,
    playout: Playout,
    tally: Tally,
    spent: Duration,
    since: Duration,
}

/// Plays all games. Gives what they add up to, and the CPU time of the threads while they played; `keep` is
/// not counted.
pub fn run(
    program: &Program,
    plan: Plan,
    keep: Option<&Keep<'_>>,
    watch: &mut dyn FnMut(u64) -> io::Result<()>,
) -> Result<(Tally, Duration), Halted> {
    let broken =
        |game, playout: &Playout, why| Halted::Broken(Box::new(Broken { game, playout: playout.clone(), why }));
    // All games begin alike, so that this is done once.
    let mut machine = Machine::new(program);
    machine.begin().map_err(|trouble| broken(1, &Playout::default(), Why::Trouble(trouble)))?;
    let start = machine.position();
    let crew = Crew {
        jobs: plan.jobs,
        pieces: plan.games,
        hire: || Worker {
            machine: Machine::new(program),
            start: start.clone(),
            playout: Playout::default(),
            tally: Tally::new(program.players),
            spent: Duration::ZERO,
            since: clock(),
        },
        work: |worker: &mut Worker<'_>, piece| {
            let game = piece + 1;
            let mut random = Random::new(seed_of_game(plan.seed, game));
            worker
                .play(&mut random, plan)
                .and_then(|()| worker.playout.broken.map_or(Ok(()), |number| Err(Why::Invariant(number))))
                .map_err(|why| broken(game, &worker.playout, why))?;
            if let Some(keep) = keep {
                worker.spent += clock().saturating_sub(worker.since);
                keep(game, &worker.playout).map_err(Halted::Io)?;
                worker.since = clock();
            }
            Ok(())
        },
        leave: |worker: &mut Worker<'_>| worker.spent += clock().saturating_sub(worker.since),
    };
    let (workers, failed) = crew.run(watch).map_err(Halted::Io)?;
    if let Some((_, halted)) = failed {
        return Err(halted);
    }
    let mut tally = Tally::new(program.players);
    let mut spent = Duration::ZERO;
    for worker in &workers {
        tally.add(&worker.tally);
        spent += worker.spent;
    }
    Ok((tally, spent))
}

impl Worker<'_> {
    fn play(&mut self, random: &mut Random, plan: Plan) -> Result<(), Why> {
        self.machine.load(&self.start);
        let limits = (plan.most_entries, plan.check_invariants);
        self.playout.play(&mut self.machine, random, limits).map_err(Why::Trouble)?;
        let entries = self.playout.entries.len() as u64;
        if !self.playout.over {
            self.tally.cut_off(entries);
            return Ok(());
        }
        let seats = 0..u32::try_from(self.tally.seats.len()).unwrap_or(0);
        let scores: Result<Vec<i64>, Trouble> = seats.map(|seat| self.machine.score(seat)).collect();
        let winners = self.machine.winners().map_err(Why::Trouble)?;
        self.tally.ended(entries, scores.map_err(Why::Trouble)?.into_iter(), winners);
        Ok(())
    }
}

/// CPU time of this thread.
#[cfg(unix)]
fn clock() -> Duration {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(u64::try_from(now.tv_sec).unwrap_or(0), u32::try_from(now.tv_nsec).unwrap_or(0))
}

/// Time that passes: the nearest thing to CPU time elsewhere.
#[cfg(not(unix))]
fn clock() -> Duration {
    static BEGIN: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
    BEGIN.get_or_init(std::time::Instant::now).elapsed()
}
