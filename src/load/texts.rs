//! Texts of a ruleset: read, kept for diagnostics, or refused.

use super::folder::{Folder, Trouble};
use super::loader::Loader;
use crate::limits::{RULESET_BYTES, RULESET_FILE_BYTES};
use crate::report::{Fault, FileId, Span, codes};

/// Does this text begin like the rules of a game or of a variant? Comments may stand before that.
pub(super) fn begins_rules(text: &str) -> bool {
    let mut lines = text.lines().map(str::trim_end).filter(|line| !line.trim_start().is_empty());
    let first = lines.find(|line| !line.trim_start().starts_with('#')).unwrap_or("");
    ["game", "variant"].into_iter().any(|word| {
        first.strip_prefix(word).is_some_and(|rest| rest.is_empty() || rest.starts_with(char::is_whitespace))
    })
}

/// What was read, without any of it if it is not a ruleset: then no diagnostic can show a line of it.
pub(super) fn only_rules(read: Result<String, Trouble>) -> Result<String, Trouble> {
    match read {
        Ok(text) if !begins_rules(&text) => Ok(String::new()),
        Err(Trouble::NotUtf8(at, bytes)) => {
            let before = String::from_utf8_lossy(bytes.get(..at).unwrap_or(&[]));
            if begins_rules(&before) { Err(Trouble::NotUtf8(at, bytes)) } else { Err(Trouble::NotUtf8(0, Vec::new())) }
        }
        other => other,
    }
}

impl Loader {
    /// Reads a file that a ruleset names or has in its folder. What lies elsewhere is not read: a link there could show
    /// any file of the machine in a diagnostic.
    pub(super) fn read(&mut self, folder: &Folder, file: &str) -> Option<FileId> {
        let read = if folder.holds(file) { folder.read(file) } else { Err(Trouble::Outside) };
        self.keep(&folder.shown(file), read)
    }

    /// Keeps a text that was read, or reports why it could not be.
    pub(super) fn keep(&mut self, shown: &str, read: Result<String, Trouble>) -> Option<FileId> {
        let (code, message, help) = match read {
            Ok(text) if self.bytes + text.len() > RULESET_BYTES => (
                &codes::TOO_LARGE,
                format!("with `{shown}` the ruleset is larger than {} MiB", RULESET_BYTES >> 20),
                "leave some of its files out, or make several rulesets of it".to_owned(),
            ),
            Ok(text) => {
                self.bytes += text.len();
                return Some(self.loaded.sources.add(shown, text));
            }
            Err(Trouble::Missing) => {
                (&codes::UNREADABLE, format!("`{shown}` does not exist"), "check the path".to_owned())
            }
            Err(Trouble::System(error)) => (
                &codes::UNREADABLE,
                format!("`{shown}` cannot be read: {error}"),
                "check the path and its rights".to_owned(),
            ),
            Err(Trouble::Outside) => (
                &codes::UNREADABLE,
                format!("`{shown}` is a link that leads out of the ruleset's folder"),
                "put a copy of the file there".to_owned(),
            ),
            Err(Trouble::TooLarge) => (
                &codes::TOO_LARGE,
                format!("`{shown}` is larger than {} MiB", RULESET_FILE_BYTES >> 20),
                "split it, or move data out of it".to_owned(),
            ),
            Err(Trouble::NotUtf8(at, bytes)) => {
                let before = String::from_utf8_lossy(bytes.get(..at).unwrap_or(&[])).into_owned();
                let text = format!("{before}\u{fffd}");
                let id = self.loaded.sources.add(shown, text);
                let span = Span::new(id, at, at + 3);
                self.fault(
                    Fault::new(&codes::NOT_UTF8, span, format!("`{shown}` is not UTF-8"))
                        .label(format!("byte {at} does not belong to a character"))
                        .help("save the file as UTF-8"),
                );
                return None;
            }
        };
        let id = self.loaded.sources.add(shown, "");
        self.fault(Fault::new(code, Span::new(id, 0, 0), message).label("here").help(help));
        None
    }
}
