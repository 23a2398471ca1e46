//! A second opinion on what does not change during a game: arithmetic and boards.
//!
//! The reference and the compiler share the code for constants and for board functions, so a fault there is the same in
//! both. What is written here was worked out by other means: numbers by themselves, boards by coordinates.

use super::choices::Choices;
use super::types::{Board, Shape, letter};
use super::writer::Writer;

impl Writer {
    /// A statement about constants that is true.
    pub(super) fn fact(&mut self) -> String {
        let boards: Vec<Board> = self.boards.iter().filter(|board| board.has_sides()).cloned().collect();
        if boards.is_empty() || self.choices.below(2) == 0 {
            let (text, value) = arithmetic(&mut self.choices, 3);
            return format!("{text} is {}", shown(value));
        }
        let board = self.choices.pick(&boards);
        about_board(&mut self.choices, &board)
    }
}

fn shown(value: i64) -> String {
    if value < 0 { format!("({value})") } else { value.to_string() }
}

/// An expression, and what it comes to.
fn arithmetic(choices: &mut Choices, depth: usize) -> (String, i64) {
    let Some(less) = depth.checked_sub(1) else {
        let value = choices.between(0, 9);
        return (value.to_string(), value);
    };
    let (a, x) = arithmetic(choices, less);
    let (b, y) = arithmetic(choices, less);
    match choices.below(10) {
        0 => (format!("({a} + {b})"), x + y),
        1 => (format!("({a} - {b})"), x - y),
        2 => (format!("({a} * {b})"), x * y),
        3 => {
            let by = choices.between(1, 4);
            (format!("({a} / {by})"), x.div_euclid(by))
        }
        4 => (format!("(-{a})"), -x),
        5 => (format!("min({a}, {b})"), x.min(y)),
        6 => (format!("max({a}, {b})"), x.max(y)),
        7 => (format!("(if {a} < {b} then {a} else {b})"), x.min(y)),
        8 => {
            let high = choices.between(0, 6);
            let count = (1..=high.max(1)).filter(|number| number * x > y).count();
            let high = high.max(1);
            let text = format!("(count n_{depth} in 1..{high}: n_{depth} * {a} > {b})");
            (text, i64::try_from(count).expect("few"))
        }
        _ => {
            let high = choices.between(1, 6);
            (format!("(sum n_{depth} in 1..{high}: n_{depth} * {a})"), (1..=high).map(|number| number * x).sum())
        }
    }
}

/// Where a cell lies: column and row from 0.
type Cell = (i64, i64);

fn name((column, row): Cell) -> String {
    format!("{}{}", letter(column + 1), row + 1)
}

/// One step that way, on the board or not.
fn stepped(board: &Board, (column, row): Cell, way: &str) -> Cell {
    // Columns b, d, … of a flat board lie half a cell lower.
    let low = column % 2 == 1;
    let (over, up) = match (board.shape, way) {
        (Shape::Flat, "N") => (0, 1),
        (Shape::Flat, "S") => (0, -1),
        (Shape::Flat, "NE" | "NW") => (if way == "NE" { 1 } else { -1 }, i64::from(!low)),
        (Shape::Flat, _) => (if way == "SE" { 1 } else { -1 }, -i64::from(low)),
        // Each row of a rhombus lies half a cell further right.
        (Shape::Rhombus, "NW") => (-1, 1),
        (Shape::Rhombus, "NE") => (0, 1),
        (Shape::Rhombus, "SE") => (1, -1),
        (Shape::Rhombus, "SW") => (0, -1),
        (Shape::Rhombus, _) => (if way == "E" { 1 } else { -1 }, 0),
        (_, way) => {
            let over = i64::from(way.contains('E')) - i64::from(way.contains('W'));
            (over, i64::from(way.contains('N')) - i64::from(way.contains('S')))
        }
    };
    (column + over, row + up)
}

fn is_inside(board: &Board, (column, row): Cell) -> bool {
    (0..board.width).contains(&column) && (0..board.height).contains(&row)
}

fn cells(board: &Board) -> Vec<Cell> {
    (0..board.height).flat_map(|row| (0..board.width).map(move |column| (column, row))).collect()
}

/// The cells that way, near ones first.
fn ray(board: &Board, from: Cell, way: &str) -> Vec<Cell> {
    let next = |cell: &Cell| Some(stepped(board, *cell, way)).filter(|cell| is_inside(board, *cell));
    std::iter::successors(next(&from), next).collect()
}

fn set(cells: impl IntoIterator<Item = Cell>) -> String {
    format!("{{{}}}", cells.into_iter().map(name).collect::<Vec<_>>().join(", "))
}

