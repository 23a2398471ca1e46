//! Types of expressions. Every expression gets one, in a table by its id.

use crate::ast::{BinaryOp, UnaryOp};
use crate::bind::{Expr, ExprId, Outcome, Type, TypeId, TypeKind};
use crate::internal::exact;
use crate::limits;
pub(super) use crate::limits::EXPRESSION as LARGEST;
use crate::report::{Fault, Span, codes};

use super::checker::Checker;
use super::fit::{Fit, fit, join};

/// What an expression is before its indices are complete.
pub(super) enum Found {
    Value(Type),
    /// Indices still open, and the element they lead to.
    Rows(Vec<Type>, Type),
}

impl Checker {
    /// The type of an expression; `wanted` decides which type a member of several types has.
    pub(super) fn infer(&mut self, id: ExprId, wanted: Option<&Type>) -> Type {
        let ty = match self.found(id, wanted) {
            Found::Value(ty) => ty,
            Found::Rows(..) if self.rows_allowed => Type::Unknown,
            Found::Rows(open, _) => {
                let shown: Vec<String> = open.iter().map(|ty| self.show(ty)).collect();
                self.fault(
                    Fault::new(&codes::NOT_INDEXABLE, self.span(id), format!("this needs {} more indices", open.len()))
                        .label("a whole row, not a value")
                        .help(format!("add `[{}]`", shown.join(", "))),
                );
                Type::Unknown
            }
        };
        self.types[id.at()] = ty.clone();
        ty
    }

    /// The type, or what is left to index.
    pub(super) fn found(&mut self, id: ExprId, wanted: Option<&Type>) -> Found {
        let span = self.span(id);
        Found::Value(match self.kind(id) {
            Expr::State(state) => {
                let state = self.bound.state(state);
                return rows(state.indices.clone(), state.ty.clone());
            }
            Expr::Number(number) => {
                let number = self.bound.number(number);
                return rows(number.indices.clone(), number.ty.clone());
            }
            Expr::Index(base, args) => return self.index(base, &args),
            Expr::Field(base, member) => return self.field(base, &member),
            Expr::Fault => Type::Unknown,
            Expr::Int(value) => Type::Int(value.clamp(-LARGEST, LARGEST), value.clamp(-LARGEST, LARGEST)),
            Expr::Bool(_) => Type::Bool,
            Expr::None => Type::Optional(Box::new(Type::Nothing)),
            Expr::Me => self.player(),
            Expr::Players => {
                let count = i64::from(self.bound.players.count);
                Type::Int(count, count)
            }
            Expr::Local(local) => self.local_type(local).clone(),
            Expr::Member(candidates) => self.member(id, &candidates, wanted),
            Expr::Def(def, args) => {
                let params = self.bound.def(def).params.clone();
                let name = self.bound.def(def).name.clone();
                let spreads = self.arguments(&name, &params, &args, span);
                let ty = self.def_type(def);
                spread(ty, spreads)
            }
            Expr::Award(award, args) => {
                let params = self.bound.award(award).params.clone();
                let name = self.bound.award(award).name.clone();
                let spreads = self.arguments(&name, &params, &args, span);
                let ty = self.award_type(award);
                spread(ty, spreads)
            }
            Expr::Score(seat) => {
                let seat_type = self.player();
                self.expect(seat, &seat_type, "the argument of `score`");
                self.score_type()
            }
            Expr::Function(function, args) => self.function(function, &args, span),
            Expr::Members(ty) => self.members_of(&ty, span),
            Expr::Make(ty, args) => self.make(ty, &args, span),
            Expr::Unary(UnaryOp::Not, inner) => {
                self.condition(inner);
                Type::Bool
            }
            Expr::Unary(UnaryOp::Negate, inner) => self.negated(inner, span),
            Expr::Binary(op, left, right) => self.binary(op, left, right, span, wanted),
            Expr::If(condition, then, otherwise) => {
                self.condition(condition);
                let (then, otherwise) = self.pair(then, otherwise, wanted);
                join(&then, &otherwise).unwrap_or_else(|| self.mismatch(span, &then, &otherwise, "the two branches"))
            }
            Expr::Aggregate(which, binds, body, by) => {
                let ty = self.aggregate(which, &binds, body, span);
                self.sort_keys(&by);
                ty
            }
            Expr::Set(items) => Type::Set(Box::new(self.joined(&items, wanted.and_then(element)))),
            Expr::List(items) => {
                let length = exact::<_, u32>(items.len());
                Type::List(length, Box::new(self.joined(&items, wanted.and_then(element))))
            }
            Expr::SetOf(bind) => {
                self.bind(&bind);
                Type::Set(Box::new(self.local_type(bind.local).clone()))
            }
            Expr::ListOf(bind) => {
                self.bind(&bind);
                let length = match self.types[bind.domain.at()].plain() {
                    Type::List(length, _) => *length,
                    _ => u32::try_from(self.bound.types.size(self.local_type(bind.local)))
                        .unwrap_or(u32::MAX)
                        .min(65_535),
                };
                Type::List(length, Box::new(self.local_type(bind.local).clone()))
            }
            Expr::Outcome(outcome) => self.outcome(outcome),
        })
    }

