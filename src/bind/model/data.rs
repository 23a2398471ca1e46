//! Data of a bound ruleset: seats, sources, numbers, tables, states, rulings, regions.

use super::{Bind, ExprId, LocalId, NumberId};
use crate::bind::types::{Type, TypeId};
use crate::bind::value::Value;
use crate::report::Span;

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
    /// Where the rules mention it.
    pub uses: Vec<Span>,
    /// Do types depend on it: ranges, sizes of boards, lengths of lists?
    pub in_types: bool,
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
