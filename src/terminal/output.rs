//! Where commands write: results to one stream, diagnostics to the other, never straight to the process.

use std::io::{self, BufRead, Read, Write};

use crate::internal::Impossible;
use crate::report::{Escape, Fault, Human, Sources, Style, clean_line, github, json, sarif, xml};

use super::stream::Stream;
use super::{Environment, Format, When};

/// A line that is typed may have this many bytes; the rest is the next line.
const LONGEST_LINE: u64 = 1 << 16;

/// The streams, and how to write to them.
pub struct Output<'a> {
    input: &'a mut (dyn BufRead + Send),
    results: Stream<'a>,
    diagnostics: Stream<'a>,
    /// What was asked for.
    pub format: Format,
    /// How to draw faults.
    pub style: Style,
    /// Only what matters is wanted.
    pub quiet: bool,
    verbose: bool,
    /// What the process knows about its surroundings.
    pub environment: Environment,
    /// The command line, word by word, as a report repeats it.
    pub command: Vec<String>,
}

impl<'a> Output<'a> {
    pub(super) fn new(
        (input, results, diagnostics): (&'a mut (dyn BufRead + Send), &'a mut dyn Write, &'a mut dyn Write),
        format: Format,
        colour: When,
        environment: Environment,
        (quiet, verbose): (bool, bool),
    ) -> Self {
        let coloured = match colour {
            When::Always => true,
            When::Never => false,
            When::Auto if environment.no_colour => false,
            When::Auto => environment.force_colour || environment.stderr_is_terminal,
        };
        let style = if coloured { Style::Colour } else { Style::Plain };
        let in_json = matches!(format, Format::Json | Format::Sarif);
        let results = Stream::new(results, if in_json { Escape::Json } else { Escape::Braces });
        let diagnostics = Stream::new(diagnostics, Escape::Braces);
        Self { input, results, diagnostics, format, style, quiet, verbose, environment, command: Vec::new() }
    }

    /// Standard input, and the streams without it: for commands that read while others write.
    pub(super) fn apart(&mut self) -> (&mut (dyn BufRead + Send), Streams<'_, 'a>) {
        let quiet = self.quiet || !self.environment.stderr_is_terminal;
        (self.input, Streams { results: &mut self.results, diagnostics: &mut self.diagnostics, quiet })
    }

    /// What somebody says in answer to a question; `None` at the end of input.
    pub fn ask(&mut self, question: &str) -> io::Result<Option<String>> {
        self.say(question)?;
        self.conversation().flush()?;
        let mut bytes = Vec::new();
        (&mut self.input).take(LONGEST_LINE).read_until(b'\n', &mut bytes)?;
        if bytes.is_empty() {
            return Ok(None);
        }
        Ok(Some(String::from_utf8_lossy(&bytes).trim().to_owned()))
    }

    /// A piece of a conversation: a result for people, beside the results for programs.
    pub fn say(&mut self, text: impl AsRef<str>) -> io::Result<()> {
        self.conversation().write_all(text.as_ref().as_bytes())
    }

    /// Takes away what stands on the screen, so that the next person does not see it.
    pub(super) fn clear(&mut self) -> io::Result<()> {
        self.conversation().drawn("\u{1b}[2J\u{1b}[3J\u{1b}[H")
    }

    fn conversation(&mut self) -> &mut Stream<'a> {
        if self.format == Format::Json { &mut self.diagnostics } else { &mut self.results }
    }

    /// A result.
    pub fn result(&mut self, text: impl AsRef<str>) -> io::Result<()> {
        self.results.write_all(text.as_ref().as_bytes())
    }

    /// A result line.
    pub fn line(&mut self, text: impl AsRef<str>) -> io::Result<()> {
        writeln!(self.results, "{}", text.as_ref())
    }

    /// Something for people that is not a result.
    pub fn note(&mut self, text: impl AsRef<str>) -> io::Result<()> {
        if self.quiet { Ok(()) } else { writeln!(self.diagnostics, "{}", text.as_ref()) }
    }

