//! Faults about names that stand for nothing, with what may have been meant.

use super::binder::Binder;
use super::expressions::PREDEFINED;
use super::model::{Expr, Function};
use crate::report::{Fault, Span, codes};

/// Faults after which no more names are suggested: looking for near ones takes time.
const MOST_SUGGESTIONS: usize = 100;

impl Binder<'_> {
    pub(super) fn unknown_number(&mut self, path: &str, span: Span) -> Expr {
        let mut known: Vec<String> = self.numbers.keys().cloned().collect();
        known.sort();
        let message = format!("unknown number `{path}`");
        if let Some((head, member)) = path.rsplit_once('.')
            && self.numbers.get(head).is_some_and(|id| !self.bound.number(*id).indices.is_empty())
        {
            self.fault(
                Fault::new(&codes::UNKNOWN_NAME, span, message)
                    .label("not a number of its own")
                    .help(format!("indices stand in `[ ]`: `{head}[{member}]`")),
            );
            return Expr::Fault;
        }
        self.misspelt(
            &codes::UNKNOWN_NAME,
            path,
            span,
            message,
            &known,
            "declare it in `numbers { … }` and give it a value in the TOML",
        );
        Expr::Fault
    }

    pub(super) fn wrong_arity(&mut self, name: &str, wanted: usize, found: usize, span: Span) -> Expr {
        self.fault(
            Fault::new(&codes::WRONG_ARITY, span, format!("`{name}` takes {wanted} arguments, found {found}"))
                .label(format!("{found} given"))
                .help(format!("give {wanted}")),
        );
        Expr::Fault
    }

    pub(super) fn unknown_name(&mut self, name: &str, span: Span) -> Expr {
        let way_out = "declare it: `state`, `def`, a member of a `type`, or a number in the TOML";
        if self.faults.len() > MOST_SUGGESTIONS {
            self.misspelt(&codes::UNKNOWN_NAME, name, span, format!("unknown name `{name}`"), &[], way_out);
            return Expr::Fault;
        }
        let mut known: Vec<String> = self.scope.iter().map(|(name, _)| name.clone()).collect();
        let mut declared: Vec<String> = self.symbols.keys().cloned().collect();
        declared.extend(self.numbers.keys().cloned());
        declared.extend(self.members.keys().cloned());
        declared.sort();
        known.extend(declared);
        known.extend(PREDEFINED.iter().map(|&name| name.to_owned()));
        known.extend(Function::ALL.iter().map(|function| function.word().to_owned()));
        self.misspelt(&codes::UNKNOWN_NAME, name, span, format!("unknown name `{name}`"), &known, way_out);
        Expr::Fault
    }
}
