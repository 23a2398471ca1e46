//! How many values there are, their sum and the sum of their squares: enough for a mean and its error.

use serde::{Deserialize, Serialize};

use super::whole::{ratio, text};

/// More was counted than a number can hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Overflow;

/// Values, summed up exactly.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Moments {
    /// How many.
    pub count: u64,
    /// All of them together.
    #[serde(with = "text")]
    pub sum: i128,
    /// Their squares together.
    #[serde(with = "text")]
    pub squares: i128,
}

impl Moments {
    /// So many times this value more.
    pub fn add(&mut self, value: i64, times: u64) -> Result<(), Overflow> {
        let (value, many) = (i128::from(value), i128::from(times));
        let more = Self {
            count: times,
            sum: value.checked_mul(many).ok_or(Overflow)?,
            squares: (value * value).checked_mul(many).ok_or(Overflow)?,
        };
        self.merge(&more)
    }

    /// Both together.
    pub fn merge(&mut self, other: &Self) -> Result<(), Overflow> {
        *self = Self {
            count: self.count.checked_add(other.count).ok_or(Overflow)?,
            sum: self.sum.checked_add(other.sum).ok_or(Overflow)?,
            squares: self.squares.checked_add(other.squares).ok_or(Overflow)?,
        };
        Ok(())
    }

    /// The mean; nothing of no values.
    #[must_use]
    pub fn mean(&self) -> Option<f64> {
        ratio(self.sum, u128::from(self.count))
    }

    /// The variance of what the values are a sample of: squared distances from the mean, by one less than there are.
    #[must_use]
    pub fn variance(&self) -> Option<f64> {
        let fewer = self.count.checked_sub(1).filter(|fewer| *fewer > 0)?;
        let count = i128::from(self.count);
        // n·Σx² − (Σx)² is whole, and as a difference of floats it could be anything.
        let exact = count
            .checked_mul(self.squares)
            .zip(self.sum.checked_mul(self.sum))
            .and_then(|(squares, square)| squares.checked_sub(square));
        let distances = match exact {
            Some(exact) => ratio(exact, u128::from(self.count))?,
            None => {
                let (sum, squares) = (ratio(self.sum, 1)?, ratio(self.squares, 1)?);
                (squares - sum * self.mean()?).max(0.0)
            }
        };
        Some(distances / ratio(i128::from(fewer), 1)?)
    }

    /// The square root of the variance.
    #[must_use]
    pub fn deviation(&self) -> Option<f64> {
        self.variance().map(f64::sqrt)
    }

    /// How far the mean of so many values is usually off.
    #[must_use]
    pub fn error(&self) -> Option<f64> {
        Some(self.deviation()? / ratio(i128::from(self.count), 1)?.sqrt())
    }
}
