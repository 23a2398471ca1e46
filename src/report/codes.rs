//! Every code a fault can have: its severity and its page, which is also its smallest faulty input.
//!
//! Codes are stable and never reused. A page (`docs/faults/STAGE/NAME.md`) explains the code for
//! `ludex explain`; the ruleset in it is run by a test, and what it reports is pinned by a snapshot.

/// How bad a fault is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The ruleset works, but something is doubtful.
    Warning,
    /// The ruleset cannot be used.
    Error,
}

impl Severity {
    /// For people and machines.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// A code with its severity and its page.
#[derive(Debug, PartialEq, Eq)]
pub struct Code {
    /// `bind::unknown-name`
    pub id: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// Its page, in Markdown.
    pub page: &'static str,
}

impl Code {
    /// The page's heading: the code in a few words.
    #[must_use]
    pub fn title(&self) -> &'static str {
        self.page.lines().next().unwrap_or("").trim_start_matches("# ")
    }
}

/// The code with this id.
#[must_use]
pub fn find(id: &str) -> Option<&'static Code> {
    ALL.iter().copied().find(|code| code.id == id)
}

macro_rules! codes {
    ($($constant:ident = $severity:ident $stage:literal $name:literal;)*) => {
        $(
            #[doc = concat!("`", $stage, "::", $name, "`")]
            pub static $constant: Code = Code {
                id: concat!($stage, "::", $name),
                severity: Severity::$severity,
                page: include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/faults/", $stage, "/", $name, ".md")),
            };
        )*

        /// All codes, by stage.
        pub static ALL: &[&Code] = &[$(&$constant,)*];
    };
}

