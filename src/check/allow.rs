//! `# allow CODE: reason`: a warning, or something that no example shows, that the author knows about.

use crate::load::Loaded;
use crate::report::{Fault, FileId, Severity, Sources, Span, codes};

/// Codes that are not of `check`, and are looked for by others, with the kinds of what they allow.
const OF_OTHERS: &[&str] = &["test::coverage", "test::mutant"];

/// One such comment.
#[derive(Debug, Clone)]
pub struct Allowed {
    /// What is allowed.
    pub code: String,
    /// Why.
    pub reason: String,
    /// The file that the comment stands in.
    pub file: FileId,
    /// The line it speaks of: its own, or if it stands alone the next that is no comment.
    pub line: usize,
    /// The comment.
    pub span: Span,
}

/// One such comment, and whether anything was found that it allows.
struct Allowance {
    said: Allowed,
    used: bool,
}

/// The comments of a ruleset that allow this code, or a kind of it (`CODE::KIND`), and give a reason.
#[must_use]
pub fn allowed(loaded: &Loaded, code: &str) -> Vec<Allowed> {
    let mut all = scan(loaded);
    all.retain(|said| is_of(&said.code, code) && !said.reason.is_empty());
    all
}

/// Is it this code, or a kind of it?
fn is_of(said: &str, code: &str) -> bool {
    said.strip_prefix(code).is_some_and(|kind| kind.is_empty() || kind.starts_with("::"))
}

/// Finds all comments in rules, numbers and examples; those of a game are the game's business, not its variants'.
fn scan(loaded: &Loaded) -> Vec<Allowed> {
    let mut all = Vec::new();
    for (file, source) in loaded.sources.iter().filter(|(file, _)| !loaded.foreign.contains(file)) {
        let mut at = 0;
        let lines: Vec<&str> = source.text().split_inclusive('\n').collect();
        for (text, rules) in lines.iter().zip(rules_from(&lines)) {
            if let Some((start, rest)) = text.find("# allow ").and_then(|start| Some((start, text.get(start + 8..)?))) {
                let (code, reason) = split_code(rest.trim());
                all.push(Allowed {
                    code: code.to_owned(),
                    reason: reason.to_owned(),
                    file,
                    line: rules + 1,
                    span: Span::new(file, at + start, at + text.trim_end().len()),
                });
            }
            at += text.len();
        }
    }
    all
}

/// For each line the first one from there on that is no comment.
fn rules_from(lines: &[&str]) -> Vec<usize> {
    let mut next = lines.len();
    let mut found: Vec<usize> = (0..lines.len())
        .rev()
        .map(|line| {
            if !lines[line].trim_start().starts_with('#') {
                next = line;
            }
            next
        })
        .collect();
    found.reverse();
    found
}

/// All such comments of a ruleset.
pub(super) struct Allowances {
    all: Vec<Allowance>,
    sources: Sources,
}

impl Allowances {
    /// Finds them; whether those of others are needed is not for `check` to say.
    pub(super) fn scan(loaded: &Loaded) -> Self {
        let used = |said: &Allowed| !loaded.is_own(said.file) || OF_OTHERS.iter().any(|code| is_of(&said.code, code));
        let all = scan(loaded).into_iter().map(|said| Allowance { used: used(&said), said }).collect();
        Self { all, sources: loaded.sources.clone() }
    }

    /// Drops the warnings that are allowed, and reports comments that allow nothing.
    pub(super) fn apply(mut self, faults: &mut Vec<Fault>) {
        faults.retain(|fault| !self.covers(fault));
        // With errors around, warnings have not all been looked for.
        if faults.iter().any(Fault::is_error) {
            return;
        }
        for allowance in self.all {
            let Allowance { said, used } = allowance;
            let message = if said.reason.is_empty() {
                format!("`allow {}` gives no reason", said.code)
            } else {
                format!("there is no `{}` to allow here", said.code)
            };
            if !used || said.reason.is_empty() {
                faults.push(
                    Fault::new(&codes::IDLE_ALLOW, said.span, message).label("allows nothing").help(
                        "write `# allow CODE: reason` on the line of the warning or the line before, or delete it",
                    ),
                );
            }
        }
    }

    fn covers(&mut self, fault: &Fault) -> bool {
        if fault.severity() == Severity::Error || fault.code.id == codes::IDLE_ALLOW.id {
            return false;
        }
        let Some(source) = self.sources.get(fault.span.file) else { return false };
        let line = source.line_of(fault.span.start);
        let found = self.all.iter_mut().find(|allowance| {
            let said = &allowance.said;
            said.file == fault.span.file && said.code == fault.code.id && said.line == line
        });
        match found {
            Some(allowance) => {
                allowance.used = true;
                true
            }
            None => false,
        }
    }
}

/// `check::unused: kept for the second edition` → code and reason. Codes hold `::`, so the reason begins after `: `.
fn split_code(text: &str) -> (&str, &str) {
    match text.split_once(": ") {
        Some((code, reason)) => (code.trim(), reason.trim()),
        None => (text.trim_end_matches(':'), ""),
    }
}
