//! What players do: which actions are offered, can be paid, are legal, and are chosen.

use super::figure::Figure;
use super::markup::{Markup, Tag};
use super::number::{Form, Mark, Path};
use super::rows::{Chart, Row, Shape};
use super::scale::Unit;
use super::table::{Cell, Table};
use crate::simulate::report::{ActionFigures, Figures};

/// Actions that are drawn; the others are summed up.
const MOST: usize = 16;

/// Actions that are listed; the others are in the report that is part of the page.
const MOST_LISTED: usize = 400;

pub(super) fn figures(figures: &Figures, at: &Path) -> Vec<Markup> {
    let used = figures.actions.iter().any(|action| action.chosen > 0 || action.offered > 0);
    let mut all = Vec::new();
    if used {
        all.push(chosen(figures, at));
        if figures.look.decisions > 0 {
            all.push(possible(figures, at));
        }
    }
    all.extend(idle(figures, at));
    all
}

/// Actions with their places in the report: the first ones by what they are sorted by, and the others.
type Sorted<'a> = (Vec<(&'a ActionFigures, Path)>, Vec<(&'a ActionFigures, Path)>);

fn sorted<'a>(figures: &'a Figures, at: &Path, by: impl Fn(&ActionFigures) -> u64) -> Sorted<'a> {
    let at = at.to("actions");
    let mut all: Vec<(&ActionFigures, Path)> =
        figures.actions.iter().enumerate().map(|(number, action)| (action, at.to(number))).collect();
    all.sort_by_key(|(action, _)| std::cmp::Reverse(by(action)));
    let rest = all.split_off(all.len().min(MOST));
    // One more takes no more room than the words for it.
    if rest.len() == 1 {
        all.extend(rest);
        return (all, Vec::new());
    }
    (all, rest)
}

/// `build · Build a house`
fn name(action: &ActionFigures) -> String {
    match &action.title {
        Some(title) if *title != action.action => format!("{} · {title}", action.action),
        _ => action.action.clone(),
    }
}

fn chosen(figures: &Figures, at: &Path) -> Markup {
    let (first, rest) = sorted(figures, at, |action| action.chosen);
    let share = |action: &ActionFigures, at: &Path| Mark::new(&at.to("chosen_share"), action.chosen_share, Form::Share);
    let row = |name: String, mark: Mark, class: &'static str| {
        let hint = format!("{name}: {} of all choices", mark.text());
        let shapes = vec![Shape::Bar { size: mark.clone(), class, top: 0.0, thick: 9.0, hint }];
        Row { name, note: Some(mark), shapes }
    };
    let mut rows: Vec<Row> = first.iter().map(|(action, at)| row(name(action), share(action, at), "plain")).collect();
    if !rest.is_empty() {
        let marks: Vec<Mark> = rest.iter().map(|(action, at)| share(action, at)).collect();
        rows.push(row(format!("{} other actions together", rest.len()), Mark::sum(&marks, Form::Share), "faint"));
    }
    let mut table = Table::new("Choices in all games", &["action", "chosen", "share of choices"]);
    for (action, at) in first.iter().chain(&rest).take(MOST_LISTED) {
        let count = Mark::count(&at.to("chosen"), action.chosen);
        table.row([Cell::from(name(action)), count.into(), share(action, at).into()]);
    }
    let chart = Chart {
        label: "How often each action is chosen".to_owned(),
        axis: "part of everything that players chose".to_owned(),
        unit: Unit::Share,
        reach: vec![0.0],
        through: None,
        rows,
    };
    let aid = "Each bar is the part of all choices, over all games, that fell on an action.";
    Figure::new("What players choose", aid, chart).table(table).into()
}

