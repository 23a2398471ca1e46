//! What becomes of a measure when a number is changed: lines with bands of what they may well be.

use super::canvas::{BELOW, Canvas, RIGHT, Side, WIDTH, dot, hint, path, room_beside, width_of, words_in};
use super::markup::Markup;
use super::number::{Mark, float};
use super::scale::{Scale, Unit};

/// A drawing of several lines.
#[derive(Debug, Clone)]
pub(super) struct Curves {
    pub(super) label: String,
    /// What is changed.
    pub(super) across: String,
    /// What is measured.
    pub(super) up: String,
    pub(super) unit: Unit,
    /// Where the values stand, and what they are called.
    pub(super) stops: Vec<(f64, String)>,
    /// The value without a change.
    pub(super) base: Option<f64>,
    pub(super) lines: Vec<Line>,
}

/// One line, with a point for each value that could be played.
#[derive(Debug, Clone)]
pub(super) struct Line {
    pub(super) name: String,
    pub(super) classes: (&'static str, &'static str),
    pub(super) points: Vec<Point>,
}

/// One value.
#[derive(Debug, Clone)]
pub(super) struct Point {
    /// Which of the stops.
    pub(super) stop: usize,
    pub(super) value: Mark,
    pub(super) low: Mark,
    pub(super) high: Mark,
    /// Does it differ from the base, as one of all statements?
    pub(super) survives: bool,
}

/// Where values of a sweep stand: at their numbers if they all are some, evenly otherwise.
pub(super) fn stops<'a>(values: impl Iterator<Item = &'a str> + Clone) -> Vec<(f64, String)> {
    let number = |text: &str| text.parse::<i64>().ok().map(float);
    let numbers: Option<Vec<f64>> = values.clone().map(number).collect();
    let places = numbers.unwrap_or_else(|| (0_i32..).map(f64::from).take(values.clone().count()).collect());
    places.into_iter().zip(values.map(str::to_owned)).collect()
}

const HEIGHT: f64 = 190.0;
const TOP: f64 = 22.0;

impl Curves {
    pub(super) fn draw(&self) -> Markup {
        let mut canvas = Canvas::new(self.label.clone());
        let points = || self.lines.iter().flat_map(|line| &line.points);
        let sizes = || points().flat_map(|point| [point.value.size, point.low.size, point.high.size]).flatten();
        let ends = (sizes().fold(f64::MAX, f64::min), sizes().fold(f64::MIN, f64::max));
        let up = Scale::new(ends, (TOP + HEIGHT, TOP)).rounded(5);
        let left = room_beside(&up, self.unit, 5);
        let places = || self.stops.iter().map(|(place, _)| *place).chain(self.base);
        let ends = (places().fold(f64::MAX, f64::min), places().fold(f64::MIN, f64::max));
        let across = Scale::new(ends, (left + 12.0, RIGHT - 12.0));
        canvas.words("unit", (2.0, 11.0), Side::Begin, &self.up);
        canvas.beside(&up, self.unit, 5, (left, RIGHT));
        let bottom = TOP + HEIGHT;
        canvas.line("axis", (left, bottom), (RIGHT, bottom));
        self.stops_below(&across, bottom, &mut canvas);
        if let Some(base) = self.base {
            let x = across.at(base);
            canvas.line("through", (x, TOP - 4.0), (x, bottom));
            let half = width_of("as it is") / 2.0 + 2.0;
            canvas.words("unit", (x.max(half).min(WIDTH - half), 11.0), Side::Middle, "as it is");
        }
        let place = |point: &Point, mark: &Mark| {
            let (stop, _) = self.stops.get(point.stop)?;
            Some((across.at(*stop), up.at(mark.size?)))
        };
        for line in &self.lines {
            let lows = line.points.iter().filter_map(|point| place(point, &point.low));
            let highs = line.points.iter().rev().filter_map(|point| place(point, &point.high));
            canvas.add(path(line.classes.1, &lows.chain(highs).collect::<Vec<_>>(), true));
        }
        for line in &self.lines {
            let values: Vec<(f64, f64)> = line.points.iter().filter_map(|point| place(point, &point.value)).collect();
            canvas.add(path(line.classes.0, &values, false));
        }
        for line in &self.lines {
            for point in &line.points {
                let Some(at) = place(point, &point.value) else { continue };
                let (kind, radius) = if point.survives { ("full", 4.5) } else { ("open", 3.5) };
                let shape = dot("", at, radius).with("class", format!("{} {kind}", line.classes.0));
                let stop = self.stops.get(point.stop).map_or("", |(_, name)| name);
                let words = format!("{}: {}, {} = {stop}", line.name, point.value.text(), self.across);
                canvas.add(hint(point.value.on(shape), &words));
            }
        }
        canvas.finish(bottom + BELOW)
    }

    /// What the values are called, as far as there is room.
    fn stops_below(&self, across: &Scale, bottom: f64, canvas: &mut Canvas) {
        let mut order: Vec<&(f64, String)> = self.stops.iter().collect();
        order.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut free = 0.0;
        let room = (RIGHT - 40.0) / float(i128::try_from(order.len().max(1)).unwrap_or(1));
        for (place, name) in order {
            let x = across.at(*place);
            canvas.line("axis", (x, bottom), (x, bottom + 4.0));
            let half = width_of(name).min(room.max(34.0)) / 2.0 + 1.0;
            let middle = x.clamp(half + 1.0, WIDTH - half - 1.0);
            if middle - half >= free {
                canvas.add(words_in("tick", (middle, bottom + 17.0), Side::Middle, name, half * 2.0));
                free = middle + half + 4.0;
            }
        }
        let (begin, end) = across.ends();
        canvas.words("unit", (f64::midpoint(begin, end), bottom + 33.0), Side::Middle, &self.across);
    }
}
