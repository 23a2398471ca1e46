//! The shape of the flow: turns do not nest, `me` is known, repetitions pause, nothing is unreachable.

use crate::bind::walk::{each_expr, each_statement, statement_parts};
use crate::bind::{Block, Bound, DefId, Expr, ExprId, Otherwise, PhaseId, Statement, Step, ViewPart};
use crate::internal::exact;
use crate::report::{Fault, Span, codes};

/// What is known of a piece of flow.
#[derive(Debug, Clone, Copy, Default)]
struct Summary {
    /// Somewhere in it a player chooses or chance decides.
    pauses: bool,
    /// It has a turn of its own.
    turns: bool,
    /// It asks who `me` is, outside of turns of its own.
    needs_me: bool,
    /// What stands after it is never reached.
    stops: bool,
}

#[derive(Debug, Clone, Copy)]
struct Context {
    me: bool,
    in_turn: bool,
}

/// Checks the flow, all phases, and every place where `me` cannot be known.
pub(super) fn check(bound: &Bound, faults: &mut Vec<Fault>) {
    let mut checker =
        Flow { bound, faults, phases: vec![None; bound.phases.len()], defs: vec![None; bound.defs.len()] };
    let outside = Context { me: false, in_turn: false };
    if let Some(flow) = &bound.flow {
        checker.block(flow, outside);
    }
    for at in 0..bound.phases.len() {
        checker.phase(PhaseId(exact::<_, u32>(at)));
    }
    checker.effects();
    checker.places_without_me();
    for example in &bound.examples {
        for step in &example.steps {
            if let Step::Given(position) = step
                && let Some(flow) = &position.flow
            {
                checker.block(flow, outside);
            }
        }
    }
}

struct Flow<'a> {
    bound: &'a Bound,
    faults: &'a mut Vec<Fault>,
    phases: Vec<Option<Summary>>,
    defs: Vec<Option<bool>>,
}

