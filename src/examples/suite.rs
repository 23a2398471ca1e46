//! The examples of a ruleset, cut into sections that are bound and played one by one, on several threads.

use super::outcome::Outcome;
use super::parallel;
use super::run::Player;
use crate::ast;
use crate::bind::{self, Choice, Effective, Section};
use crate::check::{self, Checked};
use crate::evaluate::{Game, Trace};
use crate::load::Loaded;
use crate::numbers::Tree;
use crate::report::Fault;

/// All examples of a ruleset, or some of them.
#[derive(Debug)]
pub struct Suite<'l> {
    /// The ruleset.
    pub loaded: &'l Loaded,
    pub(super) items: Effective<'l>,
    pub(super) sections: Vec<Section<'l>>,
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
        Self { loaded, items, sections }
    }

    /// Only examples with this row, or this in their title.
    #[must_use]
    pub fn only(mut self, pattern: Option<&str>) -> Self {
        let chosen = |pattern: &str, section: &Section<'_>| {
            let example = section.example;
            example.title.plain().contains(pattern) || example.rows.iter().any(|row| row.text == pattern)
        };
        self.sections.retain(|section| pattern.is_none_or(|pattern| chosen(pattern, section)));
        self
    }

    /// Plays everything.
    #[must_use]
    pub fn run(&self, jobs: usize, wants: Wants) -> Vec<Played> {
        let one = |section: &Section<'l>| {
            let checked = self.bind(section, &self.loaded.numbers, &mut Vec::new());
            self.play(section, &checked, wants)
        };
        parallel::each(jobs, &self.sections, one).into_iter().flatten().collect()
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

    /// Plays a bound section with so many steps; what follows from a runtime error is a failure, too.
    pub(super) fn play_within(&self, checked: &Checked, steps: u64) -> Option<Outcome> {
        let example = checked.bound.examples.first()?;
        Some(Player::new(&Game::limited(checked, steps), example, self.loaded, false).play())
    }

    /// How many steps it takes to play a bound section.
    pub(super) fn steps(&self, checked: &Checked) -> u64 {
        let game = Game::limited(checked, u64::MAX);
        if let Some(example) = checked.bound.examples.first() {
            Player::new(&game, example, self.loaded, false).play();
        }
        u64::MAX - game.steps_left()
    }

    /// Plays the examples of a bound section.
    pub(super) fn play(&self, section: &Section<'l>, checked: &Checked, wants: Wants) -> Option<Played> {
        let example = checked.bound.examples.first()?;
        let game = if wants.trace { Game::traced(checked) } else { Game::new(checked) };
        let player = Player::new(&game, example, self.loaded, wants.moments);
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
