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
            [cell] => self.bound.local(*cell).ty.clone(),
            _ => None,
        };
        let Some(Type::Named(board)) = board.filter(|ty| matches!(ty, Type::Named(id) if self.boards.contains(id)))
        else {
            self.fault(
                Fault::new(&codes::WRONG_ARITY, head_of(span), "a view takes one parameter: a cell of a board")
                    .label("not so here")
                    .help("write `view(c: Square) { … }`"),
            );
            return;
        };
        let mut bound = Vec::new();
        for slot in slots {
            bound.push(self.scoped(|this| this.view_slot(slot, board)));
        }
        self.bound.views.push(View { param: locals[0], slots: bound, span: head_of(span) });
    }

    fn view_slot(&mut self, slot: &ast::ViewSlot, board: TypeId) -> ViewSlot {
        let each = match &slot.each {
            None => None,
            Some(ast::ViewEach::Bind(bind)) => Some(self.bind(bind)),
            Some(ast::ViewEach::Side(name)) => {
                let sides = self.board_part(board, "side").map_or(Type::Unknown, Type::Named);
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
