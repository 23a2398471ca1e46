//! What many games add up to: sums and counts only, so that the order of games does not matter.

use std::collections::BTreeMap;

/// Games, summed up.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tally {
    /// All of them.
    pub games: u64,
    /// Entries of all of them.
    pub entries: u64,
    /// Games that were cut off.
    pub unfinished: u64,
    /// Games that several seats win together.
    pub draws: u64,
    /// Games that nobody wins.
    pub nobody: u64,
    /// By seat.
    pub seats: Vec<SeatTally>,
    /// How many games that ended have this many entries.
    pub lengths: BTreeMap<u64, u64>,
}

/// One seat, over all games that ended.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SeatTally {
    /// Games that it wins alone.
    pub wins: u64,
    /// Games that it wins with others.
    pub shared: u64,
    /// Its scores, summed up.
    pub score: i128,
}

impl Tally {
    /// Nothing yet, for so many seats.
    #[must_use]
    pub fn new(seats: u32) -> Self {
        Self { seats: vec![SeatTally::default(); seats as usize], ..Self::default() }
    }

    /// A game that was cut off.
    pub(super) fn cut_off(&mut self, entries: u64) {
        self.games += 1;
        self.entries += entries;
        self.unfinished += 1;
    }

    /// A game that ended.
    pub(super) fn ended(&mut self, entries: u64, scores: impl Iterator<Item = i64>, winners: &[u32]) {
        self.games += 1;
        self.entries += entries;
        *self.lengths.entry(entries).or_default() += 1;
        self.draws += u64::from(winners.len() > 1);
        self.nobody += u64::from(winners.is_empty());
        for (seat, score) in self.seats.iter_mut().zip(scores) {
            seat.score += i128::from(score);
        }
        for &winner in winners {
            if let Some(seat) = self.seats.get_mut(winner as usize) {
                seat.wins += u64::from(winners.len() == 1);
                seat.shared += u64::from(winners.len() > 1);
            }
        }
    }

    /// Both together.
    pub(super) fn add(&mut self, other: &Self) {
        self.games += other.games;
        self.entries += other.entries;
        self.unfinished += other.unfinished;
        self.draws += other.draws;
        self.nobody += other.nobody;
        for (seat, more) in self.seats.iter_mut().zip(&other.seats) {
            seat.wins += more.wins;
            seat.shared += more.shared;
            seat.score += more.score;
        }
        for (&length, games) in &other.lengths {
            *self.lengths.entry(length).or_default() += games;
        }
    }

    /// Games that ended.
    #[must_use]
    pub fn finished(&self) -> u64 {
        self.games - self.unfinished
    }

    /// The mean length of games that ended; nothing if none did.
    #[must_use]
    pub fn mean_length(&self) -> Option<f64> {
        let sum: u128 = self.lengths.iter().map(|(&length, &games)| u128::from(length) * u128::from(games)).sum();
        ratio(sum, self.finished())
    }

    /// The shortest and the longest game that ended.
    #[must_use]
    pub fn range(&self) -> Option<(u64, u64)> {
        Some((*self.lengths.first_key_value()?.0, *self.lengths.last_key_value()?.0))
    }

    /// The median length of games that ended: of an even number of games the mean of the two in the middle.
    #[must_use]
    pub fn median_length(&self) -> Option<f64> {
        let last = self.finished().checked_sub(1)?;
        let sum = u128::from(self.length_of(last / 2)?) + u128::from(self.length_of(last.div_ceil(2))?);
        ratio(sum, 2)
    }

    /// The length of the game with this number, counted from 0 by length.
    fn length_of(&self, number: u64) -> Option<u64> {
        let mut before = 0;
        self.lengths.iter().find_map(|(&length, &games)| {
            before += games;
            (number < before).then_some(length)
        })
    }

    /// The mean score of a seat over games that ended.
    #[must_use]
    pub fn mean_score(&self, seat: &SeatTally) -> Option<f64> {
        let mean = ratio(seat.score.unsigned_abs(), self.finished())?;
        Some(if seat.score < 0 { -mean } else { mean })
    }

    /// The part of the games that ended which this many are.
    #[must_use]
    pub fn share(&self, games: u64) -> Option<f64> {
        ratio(u128::from(games), self.finished())
    }
}

#[expect(clippy::cast_precision_loss, reason = "means are shown with few digits")]
fn ratio(sum: u128, count: u64) -> Option<f64> {
    (count > 0).then(|| sum as f64 / count as f64)
}
