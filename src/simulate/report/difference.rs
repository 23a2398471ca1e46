//! What a change does to one measure, from pairs of games with the same number and seed.

use serde::{Deserialize, Serialize};

use crate::statistics::{Interval, Moments, Overflow, mean_interval, ratio, shared_out};

/// Pairs that must differ by the same, if none differs by anything else, to be told from chance: if either sign were as
/// likely, so many would be alike once in half a million times.
const ENOUGH_ALIKE: u64 = 20;

/// A measure of a game, before and after a change.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Difference {
    /// `length`, `score`, `share`, `margin`, `chosen`, `draw`, `nobody`, `unfinished`, `lead_changes`.
    pub measure: String,
    /// The seat or the action that it is of.
    pub of: Option<String>,
    /// What the sums are divided by: 1, or the parts of a game.
    pub unit: u64,
    /// Pairs of games that have it on both sides.
    pub pairs: u64,
    /// Without the change.
    pub base: Side,
    /// With it.
    pub changed: Side,
    /// The second less the first, pair by pair.
    pub difference: Side,
    /// What the mean of the differences may be, read for itself.
    pub raw: Option<Interval>,
    /// The same, so that all statements of the report hold together.
    pub adjusted: Option<Interval>,
    /// Does the adjusted interval exclude 0? Of pairs that all differ by the same, are there enough?
    pub survives: bool,
    /// The difference of the means, in deviations over both sides: 0 to 2.
    pub effect: Option<f64>,
}

/// One side of a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Side {
    /// Over all pairs, not divided by the unit.
    #[serde(flatten)]
    pub moments: Moments,
    /// Divided by the unit.
    pub mean: Option<f64>,
}

impl Difference {
    /// One pair more.
    pub fn add(&mut self, base: i64, changed: i64) -> Result<(), Overflow> {
        self.base.moments.add(base, 1)?;
        self.changed.moments.add(changed, 1)?;
        self.difference.moments.add(changed.checked_sub(base).ok_or(Overflow)?, 1)
    }

    /// Both together.
    pub fn merge(&mut self, other: &Self) -> Result<(), Overflow> {
        self.base.moments.merge(&other.base.moments)?;
        self.changed.moments.merge(&other.changed.moments)?;
        self.difference.moments.merge(&other.difference.moments)
    }

    /// Works out what follows from the sums, as one of so many statements.
    pub fn derive(&mut self, confidence: f64, statements: u64) {
        let unit = ratio(i128::from(self.unit.max(1)), 1).unwrap_or(1.0);
        for side in [&mut self.base, &mut self.changed, &mut self.difference] {
            side.mean = side.moments.mean().map(|mean| mean / unit);
        }
        let moments = &self.difference.moments;
        let scaled = |confidence| {
            mean_interval(moments, confidence).map(|Interval { value, low, high }| Interval {
                value: value / unit,
                low: low / unit,
                high: high / unit,
            })
        };
        self.pairs = moments.count;
        self.raw = scaled(confidence);
        self.adjusted = scaled(shared_out(confidence, statements));
        // That some pairs differ alike says little about others, if there are few of them.
        let sure = moments.count >= ENOUGH_ALIKE || moments.error().is_some_and(|error| error > 0.0);
        self.survives = sure && self.adjusted.is_some_and(|interval| interval.excludes(0.0));
        self.effect = self.effect();
    }

    /// The deviation is that of all values of both sides, so that it is above 0 wherever there is a difference.
    fn effect(&self) -> Option<f64> {
        let mut both = self.base.moments;
        both.merge(&self.changed.moments).ok()?;
        let deviation = both.deviation()?;
        let difference = self.difference.moments.mean()?.abs();
        Some(if deviation > 0.0 { (difference / deviation).min(2.0) } else { 0.0 })
    }

    /// The measure and what it is of: `score of white`.
    #[must_use]
    pub fn name(&self) -> String {
        match &self.of {
            Some(of) => format!("{} of {of}", self.measure),
            None => self.measure.clone(),
        }
    }
}
