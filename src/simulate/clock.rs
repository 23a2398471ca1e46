//! How long threads play: CPU time, so that others on the same machine do not count.

use std::time::Duration;

/// Counts the time at each table. A clock is read only where somebody goes from one to another.
#[derive(Debug)]
pub(super) struct Watch {
    running: Option<usize>,
    since: Duration,
    spent: Vec<Duration>,
}

impl Watch {
    pub(super) fn new(tables: usize) -> Self {
        Self { running: None, since: Duration::ZERO, spent: vec![Duration::ZERO; tables] }
    }

    /// Time goes to this table.
    pub(super) fn run(&mut self, table: usize) {
        if self.running != Some(table) {
            self.pause();
            self.running = Some(table);
            self.since = clock();
        }
    }

    /// Time goes to nobody.
    pub(super) fn pause(&mut self) {
        let spent = self.running.take().and_then(|table| self.spent.get_mut(table));
        if let Some(spent) = spent {
            *spent += clock().saturating_sub(self.since);
        }
    }

    pub(super) fn spent(&self, table: usize) -> Duration {
        self.spent.get(table).copied().unwrap_or_default()
    }
}

/// CPU time of this thread.
#[cfg(unix)]
fn clock() -> Duration {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(u64::try_from(now.tv_sec).unwrap_or(0), u32::try_from(now.tv_nsec).unwrap_or(0))
}

/// Time that passes: the nearest thing to CPU time elsewhere.
#[cfg(not(unix))]
fn clock() -> Duration {
    static BEGIN: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
    BEGIN.get_or_init(std::time::Instant::now).elapsed()
}
