//! Who writes a ruleset: what is declared so far, and the choices that are left.

use super::choices::Choices;
use super::types::{Board, Declared, Readable, Shape, Ty};

/// A ruleset while it is written.
pub(super) struct Writer {
    pub(super) choices: Choices,
    pub(super) named: Vec<Declared>,
    pub(super) records: Vec<Declared>,
    pub(super) boards: Vec<Board>,
    /// Regions: their name, and what they are made of.
    pub(super) regions: Vec<(String, Ty)>,
    pub(super) known: Vec<Readable>,
    /// Variables of what is being written, innermost last.
    pub(super) locals: Vec<(String, Ty)>,
    /// Does `me` exist here?
    pub(super) has_me: bool,
    /// May states be read here? They may not where constants are asked for.
    pub(super) has_state: bool,
    pub(super) fewest: i64,
    pub(super) most: i64,
    /// Names of seats, if they have names.
    pub(super) seats: Vec<String>,
    names: usize,
}

impl Writer {
    pub(super) fn new(choices: Choices) -> Self {
        Self {
            choices,
            named: Vec::new(),
            records: Vec::new(),
            boards: Vec::new(),
            regions: Vec::new(),
            known: Vec::new(),
            locals: Vec::new(),
            has_me: false,
            has_state: false,
            fewest: 2,
            most: 2,
            seats: Vec::new(),
            names: 0,
        }
    }

    /// A name that nothing has yet.
    pub(super) fn name(&mut self, what: &str) -> String {
        self.names += 1;
        format!("{what}_{}", self.names)
    }

    /// How a type is written.
    pub(super) fn type_name(&self, ty: &Ty) -> String {
        let of_board = |board: &usize, part: &str| format!("{}.{part}", self.boards[*board].name);
        match ty {
            Ty::Bool => "bool".to_owned(),
            Ty::Int(low, high) => format!("{low}..{high}"),
            Ty::Player => "Player".to_owned(),
            Ty::Named(at) => self.named[*at].name.clone(),
            Ty::Record(at) => self.records[*at].name.clone(),
            Ty::Cell(at) => self.boards[*at].name.clone(),
            Ty::Side(at) => of_board(at, "side"),
            Ty::Way(at) => of_board(at, "way"),
            Ty::Edge(at) => of_board(at, "edge"),
            Ty::Border(at) => of_board(at, "border"),
            Ty::Rim(at) => of_board(at, "rim"),
            Ty::Region(at) => self.regions[*at].0.clone(),
            Ty::Optional(inner) => format!("{}?", self.type_name(inner)),
            Ty::Set(inner) => format!("set of {}", self.type_name(inner)),
            Ty::List(length, inner) => format!("list {length} of {}", self.type_name(inner)),
        }
    }

    /// Types with members that can be walked through and indexed by; the simplest ones come first.
    pub(super) fn scalars(&self) -> Vec<Ty> {
        let mut all = vec![Ty::Int(1, 3), Ty::Player, Ty::Int(0, 4), Ty::Int(1, 1)];
        all.extend((0..self.named.len()).map(Ty::Named));
        for (at, board) in self.boards.iter().enumerate() {
            all.push(Ty::Cell(at));
            if board.has_sides() {
                all.extend([Ty::Side(at), Ty::Way(at), Ty::Edge(at), Ty::Border(at)]);
            }
            if board.shape == Shape::Square {
                all.push(Ty::Rim(at));
            }
        }
        all.extend((0..self.records.len()).map(Ty::Record));
        all
    }

    pub(super) fn scalar(&mut self) -> Ty {
        let all = self.scalars();
        self.choices.pick(&all)
    }

    /// A type that a state or a result of a definition may have.
    pub(super) fn any_type(&mut self) -> Ty {
        let scalar = self.scalar();
        match self.choices.below(8) {
            0 => Ty::Int(0, 9),
            1 => Ty::Bool,
            2 | 3 => scalar,
            4 | 5 => scalar.optional(),
            6 => scalar.set(),
            _ => Ty::List(u32::try_from(self.choices.between(1, 4)).expect("a length"), Box::new(scalar)),
        }
    }

    /// How many members a type has, about.
    pub(super) fn size(&self, ty: &Ty) -> usize {
        let cells = |at: &usize| self.boards[*at].cells().len();
        match ty {
            Ty::Bool => 2,
            Ty::Int(low, high) => usize::try_from(high - low + 1).expect("a small range"),
            Ty::Player => usize::try_from(self.most).expect("few players"),
            Ty::Named(at) => self.named[*at].members.len(),
            Ty::Record(at) => self.records[*at].columns.iter().map(|(_, ty)| self.size(ty)).product(),
            Ty::Cell(at) => cells(at),
            Ty::Side(_) => 6,
            Ty::Way(_) => 8,
            Ty::Edge(at) | Ty::Rim(at) => cells(at) * 2,
            Ty::Border(at) => cells(at) * 6,
            Ty::Region(at) => self.size(&self.regions[*at].1),
            Ty::Optional(inner) | Ty::Set(inner) | Ty::List(_, inner) => self.size(inner),
        }
    }

    /// Writes something in which there are more variables.
    pub(super) fn within<T>(&mut self, locals: &[(String, Ty)], write: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.locals.len();
        self.locals.extend_from_slice(locals);
        let written = write(self);
        self.locals.truncate(before);
        written
    }
}
