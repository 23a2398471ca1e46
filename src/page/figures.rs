//! What one set of games came to: who wins, with which scores, and how games go.

use super::actions;
use super::canvas::{AREAS, nth};
use super::figure::Figure;
use super::histogram::{Histogram, Series};
use super::markup::{Markup, Tag};
use super::number::{Form, Mark, Path};
use super::rows::{Chart, Row, Shape};
use super::scale::Unit;
use super::sources;
use super::table::{Cell, Table};
use crate::simulate::report::{Figures, SeatFigures};
use crate::statistics::ratio;

/// Drawings side by side, under a heading; nothing if there are none.
pub(super) fn section(title: &str, figures: Vec<Markup>) -> Markup {
    if figures.is_empty() {
        return Markup::default();
    }
    let grid = Tag::new("div").class("figures").all(figures);
    Tag::new("section").add(Tag::new("h2").text(title)).add(grid).into()
}

/// Everything about one set of games.
pub(super) fn sections(figures: &Figures, at: &Path) -> Markup {
    let mut results = Vec::new();
    if figures.finished() > 0 {
        results.extend(wins(figures, at));
        results.extend(scores(figures, at));
    }
    results.extend([length(figures, at), margin(figures, at), lead(figures, at)].into_iter().flatten());
    [
        section("How games go", results),
        section("What players do", actions::figures(figures, at)),
        section("Points and what is left", sources::figures(figures, at)),
    ]
    .into_iter()
    .collect()
}

/// A few numbers that are read first.
pub(super) fn tiles(figures: &Figures, at: &Path) -> Markup {
    let mut tiles = vec![("games", Mark::count(&at.to("games"), figures.games))];
    if figures.unfinished > 0 {
        tiles.push(("not finished", Mark::count(&at.to("unfinished"), figures.unfinished)));
    }
    let mean = |name: &str, value| Mark::new(&at.to(name).to("mean"), value, Form::Digits(1));
    tiles.push(("entries a game", mean("length", figures.length.mean)));
    if figures.seats.len() > 1 {
        tiles.push(("points between first and second", mean("margin", figures.margin.mean)));
        tiles.push(("games shared", Mark::count(&at.to("draws"), figures.draws)));
    }
    if figures.no_winner > 0 {
        tiles.push(("games nobody wins", Mark::count(&at.to("no_winner"), figures.no_winner)));
    }
    if figures.look.branching.is_some() {
        let path = at.to("look").to("branching");
        tiles.push(("legal entries at a decision", Mark::new(&path, figures.look.branching, Form::Digits(1))));
    }
    let tiles = tiles.into_iter().filter(|(_, mark)| mark.size.is_some());
    let tiles = tiles.map(|(name, mark)| Tag::new("div").add(Tag::new("dt").text(name)).add(Tag::new("dd").add(mark)));
    Tag::new("dl").class("tiles").all(tiles).into()
}

/// A seat with who plays there.
pub(super) fn seat_name(seat: &SeatFigures) -> String {
    format!("{} · {}", seat.seat, seat.agent)
}

/// The part of the games that each of so many seats would win if all were alike.
pub(super) fn even(seats: usize) -> f64 {
    ratio(1, seats.max(1) as u128).unwrap_or(1.0)
}

