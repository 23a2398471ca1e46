//! The rules that a log is judged by: those that its head names, or others that somebody wants to hold it to.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use super::lexicon::Lexicon;
use super::stuck::cannot_go_on;
use crate::check::{self, Checked};
use crate::compile;
use crate::evaluate::Trouble;
use crate::load::{self, Candidates, Loaded, Request};
use crate::log::{self, Chosen, Closed, Foreign, Log, Wanted};
use crate::machine::Program;
use crate::report::{Fault, FileId, Sources, Span};

/// Rulesets that are kept ready; a log that sets something else needs another one.
const MOST_KEPT: usize = 32;

/// A ruleset for the seats and settings of a log, ready to judge it.
#[derive(Debug)]
pub struct Rules {
    /// Its texts.
    pub loaded: Loaded,
    /// What they mean.
    pub checked: Checked,
    /// The same, compiled.
    pub program: Program,
    pub(super) lexicon: Lexicon,
    /// The place that the text of a log takes among the texts of its ruleset.
    pub file: FileId,
    /// The hash of the rules.
    pub hash: u64,
    /// Set if the log names another game than these rules: the one that it names.
    pub(super) other_game: Option<String>,
    chosen: Chosen,
}

/// What logs are judged by, if not by what they say themselves.
#[derive(Debug, Clone, Default)]
pub struct By {
    /// A ruleset.
    pub ruleset: Option<String>,
    /// Folders of the user in which the rulesets of logs are looked for.
    pub paths: Vec<PathBuf>,
    /// TOML files laid over the numbers.
    pub overlays: Vec<PathBuf>,
    /// `key=value`
    pub settings: Vec<String>,
    /// Are the ruleset's examples wanted, too? Nobody needs them to judge.
    pub examples: bool,
}

/// Where a game stands: how its file is called, the line that it begins with, and the file, if it is one.
#[derive(Debug, Clone, Copy)]
pub struct Origin<'o> {
    /// The file, as people see it.
    pub name: &'o str,
    /// The line.
    pub line: usize,
    /// The file; standard input has none.
    pub path: Option<&'o Path>,
}

impl<'o> Origin<'o> {
    /// A game that is in no file.
    #[must_use]
    pub fn nowhere(name: &'o str, line: usize) -> Self {
        Self { name, line, path: None }
    }
}

/// Why there are no rules for a log.
#[derive(Debug)]
pub struct Failed {
    /// The ruleset's texts. The log's text comes behind them.
    sources: Sources,
    /// At least one error.
    pub faults: Vec<Fault>,
}

impl Failed {
    /// The ruleset's texts, and the log's.
    #[must_use]
    pub fn sources(&self, origin: Origin<'_>, text: &str) -> Sources {
        let mut sources = self.sources.clone();
        sources.add_part(origin.name, text, origin.line);
        sources
    }

    fn closed(self, origin: Origin<'_>, text: &str) -> Closed {
        let sources = self.sources(origin, text);
        Closed { sources, faults: self.faults }
    }
}

impl Failed {
    /// The head of a log cannot be read.
    pub(super) fn in_head(faults: Vec<Fault>) -> Self {
        Self { sources: Sources::default(), faults }
    }
}

impl From<Box<Fault>> for Failed {
    fn from(fault: Box<Fault>) -> Self {
        Self { sources: Sources::default(), faults: vec![*fault] }
    }
}

impl Rules {
    /// The rules for a log. `text` is the log's, for faults in its head.
    pub fn of(log: &Log, by: &By, origin: Origin<'_>, text: &str) -> Result<Self, Box<Closed>> {
        let wanted = Wanted { rules: by.ruleset.as_deref(), paths: &by.paths, log: origin.path };
        let made = wanted.choose(log).map_err(Failed::from).and_then(|chosen| Self::made(log, by, chosen));
        made.map_err(|failed| Box::new(failed.closed(origin, text)))
    }

    fn made(log: &Log, by: &By, chosen: Chosen) -> Result<Self, Failed> {
        let mut settings: Vec<String> =
            log.settings.iter().map(|setting| format!("{}={}", setting.key, setting.value)).collect();
        settings.extend(by.settings.iter().cloned());
        let (ruleset, location) = (chosen.ruleset.clone(), chosen.location.clone());
        let request = Request { ruleset, location, overlays: by.overlays.clone(), settings };
        let mut loaded = if by.examples { load::load(&request) } else { load::load_rules(&request) };
        let file = loaded.sources.next_id();
        let in_log = Foreign { file, overlays: by.overlays.len(), names_game: by.ruleset.is_none() };
        in_log.point_all(&mut loaded, log);
        let players = u32::try_from(log.seats.len()).unwrap_or(u32::MAX);
        let seats: Vec<String> = log.seats.iter().map(|seat| seat.name.clone()).collect();
        let at = Span { file, ..log.places.players };
        let checked = match check::chosen(&loaded, Some(players), &seats, at) {
            Ok(checked) => checked,
            Err(mut faults) => {
                faults.iter_mut().for_each(|fault| in_log.point(fault, &loaded, log));
                return Err(Failed { sources: loaded.sources, faults });
            }
        };
        let program = match compile::compile(&checked) {
            Ok(program) => program,
            Err(fault) => return Err(Failed { sources: loaded.sources, faults: vec![*fault] }),
        };
        let lexicon = Lexicon::new(&checked.bound, &program);
        let other_game = by.ruleset.as_ref().and_then(|by| log::other_game(&log.game, by, &checked));
        let hash = loaded.rules_hash();
        Ok(Self { loaded, checked, program, lexicon, file, hash, other_game, chosen })
    }

