//! What is open at a place: blocks, and in each of them a unit with its brackets.
//!
//! A unit is what a line may begin: an item, a slot, a clause, a statement, a declaration. Its first
//! line stands at `base`, the lines that continue it at `content`, deeper inside of brackets. An
//! aggregate reaches as far right as it can; so it counts as a bracket that closes by itself.

/// Blanks for each level.
pub(super) const STEP: usize = 4;

/// What the lines between two braces are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Body {
    /// An item with its slots or clauses: the outermost, without braces.
    Item,
    /// Statements.
    Statements,
    /// Declarations of state, numbers or columns.
    Declarations,
    /// Slots of a view.
    View,
    /// A position, in the notation of entries.
    Facts,
}

/// What is being written in a block.
#[derive(Debug, Clone, Copy)]
pub(super) struct Unit<'t> {
    /// Its first word, empty for an item.
    pub(super) head: &'t str,
    /// Column of its first line.
    pub(super) base: usize,
    /// Column of the lines that continue it.
    pub(super) content: usize,
    /// The colon after its name has been seen.
    pub(super) named: bool,
}

/// Something in a unit that lines may continue.
#[derive(Debug, Clone, Copy)]
pub(super) enum Open {
    /// A bracket; `outer` is the column of the line that opened it.
    Bracket { closer: &'static str, spaced: bool, outer: usize },
    /// An aggregate, whose variables end at its colon.
    Aggregate { outer: usize, body: bool },
    /// An `if` that may get its `else`.
    If,
}

impl Open {
    fn is_bracket(self) -> bool {
        matches!(self, Open::Bracket { .. })
    }
}

/// A pair of braces, or an item.
#[derive(Debug)]
pub(super) struct Block<'t> {
    pub(super) body: Body,
    /// Column of the units that begin a line in it.
    pub(super) inner: usize,
    pub(super) unit: Unit<'t>,
    pub(super) open: Vec<Open>,
}

impl<'t> Block<'t> {
    /// A block that belongs to a unit at column `base`. What stands in the line of its brace counts as
    /// being at `base` too: braces that open together indent once.
    pub(super) fn new(body: Body, base: usize) -> Self {
        let inner = base + STEP;
        let content = if body == Body::Item { inner } else { inner + STEP };
        Self { body, inner, unit: Unit { head: "", base, content, named: false }, open: Vec::new() }
    }

    /// A unit begins at `base`, and goes on at `content`.
    pub(super) fn begin(&mut self, head: &'t str, base: usize, content: usize) {
        self.open.clear();
        self.unit = Unit { head, base, content, named: false };
    }

    /// How much of `open` is left if all expressions end here.
    fn settled(&self) -> usize {
        self.open.iter().rposition(|open| open.is_bracket()).map_or(0, |at| at + 1)
    }

    /// The expression ends here: of what is open, only brackets stay.
    pub(super) fn settle(&mut self) {
        self.open.truncate(self.settled());
    }

    /// Where the innermost `if` stands that still may get its `else`.
    pub(super) fn pending_if(&self) -> Option<usize> {
        let settled = self.settled();
        self.open.iter().rposition(|open| matches!(open, Open::If)).filter(|&at| at >= settled)
    }

    /// Is a bracket open?
    pub(super) fn in_bracket(&self) -> bool {
        self.settled() > 0
    }

    /// A colon: the variables of the innermost aggregate end. Was it not for an aggregate?
    pub(super) fn colon(&mut self) -> bool {
        match self.open.last_mut() {
            Some(Open::Aggregate { body, .. }) if !*body => {
                *body = true;
                false
            }
            _ => true,
        }
    }

    /// A comma: aggregates end, unless it stands between their variables.
    pub(super) fn comma(&mut self) {
        while let Some(Open::If | Open::Aggregate { body: true, .. }) = self.open.last() {
            self.open.pop();
        }
    }

    /// The column of a line that continues the unit.
    pub(super) fn continued(&self) -> usize {
        self.within(self.open.len())
    }

    /// The same for a line with which expressions end.
    pub(super) fn continued_after_expression(&self) -> usize {
        self.within(self.settled())
    }

    /// The same for a line that begins with `then` or `else`.
    pub(super) fn continued_if(&self) -> usize {
        self.within(self.pending_if().unwrap_or(self.open.len()))
    }

    fn within(&self, count: usize) -> usize {
        let column = |open: &Open| match *open {
            Open::Bracket { outer, .. } | Open::Aggregate { outer, .. } => Some(outer + STEP),
            Open::If => None,
        };
        self.open.iter().take(count).rev().find_map(column).unwrap_or(self.unit.content)
    }

    /// The innermost bracket: where it stands in `open`, what closes it, whether it has blanks inside,
    /// and the column of its line.
    pub(super) fn innermost(&self) -> Option<(usize, &'static str, bool, usize)> {
        self.open.iter().enumerate().rev().find_map(|(at, open)| match *open {
            Open::Bracket { closer, spaced, outer } => Some((at, closer, spaced, outer)),
            _ => None,
        })
    }
}
