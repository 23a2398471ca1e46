//! Where points come from, and what is left unspent.

use super::canvas::{AREAS, nth};
use super::figure::Figure;
use super::figures::single;
use super::markup::Markup;
use super::number::{Form, Mark, Path};
use super::rows::{Chart, Row, Shape};
use super::scale::Unit;
use super::table::{Cell, Table};
use crate::simulate::report::{Figures, Source};

/// Rules that are drawn; the others are summed up.
const MOST: usize = 12;

/// Kinds of what is not spent that are drawn.
const MOST_UNSPENT: usize = 6;

pub(super) fn figures(figures: &Figures, at: &Path) -> Vec<Markup> {
    let mut all: Vec<Markup> = sources(figures, at).into_iter().collect();
    let at = at.to("look").to("unspent");
    for (number, unspent) in figures.look.unspent.iter().enumerate().take(MOST_UNSPENT) {
        let (counted, aid) = if unspent.when == "turn" {
            ("turns", "Each column is as high as the number of turns that ended with so much left, which is lost then.")
        } else {
            (
                "seats",
                "Each column is as high as the number of seats, over the games, that so much was left to at the end.",
            )
        };
        let title = format!("What is left of {}", unspent.resource);
        let axis = format!("{} left", unspent.resource);
        all.extend(single(&title, aid, (&axis, counted), (&unspent.left, at.to(number).to("left"))));
    }
    all
}

fn name(source: &Source) -> String {
    match &source.title {
        Some(title) if *title != source.name => format!("{} {} · {title}", source.kind, source.name),
        _ => format!("{} {}", source.kind, source.name),
    }
}

fn sources(figures: &Figures, at: &Path) -> Option<Markup> {
    let look = &figures.look;
    if look.sources.is_empty() || look.audited == 0 {
        return None;
    }
    let seats = figures.seats.len();
    let at = at.to("look").to("sources");
    let all: Vec<(&Source, Path)> =
        look.sources.iter().enumerate().map(|(number, source)| (source, at.to(number))).collect();
    let means = |source: &Source, at: &Path| -> Vec<Mark> {
        let mean = |seat: usize| source.means.get(seat).copied().flatten();
        (0..seats).map(|seat| Mark::new(&at.to("means").to(seat), mean(seat), Form::Digits(2))).collect()
    };
    let row = |name: String, means: Vec<Mark>, share: Mark| {
        let mut top = 0.0;
        let mut shapes = Vec::new();
        for (number, (mean, seat)) in means.into_iter().zip(&figures.seats).enumerate() {
            let hint = format!("{name}: {} points a game for {}", mean.text(), seat.seat);
            shapes.push(Shape::Bar { size: mean, class: nth(&AREAS, number), top, thick: 6.0, hint });
            top += 7.0;
        }
        Row { name, note: Some(share), shapes }
    };
    let share = |source: &Source, at: &Path| Mark::new(&at.to("share"), source.share, Form::Share);
    let shown = if all.len() == MOST + 1 { all.len() } else { MOST };
    let first = all.iter().take(shown);
    let mut rows: Vec<Row> =
        first.map(|(source, at)| row(name(source), means(source, at), share(source, at))).collect();
    let rest: Vec<&(&Source, Path)> = all.iter().skip(shown).collect();
    if !rest.is_empty() {
        let of_rest: Vec<Vec<Mark>> = rest.iter().map(|(source, at)| means(source, at)).collect();
        let sum = |seat: usize| {
            let marks: Vec<Mark> = of_rest.iter().filter_map(|means| means.get(seat).cloned()).collect();
            Mark::sum(&marks, Form::Digits(2))
        };
        let shares: Vec<Mark> = rest.iter().map(|(source, at)| share(source, at)).collect();
        let name = format!("{} other rules together", rest.len());
        rows.push(row(name, (0..seats).map(sum).collect(), Mark::sum(&shares, Form::Share)));
    }
    let mut table = Table::new("Points in a game, by rule and seat", &["rule", "of all points gained"]);
    figures.seats.iter().for_each(|seat| table.column(seat.seat.clone()));
    for (source, at) in &all {
        let cells = means(source, at).into_iter().map(Cell::from);
        table.row([Cell::from(name(source)), share(source, at).into()].into_iter().chain(cells));
    }
    let chart = Chart {
        label: "Points by rule and seat".to_owned(),
        axis: "points in a game, what was lost taken off".to_owned(),
        unit: Unit::Number,
        reach: vec![0.0],
        through: None,
        rows,
    };
    let aid = "Each bar is what a rule gave to a seat in a game, on average over the games looked at; at the right, its \
               part of all points that were gained.";
    let mut figure = Figure::new("Where points come from", aid, chart);
    for (number, seat) in figures.seats.iter().enumerate() {
        figure = figure.key(nth(&AREAS, number), seat.seat.clone());
    }
    Some(figure.table(table).into())
}
