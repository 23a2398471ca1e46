//! The budget of the reference evaluator. Every expression that is evaluated and every member that is visited costs a
//! step, so nothing that a ruleset says can keep a command busy for ever.
//!
//! Each question from outside has a whole budget. While a flow is played, so has each decision, with all that follows
//! from it up to the next one.

use std::cell::Cell;

use super::{Game, Try, trouble};
use crate::limits;
use crate::report::Span;

/// Members that are copied or compared for one step.
const AT_ONCE: u64 = 8;

/// The steps of a game.
#[derive(Debug)]
pub(super) struct Fuel {
    left: Cell<u64>,
    /// The whole budget.
    most: u64,
    /// Has each question a budget of its own? Otherwise there is one for all of them.
    is_for_each: bool,
    /// Is a question being answered?
    inside: Cell<bool>,
}

/// A question that is being answered.
pub(super) struct Question<'f>(Option<&'f Fuel>);

impl Drop for Question<'_> {
    fn drop(&mut self) {
        if let Some(fuel) = self.0 {
            fuel.inside.set(false);
        }
    }
}

impl Default for Fuel {
    fn default() -> Self {
        Self { left: Cell::new(0), most: limits::REFERENCE_STEPS, is_for_each: true, inside: Cell::new(false) }
    }
}

impl Fuel {
    /// So many steps in all, and no more.
    pub(super) fn once(steps: u64) -> Self {
        Self { left: Cell::new(steps), most: steps, is_for_each: false, inside: Cell::new(false) }
    }

    /// A question begins: one from outside has a whole budget, one that another leads to has what is left.
    pub(super) fn question(&self) -> Question<'_> {
        if self.inside.replace(true) {
            return Question(None);
        }
        self.renew();
        Question(Some(self))
    }

    /// The steps that are left.
    pub(super) fn left(&self) -> u64 {
        self.left.get()
    }

    /// Something was decided: the budget begins anew.
    pub(super) fn renew(&self) {
        if self.is_for_each {
            self.left.set(self.most);
        }
    }
}

impl Game<'_> {
    /// Takes so many steps.
    pub(super) fn spend(&self, steps: u64, span: Span) -> Try<()> {
        match self.fuel.left.get().checked_sub(steps) {
            Some(left) => {
                self.fuel.left.set(left);
                Ok(())
            }
            None => {
                self.fuel.left.set(0);
                let most = limits::shown(self.fuel.most);
                trouble(span, format!("this takes more than {most} steps of the reference evaluator: it may never end"))
            }
        }
    }

    /// Takes the steps that it costs to copy or compare so many members.
    pub(super) fn spend_on(&self, members: usize, span: Span) -> Try<()> {
        self.spend(members as u64 / AT_ONCE, span)
    }
}
