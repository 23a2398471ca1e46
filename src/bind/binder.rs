//! The state of a binding run. The work is in the sibling files, each an `impl Binder`.

use crate::internal::exact;
use std::collections::{BTreeSet, HashMap};

use super::Choice;
use super::layers::Effective;
use super::model::{
    ActionId, AwardId, Bound, DefId, Expr, ExprId, ExprNode, Local, LocalId, NumberId, Outcome, PhaseId, StateId,
};
use super::types::{Type, TypeId};
use crate::ast;
use crate::report::{Code, Fault, Span, codes, suggest};

/// What a name stands for.
#[derive(Debug, Clone)]
pub(super) enum Symbol {
    Type,
    State(StateId),
    Def(DefId),
    Action(ActionId),
    Phase(PhaseId),
    Award(AwardId),
}

impl Symbol {
    pub(super) fn kind(&self) -> &'static str {
        match self {
            Self::Type => "a type",
            Self::State(_) => "a state",
            Self::Def(_) => "a definition",
            Self::Action(_) => "an action",
            Self::Phase(_) => "a phase",
            Self::Award(_) => "an award",
        }
    }
}

/// How far the resolution of a type's name has come.
#[derive(Debug, Clone)]
pub(super) enum TypeSlot<'a> {
    Pending(&'a ast::Item),
    Running(Span),
    Done(Type),
}

/// The types of the indices of a drawn place, and of its value if that is known.
pub(super) type DrawnPlace = (Vec<Type>, Option<Type>);

pub(super) struct Binder<'a> {
    pub(super) items: &'a Effective<'a>,
    pub(super) choice: Choice<'a>,
    pub(super) bound: Bound,
    pub(super) faults: Vec<Fault>,
    pub(super) symbols: HashMap<String, (Symbol, Span)>,
    pub(super) types: HashMap<String, TypeSlot<'a>>,
    /// Sides, ways, edges, … that have been asked for.
    pub(super) board_parts: HashMap<(TypeId, String), TypeId>,
    pub(super) numbers: HashMap<String, NumberId>,
    pub(super) numbers_used_in_types: Vec<(String, Span)>,
    /// Elements of all numbers and columns so far.
    pub(super) elements: u64,
    /// Numbers that the range of the number or column at hand names, with their values.
    pub(super) range_names: Vec<(Span, String)>,
    /// TOML tables that hold the rows of tables.
    pub(super) table_keys: Vec<String>,
    pub(super) number_lines: HashMap<&'a str, &'a ast::NumberLine>,
    pub(super) members: HashMap<String, Vec<(TypeId, u32)>>,
    pub(super) boards: Vec<TypeId>,
    pub(super) scope: Vec<(String, LocalId)>,
    pub(super) seats: Vec<String>,
    /// Who sits there, if a log says so.
    pub(super) people: Vec<Option<String>>,
    /// May entries be spelt freely? Those of logs may, those of examples not.
    pub(super) tolerant: bool,
    /// Named seats that nobody takes in this game: they are `none`.
    pub(super) empty_seats: Vec<String>,
    /// How many types are being resolved at once.
    pub(super) type_depth: usize,
    /// Drawn places by the name that entries use, with index types and the type of the value.
    pub(super) drawn: HashMap<String, Vec<DrawnPlace>>,
    pub(super) in_example: bool,
    /// Every offer: the action, and how many of its first arguments the flow binds.
    pub(super) offers: Vec<(ActionId, usize)>,
    pub(super) used_defs: BTreeSet<DefId>,
    pub(super) used_awards: BTreeSet<AwardId>,
    pub(super) used_phases: BTreeSet<PhaseId>,
}

impl<'a> Binder<'a> {
    pub(super) fn new(items: &'a Effective<'a>, choice: Choice<'a>) -> Self {
        Self {
            items,
            choice,
            bound: Bound::default(),
            faults: Vec::new(),
            symbols: HashMap::new(),
            types: HashMap::new(),
            board_parts: HashMap::new(),
            numbers: HashMap::new(),
            numbers_used_in_types: Vec::new(),
            range_names: Vec::new(),
            elements: 0,
            table_keys: Vec::new(),
            number_lines: HashMap::new(),
            members: HashMap::new(),
            boards: Vec::new(),
            scope: Vec::new(),
            seats: Vec::new(),
            people: Vec::new(),
            tolerant: false,
            empty_seats: Vec::new(),
            type_depth: 0,
            drawn: HashMap::new(),
            in_example: false,
            offers: Vec::new(),
            used_defs: BTreeSet::new(),
            used_awards: BTreeSet::new(),
            used_phases: BTreeSet::new(),
        }
    }

