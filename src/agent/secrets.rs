//! What a seat may know: which parts of a position it sees, and which steps.
//!
//! A seat sees states that are for all, its own rows of those that are for their owner, and how many members every
//! hidden set or list has. It sees who is asked, what others do (without the arguments, if these go into something
//! hidden), and what chance gives if the draw says so. What was revealed and then stayed where it was counts as
//! hidden again: a position does not say that it was shown.

use crate::bind::{Bound, Type, Visibility};
use crate::evaluate::{Audience, Try};
use crate::machine::{Cell, HEADER, Machine, Move, Program, Step, Waits};
use crate::play::hides_arguments;

/// What is hidden in the positions of a program.
#[derive(Debug)]
pub(super) struct Secrets {
    parts: Vec<Part>,
    /// For each offer: do others see its arguments?
    covered: Vec<bool>,
}

/// Where a state lies, and who sees it.
#[derive(Debug)]
struct Part {
    seen: Visibility,
    first: usize,
    /// Bytes of one element, and of all elements that belong to one seat.
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
    /// Somebody took this offer; nobody says with what.
    Offer(usize),
    /// Chance gave something.
    Something,
}

impl Secrets {
    /// What is hidden; nothing if everybody sees everything.
    pub(super) fn new(bound: &Bound, program: &Program) -> Option<Self> {
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
        let covered = program.offers.iter().map(|offer| hides_arguments(bound, offer.action)).collect();
        let open = |chance: &crate::machine::Chance| chance.seen == crate::machine::Seen::All;
        let any = parts.iter().any(|part| part.seen != Visibility::Public) || !program.chances.iter().all(open);
        any.then_some(Self { parts, covered })
    }

    /// What a seat is told of a step; the machine stands before it.
    pub(super) fn told(&self, machine: &mut Machine<'_>, step: Step, seat: u32) -> Try<Told> {
        match (step, machine.waits()) {
            (Step::Entry(entry), Waits::Player { seat: who, .. }) if who != seat && entry != Move::PASS => {
                let covered = self.covered.get(entry.offer()).copied().unwrap_or(false);
                Ok(if covered { Told::Offer(entry.offer()) } else { Told::Step(step) })
            }
            (Step::Drawn(_), _) => Ok(match machine.drawn_for()? {
                Audience::All => Told::Step(step),
                Audience::Seat(who) if who == seat => Told::Step(step),
                Audience::Seat(_) | Audience::Nobody => Told::Something,
            }),
            _ => Ok(Told::Step(step)),
        }
    }

    /// A number for everything that a seat sees of a position: equal if it looks the same.
    pub(super) fn look(&self, block: &[u8], seat: u32) -> u64 {
        let mut look = Look(0xcbf2_9ce4_8422_2325);
        look.see(block.get(..HEADER).unwrap_or_default());
        for part in &self.parts {
            let bytes = block.get(part.first..part.first + part.bytes).unwrap_or_default();
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
            Size::Length(width) => self.see(element.get(..width).unwrap_or_default()),
        }
    }
}
