//! Limits on what a ruleset, a log or a report may make Ludex do.
//!
//! A limit counts bytes, items or work, never seconds, so that a verdict does not depend on the machine. A budget of
//! work is set so that using it up takes about two seconds on two cores at most. Going over a limit is an error that
//! names the limit and the place; `docs/limits.md` lists them for users. `src/testing/limits.rs` tests those that refuse
//! something from both sides, and names the others.

// ------------------------------------------------------------ files

/// Bytes of one file of a ruleset.
pub const RULESET_FILE_BYTES: u64 = 4 << 20;

/// Files of one ruleset.
pub const RULESET_FILES: usize = 256;

/// Bytes of all files of one ruleset.
pub const RULESET_BYTES: usize = 4 << 20;

/// Items of one ruleset, examples included.
pub const ITEMS: usize = 10_000;

/// Bytes of one report of `simulate`.
pub const REPORT_BYTES: u64 = 64 << 20;

/// Folders inside each other in which logs and rulesets are looked for.
pub const FOLDERS: usize = 64;

// ------------------------------------------------------------ logs

/// Bytes of one line of a log.
pub const LOG_LINE_BYTES: usize = 1 << 16;

/// Seats of a log.
pub const LOG_SEATS: usize = 64;

/// Lines with `set` of one game.
pub const LOG_SETTINGS: usize = 1000;

/// Bytes of a log that is played move by move: by `moves`, `replay`, `score`, `shrink` and `play`.
pub const PLAYED_LOG_BYTES: usize = 4 << 20;

/// Bytes of one game of which `explain` explains a line.
pub const EXPLAINED_GAME_BYTES: usize = 32 << 20;

/// Bytes of one game for each move that it may have, by `--most-entries`.
pub const ENTRY_BYTES: usize = 256;

/// Bytes that one game may have at least, however few its moves.
pub const GAME_BYTES: usize = 1 << 20;

/// Positions in which a game with unknown values may be, as far as they are followed.
pub const WORLDS: usize = 4096;

/// Ways by which a game with unknown values may have come to its positions, as far as they are followed.
pub const WAYS: usize = 1 << 20;

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

// ------------------------------------------------------------ texts

/// Operators, calls, brackets and blocks that may be open at once.
pub const NESTING: usize = 400;

// ------------------------------------------------------------ binding and checking

/// Cells of one board.
pub const BOARD_CELLS: i64 = 65_536;

/// Ways that a graph joins two cells.
pub const BOARD_EDGES: usize = 65_536;

/// The largest number, either side of zero.
pub const NUMBER: i64 = 1 << 40;

/// The largest number that an expression may come to, either side of zero: engines work with 64 bits.
pub const EXPRESSION: i64 = 1 << 62;

/// Members of a type that sets are made of.
pub const MEMBERS: u64 = 4096;

/// Types that may be made of each other in a row.
pub const TYPE_DEPTH: usize = 32;

/// Elements of all numbers and columns together.
pub const ELEMENTS: u64 = 1 << 17;

/// Players of one game.
pub const PLAYERS: i64 = 16;

/// Definitions, awards or phases that may use each other in a row.
pub const CHAIN: usize = 100;

/// Options and rulings of one ruleset.
pub const SWITCHES: usize = 200;

/// Other values of one option or ruling that are checked.
pub const SWITCH_VALUES: usize = 12;

/// Definitions that may use each other in a row where something must be known before a game begins.
pub const FOLDING_DEPTH: usize = 32;

/// Steps after which an expression no longer counts as known before a game begins.
pub const FOLDING_STEPS: u32 = 20_000;

/// Expressions and phases that are looked at to find out who learns what.
pub const SECRET_STEPS: u32 = 1_000_000;

/// Bits of the state of a game.
pub const STATE_BITS: u64 = 8 << 20;

/// Expressions that are checked, over all numbers of players and all other values of options and rulings.
pub const CHECKING_STEPS: u64 = 10_000_000;

