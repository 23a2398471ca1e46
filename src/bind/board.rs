//! Boards: cells with their names, neighbours, sides, edges, borders and rim.
//!
//! A board is pure arithmetic over its shape; only graphs keep lists. Cells are numbered row by row
//! from the bottom left, so that `a1` is 0.

use crate::internal::exact;
use indexmap::IndexMap;

/// The shape of a board.
#[derive(Debug, Clone)]
pub enum Shape {
    /// A square grid.
    Square,
    /// Hexagons in columns, flat side up; every second column lies half a cell lower.
    HexFlat,
    /// Hexagons in rows, each row half a cell further right.
    HexRhombus,
    /// A ring.
    Ring,
    /// Named places, each with the numbers of its neighbours.
    Graph(IndexMap<String, Vec<usize>>),
}

/// A board of known size.
#[derive(Debug, Clone)]
pub struct Board {
    shape: Shape,
    width: usize,
    height: usize,
    edges: Vec<(usize, usize)>,
}

const SQUARE_SIDES: [&str; 4] = ["N", "E", "S", "W"];
const SQUARE_WAYS: [&str; 8] = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"];
const FLAT_SIDES: [&str; 6] = ["N", "NE", "SE", "S", "SW", "NW"];
const RHOMBUS_SIDES: [&str; 6] = ["NW", "NE", "E", "SE", "SW", "W"];

impl Board {
    /// A board of this shape; `height` is 1 for rings and graphs.
    #[must_use]
    pub fn new(shape: Shape, width: usize, height: usize) -> Self {
        let mut board = Self { shape, width, height, edges: Vec::new() };
        for cell in 0..board.cell_count() {
            for neighbour in board.neighbours(cell) {
                if cell < neighbour {
                    board.edges.push((cell, neighbour));
                }
            }
        }
        board.edges.sort_unstable();
        board
    }

    /// The shape.
    #[must_use]
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// Columns.
    #[must_use]
    pub fn width(&self) -> usize {
        self.width
    }

    /// Rows.
    #[must_use]
    pub fn height(&self) -> usize {
        self.height
    }

    /// Does it have columns, rows and sides?
    #[must_use]
    pub fn is_grid(&self) -> bool {
        !matches!(self.shape, Shape::Ring | Shape::Graph(_))
    }

    /// How many cells.
    #[must_use]
    pub fn cell_count(&self) -> usize {
        self.width * self.height
    }

