//! The bound ruleset: the same game with every name an id.
//!
//! Declarations live in tables, expressions in one arena ([`ExprId`]), so that later stages can keep
//! what they find out (types, constants, who may see it) in tables beside it.

use super::types::{Type, TypeId, Types};
use super::value::Value;
use crate::ast::{Aggregate, AssignOp, BinaryOp, Name, TieRule, UnaryOp};
use crate::report::Span;

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident;)*) => {
        $($(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u32);

        impl $name {
            /// The place in its table.
            #[must_use]
            pub fn at(self) -> usize {
                self.0 as usize
            }
        })*
    };
}

ids! {
    /// An expression.
    ExprId;
    /// A parameter, loop variable or `let`.
    LocalId;
    /// A number of the TOML, rulings and options included.
    NumberId;
    /// A state.
    StateId;
    /// A definition.
    DefId;
    /// An action.
    ActionId;
    /// A phase.
    PhaseId;
    /// An award.
    AwardId;
}

/// A whole ruleset for one number of players and one choice of numbers, options and rulings.
#[derive(Debug, Clone, Default)]
pub struct Bound {
    /// Its name: the game's, or the variant's after a colon.
    pub name: String,
    /// Its title.
    pub title: String,
    /// The seats of this game.
    pub players: Players,
    /// Sources that may be cited.
    pub sources: Vec<Source>,
    /// Named types.
    pub types: Types,
    /// Numbers, options and rulings.
    pub numbers: Vec<Number>,
    /// Columns of tables.
    pub columns: Vec<Column>,
    /// What changes.
    pub states: Vec<State>,
    /// Definitions.
    pub defs: Vec<Def>,
    /// Decisions.
    pub rulings: Vec<Ruling>,
    /// Partitions.
    pub regions: Vec<Region>,
    /// Actions.
    pub actions: Vec<Action>,
    /// Awards.
    pub awards: Vec<Award>,
    /// Phases.
    pub phases: Vec<Phase>,
    /// The flow.
    pub flow: Option<Block>,
    /// What a seat's score is.
    pub scores: Vec<Score>,
    /// Who wins.
    pub winners: Vec<Winner>,
    /// What always holds.
    pub invariants: Vec<Invariant>,
    /// How it is drawn.
    pub views: Vec<View>,
    /// Worked examples of this choice.
    pub examples: Vec<Example>,
    /// All expressions.
    pub exprs: Vec<ExprNode>,
    /// All locals.
    pub locals: Vec<Local>,
}

impl Bound {
    /// An expression.
    #[must_use]
    pub fn expr(&self, id: ExprId) -> &ExprNode {
        // INVARIANT: ids are made by the binder for this table only; so in all accessors below.
        &self.exprs[id.at()]
    }

    /// A number.
    #[must_use]
    pub fn number(&self, id: NumberId) -> &Number {
        &self.numbers[id.at()]
    }

    /// A state.
    #[must_use]
    pub fn state(&self, id: StateId) -> &State {
        &self.states[id.at()]
    }

    /// A definition.
    #[must_use]
    pub fn def(&self, id: DefId) -> &Def {
        &self.defs[id.at()]
    }

    /// An action.
    #[must_use]
    pub fn action(&self, id: ActionId) -> &Action {
        &self.actions[id.at()]
    }

    /// A phase.
    #[must_use]
    pub fn phase(&self, id: PhaseId) -> &Phase {
        &self.phases[id.at()]
    }

    /// An award.
    #[must_use]
    pub fn award(&self, id: AwardId) -> &Award {
        &self.awards[id.at()]
    }

    /// A local.
    #[must_use]
    pub fn local(&self, id: LocalId) -> &Local {
        &self.locals[id.at()]
    }
}

/// The seats.
#[derive(Debug, Clone)]
pub struct Players {
    /// Fewest.
    pub fewest: u32,
    /// Most.
    pub most: u32,
    /// In this game.
    pub count: u32,
    /// The type `Player`.
    pub ty: TypeId,
}

impl Default for Players {
    fn default() -> Self {
        Self { fewest: 0, most: 0, count: 0, ty: TypeId(0) }
    }
}

/// A rulebook.
#[derive(Debug, Clone)]
pub struct Source {
    /// The key that citations use.
    pub key: String,
    /// Its title.
    pub title: String,
    /// The name under which its readings can be chosen together.
    pub edition: Option<String>,
    /// In the TOML.
    pub span: Span,
}

/// A passage of a rulebook.
#[derive(Debug, Clone, PartialEq)]
pub struct Citation {
    /// The source's key.
    pub source: String,
    /// Page.
    pub page: Option<i64>,
    /// Section.
    pub section: Option<String>,
}

