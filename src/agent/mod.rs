//! Agents: who plays a seat when nobody sits there, in any ruleset.
//!
//! An [`Agent`] is a way of playing; a [`Player`] plays by it, with buffers of its own. It is asked where the game
//! waits for a player, and gives one of the legal entries. It knows no more than its seat may know, and what it
//! gives depends on that and on the generator alone. `docs/agents.md` says how each of them thinks.

mod greedy;
mod kind;
mod owed;
mod player;
mod search;
mod secrets;
mod shown;
mod tree;
mod worlds;
mod worth;

pub use kind::Agent;
pub use player::{Choices, Player};

#[cfg(test)]
mod tests;
