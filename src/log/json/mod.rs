//! JSON Lines: the same lines as objects, for programs that would rather not read a notation of ours.
//!
//! An object becomes lines of the text, which are then read as any others; so there is one reader, and
//! nothing can be said in one notation that cannot be said in the other.

mod entry;
mod object;
mod read;
mod value;
mod write;

pub(super) use object::first_of_game;
pub(super) use read::{Lines, lines_of};
pub use read::{line_to_text, read};
pub(super) use write::write;
