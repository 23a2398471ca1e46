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

pub use random::Random;
pub use render::render;
pub use session::{Session, Stopped};

#[cfg(test)]
mod tests;
