//! The state of a checking run. The work is in the sibling files, each an `impl Checker`.

use crate::bind::{Bound, DefId, Expr, ExprId, LocalId, Type};
use crate::report::{Fault, Span, codes};

use super::fit::{Fit, fit};

/// How far the typing of a definition has come.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum DefType {
    Pending,
    Done(Type),
}

pub(super) struct Checker {
    pub(super) bound: Bound,
    pub(super) faults: Vec<Fault>,
    /// By [`ExprId`].
    pub(super) types: Vec<Type>,
    /// By [`LocalId`].
    pub(super) locals: Vec<Type>,
    pub(super) defs: Vec<DefType>,
    pub(super) awards: Vec<DefType>,
    /// Views may show a whole row of a state.
    pub(super) rows_allowed: bool,
    pub(super) score_running: bool,
}

impl Checker {
    /// With `nested`, definitions use each other in circles or too deeply: what they give is not looked into.
    pub(super) fn new(bound: Bound, nested: bool) -> Self {
        let types = vec![Type::Unknown; bound.exprs.len()];
        let locals = bound.locals.iter().map(|local| local.ty.clone().unwrap_or(Type::Unknown)).collect();
        let unseen = if nested { DefType::Done(Type::Unknown) } else { DefType::Pending };
        let defs = vec![unseen.clone(); bound.defs.len()];
        let awards = vec![unseen; bound.awards.len()];
        Self { bound, faults: Vec::new(), types, locals, defs, awards, rows_allowed: false, score_running: false }
    }

    pub(super) fn fault(&mut self, fault: Fault) {
        self.faults.push(fault);
    }

    pub(super) fn span(&self, id: ExprId) -> Span {
        self.bound.expr(id).span
    }

    pub(super) fn kind(&self, id: ExprId) -> Expr {
        self.bound.expr(id).kind.clone()
    }

    pub(super) fn show(&self, ty: &Type) -> String {
        self.bound.types.show(ty).to_string()
    }

    pub(super) fn player(&self) -> Type {
        Type::Named(self.bound.players.ty)
    }

    pub(super) fn set_local(&mut self, id: LocalId, ty: Type) {
        self.locals[id.at()] = ty;
    }

    pub(super) fn local_type(&self, id: LocalId) -> &Type {
        &self.locals[id.at()]
    }

    /// Infers an expression and reports it if it does not fit.
    pub(super) fn expect(&mut self, id: ExprId, wanted: &Type, what: &str) -> Type {
        let found = self.infer(id, Some(wanted));
        self.must_fit(&found, wanted, self.span(id), what);
        if let (Expr::List(items), Type::List(most, _)) = (&self.bound.expr(id).kind, wanted.plain())
            && items.len() > *most as usize
        {
            let count = items.len();
            self.fault(
                Fault::new(
                    &codes::NEVER_FITS,
                    self.span(id),
                    format!("{what} holds at most {most}, but this has {count}"),
                )
                .label(format!("always {count}"))
                .help("leave some out, or make the list longer"),
            );
        }
        found
    }

    /// Reports a type that does not fit; `Maybe` is tested at run time.
    pub(super) fn must_fit(&mut self, found: &Type, wanted: &Type, span: Span, what: &str) -> Fit {
        let result = fit(found, wanted);
        let (shown, wish) = (self.show(found), self.show(wanted));
        match result {
            Fit::Never => self.fault(
                Fault::new(&codes::TYPE_MISMATCH, span, format!("{what} is of type {wish}, found {shown}"))
                    .label(format!("of type {shown}"))
                    .help(mismatch_help(found, wanted, &wish)),
            ),
            Fit::OutOfRange => self.fault(
                Fault::new(&codes::NEVER_FITS, span, format!("{what} is {wish}, but this is {shown}"))
                    .label(format!("always {shown}"))
                    .help("the two ranges have nothing in common: change one of them"),
            ),
            Fit::Always | Fit::Maybe => {}
        }
        result
    }

    /// A condition: bool.
    pub(super) fn condition(&mut self, id: ExprId) {
        self.expect(id, &Type::Bool, "a condition");
    }

    /// The type of a definition's value. Circles were found before.
    pub(super) fn def_type(&mut self, id: DefId) -> Type {
        if let DefType::Done(ty) = &self.defs[id.at()] {
            return ty.clone();
        }
        let body = self.bound.def(id).body;
        let ty = self.infer(body, None);
        self.defs[id.at()] = DefType::Done(ty.clone());
        ty
    }
}

fn mismatch_help(found: &Type, wanted: &Type, wish: &str) -> String {
    match (found.plain(), wanted.plain()) {
        (Type::Set(inner), wanted) if fit(inner, wanted) != Fit::Never => {
            "take one member: `first x in …`, or loop over the set".to_owned()
        }
        (_, Type::Bool) => "compare it with something: `is`, `>`, `in`".to_owned(),
        (Type::Optional(_), _) => format!("give a default: `… or` a value of {wish}"),
        _ => format!("write something of type {wish}"),
    }
}
