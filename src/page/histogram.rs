//! How values are spread, as columns: one panel for each thing, all with the same axes.

use super::canvas::{BELOW, Canvas, RIGHT, Side, WIDTH, bar, hint, path, room_beside, width_of, words_in};
use super::markup::Markup;
use super::number::{Form, Mark, Path, decimal, float};
use super::scale::{Scale, Unit};
use super::table::{Cell, Table};
use crate::statistics::Spread;

/// How much wider bold words are.
const BOLD: f64 = 1.15;

/// Columns that a panel may have.
const MOST_COLUMNS: i128 = 48;

/// Values that were counted.
#[derive(Debug, Clone)]
pub(super) struct Series<'a> {
    pub(super) name: String,
    pub(super) spread: &'a Spread,
    pub(super) at: Path,
    /// The first of a panel is drawn as columns of this class, others as lines.
    pub(super) class: &'static str,
}

/// A drawing of one or more panels.
#[derive(Debug, Clone)]
pub(super) struct Histogram<'a> {
    pub(super) label: String,
    /// What the values are.
    pub(super) axis: String,
    /// What is counted.
    pub(super) counted: &'static str,
    /// The name of a panel, and what is drawn in it.
    pub(super) panels: Vec<(String, Vec<Series<'a>>)>,
}

/// One column: values from `from`, and the bins of the spread that are in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Column {
    pub(super) from: i128,
    pub(super) count: u128,
    pub(super) first: usize,
    pub(super) last: usize,
}

/// How many values share a column, so that few enough columns hold all of these spreads.
pub(super) fn step_of<'a>(spreads: impl IntoIterator<Item = &'a Spread>) -> i128 {
    let spreads: Vec<&Spread> = spreads.into_iter().collect();
    let width = spreads.iter().map(|spread| i128::from(spread.width.max(1))).max().unwrap_or(1);
    let low = spreads.iter().filter_map(|spread| spread.bins.keys().next()).min();
    let high = spreads.iter().filter_map(|spread| spread.bins.keys().next_back()).max();
    let range = low.zip(high).map_or(0, |(low, high)| i128::from(*high) - i128::from(*low)) + width;
    let mut step = width;
    // Whole numbers are grouped by fives and tens; wide bins can only be doubled.
    let mut times = if width == 1 { [2, 5, 10].iter().cycle() } else { [2, 4, 8].iter().cycle() };
    let mut group = width;
    while range / step >= MOST_COLUMNS {
        let Some(&next) = times.next() else { break };
        step = group * next;
        if matches!(next, 10 | 8) {
            group = step;
        }
    }
    step
}

/// The columns of a spread that are not empty.
pub(super) fn columns(spread: &Spread, step: i128) -> Vec<Column> {
    let mut columns: Vec<Column> = Vec::new();
    for (at, (&bin, &count)) in spread.bins.iter().enumerate() {
        let from = i128::from(bin).div_euclid(step) * step;
        match columns.last_mut() {
            Some(column) if column.from == from => {
                column.count += u128::from(count);
                column.last = at;
            }
            _ => columns.push(Column { from, count: u128::from(count), first: at, last: at }),
        }
    }
    columns
}

impl Column {
    /// The count, with where it stands in the report.
    fn mark(&self, at: &Path) -> Mark {
        let bins =
            if self.first == self.last { self.first.to_string() } else { format!("{}~{}", self.first, self.last) };
        Mark::count(&at.to("bins").to(bins).to(1), i128::try_from(self.count).unwrap_or(i128::MAX))
    }
}

/// `7`, or `5 to 9`.
fn values(from: i128, step: i128) -> String {
    let number = |value: i128| decimal(float(value), 0);
    if step == 1 { number(from) } else { format!("{} to {}", number(from), number(from + step - 1)) }
}

