//! How people spell: names in any case, in quotation marks, or cut short where that is clear.
//!
//! Logs are often written by hand, so they are read patiently; examples are part of a ruleset and stay exact. What is
//! written exactly always wins, then what differs in case only, then what is the beginning of one name only.

use super::binder::{Binder, Symbol};
use super::entries::{BadEntry, Read};
use super::types::{Type, TypeId, TypeKind};
use super::value::Value;
use crate::ast::{self, ValueKind};
use crate::internal::exact;
use crate::report::{Fault, Span, codes};

/// What a word may stand for.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Pick<T> {
    One(T),
    Nothing,
    /// More than one; their names.
    Several(Vec<String>),
}

impl<T> Pick<T> {
    pub(super) fn map<U>(self, change: impl FnOnce(T) -> U) -> Pick<U> {
        match self {
            Self::One(found) => Pick::One(change(found)),
            Self::Nothing => Pick::Nothing,
            Self::Several(names) => Pick::Several(names),
        }
    }

    /// What it is, if it is clear; a fault if it could be several things.
    pub(super) fn clear(self, word: &str, span: Span) -> Read<Option<T>> {
        match self {
            Self::One(found) => Ok(Some(found)),
            Self::Nothing => Ok(None),
            Self::Several(names) => {
                let quoted: Vec<String> = names.iter().take(8).map(|name| format!("`{name}`")).collect();
                let more = if names.len() > 8 { format!(", … ({} in all)", names.len()) } else { String::new() };
                let fault = Fault::new(&codes::BAD_ENTRY, span, format!("`{word}` may be several things"))
                    .label("not clear")
                    .help(format!("write more of it: {}{more}", quoted.join(", ")));
                Err(Box::new(BadEntry { verdict: "ambiguous", fault }))
            }
        }
    }
}

/// Finds a name: in this spelling, in another case, or, if `short`, as the only one that begins so.
/// Names that stand for the same are one.
pub(super) fn pick<'n, T: PartialEq + Copy>(
    word: &str,
    names: impl Iterator<Item = (&'n str, T)> + Clone,
    short: bool,
) -> Pick<T> {
    if let Some((_, found)) = names.clone().find(|(name, _)| *name == word) {
        return Pick::One(found);
    }
    let alike = only(names.clone().filter(|(name, _)| name.eq_ignore_ascii_case(word)));
    let is_name = word.starts_with(|c: char| c.is_alphabetic() || c == '_');
    if alike != Pick::Nothing || !short || !is_name {
        return alike;
    }
    only(names.filter(|(name, _)| name.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word))))
}

fn only<'n, T: PartialEq + Copy>(found: impl Iterator<Item = (&'n str, T)>) -> Pick<T> {
    let mut kept: Vec<(&str, T)> = Vec::new();
    for (name, what) in found {
        if !kept.iter().any(|(_, known)| *known == what) {
            kept.push((name, what));
        }
    }
    match kept.as_slice() {
        [] => Pick::Nothing,
        [(_, what)] => Pick::One(*what),
        _ => Pick::Several(kept.iter().map(|(name, _)| (*name).to_owned()).collect()),
    }
}

/// The word of a value; a text counts as one.
pub(super) fn word_of(value: &ast::Value) -> Option<&str> {
    match &value.kind {
        ValueKind::Word(text) | ValueKind::Text(text) => Some(text),
        _ => None,
    }
}

