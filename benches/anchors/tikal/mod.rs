//! Tikal, the base game: the whole of `rulesets/tikal/tikal.ludex` with its numbers, for two to four players.
//!
//! At every decision all legal entries are listed and one is picked uniformly; chance draws the starting
//! player, the tiles letter by letter, and the treasures. A draw counts as an entry, as the engine counts it.
//! Where a tile may go, the ways between tiles and the weight of everybody on each space are kept up to date as
//! things change, so that listing reads little more than bit masks over the spaces. `plain` is the same game
//! without any of that.

mod board;
mod moves;
pub mod plain;

use super::rng::Rng;
use board::{LETTERS, STACK, Terrain, Tile};
use moves::{Entry, List, Table, Turn};

/// The game for four players.
pub fn tikal(rng: &mut Rng) -> (u32, u32) {
    play::<4>(rng)
}

/// Plays one game; gives entries and twice the first player's result.
pub fn play<const PLAYERS: usize>(rng: &mut Rng) -> (u32, u32) {
    let mut game = Game::<PLAYERS>::new(rng);
    game.play();
    (game.entries, result(&game.points()))
}

/// Twice the first player's result; any shared victory counts as half, as the engine's games are counted.
fn result(points: &[u32]) -> u32 {
    let most = points.iter().max().copied().unwrap_or(0);
    let winners = points.iter().filter(|points| **points == most).count();
    match (winners, points[0] == most) {
        (1, true) => 2,
        (1, false) => 0,
        _ => 1,
    }
}

/// Each of the eight kinds of treasures three times, kind by kind.
const TOKENS: [u8; 24] = {
    let mut tokens = [0; 24];
    let mut at = 0;
    while at < 24 {
        tokens[at] = at as u8 / 3;
        at += 1;
    }
    tokens
};

struct Game<'r, const PLAYERS: usize> {
    rng: &'r mut Rng,
    table: Table<PLAYERS>,
    list: List,
    /// The tiles, those that were turned up first.
    stack: [Tile; STACK.len()],
    /// The treasures, those that were found first.
    tokens: [u8; TOKENS.len()],
    found: usize,
    entries: u32,
}

impl<'r, const PLAYERS: usize> Game<'r, PLAYERS> {
    fn new(rng: &'r mut Rng) -> Self {
        let table = const { Table::START };
        Self { rng, table, list: List::new(), stack: STACK, tokens: TOKENS, found: 0, entries: 0 }
    }

    fn points(&self) -> [u32; PLAYERS] {
        self.table.sides.map(|side| side.points)
    }

    fn play(&mut self) {
        let mut player = self.rng.below(PLAYERS);
        self.entries += 1;
        let mut turned = 0;
        for end in LETTERS {
            while turned < end {
                let tile = self.turn_up(turned, end);
                turned += 1;
                if matches!(tile.0, Terrain::Volcano) {
                    self.scoring_round(player);
                }
                self.lay(tile);
                self.spend(player);
                player = (player + 1) % PLAYERS;
            }
        }
        self.scoring_round(player);
    }

    /// Turns up a tile of the letter that ends there.
    fn turn_up(&mut self, turned: usize, end: usize) -> Tile {
        self.stack.swap(turned, turned + self.rng.below(end - turned));
        self.entries += 1;
        self.stack[turned]
    }

    /// Lays the tile; one without a legal space leaves the game.
    fn lay(&mut self, tile: Tile) {
        self.list.lays(&self.table.land, tile);
        if !self.list.entries().is_empty() {
            let entry = self.pick();
            self.table.land.lay(tile, entry.from(), entry.to());
        }
    }

    /// Ten action points, or as many as the player likes.
    fn spend(&mut self, me: usize) {
        let mut turn = Turn::new();
        while turn.points > 0 {
            self.list.actions(&self.table, me, &turn);
            let entry = self.pick();
            if entry == Entry::PASS {
                break;
            }
            self.table.act(me, &mut turn, entry);
            if entry.kind() == moves::DIG {
                self.find(me);
            }
        }
    }

    fn find(&mut self, me: usize) {
        self.tokens.swap(self.found, self.found + self.rng.below(TOKENS.len() - self.found));
        self.entries += 1;
        self.table.sides[me].find(usize::from(self.tokens[self.found]));
        self.found += 1;
    }

    fn pick(&mut self) -> Entry {
        self.entries += 1;
        let entries = self.list.entries();
        entries[self.rng.below(entries.len())]
    }

    /// Everybody has ten action points and then scores, clockwise.
    fn scoring_round(&mut self, begins: usize) {
        for seat in 0..PLAYERS {
            let me = (begins + seat) % PLAYERS;
            self.spend(me);
            self.table.sides[me].points += self.table.temples(me) + self.table.sides[me].hoard();
        }
    }
}
