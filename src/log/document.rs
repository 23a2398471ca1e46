//! A file of logs with its comments: what `ludex fmt` lays out, and what both notations have in common.
//!
//! A document is rows in the order of its lines. The layout is a function of the rows alone, and keeps what they
//! say, so that laying out twice changes nothing; both notations write the same rows, so that neither loses any.

use super::json::{self, Lines};
use super::lines::{First, Starts};
use super::read::canonical;
use super::said::{Place, said};
use super::write::line;
use super::{Form, Heard, Line, RawLine, Reader, Said, lines};
use crate::limits::LOG_FAULTS;
use crate::report::{Fault, FileId, Span};

/// The lines of a file, comments and all, in canonical order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    rows: Vec<Row>,
}

/// A line of a document. It is blank if it neither says anything nor has a comment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Row {
    pub(super) said: Option<Said>,
    pub(super) comment: Option<String>,
    /// Which game of the document it belongs to.
    game: usize,
}

/// The parts of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Head,
    Entries,
    End,
}

impl Row {
    /// The part of the document that it belongs to; none if it says nothing.
    pub(super) fn section(&self) -> Option<(usize, Part)> {
        self.part().map(|part| (self.game, part))
    }

    fn part(&self) -> Option<Part> {
        Some(match self.said.as_ref()? {
            Said::Entry(_) => Part::Entries,
            Said::Result(_) | Said::Winner(_) => Part::End,
            _ => Part::Head,
        })
    }

    fn is_blank(&self) -> bool {
        self.said.is_none() && self.comment.is_none()
    }

    /// Where it belongs in the head.
    fn rank(&self) -> usize {
        const ORDER: [&str; 7] = ["ludex", "game", "rules", "players", "set", "seed", "expect"];
        let word = self.said.as_ref().and_then(Said::word);
        ORDER.iter().position(|known| Some(*known) == word).unwrap_or(ORDER.len())
    }
}

impl Document {
    /// Reads a file in this notation. Entries may follow a result; everything else must be in its place.
    pub fn read(file: FileId, text: &str, form: Form) -> Result<Self, Vec<Fault>> {
        match form {
            Form::Text => Self::from_text(file, text),
            Form::JsonLines => Self::from_json_lines(file, text),
        }
    }

    /// Reads the notation for people.
    pub fn from_text(file: FileId, text: &str) -> Result<Self, Vec<Fault>> {
        let mut builder = Builder::new(file);
        for line in lines(0, text) {
            builder.line(&line, line.comment.map(comment_of));
            if builder.faults.len() > LOG_FAULTS {
                break;
            }
        }
        builder.finish()
    }

    /// Reads JSON Lines.
    pub fn from_json_lines(file: FileId, text: &str) -> Result<Self, Vec<Fault>> {
        let mut builder = Builder::new(file);
        let mut at = 0;
        for written in text.split_inclusive('\n') {
            let start = at + (written.len() - written.trim_ascii_start().len());
            at += written.len();
            // What else Unicode calls a blank is none in JSON.
            let written = written.trim_ascii();
            // An empty line is none; a blank line is an object with nothing in it.
            if !written.is_empty() {
                builder.object(written, Span::new(file, start, start + written.len()));
            }
            if builder.faults.len() > LOG_FAULTS {
                break;
            }
        }
        builder.finish()
    }

    /// The document in this notation.
    #[must_use]
    pub fn write(&self, form: Form) -> String {
        match form {
            Form::Text => self.to_text(),
            Form::JsonLines => self.to_json_lines(),
        }
    }

    /// The document for people.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut out = String::new();
        for row in &self.rows {
            let said = row.said.as_ref().map(line);
            match (said, row.comment.as_deref().map(comment_text)) {
                (Some(said), Some(comment)) => out += &format!("{said}  {comment}"),
                (said, comment) => out += said.or(comment).as_deref().unwrap_or(""),
            }
            out.push('\n');
        }
        out
    }

    /// The document as JSON Lines. Blank lines that the layout demands are left out.
    #[must_use]
    pub fn to_json_lines(&self) -> String {
        let kept: Vec<Row> = (0..self.rows.len())
            .filter(|&at| !self.is_implied(at))
            .filter_map(|at| self.rows.get(at))
            .cloned()
            .collect();
        json::write(&kept)
    }

    /// How many games it holds.
    #[must_use]
    pub fn games(&self) -> usize {
        self.rows.last().map_or(0, |row| row.game + 1)
    }

    /// Is this the one blank line between two parts, where the layout puts it?
    fn is_implied(&self, at: usize) -> bool {
        let blank = self.rows.get(at).is_some_and(Row::is_blank);
        let before = at.checked_sub(1).and_then(|before| self.rows.get(before)).and_then(Row::section);
        let after: Vec<&Row> =
            self.rows.iter().skip(at + 1).take_while(|row| row.said.is_none()).filter(|row| row.is_blank()).collect();
        let next = self.rows.iter().skip(at + 1).find_map(Row::section);
        blank && before.is_some() && next.is_some() && before != next && after.is_empty()
    }
}

