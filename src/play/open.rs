//! Which arguments of an action everybody learns, although the action also touches something hidden: a card that is
//! played from a hidden hand to where all see it.
//!
//! An argument is open if every way through the effect puts it where everybody sees it and leaves it there: as the
//! value of a public state, or as an index of one. Where that cannot be shown, the argument stays covered: a replay
//! must not tell a secret.

use crate::ast::AssignOp;
use crate::bind::walk::statement_blocks;
use crate::bind::{ActionId, Block, Bound, DrawPlace, Expr, ExprId, LocalId, StateId, Statement, Visibility};

/// Phases that call each other are followed so deep.
const DEEPEST: usize = 16;

/// The places of the parameters that are open.
pub(super) fn open_arguments(bound: &Bound, action: ActionId) -> Vec<usize> {
    let action = bound.action(action);
    let mut writes = Vec::new();
    collect(bound, &action.effect, &mut writes, 0);
    let effect = Effect { bound, writes };
    let is_open = |param: LocalId| effect.discloses(&action.effect, &[param], 0);
    action.params.iter().enumerate().filter(|(_, (param, _))| is_open(*param)).map(|(nth, _)| nth).collect()
}

/// Everything that an effect writes, with the phases that it calls.
fn collect(bound: &Bound, block: &Block, writes: &mut Vec<(StateId, AssignOp)>, depth: usize) {
    for (statement, _) in &block.statements {
        match statement {
            Statement::Assign(place, op, value) => {
                writes.extend(head(bound, *place).map(|state| (state, *op)));
                if *op == AssignOp::Exchange {
                    writes.extend(head(bound, *value).map(|state| (state, *op)));
                }
            }
            Statement::Draw(draw) => {
                let taken = draw.takes.then(|| head(bound, draw.from)).flatten();
                let given = match draw.place {
                    DrawPlace::State(place) => head(bound, place),
                    DrawPlace::Local(_) => None,
                };
                writes.extend(taken.into_iter().chain(given).map(|state| (state, AssignOp::Exchange)));
            }
            Statement::Call(phase, _) if depth < DEEPEST => {
                collect(bound, &bound.phase(*phase).body, writes, depth + 1);
            }
            _ => {}
        }
        statement_blocks(statement).into_iter().for_each(|block| collect(bound, block, writes, depth));
    }
}

struct Effect<'b> {
    bound: &'b Bound,
    writes: Vec<(StateId, AssignOp)>,
}

impl Effect<'_> {
    /// Does every way through a block show what these locals, which are all the same, hold?
    fn discloses(&self, block: &Block, same: &[LocalId], depth: usize) -> bool {
        let mut same = same.to_vec();
        for (statement, _) in &block.statements {
            let shown = match statement {
                Statement::Let(local, value) => {
                    if self.is_one_of(*value, &same) {
                        same.push(*local);
                    }
                    false
                }
                Statement::Assign(place, op, value) => {
                    let is_value = self.is_one_of(*value, &same);
                    let state = head(self.bound, *place);
                    let tells = is_value || self.indices(*place).iter().any(|index| self.is_one_of(*index, &same));
                    tells && state.is_some_and(|state| self.is_public(state) && self.stays(state, *op))
                }
                Statement::If(_, then, otherwise) => {
                    self.discloses(then, &same, depth) && self.discloses(otherwise, &same, depth)
                }
                Statement::Call(phase, args) if depth < DEEPEST => {
                    let phase = self.bound.phase(*phase);
                    let given = phase.params.iter().zip(args).filter(|(_, arg)| self.is_one_of(**arg, &same));
                    let given: Vec<LocalId> = given.map(|(param, _)| *param).collect();
                    !given.is_empty() && self.discloses(&phase.body, &given, depth + 1)
                }
                _ => false,
            };
            if shown {
                return true;
            }
        }
        false
    }

    fn is_one_of(&self, value: ExprId, same: &[LocalId]) -> bool {
        matches!(self.bound.expr(value).kind, Expr::Local(local) if same.contains(&local))
    }

    fn is_public(&self, state: StateId) -> bool {
        self.bound.state(state).seen == Visibility::Public
    }

    /// Is what is written still there at the end? Nothing else is written there, or only more of the same kind.
    fn stays(&self, state: StateId, op: AssignOp) -> bool {
        let mut all = self.writes.iter().filter(|(other, _)| *other == state);
        let alike = matches!(op, AssignOp::Add | AssignOp::Take);
        all.clone().count() == 1 || (alike && all.all(|(_, other)| *other == op))
    }

    fn indices(&self, place: ExprId) -> Vec<ExprId> {
        match &self.bound.expr(place).kind {
            Expr::Index(base, args) => self.indices(*base).into_iter().chain(args.iter().copied()).collect(),
            _ => Vec::new(),
        }
    }
}

/// The state that a place is part of.
fn head(bound: &Bound, place: ExprId) -> Option<StateId> {
    match bound.expr(place).kind {
        Expr::State(state) => Some(state),
        Expr::Index(base, _) => head(bound, base),
        _ => None,
    }
}
