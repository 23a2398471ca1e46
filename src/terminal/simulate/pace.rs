//! How far games are, and how fast they go.

use std::io;
use std::time::Instant;

use super::super::Output;
use crate::statistics::ratio;

/// A line of progress: so many of so many, a bar, and how many a second.
pub(super) struct Pace {
    what: &'static str,
    all: u64,
    since: Instant,
}

impl Pace {
    pub(super) fn new(what: &'static str, all: u64) -> Self {
        Self { what, all, since: Instant::now() }
    }

    pub(super) fn tell(&mut self, done: u64, output: &mut Output<'_>) -> io::Result<()> {
        const WIDTH: usize = 24;
        let full = u128::from(done) * WIDTH as u128 / u128::from(self.all.max(1));
        let full = usize::try_from(full).unwrap_or(WIDTH).min(WIDTH);
        let bar: String = (0..WIDTH).map(|at| if at < full { '█' } else { '·' }).collect();
        let rate = ratio(i128::from(done), 1).unwrap_or(0.0) / self.since.elapsed().as_secs_f64().max(0.001);
        output.progress(&format!("{bar} {done} of {} {}, {rate:.0} a second", self.all, self.what))
    }
}
