//! Positions and examples as text.

use super::{Out, dump_expr, dump_fact, dump_text, words};
use crate::ast::example::{Clause, Entry, Expectation, GivenPart};

impl Out {
    pub(super) fn given(&mut self, parts: &[GivenPart]) {
        for part in parts {
            match part {
                GivenPart::Count(count, _) => self.line(format!("players {count}")),
                GivenPart::Seats(seats) => {
                    let seats: Vec<&str> = seats.iter().map(|seat| seat.text.as_str()).collect();
                    self.line(format!("players {}", seats.join(", ")));
                }
                GivenPart::Flow(block) => {
                    self.line("flow");
                    self.inside(|out| out.block(block));
                }
                GivenPart::Picture { board, rows } => {
                    self.line(format!("picture {}", board.text));
                    self.inside(|out| rows.iter().for_each(|row| out.line(dump_text(row))));
                }
                GivenPart::Breaks { invariants, reason } => {
                    let names: Vec<&str> = invariants.iter().map(|name| name.text.as_str()).collect();
                    self.line(format!("breaks {} {}", names.join(", "), dump_text(reason)));
                }
                GivenPart::Facts { subject, facts } => {
                    let subject = subject.as_ref().map(|subject| format!("{}: ", subject.text)).unwrap_or_default();
                    facts.iter().for_each(|fact| self.line(format!("{subject}{}", dump_fact(fact))));
                }
            }
        }
    }

    pub(super) fn clause(&mut self, clause: &Clause) {
        match clause {
            Clause::Cite(cites) => self.cites(cites),
            Clause::Erratum { source, texts, .. } => {
                let texts: Vec<String> = texts.iter().map(dump_text).collect();
                self.line(format!("erratum {} {}", source.text, texts.join(" ")));
            }
            Clause::Given { base, parts, .. } => {
                self.line(format!("given {}", base.as_ref().map_or("", |base| &base.text)).trim_end());
                self.inside(|out| out.given(parts));
            }
            Clause::When(entries, _) => self.entries("when", entries),
            Clause::Instead(entries, _) => self.entries("instead", entries),
            Clause::Then(expectations) => {
                for expectation in expectations {
                    match expectation {
                        Expectation::Refused(name) => self.line(format!("then refused {}", name.text)),
                        Expectation::Holds(expr) => self.line(format!("then {}", dump_expr(expr))),
                    }
                }
            }
        }
    }

    fn entries(&mut self, word: &str, entries: &[Entry]) {
        for entry in entries {
            match entry {
                Entry::Chance(fact) => self.line(format!("{word} chance {}", dump_fact(fact))),
                Entry::Move { words: move_words, .. } => self.line(format!("{word} {}", words(move_words))),
            }
        }
    }
}
