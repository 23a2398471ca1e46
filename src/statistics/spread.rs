//! How values are spread: a histogram of whole numbers that never gets large, with exact sums beside it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::interval::mean_interval;
use super::moments::{Moments, Overflow};
use super::whole::ratio;

/// Bins that a histogram may have.
const MOST_BINS: usize = 1000;

/// Values, counted. Bins are as narrow as there is room for: powers of two, counted from 0. How wide they are does
/// not depend on the order in which values come, for every smaller width would need too many.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Spread {
    /// How many, their sum, and the sum of their squares.
    #[serde(flatten)]
    pub moments: Moments,
    /// The least of them.
    pub min: Option<i64>,
    /// The greatest of them.
    pub max: Option<i64>,
    /// How many values share a bin; 1: each has its own. A power of two.
    pub width: u64,
    /// The first value of each bin that is not empty, and how many are in it.
    #[serde(with = "pairs")]
    pub bins: BTreeMap<i64, u64>,
    /// Their mean.
    pub mean: Option<f64>,
    /// The lower end of what the mean may be.
    pub low: Option<f64>,
    /// The upper end of what the mean may be.
    pub high: Option<f64>,
    /// How far values are usually from the mean.
    pub deviation: Option<f64>,
    /// As many are below as above; of wide bins, their middle.
    pub median: Option<f64>,
}

impl Spread {
    /// So many times this value more.
    pub fn add(&mut self, value: i64, times: u64) -> Result<(), Overflow> {
        if times == 0 {
            return Ok(());
        }
        self.moments.add(value, times)?;
        self.min = Some(self.min.map_or(value, |min| min.min(value)));
        self.max = Some(self.max.map_or(value, |max| max.max(value)));
        let bin = first_of(value, self.width.max(1));
        let count = self.bins.entry(bin).or_default();
        *count = count.checked_add(times).ok_or(Overflow)?;
        self.narrow(self.width.max(1))
    }

    /// Both together.
    pub fn merge(&mut self, other: &Self) -> Result<(), Overflow> {
        self.moments.merge(&other.moments)?;
        self.min = [self.min, other.min].into_iter().flatten().min();
        self.max = [self.max, other.max].into_iter().flatten().max();
        let width = self.width.max(other.width).max(1);
        let mut bins = std::mem::take(&mut self.bins).into_iter().collect::<Vec<_>>();
        bins.extend(other.bins.iter().map(|(&bin, &count)| (bin, count)));
        for (value, times) in bins {
            let count = self.bins.entry(first_of(value, width)).or_default();
            *count = count.checked_add(times).ok_or(Overflow)?;
        }
        self.narrow(width)
    }

    /// Makes bins wider until there are few enough.
    fn narrow(&mut self, width: u64) -> Result<(), Overflow> {
        self.width = width;
        while self.bins.len() > MOST_BINS {
            self.width = self.width.checked_mul(2).filter(|width| *width <= 1 << 62).ok_or(Overflow)?;
            for (value, times) in std::mem::take(&mut self.bins) {
                let count = self.bins.entry(first_of(value, self.width)).or_default();
                *count = count.checked_add(times).ok_or(Overflow)?;
            }
        }
        Ok(())
    }

    /// Works out what follows from the counts.
    pub fn derive(&mut self, confidence: f64) {
        self.width = self.width.max(1);
        self.mean = self.moments.mean();
        self.deviation = self.moments.deviation();
        let interval = mean_interval(&self.moments, confidence);
        self.low = interval.map(|interval| interval.low);
        self.high = interval.map(|interval| interval.high);
        self.median = self.middle();
    }

    /// Of an even number the mean of the two in the middle.
    fn middle(&self) -> Option<f64> {
        let last = self.moments.count.checked_sub(1)?;
        let sum = self.nth(last / 2)? + self.nth(last.div_ceil(2))?;
        Some(ratio(sum, 2)? + ratio(i128::from(self.width) - 1, 2)?)
    }

    /// The bin of the value with this number, counted from 0 by size.
    fn nth(&self, number: u64) -> Option<i128> {
        let mut before = 0_u64;
        self.bins.iter().find_map(|(&bin, &count)| {
            before = before.saturating_add(count);
            (number < before).then(|| i128::from(bin))
        })
    }
}

/// The first value of the bin that this one is in.
fn first_of(value: i64, width: u64) -> i64 {
    let width = i64::try_from(width).unwrap_or(1 << 62);
    // Below the least number that there is no bin can begin.
    value.div_euclid(width).checked_mul(width).unwrap_or(i64::MIN)
}

/// Bins in JSON: an array of `[value, count]`, for keys of objects are no numbers.
mod pairs {
    use std::collections::BTreeMap;

    use serde::{Deserialize, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(bins: &BTreeMap<i64, u64>, out: S) -> Result<S::Ok, S::Error> {
        out.collect_seq(bins)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<BTreeMap<i64, u64>, D::Error> {
        Ok(Vec::<(i64, u64)>::deserialize(from)?.into_iter().collect())
    }
}
