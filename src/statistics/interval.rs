//! Intervals that contain what is sought in most cases, and what is left of that when many are read.

use serde::{Deserialize, Serialize};

use super::moments::Moments;
use super::quantile::{normal, student};
use super::whole::ratio;

/// A value with what it may well be.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Interval {
    /// What was found.
    pub value: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Interval {
    /// Does it lie on one side of this?
    #[must_use]
    pub fn excludes(&self, value: f64) -> bool {
        value < self.low || value > self.high
    }

    /// From end to end.
    #[must_use]
    pub fn width(&self) -> f64 {
        self.high - self.low
    }
}

/// A share of games, by Wilson (1927): it stays between 0 and 1, and is honest for few games and for shares near the
/// ends. `parts` of `whole * games` were won; a part of a game counts as that part, for which the interval is
/// rather too wide.
#[must_use]
pub fn wilson(parts: u64, whole: u64, games: u64, confidence: f64) -> Option<Interval> {
    let share = ratio(i128::from(parts), u128::from(whole) * u128::from(games))?;
    let count = ratio(i128::from(games), 1)?;
    let z = normal(0.5 + confidence / 2.0);
    let square = z * z;
    let below = 1.0 + square / count;
    let middle = (share + square / (2.0 * count)) / below;
    let half = z / below * (share * (1.0 - share) / count + square / (4.0 * count * count)).sqrt();
    // At the ends rounding must not leave the share itself outside.
    let low = (middle - half).clamp(0.0, 1.0).min(share);
    let high = (middle + half).clamp(0.0, 1.0).max(share);
    Some(Interval { value: share, low, high })
}

/// A mean, by Student's distribution; of differences of pairs it is the paired comparison. One value says nothing
/// about how far it is off.
#[must_use]
pub fn mean_interval(moments: &Moments, confidence: f64) -> Option<Interval> {
    let (value, error) = (moments.mean()?, moments.error()?);
    let freedom = ratio(i128::from(moments.count) - 1, 1)?;
    let half = if error > 0.0 { student(0.5 + confidence / 2.0, freedom) * error } else { 0.0 };
    Some(Interval { value, low: value - half, high: value + half })
}

/// The confidence for each of so many statements, so that with the one asked for all of them hold together
/// (Bonferroni): what may go wrong is shared out evenly, and how the statements hang together does not matter.
#[must_use]
pub fn shared_out(confidence: f64, statements: u64) -> f64 {
    let statements = ratio(i128::from(statements.max(1)), 1).unwrap_or(1.0);
    1.0 - (1.0 - confidence) / statements
}
