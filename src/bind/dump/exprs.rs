//! Expressions as text.

use super::Printer;
use crate::bind::model::{Bind, Expr, ExprId, Phrase, PhrasePart};
use crate::bind::types::TypeId;

impl Printer<'_> {
    pub(super) fn phrase(&self, phrase: &Phrase) -> String {
        let part = |part: &PhrasePart| match part {
            PhrasePart::Words(words) => words.clone(),
            PhrasePart::Value(value) => format!("{{{}}}", self.expr(*value)),
        };
        format!("\"{}\"", phrase.parts.iter().map(part).collect::<String>())
    }

    pub(super) fn bind(&self, bind: &Bind) -> String {
        let word = if bind.clockwise { "clockwise from" } else { "in" };
        let condition = bind.condition.map(|condition| format!(" where {}", self.expr(condition))).unwrap_or_default();
        format!("{} {word} {}{condition}", self.local(bind.local), self.expr(bind.domain))
    }

    pub(super) fn exprs(&self, ids: &[ExprId]) -> String {
        ids.iter().map(|id| self.expr(*id)).collect::<Vec<_>>().join(", ")
    }

    /// An expression; with types, those of what is looked up or worked out stand behind it.
    pub(super) fn expr(&self, id: ExprId) -> String {
        let kind = &self.bound.expr(id).kind;
        let plain = self.plain(kind);
        let telling = matches!(
            kind,
            Expr::Index(..)
                | Expr::Field(..)
                | Expr::Function(..)
                | Expr::Aggregate(..)
                | Expr::If(..)
                | Expr::SetOf(_)
                | Expr::ListOf(_)
        );
        match self.types.and_then(|(types, _)| types.get(id.at())) {
            Some(ty) if telling && !ty.is_unknown() => format!("{plain}:{}", self.ty(ty).replace(' ', "_")),
            _ => plain,
        }
    }

    pub(super) fn plain(&self, kind: &Expr) -> String {
        match kind {
            Expr::Fault => "<fault>".to_owned(),
            Expr::Int(value) => value.to_string(),
            Expr::Bool(value) => value.to_string(),
            Expr::None => "none".to_owned(),
            Expr::Me => "me".to_owned(),
            Expr::Players => "players".to_owned(),
            Expr::Local(local) => self.local(*local),
            Expr::Member(candidates) => {
                let name = |&(id, at): &(TypeId, u32)| {
                    format!("{}:{}", self.bound.types.get(id).name, self.bound.types.member_name(id, at))
                };
                candidates.iter().map(name).collect::<Vec<_>>().join("|")
            }
            Expr::Number(number) => format!("%{}", self.bound.number(*number).path),
            Expr::State(state) => format!("@{}", self.bound.state(*state).name),
            Expr::Def(def, args) => format!("{}({})", self.bound.def(*def).name, self.exprs(args)),
            Expr::Award(award, args) => format!("{}({})", self.bound.award(*award).name, self.exprs(args)),
            Expr::Score(seat) => format!("score({})", self.expr(*seat)),
            Expr::Function(function, args) => format!("{}({})", function.word(), self.exprs(args)),
            Expr::Members(ty) => self.ty(ty),
            Expr::Make(ty, args) => format!("{}({})", self.bound.types.get(*ty).name, self.exprs(args)),
            Expr::Field(base, member) => format!("{}.{}", self.expr(*base), member.text),
            Expr::Index(base, args) => format!("{}[{}]", self.plain(&self.bound.expr(*base).kind), self.exprs(args)),
            Expr::Unary(op, inner) => format!("({} {})", op.symbol(), self.expr(*inner)),
            Expr::Binary(op, left, right) => format!("({} {} {})", self.expr(*left), op.symbol(), self.expr(*right)),
            Expr::If(a, b, c) => format!("(if {} then {} else {})", self.expr(*a), self.expr(*b), self.expr(*c)),
            Expr::Aggregate(which, binds, body, by) => {
                let binds: Vec<String> = binds.iter().map(|bind| self.bind(bind)).collect();
                let body = body.map(|body| format!(": {}", self.expr(body))).unwrap_or_default();
                let by = if by.is_empty() { String::new() } else { format!(" by {}", self.exprs(by)) };
                format!("({} {}{body}{by})", which.word(), binds.join(", "))
            }
            Expr::Set(items) => format!("{{{}}}", self.exprs(items)),
            Expr::List(items) => format!("[{}]", self.exprs(items)),
            Expr::SetOf(bind) => format!("{{{}}}", self.bind(bind)),
            Expr::ListOf(bind) => format!("[{}]", self.bind(bind)),
            Expr::Outcome(outcome) => outcome.word().to_owned(),
        }
    }
}
