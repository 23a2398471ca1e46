//! The types of the language. Every one is finite, and its size is known here.

use crate::internal::exact;
use std::fmt;
use std::sync::OnceLock;

use super::board::Board;
use super::names::Names;
use crate::report::Span;

/// Which of the [`Types`] a named type is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TypeId(pub u32);

/// A type.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Type {
    /// `bool`
    Bool,
    /// `lo..hi`
    Int(i64, i64),
    /// A named type with members: enumeration, table, seats, cells, sides, …
    Named(TypeId),
    /// `T?`
    Optional(Box<Type>),
    /// `set of T`
    Set(Box<Type>),
    /// `list n of T`
    List(u32, Box<Type>),
    /// What `none`, `{}` and `[]` hold: fits everything.
    Nothing,
    /// A fault was reported; fits everything, so that one fault does not raise others.
    Unknown,
}

impl Type {
    /// The type inside an optional, or the type itself.
    #[must_use]
    pub fn plain(&self) -> &Type {
        match self {
            Self::Optional(inner) => inner,
            other => other,
        }
    }

    /// `T?`, without ever nesting optionals.
    #[must_use]
    pub fn optional(self) -> Type {
        match self {
            Self::Optional(_) | Self::Unknown => self,
            other => Self::Optional(Box::new(other)),
        }
    }

    /// Made optional if `spreads`.
    #[must_use]
    pub fn optional_if(self, spreads: bool) -> Type {
        if spreads { self.optional() } else { self }
    }

    /// How many sets, lists and optionals lie around one another.
    #[must_use]
    pub fn depth(&self) -> usize {
        match self {
            Self::Optional(inner) | Self::Set(inner) | Self::List(_, inner) => 1 + inner.depth(),
            _ => 0,
        }
    }

    /// `T?`
    #[must_use]
    pub fn is_optional(&self) -> bool {
        matches!(self, Self::Optional(_))
    }

    /// Was a fault reported about this already?
    #[must_use]
    pub fn is_unknown(&self) -> bool {
        matches!(self.plain(), Self::Unknown)
    }
}

/// What a named type is.
#[derive(Debug, Clone)]
pub enum TypeKind {
    /// `type Suit = clubs | hearts`, an inline `a | b`, a table's rows, the seats.
    Members(Names),
    /// The cells of a board.
    Cells(Board),
    /// `B.side`
    Sides(TypeId),
    /// `B.way`
    Ways(TypeId),
    /// `B.edge`
    Edges(TypeId),
    /// `B.border`
    Borders(TypeId),
    /// `B.rim`
    Rim(TypeId),
    /// `{ suit: Suit, rank: 2..14 }`
    Record(Vec<(String, Type)>),
    /// The regions of this domain; as many at most as it has members.
    Regions(Type),
}

/// A named type.
#[derive(Debug, Clone)]
pub struct TypeDef {
    /// Its name; an inline enumeration has the name of what it belongs to.
    pub name: String,
    /// What it is.
    pub kind: TypeKind,
    /// Does `+ n` turn it round? Seats, sides, ways and rings.
    pub cyclic: bool,
    /// Where it is declared.
    pub span: Span,
    /// How many members, once it has been counted: records can be made of each other.
    pub counted: OnceLock<u64>,
}

/// All named types of a ruleset.
#[derive(Debug, Clone, Default)]
pub struct Types {
    defs: Vec<TypeDef>,
}

impl Types {
    /// Adds a type.
    pub fn add(&mut self, def: TypeDef) -> TypeId {
        self.defs.push(def);
        TypeId(exact::<_, u32>(self.defs.len() - 1))
    }

    /// The indices of an element, in words; the last index runs fastest.
    #[must_use]
    pub fn index_names(&self, indices: &[Type], at: usize) -> Vec<String> {
        let mut left = at as u64;
        let mut words = Vec::new();
        for ty in indices.iter().rev() {
            let size = self.size(ty).max(1);
            let nth = left % size;
            left /= size;
            words.push(match ty {
                Type::Int(low, _) => (low + exact::<_, i64>(nth)).to_string(),
                Type::Bool => (nth == 1).to_string(),
                Type::Named(id) => match &self.get(*id).kind {
                    TypeKind::Record(fields) => {
                        let fields: Vec<Type> = fields.iter().map(|(_, ty)| ty.clone()).collect();
                        self.index_names(&fields, exact::<_, usize>(nth)).join(" ")
                    }
                    _ => self.member_name(*id, exact::<_, u32>(nth)),
                },
                // In a field, none comes after everything else.
                Type::Optional(_) if nth + 1 == size => "none".to_owned(),
                Type::Optional(inner) => self.index_names(std::slice::from_ref(inner), exact::<_, usize>(nth)).concat(),
                _ => nth.to_string(),
            });
        }
        words.reverse();
        words
    }

    /// The type with this id.
    #[must_use]
    pub fn get(&self, id: TypeId) -> &TypeDef {
        // INVARIANT: ids are made by `add` of the same table only.
        &self.defs[id.0 as usize]
    }

    /// All types with their ids.
    pub fn iter(&self) -> impl Iterator<Item = (TypeId, &TypeDef)> {
        (0..).map(TypeId).zip(&self.defs)
    }

    /// The board of a type that belongs to one: its cells, sides, edges, …
    #[must_use]
    pub fn board_of(&self, id: TypeId) -> Option<(TypeId, &Board)> {
        match &self.get(id).kind {
            TypeKind::Cells(board) => Some((id, board)),
            TypeKind::Sides(of)
            | TypeKind::Ways(of)
            | TypeKind::Edges(of)
            | TypeKind::Borders(of)
            | TypeKind::Rim(of) => self.board_of(*of),
            _ => None,
        }
    }