    /// The ruleset, as people see it.
    #[must_use]
    pub fn shown(&self) -> &str {
        &self.chosen.shown
    }

    /// What is doubtful about a log: that it names a path, another hash or another game.
    pub(super) fn warnings(&self, log: &Log) -> Vec<Fault> {
        let mut found: Vec<Fault> = self.chosen.path_warning(log).into_iter().collect();
        found.extend(log::other_rules((self.hash, self.shown()), log));
        found
    }

    /// These rules cannot go on, after this entry.
    pub(super) fn cannot_go_on(&self, trouble: &Trouble, entry: Option<Span>) -> Fault {
        cannot_go_on(trouble, entry, (&self.loaded, &self.checked.bound))
    }
}

/// Rules that were needed already. Many logs are played by few rules.
#[derive(Debug, Default)]
pub struct Shelf {
    by: By,
    known: Mutex<Kept<Arc<Rules>>>,
    failed: Mutex<Kept<Arc<Failed>>>,
    named: Mutex<Kept<Arc<Candidates>>>,
}

/// What was needed last, by a key.
#[derive(Debug)]
struct Kept<T>(Vec<(String, T)>);

impl<T> Default for Kept<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T: Clone> Kept<T> {
    fn get(&mut self, key: &str) -> Option<T> {
        let at = self.0.iter().position(|(other, _)| other == key)?;
        let (key, value) = self.0.remove(at);
        Some(self.put(key, value))
    }

    fn put(&mut self, key: String, value: T) -> T {
        if self.0.len() >= MOST_KEPT {
            self.0.remove(0);
        }
        self.0.push((key, value.clone()));
        value
    }
}

impl Shelf {
    /// A shelf with nothing on it yet.
    #[must_use]
    pub fn new(by: By) -> Self {
        Self { by, ..Self::default() }
    }

    /// The rules for a log.
    pub fn rules(&self, log: &Log, path: Option<&Path>) -> Result<Arc<Rules>, Arc<Failed>> {
        let chosen = match &self.by.ruleset {
            Some(ruleset) => Chosen::named(ruleset),
            None => {
                let candidates = self.candidates(log, path);
                if candidates.found.is_empty() {
                    return Err(self.unknown(&candidates, log));
                }
                Chosen::among(&candidates, log).map_err(|fault| Arc::new(Failed::from(fault)))?
            }
        };
        let key = format!("{}\n{}", chosen.shown, key_of(log));
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(rules) = known.get(&key) {
            return Ok(rules);
        }
        // What is wrong is shown in the log, so that faults are the same only if they stand at the same place.
        let spans: Vec<Span> = log.settings.iter().map(|setting| setting.span).collect();
        let failed_key = format!("{key}\n{:?}{spans:?}", log.places);
        let mut failed = self.failed.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(failed) = failed.get(&failed_key) {
            return Err(failed);
        }
        // Made while others wait: most of the time they wait for the same.
        match Rules::made(log, &self.by, chosen) {
            Ok(rules) => Ok(known.put(key, Arc::new(rules))),
            Err(why) => Err(failed.put(failed_key, Arc::new(why))),
        }
    }

    /// That a ruleset is not known is said of many games, and worked out once.
    fn unknown(&self, candidates: &Candidates, log: &Log) -> Arc<Failed> {
        let key = format!("{}\n{:?}", candidates.name, log.places);
        let mut failed = self.failed.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(failed) = failed.get(&key) {
            return failed;
        }
        let faults = Chosen::among(candidates, log).err().map(|fault| *fault).into_iter().collect();
        failed.put(key, Arc::new(Failed::in_head(faults)))
    }

    fn candidates(&self, log: &Log, path: Option<&Path>) -> Arc<Candidates> {
        let folder = path.and_then(Path::parent).map(Path::to_string_lossy).unwrap_or_default();
        let key = format!("{}\n{}\n{folder}", log.game, path.is_some());
        let mut named = self.named.lock().unwrap_or_else(PoisonError::into_inner);
        match named.get(&key) {
            Some(found) => found,
            None => named.put(key, Arc::new(Candidates::of(&log.game, path, &self.by.paths))),
        }
    }
}

/// What makes two logs need the same rules.
pub(super) fn key_of(log: &Log) -> String {
    let seats: Vec<&str> = log.seats.iter().map(|seat| seat.name.as_str()).collect();
    let settings: Vec<String> =
        log.settings.iter().map(|setting| format!("{}={}", setting.key, setting.value)).collect();
    format!("{}\n{}\n{}", log.game, seats.join(","), settings.join("\n"))
}
