//! A log → the ruleset it was played by, and its entries as that ruleset understands them.

use super::{Form, Log, read_game, read_json_lines};
use crate::ast;
use crate::bind::{self, Choice, Entry, Misread, Notation};
use crate::check::{self, Checked};
use crate::load::{self, Loaded, Request};
use crate::report::{Fault, FileId, Sources, Span, codes, settle};

/// A log that could be read.
#[derive(Debug)]
pub struct Opened {
    /// What it says.
    pub log: Log,
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

/// Reads a log and everything that it names. The suffix of its name says which notation it has.
pub fn open(name: &str, text: &str) -> Result<Opened, Box<Closed>> {
    open_game(name, text, None)
}

/// The same for a game of a file that holds several, counted from 1; without a number there must be one only.
pub fn open_game(name: &str, text: &str, number: Option<usize>) -> Result<Opened, Box<Closed>> {
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
    let settings = log.settings.iter().map(|setting| format!("{}={}", setting.key, setting.value)).collect();
    let mut loaded = load::load_rules(&Request { ruleset: log.game.clone(), overlays: Vec::new(), settings });
    let file = loaded.sources.add(name, text);
    // Now with the place that the log has among the ruleset's texts.
    let log = match read(file) {
        Ok(log) => log,
        Err(faults) => return closed(loaded.sources, faults),
    };
    let in_log = Foreign { file, overlays: 0, names_game: true };
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
    if !faults.is_empty() {
        return closed(loaded.sources, faults);
    }
    let warnings = other_rules(loaded.rules_hash(), &log).into_iter().collect();
    Ok(Opened { log, loaded, checked, entries, warnings })
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

/// The log was written by other rules than those at hand, which have this hash.
pub(crate) fn other_rules(is: u64, log: &Log) -> Option<Fault> {
    let was = log.rules?;
    (was != is).then(|| {
        Fault::new(&codes::OTHER_RULES, log.places.rules, "the log was written by other rules")
            .label(format!("the rules at hand have {is:016x}"))
            .help("it is judged by the rules at hand; if all of it is legal, write their hash here")
    })
}
