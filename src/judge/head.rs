//! The head of a game: read once, and recognised when the next game begins alike.

use crate::limits::LOG_FAULTS;
use crate::log::{Form, Heard, Log, RawLine, Reader, json_line_to_text, lines};
use crate::report::{Fault, FileId, Span};

/// Words that begin lines of the head.
const WORDS: [&str; 7] = ["ludex", "game", "rules", "players", "set", "seed", "expect"];

/// What stands before the first entry.
#[derive(Debug)]
pub struct Head {
    pub(super) reader: Reader,
    /// The byte at which the entries begin.
    pub(super) body: usize,
    /// Bytes up to the seed, which alone is different in games that are otherwise played alike; 0 if something
    /// stands after it.
    common: usize,
}

impl Head {
    /// Reads the head of a game whose text is `file`.
    pub fn read(text: &str, form: Form, file: FileId) -> Result<Self, Vec<Fault>> {
        let mut reader = Reader::new(file);
        let (mut body, mut faults) = (text.len(), Vec::new());
        let (mut seed, mut last) = (None, 0);
        for written in lines_of(text) {
            let (start, line) = written;
            let span = Span::new(file, start, start + line.len());
            let converted = match form {
                Form::Text => None,
                Form::JsonLines => {
                    reader.within(span);
                    match json_line_to_text(line, span) {
                        Ok(said) => Some(said),
                        // A broken entry is no fault of the head.
                        Err(_) if !reader.log().game.is_empty() => {
                            body = start;
                            break;
                        }
                        Err(fault) => return Err(vec![*fault]),
                    }
                }
            };
            let said = converted.as_deref().unwrap_or(line);
            let mut is_head = true;
            for raw in lines(if converted.is_some() { 0 } else { start }, said).filter(|raw| !raw.is_blank()) {
                if !is_head_line(&raw) {
                    is_head = false;
                    break;
                }
                if raw.text.starts_with("seed") {
                    seed = Some(start);
                }
                last = start;
                match reader.line(&raw) {
                    Ok(Heard::Head) => {}
                    Ok(_) => is_head = false,
                    Err(more) => faults.extend(more),
                }
            }
            // One fault is enough to have no verdict, and a file may be full of them.
            if !is_head || faults.len() >= LOG_FAULTS || reader.is_crowded() {
                body = start;
                break;
            }
        }
        faults.extend(reader.missing_head());
        if !faults.is_empty() {
            return Err(faults);
        }
        let common = match (form, seed) {
            (Form::Text, Some(seed)) if seed == last => seed,
            (Form::Text, None) => body,
            _ => 0,
        };
        Ok(Self { reader, body, common })
    }

    /// What it says.
    #[must_use]
    pub fn log(&self) -> &Log {
        self.reader.log()
    }

    /// Where the entries of another game begin, if its head (of which `own` is the text) is the same but for its
    /// seed.
    pub(super) fn same(&self, own: &str, other: &str) -> Option<usize> {
        let common = own.get(..self.common).filter(|common| !common.is_empty())?;
        let mut rest = other.strip_prefix(common)?;
        if let Some(seed) = rest.strip_prefix("seed ") {
            let digits = seed.bytes().take_while(u8::is_ascii_digit).count();
            rest = seed.get(digits..).filter(|_| digits > 0)?.strip_prefix('\n')?;
        } else if self.common != self.body {
            return None;
        }
        // What follows must not belong to the head.
        let next = lines(0, rest).find(|line| !line.is_blank());
        (!next.is_some_and(|line| is_head_line(&line))).then(|| other.len() - rest.len())
    }
}

/// Lines with the byte that each begins at.
pub(super) fn lines_of(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    text.split_inclusive('\n').map(move |line| {
        let start = at;
        at += line.len();
        (start, line.trim_end_matches(['\n', '\r']))
    })
}

fn is_head_line(line: &RawLine<'_>) -> bool {
    let word = line.text.split(char::is_whitespace).next().unwrap_or("");
    // Chance may have given something to a place of such a name.
    let drawn = !matches!(word, "set" | "players" | "game") && line.text.contains('=');
    WORDS.contains(&word) && !drawn
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::LOG_SETTINGS;

    #[test]
    fn nothing_is_read_of_a_head_that_sets_too_much() {
        let faults = |settings: usize| {
            let set: String = (0..settings).map(|at| format!("set a{at} = 1\n")).collect();
            let text = format!("game nim\nplayers a, b\n{set}seed here\nseed there\n");
            Head::read(&text, Form::Text, FileId::default()).expect_err("faults").len()
        };
        assert_eq!(faults(LOG_SETTINGS), 2, "what is wrong with the lines behind is said");
        assert_eq!(faults(LOG_SETTINGS + 1), 1, "only that too much is set");
    }
}
