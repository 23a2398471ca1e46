//! A game in progress: what is legal, what happened, what chance gives, and the position as text.
//!
//! Everything that plays goes through [`Session`], so that what is below it (today the reference
//! evaluator) can be exchanged without its users noticing.

mod board;
mod random;
mod render;
mod session;
mod sight;
mod words;
mod write;

pub use random::Random;
pub use render::render;
pub use session::{Session, Stopped};
pub use write::entry_line;

#[cfg(test)]
mod tests;