impl Flow<'_> {
    fn phase(&mut self, id: PhaseId) -> Summary {
        if let Some(known) = self.phases[id.at()] {
            return known;
        }
        let body = self.bound.phase(id).body.clone();
        // Inside a phase `me` may be known from the caller: whether it is needed is part of the summary.
        let summary = self.block(&body, Context { me: true, in_turn: false });
        self.phases[id.at()] = Some(summary);
        summary
    }

    fn block(&mut self, block: &Block, context: Context) -> Summary {
        let mut all = Summary::default();
        for (at, (statement, span)) in block.statements.iter().enumerate() {
            let one = self.statement(statement, *span, context);
            all.pauses |= one.pauses;
            all.turns |= one.turns;
            all.needs_me |= one.needs_me;
            all.stops |= one.stops;
            if one.stops
                && let Some((_, next)) = block.statements.get(at + 1)
            {
                self.faults.push(
                    Fault::new(&codes::UNREACHABLE, *next, "this is never reached")
                        .label("never reached")
                        .also(*span, "nothing goes on after this")
                        .help("delete it, move it before, or let what stands before it come to an end"),
                );
                break;
            }
        }
        all
    }

    fn statement(&mut self, statement: &Statement, span: Span, context: Context) -> Summary {
        let mut summary = Summary::default();
        for part in statement_parts(statement) {
            summary.needs_me |= self.asks_me(part, context);
        }
        match statement {
            Statement::If(_, then, otherwise) => {
                let (a, b) = (self.block(then, context), self.block(otherwise, context));
                summary.pauses = a.pauses || b.pauses;
                summary.turns = a.turns || b.turns;
                summary.needs_me |= a.needs_me || b.needs_me;
                summary.stops = a.stops && b.stops;
            }
            Statement::For(_, _, body) => {
                let inner = self.block(body, context);
                summary = Summary { needs_me: summary.needs_me || inner.needs_me, stops: false, ..inner };
            }
            Statement::Repeat(until, body) => {
                let inner = self.block(body, context);
                self.must_pause(inner, span, "repeat");
                let stops = until.is_none() && !leaves(body);
                summary = Summary { needs_me: summary.needs_me || inner.needs_me, stops, ..inner };
            }
            Statement::Cycle(_, until, body) => {
                let inner = self.block(body, context);
                self.must_pause(inner, span, "cycle");
                summary = Summary { needs_me: summary.needs_me || inner.needs_me, stops: until.is_none(), ..inner };
            }
            Statement::Turn(_, body) => {
                if context.in_turn {
                    self.nested_turn(span, "a turn begins inside a turn");
                }
                let inner = self.block(body, Context { me: true, in_turn: true });
                summary = Summary { turns: true, needs_me: summary.needs_me, ..inner };
            }
            Statement::Draw(_) => summary.pauses = true,
            Statement::Choose(choose) => {
                if choose.who.is_none() {
                    summary.needs_me = true;
                    self.must_know_me(span, context, "`choose` asks `me`");
                }
                if let Otherwise::OrPass(block) | Otherwise::ElsePass(block) | Otherwise::Else(block) =
                    &choose.otherwise
                {
                    let inner = self.block(block, context);
                    summary.needs_me |= inner.needs_me;
                    summary.turns |= inner.turns;
                }
                summary.pauses = true;
            }
            Statement::Call(phase, _) => {
                let inner = self.phase(*phase);
                let name = self.bound.phase(*phase).name.clone();
                if inner.turns && context.in_turn {
                    self.nested_turn(span, &format!("`{name}` has turns of its own, and is played inside a turn"));
                }
                if inner.needs_me {
                    self.must_know_me(span, context, &format!("`{name}` asks who `me` is"));
                }
                summary = Summary { needs_me: summary.needs_me || inner.needs_me, ..inner };
            }
            Statement::End => summary.stops = true,
            Statement::Let(..) | Statement::Assign(..) | Statement::Reveal(..) => {}
        }
        summary
    }

    fn must_pause(&mut self, inner: Summary, span: Span, word: &str) {
        if !inner.pauses && !inner.stops {
            self.faults.push(
                Fault::new(&codes::NO_PAUSE, span, format!("this `{word}` never pauses"))
                    .label("no choice and no chance in it")
                    .help("a repetition must ask a player or draw something; to go through a domain once, use `for`"),
            );
        }
    }

    fn nested_turn(&mut self, span: Span, message: &str) {
        self.faults.push(
            Fault::new(&codes::NESTED_TURN, span, message)
                .label("inside a turn")
                .help("end the turn first; to ask somebody else within a turn, use `p choose`"),
        );
    }

    fn must_know_me(&mut self, span: Span, context: Context, message: &str) {
        if !context.me {
            self.faults.push(
                Fault::new(&codes::ME_OUTSIDE, span, format!("{message}, but nobody is at turn here"))
                    .label("`me` is not known")
                    .help("put it into `turn p { … }`, or say who: `p choose …`, a parameter `p: Player`"),
            );
        }
    }

    /// Does an expression ask for `me`? Reports it where nobody is at turn.
    fn asks_me(&mut self, id: ExprId, context: Context) -> bool {
        let mut asked: Option<(Span, String)> = None;
        let mut called: Vec<(DefId, Span)> = Vec::new();
        each_expr(self.bound, id, &mut |id, kind| match kind {
            Expr::Me if asked.is_none() => asked = Some((self.bound.expr(id).span, "`me` is asked for".to_owned())),
            Expr::Def(def, _) => called.push((*def, self.bound.expr(id).span)),
            _ => {}
        });
        for (def, span) in called {
            if self.def_asks_me(def) && asked.is_none() {
                asked = Some((span, format!("`{}` asks who `me` is", self.bound.def(def).name)));
            }
        }
        if let Some((span, what)) = &asked {
            self.must_know_me(*span, context, what);
        }
        asked.is_some()
    }

    fn def_asks_me(&mut self, id: DefId) -> bool {
        if let Some(known) = self.defs[id.at()] {
            return known;
        }
        // A definition in terms of itself was reported by the typing; here it must only end.
        self.defs[id.at()] = Some(false);
        let asks = self.asks_me(self.bound.def(id).body, Context { me: true, in_turn: true });
        self.defs[id.at()] = Some(asks);
        asks
    }

    /// An effect is carried out at once, so a phase that it plays must not pause, begin a turn or end the game.
    fn effects(&mut self) {
        let bound = self.bound;
        for action in &bound.actions {
            let mut calls: Vec<(PhaseId, Span)> = Vec::new();
            each_statement(&action.effect, &mut |statement, span| {
                if let Statement::Call(phase, _) = statement {
                    calls.push((*phase, span));
                }
            });
            for (phase, span) in calls {
                let summary = self.phase(phase);
                if summary.pauses || summary.turns || summary.stops {
                    let name = &bound.phase(phase).name;
                    self.faults.push(
                        Fault::new(
                            &codes::MISPLACED,
                            span,
                            format!("the phase `{name}` cannot be played in an effect"),
                        )
                        .label("it pauses, begins a turn or ends the game")
                        .help("an effect is carried out at once: play it in the flow, after the choice"),
                    );
                }
            }
        }
    }

    /// Scores, initial values and the like belong to nobody's turn.
    fn places_without_me(&mut self) {
        let bound = self.bound;
        let mut places: Vec<ExprId> = Vec::new();
        places.extend(bound.states.iter().filter_map(|state| state.init));
        places.extend(bound.scores.iter().map(|score| score.body));
        places.extend(bound.winners.iter().flat_map(|winner| winner.keys.iter().copied()));
        places.extend(bound.invariants.iter().map(|invariant| invariant.condition));
        places.extend(bound.regions.iter().flat_map(|region| region.of.condition.into_iter().chain([region.joined])));
        for slot in bound.views.iter().flat_map(|view| &view.slots) {
            places.extend(slot.parts.iter().filter_map(|(_, condition)| *condition));
            places.extend(
                slot.parts.iter().filter_map(|(part, _)| if let ViewPart::Value(id) = part { Some(*id) } else { None }),
            );
        }
        places.extend(bound.awards.iter().flat_map(|award| award.pays.iter().copied().chain([award.by])));
        for example in &bound.examples {
            places.extend(
                example.steps.iter().filter_map(|step| if let Step::Holds(id) = step { Some(*id) } else { None }),
            );
        }
        for place in places {
            self.asks_me(place, Context { me: false, in_turn: false });
        }
    }
}

/// Can a pass leave this `repeat`?
fn leaves(block: &Block) -> bool {
    block.statements.iter().any(|(statement, _)| match statement {
        Statement::Choose(choose) if matches!(choose.otherwise, Otherwise::PassLeaves) => true,
        Statement::Repeat(..) => false,
        other => crate::bind::walk::statement_blocks(other).into_iter().any(leaves),
    })
}
