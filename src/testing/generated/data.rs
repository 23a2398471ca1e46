//! What a ruleset is about: players, types, boards, numbers, tables and state.

use std::fmt::Write as _;

use super::ruleset::Draft;
use super::types::{Board, Declared, Readable, Shape, Ty};
use super::writer::Writer;

impl Draft {
    pub(super) fn players(&mut self) {
        let (fewest, most) = self.writer.choices.pick(&[(2, 2), (2, 3), (1, 3), (3, 4)]);
        (self.writer.fewest, self.writer.most) = (fewest, most);
        let range = if fewest == most { fewest.to_string() } else { format!("{fewest}..{most}") };
        if self.below(3) > 0 {
            self.item(format!("players {range}"));
            return;
        }
        self.writer.seats = (1..=most).map(|_| self.writer.name("who")).collect();
        let names = self.writer.seats.join(", ");
        self.item(format!("players {range}: {names}"));
    }

    pub(super) fn enumerations(&mut self) {
        for _ in 0..=self.below(2) {
            let name = self.writer.name("Kind");
            let count = self.below(3) + 2;
            let members: Vec<String> = (0..count).map(|_| self.writer.name("m")).collect();
            self.item(format!("type {name} = {}", members.join(" | ")));
            self.writer.named.push(Declared { name, members, columns: Vec::new() });
        }
    }

    pub(super) fn boards(&mut self) {
        let shapes = [Shape::Square, Shape::Flat, Shape::Rhombus];
        if self.below(4) > 0 {
            let name = self.writer.name("Board");
            let shape = self.writer.choices.pick(&shapes);
            // Now and then a board has more cells than a mask has bits.
            let most = if self.writer.choices.once_in(8) { 9 } else { 4 };
            let (width, height) = (self.writer.choices.between(2, most), self.writer.choices.between(2, most));
            let text = match shape {
                Shape::Square => format!("square {width} x {height}"),
                Shape::Flat => format!("hex {width} x {height} flat"),
                _ => format!("hex {width} x {height} rhombus"),
            };
            self.item(format!("board {name} = {text}"));
            self.writer.boards.push(Board { name, shape, width, height, roads: Vec::new() });
        }
        match self.below(4) {
            2 => {
                let (name, width) = (self.writer.name("Ring"), self.writer.choices.between(3, 6));
                self.item(format!("board {name} = ring {width}"));
                self.writer.boards.push(Board { name, shape: Shape::Ring, width, height: 1, roads: Vec::new() });
            }
            3 => self.graph(),
            _ => {}
        }
    }

    fn graph(&mut self) {
        let (name, count) = (self.writer.name("City"), self.below(4) + 2);
        let mut roads: Vec<Vec<usize>> = vec![Vec::new(); count];
        for node in 1..count {
            let other = self.below(node);
            roads[node].push(other);
            roads[other].push(node);
        }
        let _ = writeln!(self.toml, "[roads]");
        for (node, others) in roads.iter().enumerate() {
            let names: Vec<String> = others.iter().map(|other| format!("\"node_{other}\"")).collect();
            let _ = writeln!(self.toml, "node_{node} = [{}]", names.join(", "));
        }
        self.item(format!("board {name} = graph roads"));
        self.writer.boards.push(Board { name, shape: Shape::Graph, width: 1, height: 1, roads });
    }

    pub(super) fn numbers(&mut self) {
        let mut lines = String::new();
        for _ in 0..self.below(3) {
            let name = format!("amount.{}", self.writer.name("n"));
            let value = self.writer.choices.between(0, 9);
            let grouped = name.replacen(".n_", ".{n_", 1) + "}";
            let shown = if self.below(3) == 2 { &grouped } else { &name };
            let cite = self.writer.choices.pick(&["", " cite en \"Part\""]);
            let _ = writeln!(lines, "    {shown}: 0..9 \"points\"{cite}");
            let _ = writeln!(self.top, "{name} = {value}");
            self.know(&name, Vec::new(), Ty::Int(0, 9), false, false);
        }
        if self.below(2) == 1 {
            let at = self.below(self.writer.named.len());
            let (name, kind) = (self.writer.name("weight"), self.writer.named[at].clone());
            let _ = writeln!(lines, "    {name}[{}]: -2..9", kind.name);
            let _ = writeln!(self.toml, "[{name}]");
            for member in &kind.members {
                let value = self.writer.choices.between(-2, 9);
                let _ = writeln!(self.toml, "{member} = {value}");
            }
            self.know(&name, vec![Ty::Named(at)], Ty::Int(-2, 9), false, false);
        }
        if self.below(3) == 2 {
            let _ = writeln!(lines, "    option.mode: plain | odd");
            let value = self.writer.choices.pick(&["plain", "odd"]);
            let _ = writeln!(self.toml, "[option]\nmode = \"{value}\"");
            self.know("(option.mode is odd)", Vec::new(), Ty::Bool, false, false);
        }
        if !lines.is_empty() {
            self.item(format!("numbers {{\n{lines}}}"));
        }
    }

