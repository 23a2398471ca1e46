//! What happens in every bundled example, step by step, is pinned: more than its conditions ask for.

use super::pin;
use super::stages::all_rulesets;
use crate::evaluate::Trace;
use crate::examples::{Moment, Outcome, Record, Suite, Wants, cores};
use crate::load::{Loaded, Request, load};

#[test]
fn outcomes_are_pinned() {
    for name in all_rulesets() {
        let loaded = load(&Request { ruleset: name.clone(), ..Request::default() });
        pin("examples", &name.replace(':', "-"), "", &kept(&loaded, false).text);
    }
}

/// What is recorded of a ruleset's examples.
pub(super) struct Kept {
    /// The snapshot: how games begin, then what happens in the examples, file by file.
    pub(super) text: String,
    /// By position: its heading and its lines.
    pub(super) moments: Vec<(String, Vec<Moment>)>,
    /// By position: what was read on the way, if that was asked.
    pub(super) traces: Vec<Trace>,
}

/// Plays the examples of a ruleset.
pub(super) fn kept(loaded: &Loaded, trace: bool) -> Kept {
    let suite = Suite::new(loaded);
    let (outcomes, traces): (Vec<Outcome>, Vec<Trace>) = suite
        .run(cores(), Wants { moments: true, trace })
        .into_iter()
        .map(|played| (played.outcome, played.trace))
        .unzip();
    let mut files: Vec<_> = outcomes.iter().map(|outcome| outcome.span.file).collect();
    files.dedup();
    let blocks = |record: &Record| {
        let text = record.to_string();
        text.split_once("\n\n").map(|(_, blocks)| format!("{blocks}\n")).expect("a head and what follows")
    };
    let mut text = blocks(&Record::of(&suite.beginnings(&outcomes), []));
    for file in files {
        let source = loaded.sources.get(file).expect("a file of examples");
        let record = Record::of(&[], outcomes.iter().filter(|outcome| outcome.span.file == file));
        text += &format!("## {}\n\n{}", source.name(), blocks(&record));
    }
    let moments = outcomes.into_iter().map(|outcome| (outcome.heading(), outcome.moments)).collect();
    Kept { text, moments, traces }
}
