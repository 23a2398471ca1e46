//! Many games on several threads: at one table, or the same games at several.

use std::io;
use std::ops::Range;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::clock::Watch;
use super::crew::{Crew, Ended};
use super::failures::{Broken, Failures, Why};
use super::found::Found;
use super::game::Playout;
use super::looks::{Looked, Looks};
use super::report::{Difference, Shard};
use super::table::{Seated, Table};
use super::tally::Tally;
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
    /// Games up to this number are looked at closely,
    pub look: u64,
    /// as far as this much work goes.
    pub work: u64,
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

/// Why a simulation ended before its time.
#[derive(Debug)]
pub enum Halted {
    /// No game can begin, or one breaks an invariant: the first one that does.
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
    /// How many games are complete: the first ones. Those that failed are counted, too.
    pub games: u64,
    /// Table by table.
    pub tables: Vec<Sums>,
    /// What each table but the first differs in from the first, in games that failed at neither.
    pub differences: Vec<Vec<Difference>>,
    /// What is left of the work that looking closely may take.
    pub work_left: u64,
}

/// What the games at one table add up to.
#[derive(Debug, Clone)]
pub struct Sums {
    /// All games but those that failed.
    pub tally: Tally,
    /// Those that failed.
    pub failures: Failures,
    /// Those that were looked at closely.
    pub(super) found: Found,
    /// Games that were not, because there was too much work.
    pub(super) skipped: u64,
    /// CPU time of the threads while they played here.
    pub spent: Duration,
    /// CPU time of the threads while they looked closely.
    pub looked: Duration,
}

struct Worker<'t> {
    seated: Vec<Seated<'t>>,
    differences: Vec<Vec<Difference>>,
    watch: Watch,
}

/// Plays games at random at one table, all of which must come to an end. Gives what they add up to, and the CPU time of
/// the threads while they played; `keep` is not counted.
pub fn run(
    program: &Program,
    plan: Plan,
    keep: Option<&Keep<'_>>,
    watch: Progress<'_>,
) -> Result<(Tally, Duration), Halted> {
    let part = Part { places: 0..plan.games, shard: None, look: 0, work: 0, stop: None };
    let played = play(&[Table::random(program)], plan, &part, keep, watch)?;
    let sums = played.tables.into_iter().next().ok_or(Halted::Overflow)?;
    match sums.failures.first {
        Some(first) => Err(Halted::Broken(Box::new(first.0))),
        None => Ok((sums.tally, sums.spent)),
    }
}

/// Plays the same games at all tables: equal numbers, equal seeds. `keep` is for games at the first one. A game with a
/// runtime error is counted, and all others are played.
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
    let seat = |(table, start)| Seated::new(table, start, part.look > 0 && part.work > 0);
    let looks = Looks::new(part.places.start, tables.len(), part.work);
    let crew = Crew {
        jobs: plan.jobs,
        pieces: part.places.end.saturating_sub(part.places.start),
        stop: part.stop,
        hire: || Worker {
            seated: tables.iter().zip(&starts).map(seat).collect(),
            differences: differences.clone(),
            watch: Watch::new(tables.len() * 2),
        },
        work: |worker: &mut Worker<'_>, piece| {
            let place = part.places.start + piece;
            let game = part.game(place);
            #[cfg(test)]
            for rules in tables.iter().filter_map(|table| table.rules.filter(|_| game > 4)) {
                crate::internal::probe("simulate", &rules.checked.bound.title);
            }
            for (at, seated) in worker.seated.iter_mut().enumerate() {
                worker.watch.run(at);
                if let Err(number) = seated.play(game, at, plan) {
                    return Err(broken(at, game, &seated.playout, Why::Invariant(number)));
                }
            }
            if game <= part.look {
                let looked = worker.look(looks.left());
                looks.add(place, looked);
            }
            for seated in &mut worker.seated {
                seated.count()?;
            }
            if let Some((keep, seated)) = keep.zip(worker.seated.first()) {
                worker.watch.pause();
                keep(game, &seated.playout).map_err(Halted::Io)?;
            }
            worker.compare(&options)
        },
        leave: |worker: &mut Worker<'_>| worker.watch.pause(),
    };
    let Ended { workers, failed, done } = crew.run(watch).map_err(Halted::Io)?;
    if let Some((_, halted)) = failed {
        return Err(halted);
    }
    let looked = looks.end()?;
    let work_left = looked.left;
    let mut played = Played { games: done, tables: tables.iter().map(Sums::new).collect(), differences, work_left };
    for (sums, found) in played.tables.iter_mut().zip(looked.found) {
        (sums.found, sums.skipped) = (found, looked.skipped);
    }
    for worker in &workers {
        for (at, (sums, seated)) in played.tables.iter_mut().zip(&worker.seated).enumerate() {
            sums.tally.merge(&seated.tally)?;
            sums.failures.merge(&seated.failures);
            sums.spent += worker.watch.spent(at);
            sums.looked += worker.watch.spent(tables.len() + at);
        }
        add_differences(&mut played.differences, &worker.differences)?;
    }
    for (differences, lead) in played.differences.iter_mut().zip(&looked.leads) {
        super::measure::add_lead_changes(differences, lead)?;
    }
    Ok(played)
}

impl Worker<'_> {
    /// Looks closely at the game that was just played at all tables; nothing if that is too much work.
    fn look(&mut self, mut left: u64) -> Option<Looked> {
        let tables = self.seated.len();
        let mut looked = Vec::new();
        for (at, seated) in self.seated.iter_mut().enumerate() {
            self.watch.run(tables + at);
            let sight = seated.look(left).ok()?;
            left -= sight.as_ref().map_or(0, |sight| sight.work);
            looked.push(sight);
        }
        Some(looked)
    }

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
        Self {
            tally: Tally::new(table.program),
            failures: Failures::default(),
            found: Found::default(),
            skipped: 0,
            spent: Duration::ZERO,
            looked: Duration::ZERO,
        }
    }
}

impl Played {
    /// Games that were played after these.
    pub fn add(&mut self, more: &Self) -> Result<(), Overflow> {
        self.games += more.games;
        self.work_left = more.work_left;
        for (sums, more) in self.tables.iter_mut().zip(&more.tables) {
            sums.tally.merge(&more.tally)?;
            sums.failures.merge(&more.failures);
            sums.found.merge(&more.found)?;
            sums.skipped += more.skipped;
            sums.spent += more.spent;
            sums.looked += more.looked;
        }
        add_differences(&mut self.differences, &more.differences)
    }
}
