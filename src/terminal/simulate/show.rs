//! What many games add up to, for people and for programs.

use std::io;
use std::time::Duration;

use serde_json::json;

use super::super::check::plural;
use super::super::{Exit, Format, Output};
use super::Table;
use crate::simulate::{SeatTally, Tally};

pub(super) fn show(table: &Table<'_>, tally: &Tally, spent: Duration, output: &mut Output<'_>) -> io::Result<Exit> {
    let seconds = spent.as_secs_f64();
    if output.format == Format::Json {
        output.line(object(table, tally, seconds).to_string())?;
    } else {
        people(table, tally, seconds, output)?;
    }
    if tally.unfinished > 0 {
        output.note(format!(
            "{} not over after {} entries; `--most-entries` lets games go on",
            if tally.unfinished == 1 { "1 game was".to_owned() } else { format!("{} games were", tally.unfinished) },
            table.args.most_entries
        ))?;
    }
    Ok(Exit::Fine)
}

fn object(table: &Table<'_>, tally: &Tally, seconds: f64) -> serde_json::Value {
    let (shortest, longest) = tally.range().unzip();
    let seats: Vec<_> = names(table)
        .zip(&tally.seats)
        .map(|((name, agent), seat)| {
            json!({
                "seat": name, "agent": agent, "mean_score": tally.mean_score(seat),
                "wins": seat.wins, "shared": seat.shared, "win_share": tally.share(seat.wins),
            })
        })
        .collect();
    json!({
        "ludex": 1, "kind": "simulation", "ruleset": table.args.ruleset.ruleset,
        "hash": format!("{:016x}", table.loaded.rules_hash()), "players": table.program.players,
        "seed": table.seed.to_string(), "games": tally.games, "entries": tally.entries,
        "unfinished": tally.unfinished, "draws": tally.draws, "no_winner": tally.nobody,
        "length": {
            "mean": tally.mean_length(), "median": tally.median_length(), "min": shortest, "max": longest,
        },
        "seats": seats, "invariants_checked": table.args.check_invariants, "cpu_seconds": seconds,
        "playouts_per_second": rate(tally.games, seconds), "entries_per_second": rate(tally.entries, seconds),
    })
}

fn names<'t>(table: &'t Table<'_>) -> impl Iterator<Item = (&'t str, &'t str)> {
    table.head.seats.iter().map(|seat| (seat.name.as_str(), seat.who.as_deref().unwrap_or("")))
}

/// So many a second; nothing if no time was measured.
#[expect(clippy::cast_precision_loss, reason = "rates are shown with few digits")]
fn rate(count: u64, seconds: f64) -> Option<f64> {
    (seconds > 0.0).then(|| count as f64 / seconds)
}

fn people(table: &Table<'_>, tally: &Tally, seconds: f64, output: &mut Output<'_>) -> io::Result<()> {
    let number = |value: Option<f64>| value.map_or_else(|| "-".to_owned(), |value| format!("{value:.1}"));
    let whole = |value: Option<f64>| value.map_or_else(|| "-".to_owned(), |value| format!("{value:.0}"));
    let percent = |games| tally.share(games).map_or_else(|| "-".to_owned(), |share| format!("{:.1}%", share * 100.0));
    let games = usize::try_from(tally.games).unwrap_or(usize::MAX);
    output.line(format!(
        "{}, {}, {}, seed {}, rules {:016x}",
        table.args.ruleset.ruleset,
        plural(table.program.players as usize, "player"),
        plural(games, "game"),
        table.seed,
        table.loaded.rules_hash()
    ))?;
    let (shortest, longest) = tally.range().unwrap_or_default();
    output.line(format!(
        "entries  {}; a game: mean {}, median {}, {shortest} to {longest}",
        tally.entries,
        number(tally.mean_length()),
        number(tally.median_length())
    ))?;
    let width = names(table).map(|(name, _)| name.chars().count()).max().unwrap_or(0).max("nobody".len());
    output.line(format!("{:width$}  {:>10}  {:>8}  {:>8}", "seat", "mean score", "wins", "shared"))?;
    for ((name, _), seat) in names(table).zip(&tally.seats) {
        let SeatTally { wins, shared, .. } = seat;
        let score = tally.mean_score(seat).map_or_else(|| "-".to_owned(), |score| format!("{score:.2}"));
        output.line(format!("{name:width$}  {score:>10}  {:>8}  {:>8}", percent(*wins), percent(*shared)))?;
    }
    output.line(format!("{:width$}  {:>10}  {:>8}", "nobody", "", percent(tally.nobody)))?;
    output.line(format!(
        "{seconds:.2} s of CPU time, {} games and {} entries a second",
        whole(rate(tally.games, seconds)),
        whole(rate(tally.entries, seconds))
    ))
}
