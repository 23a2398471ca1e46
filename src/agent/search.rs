//! Tree search: many games thought through, each choice by what came of it before.
//!
//! UCT over worlds that the seat holds possible, one after the other. Chance is sampled as it comes and makes no
//! node: outcomes are many where iterations are few, and a tree that only knows entries serves what is hidden alike.
//! Behind the first new node the game is played on at random.

use super::tree::{Tree, Way};
use crate::evaluate::{Trouble, Try};
use crate::internal::exact;
use crate::machine::{Machine, Move, Position, Random, Waits};
use crate::report::Span;

/// Entries of a game that is thought through, from the root on; what is not over by then is shared by all.
const MOST_ENTRIES: usize = 2_000;

/// Buffers of a search.
#[derive(Debug, Default)]
pub(super) struct Search {
    tree: Tree,
    path: Vec<u32>,
    sorted: Vec<Move>,
    /// What the end of a game is worth to each seat.
    shares: Vec<f64>,
}

impl Search {
    /// The entry that looks best after so many iterations, and whether that says nothing: all entries that were tried came
    /// to the same, or not even all could be tried. The machine is used to think.
    pub(super) fn choose(
        &mut self,
        machine: &mut Machine<'_>,
        worlds: &[Position],
        (legal, iterations): (&[Move], u32),
        random: &mut Random,
    ) -> (Option<Move>, bool) {
        self.tree.clear();
        for (_, world) in (0..iterations).zip(worlds.iter().cycle()) {
            machine.load(world);
            self.path.clear();
            self.path.push(Tree::ROOT);
            // Where the rules break down, nobody is better off.
            let over = self.think(machine, random).unwrap_or(false);
            self.share(machine, over);
            for &at in &self.path {
                self.tree.learn(at, |seat| self.shares.get(seat as usize).copied().unwrap_or(0.0));
            }
        }
        let few = (iterations as usize) < legal.len();
        (self.tree.best(legal), few || self.tree.is_alike(legal))
    }

    /// Plays one game: through the tree, then at random. Does it come to its end?
    fn think(&mut self, machine: &mut Machine<'_>, random: &mut Random) -> Try<bool> {
        let mut left = MOST_ENTRIES;
        let mut node = Some(Tree::ROOT);
        while left > 0 {
            match (machine.waits(), node) {
                (Waits::Nothing, _) => return Ok(true),
                (Waits::Chance(_), _) => {
                    chance(machine, random)?;
                    left -= 1;
                }
                (Waits::Player { choice, seat }, Some(from)) => {
                    self.sorted.clear();
                    self.sorted.extend_from_slice(machine.moves()?);
                    left -= 1;
                    if let [only] = self.sorted.as_slice() {
                        // There is nothing to learn about what must be done.
                        machine.play(*only)?;
                        continue;
                    }
                    self.sorted.sort_unstable();
                    let (next, entry) = match self.tree.select(from, (choice, seat), &self.sorted, random) {
                        Way::Known(at, entry) => (Some(at), entry),
                        Way::New(at, entry) => {
                            self.path.push(at);
                            (None, entry)
                        }
                        Way::None => {
                            node = None;
                            continue;
                        }
                    };
                    self.path.extend(next);
                    node = next;
                    machine.play(entry)?;
                }
                (Waits::Player { .. }, None) => {
                    machine.play_on(random, left)?;
                    left = left.saturating_sub(machine.played().len());
                }
            }
        }
        Ok(machine.waits() == Waits::Nothing)
    }

    /// What each seat gets of the position that the machine stands at.
    fn share(&mut self, machine: &mut Machine<'_>, over: bool) {
        let seats = machine.program().players;
        self.shares.clear();
        if seats == 1 {
            // Alone there is nobody to win against: points count, and how they lie between the least and the most.
            let points = machine.score(0).map_or(0.0, points);
            self.tree.widen(points);
            self.shares.push(points);
            return;
        }
        let winners = if over { machine.winners().unwrap_or_default() } else { &[] };
        let each = 1.0 / f64::from(exact::<_, u32>(winners.len()).max(1));
        let all = 1.0 / f64::from(seats.max(1));
        let share = |seat| match winners {
            [] => all,
            _ if winners.contains(&seat) => each,
            _ => 0.0,
        };
        self.shares.extend((0..seats).map(share));
    }
}

/// Points as a number with a fraction; such numbers are exact far beyond what a game can give.
fn points(score: i64) -> f64 {
    f64::from(i32::try_from(score).unwrap_or(if score < 0 { i32::MIN } else { i32::MAX }))
}

/// Lets chance decide.
fn chance(machine: &mut Machine<'_>, random: &mut Random) -> Try<()> {
    let outcomes = machine.outcomes()?;
    let drawn = random.weighted(outcomes.iter().map(|(_, weight)| *weight));
    let Some(&(value, _)) = drawn.and_then(|at| outcomes.get(at)) else {
        return Err(Trouble { message: "nothing can be drawn".to_owned(), span: Span::default() });
    };
    machine.draw(value)
}
