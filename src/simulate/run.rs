//! Many games on several threads: at one table, or the same games at several.

use std::io;
use std::ops::Range;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::clock::Watch;
use super::crew::{Crew, Ended};
use super::game::Playout;
use super::report::{Difference, Shard};
use super::table::{Seated, Table};
use super::tally::Tally;
use crate::evaluate::Trouble;
use crate::machine::Program;
use crate::statistics::Overflow;

pub use super::table::Rules;

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

/// Which games of a plan are played now, and how closely they are looked at.
#[derive(Debug, Clone)]
pub struct Part<'s> {
    /// Games at these places, from 0: of all, or of the shard.
    pub places: Range<u64>,
    /// The part of all games that is played here.
    pub shard: Option<Shard>,
    /// Games up to this number are looked at closely.
    pub look: u64,
    /// No game is begun once this is true.
    pub stop: Option<&'s AtomicBool>,
}

impl Part<'_> {
    /// The number of the game at a place.
    fn game(&self, place: u64) -> u64 {
        self.shard.map_or(place + 1, |shard| shard.game(place))
    }
}

/// Does something with each game, by its number.
pub type Keep<'k> = dyn Fn(u64, &Playout) -> io::Result<()> + Sync + 'k;

/// Is told how many games are done.
pub type Progress<'w> = &'w mut dyn FnMut(u64) -> io::Result<()>;

/// A game that shows a fault of the ruleset.
#[derive(Debug, Clone)]
pub struct Broken {
    /// At which table, from 0.
    pub table: usize,
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
    /// More was counted than a number can hold.
    Overflow,
}

impl From<Overflow> for Halted {
    fn from(_: Overflow) -> Self {
        Self::Overflow
    }
}

/// What was played.
#[derive(Debug)]
pub struct Played {
    /// How many games are complete: the first ones.
    pub games: u64,
    /// Table by table.
    pub tables: Vec<Sums>,
    /// What each table but the first differs in from the first.
    pub differences: Vec<Vec<Difference>>,
}

/// What the games at one table add up to.
#[derive(Debug, Clone)]
pub struct Sums {
    /// All games.
    pub tally: Tally,
    /// Those that were looked at closely.
    pub(super) found: super::look::Found,
    /// CPU time of the threads while they played here.
    pub spent: Duration,
}

struct Worker<'t> {
    seated: Vec<Seated<'t>>,
    differences: Vec<Vec<Difference>>,
    watch: Watch,
}

/// Plays games at random at one table. Gives what they add up to, and the CPU time of the threads while they played;
/// `keep` is not counted.
pub fn run(
    program: &Program,
    plan: Plan,
    keep: Option<&Keep<'_>>,
    watch: Progress<'_>,
) -> Result<(Tally, Duration), Halted> {
    let part = Part { places: 0..plan.games, shard: None, look: 0, stop: None };
    let played = play(&[Table::random(program)], plan, &part, keep, watch)?;
    played.tables.into_iter().next().map(|sums| (sums.tally, sums.spent)).ok_or(Halted::Overflow)
}

/// Plays the same games at all tables: equal numbers, equal seeds. `keep` is for games at the first one.
pub fn play(
    tables: &[Table<'_>],
    plan: Plan,
    part: &Part<'_>,
    keep: Option<&Keep<'_>>,
    watch: Progress<'_>,
) -> Result<Played, Halted> {
    let broken = |table, game, playout: &Playout, why| {
        Halted::Broken(Box::new(Broken { table, game, playout: playout.clone(), why }))
    };
    // All games begin alike, so that this is done once.
    let mut starts = Vec::new();
    for (at, table) in tables.iter().enumerate() {
        let start = table.start().map_err(|trouble| broken(at, 1, &Playout::default(), Why::Trouble(trouble)))?;
        starts.push(start);
    }
    let differences: Vec<Vec<Difference>> =
        tables.iter().skip(1).map(|table| super::measure::template(tables, table)).collect();
    let first = tables.first();
    let common = |table| first.map_or_else(Vec::new, |base| super::measure::common(base, table));
    let options: Vec<Vec<(usize, usize)>> = tables.iter().skip(1).map(common).collect();
    let seat = |(table, start)| Seated::new(table, start, part.look > 0);
    let crew = Crew {
        jobs: plan.jobs,
        pieces: part.places.end.saturating_sub(part.places.start),
        stop: part.stop,
        hire: || Worker {
            seated: tables.iter().zip(&starts).map(seat).collect(),
            differences: differences.clone(),
            watch: Watch::new(tables.len()),
        },
        work: |worker: &mut Worker<'_>, piece| {
            let game = part.game(part.places.start + piece);
            for at in 0..worker.seated.len() {
                let Some(seated) = worker.seated.get_mut(at) else { continue };
                worker.watch.run(at);
                seated.play(game, plan).map_err(|why| broken(at, game, &seated.playout, why))?;
                seated.tally.add(&seated.outcome)?;
                if game <= part.look {
                    worker.watch.pause();
                    let looked = seated.look();
                    looked.map_err(|trouble| broken(at, game, &seated.playout, Why::Trouble(trouble)))?;
                }
                if let Some(keep) = keep.filter(|_| at == 0) {
                    worker.watch.pause();
                    keep(game, &seated.playout).map_err(Halted::Io)?;
                }
            }
            worker.compare(&options)
        },
        leave: |worker: &mut Worker<'_>| worker.watch.pause(),
    };
    let Ended { workers, failed, done } = crew.run(watch).map_err(Halted::Io)?;
    if let Some((_, halted)) = failed {
        return Err(halted);
    }
    let mut played = Played { games: done, tables: tables.iter().map(Sums::new).collect(), differences };
    for worker in &workers {
        for (at, (sums, seated)) in played.tables.iter_mut().zip(&worker.seated).enumerate() {
            sums.tally.merge(&seated.tally)?;
            seated.found().map_or(Ok(()), |found| sums.found.merge(found))?;
            sums.spent += worker.watch.spent(at);
        }
        add_differences(&mut played.differences, &worker.differences)?;
    }
    Ok(played)
}

impl Worker<'_> {
    fn compare(&mut self, options: &[Vec<(usize, usize)>]) -> Result<(), Halted> {
        let Some((base, changed)) = self.seated.split_first() else { return Ok(()) };
        for ((differences, options), seated) in self.differences.iter_mut().zip(options).zip(changed) {
            super::measure::compare(differences, options, (base, seated))?;
        }
        Ok(())
    }
}

fn add_differences(all: &mut [Vec<Difference>], more: &[Vec<Difference>]) -> Result<(), Overflow> {
    for (all, more) in all.iter_mut().zip(more) {
        all.iter_mut().zip(more).try_for_each(|(one, more)| one.merge(more))?;
    }
    Ok(())
}

impl Sums {
    fn new(table: &Table<'_>) -> Self {
        Self { tally: Tally::new(table.program), found: super::look::Found::default(), spent: Duration::ZERO }
    }
}

impl Played {
    /// Games that were played after these.
    pub fn add(&mut self, more: &Self) -> Result<(), Overflow> {
        self.games += more.games;
        for (sums, more) in self.tables.iter_mut().zip(&more.tables) {
            sums.tally.merge(&more.tally)?;
            sums.found.merge(&more.found)?;
            sums.spent += more.spent;
        }
        add_differences(&mut self.differences, &more.differences)
    }
}
