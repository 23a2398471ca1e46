//! Statements: in the flow, where the game pauses, and in effects, where it does not.

use super::binder::{Binder, Symbol};
use super::model::{Bind, Block, Choose, Draw, DrawPlace, Otherwise, Statement};
use crate::ast::{self, ExprKind, Name, StatementKind};
use crate::report::{Fault, Span, codes};

/// Where statements stand, and so which of them are allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// The flow or a phase, outside of any `repeat`.
    Flow,
    /// In a `repeat` of the flow.
    Repeat,
    /// An action's effect.
    Effect,
    /// The effect of an action with a requirement `after`: no chance.
    TestedEffect,
}

impl Place {
    fn is_effect(self) -> bool {
        matches!(self, Self::Effect | Self::TestedEffect)
    }
}

impl Binder<'_> {
    /// Binds a block; what it introduces is forgotten at its end.
    pub(super) fn block(&mut self, block: &ast::Block, place: Place) -> Block {
        self.scoped(|this| {
            let mut statements = Vec::new();
            for statement in &block.statements {
                if let Some(bound) = this.statement(statement, place) {
                    statements.push((bound, statement.span));
                }
            }
            Block { statements }
        })
    }

    fn optional_block(&mut self, block: Option<&ast::Block>, place: Place) -> Block {
        block.map(|block| self.block(block, place)).unwrap_or_default()
    }

    fn statement(&mut self, statement: &ast::Statement, place: Place) -> Option<Statement> {
        self.allowed(statement, place)?;
        Some(match &statement.kind {
            StatementKind::Let(name, expr) => {
                let value = self.expr(expr);
                Statement::Let(self.local(name, None), value)
            }
            StatementKind::Assign(target, op, value) => {
                let target = self.expr(target);
                Statement::Assign(target, *op, self.expr(value))
            }
            StatementKind::If(condition, then, otherwise) => {
                let condition = self.expr(condition);
                let then = self.block(then, place);
                Statement::If(condition, then, self.optional_block(otherwise.as_ref(), place))
            }
            StatementKind::For { binds, by, body } => self.scoped(|this| {
                let binds = binds.iter().map(|bind| this.bind(bind)).collect();
                let by = this.exprs(by);
                Statement::For(binds, by, this.block(body, place))
            }),
            StatementKind::Repeat { until, body } => {
                let until = self.optional(until.as_ref());
                Statement::Repeat(until, self.block(body, Place::Repeat))
            }
            StatementKind::Cycle { seat, from, condition, until, body } => {
                self.cycle(seat, from, condition.as_ref(), until.as_ref(), body)
            }
            StatementKind::Turn(who, body) => {
                let who = self.expr(who);
                Statement::Turn(who, self.block(body, place))
            }
            StatementKind::Draw(draw) => self.draw(draw),
            StatementKind::Reveal(state) => self.reveal(state)?,
            StatementKind::End => Statement::End,
            StatementKind::Choose { who, offers, otherwise } => {
                self.choose(who.as_ref(), offers, otherwise, (place, statement.span))
            }
            StatementKind::Call(phase) => self.play(phase)?,
        })
    }

    /// Reports a statement that does not belong here.
    fn allowed(&mut self, statement: &ast::Statement, place: Place) -> Option<()> {
        let word = match &statement.kind {
            StatementKind::Repeat { .. } => "repeat",
            StatementKind::Cycle { .. } => "cycle",
            StatementKind::Turn(..) => "turn",
            StatementKind::End => "end",
            StatementKind::Choose { .. } => "choose",
            StatementKind::Reveal(_) => "reveal",
            StatementKind::Draw(_) if place == Place::TestedEffect => "draw",
            _ => return Some(()),
        };
        if !place.is_effect() {
            return Some(());
        }
        let fault = Fault::new(&codes::MISPLACED, statement.span, format!("{word} cannot stand in an effect"));
        self.fault(if word == "draw" {
            fault
                .label("the action has a requirement `after`, which would be tested before chance is known")
                .help("draw in the flow, after the choice")
        } else {
            fault.label("an effect is carried out at once").help("move it into the flow, after the choice")
        });
        None
    }

    fn cycle(
        &mut self,
        seat: &Name,
        from: &ast::Expr,
        condition: Option<&ast::Expr>,
        until: Option<&ast::Expr>,
        body: &ast::Block,
    ) -> Statement {
        let domain = self.expr(from);
        // `until` is asked before the next seat is known.
        let until = self.optional(until);
        self.scoped(|this| {
            let local = this.local(seat, None);
            let condition = this.optional(condition);
            let body = this.block(body, Place::Flow);
            Statement::Cycle(Bind { local, domain, clockwise: true, condition }, until, body)
        })
    }

    fn draw(&mut self, draw: &ast::Draw) -> Statement {
        let from = self.expr(&draw.from);
        let hidden =
            matches!(draw.seen_by.as_ref().map(|seen| &seen.kind), Some(ExprKind::Name(word)) if word == "nobody");
        let seen_by = self.optional(draw.seen_by.as_ref().filter(|_| !hidden));
        let (candidate, condition) = self.scoped(|this| {
            let candidate = draw.candidate.as_ref().map(|name| this.local(name, None));
            (candidate, this.optional(draw.condition.as_ref()))
        });
        let (head, span) = head_name(&draw.place);
        let is_state = matches!(self.symbols.get(head), Some((Symbol::State(_), _)));
        let place = match &draw.place.kind {
            ExprKind::Name(text) if !is_state => {
                let name = Name { text: text.clone(), span };
                DrawPlace::Local(self.local(&name, None))
            }
            _ => DrawPlace::State(self.expr(&draw.place)),
        };
        let indices = match self.symbols.get(head) {
            Some((Symbol::State(id), _)) => {
                let state = self.bound.state(*id);
                (state.indices.clone(), Some(state.ty.clone()))
            }
            _ => (Vec::new(), self.drawn_type(from)),
        };
        let known = self.drawn.entry(head.to_owned()).or_default();
        if !known.contains(&indices) {
            known.push(indices);
        }
        Statement::Draw(Draw {
            name: head.to_owned(),
            place,
            candidate,
            takes: draw.takes,
            from,
            condition,
            seen_by,
            hidden,
        })
    }

    fn reveal(&mut self, place: &ast::Expr) -> Option<Statement> {
        let (head, span) = head_name(place);
        match (self.symbols.get(head).cloned(), &place.kind) {
            (Some((Symbol::State(id), _)), ExprKind::Name(_)) => {
                self.bound.states[id.at()].used = true;
                Some(Statement::Reveal(id, Vec::new()))
            }
            (Some((Symbol::State(id), _)), ExprKind::Index(base, args)) if matches!(base.kind, ExprKind::Name(_)) => {
                self.bound.states[id.at()].used = true;
                Some(Statement::Reveal(id, self.exprs(args)))
            }
            (None, _) => {
                let names = self.names_of(|symbol| matches!(symbol, Symbol::State(_)));
                let message = format!("unknown state `{head}`");
                self.misspelt(&codes::UNKNOWN_NAME, head, span, message, &names, "reveal a state that is hidden");
                None
            }
            _ => {
                self.fault(
                    Fault::new(&codes::WRONG_KIND, span, "only a state can be revealed")
                        .label("not a state")
                        .help("write `reveal` and a hidden state, or a part of one: `reveal hand[p]`"),
                );
                None
            }
        }
    }

    fn choose(
        &mut self,
        who: Option<&ast::Expr>,
        offers: &[ast::Offer],
        otherwise: &ast::Otherwise,
        at: (Place, Span),
    ) -> Statement {
        let (place, span) = at;
        let who = self.optional(who);
        let mut bound = Vec::new();
        for offer in offers {
            let args = self.exprs(&offer.args);
            match self.symbols.get(&offer.action.text).cloned() {
                Some((Symbol::Action(id), _)) => {
                    self.offers.push((id, args.len()));
                    bound.push((id, args, offer.action.span));
                }
                _ => {
                    let names: Vec<String> = self.names_of(|symbol| matches!(symbol, Symbol::Action(_)));
                    let message = format!("`{}` is not an action", offer.action.text);
                    let way_out = "only actions can be chosen; passing is `or pass`";
                    self.misspelt(
                        &codes::UNKNOWN_ACTION,
                        &offer.action.text,
                        offer.action.span,
                        message,
                        &names,
                        way_out,
                    );
                }
            }
        }
        let otherwise = match otherwise {
            ast::Otherwise::Nothing => Otherwise::Nothing,
            ast::Otherwise::OrPass(None) => {
                if place != Place::Repeat {
                    self.fault(
                        Fault::new(
                            &codes::PASS_NOWHERE,
                            span,
                            "passing leaves a `repeat`, but there is none around this choice",
                        )
                        .label("nothing to leave")
                        .help("put the choice into `repeat { … }`, or say what passing does: `or pass { }`"),
                    );
                }
                Otherwise::PassLeaves
            }
            ast::Otherwise::OrPass(Some(block)) => Otherwise::OrPass(self.block(block, place)),
            ast::Otherwise::ElsePass(block) => Otherwise::ElsePass(self.optional_block(block.as_ref(), place)),
            ast::Otherwise::Else(block) => Otherwise::Else(self.block(block, place)),
        };
        Statement::Choose(Choose { who, offers: bound, otherwise })
    }

    fn play(&mut self, call: &ast::Expr) -> Option<Statement> {
        let (callee, args): (&ast::Expr, &[ast::Expr]) = match &call.kind {
            ExprKind::Call(callee, args) => (callee, args),
            _ => (call, &[]),
        };
        let (head, span) = head_name(callee);
        let args = self.exprs(args);
        match self.symbols.get(head).cloned() {
            Some((Symbol::Phase(id), _)) if matches!(callee.kind, ExprKind::Name(_)) => {
                self.used_phases.insert(id);
                Some(Statement::Call(id, args))
            }
            Some((symbol, _)) => {
                self.fault(
                    Fault::new(&codes::WRONG_KIND, span, format!("`{head}` is {}, not a statement", symbol.kind()))
                        .label("nothing happens here")
                        .help("a statement plays a phase, offers actions with `choose`, or assigns with `=`"),
                );
                None
            }
            None => {
                let names = self.names_of(|symbol| matches!(symbol, Symbol::Phase(_)));
                let message = format!("unknown phase `{head}`");
                self.misspelt(&codes::UNKNOWN_PHASE, head, span, message, &names, "declare it with `phase`");
                None
            }
        }
    }

    pub(super) fn names_of(&self, wanted: impl Fn(&Symbol) -> bool) -> Vec<String> {
        let mut names: Vec<String> =
            self.symbols.iter().filter(|(_, (symbol, _))| wanted(symbol)).map(|(name, _)| name.clone()).collect();
        names.sort();
        names
    }
}

/// The name that a place begins with.
fn head_name(place: &ast::Expr) -> (&str, Span) {
    match &place.kind {
        ExprKind::Name(name) => (name, place.span),
        ExprKind::Index(base, _) | ExprKind::Field(base, _) | ExprKind::Call(base, _) => head_name(base),
        _ => ("", place.span),
    }
}
