//! What came of an example.

use crate::report::Span;

/// What came of one section of an example.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// The rulebook rows it pins.
    pub rows: Vec<String>,
    /// What it shows.
    pub title: String,
    /// Where it is from.
    pub cites: Vec<String>,
    /// Its title in the file.
    pub span: Span,
    /// What was expected and did not come.
    pub failures: Vec<Failure>,
    /// How many expectations it has.
    pub expectations: usize,
}

/// Something that was expected and did not come.
#[derive(Debug, Clone)]
pub struct Failure {
    /// Expected, found, values.
    pub message: String,
    /// The expectation or entry.
    pub span: Span,
}
