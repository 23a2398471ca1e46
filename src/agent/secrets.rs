//! What a seat may know: which parts of a position it sees, and which steps.
//!
//! A seat sees states that are for all, its own rows of those that are for their owner, and how many members every
//! hidden set or list has. It sees who is asked, what others do (without the arguments, if these go into something
//! hidden, but for those that are laid open at once), and what chance gives if the draw says so. What was revealed
//! and then stayed where it was counts as hidden again: a position does not say that it was shown.

use super::shown::shown;
use crate::bind::{Bound, StateId, Type, Value, Visibility};
use crate::evaluate::{Audience, Try};
use crate::internal::Must;
use crate::machine::{Cell, Chance, HEADER, Machine, Move, Param, Program, Seen, Step, Waits, from_slot};
use crate::play::hides_arguments;

/// What is hidden in the positions of a program.
#[derive(Debug)]
pub(super) struct Secrets<'p> {
    bound: &'p Bound,
    parts: Vec<Part>,
    /// For each offer whose arguments others do not see: which of them go where all see them, unless the flow takes
    /// them away at once.
    covered: Vec<Option<Vec<(usize, StateId)>>>,
}

/// Where a state lies, and who sees it.
#[derive(Debug)]
struct Part {
    seen: Visibility,
    first: usize,
    /// Bytes of one element, of all elements that belong to one seat, and of all.
    each: usize,
    row: usize,
    bytes: usize,
    size: Size,
}

/// How the size of an element can be read, which everybody may know.
#[derive(Debug, Clone, Copy)]
enum Size {
    One,
    Bits,
    /// The first unit, of so many bytes.
    Length(usize),
}

/// A step, as far as a seat knows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Told {
    /// All of it.
    Step(Step),
    /// Somebody entered something that has these bits where the mask has any.
    Part { mask: u64, bits: u64 },
    /// Chance gave something; this seat knows what, if any.
    Drawn(Option<u32>),
}

impl<'p> Secrets<'p> {
    /// What is hidden; nothing if everybody sees everything.
    pub(super) fn new(bound: &'p Bound, program: &Program) -> Option<Self> {
        let seats = bound.players.count.max(1) as usize;
        let parts = program.layout.iter().map(|place| {
            let Cell { width, units, .. } = place.cell;
            let each = usize::from(width) * units as usize;
            let bytes = each * place.count as usize;
            let seen = bound.state(place.state).seen;
            // The owner is the first index, and the last index runs fastest.
            let rows = if seen == Visibility::Owner { seats } else { 1 };
            Part {
                seen,
                first: place.first as usize,
                each: each.max(1),
                row: bytes.div_ceil(rows).max(1),
                bytes,
                size: match place.ty {
                    Type::Set(_) => Size::Bits,
                    Type::List(..) => Size::Length(usize::from(width)),
                    _ => Size::One,
                },
            }
        });
        let parts: Vec<Part> = parts.collect();
        let all_see = |chance: &Chance| chance.seen == Seen::All;
        let any = parts.iter().any(|part| part.seen != Visibility::Public) || !program.chances.iter().all(all_see);
        let covered = program.offers.iter().map(|offer| {
            hides_arguments(bound, offer.action).then(|| {
                let mut laid_open = shown(bound, offer.action);
                laid_open.retain(|(nth, _)| *nth >= offer.bound);
                laid_open
            })
        });
        any.then(|| Self { bound, parts, covered: covered.collect() })
    }

    /// Takes a step, and says what a seat is told of it.
    pub(super) fn take(&self, machine: &mut Machine<'_>, step: Step, seat: u32) -> Try<Told> {
        let told = match (step, machine.waits()) {
            (Step::Entry(entry), Waits::Player { seat: who, .. }) if who != seat && entry != Move::PASS => {
                if let Some(Some(shown)) = self.covered.get(entry.offer()) {
                    return self.take_covered(machine, entry, shown);
                }
                Told::Step(step)
            }
            (Step::Drawn(_), _) => match machine.drawn_for()? {
                Audience::All => Told::Step(step),
                Audience::Seat(who) if who == seat => Told::Step(step),
                Audience::Seat(who) => Told::Drawn(Some(who)),
                Audience::Nobody => Told::Drawn(None),
            },
            _ => Told::Step(step),
        };
        machine.take(step)?;
        Ok(told)
    }

