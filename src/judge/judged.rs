//! What came of judging a game.

use super::finding::Finding;
use crate::log;
use crate::report::Fault;

/// How to judge.
#[derive(Debug, Clone, Copy)]
pub struct Strictness {
    /// Go on after a fault.
    pub all: bool,
    /// Entries that a game may have.
    pub most_entries: usize,
}

impl Default for Strictness {
    fn default() -> Self {
        Self { all: false, most_entries: 100_000 }
    }
}

/// What came of judging a game.
#[derive(Debug, Clone, Default)]
pub struct Judged {
    /// The game, as the log names it.
    pub game: String,
    /// The ruleset that it was judged by, as people see it; empty if there was none.
    pub ruleset: String,
    /// What was found, in order; nothing for a legal game that is over.
    pub findings: Vec<Finding>,
    /// Why there is no verdict.
    pub faults: Vec<Fault>,
    /// What is doubtful.
    pub warnings: Vec<Fault>,
    /// Legal entries.
    pub entries: usize,
    /// Entries that were passed over after a fault.
    pub skipped: usize,
    /// Each seat with its score, if the game is over.
    pub scores: Vec<(String, i64)>,
    /// How the game ends by the rules, if it is over, whatever its log says about that.
    pub outcome: Option<log::Outcome>,
    /// What the log must come to, if it says so.
    pub expect: Option<log::Expect>,
}

impl Judged {
    /// The verdict in a word: that of the first thing that makes it illegal, or of what is left open.
    #[must_use]
    pub fn verdict(&self) -> &'static str {
        if !self.faults.is_empty() {
            return "no-verdict";
        }
        self.fault().or(self.findings.first()).map_or("legal", Finding::verdict)
    }

    /// What makes it illegal.
    #[must_use]
    pub fn fault(&self) -> Option<&Finding> {
        self.findings.iter().find(|finding| finding.is_illegal())
    }
}
