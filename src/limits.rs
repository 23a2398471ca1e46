//! Every limit on what a ruleset, a log or a report may make Ludex do, in one place.
//!
//! A limit counts bytes, items or work, never seconds, so that a verdict does not depend on the machine. A budget of
//! work is set so that using it up takes about two seconds on two cores at most. Going over a limit is an error that
//! names the limit and the place; `docs/limits.md` lists them for users, and `src/testing/limits.rs` tests each from
//! both sides.

// ------------------------------------------------------------ files

/// Bytes of one file of a ruleset.
pub const RULESET_FILE_BYTES: u64 = 4 << 20;

/// Files of one ruleset.
pub const RULESET_FILES: usize = 256;

// ------------------------------------------------------------ logs

/// Bytes of one line of a log.
pub const LOG_LINE_BYTES: usize = 1 << 16;

/// Seats of a log.
pub const LOG_SEATS: usize = 64;

/// Lines with `set` of one game.
pub const LOG_SETTINGS: usize = 1000;

/// Faults of one log after which nothing more of it is read.
pub const LOG_FAULTS: usize = 1000;

/// Folders above a log in which its ruleset is looked for.
pub const LOG_FOLDERS: usize = 16;

/// Games of one file of which it is shown why they are not legal or cannot be judged; the others are counted.
pub const SHOWN_GAMES: usize = 100;

/// Results of one SARIF log.
pub const SARIF_RESULTS: usize = 5000;

/// Games that a `JUnit` report lists one by one.
pub const JUNIT_CASES: usize = 100_000;

// ------------------------------------------------------------ binding and checking

/// Cells of one board.
pub const BOARD_CELLS: i64 = 65_536;

// ------------------------------------------------------------ compiling

// ------------------------------------------------------------ playing

/// Steps that one move may take, in the compiled engines.
pub const STEPS: u64 = 20_000_000;

// ------------------------------------------------------------ the reference evaluator

// ------------------------------------------------------------ simulating and reporting
