//! `ludex score`

mod show;

use std::io;

use clap::Args;

use super::game::{cannot_go_on, compiled, entries, open, replayed, seat, waits, wrong_result};
use super::{Exit, Format, LogRules, Output};
use crate::audit::{Audit, Ledger};
use crate::log::Opened;
use crate::play::Session;

/// The points of a game, and where they come from
///
/// The scores follow from the entries by the rules; if the log says otherwise, that is a negative verdict.
#[derive(Debug, Args)]
pub(super) struct ScoreArgs {
    /// A log
    log: String,

    #[command(flatten)]
    by: LogRules,

    /// Which game of a file that holds several, counted from 1
    #[arg(long, value_name = "N")]
    game: Option<usize>,

    /// Where the points of this seat come from: every line with its rule, its passage of the rulebook and the
    /// entries that caused it. A seat's name, or its number from 1
    #[arg(long, value_name = "SEAT")]
    why: Option<String>,
}

pub(super) fn score(args: &ScoreArgs, output: &mut Output<'_>) -> io::Result<Exit> {
    let Some(opened) = open(&args.log, args.game, &args.by, output)? else { return Ok(Exit::NoVerdict) };
    let sources = &opened.loaded.sources;
    output.faults(sources, &opened.warnings, 20)?;
    let Some(program) = compiled(&opened.checked, sources, output)? else { return Ok(Exit::NoVerdict) };
    let session = match replayed(&opened, &program, &opened.entries, output)? {
        Ok(session) => session,
        Err(exit) => return Ok(exit),
    };
    let asked = match &args.why {
        Some(wanted) => match seat(wanted, &session.seats(), output)? {
            Some(seat) => Some(seat),
            None => return Ok(Exit::NoVerdict),
        },
        None => None,
    };
    let result = match Result::of(&session) {
        Ok(result) => result,
        Err(trouble) => return cannot_go_on((&opened.loaded, &opened.checked.bound), &trouble, output),
    };
    match asked {
        None => result.show(&opened, &session, output)?,
        Some(seat) => match ledger(&opened, &session, seat) {
            Ok(ledger) => show::ledger(&opened, &session, &ledger, output)?,
            Err(trouble) => return cannot_go_on((&opened.loaded, &opened.checked.bound), &trouble, output),
        },
    }
    match wrong_result(&session, &opened.log) {
        Ok(None) => Ok(Exit::Fine),
        Ok(Some(fault)) => {
            output.faults(sources, &[fault], 20)?;
            Ok(Exit::Negative)
        }
        Err(trouble) => cannot_go_on((&opened.loaded, &opened.checked.bound), &trouble, output),
    }
}

fn ledger(opened: &Opened, session: &Session<'_>, seat: u32) -> crate::evaluate::Try<Ledger> {
    Audit::of(&opened.checked, &opened.loaded.sources, session.decisions())?.ledger(seat)
}

/// Scores and winners as a game stands.
struct Result {
    scores: Vec<i64>,
    winners: Vec<u32>,
}

impl Result {
    fn of(session: &Session<'_>) -> crate::evaluate::Try<Self> {
        Ok(Self { scores: session.scores()?, winners: session.winners()? })
    }

    fn show(&self, opened: &Opened, session: &Session<'_>, output: &mut Output<'_>) -> io::Result<()> {
        let seats = session.seats();
        let wins = |at: usize| self.winners.iter().any(|&seat| seat as usize == at);
        if output.format == Format::Json {
            let winners: Vec<&String> =
                seats.iter().enumerate().filter(|(at, _)| wins(*at)).map(|(_, name)| name).collect();
            let object = serde_json::json!({
                "ludex": 1, "kind": "score", "ruleset": opened.ruleset, "over": session.is_over(),
                "entries": session.decisions().len(), "seats": seats, "scores": self.scores, "winners": winners,
            });
            return output.line(object.to_string());
        }
        output.line(stands(session))?;
        let name = seats.iter().map(|seat| seat.chars().count()).max().unwrap_or(0);
        let points = self.scores.iter().map(|score| score.to_string().len()).max().unwrap_or(0);
        let word = if session.is_over() { "wins" } else { "would win as it stands" };
        for (at, (seat, score)) in seats.iter().zip(&self.scores).enumerate() {
            let mark = if wins(at) { format!("  {word}") } else { String::new() };
            output.line(format!("  {seat:<name$}  {score:>points$}{mark}"))?;
        }
        if self.winners.is_empty() {
            output.line(if session.is_over() { "nobody wins" } else { "nobody would win as it stands" })?;
        }
        Ok(())
    }
}

/// Is the game over, and if not, what does it wait for?
fn stands(session: &Session<'_>) -> String {
    let after = entries(session.decisions().len());
    if session.is_over() {
        format!("the game is over after {after}")
    } else {
        format!("the game is not over: after {after}, {}", waits(session))
    }
}
