//! What happens in every bundled example, step by step, is pinned: more than its conditions ask for.

use super::pin;
use super::stages::all_rulesets;
use crate::examples::{Outcome, Record, Suite, Wants, cores};
use crate::load::{Request, load};

#[test]
fn outcomes_are_pinned() {
    for name in all_rulesets() {
        let loaded = load(&Request { ruleset: name.clone(), ..Request::default() });
        let played = Suite::new(&loaded).run(cores(), Wants { moments: true, trace: false });
        let outcomes: Vec<Outcome> = played.into_iter().map(|played| played.outcome).collect();
        let mut files: Vec<_> = outcomes.iter().map(|outcome| outcome.span.file).collect();
        files.dedup();
        let mut text = String::new();
        for file in files {
            let source = loaded.sources.get(file).expect("a file of examples");
            let record = Record::of(outcomes.iter().filter(|outcome| outcome.span.file == file)).to_string();
            let (_, blocks) = record.split_once("\n\n").expect("a head and examples");
            text += &format!("## {}\n\n{blocks}\n", source.name());
        }
        pin("examples", &name.replace(':', "-"), "", &text);
    }
}
