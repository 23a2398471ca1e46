//! The board of Tikal: spaces, tiles, and the land that tiles make when they are laid.
//!
//! A space is its column times five plus its row, and a bit of a `u64`. What the tiles say about ways and
//! entrances is worked out once, when a tile is laid.

use super::moves::{Entry, WALK};

const COLUMNS: usize = 8;
const ROWS: usize = 5;
pub const SPACES: usize = COLUMNS * ROWS;

/// The neighbour at each side, clockwise from north; `SPACES` where the board ends.
pub const NEIGHBOUR: [[u8; 6]; SPACES] = {
    let mut table = [[SPACES as u8; 6]; SPACES];
    let mut space = 0;
    while space < SPACES {
        // Columns b, d, f and h lie half a space lower.
        let (column, row) = ((space / ROWS) as i32, (space % ROWS) as i32);
        let up = 1 - column % 2;
        let near = [(0, 1), (1, up), (1, up - 1), (0, -1), (-1, up - 1), (-1, up)];
        let mut side = 0;
        while side < 6 {
            let (x, y) = (column + near[side].0, row + near[side].1);
            if x >= 0 && x < COLUMNS as i32 && y >= 0 && y < ROWS as i32 {
                table[space][side] = (x * ROWS as i32 + y) as u8;
            }
            side += 1;
        }
        space += 1;
    }
    table
};

pub const fn opposite(side: usize) -> usize {
    (side + 3) % 6
}

/// The spaces of a set, lowest first.
pub struct Spaces(pub u64);

impl Iterator for Spaces {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        if self.0 == 0 {
            return None;
        }
        let space = self.0.trailing_zeros() as usize;
        self.0 &= self.0 - 1;
        Some(space)
    }
}

#[derive(Clone, Copy)]
pub enum Terrain {
    Base,
    Jungle,
    /// With its value.
    Temple(u8),
    /// With its tokens.
    Treasure(u8),
    Volcano,
}
use Terrain::{Base, Jungle, Temple, Treasure, Volcano};

/// The stones go round clockwise from the tile's first side.
#[derive(Clone, Copy)]
pub struct Tile(pub Terrain, pub [u8; 6]);

/// The space of the base camp, a1, as a set.
pub const BASE: u64 = 1;

/// a1, a2, b2 and b1, laid with the first side north.
pub const PRINTED: [(usize, Tile); 4] = [
    (0, Tile(Base, [1, 1, 1, 0, 0, 0])),
    (1, Tile(Temple(1), [1, 1, 0, 1, 0, 0])),
    (6, Tile(Jungle, [1, 1, 1, 0, 0, 0])),
    (5, Tile(Temple(1), [0, 1, 0, 0, 0, 1])),
];

/// The stack, by letters; within a letter any order is equally likely.
pub const STACK: [Tile; 36] = [
    Tile(Temple(1), [2, 1, 0, 0, 0, 0]),
    Tile(Temple(2), [2, 0, 0, 1, 0, 0]),
    Tile(Temple(2), [2, 0, 1, 0, 0, 0]),
    Tile(Treasure(4), [2, 0, 0, 0, 1, 0]),
    Tile(Treasure(4), [2, 0, 1, 0, 0, 0]),
    Tile(Jungle, [1, 1, 0, 1, 0, 0]),
    Tile(Temple(2), [2, 0, 0, 0, 1, 0]),
    Tile(Temple(3), [2, 0, 0, 1, 0, 0]),
    Tile(Treasure(4), [2, 0, 0, 0, 0, 1]),
    Tile(Jungle, [2, 0, 1, 0, 0, 0]),
    Tile(Jungle, [2, 1, 0, 0, 0, 0]),
    Tile(Volcano, [0; 6]),
    Tile(Temple(3), [3, 0, 0, 0, 0, 0]),
    Tile(Temple(4), [2, 0, 0, 0, 1, 0]),
    Tile(Treasure(3), [3, 0, 0, 0, 0, 0]),
    Tile(Jungle, [1, 1, 0, 1, 0, 0]),
    Tile(Jungle, [3, 0, 0, 0, 0, 0]),
    Tile(Temple(5), [2, 0, 0, 1, 0, 0]),
    Tile(Temple(5), [3, 0, 0, 0, 0, 0]),
    Tile(Treasure(3), [3, 0, 0, 0, 0, 0]),
    Tile(Jungle, [1, 0, 1, 0, 1, 0]),
    Tile(Volcano, [0; 6]),
    Tile(Temple(5), [3, 0, 0, 0, 0, 0]),
    Tile(Temple(6), [3, 0, 0, 0, 0, 0]),
    Tile(Treasure(2), [2, 0, 0, 0, 0, 1]),
    Tile(Jungle, [2, 0, 0, 1, 0, 0]),
    Tile(Jungle, [2, 0, 0, 1, 0, 0]),
    Tile(Temple(4), [2, 1, 0, 0, 0, 0]),
    Tile(Temple(4), [3, 0, 0, 0, 0, 0]),
    Tile(Treasure(2), [2, 0, 0, 1, 0, 0]),
    Tile(Jungle, [2, 0, 0, 1, 0, 0]),
    Tile(Volcano, [0; 6]),
    Tile(Temple(3), [2, 0, 0, 0, 0, 1]),
    Tile(Temple(3), [2, 0, 1, 0, 0, 0]),
    Tile(Treasure(2), [3, 0, 0, 0, 0, 0]),
    Tile(Jungle, [2, 0, 0, 1, 0, 0]),
];

