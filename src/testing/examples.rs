//! What happens in every bundled example, step by step, is pinned: more than its conditions ask for.

use super::pin;
use super::stages::all_rulesets;
use crate::examples::{Outcome, Record, Suite, Wants, cores};
use crate::load::{Loaded, Request, load};

#[test]
fn outcomes_are_pinned() {
    for name in all_rulesets() {
        let loaded = load(&Request { ruleset: name.clone(), ..Request::default() });
        pin("examples", &name.replace(':', "-"), "", &records(&loaded));
    }
}

/// How games of a ruleset begin, then what happens in its examples, file by file.
pub(super) fn records(loaded: &Loaded) -> String {
    let suite = Suite::new(loaded);
    let played = suite.run(cores(), Wants { moments: true, trace: false });
    let outcomes: Vec<Outcome> = played.into_iter().map(|played| played.outcome).collect();
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
    text
}
