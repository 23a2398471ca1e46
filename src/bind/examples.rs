//! Sections of examples, bound one by one: position, entries, expectations.

use super::binder::Binder;
use super::model::{Breaks, Entry, Example, Position, Step};
use super::sections::Section;
use super::statements::Place;
use crate::ast::{self, Clause, Expectation, GivenPart};
use crate::report::{Fault, Span, codes};

impl Binder<'_> {
    /// Binds sections that share this choice.
    pub(super) fn bind_examples(&mut self, sections: &[&Section<'_>]) {
        self.in_example = true;
        for section in sections {
            self.scope.clear();
            self.section(section);
        }
        self.in_example = false;
    }

    fn section(&mut self, section: &Section<'_>) {
        self.seats = self.section_seats(section);
        let example = section.example;
        let mut cites = Vec::new();
        let mut errata = Vec::new();
        for clause in &example.clauses {
            match clause {
                Clause::Cite(written) => cites.extend(self.citations(written)),
                Clause::Erratum { source, page, texts, .. } => {
                    let citation = self.citation(source, *page, texts.first());
                    let words: Vec<String> = texts.iter().skip(1).map(ast::Text::plain).collect();
                    errata.extend(citation.map(|citation| format!("{citation}: {}", words.join(" "))));
                }
                _ => {}
            }
        }
        for (path, node) in section.settings_as_nodes() {
            self.check_setting(&path, &node);
        }
        let mut steps = vec![Step::Given(self.position(section))];
        for (at, clause) in section.clauses.iter().enumerate() {
            match clause {
                Clause::When(entries, span) => {
                    steps.push(Step::When(self.entries(entries, *span, section.clauses.get(at + 1).copied())));
                }
                Clause::Instead(entries, span) => {
                    steps.push(Step::Instead(self.entries(entries, *span, section.clauses.get(at + 1).copied())));
                }
                Clause::Then(expectations) => {
                    let entered = steps.iter().any(|step| matches!(step, Step::When(_) | Step::Instead(_)));
                    for expectation in expectations {
                        if let Expectation::Refused(name) = expectation
                            && !entered
                        {
                            self.fault(
                                Fault::new(
                                    &codes::BAD_ENTRY,
                                    name.span,
                                    "nothing has been entered that could be refused",
                                )
                                .label("no `when` before it")
                                .help("write `when` with the entry that is refused"),
                            );
                        }
                        steps.extend(match expectation {
                            Expectation::Refused(name) => {
                                self.refusal(name).map(|known| Step::Refused(known, name.span))
                            }
                            Expectation::Holds(expr) => Some(Step::Holds(self.expr(expr))),
                        });
                    }
                }
                _ => {}
            }
        }
        self.bound.examples.push(Example {
            rows: example.rows.iter().map(|row| row.text.clone()).collect(),
            title: example.title.plain(),
            cites,
            errata,
            steps,
            span: example.title.span,
        });
    }

    fn section_seats(&mut self, section: &Section<'_>) -> Vec<String> {
        let mut seats = self.bound.types.member_names(self.bound.players.ty);
        for part in &section.parts {
            match part {
                GivenPart::Seats(names) => {
                    seats = names.iter().map(|name| name.text.clone()).collect();
                    let count = u32::try_from(names.len()).unwrap_or(u32::MAX);
                    self.player_count(count, names.first().map(|name| name.span));
                }
                GivenPart::Count(count, span) => {
                    self.player_count(u32::try_from(*count).unwrap_or(u32::MAX), Some(*span));
                }
                _ => {}
            }
        }
        seats
    }

    fn player_count(&mut self, count: u32, span: Option<Span>) {
        let (fewest, most) = (self.bound.players.fewest, self.bound.players.most);
        if !(fewest..=most).contains(&count) {
            self.fault(
                Fault::new(&codes::PLAYER_COUNT, span.unwrap_or_default(), format!("{count} cannot play this game"))
                    .label(format!("{fewest} to {most} can"))
                    .help("name as many seats as the rules allow"),
            );
        }
    }

    fn position(&mut self, section: &Section<'_>) -> Position {
        let settings = &section.settings;
        let mut position = Position { span: section.span, ..Position::default() };
        for (at, part) in section.parts.iter().enumerate() {
            match part {
                GivenPart::Breaks { invariants, reason } => {
                    let shared = at < section.shared;
                    position.breaks.extend(invariants.iter().filter_map(|name| self.breaks(name, reason, shared)));
                }
                GivenPart::Flow(block) => position.flow = Some(self.block(block, Place::Flow)),
                GivenPart::Facts { subject, facts } => {
                    for fact in facts {
                        if !settings.iter().any(|known| std::ptr::eq(*known, fact)) {
                            position.facts.extend(self.state_fact(fact, subject.as_ref()));
                        }
                    }
                }
                GivenPart::Picture { board, rows } => position.facts.extend(self.picture(board, rows)),
                GivenPart::Count(..) | GivenPart::Seats(_) => {}
            }
        }
        position
    }

    /// An invariant that the position is said to break.
    fn breaks(&mut self, name: &ast::Name, reason: &ast::Text, shared: bool) -> Option<Breaks> {
        let known: Vec<String> = self.bound.invariants.iter().map(|invariant| invariant.name.clone()).collect();
        let (invariant, reason) = (name.text.clone(), reason.plain());
        if !known.contains(&invariant) {
            let message = format!("no invariant is called `{invariant}`");
            let help = "write the name of an invariant that this position breaks";
            self.misspelt(&codes::UNKNOWN_INVARIANT, &invariant, name.span, message, &known, help);
            return None;
        }
        if reason.trim().is_empty() {
            self.fault(
                Fault::new(&codes::MISSING_SLOT, name.span, format!("`breaks {invariant}` gives no reason"))
                    .label("broken without a reason")
                    .help(format!("say why: `breaks {invariant} \"only the pieces in question are set up\"`")),
            );
        }
        Some(Breaks { invariant, reason, span: name.span, shared })
    }

    fn entries(&mut self, entries: &[ast::Entry], span: Span, next: Option<&Clause>) -> Vec<(Entry, Span)> {
        let expected: Vec<&str> = match next {
            Some(Clause::Then(expectations)) => expectations
                .iter()
                .filter_map(|expectation| match expectation {
                    Expectation::Refused(name) => Some(name.text.as_str()),
                    Expectation::Holds(_) => None,
                })
                .collect(),
            _ => Vec::new(),
        };
        let mut bound = Vec::new();
        for (at, entry) in entries.iter().enumerate() {
            let (read, at_span) = match entry {
                ast::Entry::Chance(fact) => (self.chance_entry(fact), fact.span),
                ast::Entry::Move { words, span } => (self.move_entry(words, *span).map(|entry| vec![entry]), *span),
            };
            match read {
                Ok(entries) => bound.extend(entries.into_iter().map(|entry| (entry, at_span))),
                // An example may show that something is no entry at all.
                Err(bad) if at + 1 == entries.len() && expected.contains(&bad.verdict) => {
                    bound.push((Entry::Unreadable { verdict: bad.verdict }, at_span));
                }
                Err(bad) => self.fault(bad.fault),
            }
        }
        if bound.is_empty() && entries.is_empty() {
            self.fault(
                Fault::new(&codes::BAD_ENTRY, span, "nothing is entered here").label("empty").help("write an entry"),
            );
        }
        bound
    }
}
