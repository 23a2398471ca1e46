//! Every expression and statement that playing evaluates, with the named part of the rules that it is in.
//!
//! Invariants, views and phrases are left out. An example cannot break an invariant that holds, and it does not ask
//! what a view or a phrase shows.

use std::collections::BTreeSet;

use crate::ast::{Aggregate, BinaryOp};
use crate::bind::walk::{parts, statement_blocks};
use crate::bind::{Action, Bind, Block, Bound, Draw, DrawPlace, Expr, ExprId, LocalId, Statement};
use crate::report::Span;

/// What an expression is for.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Role {
    /// Nothing special.
    Value,
    /// What members must satisfy: after `where`, or the body of a quantifier.
    Where,
    /// A requirement's condition.
    Require,
    /// What decides before the game whether something is there.
    Guard,
    /// Of `if`.
    Branch,
    /// Of `until`.
    Until,
    /// A side of `and`.
    Conjunct,
    /// A side of `or`.
    Disjunct,
    /// What a variable or parameter runs over.
    Domain(LocalId),
    /// The seat at which a round begins.
    Start,
    /// What rows are sorted by.
    Key,
    /// What a winner has most of.
    WinnerKey,
    /// What a place in an award is worth.
    Pay,
    /// What an action with these parameters costs.
    Cost(Vec<LocalId>),
}

/// An expression that is evaluated.
#[derive(Debug, Clone)]
pub(super) struct Place {
    pub(super) id: ExprId,
    /// The named part of the rules: `walk.passage`, `def open`.
    pub(super) part: String,
    pub(super) role: Role,
    /// Variables and parameters that have a value here.
    pub(super) scope: Vec<LocalId>,
    /// The variable that is `me` here.
    pub(super) acting: Option<LocalId>,
}

/// A statement.
#[derive(Debug, Clone)]
pub(super) struct Step<'b> {
    pub(super) statement: &'b Statement,
    pub(super) span: Span,
    pub(super) part: String,
}

/// All of them, in the order of the tables.
#[derive(Debug, Default)]
pub(super) struct Places<'b> {
    pub(super) exprs: Vec<Place>,
    pub(super) steps: Vec<Step<'b>>,
}

pub(super) fn all(bound: &Bound) -> Places<'_> {
    let mut walk = Walk {
        bound,
        found: Places::default(),
        part: String::new(),
        scope: Vec::new(),
        acting: None,
        named: BTreeSet::new(),
    };
    walk.rules();
    // Definitions and awards that these use, and those that they use in turn.
    let mut walked = BTreeSet::new();
    while let Some(name) = walk.named.iter().find(|name| !walked.contains(*name)).copied() {
        walked.insert(name);
        walk.body_of(name);
    }
    walk.found
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Named {
    Def(usize),
    Award(usize),
    Scores,
}

struct Walk<'b> {
    bound: &'b Bound,
    found: Places<'b>,
    part: String,
    scope: Vec<LocalId>,
    acting: Option<LocalId>,
    named: BTreeSet<Named>,
}

impl<'b> Walk<'b> {
    fn rules(&mut self) {
        let bound = self.bound;
        for state in &bound.states {
            self.begin(format!("state {}", state.name), &[]);
            self.scope.extend(state.index_locals.iter().flatten());
            // Nothing else speaks of a state that its guard rules out, so the guard changes no game.
            self.optional(state.init, &Role::Value);
        }
        for region in &bound.regions {
            let name = bound.types.get(region.ty).name.clone();
            self.begin(format!("regions {name}"), &[]);
            self.bind(&region.of);
            self.begin(format!("regions {name}"), &region.pair);
            self.expr(region.joined, &Role::Value);
        }
        if let Some(flow) = &bound.flow {
            self.begin("flow".to_owned(), &[]);
            self.block(flow);
        }
        for phase in bound.phases.iter().filter(|phase| phase.used) {
            self.begin(format!("phase {}", phase.name), &phase.params);
            self.block(&phase.body);
        }
        for action in &bound.actions {
            self.action(action);
        }
        self.named.insert(Named::Scores);
        for winner in &bound.winners {
            self.begin("winner".to_owned(), &[winner.param]);
            self.optional(winner.guard, &Role::Guard);
            winner.keys.iter().for_each(|key| self.expr(*key, &Role::WinnerKey));
        }
    }

