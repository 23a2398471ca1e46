//! A ruleset that cannot go on: a runtime error as a diagnostic.

use crate::bind::Bound;
use crate::evaluate::Trouble;
use crate::load::Loaded;
use crate::parts;
use crate::report::{Fault, Span, codes};

/// The ruleset cannot go on: a fault of its own, with the rule in which it happened. If the user has changed
/// numbers that may have led there, it names them with their ranges.
pub(crate) fn cannot_go_on(trouble: &Trouble, entry: Option<Span>, (loaded, bound): (&Loaded, &Bound)) -> Fault {
    let mend = "this is a fault of the ruleset, not of an entry: mend the rule at this place";
    let changed = parts::named_changes(&parts::changed_for(loaded, bound, trouble.span));
    let help = match changed {
        Some(changed) => format!("{changed}: set another value, or mend the rule at this place"),
        None => mend.to_owned(),
    };
    let fault =
        Fault::new(&codes::CANNOT_GO_ON, trouble.span, format!("the ruleset cannot go on: {}", trouble.message))
            .label("in this rule")
            .help(help);
    match entry {
        Some(entry) => fault.also(entry, "after this entry"),
        None => fault,
    }
}
