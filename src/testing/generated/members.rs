//! Members and what holds them: values that may be none, sets, lists, domains.

use super::types::{Readable, Shape, Ty};
use super::writer::Writer;

impl Writer {
    /// A value of a scalar type that is never none.
    pub(super) fn member(&mut self, ty: &Ty, depth: usize) -> String {
        match (self.choices.below(5), ty) {
            (0, _) => {
                let (condition, one) = (self.condition(depth), self.expression(ty, depth));
                format!("(if {condition} then {one} else {})", self.expression(ty, depth))
            }
            (1, Ty::Player | Ty::Side(_)) => {
                let sign = self.choices.pick(&["+", "-"]);
                format!("({} {sign} {})", self.expression(ty, depth), self.number(depth))
            }
            (2, Ty::Side(_) | Ty::Way(_)) => format!("opposite({})", self.expression(ty, depth)),
            (1..=3, _) => format!("({} or {})", self.perhaps(ty, depth), self.literal(ty)),
            _ => self.atom(ty, depth + 1),
        }
    }

    /// A value of a type, or none: what may be none, even if it never is.
    pub(super) fn perhaps(&mut self, ty: &Ty, depth: usize) -> String {
        let way = self.choices.below(6);
        if let (2.., Ty::Cell(at)) = (way, ty)
            && self.boards[*at].has_sides()
        {
            return self.far_cell(*at, depth);
        }
        match (way, ty) {
            (2, Ty::Edge(at)) => {
                format!("edge({}, {})", self.expression(&Ty::Cell(*at), depth), self.expression(&Ty::Side(*at), depth))
            }
            (3, Ty::Border(at)) => format!("across({})", self.expression(&Ty::Border(*at), depth)),
            (2 | 3, Ty::Side(at)) => {
                let cell = Ty::Cell(*at);
                format!("side({}, {})", self.expression(&cell, depth), self.expression(&cell, depth))
            }
            (2, Ty::Int(..)) => self.aggregate("max", depth, |writer, depth| format!(": {}", writer.number(depth))),
            (1, _) => {
                let lists: Vec<Readable> = self
                    .known
                    .iter()
                    .filter(|known| {
                        matches!(&known.ty, Ty::List(_, inner) if **inner == *ty) && self.has_state && !known.is_called
                    })
                    .cloned()
                    .collect();
                if lists.is_empty() {
                    return self.first(ty, depth);
                }
                let known = self.choices.pick(&lists);
                let (list, _) = self.read(&known, depth);
                if self.choices.below(2) == 0 {
                    format!("top({list})")
                } else {
                    format!("{list}[{}]", self.number(depth))
                }
            }
            (0, _) => self.first(ty, depth),
            _ => self.first(ty, depth),
        }
    }

    fn far_cell(&mut self, at: usize, depth: usize) -> String {
        let (cell, way) = (Ty::Cell(at), Ty::Way(at));
        let ways = match &self.boards[at] {
            board if board.can_turn() => 6,
            board if board.shape == Shape::Square => 5,
            _ => 4,
        };
        match self.choices.below(ways) {
            0 => format!("step({}, {})", self.expression(&cell, depth), self.expression(&way, depth)),
            1 => format!(
                "step({}, {}, {})",
                self.expression(&cell, depth),
                self.expression(&way, depth),
                self.number(depth)
            ),
            2 => {
                let board = self.boards[at].name.clone();
                format!("{board}({}, {})", self.number(depth), self.number(depth))
            }
            3 => {
                let (x, ray) = (self.name("x"), self.ray(at, depth));
                let condition = self.within(&[(x.clone(), cell)], |writer| writer.condition(depth));
                format!("(first {x} in {ray} where {condition})")
            }
            4 => format!("inward({}, {})", self.expression(&Ty::Rim(at), depth), self.number(depth)),
            _ => format!("rotate({}, {})", self.expression(&cell, depth), self.number(depth)),
        }
    }

    pub(super) fn ray(&mut self, at: usize, depth: usize) -> String {
        format!("ray({}, {})", self.expression(&Ty::Cell(at), depth), self.expression(&Ty::Way(at), depth))
    }

    fn first(&mut self, ty: &Ty, depth: usize) -> String {
        let x = self.name("x");
        let domain = match ty {
            Ty::Int(..) => "0..5".to_owned(),
            ty if self.choices.below(2) == 0 => self.type_name(ty),
            ty => self.expression(&ty.clone().set(), depth),
        };
        let element = if matches!(ty, Ty::Int(..)) { Ty::Int(0, 5) } else { ty.clone() };
        self.within(&[(x.clone(), element)], |writer| match writer.choices.below(3) {
            0 => format!("(first {x} in {domain} where {})", writer.condition(depth)),
            1 => format!("(first {x} in {domain} by {})", writer.number(depth)),
            _ => format!(
                "(first {x} in {domain} where {} by {}, {})",
                writer.condition(depth),
                writer.number(depth),
                writer.number(0)
            ),
        })
    }

