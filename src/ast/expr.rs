//! Expression nodes.

use crate::report::Span;

/// A word with its place.
#[derive(Debug, Clone, PartialEq)]
pub struct Name {
    /// As written.
    pub text: String,
    /// Where.
    pub span: Span,
}

/// `"{me} has {n} cards"`
#[derive(Debug, Clone, PartialEq)]
pub struct Text {
    /// Words and values in turn.
    pub parts: Vec<TextPart>,
    /// With its quotation marks.
    pub span: Span,
}

/// A piece of a text.
#[derive(Debug, Clone, PartialEq)]
pub enum TextPart {
    /// Written out, escapes resolved.
    Words(String),
    /// `{E}`
    Value(Expr),
}

impl Text {
    /// The text with `{…}` where values stand.
    #[must_use]
    pub fn plain(&self) -> String {
        let part = |part: &TextPart| match part {
            TextPart::Words(words) => words.clone(),
            TextPart::Value(_) => "{…}".to_owned(),
        };
        self.parts.iter().map(part).collect()
    }
}

/// An expression with its place.
#[derive(Debug, Clone, PartialEq)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// All of it.
    pub span: Span,
}

/// The forms of an expression.
#[derive(Debug, Clone, PartialEq)]
pub enum ExprKind {
    /// `42`
    Int(i64),
    /// `me`, `disc`, `Square`
    Name(String),
    /// `b2-c2`
    Edge(String),
    /// `x.field`
    Field(Box<Expr>, Name),
    /// `x[i, j]`
    Index(Box<Expr>, Vec<Expr>),
    /// `f(x, y)`
    Call(Box<Expr>, Vec<Expr>),
    /// `not x`, `-x`
    Unary(UnaryOp, Box<Expr>),
    /// `a + b`
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `if a then b else c`
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `sum x in D where C: E`, `first x in D by K`: variables, body, keys
    Aggregate(Aggregate, Vec<Bind>, Option<Box<Expr>>, Vec<Expr>),
    /// `{a, b}`
    Set(Vec<Expr>),
    /// `[a, b]`
    List(Vec<Expr>),
    /// `{x in D where C}`
    SetOf(Box<Bind>),
    /// `[x in L where C]`
    ListOf(Box<Bind>),
}

/// `not`, `-`
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnaryOp {
    /// `not`
    Not,
    /// `-`
    Negate,
}

impl UnaryOp {
    /// As written.
    #[must_use]
    pub fn symbol(self) -> &'static str {
        match self {
            Self::Not => "not",
            Self::Negate => "-",
        }
    }
}

/// An operator between two expressions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BinaryOp {
    /// `or`
    Or,
    /// `and`
    And,
    /// `is`
    Is,
    /// `is not`
    IsNot,
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `>`
    More,
    /// `>=`
    AtLeast,
    /// `in`
    In,
    /// `not in`
    NotIn,
    /// `..`
    Range,
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`
    Divide,
}

impl BinaryOp {
    /// As written.
    #[must_use]
    pub fn symbol(self) -> &'static str {
        match self {
            Self::Or => "or",
            Self::And => "and",
            Self::Is => "is",
            Self::IsNot => "is not",
            Self::Less => "<",
            Self::AtMost => "<=",
            Self::More => ">",
            Self::AtLeast => ">=",
            Self::In => "in",
            Self::NotIn => "not in",
            Self::Range => "..",
            Self::Add => "+",
            Self::Subtract => "-",
            Self::Multiply => "*",
            Self::Divide => "/",
        }
    }
}

/// What an aggregate makes of its members.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Aggregate {
    /// Does one satisfy it?
    Any,
    /// Do all?
    All,
    /// Does none?
    No,
    /// How many do?
    Count,
    /// Added up.
    Sum,
    /// The least value.
    Min,
    /// The greatest value.
    Max,
    /// The first member.
    First,
    /// Can each get one of its own?
    Pairing,
}

impl Aggregate {
    /// All of them.
    pub const ALL: [Self; 9] =
        [Self::Any, Self::All, Self::No, Self::Count, Self::Sum, Self::Min, Self::Max, Self::First, Self::Pairing];

    /// As written.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Any => "any",
            Self::All => "all",
            Self::No => "no",
            Self::Count => "count",
            Self::Sum => "sum",
            Self::Min => "min",
            Self::Max => "max",
            Self::First => "first",
            Self::Pairing => "pairing",
        }
    }
}

/// `x in D where C`, `p clockwise from q`
#[derive(Debug, Clone, PartialEq)]
pub struct Bind {
    /// The variable.
    pub name: Name,
    /// What it runs over.
    pub domain: Domain,
    /// Only those.
    pub condition: Option<Expr>,
    /// All of it.
    pub span: Span,
}

/// What a variable runs over.
#[derive(Debug, Clone, PartialEq)]
pub enum Domain {
    /// `in D`
    In(Expr),
    /// `clockwise from p`
    Clockwise(Expr),
}
