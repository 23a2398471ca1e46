//! Positions: kept, and gone back to.

use super::Machine;
use crate::impossible;

/// A position: all there is to know about a game, in one block. It belongs to its program.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Position {
    bytes: Box<[u8]>,
    /// The identity of the program.
    program: u64,
}

impl Position {
    /// Its bytes.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

impl Machine<'_> {
    /// The position.
    #[must_use]
    pub fn position(&self) -> Position {
        Position { bytes: self.state().into(), program: self.program.identity() }
    }

    /// Writes the position into one that there is already, without allocating.
    pub fn save(&self, position: &mut Position) {
        if self.fits(position) {
            position.bytes.copy_from_slice(self.state());
        } else {
            *position = self.position();
        }
    }

    /// Is it a position of this program?
    #[must_use]
    pub fn fits(&self, position: &Position) -> bool {
        position.program == self.program.identity() && position.bytes.len() == self.program.bytes
    }

    /// Goes to a position of the same program. That of another is refused with an internal error; see [`Machine::fits`].
    pub fn load(&mut self, position: &Position) {
        if !self.fits(position) {
            impossible!("a position of another program");
        }
        self.state[..self.program.bytes].copy_from_slice(&position.bytes);
        self.leave();
        self.desk.paid = 0;
    }

    /// The block of the position.
    #[must_use]
    pub fn state(&self) -> &[u8] {
        self.state.get(..self.program.bytes).unwrap_or_default()
    }
}
