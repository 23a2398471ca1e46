//! Tables of numbers: what stands under a drawing, for checking and for whoever hears the page.

use super::markup::{Markup, Tag};
use super::number::Mark;

/// What stands in a cell.
#[derive(Debug, Clone)]
pub(super) enum Cell {
    Text(String),
    Number(Mark),
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<Mark> for Cell {
    fn from(mark: Mark) -> Self {
        Self::Number(mark)
    }
}

/// Chart with a name each.
#[derive(Debug, Clone, Default)]
pub(super) struct Table {
    title: String,
    head: Vec<String>,
    rows: Vec<Vec<Cell>>,
}

impl Table {
    /// A table with what it is and the words above its columns; the first column has the names of the rows.
    pub(super) fn new(title: impl Into<String>, head: &[&str]) -> Self {
        Self { title: title.into(), head: head.iter().map(|&word| word.to_owned()).collect(), rows: Vec::new() }
    }

    /// A column more.
    pub(super) fn column(&mut self, word: impl Into<String>) {
        self.head.push(word.into());
    }

    pub(super) fn row(&mut self, cells: impl IntoIterator<Item = Cell>) {
        self.rows.push(cells.into_iter().collect());
    }

    pub(super) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }
}

impl From<Table> for Markup {
    fn from(Table { title, head, rows }: Table) -> Self {
        let head = head.into_iter().map(|word| Tag::new("th").with("scope", "col").text(word));
        let rows = rows.into_iter().map(|row| {
            let cells = row.into_iter().enumerate().map(|(at, cell)| match (at, cell) {
                (0, Cell::Text(text)) => Tag::new("th").with("scope", "row").text(text),
                (0, Cell::Number(mark)) => Tag::new("th").with("scope", "row").class("n").add(mark),
                (_, Cell::Text(text)) => Tag::new("td").text(text),
                (_, Cell::Number(mark)) => Tag::new("td").class("n").add(mark),
            });
            Tag::new("tr").all(cells)
        });
        let table = Tag::new("table")
            .add(Tag::new("caption").text(title))
            .add(Tag::new("thead").add(Tag::new("tr").all(head)))
            .add(Tag::new("tbody").all(rows));
        // Wide tables are moved in their own frame, which the keyboard must reach.
        Tag::new("div").class("wide").with("tabindex", "0").add(table).into()
    }
}
