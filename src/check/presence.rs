//! What exists: parts under a guard that is false are absent, and nothing that is there may need them.

use crate::bind::walk::{bind_parts, parts, statement_blocks, statement_parts};
use crate::bind::{
    ActionId, AwardId, Block, Bound, DefId, Expr, ExprId, PhaseId, PhrasePart, StateId, Statement, Type,
};
use crate::report::{Fault, Span, codes};

use super::constants::Folder;

/// Something that may be absent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Thing {
    State(StateId),
    Def(DefId),
    Award(AwardId),
    Action(ActionId),
    Phase(PhaseId),
    /// By its place among the regions.
    Region(usize),
}

/// Guards must be constants that cover every case, and nothing present may need what is absent.
pub(super) fn check(folder: &Folder<'_>, faults: &mut Vec<Fault>) {
    guards(folder, faults);
    let mut presence = Presence { folder, bound: folder.bound, faults, missing: std::collections::HashMap::new() };
    presence.roots();
}

fn guards(folder: &Folder<'_>, faults: &mut Vec<Fault>) {
    let bound = folder.bound;
    let mut all: Vec<ExprId> = bound.states.iter().filter_map(|state| state.guard).collect();
    all.extend(
        bound.actions.iter().flat_map(|action| &action.requirements).filter_map(|requirement| requirement.guard),
    );
    all.extend(bound.scores.iter().filter_map(|score| score.guard));
    all.extend(bound.winners.iter().filter_map(|winner| winner.guard));
    all.extend(bound.invariants.iter().filter_map(|invariant| invariant.guard));
    for award in &bound.awards {
        all.extend(award.ties.iter().filter_map(|(_, guard)| *guard));
        all.extend(award.alone.iter().filter_map(|guard| *guard));
    }
    for guard in all {
        if folder.decided(guard).is_none() && folder.types[guard.at()] == Type::Bool {
            faults.push(
                Fault::new(
                    &codes::NOT_CONSTANT,
                    bound.expr(guard).span,
                    "a guard must be known before the game begins",
                )
                .label("depends on the state of the game")
                .help("use numbers, options, rulings and `players`; test the state in a requirement or in the flow"),
            );
        }
    }
    let holds = |guard: &Option<ExprId>| guard.is_none_or(|guard| folder.decided(guard) != Some(false));
    let mut covered = |word: &str, guards: Vec<Option<ExprId>>, span: Span| {
        let count = guards.iter().filter(|guard| holds(guard)).count();
        let undecided = guards.iter().flatten().any(|guard| folder.decided(*guard).is_none());
        if count != 1 && !guards.is_empty() && !undecided {
            let players = bound.players.count;
            let message = if count == 0 {
                format!("no `{word}` applies with {players} players")
            } else {
                format!("{count} times `{word}` applies at once")
            };
            faults.push(
                Fault::new(&codes::NOT_COVERED, span, message)
                    .label("exactly one must apply")
                    .help("make the guards cover every number of players, option and ruling exactly once"),
            );
        }
    };
    if let Some(first) = bound.scores.first() {
        covered("score", bound.scores.iter().map(|score| score.guard).collect(), first.span);
    }
    if let Some(first) = bound.winners.first() {
        covered("winner", bound.winners.iter().map(|winner| winner.guard).collect(), first.span);
    }
    for award in &bound.awards {
        covered("ties", award.ties.iter().map(|(_, guard)| *guard).collect(), award.span);
    }
}

struct Presence<'a> {
    folder: &'a Folder<'a>,
    bound: &'a Bound,
    faults: &'a mut Vec<Fault>,
    /// The absent state that a thing needs, if any; `None` inside while it is being worked out.
    missing: std::collections::HashMap<Thing, Option<StateId>>,
}

