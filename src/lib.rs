//! Ludex, the judge of board games: rulebooks as data.
//!
//! The pipeline, each stage a folder:
//!
//! ```text
//! load      a ruleset's name → its files
//! ast       text             → tree, names still text
//! numbers   TOML             → tree of values with their places
//! parts     ruleset          → its named parts, and what depends on a number
//! bind      trees            → ruleset with every name an id, for one choice of players and numbers
//! check     bound ruleset    → ruleset with every expression typed, for all choices
//! compile   checked ruleset  → program over flat state
//! tune      checked ruleset  → program with its tests in the order that games have shown to be best
//! machine   program          → positions, legal entries, what follows
//! evaluate  checked ruleset  → where a game stands, what is legal there
//! examples  worked examples  → what came of them
//! audit     a game           → where its points come from
//! agent     a position       → an entry, for seats that nobody plays
//! play      checked ruleset  → a game in progress, chance, the position as text
//! simulate  program          → sequences counted, many games played at random
//! statistics counts          → means, shares, intervals
//! page      a simulation     → one HTML page
//! log       text             ↔ game log, its entries resolved by a ruleset
//! judge     game logs        → verdicts, and why
//! diff      two rulesets     → what differs, and logs that show it
//! format    text             → text in canonical layout
//! internal  what cannot be → an error, never a verdict
//! report    faults           → pictures, lines, JSON, SARIF, annotations
//! terminal  arguments        → commands
//! ```

pub mod agent;
pub mod ast;
pub mod audit;
pub mod bind;
pub mod check;
pub mod compile;
pub mod diff;
pub mod evaluate;
pub mod examples;
pub mod format;
pub mod internal;
pub mod judge;
pub mod limits;
pub mod load;
pub mod log;
pub mod machine;
pub mod numbers;
pub mod page;
pub mod parts;
pub mod play;
pub mod report;
pub mod simulate;
pub mod statistics;
pub mod terminal;
pub mod tune;

#[cfg(test)]
mod testing;
