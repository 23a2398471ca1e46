//! Bound expressions.

use super::{AwardId, DefId, ExprId, LocalId, NumberId, StateId};
use crate::ast::{Aggregate, BinaryOp, Name, UnaryOp};
use crate::bind::types::{Type, TypeId};
use crate::report::Span;

/// A parameter, loop variable or `let`.
#[derive(Debug, Clone)]
pub struct Local {
    /// Its name.
    pub name: String,
    /// Its type, where it is declared; otherwise the checker infers it.
    pub ty: Option<Type>,
    /// Where it is introduced.
    pub span: Span,
}

/// An expression with its place.
#[derive(Debug, Clone)]
pub struct ExprNode {
    /// What it is.
    pub kind: Expr,
    /// Where.
    pub span: Span,
}

/// The forms of a bound expression.
#[derive(Debug, Clone)]
pub enum Expr {
    /// A fault was reported.
    Fault,
    /// `42`
    Int(i64),
    /// `true`
    Bool(bool),
    /// `none`
    None,
    /// The player who acts.
    Me,
    /// The number of seats.
    Players,
    /// A local.
    Local(LocalId),
    /// A member that several types may have; the checker decides by what is expected.
    Member(Vec<(TypeId, u32)>),
    /// A number of the TOML.
    Number(NumberId),
    /// A state.
    State(StateId),
    /// A definition with its arguments.
    Def(DefId, Vec<ExprId>),
    /// An award with its arguments.
    Award(AwardId, Vec<ExprId>),
    /// `score(p)`
    Score(ExprId),
    /// A function of the language.
    Function(Function, Vec<ExprId>),
    /// A finite type as the set of its members.
    Members(Type),
    /// `Piece(red, worker)`, `Square(3, 4)`
    Make(TypeId, Vec<ExprId>),
    /// `x.field`
    Field(ExprId, Name),
    /// `x[i, j]`
    Index(ExprId, Vec<ExprId>),
    /// `not x`
    Unary(UnaryOp, ExprId),
    /// `a + b`
    Binary(BinaryOp, ExprId, ExprId),
    /// `if a then b else c`
    If(ExprId, ExprId, ExprId),
    /// `sum x in D: E`, `first x in D by K`: variables, body, keys
    Aggregate(Aggregate, Vec<Bind>, Option<ExprId>, Vec<ExprId>),
    /// `{a, b}`
    Set(Vec<ExprId>),
    /// `[a, b]`
    List(Vec<ExprId>),
    /// `{x in D where C}`
    SetOf(Bind),
    /// `[x in L where C]`
    ListOf(Bind),
    /// What only an example can ask.
    Outcome(Outcome),
}

/// A variable with what it runs over.
#[derive(Debug, Clone)]
pub struct Bind {
    /// The variable.
    pub local: LocalId,
    /// What it runs over, or with `clockwise` where it begins.
    pub domain: ExprId,
    /// All seats clockwise from `domain`.
    pub clockwise: bool,
    /// Only those.
    pub condition: Option<ExprId>,
}

macro_rules! named {
    ($(#[$doc:meta])* $enum:ident { $($variant:ident = $word:literal,)* }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum $enum {
            $(#[doc = concat!("`", $word, "`")] $variant,)*
        }

        impl $enum {
            /// All of them.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// As written.
            #[must_use]
            pub fn word(self) -> &'static str {
                match self { $(Self::$variant => $word,)* }
            }

            /// The one with this name.
            #[must_use]
            pub fn named(word: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|known| known.word() == word)
            }
        }
    };
}

named! {
    /// A function of the language.
    Function {
        Neighbours = "neighbours",
        Adjacent = "adjacent",
        Side = "side",
        Step = "step",
        Ray = "ray",
        Between = "between",
        Edge = "edge",
        Border = "border",
        Across = "across",
        Inward = "inward",
        Opposite = "opposite",
        Rotate = "rotate",
        Column = "column",
        Row = "row",
        Size = "size",
        Top = "top",
        Least = "min",
        Most = "max",
        Seat = "seat",
        Ordinal = "ordinal",
    }
}

named! {
    /// What only an example can ask.
    Outcome {
        Paid = "paid",
        Next = "next",
        Over = "over",
        Moves = "moves",
        Winner = "winner",
    }
}
