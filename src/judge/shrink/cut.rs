//! A log, cut at its fault: entries that can be left out, and what must stay.

use crate::bind::Entry;
use crate::evaluate::Trouble;
use crate::internal::Must;
use crate::log::{self, Claim, Heard, Line, entry_text, lines};
use crate::machine::Machine;
use crate::play::shown_chance;
use crate::report::Span;
use crate::simulate;

use super::super::finding::Finding;
use super::super::game::Judge;
use super::super::head::Head;
use super::super::steps::steps;
use super::super::worlds::is_open;

/// An entry before the fault.
#[derive(Debug, Clone)]
pub(crate) struct Item {
    /// As it is written in the result.
    pub(crate) text: String,
    /// What is claimed after it, where that may matter.
    claims: Vec<String>,
    /// What it says, if it may still be left out.
    pub(crate) entry: Option<Entry>,
}

impl Item {
    /// One that says this.
    pub(crate) fn new(text: String, entry: Option<Entry>) -> Self {
        Self { text, claims: Vec::new(), entry }
    }

    /// One that stays.
    pub(super) fn fixed(text: String) -> Self {
        Self { text, claims: Vec::new(), entry: None }
    }

    /// Its line, with something more that is claimed after it.
    pub(super) fn line(&self, more: Option<&str>) -> String {
        let claims: Vec<&str> = self.claims.iter().map(String::as_str).chain(more).collect();
        let blank = if self.text.is_empty() || claims.is_empty() { "" } else { " " };
        let then = if claims.is_empty() { String::new() } else { format!("then {}", claims.join(", ")) };
        format!("{}{blank}{then}\n", self.text)
    }
}

/// What fails.
#[derive(Debug, Clone)]
pub(super) enum Tail {
    /// Nothing after the head does: it is the head.
    Head,
    /// An entry, as far as it can be read.
    Entry(String, Option<Entry>),
    /// A claim about where the game stands.
    Claim(String),
    /// The result, or what stands after it.
    Result(Vec<String>),
}

/// A log that was cut.
pub(super) struct Cut {
    pub(super) items: Vec<Item>,
    pub(super) tail: Tail,
    /// Is something unknown before the fault? Then lines stay as they are, with what they claim.
    pub(super) open: bool,
}

impl Cut {
    /// Cuts a log at its fault; nothing if the fault is not where it is said to be.
    pub(super) fn new(
        judge: &mut Judge<'_>,
        text: &str,
        head: &Head,
        fault: &Finding,
    ) -> Result<Option<Self>, Trouble> {
        let mut cut = Self { items: Vec::new(), tail: Tail::Head, open: false };
        if (fault.span.start as usize) < head.body {
            return Ok(Some(cut));
        }
        let mut machine = Machine::new(&judge.rules.program);
        machine.begin()?;
        let mut reader = head.reader.clone();
        let (mut end, mut found) = (Vec::new(), false);
        let rest = text.get(head.body..).must("a body begins within its text");
        for raw in lines(head.body, rest).filter(|raw| !raw.is_blank()) {
            let is_fault = (raw.start..=raw.start + raw.text.len()).contains(&(fault.span.start as usize));
            let Ok(heard) = reader.line(&raw) else { return Ok(None) };
            match heard {
                Heard::Entry(line) if reader.ended().is_none() => {
                    if is_fault {
                        cut.last(judge, &mut machine, &line, fault.span)?;
                        return Ok(Some(cut));
                    }
                    cut.line(judge, &mut machine, &line)?;
                }
                Heard::Entry(_) => end.push(raw.text.to_owned()),
                Heard::End => {
                    end.push(raw.text.to_owned());
                    // The result is not complete without who won.
                    found |= is_fault;
                    if found && end.len() < 2 {
                        continue;
                    }
                }
                Heard::Head => {}
            }
            if is_fault || found {
                cut.tail = Tail::Result(end);
                return Ok(Some(cut));
            }
        }
        Ok(None)
    }

    /// A line before the fault.
    fn line(&mut self, judge: &mut Judge<'_>, machine: &mut Machine<'_>, line: &Line) -> Result<(), Trouble> {
        if line.text.is_empty() {
            // A claim belongs to what stands before it.
            if let Some(last) = self.items.last_mut().filter(|_| self.open) {
                last.claims.extend(claims(line));
            }
            return Ok(());
        }
        let Ok(entries) = log::read_entry(judge.notation(), line.span, &line.text) else { return Ok(()) };
        if self.open || entries.iter().any(is_open) {
            self.open = true;
            self.items.push(Item { text: canonical(line), claims: claims(line), entry: entries.into_iter().next() });
            return Ok(());
        }
        for entry in entries {
            self.play(judge, machine, entry)?;
        }
        Ok(())
    }

    /// Plays a legal entry, and takes it as it is written canonically; false if it is not legal.
    fn play(&mut self, judge: &Judge<'_>, machine: &mut Machine<'_>, entry: Entry) -> Result<bool, Trouble> {
        let bound = &judge.rules.checked.bound;
        let Some(step) = steps(bound, machine, &entry)?.first().copied() else { return Ok(false) };
        let text = simulate::line(machine, bound, step)?;
        self.items.push(Item::new(text, Some(entry)));
        Ok(true)
    }

    /// The line with the fault.
    fn last(
        &mut self,
        judge: &mut Judge<'_>,
        machine: &mut Machine<'_>,
        line: &Line,
        fault: Span,
    ) -> Result<(), Trouble> {
        let within = |span: Span| (span.start..span.end.max(span.start + 1)).contains(&fault.start);
        let wrong = line.claims.iter().find(|claim| within(claim.span));
        if let Some(claim) = wrong {
            let entry = Line { claims: Vec::new(), ..line.clone() };
            self.line(judge, machine, &entry)?;
            self.tail = Tail::Claim(claim_text(claim));
            return Ok(());
        }
        let text = canonical(line);
        let Ok(entries) = log::read_entry(judge.notation(), line.span, &line.text) else {
            self.tail = Tail::Entry(text, None);
            return Ok(());
        };
        let several = entries.len() > 1;
        for entry in entries {
            if several && !self.open && self.play(judge, machine, entry.clone())? {
                continue;
            }
            let bound = &judge.rules.checked.bound;
            let one = match &entry {
                Entry::Chance { name, indices, value: Some(value) } if several && !self.open => {
                    shown_chance(bound, name, indices, value)
                }
                _ => text,
            };
            self.tail = Tail::Entry(one, Some(entry));
            return Ok(());
        }
        Ok(())
    }
}

/// One blank between words, if it can be read.
fn canonical(line: &Line) -> String {
    let parsed = crate::ast::parse_entry(line.span.file, line.span.start as usize, &line.text);
    parsed.map_or_else(|_| line.text.clone(), |entry| entry_text(&entry))
}

fn claims(line: &Line) -> Vec<String> {
    line.claims.iter().map(claim_text).collect()
}

fn claim_text(claim: &Claim) -> String {
    log::read_claim(claim).map_or_else(|_| claim.text.clone(), |fact| log::fact_text(&fact))
}
