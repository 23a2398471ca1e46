//! A fault: what is wrong, where, with which values, and what to do about it.
//!
//! One plain type for all stages, built where the fault is found, so that message, label and advice
//! stand beside the test that raises them. Rendering (terminal, JSON, SARIF) is elsewhere.

use super::codes::{Code, Severity};
use super::source::Span;

/// Something wrong, or doubtful, with its place.
#[derive(Debug, Clone, PartialEq)]
pub struct Fault {
    /// Stable code, with severity and explanation.
    pub code: &'static Code,
    /// One fact, lower case, no final stop, user text in backticks.
    pub message: String,
    /// Where.
    pub span: Span,
    /// What to see there.
    pub label: String,
    /// Other places that matter.
    pub related: Vec<(Span, String)>,
    /// What to do.
    pub help: Option<String>,
    /// The rulebook passages that the faulty rule comes from.
    pub citations: Vec<String>,
}

impl Fault {
    /// A fault at a place.
    pub fn new(code: &'static Code, span: Span, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            span,
            label: String::new(),
            related: Vec::new(),
            help: None,
            citations: Vec::new(),
        }
    }

    /// What to see at the place.
    #[must_use]
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    /// Another place that matters.
    #[must_use]
    pub fn also(mut self, span: Span, label: impl Into<String>) -> Self {
        self.related.push((span, label.into()));
        self
    }

    /// What to do.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// How bad it is.
    #[must_use]
    pub fn severity(&self) -> Severity {
        self.code.severity
    }

    /// Is it an error, not a warning?
    #[must_use]
    pub fn is_error(&self) -> bool {
        self.severity() == Severity::Error
    }
}

/// Sorts faults by place and drops those that are there twice.
pub fn settle(faults: &mut Vec<Fault>) {
    faults.sort_by(|a, b| (a.span, a.code.id, &a.message).cmp(&(b.span, b.code.id, &b.message)));
    faults.dedup_by(|a, b| a.code.id == b.code.id && a.span == b.span && a.message == b.message);
}
