//! Recorded outcomes: what happens in the examples of one file, as a text that can be kept and compared.
//!
//! Conditions say what an author cares about; a record also says what nobody thought of: what each entry costs and
//! changes, who is next, which moves are possible, what everybody has. A change of the rules shows in it at once.

use std::fmt;

use super::outcome::Outcome;

/// The first line of every record.
const HEAD: &str = "# Written by `ludex test --accept`, compared by `ludex test`.";

/// What happens in the examples of a file: headings with their lines.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Record {
    blocks: Vec<(String, Vec<String>)>,
}

/// An example whose outcome is not the recorded one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// Its heading.
    pub heading: String,
    /// Lines with `-` (recorded), `+` (found) or a blank (both) in front.
    pub lines: Vec<String>,
}

impl Record {
    /// What came of the examples of one file, after how games begin ([`super::Suite::beginnings`]). The examples must
    /// have been asked for their moments.
    #[must_use]
    pub fn of<'o>(beginnings: &[(String, Vec<String>)], outcomes: impl IntoIterator<Item = &'o Outcome>) -> Self {
        let indented = |lines: &[String]| lines.iter().map(|line| format!("    {line}")).collect();
        let mut blocks: Vec<(String, Vec<String>)> =
            beginnings.iter().map(|(heading, lines)| (heading.clone(), indented(lines))).collect();
        for outcome in outcomes {
            let mut heading = outcome.heading();
            // Two examples may have the same title.
            while blocks.iter().any(|(known, _)| *known == heading) {
                heading += " again";
            }
            blocks.push((heading, outcome.moments.iter().flat_map(super::Moment::lines).collect()));
        }
        Self { blocks }
    }

    /// Reads a record. Lines that do not begin with a blank are headings, `#` begins a comment.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let mut blocks: Vec<(String, Vec<String>)> = Vec::new();
        for line in text.lines().map(str::trim_end).filter(|line| !line.is_empty() && !line.starts_with('#')) {
            match blocks.last_mut() {
                Some((_, lines)) if line.starts_with(' ') => lines.push(line.to_owned()),
                _ => blocks.push((line.to_owned(), Vec::new())),
            }
        }
        Self { blocks }
    }

    /// What differs from this record. Examples that were not played are missed only if all were to be.
    #[must_use]
    pub fn differences(&self, found: &Record, all: bool) -> Vec<Difference> {
        let mut differences = Vec::new();
        for (heading, lines) in &found.blocks {
            let recorded = self.lines(heading);
            if recorded != Some(lines) {
                let nothing = Vec::new();
                differences
                    .push(Difference { heading: heading.clone(), lines: diff(recorded.unwrap_or(&nothing), lines) });
            }
        }
        for (heading, lines) in self.blocks.iter().filter(|(heading, _)| all && found.lines(heading).is_none()) {
            differences.push(Difference { heading: heading.clone(), lines: diff(lines, &[]) });
        }
        differences
    }

    /// This record with what was found in place of what it has under the same headings.
    #[must_use]
    pub fn with(mut self, found: Record) -> Self {
        for (heading, lines) in found.blocks {
            match self.blocks.iter_mut().find(|(known, _)| *known == heading) {
                Some((_, known)) => *known = lines,
                None => self.blocks.push((heading, lines)),
            }
        }
        self
    }

    fn lines(&self, heading: &str) -> Option<&Vec<String>> {
        self.blocks.iter().find(|(known, _)| known == heading).map(|(_, lines)| lines)
    }
}

impl fmt::Display for Record {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(out, "{HEAD}")?;
        for (heading, lines) in &self.blocks {
            writeln!(out, "\n{heading}")?;
            lines.iter().try_for_each(|line| writeln!(out, "{line}"))?;
        }
        Ok(())
    }
}

/// Pairs of lines that are compared; beyond that, a difference is one text after the other.
const MOST_PAIRS: usize = 4_000_000;

/// Both texts in one, by their longest common part: lines with `-`, `+` or a blank in front.
pub(crate) fn diff(old: &[String], new: &[String]) -> Vec<String> {
    if old.len().saturating_mul(new.len()) > MOST_PAIRS {
        let (gone, come) = (old.iter().map(|line| format!("-{line}")), new.iter().map(|line| format!("+{line}")));
        return gone.chain(come).collect();
    }
    // common[a][b]: how many lines `old[a..]` and `new[b..]` have in common.
    let mut common = vec![vec![0_usize; new.len() + 1]; old.len() + 1];
    for a in (0..old.len()).rev() {
        for b in (0..new.len()).rev() {
            let longer = common[a + 1][b].max(common[a][b + 1]);
            common[a][b] = if old[a] == new[b] { common[a + 1][b + 1] + 1 } else { longer };
        }
    }
    let (mut a, mut b) = (0, 0);
    let mut lines = Vec::new();
    while a < old.len() || b < new.len() {
        if a < old.len() && b < new.len() && old[a] == new[b] {
            lines.push(format!(" {}", old[a]));
            (a, b) = (a + 1, b + 1);
        } else if b == new.len() || (a < old.len() && common[a + 1][b] >= common[a][b + 1]) {
            lines.push(format!("-{}", old[a]));
            a += 1;
        } else {
            lines.push(format!("+{}", new[b]));
            b += 1;
        }
    }
    lines
}
