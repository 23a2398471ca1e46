//! Shapes, words and axes of a drawing.
//!
//! All drawings have the same width in their own units and are scaled to the column they stand in: about one and a
//! third on a wide screen, a little less than one on a telephone, so that words stay readable on both.

use super::markup::{Markup, Tag};
use super::scale::{Scale, Unit};

/// From the left to the right edge.
pub(super) const WIDTH: f64 = 440.0;

/// What is kept free at the right edge.
pub(super) const RIGHT: f64 = WIDTH - 8.0;

/// Classes of seats and sides: areas, lines, bands, and samples of lines.
pub(super) const AREAS: [&str; 6] = ["f0", "f1", "f2", "f3", "f4", "f5"];
pub(super) const LINES: [&str; 6] = ["l0", "l1", "l2", "l3", "l4", "l5"];
pub(super) const BANDS: [&str; 6] = ["b0", "b1", "b2", "b3", "b4", "b5"];

/// The class of a seat; colours come round again after six.
pub(super) fn nth(classes: &[&'static str; 6], number: usize) -> &'static str {
    classes.get(number % classes.len()).copied().unwrap_or("f0")
}

/// A drawing on its way.
#[derive(Debug, Clone)]
pub(super) struct Canvas {
    /// What whoever does not see it is told.
    label: String,
    body: Markup,
}

impl Canvas {
    pub(super) fn new(label: impl Into<String>) -> Self {
        Self { label: label.into(), body: Markup::default() }
    }

    pub(super) fn add(&mut self, shape: impl Into<Markup>) {
        self.body.push(shape);
    }

    pub(super) fn line(&mut self, class: &'static str, (x1, y1): (f64, f64), (x2, y2): (f64, f64)) {
        self.add(line(class, (x1, y1), (x2, y2)));
    }

    /// Words that begin, are centred or end here, cut to fit.
    pub(super) fn words(&mut self, class: &'static str, (x, y): (f64, f64), side: Side, words: &str) {
        let room = match side {
            Side::Begin => RIGHT - x,
            Side::Middle => 2.0 * (x - 2.0).min(WIDTH - 2.0 - x),
            Side::End => x - 2.0,
        };
        self.add(words_in(class, (x, y), side, words, room));
    }

    /// Numbers below, with what they are, and lines up from them.
    pub(super) fn below(&mut self, scale: &Scale, unit: Unit, words: &str, (top, bottom): (f64, f64)) {
        for (value, text) in scale.ticks(about(scale, unit), unit) {
            let x = scale.at(value);
            self.line("grid", (x, top), (x, bottom));
            // What stands at an edge stays inside.
            let half = width_of(&text) / 2.0;
            self.add(words_in(
                "tick",
                (x.clamp(half + 1.0, WIDTH - half - 1.0), bottom + 15.0),
                Side::Middle,
                &text,
                WIDTH,
            ));
        }
        let (begin, end) = scale.ends();
        self.line("axis", (begin, bottom), (end, bottom));
        self.words("unit", (f64::midpoint(begin, end), bottom + 31.0), Side::Middle, words);
    }

    /// Numbers at the left, and lines to the right from them.
    pub(super) fn beside(&mut self, scale: &Scale, unit: Unit, about: u32, (left, right): (f64, f64)) {
        for (value, text) in scale.ticks(about, unit) {
            let y = scale.at(value);
            self.line("grid", (left, y), (right, y));
            self.words("tick", (left - 6.0, y + 4.0), Side::End, &text);
        }
    }

    pub(super) fn finish(self, height: f64) -> Markup {
        Tag::new("svg")
            .with("viewBox", format!("0 0 {} {}", place(WIDTH), place(height)))
            .with("role", "img")
            .with("aria-label", self.label)
            .add(self.body)
            .into()
    }
}

/// How much room is under an axis with its numbers and words.
pub(super) const BELOW: f64 = 38.0;

/// As many numbers as fit below.
fn about(scale: &Scale, unit: Unit) -> u32 {
    let (begin, end) = scale.ends();
    let wide = |about: u32| {
        let ticks = scale.ticks(about, unit);
        ticks.iter().map(|(_, text)| width_of(text) + 16.0).sum::<f64>() > (end - begin).abs() + 20.0
    };
    [8, 6, 5, 4, 3, 2].into_iter().find(|&about| !wide(about)).unwrap_or(1)
}

/// How far left an axis at the left must stay away from the edge for its numbers.
pub(super) fn room_beside(scale: &Scale, unit: Unit, about: u32) -> f64 {
    let texts = scale.ticks(about, unit);
    texts.iter().map(|(_, text)| width_of(text)).fold(12.0, f64::max) + 10.0
}

pub(super) fn line(class: &'static str, (x1, y1): (f64, f64), (x2, y2): (f64, f64)) -> Tag {
    let place = |tag: Tag, name, value| tag.with(name, self::place(value));
    let tag = place(place(Tag::new("line").class(class), "x1", x1), "y1", y1);
    place(place(tag, "x2", x2), "y2", y2)
}

/// A rectangle from corner to corner, never thinner than can be seen.
pub(super) fn bar(class: &'static str, (x1, y1): (f64, f64), (x2, y2): (f64, f64)) -> Tag {
    Tag::new("rect")
        .class(class)
        .with("x", place(x1.min(x2)))
        .with("y", place(y1.min(y2)))
        .with("width", place((x2 - x1).abs().max(0.6)))
        .with("height", place((y2 - y1).abs().max(0.6)))
}

pub(super) fn dot(class: &'static str, (x, y): (f64, f64), radius: f64) -> Tag {
    Tag::new("circle").class(class).with("cx", place(x)).with("cy", place(y)).with("r", place(radius))
}

/// Lines from point to point; `closed` makes an area of them.
pub(super) fn path(class: &'static str, points: &[(f64, f64)], closed: bool) -> Tag {
    let steps = points
        .iter()
        .enumerate()
        .map(|(at, &(x, y))| format!("{}{} {}", if at == 0 { "M" } else { "L" }, place(x), place(y)));
    let end = if closed { "Z" } else { "" };
    Tag::new("path").class(class).with("d", format!("{}{end}", steps.collect::<String>()))
}

/// What is said when somebody points at a shape.
pub(super) fn hint(shape: Tag, words: &str) -> Tag {
    shape.add(Tag::new("title").text(words))
}

/// Where words stand beside their point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Begin,
    Middle,
    End,
}

/// Words that are cut to their room; the whole of them is said when somebody points there.
pub(super) fn words_in(class: &'static str, (x, y): (f64, f64), side: Side, words: &str, room: f64) -> Tag {
    let anchor = match side {
        Side::Begin => "start",
        Side::Middle => "middle",
        Side::End => "end",
    };
    let tag = Tag::new("text").class(class).with("x", place(x)).with("y", place(y)).with("text-anchor", anchor);
    let cut = cut(words, room);
    if cut == words { tag.text(words) } else { hint(tag.text(cut), words) }
}

/// As much of a text as there is room for.
fn cut(text: &str, room: f64) -> String {
    if width_of(text) <= room {
        return text.to_owned();
    }
    let mut left = room - 12.0;
    let fits = |sign: &char| {
        left -= width_of_sign(*sign);
        left >= 0.0
    };
    let kept: String = text.chars().take_while(fits).collect();
    format!("{}…", kept.trim_end())
}

/// About how wide words are: rather too wide than too narrow, for nobody knows the reader's font.
pub(super) fn width_of(text: &str) -> f64 {
    text.chars().map(width_of_sign).sum()
}

fn width_of_sign(sign: char) -> f64 {
    match sign {
        'i' | 'j' | 'l' | 't' | 'f' | 'r' | '.' | ',' | ':' | ' ' | '\u{202f}' | '|' | '\'' | '(' | ')' => 4.4,
        'm' | 'w' | 'M' | 'W' | '@' | '%' | '…' | '—' => 12.8,
        'A'..='Z' | '−' | '+' | '→' | '_' => 8.6,
        sign if sign < '\u{1100}' => 7.2,
        _ => 13.0,
    }
}

/// A place on paper, to a tenth.
pub(super) fn place(value: f64) -> String {
    let value = if value.is_finite() { value.clamp(-1e5, 1e5) } else { 0.0 };
    let text = format!("{value:.1}");
    let text = text.strip_suffix(".0").unwrap_or(&text);
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}
