//! What changes do, for people: what matters first.

use std::io;

use super::super::Output;
use super::super::check::plural;
use super::columns::{Columns, ends, number, percent};
use super::show;
use crate::simulate::report::{Comparison, Difference, Figures, Look, Nudge, Point, Sensitivity, Sweep};
use crate::statistics::Interval;

/// Measures that show nothing: so many are listed.
const MOST_QUIET: usize = 12;

/// Changes of a sensitivity that are listed.
const MOST_NUDGES: usize = 30;

pub(crate) fn comparison(report: &Comparison, output: &mut Output<'_>) -> io::Result<()> {
    show::head(&report.head, report.base.games, output)?;
    let overlays = report.change.overlays.iter().map(|overlay| overlay.file.clone());
    let change: Vec<String> = report.change.settings.iter().cloned().chain(overlays).collect();
    output.line(format!("versus {}", change.join(", ")))?;
    about(&report.about, output)?;
    output.line("")?;
    let mut rows: Vec<&Difference> = report.differences.iter().filter(|row| ever_was(row)).collect();
    rows.sort_by_key(|row| (!row.survives, row.effect.unwrap_or(0.0) <= 0.0));
    let quiet = rows.iter().filter(|row| !row.survives).count();
    let shown = rows.len() - quiet + quiet.min(MOST_QUIET);
    let together = format!("{} together", report.statements);
    let mut table = Columns::new(&["measure", "base", "changed", "difference", "95%", &together, ""]);
    for row in rows.iter().take(shown) {
        table.row([
            row.name(),
            value(row, row.base.mean),
            value(row, row.changed.mean),
            signed(row, row.raw.map(|raw| raw.value)),
            span(row, row.raw),
            span(row, row.adjusted),
            if row.survives { "*".to_owned() } else { String::new() },
        ]);
    }
    table.write(output)?;
    if rows.len() > shown {
        output.line(format!("and {} more that show nothing", rows.len() - shown))?;
    }
    output.line("")?;
    stars(report.statements, output)?;
    if let Some(stopping) = &report.stopping {
        let looks = plural(stopping.looks.len(), "look");
        let text = if stopping.reached { "narrow enough" } else { "not narrow enough" };
        output.line(format!(
            "stopped after {} games: the intervals of `{}` are {text} ({}), at one of {looks} fixed before",
            report.base.games, stopping.measure, stopping.until
        ))?;
    }
    time(&[&report.base, &report.changed], output)?;
    show::unfinished(&report.head, &report.base, output)
}

pub(crate) fn sweep(report: &Sweep, output: &mut Output<'_>) -> io::Result<()> {
    show::head(&report.head, report.base.games, output)?;
    output.line(format!("sweep of {}, which is {}", report.key, report.value))?;
    about(&report.about, output)?;
    output.line("")?;
    let seats: Vec<String> = report.base.seats.iter().map(|seat| format!("{} wins", seat.seat)).collect();
    let scores: Vec<String> = report.base.seats.iter().map(|seat| format!("{} scores", seat.seat)).collect();
    let words = [report.key.as_str()].into_iter();
    let head: Vec<&str> =
        words.chain(seats.iter().chain(&scores).map(String::as_str)).chain(["margin", "length"]).collect();
    let mut table = Columns::new(&head);
    for point in &report.points {
        if let Some(figures) = &point.figures {
            table.row(std::iter::once(point.value.clone()).chain(cells(figures, point)));
        }
    }
    table.write(output)?;
    for point in &report.points {
        if let Some(fault) = &point.fault {
            output.line(format!("{} cannot be played: {}", point.value, broken(fault.game, &fault.message)))?;
        }
    }
    output.line("")?;
    stars(report.statements, output)?;
    let points = report.points.iter().filter_map(|point| point.figures.as_ref());
    time(&std::iter::once(&report.base).chain(points).collect::<Vec<_>>(), output)
}

/// What a value came to, with a star where it differs from the base.
fn cells(figures: &Figures, point: &Point) -> Vec<String> {
    let star = |measure: &str, of: Option<&str>| {
        let found = point.differences.iter().find(|row| row.measure == measure && row.of.as_deref() == of);
        if found.is_some_and(|row| row.survives) { "*" } else { " " }
    };
    let mut cells = Vec::new();
    for seat in &figures.seats {
        let share = percent(seat.share.map(|share| share.value));
        cells.push(format!("{share}{}", star("share", Some(&seat.seat))));
    }
    for seat in &figures.seats {
        cells.push(format!("{}{}", number(seat.mean_score, 2), star("score", Some(&seat.seat))));
    }
    cells.push(format!("{}{}", number(figures.margin.mean, 2), star("margin", None)));
    cells.push(format!("{}{}", number(figures.length.mean, 1), star("length", None)));
    cells
}

