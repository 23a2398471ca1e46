//! One number at several values: a curve for every measure.

use super::canvas::{BANDS, LINES, nth};
use super::comparison::{form, title};
use super::curve::{Curves, Line, Point, stops};
use super::figure::Figure;
use super::figures::section;
use super::folded;
use super::markup::{Markup, Tag};
use super::number::{Form, Mark, Path, float};
use super::scale::Unit;
use super::table::{Cell, Table};
use crate::simulate::report::{Figures, Sweep};
use crate::statistics::Spread;

/// Differences that are listed.
const MOST_LISTED: usize = 400;

pub(super) fn sections(report: &Sweep) -> Markup {
    let mut all = Markup::default();
    let broken = report.points.iter().filter_map(|point| Some((point, point.fault.as_ref()?)));
    for (point, fault) in broken {
        let text = format!("{} = {} cannot be played: {}", report.key, point.value, fault.message);
        all.push(Tag::new("p").class("notice").with("role", "note").text(text));
    }
    all.push(section("What becomes of the game", curves(report)));
    all.push(section("What differs", differing(report).into_iter().collect()));
    all.push(folded("All figures without a change", &report.base, &Path::default().to("base")));
    all
}

/// A measure with its interval in the figures of one value.
type Measured = (Mark, Mark, Mark);

/// Finds a measure in the figures of one value.
type Find<'a> = dyn Fn(&Figures, &Path) -> Option<Measured> + 'a;

/// One line of a drawing: its name, the measure it is of, and where that is found.
struct Wanted<'a> {
    name: String,
    measure: (&'a str, Option<&'a str>),
    of: Box<Find<'a>>,
}

fn spread(spread: &Spread, at: &Path) -> Option<Measured> {
    let mark = |name: &str, value| Mark::new(&at.to(name), value, Form::Digits(2));
    spread.mean.map(|mean| (mark("mean", Some(mean)), mark("low", spread.low), mark("high", spread.high)))
}