/// Collects the rows of a document.
struct Builder {
    file: FileId,
    rows: Vec<Row>,
    faults: Vec<Fault>,
    starts: Starts,
    reader: Reader,
    game: usize,
    within: Option<Span>,
}

impl Builder {
    fn new(file: FileId) -> Self {
        Self {
            file,
            rows: Vec::new(),
            faults: Vec::new(),
            starts: Starts::default(),
            reader: Reader::new(file),
            game: 0,
            within: None,
        }
    }

    fn object(&mut self, written: &str, span: Span) {
        self.within = Some(span);
        match json::lines_of(written, span) {
            Ok(Lines { lines, comment }) => {
                let last = lines.len().saturating_sub(1);
                for (at, line) in lines.iter().enumerate() {
                    let comment = comment.clone().filter(|_| at == last);
                    self.line(&RawLine::new(line, span.start as usize), comment);
                }
                if lines.is_empty() {
                    self.rows.push(Row { said: None, comment, game: self.game });
                }
            }
            Err(fault) => self.faults.push(*fault),
        }
    }

    fn line(&mut self, line: &RawLine<'_>, comment: Option<String>) {
        if line.is_blank() {
            self.rows.push(Row { said: None, comment, game: self.game });
            return;
        }
        let place = Place { file: self.file, within: self.within };
        let first = match said(place, line) {
            Ok(Said::Version(_)) => Some(First::Version),
            Ok(Said::Game(_)) => Some(First::Game),
            _ => None,
        };
        if first.is_some_and(|first| self.starts.is_next(first)) {
            self.end_game();
            self.game += 1;
        }
        if let Some(within) = self.within {
            self.reader.within(within);
        }
        match self.reader.line(line) {
            Ok(Heard::Entry(entry)) => match canonical(place, &entry) {
                Ok(entry) => self.rows.push(Row { said: Some(Said::Entry(entry)), comment, game: self.game }),
                // A log that shows what cannot be read is left as it is there.
                Err(_) if self.shows_unreadable() => {
                    let entry = Line { text: line.text.to_owned(), ..Line::default() };
                    self.rows.push(Row { said: Some(Said::Entry(entry)), comment, game: self.game });
                }
                Err(faults) => self.faults.extend(faults),
            },
            Ok(Heard::Head | Heard::End) => {
                self.rows.push(Row { said: said(place, line).ok(), comment, game: self.game });
            }
            Err(faults) => self.faults.extend(faults),
        }
    }

    fn shows_unreadable(&self) -> bool {
        self.reader.log().expect.as_ref().is_some_and(|expect| expect.verdict == "unreadable")
    }

    fn end_game(&mut self) {
        let reader = std::mem::replace(&mut self.reader, Reader::new(self.file));
        if self.faults.is_empty() {
            self.faults.extend(reader.missing_head());
            self.faults.extend(reader.missing_end());
        }
    }

    fn finish(mut self) -> Result<Document, Vec<Fault>> {
        self.end_game();
        if !self.faults.is_empty() {
            return Err(self.faults);
        }
        let mut rows = self.rows;
        order_heads(&mut rows);
        Ok(Document { rows: spaced(rows) })
    }
}

/// Lines of a head that follow each other stand in canonical order, with their comments.
fn order_heads(rows: &mut [Row]) {
    let together = |a: &Row, b: &Row| a.game == b.game && a.part() == Some(Part::Head) && b.part() == Some(Part::Head);
    for run in rows.chunk_by_mut(together) {
        run.sort_by_key(Row::rank);
    }
}

/// No blank lines at the ends, no two in a row, and at least one between the parts of a game and between games.
fn spaced(rows: Vec<Row>) -> Vec<Row> {
    let mut found: Vec<Row> = Vec::new();
    // The last row that says something, and whether there has been a blank line since.
    let (mut last, mut parted) = (None, false);
    for row in rows {
        if row.is_blank() {
            if found.last().is_some_and(|last| !last.is_blank()) {
                parted = true;
                found.push(row);
            }
            continue;
        }
        if let Some(section) = row.section() {
            if let Some((at, before)) = last.take()
                && before != section
                && !parted
            {
                let game = found.get::<usize>(at).map_or(0, |row| row.game);
                found.insert(at + 1, Row { said: None, comment: None, game });
            }
            (last, parted) = (Some((found.len(), section)), false);
        }
        found.push(row);
    }
    while found.last().is_some_and(Row::is_blank) {
        found.pop();
    }
    found
}

/// What a comment says, without the blank that follows its sign.
fn comment_of(written: &str) -> String {
    written.strip_prefix(' ').unwrap_or(written).trim_end().to_owned()
}

/// A comment as it is written.
pub(super) fn comment_text(comment: &str) -> String {
    if comment.is_empty() || comment.starts_with('#') { format!("#{comment}") } else { format!("# {comment}") }
}