impl Presence<'_> {
    /// What is played, scored and always holds.
    fn roots(&mut self) {
        let bound = self.bound;
        let mut uses = Vec::new();
        if let Some(flow) = &bound.flow {
            self.block_uses(flow, &mut uses);
        }
        let present = |guard: Option<ExprId>| guard.is_none_or(|guard| self.folder.decided(guard) != Some(false));
        let mut exprs: Vec<ExprId> = Vec::new();
        exprs.extend(bound.states.iter().filter(|state| present(state.guard)).filter_map(|state| state.init));
        exprs.extend(bound.scores.iter().filter(|score| present(score.guard)).map(|score| score.body));
        exprs.extend(
            bound.winners.iter().filter(|winner| present(winner.guard)).flat_map(|winner| winner.keys.iter().copied()),
        );
        exprs.extend(
            bound.invariants.iter().filter(|invariant| present(invariant.guard)).map(|invariant| invariant.condition),
        );
        for expr in exprs {
            self.expr_uses(expr, &mut uses);
        }
        for (thing, span) in uses {
            if let Some(state) = self.needs_missing(thing) {
                self.report(thing, state, span);
            }
        }
    }

    fn report(&mut self, thing: Thing, state: StateId, span: Span) {
        let state = self.bound.state(state);
        let players = self.bound.players.count;
        let (name, is_state) = match thing {
            Thing::State(_) => (state.name.clone(), true),
            Thing::Def(id) => (self.bound.def(id).name.clone(), false),
            Thing::Award(id) => (self.bound.award(id).name.clone(), false),
            Thing::Action(id) => (self.bound.action(id).name.clone(), false),
            Thing::Phase(id) => (self.bound.phase(id).name.clone(), false),
            Thing::Region(at) => (self.bound.types.get(self.bound.regions[at].ty).name.clone(), false),
        };
        let message = if is_state {
            format!("the state `{name}` does not exist here")
        } else {
            format!("`{name}` needs the state `{}`, which does not exist here", state.name)
        };
        let guard = state.guard.map_or(state.span, |guard| self.bound.expr(guard).span);
        self.faults.push(
            Fault::new(&codes::ABSENT, span, message)
                .label(format!("used with {players} players and the options chosen"))
                .also(guard, format!("`{}` exists only if this holds", state.name))
                .help("use it under the same condition: `if … { }` in the flow, `if … then … else …` in an expression"),
        );
    }

    /// The absent state that a thing cannot do without.
    fn needs_missing(&mut self, thing: Thing) -> Option<StateId> {
        if let Some(known) = self.missing.get(&thing) {
            return *known;
        }
        self.missing.insert(thing, None);
        let found = match thing {
            Thing::State(id) => {
                let guard = self.bound.state(id).guard;
                guard.filter(|guard| self.folder.decided(*guard) == Some(false)).map(|_| id)
            }
            other => {
                let mut uses = Vec::new();
                self.thing_uses(other, &mut uses);
                uses.into_iter().find_map(|(used, _)| self.needs_missing(used))
            }
        };
        self.missing.insert(thing, found);
        found
    }

    fn thing_uses(&self, thing: Thing, uses: &mut Vec<(Thing, Span)>) {
        match thing {
            Thing::State(_) => {}
            Thing::Def(id) => self.expr_uses(self.bound.def(id).body, uses),
            Thing::Award(id) => {
                let award = self.bound.award(id);
                self.expr_uses(award.by, uses);
                award.pays.iter().for_each(|pays| self.expr_uses(*pays, uses));
            }
            Thing::Phase(id) => self.block_uses(&self.bound.phase(id).body, uses),
            Thing::Region(at) => {
                let region = &self.bound.regions[at];
                bind_parts(&region.of).into_iter().chain([region.joined]).for_each(|part| self.expr_uses(part, uses));
            }
            Thing::Action(id) => {
                let action = self.bound.action(id);
                action.params.iter().filter_map(|(_, within)| *within).for_each(|within| self.expr_uses(within, uses));
                for price in &action.costs {
                    self.expr_uses(price.place, uses);
                    self.expr_uses(price.amount, uses);
                    price.each.iter().flat_map(bind_parts).for_each(|part| self.expr_uses(part, uses));
                }
                for requirement in &action.requirements {
                    if requirement.guard.is_none_or(|guard| self.folder.decided(guard) != Some(false)) {
                        self.expr_uses(requirement.condition, uses);
                        for part in requirement.phrase.iter().flat_map(|phrase| &phrase.parts) {
                            if let PhrasePart::Value(value) = part {
                                self.expr_uses(*value, uses);
                            }
                        }
                    }
                }
                self.block_uses(&action.effect, uses);
            }
        }
    }

    fn block_uses(&self, block: &Block, uses: &mut Vec<(Thing, Span)>) {
        for (statement, span) in &block.statements {
            let decided = match statement {
                Statement::If(condition, ..) => self.folder.decided(*condition),
                _ => None,
            };
            for part in statement_parts(statement) {
                self.expr_uses(part, uses);
            }
            match statement {
                Statement::Call(phase, _) => uses.push((Thing::Phase(*phase), *span)),
                Statement::Reveal(state, _) => uses.push((Thing::State(*state), *span)),
                Statement::Choose(choose) => {
                    uses.extend(choose.offers.iter().map(|(action, _, span)| (Thing::Action(*action), *span)));
                }
                _ => {}
            }
            match (statement, decided) {
                (Statement::If(_, then, _), Some(true)) => self.block_uses(then, uses),
                (Statement::If(_, _, otherwise), Some(false)) => self.block_uses(otherwise, uses),
                _ => statement_blocks(statement).into_iter().for_each(|block| self.block_uses(block, uses)),
            }
        }
    }

    fn expr_uses(&self, id: ExprId, uses: &mut Vec<(Thing, Span)>) {
        use crate::ast::BinaryOp;
        let node = self.bound.expr(id);
        match &node.kind {
            Expr::State(state) => uses.push((Thing::State(*state), node.span)),
            Expr::Def(def, _) => uses.push((Thing::Def(*def), node.span)),
            Expr::Award(award, _) => uses.push((Thing::Award(*award), node.span)),
            Expr::Members(Type::Named(ty)) | Expr::Make(ty, _) => {
                let region = self.bound.regions.iter().position(|region| region.ty == *ty);
                uses.extend(region.map(|at| (Thing::Region(at), node.span)));
            }
            Expr::If(condition, then, otherwise) => {
                self.expr_uses(*condition, uses);
                match self.folder.decided(*condition) {
                    Some(true) => self.expr_uses(*then, uses),
                    Some(false) => self.expr_uses(*otherwise, uses),
                    None => {
                        self.expr_uses(*then, uses);
                        self.expr_uses(*otherwise, uses);
                    }
                }
                return;
            }
            Expr::Binary(op @ (BinaryOp::And | BinaryOp::Or), left, right) => {
                self.expr_uses(*left, uses);
                let closed = Some(*op == BinaryOp::Or);
                if self.folder.decided(*left) != closed {
                    self.expr_uses(*right, uses);
                }
                return;
            }
            _ => {}
        }
        for part in parts(&node.kind) {
            self.expr_uses(part, uses);
        }
    }
}
