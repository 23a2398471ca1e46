//! Types of statements.

use crate::ast::AssignOp;
use crate::bind::{Block, Choose, Draw, DrawPlace, Expr, ExprId, Otherwise, Statement, Type};
use crate::report::{Fault, Span, codes};

use super::checker::Checker;
use super::expressions::{Found, LARGEST};
use super::fit::{Fit, fit};

impl Checker {
    pub(super) fn block(&mut self, block: &Block) {
        for (statement, span) in &block.statements {
            self.statement(statement, *span);
        }
    }

    fn statement(&mut self, statement: &Statement, span: Span) {
        match statement {
            Statement::Let(local, value) => {
                let ty = self.infer(*value, None);
                self.set_local(*local, ty);
            }
            Statement::Assign(place, op, value) => self.assign(*place, *op, *value, span),
            Statement::If(condition, then, otherwise) => {
                self.condition(*condition);
                self.block(then);
                self.block(otherwise);
            }
            Statement::For(binds, by, body) => {
                for bind in binds {
                    self.bind(bind);
                }
                self.sort_keys(by);
                self.block(body);
            }
            Statement::Repeat(until, body) => {
                if let Some(until) = until {
                    self.condition(*until);
                }
                self.block(body);
            }
            Statement::Cycle(bind, until, body) => {
                self.bind(bind);
                if let Some(until) = until {
                    self.condition(*until);
                }
                self.block(body);
            }
            Statement::Turn(who, body) => {
                let seat = self.player();
                self.expect(*who, &seat, "who is at turn");
                self.block(body);
            }
            Statement::Draw(draw) => self.draw(draw),
            Statement::Choose(choose) => self.choose(choose),
            Statement::Call(phase, args) => {
                let phase = self.bound.phase(*phase);
                let (name, params) = (phase.name.clone(), phase.params.clone());
                self.arguments(&name, &params, args, span);
            }
            Statement::Reveal(state, args) => {
                let open = self.bound.state(*state).indices.clone();
                for (arg, wanted) in args.iter().zip(&open) {
                    self.expect(*arg, wanted, "this index");
                }
                if args.len() > open.len() {
                    self.fault(
                        Fault::new(&codes::WRONG_ARITY, span, format!("{} indices are enough here", open.len()))
                            .label("too many")
                            .help("leave the others out"),
                    );
                }
            }
            Statement::End => {}
        }
    }

    /// What something is sorted by.
    pub(super) fn sort_keys(&mut self, keys: &[ExprId]) {
        for &key in keys {
            let ty = self.infer(key, None);
            if !matches!(ty.plain(), Type::Int(..) | Type::Named(_) | Type::Unknown) {
                self.wrong_argument(key, &ty, "a number or a member of an enumeration to sort by");
            }
        }
    }

    /// A place that can be written: a state, with all its indices.
    pub(super) fn place(&mut self, id: ExprId) -> Option<Type> {
        let head = match self.kind(id) {
            Expr::Index(base, _) => self.kind(base),
            other => other,
        };
        match head {
            Expr::State(state) => {
                self.infer(id, None);
                Some(self.bound.state(state).ty.clone())
            }
            Expr::Fault => None,
            _ => {
                self.infer(id, None);
                self.fault(
                    Fault::new(&codes::NOT_A_PLACE, self.span(id), "this cannot be written")
                        .label("not a state")
                        .help("only states change; numbers come from the TOML, and `let` names a value once"),
                );
                None
            }
        }
    }

    fn assign(&mut self, place: ExprId, op: AssignOp, value: ExprId, span: Span) {
        let Some(target) = self.place(place) else {
            self.infer(value, None);
            return;
        };
        match op {
            AssignOp::Set => {
                self.expect(value, &target, "this place");
            }
            AssignOp::Exchange => {
                if let Some(other) = self.place(value)
                    && fit(&other, &target) == Fit::Never
                {
                    self.mismatch(span, &target, &other, "the two places");
                }
            }
            AssignOp::Add | AssignOp::Take => self.add_or_take(&target, value),
        }
    }

