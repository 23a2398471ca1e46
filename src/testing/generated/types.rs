//! Types of generated rulesets, and what is declared with them.

/// A type, as the generator knows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Ty {
    Bool,
    /// Numbers; the range is not always known exactly.
    Int(i64, i64),
    Player,
    /// An enumeration or a table: its place among the types.
    Named(usize),
    /// A record: its place among the types.
    Record(usize),
    /// What a board brings: its place among the boards.
    Cell(usize),
    Side(usize),
    Way(usize),
    Edge(usize),
    Border(usize),
    Rim(usize),
    /// Regions: their place among the regions.
    Region(usize),
    Optional(Box<Ty>),
    Set(Box<Ty>),
    List(u32, Box<Ty>),
}

impl Ty {
    /// Any number.
    pub(super) const NUMBER: Self = Self::Int(-1000, 1000);

    pub(super) fn optional(self) -> Self {
        Self::Optional(Box::new(self))
    }

    pub(super) fn set(self) -> Self {
        Self::Set(Box::new(self))
    }

    /// Do values of this type count as values of the other one? Numbers do, whatever their ranges.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Int(..), Self::Int(..)) => true,
            (Self::Optional(one), Self::Optional(other)) | (Self::Set(one), Self::Set(other)) => one.is_like(other),
            (Self::List(_, one), Self::List(_, other)) => one == other,
            (one, other) => one == other,
        }
    }
}

/// An enumeration, a table or a record.
#[derive(Debug, Clone)]
pub(super) struct Declared {
    pub(super) name: String,
    /// Of an enumeration or a table.
    pub(super) members: Vec<String>,
    /// Columns of a table, fields of a record.
    pub(super) columns: Vec<(String, Ty)>,
}

/// The shape of a board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    Square,
    Flat,
    Rhombus,
    Ring,
    Graph,
}

#[derive(Debug, Clone)]
pub(super) struct Board {
    pub(super) name: String,
    pub(super) shape: Shape,
    pub(super) width: i64,
    pub(super) height: i64,
    /// Neighbours of each node of a graph.
    pub(super) roads: Vec<Vec<usize>>,
}

impl Board {
    pub(super) fn cells(&self) -> Vec<String> {
        match self.shape {
            Shape::Ring => (1..=self.width).map(|nth| format!("r{nth}")).collect(),
            Shape::Graph => (0..self.roads.len()).map(|nth| format!("node_{nth}")).collect(),
            _ => {
                let cell = |row: i64, column: i64| format!("{}{row}", letter(column));
                (1..=self.height).flat_map(|row| (1..=self.width).map(move |column| cell(row, column))).collect()
            }
        }
    }

    /// Has it sides and ways?
    pub(super) fn has_sides(&self) -> bool {
        matches!(self.shape, Shape::Square | Shape::Flat | Shape::Rhombus)
    }

    /// Can it be turned by a quarter?
    pub(super) fn can_turn(&self) -> bool {
        self.shape == Shape::Square && self.width == self.height
    }

    pub(super) fn sides(&self) -> &'static [&'static str] {
        match self.shape {
            Shape::Square => &["N", "E", "S", "W"],
            Shape::Flat => &["N", "NE", "SE", "S", "SW", "NW"],
            Shape::Rhombus => &["NW", "NE", "E", "SE", "SW", "W"],
            Shape::Ring | Shape::Graph => &[],
        }
    }

    pub(super) fn ways(&self) -> &'static [&'static str] {
        match self.shape {
            Shape::Square => &["N", "NE", "E", "SE", "S", "SW", "W", "NW"],
            _ => self.sides(),
        }
    }
}

/// `a` is the first column.
pub(super) fn letter(column: i64) -> char {
    char::from(b'a' + u8::try_from(column - 1).expect("a narrow board"))
}

/// Something that is read by its name and indices: a number, a state, a definition.
#[derive(Debug, Clone)]
pub(super) struct Readable {
    pub(super) name: String,
    pub(super) indices: Vec<Ty>,
    pub(super) ty: Ty,
    /// A definition or an award is called, a state or a number has indices.
    pub(super) is_called: bool,
    /// It needs `me`.
    pub(super) needs_me: bool,
    /// It is a state that may be written.
    pub(super) is_state: bool,
}