    pub(super) fn finish(mut self) -> (Bound, Vec<Fault>) {
        self.mark_used();
        (self.bound, self.faults)
    }

    pub(super) fn fault(&mut self, fault: Fault) {
        self.faults.push(fault);
    }

    /// Does the name stand in an item that could not be parsed? Then it may well be declared there.
    pub(super) fn is_broken(&self, name: &str) -> bool {
        self.items.broken.contains(name)
    }

    /// A fault about a misspelt name, with suggestions.
    pub(super) fn misspelt(
        &mut self,
        code: &'static Code,
        name: &str,
        span: Span,
        message: String,
        known: &[String],
        way_out: &str,
    ) {
        if name.split('.').any(|part| self.is_broken(part)) {
            return;
        }
        let help = suggest::did_you_mean(name, known.iter().map(String::as_str)).unwrap_or_else(|| way_out.to_owned());
        self.faults.push(Fault::new(code, span, message).label("not known").help(help));
    }

    pub(super) fn add(&mut self, kind: Expr, span: Span) -> ExprId {
        self.bound.exprs.push(ExprNode { kind, span });
        ExprId(exact::<_, u32>(self.bound.exprs.len() - 1))
    }

    /// Registers a name of the one namespace.
    pub(super) fn declare_symbol(&mut self, name: &ast::Name, symbol: Symbol) {
        let of_language =
            super::expressions::PREDEFINED.contains(&name.text.as_str()) || Outcome::named(&name.text).is_some();
        if of_language {
            self.fault(
                Fault::new(&codes::DUPLICATE_NAME, name.span, format!("`{}` is a name of the language", name.text))
                    .label("taken")
                    .help("choose another name"),
            );
            return;
        }
        if let Some((_, first)) = self.symbols.get(&name.text) {
            let first = *first;
            self.fault(
                Fault::new(&codes::DUPLICATE_NAME, name.span, format!("`{}` is declared twice", name.text))
                    .label("again here")
                    .also(first, "first here")
                    .help("rename one of them; in a variant, `replace` takes the place of the first"),
            );
            return;
        }
        if self.numbers.contains_key(&name.text) {
            self.fault(
                Fault::new(&codes::DUPLICATE_NAME, name.span, format!("`{}` is a number already", name.text))
                    .label("also a number of the TOML")
                    .help("rename one of them"),
            );
            return;
        }
        self.symbols.insert(name.text.clone(), (symbol, name.span));
    }

    /// Introduces a parameter or variable; it must not hide a declaration.
    pub(super) fn local(&mut self, name: &ast::Name, ty: Option<Type>) -> LocalId {
        let hidden = self.symbols.get(&name.text).map(|(symbol, span)| (symbol.kind(), *span));
        let of_language = super::expressions::PREDEFINED.contains(&name.text.as_str());
        if of_language || self.numbers.contains_key(&name.text) {
            let what = if of_language { "a name of the language" } else { "a number of the TOML" };
            self.fault(
                Fault::new(&codes::SHADOWED, name.span, format!("`{}` is {what} already", name.text))
                    .label("this would hide it")
                    .help("choose another name for the parameter or variable"),
            );
        }
        let earlier = self.scope.iter().rev().find(|(known, _)| *known == name.text).map(|&(_, id)| id);
        if let Some((kind, span)) = hidden {
            self.fault(
                Fault::new(&codes::SHADOWED, name.span, format!("`{}` is {kind} already", name.text))
                    .label("this would hide it")
                    .also(span, "declared here")
                    .help("choose another name for the parameter or variable"),
            );
        } else if let Some(earlier) = earlier {
            let span = self.bound.local(earlier).span;
            self.fault(
                Fault::new(&codes::SHADOWED, name.span, format!("`{}` is a variable already", name.text))
                    .label("this would hide it")
                    .also(span, "introduced here")
                    .help("choose another name"),
            );
        }
        self.bound.locals.push(Local { name: name.text.clone(), ty, span: name.span });
        let id = LocalId(exact::<_, u32>(self.bound.locals.len() - 1));
        self.scope.push((name.text.clone(), id));
        id
    }

    /// Does something with what it introduces forgotten afterwards.
    pub(super) fn scoped<T>(&mut self, inner: impl FnOnce(&mut Self) -> T) -> T {
        let depth = self.scope.len();
        let result = inner(self);
        self.scope.truncate(depth);
        result
    }
}
