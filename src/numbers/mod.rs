//! TOML → a tree of values with their places.
//!
//! The tree knows nothing of types: what a key must hold is said by the rules and checked while
//! binding. Here files are parsed, the files of one layer are joined, and layers (a variant, an overlay,
//! `--set`) are laid over each other, so that every value still points to the text it comes from.

mod tree;

pub use tree::{Node, NodeKind, Tree, Used};