impl std::fmt::Display for Citation {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "{}", self.source)?;
        if let Some(page) = self.page {
            write!(out, " {page}")?;
        }
        if let Some(section) = &self.section {
            write!(out, " \"{section}\"")?;
        }
        Ok(())
    }
}

/// A number of the TOML: a cost, a limit, an option, a ruling.
#[derive(Debug, Clone)]
pub struct Number {
    /// `limit.hands`
    pub path: String,
    /// Index domains.
    pub indices: Vec<Type>,
    /// Type of one element.
    pub ty: Type,
    /// For people.
    pub unit: Option<String>,
    /// Where it is from.
    pub cites: Vec<Citation>,
    /// All elements, the last index running fastest; one for a plain number.
    pub values: Vec<Value>,
    /// In the rules.
    pub span: Span,
    /// In the TOML, if it is there.
    pub toml: Option<Span>,
    /// How often the rules mention it.
    pub uses: Vec<Span>,
}

/// A column of a table: a constant for each row.
#[derive(Debug, Clone)]
pub struct Column {
    /// The table's type.
    pub table: TypeId,
    /// Its name.
    pub name: String,
    /// Further indices.
    pub indices: Vec<Type>,
    /// Type of one element.
    pub ty: Type,
    /// For people.
    pub unit: Option<String>,
    /// Rows, then the indices, the last running fastest.
    pub values: Vec<Value>,
    /// In the rules.
    pub span: Span,
    /// Is it mentioned?
    pub used: bool,
}

/// Who may see a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Visibility {
    /// Everybody.
    Public,
    /// The player of the first index.
    Owner,
    /// Nobody.
    Nobody,
}

/// A state: something that changes.
#[derive(Debug, Clone)]
pub struct State {
    /// Its name.
    pub name: String,
    /// Names of the indices, for the initial value.
    pub index_locals: Vec<Option<LocalId>>,
    /// Index domains.
    pub indices: Vec<Type>,
    /// Type of one element.
    pub ty: Type,
    /// Initial value.
    pub init: Option<ExprId>,
    /// Reset when a turn begins.
    pub per_turn: bool,
    /// Exists only if this constant holds.
    pub guard: Option<ExprId>,
    /// Who sees it.
    pub seen: Visibility,
    /// Its declaration.
    pub span: Span,
    /// Is it mentioned?
    pub used: bool,
}

/// A definition.
#[derive(Debug, Clone)]
pub struct Def {
    /// Its name.
    pub name: String,
    /// Parameters.
    pub params: Vec<LocalId>,
    /// What it is.
    pub body: ExprId,
    /// Where it is from.
    pub cites: Vec<Citation>,
    /// Its name in the rules.
    pub span: Span,
    /// Is it mentioned?
    pub used: bool,
}

/// A decision where the rulebook is silent, contradicts itself or differs between editions.
#[derive(Debug, Clone)]
pub struct Ruling {
    /// Its name.
    pub name: String,
    /// The switch.
    pub number: NumberId,
    /// What is asked.
    pub question: String,
    /// What each source says: citation, value, place.
    pub readings: Vec<(Citation, Value, Span)>,
    /// Why the default.
    pub reason: String,
    /// Its name in the rules.
    pub span: Span,
}

impl Ruling {
    /// Do its sources disagree?
    #[must_use]
    pub fn is_conflict(&self) -> bool {
        self.readings.windows(2).any(|pair| pair[0].1 != pair[1].1)
    }
}

/// A partition of a domain into what a relation joins.
#[derive(Debug, Clone)]
pub struct Region {
    /// The type it declares.
    pub ty: TypeId,
    /// What is partitioned.
    pub of: Bind,
    /// What it is.
    pub title: Option<String>,
    /// Where it is from.
    pub cites: Vec<Citation>,
    /// The two members that the relation speaks of.
    pub pair: [LocalId; 2],
    /// What joins them.
    pub joined: ExprId,
    /// Its name in the rules.
    pub span: Span,
    /// Is it mentioned?
    pub used: bool,
}

/// What a player may enter.
#[derive(Debug, Clone)]
pub struct Action {
    /// Its name.
    pub name: String,
    /// What it is.
    pub title: Option<String>,
    /// Parameters and the sets they are taken from.
    pub params: Vec<(LocalId, Option<ExprId>)>,
    /// Where it is from.
    pub cites: Vec<Citation>,
    /// Place and amount.
    pub costs: Vec<(ExprId, ExprId)>,
    /// Requirements in the author's order.
    pub requirements: Vec<Requirement>,
    /// What it does.
    pub effect: Block,
    /// Its name in the rules.
    pub span: Span,
    /// Numbers of first parameters that offers bind; empty if it is never offered.
    pub offered: Vec<usize>,
}

