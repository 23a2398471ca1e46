//! Threads that take pieces of work by number, while somebody watches how far they are.

use std::io;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

/// So often the one who watches is told.
const TICK: Duration = Duration::from_millis(100);

/// What a crew has to do.
pub(super) struct Crew<'s, H, D, B> {
    /// Threads.
    pub(super) jobs: usize,
    /// Pieces of work, numbered from 0.
    pub(super) pieces: u64,
    /// Nothing new is begun once this is true.
    pub(super) stop: Option<&'s AtomicBool>,
    /// A new worker, on its own thread.
    pub(super) hire: H,
    /// One piece of work.
    pub(super) work: D,
    /// The worker goes, still on its own thread.
    pub(super) leave: B,
}

/// How a crew's work ended.
pub(super) struct Ended<W, E> {
    /// The workers.
    pub(super) workers: Vec<W>,
    /// The first piece that failed.
    pub(super) failed: Option<(u64, E)>,
    /// How many pieces are done: if none failed, the first ones.
    pub(super) done: u64,
}

impl<H, D, B> Crew<'_, H, D, B> {
    /// Does every piece up to the first that fails. That one is the same however many threads there are,
    /// because all pieces before it are done in any case. So it is when the work is stopped: whatever was
    /// begun is done, and nothing before it is missing.
    pub(super) fn run<W, E>(self, watch: &mut dyn FnMut(u64) -> io::Result<()>) -> io::Result<Ended<W, E>>
    where
        W: Send,
        E: Send,
        H: Fn() -> W + Sync,
        D: Fn(&mut W, u64) -> Result<(), E> + Sync,
        B: Fn(&mut W) + Sync,
    {
        let (next, done, last) = (AtomicU64::new(0), AtomicU64::new(0), AtomicU64::new(self.pieces));
        let worker = || {
            let _ends = EndsAll(&last);
            let mut worker = (self.hire)();
            let mut failed = None;
            while !self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) {
                let piece = next.fetch_add(1, Ordering::Relaxed);
                if piece >= last.load(Ordering::Relaxed) {
                    break;
                }
                if let Err(error) = (self.work)(&mut worker, piece) {
                    last.fetch_min(piece, Ordering::Relaxed);
                    failed = Some((piece, error));
                    break;
                }
                done.fetch_add(1, Ordering::Relaxed);
            }
            (self.leave)(&mut worker);
            (worker, failed)
        };
        let threads = u64::try_from(self.jobs).unwrap_or(1).clamp(1, self.pieces.max(1));
        let (sender, receiver) = mpsc::channel::<()>();
        let mut told = Ok(());
        let ended = std::thread::scope(|scope| {
            let running: Vec<_> = (0..threads)
                .map(|_| {
                    let (sender, worker) = (sender.clone(), &worker);
                    scope.spawn(move || {
                        let result = worker();
                        drop(sender);
                        result
                    })
                })
                .collect();
            drop(sender);
            while receiver.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
                if told.is_ok() {
                    told = watch(done.load(Ordering::Relaxed));
                    if told.is_err() {
                        last.store(0, Ordering::Relaxed);
                    }
                }
            }
            let join = |handle: std::thread::ScopedJoinHandle<'_, _>| {
                handle.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            };
            running.into_iter().map(join).collect::<Vec<_>>()
        });
        told?;
        let (workers, failed): (Vec<W>, Vec<Option<(u64, E)>>) = ended.into_iter().unzip();
        let failed = failed.into_iter().flatten().min_by_key(|(piece, _)| *piece);
        Ok(Ended { workers, failed, done: done.into_inner() })
    }
}

/// Whoever panics ends the work of all: nothing that the others do matters any more.
struct EndsAll<'l>(&'l AtomicU64);

impl Drop for EndsAll<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.store(0, Ordering::Relaxed);
        }
    }
}
