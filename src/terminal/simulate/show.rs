//! What one set of games came to, for people.

use std::io;

use super::super::Output;
use super::super::check::plural;
use super::columns::{Columns, ends, number, percent};
use crate::simulate::report::{ActionFigures, Figures, Head, Look, Simulation};
use crate::statistics::Spread;

/// Rules that points come from: so many are shown.
const MOST_SOURCES: usize = 12;

pub(crate) fn simulation(report: &Simulation, output: &mut Output<'_>) -> io::Result<()> {
    head(&report.head, report.figures.games, output)?;
    figures(&report.figures, output)?;
    unfinished(&report.head, &report.figures, output)
}

/// What was played, in one or two lines.
pub(crate) fn head(head: &Head, games: u64, output: &mut Output<'_>) -> io::Result<()> {
    let mut text = format!(
        "{}, {}, {}, seed {}, rules {}",
        head.ruleset,
        plural(head.players as usize, "player"),
        plural(usize::try_from(games).unwrap_or(usize::MAX), "game"),
        head.seed,
        head.hash
    );
    if let Some(shard) = head.shard {
        text = format!("{}, shard {} of {}, {text}", head.ruleset, shard.index, shard.of);
    }
    output.line(text)?;
    let overlays = head.overlays.iter().map(|overlay| overlay.file.clone());
    let set: Vec<String> = head.settings.iter().cloned().chain(overlays).collect();
    if !set.is_empty() {
        output.line(format!("with {}", set.join(", ")))?;
    }
    Ok(())
}

/// Tells that games were cut off.
pub(crate) fn unfinished(head: &Head, figures: &Figures, output: &mut Output<'_>) -> io::Result<()> {
    let count = figures.unfinished;
    if count == 0 {
        return Ok(());
    }
    let games = if count == 1 { "1 game was".to_owned() } else { format!("{count} games were") };
    let most = head.asked.most_entries;
    output.note(format!("{games} not over after {most} entries; `--most-entries` lets games go on"))
}

fn figures(figures: &Figures, output: &mut Output<'_>) -> io::Result<()> {
    seats(figures, output)?;
    output.line("")?;
    let length = |what: &str, spread: &Spread, unit: &str| {
        let range = spread.min.zip(spread.max).map_or_else(String::new, |(min, max)| format!(", {min} to {max}"));
        format!(
            "{what:<8} mean {} ({}), median {}{range} {unit}",
            number(spread.mean, 1),
            ends(spread.low, spread.high, 1),
            number(spread.median, 1)
        )
    };
    if figures.length.moments.count > 0 {
        output.line(length("length", &figures.length, "entries"))?;
    }
    if figures.margin.moments.count > 0 {
        output.line(length("margin", &figures.margin, "points between first and second"))?;
    }
    look(figures, output)?;
    output.line(format!(
        "{:.2} s of CPU time, {} games and {} entries a second",
        figures.cpu_seconds,
        number(figures.playouts_per_second, 0),
        number(figures.entries_per_second, 0)
    ))?;
    looked(&figures.look, output)
}

/// How much was looked at, and how long that took.
pub(crate) fn looked(look: &Look, output: &mut Output<'_>) -> io::Result<()> {
    if look.games == 0 && look.skipped == 0 && look.stumbled == 0 {
        return Ok(());
    }
    if look.skipped > 0 {
        let all = look.games.saturating_add(look.skipped);
        output.line(format!(
            "looked closely at the first {} of {all} games, as far as the work for it goes",
            look.games
        ))?;
    }
    if let Some(stumble) = &look.stumble {
        let games = super::super::check::plural(usize::try_from(look.stumbled).unwrap_or(usize::MAX), "game");
        output.line(format!("in {games} a legal move that nobody chose cannot be carried out: {stumble}"))?;
    }
    output.line(format!("{:.2} s of CPU time for looking closely at {} games", look.cpu_seconds, look.games))
}