pub(crate) fn sensitivity(report: &Sensitivity, output: &mut Output<'_>) -> io::Result<()> {
    show::head(&report.head, report.base.games, output)?;
    output.line("every number one down and one up")?;
    about(&report.about, output)?;
    output.line("")?;
    let (played, broken_ones): (Vec<&Nudge>, Vec<&Nudge>) =
        report.nudges.iter().partition(|nudge| nudge.fault.is_none());
    let (felt, idle): (Vec<&Nudge>, Vec<&Nudge>) =
        played.into_iter().partition(|nudge| nudge.effect.is_some_and(|effect| effect > 0.0));
    let mut table = Columns::new(&["number", "from", "to", "effect", "most on", "base", "changed", "95%", ""]);
    for nudge in felt.iter().take(MOST_NUDGES) {
        let most = nudge.differences.iter().find(|row| Some(row.name()) == nudge.most);
        table.row([
            nudge.key.clone(),
            nudge.from.to_string(),
            nudge.to.to_string(),
            number(nudge.effect, 2),
            nudge.most.clone().unwrap_or_default(),
            most.map_or_else(String::new, |row| value(row, row.base.mean)),
            most.map_or_else(String::new, |row| value(row, row.changed.mean)),
            most.map_or_else(String::new, |row| span(row, row.raw)),
            if nudge.differences.iter().any(|row| row.survives) { "*".to_owned() } else { String::new() },
        ]);
    }
    table.write(output)?;
    if felt.len() > MOST_NUDGES {
        output.line(format!("and {} more", felt.len() - MOST_NUDGES))?;
    }
    if !idle.is_empty() {
        let names: Vec<String> = idle.iter().map(|nudge| format!("{} to {}", nudge.key, nudge.to)).collect();
        output.line(format!("no game changed: {}", names.join(", ")))?;
    }
    for nudge in broken_ones {
        if let Some(fault) = &nudge.fault {
            let why = broken(fault.game, &fault.message);
            output.line(format!("{} cannot be {}: {why}", nudge.key, nudge.to))?;
        }
    }
    if !report.unused.is_empty() {
        output.line(format!("not used: {}", report.unused.join(", ")))?;
    }
    output.line("")?;
    output.line("effect: the difference of the means, in standard deviations")?;
    stars(report.statements, output)?;
    show::looked(&report.base.look, output)
}

fn broken(game: Option<u64>, message: &str) -> String {
    game.map_or_else(|| message.to_owned(), |game| format!("game {game}: {message}"))
}

fn about(about: &str, output: &mut Output<'_>) -> io::Result<()> {
    output.line(format!("about {about}; others may play otherwise"))
}

fn stars(statements: u64, output: &mut Output<'_>) -> io::Result<()> {
    output.line(format!("*: the interval excludes 0 even if all {statements} statements are to hold together"))
}

fn time(all: &[&Figures], output: &mut Output<'_>) -> io::Result<()> {
    let seconds: f64 = all.iter().map(|figures| figures.cpu_seconds).sum();
    output.line(format!("{seconds:.2} s of CPU time"))?;
    // The same games are looked at everywhere.
    let Some(base) = all.first() else { return Ok(()) };
    let cpu_seconds = all.iter().map(|figures| figures.look.cpu_seconds).sum();
    show::looked(&Look { cpu_seconds, ..base.look.clone() }, output)
}

/// Was it ever anything but 0?
fn ever_was(row: &Difference) -> bool {
    row.base.moments.squares != 0 || row.changed.moments.squares != 0
}

/// Is it a part of games?
fn is_share(row: &Difference) -> bool {
    matches!(row.measure.as_str(), "share" | "draw" | "nobody" | "unfinished")
}

fn value(row: &Difference, mean: Option<f64>) -> String {
    if is_share(row) { percent(mean) } else { number(mean, 2) }
}

fn signed(row: &Difference, mean: Option<f64>) -> String {
    let text = value(row, mean);
    if mean.is_some_and(|mean| mean > 0.0) { format!("+{text}") } else { text }
}

fn span(row: &Difference, interval: Option<Interval>) -> String {
    let Some(interval) = interval else { return String::new() };
    if is_share(row) {
        format!("{}%", ends(Some(interval.low * 100.0), Some(interval.high * 100.0), 1))
    } else {
        ends(Some(interval.low), Some(interval.high), 2)
    }
}
