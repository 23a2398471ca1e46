//! The words of the language, as far as layout cares.
//!
//! Two kinds of words decide about blanks and line ends: those after which an operand has to come (a
//! bracket after them is no call, a minus after them is a sign) and those that begin a slot or a
//! statement.

/// All reserved words of the grammar; a test holds the two together.
pub(super) const RESERVED: &[&str] = &[
    "action",
    "alone",
    "and",
    "award",
    "board",
    "by",
    "choose",
    "cite",
    "clockwise",
    "cost",
    "cycle",
    "def",
    "draw",
    "else",
    "end",
    "erratum",
    "example",
    "flow",
    "for",
    "game",
    "given",
    "if",
    "instead",
    "invariant",
    "in",
    "is",
    "let",
    "list",
    "not",
    "numbers",
    "of",
    "or",
    "pass",
    "pays",
    "phase",
    "players",
    "refused",
    "regions",
    "repeat",
    "replace",
    "require",
    "reveal",
    "ruling",
    "score",
    "seen",
    "set",
    "state",
    "table",
    "then",
    "ties",
    "turn",
    "type",
    "until",
    "variant",
    "view",
    "when",
    "where",
    "winner",
];

/// Reserved, and never the end of an operand. The others are called or counted with: `players - 1`.
pub(super) fn is_key(word: &str) -> bool {
    RESERVED.contains(&word) && !matches!(word, "players" | "score" | "winner" | "view")
}

/// Words whose brace is a block, not a set. `else` is decided by its place.
pub(super) fn heads_block(word: &str) -> bool {
    matches!(word, "flow" | "given" | "numbers" | "pass" | "repeat" | "state" | "turn")
}

/// Words that begin a slot of an item on a line of its own.
pub(super) fn begins_slot(word: &str) -> bool {
    matches!(word, "alone" | "by" | "cite" | "cost" | "pays" | "require" | "ties")
}

/// Words that begin a clause of an example.
pub(super) fn begins_clause(word: &str) -> bool {
    matches!(word, "cite" | "erratum" | "given" | "instead" | "then" | "when")
}

/// Clauses whose word is padded, so that what they say stands in one column. Citations, which stand
/// before the story and look the same everywhere, are not.
pub(super) fn is_padded(word: &str) -> bool {
    begins_clause(word) && word != "cite"
}

/// Words that begin a statement wherever they stand. `if` is decided by its place.
pub(super) fn begins_statement(word: &str) -> bool {
    matches!(word, "choose" | "cycle" | "draw" | "end" | "for" | "let" | "repeat" | "reveal" | "turn")
}

/// Words with which a line goes on with what the line before began.
pub(super) fn continues(word: &str) -> bool {
    matches!(
        word,
        "and" | "by" | "cite" | "clockwise" | "in" | "is" | "not" | "of" | "or" | "seen" | "then" | "until" | "where"
    )
}

/// Words that end the expression before them, aggregates and all.
pub(super) fn ends_expression(word: &str) -> bool {
    matches!(word, "cite" | "seen" | "until")
}

/// Words that may bind variables: `sum x in D: E`.
pub(super) fn is_aggregate(word: &str) -> bool {
    matches!(word, "all" | "any" | "count" | "first" | "max" | "min" | "no" | "pairing" | "sum")
}

/// The first word of a slot of a view.
pub(super) fn begins_view_slot(word: &str) -> bool {
    matches!(word, "edge" | "panel" | "piece" | "shade" | "text")
}

/// Words of a board's shape after which a size stands.
pub(super) fn is_shape(word: &str) -> bool {
    matches!(word, "graph" | "hex" | "ring" | "square" | "x")
}
