//! Expressions of a wanted type.

use super::types::{Readable, Shape, Ty};
use super::writer::Writer;

/// Where a value of a wanted type can be read.
#[derive(Clone)]
enum Source {
    Local(String),
    Known(Readable),
    /// A column or field of a variable.
    Part(String, String),
}

impl Writer {
    /// A value of a type, written out.
    pub(super) fn literal(&mut self, ty: &Ty) -> String {
        match ty {
            Ty::Bool => self.choices.pick(&["false", "true"]).to_owned(),
            Ty::Int(low, high) => {
                let number = self.choices.between(*low.max(&-3), *high.min(&9));
                if number < 0 { format!("({number})") } else { number.to_string() }
            }
            Ty::Player => match self.choices.below(3) {
                0 | 1 => format!("seat({})", self.choices.between(1, self.fewest)),
                _ if self.seats.is_empty() => "seat(1)".to_owned(),
                _ => self.seats[0].clone(),
            },
            Ty::Named(at) => {
                let members = self.named[*at].members.clone();
                let member = self.choices.pick(&members);
                if self.choices.once_in(4) { format!("{}.{member}", self.named[*at].name) } else { member }
            }
            Ty::Record(at) => {
                let record = self.records[*at].clone();
                let parts: Vec<String> = record.columns.iter().map(|(_, ty)| self.literal(ty)).collect();
                format!("{}({})", record.name, parts.join(", "))
            }
            Ty::Cell(at) => {
                let cells = self.boards[*at].cells();
                self.choices.pick(&cells)
            }
            Ty::Side(at) => self.choices.pick(self.boards[*at].sides()).to_owned(),
            Ty::Way(at) => self.choices.pick(self.boards[*at].ways()).to_owned(),
            Ty::Edge(at) => if self.boards[*at].shape == Shape::Flat { "a1-a2" } else { "a1-b1" }.to_owned(),
            Ty::Border(at) => {
                let (cell, side) = (self.literal(&Ty::Cell(*at)), self.choices.pick(self.boards[*at].sides()));
                format!("border({cell}, {side})")
            }
            Ty::Rim(_) => self.choices.pick(&["Na", "E1", "Sb", "W2"]).to_owned(),
            Ty::Region(at) => format!("(first x_0 in {})", self.regions[*at].0),
            Ty::Optional(inner) => {
                if self.choices.below(2) == 0 {
                    "none".to_owned()
                } else {
                    self.literal(inner)
                }
            }
            Ty::Set(inner) => match self.choices.below(3) {
                0 => "{}".to_owned(),
                1 => format!("{{{}}}", self.literal(inner)),
                _ => format!("{{{}, {}}}", self.literal(inner), self.literal(inner)),
            },
            Ty::List(_, inner) => {
                if self.choices.below(2) == 0 {
                    "[]".to_owned()
                } else {
                    format!("[{}]", self.literal(inner))
                }
            }
        }
    }

    /// All places where a value of this type, or one that may be none, is found.
    fn sources(&self, ty: &Ty) -> Vec<(Source, Ty)> {
        let wanted = |found: &Ty| {
            let plain = if let Ty::Optional(inner) = found { inner } else { found };
            found.is_like(ty) || plain.is_like(ty)
        };
        let mut all = Vec::new();
        for (name, found) in self.locals.iter().rev() {
            if wanted(found) {
                all.push((Source::Local(name.clone()), found.clone()));
            }
            let columns = match found {
                Ty::Named(at) => &self.named[*at].columns,
                Ty::Record(at) => &self.records[*at].columns,
                _ => continue,
            };
            for (column, found) in columns.iter().filter(|(_, found)| wanted(found)) {
                all.push((Source::Part(name.clone(), column.clone()), found.clone()));
            }
        }
        let usable = |known: &&Readable| {
            wanted(&known.ty) && (self.has_me || !known.needs_me) && (self.has_state || !known.is_state)
        };
        all.extend(self.known.iter().filter(usable).map(|known| (Source::Known(known.clone()), known.ty.clone())));
        all
    }

