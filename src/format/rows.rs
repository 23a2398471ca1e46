//! Lines of tokens → rows: each token with the blanks before it.
//!
//! Blanks depend on the parts that two neighbours play, never on what the author wrote, except where
//! the language itself listens to blanks.

use super::lexer::{self, Line};
use super::nesting::STEP;
use super::reader::{CLAUSE, Reader};
use super::roles::Role;

/// A token, and how many blanks stand before it.
#[derive(Debug)]
pub(super) struct Cell<'t> {
    pub(super) text: &'t str,
    pub(super) role: Role,
    pub(super) gap: usize,
}

impl Cell<'_> {
    /// How many columns it takes, with its gap.
    fn width(&self) -> usize {
        self.gap + self.text.chars().count()
    }
}

/// A line as it will be written.
#[derive(Debug)]
pub(super) struct Row<'t> {
    pub(super) indent: usize,
    pub(super) cells: Vec<Cell<'t>>,
    pub(super) comment: Option<&'t str>,
    /// Blanks before the comment, if there is code before it.
    pub(super) comment_gap: usize,
    /// It begins an item.
    pub(super) item: bool,
    /// A blank line stands before it.
    pub(super) parted: bool,
}

impl Row<'_> {
    /// Columns of some cells, with the gaps between them but not the one before them.
    pub(super) fn width(&self, from: usize, to: usize) -> usize {
        let cells = self.cells.get(from..to).unwrap_or(&[]);
        let all: usize = cells.iter().map(Cell::width).sum();
        all - cells.first().map_or(0, |cell| cell.gap)
    }

    /// The column after its code.
    pub(super) fn end(&self) -> usize {
        self.indent + self.width(0, self.cells.len())
    }

    /// Its first token, empty in a line with nothing but a comment.
    pub(super) fn first(&self) -> &str {
        self.cells.first().map_or("", |cell| cell.text)
    }

    /// Does it leave a brace open at its end?
    pub(super) fn opens(&self) -> bool {
        self.cells.last().is_some_and(|cell| cell.text == "{")
    }

    fn write(&self, out: &mut String) {
        if !self.cells.is_empty() || self.comment.is_some() {
            blanks(self.indent, out);
        }
        for cell in &self.cells {
            blanks(cell.gap, out);
            out.push_str(cell.text);
        }
        if let Some(comment) = self.comment {
            blanks(if self.cells.is_empty() { 0 } else { self.comment_gap }, out);
            out.push_str(comment);
        }
        out.push('\n');
    }
}

fn blanks(count: usize, out: &mut String) {
    out.extend(std::iter::repeat_n(' ', count));
}

/// Lays a text out, line by line; nothing is aligned yet.
pub(super) fn rows(text: &str) -> Vec<Row<'_>> {
    let lines = lexer::lines(text);
    let mut reader = Reader::new();
    let mut rows: Vec<Row<'_>> = lines.iter().map(|line| row(&mut reader, line)).collect();
    indent_comments(&lines, &mut rows);
    drop_blank_lines(&mut rows);
    rows
}

fn row<'t>(reader: &mut Reader<'t>, line: &Line<'t>) -> Row<'t> {
    let shape = reader.line(line);
    let mut cells: Vec<Cell<'t>> = Vec::with_capacity(line.code.len());
    for (token, &role) in line.code.iter().zip(&shape.roles) {
        let blank = cells.last().is_some_and(|before| parts(before.role, role, token.glued));
        cells.push(Cell { text: token.text, role, gap: usize::from(blank) });
    }
    let alone = matches!(cells.as_slice(), [_, brace] if brace.text == "{");
    if let [word, next, ..] = cells.as_mut_slice()
        && shape.padded
        && !alone
    {
        next.gap = CLAUSE.saturating_sub(word.text.len()).max(1);
    }
    Row {
        indent: shape.indent,
        cells,
        comment: line.comment,
        comment_gap: 2,
        item: line.begins_item(),
        parted: line.parted,
    }
}

/// Does a blank stand between two tokens?
fn parts(before: Role, role: Role, glued: bool) -> bool {
    match (before, role) {
        (Role::Unknown, _) | (_, Role::Unknown) => !glued,
        (Role::Open | Role::Call | Role::Joint | Role::Prefix, _)
        | (_, Role::Call | Role::Close | Role::Joint | Role::Named | Role::Optional | Role::Separator) => false,
        _ => true,
    }
}

/// A comment on a line of its own stands where the code after it stands; in column 0 it stays.
fn indent_comments(lines: &[Line<'_>], rows: &mut [Row<'_>]) {
    let last = rows.iter().rposition(|row| !row.cells.is_empty());
    let first = rows.iter().position(|row| !row.cells.is_empty());
    // Where a comment stands before the line that was looked at last, and whether a blank line is between.
    let mut below = STEP;
    let mut adjoins = false;
    for (at, (row, line)) in rows.iter_mut().zip(lines).enumerate().rev() {
        if !row.cells.is_empty() {
            let bracket = matches!(row.first(), "{" | "}" | ")" | "]");
            below = if bracket { row.indent + STEP } else { row.indent };
        } else if line.flush || first.is_none_or(|first| at < first) {
            row.indent = 0;
        } else if last.is_some_and(|last| at > last) || below == 0 && !adjoins {
            row.indent = STEP;
        } else {
            row.indent = below;
        }
        adjoins = !row.parted && (adjoins || !row.cells.is_empty());
    }
}

/// No blank line stands at the edges of a block, nor before the first row.
fn drop_blank_lines(rows: &mut [Row<'_>]) {
    let mut edge = true;
    for row in rows {
        row.parted = row.parted && !edge && row.first() != "}";
        edge = row.opens();
    }
}

/// Writes the rows.
pub(super) fn write(rows: &[Row<'_>]) -> String {
    let mut out = String::new();
    for row in rows {
        if row.parted {
            out.push('\n');
        }
        row.write(&mut out);
    }
    out
}
