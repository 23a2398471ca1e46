//! The examples of a ruleset, cut into sections that are bound and played one by one, on several threads.

use std::collections::{BTreeMap, BTreeSet};

use super::invariants;
use super::moments::Recorder;
use super::outcome::Outcome;
use super::parallel;
use super::positions::whole;
use super::run::Player;
use crate::ast;
use crate::bind::{self, Choice, Effective, Section};
use crate::check::{self, Checked};
use crate::evaluate::{Game, State, Trace};
use crate::load::Loaded;
use crate::numbers::Tree;
use crate::report::{Fault, Span};

/// How games begin, by the number of players.
type Beginnings = BTreeMap<u32, State>;

/// All examples of a ruleset, or some of them.
#[derive(Debug)]
pub struct Suite<'l> {
    /// The ruleset.
    pub loaded: &'l Loaded,
    pub(super) items: Effective<'l>,
    pub(super) sections: Vec<Section<'l>>,
    /// Are these all sections?
    is_whole: bool,
}

/// What is wanted beside the verdict.
#[derive(Debug, Clone, Copy, Default)]
pub struct Wants {
    /// What happened, step by step.
    pub moments: bool,
    /// What was touched and seen.
    pub trace: bool,
}

/// A section that was played.
#[derive(Debug)]
pub struct Played {
    /// What came of it.
    pub outcome: Outcome,
    /// What was touched and seen; empty if nobody asked.
    pub trace: Trace,
    /// Rulings that were read, with their values.
    pub readings: Vec<(String, String)>,
}

impl<'l> Suite<'l> {
    /// The examples of a ruleset that has been found sound.
    #[must_use]
    pub fn new(loaded: &'l Loaded) -> Self {
        // Faults have been told by `check`.
        let mut faults = Vec::new();
        let items = bind::effective(&loaded.layers, &mut faults);
        let sections = bind::sections(&items, &loaded.examples, &mut faults);
        Self { loaded, items, sections, is_whole: true }
    }