fn possible(figures: &Figures, at: &Path) -> Markup {
    let (first, rest) = sorted(figures, at, |action| action.legal);
    let costs = figures.actions.iter().any(|action| action.affordable < action.offered);
    let bars = |name: &str, marks: [Mark; 3]| {
        let [affordable, legal, taken] = marks;
        let mut shapes = Vec::new();
        let mut bar = |size: Mark, class, top, thick, what: &str| {
            let hint = format!("{name}: {what} in {} decisions", size.text());
            shapes.push(Shape::Bar { size, class, top, thick, hint });
        };
        if costs {
            bar(affordable, "nest0", 0.0, 14.0, "can be paid");
        }
        bar(legal, "nest1", 2.0, 10.0, "legal");
        bar(taken, "nest2", 4.5, 5.0, "chosen");
        shapes
    };
    let counts = |action: &ActionFigures, at: &Path| {
        [
            Mark::count(&at.to("affordable"), action.affordable),
            Mark::count(&at.to("legal"), action.legal),
            Mark::count(&at.to("taken"), action.taken),
        ]
    };
    let mut rows: Vec<Row> = first
        .iter()
        .map(|(action, at)| Row {
            name: name(action),
            note: Some(Mark::new(&at.to("legal_share"), action.legal_share, Form::Share)),
            shapes: bars(&action.action, counts(action, at)),
        })
        .collect();
    if !rest.is_empty() {
        let taken: Vec<Mark> = rest.iter().map(|(action, at)| Mark::count(&at.to("taken"), action.taken)).collect();
        let name = format!("{} other actions together: chosen", rest.len());
        let sum = Mark::sum(&taken, Form::Count);
        let hint = format!("{name} in {} decisions", sum.text());
        let shapes = vec![Shape::Bar { size: sum, class: "nest2", top: 4.5, thick: 5.0, hint }];
        rows.push(Row { name, note: None, shapes });
    }
    let chart = Chart {
        label: "How often each action is possible".to_owned(),
        axis: "decisions of the games looked at".to_owned(),
        unit: Unit::Whole,
        reach: vec![0.0],
        through: None,
        rows,
    };
    let aid = "Bars lie in each other: of the decisions looked at, those where an action could be paid, those where it \
               was legal, and those where it was chosen; at the right, the part of the decisions where it was legal.";
    let mut figure = Figure::new("What players could do", aid, chart);
    if costs {
        figure = figure.key("nest0", "can be paid");
    }
    figure
        .key("nest1", "legal")
        .key("nest2", "chosen")
        .table(table(figures, at, &[&first[..], &rest[..]].concat()))
        .into()
}

fn table(figures: &Figures, at: &Path, actions: &[(&ActionFigures, Path)]) -> Table {
    let judged = figures.actions.iter().any(|action| action.liking.is_some());
    let head = ["action", "offered", "can be paid", "of offered", "legal", "of decisions", "chosen", "of legal"];
    let mut table = Table::new("Decisions of the games looked at", &head);
    if judged {
        table.column("liking, 1 is chance");
    }
    for (action, at) in actions.iter().take(MOST_LISTED) {
        let count = |name: &str, value: u64| Cell::from(Mark::count(&at.to(name), value));
        let share = |name: &str, value| Cell::from(Mark::new(&at.to(name), value, Form::Share));
        let mut cells = vec![
            Cell::from(name(action)),
            count("offered", action.offered),
            count("affordable", action.affordable),
            share("affordable_share", action.affordable_share),
            count("legal", action.legal),
            share("legal_share", action.legal_share),
            count("taken", action.taken),
            share("taken_share", action.taken_share),
        ];
        if judged {
            cells.push(Mark::new(&at.to("liking"), action.liking, Form::Digits(2)).into());
        }
        table.row(cells);
    }
    let look = at.to("look");
    table.row([Cell::from("all decisions"), Mark::count(&look.to("decisions"), figures.look.decisions).into()]);
    table
}

/// Actions that nobody takes, or that agents avoid.
fn idle(figures: &Figures, at: &Path) -> Option<Markup> {
    if figures.dead.is_empty() && figures.dominated.is_empty() {
        return None;
    }
    let mut list = Tag::new("ul").class("notes");
    for (number, dead) in figures.dead.iter().enumerate() {
        let mut item = Tag::new("li").add(Tag::new("b").text(&dead.action)).text(format!(" was {}", dead.why));
        let decisions = Mark::count(&at.to("dead").to(number).to("decisions"), dead.decisions);
        item = match dead.why.as_str() {
            "never legal" => item.text(" in ").add(decisions).text(" decisions that offer it"),
            "never chosen" => item.text(" in ").add(decisions).text(" decisions where it is legal"),
            _ => item,
        };
        list = list.add(item);
    }
    for (number, avoided) in figures.dominated.iter().enumerate() {
        let at = at.to("dominated").to(number);
        let item = Tag::new("li")
            .add(Tag::new("b").text(&avoided.action))
            .text(" was chosen ")
            .add(Mark::count(&at.to("judged"), avoided.judged))
            .text(" times by agents that judge; chance would have chosen it ")
            .add(Mark::new(&at.to("by_chance"), Some(avoided.by_chance), Form::Digits(1)))
            .text(" times");
        list = list.add(item);
    }
    let aid = "Actions that might as well not be there in these games, and actions that agents avoid.";
    Some(Figure::new("What nobody does", aid, list).into())
}
