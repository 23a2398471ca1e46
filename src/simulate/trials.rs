//! Many changes beside one base: what sweeps and sensitivities are made of.
//!
//! A change with which no game can begin, or one breaks an invariant, is left out, and the others are played again
//! without it, so that one bad number does not cost the answer about all others. Games with a runtime error are counted.

use super::failures::{Broken, Failures, Why};
use super::report::{Difference, Fault, Figures};
use super::run::{Halted, Part, Plan, Played, Progress, Sums, play};
use super::table::Table;
use crate::statistics::Overflow;

/// What came of one change.
#[derive(Debug, Clone)]
pub enum Trial {
    /// It was played, apart from games that failed.
    Played(Box<Figures>, Failures, Vec<Difference>),
    /// No game can begin, or one breaks an invariant.
    Broken(Fault),
}

/// What came of all of them.
#[derive(Debug)]
pub struct Trials {
    /// Games of each.
    pub games: u64,
    /// Without a change.
    pub base: Figures,
    /// Games that failed without a change.
    pub failures: Failures,
    /// In the order of the tables.
    pub trials: Vec<Trial>,
}

/// Plays the same games at the base and at all other tables. A fault of the base itself ends everything.
pub fn try_all(
    base: &Table<'_>,
    others: &[Table<'_>],
    plan: Plan,
    part: &Part<'_>,
    watch: Progress<'_>,
) -> Result<Trials, Halted> {
    let mut broken: Vec<Option<Fault>> = vec![None; others.len()];
    loop {
        let left: Vec<usize> = (0..others.len()).filter(|at| broken.get(*at).is_some_and(Option::is_none)).collect();
        let tables: Vec<Table<'_>> =
            std::iter::once(base).chain(left.iter().filter_map(|at| others.get(*at))).cloned().collect();
        match play(&tables, plan, part, None, watch) {
            Err(Halted::Broken(found)) if found.table > 0 => {
                let at = left.get(found.table - 1).copied();
                let Some(place) = at.and_then(|at| broken.get_mut(at)) else { return Err(Halted::Broken(found)) };
                let other = at.and_then(|at| others.get(at));
                *place = Some(fault(&found, other));
            }
            Err(halted) => return Err(halted),
            Ok(played) => return Ok(told(&tables, &played, broken)?),
        }
    }
}

fn told(tables: &[Table<'_>], played: &Played, broken: Vec<Option<Fault>>) -> Result<Trials, Overflow> {
    let told = |(table, sums): (&Table<'_>, &Sums)| table.figures(sums).map(|figures| (figures, sums.failures.clone()));
    let mut figures = tables.iter().zip(&played.tables).map(told);
    let (base, failures) = figures.next().ok_or(Overflow)??;
    let mut differences = played.differences.iter();
    let mut trials = Vec::new();
    for fault in broken {
        trials.push(match fault {
            Some(fault) => Trial::Broken(fault),
            None => {
                let (figures, failures) = figures.next().ok_or(Overflow)??;
                Trial::Played(Box::new(figures), failures, differences.next().ok_or(Overflow)?.clone())
            }
        });
    }
    Ok(Trials { games: played.games, base, failures, trials })
}

fn fault(broken: &Broken, table: Option<&Table<'_>>) -> Fault {
    let message = match &broken.why {
        Why::Trouble(trouble) => trouble.message.clone(),
        Why::Invariant(number) => {
            let rules = table.and_then(|table| table.rules);
            let invariant = rules.and_then(|rules| rules.checked.bound.invariants.get(*number));
            format!("the invariant `{}` does not hold", invariant.map_or("?", |invariant| invariant.name.as_str()))
        }
    };
    Fault { game: Some(broken.game), message }
}
