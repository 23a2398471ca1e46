//! The functions of the language, most of them about boards.

use super::frame::Frame;
use super::game::Game;
use super::{Try, trouble};
use crate::bind::{Board, ExprId, Function, Shape, TypeId, TypeKind, Value};
use crate::impossible;
use crate::internal::{Must, exact};
use crate::report::Span;

impl Game<'_> {
    pub(super) fn function(
        &self,
        function: Function,
        args: &[ExprId],
        frame: &mut Frame<'_>,
        span: Span,
    ) -> Try<Value> {
        let values = self.all(args, frame)?;
        if values.contains(&Value::None) && !matches!(function, Function::Size) {
            return Ok(Value::None);
        }
        Ok(match (function, values.as_slice()) {
            (Function::Size, [Value::None]) => Value::None,
            (Function::Size, [value]) => int(self.held_by(value, frame, span)?.len()),
            (Function::Top, [Value::List(items)]) => items.last().cloned().unwrap_or(Value::None),
            (Function::Least, [a, b]) => a.min(b).clone(),
            (Function::Most, [a, b]) => a.max(b).clone(),
            (Function::Seat, [Value::Int(seat)]) => {
                let seats = i64::from(self.bound().players.count);
                if (1..=seats).contains(seat) { self.seat(exact(seat - 1)) } else { Value::None }
            }
            (Function::Ordinal, [Value::Member(_, at)]) => Value::Int(i64::from(*at) + 1),
            (Function::Opposite, [Value::Member(id, at)]) => {
                let count: u32 = exact(self.bound().types.count(*id));
                Value::Member(*id, (at + count / 2) % count)
            }
            (Function::Rotate, [value, Value::Int(turns)]) => self.rotate(value, *turns),
            (_, [Value::Member(id, at), rest @ ..]) => {
                let (_, board) =
                    self.bound().types.board_of(*id).must("a function of boards is asked of a part of one");
                self.spend_on(board.width().max(board.height()), span)?;
                self.on_board(function, (*id, *at), rest)
            }
            _ => return trouble(span, format!("`{}` cannot be worked out", function.word())),
        })
    }

    fn on_board(&self, function: Function, (id, at): (TypeId, u32), rest: &[Value]) -> Value {
        let types = &self.bound().types;
        let (cells, board) = types.board_of(id).must("a function of boards is asked of a part of one");
        let cell = |at: usize| Value::Member(cells, exact(at));
        let here = at as usize;
        match (function, rest) {
            (Function::Neighbours, []) => {
                let mut around: Vec<Value> = board.neighbours(here).into_iter().map(cell).collect();
                around.sort();
                Value::Set(around)
            }
            (Function::Adjacent, [Value::Member(_, other)]) => {
                Value::Bool(board.neighbours(here).contains(&(*other as usize)))
            }
            (Function::Side, [Value::Member(_, other)]) => {
                let faces = |side: &usize| board.step(here, board.way_of_side(*side)) == Some(*other as usize);
                let side = (0..board.sides().len()).find(faces);
                side.map_or(Value::None, |side| self.part(cells, "side", side))
            }
            (Function::Step, [way]) => self.walk(board, here, way, 1).map_or(Value::None, cell),
            (Function::Step, [way, Value::Int(steps)]) => self.walk(board, here, way, *steps).map_or(Value::None, cell),
            (Function::Ray, [way]) => {
                let mut ray = Vec::new();
                let mut at = here;
                while let Some(next) = self.walk(board, at, way, 1) {
                    ray.push(cell(next));
                    at = next;
                }
                Value::List(ray)
            }
            (Function::Between, [Value::Member(_, other)]) => {
                let mut between: Vec<Value> =
                    cells_between(board, here, *other as usize).into_iter().map(cell).collect();
                between.sort();
                Value::Set(between)
            }
            (Function::Edge, [Value::Member(ty, other)]) => {
                let other = if *ty == cells {
                    Some(*other as usize)
                } else {
                    board.step(here, board.way_of_side(*other as usize))
                };
                let edge =
                    other.and_then(|other| board.edges().binary_search(&(here.min(other), here.max(other))).ok());
                edge.map_or(Value::None, |edge| self.part(cells, "edge", edge))
            }
            (Function::Border, [Value::Member(_, side)]) => {
                self.part(cells, "border", here * board.sides().len() + *side as usize)
            }
            (Function::Across, []) => {
                let sides = board.sides().len().max(1);
                let (from, side) = (here / sides, here % sides);
                let other = board.step(from, board.way_of_side(side));
                let back = (side + sides / 2) % sides;
                other.map_or(Value::None, |other| self.part(cells, "border", other * sides + back))
            }
            (Function::Inward, [Value::Int(steps)]) => inward(board, here, *steps).map_or(Value::None, cell),
            (Function::Column, []) => int(board.column_and_row(here).0 + 1),
            (Function::Row, []) => int(board.column_and_row(here).1 + 1),
            (_, rest) => impossible!("`{}` of a cell and {rest:?}", function.word()),
        }
    }

    /// A member of a board's sides, edges or borders.
    fn part(&self, cells: TypeId, part: &str, at: usize) -> Value {
        let wanted = |kind: &TypeKind| match (kind, part) {
            (TypeKind::Sides(of), "side") | (TypeKind::Edges(of), "edge") | (TypeKind::Borders(of), "border") => {
                *of == cells
            }
            _ => false,
        };
        let found = self.bound().types.iter().find(|(_, def)| wanted(&def.kind));
        let (id, _) = found.must("a board has types for its parts");
        Value::Member(id, exact(at))
    }

    /// Steps from a cell; a side counts as the way it points.
    fn walk(&self, board: &Board, from: usize, way: &Value, steps: i64) -> Option<usize> {
        let Value::Member(id, at) = way else { impossible!("{way:?} is no way") };
        let is_side = matches!(self.bound().types.get(*id).kind, TypeKind::Sides(_));
        let way = if is_side { board.way_of_side(*at as usize) } else { *at as usize };
        let (way, steps) =
            if steps < 0 { ((way + board.ways().len() / 2) % board.ways().len().max(1), -steps) } else { (way, steps) };
        (0..steps).try_fold(from, |at, _| board.step(at, way))
    }

    pub(super) fn border_field(&self, id: TypeId, at: u32, member: &str) -> Value {
        let (cells, board) = self.bound().types.board_of(id).must("a border is one of a board");
        let sides = board.sides().len().max(1);
        if member == "cell" {
            Value::Member(cells, exact(at as usize / sides))
        } else {
            self.part(cells, "side", at as usize % sides)
        }
    }

    /// The place of a cell or border after quarter turns, for tables.
    pub(crate) fn rotated(&self, id: TypeId, at: u32, turns: i64) -> i64 {
        match self.rotate(&Value::Member(id, at), turns) {
            Value::Member(_, at) => i64::from(at),
            other => impossible!("a cell is rotated to {other:?}"),
        }
    }

    /// Quarter turns clockwise about the centre of a square board.
    fn rotate(&self, value: &Value, turns: i64) -> Value {
        match value {
            Value::Set(members) => {
                super::expr::set_of(members.iter().map(|member| self.rotate(member, turns)).collect())
            }
            Value::Member(id, at) => {
                let (_, board) = self.bound().types.board_of(*id).must("what is rotated is on a board");
                let sides = board.sides().len().max(1);
                let is_border = matches!(self.bound().types.get(*id).kind, TypeKind::Borders(_));
                let (mut cell, mut side) =
                    if is_border { (*at as usize / sides, *at as usize % sides) } else { (*at as usize, 0) };
                for _ in 0..turns.rem_euclid(4) {
                    let (column, row) = board.column_and_row(cell);
                    // The top row becomes the right column.
                    let (column, row) = (row, board.width() - 1 - column);
                    cell = row * board.width() + column;
                    side = (side + 1) % sides;
                }
                let at = if is_border { cell * sides + side } else { cell };
                Value::Member(*id, exact(at))
            }
            other => impossible!("{other:?} is rotated"),
        }
    }
}

