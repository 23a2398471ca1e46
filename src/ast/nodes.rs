//! The tree of a ruleset as it is written: names are text, nothing is resolved, every node has a span.

use super::example::{Example, GivenPart};
use super::expr::{Bind, Expr, Name, Text};
use super::statement::Block;
use crate::report::Span;

/// The items of one file, in order.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct File {
    /// The items that could be parsed.
    pub items: Vec<Item>,
    /// The words of items that could not: what they declare must not be called unknown.
    pub broken: Vec<String>,
}

/// A top-level item.
#[derive(Debug, Clone, PartialEq)]
pub struct Item {
    /// What it declares.
    pub kind: ItemKind,
    /// `replace` stood before it.
    pub replaces: bool,
    /// All of it.
    pub span: Span,
}

/// What an item declares.
#[derive(Debug, Clone, PartialEq)]
pub enum ItemKind {
    /// `game reversi "Reversi"`
    Game { name: Name, title: Text },
    /// `variant auction of market "With an auction"`
    Variant { name: Name, base: Name, title: Text },
    /// `players 2..4: north, south`
    Players { count: Expr, seats: Vec<Name> },
    /// `numbers "cards.toml"`
    NumbersFile(Text),
    /// `numbers { … }`
    Numbers(Vec<NumberLine>),
    /// `board Square = square 8 x 8`
    Board { name: Name, shape: Shape },
    /// `type Level = 1..5`
    Type { name: Name, body: TypeBody },
    /// `table Card { … }`
    Table { name: Name, columns: Vec<Column> },
    /// `state turn if two_players { … }`
    State { per_turn: bool, guard: Option<Expr>, lines: Vec<StateLine> },
    /// `regions Group of c in Point where … by a, b: …`
    Regions(Regions),
    /// `def discs(p: Player) = …`
    Def { name: Name, params: Vec<Param>, cites: Vec<Cite>, body: Expr },
    /// `ruling suicide: bool …`
    Ruling { name: Name, ty: TypeExpr, texts: Vec<Text>, cites: Vec<Cite> },
    /// `action place(at: Square) …`
    Action(Action),
    /// `replace require place.empty: …`
    Require { action: Name, requirement: Requirement },
    /// `award majority(r: Region, p: Player) …`
    Award(Award),
    /// `score(p: Player) = …`
    Score { params: Vec<Param>, guard: Option<Expr>, cites: Vec<Cite>, body: Expr },
    /// `winner(p: Player) by …`
    Winner { params: Vec<Param>, guard: Option<Expr>, cites: Vec<Cite>, keys: Vec<Expr>, ties: Option<Ties> },
    /// `invariant stones: …`
    Invariant { name: Name, guard: Option<Expr>, body: Expr, phrase: Option<Text> },
    /// `view(c: Square) { … }`
    View { params: Vec<Param>, slots: Vec<ViewSlot> },
    /// `flow { … }`
    Flow(Block),
    /// `phase auction(first: Player) { … }`
    Phase { name: Name, params: Vec<Param>, texts: Vec<Text>, cites: Vec<Cite>, body: Block },
    /// `given opening { … }`
    Given { name: Name, parts: Vec<GivenPart> },
    /// `example R4 "…" …`
    Example(Example),
}

/// `cite de 4 "Der Zug" = false`
#[derive(Debug, Clone, PartialEq)]
pub struct Cite {
    /// The source's key.
    pub source: Name,
    /// A page.
    pub page: Option<i64>,
    /// The section.
    pub section: Option<Text>,
    /// What it says, in a ruling.
    pub reading: Option<Expr>,
    /// All of it.
    pub span: Span,
}

/// `limit.{hands, turns}[Suit]: 1..30 "gold" cite de "Bauen"`
#[derive(Debug, Clone, PartialEq)]
pub struct NumberLine {
    /// One path for each number declared.
    pub paths: Vec<Name>,
    /// Indices.
    pub indices: Vec<Index>,
    /// Type of one element.
    pub ty: TypeExpr,
    /// Unit, for people.
    pub unit: Option<Text>,
    /// Where it is from.
    pub cites: Vec<Cite>,
}

/// `p: Point` or `Point` in brackets.
#[derive(Debug, Clone, PartialEq)]
pub struct Index {
    /// A name for use in the initial value.
    pub name: Option<Name>,
    /// The domain.
    pub ty: TypeExpr,
}

/// `square 8 x 8`, `hex 8 x 5 flat`, `ring 24`, `graph roads`
#[derive(Debug, Clone, PartialEq)]
pub struct Shape {
    /// `square`, `hex`, `ring` or `graph`.
    pub word: Name,
    /// Width, length, or the path of the graph.
    pub first: Expr,
    /// Height.
    pub second: Option<Expr>,
    /// `flat` or `rhombus`.
    pub layout: Option<Name>,
    /// All of it.
    pub span: Span,
}

/// The right side of a `type` item.
#[derive(Debug, Clone, PartialEq)]
pub enum TypeBody {
    /// `{ suit: Suit, rank: 2..14 }`
    Record(Vec<(Name, TypeExpr)>),
    /// Anything else.
    Expr(TypeExpr),
}

/// A type as written.
#[derive(Debug, Clone, PartialEq)]
pub struct TypeExpr {
    /// What it is.
    pub kind: TypeKind,
    /// `?` stands after it.
    pub optional: bool,
    /// All of it.
    pub span: Span,
}

