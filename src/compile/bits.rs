//! What varies while all members of a domain are asked at once: the bits of a mask, and what names stand for at each.
//!
//! A variable stands for another member at each bit. Two variables share the bits of one mask if all their combinations
//! fit it, and what follows from them, one end of an edge or a cell one step on, stands for something at each bit, too.

use crate::internal::exact;
use std::rc::Rc;

use super::compiler::{Compiler, Domain, Var};
use crate::bind::{ExprId, LocalId};
use crate::machine::first_members;

/// Members that a mask has room for.
pub(super) const MOST: u64 = 64;

/// What a name stands for at each bit.
pub(super) type Values = Rc<[i64]>;

/// The bits of a mask.
#[derive(Debug, Clone)]
pub(super) struct Bits {
    /// How many.
    count: u64,
    /// What they are, if that is the members of a domain in order.
    of: Option<(Domain, Values)>,
    names: Vec<(LocalId, Values)>,
    /// Those that matter: what is said of others is not looked at.
    wanted: i64,
    /// Are members welcome for which a condition may hold, too?
    roughly: bool,
}

impl Bits {
    /// The members of a variable.
    pub(super) fn of(name: LocalId, of: Domain) -> Self {
        let values: Values = (of.low..).take(exact::<_, usize>(of.size)).collect();
        Self {
            count: of.size,
            of: Some((of, Rc::clone(&values))),
            names: vec![(name, values)],
            wanted: -1,
            roughly: false,
        }
    }

    /// All combinations of some variables, the last running fastest.
    pub(super) fn combinations(variables: &[(LocalId, Domain)]) -> Self {
        let count: u64 = variables.iter().map(|(_, of)| of.size).product();
        let mut below = count;
        let names = variables.iter().map(|&(name, of)| {
            below /= of.size.max(1);
            let value = |bit: u64| of.low.saturating_add_unsigned(bit / below.max(1) % of.size.max(1));
            (name, (0..count).map(value).collect())
        });
        Self { count, of: None, names: names.collect(), wanted: -1, roughly: false }
    }

    /// Nothing varies: the first bit is the answer.
    pub(super) fn none() -> Self {
        Self { count: 1, of: None, names: Vec::new(), wanted: -1, roughly: false }
    }

    /// A domain, one mask after the other.
    pub(super) fn windows(name: LocalId, of: Domain) -> Vec<Self> {
        let window = |from: u64| Domain { low: of.low.saturating_add_unsigned(from), size: (of.size - from).min(MOST) };
        (0..of.size.div_ceil(MOST)).map(|word| Self::of(name, window(word * MOST))).collect()
    }

    /// The same bits inside a definition, where other names stand for something.
    pub(super) fn renamed(&self, names: Vec<(LocalId, Values)>) -> Self {
        Self { names, ..self.clone() }
    }

    /// The same, with one name more.
    pub(super) fn with(&self, name: LocalId, values: Values) -> Self {
        let mut more = self.clone();
        more.names.retain(|(known, _)| *known != name);
        more.names.push((name, values));
        more
    }

    /// The same, if only these matter.
    pub(super) fn wanted(&self, wanted: i64) -> Self {
        Self { wanted, ..self.clone() }
    }

    /// Does a bit matter?
    pub(super) fn is_wanted(&self, bit: usize) -> bool {
        self.wanted >> bit & 1 == 1
    }

    /// Are members welcome for which a condition may hold?
    pub(super) fn is_rough(&self) -> bool {
        self.roughly
    }

    /// The same, where members are welcome for which a condition may hold.
    pub(super) fn roughly(&self) -> Self {
        Self { roughly: true, ..self.clone() }
    }

    pub(super) fn exactly(&self) -> Self {
        Self { roughly: false, ..self.clone() }
    }

    /// How many there are.
    pub(super) fn count(&self) -> usize {
        exact::<_, usize>(self.count)
    }

    /// The domain whose members they are, in order.
    pub(super) fn domain(&self) -> Option<Domain> {
        self.of.as_ref().map(|(of, _)| *of)
    }

    /// Does a name stand for the members of that domain?
    pub(super) fn is_member(&self, name: LocalId) -> bool {
        let values = self.values(name);
        self.of.as_ref().zip(values).is_some_and(|((_, members), values)| Rc::ptr_eq(members, values))
    }

    /// The bits and the members of that domain; nothing if they are no such members.
    pub(super) fn members(&self) -> impl Iterator<Item = (i64, i64)> + use<> {
        let (low, count) = self.of.as_ref().map_or((0, 0), |(of, _)| (of.low, of.size));
        (0..exact::<_, i64>(count)).map(move |bit| (bit, low + bit))
    }

    /// What a name stands for, if that varies.
    pub(super) fn values(&self, name: LocalId) -> Option<&Values> {
        self.names.iter().find(|(known, _)| *known == name).map(|(_, values)| values)
    }

    /// Names that stand for something that varies.
    pub(super) fn names(&self) -> Vec<LocalId> {
        self.names.iter().map(|(name, _)| *name).collect()
    }

    /// All bits.
    pub(super) fn all(&self) -> i64 {
        first_members(self.count)
    }
}

impl Compiler<'_> {
    /// Lets names stand for what they are at one bit.
    pub(super) fn at_bit(&mut self, bits: &Bits, bit: usize) {
        for (name, values) in &bits.names {
            let value = self.constant(values[bit]);
            self.locals.insert(*name, Var::Slot(value));
        }
    }

    /// What an expression is at each bit, if that comes out while this is compiled.
    pub(super) fn values_of(&mut self, bits: &Bits, id: ExprId) -> Option<Values> {
        if !self.is_known_but_for(id, &bits.names()) {
            return None;
        }
        let value = |bit: usize| {
            self.at_bit(bits, bit);
            self.known_value(id)
        };
        (0..bits.count()).map(value).collect()
    }
}
