//! Tables for people: the first column to the left, all others to the right.

use std::io;

use super::super::Output;

/// Rows of cells, as wide as their contents.
#[derive(Debug, Default)]
pub(crate) struct Columns {
    rows: Vec<Vec<String>>,
}

impl Columns {
    /// A table with these words above its columns.
    pub(crate) fn new(head: &[&str]) -> Self {
        Self { rows: vec![head.iter().map(|&word| word.to_owned()).collect()] }
    }

    /// A row more.
    pub(crate) fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(cells.into_iter().collect());
    }

    /// Writes all rows. A column in which nothing stands but its head is left out.
    pub(crate) fn write(&self, output: &mut Output<'_>) -> io::Result<()> {
        let count = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let cell = |row: &[String], at: usize| row.get(at).cloned().unwrap_or_default();
        let wide = |at: usize| self.rows.iter().map(|row| cell(row, at).chars().count()).max().unwrap_or(0);
        let used = |at: &usize| self.rows.iter().skip(1).any(|row| !cell(row, *at).is_empty());
        let columns: Vec<(usize, usize)> = (0..count).filter(used).map(|at| (at, wide(at))).collect();
        for row in &self.rows {
            let cells = columns.iter().map(|&(at, width)| {
                let text = cell(row, at);
                if at == 0 { format!("{text:<width$}") } else { format!("{text:>width$}") }
            });
            output.line(cells.collect::<Vec<_>>().join("  ").trim_end())?;
        }
        Ok(())
    }
}

/// A number with so many digits after the point; `-` if there is none.
pub(crate) fn number(value: Option<f64>, digits: usize) -> String {
    value.map_or_else(|| "-".to_owned(), |value| format!("{value:.digits$}"))
}

/// A share in percent; `-` if there is none.
pub(crate) fn percent(value: Option<f64>) -> String {
    value.map_or_else(|| "-".to_owned(), |value| format!("{:.1}%", value * 100.0))
}

/// Two ends; nothing if there are none.
pub(crate) fn ends(low: Option<f64>, high: Option<f64>, digits: usize) -> String {
    let text = |value: f64| {
        let text = format!("{value:.digits$}");
        // What is rounded to nothing has no sign.
        if text.trim_start_matches('-').chars().all(|c| matches!(c, '0' | '.')) { text.replace('-', "") } else { text }
    };
    low.zip(high).map_or_else(String::new, |(low, high)| format!("{} to {}", text(low), text(high)))
}
