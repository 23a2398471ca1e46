//! Effects of actions, and the flow of a game.

use super::types::{Readable, Ty};
use super::writer::Writer;

/// An action: what offers need to know.
#[derive(Debug, Clone)]
pub(super) struct Action {
    pub(super) name: String,
    pub(super) first: Option<Ty>,
}

/// A secret: a set that nobody sees, and what each player has of it.
#[derive(Debug, Clone)]
pub(super) struct Secret {
    pub(super) deck: String,
    pub(super) hand: String,
}

/// Where a statement of the flow stands.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub(super) in_repeat: bool,
    pub(super) in_turn: bool,
}

impl Writer {
    fn states(&self) -> Vec<Readable> {
        self.known.iter().filter(|known| known.is_state && !known.is_called).cloned().collect()
    }

    /// A block of effects.
    pub(super) fn effects(&mut self, depth: usize, may_draw: bool) -> String {
        let before = self.locals.len();
        let count = self.choices.below(3) + 1;
        let statements: Vec<String> = (0..count).map(|_| self.effect(depth, may_draw)).collect();
        self.locals.truncate(before);
        let between = self.choices.pick(&["\n        ", "; "]);
        format!("{{\n        {}\n    }}", statements.join(between))
    }

    fn effect(&mut self, depth: usize, may_draw: bool) -> String {
        let Some(less) = depth.checked_sub(1) else { return self.assignment(0) };
        match self.choices.below(10) {
            0..=3 => self.assignment(less),
            4 => {
                let condition = self.condition(less);
                let mut text = format!("if {condition} {}", self.effects(less, may_draw));
                match self.choices.below(3) {
                    1 => text += &format!(" else {}", self.effects(less, may_draw)),
                    2 => text += &format!(" else if {} {}", self.condition(less), self.effects(less, may_draw)),
                    _ => {}
                }
                text
            }
            5 | 6 => self.for_each(less, |writer| writer.effects(less, may_draw)),
            7 => {
                let ty = self.any_type();
                let ty = if matches!(ty, Ty::List(..) | Ty::Set(_)) { Ty::NUMBER } else { ty };
                let (x, value) = (self.name("x"), self.expression(&ty, less));
                // Nothing says of which type a bare `none` is.
                if value == "none" {
                    return self.assignment(less);
                }
                self.locals.push((x.clone(), ty));
                format!("let {x} = {value}\n        {}", self.assignment(less))
            }
            8 if may_draw => self.draw(less),
            8 => self.assignment(less),
            _ => self.exchange(),
        }
    }

    pub(super) fn for_each(&mut self, depth: usize, block: impl FnOnce(&mut Self) -> String) -> String {
        let before = self.locals.len();
        let mut binds = vec![self.bind(depth)];
        if self.choices.once_in(5) {
            binds.push(self.bind(0));
        }
        let order = if self.choices.once_in(4) { format!(" by {}", self.number(depth)) } else { String::new() };
        let block = block(self);
        self.locals.truncate(before);
        format!("for {}{order} {block}", binds.join(", "))
    }

    /// A place that can be written: its text and type.
    fn place(&mut self) -> (String, Ty) {
        let states = self.states();
        let state = self.choices.pick(&states);
        let indices: Vec<String> = state.indices.iter().map(|ty| self.index(ty, 1)).collect();
        let text = if indices.is_empty() { state.name } else { format!("{}[{}]", state.name, indices.join(", ")) };
        (text, state.ty)
    }