    /// Of an entry whose arguments are covered, only those are told that lie openly behind it and did not before.
    fn take_covered(&self, machine: &mut Machine<'_>, entry: Move, shown: &[(usize, StateId)]) -> Try<Told> {
        let offer = machine.program().offers.get(entry.offer());
        let params = shown.iter().filter_map(|(nth, state)| Some((offer?.params.get(*nth)?, *state)));
        let values = params.map(|(param, state)| {
            let slot = param.value(entry.0 >> param.shift & own_bits(param.bits, 0));
            (param, state, from_slot(&self.bound.types, &param.ty, slot))
        });
        let mut values: Vec<(&Param, StateId, Value)> = values.collect();
        values.retain(|(_, state, value)| !self.lies_in(machine, *state, value));
        machine.play(entry)?;
        values.retain(|(_, state, value)| self.lies_in(machine, *state, value));
        let mask = values
            .iter()
            .fold(own_bits(Move::OFFER_BITS, 0), |mask, (param, ..)| mask | own_bits(param.bits, param.shift));
        Ok(Told::Part { mask, bits: entry.0 & mask })
    }

    fn lies_in(&self, machine: &Machine<'_>, state: StateId, value: &Value) -> bool {
        let place = machine.program().layout.iter().find(|place| place.state == state);
        let count = place.map_or(0, |place| place.count as usize);
        (0..count).filter_map(|at| machine.value(&self.bound.types, state, at)).any(|element| match &element {
            Value::Set(members) | Value::List(members) => members.contains(value),
            single => single == value,
        })
    }

    /// A number for everything that a seat sees of a position: equal if it looks the same.
    pub(super) fn look(&self, block: &[u8], seat: u32) -> u64 {
        let mut look = Look(0xcbf2_9ce4_8422_2325);
        look.see(block.get(..HEADER).must("a position has its header"));
        for part in &self.parts {
            let bytes = block.get(part.first..part.first + part.bytes).must("a position has every part");
            if part.seen == Visibility::Public {
                look.see(bytes);
                continue;
            }
            for (owner, row) in bytes.chunks(part.row).enumerate() {
                if part.seen == Visibility::Owner && owner == seat as usize {
                    look.see(row);
                } else {
                    row.chunks(part.each).for_each(|element| look.size(element, part.size));
                }
            }
        }
        look.0
    }
}

/// The arguments that a seat knows of an entry, with their types.
pub(super) fn known_arguments(program: &Program, told: Told) -> Vec<(i64, &Type)> {
    let (mask, bits) = match told {
        Told::Part { mask, bits } => (mask, bits),
        Told::Step(Step::Entry(entry)) if entry != Move::PASS => (u64::MAX, entry.0),
        _ => return Vec::new(),
    };
    let offer = program.offers.get(Move(bits).offer()).must("an entry is of an offer");
    let known = |param: &&Param| mask & own_bits(param.bits, param.shift) != 0;
    let params = offer.params.iter().skip(offer.bound).filter(known);
    params.map(|param| (param.value(bits >> param.shift & own_bits(param.bits, 0)), &param.ty)).collect()
}

/// So many bits, above so many others.
fn own_bits(bits: u32, shift: u32) -> u64 {
    ((1_u64 << bits.min(63)) - 1) << shift.min(63)
}

/// FNV-1a over what is seen.
struct Look(u64);

impl Look {
    fn see(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    fn size(&mut self, element: &[u8], size: Size) {
        match size {
            Size::One => {}
            Size::Bits => {
                let count: u32 = element.iter().map(|byte| byte.count_ones()).sum();
                self.see(&count.to_le_bytes());
            }
            Size::Length(width) => self.see(element.get(..width).must("a list has its length")),
        }
    }
}