    /// How far something is that takes its time: one line on a terminal that is written over, nothing elsewhere.
    pub fn progress(&mut self, text: &str) -> io::Result<()> {
        if self.quiet || !self.environment.stderr_is_terminal {
            return Ok(());
        }
        self.diagnostics.progress(text)
    }

    /// Takes the line of progress away.
    pub fn progress_ends(&mut self) -> io::Result<()> {
        self.progress("")
    }

    /// Something that only `--verbose` shows.
    pub fn detail(&mut self, text: impl AsRef<str>) -> io::Result<()> {
        if self.verbose { writeln!(self.diagnostics, "{}", text.as_ref()) } else { Ok(()) }
    }

    /// Faults, at most `most` of them, in the format asked for.
    pub fn faults(&mut self, sources: &Sources, faults: &[Fault], most: usize) -> io::Result<()> {
        let human = Human { sources, style: self.style };
        for fault in faults.iter().take(most) {
            match self.format {
                Format::Json => writeln!(self.results, "{}", json(sources, fault))?,
                Format::Plain => self.diagnostics.drawn(&human.line(fault))?,
                Format::Human => self.diagnostics.drawn(&human.draw(fault))?,
                // These are written as a whole by the command.
                Format::Sarif | Format::Github | Format::Junit => {}
            }
        }
        if faults.len() > most && matches!(self.format, Format::Human | Format::Plain) {
            writeln!(self.diagnostics, "{} more; `--max-errors` shows more of them", faults.len() - most)?;
        }
        Ok(())
    }

    /// A command met an impossible case. The formats that are written as a whole have not been begun by then.
    pub(super) fn internal(&mut self, found: &Impossible) -> io::Result<()> {
        let (sources, fault) = (Sources::default(), found.fault());
        // Anything else that is wrong is of no interest now.
        self.progress_ends()?;
        match self.format {
            Format::Human | Format::Plain | Format::Json => self.faults(&sources, &[fault], 1),
            Format::Sarif => self.line(sarif(&[(&sources, &fault)]).to_string()),
            Format::Github => self.result(github(&[(&sources, &fault)])),
            Format::Junit => self.result(xml::alone(fault.code.id, &fault.message, fault.help.as_deref())),
        }
    }

    /// A message that a command fails with.
    pub fn failure(&mut self, message: &str, help: &str) -> io::Result<()> {
        // One line each, whatever names stand in them.
        let (message, help) = (clean_line(message), clean_line(help));
        match self.format {
            Format::Json => {
                let object = serde_json::json!({ "ludex": 1, "kind": "failure", "message": message, "help": help });
                writeln!(self.results, "{object}")
            }
            _ => writeln!(self.diagnostics, "error: {message}\n  help: {help}"),
        }
    }

    /// Results cannot be written: that is said where there may still be room, whatever the format.
    pub(super) fn cannot_write(&mut self, error: &io::Error) {
        let text = full_disk(error);
        let told = self.diagnostics.write_all(text.as_bytes()).and_then(|()| self.diagnostics.flush());
        if told.is_err() {
            // There is nowhere left to say so but here; if this fails too, the exit code must do.
            let _ = self.failure(&format!("cannot write: {error}"), "is the disk full?");
        }
    }

    /// Hands everything over that is still held back.
    pub(super) fn flush(&mut self) -> io::Result<()> {
        self.results.flush()?;
        self.diagnostics.flush()
    }
}

/// Where results and diagnostics go.
pub(super) struct Streams<'o, 'a> {
    pub(super) results: &'o mut Stream<'a>,
    pub(super) diagnostics: &'o mut Stream<'a>,
    /// Is progress of no interest?
    quiet: bool,
}

impl Streams<'_, '_> {
    /// How far something is: one line on a terminal that is written over.
    pub(super) fn progress(&mut self, text: &str) -> io::Result<()> {
        if self.quiet {
            return Ok(());
        }
        self.diagnostics.progress(text)
    }
}

/// The message about output that cannot be written.
pub(super) fn full_disk(error: &io::Error) -> String {
    format!("error: cannot write: {error}\n  help: is the disk full?\n")
}
