//! Rulings: decisions with the readings of each source, and their switch in the TOML.

use super::binder::Binder;
use super::model::Ruling;
use crate::ast::{self, Name};
use crate::report::{Fault, codes};

impl Binder<'_> {
    /// A ruling, and its switch in the TOML.
    pub(super) fn bind_ruling(&mut self, name: &Name, ty: &ast::TypeExpr, texts: &[ast::Text], cites: &[ast::Cite]) {
        let ty = self.type_of(ty, &name.text);
        let path = Name { text: format!("ruling.{}", name.text), span: name.span };
        let (mut citations, mut readings) = (Vec::new(), Vec::new());
        for cite in cites {
            let Some(citation) = self.citation(&cite.source, cite.page, cite.section.as_ref()) else { continue };
            citations.push(citation.clone());
            let Some(expr) = &cite.reading else { continue };
            match self.literal(expr, &ty) {
                Some(value) => readings.push((citation, value, cite.span)),
                None => {
                    let shown = self.bound.types.show(&ty).to_string();
                    self.fault(
                        Fault::new(
                            &codes::TYPE_MISMATCH,
                            expr.span,
                            format!("a reading of `{}` is a value of {shown}", name.text),
                        )
                        .label(format!("not a value of {shown}"))
                        .help("write one of the values that the ruling can have"),
                    );
                }
            }
        }
        let number = self.add_number(&path, Vec::new(), ty, None, citations);
        if texts.len() != 2 {
            self.fault(
                Fault::new(
                    &codes::MISSING_SLOT,
                    name.span,
                    format!("the ruling `{}` needs a question and a reason", name.text),
                )
                .label(format!("{} texts found, two needed", texts.len()))
                .help("first the question, then what the sources say, then why this is the default"),
            );
        }
        let text = |at: usize| texts.get(at).map(ast::Text::plain).unwrap_or_default();
        self.bound.rulings.push(Ruling {
            name: name.text.clone(),
            number,
            question: text(0),
            readings,
            reason: text(1),
            span: name.span,
        });
    }
}