    pub(super) fn set(&mut self, inner: &Ty, depth: usize) -> String {
        let ty = inner.clone().set();
        match (self.choices.below(7), inner) {
            (0, _) => self.atom(&ty, depth + 1),
            (1, _) => {
                let sign = self.choices.pick(&["+", "-"]);
                format!("({} {sign} {})", self.typed_set(inner, depth), self.expression(&ty, depth))
            }
            (2, _) => {
                let sign = self.choices.pick(&["+", "-"]);
                format!("({} {sign} {})", self.typed_set(inner, depth), self.expression(inner, depth))
            }
            (3, Ty::Cell(_)) => format!("neighbours({})", self.expression(inner, depth)),
            (4, Ty::Cell(at)) if self.boards[*at].has_sides() => {
                format!("between({}, {})", self.expression(inner, depth), self.expression(inner, depth))
            }
            (5, Ty::Cell(at)) if self.boards[*at].can_turn() => {
                format!("rotate({}, {})", self.typed_set(inner, depth), self.number(depth))
            }
            _ => self.typed_set(inner, depth),
        }
    }

    /// A set whose type is known from itself.
    fn typed_set(&mut self, inner: &Ty, depth: usize) -> String {
        let x = self.name("x");
        let (domain, element) = match inner {
            Ty::Int(low, high) => (format!("{low}..{high}"), inner.clone()),
            _ => (self.type_name(inner), inner.clone()),
        };
        let condition = self.within(&[(x.clone(), element)], |writer| writer.condition(depth));
        format!("{{{x} in {domain} where {condition}}}")
    }

    pub(super) fn list(&mut self, length: u32, inner: &Ty, depth: usize) -> String {
        let ty = Ty::List(length, Box::new(inner.clone()));
        let x = self.name("x");
        match self.choices.below(3) {
            0 => {
                let list = self.atom(&ty, depth);
                if list.starts_with('[') {
                    return list;
                }
                let condition = self.within(&[(x.clone(), inner.clone())], |writer| writer.condition(depth));
                format!("[{x} in {list} where {condition}]")
            }
            _ => self.atom(&ty, depth),
        }
    }

    /// `count x in D where C: E`
    pub(super) fn aggregate(
        &mut self,
        word: &str,
        depth: usize,
        rest: impl FnOnce(&mut Self, usize) -> String,
    ) -> String {
        let before = self.locals.len();
        let mut binds = vec![self.bind(depth)];
        if depth > 0 && self.choices.once_in(5) {
            binds.push(self.bind(0));
        }
        let rest = rest(self, depth.min(1));
        self.locals.truncate(before);
        format!("({word} {}{rest})", binds.join(", "))
    }

    /// `x in D where C`; the variable is known from now on.
    pub(super) fn bind(&mut self, depth: usize) -> String {
        let x = self.name("x");
        let (domain, ty) = self.domain(depth);
        self.locals.push((x.clone(), ty));
        let condition =
            if self.choices.once_in(3) { format!(" where {}", self.condition(depth.min(1))) } else { String::new() };
        format!("{x} {domain}{condition}")
    }

    /// `in D`, and what its members are.
    pub(super) fn domain(&mut self, depth: usize) -> (String, Ty) {
        match self.choices.below(8) {
            0 => {
                let (low, high) = (self.choices.between(0, 2), self.choices.between(2, 5));
                (format!("in {low}..{high}"), Ty::Int(low, high))
            }
            1 => (format!("clockwise from {}", self.expression(&Ty::Player, depth)), Ty::Player),
            2 | 3 => {
                let ty = self.scalar();
                (format!("in {}", self.expression(&ty.clone().set(), depth)), ty)
            }
            4 if !self.regions.is_empty() && self.has_state => {
                let at = self.choices.below(self.regions.len());
                let (name, of) = self.regions[at].clone();
                if self.choices.below(2) == 0 {
                    return (format!("in {name}"), Ty::Region(at));
                }
                (format!("in {name}({})", self.expression(&of, depth)), of)
            }
            5 => {
                let lists: Vec<Readable> = self
                    .known
                    .iter()
                    .filter(|known| {
                        matches!(known.ty, Ty::List(..)) && self.has_state && (self.has_me || !known.needs_me)
                    })
                    .cloned()
                    .collect();
                if lists.is_empty() {
                    return ("in Player".to_owned(), Ty::Player);
                }
                let known = self.choices.pick(&lists);
                let Ty::List(_, inner) = known.ty.clone() else { unreachable!("only lists are kept") };
                (format!("in {}", self.read(&known, depth).0), *inner)
            }
            _ => {
                let ty = self.scalar();
                (format!("in {}", self.type_name(&ty)), ty)
            }
        }
    }
}
