//! `ludex shrink`

use std::io;
use std::path::PathBuf;

use clap::Args;

use super::validate::{most_bytes, unreadable};
use super::{Changes, Exit, Format, LogRules, Output};
use crate::judge::{self, Feed, Input, Judged, Limits, Origin, Proof, Shrinking, Shrunk, Strictness};
use crate::log::Form;
use crate::report::clean_path;

/// The shortest log with the same fault
///
/// Writes the log to standard output. It has the same head, and ends with the same fault, but of what stands
/// before that only what is needed. A line `expect` says what it comes to. The exit code is 1 if the log is legal.
#[derive(Debug, Args)]
pub(super) struct ShrinkArgs {
    /// A log that is not legal (`.log`, `.jsonl`, either with `.gz`), or `-` for standard input
    log: PathBuf,

    #[command(flatten)]
    by: LogRules,

    /// Which game of the file, if it holds several
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    game: Option<u32>,

    /// Positions that are searched for a still shorter log; 0 for none
    #[arg(long, value_name = "N", default_value_t = 200_000)]
    most_positions: u32,
}

/// A game of a file.
struct Found {
    file: String,
    line: usize,
    form: Form,
    text: String,
}

pub(super) fn shrink(args: &ShrinkArgs, output: &mut Output<'_>) -> io::Result<Exit> {
    let found = match find(args, output) {
        Ok(found) => found,
        Err((message, help)) => {
            output.failure(&message, &help)?;
            return Ok(Exit::NoVerdict);
        }
    };
    output.progress("shrinking")?;
    let positions = usize::try_from(args.most_positions).unwrap_or(usize::MAX);
    let limits = Limits { positions, ..Limits::default() };
    let by = args.by.by(&Changes::default(), &output.environment);
    let path = (args.log.as_os_str() != "-").then_some(args.log.as_path());
    let origin = Origin { name: &found.file, line: found.line, path };
    let shrinking = judge::shrink(origin, &by, &found.text, found.form, limits);
    output.progress_ends()?;
    match shrinking {
        Ok(Shrinking::Shrunk(shrunk)) => show(&found, &shrunk, output),
        Ok(Shrinking::Nothing(judged)) => nothing(&found, &judged, output),
        Ok(Shrinking::Lost) => {
            output.failure(
                "what was left does not come to the same verdict, so it is not shown",
                "this is a fault of `ludex`: please report it with the log",
            )?;
            Ok(Exit::NoVerdict)
        }
        Err(closed) => {
            output.faults(&closed.sources, &closed.faults, 20)?;
            Ok(Exit::NoVerdict)
        }
    }
}

/// The game that is meant.
fn find(args: &ShrinkArgs, output: &mut Output<'_>) -> Result<Found, (String, String)> {
    let shown = clean_path(&args.log);
    if args.log.is_dir() {
        return Err((format!("`{shown}` is a folder"), "name one log; `ludex validate` takes folders".to_owned()));
    }
    let input = if args.log.as_os_str() == "-" { Input::Standard } else { Input::File(args.log.clone()) };
    let (standard, _) = output.apart();
    let mut feed = Feed::new(vec![input], standard, most_bytes(Strictness::default().most_entries));
    let wanted = args.game.map_or(1, |game| usize::try_from(game).unwrap_or(usize::MAX));
    let (mut count, mut found) = (0, None);
    while let Some(batch) = feed.next_batch() {
        if let Err(why) = &batch.text {
            let (message, help) = unreadable(&batch.file, batch.first_line, why);
            return Err((message, help.to_owned()));
        }
        for (line, text) in batch.games() {
            count += 1;
            if count == wanted {
                found = Some(Found { file: batch.file.to_string(), line, form: batch.form, text: text.to_owned() });
            }
        }
        if args.game.is_some() && found.is_some() {
            break;
        }
    }
    let which = || format!("say which one: `--game 1` to `--game {count}`");
    match found {
        Some(_) if args.game.is_none() && count > 1 => Err((format!("`{shown}` holds {count} games"), which())),
        Some(found) => Ok(found),
        None if count == 0 => Err((format!("`{shown}` is empty"), "name a log that is not legal".to_owned())),
        None => Err((format!("`{shown}` has no game {wanted}"), which())),
    }
}

fn nothing(found: &Found, judged: &Judged, output: &mut Output<'_>) -> io::Result<Exit> {
    if output.format == Format::Json {
        let object = serde_json::json!({
            "ludex": 1, "kind": "shrunk", "file": found.file, "line": found.line, "verdict": judged.verdict(),
            "log": null,
        });
        output.line(object.to_string())?;
    } else {
        output.note(format!("{}: {}: there is nothing to shrink", found.file, judged.verdict()))?;
    }
    Ok(Exit::Negative)
}

fn show(found: &Found, shrunk: &Shrunk, output: &mut Output<'_>) -> io::Result<Exit> {
    let (was, is) = shrunk.entries;
    if output.format == Format::Json {
        let proof = shrunk.proof.word();
        let object = serde_json::json!({
            "ludex": 1, "kind": "shrunk", "file": found.file, "line": found.line, "verdict": shrunk.verdict,
            "requirements": shrunk.requirements, "before": was, "after": is, "proof": proof,
            "positions": shrunk.positions, "log": shrunk.text,
        });
        output.line(object.to_string())?;
        return Ok(Exit::Fine);
    }
    output.result(&shrunk.text)?;
    let proof = match shrunk.proof {
        Proof::Shortest => "no shorter log exists",
        Proof::Minimal => "no entry can be left out",
        Proof::Unproved => "there was too much to try, so more may be possible to leave out",
    };
    let rule = [&[shrunk.verdict.to_owned()], shrunk.requirements.as_slice()].concat().join(" ");
    output.note(format!("{rule}: {is} of {was} entries before the fault are left; {proof}"))?;
    Ok(Exit::Fine)
}