impl Binder<'_> {
    /// The seat that a word means: its name in the log, or who sits there.
    pub(super) fn pick_seat(&self, word: &str) -> Pick<u32> {
        let number = |at: usize| exact::<_, u32>(at);
        if let Some(seat) = self.seats.iter().position(|seat| seat == word) {
            return Pick::One(number(seat));
        }
        if !self.tolerant {
            return Pick::Nothing;
        }
        let seats = self.seats.iter().enumerate().map(|(at, seat)| (seat.as_str(), number(at)));
        let people = self.people.iter().enumerate();
        let people = people.filter_map(|(at, name)| Some((name.as_deref()?, number(at))));
        match only(people.clone().filter(|(name, _)| *name == word)) {
            Pick::Nothing => pick(word, seats.chain(people), true),
            found => found,
        }
    }

    /// The action that a word means; `None` is a pass, if that may be meant.
    pub(super) fn pick_action(&self, word: &str, may_pass: bool) -> Pick<Option<super::ActionId>> {
        if may_pass && word == "pass" {
            return Pick::One(None);
        }
        if let Some((Symbol::Action(action), _)) = self.symbols.get(word) {
            return Pick::One(Some(*action));
        }
        if !self.tolerant {
            return Pick::Nothing;
        }
        let actions = self.bound.actions.iter().enumerate();
        let actions = actions.map(|(at, action)| (action.name.as_str(), Some(super::ActionId(exact(at)))));
        pick(word, actions.chain(may_pass.then_some(("pass", None))), true)
    }

    /// A value that is not written exactly.
    pub(super) fn pick_value(&self, ty: &Type, word: &str) -> Pick<Value> {
        if ty.is_optional() && word.eq_ignore_ascii_case("none") {
            return Pick::One(Value::None);
        }
        match ty.plain() {
            Type::Bool => pick(word, [("true", true), ("false", false)].into_iter(), false).map(Value::Bool),
            Type::Named(id) if *id == self.bound.players.ty => {
                self.pick_seat(word).map(|seat| Value::Member(*id, seat))
            }
            Type::Named(id) => self.pick_member(*id, word).map(|member| Value::Member(*id, member)),
            _ => Pick::Nothing,
        }
    }

    fn pick_member(&self, id: TypeId, word: &str) -> Pick<u32> {
        match &self.bound.types.get(id).kind {
            TypeKind::Members(members) => {
                let members = members.iter().enumerate();
                pick(word, members.map(|(at, name)| (name.as_str(), exact::<_, u32>(at))), true)
            }
            TypeKind::Regions(Type::Named(of)) => self.pick_member(*of, word),
            TypeKind::Regions(_) | TypeKind::Record(_) => Pick::Nothing,
            // Cells and sides have a form of their own, so there are few ways to fold their case.
            _ => match board_spellings(word).iter().find_map(|spelling| self.bound.types.find(id, spelling)) {
                Some(found) => Pick::One(found),
                None => self.pick_listed(id, word),
            },
        }
    }

    /// For boards whose cells have names of the author's.
    fn pick_listed(&self, id: TypeId, word: &str) -> Pick<u32> {
        let names = self.bound.types.member_names(id);
        let numbered = names.iter().enumerate();
        pick(word, numbered.map(|(at, name)| (name.as_str(), exact::<_, u32>(at))), false)
    }
}

/// `C5s` → `c5s`, `C5S`, `c5S`, `C5s`: cells in small letters, sides in capital ones, a rim place begins with its side.
fn board_spellings(word: &str) -> [String; 4] {
    let (lower, upper) = (word.to_ascii_lowercase(), word.to_ascii_uppercase());
    let cell = word.rfind(|c: char| c.is_ascii_digit()).map_or(0, |digit| digit + 1);
    let border = format!("{}{}", lower.get(..cell).unwrap_or(""), upper.get(cell..).unwrap_or(""));
    let rim = format!("{}{}", upper.get(..1).unwrap_or(""), lower.get(1..).unwrap_or(""));
    [lower, upper, border, rim]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exact_wins_over_case_and_case_over_beginnings() {
        let names = [("red", 0), ("Red", 1), ("reddish", 2), ("blue", 3), ("black", 4)];
        let find = |word: &str| pick(word, names.into_iter(), true);
        assert_eq!(find("red"), Pick::One(0));
        assert_eq!(find("Red"), Pick::One(1));
        assert_eq!(find("RED"), Pick::Several(vec!["red".to_owned(), "Red".to_owned()]));
        assert_eq!(find("REDD"), Pick::One(2));
        assert_eq!(find("Blu"), Pick::One(3));
        assert_eq!(find("b"), Pick::Several(vec!["blue".to_owned(), "black".to_owned()]));
        assert_eq!(find("green"), Pick::Nothing);
        assert_eq!(find(""), Pick::Nothing);
        assert_eq!(find("ré"), Pick::Nothing);
        assert_eq!(pick("1", [("10", 0), ("12", 1)].into_iter(), true), Pick::Nothing);
        assert_eq!(pick("blu", names.into_iter(), false), Pick::Nothing);
    }

    #[test]
    fn places_of_a_board_have_their_case() {
        assert!(board_spellings("C5s").contains(&"c5S".to_owned()));
        assert!(board_spellings("nA").contains(&"Na".to_owned()));
        assert!(board_spellings("B2-C2").contains(&"b2-c2".to_owned()));
        assert!(board_spellings("ne").contains(&"NE".to_owned()));
        assert_eq!(board_spellings("é1")[0], "é1");
    }
}
