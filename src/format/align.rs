//! Columns over several rows: requirements, and comments at line ends.
//!
//! Everything else is left unaligned on purpose: a column makes every line change when one does.

use super::nesting::STEP;
use super::roles::Role;
use super::rows::Row;

/// Requirements are aligned only as long as none gets wider.
const WIDEST: usize = 110;
/// Heads of requirements that are longer than the shortest one by more than this are not aligned.
const FARTHEST: usize = 12;
/// Lines with more code than this go without the common column of comments.
const LONGEST: usize = 60;
/// Blanks before a phrase or a comment in a column.
const GUTTER: usize = 2;

/// Aligns the conditions and the phrases of the requirements of each action.
pub(super) fn requirements(rows: &mut [Row<'_>]) {
    let mut group: Vec<(usize, Requirement)> = Vec::new();
    for at in 0..rows.len() {
        let Some(row) = rows.get(at) else { break };
        let requirement = Requirement::of(row);
        let inside = requirement.is_some() || row.cells.is_empty() || row.indent > STEP;
        if row.parted || !inside {
            align_group(rows, std::mem::take(&mut group));
        }
        if let Some(requirement) = requirement {
            group.push((at, requirement));
        }
    }
    align_group(rows, group);
}

/// The parts of a requirement in its first row.
#[derive(Debug, Clone, Copy)]
struct Requirement {
    /// The cell with which its condition begins, and the one with which its phrase begins.
    condition: usize,
    phrase: Option<usize>,
    /// Columns of `require name:`, of the condition, and of the phrase with what follows.
    head: usize,
    middle: usize,
    tail: usize,
}

impl Requirement {
    fn of(row: &Row<'_>) -> Option<Self> {
        let colon = row.cells.iter().position(|cell| cell.role == Role::Named)?;
        let (condition, end) = (colon + 1, row.cells.len());
        if row.item || row.first() != "require" || condition == end {
            return None;
        }
        let text = |cell: &super::rows::Cell<'_>| cell.text.starts_with('"');
        let phrase = row.cells.iter().skip(condition).position(text).map(|at| condition + at);
        let middle = row.width(condition, phrase.unwrap_or(end));
        let tail = phrase.map_or(0, |phrase| row.width(phrase, end));
        Some(Self { condition, phrase, head: row.width(0, condition), middle, tail })
    }

    /// Columns of the row if its condition begins after `head` columns and is padded to `middle`.
    fn width(&self, head: usize, middle: usize) -> usize {
        let phrase = if self.phrase.is_some() { middle.max(self.middle) + GUTTER + self.tail } else { self.middle };
        STEP + head + 1 + phrase
    }
}

/// Aligns the rows of one action. A long guard would push all conditions away, and a long condition all
/// phrases: rows that have one go without the column.
fn align_group(rows: &mut [Row<'_>], mut group: Vec<(usize, Requirement)>) {
    let shortest = group.iter().map(|(_, part)| part.head).min().unwrap_or(0);
    group.retain(|(_, part)| part.head <= shortest + FARTHEST && part.width(part.head, 0) <= WIDEST);
    let head = group.iter().map(|(_, part)| part.head).max().unwrap_or(0);
    group.retain(|(_, part)| part.width(head, 0) <= WIDEST);
    let mut conditions: Vec<usize> =
        group.iter().filter(|(_, part)| part.phrase.is_some()).map(|(_, part)| part.middle).collect();
    conditions.sort_unstable();
    let fits = |&middle: &usize| {
        let mut column = group.iter().filter(|(_, part)| part.middle <= middle);
        column.all(|(_, part)| part.width(head, middle) <= WIDEST)
    };
    let middle = conditions.iter().rev().copied().find(|middle| fits(middle)).unwrap_or(0);
    for (at, part) in group {
        let Some(row) = rows.get_mut(at) else { continue };
        set_gap(row, part.condition, head - part.head + 1);
        if let Some(phrase) = part.phrase {
            set_gap(row, phrase, middle.saturating_sub(part.middle) + GUTTER);
        }
    }
}

fn set_gap(row: &mut Row<'_>, cell: usize, gap: usize) {
    if let Some(cell) = row.cells.get_mut(cell) {
        cell.gap = gap;
    }
}

/// Puts the comments of lines that follow each other into one column.
pub(super) fn comments(rows: &mut [Row<'_>]) {
    for paragraph in rows.chunk_by_mut(|_, row| !row.parted) {
        let takes_part = |row: &Row<'_>| !row.cells.is_empty() && row.comment.is_some() && row.end() <= LONGEST;
        let column = paragraph.iter().filter(|row| takes_part(row)).map(Row::end).max().unwrap_or(0);
        for row in paragraph.iter_mut().filter(|row| takes_part(row)) {
            row.comment_gap = column - row.end() + GUTTER;
        }
    }
}
