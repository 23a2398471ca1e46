//! Expressions: names become locals, states, members, numbers, definitions or functions.

use super::binder::{Binder, Symbol};
use super::bounds::dotted;
use super::model::{Bind, Expr, ExprId, Function, LocalId, Outcome, Phrase, PhrasePart};
use super::types::{Type, TypeId, TypeKind};
use crate::ast::{self, Domain, ExprKind, Name, TextPart};
use crate::internal::exact;
use crate::report::{Fault, Span, codes};

/// Names that every ruleset knows.
pub(super) const PREDEFINED: [&str; 5] = ["me", "none", "true", "false", "players"];

impl Binder<'_> {
    /// Binds an expression.
    pub(super) fn expr(&mut self, expr: &ast::Expr) -> ExprId {
        let span = expr.span;
        let kind = match &expr.kind {
            ExprKind::Int(value) => Expr::Int(*value),
            ExprKind::Name(name) => self.name(name, span),
            ExprKind::Edge(text) => self.edge(text, span),
            ExprKind::Field(base, member) => self.field(expr, base, member),
            ExprKind::Index(base, args) => Expr::Index(self.expr(base), self.exprs(args)),
            ExprKind::Call(callee, args) => self.call(callee, args, span),
            ExprKind::Unary(op, inner) => Expr::Unary(*op, self.expr(inner)),
            ExprKind::Binary(op, left, right) => Expr::Binary(*op, self.expr(left), self.expr(right)),
            ExprKind::If(condition, then, otherwise) => {
                Expr::If(self.expr(condition), self.expr(then), self.expr(otherwise))
            }
            ExprKind::Aggregate(which, binds, body, by) => self.aggregate(*which, binds, body.as_deref(), by, span),
            ExprKind::Set(items) => Expr::Set(self.exprs(items)),
            ExprKind::List(items) => Expr::List(self.exprs(items)),
            ExprKind::SetOf(bind) => self.scoped(|this| Expr::SetOf(this.bind(bind))),
            ExprKind::ListOf(bind) => self.scoped(|this| Expr::ListOf(this.bind(bind))),
        };
        self.add(kind, span)
    }

    pub(super) fn exprs(&mut self, exprs: &[ast::Expr]) -> Vec<ExprId> {
        exprs.iter().map(|expr| self.expr(expr)).collect()
    }

    /// Binds an expression that may be left out.
    pub(super) fn optional(&mut self, expr: Option<&ast::Expr>) -> Option<ExprId> {
        expr.map(|expr| self.expr(expr))
    }

    /// Binds a variable with its domain; the variable stays in scope.
    pub(super) fn bind(&mut self, bind: &ast::Bind) -> Bind {
        let (domain, clockwise) = match &bind.domain {
            Domain::In(domain) => (self.expr(domain), false),
            Domain::Clockwise(from) => (self.expr(from), true),
        };
        let local = self.local(&bind.name, None);
        let condition = self.optional(bind.condition.as_ref());
        Bind { local, domain, clockwise, condition }
    }

    /// Binds a text with its values.
    pub(super) fn phrase(&mut self, text: &ast::Text) -> Phrase {
        let mut parts = Vec::new();
        for part in &text.parts {
            parts.push(match part {
                TextPart::Words(words) => PhrasePart::Words(words.clone()),
                TextPart::Value(expr) => PhrasePart::Value(self.expr(expr)),
            });
        }
        Phrase { parts }
    }

    fn find_local(&self, name: &str) -> Option<LocalId> {
        self.scope.iter().rev().find(|(known, _)| known == name).map(|&(_, id)| id)
    }

    fn name(&mut self, name: &str, span: Span) -> Expr {
        if let Some(local) = self.find_local(name) {
            return Expr::Local(local);
        }
        match name {
            "me" => return Expr::Me,
            "none" => return Expr::None,
            "true" => return Expr::Bool(true),
            "false" => return Expr::Bool(false),
            "players" => return Expr::Players,
            _ => {}
        }
        if self.in_example {
            if let Some(outcome) = Outcome::named(name) {
                return Expr::Outcome(outcome);
            }
            if let Some(seat) = self.seats.iter().position(|seat| seat == name) {
                return Expr::Member(vec![(self.bound.players.ty, exact::<_, u32>(seat))]);
            }
        }
        if let Some((symbol, _)) = self.symbols.get(name).cloned() {
            return self.symbol(&symbol, name, Vec::new(), false, span);
        }
        if let Some(&id) = self.numbers.get(name) {
            self.bound.numbers[id.at()].uses.push(span);
            return Expr::Number(id);
        }
        if self.empty_seats.iter().any(|seat| seat == name) {
            return Expr::None;
        }
        let candidates = self.candidates(name);
        if !candidates.is_empty() {
            return Expr::Member(candidates);
        }
        self.unknown_name(name, span)
    }

    /// Every type that has a member of this name.
    pub(super) fn candidates(&mut self, name: &str) -> Vec<(TypeId, u32)> {
        let mut found = self.members.get(name).cloned().unwrap_or_default();
        for board in self.boards.clone() {
            let mut types = vec![board];
            types.extend(["side", "way", "border", "rim"].iter().filter_map(|part| self.board_part(board, part)));
            let at = |id: TypeId| self.bound.types.find(id, name).map(|at| (id, at));
            found.extend(types.into_iter().filter_map(at));
        }
        found
    }

    fn edge(&mut self, text: &str, span: Span) -> Expr {
        let mut found = Vec::new();
        for board in self.boards.clone() {
            if let Some(edges) = self.board_part(board, "edge")
                && let Some(at) = self.bound.types.find(edges, text)
            {
                found.push((edges, at));
            }
        }
        if found.is_empty() {
            self.fault(
                Fault::new(&codes::UNKNOWN_NAME, span, format!("there is no edge `{text}`"))
                    .label("these are not neighbours on any board")
                    .help("write two neighbouring cells; if a difference was meant, put blanks around `-`"),
            );
            return Expr::Fault;
        }
        Expr::Member(found)
    }

    fn field(&mut self, whole: &ast::Expr, base: &ast::Expr, member: &Name) -> Expr {
        // A path of the TOML, unless its head is something else.
        if let Some(path) = dotted(whole) {
            let head = path.split('.').next().unwrap_or("");
            if self.find_local(head).is_none()
                && let Some(&id) = self.numbers.get(&path)
            {
                self.bound.numbers[id.at()].uses.push(whole.span);
                return Expr::Number(id);
            }
            if self.find_local(head).is_none() && !self.symbols.contains_key(head) {
                let prefix = format!("{head}.");
                let is_number = self.numbers.keys().any(|known| known.starts_with(&prefix));
                let deeper = self.numbers.keys().any(|known| path.starts_with(&format!("{known}.")));
                if is_number && !deeper {
                    return self.unknown_number(&path, whole.span);
                }
            }
        }
        if let ExprKind::Name(name) = &base.kind
            && self.find_local(name).is_none()
            && matches!(self.symbols.get(name), Some((Symbol::Type, _)))
        {
            return self.type_member(name, base.span, member);
        }
        if let Some(member) = self.board_part_member(base, member) {
            return member;
        }
        if let ExprKind::Name(name) = &base.kind
            && !self.is_known(name)
        {
            let path = dotted(whole).unwrap_or_default();
            return self.unknown_number(&path, whole.span);
        }
        let base = self.expr(base);
        Expr::Field(base, member.clone())
    }

    /// `Square.side.N`
    fn board_part_member(&mut self, base: &ast::Expr, member: &Name) -> Option<Expr> {
        let ExprKind::Field(board, part) = &base.kind else { return None };
        let ExprKind::Name(name) = &board.kind else { return None };
        let Some((Symbol::Type, _)) = self.symbols.get(name) else { return None };
        let Type::Named(id) = self.type_named(&Name { text: name.clone(), span: board.span }) else { return None };
        let part = self.board_part(id, &part.text)?;
        self.bound.types.find(part, &member.text).map(|at| Expr::Member(vec![(part, at)]))
    }

    fn is_known(&mut self, name: &str) -> bool {
        self.find_local(name).is_some()
            || PREDEFINED.contains(&name)
            || self.symbols.contains_key(name)
            || self.numbers.contains_key(name)
            || (self.in_example && (Outcome::named(name).is_some() || self.seats.iter().any(|seat| seat == name)))
            || !self.candidates(name).is_empty()
    }

    /// `Suit.hearts`, `Square.edge`
    fn type_member(&mut self, name: &str, span: Span, member: &Name) -> Expr {
        let ty = self.type_named(&Name { text: name.to_owned(), span });
        let Type::Named(id) = ty else { return Expr::Fault };
        if let Some(at) = self.bound.types.find(id, &member.text) {
            return Expr::Member(vec![(id, at)]);
        }
        if let Some(part) = self.board_part(id, &member.text) {
            return Expr::Members(Type::Named(part));
        }
        let known = self.bound.types.member_names(id);
        let message = format!("`{name}` has no member `{}`", member.text);
        let way_out = format!("its members: {}", super::numbers::shortened(&known));
        self.misspelt(&codes::UNKNOWN_MEMBER, &member.text, member.span, message, &known, &way_out);
        Expr::Fault
    }

    fn call(&mut self, callee: &ast::Expr, args: &[ast::Expr], span: Span) -> Expr {
        let args = self.exprs(args);
        let ExprKind::Name(name) = &callee.kind else {
            self.fault(
                Fault::new(&codes::WRONG_KIND, callee.span, "this cannot be called")
                    .label("not a definition")
                    .help("only definitions, awards, functions and types take arguments in `( )`; states take indices in `[ ]`"),
            );
            return Expr::Fault;
        };
        if name == "score" {
            return match args.as_slice() {
                [seat] => Expr::Score(*seat),
                _ => self.wrong_arity("score", 1, args.len(), span),
            };
        }
        if self.find_local(name).is_none() {
            if let Some((symbol, _)) = self.symbols.get(name).cloned() {
                return self.symbol(&symbol, name, args, true, span);
            }
            if let Some(function) = Function::named(name) {
                return Expr::Function(function, args);
            }
        }
        if self.find_local(name).is_some() || self.numbers.contains_key(name) {
            self.fault(
                Fault::new(&codes::WRONG_KIND, callee.span, format!("`{name}` takes no arguments"))
                    .label("not a definition")
                    .help("indices stand in `[ ]`"),
            );
            return Expr::Fault;
        }
        self.unknown_name(name, callee.span)
    }

    fn symbol(&mut self, symbol: &Symbol, name: &str, args: Vec<ExprId>, called: bool, span: Span) -> Expr {
        match symbol {
            Symbol::State(id) if !called => {
                self.bound.states[id.at()].used = true;
                Expr::State(*id)
            }
            Symbol::Def(id) => {
                self.used_defs.insert(*id);
                Expr::Def(*id, args)
            }
            Symbol::Award(id) => {
                self.used_awards.insert(*id);
                Expr::Award(*id, args)
            }
            Symbol::Type => {
                let ty = self.type_named(&Name { text: name.to_owned(), span });
                if !called {
                    return Expr::Members(ty);
                }
                match ty {
                    Type::Named(id) if self.can_make(id) => Expr::Make(id, args),
                    Type::Unknown => Expr::Fault,
                    _ => {
                        self.fault(
                            Fault::new(&codes::WRONG_KIND, span, format!("a `{name}` cannot be made of parts"))
                                .label("neither a record, a region nor a board with rows")
                                .help("only records, regions and cells of grid boards are made by `Type(…)`"),
                        );
                        Expr::Fault
                    }
                }
            }
            _ => {
                let (message, label, help) = match symbol {
                    Symbol::State(_) => (
                        format!("`{name}` is a state and takes no arguments"),
                        "not a definition",
                        "indices stand in `[ ]`",
                    ),
                    Symbol::Action(_) => (
                        format!("`{name}` is an action, not a value"),
                        "a value is needed here",
                        "an action is offered with `choose`",
                    ),
                    _ => (
                        format!("`{name}` is a phase, not a value"),
                        "a value is needed here",
                        "a phase is played by a statement of its own",
                    ),
                };
                self.fault(Fault::new(&codes::WRONG_KIND, span, message).label(label).help(help));
                Expr::Fault
            }
        }
    }

    fn can_make(&self, id: TypeId) -> bool {
        match &self.bound.types.get(id).kind {
            TypeKind::Record(_) => true,
            TypeKind::Cells(board) => board.is_grid(),
            TypeKind::Regions(_) => true,
            _ => false,
        }
    }

    fn aggregate(
        &mut self,
        which: ast::Aggregate,
        binds: &[ast::Bind],
        body: Option<&ast::Expr>,
        by: &[ast::Expr],
        span: Span,
    ) -> Expr {
        let first = which == ast::Aggregate::First;
        if first == body.is_some()
            || (!first && !by.is_empty())
            || (which == ast::Aggregate::Pairing && binds.len() != 2)
            || (first && binds.len() != 1)
        {
            let (message, help) = match which {
                ast::Aggregate::First => {
                    ("`first` takes one variable and no `:`", "write `first x in D where C`, or `first x in D by K`")
                }
                ast::Aggregate::Pairing => {
                    ("`pairing` takes two variables and a condition", "write `pairing x in A, y in B: C`")
                }
                _ => ("an aggregate needs a `:` and an expression", "write `count x in D: C`"),
            };
            self.fault(Fault::new(&codes::AGGREGATE_FORM, span, message).label("incomplete").help(help));
        }
        self.scoped(|this| {
            let binds = binds.iter().map(|bind| this.bind(bind)).collect();
            let body = this.optional(body);
            Expr::Aggregate(which, binds, body, this.exprs(by))
        })
    }
}
