//! Judging game logs: is every entry legal, and if not, why not?
//!
//! Two ways lead through a log. The short one reads canonical lines straight into the machine and only ever
//! says yes. Where it does not, the long one takes over for that line: it reads other spellings, checks
//! claims, follows everything that may have been where the writer did not know, and asks the reference
//! evaluator to explain what is wrong. Both stand on the same position, so they cannot disagree about a game.

mod account;
mod blame;
mod claims;
mod feed;
mod finding;
mod game;
mod head;
mod held;
mod impact;
mod invariants;
mod judged;
mod lexicon;
pub(crate) mod parts;
mod resume;
mod rules;
mod run;
mod shrink;
mod single;
mod steps;
mod stuck;
mod which;
mod why;
mod words;
mod worlds;

pub use account::{Account, Deed, account};
pub use feed::{Batch, Feed, Input, Unreadable, is_log, logs_in, whole_text};
pub use finding::{Broken, Finding};
pub use game::Judge;
pub use head::Head;
pub use held::{Held, held};
pub use impact::{Effect, Impact};
pub use judged::{Judged, Strictness};
pub use rules::{By, Failed, Origin, Rules, Shelf};
pub use run::{Game, Met, judge_all};
pub(crate) use shrink::{Item, Trying, fewest, legal};
pub use shrink::{Limits, Proof, Short, Shrinking, Shrunk, shortest_failure, shortest_violation, shrink};
pub use single::judge_one;
pub(crate) use steps::steps;
pub(crate) use stuck::cannot_go_on;
pub use which::{Candidate, Found, Tried, Which};
pub(crate) use why::refusal;

#[cfg(test)]
mod tests;
