//! The bound ruleset: the same game with every name an id.
//!
//! Declarations live in tables, expressions in one arena ([`ExprId`]), so that later stages can keep
//! what they find out (types, constants, who may see it) in tables beside it.

mod data;
mod example;
mod expr;
mod flow;
mod rules;

pub use data::*;
pub use example::*;
pub use expr::*;
pub use flow::*;
pub use rules::*;

use super::types::Types;

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident;)*) => {
        $($(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u32);

        impl $name {
            /// The place in its table.
            #[must_use]
            pub fn at(self) -> usize {
                self.0 as usize
            }
        })*
    };
}

ids! {
    /// An expression.
    ExprId;
    /// A parameter, loop variable or `let`.
    LocalId;
    /// A number of the TOML, rulings and options included.
    NumberId;
    /// A state.
    StateId;
    /// A definition.
    DefId;
    /// An action.
    ActionId;
    /// A phase.
    PhaseId;
    /// An award.
    AwardId;
}

/// A whole ruleset for one number of players and one choice of numbers, options and rulings.
#[derive(Debug, Clone, Default)]
pub struct Bound {
    /// Its name: the game's, or the variant's after a colon.
    pub name: String,
    /// Its title.
    pub title: String,
    /// The seats of this game.
    pub players: Players,
    /// Sources that may be cited.
    pub sources: Vec<Source>,
    /// Named types.
    pub types: Types,
    /// Numbers, options and rulings.
    pub numbers: Vec<Number>,
    /// Columns of tables.
    pub columns: Vec<Column>,
    /// What changes.
    pub states: Vec<State>,
    /// Definitions.
    pub defs: Vec<Def>,
    /// Decisions.
    pub rulings: Vec<Ruling>,
    /// Partitions.
    pub regions: Vec<Region>,
    /// Actions.
    pub actions: Vec<Action>,
    /// Awards.
    pub awards: Vec<Award>,
    /// Phases.
    pub phases: Vec<Phase>,
    /// The flow.
    pub flow: Option<Block>,
    /// What a seat's score is.
    pub scores: Vec<Score>,
    /// Who wins.
    pub winners: Vec<Winner>,
    /// What always holds.
    pub invariants: Vec<Invariant>,
    /// How it is drawn.
    pub views: Vec<View>,
    /// Worked examples of this choice.
    pub examples: Vec<Example>,
    /// All expressions.
    pub exprs: Vec<ExprNode>,
    /// All locals.
    pub locals: Vec<Local>,
}

impl Bound {
    /// An expression.
    #[must_use]
    pub fn expr(&self, id: ExprId) -> &ExprNode {
        // INVARIANT: ids are made by the binder for this table only; so in all accessors below.
        &self.exprs[id.at()]
    }

    /// A number.
    #[must_use]
    pub fn number(&self, id: NumberId) -> &Number {
        &self.numbers[id.at()]
    }

    /// A state.
    #[must_use]
    pub fn state(&self, id: StateId) -> &State {
        &self.states[id.at()]
    }

    /// A definition.
    #[must_use]
    pub fn def(&self, id: DefId) -> &Def {
        &self.defs[id.at()]
    }

    /// An action.
    #[must_use]
    pub fn action(&self, id: ActionId) -> &Action {
        &self.actions[id.at()]
    }

    /// A phase.
    #[must_use]
    pub fn phase(&self, id: PhaseId) -> &Phase {
        &self.phases[id.at()]
    }

    /// An award.
    #[must_use]
    pub fn award(&self, id: AwardId) -> &Award {
        &self.awards[id.at()]
    }

    /// A local.
    #[must_use]
    pub fn local(&self, id: LocalId) -> &Local {
        &self.locals[id.at()]
    }
}
