//! Files, folders and streams → games, one batch at a time.
//!
//! A file may be larger than memory and hold many games; what is read at once is a batch of whole games, and
//! one game has a limit. Files that end in `.gz` are unpacked on the way, so that one that unpacks to more
//! than anybody can want is noticed at that limit as well.

use crate::internal::Must;
use std::collections::VecDeque;
use std::fmt;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use flate2::read::MultiGzDecoder;

use crate::limits;
use crate::log::Form;
use crate::report::clean_path;

/// So many bytes are read before a batch is made of whole games.
const BATCH: usize = 1 << 16;

/// Games that follow each other in one file.
#[derive(Debug)]
pub struct Batch {
    /// Its number, from 0 on: results are told in this order.
    pub number: u64,
    /// The file, as people see it.
    pub file: Arc<str>,
    /// The file; standard input has none.
    pub path: Option<Arc<Path>>,
    /// The line of the file that it begins with.
    pub first_line: usize,
    /// Its notation.
    pub form: Form,
    /// Whole games; or why the file cannot be read on.
    pub text: Result<String, Unreadable>,
}

impl Batch {
    /// Its games, each with the line of the file that it begins with.
    pub fn games(&self) -> impl Iterator<Item = (usize, &str)> {
        let mut line = self.first_line;
        self.text.iter().flat_map(|text| self.form.games(text)).map(move |(_, text)| {
            let first = line;
            line += memchr::memchr_iter(b'\n', text.as_bytes()).count();
            (first, text)
        })
    }
}

/// Why a file cannot be read on.
#[derive(Debug)]
pub enum Unreadable {
    /// The system says why.
    System(io::Error),
    /// Not UTF-8 in this line.
    NotUtf8(usize),
    /// One game has more bytes than this.
    TooLarge(usize),
    /// There is nothing in it.
    Empty,
}

impl fmt::Display for Unreadable {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::System(error) if error.kind() == io::ErrorKind::NotFound => out.write_str("does not exist"),
            Self::System(error) => write!(out, "cannot be read: {error}"),
            Self::NotUtf8(line) => write!(out, "is not UTF-8 in line {line}"),
            Self::Empty => out.write_str("is empty"),
            Self::TooLarge(most) => write!(out, "has a game of more than {} MiB", most >> 20),
        }
    }
}

/// A file to be judged, or standard input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Input {
    /// `-`
    Standard,
    /// A file.
    File(PathBuf),
}

/// Files that are logs by their name.
#[must_use]
pub fn is_log(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or("");
    let name = name.strip_suffix(".gz").unwrap_or(name);
    Form::of(name).is_some()
}

/// The logs in a folder and in those below it, in order. Links to folders are not followed, nor are links to files that
/// lie elsewhere: who names a folder means what is in it.
#[must_use]
pub fn logs_in(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let whole = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    collect(folder, &whole, &mut found, 0);
    found.sort();
    found
}

fn collect(folder: &Path, whole: &Path, found: &mut Vec<PathBuf>, depth: usize) {
    // A folder that cannot be listed stands for its logs: reading it fails as reading them would.
    let Ok(entries) = fs::read_dir(folder) else { return found.push(folder.to_owned()) };
    for entry in entries.flatten() {
        let path = entry.path();
        let linked = entry.file_type().is_ok_and(|kind| kind.is_symlink());
        if path.is_dir() {
            if !linked && depth < limits::FOLDERS {
                collect(&path, whole, found, depth + 1);
            }
        } else if is_log(&path) && path.is_file() {
            let leads_out = linked && !path.canonicalize().is_ok_and(|target| target.starts_with(whole));
            found.extend((!leads_out).then_some(path));
        }
    }
}

/// All of one log, unpacked if need be, if it has no more bytes than this.
pub fn whole_text(path: &Path, most: usize) -> Result<String, Unreadable> {
    let mut nothing = io::empty();
    let mut feed = Feed::new(vec![Input::File(path.to_owned())], &mut nothing, most);
    let mut text = String::new();
    while let Some(batch) = feed.next_batch() {
        text += &batch.text?;
        if text.len() > most {
            return Err(Unreadable::TooLarge(most));
        }
    }
    Ok(text)
}

/// Gives batches, file after file.
pub struct Feed<'i> {
    inputs: VecDeque<Input>,
    /// Until it is asked for.
    standard: Option<&'i mut (dyn BufRead + Send)>,
    open: Option<Open<'i>>,
    number: u64,
    /// Bytes that one game may have.
    most: usize,
}

struct Open<'i> {
    file: Named,
    stream: Box<dyn Read + Send + 'i>,
    form: Form,
    line: usize,
    /// Read, but not given yet.
    rest: Vec<u8>,
    ended: bool,
    /// Was anything given?
    given: bool,
}

impl<'i> Feed<'i> {
    /// Batches of these; one game may have so many bytes.
    #[must_use]
    pub fn new(inputs: Vec<Input>, standard: &'i mut (dyn BufRead + Send), most: usize) -> Self {
        Self { inputs: inputs.into(), standard: Some(standard), open: None, number: 0, most }
    }

