//! Many logs, judged by a few threads, with results in the order of the logs.

use crate::internal::Must;
use std::collections::BTreeMap;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::feed::{Batch, Feed, Unreadable};
use super::game::Judge;
use super::head::Head;
use super::judged::{Judged, Strictness};
use super::rules::{Failed, Origin, Rules, Shelf};
use crate::bind;
use crate::log::Form;
use crate::report::{FileId, Sources, Span};

/// So often the one who watches is told.
const TICK: Duration = Duration::from_millis(100);

/// Batches that may be judged before one that takes long.
const AHEAD: u64 = 64;

/// A judged game, and the texts that speak of it.
pub struct Game<'g> {
    /// The file.
    pub file: &'g str,
    /// The line of the file that the game begins with.
    pub line: usize,
    /// What came of it.
    pub judged: &'g Judged,
    /// Its text.
    pub text: &'g str,
    /// The notation of that.
    pub form: Form,
    /// The file; standard input has none.
    pub path: Option<&'g Path>,
    /// Games of the same batch before it about which there is something to say: faults, or warnings.
    pub bad_before: usize,
    rules: Option<&'g Rules>,
    failed: Option<&'g Failed>,
}

impl<'g> Game<'g> {
    /// Where it stands.
    #[must_use]
    pub fn origin(&self) -> Origin<'g> {
        Origin { name: self.file, line: self.line, path: self.path }
    }

    /// The ruleset's texts, and the game's. They are put together only if somebody asks.
    #[must_use]
    pub fn sources(&self) -> Sources {
        if let Some(failed) = self.failed {
            return failed.sources(self.origin(), self.text);
        }
        let mut sources = self.rules.map(|rules| rules.loaded.sources.clone()).unwrap_or_default();
        sources.add_part(self.file, self.text, self.line);
        sources
    }

    /// The line of the file on which something stands.
    #[must_use]
    pub fn line_of(&self, span: Span) -> usize {
        let before = self.text.as_bytes().get(..span.start as usize).unwrap_or_default();
        self.line + memchr::memchr_iter(b'\n', before).count()
    }
}

/// What a thread meets.
pub enum Met<'g> {
    /// A game.
    Game(&'g Game<'g>),
    /// A file, from this line on, that cannot be read.
    Unreadable(&'g str, usize, &'g Unreadable),
}

