//! Hidden state: a value may flow only where no more may see it than may see the value.
//!
//! A *secret* is a hidden state that an expression reads, with whose secret it is as far as that can be
//! seen: `task[me]` is `me`'s, `task[p]` is `p`'s, `deck` is nobody's. Definitions are looked into, with
//! their parameters replaced by what they are called with.

use std::cell::Cell;
use std::collections::HashMap;

use super::hidden;
use crate::ast::{AssignOp, BinaryOp};
use crate::bind::walk::{bind_parts, parts, statement_blocks};
use crate::bind::{
    Block, Bound, Draw, DrawPlace, Expr, ExprId, Function, LocalId, PhaseId, PhrasePart, StateId, Statement, Visibility,
};
use crate::limits;
use crate::report::{Fault, Span, codes};

/// Whose secret it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Whose {
    Me,
    Seat(LocalId),
    /// A seat by its number.
    Fixed(u32),
    Nobody,
    Unclear,
}

/// Where a secret comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Origin {
    /// A hidden state.
    State(StateId),
    /// A draw that not everybody sees, from this.
    Draw(ExprId),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Secret {
    of: Origin,
    whose: Whose,
}

/// What is known of locals: whose seat they are, and which secrets they carry.
#[derive(Debug, Clone, Default)]
struct Env {
    seats: HashMap<LocalId, Whose>,
    secrets: HashMap<LocalId, Vec<Secret>>,
    revealed: Vec<StateId>,
    /// Whose turn it is: the same as `me`.
    turn: Option<Whose>,
}

/// Checks requirements, effects, the flow and the result.
pub(super) fn check(bound: &Bound, faults: &mut Vec<Fault>) {
    let mut checker = Secrets { bound, faults, steps: Cell::new(limits::SECRET_STEPS) };
    checker.actions();
    let mut env = Env::default();
    if let Some(flow) = &bound.flow {
        checker.block(flow, &mut env, true);
    }
    // Phases are looked at where they are played; those that nobody plays, on their own.
    for phase in bound.phases.iter().filter(|phase| !phase.used) {
        checker.block(&phase.body, &mut Env::default(), true);
    }
    checker.results();
    if checker.steps.get() == 0 {
        checker.faults.extend(hidden::unclear(bound));
    }
}

struct Secrets<'a> {
    bound: &'a Bound,
    faults: &'a mut Vec<Fault>,
    steps: Cell<u32>,
}