    /// How many members a named type has.
    #[must_use]
    pub fn count(&self, id: TypeId) -> u64 {
        *self.get(id).counted.get_or_init(|| self.count_members(id))
    }

    fn count_members(&self, id: TypeId) -> u64 {
        match &self.get(id).kind {
            TypeKind::Members(members) => members.len() as u64,
            TypeKind::Record(fields) => fields.iter().map(|(_, ty)| self.size(ty)).fold(1, u64::saturating_mul),
            TypeKind::Regions(of) => self.size(of),
            _ => self.board_of(id).map_or(0, |(_, board)| self.board_count(id, board)),
        }
    }

    fn board_count(&self, id: TypeId, board: &Board) -> u64 {
        (match self.get(id).kind {
            TypeKind::Sides(_) => board.sides().len(),
            TypeKind::Ways(_) => board.ways().len(),
            TypeKind::Edges(_) => board.edges().len(),
            TypeKind::Borders(_) => board.cell_count() * board.sides().len(),
            TypeKind::Rim(_) => board.rim_count(),
            _ => board.cell_count(),
        }) as u64
    }

    /// How many values a type has; saturates.
    #[must_use]
    pub fn size(&self, ty: &Type) -> u64 {
        match ty {
            Type::Bool => 2,
            Type::Int(low, high) => u64::try_from(high.saturating_sub(*low).saturating_add(1)).unwrap_or(0),
            Type::Named(id) => self.count(*id),
            Type::Optional(inner) => self.size(inner).saturating_add(1),
            Type::Set(inner) => {
                u32::try_from(self.size(inner)).ok().and_then(|n| 2_u64.checked_pow(n)).unwrap_or(u64::MAX)
            }
            Type::List(length, inner) => self.size(inner).saturating_add(1).saturating_pow(*length),
            Type::Nothing | Type::Unknown => 1,
        }
    }

    /// The member of a named type with this name.
    #[must_use]
    pub fn find(&self, id: TypeId, name: &str) -> Option<u32> {
        let at = match &self.get(id).kind {
            TypeKind::Members(members) => members.find(name),
            TypeKind::Record(_) => None,
            TypeKind::Regions(Type::Named(of)) => return self.find(*of, name),
            TypeKind::Regions(_) => None,
            kind => {
                let (_, board) = self.board_of(id)?;
                match kind {
                    TypeKind::Sides(_) => board.sides().iter().position(|&side| side == name),
                    TypeKind::Ways(_) => board.ways().iter().position(|&way| way == name),
                    TypeKind::Edges(_) => board.find_edge(name),
                    TypeKind::Borders(_) => board.find_border(name),
                    TypeKind::Rim(_) => board.find_rim(name),
                    _ => board.find_cell(name),
                }
            }
        };
        at.and_then(|at| u32::try_from(at).ok())
    }

    /// The name of a member.
    #[must_use]
    pub fn member_name(&self, id: TypeId, at: u32) -> String {
        let index = at as usize;
        match &self.get(id).kind {
            TypeKind::Members(members) => members.get(index).cloned(),
            TypeKind::Regions(Type::Named(of)) => Some(self.member_name(*of, at)),
            TypeKind::Record(_) | TypeKind::Regions(_) => None,
            kind => self.board_of(id).and_then(|(_, board)| match kind {
                TypeKind::Sides(_) => board.sides().get(index).map(|&side| side.to_owned()),
                TypeKind::Ways(_) => board.ways().get(index).map(|&way| way.to_owned()),
                TypeKind::Edges(_) => board.edge_name(index),
                TypeKind::Borders(_) => board.border_name(index),
                TypeKind::Rim(_) => board.rim_name(index),
                _ => board.cell_name(index),
            }),
        }
        .unwrap_or_else(|| format!("#{at}"))
    }

    /// Gives members other names, the first ones first, as examples and logs do with the seats.
    pub fn rename(&mut self, id: TypeId, names: impl IntoIterator<Item = String>) {
        if let Some(TypeDef { kind: TypeKind::Members(members), .. }) = self.defs.get_mut(id.0 as usize) {
            members.rename(names);
        }
    }

    /// Names to suggest for a misspelt member; only lists that a person can survey.
    #[must_use]
    pub fn member_names(&self, id: TypeId) -> Vec<String> {
        let shown = self.count(id).min(2000);
        (0..exact::<_, u32>(shown)).map(|at| self.member_name(id, at)).collect()
    }

    /// A type in the user's words.
    #[must_use]
    pub fn show<'a>(&'a self, ty: &'a Type) -> ShownType<'a> {
        ShownType { types: self, ty }
    }
}

/// A type, printed as it would be written.
pub struct ShownType<'a> {
    types: &'a Types,
    ty: &'a Type,
}

impl fmt::Display for ShownType<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let show = |ty| ShownType { types: self.types, ty };
        match self.ty {
            Type::Bool => write!(out, "bool"),
            Type::Int(low, high) if *low <= -(1 << 40) && *high >= 1 << 40 => write!(out, "a number"),
            Type::Int(low, high) if low == high => write!(out, "{low}"),
            Type::Int(low, high) => write!(out, "{low}..{high}"),
            Type::Named(id) => write!(out, "{}", self.types.get(*id).name),
            Type::Optional(inner) if **inner == Type::Nothing => write!(out, "none"),
            Type::Optional(inner) => write!(out, "{}?", show(inner)),
            Type::Set(inner) => write!(out, "set of {}", show(inner)),
            Type::List(length, inner) => write!(out, "list {length} of {}", show(inner)),
            Type::Nothing => write!(out, "nothing"),
            Type::Unknown => write!(out, "unknown"),
        }
    }
}
