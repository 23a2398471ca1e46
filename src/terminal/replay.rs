//! `ludex replay`

use std::io;

use clap::Args;
use serde_json::{Map, Value, json};

use super::game::{cannot_go_on, compiled, line_of, offers, open, replayed_with, seat, up_to, waits};
use super::{Exit, Format, LogRules, Output};
use crate::bind::Entry;
use crate::evaluate::{Decision, Pause, State};
use crate::log::{self, Line, Log, Opened};
use crate::play::{Session, paint, seat_names};

/// The position of a game after some entries of its log
///
/// Whoever has the log sees everything; `--as` covers what a seat could not see.
#[derive(Debug, Args)]
pub(super) struct ReplayArgs {
    /// A log
    log: String,

    #[command(flatten)]
    by: LogRules,

    /// Which game of a file that holds several, counted from 1
    #[arg(long, value_name = "N")]
    game: Option<usize>,

    /// After this many entries; all of them if not said
    #[arg(long, value_name = "N")]
    at: Option<usize>,

    /// As this seat sees it: its name, or its number from 1
    #[arg(long = "as", value_name = "SEAT")]
    viewer: Option<String>,

    /// Instead of the position, the log up to there, with `?` for what the seat does not know
    #[arg(long = "log")]
    as_log: bool,
}

pub(super) fn replay(args: &ReplayArgs, output: &mut Output<'_>) -> io::Result<Exit> {
    let Some(opened) = open(&args.log, args.game, &args.by, output)? else { return Ok(Exit::NoVerdict) };
    let sources = &opened.loaded.sources;
    output.faults(sources, &opened.warnings, 20)?;
    let Some(entries) = up_to(&opened, args.at, output)? else { return Ok(Exit::NoVerdict) };
    let viewer = match &args.viewer {
        Some(wanted) => match seat(wanted, &seat_names(&opened.checked.bound), output)? {
            Some(seat) => Some(seat),
            None => return Ok(Exit::NoVerdict),
        },
        None => None,
    };
    let Some(program) = compiled(&opened.checked, sources, output)? else { return Ok(Exit::NoVerdict) };
    let mut known: Vec<String> = Vec::new();
    let look = &mut |session: &Session<'_>, entry: &Entry| known.extend(told(session, entry, viewer));
    let session = match replayed_with(&opened, &program, entries, look, output)? {
        Ok(session) => session,
        Err(exit) => return Ok(exit),
    };
    let seen = Seen { opened: &opened, session: &session, viewer, entries: &known };
    if args.as_log {
        seen.log(output)?;
        return Ok(Exit::Fine);
    }
    let state = match viewer {
        Some(_) => session.seen_by(viewer),
        None => session.stand().state.clone(),
    };
    if output.format == Format::Json {
        return match session.scores_in(&state) {
            Ok(scores) => output.line(seen.object(&state, &scores).to_string()).map(|()| Exit::Fine),
            Err(trouble) => cannot_go_on((&opened.loaded, &opened.checked.bound), &trouble, output),
        };
    }
    output.line(seen.heading())?;
    output.line("")?;
    output.result(paint(&session, sources, state))?;
    output.line("")?;
    output.line(waits(&session))?;
    Ok(Exit::Fine)
}

/// An entry as a seat knows it; nobody in particular has the log, and knows all.
fn told(session: &Session<'_>, entry: &Entry, viewer: Option<u32>) -> Option<String> {
    let decision = match entry {
        Entry::Act { .. } => session.meant(entry)?,
        Entry::Pass { seat } => Decision::Pass { seat: *seat },
        Entry::Chance { value, .. } => Decision::Chance(value.clone()?),
        Entry::Unreadable { .. } => return None,
    };
    Some(if viewer.is_some() { session.known_to(&decision, viewer) } else { session.show(&decision) })
}

/// A game as somebody sees it.
struct Seen<'s> {
    opened: &'s Opened,
    session: &'s Session<'s>,
    viewer: Option<u32>,
    /// What happened, as far as it is known.
    entries: &'s [String],
}

impl Seen<'_> {
    /// The line of the last entry.
    fn line(&self) -> Option<usize> {
        let (_, span) = self.opened.entries.get(self.entries.len().checked_sub(1)?)?;
        Some(line_of(&self.opened.loaded.sources, *span))
    }

    fn heading(&self) -> String {
        let all = self.opened.entries.len();
        let seen = self.viewer.map(|seat| format!(", as {} sees it", self.session.seat_name(seat))).unwrap_or_default();
        match (self.entries.last(), self.line()) {
            (Some(last), Some(line)) => {
                format!("after entry {} of {all}{seen}; line {line}: {last}", self.entries.len())
            }
            _ => format!("before entry 1 of {all}{seen}"),
        }
    }

    /// The log up to here. Who does not see everything does not know the seed either: it would tell.
    fn log(&self, output: &mut Output<'_>) -> io::Result<()> {
        let whole = self.entries.len() == self.opened.entries.len();
        let line = |text: &String| Line { text: text.clone(), ..Line::default() };
        let log = Log {
            seed: self.opened.log.seed.filter(|_| self.viewer.is_none()),
            entries: self.entries.iter().map(line).collect(),
            result: self.opened.log.result.clone().filter(|_| whole),
            ..self.opened.log.clone()
        };
        let text = log::write(&log);
        if output.format != Format::Json {
            return output.result(text);
        }
        let object = json!({
            "ludex": 1, "kind": "log", "ruleset": log.game, "viewer": self.viewer(),
            "entries": self.entries, "text": text,
        });
        output.line(object.to_string())
    }

    fn viewer(&self) -> Option<String> {
        self.viewer.map(|seat| self.session.seat_name(seat))
    }

    fn object(&self, state: &State, scores: &[Option<i64>]) -> Value {
        let mut elements = Map::new();
        let types = &self.session.bound().types;
        for (declared, values) in self.session.bound().states.iter().zip(&state.elements) {
            for (at, value) in values.iter().enumerate() {
                let indices = types.index_names(&declared.indices, at).into_iter();
                let name: Vec<String> = std::iter::once(declared.name.clone()).chain(indices).collect();
                elements.insert(name.join(" "), Value::String(value.show(types)));
            }
        }
        json!({
            "ludex": 1, "kind": "position", "ruleset": self.opened.ruleset, "viewer": self.viewer(),
            "entry": self.entries.len(), "entries": self.opened.entries.len(),
            "line": self.line(), "text": self.entries.last(), "waits": self.waits(),
            "seats": self.session.seats(), "scores": scores, "state": elements,
        })
    }

    fn waits(&self) -> Value {
        let bound = self.session.bound();
        match &self.session.stand().pause {
            Pause::Over => json!({ "for": "nothing" }),
            Pause::Chance { name, indices, .. } => {
                let indices: Vec<String> = indices.iter().map(|index| index.show(&bound.types)).collect();
                json!({ "for": "chance", "name": name, "indices": indices })
            }
            Pause::Choose(choice) => {
                let offers = offers(bound, choice);
                let seat = self.session.seat_name(choice.seat);
                json!({ "for": "player", "seat": seat, "offers": offers, "pass": choice.pass })
            }
        }
    }
}