fn wins(figures: &Figures, at: &Path) -> Option<Markup> {
    if figures.seats.len() < 2 {
        return None;
    }
    let seats = at.to("seats");
    let mut rows = Vec::new();
    let head = ["seat", "agent", "share", "from", "to", "won alone", "shared"];
    let mut table = Table::new("Win shares, with intervals of the confidence named below", &head);
    for (number, seat) in figures.seats.iter().enumerate() {
        let here = seats.to(number);
        let share = |name: &str, value: Option<f64>| Mark::new(&here.to("share").to(name), value, Form::Share);
        let value = share("value", seat.share.map(|share| share.value));
        let low = share("low", seat.share.map(|share| share.low));
        let high = share("high", seat.share.map(|share| share.high));
        let hint = format!("{}: {} ({} to {})", seat.seat, value.text(), low.text(), high.text());
        rows.push(Row {
            name: seat_name(seat),
            note: Some(value.clone()),
            shapes: vec![
                Shape::Span { low: low.clone(), high: high.clone(), class: "span", top: 6.0 },
                Shape::Dot { at: value.clone(), class: nth(&AREAS, number), top: 6.0, hint },
            ],
        });
        table.row([
            Cell::from(seat.seat.as_str()),
            seat.agent.as_str().into(),
            value.into(),
            low.into(),
            high.into(),
            Mark::count(&here.to("wins"), seat.wins).into(),
            Mark::count(&here.to("shared"), seat.shared).into(),
        ]);
    }
    table.row([
        Cell::from("nobody"),
        "".into(),
        "".into(),
        "".into(),
        "".into(),
        Mark::count(&at.to("no_winner"), figures.no_winner).into(),
        "".into(),
    ]);
    let chart = Chart {
        label: "Win share of each seat".to_owned(),
        axis: "games won, of those that ended".to_owned(),
        unit: Unit::Share,
        reach: vec![0.0, even(figures.seats.len())],
        through: Some((even(figures.seats.len()), "even share".to_owned())),
        rows,
    };
    let aid = "The dot is the part of the games that a seat wins, a shared win counted in parts; where its line crosses \
               the even share, chance alone may be behind the difference.";
    Some(Figure::new("Who wins", aid, chart).table(table).into())
}

fn scores(figures: &Figures, at: &Path) -> Option<Markup> {
    let panels: Vec<_> = figures
        .seats
        .iter()
        .enumerate()
        .filter(|(_, seat)| seat.score.moments.count > 0)
        .map(|(number, seat)| {
            let at = at.to("seats").to(number).to("score");
            let class = nth(&AREAS, number);
            (seat_name(seat), vec![Series { name: seat.seat.clone(), spread: &seat.score, at, class }])
        })
        .collect();
    let aid = "Each column is as high as the number of games that a seat ended with that score; the line is the mean.";
    histogram("Scores by seat", aid, "points", "games", panels)
}

fn length(figures: &Figures, at: &Path) -> Option<Markup> {
    let aid =
        "Each column is as high as the number of games that were over after so many entries; the line is the mean.";
    single("How long games are", aid, ("entries", "games"), (&figures.length, at.to("length")))
}

fn margin(figures: &Figures, at: &Path) -> Option<Markup> {
    let aid = "Each column is as high as the number of games that were won by so many points; near 0 they are close.";
    let axis = "points between first and second";
    single("How close games are", aid, (axis, "games"), (&figures.margin, at.to("margin")))
}

fn lead(figures: &Figures, at: &Path) -> Option<Markup> {
    if figures.seats.len() < 2 {
        return None;
    }
    let aid = "Each column is as high as the number of games, of those looked at closely, in which somebody else came \
               to be ahead so many times.";
    let path = at.to("look").to("lead_changes");
    single("How often the lead changes", aid, ("changes of the lead", "games"), (&figures.look.lead_changes, path))
}

/// One spread for itself.
pub(super) fn single(
    title: &str,
    aid: &str,
    (axis, counted): (&str, &'static str),
    (spread, at): (&crate::statistics::Spread, Path),
) -> Option<Markup> {
    if spread.moments.count == 0 {
        return None;
    }
    let series = Series { name: counted.to_owned(), spread, at, class: "plain" };
    histogram(title, aid, axis, counted, vec![(String::new(), vec![series])])
}

/// A histogram with its tables; nothing if nothing was counted.
pub(super) fn histogram(
    title: &str,
    aid: &str,
    axis: &str,
    counted: &'static str,
    panels: Vec<(String, Vec<Series<'_>>)>,
) -> Option<Markup> {
    if panels.is_empty() {
        return None;
    }
    let chart = Histogram { label: title.to_owned(), axis: axis.to_owned(), counted, panels };
    let figure = Figure::new(title, aid, chart.draw()).table(chart.summary()).table(chart.table());
    Some(figure.into())
}
