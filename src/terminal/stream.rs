//! A stream of a command: everything that strangers have written is made harmless on the way, and a reader who has
//! gone away does not stop the command.

use std::io::{self, Write};

use crate::report::{Escape, clean_lines};

/// Where a command writes. What is written through [`Write`] may hold texts of rulesets, logs and file names.
pub(super) struct Stream<'o> {
    inner: &'o mut dyn Write,
    escape: Escape,
    /// The reader has gone away: what follows is for nobody.
    closed: bool,
}

impl<'o> Stream<'o> {
    pub(super) fn new(inner: &'o mut dyn Write, escape: Escape) -> Self {
        Self { inner, escape, closed: false }
    }

    /// Writes what this program has drawn, with its colours. Texts of strangers in it must be harmless already.
    pub(super) fn drawn(&mut self, text: &str) -> io::Result<()> {
        self.attempt(|inner| inner.write_all(text.as_bytes()))
    }

    /// A line that is written over again and again.
    pub(super) fn progress(&mut self, text: &str) -> io::Result<()> {
        self.drawn("\r\u{1b}[K")?;
        self.write_all(text.as_bytes())?;
        self.flush()
    }

    fn attempt(&mut self, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
        if self.closed {
            return Ok(());
        }
        match write(self.inner) {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                self.closed = true;
                Ok(())
            }
            other => other,
        }
    }
}

impl Write for Stream<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8_lossy(bytes);
        let escape = self.escape;
        self.attempt(|inner| inner.write_all(clean_lines(&text, escape).as_bytes()))?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.attempt(|inner| inner.flush())
    }
}
