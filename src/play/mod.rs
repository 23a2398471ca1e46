//! A game in progress: what is legal, what happened, what chance gives, and the position as text.
//!
//! Whoever plays by hand goes through [`Session`]. The compiled engine below it says what is legal and what
//! follows; the reference evaluator says why something is refused and what a view shows.

mod board;
mod engine;
mod notation;
mod open;
mod render;
mod session;
mod sight;
mod words;

pub use crate::machine::{Random, seed_of_game};
pub use notation::{entry_line, seat_names, shown_act, shown_chance, shown_pass};
pub use render::{paint, render};
pub use session::{Session, Stopped};
pub(crate) use sight::hides_arguments;

#[cfg(test)]
mod tests;
