//! A log → the ruleset it was played by, and its entries as that ruleset understands them.

use std::path::{Path, PathBuf};

use super::other::{names_other_game, other_game, other_rules};
use super::{Form, Log, read_game, read_json_lines};
use crate::ast;
use crate::bind::{self, Choice, Entry, Misread, Notation};
use crate::check::{self, Checked};
use crate::load::{self, Candidates, Folder, Loaded, Location, Request};
use crate::report::{Fault, FileId, Sources, Span, clean_line, codes, settle};

/// A log that could be read.
#[derive(Debug)]
pub struct Opened {
    /// What it says.
    pub log: Log,
    /// The ruleset that it is read by, as people see it.
    pub ruleset: String,
    /// Its ruleset; the log is one of its sources.
    pub loaded: Loaded,
    /// The same, for the seats and settings of this log.
    pub checked: Checked,
    /// Its entries, each with its place.
    pub entries: Vec<(Entry, Span)>,
    /// What is doubtful about it.
    pub warnings: Vec<Fault>,
}

/// A log that could not be read, and why.
#[derive(Debug)]
pub struct Closed {
    /// What the faults point into.
    pub sources: Sources,
    /// At least one error.
    pub faults: Vec<Fault>,
}

/// Which rules a log is read by.
#[derive(Debug, Clone, Copy, Default)]
pub struct Wanted<'w> {
    /// These, whatever the log names.
    pub rules: Option<&'w str>,
    /// Folders of the user in which rulesets are looked for.
    pub paths: &'w [PathBuf],
    /// The file of the log; standard input has none.
    pub log: Option<&'w Path>,
}

/// The ruleset that a log is judged by.
#[derive(Debug, Clone)]
pub(crate) struct Chosen {
    /// Its name, with variants and editions.
    pub(crate) ruleset: String,
    /// Where it is, if a log has named it.
    pub(crate) location: Option<Location>,
    /// As people see it.
    pub(crate) shown: String,
    /// Did the log name a path?
    pub(crate) from_path: bool,
}

impl Wanted<'_> {
    /// The ruleset for a log, or that there is none.
    pub(crate) fn choose(&self, log: &Log) -> Result<Chosen, Box<Fault>> {
        match self.rules {
            Some(rules) => Ok(Chosen::named(rules)),
            None => Chosen::among(&Candidates::of(&log.game, self.log, self.paths), log),
        }
    }
}

impl Chosen {
    /// What the user has named.
    pub(crate) fn named(ruleset: &str) -> Self {
        let (ruleset, shown) = (ruleset.to_owned(), clean_line(ruleset).into_owned());
        Self { ruleset, location: None, shown, from_path: false }
    }

    /// One of several by the hash of the log.
    pub(crate) fn among(candidates: &Candidates, log: &Log) -> Result<Self, Box<Fault>> {
        let Candidates { name, from_path, .. } = candidates;
        let Some(found) = candidates.choose(log.rules) else {
            return Err(Box::new(
                Fault::new(&codes::UNKNOWN_RULESET, log.places.game, format!("unknown ruleset `{name}`"))
                    .label("not found")
                    .help(candidates.help()),
            ));
        };
        let (location, shown) = (Some(found.location.clone()), found.shown.clone());
        Ok(Self { ruleset: name.clone(), location, shown, from_path: *from_path })
    }

    /// As it would be asked for on the command line.
    pub(crate) fn as_asked(&self) -> String {
        let (_, parts) = load::parts_of(&self.ruleset);
        match &self.location {
            Some(Location { folder: Folder::Disk(folder), main }) => {
                let file = folder.join(main).to_string_lossy().into_owned();
                if parts.is_empty() { file } else { format!("{file}:{}", parts.join("+")) }
            }
            _ => self.ruleset.clone(),
        }
    }

    /// A log should name a game, not a file.
    pub(crate) fn path_warning(&self, log: &Log) -> Option<Fault> {
        self.from_path.then(|| {
            Fault::new(&codes::PATH_IN_LOG, log.places.game, "the log names a path")
                .label(format!("looked up as `{}`", self.ruleset))
                .help(format!("it is judged by `{}`; write `game {}`", self.shown, self.ruleset))
        })
    }
}

/// Reads a log and everything that it names. The suffix of its name says which notation it has.
pub fn open(name: &str, text: &str) -> Result<Opened, Box<Closed>> {
    open_game(name, text, None, Wanted { log: Some(Path::new(name)), ..Wanted::default() })
}

