//! The statistics of a simulation: small, exact where it can be, and without any knowledge of games.
//!
//! What is kept of many games are whole numbers: counts, sums and sums of squares. They add up in any order,
//! so that neither threads nor shards change a result; everything with a fraction is worked out from them at
//! the end, here and nowhere else.

mod interval;
mod moments;
mod quantile;
mod spread;
mod whole;

pub use interval::{Interval, mean_interval, shared_out, wilson};
pub use moments::{Moments, Overflow};
pub use quantile::{normal, student};
pub use spread::Spread;
pub use whole::ratio;
pub(crate) use whole::text;

#[cfg(test)]
mod tests;
