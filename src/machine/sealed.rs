//! A program: verified parts that nobody can change any more.
//!
//! The compiler writes a [`Draft`]; [`Program::seal`] verifies it (`verify/`) and keeps it. So every program that there is
//! has passed, and whatever carries it out may rely on what `verify/` says.

use std::fmt::{self, Write as _};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Deref;

use super::native::Place;
use super::program::Draft;
use super::verify::{Flaw, verify};
use super::{SLOTS, Slot};

/// A ruleset for one number of players and one choice of numbers, options and rulings, ready to be played.
#[derive(Clone)]
pub struct Program {
    draft: Draft,
    /// By slot: how many more slots are found by number from this one on.
    more: Box<[u16]>,
    /// The same for the same parts.
    identity: u64,
    /// Code for the processor, made while the program is played.
    native: Place,
    /// The same with a test for every access.
    checked: Place,
}

impl Program {
    /// Verifies what the compiler has written, and keeps it.
    pub(crate) fn seal(draft: Draft) -> Result<Self, Flaw> {
        let more = more_slots(&draft);
        verify(&draft, &more)?;
        let identity = identity(&draft);
        Ok(Self { draft, more, identity, native: Place::default(), checked: Place::default() })
    }

    /// Verifies the program once more: what is translated is what was verified.
    pub fn verify(&self) -> Result<(), Flaw> {
        verify(&self.draft, &self.more)
    }

    /// The slot that lies so many behind one whose slots are found by number; nothing outside of these.
    #[inline]
    pub(super) fn numbered(&self, base: Slot, nth: i64) -> Option<usize> {
        let most = self.more[usize::from(base)];
        let within = nth.cast_unsigned() <= u64::from(most);
        // `verify` has seen that these slots do not end behind the last one.
        within.then(|| usize::from(base.wrapping_add(u16::try_from(nth).unwrap_or(0))))
    }

    /// How many slots are found by number from this one on.
    pub(super) fn run(&self, base: Slot) -> u32 {
        u32::from(self.more[usize::from(base)]) + 1
    }

    /// A number that programs of other parts do not have.
    pub(crate) fn identity(&self) -> u64 {
        self.identity
    }

    /// Where native code is kept.
    pub(super) fn native(&self, checked: bool) -> &Place {
        if checked { &self.checked } else { &self.native }
    }

    /// The parts, to be changed by tests.
    #[cfg(test)]
    pub(crate) fn draft(&self) -> Draft {
        self.draft.clone()
    }
}

/// The parts of a program can be read by all.
impl Deref for Program {
    type Target = Draft;

    fn deref(&self) -> &Draft {
        &self.draft
    }
}

impl fmt::Debug for Program {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.draft.fmt(formatter)
    }
}

/// A program whose game is over before it begins.
#[cfg(test)]
impl Default for Program {
    fn default() -> Self {
        let code = vec![super::Instruction::Over];
        let flow = super::HEADER;
        Self::seal(Draft { code, flow, bytes: 16, ..Draft::default() }).expect("a program")
    }
}

fn more_slots(draft: &Draft) -> Box<[u16]> {
    let mut more = vec![0_u16; SLOTS].into_boxed_slice();
    for &(first, count) in &draft.runs {
        let known = &mut more[usize::from(first)];
        *known = count.saturating_sub(1).max(*known);
    }
    more
}

/// A number for everything that a position depends on.
fn identity(draft: &Draft) -> u64 {
    let mut hasher = DefaultHasher::new();
    let Draft { code, tables, table_runs, constants, runs, bytes, flow, begin, players, .. } = draft;
    (code, tables, table_runs, constants, runs, bytes, flow, begin, players).hash(&mut hasher);
    let mut text = Text(hasher);
    let Draft { layout, pauses, choices, chances, offers, regions, sortings, score, winner, invariants, .. } = draft;
    let rest = (layout, pauses, choices, chances, offers, regions, sortings, (score, winner, invariants));
    // Writing to a hasher cannot fail.
    let _ = write!(text, "{rest:?}");
    text.0.finish()
}

/// Text that is hashed.
struct Text(DefaultHasher);

impl fmt::Write for Text {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0.write(text.as_bytes());
        Ok(())
    }
}