fn curves(report: &Sweep) -> Vec<Markup> {
    let seats = || report.base.seats.iter().enumerate();
    let shares: Vec<Wanted<'_>> = seats()
        .map(|(number, seat)| Wanted {
            name: seat.seat.clone(),
            measure: ("share", Some(&seat.seat)),
            of: Box::new(move |figures, at| {
                let share = figures.seats.get(number)?.share?;
                let at = at.to("seats").to(number).to("share");
                let mark = |name: &str, value| Mark::new(&at.to(name), Some(value), Form::Share);
                Some((mark("value", share.value), mark("low", share.low), mark("high", share.high)))
            }),
        })
        .collect();
    let scores: Vec<Wanted<'_>> = seats()
        .map(|(number, seat)| Wanted {
            name: seat.seat.clone(),
            measure: ("score", Some(&seat.seat)),
            of: Box::new(move |figures, at| {
                spread(&figures.seats.get(number)?.score, &at.to("seats").to(number).to("score"))
            }),
        })
        .collect();
    let length: Wanted<'_> = Wanted {
        name: "length".to_owned(),
        measure: ("length", None),
        of: Box::new(|figures, at| spread(&figures.length, &at.to("length"))),
    };
    let margin: Wanted<'_> = Wanted {
        name: "margin".to_owned(),
        measure: ("margin", None),
        of: Box::new(|figures, at| spread(&figures.margin, &at.to("margin"))),
    };
    let several = report.base.seats.len() > 1;
    [
        several.then(|| curve(report, "Who wins", "games won, of those that ended", Unit::Share, &shares)).flatten(),
        curve(report, "Scores", "mean score, in points", Unit::Number, &scores),
        curve(report, "How long games are", "mean length, in entries", Unit::Number, &[length]),
        curve(report, "How close games are", "mean margin, in points", Unit::Number, &[margin]),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn curve(report: &Sweep, name: &str, up: &str, unit: Unit, wanted: &[Wanted<'_>]) -> Option<Markup> {
    let values = report.points.iter().map(|point| point.value.as_str());
    let stops = stops(values.clone());
    let mut order: Vec<usize> = (0..stops.len()).collect();
    order.sort_by(|a, b| {
        let place = |at: &usize| stops.get(*at).map_or(0.0, |(place, _)| *place);
        place(a).total_cmp(&place(b))
    });
    let lines: Vec<Line> = wanted
        .iter()
        .enumerate()
        .map(|(number, line)| {
            let points = order.iter().filter_map(|&stop| point(report, stop, line)).collect();
            Line { name: line.name.clone(), classes: (nth(&LINES, number), nth(&BANDS, number)), points }
        })
        .collect();
    if lines.iter().all(|line| line.points.is_empty()) {
        return None;
    }
    let numbers = values.clone().all(|value| value.parse::<i64>().is_ok());
    let base = if numbers {
        report.value.parse::<i64>().ok().map(float)
    } else {
        stops.iter().find(|(_, name)| *name == report.value).map(|(place, _)| *place)
    };
    let aid = "The line joins what came of each value, its band is the interval; a full dot differs from the games as \
               they are, even if all statements are to hold together.";
    let table = table(report, name, &lines, &order);
    let chart = Curves {
        label: format!("{name} by {}", report.key),
        across: report.key.clone(),
        up: up.to_owned(),
        unit,
        stops,
        base,
        lines,
    };
    let mut figure = Figure::new(name, aid, chart.draw());
    if wanted.len() > 1 {
        for line in &chart.lines {
            figure = figure.key(line.classes.0, line.name.clone());
        }
    }
    Some(figure.table(table).into())
}

fn point(report: &Sweep, stop: usize, line: &Wanted<'_>) -> Option<Point> {
    let point = report.points.get(stop)?;
    let at = Path::default().to("points").to(stop).to("figures");
    let (value, low, high) = (line.of)(point.figures.as_ref()?, &at)?;
    let (measure, of) = line.measure;
    let difference = point.differences.iter().find(|row| row.measure == measure && row.of.as_deref() == of);
    Some(Point { stop, value, low, high, survives: difference.is_some_and(|row| row.survives) })
}

fn table(report: &Sweep, name: &str, lines: &[Line], order: &[usize]) -> Table {
    let mut table = Table::new(format!("{name}, by {}", report.key), &[]);
    table.column(report.key.clone());
    for line in lines {
        for word in [line.name.clone(), "from".to_owned(), "to".to_owned(), "differs".to_owned()] {
            table.column(word);
        }
    }
    for &stop in order {
        let value = report.points.get(stop).map_or("", |point| point.value.as_str());
        let cells = lines.iter().flat_map(|line| match line.points.iter().find(|point| point.stop == stop) {
            Some(point) => [
                Cell::from(point.value.clone()),
                point.low.clone().into(),
                point.high.clone().into(),
                if point.survives { "yes" } else { "no" }.into(),
            ],
            None => ["–".into(), "–".into(), "–".into(), "–".into()],
        });
        table.row(std::iter::once(Cell::from(value)).chain(cells));
    }
    table
}

/// Every difference from the base that survives, value by value.
fn differing(report: &Sweep) -> Option<Markup> {
    let head = ["value", "measure", "as it is", "with", "difference", "adjusted from", "to", "effect"];
    let mut table = Table::new("Differences that hold together", &head);
    let points = report.points.iter().enumerate().flat_map(|(at, point)| {
        point.differences.iter().enumerate().map(move |(number, row)| (at, point, number, row))
    });
    for (at, point, number, row) in points.filter(|(.., row)| row.survives).take(MOST_LISTED) {
        let at = Path::default().to("points").to(at).to("differences").to(number);
        let form = form(row);
        let mark = |name: &str, end: &str, value| Mark::new(&at.to(name).to(end), value, form);
        table.row([
            Cell::from(format!("{} = {}", report.key, point.value)),
            title(row).into(),
            mark("base", "mean", row.base.mean).into(),
            mark("changed", "mean", row.changed.mean).into(),
            mark("difference", "mean", row.difference.mean).signed(form).into(),
            mark("adjusted", "low", row.adjusted.map(|adjusted| adjusted.low)).signed(form).into(),
            mark("adjusted", "high", row.adjusted.map(|adjusted| adjusted.high)).signed(form).into(),
            Mark::new(&at.to("effect"), row.effect, Form::Digits(2)).into(),
        ]);
    }
    let aid =
        "Measures that differ from the games as they are, value by value, even if all statements are to hold together.";
    (!table.is_empty()).then(|| Figure::new("All measures", aid, Markup::default()).table(table).into())
}