    /// `stone[c, 2]`, and whether it may be none.
    pub(super) fn read(&mut self, known: &Readable, depth: usize) -> (String, bool) {
        let mut may_miss = false;
        let mut indices = Vec::new();
        for ty in &known.indices {
            indices.push(match ty {
                Ty::Int(..) if depth > 0 && !known.is_called && self.choices.once_in(3) => {
                    may_miss = true;
                    self.number(depth - 1)
                }
                ty => self.index(ty, depth),
            });
        }
        let brackets = if known.is_called { ("(", ")") } else { ("[", "]") };
        let mut text = known.name.clone();
        if !indices.is_empty() {
            text += &format!("{}{}{}", brackets.0, indices.join(", "), brackets.1);
        }
        (text, may_miss || matches!(known.ty, Ty::Optional(_)))
    }

    /// A value that is surely of this type: a number stays in its range.
    pub(super) fn index(&mut self, ty: &Ty, depth: usize) -> String {
        let Ty::Int(low, high) = ty else { return self.expression(ty, depth.saturating_sub(1)) };
        let inside = |found: &Ty| matches!(found, Ty::Int(least, most) if least >= low && most <= high);
        let locals: Vec<String> =
            self.locals.iter().filter(|(_, found)| inside(found)).map(|(name, _)| name.clone()).collect();
        match self.choices.below(3) {
            0 => self.literal(ty),
            _ if locals.is_empty() => self.literal(ty),
            _ => self.choices.pick(&locals),
        }
    }

    /// Something that is read, or written out if there is nothing to read.
    pub(super) fn atom(&mut self, ty: &Ty, depth: usize) -> String {
        let mut sources = self.sources(ty);
        if depth == 0 {
            sources.retain(|(source, _)| !matches!(source, Source::Known(known) if !known.indices.is_empty()));
        }
        let plain = !matches!(ty, Ty::Optional(_));
        if sources.is_empty() || self.choices.below(4) == 0 {
            return if *ty == Ty::Player && self.has_me { "me".to_owned() } else { self.literal(ty) };
        }
        let (source, found) = self.choices.pick(&sources);
        let (text, may_miss) = match source {
            Source::Local(name) => (name, matches!(found, Ty::Optional(_))),
            Source::Part(name, part) => (format!("{name}.{part}"), matches!(found, Ty::Optional(_))),
            Source::Known(known) => self.read(&known, depth),
        };
        if may_miss && plain { format!("({text} or {})", self.literal(ty)) } else { text }
    }

    /// Any number.
    pub(super) fn number(&mut self, depth: usize) -> String {
        self.expression(&Ty::NUMBER, depth)
    }

    pub(super) fn condition(&mut self, depth: usize) -> String {
        self.expression(&Ty::Bool, depth)
    }

    /// An expression of a type.
    pub(super) fn expression(&mut self, ty: &Ty, depth: usize) -> String {
        let Some(less) = depth.checked_sub(1) else { return self.atom(ty, 0) };
        if self.choices.below(4) == 0 {
            return self.atom(ty, depth);
        }
        match ty {
            Ty::Bool => self.truth(less),
            Ty::Int(..) => self.arithmetic(less),
            Ty::Optional(_) if self.choices.below(2) == 0 => self.atom(ty, depth),
            Ty::Optional(inner) => self.perhaps(inner, less),
            Ty::Set(inner) => self.set(inner, less),
            Ty::List(length, inner) => self.list(*length, inner, less),
            scalar => self.member(scalar, less),
        }
    }

    fn truth(&mut self, depth: usize) -> String {
        match self.choices.below(12) {
            0 => self.comparison(depth),
            1 => {
                let ty = self.scalar();
                let is = self.choices.pick(&["is", "is not"]);
                let (left, right) = (self.expression(&ty, depth), self.expression(&ty, depth));
                format!("({left} {is} {right})")
            }
            2 => {
                let ty = self.scalar();
                let left = self.perhaps(&ty, depth);
                format!("({left} {} none)", self.choices.pick(&["is", "is not"]))
            }
            3 => format!("({} and {})", self.condition(depth), self.condition(depth)),
            4 => format!("({} or {})", self.condition(depth), self.condition(depth)),
            5 => format!("(not {})", self.condition(depth)),
            6 | 7 => {
                let word = self.choices.pick(&["any", "all", "no"]);
                self.aggregate(word, depth, |writer, depth| format!(": {}", writer.condition(depth)))
            }
            8 => {
                let ty = self.scalar();
                let (one, all) = (self.expression(&ty, depth), self.expression(&ty.set(), depth));
                format!("({one} {} {all})", self.choices.pick(&["in", "not in"]))
            }
            9 => format!("({} in {}..{})", self.number(depth), self.choices.between(0, 2), self.choices.between(3, 6)),
            10 => self.board_truth(depth),
            _ => self.pairing(depth),
        }
    }

