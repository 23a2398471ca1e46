//! The rules that a log is judged by: those that its head names, or others that somebody wants to hold it to.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use super::game::cannot_go_on;
use super::lexicon::Lexicon;
use crate::ast::ItemKind;
use crate::check::{self, Checked};
use crate::compile;
use crate::evaluate::Trouble;
use crate::load::{self, Loaded, Request, parts_of};
use crate::log::{Closed, Foreign, Log};
use crate::machine::Program;
use crate::report::{Fault, FileId, Span};

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
}

/// What logs are judged by, if not by what they say themselves.
#[derive(Debug, Clone, Default)]
pub struct By {
    /// A ruleset.
    pub ruleset: Option<String>,
    /// TOML files laid over the numbers.
    pub overlays: Vec<PathBuf>,
    /// `key=value`
    pub settings: Vec<String>,
    /// Are the ruleset's examples wanted, too? Nobody needs them to judge.
    pub examples: bool,
}

impl Rules {
    /// The rules for a log. `text` is the log's, which begins in this line of its file, for faults in its head.
    pub fn of(log: &Log, by: &By, (name, line): (&str, usize), text: &str) -> Result<Self, Box<Closed>> {
        let mut settings: Vec<String> =
            log.settings.iter().map(|setting| format!("{}={}", setting.key, setting.value)).collect();
        settings.extend(by.settings.iter().cloned());
        let ruleset = by.ruleset.clone().unwrap_or_else(|| log.game.clone());
        let request = Request { ruleset, overlays: by.overlays.clone(), settings };
        let mut loaded = if by.examples { load::load(&request) } else { load::load_rules(&request) };
        let file = loaded.sources.next_id();
        let in_log = Foreign { file, overlays: by.overlays.len(), names_game: by.ruleset.is_none() };
        in_log.point_all(&mut loaded, log);
        let closed = |loaded: Loaded, faults: Vec<Fault>| {
            let mut sources = loaded.sources;
            sources.add_part(name, text, line);
            Err(Box::new(Closed { sources, faults }))
        };
        let players = u32::try_from(log.seats.len()).unwrap_or(u32::MAX);
        let seats: Vec<String> = log.seats.iter().map(|seat| seat.name.clone()).collect();
        let at = Span { file, ..log.places.players };
        let checked = match check::chosen(&loaded, Some(players), &seats, at) {
            Ok(checked) => checked,
            Err(mut faults) => {
                faults.iter_mut().for_each(|fault| in_log.point(fault, &loaded, log));
                return closed(loaded, faults);
            }
        };
        let program = match compile::compile(&checked) {
            Ok(program) => program,
            Err(fault) => return closed(loaded, vec![*fault]),
        };
        let lexicon = Lexicon::new(&checked.bound, &program);
        let other_game = by.ruleset.as_ref().and_then(|by| other_game(&log.game, by, &checked));
        let hash = loaded.rules_hash();
        Ok(Self { loaded, checked, program, lexicon, file, hash, other_game })
    }

    /// These rules cannot go on, after this entry.
    pub(super) fn cannot_go_on(&self, trouble: &Trouble, entry: Option<Span>) -> Fault {
        cannot_go_on(trouble, entry, (&self.loaded, &self.checked.bound))
    }
}

/// The game that a log names, if it is another one than these rules play. A copy of a game has its title.
fn other_game(named: &str, by: &str, checked: &Checked) -> Option<String> {
    let (base, _) = parts_of(named);
    let (rules, _) = parts_of(by);
    if base == rules || base == parts_of(&checked.bound.name).0 {
        return None;
    }
    let (own, theirs) = (title_of(by), title_of(named));
    (own.is_none() || own != theirs).then(|| named.to_owned())
}

/// The title of a game, without its variants.
fn title_of(ruleset: &str) -> Option<String> {
    let loaded = load::load_rules(&Request { ruleset: ruleset.to_owned(), ..Request::default() });
    loaded.layers.iter().flat_map(|file| &file.items).find_map(|item| match &item.kind {
        ItemKind::Game { title, .. } => Some(loaded.sources.slice(title.span).to_owned()),
        _ => None,
    })
}

/// Rules that were needed already. Many logs are played by few rules.
#[derive(Debug, Default)]
pub struct Shelf {
    by: By,
    known: Mutex<Vec<(String, Arc<Rules>)>>,
}

impl Shelf {
    /// A shelf with nothing on it yet.
    #[must_use]
    pub fn new(by: By) -> Self {
        Self { by, known: Mutex::default() }
    }

    /// The rules for a log.
    pub fn rules(&self, log: &Log, place: (&str, usize), text: &str) -> Result<Arc<Rules>, Box<Closed>> {
        let key = key_of(log);
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(at) = known.iter().position(|(other, _)| *other == key) {
            let found = known.remove(at);
            let rules = Arc::clone(&found.1);
            known.push(found);
            return Ok(rules);
        }
        // Made while others wait: most of the time they wait for the same.
        let rules = Arc::new(Rules::of(log, &self.by, place, text)?);
        if known.len() >= MOST_KEPT {
            known.remove(0);
        }
        known.push((key, Arc::clone(&rules)));
        Ok(rules)
    }
}

/// What makes two logs need the same rules.
pub(super) fn key_of(log: &Log) -> String {
    let seats: Vec<&str> = log.seats.iter().map(|seat| seat.name.as_str()).collect();
    let settings: Vec<String> =
        log.settings.iter().map(|setting| format!("{}={}", setting.key, setting.value)).collect();
    format!("{}\n{}\n{}", log.game, seats.join(","), settings.join("\n"))
}
