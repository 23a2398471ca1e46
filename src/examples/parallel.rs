//! Many things done by a few threads, with results in the order of the things.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// As many threads as there are cores.
#[must_use]
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Does the work for every thing. Threads take the next thing as soon as they are free, so that a long one
/// holds nobody up.
pub(crate) fn each<T: Sync, R: Send>(jobs: usize, things: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let results: Mutex<Vec<(usize, R)>> = Mutex::new(Vec::new());
    let worker = || {
        let _ends = EndsAll(&next, things.len());
        while let Some((at, thing)) = take(&next, things) {
            let result = work(thing);
            // A thread that panicked ends the whole run, so its lock guards nothing half done.
            results.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push((at, result));
        }
    };
    let threads = jobs.clamp(1, things.len().max(1));
    if threads == 1 {
        worker();
    } else {
        std::thread::scope(|scope| {
            let running: Vec<_> = (0..threads).map(|_| scope.spawn(worker)).collect();
            for handle in running {
                handle.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            }
        });
    }
    let mut results = results.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    results.sort_by_key(|(at, _)| *at);
    results.into_iter().map(|(_, result)| result).collect()
}

fn take<'t, T>(next: &AtomicUsize, things: &'t [T]) -> Option<(usize, &'t T)> {
    let at = next.fetch_add(1, Ordering::Relaxed);
    things.get(at).map(|thing| (at, thing))
}

/// Whoever panics ends the work of all: nothing that the others do matters any more.
struct EndsAll<'n>(&'n AtomicUsize, usize);

impl Drop for EndsAll<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.store(self.1, Ordering::Relaxed);
        }
    }
}
