//! Games with a runtime error: what a report has of them, and how people are told.

use std::io;

use super::super::check::plural;
use super::super::{Format, Output};
use super::Table;
use crate::judge::{self, Limits};
use crate::limits;
use crate::simulate;
use crate::simulate::report::{Failure, Failures, Games, Report, ShortLog};

/// So many sets of games are shown with their failures, and so many warnings.
const MOST_SHOWN: usize = 5;

impl Table<'_> {
    /// Failures as a report has them, the first with its log and a shorter one. People see its place in the rules, too.
    pub(super) fn failures(&self, found: &simulate::Failures, output: &mut Output<'_>) -> io::Result<Failures> {
        let Some((broken, trouble)) = found.first.as_deref() else { return Ok(Failures::default()) };
        if output.format != Format::Json {
            output.faults(
                &self.loaded.sources,
                &[judge::cannot_go_on(trouble, None, (self.loaded, &self.checked.bound))],
                1,
            )?;
        }
        let place =
            self.loaded.sources.get(trouble.span.file).filter(|_| trouble.span != crate::report::Span::default());
        let place = place.map(|source| format!("{}:{}", source.name(), source.place_of(trouble.span.start).line));
        let limits = Limits { positions: limits::FAILURE_POSITIONS, steps: limits::FAILURE_STEPS };
        let entries = &broken.playout.entries;
        let short = judge::shortest_failure(&self.checked.bound, self.program, entries, trouble, limits);
        let first = Failure {
            game: broken.game,
            message: trouble.message.clone(),
            place,
            entries: entries.len() as u64,
            log: self.log(broken.game, &broken.playout).0,
            shortest: short.map(|short| ShortLog {
                entries: short.lines.len() as u64,
                log: short.log(&self.head),
                proof: short.proof.word().to_owned(),
                positions: short.positions as u64,
            }),
        };
        Ok(Failures { games: found.games, first: Some(first) })
    }
}

/// Tells about failures and other things to be careful about.
pub(super) fn show(report: &Report, output: &mut Output<'_>) -> io::Result<()> {
    let games = report.games();
    warnings(&games, output)?;
    let failed: Vec<&Games<'_>> = games.iter().filter(|games| games.failures.games > 0).collect();
    for games in failed.iter().take(MOST_SHOWN) {
        failures(games, &report.head().seed, output)?;
    }
    if failed.len() > MOST_SHOWN {
        output.line(format!("games failed with {} more changes", failed.len() - MOST_SHOWN))?;
    }
    Ok(())
}

fn warnings(games: &[Games<'_>], output: &mut Output<'_>) -> io::Result<()> {
    let all: Vec<String> = games
        .iter()
        .filter_map(|games| Some((games, games.figures?)))
        .flat_map(|(games, figures)| figures.warnings.iter().map(|warning| labelled(&games.name, warning)))
        .collect();
    for warning in all.iter().take(MOST_SHOWN) {
        output.line(format!("warning: {warning}"))?;
    }
    if all.len() > MOST_SHOWN {
        output.line(format!("and {} more warnings of this kind", all.len() - MOST_SHOWN))?;
    }
    Ok(())
}

fn labelled(name: &str, text: &str) -> String {
    if name.is_empty() { text.to_owned() } else { format!("{name}: {text}") }
}

fn failures(games: &Games<'_>, seed: &str, output: &mut Output<'_>) -> io::Result<()> {
    let count = games.failures.games;
    let of = games.figures.map(|figures| format!(" of {}", figures.games.saturating_add(count)));
    let text =
        format!("{count}{} games failed with a runtime error and count for nothing else", of.unwrap_or_default());
    output.line("")?;
    output.line(labelled(&games.name, &text))?;
    let Some(first) = &games.failures.first else { return Ok(()) };
    let place = first.place.as_ref().map_or_else(String::new, |place| format!(" ({place})"));
    let entries = plural(usize::try_from(first.entries).unwrap_or(usize::MAX), "move");
    output
        .line(format!("the first is game {} of seed {seed}, after {entries}: {}{place}", first.game, first.message))?;
    match first.shortest.as_ref().filter(|short| short.entries < first.entries) {
        Some(short) => {
            output.line(format!("# the shortest game found with this error has {} of {entries}", short.entries))?;
            output.result(&short.log)
        }
        None => output.result(&first.log),
    }
}