fn int(value: usize) -> Value {
    Value::Int(exact(value))
}

/// The cells strictly between two cells; none if they do not lie in a line.
pub(crate) fn cells_between(board: &Board, from: usize, to: usize) -> Vec<usize> {
    (0..board.ways().len()).find_map(|way| between(board, from, to, way)).unwrap_or_default()
}

/// The cells strictly between two cells that lie in this way from each other.
fn between(board: &Board, from: usize, to: usize, way: usize) -> Option<Vec<usize>> {
    let mut found = Vec::new();
    let mut at = from;
    loop {
        at = board.step(at, way)?;
        if at == to {
            return Some(found);
        }
        found.push(at);
    }
}

/// The n-th cell straight in from a place on the rim.
pub(crate) fn inward(board: &Board, place: usize, steps: i64) -> Option<usize> {
    if !matches!(board.shape(), Shape::Square) {
        return None;
    }
    let steps = usize::try_from(steps - 1).ok()?;
    let (width, height) = (board.width(), board.height());
    let (column, row) = if place < width {
        (place, (height - 1).checked_sub(steps)?)
    } else if place < width + height {
        ((width - 1).checked_sub(steps)?, place - width)
    } else if place < 2 * width + height {
        (place - width - height, steps)
    } else {
        (steps, place - 2 * width - height)
    };
    (column < width && row < height).then(|| row * width + column)
}