// ------------------------------------------------------------ compiling

/// Instructions of a program.
pub const INSTRUCTIONS: usize = 400_000;

/// Steps that compiling one ruleset may take: instructions that are written, also those that are taken back, and
/// expressions and entries of tables that are looked at.
pub const COMPILING_STEPS: u64 = 4_000_000;

/// Instructions that loops may be written out to, one inside another.
pub const WRITTEN_OUT: u64 = 20_000;

/// Bytes of the state of a game, as a program holds it.
pub const STATE_BYTES: usize = 16 << 20;

/// Entries of a table that says where a board's functions lead.
pub const TABLE_ENTRIES: usize = 1 << 18;

/// Members of a type that regions are made of.
pub const REGION_MEMBERS: u64 = 15_000;

/// Choices and draws of a flow.
pub const PAUSES: usize = 10_000;

/// Actions that all choices of a flow offer; an action counts once for each choice.
pub const OFFERS: usize = 1 << 12;

/// Bits that the arguments of one action take.
pub const ARGUMENT_BITS: u32 = 51;

/// Members of an optional parameter.
pub const OPTIONAL_MEMBERS: u64 = 1 << 16;

/// Places of the rules at which a game can stop with a runtime error.
pub const TROUBLES: usize = 20_000;

/// Combinations that a loop finds before it begins, and remembers.
pub const COMBINATIONS: usize = 20_000;

/// Slots of a program: values that it works on at the same time.
pub const SLOTS: u32 = 1 << 16;

/// Steps that the reference evaluator may take while a ruleset is compiled, to work out tables of answers. Without a
/// table the program is slower, not wrong.
pub const TABLE_STEPS: u64 = 1_000_000;

// ------------------------------------------------------------ playing

/// Steps that one move may take, in the compiled engines.
pub const STEPS: u64 = 20_000_000;

/// Legal moves or chance outcomes of one position.
pub const MOVES: usize = 1 << 20;

// ------------------------------------------------------------ the reference evaluator

/// Steps that one question to the reference evaluator, or one move, may take: expressions that are evaluated and members
/// that are visited.
pub const REFERENCE_STEPS: u64 = 10_000_000;

/// Steps that an example may take by the rules of a mutant: so many, and for each step that it takes by the rules as they
/// are [`MUTANT_SLOWER`] more. What takes longer is an endless loop, which is noticed.
pub const MUTANT_STEPS: u64 = 1_000_000;

/// See [`MUTANT_STEPS`].
pub const MUTANT_SLOWER: u64 = 30;

/// Rounds of a loop in which nobody decides anything, before it counts as endless.
pub const ROUNDS: u32 = 10_000;

// ------------------------------------------------------------ simulating and reporting

/// Values that one sweep tries.
pub const SWEEP_VALUES: usize = 64;

/// Iterations for one move of `mcts`.
pub const ITERATIONS: u32 = 1_000_000;

/// Parts into which the points of one game are taken; beyond that a ledger has longer lines.
pub const LEDGER_PARTS: usize = 200_000;

/// Work that the close looks of one run of `simulate` may take: expressions that the reference evaluator works out, and
/// entries and scores of the compiled engine. About a second.
pub const LOOK_WORK: u64 = 40_000_000;

/// Games that one run of `simulate` looks at closely at most.
pub const LOOK_GAMES: u64 = 10_000;

/// Positions that are searched for the shortest game with a runtime error.
pub const FAILURE_POSITIONS: usize = 2_000;

/// Moves that are tried while a game with a runtime error is shortened.
pub const FAILURE_STEPS: u64 = 500_000;

/// A limit as a message shows it, with its digits in groups of three.
#[must_use]
pub fn shown(limit: u64) -> String {
    let digits = limit.to_string();
    let mut shown = String::new();
    for (nth, digit) in digits.chars().enumerate() {
        if nth > 0 && (digits.len() - nth).is_multiple_of(3) {
            shown.push(',');
        }
        shown.push(digit);
    }
    shown
}