/// The forms of a type.
#[derive(Debug, Clone, PartialEq)]
pub enum TypeKind {
    /// `set of T`
    Set(Box<TypeExpr>),
    /// `list 16 of T`
    List(Box<Expr>, Box<TypeExpr>),
    /// `a | b`
    Enum(Vec<Name>),
    /// `0..9`
    Range(Box<Expr>, Box<Expr>),
    /// `Suit`, `Square.edge`
    Path(Name, Option<Name>),
}

/// `price, worth: 0..9 = 0 "gold"`
#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    /// Several may share a line.
    pub names: Vec<Name>,
    /// Indices.
    pub indices: Vec<Index>,
    /// Type of one element.
    pub ty: TypeExpr,
    /// For rows that say nothing.
    pub default: Option<Expr>,
    /// Unit, for people.
    pub unit: Option<Text>,
}

/// `stone[p: Point]: Player? = none seen by owner`
#[derive(Debug, Clone, PartialEq)]
pub struct StateLine {
    /// Its name.
    pub name: Name,
    /// Indices.
    pub indices: Vec<Index>,
    /// Type of one element.
    pub ty: TypeExpr,
    /// Initial value.
    pub init: Option<Expr>,
    /// Who sees it: an expression that is the word `owner` or `nobody`.
    pub seen_by: Option<Expr>,
}

/// `name: T in SET`
#[derive(Debug, Clone, PartialEq)]
pub struct Param {
    /// Its name.
    pub name: Name,
    /// Its type.
    pub ty: TypeExpr,
    /// The set it is taken from.
    pub within: Option<Expr>,
}

/// `regions Group of c in Point where … by a, b: …`
#[derive(Debug, Clone, PartialEq)]
pub struct Regions {
    /// The type it declares.
    pub name: Name,
    /// What is partitioned.
    pub of: Bind,
    /// What it is, for people.
    pub title: Option<Text>,
    /// Where it is from.
    pub cites: Vec<Cite>,
    /// The two members that the relation speaks of.
    pub pair: [Name; 2],
    /// What joins them.
    pub joined: Expr,
}

/// An action with its slots as written.
#[derive(Debug, Clone, PartialEq)]
pub struct Action {
    /// Its name.
    pub name: Name,
    /// Parameters.
    pub params: Vec<Param>,
    /// What it is, for people.
    pub texts: Vec<Text>,
    /// Where it is from.
    pub cites: Vec<Cite>,
    /// What it costs.
    pub costs: Vec<Price>,
    /// Its requirements.
    pub requirements: Vec<Requirement>,
    /// What it does.
    pub effect: Block,
}

/// `stock[me, r]: price[r] for r in Resource`
#[derive(Debug, Clone, PartialEq)]
pub struct Price {
    /// What is paid from.
    pub place: Expr,
    /// How much.
    pub amount: Expr,
    /// Once for each of these.
    pub each: Option<Bind>,
}

/// `require empty if C after: E "phrase" cite …`
#[derive(Debug, Clone, PartialEq)]
pub struct Requirement {
    /// Its name within the action.
    pub name: Name,
    /// It is there only if this constant holds.
    pub guard: Option<Expr>,
    /// Tested on the state that the effect leaves.
    pub after: bool,
    /// The condition.
    pub condition: Expr,
    /// The rule, positively.
    pub phrase: Option<Text>,
    /// Where it is from.
    pub cites: Vec<Cite>,
    /// All of it.
    pub span: Span,
}

/// An award with its slots as written.
#[derive(Debug, Clone, PartialEq)]
pub struct Award {
    /// Its name.
    pub name: Name,
    /// Parameters; the last one is the claimant.
    pub params: Vec<Param>,
    /// What it is, for people.
    pub texts: Vec<Text>,
    /// Where it is from.
    pub cites: Vec<Cite>,
    /// The weight.
    pub by: Vec<Expr>,
    /// First, second, … place.
    pub pays: Vec<Expr>,
    /// What a tie does.
    pub ties: Vec<Ties>,
    /// `alone all`, each with its guard.
    pub alone: Vec<Option<Expr>>,
}

/// `ties split up if C`
#[derive(Debug, Clone, PartialEq)]
pub struct Ties {
    /// What a tie does.
    pub rule: TieRule,
    /// Only if this constant holds.
    pub guard: Option<Expr>,
    /// All of it.
    pub span: Span,
}

/// What a tie does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TieRule {
    /// Nobody gets it.
    None,
    /// Added up and shared, rounded down.
    Split,
    /// Added up and shared, rounded up.
    SplitUp,
    /// Each gets all of it.
    Share,
}

/// `piece x in D: E where C, …`
#[derive(Debug, Clone, PartialEq)]
pub struct ViewSlot {
    /// `shade`, `text`, `edge`, `piece` or `panel`.
    pub word: Name,
    /// Once for each of these.
    pub each: Option<ViewEach>,
    /// What is shown.
    pub parts: Vec<ViewPart>,
}

/// What a view slot runs over.
#[derive(Debug, Clone, PartialEq)]
pub enum ViewEach {
    /// `x in D:`
    Bind(Bind),
    /// `s:` after `edge`: each side.
    Side(Name),
}

/// A value or a text, with its condition.
#[derive(Debug, Clone, PartialEq)]
pub struct ViewPart {
    /// What is shown.
    pub shown: Shown,
    /// Only where this holds.
    pub condition: Option<Expr>,
}

/// A value or a text.
#[derive(Debug, Clone, PartialEq)]
pub enum Shown {
    /// `"x"`
    Text(Text),
    /// `discs(p)`
    Value(Expr),
}