    fn assignment(&mut self, depth: usize) -> String {
        let (place, ty) = self.place();
        match &ty {
            Ty::Int(low, high) => match self.choices.below(6) {
                0 => format!("{place} = {}", self.literal(&ty)),
                1 => format!("if {place} < {high} {{ {place} += 1 }}"),
                2 => format!("if {place} > {low} {{ {place} -= 1 }}"),
                // This one may leave the range: a fault of the ruleset, in every engine.
                3 if self.choices.once_in(6) => format!("{place} += {}", self.number(depth)),
                _ => format!("{place} = min(max({}, {low}), {high})", self.number(depth)),
            },
            Ty::Set(inner) => match self.choices.below(4) {
                0 => format!("{place} += {}", self.expression(inner, depth)),
                1 => format!("{place} -= {}", self.expression(inner, depth)),
                2 => format!("{place} += {}", self.expression(&ty, depth)),
                _ => format!("{place} = {}", self.expression(&ty, depth)),
            },
            Ty::List(length, inner) => match self.choices.below(3) {
                0 => format!("if size({place}) < {length} {{ {place} += {} }}", self.expression(inner, depth)),
                1 => format!("{place} -= {}", self.expression(inner, depth)),
                _ => format!("{place} = {}", self.expression(&ty, depth)),
            },
            _ => format!("{place} = {}", self.expression(&ty, depth)),
        }
    }

    fn exchange(&mut self) -> String {
        let states: Vec<Readable> = self.states().into_iter().filter(|state| !state.indices.is_empty()).collect();
        if states.is_empty() {
            return self.assignment(0);
        }
        let state = self.choices.pick(&states);
        let mut place = || {
            let indices: Vec<String> = state.indices.iter().map(|ty| self.index(ty, 1)).collect();
            format!("{}[{}]", state.name, indices.join(", "))
        };
        format!("{} <-> {}", place(), place())
    }

    /// Chance.
    fn draw(&mut self, depth: usize) -> String {
        let sets: Vec<Readable> = self
            .states()
            .into_iter()
            .filter(|state| matches!(&state.ty, Ty::Set(inner) if !matches!(**inner, Ty::Region(_))))
            .collect();
        let x = self.name("x");
        match self.choices.below(4) {
            1 if !sets.is_empty() => {
                let state = self.choices.pick(&sets);
                let indices: Vec<String> = state.indices.iter().map(|ty| self.index(ty, 1)).collect();
                let set =
                    if indices.is_empty() { state.name } else { format!("{}[{}]", state.name, indices.join(", ")) };
                let then = self.assignment(depth);
                format!("if size({set}) > 0 {{ draw {x} from {set}\n            {then} }}")
            }
            2 => {
                let ty = self.scalar();
                let y = self.name("y");
                let condition = self.within(&[(y.clone(), ty.clone())], |writer| writer.condition(depth));
                let domain = self.type_name(&ty);
                let draw = format!("draw {x} = {y} in {domain} where {condition}");
                self.locals.push((x, ty));
                let then = self.assignment(depth);
                self.locals.pop();
                format!("if any {y} in {domain}: {condition} {{ {draw}\n            {then} }}")
            }
            _ => {
                let ty = self.scalar();
                let text = format!("draw {x} in {}", self.type_name(&ty));
                self.locals.push((x, ty));
                format!("{text}\n        {}", self.assignment(depth))
            }
        }
    }

    /// A block of the flow in which somebody is asked.
    pub(super) fn asking(&mut self, depth: usize, place: Place, actions: &[Action]) -> String {
        let before = self.locals.len();
        let mut statements = Vec::new();
        if self.choices.once_in(3) {
            statements.push(self.effect(1, true));
        }
        statements.push(self.ask(depth, place, actions));
        if self.choices.once_in(3) {
            statements.push(self.flow_statement(depth, place, actions));
        }
        self.locals.truncate(before);
        format!("{{\n        {}\n    }}", statements.join("\n        "))
    }

    fn flow_statement(&mut self, depth: usize, place: Place, actions: &[Action]) -> String {
        match self.choices.below(3) {
            0 => self.effect(1, true),
            1 => format!("if {} {}", self.condition(1), self.asking(depth.saturating_sub(1), place, actions)),
            _ => self.ask(depth.saturating_sub(1), place, actions),
        }
    }