    fn body_of(&mut self, name: Named) {
        let bound = self.bound;
        match name {
            Named::Def(at) => {
                let def = &bound.defs[at];
                self.begin(format!("def {}", def.name), &def.params);
                self.expr(def.body, &Role::Value);
            }
            Named::Award(at) => {
                let award = &bound.awards[at];
                self.begin(format!("award {}", award.name), &award.params);
                self.expr(award.by, &Role::Value);
                award.pays.iter().for_each(|pay| self.expr(*pay, &Role::Pay));
                award.ties.iter().for_each(|(_, guard)| self.optional(*guard, &Role::Guard));
                award.alone.iter().for_each(|guard| self.optional(*guard, &Role::Guard));
            }
            Named::Scores => {
                for score in &bound.scores {
                    self.begin("score".to_owned(), &[score.param]);
                    self.optional(score.guard, &Role::Guard);
                    self.expr(score.body, &Role::Value);
                }
            }
        }
    }

    fn action(&mut self, action: &'b Action) {
        let params: Vec<LocalId> = action.params.iter().map(|(local, _)| *local).collect();
        self.begin(format!("action {}", action.name), &[]);
        for (local, within) in &action.params {
            self.optional(*within, &Role::Domain(*local));
            self.scope.push(*local);
        }
        for price in &action.costs {
            if let Some(each) = &price.each {
                self.bind(each);
            }
            self.written(price.place);
            self.expr(price.amount, &Role::Cost(params.clone()));
            self.scope.truncate(params.len());
        }
        self.block(&action.effect);
        for requirement in &action.requirements {
            self.begin(format!("{}.{}", action.name, requirement.name), &params);
            self.optional(requirement.guard, &Role::Guard);
            self.expr(requirement.condition, &Role::Require);
        }
    }

    fn begin(&mut self, part: String, scope: &[LocalId]) {
        self.part = part;
        self.scope = scope.to_vec();
        self.acting = None;
    }

    fn optional(&mut self, id: Option<ExprId>, role: &Role) {
        id.into_iter().for_each(|id| self.expr(id, role));
    }

    /// The domain and condition of a variable, which stays in scope.
    fn bind(&mut self, bind: &Bind) {
        let role = if bind.clockwise { Role::Start } else { Role::Domain(bind.local) };
        self.expr(bind.domain, &role);
        self.scope.push(bind.local);
        self.optional(bind.condition, &Role::Where);
    }

    fn expr(&mut self, id: ExprId, role: &Role) {
        let kind = &self.bound.expr(id).kind;
        let (part, scope) = (self.part.clone(), self.scope.clone());
        self.found.exprs.push(Place { id, part, role: role.clone(), scope, acting: self.acting });
        let depth = self.scope.len();
        match kind {
            Expr::Binary(op @ (BinaryOp::And | BinaryOp::Or), left, right) => {
                let role = if *op == BinaryOp::And { Role::Conjunct } else { Role::Disjunct };
                self.expr(*left, &role);
                self.expr(*right, &role);
            }
            Expr::If(condition, then, otherwise) => {
                self.expr(*condition, &Role::Branch);
                self.expr(*then, &Role::Value);
                self.expr(*otherwise, &Role::Value);
            }
            Expr::Aggregate(which, binds, body, by) => {
                binds.iter().for_each(|bind| self.bind(bind));
                let is_condition = !matches!(which, Aggregate::Sum | Aggregate::Min | Aggregate::Max);
                self.optional(*body, if is_condition { &Role::Where } else { &Role::Value });
                by.iter().for_each(|key| self.expr(*key, &Role::Key));
            }
            Expr::SetOf(bind) | Expr::ListOf(bind) => self.bind(bind),
            Expr::Index(base, args) => {
                // A whole state or number is no value.
                if !matches!(self.bound.expr(*base).kind, Expr::State(_) | Expr::Number(_)) {
                    self.expr(*base, &Role::Value);
                }
                args.iter().for_each(|arg| self.expr(*arg, &Role::Value));
            }
            kind => {
                match kind {
                    Expr::Def(def, _) => self.named.insert(Named::Def(def.at())),
                    Expr::Award(award, _) => self.named.insert(Named::Award(award.at())),
                    _ => false,
                };
                parts(kind).into_iter().for_each(|part| self.expr(part, &Role::Value));
            }
        }
        self.scope.truncate(depth);
    }