    /// The next batch; none when everything is read.
    pub fn next_batch(&mut self) -> Option<Batch> {
        loop {
            let mut open = match self.open.take() {
                Some(open) => open,
                None => {
                    let input = self.inputs.pop_front()?;
                    match self.begin(&input) {
                        Ok(open) => open,
                        Err(error) => {
                            return Some(self.batch(&Named::of(&input), 1, Form::Text, Err(Unreadable::System(error))));
                        }
                    }
                }
            };
            let line = open.line;
            match open.games(self.most) {
                Ok(Some(text)) => {
                    open.line += memchr::memchr_iter(b'\n', text.as_bytes()).count();
                    let batch = self.batch(&open.file, line, open.form, Ok(text));
                    self.open = Some(open);
                    return Some(batch);
                }
                Ok(None) => {}
                // The rest of this file is left; the others are not to blame.
                Err(why) => return Some(self.batch(&open.file, line, open.form, Err(why))),
            }
        }
    }

    fn batch(&mut self, named: &Named, first_line: usize, form: Form, text: Result<String, Unreadable>) -> Batch {
        self.number += 1;
        let Named { file, path } = named.clone();
        Batch { number: self.number - 1, file, path, first_line, form, text }
    }

    fn begin(&mut self, input: &Input) -> io::Result<Open<'i>> {
        let file = Named::of(input);
        let mut stream: Box<dyn Read + Send + 'i> = match input {
            Input::File(path) => Box::new(File::open(path)?),
            Input::Standard => match self.standard.take() {
                Some(standard) => Box::new(standard),
                None => Box::new(io::empty()),
            },
        };
        // The first bytes tell what the name may not.
        let mut rest = first_bytes(&mut stream)?;
        if rest.starts_with(&[0x1f, 0x8b]) {
            stream = Box::new(MultiGzDecoder::new(BufReader::new(io::Cursor::new(rest).chain(stream))));
            rest = first_bytes(&mut stream)?;
        }
        let by_name = Form::of(file.file.strip_suffix(".gz").unwrap_or(&file.file));
        let said = rest.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&rest).trim_ascii_start();
        let form = by_name.unwrap_or(if said.starts_with(b"{") { Form::JsonLines } else { Form::Text });
        Ok(Open { file, stream, form, line: 1, rest, ended: false, given: false })
    }
}

fn first_bytes(stream: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    stream.take(64).read_to_end(&mut bytes)?;
    Ok(bytes)
}

impl Open<'_> {
    /// The next whole games; none at the end.
    fn games(&mut self, most: usize) -> Result<Option<String>, Unreadable> {
        let mut wanted = BATCH;
        loop {
            self.read_up_to(wanted).map_err(Unreadable::System)?;
            let text = match std::str::from_utf8(&self.rest) {
                Ok(text) => text,
                // A character may be cut off where reading stopped.
                Err(error) if error.error_len().is_none() && !self.ended => {
                    let valid = self.rest.get(..error.valid_up_to()).must("a text has the bytes that were read");
                    std::str::from_utf8(valid).must("bytes up to an error are valid")
                }
                Err(error) => {
                    let before = self.rest.get(..error.valid_up_to()).must("a text has the bytes that were read");
                    return Err(Unreadable::NotUtf8(self.line + memchr::memchr_iter(b'\n', before).count()));
                }
            };
            if text.is_empty() && self.ended {
                return if self.line == 1 && !std::mem::replace(&mut self.given, true) {
                    Err(Unreadable::Empty)
                } else {
                    Ok(None)
                };
            }
            // The last line may be cut off, and the last game may go on.
            let lines = text.rfind('\n').map_or("", |end| text.get(..=end).must("a line ends within its text"));
            let whole =
                if self.ended { text.len() } else { self.form.games(lines).last().map_or(0, |(start, _)| start) };
            if whole == 0 {
                if self.rest.len() > most {
                    return Err(Unreadable::TooLarge(most));
                }
                // One byte more than a game may have tells whether it ends.
                wanted = (self.rest.len() * 2).clamp(1, most.saturating_add(1));
                continue;
            }
            let mark = if self.line == 1 && text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
            let games = text.get(mark..whole).must("games end where a line does").to_owned();
            self.rest.drain(..whole);
            self.given = true;
            return Ok(Some(games));
        }
    }

    fn read_up_to(&mut self, wanted: usize) -> io::Result<()> {
        while self.rest.len() < wanted && !self.ended {
            let more = (wanted - self.rest.len()) as u64;
            let got = (&mut self.stream).take(more).read_to_end(&mut self.rest)?;
            self.ended = got == 0;
        }
        Ok(())
    }
}

/// A file, as people see it and as it is.
#[derive(Debug, Clone)]
struct Named {
    file: Arc<str>,
    path: Option<Arc<Path>>,
}

impl Named {
    fn of(input: &Input) -> Self {
        match input {
            Input::Standard => Self { file: "standard input".into(), path: None },
            Input::File(path) => Self { file: clean_path(path).into(), path: Some(path.as_path().into()) },
        }
    }
}
