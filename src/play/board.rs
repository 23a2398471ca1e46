//! A board as text: cells in their places, columns and rows named.

use crate::bind::{Board, Shape};

/// A cell may be this wide in the grid; what is wider is written below it.
const WIDEST: usize = 6;

/// What stands on a board, cell by cell.
pub(super) fn grid(board: &Board, cells: &[String]) -> String {
    let mut notes = Vec::new();
    let mut short = Vec::new();
    for (at, cell) in cells.iter().enumerate() {
        if cell.chars().count() > WIDEST {
            notes.push(format!("{}: {cell}", board.cell_name(at).unwrap_or_default()));
            short.push("*".to_owned());
        } else {
            short.push(if cell.is_empty() { ".".to_owned() } else { cell.clone() });
        }
    }
    let mut lines = match board.shape() {
        Shape::Square => upright(board, &short),
        Shape::HexRhombus => rhombus(board, &short),
        Shape::HexFlat => flat(board, &short),
        Shape::Ring | Shape::Graph(_) => listed(board, &short),
    };
    if !notes.is_empty() {
        lines.push(String::new());
        lines.extend(notes);
    }
    lines.iter().map(|line| format!("{}\n", line.trim_end())).collect()
}

/// The width that all cells, and the letters of columns, fit into.
fn width(board: &Board, cells: &[String]) -> usize {
    let names = (0..board.width()).map(|column| letters(board, column).chars().count());
    cells.iter().map(|cell| cell.chars().count()).chain(names).max().unwrap_or(1).max(1)
}

/// The letters of a column.
fn letters(board: &Board, column: usize) -> String {
    board.cell_name(column).unwrap_or_default().trim_end_matches(|c: char| c.is_ascii_digit()).to_owned()
}

fn row_of<'t>(board: &Board, cells: &'t [String], row: usize) -> &'t [String] {
    let start = row * board.width();
    cells.get(start..(start + board.width()).min(cells.len())).unwrap_or(&[])
}

fn joined(cells: impl Iterator<Item = String>, width: usize) -> String {
    cells.map(|cell| format!("{cell:<width$} ")).collect()
}

fn upright(board: &Board, cells: &[String]) -> Vec<String> {
    let (width, label) = (width(board, cells), board.height().to_string().len());
    let mut lines: Vec<String> = (0..board.height())
        .rev()
        .map(|row| format!("{:>label$}  {}", row + 1, joined(row_of(board, cells, row).iter().cloned(), width)))
        .collect();
    let names = joined((0..board.width()).map(|column| letters(board, column)), width);
    lines.push(format!("{:>label$}  {names}", ""));
    lines
}

/// Each row lies half a cell further right than the one below it.
fn rhombus(board: &Board, cells: &[String]) -> Vec<String> {
    // An odd width, so that half of a cell with its blank is whole.
    let width = width(board, cells) | 1;
    let half = width.div_ceil(2);
    let label = board.height().to_string().len();
    let mut lines: Vec<String> = (0..board.height())
        .rev()
        .map(|row| {
            let cells = joined(row_of(board, cells, row).iter().cloned(), width);
            format!("{}{:>label$}  {cells}", " ".repeat(half * row), row + 1)
        })
        .collect();
    let names = joined((0..board.width()).map(|column| letters(board, column)), width);
    lines.push(format!("{:>label$}  {names}", ""));
    lines
}

/// Every second column lies half a cell lower: two lines for each row.
fn flat(board: &Board, cells: &[String]) -> Vec<String> {
    let (width, label) = (width(board, cells), board.height().to_string().len());
    let mut lines = Vec::new();
    for row in (0..board.height()).rev() {
        for half in 0..2 {
            let shown = row_of(board, cells, row).iter().enumerate();
            let shown = shown.map(|(column, cell)| if column % 2 == half { cell.clone() } else { String::new() });
            let name = if half == 0 { (row + 1).to_string() } else { String::new() };
            lines.push(format!("{name:>label$}  {}", joined(shown, width)));
        }
    }
    let names = joined((0..board.width()).map(|column| letters(board, column)), width);
    lines.push(format!("{:>label$}  {names}", ""));
    lines
}

fn listed(board: &Board, cells: &[String]) -> Vec<String> {
    let name = |at: usize| board.cell_name(at).unwrap_or_default();
    let widest = (0..cells.len()).map(|at| name(at).chars().count()).max().unwrap_or(1);
    cells.iter().enumerate().map(|(at, cell)| format!("{:<widest$}  {cell}", name(at))).collect()
}