    fn know(&mut self, name: &str, indices: Vec<Ty>, ty: Ty, is_called: bool, is_state: bool) {
        let (name, needs_me) = (name.to_owned(), false);
        self.writer.known.push(Readable { name, indices, ty, is_called, needs_me, is_state });
    }

    pub(super) fn tables(&mut self) {
        if self.below(3) != 2 {
            return;
        }
        let name = self.writer.name("Card");
        let count = self.below(4) + 2;
        let members: Vec<String> = (0..count).map(|_| self.writer.name("c")).collect();
        let kind = self.below(self.writer.named.len());
        let kind_name = self.writer.named[kind].name.clone();
        self.item(format!("table {name} {{\n    worth: 0..9\n    kind: {kind_name}?\n    bold: bool = false\n}}"));
        for member in &members {
            let worth = self.writer.choices.between(0, 9);
            let _ = writeln!(self.toml, "[{}.{member}]\nworth = {worth}", name.to_lowercase());
            if self.below(2) == 1 {
                let kinds = self.writer.named[kind].members.clone();
                let _ = writeln!(self.toml, "kind = \"{}\"", self.writer.choices.pick(&kinds));
            }
        }
        let columns = vec![
            ("worth".to_owned(), Ty::Int(0, 9)),
            ("kind".to_owned(), Ty::Named(kind).optional()),
            ("bold".to_owned(), Ty::Bool),
        ];
        self.writer.named.push(Declared { name, members, columns });
    }

    pub(super) fn records(&mut self) {
        if self.below(3) != 2 {
            return;
        }
        let name = self.writer.name("Pair");
        let kind = self.below(self.writer.named.len());
        let columns = vec![("left".to_owned(), Ty::Named(kind)), ("right".to_owned(), Ty::Int(1, 3))];
        self.item(format!("type {name} = {{ left: {}, right: 1..3 }}", self.writer.named[kind].name));
        self.writer.records.push(Declared { name, members: Vec::new(), columns });
    }

    pub(super) fn state(&mut self) {
        let mut lines = "    rounds: 0..20 = 0\n".to_owned();
        for _ in 0..=self.below(4) {
            let line = self.state_line();
            lines += &line;
        }
        self.item(format!("state {{\n{lines}}}"));
        if self.below(3) == 2 {
            let line = self.state_line();
            self.item(format!("state turn {{\n{line}}}"));
        }
        if self.below(4) == 3 {
            self.item("state if players > 2 {\n    third: 0..3 = 1\n}");
            self.item("invariant three if players > 2: third > 0 \"it holds\"");
        }
        if self.below(4) == 3 {
            self.item("type Range = 1..3\ninvariant some: (count x_1 in Range: x_1 > 1) is 2 \"it holds\"");
        }
        self.know("rounds", Vec::new(), Ty::Int(0, 20), false, true);
    }

    fn state_line(&mut self) -> String {
        let (name, mut ty) = (self.writer.name("st"), self.writer.any_type());
        let small = |writer: &Writer, ty: &Ty| writer.size(ty) <= 64;
        if !small(&self.writer, &ty) {
            ty = Ty::Int(0, 9);
        }
        let mut indices = Vec::new();
        for _ in 0..self.writer.choices.pick(&[0, 1, 1, 1, 2]) {
            let index = self.writer.scalar();
            if self.writer.size(&index) <= 24 {
                indices.push(index);
            }
        }
        let value = match &ty {
            Ty::Optional(_) | Ty::Set(_) | Ty::List(..) | Ty::Bool if self.below(2) == 0 => String::new(),
            // A border has no name of its own.
            Ty::Set(_) | Ty::List(..) | Ty::Optional(_) => String::new(),
            ty => format!(" = {}", self.writer.literal(ty)),
        };
        let names: Vec<String> = indices.iter().map(|index| self.writer.type_name(index)).collect();
        let shown = if names.is_empty() { String::new() } else { format!("[{}]", names.join(", ")) };
        let line = format!("    {name}{shown}: {}{value}\n", self.writer.type_name(&ty));
        self.know(&name, indices, ty, false, true);
        line
    }
}
