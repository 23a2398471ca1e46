//! What came of an example: what failed, and what happened on the way.

use crate::bind::Breaks;
use crate::report::{Code, Span};

/// What came of one section of an example.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// The rulebook rows it pins.
    pub rows: Vec<String>,
    /// What it shows.
    pub title: String,
    /// Which of the example's positions it begins with, from 1.
    pub position: usize,
    /// Where it is from.
    pub cites: Vec<String>,
    /// Its title in the file.
    pub span: Span,
    /// What was expected and did not come.
    pub failures: Vec<Failure>,
    /// How many expectations it has.
    pub expectations: usize,
    /// How many play.
    pub players: u32,
    /// What its position is said to break, and whether it does.
    pub breaks: Vec<(Breaks, bool)>,
    /// What happened, step by step; empty if nobody asked.
    pub moments: Vec<Moment>,
}

impl Outcome {
    /// Did everything come as expected?
    #[must_use]
    pub fn passed(&self) -> bool {
        self.failures.is_empty()
    }

    /// The rows it pins and its title, as the file of examples has them, and which position it is of several.
    #[must_use]
    pub fn heading(&self) -> String {
        let rows = if self.rows.is_empty() { String::new() } else { format!("{} ", self.rows.join(", ")) };
        let position = if self.position > 1 { format!(" #{}", self.position) } else { String::new() };
        format!("{rows}\"{}\"{position}", self.title)
    }
}

/// Something that was expected and did not come.
#[derive(Debug, Clone)]
pub struct Failure {
    /// What was expected.
    pub expected: String,
    /// What came.
    pub found: String,
    /// Parts of the expectation with their values.
    pub values: Vec<(String, String)>,
    /// Requirements that refused the entry: name, phrase with its values, place.
    pub requirements: Vec<(String, Option<String>, Span)>,
    /// The expectation or entry.
    pub span: Span,
    /// What kind of failure it is, if it has a page.
    pub code: Option<&'static Code>,
    /// What to do about it.
    pub help: Option<String>,
}

impl Failure {
    /// A failure with no more than this to say about it.
    pub(super) fn new(span: Span, expected: impl Into<String>, found: impl Into<String>) -> Self {
        let (expected, found) = (expected.into(), found.into());
        Self { expected, found, values: Vec::new(), requirements: Vec::new(), span, code: None, help: None }
    }

    /// Both in one line.
    #[must_use]
    pub fn message(&self) -> String {
        format!("expected {}, found {}", self.expected, self.found)
    }
}

/// What a record says of a step of an example.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Moment {
    /// The step as it is written, on one line: `given`, an entry, a condition with its values.
    pub step: String,
    /// What the entry cost and changed or why it was refused, who is next, what is possible, the scores, who wins.
    pub lines: Vec<String>,
}

impl Moment {
    /// The lines of a record.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        let details = self.lines.iter().map(|line| format!("        {line}"));
        std::iter::once(format!("    {}", self.step)).chain(details).collect()
    }
}