    /// A place that is written to: only its indices are evaluated.
    fn written(&mut self, place: ExprId) {
        if let Expr::Index(_, args) = &self.bound.expr(place).kind {
            args.iter().for_each(|arg| self.expr(*arg, &Role::Value));
        }
    }

    fn block(&mut self, block: &'b Block) {
        let depth = self.scope.len();
        for (statement, span) in &block.statements {
            self.found.steps.push(Step { statement, span: *span, part: self.part.clone() });
            let outside = (self.scope.len(), self.acting);
            self.statement(statement);
            if let Statement::Turn(who, _) = statement {
                self.acting = match &self.bound.expr(*who).kind {
                    Expr::Local(local) => Some(*local),
                    _ => None,
                };
            }
            for inner in statement_blocks(statement) {
                self.block(inner);
            }
            self.acting = outside.1;
            // A `let` or a drawn local stays to the end of its block.
            if !matches!(statement, Statement::Let(..) | Statement::Draw(_)) {
                self.scope.truncate(outside.0);
            }
        }
        self.scope.truncate(depth);
    }

    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Let(local, value) => {
                self.expr(*value, &Role::Value);
                self.scope.push(*local);
            }
            Statement::Assign(place, op, value) => {
                self.written(*place);
                match op {
                    crate::ast::AssignOp::Exchange => self.written(*value),
                    _ => self.expr(*value, &Role::Value),
                }
            }
            Statement::If(condition, ..) => self.expr(*condition, &Role::Branch),
            Statement::For(binds, by, _) => {
                binds.iter().for_each(|bind| self.bind(bind));
                by.iter().for_each(|key| self.expr(*key, &Role::Key));
            }
            Statement::Repeat(until, _) => self.optional(*until, &Role::Until),
            Statement::Cycle(bind, until, _) => {
                self.optional(*until, &Role::Until);
                self.bind(bind);
            }
            Statement::Turn(who, _) => self.expr(*who, &Role::Value),
            Statement::Draw(draw) => self.draw(draw),
            Statement::Choose(choose) => {
                self.optional(choose.who, &Role::Value);
                for (_, args, _) in &choose.offers {
                    args.iter().for_each(|arg| self.expr(*arg, &Role::Value));
                }
            }
            Statement::Call(_, args) => args.iter().for_each(|arg| self.expr(*arg, &Role::Value)),
            // Who sees what changes nothing of the game.
            Statement::Reveal(..) | Statement::End => {}
        }
    }

    fn draw(&mut self, draw: &Draw) {
        if let DrawPlace::State(place) = draw.place {
            self.written(place);
        }
        if draw.takes {
            self.written(draw.from);
        } else {
            self.expr(draw.from, &draw.candidate.map_or(Role::Value, Role::Domain));
        }
        let depth = self.scope.len();
        self.scope.extend(draw.candidate);
        self.optional(draw.condition, &Role::Where);
        self.scope.truncate(depth);
        if let DrawPlace::Local(local) = draw.place {
            self.scope.push(local);
        }
    }
}
