//! Numbers of the report on the page: how they are shown, and the mark that says where they come from.
//!
//! Each carries its value as JSON has it and its path there, so that a test, or anybody, can compare the page with the
//! report. A path may name several places, with a blank between them or as `3~9`: then it is their sum that is shown.

use super::markup::{Markup, Tag};
use crate::statistics::ratio;

/// The blank in large numbers and before `%`: narrow, and no line ends there.
const BLANK: char = '\u{202f}';

/// How a number is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// A whole number.
    Count,
    /// With so many digits after the point.
    Digits(usize),
    /// As a part of a hundred.
    Share,
}

impl Form {
    /// The number in words of the page.
    pub(super) fn show(self, value: f64) -> String {
        match self {
            _ if !value.is_finite() => "–".to_owned(),
            Self::Share => format!("{}{BLANK}%", decimal(value * 100.0, 1)),
            Self::Count => decimal(value, 0),
            Self::Digits(digits) => decimal(value, digits),
        }
    }

    /// The same with its sign, for differences.
    fn show_signed(self, value: f64) -> String {
        let text = self.show(value);
        let nothing = !text.contains(|c: char| ('1'..='9').contains(&c));
        if value > 0.0 && !nothing { format!("+{text}") } else { text }
    }
}

/// A decimal number: groups of three, a true minus, and powers of ten where digits would say nothing.
pub(super) fn decimal(value: f64, digits: usize) -> String {
    let size = value.abs();
    if size >= 1e15 {
        return format!("{value:.2e}").replace('-', "−");
    }
    let digits = if size >= 1e6 { 0 } else { digits };
    let text = format!("{size:.digits$}");
    let (whole, rest) = text.split_once('.').map_or((text.as_str(), None), |(whole, rest)| (whole, Some(rest)));
    let negative = value < 0.0 && text.contains(|c: char| ('1'..='9').contains(&c));
    let mut out = if negative { "−".to_owned() } else { String::new() };
    for (at, digit) in whole.chars().enumerate() {
        if at > 0 && whole.len() > 4 && (whole.len() - at).is_multiple_of(3) {
            out.push(BLANK);
        }
        out.push(digit);
    }
    if let Some(rest) = rest {
        out.push('.');
        out.push_str(rest);
    }
    out
}

/// A whole number as a fraction, for drawing.
pub(super) fn float(value: impl Into<i128>) -> f64 {
    ratio(value.into(), 1).unwrap_or(0.0)
}

/// Where something stands in the JSON of the report: names and indices with points between them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Path(String);

impl Path {
    pub(super) fn to(&self, name: impl std::fmt::Display) -> Self {
        if self.0.is_empty() { Self(name.to_string()) } else { Self(format!("{}.{name}", self.0)) }
    }
}

/// A number of the report, or that there is none.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Mark {
    path: String,
    /// As it stands in JSON.
    value: Option<String>,
    /// As it is shown.
    text: String,
    /// For drawing.
    pub(super) size: Option<f64>,
}

impl Mark {
    /// A whole number.
    pub(super) fn count(path: &Path, value: impl Into<i128>) -> Self {
        let value = value.into();
        Self { value: Some(value.to_string()), ..Self::of(path.0.clone(), Some(float(value)), Form::Count) }
    }

    /// A number that may be missing.
    pub(super) fn new(path: &Path, value: Option<f64>, form: Form) -> Self {
        Self::of(path.0.clone(), value, form)
    }

    fn of(path: String, size: Option<f64>, form: Form) -> Self {
        let size = size.filter(|size| size.is_finite());
        let value = size.and_then(|size| serde_json::to_string(&size).ok());
        Self { path, value, text: size.map_or_else(|| "–".to_owned(), |size| form.show(size)), size }
    }

    /// The sum of some numbers.
    pub(super) fn sum(marks: &[Self], form: Form) -> Self {
        let size = marks.iter().filter_map(|mark| mark.size).sum();
        let paths: Vec<&str> = marks.iter().filter(|mark| mark.size.is_some()).map(|mark| mark.path.as_str()).collect();
        if paths.is_empty() { Self::none() } else { Self::of(paths.join(" "), Some(size), form) }
    }

    /// A number that is not there.
    pub(super) fn none() -> Self {
        Self { path: String::new(), value: None, text: "–".to_owned(), size: None }
    }

    /// The same with its sign.
    pub(super) fn signed(mut self, form: Form) -> Self {
        if let Some(size) = self.size {
            self.text = form.show_signed(size);
        }
        self
    }

    /// What is shown.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// For a shape that stands for the number.
    pub(super) fn on(&self, shape: Tag) -> Tag {
        match &self.value {
            Some(value) => shape.with("data-value", value).with("data-path", &self.path),
            None => shape,
        }
    }
}

impl From<&Mark> for Markup {
    fn from(mark: &Mark) -> Self {
        match &mark.value {
            Some(value) => Tag::new("data").with("value", value).with("data-path", &mark.path).text(&mark.text).into(),
            None => Self::text(&mark.text),
        }
    }
}

impl From<Mark> for Markup {
    fn from(mark: Mark) -> Self {
        (&mark).into()
    }
}
