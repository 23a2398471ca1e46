//! What many games add up to: sums and counts only, so that the order of games does not matter.

use super::outcome::{Options, Outcome};
use super::report::{ActionFigures, Figures, SeatFigures};
use crate::agent::Choices;
use crate::bind::Bound;
use crate::machine::Program;
use crate::play::seat_names;
use crate::statistics::{Overflow, Spread};

/// Values below this are counted without looking for them.
const NEAR: usize = 512;

/// Games, summed up.
#[derive(Debug, Clone)]
pub struct Tally {
    /// All of them.
    pub games: u64,
    /// Entries of all of them.
    pub entries: u64,
    /// Games that were cut off.
    pub unfinished: u64,
    /// Games that several seats win together.
    pub draws: u64,
    /// Games that nobody wins.
    pub nobody: u64,
    share_unit: u64,
    lengths: Counter,
    margins: Counter,
    seats: Vec<SeatTally>,
    options: Options,
    chosen: Vec<u64>,
}

/// One seat, over all games that ended.
#[derive(Debug, Clone, Default)]
struct SeatTally {
    wins: u64,
    shared: u64,
    parts: u64,
    scores: Counter,
    choices: Choices,
}

impl Tally {
    /// Nothing yet.
    #[must_use]
    pub fn new(program: &Program) -> Self {
        let options = Options::of(program);
        Self {
            games: 0,
            entries: 0,
            unfinished: 0,
            draws: 0,
            nobody: 0,
            share_unit: share_unit(program.players),
            lengths: Counter::default(),
            margins: Counter::default(),
            seats: vec![SeatTally::default(); program.players as usize],
            chosen: vec![0; options.len()],
            options,
        }
    }

    /// A game more.
    pub(super) fn add(&mut self, game: &Outcome) -> Result<(), Overflow> {
        self.games += 1;
        self.entries += game.entries;
        for (sum, more) in self.chosen.iter_mut().zip(&game.chosen) {
            *sum += more;
        }
        for (seat, choices) in self.seats.iter_mut().zip(&game.choices) {
            seat.choices.add(*choices);
        }
        if !game.over {
            self.unfinished += 1;
            return Ok(());
        }
        self.lengths.add(i64::try_from(game.entries).map_err(|_| Overflow)?)?;
        if let Some(margin) = game.margin() {
            self.margins.add(margin)?;
        }
        let winners = game.winners.len() as u64;
        self.draws += u64::from(winners > 1);
        self.nobody += u64::from(winners == 0);
        for (seat, &score) in self.seats.iter_mut().zip(&game.scores) {
            seat.scores.add(score)?;
        }
        for &winner in &game.winners {
            if let Some(seat) = self.seats.get_mut(winner as usize) {
                seat.wins += u64::from(winners == 1);
                seat.shared += u64::from(winners > 1);
                seat.parts += self.share_unit / winners;
            }
        }
        Ok(())
    }

    /// Both together.
    pub(super) fn merge(&mut self, other: &Self) -> Result<(), Overflow> {
        self.games += other.games;
        self.entries += other.entries;
        self.unfinished += other.unfinished;
        self.draws += other.draws;
        self.nobody += other.nobody;
        self.lengths.merge(&other.lengths)?;
        self.margins.merge(&other.margins)?;
        for (seat, more) in self.seats.iter_mut().zip(&other.seats) {
            seat.wins += more.wins;
            seat.shared += more.shared;
            seat.parts += more.parts;
            seat.scores.merge(&more.scores)?;
            seat.choices.add(more.choices);
        }
        for (sum, more) in self.chosen.iter_mut().zip(&other.chosen) {
            *sum += more;
        }
        Ok(())
    }

    /// The counts as a report has them; what follows from them is still to be worked out.
    pub fn figures(&self, bound: &Bound, agents: &[String]) -> Result<Figures, Overflow> {
        let mut seats = Vec::new();
        for ((seat, name), agent) in self.seats.iter().zip(seat_names(bound)).zip(agents) {
            seats.push(SeatFigures {
                seat: name,
                agent: agent.clone(),
                wins: seat.wins,
                shared: seat.shared,
                share_parts: seat.parts,
                score: seat.scores.spread()?,
                choices: seat.choices.made,
                by_chance: seat.choices.by_chance,
                ..SeatFigures::default()
            });
        }
        let named = |(action, &chosen): (Option<_>, &u64)| {
            let action = action.map(|id| bound.action(id));
            ActionFigures {
                action: action.map_or_else(|| "pass".to_owned(), |action| action.name.clone()),
                title: action.and_then(|action| action.title.clone()),
                chosen,
                ..ActionFigures::default()
            }
        };
        Ok(Figures {
            games: self.games,
            entries: self.entries,
            unfinished: self.unfinished,
            draws: self.draws,
            no_winner: self.nobody,
            length: self.lengths.spread()?,
            margin: self.margins.spread()?,
            share_unit: self.share_unit,
            seats,
            actions: self.options.iter().zip(&self.chosen).map(named).collect(),
            ..Figures::default()
        })
    }
}

/// Parts of a game that can be shared evenly by any number of winners; by more than sixteen nearly so.
pub(super) fn share_unit(players: u32) -> u64 {
    (1..=u64::from(players.clamp(1, 16))).fold(1, |unit, count| unit / gcd(unit, count) * count)
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// Values, counted: small ones by place, the others in bins.
#[derive(Debug, Clone, Default)]
pub(super) struct Counter {
    near: Vec<u64>,
    far: Spread,
}

impl Counter {
    pub(super) fn add(&mut self, value: i64) -> Result<(), Overflow> {
        match usize::try_from(value).ok().filter(|value| *value < NEAR) {
            Some(near) => {
                if self.near.is_empty() {
                    self.near.resize(NEAR, 0);
                }
                if let Some(count) = self.near.get_mut(near) {
                    *count += 1;
                }
                Ok(())
            }
            None => self.far.add(value, 1),
        }
    }

    fn merge(&mut self, other: &Self) -> Result<(), Overflow> {
        self.near.resize(self.near.len().max(other.near.len()), 0);
        for (sum, more) in self.near.iter_mut().zip(&other.near) {
            *sum += more;
        }
        self.far.merge(&other.far)
    }

    fn spread(&self) -> Result<Spread, Overflow> {
        let mut spread = self.far.clone();
        for (value, &count) in (0..).zip(&self.near) {
            spread.add(value, count)?;
        }
        Ok(spread)
    }
}
