//! What is found about an entry: the verdict, and everything that explains it.

use crate::report::{Code, Fault, Span, codes};

/// Something to say about a line of a log.
#[derive(Debug, Clone)]
pub struct Finding {
    /// The verdict.
    pub code: &'static Code,
    /// The line, as far as it is meant.
    pub span: Span,
    /// The same as text.
    pub entry: String,
    /// One fact.
    pub message: String,
    /// What to see at the line.
    pub label: String,
    /// The rules that do not hold.
    pub broken: Vec<Broken>,
    /// What did hold: `move.empty: d4 is empty`.
    pub held: Vec<String>,
    /// Legal entries that are most like it.
    pub nearest: Vec<String>,
    /// The least that would have to be different.
    pub change: Option<String>,
    /// Earlier lines that made it so, and what they did.
    pub blame: Vec<(Span, String)>,
    /// How judging went on after it, if it did.
    pub resumed: Option<String>,
}

/// A rule that does not hold.
#[derive(Debug, Clone)]
pub struct Broken {
    /// `move.empty`
    pub name: String,
    /// The rule in words, with its values.
    pub phrase: Option<String>,
    /// The condition in the ruleset.
    pub span: Span,
    /// Its text.
    pub text: String,
    /// What it is made of, each part with its value.
    pub values: Vec<(String, String)>,
    /// Passages of the rulebook.
    pub citations: Vec<String>,
}

impl Finding {
    pub(super) fn new(code: &'static Code, span: Span, entry: &str, message: impl Into<String>) -> Self {
        Self {
            code,
            span,
            entry: entry.to_owned(),
            message: message.into(),
            label: String::new(),
            broken: Vec::new(),
            held: Vec::new(),
            nearest: Vec::new(),
            change: None,
            blame: Vec::new(),
            resumed: None,
        }
    }

    /// What is wrong with a line that could not be understood.
    pub(super) fn misread(code: &'static Code, fault: Fault, text: &str) -> Self {
        Self { change: fault.help, ..Self::new(code, fault.span, text, fault.message).label(fault.label) }
    }

    pub(super) fn label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    /// The verdict's name: `wrong-player`.
    #[must_use]
    pub fn verdict(&self) -> &'static str {
        self.code.id.split_once("::").map_or(self.code.id, |(_, name)| name)
    }

    /// The verdict with the requirements that do not hold: `requirement take.enough`.
    #[must_use]
    pub fn rule(&self) -> String {
        let names = self.broken.iter().map(|broken| broken.name.as_str());
        std::iter::once(self.verdict()).chain(names).collect::<Vec<_>>().join(" ")
    }

    /// Does it make the log illegal? What is unfinished or depends on something hidden does not.
    #[must_use]
    pub fn is_illegal(&self) -> bool {
        ![codes::UNFINISHED.id, codes::LEGAL_IF.id].contains(&self.code.id)
    }

    /// As a fault: the log's line, the rule in the ruleset as a second source, and the rest as advice.
    #[must_use]
    pub fn fault(&self) -> Fault {
        let mut fault = Fault::new(self.code, self.span, &self.message).label(&self.label);
        for broken in &self.broken {
            let values: Vec<String> = broken.values.iter().map(|(text, value)| format!("{text} is {value}")).collect();
            let told = if values.is_empty() { "does not hold".to_owned() } else { values.join(", ") };
            fault = fault.also(broken.span, format!("{}: {told}", broken.name));
            for citation in &broken.citations {
                if !fault.citations.contains(citation) {
                    fault.citations.push(citation.clone());
                }
            }
        }
        for (span, what) in &self.blame {
            fault = fault.also(*span, what);
        }
        let mut help = Vec::new();
        help.extend(self.change.clone());
        if !self.nearest.is_empty() {
            help.push(format!("nearest legal: {}", self.nearest.join("; ")));
        }
        if !self.held.is_empty() {
            help.push(format!("what did hold: {}", self.held.join("; ")));
        }
        help.extend(self.resumed.clone());
        if help.is_empty() { fault } else { fault.help(help.join("\n")) }
    }
}