/// Judges everything. `tell` makes of each game what is wanted of it, on the thread that judged it; `take` gets
/// these in order, and may break off.
pub fn judge_all<R: Send>(
    feed: Feed<'_>,
    shelf: &Shelf,
    strictness: Strictness,
    jobs: usize,
    tell: impl Fn(&Met<'_>) -> R + Sync,
    take: &mut dyn FnMut(Option<R>) -> io::Result<()>,
) -> io::Result<()> {
    let feed = Mutex::new(feed);
    let stopped = AtomicBool::new(false);
    let next = || {
        if stopped.load(Ordering::Relaxed) {
            return None;
        }
        feed.lock().unwrap_or_else(PoisonError::into_inner).next_batch()
    };
    let (expected_now, went_on) = (Mutex::new(0), Condvar::new());
    let (sender, receiver) = mpsc::channel::<(u64, thread::Result<Vec<R>>)>();
    let work = |sender: mpsc::Sender<(u64, thread::Result<Vec<R>>)>| {
        let worker = Worker { shelf, strictness, tell: &tell };
        while let Some(batch) = next() {
            // Nobody runs so far ahead of the others that results pile up.
            let taken = expected_now.lock().unwrap_or_else(PoisonError::into_inner);
            drop(went_on.wait_while(taken, |taken| batch.number > *taken + AHEAD && !stopped.load(Ordering::Relaxed)));
            // A panic is a result like any other: batches before it are still told, whoever judges them.
            let told = catch_unwind(AssertUnwindSafe(|| worker.batch(&batch)));
            let has_panicked = told.is_err();
            if sender.send((batch.number, told)).is_err() || has_panicked {
                break;
            }
        }
    };
    let (mut told, mut panicked) = (Ok(()), None);
    thread::scope(|scope| {
        for _ in 0..jobs.max(1) {
            let (sender, work) = (sender.clone(), &work);
            scope.spawn(move || work(sender));
        }
        drop(sender);
        let (mut waiting, mut expected, mut since) = (BTreeMap::new(), 0, Instant::now());
        loop {
            match receiver.recv_timeout(TICK) {
                Ok((number, results)) => {
                    waiting.insert(number, results);
                    while let Some(results) = waiting.remove(&expected) {
                        expected += 1;
                        *expected_now.lock().unwrap_or_else(PoisonError::into_inner) = expected;
                        went_on.notify_all();
                        let results = results.unwrap_or_else(|panic| {
                            panicked.get_or_insert(panic);
                            Vec::new()
                        });
                        for result in results {
                            if told.is_ok() && panicked.is_none() {
                                told = take(Some(result));
                            }
                        }
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            if told.is_ok() && panicked.is_none() && since.elapsed() >= TICK {
                since = Instant::now();
                told = take(None);
            }
            if told.is_err() || panicked.is_some() {
                stopped.store(true, Ordering::Relaxed);
                went_on.notify_all();
            }
        }
    });
    match panicked {
        Some(panic) if told.is_ok() => resume_unwind(panic),
        _ => told,
    }
}

struct Worker<'w, T> {
    shelf: &'w Shelf,
    strictness: Strictness,
    tell: &'w T,
}

/// A game of a batch, before it is judged.
#[derive(Clone, Copy)]
struct Unjudged<'b> {
    file: &'b str,
    path: Option<&'b Path>,
    line: usize,
    text: &'b str,
}

impl<R, T: Fn(&Met<'_>) -> R> Worker<'_, T> {
    fn batch(&self, batch: &Batch) -> Vec<R> {
        if let Err(why) = &batch.text {
            return vec![(self.tell)(&Met::Unreadable(&batch.file, batch.first_line, why))];
        }
        let mut games = batch.games().map(|(line, text)| {
            let path = batch.path.as_deref();
            Unjudged { file: &batch.file, path, line, text }
        });
        let mut told = Told { all: Vec::new(), bad: 0 };
        let mut open = games.next();
        while let Some(game) = open {
            open = match self.rules(game, batch.form) {
                Ok(rules) => self.by(&rules, game, batch.form, &mut games, &mut told),
                Err(failed) => {
                    self.failed(game, batch.form, &failed, &mut told);
                    games.next()
                }
            };
        }
        told.all
    }

    /// The rules that a game is judged by.
    fn rules(&self, game: Unjudged<'_>, form: Form) -> Result<Arc<Rules>, Arc<Failed>> {
        match Head::read(game.text, form, FileId::default()) {
            Ok(head) => self.shelf.rules(head.log(), game.path),
            Err(faults) => Err(Arc::new(Failed::in_head(faults))),
        }
    }

    /// Judges a game, and those after it that have the same rules; gives the first that has others.
    fn by<'b>(
        &self,
        rules: &Arc<Rules>,
        mut game: Unjudged<'b>,
        form: Form,
        games: &mut impl Iterator<Item = Unjudged<'b>>,
        told: &mut Told<R>,
    ) -> Option<Unjudged<'b>> {
        let items = bind::effective(&rules.loaded.layers, &mut Vec::new());
        let mut judge = Judge::new(rules, &items, self.strictness);
        loop {
            let head = Head::read(game.text, form, rules.file);
            let head = head.must("a head can be read again that was read to find the rules");
            let (own, mut body) = (game.text, head.body);
            loop {
                let judged = judge.game(game.text, form, &head.reader, body);
                let (rules, failed, bad_before) = (Some(&**rules), None, told.bad);
                let Unjudged { file, path, line, text } = game;
                let told_of = Game { file, line, judged: &judged, text, form, path, bad_before, rules, failed };
                told.push(&judged, (self.tell)(&Met::Game(&told_of)));
                game = games.next()?;
                match head.same(own, game.text) {
                    Some(at) => body = at,
                    None => break,
                }
            }
            match self.rules(game, form) {
                Ok(others) if Arc::ptr_eq(&others, rules) => {}
                _ => return Some(game),
            }
        }
    }

    /// A game for which there are no rules.
    fn failed(&self, game: Unjudged<'_>, form: Form, failed: &Failed, told: &mut Told<R>) {
        let judged = Judged { faults: failed.faults.clone(), ..Judged::default() };
        let (rules, failed, bad_before) = (None, Some(failed), told.bad);
        let Unjudged { file, path, line, text } = game;
        let game = Game { file, line, judged: &judged, text, form, path, bad_before, rules, failed };
        told.push(&judged, (self.tell)(&Met::Game(&game)));
    }
}

/// What was told of the games of a batch.
struct Told<R> {
    all: Vec<R>,
    /// Games about which there is something to say.
    bad: usize,
}

impl<R> Told<R> {
    fn push(&mut self, judged: &Judged, told: R) {
        let is_bad = !judged.faults.is_empty() || !judged.warnings.is_empty() || judged.fault().is_some();
        self.bad += usize::from(is_bad);
        self.all.push(told);
    }
}
