//! The canonical spelling of entries, straight to what the machine plays.
//!
//! Nearly every line of nearly every log is spelt as Ludex writes it. For those there is this short way:
//! words are looked up in tables that are made once for a ruleset, and give packed entries. Whatever does
//! not fit (another spelling, a claim, a set, an error) is left to the notation, which
//! understands more and can say what is wrong. So the short way only ever says yes.

use super::words::{Words, number};
use crate::bind::{Bound, Type, TypeKind, Types};
use crate::machine::{Machine, Move, Program, Step, Waits, scalar_size};

/// Members that a table of words may have.
const MOST_MEMBERS: u64 = 1 << 16;

/// The words of a ruleset.
#[derive(Debug, Clone)]
pub(super) struct Lexicon {
    seats: Words,
    actions: Words,
    /// By offer.
    offers: Vec<Option<Spelling>>,
    /// By chance.
    chances: Vec<Option<Drawn>>,
}

/// How an offer is written: its action, and the arguments that the flow does not bind.
#[derive(Debug, Clone)]
struct Spelling {
    action: u64,
    params: Vec<Param>,
}

#[derive(Debug, Clone)]
struct Param {
    name: Box<[u8]>,
    shift: u32,
    /// What has the code 0.
    low: i64,
    /// May it be left out? Nothing has the code 0 then.
    optional: bool,
    values: Values,
}

/// How chance is written: name, indices, value.
#[derive(Debug, Clone)]
struct Drawn {
    name: Box<[u8]>,
    indices: Vec<Values>,
    value: Values,
}

/// What words of a type stand for.
#[derive(Debug, Clone)]
enum Values {
    /// A number from one to another.
    Number(i64, i64),
    /// A member.
    Member(Words),
    /// A record: its fields, one after the other.
    Record(Vec<Field>),
}

#[derive(Debug, Clone)]
struct Field {
    values: Values,
    low: i64,
    size: i64,
}

impl Values {
    /// What a slot holds for the next words.
    fn read<'w>(&self, words: &mut impl Iterator<Item = &'w [u8]>) -> Option<i64> {
        match self {
            Self::Number(low, high) => number(words.next()?).filter(|value| (low..=high).contains(&value)),
            Self::Member(known) => known.get(words.next()?).and_then(|member| i64::try_from(member).ok()),
            // In mixed radix, as records are counted. Their number is bounded, so nothing overflows.
            Self::Record(fields) => {
                fields.iter().try_fold(0, |code, field| Some(code * field.size + field.values.read(words)? - field.low))
            }
        }
    }
}

impl Lexicon {
    pub(super) fn new(bound: &Bound, program: &Program) -> Self {
        let types = &bound.types;
        let seats = (0..bound.players.count).map(|seat| (types.member_name(bound.players.ty, seat), u64::from(seat)));
        let actions = (0..).zip(&bound.actions).map(|(at, action)| (action.name.clone(), at));
        let offers = program.offers.iter().map(|offer| {
            let declared = bound.action(offer.action);
            let mut params = Vec::new();
            for (param, (local, _)) in offer.params.iter().zip(&declared.params).skip(offer.bound) {
                params.push(Param {
                    name: bound.local(*local).name.as_bytes().into(),
                    shift: param.shift,
                    low: param.low,
                    optional: param.ty.is_optional(),
                    values: values(types, param.ty.plain())?,
                });
            }
            Some(Spelling { action: offer.action.at() as u64, params })
        });
        let chances = program.chances.iter().map(|chance| {
            let indices = chance.at.iter().map(|(_, ty)| values(types, ty.plain())).collect::<Option<_>>()?;
            Some(Drawn { name: chance.name.as_bytes().into(), indices, value: values(types, chance.ty.plain())? })
        });
        Self {
            seats: Words::new(seats),
            actions: Words::new(actions),
            offers: offers.collect(),
            chances: chances.collect(),
        }
    }

    /// What a line says where the machine stands. Nothing if the line is not spelt canonically, or does not
    /// belong here; but what it says may still be illegal.
    pub(super) fn read(&self, program: &Program, machine: &mut Machine<'_>, line: &[u8]) -> Option<Step> {
        let mut words = line.split(|byte| *byte == b' ');
        match machine.waits() {
            Waits::Nothing => None,
            Waits::Player { choice, seat } => {
                if self.seats.get(words.next()?)? != u64::from(seat) {
                    return None;
                }
                let action = words.next()?;
                if action == b"pass" {
                    return words.next().is_none().then_some(Step::Entry(Move::PASS));
                }
                let action = self.actions.get(action)?;
                let point = program.choices.get(usize::from(choice))?;
                let mut fits = point.offers.clone().filter_map(|number| {
                    let spelling = self.offers.get(usize::from(number))?.as_ref()?;
                    (spelling.action == action).then_some((number, spelling))
                });
                let (number, spelling) = fits.next()?;
                // Of several offers of one action the notation finds the one that is meant.
                if fits.next().is_some() {
                    return None;
                }
                spelling.arguments(words).map(|code| Step::Entry(Move(code | u64::from(number))))
            }
            Waits::Chance(chance) => {
                let drawn = self.chances.get(usize::from(chance))?.as_ref()?;
                if words.next()? != &*drawn.name {
                    return None;
                }
                if !drawn.indices.is_empty() {
                    let at = machine.drawn_at().ok()?;
                    for (values, at) in drawn.indices.iter().zip(at) {
                        if values.read(&mut words)? != at {
                            return None;
                        }
                    }
                }
                if words.next()? != b"=" {
                    return None;
                }
                let value = drawn.value.read(&mut words)?;
                words.next().is_none().then_some(Step::Drawn(value))
            }
        }
    }
}

impl Spelling {
    /// The first argument bare, the others after their names; what may be left out is, if it is nothing.
    fn arguments<'w>(&self, words: impl Iterator<Item = &'w [u8]>) -> Option<u64> {
        let mut words = words.peekable();
        let mut code = 0;
        for (at, param) in self.params.iter().enumerate() {
            let given =
                if at == 0 { words.peek().is_some() } else { words.next_if(|word| **word == *param.name).is_some() };
            if given {
                let value = param.values.read(&mut words)?;
                code |= u64::try_from(value - param.low).ok()? << param.shift;
            } else if !param.optional {
                return None;
            }
        }
        words.next().is_none().then_some(code)
    }
}

/// The words of a type; nothing for types whose values are not plain words or belong to a position.
fn values(types: &Types, ty: &Type) -> Option<Values> {
    match ty {
        Type::Int(low, high) => Some(Values::Number(*low, *high)),
        Type::Bool => Some(Values::Member(Words::new([("false".to_owned(), 0), ("true".to_owned(), 1)]))),
        Type::Named(id) => {
            let size = scalar_size(types, ty)?;
            match &types.get(*id).kind {
                TypeKind::Regions(_) => None,
                TypeKind::Record(fields) => {
                    let field = |(_, ty): &(String, Type)| {
                        let low = if let Type::Int(low, _) = ty { *low } else { 0 };
                        let size = i64::try_from(scalar_size(types, ty)?).ok()?;
                        Some(Field { values: values(types, ty)?, low, size })
                    };
                    fields.iter().map(field).collect::<Option<_>>().map(Values::Record)
                }
                _ if size > MOST_MEMBERS => None,
                _ => {
                    let size = u32::try_from(size).ok()?;
                    let words = (0..size).map(|at| (types.member_name(*id, at), u64::from(at)));
                    Some(Values::Member(Words::new(words)))
                }
            }
        }
        _ => None,
    }
}
