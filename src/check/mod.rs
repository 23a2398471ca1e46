//! Bound ruleset → checked ruleset: every expression has a type, the flow is sound, nothing hidden leaks.
//!
//! [`check`] looks at one choice of players, numbers, options and rulings; [`ruleset`] goes through all
//! the choices that a ruleset offers and reports each fault once.

mod access;
mod aggregates;
mod allow;
mod arithmetic;
mod checker;
mod choices;
mod chosen;
mod constants;
mod dump;
mod expressions;
mod fit;
mod flow;
mod functions;
mod hidden;
mod lints;
mod nesting;
mod presence;
mod rules;
mod ruleset;
mod statements;
mod visibility;

pub use allow::{Allowed, allowed};
pub use choices::{decided, each_choice, other_readings};
pub use chosen::chosen;
pub use dump::dump;
pub use ruleset::{Report, ruleset};

use crate::bind::{Bound, Type};
use crate::report::Fault;

/// A ruleset that can be played: bound, and with a type for every expression and local.
#[derive(Debug, Clone)]
pub struct Checked {
    /// The ruleset; members of several types are decided.
    pub bound: Bound,
    /// By [`crate::bind::ExprId`].
    pub types: Vec<Type>,
    /// By [`crate::bind::LocalId`].
    pub locals: Vec<Type>,
}

/// Checks one choice.
pub fn check(bound: Bound, faults: &mut Vec<Fault>) -> Checked {
    let nested = nesting::check(&bound, faults);
    let mut checker = checker::Checker::new(bound, nested);
    checker.declarations();
    let checker::Checker { bound, faults: found, types, locals, .. } = checker;
    faults.extend(found);
    let folder = constants::Folder::new(&bound, &types);
    if !nested {
        presence::check(&folder, faults);
        flow::check(&bound, faults);
        visibility::check(&bound, faults);
    }
    if faults.iter().all(|fault| !fault.is_error()) {
        lints::check(&folder, faults);
    }
    Checked { bound, types, locals }
}