fn about_board(choices: &mut Choices, board: &Board) -> String {
    let all = cells(board);
    let (a, b) = (choices.pick(&all), choices.pick(&all));
    let way = choices.pick(board.ways());
    let neighbours = |cell: Cell| {
        board.sides().iter().map(move |side| stepped(board, cell, side)).filter(|cell| is_inside(board, *cell))
    };
    let place = |cell: Option<Cell>| cell.map_or("none".to_owned(), name);
    let far = choices.below(4);
    let path = ray(board, a, way);
    match choices.below(if board.can_turn() { 10 } else { 9 }) {
        0 => format!("(step({}, {way}) is {})", name(a), place(path.first().copied())),
        1 if far > 0 => format!("(step({}, {way}, {far}) is {})", name(a), place(path.get(far - 1).copied())),
        1 => format!("(step({0}, {way}, 0) is {0})", name(a)),
        2 => format!("(neighbours({}) is {})", name(a), set(neighbours(a))),
        3 => {
            let yes = neighbours(a).any(|cell| cell == b);
            format!("({}adjacent({}, {}))", if yes { "" } else { "not " }, name(a), name(b))
        }
        4 => format!("((count c_0 in ray({}, {way}): true) is {})", name(a), path.len()),
        5 => format!("(column({0}) is {1} and row({0}) is {2})", name(a), a.0 + 1, a.1 + 1),
        6 => {
            let mut rays = board.ways().iter().map(|way| ray(board, a, way));
            let straight = rays.find_map(|ray| Some(ray[..ray.iter().position(|cell| *cell == b)?].to_vec()));
            format!("(between({}, {}) is {})", name(a), name(b), set(straight.unwrap_or_default()))
        }
        7 => about_sides(choices, board, (a, b)),
        8 if board.shape == Shape::Square => {
            // What is nearest to the rim comes first.
            let (rim, path) = choices.pick(&rims(board));
            let nth = choices.between(1, 5);
            let found = usize::try_from(nth - 1).ok().and_then(|nth| path.get(nth)).copied();
            format!("(inward({rim}, {nth}) is {})", place(found))
        }
        8 => format!("({}({}, {}) is {})", board.name, a.0 + 1, a.1 + 1, name(a)),
        _ => {
            let turns = choices.between(0, 5);
            let turned = |cell: Cell| (0..turns).fold(cell, |(column, row), _| (row, board.width - 1 - column));
            format!("(rotate({{{0}, {1}}}, {turns}) is {2})", name(a), name(b), set([turned(a), turned(b)]))
        }
    }
}

/// Sides, edges and borders: what a side faces, by steps.
fn about_sides(choices: &mut Choices, board: &Board, (a, b): (Cell, Cell)) -> String {
    let side = choices.pick(board.sides());
    let beyond = Some(stepped(board, a, side)).filter(|cell| is_inside(board, *cell));
    let facing = |from: Cell, to: Cell| board.sides().iter().copied().find(|side| stepped(board, from, side) == to);
    // Back from there: the side that leads home. It does not depend on the cell, but on hexes its step does.
    let back = facing(stepped(board, a, side), a).expect("a side leads back");
    match choices.below(5) {
        0 => format!("(side({}, {}) is {})", name(a), name(b), facing(a, b).unwrap_or("none")),
        1 => format!("(opposite({side}) is {back})"),
        2 => match beyond {
            Some(cell) => format!("(edge({0}, {side}) is {1}-{0})", name(a), name(cell)),
            None => format!("(edge({}, {side}) is none)", name(a)),
        },
        3 => {
            let edge = if facing(a, b).is_some() { format!("{}-{}", name(b), name(a)) } else { "none".to_owned() };
            format!("(edge({}, {}) is {edge})", name(a), name(b))
        }
        _ => {
            let across = beyond.map_or("none".to_owned(), |cell| format!("{}{back}", name(cell)));
            format!("(across(border({}, {side})) is {across})", name(a))
        }
    }
}

/// The places around a square board, each with the cells behind it.
fn rims(board: &Board) -> Vec<(String, Vec<Cell>)> {
    let (width, height) = (board.width, board.height);
    let mut rims = Vec::new();
    for column in 0..width {
        let up: Vec<Cell> = (0..height).map(|row| (column, row)).collect();
        rims.push((format!("N{}", letter(column + 1)), up.iter().rev().copied().collect()));
        rims.push((format!("S{}", letter(column + 1)), up));
    }
    for row in 0..height {
        let right: Vec<Cell> = (0..width).map(|column| (column, row)).collect();
        rims.push((format!("E{}", row + 1), right.iter().rev().copied().collect()));
        rims.push((format!("W{}", row + 1), right));
    }
    rims
}
