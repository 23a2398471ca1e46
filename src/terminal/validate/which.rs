//! `ludex validate --which`

use std::io::{self, Write};

use serde_json::{Value, json as value};

use super::super::game::entries;
use super::show::unreadable;
use crate::judge::{Feed, Finding, Found, Input, Origin, Tried, Which};
use crate::limits::SHOWN_GAMES;
use crate::log::Closed;
use crate::report::{Fault, Human, Sources, clean_line, json};
use crate::terminal::check::plural;
use crate::terminal::{Exit, Format, Output};

/// A game, and where it stands.
#[derive(Clone, Copy)]
struct Place<'g> {
    file: &'g str,
    line: usize,
    text: &'g str,
}

/// What is shown of a game.
struct Told {
    result: String,
    diagnostics: String,
    exit: Exit,
}

pub(super) fn which(which: &Which, inputs: Vec<Input>, most_bytes: usize, output: &mut Output<'_>) -> io::Result<Exit> {
    if !matches!(output.format, Format::Human | Format::Plain | Format::Json) {
        output.failure("`--which` has no such format", "use human, plain or json")?;
        return Ok(Exit::NoVerdict);
    }
    let (format, style) = (output.format, output.style);
    let (standard, mut streams) = output.apart();
    let mut feed = Feed::new(inputs, standard, most_bytes);
    let (mut exit, mut games) = (Exit::Fine, 0);
    let (mut shown, mut counted) = (0, 0);
    while let Some(batch) = feed.next_batch() {
        let mut told = Vec::new();
        if let Err(why) = &batch.text {
            told.push(illegible(format, &batch.file, batch.first_line, unreadable(&batch.file, batch.first_line, why)));
        }
        for (line, text) in batch.games() {
            streams.progress(&format!("{games} games looked at"))?;
            games += 1;
            let place = Place { file: &batch.file, line, text };
            told.push(
                match which.find(Origin { name: &batch.file, line, path: batch.path.as_deref() }, text, batch.form) {
                    Ok(found) => tell(format, style, place, &found),
                    Err(closed) => shut(format, style, place, &closed),
                },
            );
        }
        streams.progress("")?;
        for one in told {
            exit = exit.max(one.exit);
            streams.results.write_all(one.result.as_bytes())?;
            if shown < SHOWN_GAMES {
                streams.diagnostics.drawn(&one.diagnostics)?;
            } else {
                counted += usize::from(!one.diagnostics.is_empty());
            }
            shown += usize::from(!one.diagnostics.is_empty());
        }
    }
    if counted > 0 {
        writeln!(streams.diagnostics, "{counted} more games with faults are not shown")?;
    }
    Ok(exit)
}

fn illegible(format: Format, file: &str, line: usize, (message, help): (String, &str)) -> Told {
    let exit = Exit::NoVerdict;
    if format == Format::Json {
        let object = value!({
            "ludex": 1, "kind": "which", "file": file, "line": line, "fits": [], "message": message, "help": help,
        });
        return Told { result: format!("{object}\n"), diagnostics: String::new(), exit };
    }
    Told { result: String::new(), diagnostics: format!("error: {message}\n  help: {help}\n"), exit }
}

/// Nothing could be tried.
fn shut(format: Format, style: crate::report::Style, place: Place<'_>, closed: &Closed) -> Told {
    if format == Format::Json {
        let faults: Vec<Value> = closed.faults.iter().map(|fault| json(&closed.sources, fault)).collect();
        let object = value!({
            "ludex": 1, "kind": "which", "file": place.file, "line": place.line, "tried": 0, "fits": [], "furthest": null,
            "faults": faults,
        });
        return Told { result: format!("{object}\n"), diagnostics: String::new(), exit: Exit::NoVerdict };
    }
    let human = Human { sources: &closed.sources, style };
    let draw = |fault| if format == Format::Human { human.draw(fault) } else { human.line(fault) };
    let result = format!("{}: no rules could be tried\n", shown(place));
    Told { result, diagnostics: closed.faults.iter().map(draw).collect(), exit: Exit::NoVerdict }
}

