//! Rates by CPU time of the thread, and medians of them.

use std::time::Duration;

use crate::allocations;

/// CPU time of this thread.
pub(crate) fn cpu() -> Duration {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(u64::try_from(now.tv_sec).unwrap_or(0), u32::try_from(now.tv_nsec).unwrap_or(0))
}

/// What many playouts gave.
#[derive(Default, Clone, Copy)]
pub(crate) struct Tally {
    pub(crate) games: u64,
    pub(crate) entries: u64,
    /// Twice the first player's results.
    pub(crate) result: u64,
    pub(crate) seconds: f64,
    pub(crate) allocations: u64,
}

impl Tally {
    pub(crate) fn rate(&self) -> f64 {
        self.games as f64 / self.seconds
    }
}

/// Plays for some seconds of CPU time.
pub(crate) fn measure(seconds: f64, mut play: impl FnMut() -> (u32, u32)) -> Tally {
    let mut tally = Tally::default();
    let mut batch = 1;
    let before = allocations::count();
    let begin = cpu();
    while tally.seconds < seconds {
        let before = cpu();
        for _ in 0..batch {
            let (entries, result) = play();
            tally.games += 1;
            tally.entries += u64::from(entries);
            tally.result += u64::from(result);
        }
        if (cpu() - before).as_secs_f64() < 0.005 {
            batch *= 2;
        }
        tally.seconds = (cpu() - begin).as_secs_f64();
    }
    tally.allocations = allocations::count() - before;
    tally
}

pub(crate) fn median(mut all: Vec<f64>) -> f64 {
    all.sort_by(f64::total_cmp);
    all.get(all.len() / 2).copied().unwrap_or(f64::NAN)
}