codes! {
    UNEXPECTED = Error "syntax" "unexpected";
    UNKNOWN_ITEM = Error "syntax" "unknown-item";
    NESTING = Error "syntax" "nesting";
    INTERNAL = Error "syntax" "internal";
    NOT_UTF8 = Error "load" "not-utf8";
    TOO_LARGE = Error "load" "too-large";
    UNREADABLE = Error "load" "unreadable";
    UNKNOWN_RULESET = Error "load" "unknown-ruleset";
    UNKNOWN_VARIANT = Error "load" "unknown-variant";
    VARIANT_CYCLE = Error "load" "variant-cycle";
    MISSING_FILE = Error "load" "missing-file";
    NO_GAME = Error "load" "no-game";
    BAD_SETTING = Error "load" "bad-setting";
    INVALID_TOML = Error "numbers" "invalid-toml";
    DUPLICATE_KEY = Error "numbers" "duplicate-key";
    UNKNOWN_KEY = Error "numbers" "unknown-key";
    MISSING_KEY = Error "numbers" "missing-key";
    WRONG_TYPE = Error "numbers" "wrong-type";
    OUT_OF_RANGE = Error "numbers" "out-of-range";
    UNKNOWN_MEMBER = Error "numbers" "unknown-member";
    WRONG_LENGTH = Error "numbers" "wrong-length";
    TOO_MANY = Error "numbers" "too-many";
    GRAPH_EDGE = Error "numbers" "graph-edge";
    UNUSED_NUMBER = Warning "numbers" "unused";
    UNKNOWN_NAME = Error "bind" "unknown-name";
    DUPLICATE_NAME = Error "bind" "duplicate-name";
    SHADOWED = Error "bind" "shadowed";
    UNKNOWN_TYPE = Error "bind" "unknown-type";
    WRONG_KIND = Error "bind" "wrong-kind";
    CYCLE = Error "bind" "cycle";
    WRONG_ARITY = Error "bind" "wrong-arity";
    MISPLACED = Error "bind" "misplaced";
    REPLACES_NOTHING = Error "bind" "replaces-nothing";
    OTHER_PARAMETERS = Error "bind" "other-parameters";
    UNKNOWN_SOURCE = Error "bind" "unknown-source";
    UNKNOWN_ACTION = Error "bind" "unknown-action";
    UNKNOWN_PHASE = Error "bind" "unknown-phase";
    UNKNOWN_POSITION = Error "bind" "unknown-position";
    UNKNOWN_REQUIREMENT = Error "bind" "unknown-requirement";
    UNKNOWN_INVARIANT = Error "bind" "unknown-invariant";
    BAD_ENTRY = Error "bind" "bad-entry";
    PICTURE = Error "bind" "picture";
    NOT_CONSTANT = Error "bind" "not-constant";
    OPTIONAL_BOOL = Error "bind" "optional-bool";
    EMPTY_TYPE = Error "bind" "empty-type";
    NOT_ENUMERABLE = Error "bind" "not-enumerable";
    BOARD_SHAPE = Error "bind" "board-shape";
    MISSING_ITEM = Error "bind" "missing-item";
    MISSING_SLOT = Error "bind" "missing-slot";
    PLAYER_COUNT = Error "bind" "player-count";
    SEEN_BY = Error "bind" "seen-by";
    PASS_NOWHERE = Error "bind" "pass-nowhere";
    AGGREGATE_FORM = Error "bind" "aggregate-form";
    NOT_AN_ENTRY = Error "log" "not-an-entry";
    BAD_LINE = Error "log" "bad-line";
    MISSING_LINE = Error "log" "missing-line";
    MISPLACED_LINE = Error "log" "misplaced-line";
    BAD_SEAT = Error "log" "bad-seat";
    OTHER_RULES = Warning "log" "other-rules";
    PATH_IN_LOG = Warning "log" "path";
    TOO_LONG_A_GAME = Error "log" "too-long-a-game";
    TOO_MUCH_UNKNOWN = Error "log" "too-much-unknown";
    BAD_CLAIM = Error "log" "bad-claim";
    BAD_JSON = Error "log" "bad-json";
    SEVERAL_GAMES = Error "log" "several-games";
    TYPE_MISMATCH = Error "check" "type-mismatch";
    NO_FIELD = Error "check" "no-field";
    NOT_INDEXABLE = Error "check" "not-indexable";
    NOT_A_PLACE = Error "check" "not-a-place";
    NEVER_FITS = Error "check" "never-fits";
    AMBIGUOUS = Error "check" "ambiguous";
    ME_OUTSIDE = Error "check" "me-outside";
    NESTED_TURN = Error "check" "nested-turn";
    RECURSION = Error "check" "recursion";
    NO_PAUSE = Error "check" "no-pause";
    ABSENT = Error "check" "absent";
    NOT_COVERED = Error "check" "not-covered";
    MISSING_INITIAL = Error "check" "missing-initial";
    HIDDEN_FLOW = Error "check" "hidden-flow";
    HIDDEN_REQUIREMENT = Error "check" "hidden-requirement";
    HIDDEN_SCORE = Error "check" "hidden-score";
    STATE_SIZE = Error "check" "state-size";
    SAME_OFFER = Error "check" "same-offer";
    OPTIONAL_RESULT = Error "check" "optional-result";
    TOO_LARGE_A_NUMBER = Error "check" "too-large";
    UNUSED = Warning "check" "unused";
    UNCITED = Warning "check" "uncited";
    ALWAYS_HOLDS = Warning "check" "always-holds";
    NEVER_HOLDS = Warning "check" "never-holds";
    UNTOLD_CONFLICT = Warning "check" "untold-conflict";
    UNREACHABLE = Warning "check" "unreachable";
    HIDDEN_BRANCH = Warning "check" "hidden-branch";
    IDLE_ALLOW = Warning "check" "idle-allow";
    TOO_LARGE_TO_PLAY = Error "compile" "too-large";
    CANNOT_GO_ON = Error "machine" "cannot-go-on";
    INVARIANT = Error "test" "invariant";
    POSITION = Error "test" "position";
    IDLE_BREAKS = Error "test" "idle-breaks";
    WRONG_PHASE = Error "verdict" "wrong-phase";
    WRONG_PLAYER = Error "verdict" "wrong-player";
    NO_SUCH_ACTION = Error "verdict" "unknown-action";
    BAD_ARGUMENT = Error "verdict" "bad-argument";
    UNAFFORDABLE = Error "verdict" "unaffordable";
    REQUIREMENT = Error "verdict" "requirement";
    IMPOSSIBLE_CHANCE = Error "verdict" "impossible-chance";
    BOOKKEEPING = Error "verdict" "bookkeeping";
    UNFINISHED = Warning "verdict" "unfinished";
    LEGAL_IF = Warning "verdict" "legal-if";
    AFTER_END = Error "verdict" "after-end";
    UNREADABLE_ENTRY = Error "verdict" "unreadable";
    AMBIGUOUS_ENTRY = Error "verdict" "ambiguous";
    WRONG_GAME = Error "verdict" "wrong-game";
    UNKNOWN_VERSION = Error "verdict" "unknown-version";
    IMPOSSIBLE = Error "internal" "impossible";
}
