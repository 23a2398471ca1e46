//! What a position is worth to a seat.

use crate::evaluate::Try;
use crate::machine::{Machine, Waits};

/// What greedy compares: how the game ended there, then how far the seat is ahead.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(super) struct Worth {
    /// 1 if the game is won there, -1 if it is lost, 0 if it goes on or nobody is better off than all others.
    pub(super) end: i64,
    /// Points ahead of the best other seat; alone, points.
    pub(super) ahead: i64,
}

impl Worth {
    /// Below everything that positions can be worth, also several together.
    pub(super) const LEAST: Self = Self { end: i64::MIN, ahead: i64::MIN };

    /// Together with another one.
    pub(super) fn and(self, other: Self) -> Self {
        Self { end: self.end.saturating_add(other.end), ahead: self.ahead.saturating_add(other.ahead) }
    }

    /// Of the position that the machine stands at.
    pub(super) fn of(machine: &mut Machine<'_>, seat: u32) -> Try<Self> {
        let seats = machine.program().players;
        let own = machine.score(seat)?;
        let mut best: Option<i64> = None;
        for other in (0..seats).filter(|other| *other != seat) {
            let score = machine.score(other)?;
            best = Some(best.map_or(score, |best| best.max(score)));
        }
        let mut end = 0;
        if machine.waits() == Waits::Nothing {
            let winners = machine.winners()?;
            let all = winners.is_empty() || winners.len() == seats as usize;
            end = match winners.contains(&seat) {
                _ if all => 0,
                true => 1,
                false => -1,
            };
        }
        Ok(Self { end, ahead: own.saturating_sub(best.unwrap_or(0)) })
    }
}
