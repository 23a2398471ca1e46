//! Drawings with a line for each thing: bars, and values with what they may well be.
//!
//! Names stand above their lines and not beside them, so that long ones have the whole width.

use super::canvas::{BELOW, Canvas, RIGHT, Side, WIDTH, bar, dot, hint, line, width_of, words_in};
use super::markup::{Markup, Tag};
use super::number::Mark;
use super::scale::{Scale, Unit};

/// A drawing with rows over one axis.
#[derive(Debug, Clone)]
pub(super) struct Chart {
    pub(super) label: String,
    /// What the numbers at the axis are.
    pub(super) axis: String,
    pub(super) unit: Unit,
    /// Numbers that the axis must reach.
    pub(super) reach: Vec<f64>,
    /// A line through all rows, and what it means.
    pub(super) through: Option<(f64, String)>,
    pub(super) rows: Vec<Row>,
}

/// One thing.
#[derive(Debug, Clone)]
pub(super) struct Row {
    pub(super) name: String,
    /// What stands at the right, above the line.
    pub(super) note: Option<Mark>,
    pub(super) shapes: Vec<Shape>,
}

/// What a row shows. Offsets are from the top of its line.
#[derive(Debug, Clone)]
pub(super) enum Shape {
    /// From 0 to a number.
    Bar { size: Mark, class: &'static str, top: f64, thick: f64, hint: String },
    /// From one number to another.
    Span { low: Mark, high: Mark, class: &'static str, top: f64 },
    /// A number.
    Dot { at: Mark, class: &'static str, top: f64, hint: String },
}

impl Shape {
    fn bottom(&self) -> f64 {
        match self {
            Self::Bar { top, thick, .. } => top + thick,
            Self::Span { top, .. } => top + 5.0,
            Self::Dot { top, .. } => top + 6.0,
        }
    }

    fn sizes(&self) -> impl Iterator<Item = f64> {
        let (one, other) = match self {
            Self::Bar { size, .. } => (size.size, Some(0.0)),
            Self::Span { low, high, .. } => (low.size, high.size),
            Self::Dot { at, .. } => (at.size, None),
        };
        one.into_iter().chain(other)
    }

    fn draw(&self, scale: &Scale, y: f64) -> Option<Markup> {
        let x = |mark: &Mark| mark.size.map(|size| scale.at(size));
        Some(match self {
            Self::Bar { size, class, top, thick, hint: words } => {
                let bar = bar(class, (scale.at(0.0), y + top), (x(size)?, y + top + thick));
                hint(size.on(bar), words).into()
            }
            Self::Span { low, high, class, top } => {
                let (from, to) = (x(low)?, x(high)?);
                let to = if (to - from).abs() < 0.5 { from + 0.5 } else { to };
                line(class, (from, y + top), (to, y + top)).into()
            }
            Self::Dot { at, class, top, hint: words } => hint(at.on(dot(class, (x(at)?, y + top), 5.0)), words).into(),
        })
    }
}

/// Where words stand above their line, and where the line is.
const NAME: f64 = 14.0;
const LINE: f64 = 20.0;

impl From<Chart> for Markup {
    fn from(rows: Chart) -> Self {
        let Chart { label, axis, unit, reach, through, rows } = rows;
        let mut canvas = Canvas::new(label);
        let sizes = || rows.iter().flat_map(|row| row.shapes.iter().flat_map(Shape::sizes)).chain(reach.clone());
        let (low, high) = (sizes().fold(f64::MAX, f64::min), sizes().fold(f64::MIN, f64::max));
        let scale = Scale::new((low, high), (8.0, RIGHT)).rounded(5);
        let top = if through.is_some() { 20.0 } else { 2.0 };
        let mut y = top;
        let mut drawn = Markup::default();
        let mut words = Vec::new();
        for row in &rows {
            let note = row.note.as_ref().map_or(0.0, |note| width_of(note.text()) * 1.15 + 12.0);
            words.push(Markup::from(words_in("name", (8.0, y + NAME), Side::Begin, &row.name, RIGHT - 8.0 - note)));
            if let Some(note) = &row.note {
                let tag = words_in("note", (RIGHT, y + NAME), Side::End, note.text(), WIDTH);
                words.push(note.on(tag).into());
            }
            row.shapes.iter().filter_map(|shape| shape.draw(&scale, y + LINE)).for_each(|shape| drawn.push(shape));
            y += LINE + row.shapes.iter().map(Shape::bottom).fold(4.0, f64::max) + 8.0;
        }
        canvas.below(&scale, unit, &axis, (top, y));
        if let Some((value, words)) = through {
            let x = scale.at(value);
            canvas.line("through", (x, top - 4.0), (x, y));
            let half = width_of(&words) / 2.0 + 2.0;
            canvas.words("unit", (x.max(half).min(WIDTH - half), 11.0), Side::Middle, &words);
        }
        canvas.add(Tag::new("g").add(drawn));
        words.into_iter().for_each(|words| canvas.add(words));
        canvas.finish(y + BELOW)
    }
}
