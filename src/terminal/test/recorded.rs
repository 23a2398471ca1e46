//! Recorded outcomes: `examples/NAME.outcomes` beside `examples/NAME.ludex`.

use std::io;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::Ran;
use crate::examples::{Difference, Outcome, Record, Suite};
use crate::load::{self, Loaded, Trouble};
use crate::report::{FileId, clean_path};
use crate::terminal::{Exit, Format, Output};

/// A file of examples, and where its outcomes are recorded.
pub(super) struct File {
    id: FileId,
    path: PathBuf,
    /// What is recorded, or why it cannot be read.
    pub(super) recorded: Option<Result<Record, String>>,
}

/// A file whose outcomes are not as recorded.
pub(super) struct Changed {
    path: PathBuf,
    pub(super) differences: Vec<Difference>,
    /// Why the record cannot be read.
    unreadable: Option<String>,
    /// What is recorded now, and what was found.
    records: (Record, Record),
}

/// Why nothing can be recorded for a ruleset of this name, and what to do about it.
pub(super) fn nowhere(name: &str) -> Option<(String, &'static str)> {
    let (base, parts) = load::parts_of(name);
    if !load::is_path(base) {
        let message = format!("`{name}` is inside the program, where no outcome can be recorded");
        return Some((message, "name a folder or file; `ludex new NAME --from RULESET` makes a copy of a bundled one"));
    }
    let variants = load::variants(base);
    let edition = parts.into_iter().find(|part| !variants.iter().any(|variant| variant == part))?;
    let message = format!("outcomes are recorded for the ruleset as it stands, not with `{edition}`");
    Some((message, "leave the edition out; an example can set the ruling that it is about"))
}

/// The files of examples of a ruleset on disk. A bundled one has nowhere to record anything.
pub(super) fn files(name: &str, loaded: &Loaded) -> Vec<File> {
    if !load::is_path(load::parts_of(name).0) {
        return Vec::new();
    }
    let rules = &loaded.rules;
    let examples = loaded.sources.iter().filter(|(id, source)| {
        !rules.contains(id) && !loaded.foreign.contains(id) && source.name().ends_with(".ludex")
    });
    examples
        .map(|(id, source)| {
            let path = Path::new(source.name()).with_extension("outcomes");
            let recorded = match load::read_text(&path) {
                Ok(text) => Some(Ok(Record::parse(&text))),
                Err(Trouble::Missing) => None,
                Err(Trouble::TooLarge) => Some(Err("it is too large".to_owned())),
                Err(Trouble::NotUtf8(at, _)) => Some(Err(format!("it is not UTF-8 at byte {at}"))),
                Err(Trouble::Outside) => Some(Err("it is a link that leads out of its folder".to_owned())),
                Err(Trouble::System(error)) => Some(Err(error.to_string())),
            };
            File { id, path, recorded }
        })
        .collect()
}

/// What differs. Files without a record are passed over, unless they are to get one.
pub(super) fn compare(
    suite: &Suite<'_>,
    files: Vec<File>,
    outcomes: &[Outcome],
    (all, fresh): (bool, bool),
) -> Vec<Changed> {
    let mut changed = Vec::new();
    for file in files.into_iter().filter(|file| fresh || file.recorded.is_some()) {
        let of_file = || outcomes.iter().filter(|outcome| outcome.span.file == file.id);
        let found = Record::of(&suite.beginnings(of_file()), of_file());
        let (recorded, unreadable) = match file.recorded {
            Some(Ok(record)) => (record, None),
            Some(Err(why)) => (Record::default(), Some(why)),
            None => (Record::default(), None),
        };
        let differences = recorded.differences(&found, all);
        if !differences.is_empty() || unreadable.is_some() {
            changed.push(Changed { path: file.path, differences, unreadable, records: (recorded, found) });
        }
    }
    changed
}

/// Shows what differs and writes it down. What was not played stays as it is.
pub(super) fn accept(output: &mut Output<'_>, ran: &Ran, changed: &[Changed], all: bool) -> io::Result<Exit> {
    let mut exit = Exit::Fine;
    for file in changed {
        match output.format {
            Format::Json => output.line(file.object(&ran.name).to_string())?,
            Format::Human | Format::Plain => output.result(file.text())?,
            Format::Sarif | Format::Github | Format::Junit => {}
        }
        let (recorded, found) = file.records.clone();
        let record = if all { found } else { recorded.with(found) };
        let path = file.path();
        match crate::terminal::save::replace(&file.path, &record.to_string()) {
            Ok(()) if output.format == Format::Json => {
                output.line(json!({ "ludex": 1, "kind": "recorded", "file": path }).to_string())?;
            }
            Ok(()) => output.note(format!("{path}: recorded"))?,
            Err(error) => {
                output.failure(&format!("cannot write `{path}`: {error}"), "the file is as it was")?;
                exit = Exit::NoVerdict;
            }
        }
    }
    if ran.outcomes.iter().any(|outcome| ran.loaded.rules.contains(&outcome.span.file)) {
        output.note(format!(
            "{}: examples among the rules are not recorded; `examples/` is the place for them",
            ran.name
        ))?;
    }
    Ok(exit)
}

impl Changed {
    pub(super) fn path(&self) -> String {
        clean_path(&self.path)
    }

    /// A readable difference.
    pub(super) fn text(&self) -> String {
        let mut text = String::new();
        if let Some(why) = &self.unreadable {
            text += &format!("{}: cannot be read: {why}\n", self.path());
        }
        for difference in &self.differences {
            text += &format!("{}: not as recorded: {}\n", self.path(), difference.heading);
            text += &difference.lines.iter().map(|line| format!("  {line}\n")).collect::<String>();
        }
        text
    }

    pub(super) fn object(&self, ruleset: &str) -> Value {
        let differences: Vec<Value> = self
            .differences
            .iter()
            .map(|difference| json!({ "heading": difference.heading, "lines": difference.lines }))
            .collect();
        json!({
            "ludex": 1, "kind": "changed", "ruleset": ruleset, "file": self.path(), "differences": differences,
            "unreadable": self.unreadable,
        })
    }
}
