//! `ludex explain LOG:LINE`: what an entry did, or why it was refused.

use std::io;
use std::path::Path;

use serde_json::{Value, json as value};

use super::super::{Exit, Format, Output};
use super::ExplainArgs;
use crate::judge::{self, Account, Batch, By, Deed, Feed, Head, Input, Origin, Rules};
use crate::limits;
use crate::log::{Closed, Form};
use crate::report::{FileId, Sources, clean_path};

pub(super) fn line(args: &ExplainArgs, log: &Path, number: usize, output: &mut Output<'_>) -> io::Result<Exit> {
    let batch = match find(log, number) {
        Ok(batch) => batch,
        Err(message) => {
            output.failure(&message, "write a log and the number of one of its lines, such as `game.log:12`")?;
            return Ok(Exit::NoVerdict);
        }
    };
    let by = args.by.by(&args.changes, &output.environment);
    let text = batch.text.as_deref().unwrap_or("");
    let Some((text, first_line, at)) = game_with(text, batch.form, batch.first_line, number) else {
        output.failure(&format!("`{}` has no line {number}", clean_path(log)), "the line is counted from 1")?;
        return Ok(Exit::NoVerdict);
    };
    let (rules, head) =
        match opened(text, batch.form, &by, Origin { name: &batch.file, line: first_line, path: Some(log) }) {
            Ok(opened) => opened,
            Err(closed) => {
                output.faults(&closed.sources, &closed.faults, 20)?;
                return Ok(Exit::NoVerdict);
            }
        };
    let mut sources = rules.loaded.sources.clone();
    sources.add_part(&*batch.file, text, first_line);
    match judge::account(&rules, text, batch.form, &head, at) {
        Account::Nothing => {
            output.note("this line enters nothing: it is a comment, or it belongs to the head or the result")?;
            Ok(Exit::Fine)
        }
        Account::Finding(finding) => {
            output.faults(&sources, &[finding.fault()], 1)?;
            Ok(if finding.is_illegal() { Exit::Negative } else { Exit::Fine })
        }
        Account::Faults(faults) => {
            output.faults(&sources, &faults, 20)?;
            Ok(Exit::NoVerdict)
        }
        Account::Deeds(deeds) => {
            for deed in &deeds {
                match output.format {
                    Format::Json => output.line(object(&batch.file, number, deed).to_string())?,
                    _ => output.result(told(&batch.file, number, deed))?,
                }
            }
            Ok(Exit::Fine)
        }
    }
}

/// The batch of games in which a line of a file lies.
fn find(log: &Path, number: usize) -> Result<Batch, String> {
    let mut nothing = io::empty();
    let mut feed = Feed::new(vec![Input::File(log.to_owned())], &mut nothing, limits::EXPLAINED_GAME_BYTES);
    while let Some(batch) = feed.next_batch() {
        match &batch.text {
            Err(why) => return Err(format!("`{}` {why}", batch.file)),
            Ok(text) if number < batch.first_line + text.lines().count() => return Ok(batch),
            Ok(_) => {}
        }
    }
    Err(format!("`{}` has no line {number}", clean_path(log)))
}

/// The game with this line: its text, its first line, and the byte at which the line begins.
fn game_with(text: &str, form: Form, first_line: usize, number: usize) -> Option<(&str, usize, usize)> {
    let mut line = first_line;
    for (_, game) in form.games(text) {
        let lines = game.split_inclusive('\n').count();
        if number < line + lines {
            let before = number.checked_sub(line)?;
            let at = game.split_inclusive('\n').take(before).map(str::len).sum();
            return Some((game, line, at));
        }
        line += lines;
    }
    None
}

/// The rules of a game, and its head.
fn opened(text: &str, form: Form, by: &By, origin: Origin<'_>) -> Result<(Rules, Head), Box<Closed>> {
    let closed = |faults| {
        let mut sources = Sources::default();
        sources.add_part(origin.name, text, origin.line);
        Box::new(Closed { sources, faults })
    };
    let head = Head::read(text, form, FileId::default()).map_err(closed)?;
    let rules = Rules::of(head.log(), by, origin, text)?;
    let head = Head::read(text, form, rules.file).map_err(closed)?;
    Ok((rules, head))
}

/// `game.log:12: ana camp e4`, and below it what it did.
fn told(file: &str, number: usize, deed: &Deed) -> String {
    let mut out = format!("{file}:{number}: {}\n", deed.entry);
    let mut say = |word: &str, lines: &[String]| {
        for (at, line) in lines.iter().enumerate() {
            out += &format!("  {:<9}{line}\n", if at == 0 { word } else { "" });
        }
    };
    say("is", deed.title.as_slice());
    let paid: Vec<String> = deed.paid.iter().map(|(from, amount)| format!("{amount} from {from}")).collect();
    say("costs", &paid);
    let chance = deed.chance.map(|(own, all)| format!("{own} in {all}"));
    say("chance", chance.as_slice());
    let changed: Vec<String> = deed.changed.iter().map(|(what, was, is)| format!("{what}: {was} → {is}")).collect();
    say("changes", &changed);
    let scored: Vec<String> = deed.scored.iter().map(|(seat, was, is)| format!("{seat}: {was} → {is}")).collect();
    say("scores", &scored);
    say("because", &deed.held);
    say("rulebook", &deed.citations);
    say("next", std::slice::from_ref(&deed.next));
    out
}

fn object(file: &str, number: usize, deed: &Deed) -> Value {
    let paid: Vec<Value> = deed.paid.iter().map(|(from, amount)| value!({ "from": from, "amount": amount })).collect();
    let changed: Vec<Value> =
        deed.changed.iter().map(|(what, was, is)| value!({ "what": what, "was": was, "is": is })).collect();
    let scored: Vec<Value> =
        deed.scored.iter().map(|(seat, was, is)| value!({ "seat": seat, "was": was, "is": is })).collect();
    let chance = deed.chance.map(|(own, all)| value!({ "weight": own, "of": all }));
    value!({
        "ludex": 1, "kind": "deed", "file": file, "line": number, "entry": deed.entry, "title": deed.title,
        "paid": paid, "chance": chance, "changed": changed, "scored": scored, "held": deed.held,
        "citations": deed.citations, "next": deed.next,
    })
}
