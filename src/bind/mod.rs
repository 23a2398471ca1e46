//! Tree → bound ruleset: every name becomes an id, every type a finite type, every number a value.
//!
//! Binding is done for one [`Choice`]: a number of players, and a tree of numbers in which options and
//! rulings are decided. Types may depend on all of these (`board Point = square size x size`), so there
//! is nothing to gain from binding more abstractly; a ruleset binds in about a millisecond.
//!
//! Faults are collected, never thrown: a name that cannot be resolved becomes [`Expr::Fault`], which
//! later stages pass over in silence.

mod binder;
mod board;
mod bounds;
mod cites;
mod claims;
mod declare;
mod drawn;
mod dump;
mod entries;
mod examples;
mod expressions;
mod facts;
mod graph;
mod keys;
mod layers;
mod model;
mod names;
mod notation;
mod numbers;
mod pictures;
mod resolve;
mod rules;
mod rulings;
mod sections;
mod statements;
mod tables;
mod tolerance;
mod types;
mod unknown;
mod value;
mod views;
pub mod walk;

pub use board::{Board, Shape};
pub use dump::dump;
pub(crate) use dump::dump_typed;

pub use claims::Claim;
pub use layers::{Effective, effective};
pub use model::*;
pub use names::Names;
pub use notation::{Misread, Notation};
pub use sections::{Section, sections};
pub use types::{ShownType, Type, TypeDef, TypeId, TypeKind, Types};
pub use value::{Value, divide_down};

use crate::numbers::Tree;
use crate::report::Fault;

/// What is decided before a game begins.
#[derive(Debug, Clone, Copy)]
pub struct Choice<'a> {
    /// Number of players; `None` is the fewest.
    pub players: Option<u32>,
    /// Numbers, options and rulings.
    pub numbers: &'a Tree,
}

/// Binds the items of a ruleset, and the examples given with it, for one choice.
pub fn bind(items: &Effective<'_>, examples: &[&Section<'_>], choice: Choice<'_>, faults: &mut Vec<Fault>) -> Bound {
    let mut binder = binder::Binder::new(items, choice);
    binder.declare();
    binder.bind_rules();
    binder.bind_examples(examples);
    let (bound, mut found) = binder.finish();
    faults.append(&mut found);
    bound
}