impl Secrets<'_> {
    fn actions(&mut self) {
        for action in &self.bound.actions {
            let mut read: Vec<ExprId> = action.params.iter().filter_map(|(_, within)| *within).collect();
            read.extend(action.costs.iter().map(|price| price.amount));
            for requirement in &action.requirements {
                read.push(requirement.condition);
                let parts = requirement.phrase.iter().flat_map(|phrase| &phrase.parts);
                read.extend(
                    parts.filter_map(|part| if let PhrasePart::Value(value) = part { Some(*value) } else { None }),
                );
            }
            for expr in read {
                let secrets = self.secrets(expr, &Env::default(), 0);
                if let Some(secret) = secrets.iter().find(|secret| secret.whose != Whose::Me) {
                    let (name, span) = self.origin(secret.of);
                    self.faults.push(
                        Fault::new(
                            &codes::HIDDEN_REQUIREMENT,
                            self.bound.expr(expr).span,
                            format!("`{}` depends on `{}`, which its player may not see", action.name, name),
                        )
                        .label("reads hidden state")
                        .also(span, "hidden here")
                        .help("a requirement may read what everybody sees, and what `me` owns"),
                    );
                }
            }
            self.block(&action.effect, &mut Env::default(), false);
        }
    }

    fn block(&mut self, block: &Block, env: &mut Env, in_flow: bool) {
        for (statement, _) in &block.statements {
            self.statement(statement, env, in_flow);
        }
    }

    fn statement(&mut self, statement: &Statement, env: &mut Env, in_flow: bool) {
        match statement {
            Statement::Let(local, value) => {
                let secrets = self.secrets(*value, env, 0);
                env.secrets.insert(*local, secrets);
            }
            Statement::Assign(place, op, value) => {
                let secrets = self.secrets(*value, env, 0);
                if *op == AssignOp::Exchange {
                    let back = self.secrets(*place, env, 0);
                    self.write(*value, &back, env);
                }
                self.write(*place, &secrets, env);
            }
            Statement::If(condition, ..) | Statement::Repeat(Some(condition), _) => {
                self.branch(*condition, env, in_flow);
            }
            Statement::Cycle(bind, until, _) => {
                for condition in bind.condition.into_iter().chain(*until) {
                    self.branch(condition, env, in_flow);
                }
            }
            Statement::For(binds, by, _) => {
                for bind in binds {
                    let parts = bind_parts(bind);
                    let secrets: Vec<Secret> = parts.iter().flat_map(|part| self.secrets(*part, env, 0)).collect();
                    parts.iter().for_each(|part| self.branch(*part, env, in_flow));
                    env.secrets.insert(bind.local, secrets);
                }
                by.iter().for_each(|key| self.branch(*key, env, in_flow));
            }
            Statement::Draw(draw) => self.draw(draw, env),
            Statement::Reveal(state, args) if args.is_empty() => env.revealed.push(*state),
            Statement::Call(phase, args) => self.call(*phase, args, env, in_flow),
            _ => {}
        }
        if let Statement::Turn(who, body) = statement {
            let before = env.turn.replace(self.whose(*who, env));
            self.block(body, env, in_flow);
            env.turn = before;
            return;
        }
        // What is revealed in a branch is not revealed for certain.
        let revealed = env.revealed.clone();
        for inner in statement_blocks(statement) {
            self.block(inner, env, in_flow);
            env.revealed.retain(|state| revealed.contains(state));
        }
    }

    /// A phase is looked at where it is played, knowing whose secrets it is given and what has been revealed.
    fn call(&mut self, phase: PhaseId, args: &[ExprId], env: &mut Env, in_flow: bool) {
        let phase = self.bound.phase(phase);
        let mut inner = Env { revealed: env.revealed.clone(), turn: env.turn, ..Env::default() };
        for (param, arg) in phase.params.iter().zip(args) {
            inner.seats.insert(*param, self.whose(*arg, env));
            inner.secrets.insert(*param, self.secrets(*arg, env, 0));
        }
        if let Some(left) = self.steps.get().checked_sub(1) {
            self.steps.set(left);
            self.block(&phase.body, &mut inner, in_flow);
            env.revealed = inner.revealed;
        }
    }

    /// What is drawn is seen by whom the draw says; otherwise by everybody.
    fn draw(&mut self, draw: &Draw, env: &mut Env) {
        let of = self.head(draw.from).map_or(Origin::Draw(draw.from), Origin::State);
        let whose = match draw.seen_by {
            None if draw.hidden => Some(Whose::Nobody),
            None => None,
            Some(seat) => Some(self.whose(seat, env)),
        };
        let secrets: Vec<Secret> = whose.map(|whose| Secret { of, whose }).into_iter().collect();
        match draw.place {
            DrawPlace::Local(local) => {
                env.secrets.insert(local, secrets);
            }
            DrawPlace::State(place) => self.write(place, &secrets, env),
        }
    }

    /// What is written must not be seen by more than may see the value, nor may the place tell a secret.
    fn write(&mut self, place: ExprId, secrets: &[Secret], env: &mut Env) {
        let Some(id) = self.head(place) else { return };
        let (owner, indices) = match &self.bound.expr(place).kind {
            Expr::Index(_, args) => (args.first().map(|&seat| self.whose(seat, env)), args.clone()),
            _ => (None, Vec::new()),
        };
        let told: Vec<Secret> = indices.iter().flat_map(|index| self.secrets(*index, env, 0)).collect();
        let target = self.bound.state(id);
        let leak = secrets.iter().chain(&told).find(|secret| match target.seen {
            Visibility::Public => true,
            Visibility::Owner => owner != Some(secret.whose) || secret.whose == Whose::Unclear,
            Visibility::Nobody => false,
        });
        if let Some(secret) = leak {
            let (name, span) = self.origin(secret.of);
            self.faults.push(
                Fault::new(
                    &codes::HIDDEN_FLOW,
                    self.bound.expr(place).span,
                    format!("`{}` would show what `{}` hides", target.name, name),
                )
                .label(format!("more may see `{}` than `{}`", target.name, name))
                .also(span, "hidden here")
                .help("hide the target too (`seen by …`), or `reveal` the source first"),
            );
        }
        // What is written after a `reveal` is hidden again.
        env.revealed.retain(|revealed| *revealed != id);
    }

    /// In an effect a player may use his own secrets; in the flow everybody watches.
    fn branch(&mut self, condition: ExprId, env: &Env, in_flow: bool) {
        let secrets = self.secrets(condition, env, 0);
        if let Some(secret) = secrets.iter().find(|secret| in_flow || secret.whose != Whose::Me) {
            let (name, span) = self.origin(secret.of);
            self.faults.push(
                Fault::new(
                    &codes::HIDDEN_BRANCH,
                    self.bound.expr(condition).span,
                    format!("the flow depends on `{name}`, which is hidden"),
                )
                .label("what happens next tells the others something")
                .also(span, "hidden here")
                .help("if the rulebook wants it so, say `# allow check::hidden-branch: why`"),
            );
        }
    }

    /// Scores and winners are public: what they read must be, or have been revealed.
    fn results(&mut self) {
        let mut revealed = Vec::new();
        let mut note = |block: &Block| {
            crate::bind::walk::each_statement(block, &mut |statement, _| {
                if let Statement::Reveal(state, _) = statement {
                    revealed.push(*state);
                }
            });
        };
        self.bound.flow.iter().for_each(&mut note);
        self.bound.phases.iter().filter(|phase| phase.used).for_each(|phase| note(&phase.body));
        let mut results: Vec<ExprId> = self.bound.scores.iter().map(|score| score.body).collect();
        // `by score(p)` is told by the score itself.
        let own = |key: &ExprId| !matches!(self.bound.expr(*key).kind, Expr::Score(_));
        results.extend(self.bound.winners.iter().flat_map(|winner| winner.keys.iter().copied()).filter(own));
        for result in results {
            let secrets = self.secrets(result, &Env::default(), 0);
            if let Some(secret) =
                secrets.iter().find(|secret| !matches!(secret.of, Origin::State(state) if revealed.contains(&state)))
            {
                let (name, span) = self.origin(secret.of);
                self.faults.push(
                    Fault::new(
                        &codes::HIDDEN_SCORE,
                        self.bound.expr(result).span,
                        format!("the result depends on `{name}`, which stays hidden"),
                    )
                    .label("everybody sees the result")
                    .also(span, "hidden here")
                    .help(format!("`reveal {name}` in the flow before the end")),
                );
            }
        }
    }

    /// A secret's name and place.
    fn origin(&self, of: Origin) -> (String, Span) {
        match of {
            Origin::State(id) => {
                let state = self.bound.state(id);
                (state.name.clone(), state.span)
            }
            Origin::Draw(from) => ("the draw".to_owned(), self.bound.expr(from).span),
        }
    }

    /// The state that a place begins with.
    fn head(&self, place: ExprId) -> Option<StateId> {
        match self.bound.expr(place).kind {
            Expr::State(state) => Some(state),
            Expr::Index(base, _) => self.head(base),
            _ => None,
        }
    }

    fn whose(&self, seat: ExprId, env: &Env) -> Whose {
        let whose = match &self.bound.expr(seat).kind {
            Expr::Me => Whose::Me,
            Expr::Local(local) => env.seats.get(local).copied().unwrap_or(Whose::Seat(*local)),
            Expr::Member(candidates) => candidates.first().map_or(Whose::Unclear, |(_, seat)| Whose::Fixed(*seat)),
            Expr::Function(Function::Seat, args) => match args.first().map(|arg| &self.bound.expr(*arg).kind) {
                Some(Expr::Int(seat)) => u32::try_from(seat - 1).map_or(Whose::Unclear, Whose::Fixed),
                _ => Whose::Unclear,
            },
            _ => Whose::Unclear,
        };
        if whose != Whose::Unclear && env.turn == Some(whose) { Whose::Me } else { whose }
    }

    fn secrets(&self, id: ExprId, env: &Env, depth: usize) -> Vec<Secret> {
        let mut found = self.all_secrets(id, env, depth);
        found.sort();
        found.dedup();
        found
    }

    fn all_secrets(&self, id: ExprId, env: &Env, depth: usize) -> Vec<Secret> {
        let mut found = Vec::new();
        let Some(left) = self.steps.get().checked_sub(1) else { return found };
        self.steps.set(left);
        let kind = &self.bound.expr(id).kind;
        if self.only_counts(kind) {
            return found;
        }
        match kind {
            Expr::Local(local) => found.extend(env.secrets.get(local).into_iter().flatten()),
            Expr::State(state) => found.extend(self.secret(*state, None, env)),
            Expr::Index(base, args) => {
                if let Expr::State(state) = self.bound.expr(*base).kind {
                    found.extend(self.secret(state, args.first().copied(), env));
                    found.extend(args.iter().flat_map(|arg| self.secrets(*arg, env, depth)));
                    return found;
                }
            }
            Expr::Def(def, args) if depth < limits::CHAIN => {
                let def = self.bound.def(*def);
                let mut inner = Env { revealed: env.revealed.clone(), turn: env.turn, ..Env::default() };
                for (param, arg) in def.params.iter().zip(args) {
                    inner.seats.insert(*param, self.whose(*arg, env));
                    inner.secrets.insert(*param, self.secrets(*arg, env, depth));
                }
                found.extend(self.secrets(def.body, &inner, depth + 1));
                return found;
            }
            Expr::Score(_) if depth < limits::CHAIN => {
                let bodies = self.bound.scores.iter().map(|score| score.body);
                let inner = Env { revealed: env.revealed.clone(), ..Env::default() };
                found.extend(bodies.flat_map(|body| self.secrets(body, &inner, depth + 1)));
            }
            Expr::Award(award, args) if depth < limits::CHAIN => {
                let award = self.bound.award(*award);
                let bodies = award.pays.iter().copied().chain([award.by]);
                found.extend(bodies.flat_map(|body| self.secrets(body, &Env::default(), depth + 1)));
                found.extend(args.iter().flat_map(|arg| self.secrets(*arg, env, depth)));
                return found;
            }
            _ => {}
        }
        for part in parts(kind) {
            found.extend(self.secrets(part, env, depth));
        }
        found
    }

    /// How many cards somebody holds is seen by all: `size(hand[p])`, `deck is {}`.
    fn only_counts(&self, kind: &Expr) -> bool {
        let is_place = |id: ExprId| self.head(id).is_some();
        let is_empty =
            |id: ExprId| matches!(&self.bound.expr(id).kind, Expr::Set(items) | Expr::List(items) if items.is_empty());
        match kind {
            Expr::Function(Function::Size, args) => args.iter().all(|arg| is_place(*arg)),
            Expr::Binary(BinaryOp::Is | BinaryOp::IsNot, left, right) => is_place(*left) && is_empty(*right),
            _ => false,
        }
    }

    fn secret(&self, state: StateId, owner: Option<ExprId>, env: &Env) -> Option<Secret> {
        if env.revealed.contains(&state) {
            return None;
        }
        let whose = match (self.bound.state(state).seen, owner) {
            (Visibility::Public, _) => return None,
            (Visibility::Nobody, _) => Whose::Nobody,
            (Visibility::Owner, Some(owner)) => self.whose(owner, env),
            (Visibility::Owner, None) => Whose::Unclear,
        };
        Some(Secret { of: Origin::State(state), whose })
    }
}
