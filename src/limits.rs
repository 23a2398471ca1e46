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

// ------------------------------------------------------------ binding and checking

/// Cells of one board.
pub const BOARD_CELLS: i64 = 65_536;

// ------------------------------------------------------------ compiling

// ------------------------------------------------------------ playing

/// Steps that one move may take, in the compiled engines.
pub const STEPS: u64 = 20_000_000;

// ------------------------------------------------------------ the reference evaluator

// ------------------------------------------------------------ simulating and reporting

/// Work that the close looks of one run of `simulate` may take: expressions that the reference evaluator works out, and
/// entries and scores of the compiled engine. About a second.
pub const LOOK_WORK: u64 = 40_000_000;

/// Games that one run of `simulate` looks at closely at most.
pub const LOOK_GAMES: u64 = 10_000;

/// Positions that are searched for the shortest game with a runtime error.
pub const FAILURE_POSITIONS: usize = 2_000;

/// Moves that are tried while a game with a runtime error is shortened.
pub const FAILURE_STEPS: u64 = 500_000;