    fn negated(&mut self, inner: ExprId, span: Span) -> Type {
        let ty = self.infer(inner, None);
        match ty.plain() {
            Type::Int(low, high) => Type::Int(-high, -low).optional_if(ty.is_optional()),
            _ => {
                self.must_fit(&ty, &Type::Int(-LARGEST, LARGEST), span, "what `-` turns round");
                ty
            }
        }
    }

    fn outcome(&self, outcome: Outcome) -> Type {
        match outcome {
            Outcome::Paid | Outcome::Moves => Type::Int(0, limits::NUMBER),
            Outcome::Next => self.player().optional(),
            Outcome::Over => Type::Bool,
            Outcome::Winner => Type::Set(Box::new(self.player())),
        }
    }

    /// Two types that have nothing in common.
    pub(super) fn mismatch(&mut self, span: Span, a: &Type, b: &Type, what: &str) -> Type {
        let (a, b) = (self.show(a), self.show(b));
        self.fault(
            Fault::new(&codes::TYPE_MISMATCH, span, format!("{what} are of types {a} and {b}"))
                .label(format!("{a} against {b}"))
                .help("both sides must be of one type"),
        );
        Type::Unknown
    }

    fn member(&mut self, id: ExprId, candidates: &[(TypeId, u32)], wanted: Option<&Type>) -> Type {
        let fitting: Vec<(TypeId, u32)> = match wanted.map(Type::plain) {
            Some(Type::Named(wanted)) => {
                let of = match &self.bound.types.get(*wanted).kind {
                    // A region is named by its first member.
                    TypeKind::Regions(Type::Named(of)) => Some(*of),
                    _ => None,
                };
                candidates.iter().copied().filter(|(id, _)| id == wanted || Some(*id) == of).collect()
            }
            _ => Vec::new(),
        };
        let chosen = match (fitting.as_slice(), candidates) {
            ([one, ..], _) => *one,
            ([], [one]) => *one,
            ([], _) if self.side_of(candidates).is_some() => self.side_of(candidates).unwrap_or(candidates[0]),
            _ => {
                let types: Vec<String> =
                    candidates.iter().map(|(id, _)| self.bound.types.get(*id).name.clone()).collect();
                let name = candidates.first().map(|&(id, at)| self.bound.types.member_name(id, at)).unwrap_or_default();
                self.fault(
                    Fault::new(
                        &codes::AMBIGUOUS,
                        self.span(id),
                        format!("`{name}` is a member of {}", types.join(" and ")),
                    )
                    .label("which one?")
                    .help(format!("say it outright: `{}.{name}`", types.first().map_or("Type", String::as_str))),
                );
                return Type::Unknown;
            }
        };
        let region = match wanted.map(Type::plain) {
            Some(Type::Named(wanted)) if matches!(self.bound.types.get(*wanted).kind, TypeKind::Regions(_)) => {
                Some(*wanted)
            }
            _ => None,
        };
        let ty = region.unwrap_or(chosen.0);
        self.bound.exprs[id.at()].kind = Expr::Member(vec![(ty, chosen.1)]);
        Type::Named(ty)
    }

    /// `N` is a side and a way of the same board: where nothing says which, it is the side.
    fn side_of(&self, candidates: &[(TypeId, u32)]) -> Option<(TypeId, u32)> {
        let kind = |id: TypeId| &self.bound.types.get(id).kind;
        let side = candidates.iter().find_map(|&(id, at)| match kind(id) {
            TypeKind::Sides(board) => Some((*board, (id, at))),
            _ => None,
        });
        let (board, side) = side?;
        let of_board =
            |&(id, _): &(TypeId, u32)| matches!(kind(id), TypeKind::Sides(of) | TypeKind::Ways(of) if *of == board);
        candidates.iter().all(of_board).then_some(side)
    }

    /// Types of two expressions that should agree: a member of several types follows the other one.
    pub(super) fn pair(&mut self, left: ExprId, right: ExprId, wanted: Option<&Type>) -> (Type, Type) {
        if self.follows(left) && !self.follows(right) {
            let right = self.infer(right, wanted);
            return (self.infer(left, Some(&right)), right);
        }
        let left = self.infer(left, wanted);
        let hint = if left.is_unknown() { wanted.cloned() } else { Some(left.clone()) };
        (left, self.infer(right, hint.as_ref()))
    }

    /// Is it a literal whose type depends on its surroundings?
    fn follows(&self, id: ExprId) -> bool {
        match &self.bound.expr(id).kind {
            Expr::Member(candidates) => candidates.len() > 1,
            Expr::Set(items) | Expr::List(items) => items.iter().all(|item| self.follows(*item)),
            _ => false,
        }
    }

