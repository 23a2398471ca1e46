//! Playing until a difference is known well enough.
//!
//! Who looks at an interval again and again, and stops when it pleases, finds too much. So the looks are fixed before
//! the first game, by the number of games asked for and nothing else, and every interval of every look
//! is one of the statements that hold together.

use super::report::{Difference, Stopping};
use super::run::{Halted, Keep, Part, Plan, Played, Progress, play};
use super::table::Table;
use crate::statistics::{mean_interval, ratio, shared_out};

/// Games before the first look.
const FIRST: u64 = 100;

/// When to stop before all games are played.
#[derive(Debug, Clone, PartialEq)]
pub struct Until {
    /// Differences of this measure
    pub measure: String,
    /// have intervals no wider than this, from end to end.
    pub width: f64,
}

/// Numbers of games after which intervals are looked at: 100, twice as many each time, and all.
#[must_use]
pub fn looks(games: u64) -> Vec<u64> {
    let doubled = std::iter::successors(Some(FIRST), |count| count.checked_mul(2));
    doubled.take_while(|count| *count < games).chain([games]).collect()
}

/// Plays games at two tables, the base and the change, all of them or until the interval is narrow enough.
pub fn compare(
    tables: &[Table<'_>],
    plan: Plan,
    part: &Part<'_>,
    until: Option<(&Until, f64)>,
    watch: Progress<'_>,
) -> Result<(Played, Option<Stopping>), Halted> {
    let keep: Option<&Keep<'_>> = None;
    let Some((until, confidence)) = until else { return Ok((play(tables, plan, part, keep, watch)?, None)) };
    let looks = looks(plan.games);
    let mut all: Option<Played> = None;
    let mut reached = false;
    for &last in &looks {
        let first = all.as_ref().map_or(0, |played| played.games);
        let work = all.as_ref().map_or(part.work, |played| played.work_left);
        let next = Part { places: first..last, work, ..part.clone() };
        let more = play(tables, plan, &next, keep, &mut |done| watch(first + done))?;
        match &mut all {
            Some(all) => all.add(&more)?,
            None => all = Some(more),
        }
        let Some(played) = &all else { break };
        let differences = played.differences.first().map_or(&[][..], Vec::as_slice);
        let statements = differences.len() as u64 * looks.len() as u64;
        reached = until.is_reached(differences, shared_out(confidence, statements));
        if reached || played.games < last {
            break;
        }
    }
    let stopping = Stopping { measure: until.measure.clone(), until: until.width, looks, reached };
    all.map(|all| (all, Some(stopping))).ok_or(Halted::Overflow)
}

impl Until {
    fn is_reached(&self, differences: &[Difference], confidence: f64) -> bool {
        let mut these = differences.iter().filter(|difference| difference.measure == self.measure);
        these.all(|difference| {
            let unit = ratio(i128::from(difference.unit.max(1)), 1).unwrap_or(1.0);
            let interval = mean_interval(&difference.difference.moments, confidence);
            interval.is_some_and(|interval| interval.width() / unit <= self.width)
        })
    }
}
