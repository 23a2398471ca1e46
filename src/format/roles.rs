//! Tokens → what part each plays in its line.
//!
//! Which brace is a block, which minus a sign, which bracket a call: it shows in what stands before,
//! and only looks depend on it. The one thing on which meaning depends, a minus between two words, is
//! never touched.

use super::lexer::{Kind, Token};
use super::nesting::{Block, Body, Open};
use super::reader::Reader;
use super::words;

/// The part of a token in its line, as far as blanks are concerned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// A name, a number, a text: an operand, or the end of one.
    Operand,
    /// A word after which an operand stands.
    Key,
    /// A word after which a block stands.
    Head,
    /// A bracket without blanks inside.
    Open,
    /// The same, which belongs to the operand before it.
    Call,
    /// The end of a bracket without blanks inside.
    Close,
    /// A brace with blanks inside.
    BlockOpen,
    /// The end of a brace with blanks inside.
    BlockClose,
    /// An operator between blanks.
    Infix,
    /// A sign between two parts that belong together.
    Joint,
    /// A minus that belongs to what follows.
    Prefix,
    /// `,`, `;` or `:`.
    Separator,
    /// The colon after the name of a requirement.
    Named,
    /// The `?` of an optional type.
    Optional,
    /// Not a sign of the language: left as it stands.
    Unknown,
}

impl Role {
    /// Does an operand have to follow?
    pub(super) fn wants(self) -> bool {
        use Role::{Call, Head, Infix, Joint, Key, Named, Open, Prefix, Separator};
        matches!(self, Call | Head | Infix | Joint | Key | Named | Open | Prefix | Separator)
    }
}

impl<'t> Reader<'t> {
    pub(super) fn token(&mut self, token: &Token<'t>, next: Option<&Token<'t>>, second: Option<&Token<'t>>) -> Role {
        match token.kind {
            Kind::Word => self.word(token.text, next, second),
            Kind::Sign => self.sign(token, next),
            Kind::Text => {
                self.top.settle();
                Role::Operand
            }
        }
    }

    /// Is this the notation of facts and entries?
    fn in_notation(&self) -> bool {
        let head = self.top.unit.head;
        match self.top.body {
            Body::Facts => true,
            Body::Item => self.item == "example" && matches!(head, "given" | "when" | "instead"),
            _ => false,
        }
    }

    fn wants_operand(&self) -> bool {
        self.before.is_none_or(|(role, _)| role.wants())
    }

    fn begins_unit(&self) -> bool {
        self.before.is_none_or(|(role, text)| role == Role::BlockOpen || text == ";")
    }

    fn word(&mut self, text: &'t str, next: Option<&Token<'t>>, second: Option<&Token<'t>>) -> Role {
        let joined = self.before.is_some_and(|(role, before)| role == Role::Joint && before != "..");
        if joined || next.is_some_and(|next| next.is(".")) {
            return Role::Operand;
        }
        if self.is_clause(text) {
            self.top.settle();
            self.top.unit.head = text;
            return if text == "given" { Role::Head } else { Role::Key };
        }
        if self.begins_unit() && self.top.body != Body::Item {
            self.top.unit.head = text;
        }
        if self.in_notation() {
            let flow = text == "flow" && next.is_none_or(|next| next.is("{"));
            return if flow { Role::Head } else { Role::Operand };
        }
        if words::is_aggregate(text) && second.is_some_and(|second| second.is("in") || second.is("clockwise")) {
            self.top.open.push(Open::Aggregate { outer: self.start, body: false });
            return Role::Key;
        }
        self.key(text)
    }

    /// A word of the rules: what it opens and ends, and what may follow.
    fn key(&mut self, text: &'t str) -> Role {
        let statements = self.top.body == Body::Statements;
        if statements && !self.wants_operand() && (text == "if" || words::begins_statement(text)) {
            self.top.settle();
            self.top.unit.head = text;
        }
        match text {
            "if" => self.top.open.push(Open::If),
            "else" => match self.top.pending_if() {
                Some(at) => self.top.open.truncate(at),
                None => return Role::Head,
            },
            _ if words::ends_expression(text) => self.top.settle(),
            _ => {}
        }
        let before = self.before.map_or("", |(_, text)| text);
        let soft = match text {
            "from" => before == "clockwise" || self.top.unit.head == "draw",
            "x" => self.item == "board" && !self.wants_operand(),
            _ if self.item == "board" => before == "=" && words::is_shape(text),
            _ => self.top.body == Body::View && self.begins_unit() && words::begins_view_slot(text),
        };
        if words::heads_block(text) {
            Role::Head
        } else if soft || words::is_key(text) {
            Role::Key
        } else {
            Role::Operand
        }
    }