/// A named condition of an action.
#[derive(Debug, Clone)]
pub struct Requirement {
    /// Its name within the action.
    pub name: String,
    /// It is there only if this constant holds.
    pub guard: Option<ExprId>,
    /// Tested on the state that the effect leaves.
    pub after: bool,
    /// The condition.
    pub condition: ExprId,
    /// The rule, positively.
    pub phrase: Option<Phrase>,
    /// Where it is from; its action's citations if it has none.
    pub cites: Vec<Citation>,
    /// Its name in the rules.
    pub span: Span,
}

/// A text with values.
#[derive(Debug, Clone)]
pub struct Phrase {
    /// Words and values in turn.
    pub parts: Vec<PhrasePart>,
}

/// A piece of a phrase.
#[derive(Debug, Clone)]
pub enum PhrasePart {
    /// Written out.
    Words(String),
    /// A value.
    Value(ExprId),
}

/// What a claimant gets.
#[derive(Debug, Clone)]
pub struct Award {
    /// Its name.
    pub name: String,
    /// What it is.
    pub title: Option<String>,
    /// Parameters; the last one is the claimant.
    pub params: Vec<LocalId>,
    /// Where it is from.
    pub cites: Vec<Citation>,
    /// The weight.
    pub by: ExprId,
    /// First, second, … place.
    pub pays: Vec<ExprId>,
    /// What a tie does, each with its guard.
    pub ties: Vec<(TieRule, Option<ExprId>)>,
    /// `alone all`, each with its guard.
    pub alone: Vec<Option<ExprId>>,
    /// Its name in the rules.
    pub span: Span,
    /// Is it mentioned?
    pub used: bool,
}

/// A named part of the flow.
#[derive(Debug, Clone)]
pub struct Phase {
    /// Its name.
    pub name: String,
    /// What it is.
    pub title: Option<String>,
    /// Parameters.
    pub params: Vec<LocalId>,
    /// Where it is from.
    pub cites: Vec<Citation>,
    /// What happens.
    pub body: Block,
    /// Its name in the rules.
    pub span: Span,
    /// Is it played somewhere?
    pub used: bool,
}

/// `score(p) if C = E`
#[derive(Debug, Clone)]
pub struct Score {
    /// The seat.
    pub param: LocalId,
    /// Only if this constant holds.
    pub guard: Option<ExprId>,
    /// Where it is from.
    pub cites: Vec<Citation>,
    /// The score.
    pub body: ExprId,
    /// Its item.
    pub span: Span,
}

/// `winner(p) if C by A, B ties share`
#[derive(Debug, Clone)]
pub struct Winner {
    /// The seat.
    pub param: LocalId,
    /// Only if this constant holds.
    pub guard: Option<ExprId>,
    /// Where it is from.
    pub cites: Vec<Citation>,
    /// Most first; later keys break ties.
    pub keys: Vec<ExprId>,
    /// What a tie in all keys does.
    pub ties: TieRule,
    /// Its item.
    pub span: Span,
}

/// What always holds.
#[derive(Debug, Clone)]
pub struct Invariant {
    /// Its name.
    pub name: String,
    /// Only if this constant holds.
    pub guard: Option<ExprId>,
    /// The condition.
    pub condition: ExprId,
    /// In words.
    pub phrase: Option<Phrase>,
    /// Its name in the rules.
    pub span: Span,
}

/// How a board is drawn.
#[derive(Debug, Clone)]
pub struct View {
    /// The cell.
    pub param: LocalId,
    /// Its slots.
    pub slots: Vec<ViewSlot>,
    /// Its item.
    pub span: Span,
}

/// A slot of a view.
#[derive(Debug, Clone)]
pub struct ViewSlot {
    /// `shade`, `text`, `edge`, `piece` or `panel`.
    pub word: String,
    /// Once for each of these.
    pub each: Option<Bind>,
    /// What is shown, and when.
    pub parts: Vec<(ViewPart, Option<ExprId>)>,
}

/// A value or a text.
#[derive(Debug, Clone)]
pub enum ViewPart {
    /// `"x"`
    Text(Phrase),
    /// `discs(p)`
    Value(ExprId),
}

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
    /// `sum x in D: E`
    Aggregate(Aggregate, Vec<Bind>, Option<ExprId>),
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

