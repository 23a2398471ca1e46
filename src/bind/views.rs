//! Views: how a board is drawn.

use super::binder::Binder;
use super::model::{Bind, Expr, View, ViewPart, ViewSlot};
use super::rules::head_of;
use super::types::{Type, TypeId};
use crate::ast;
use crate::report::{Fault, Span, codes};

impl Binder<'_> {
    pub(super) fn view(&mut self, params: &[ast::Param], slots: &[ast::ViewSlot], span: Span) {
        let locals = self.params(params);
        let board = match locals.as_slice() {
            [] => Some(None),
            [cell] => match self.bound.local(*cell).ty {
                Some(Type::Named(id)) if self.boards.contains(&id) => Some(Some(id)),
                _ => None,
            },
            _ => None,
        };
        let Some(board) = board else {
            self.fault(
                Fault::new(
                    &codes::WRONG_ARITY,
                    head_of(span),
                    "a view takes one parameter, a cell of a board, or none",
                )
                .label("not so here")
                .help("write `view(c: Square) { … }`, or `view { … }` for a game without a board"),
            );
            return;
        };
        let mut bound = Vec::new();
        for slot in slots {
            if board.is_none() && slot.word.text != "panel" {
                self.fault(
                    Fault::new(&codes::MISPLACED, slot.word.span, format!("`{}` needs a board", slot.word.text))
                        .label("this view has none")
                        .help("a view without a board has panels only"),
                );
            }
            bound.push(self.scoped(|this| this.view_slot(slot, board)));
        }
        self.bound.views.push(View { param: locals.first().copied(), slots: bound, span: head_of(span) });
    }

    fn view_slot(&mut self, slot: &ast::ViewSlot, board: Option<TypeId>) -> ViewSlot {
        let each = match &slot.each {
            None => None,
            Some(ast::ViewEach::Bind(bind)) => Some(self.bind(bind)),
            Some(ast::ViewEach::Side(name)) => {
                let sides = board.and_then(|board| self.board_part(board, "side")).map_or(Type::Unknown, Type::Named);
                let domain = self.add(Expr::Members(sides.clone()), name.span);
                let local = self.local(name, Some(sides));
                Some(Bind { local, domain, clockwise: false, condition: None })
            }
        };
        let mut parts = Vec::new();
        for part in &slot.parts {
            let shown = match &part.shown {
                ast::Shown::Text(text) => ViewPart::Text(self.phrase(text)),
                ast::Shown::Value(expr) => ViewPart::Value(self.expr(expr)),
            };
            parts.push((shown, self.optional(part.condition.as_ref())));
        }
        ViewSlot { word: slot.word.text.clone(), each, parts }
    }
}
