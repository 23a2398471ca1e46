//! Source texts and places in them.
//!
//! A [`Span`] names its file, so that a fault can point into rules, numbers and examples at once. It
//! holds byte offsets; lines and columns are worked out only when something is printed.

use std::sync::Arc;

use serde::Serialize;

/// Which of the [`Sources`] a span points into.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize)]
pub struct FileId(pub u16);

/// A piece of text: bytes `start..end` of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// Bytes `start..end` of `file`. Files are capped far below 4 GiB when they are read.
    #[must_use]
    pub fn new(file: FileId, start: usize, end: usize) -> Self {
        let narrow = |offset: usize| u32::try_from(offset).unwrap_or(u32::MAX);
        Self { file, start: narrow(start), end: narrow(end) }
    }

    /// From the beginning of `self` to the end of `other`.
    #[must_use]
    pub fn to(self, other: Span) -> Span {
        Span { file: self.file, start: self.start, end: other.end.max(self.start) }
    }

    /// The bytes as a range of `usize`.
    #[must_use]
    pub fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// One text with a name that can be shown.
#[derive(Debug, Clone)]
pub struct Source {
    name: String,
    text: Arc<str>,
    line_starts: Vec<u32>,
    /// Lines of the whole file before this text.
    lines_before: usize,
}

/// A line and a column, both from 1; columns count characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Place {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
}

impl Source {
    fn new(name: String, text: Arc<str>) -> Self {
        let newlines = text.bytes().enumerate().filter(|&(_, byte)| byte == b'\n');
        let starts = newlines.map(|(at, _)| u32::try_from(at + 1).unwrap_or(u32::MAX));
        let line_starts = std::iter::once(0).chain(starts).collect();
        Self { name, text, line_starts, lines_before: 0 }
    }

    /// The name it is shown under: a path, mostly.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The whole text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text of a span, empty where the span does not fit.
    #[must_use]
    pub fn slice(&self, span: Span) -> &str {
        self.text.get(span.range()).unwrap_or("")
    }

    /// The line (from 1) that holds this byte.
    #[must_use]
    pub fn line_of(&self, offset: u32) -> usize {
        self.lines_before + self.line_starts.partition_point(|&start| start <= offset)
    }

    /// Lines of the whole file before this text.
    #[must_use]
    pub fn lines_before(&self) -> usize {
        self.lines_before
    }

    /// The line and column of a byte.
    #[must_use]
    pub fn place_of(&self, offset: u32) -> Place {
        let line = self.line_starts.partition_point(|&start| start <= offset);
        let start = self.line_starts.get(line - 1).copied().unwrap_or(0) as usize;
        let before = self.text.get(start..offset as usize).unwrap_or("");
        Place { line: self.lines_before + line, column: before.chars().count() + 1 }
    }
}

/// Every text that took part in a run, by [`FileId`].
#[derive(Debug, Clone, Default)]
pub struct Sources {
    files: Vec<Source>,
}

impl Sources {
    /// Adds a text and gives its id. At most 65,535 files can be told apart; folders are capped long before.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<Arc<str>>) -> FileId {
        let id = self.next_id();
        self.files.push(Source::new(name.into(), text.into()));
        id
    }

    /// The id that the next text gets.
    #[must_use]
    pub fn next_id(&self) -> FileId {
        FileId(u16::try_from(self.files.len()).unwrap_or(u16::MAX))
    }

    /// Adds a text that is a part of another one, and begins there with this line.
    pub fn add_part(&mut self, name: impl Into<String>, text: impl Into<Arc<str>>, first_line: usize) -> FileId {
        let id = self.add(name, text);
        if let Some(source) = self.files.last_mut() {
            source.lines_before = first_line.saturating_sub(1);
        }
        id
    }

    /// The text with this id.
    #[must_use]
    pub fn get(&self, id: FileId) -> Option<&Source> {
        self.files.get(usize::from(id.0))
    }

    /// The text of a span.
    #[must_use]
    pub fn slice(&self, span: Span) -> &str {
        self.get(span.file).map_or("", |source| source.slice(span))
    }

    /// All texts with their ids.
    pub fn iter(&self) -> impl Iterator<Item = (FileId, &Source)> {
        self.files.iter().enumerate().map(|(id, source)| (FileId(u16::try_from(id).unwrap_or(u16::MAX)), source))
    }
}
