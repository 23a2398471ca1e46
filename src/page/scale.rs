//! From numbers to places on paper, and the round numbers that are written at an axis.

use super::number::decimal;

/// Numbers from `low` to `high`, drawn from `begin` to `end`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Scale {
    low: f64,
    high: f64,
    begin: f64,
    end: f64,
}

impl Scale {
    /// Always of some length, whatever the numbers are.
    pub(super) fn new((low, high): (f64, f64), (begin, end): (f64, f64)) -> Self {
        let sound = |value: f64| if value.is_finite() { value.clamp(-1e300, 1e300) } else { 0.0 };
        let (low, high) = (sound(low), sound(high));
        let (low, high) = if low <= high { (low, high) } else { (high, low) };
        // Beside large numbers one is nothing.
        let least = (low.abs().max(high.abs()) * 1e-12).max(1e-9);
        let (low, high) = if high - low < least { (low - least.max(0.5), high + least.max(0.5)) } else { (low, high) };
        Self { low, high, begin, end }
    }

    /// The place of a number; of one that is outside, the end of the axis.
    pub(super) fn at(&self, value: f64) -> f64 {
        let part = (value.clamp(self.low, self.high) - self.low) / (self.high - self.low);
        self.begin + (self.end - self.begin) * if part.is_finite() { part } else { 0.0 }
    }

    /// Both ends on paper.
    pub(super) fn ends(&self) -> (f64, f64) {
        (self.begin, self.end)
    }

    /// The same with its ends moved out to round numbers.
    pub(super) fn rounded(self, about: u32) -> Self {
        let round = |scale: Self| {
            let step = round_step(scale.high - scale.low, about);
            Self { low: (scale.low / step).floor() * step, high: (scale.high / step).ceil() * step, ..scale }
        };
        // Once it is longer, other numbers may be round.
        round(round(self))
    }

    /// About so many round numbers, with what is written there.
    pub(super) fn ticks(&self, about: u32, unit: Unit) -> Vec<(f64, String)> {
        let (low, high, factor) = match unit {
            Unit::Share => (self.low * 100.0, self.high * 100.0, 0.01),
            Unit::Whole | Unit::Number => (self.low, self.high, 1.0),
        };
        let mut step = round_step(high - low, about);
        if unit == Unit::Whole {
            step = step.max(1.0);
        }
        let digits =
            if step >= 1.0 { 0 } else { (1..9).find(|digits| step * 10_f64.powi(*digits) > 0.999).unwrap_or(9) };
        let digits = usize::try_from(digits).unwrap_or(0);
        let first = (low / step - 1e-9).ceil();
        // The ends may be round themselves, which doubles what `about` says at most.
        let places = (0..=about * 3).map(|nth| (first + f64::from(nth)) * step);
        let inside = places.take_while(|value| *value <= high + step * 1e-9);
        let text = |value: f64| {
            let blank = if unit == Unit::Share { "\u{202f}%" } else { "" };
            format!("{}{blank}", decimal(value, digits))
        };
        inside.map(|value| (value * factor, text(value))).collect()
    }
}

/// What the numbers at an axis are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unit {
    /// Whole numbers: there is nothing between them.
    Whole,
    /// Any.
    Number,
    /// Parts of one, written as parts of a hundred.
    Share,
}

/// 1, 2 or 5 times a power of ten, so that about so many fit.
fn round_step(length: f64, about: u32) -> f64 {
    let rough = (length / f64::from(about.max(1))).max(1e-12);
    let power = 10_f64.powf(rough.log10().floor());
    let times = [1.0, 2.0, 5.0].into_iter().find(|times| times * power >= rough * 0.999).unwrap_or(10.0);
    times * power
}