/// Where each letter of the stack ends.
pub const LETTERS: [usize; 7] = [6, 12, 17, 22, 27, 32, 36];

/// What lies on the board, figures and camps apart.
#[derive(Clone, Copy)]
pub struct Land {
    laid: u64,
    /// Spaces where figures can be: no volcanoes.
    open: u64,
    /// Empty spaces that touch a tile.
    pub frontier: u64,
    pub temples: u64,
    /// Treasure tiles with tokens left.
    pub buried: u64,
    /// Jungles and dug-out treasure tiles without a camp.
    pub ground: u64,
    /// Temples whose next number is in the supply.
    pub raisable: u64,
    stones: [[u8; 6]; SPACES],
    /// Sides with an open neighbour.
    open_sides: [u8; SPACES],
    /// Sides with an open neighbour whose stones point here.
    entrances: [u8; SPACES],
    /// The way over each side, as entries of a worker; what is no way costs too much.
    pub ways: [[Entry; 6]; SPACES],
    pub value: [u8; SPACES],
    tokens: [u8; SPACES],
    /// Square temple tiles, by number; none above ten.
    supply: [u8; 12],
}

impl Land {
    pub const fn new() -> Self {
        let mut land = Self {
            laid: 0,
            open: 0,
            frontier: 0,
            temples: 0,
            buried: 0,
            ground: 0,
            raisable: 0,
            stones: [[0; 6]; SPACES],
            open_sides: [0; SPACES],
            entrances: [0; SPACES],
            ways: [[Entry::new(WALK, 255, 0, 0); 6]; SPACES],
            value: [0; SPACES],
            tokens: [0; SPACES],
            supply: [0, 0, 3, 6, 9, 11, 8, 5, 3, 2, 1, 0],
        };
        let mut at = 0;
        while at < PRINTED.len() {
            land.lay(PRINTED[at].1, PRINTED[at].0, 0);
            at += 1;
        }
        land
    }

    /// The facings, as bits, in which a tile may be laid on a space of the frontier.
    #[inline(always)]
    pub fn facings(&self, tile: Tile, at: usize) -> u8 {
        if matches!(tile.0, Volcano) || self.entrances[at] != 0 {
            return 0b11_1111;
        }
        // Stones on side i look to side i + facing, so an open side s asks for the facing s - i.
        let mut facings = 0u32;
        let open = u32::from(self.open_sides[at]) * 0b100_0001;
        for (side, stones) in tile.1.iter().enumerate() {
            if *stones > 0 {
                facings |= open >> side;
            }
        }
        (facings & 0b11_1111) as u8
    }

    pub const fn lay(&mut self, tile: Tile, at: usize, facing: usize) {
        let bit = 1 << at;
        self.laid |= bit;
        match tile.0 {
            Base | Volcano => {}
            Jungle => self.ground |= bit,
            Temple(value) => {
                self.temples |= bit;
                self.value[at] = value;
                self.raisable |= ((self.supply[value as usize + 1] > 0) as u64) << at;
            }
            Treasure(tokens) => {
                self.buried |= bit;
                self.tokens[at] = tokens;
            }
        }
        let open = !matches!(tile.0, Volcano);
        self.open |= (open as u64) << at;
        let mut side = 0;
        while side < 6 {
            let stones = tile.1[(side + 6 - facing) % 6];
            self.stones[at][side] = stones;
            let other = NEIGHBOUR[at][side] as usize;
            if other < SPACES {
                self.frontier |= 1 << other;
                if open {
                    self.open_sides[other] |= 1 << opposite(side);
                    self.entrances[other] |= ((stones > 0) as u8) << opposite(side);
                    let steps = stones + self.stones[other][opposite(side)];
                    if steps > 0 && self.open >> other & 1 != 0 {
                        self.ways[at][side] = Entry::new(WALK, steps as usize, at, other);
                        self.ways[other][opposite(side)] = Entry::new(WALK, steps as usize, other, at);
                    }
                }
            }
            side += 1;
        }
        self.frontier &= !self.laid;
    }

    pub fn uncover(&mut self, at: usize) {
        self.value[at] += 1;
        let number = usize::from(self.value[at]);
        self.supply[number] -= 1;
        if self.supply[number] == 0 {
            for temple in Spaces(self.raisable) {
                self.raisable &= !(u64::from(usize::from(self.value[temple]) + 1 == number) << temple);
            }
        }
        self.raisable &= !(1 << at);
        self.raisable |= u64::from(self.supply[number + 1] > 0) << at;
    }

    pub fn dig(&mut self, at: usize) {
        self.tokens[at] -= 1;
        let empty = u64::from(self.tokens[at] == 0) << at;
        self.buried &= !empty;
        self.ground |= empty;
    }
}