fn tell(format: Format, style: crate::report::Style, place: Place<'_>, found: &Found) -> Told {
    let exit = match (&found.furthest, found.fits.is_empty()) {
        (_, false) => Exit::Fine,
        (Some(_), true) => Exit::Negative,
        // Every ruleset that was tried failed by itself.
        (None, true) => Exit::NoVerdict,
    };
    let sources = found.furthest.as_ref().map(|tried| sources(place, tried)).unwrap_or_default();
    let stop = found.furthest.as_ref().and_then(|tried| tried.judged.findings.iter().find(|one| one.is_illegal()));
    if format == Format::Json {
        return Told {
            result: format!("{}\n", object(place, found, &sources, stop)),
            diagnostics: String::new(),
            exit,
        };
    }
    let mut told = Told { result: String::new(), diagnostics: String::new(), exit };
    if let (Some(tried), Some(stop)) = (&found.furthest, stop) {
        let (human, fault) = (Human { sources: &sources, style }, stop.fault());
        told.diagnostics = if format == Format::Human { human.draw(&fault) } else { human.line(&fault) };
        told.result = format!(
            "{}: legal by none of {}; {} gets furthest, {}\n",
            shown(place),
            plural(found.tried, "ruleset"),
            name(tried),
            entries(tried.judged.entries)
        );
    } else if found.fits.is_empty() {
        told.result = format!("{}: none of {} could judge it\n", shown(place), plural(found.tried, "ruleset"));
    } else {
        told.result =
            format!("{}: legal by {} of {}\n", shown(place), found.fits.len(), plural(found.tried, "ruleset"));
        told.result += &fitting(&found.fits);
    }
    if found.untried > 0 {
        told.diagnostics += &format!("{} more changes were not tried\n", found.untried);
    }
    told
}

fn shown(place: Place<'_>) -> String {
    if place.line > 1 { format!("{}:{}", place.file, place.line) } else { place.file.to_owned() }
}

/// The ruleset's texts, and the game's.
fn sources(place: Place<'_>, tried: &Tried) -> Sources {
    let mut sources = tried.rules.as_ref().map(|rules| rules.loaded.sources.clone()).unwrap_or_default();
    sources.add_part(place.file, place.text, place.line);
    sources
}

fn name(tried: &Tried) -> String {
    match &tried.candidate.change {
        Some(change) => format!("{} with {change}", clean_line(&tried.candidate.ruleset)),
        None => clean_line(&tried.candidate.ruleset).into_owned(),
    }
}

/// One line for each ruleset that fits. What it also fits with is on one line: the log does not tell which it was.
fn fitting(fits: &[Tried]) -> String {
    let (changed, plain): (Vec<&Tried>, Vec<&Tried>) = fits.iter().partition(|one| one.candidate.change.is_some());
    let is_plain = |one: &&Tried| plain.iter().any(|plain| plain.candidate.ruleset == one.candidate.ruleset);
    let mut out: String = plain.iter().map(|one| line(one)).collect();
    let (also, only): (Vec<&Tried>, Vec<&Tried>) = changed.into_iter().partition(is_plain);
    out += &only.into_iter().map(line).collect::<String>();
    for one in also.chunk_by(|a, b| a.candidate.ruleset == b.candidate.ruleset) {
        let changes: Vec<&str> = one.iter().filter_map(|one| one.candidate.change.as_deref()).collect();
        let ruleset = clean_line(one.first().map_or("", |one| one.candidate.ruleset.as_str()));
        out += &format!("  {ruleset} with one of these changed: {}\n", changes.join(", "));
    }
    out
}

fn line(tried: &Tried) -> String {
    let own = if tried.candidate.own { "  (named by the log)" } else { "" };
    let doubt = match tried.judged.verdict() {
        "legal" => String::new(),
        verdict => format!("  ({verdict})"),
    };
    format!("  {}{own}{doubt}\n", name(tried))
}

fn object(place: Place<'_>, found: &Found, sources: &Sources, stop: Option<&Finding>) -> Value {
    let tried = |tried: &Tried| {
        value!({
            "ruleset": tried.candidate.ruleset, "change": tried.candidate.change, "own": tried.candidate.own,
            "verdict": tried.judged.verdict(), "entries": tried.judged.entries,
        })
    };
    let fits: Vec<Value> = found.fits.iter().map(tried).collect();
    let furthest = found.furthest.as_ref().map(|one| {
        let mut object = tried(one);
        let fault: Option<Fault> = stop.map(Finding::fault);
        object["fault"] = fault.map_or(Value::Null, |fault| json(sources, &fault));
        object
    });
    value!({
        "ludex": 1, "kind": "which", "file": place.file, "line": place.line, "game": found.game,
        "tried": found.tried, "untried": found.untried, "fits": fits, "furthest": furthest, "faults": [],
    })
}