    /// Does this word begin a clause of an example? In entries any word may stand, so there a clause
    /// begins with its line, or after a position that cannot go on.
    fn is_clause(&self, text: &str) -> bool {
        let example = self.item == "example" && self.top.body == Body::Item && !self.top.in_bracket();
        example
            && words::begins_clause(text)
            && match (self.before, self.top.unit.head) {
                (None, _) => true,
                (Some((role, _)), "given") => role == Role::BlockClose || self.earlier == "given",
                (_, "when" | "instead") => false,
                _ => text != "then" || self.top.pending_if().is_none(),
            }
    }

    fn sign(&mut self, token: &Token<'t>, next: Option<&Token<'t>>) -> Role {
        match token.text {
            "(" => self.open(")", false),
            "[" => self.open("]", false),
            "{" => self.brace(),
            ")" | "]" | "}" => self.close(token.text),
            "," => {
                self.top.comma();
                Role::Separator
            }
            ";" => {
                self.top.settle();
                Role::Separator
            }
            ":" => self.colon(),
            "?" if self.in_notation() => Role::Operand,
            "?" => Role::Optional,
            "." | ".." => Role::Joint,
            "-" => self.minus(token, next),
            "+" | "*" | "/" | "<" | ">" | "<=" | ">=" | "=" | "+=" | "-=" | "<->" | "|" => Role::Infix,
            _ => Role::Unknown,
        }
    }

    fn colon(&mut self) -> Role {
        let own = self.top.colon();
        let unit = &mut self.top.unit;
        let named = unit.named;
        unit.named = named || own;
        if own && !named && unit.head == "require" && !self.top.in_bracket() { Role::Named } else { Role::Separator }
    }

    /// Between two words a minus stays as it is written: `b2-c2` is an edge, `b2 - c2` is a difference,
    /// and `b2 -3` are two values of a fact.
    fn minus(&self, token: &Token<'t>, next: Option<&Token<'t>>) -> Role {
        let refused = self.earlier == "refused";
        let tight = token.glued && next.is_some_and(|next| next.glued && next.kind == Kind::Word);
        match self.before {
            Some((Role::Operand, _)) if tight => Role::Joint,
            Some((Role::Key | Role::Head, _)) if tight && refused => Role::Joint,
            _ if self.wants_operand() || self.in_notation() => Role::Prefix,
            _ => Role::Infix,
        }
    }

    fn open(&mut self, closer: &'static str, spaced: bool) -> Role {
        self.top.open.push(Open::Bracket { closer, spaced, outer: self.start });
        let operand = |(role, _)| matches!(role, Role::Operand | Role::Close | Role::Optional);
        match closer {
            "}" if spaced => Role::BlockOpen,
            ")" | "]" if self.before.is_some_and(operand) && !self.in_notation() => Role::Call,
            _ => Role::Open,
        }
    }

    fn brace(&mut self) -> Role {
        if !self.opens_block() {
            let record = self.item == "type" && !self.top.in_bracket();
            return self.open("}", record);
        }
        let body = match (self.top.body, self.item) {
            (Body::Item, "numbers" | "state" | "table") => Body::Declarations,
            (Body::Item, "view") => Body::View,
            (Body::Item, "given" | "example") if self.before.is_none_or(|(_, text)| text != "flow") => Body::Facts,
            _ => Body::Statements,
        };
        let block = Block::new(body, self.block_base());
        self.top.settle();
        self.around.push(std::mem::replace(&mut self.top, block));
        Role::BlockOpen
    }

    /// Is a brace here a block? It is not where an operand has to come.
    pub(super) fn opens_block(&self) -> bool {
        let head = self.before.is_none_or(|(role, _)| role == Role::Head);
        !self.top.in_bracket() && (head || !self.in_notation() && !self.wants_operand())
    }

    fn close(&mut self, closer: &str) -> Role {
        match self.top.innermost() {
            Some((at, expected, spaced, _)) if expected == closer => {
                self.top.open.truncate(at);
                if spaced { Role::BlockClose } else { Role::Close }
            }
            None if closer == "}" => {
                if let Some(block) = self.around.pop() {
                    self.top = block;
                }
                Role::BlockClose
            }
            _ => Role::Close,
        }
    }
}