    /// The sides of a cell, clockwise.
    #[must_use]
    pub fn sides(&self) -> &'static [&'static str] {
        match self.shape {
            Shape::Square => &SQUARE_SIDES,
            Shape::HexFlat => &FLAT_SIDES,
            Shape::HexRhombus => &RHOMBUS_SIDES,
            Shape::Ring | Shape::Graph(_) => &[],
        }
    }

    /// The directions, clockwise: the sides, and on a square board the diagonals.
    #[must_use]
    pub fn ways(&self) -> &'static [&'static str] {
        match self.shape {
            Shape::Square => &SQUARE_WAYS,
            _ => self.sides(),
        }
    }

    /// Column and row of a cell, from 0.
    #[must_use]
    pub fn column_and_row(&self, cell: usize) -> (usize, usize) {
        (cell % self.width.max(1), cell / self.width.max(1))
    }

    /// The cell one step from here; `way` is an index into [`Self::ways`].
    #[must_use]
    pub fn step(&self, cell: usize, way: usize) -> Option<usize> {
        let (column, row) = self.column_and_row(cell);
        let (right, up): (isize, isize) = match self.shape {
            Shape::Square => [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)][way % 8],
            Shape::HexFlat if column % 2 == 0 => [(0, 1), (1, 1), (1, 0), (0, -1), (-1, 0), (-1, 1)][way % 6],
            Shape::HexFlat => [(0, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0)][way % 6],
            Shape::HexRhombus => [(-1, 1), (0, 1), (1, 0), (1, -1), (0, -1), (-1, 0)][way % 6],
            Shape::Ring | Shape::Graph(_) => return None,
        };
        let column = column.checked_add_signed(right).filter(|&column| column < self.width)?;
        let row = row.checked_add_signed(up).filter(|&row| row < self.height)?;
        Some(row * self.width + column)
    }

    /// The index into [`Self::ways`] of a side.
    #[must_use]
    pub fn way_of_side(&self, side: usize) -> usize {
        if matches!(self.shape, Shape::Square) { side * 2 } else { side }
    }

    /// The cells that share a side with this one, in the order of the sides.
    #[must_use]
    pub fn neighbours(&self, cell: usize) -> Vec<usize> {
        match &self.shape {
            Shape::Ring => {
                let count = self.cell_count();
                let mut around = vec![(cell + 1) % count, (cell + count - 1) % count];
                around.dedup();
                around.retain(|&other| other != cell);
                around
            }
            Shape::Graph(places) => places.get_index(cell).map(|(_, around)| around.clone()).unwrap_or_default(),
            _ => (0..self.sides().len()).filter_map(|side| self.step(cell, self.way_of_side(side))).collect(),
        }
    }

    /// Pairs of neighbours, the lower cell first.
    #[must_use]
    pub fn edges(&self) -> &[(usize, usize)] {
        &self.edges
    }

    /// Places outside a square board: before each column and row.
    #[must_use]
    pub fn rim_count(&self) -> usize {
        if matches!(self.shape, Shape::Square) { 2 * (self.width + self.height) } else { 0 }
    }

    /// `b2`
    #[must_use]
    pub fn cell_name(&self, cell: usize) -> Option<String> {
        match &self.shape {
            Shape::Ring => Some(format!("r{}", cell + 1)),
            Shape::Graph(places) => places.get_index(cell).map(|(name, _)| name.clone()),
            _ => {
                let (column, row) = self.column_and_row(cell);
                Some(format!("{}{}", column_letters(column), row + 1))
            }
        }
    }

    /// The cell with this name.
    #[must_use]
    pub fn find_cell(&self, name: &str) -> Option<usize> {
        match &self.shape {
            Shape::Ring => {
                let at: usize = name.strip_prefix('r')?.parse().ok()?;
                (1..=self.width).contains(&at).then(|| at - 1)
            }
            Shape::Graph(places) => places.get_index_of(name),
            _ => {
                let (column, rest) = take_column(name)?;
                let row = take_row(rest)?;
                (column < self.width && row < self.height).then(|| row * self.width + column)
            }
        }
    }

    /// `b2-c2`
    #[must_use]
    pub fn edge_name(&self, edge: usize) -> Option<String> {
        let &(a, b) = self.edges.get(edge)?;
        Some(format!("{}-{}", self.cell_name(a)?, self.cell_name(b)?))
    }

    /// The edge with this name, whichever cell comes first.
    #[must_use]
    pub fn find_edge(&self, name: &str) -> Option<usize> {
        let (a, b) = name.split_once('-')?;
        let (a, b) = (self.find_cell(a)?, self.find_cell(b)?);
        self.edges.binary_search(&(a.min(b), a.max(b))).ok()
    }

    /// `c5S`
    #[must_use]
    pub fn border_name(&self, border: usize) -> Option<String> {
        let sides = self.sides();
        let cell = self.cell_name(border / sides.len().max(1))?;
        Some(format!("{cell}{}", sides.get(border % sides.len().max(1))?))
    }

    /// The border with this name.
    #[must_use]
    pub fn find_border(&self, name: &str) -> Option<usize> {
        let cut = name.find(|c: char| c.is_ascii_uppercase())?;
        let (cell, side) = name.split_at_checked(cut)?;
        let side = self.sides().iter().position(|&known| known == side)?;
        Some(self.find_cell(cell)? * self.sides().len() + side)
    }

    /// `Na`, `E3`
    #[must_use]
    pub fn rim_name(&self, place: usize) -> Option<String> {
        let mut at = place;
        for (side, count) in self.rim_sides() {
            if at < count {
                let upright = side == "N" || side == "S";
                return Some(if upright {
                    format!("{side}{}", column_letters(at))
                } else {
                    format!("{side}{}", at + 1)
                });
            }
            at -= count;
        }
        None
    }

    /// The rim place with this name.
    #[must_use]
    pub fn find_rim(&self, name: &str) -> Option<usize> {
        let mut before = 0;
        for (side, count) in self.rim_sides() {
            if let Some(rest) = name.strip_prefix(side) {
                let upright = side == "N" || side == "S";
                let at =
                    if upright { take_column(rest).filter(|(_, rest)| rest.is_empty())?.0 } else { take_row(rest)? };
                return (at < count).then_some(before + at);
            }
            before += count;
        }
        None
    }

    fn rim_sides(&self) -> Vec<(&'static str, usize)> {
        match self.shape {
            Shape::Square => vec![("N", self.width), ("E", self.height), ("S", self.width), ("W", self.height)],
            _ => Vec::new(),
        }
    }
}

/// 0 → `a`, 25 → `z`, 26 → `aa`.
fn column_letters(column: usize) -> String {
    let letter = |n: usize| char::from(b'a' + exact::<_, u8>(n % 26));
    if column < 26 {
        letter(column).to_string()
    } else {
        format!("{}{}", column_letters(column / 26 - 1), letter(column))
    }
}

fn take_column(name: &str) -> Option<(usize, &str)> {
    let end = name.find(|c: char| !c.is_ascii_lowercase()).unwrap_or(name.len());
    let (letters, rest) = name.split_at_checked(end)?;
    if letters.is_empty() || letters.len() > 3 {
        return None;
    }
    let value = letters.bytes().fold(0, |sum, byte| sum * 26 + usize::from(byte - b'a') + 1);
    Some((value - 1, rest))
}

fn take_row(digits: &str) -> Option<usize> {
    let plain = !digits.starts_with('0') && digits.bytes().all(|byte| byte.is_ascii_digit());
    digits.parse::<usize>().ok().filter(|&row| plain && row > 0).map(|row| row - 1)
}
