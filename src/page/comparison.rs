//! What a change does: the differences of every measure, and both sets of games over each other.

use super::figure::Figure;
use super::figures::{histogram, seat_name, section};
use super::folded;
use super::histogram::Series;
use super::markup::{Markup, Tag};
use super::number::{Form, Mark, Path};
use super::rows::{Chart, Row, Shape};
use super::scale::Unit;
use super::table::{Cell, Table};
use crate::simulate::report::{Comparison, Difference, Figures, Stopping};
use crate::statistics::Spread;

/// Differences of one kind that are drawn; those that survive come first.
const MOST: usize = 16;

pub(super) fn sections(report: &Comparison) -> Markup {
    let root = Path::default();
    let mut all = verdict(&report.differences, report.statements, &root);
    if let Some(stopping) = &report.stopping {
        all.push(stopped(stopping, &root.to("stopping")));
    }
    all.push(section("What the change does", differences(&report.differences, &root.to("differences"))));
    all.push(section("Before and after", both(report)));
    all.push(folded("All figures without the change", &report.base, &root.to("base")));
    all.push(folded("All figures with the change", &report.changed, &root.to("changed")));
    all
}

/// What survives, in a sentence and a list.
fn verdict(differences: &[Difference], statements: u64, root: &Path) -> Markup {
    let clear: Vec<(usize, &Difference)> =
        differences.iter().enumerate().filter(|(_, difference)| difference.survives).collect();
    let mut out = Tag::new("section").class("verdict").add(Tag::new("h2").text("In short"));
    let count = Mark::count(&root.to("statements"), statements);
    if clear.is_empty() {
        let text = Tag::new("p").text("No measure differs beyond what chance may do, with all ").add(count);
        return out.add(text.text(" statements held together.")).into();
    }
    out = out.add(Tag::new("p").text("These differ even if all ").add(count).text(" statements are to hold together:"));
    let mut list = Tag::new("ul");
    for (number, difference) in clear.iter().take(MOST) {
        let at = root.to("differences").to(number);
        let form = form(difference);
        let side = |name: &str, value| Mark::new(&at.to(name).to("mean"), value, form);
        list = list.add(
            Tag::new("li")
                .add(Tag::new("b").text(title(difference)))
                .text(": ")
                .add(side("base", difference.base.mean))
                .text(" → ")
                .add(side("changed", difference.changed.mean)),
        );
    }
    if clear.len() > MOST {
        list = list.add(Tag::new("li").text(format!("and {} more", clear.len() - MOST)));
    }
    out.add(list).into()
}

fn stopped(stopping: &Stopping, at: &Path) -> Tag {
    let words = if stopping.reached { " were narrow enough: " } else { " did not become narrow enough: " };
    Tag::new("p")
        .text(format!("Played until the intervals of {}", stopping.measure))
        .text(words)
        .add(Mark::new(&at.to("until"), Some(stopping.until), Form::Digits(3)))
        .text(format!(", looked at after numbers of games that were fixed before ({} looks).", stopping.looks.len()))
}

/// How a measure is written.
pub(super) fn form(difference: &Difference) -> Form {
    if is_share(difference) { Form::Share } else { Form::Digits(2) }
}

/// Is it a part of games?
fn is_share(difference: &Difference) -> bool {
    matches!(difference.measure.as_str(), "share" | "draw" | "nobody" | "unfinished")
}

/// What is measured, in words.
pub(super) fn title(difference: &Difference) -> String {
    let of = difference.of.as_deref().unwrap_or_default();
    match difference.measure.as_str() {
        "share" => format!("win share of {of}"),
        "score" => format!("score of {of}"),
        "chosen" => format!("{of} chosen"),
        "draw" => "games shared".to_owned(),
        "nobody" => "games nobody wins".to_owned(),
        "unfinished" => "games cut off".to_owned(),
        "lead_changes" => "changes of the lead".to_owned(),
        "length" => "length".to_owned(),
        "margin" => "margin".to_owned(),
        _ => difference.name(),
    }
}

/// Measures that have one unit are drawn over one axis.
const KINDS: [(&str, &str, &[&str]); 6] = [
    ("Wins", "difference, in percentage points", &["share", "draw", "nobody", "unfinished"]),
    ("Scores", "difference, in points", &["score"]),
    ("Margin", "difference, in points between first and second", &["margin"]),
    ("Length", "difference, in entries", &["length"]),
    ("Changes of the lead", "difference, in changes a game", &["lead_changes"]),
    ("Actions", "difference, in choices a game", &["chosen"]),
];

/// A drawing for every unit.
pub(super) fn differences(differences: &[Difference], at: &Path) -> Vec<Markup> {
    let kinds = KINDS.iter().filter_map(|(title, axis, measures)| {
        let rows: Vec<(&Difference, Path)> = differences
            .iter()
            .enumerate()
            .filter(|(_, row)| row.pairs > 0 && measures.contains(&row.measure.as_str()))
            .map(|(number, row)| (row, at.to(number)))
            .collect();
        (!rows.is_empty()).then(|| forest(title, axis, rows))
    });
    kinds.collect()
}

