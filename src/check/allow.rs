//! `# allow CODE: reason`: a warning that the author knows about.

use crate::load::Loaded;
use crate::report::{Fault, FileId, Severity, Sources, Span, codes};

/// One such comment.
struct Allowance {
    code: String,
    has_reason: bool,
    file: FileId,
    /// The line it speaks of: its own, or the next if it stands alone.
    line: usize,
    span: Span,
    used: bool,
}

/// All such comments of a ruleset.
pub(super) struct Allowances {
    all: Vec<Allowance>,
    sources: Sources,
}

impl Allowances {
    /// Finds them in rules, numbers and examples; those of a game are the game's business, not its variants'.
    pub(super) fn scan(loaded: &Loaded) -> Self {
        let sources = &loaded.sources;
        let mut all = Vec::new();
        for (file, source) in sources.iter().filter(|(file, _)| !loaded.foreign.contains(file)) {
            let mut at = 0;
            for (line, text) in source.text().split_inclusive('\n').enumerate() {
                if let Some((start, rest)) =
                    text.find("# allow ").and_then(|start| Some((start, text.get(start + 8..)?)))
                {
                    let (code, reason) = split_code(rest.trim());
                    all.push(Allowance {
                        code: code.to_owned(),
                        has_reason: !reason.is_empty(),
                        file,
                        line: if text.trim_start().starts_with('#') { line + 2 } else { line + 1 },
                        span: Span::new(file, at + start, at + text.trim_end().len()),
                        used: !loaded.is_own(file),
                    });
                }
                at += text.len();
            }
        }
        Self { all, sources: sources.clone() }
    }

    /// Drops the warnings that are allowed, and reports comments that allow nothing.
    pub(super) fn apply(mut self, faults: &mut Vec<Fault>) {
        faults.retain(|fault| !self.covers(fault));
        // With errors around, warnings have not all been looked for.
        if faults.iter().any(Fault::is_error) {
            return;
        }
        for allowance in self.all {
            let message = if allowance.has_reason {
                format!("there is no `{}` to allow here", allowance.code)
            } else {
                format!("`allow {}` gives no reason", allowance.code)
            };
            if !allowance.used || !allowance.has_reason {
                faults.push(
                    Fault::new(&codes::IDLE_ALLOW, allowance.span, message).label("allows nothing").help(
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
            allowance.file == fault.span.file && allowance.code == fault.code.id && allowance.line == line
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