    /// Somebody is asked, perhaps within loops.
    fn ask(&mut self, depth: usize, place: Place, actions: &[Action]) -> String {
        let Some(less) = depth.checked_sub(1) else { return self.choice(0, place, actions) };
        match self.choices.below(9) {
            0 | 1 => self.choice(less, place, actions),
            2 if !place.in_turn => {
                let player = self.expression(&Ty::Player, 1);
                let (inner, had) = (Place { in_turn: true, ..place }, self.has_me);
                self.has_me = true;
                let block = self.asking(less, inner, actions);
                self.has_me = had;
                format!("turn {player} {block}")
            }
            3 => {
                let inner = Place { in_repeat: true, ..place };
                let until =
                    if self.choices.below(2) == 0 { String::new() } else { format!(" until {}", self.condition(1)) };
                // A way out, so that it comes to an end.
                let choice = self.choice(0, inner, actions);
                let block = if choice.contains(" or pass") && !choice.contains("or pass {") {
                    format!("{{ {choice} }}")
                } else {
                    let action = self.offers(actions);
                    format!("{{ {choice}\n        {} choose {action} or pass }}", self.somebody(place))
                };
                format!("repeat{until} {block}")
            }
            4 => {
                let x = self.name("x");
                let from = self.expression(&Ty::Player, 1);
                let count = "rounds";
                let limit = self.choices.between(1, 4);
                let filter = if self.choices.once_in(3) {
                    let condition = self.within(&[(x.clone(), Ty::Player)], |writer| writer.condition(1));
                    format!(" where {condition} or {count} > {limit}")
                } else {
                    String::new()
                };
                let block = self.within(&[(x.clone(), Ty::Player)], |writer| writer.asking(less, place, actions));
                let block = format!("{{ if {count} < 20 {{ {count} += 1 }}{}", &block[1..]);
                format!("cycle {x} clockwise from {from}{filter} until {count} > {limit} {block}")
            }
            5 | 6 => self.for_each(1, |writer| writer.asking(less, place, actions)),
            7 => {
                let (condition, one) = (self.condition(1), self.asking(less, place, actions));
                format!("if {condition} {one} else {}", self.asking(less, place, actions))
            }
            _ => format!("{}\n        {}", self.draw(1), self.choice(less, place, actions)),
        }
    }

    fn somebody(&mut self, place: Place) -> String {
        let seats: Vec<String> =
            self.locals.iter().filter(|(_, ty)| *ty == Ty::Player).map(|(name, _)| name.clone()).collect();
        if place.in_turn && self.has_me && self.choices.below(2) == 0 {
            return String::new();
        }
        if seats.is_empty() {
            return format!("seat({})", self.choices.between(1, self.fewest));
        }
        self.choices.pick(&seats)
    }

    fn offers(&mut self, actions: &[Action]) -> String {
        let count = if self.choices.once_in(3) { 2 } else { 1 };
        let mut chosen: Vec<String> = Vec::new();
        let mut offered = Vec::new();
        for _ in 0..count {
            let action = self.choices.pick(actions);
            if chosen.contains(&action.name) {
                continue;
            }
            offered.push(match &action.first {
                Some(ty) if self.choices.once_in(3) => format!("{}({})", action.name, self.index(ty, 1)),
                _ => action.name.clone(),
            });
            chosen.push(action.name);
        }
        offered.join(", ")
    }

    /// `choose a, b(x) or pass`
    fn choice(&mut self, depth: usize, place: Place, actions: &[Action]) -> String {
        let (who, offers) = (self.somebody(place), self.offers(actions));
        let rest = match self.choices.below(6) {
            0 | 1 if place.in_repeat => " or pass".to_owned(),
            0 | 1 => " or pass { }".to_owned(),
            2 => format!(" or pass {}", self.effects(depth.min(1), true)),
            3 => format!(" else pass {}", self.effects(depth.min(1), true)),
            4 => format!(" else {}", self.effects(depth.min(1), true)),
            _ if depth > 0 => format!(" else {}", self.asking(depth - 1, place, actions)),
            _ => " else { }".to_owned(),
        };
        format!("{who} choose {offers}{rest}").trim().to_owned()
    }
}
