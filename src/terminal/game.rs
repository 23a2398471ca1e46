//! What commands share that begin with a ruleset or a log: the way from a name to something that can be played.

use std::io;
use std::path::Path;

use super::fmt::why;
use super::{Changes, Exit, Output};
use crate::bind::Entry;
use crate::check::Checked;
use crate::compile;
use crate::evaluate::Trouble;
use crate::load::{self, Loaded};
use crate::log::{self, Opened};
use crate::play::{Session, Stopped};
use crate::report::{Fault, Sources, Span, codes};
use crate::{check, machine, report};

/// So many faults are shown.
const MOST_FAULTS: usize = 20;

/// A ruleset for a number of players, the fewest if not said; says why there is none.
pub(super) fn chosen(
    name: &str,
    changes: &Changes,
    players: Option<u32>,
    output: &mut Output<'_>,
) -> io::Result<Option<(Loaded, Checked)>> {
    let loaded = load::load(&changes.request(name));
    match check::chosen(&loaded, players, &[], Span::new(command_line(&loaded), 0, name.len())) {
        Ok(checked) => Ok(Some((loaded, checked))),
        Err(faults) => {
            output.faults(&loaded.sources, &faults, MOST_FAULTS)?;
            Ok(None)
        }
    }
}

/// The text that the ruleset was named by.
fn command_line(loaded: &Loaded) -> report::FileId {
    loaded.foreign.first().copied().unwrap_or_default()
}

/// Nothing can be set beside a log.
pub(super) fn says_itself(output: &mut Output<'_>) -> io::Result<Exit> {
    output.failure(
        "a log says itself who played, and with which numbers",
        "leave out `--players`, `--set` and `--overlay`, or change the head of the log",
    )?;
    Ok(Exit::NoVerdict)
}

/// A game with these entries of a log; says which of them is refused, or that the ruleset cannot go on.
pub(super) fn replayed<'o>(
    opened: &'o Opened,
    program: &'o machine::Program,
    entries: &[(Entry, Span)],
    output: &mut Output<'_>,
) -> io::Result<Result<Session<'o>, Exit>> {
    let sources = &opened.loaded.sources;
    let mut session = match Session::new(&opened.checked, program) {
        Ok(session) => session,
        Err(trouble) => return cannot_go_on(sources, &trouble, output).map(Err),
    };
    for (entry, span) in entries {
        match session.enter_entry(entry) {
            Ok(()) => {}
            Err(Stopped::Trouble(trouble)) => return cannot_go_on(sources, &trouble, output).map(Err),
            Err(Stopped::Refused(refusal)) => {
                let reasons = session.why(&refusal, session.meant(entry).as_ref());
                let fault = Fault::new(&codes::REFUSED, *span, "the rules refuse this entry")
                    .label(reasons.join("; "))
                    .help("`ludex moves` with `--at` lists what was possible before it");
                output.faults(sources, &[fault], 20)?;
                return Ok(Err(Exit::Negative));
            }
        }
    }
    Ok(Ok(session))
}

/// The ruleset as a program; says so if it is too large for one.
pub(super) fn compiled(
    checked: &Checked,
    sources: &Sources,
    output: &mut Output<'_>,
) -> io::Result<Option<machine::Program>> {
    match compile::compile(checked) {
        Ok(program) => Ok(Some(program)),
        Err(fault) => {
            output.faults(sources, &[*fault], 20)?;
            Ok(None)
        }
    }
}

/// Reads a log with everything that it names; says why that is not possible.
pub(super) fn open(path: &str, output: &mut Output<'_>) -> io::Result<Option<Opened>> {
    let text = match load::read_text(Path::new(path)) {
        Ok(text) => text,
        Err(trouble) => {
            output.failure(&format!("`{path}` {}", why(&trouble)), "check the path")?;
            return Ok(None);
        }
    };
    match log::open(path, &text) {
        Ok(opened) => Ok(Some(opened)),
        Err(closed) => {
            let shown = closed.faults.get(..MOST_FAULTS).unwrap_or(&closed.faults);
            output.faults(&closed.sources, shown, MOST_FAULTS)?;
            if closed.faults.len() > shown.len() {
                output.note(format!("{} more", closed.faults.len() - shown.len()))?;
            }
            Ok(None)
        }
    }
}

/// The ruleset cannot go on: a fault of its own, with the rule in which it happened.
pub(super) fn cannot_go_on(sources: &Sources, trouble: &Trouble, output: &mut Output<'_>) -> io::Result<Exit> {
    let fault =
        Fault::new(&codes::CANNOT_GO_ON, trouble.span, format!("the ruleset cannot go on: {}", trouble.message))
            .label("in this rule")
            .help("this is a fault of the ruleset, not of an entry: mend the rule at this place");
    output.faults(sources, &[fault], 1)?;
    Ok(Exit::NoVerdict)
}