/// Statements with their place.
#[derive(Debug, Clone, Default)]
pub struct Block {
    /// In order.
    pub statements: Vec<(Statement, Span)>,
}

/// The forms of a bound statement.
#[derive(Debug, Clone)]
pub enum Statement {
    /// `let x = E`
    Let(LocalId, ExprId),
    /// `place = E`
    Assign(ExprId, AssignOp, ExprId),
    /// `if E { } else { }`
    If(ExprId, Block, Block),
    /// `for x in D by K { }`
    For(Vec<Bind>, Vec<ExprId>, Block),
    /// `repeat until E { }`
    Repeat(Option<ExprId>, Block),
    /// `cycle p clockwise from X where C until E { }`
    Cycle(Bind, Option<ExprId>, Block),
    /// `turn p { }`
    Turn(ExprId, Block),
    /// `draw …`
    Draw(Draw),
    /// `reveal S`
    Reveal(StateId),
    /// `end`
    End,
    /// `choose …`
    Choose(Choose),
    /// Play a phase.
    Call(PhaseId, Vec<ExprId>),
}

/// Chance.
#[derive(Debug, Clone)]
pub struct Draw {
    /// The name that entries use: the state's or the local's.
    pub name: String,
    /// A state's place, or a new local.
    pub place: DrawPlace,
    /// The candidate, for the condition.
    pub candidate: Option<LocalId>,
    /// Taken out of what it is drawn from.
    pub takes: bool,
    /// What it is drawn from.
    pub from: ExprId,
    /// Which may be drawn.
    pub condition: Option<ExprId>,
    /// Who sees the result.
    pub seen_by: Option<ExprId>,
}

/// Where a drawn value goes.
#[derive(Debug, Clone, Copy)]
pub enum DrawPlace {
    /// A state.
    State(ExprId),
    /// A new local.
    Local(LocalId),
}

/// A choice.
#[derive(Debug, Clone)]
pub struct Choose {
    /// Who is asked, if not `me`.
    pub who: Option<ExprId>,
    /// What is offered.
    pub offers: Vec<(ActionId, Vec<ExprId>, Span)>,
    /// What else may happen.
    pub otherwise: Otherwise,
}

/// What happens in a choice when nothing is entered.
#[derive(Debug, Clone)]
pub enum Otherwise {
    /// Nothing said.
    Nothing,
    /// `or pass`: leaves the enclosing `repeat`.
    PassLeaves,
    /// `or pass { }`
    OrPass(Block),
    /// `else pass { }`
    ElsePass(Block),
    /// `else { }`
    Else(Block),
}

/// A worked example.
#[derive(Debug, Clone)]
pub struct Example {
    /// The rulebook rows it pins.
    pub rows: Vec<String>,
    /// What it shows.
    pub title: String,
    /// Where it is from.
    pub cites: Vec<Citation>,
    /// Printed contradictions, explained.
    pub errata: Vec<String>,
    /// Position, entries, expectations, in order.
    pub steps: Vec<Step>,
    /// Its title in the file.
    pub span: Span,
}

/// A step of an example.
#[derive(Debug, Clone)]
pub enum Step {
    /// Begin anew from this position.
    Given(Position),
    /// Enter these.
    When(Vec<Entry>),
    /// Enter these in place of the last.
    Instead(Vec<Entry>),
    /// This must hold.
    Holds(ExprId),
    /// The last entry is refused: a requirement or a verdict code.
    Refused(String),
}

/// A position.
#[derive(Debug, Clone, Default)]
pub struct Position {
    /// What is being played, if not the game's own flow.
    pub flow: Option<Block>,
    /// Facts: a state, its index values, its value.
    pub facts: Vec<(StateId, Vec<Value>, Value)>,
}

/// An entry.
#[derive(Debug, Clone)]
pub enum Entry {
    /// A player's action; arguments that the flow binds are left out at the front.
    Act {
        /// The seat.
        seat: u32,
        /// The action.
        action: ActionId,
        /// Index of the first argument given.
        first: usize,
        /// The arguments from there on.
        args: Vec<Value>,
    },
    /// A player passes.
    Pass {
        /// The seat.
        seat: u32,
    },
    /// What chance gave: the drawn place, its indices, its value; `None` is unknown to the writer.
    Chance {
        /// The drawn place.
        name: String,
        /// Its indices.
        indices: Vec<Value>,
        /// The value.
        value: Option<Value>,
    },
    /// It cannot be an entry at all; an example may expect exactly that.
    Unreadable {
        /// The verdict it gets.
        verdict: &'static str,
    },
}
