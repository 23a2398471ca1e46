//! Which numbers matter most: every change of one number, by its greatest effect.

use super::comparison::{form, title};
use super::figure::Figure;
use super::figures::section;
use super::folded;
use super::markup::{Markup, Tag};
use super::number::{Form, Mark, Path};
use super::rows::{Chart, Row, Shape};
use super::scale::Unit;
use super::table::{Cell, Table};
use crate::simulate::report::{Nudge, Sensitivity};

/// Changes that are drawn.
const MOST: usize = 30;

/// Changes that are listed.
const MOST_LISTED: usize = 1000;

pub(super) fn sections(report: &Sensitivity) -> Markup {
    let root = Path::default();
    let mut all = section("Which numbers matter", ranked(report).into_iter().chain(silent(report)).collect());
    all.push(folded("All figures without a change", &report.base, &root.to("base")));
    all
}

/// `cost.build 3 → 4`
fn name(nudge: &Nudge) -> String {
    format!("{} {} → {}", nudge.key, nudge.from, nudge.to)
}

fn survives(nudge: &Nudge) -> bool {
    nudge.differences.iter().any(|row| row.survives)
}

fn ranked(report: &Sensitivity) -> Option<Markup> {
    let at = Path::default().to("nudges");
    let felt: Vec<(usize, &Nudge)> =
        report.nudges.iter().enumerate().filter(|(_, nudge)| nudge.effect.is_some_and(|effect| effect > 0.0)).collect();
    if felt.is_empty() {
        return None;
    }
    let rows = felt.iter().take(MOST).map(|(number, nudge)| {
        let effect = Mark::new(&at.to(number).to("effect"), nudge.effect, Form::Digits(2));
        let most = nudge.differences.iter().find(|row| Some(row.name()) == nudge.most).map(title);
        let name = format!("{} · {}", name(nudge), most.unwrap_or_default());
        let class = if survives(nudge) { "f0" } else { "faint" };
        let hint = format!("{name}: {}", effect.text());
        let shapes = vec![Shape::Bar { size: effect.clone(), class, top: 0.0, thick: 9.0, hint }];
        Row { name, note: Some(effect), shapes }
    });
    let chart = Chart {
        label: "Numbers by their greatest effect".to_owned(),
        axis: "effect, in standard deviations".to_owned(),
        unit: Unit::Number,
        reach: vec![0.0],
        through: None,
        rows: rows.collect(),
    };
    let aid = "Each bar is the greatest effect that one number has when it is one higher or lower, and on what: the \
               difference of the means, in standard deviations, so that measures of any unit can be compared.";
    let figure = Figure::new("Numbers, ranked", aid, chart)
        .key("f0", "differs, even if all statements are to hold together")
        .key("faint", "may be chance");
    Some(figure.table(table(&felt, &at)).into())
}

fn table(felt: &[(usize, &Nudge)], at: &Path) -> Table {
    let head = [
        "number",
        "is",
        "was made",
        "effect",
        "most on",
        "as it is",
        "with",
        "difference",
        "adjusted from",
        "to",
        "any differs",
    ];
    let mut table = Table::new("Changes that show, by effect", &head);
    for (number, nudge) in felt.iter().take(MOST_LISTED) {
        let at = at.to(number);
        let mut cells = vec![
            Cell::from(nudge.key.as_str()),
            Mark::count(&at.to("from"), nudge.from).into(),
            Mark::count(&at.to("to"), nudge.to).into(),
            Mark::new(&at.to("effect"), nudge.effect, Form::Digits(3)).into(),
        ];
        let most = nudge.differences.iter().enumerate().find(|(_, row)| Some(row.name()) == nudge.most);
        if let Some((number, row)) = most {
            let (at, form) = (at.to("differences").to(number), form(row));
            let mark = |name: &str, end: &str, value| Mark::new(&at.to(name).to(end), value, form);
            cells.extend([
                Cell::from(title(row)),
                mark("base", "mean", row.base.mean).into(),
                mark("changed", "mean", row.changed.mean).into(),
                mark("difference", "mean", row.difference.mean).signed(form).into(),
                mark("adjusted", "low", row.adjusted.map(|adjusted| adjusted.low)).signed(form).into(),
                mark("adjusted", "high", row.adjusted.map(|adjusted| adjusted.high)).signed(form).into(),
                if survives(nudge) { "yes" } else { "no" }.into(),
            ]);
        }
        table.row(cells);
    }
    table
}

/// What changed no game, what cannot be played, and what is not used.
fn silent(report: &Sensitivity) -> Option<Markup> {
    let mut list = Tag::new("ul").class("notes");
    let mut any = false;
    let idle: Vec<String> = report
        .nudges
        .iter()
        .filter(|nudge| nudge.fault.is_none() && nudge.effect.is_none_or(|effect| effect <= 0.0))
        .map(name)
        .collect();
    for (words, names) in [("No game changed: ", &idle), ("Not used by any rule: ", &report.unused)] {
        if !names.is_empty() {
            any = true;
            list = list.add(Tag::new("li").text(words).text(names.join(", ")));
        }
    }
    for (nudge, fault) in report.nudges.iter().filter_map(|nudge| Some((nudge, nudge.fault.as_ref()?))) {
        any = true;
        let text = format!("{} cannot be {}: {}", nudge.key, nudge.to, fault.message);
        list = list.add(Tag::new("li").text(text));
    }
    let aid = "Numbers whose change nobody would notice in these games, and changes that cannot be played.";
    any.then(|| Figure::new("Without effect", aid, list).into())
}
