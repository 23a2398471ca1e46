//! The shortest log with the same fault: what a bug report, or a test, should hold.
//!
//! What follows the fault is cut off. Of what stands before it, whole turns are left out, then runs of
//! entries, then single ones, as long as the verdict stays the same. Last, games are searched from the
//! beginning, level by level, for a position in which the same entry fails in the same way: that finds a log
//! that no leaving out can lead to, or proves that there is none.

mod cut;
mod reduce;
mod search;
mod trial;
mod trying;
mod violation;

use crate::bind;
use crate::evaluate::Trouble;
use crate::log::{Closed, Expect, Form, json_line_to_text};
use crate::report::{Fault, FileId, Span};

use super::finding::Finding;
use super::game::Judge;
use super::head::{Head, lines_of};
use super::judged::{Judged, Strictness};
use super::rules::{By, Origin, Rules};
use super::single::judge_one;
use cut::Cut;
pub(crate) use cut::Item;
use trial::Trial;
pub(crate) use trial::legal;
pub(crate) use trying::{Trying, fewest};
pub use violation::{Short, shortest_failure, shortest_violation};

/// How much work may be done.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Positions that may be searched.
    pub positions: usize,
    /// Entries that may be played while something is left out.
    pub steps: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { positions: 200_000, steps: 2_000_000 }
    }
}

/// How short the result is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Proof {
    /// No shorter log exists.
    Shortest,
    /// No entry can be left out.
    Minimal,
    /// The work was too much to try everything.
    Unproved,
}

impl Proof {
    /// In a word, for programs.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Shortest => "shortest",
            Self::Minimal => "minimal",
            Self::Unproved => "unproved",
        }
    }
}

/// A shortened log.
#[derive(Debug, Clone)]
pub struct Shrunk {
    /// Its text.
    pub text: String,
    /// The verdict.
    pub verdict: &'static str,
    /// The requirements that do not hold.
    pub requirements: Vec<String>,
    /// Entries before the fault: that there were, and that are left.
    pub entries: (usize, usize),
    /// How short it is.
    pub proof: Proof,
    /// Positions that were searched.
    pub positions: usize,
}

/// What came of shrinking a log.
#[derive(Debug)]
pub enum Shrinking {
    /// A log with the same fault.
    Shrunk(Box<Shrunk>),
    /// There is no fault to keep.
    Nothing(Box<Judged>),
    /// What was left does not have the same verdict: a fault of this program.
    Lost,
}

/// What is to be kept: the verdict, the requirements that do not hold, and of a wrong claim what is right.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Wanted {
    verdict: &'static str,
    requirements: Vec<String>,
    words: Option<(String, String)>,
}

impl Wanted {
    fn of(finding: &Finding) -> Self {
        let mut requirements: Vec<String> = finding.broken.iter().map(|broken| broken.name.clone()).collect();
        requirements.sort();
        let verdict = finding.verdict();
        let words = (verdict == "bookkeeping").then(|| (finding.message.clone(), finding.label.clone()));
        Self { verdict, requirements, words }
    }
}

/// Shrinks a game of a file, in which it begins with this line; if it cannot be judged, it is said why.
pub fn shrink(origin: Origin<'_>, by: &By, text: &str, form: Form, limits: Limits) -> Result<Shrinking, Box<Closed>> {
    let Origin { name: file, line, path } = origin;
    let closed = |rules: Option<&Rules>, name: &str, text: &str, faults: Vec<Fault>| {
        let mut sources = rules.map(|rules| rules.loaded.sources.clone()).unwrap_or_default();
        sources.add_part(name, text, line);
        Box::new(Closed { sources, faults })
    };
    let text = match as_text(text, form) {
        Ok(text) => text,
        Err(fault) => return Err(closed(None, file, text, vec![*fault])),
    };
    // What was JSON is shown as it was understood.
    let name = if form == Form::Text { file.to_owned() } else { format!("{file} as text") };
    let read = |id| Head::read(&text, Form::Text, id);
    let head = read(FileId::default()).map_err(|faults| closed(None, &name, &text, faults))?;
    let rules = Rules::of(head.log(), by, Origin { name: &name, line, path }, &text)?;
    let head = read(rules.file).map_err(|faults| closed(None, &name, &text, faults))?;
    match shrunk(&rules, &text, &head, limits) {
        Ok(Shrinking::Nothing(judged)) if !judged.faults.is_empty() => {
            Err(closed(Some(&rules), &name, &text, judged.faults))
        }
        Ok(other) => Ok(other),
        Err(trouble) => Err(closed(Some(&rules), &name, &text, vec![rules.cannot_go_on(&trouble, None)])),
    }
}

/// A game in the notation for people.
fn as_text(text: &str, form: Form) -> Result<String, Box<Fault>> {
    if form == Form::Text {
        return Ok(text.to_owned());
    }
    let mut out = String::new();
    for (start, line) in lines_of(text).filter(|(_, line)| !line.trim().is_empty()) {
        let span = Span::new(FileId::default(), start, start + line.len());
        out += json_line_to_text(line, span)?.trim_end();
        out.push('\n');
    }
    Ok(out)
}

fn shrunk(rules: &Rules, text: &str, head: &Head, limits: Limits) -> Result<Shrinking, Trouble> {
    let items = bind::effective(&rules.loaded.layers, &mut Vec::new());
    let mut judge = Judge::new(rules, &items, Strictness::default());
    let judged = judge.game(text, Form::Text, &head.reader, head.body);
    let Some(fault) = judged.fault().filter(|_| judged.faults.is_empty()) else {
        return Ok(Shrinking::Nothing(Box::new(judged)));
    };
    let wanted = Wanted::of(fault);
    let Some(cut) = Cut::new(&mut judge, text, head, fault)? else { return Ok(Shrinking::Lost) };
    let mut log = head.log().clone();
    let name = wanted.requirements.first().cloned();
    log.expect = Some(Expect { verdict: wanted.verdict.to_owned(), name, span: Span::default() });
    let was = cut.items.len();
    let over = judged.outcome.is_some();
    let Some(mut trial) = Trial::new(judge, &log, &cut, (wanted.clone(), over), limits.steps) else {
        return Ok(Shrinking::Lost);
    };
    let (kept, proof, positions) = fewest(&mut trial, cut.items, limits)?;
    let (text, _) = trial.text(&kept.iter().collect::<Vec<_>>());
    // Judged once more, as anybody will who reads it.
    if judge_one(rules, &text, Form::Text, Strictness::default()).fault().map(Wanted::of).as_ref() != Some(&wanted) {
        return Ok(Shrinking::Lost);
    }
    Ok(Shrinking::Shrunk(Box::new(Shrunk {
        text,
        verdict: wanted.verdict,
        requirements: wanted.requirements,
        entries: (was, kept.len()),
        proof,
        positions,
    })))
}

#[cfg(test)]
mod tests;