impl Histogram<'_> {
    fn all(&self) -> impl Iterator<Item = &Series<'_>> {
        self.panels.iter().flat_map(|(_, series)| series)
    }

    fn step(&self) -> i128 {
        step_of(self.all().map(|series| series.spread))
    }

    /// What the columns are.
    pub(super) fn table(&self) -> Table {
        let step = self.step();
        let mut table = Table::new(format!("Counts: {} by {}", self.counted, self.axis), &[]);
        table.column(self.axis.clone());
        self.all().for_each(|series| table.column(series.name.clone()));
        let all: Vec<(&Series<'_>, Vec<Column>)> =
            self.all().map(|series| (series, columns(series.spread, step))).collect();
        let mut froms: Vec<i128> =
            all.iter().flat_map(|(_, columns)| columns.iter().map(|column| column.from)).collect();
        froms.sort_unstable();
        froms.dedup();
        for from in froms {
            let found = |columns: &[Column]| columns.iter().find(|column| column.from == from).copied();
            let single = all.iter().find_map(|(series, columns)| Some((series, found(columns)?)));
            let name = match single.filter(|_| step == 1) {
                Some((series, column)) => Cell::Number(Mark::count(&series.at.to("bins").to(column.first).to(0), from)),
                None => Cell::Text(values(from, step)),
            };
            let cells = all.iter().map(|(series, columns)| {
                found(columns).map_or_else(|| Cell::from("0"), |column| Cell::Number(column.mark(&series.at)))
            });
            table.row(std::iter::once(name).chain(cells));
        }
        table
    }

    /// What follows from the counts.
    pub(super) fn summary(&self) -> Table {
        summary("Summary", self.all().map(|series| (series.name.clone(), series.spread, &series.at)))
    }

    pub(super) fn draw(&self) -> Markup {
        let step = self.step();
        let mut canvas = Canvas::new(self.label.clone());
        let low = self.all().filter_map(|series| columns(series.spread, step).first().map(|column| column.from)).min();
        let high = self.all().filter_map(|series| columns(series.spread, step).last().map(|column| column.from)).max();
        let most = self.all().flat_map(|series| columns(series.spread, step)).map(|column| column.count).max();
        let most = i128::try_from(most.unwrap_or(1)).unwrap_or(i128::MAX).max(1);
        // A column of whole numbers stands over its number; a wide one over its values.
        let shift = if step == 1 { 0.5 } else { 0.0 };
        let ends = (float(low.unwrap_or(0)) - shift, float(high.unwrap_or(0) + step) - shift);
        let several = self.panels.len() > 1;
        let (height, ticks) = if several { (64.0, 2) } else { (150.0, 4) };
        let up = |top: f64| Scale::new((0.0, float(most)), (top + height, top)).rounded(ticks);
        let left = room_beside(&up(0.0), Unit::Whole, ticks);
        let across = Scale::new(ends, (left, RIGHT));
        canvas.words("unit", (2.0, 11.0), Side::Begin, self.counted);
        let mut y = 18.0;
        for (name, series) in &self.panels {
            if several {
                let words = words_in("name", (left, y + 12.0), Side::Begin, name, RIGHT - left);
                canvas.add(words);
                y += 18.0;
            }
            // The line for what is said about the mean.
            y += 16.0;
            let panel = Panel { across, up: up(y), step, shift, counted: self.counted, axis: &self.axis };
            canvas.beside(&panel.up, Unit::Whole, ticks, (left, RIGHT));
            for (at, series) in series.iter().enumerate() {
                panel.draw(series, at, &mut canvas);
            }
            panel.means(series, y, &mut canvas);
            y += height;
            canvas.line("axis", (left, y), (RIGHT, y));
            y += if several { 8.0 } else { 0.0 };
        }
        let y = if several { y - 8.0 } else { y };
        canvas.below(&across, Unit::Whole, &self.axis, (y, y));
        canvas.finish(y + BELOW)
    }
}

/// Where the columns of a panel stand.
struct Panel<'a> {
    across: Scale,
    up: Scale,
    step: i128,
    shift: f64,
    counted: &'static str,
    axis: &'a str,
}

impl Panel<'_> {
    fn draw(&self, series: &Series<'_>, at: usize, canvas: &mut Canvas) {
        let columns = columns(series.spread, self.step);
        let (bottom, _) = self.up.ends();
        let ends = |column: &Column| {
            let from = float(column.from) - self.shift;
            (self.across.at(from), self.across.at(from + float(self.step)))
        };
        if at > 0 {
            let mut points: Vec<(f64, f64)> = Vec::new();
            for column in &columns {
                let ((left, right), top) = (ends(column), self.up.at(float(i128::try_from(column.count).unwrap_or(0))));
                if points.last().is_none_or(|&(x, _)| (x - left).abs() > 0.01) {
                    points.extend(points.last().map(|&(x, _)| (x, bottom)));
                    points.push((left, bottom));
                }
                points.extend([(left, top), (right, top)]);
            }
            points.extend(points.last().map(|&(x, _)| (x, bottom)));
            canvas.add(path(series.class, &points, false));
            return;
        }
        for column in &columns {
            let mark = column.mark(&series.at);
            let (left, right) = ends(column);
            let gap = if right - left > 4.0 { 0.5 } else { 0.0 };
            let top = mark.size.map_or(bottom, |size| self.up.at(size));
            let shape = bar(series.class, (left + gap, bottom), (right - gap, top));
            let words = format!("{} {}: {} {}", values(column.from, self.step), self.axis, mark.text(), self.counted);
            canvas.add(hint(mark.on(shape), &words));
        }
    }

    /// Where the means are, each with its line and words beside it that stay off the others.
    fn means(&self, series: &[Series<'_>], top: f64, canvas: &mut Canvas) {
        let (bottom, _) = self.up.ends();
        let mut free = 0.0;
        for one in series {
            let mark = Mark::new(&one.at.to("mean"), one.spread.mean, Form::Digits(2));
            let Some(size) = mark.size else { continue };
            let x = self.across.at(size);
            canvas.line("mean", (x, top - 2.0), (x, bottom));
            let words = if series.len() > 1 { format!("{} ", one.name) } else { "mean ".to_owned() };
            let half = f64::midpoint(width_of(&words), width_of(mark.text())) * BOLD + 2.0;
            let middle = x.max(half + free).min(WIDTH - half);
            free = middle + half + 10.0;
            let number = mark.on(super::markup::Tag::new("tspan")).text(mark.text());
            let text = words_in("note", (middle, top - 5.0), Side::Middle, &words, WIDTH).add(number);
            canvas.add(text);
        }
    }
}

/// What is worked out from counts: means and the like, a row for each spread.
pub(super) fn summary<'a>(title: &str, rows: impl IntoIterator<Item = (String, &'a Spread, &'a Path)>) -> Table {
    let head = ["", "values", "mean", "from", "to", "deviation", "median", "least", "greatest"];
    let mut table = Table::new(title, &head);
    for (name, spread, at) in rows {
        let digits = |name: &str, value| Cell::from(Mark::new(&at.to(name), value, Form::Digits(2)));
        let whole = |name: &str, value: Option<i64>| {
            Cell::from(value.map_or_else(Mark::none, |value| Mark::count(&at.to(name), value)))
        };
        table.row([
            Cell::from(name),
            Mark::count(&at.to("count"), spread.moments.count).into(),
            digits("mean", spread.mean),
            digits("low", spread.low),
            digits("high", spread.high),
            digits("deviation", spread.deviation),
            digits("median", spread.median),
            whole("min", spread.min),
            whole("max", spread.max),
        ]);
    }
    table
}
