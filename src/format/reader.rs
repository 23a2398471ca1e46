//! Lines of tokens → where each line begins.
//!
//! It does not parse. Whether a line continues the one before shows in the words on both sides of the
//! line end; where it does not, only looks depend on it.

use super::lexer::{Kind, Line, Token};
use super::nesting::{Block, Body, STEP};
use super::roles::Role;
use super::words;

/// Columns of a clause's word in an example.
pub(super) const CLAUSE: usize = 8;

/// How a line is laid out.
#[derive(Debug)]
pub(super) struct Shape {
    /// Its column.
    pub(super) indent: usize,
    /// It begins with the word of a clause that is padded.
    pub(super) padded: bool,
    /// One for each token of its code.
    pub(super) roles: Vec<Role>,
}

/// Reads a file line by line.
#[derive(Debug)]
pub(super) struct Reader<'t> {
    /// The word of the item.
    pub(super) item: &'t str,
    /// The innermost block, and those around it.
    pub(super) top: Block<'t>,
    pub(super) around: Vec<Block<'t>>,
    /// The token before, if it belongs to the same unit, and the one before that.
    pub(super) before: Option<(Role, &'t str)>,
    pub(super) earlier: &'t str,
    /// Column of what is said in this line, after the word of a clause.
    pub(super) start: usize,
}

impl<'t> Reader<'t> {
    pub(super) fn new() -> Self {
        Self { item: "", top: Block::new(Body::Item, 0), around: Vec::new(), before: None, earlier: "", start: 0 }
    }

    /// Reads a line that has code.
    pub(super) fn line(&mut self, line: &Line<'t>) -> Shape {
        let Some(first) = line.code.first() else {
            return Shape { indent: 0, padded: false, roles: Vec::new() };
        };
        let (mut indent, mut padded) = (0, false);
        if line.begins_item() {
            self.begin_item(line);
        } else {
            (indent, padded) = self.begin_line(first, line);
            let bracket = matches!(first.text, "{" | "}" | ")" | "]" | "(" | "[");
            indent = if bracket { indent } else { indent.max(STEP) };
        }
        self.start = if padded { indent + CLAUSE } else { indent };
        let mut roles = Vec::with_capacity(line.code.len());
        for (at, token) in line.code.iter().enumerate() {
            let role = self.token(token, line.code.get(at + 1), line.code.get(at + 2));
            self.earlier = self.before.map_or("", |(_, text)| text);
            self.before = Some((role, token.text));
            roles.push(role);
        }
        Shape { indent, padded, roles }
    }

    fn begin_item(&mut self, line: &Line<'t>) {
        let mut words = line.code.iter().map(|token| token.text);
        let first = words.next().unwrap_or("");
        self.item = if first == "replace" { words.next().unwrap_or("") } else { first };
        self.around.clear();
        self.top = Block::new(Body::Item, 0);
        self.before = None;
    }

    /// The column of a line inside an item, and whether it begins with the word of a padded clause.
    fn begin_line(&mut self, first: &Token<'t>, line: &Line<'t>) -> (usize, bool) {
        let indent = match first.text {
            "}" | ")" | "]" => self.closing(first.text),
            "{" if self.opens_block() => self.block_base(),
            _ if self.top.in_bracket() => self.continued(first),
            _ => match self.top.body {
                Body::Item if self.item == "example" => return self.begin_clause(first, line),
                Body::Item => self.begin_slot(first, line),
                _ if self.goes_on(first, line) => self.continued(first),
                _ => {
                    let inner = self.top.inner;
                    self.begin_unit(first, inner, inner + STEP)
                }
            },
        };
        (indent, false)
    }

    fn begin_unit(&mut self, first: &Token<'t>, base: usize, content: usize) -> usize {
        self.top.begin(first.text, base, content);
        self.before = None;
        base
    }

    fn begin_clause(&mut self, first: &Token<'t>, line: &Line<'t>) -> (usize, bool) {
        let conditional = first.is("then") && self.top.pending_if().is_some();
        if first.kind != Kind::Word || !words::begins_clause(first.text) || conditional || is_path(line) {
            return (self.continued(first), false);
        }
        let padded = words::is_padded(first.text);
        let content = STEP + if padded { CLAUSE } else { STEP };
        (self.begin_unit(first, STEP, content), padded)
    }

    fn begin_slot(&mut self, first: &Token<'t>, line: &Line<'t>) -> usize {
        let required = self.top.unit.head == "require";
        let begins = match first.kind {
            Kind::Text => !required && !self.wants_more(),
            Kind::Word => words::begins_slot(first.text) && !is_path(line) && !(required && first.is("cite")),
            Kind::Sign => first.is("="),
        };
        if begins { self.begin_unit(first, STEP, 2 * STEP) } else { self.continued(first) }
    }

    /// Does a line in a block continue the line before?
    fn goes_on(&self, first: &Token<'t>, line: &Line<'t>) -> bool {
        let has = |sign: &str| line.code.iter().any(|token| token.is(sign));
        let comma = self.before.is_some_and(|(_, text)| text == ",");
        if first.kind != Kind::Word {
            return true;
        }
        match self.top.body {
            Body::Facts if comma => self.top.unit.head == "players" && !has("=") && !has(":"),
            Body::Facts => self.before.is_some_and(|(_, text)| text == ":"),
            Body::Declarations if comma => !has(":"),
            _ if self.wants_more() || first.is("else") => true,
            _ if first.is("from") => matches!(self.top.unit.head, "cycle" | "draw" | "for"),
            _ => words::continues(first.text) && !is_path(line) && !line.code.get(1).is_some_and(|next| next.is(":")),
        }
    }

    /// Is the line before incomplete?
    fn wants_more(&self) -> bool {
        self.before.is_some_and(|(role, text)| role.wants() && !matches!(text, ";" | "end" | "pass"))
    }

    /// The column of a line that continues a unit.
    fn continued(&self, first: &Token<'t>) -> usize {
        if first.kind == Kind::Text || words::ends_expression(first.text) {
            self.top.continued_after_expression()
        } else if first.is("then") || first.is("else") && self.top.pending_if().is_some() {
            self.top.continued_if()
        } else if first.is("else") && self.before.is_some_and(|(role, _)| role == Role::BlockClose) {
            self.top.unit.base
        } else {
            self.top.continued()
        }
    }

    /// The column of a line that begins with the end of a bracket.
    fn closing(&self, closer: &str) -> usize {
        match self.top.innermost() {
            Some((_, expected, _, outer)) if expected == closer => outer,
            None if closer == "}" && !self.around.is_empty() => self.top.inner - STEP,
            _ => self.top.continued(),
        }
    }

    /// The column of the unit to which a block belongs. The block of an item belongs to the item, though
    /// it stands below the slots.
    pub(super) fn block_base(&self) -> usize {
        if self.top.body == Body::Item && self.item != "example" { 0 } else { self.top.unit.base }
    }
}

/// Does a line begin with a dotted path, such as `cost.move`?
fn is_path(line: &Line<'_>) -> bool {
    line.code.get(1).is_some_and(|next| next.is("."))
}