/// The same for a game of a file that holds several, counted from 1; without a number there must be one only.
pub fn open_game(name: &str, text: &str, number: Option<usize>, wanted: Wanted<'_>) -> Result<Opened, Box<Closed>> {
    let form = Form::of(name.strip_suffix(".gz").unwrap_or(name)).unwrap_or(Form::Text);
    let mut sources = Sources::default();
    let alone = sources.add(name, text);
    let (base, text_of_game) = match game(alone, text, form, number) {
        Ok(found) => found,
        Err(fault) => return closed(sources, vec![*fault]),
    };
    let read = |file| match form {
        Form::Text => read_game(file, base, text_of_game),
        Form::JsonLines => read_json_lines(file, base, text_of_game),
    };
    let log = match read(alone) {
        Ok(log) => log,
        Err(faults) => return closed(sources, faults),
    };
    let chosen = match wanted.choose(&log) {
        Ok(chosen) => chosen,
        Err(fault) => return closed(sources, vec![*fault]),
    };
    let settings = log.settings.iter().map(|setting| format!("{}={}", setting.key, setting.value)).collect();
    let (ruleset, location) = (chosen.ruleset.clone(), chosen.location.clone());
    let mut loaded = load::load_rules(&Request { ruleset, settings, location, ..Request::default() });
    let file = loaded.sources.add(name, text);
    // Now with the place that the log has among the ruleset's texts.
    let log = match read(file) {
        Ok(log) => log,
        Err(faults) => return closed(loaded.sources, faults),
    };
    let in_log = Foreign { file, overlays: 0, names_game: wanted.rules.is_none() };
    in_log.point_all(&mut loaded, &log);
    let players = u32::try_from(log.seats.len()).unwrap_or(u32::MAX);
    let seats: Vec<String> = log.seats.iter().map(|seat| seat.name.clone()).collect();
    let checked = match check::chosen(&loaded, Some(players), &seats, log.places.players) {
        Ok(checked) => checked,
        Err(mut faults) => {
            faults.iter_mut().for_each(|fault| in_log.point(fault, &loaded, &log));
            return closed(loaded.sources, faults);
        }
    };
    let mut faults = Vec::new();
    let items = bind::effective(&loaded.layers, &mut faults);
    let choice = Choice { players: Some(players), numbers: &loaded.numbers };
    let mut notation = Notation::new(&items, choice, seats);
    notation.call(log.seats.iter().map(|seat| seat.who.clone()));
    let mut entries = Vec::new();
    for line in log.entries.iter().filter(|line| !line.text.is_empty()) {
        // What was made of an object is not in the file as such, so all of it is shown.
        let written = if form == Form::Text { loaded.sources.slice(line.span) } else { &line.text };
        match read_entry(&mut notation, line.span, written) {
            Ok(read) => entries.extend(read.into_iter().map(|entry| (entry, line.span))),
            Err(misread) if form == Form::JsonLines => faults.push(Fault { span: line.span, ..misread.fault }),
            Err(misread) => faults.push(misread.fault),
        }
    }
    faults.retain(Fault::is_error);
    let mut warnings: Vec<Fault> = chosen.path_warning(&log).into_iter().collect();
    warnings.extend(other_rules((loaded.rules_hash(), &chosen.shown), &log));
    let other = wanted.rules.and_then(|by| other_game(&log.game, by, &checked));
    warnings.extend(other.map(|named| names_other_game(&named, &checked.bound.title, log.places.game)));
    if !faults.is_empty() {
        faults.extend(warnings);
        return closed(loaded.sources, faults);
    }
    Ok(Opened { log, ruleset: chosen.shown, loaded, checked, entries, warnings })
}

/// The wanted game of a file, with its first byte.
fn game(file: FileId, text: &str, form: Form, number: Option<usize>) -> Result<(usize, &str), Box<Fault>> {
    let mut games = form.games(text);
    let wanted = number.unwrap_or(1);
    if let Some(found) = wanted.checked_sub(1).and_then(|before| games.nth(before))
        && (number.is_some() || games.next().is_none())
    {
        return Ok(found);
    }
    let count = form.games(text).count();
    let at = form.games(text).nth(1).map_or(0, |(start, _)| start);
    let length = text.get(at..).and_then(|rest| rest.lines().next()).map_or(0, |line| line.trim_end().len().min(200));
    let span = Span::new(file, at, at + length);
    let (message, label) = match number {
        None => (format!("the file holds {count} games"), "the second begins here".to_owned()),
        Some(number) => (format!("the file has no game {number}"), format!("games: {count}")),
    };
    Err(Box::new(Fault::new(&codes::SEVERAL_GAMES, span, message).label(label).help(match count {
        1 => "it holds one game only: leave `--game` out".to_owned(),
        _ => format!("say which one: `--game 1` to `--game {count}`"),
    })))
}

/// One line as entries of the ruleset; `at` is its place.
pub fn read_entry(notation: &mut Notation<'_>, at: Span, text: &str) -> Result<Vec<Entry>, Box<Misread>> {
    let entry = ast::parse_entry(at.file, at.start as usize, text)
        .map_err(|fault| Box::new(Misread { verdict: "unreadable", fault: *fault }))?;
    notation.read(&entry)
}

fn closed<T>(sources: Sources, mut faults: Vec<Fault>) -> Result<T, Box<Closed>> {
    settle(&mut faults);
    Err(Box::new(Closed { sources, faults }))
}

/// Which texts of a run are from a log: what it sets, and the game that it names. Faults in them are shown in the log.
pub(crate) struct Foreign {
    /// The log.
    pub(crate) file: FileId,
    /// Overlays, which stand between the name of the ruleset and the settings.
    pub(crate) overlays: usize,
    /// Is the ruleset the one that the log names?
    pub(crate) names_game: bool,
}

impl Foreign {
    /// Points all faults of a ruleset into the log that are found there.
    pub(crate) fn point_all(&self, loaded: &mut Loaded, log: &Log) {
        let mut faults = std::mem::take(&mut loaded.faults);
        faults.iter_mut().for_each(|fault| self.point(fault, loaded, log));
        loaded.faults = faults;
    }

    /// The same for one fault.
    pub(crate) fn point(&self, fault: &mut Fault, loaded: &Loaded, log: &Log) {
        // The name of the ruleset is the first foreign text; then come overlays, and then settings, the log's first.
        let Some(foreign) = loaded.foreign.iter().position(|&file| file == fault.span.file) else { return };
        let setting = foreign.checked_sub(1 + self.overlays).and_then(|at| log.settings.get(at));
        let span = match setting {
            Some(setting) => setting.span,
            None if foreign == 0 && self.names_game => log.places.game,
            None => return,
        };
        fault.span = Span { file: self.file, ..span };
    }
}