    fn add_or_take(&mut self, target: &Type, value: ExprId) {
        match target.plain() {
            Type::Int(..) => {
                self.expect(value, &Type::Int(-LARGEST, LARGEST), "what is added or taken");
            }
            Type::Named(id) if self.turns(*id) => {
                self.expect(value, &Type::Int(-LARGEST, LARGEST), "how far it turns");
            }
            Type::Set(inner) | Type::List(_, inner) => {
                let hint =
                    if matches!(self.kind(value), Expr::Set(_) | Expr::List(_)) { target } else { inner.as_ref() };
                let found = self.infer(value, Some(hint));
                let as_many = fit(&found, target) < Fit::OutOfRange;
                if !as_many {
                    let many = super::expressions::element(&found).cloned();
                    let found = many.unwrap_or(found);
                    self.must_fit(&found, inner, self.span(value), "a member");
                }
            }
            Type::Unknown => {
                self.infer(value, None);
            }
            _ => {
                self.infer(value, None);
                let shown = self.show(target);
                self.fault(
                    Fault::new(
                        &codes::TYPE_MISMATCH,
                        self.span(value),
                        format!("nothing can be added to a place of type {shown}"),
                    )
                    .label("cannot be added or taken")
                    .help("use `=`; only numbers, sets, lists and cyclic types take `+=` and `-=`"),
                );
            }
        }
    }

    fn draw(&mut self, draw: &Draw) {
        let drawn = self.drawn_type(draw);
        if let Some(candidate) = draw.candidate {
            self.set_local(candidate, drawn.clone());
        }
        if let Some(condition) = draw.condition {
            self.condition(condition);
        }
        if let Some(seen_by) = draw.seen_by {
            let seat = self.player();
            self.expect(seen_by, &seat, "who sees what is drawn");
        }
        match draw.place {
            DrawPlace::Local(local) => self.set_local(local, drawn),
            DrawPlace::State(place) => {
                if let Some(target) = self.place(place) {
                    self.must_fit(&drawn, &target, self.span(place), "the place drawn into");
                }
            }
        }
    }

    /// What a draw gives: a member of a set, an index of counts, a member of a domain.
    fn drawn_type(&mut self, draw: &Draw) -> Type {
        if !draw.takes {
            return self.domain(draw.from);
        }
        let span = self.span(draw.from);
        let counts = match self.found(draw.from, None) {
            Found::Rows(open, element) => match (open.as_slice(), element.plain()) {
                ([index], Type::Int(low, _)) if *low >= 0 => Some(index.clone()),
                _ => None,
            },
            Found::Value(ty) => {
                self.types[draw.from.at()] = ty.clone();
                match ty.plain() {
                    Type::Set(inner) => Some(inner.as_ref().clone()),
                    Type::Unknown => return Type::Unknown,
                    _ => None,
                }
            }
        };
        if counts.is_some() {
            let head = match self.kind(draw.from) {
                Expr::Index(base, _) => self.kind(base),
                other => other,
            };
            if !matches!(head, Expr::State(_)) {
                self.fault(
                    Fault::new(&codes::NOT_A_PLACE, span, "what is drawn is taken out, so it must be a state")
                        .label("not a state")
                        .help("draw `in` it to take nothing out, or keep it in a state"),
                );
            }
        }
        counts.unwrap_or_else(|| {
            self.fault(
                Fault::new(&codes::TYPE_MISMATCH, span, "one draws from a set, or from counts with one index")
                    .label("neither of the two")
                    .help("`set of T`, or a state such as `bag[T]: 0..9`"),
            );
            Type::Unknown
        })
    }

    fn choose(&mut self, choose: &Choose) {
        if let Some(who) = choose.who {
            let seat = self.player();
            self.expect(who, &seat, "who is asked");
        }
        for (nth, (action, args, span)) in choose.offers.iter().enumerate() {
            let alike = |(other, bound, _): &(_, Vec<ExprId>, _)| other == action && bound.len() == args.len();
            if choose.offers.iter().take(nth).any(alike) {
                let name = &self.bound.action(*action).name;
                self.fault(
                    Fault::new(&codes::SAME_OFFER, *span, format!("`{name}` is offered twice here"))
                        .label("moves of both look alike")
                        .help("leave the argument to the player, with `in` for what it may be; or make two actions"),
                );
            }
            let action = self.bound.action(*action);
            let params: Vec<_> = action.params.iter().map(|&(local, _)| local).take(args.len()).collect();
            let (name, count) = (action.name.clone(), action.params.len());
            if args.len() > count {
                self.fault(
                    Fault::new(
                        &codes::WRONG_ARITY,
                        *span,
                        format!("`{name}` has {count} parameters, found {}", args.len()),
                    )
                    .label(format!("{} bound here", args.len()))
                    .help("an offer binds the first parameters of its action"),
                );
            }
            let args: Vec<ExprId> = args.iter().copied().take(count).collect();
            self.arguments(&name, &params, &args, *span);
        }
        match &choose.otherwise {
            Otherwise::OrPass(block) | Otherwise::ElsePass(block) | Otherwise::Else(block) => self.block(block),
            Otherwise::Nothing | Otherwise::PassLeaves => {}
        }
    }
}