fn forest(title: &str, axis: &str, mut rows: Vec<(&Difference, Path)>) -> Markup {
    let table = table(title, &rows);
    if rows.len() > MOST {
        let effect = |row: &Difference| row.effect.unwrap_or(0.0);
        rows.sort_by(|(a, _), (b, _)| b.survives.cmp(&a.survives).then(effect(b).total_cmp(&effect(a))));
        rows.truncate(MOST);
    }
    let share = rows.iter().any(|(row, _)| is_share(row));
    let drawn = rows.iter().map(|(row, at)| drawn(row, at)).collect();
    let chart = Chart {
        label: format!("{title}: differences with intervals"),
        axis: axis.to_owned(),
        unit: if share { Unit::Share } else { Unit::Number },
        reach: vec![0.0],
        through: Some((0.0, "no difference".to_owned())),
        rows: drawn,
    };
    let aid = "The dot is the difference that the change makes; the thick line is its interval read for itself, the \
               thin one adjusted for all statements, and the dot is full where that leaves out 0.";
    Figure::new(title, aid, chart).key("f0", "differs").key("hollow", "may be chance").table(table).into()
}

fn drawn(row: &Difference, at: &Path) -> Row {
    let form = form(row);
    let ends = |name: &str, end: &str, value: Option<f64>| Mark::new(&at.to(name).to(end), value, form);
    let difference = Mark::new(&at.to("difference").to("mean"), row.difference.mean, form).signed(form);
    let span = |name: &str, interval: Option<crate::statistics::Interval>, class| Shape::Span {
        low: ends(name, "low", interval.map(|interval| interval.low)),
        high: ends(name, "high", interval.map(|interval| interval.high)),
        class,
        top: 6.0,
    };
    let class = if row.survives { "f0" } else { "hollow" };
    let name = title(row);
    let hint = format!("{name}: {}", difference.text());
    Row {
        name,
        note: Some(difference.clone()),
        shapes: vec![
            span("adjusted", row.adjusted, "span thin"),
            span("raw", row.raw, "span"),
            Shape::Dot { at: difference, class, top: 6.0, hint },
        ],
    }
}

fn table(title: &str, rows: &[(&Difference, Path)]) -> Table {
    let head =
        ["measure", "without", "with", "difference", "from", "to", "adjusted from", "to", "differs", "effect", "pairs"];
    let mut table = Table::new(format!("{title}: without and with the change"), &head);
    for (row, at) in rows {
        let form = form(row);
        let mean = |name: &str, value| Mark::new(&at.to(name).to("mean"), value, form);
        let signed = |name: &str, end: &str, value: Option<f64>| {
            Cell::from(Mark::new(&at.to(name).to(end), value, form).signed(form))
        };
        table.row([
            Cell::from(self::title(row)),
            mean("base", row.base.mean).into(),
            mean("changed", row.changed.mean).into(),
            mean("difference", row.difference.mean).signed(form).into(),
            signed("raw", "low", row.raw.map(|raw| raw.low)),
            signed("raw", "high", row.raw.map(|raw| raw.high)),
            signed("adjusted", "low", row.adjusted.map(|adjusted| adjusted.low)),
            signed("adjusted", "high", row.adjusted.map(|adjusted| adjusted.high)),
            if row.survives { "yes" } else { "no" }.into(),
            Mark::new(&at.to("effect"), row.effect, Form::Digits(2)).into(),
            Mark::count(&at.to("pairs"), row.pairs).into(),
        ]);
    }
    table
}

/// Both sets of games over each other.
fn both(report: &Comparison) -> Vec<Markup> {
    type Of<'a> = fn(&'a Figures) -> &'a Spread;
    let root = Path::default();
    let pair = |base, changed, path: &dyn Fn(Path) -> Path| {
        vec![
            Series { name: "without".to_owned(), spread: base, at: path(root.to("base")), class: "plain" },
            Series { name: "with".to_owned(), spread: changed, at: path(root.to("changed")), class: "over" },
        ]
    };
    let aid = "Columns are the games without the change, the line those with it; where they part, the change shows.";
    let mut all = Vec::new();
    let seats = report.base.seats.iter().zip(&report.changed.seats).enumerate();
    let panels: Vec<_> = seats
        .filter(|(_, (base, changed))| base.score.moments.count > 0 && changed.score.moments.count > 0)
        .map(|(number, (base, changed))| {
            let path = |at: Path| at.to("seats").to(number).to("score");
            (seat_name(base), pair(&base.score, &changed.score, &path))
        })
        .collect();
    all.extend(histogram("Scores by seat", aid, "points", "games", panels));
    let wholes: [(&str, &str, &str, Of<'_>); 2] = [
        ("How long games are", "entries", "length", |figures| &figures.length),
        ("How close games are", "points between first and second", "margin", |figures| &figures.margin),
    ];
    for (title, axis, name, of) in wholes {
        let (base, changed) = (of(&report.base), of(&report.changed));
        if base.moments.count > 0 && changed.moments.count > 0 {
            let panels = vec![(String::new(), pair(base, changed, &|at: Path| at.to(name)))];
            all.extend(histogram(title, aid, axis, "games", panels));
        }
    }
    all
}