    fn comparison(&mut self, depth: usize) -> String {
        let sign = self.choices.pick(&["<", "<=", ">", ">=", "is", "is not"]);
        let ordered: Vec<Ty> = (0..self.named.len()).map(Ty::Named).collect();
        let ty = if ordered.is_empty() || self.choices.below(4) > 0 { Ty::NUMBER } else { self.choices.pick(&ordered) };
        format!("({} {sign} {})", self.expression(&ty, depth), self.expression(&ty, depth))
    }

    fn board_truth(&mut self, depth: usize) -> String {
        if self.boards.is_empty() {
            return self.comparison(depth);
        }
        let at = self.choices.below(self.boards.len());
        let cell = Ty::Cell(at);
        match self.choices.below(if self.boards[at].has_sides() { 3 } else { 1 }) {
            0 => format!("adjacent({}, {})", self.expression(&cell, depth), self.expression(&cell, depth)),
            1 => format!("({} in {})", self.expression(&cell, depth), self.expression(&Ty::Edge(at), depth)),
            _ => {
                let ray = self.ray(at, depth);
                format!("({} in {ray})", self.expression(&cell, depth))
            }
        }
    }

    fn pairing(&mut self, depth: usize) -> String {
        let (one, other) = (self.small_domain(), self.small_domain());
        let (x, y) = (self.name("x"), self.name("y"));
        let locals = [(x.clone(), one.clone()), (y.clone(), other.clone())];
        let condition = self.within(&locals, |writer| writer.condition(depth));
        format!("(pairing {x} in {}, {y} in {}: {condition})", self.type_name(&one), self.type_name(&other))
    }

    /// A type with few members.
    fn small_domain(&mut self) -> Ty {
        let all: Vec<Ty> = self.scalars().into_iter().filter(|ty| self.size(ty) <= 12).collect();
        self.choices.pick(&all)
    }

    fn arithmetic(&mut self, depth: usize) -> String {
        match self.choices.below(14) {
            0 => format!("({} + {})", self.number(depth), self.number(depth)),
            1 => format!("({} - {})", self.number(depth), self.number(depth)),
            2 => format!("({} * {})", self.number(depth), self.choices.between(0, 3)),
            3 => format!("({} / {})", self.number(depth), self.choices.between(1, 3)),
            4 => format!("(-{})", self.number(depth)),
            5 => {
                let (condition, one) = (self.condition(depth), self.number(depth));
                format!("(if {condition} then {one} else {})", self.number(depth))
            }
            6 | 7 => self.aggregate("count", depth, |writer, depth| format!(": {}", writer.condition(depth))),
            8 => self.aggregate("sum", depth, |writer, depth| format!(": {}", writer.number(depth))),
            9 => {
                let word = self.choices.pick(&["min", "max"]);
                if self.choices.below(2) == 0 {
                    return format!("{word}({}, {})", self.number(depth), self.number(depth));
                }
                let text = self.aggregate(word, depth, |writer, depth| format!(": {}", writer.number(depth)));
                format!("({text} or {})", self.literal(&Ty::NUMBER))
            }
            10 => {
                let ty = self.scalar();
                format!("size({})", self.expression(&ty.set(), depth))
            }
            11 => {
                let all: Vec<Ty> = self
                    .scalars()
                    .into_iter()
                    .filter(|ty| matches!(ty, Ty::Named(_) | Ty::Cell(_) | Ty::Player))
                    .collect();
                let ty = self.choices.pick(&all);
                let member = self.expression(&ty, depth);
                let functions: &[&str] = match ty {
                    Ty::Cell(at) if self.boards[at].has_sides() => &["ordinal", "column", "row"],
                    _ => &["ordinal"],
                };
                format!("{}({member})", self.choices.pick(functions))
            }
            12 => format!("({} - {})", self.expression(&Ty::Player, depth), self.expression(&Ty::Player, depth)),
            _ => {
                let region = self.locals.iter().find(|(_, ty)| matches!(ty, Ty::Region(_)));
                if let Some((name, _)) = region {
                    return format!("size({name})");
                }
                if self.regions.is_empty() || !self.has_state {
                    return "players".to_owned();
                }
                let at = self.choices.below(self.regions.len());
                let (name, of) = self.regions[at].clone();
                format!("(size({name}({})) or 0)", self.expression(&of, depth))
            }
        }
    }
}