    fn joined(&mut self, items: &[ExprId], wanted: Option<&Type>) -> Type {
        let mut all = Type::Nothing;
        for &item in items {
            let hint = if all == Type::Nothing { wanted.cloned() } else { Some(all.clone()) };
            let ty = self.infer(item, hint.as_ref());
            all = join(&all, &ty).unwrap_or_else(|| self.mismatch(self.span(item), &ty, &all, "the members"));
        }
        all
    }

    /// Checks arguments; gives whether one of them may be `none`.
    pub(super) fn arguments(
        &mut self,
        name: &str,
        params: &[crate::bind::LocalId],
        args: &[ExprId],
        span: Span,
    ) -> bool {
        if params.len() != args.len() {
            self.fault(
                Fault::new(
                    &codes::WRONG_ARITY,
                    span,
                    format!("`{name}` takes {}, found {}", super::functions::arguments(params.len()), args.len()),
                )
                .label(format!("{} given", args.len()))
                .help(format!("give {}", params.len())),
            );
        }
        let mut spreads = false;
        for (&param, &arg) in params.iter().zip(args) {
            let wanted = self.local_type(param).clone();
            let found = self.infer(arg, Some(&wanted));
            let what = format!("`{}` of `{name}`", self.bound.local(param).name);
            spreads |= self.must_fit(&found, &wanted, self.span(arg), &what) == Fit::Maybe;
        }
        spreads
    }

    fn binary(&mut self, op: BinaryOp, left: ExprId, right: ExprId, span: Span, wanted: Option<&Type>) -> Type {
        match op {
            BinaryOp::And => {
                self.condition(left);
                self.condition(right);
                Type::Bool
            }
            BinaryOp::Or => self.or(left, right, span, wanted),
            BinaryOp::Is | BinaryOp::IsNot => {
                let (a, b) = self.pair(left, right, None);
                if join(&a, &b).is_none() && fit(&a, &b) == Fit::Never {
                    self.mismatch(span, &a, &b, "the two sides");
                }
                Type::Bool
            }
            BinaryOp::Less | BinaryOp::AtMost | BinaryOp::More | BinaryOp::AtLeast => {
                let (a, b) = self.pair(left, right, None);
                self.ordered(&a, &b, span);
                Type::Bool
            }
            BinaryOp::In | BinaryOp::NotIn => {
                self.membership(left, right, span);
                Type::Bool
            }
            BinaryOp::Range => {
                self.infer(left, None);
                self.infer(right, None);
                self.fault(
                    Fault::new(&codes::TYPE_MISMATCH, span, "a range is not a value")
                        .label("stands alone")
                        .help("ranges follow `in`: `for l in 2..5`, `x in 2..5`"),
                );
                Type::Unknown
            }
            BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Multiply | BinaryOp::Divide => {
                self.arithmetic(op, left, right, span)
            }
        }
    }

    fn or(&mut self, left: ExprId, right: ExprId, span: Span, wanted: Option<&Type>) -> Type {
        let a = self.infer(left, wanted);
        if a.is_unknown() {
            self.infer(right, wanted);
            return Type::Unknown;
        }
        if a == Type::Bool {
            self.condition(right);
            return Type::Bool;
        }
        if !a.is_optional() {
            self.infer(right, Some(&a));
            let shown = self.show(&a);
            self.fault(
                Fault::new(
                    &codes::TYPE_MISMATCH,
                    span,
                    format!("the left side of `or` is {shown}: neither a condition nor ever none"),
                )
                .label("the right side would never count")
                .help("leave out `or` and the default"),
            );
            return a;
        }
        let b = self.infer(right, Some(a.plain()));
        match join(a.plain(), &b) {
            Some(ty) => ty,
            None => self.mismatch(span, &a, &b, "the two sides of `or`"),
        }
    }

    fn ordered(&mut self, a: &Type, b: &Type, span: Span) {
        let comparable = matches!(join(a.plain(), b.plain()), Some(Type::Int(..) | Type::Named(_) | Type::Unknown));
        if !comparable {
            self.mismatch(span, a, b, "the two sides of a comparison");
        }
    }
}

/// A value if no index is open.
pub(super) fn rows(open: Vec<Type>, element: Type) -> Found {
    if open.is_empty() { Found::Value(element) } else { Found::Rows(open, element) }
}

/// Made optional where something it is asked of may be `none`; a question is then answered no.
pub(super) fn spread(ty: Type, spreads: bool) -> Type {
    if ty == Type::Bool { ty } else { ty.optional_if(spreads) }
}

/// What a set, list or optional of them holds.
pub(super) fn element(ty: &Type) -> Option<&Type> {
    match ty.plain() {
        Type::Set(inner) | Type::List(_, inner) => Some(inner),
        _ => None,
    }
}