fn seats(figures: &Figures, output: &mut Output<'_>) -> io::Result<()> {
    let mut table =
        Columns::new(&["seat", "agent", "wins", "95%", "shared", "score", "95%", "deviation", "range", "by chance"]);
    let finished = figures.finished();
    let share = |games: u64| crate::statistics::ratio(i128::from(games), u128::from(finished));
    for seat in &figures.seats {
        let range = seat.score.min.zip(seat.score.max);
        table.row([
            seat.seat.clone(),
            seat.agent.clone(),
            percent(seat.share.map(|share| share.value)),
            seat.share.map_or_else(String::new, |share| {
                format!("{}%", ends(Some(share.low * 100.0), Some(share.high * 100.0), 1))
            }),
            percent(share(seat.shared)),
            number(seat.mean_score, 2),
            ends(seat.score.low, seat.score.high, 2),
            number(seat.score.deviation, 2),
            range.map_or_else(String::new, |(min, max)| format!("{min} to {max}")),
            seat.by_chance_share.map_or_else(String::new, |share| percent(Some(share))),
        ]);
    }
    table.row(["nobody".to_owned(), String::new(), percent(share(figures.no_winner))]);
    table.write(output)
}

fn look(figures: &Figures, output: &mut Output<'_>) -> io::Result<()> {
    let look = &figures.look;
    if look.games == 0 {
        return Ok(());
    }
    let games = plural(usize::try_from(look.games).unwrap_or(usize::MAX), "game");
    if look.lead_changes.moments.count > 0 && figures.seats.len() > 1 {
        let mean = number(look.lead_changes.mean, 1);
        let range = ends(look.lead_changes.low, look.lead_changes.high, 1);
        output.line(format!("lead     changes {mean} times a game ({range}), in {games} looked at"))?;
    }
    for unspent in &look.unspent {
        let left = &unspent.left;
        let when = if unspent.when == "turn" { "when a turn ends" } else { "to a seat when the game ends" };
        let range = left.min.zip(left.max).map_or_else(String::new, |(min, max)| format!(", {min} to {max}"));
        output.line(format!("unspent  {} of `{}` {when}{range}", number(left.mean, 1), unspent.resource))?;
    }
    output.line("")?;
    actions(figures, output)?;
    sources(figures, output)?;
    for dead in &figures.dead {
        let decisions = match dead.why.as_str() {
            "never legal" => format!(" in {} decisions that offer it", dead.decisions),
            "never chosen" => format!(" in {} decisions where it is legal", dead.decisions),
            _ => String::new(),
        };
        output.line(format!("dead: `{}` was {}{decisions}", dead.action, dead.why))?;
    }
    for avoided in &figures.dominated {
        output.line(format!(
            "avoided: `{}` was chosen {} times; chance would have chosen it {:.0} times",
            avoided.action, avoided.judged, avoided.by_chance
        ))?;
    }
    output.line("")
}

fn actions(figures: &Figures, output: &mut Output<'_>) -> io::Result<()> {
    let mut table = Columns::new(&["action", "chosen", "legal", "affordable", "taken", "liking"]);
    let costs = figures.actions.iter().any(|action| action.affordable < action.offered);
    for action in &figures.actions {
        let ActionFigures { chosen_share, legal_share, affordable_share, taken_share, liking, .. } = *action;
        table.row([
            action.action.clone(),
            percent(chosen_share),
            percent(legal_share),
            if costs { percent(affordable_share) } else { String::new() },
            percent(taken_share),
            liking.map_or_else(String::new, |liking| format!("{liking:.2}")),
        ]);
    }
    table.write(output)?;
    let look = &figures.look;
    output.line(format!(
        "of {} decisions in {} games, {} legal entries each; affordable where offered, taken where legal",
        look.decisions,
        look.games,
        number(look.branching, 1)
    ))?;
    output.line("")
}

fn sources(figures: &Figures, output: &mut Output<'_>) -> io::Result<()> {
    let look = &figures.look;
    if look.sources.is_empty() {
        return Ok(());
    }
    let seats: Vec<&str> = figures.seats.iter().map(|seat| seat.seat.as_str()).collect();
    let mut table = Columns::new(&[&["points from", "share"], seats.as_slice()].concat());
    for source in look.sources.iter().take(MOST_SOURCES) {
        let means = source.means.iter().map(|mean| number(*mean, 2));
        let name = format!("{} {}", source.kind, source.name);
        table.row([name, percent(source.share)].into_iter().chain(means));
    }
    table.write(output)?;
    if let Some(more) = look.sources.len().checked_sub(MOST_SOURCES).filter(|more| *more > 0) {
        output.line(format!("and {more} more"))?;
    }
    output.line("")
}