    /// Only examples with this row, or this in their title.
    #[must_use]
    pub fn only(mut self, pattern: Option<&str>) -> Self {
        let chosen = |pattern: &str, section: &Section<'_>| {
            let example = section.example;
            example.title.plain().contains(pattern) || example.rows.iter().any(|row| row.text == pattern)
        };
        self.is_whole = pattern.is_none();
        self.sections.retain(|section| pattern.is_none_or(|pattern| chosen(pattern, section)));
        self
    }

    /// Plays everything.
    #[must_use]
    pub fn run(&self, jobs: usize, wants: Wants) -> Vec<Played> {
        let beginnings = if wants.moments { self.states() } else { Beginnings::new() };
        let one = |section: &Section<'l>| {
            let checked = self.bind(section, &self.loaded.numbers, &mut Vec::new());
            self.play_from(section, &checked, wants, Some(&beginnings))
        };
        let mut played: Vec<Played> = parallel::each(jobs, &self.sections, one).into_iter().flatten().collect();
        if !self.loaded.is_changed() {
            self.find_idle(&mut played);
        }
        played
    }

    /// Positions that are said to break an invariant, and never do: told once, where it is said.
    fn find_idle(&self, played: &mut [Played]) {
        let all = played.iter().flat_map(|played| &played.outcome.breaks);
        let broken: Vec<Span> = all.filter(|(_, is_broken)| *is_broken).map(|(breaks, _)| breaks.span).collect();
        let mut told: Vec<Span> = Vec::new();
        for played in played {
            for (breaks, _) in &played.outcome.breaks {
                // Another example may break it that was not chosen.
                let unsure = breaks.shared && !self.is_whole;
                if !unsure && !broken.contains(&breaks.span) && !told.contains(&breaks.span) {
                    told.push(breaks.span);
                    played.outcome.failures.push(invariants::idle(breaks));
                }
            }
        }
    }

    /// Binds one section with its own numbers and players.
    pub(super) fn bind(&self, section: &Section<'l>, numbers: &Tree, faults: &mut Vec<Fault>) -> Checked {
        let numbers = section.numbers(numbers);
        let choice = Choice { players: section.players, numbers: &numbers };
        let bound = bind::bind(&self.items, &[section], choice, faults);
        let mut checked = check::check(bound, faults);
        // Whatever is told about the example speaks of its players as it does.
        for part in &section.parts {
            if let ast::GivenPart::Seats(names) = part {
                let names = names.iter().map(|name| name.text.clone());
                checked.bound.types.rename(checked.bound.players.ty, names);
            }
        }
        checked
    }

    /// How a game with the numbers as they stand begins, by the numbers of players that the examples have.
    fn states(&self) -> Beginnings {
        let mut counts: Vec<Option<u32>> = self.sections.iter().map(|section| section.players).collect();
        counts.sort_unstable();
        counts.dedup();
        let mut found = Beginnings::new();
        for players in counts {
            let checked = self.rules(players);
            if let Ok(state) = Game::new(&checked).beginning() {
                found.insert(checked.bound.players.count, state);
            }
        }
        found
    }

    /// How a game begins with as many players as these examples have: a heading and lines, for a record.
    #[must_use]
    pub fn beginnings<'o>(&self, outcomes: impl IntoIterator<Item = &'o Outcome>) -> Vec<(String, Vec<String>)> {
        let counts: BTreeSet<u32> = outcomes.into_iter().map(|outcome| outcome.players).collect();
        let mut found = Vec::new();
        for players in counts {
            let checked = self.rules(Some(players));
            if let Ok(state) = Game::new(&checked).beginning() {
                found.push((format!("a game of {players} begins with"), whole(&checked.bound, &state)));
            }
        }
        found
    }

    /// The rules without any example.
    fn rules(&self, players: Option<u32>) -> Checked {
        // Faults have been told by `check`.
        let choice = Choice { players, numbers: &self.loaded.numbers };
        check::check(bind::bind(&self.items, &[], choice, &mut Vec::new()), &mut Vec::new())
    }

    /// Plays the examples of a bound section, whose rules somebody may have changed: its position is not held to the
    /// invariants.
    pub(super) fn play(&self, section: &Section<'l>, checked: &Checked, wants: Wants) -> Option<Played> {
        self.play_from(section, checked, wants, None)
    }

    fn play_from(
        &self,
        section: &Section<'l>,
        checked: &Checked,
        wants: Wants,
        beginnings: Option<&Beginnings>,
    ) -> Option<Played> {
        let example = checked.bound.examples.first()?;
        let game = if wants.trace { Game::traced(checked) } else { Game::new(checked) };
        let beginning = beginnings.and_then(|known| known.get(&checked.bound.players.count));
        let recorder = wants.moments.then(|| Recorder::new(beginning));
        // A position is set up for the rules as they stand, not for what somebody has set for this run.
        let holds = beginnings.is_some() && !self.loaded.is_changed();
        let player = Player::new(&game, example, self.loaded, (recorder, holds));
        let mut outcome = player.play();
        let same = self.sections.iter().filter(|other| std::ptr::eq(other.example, section.example));
        outcome.position += same.take_while(|other| !std::ptr::eq(*other, section)).count();
        let trace = game.trace();
        let read = |ruling: &&bind::Ruling| {
            let number = checked.bound.number(ruling.number);
            number.in_types || trace.touched.contains(&crate::evaluate::Touch::Number(ruling.number.at(), 0))
        };
        let value = |ruling: &bind::Ruling| {
            let value = checked.bound.number(ruling.number).values.first();
            (ruling.name.clone(), value.map(|value| value.show(&checked.bound.types)).unwrap_or_default())
        };
        let readings = checked.bound.rulings.iter().filter(read).map(value).collect();
        Some(Played { outcome, trace, readings })
    }
}
