//! Positions as pictures: the signs of a view's text, read backwards.

use super::binder::Binder;
use super::model::{Expr, ExprId, LocalId, PhrasePart, StateId, View, ViewPart};
use super::types::{Type, TypeId, TypeKind};
use super::value::Value;
use crate::ast::{self, BinaryOp, Name};
use crate::internal::exact;
use crate::report::{Fault, Span, codes};

impl Binder<'_> {
    /// A picture: the signs of the view's text, read backwards.
    pub(super) fn picture(&mut self, board: &Name, rows: &[ast::Text]) -> Vec<(StateId, Vec<Value>, Value)> {
        let Type::Named(id) = self.type_named(board) else { return Vec::new() };
        let size = match &self.bound.types.get(id).kind {
            TypeKind::Cells(shape) if shape.is_grid() => Some((shape.width(), shape.height())),
            _ => None,
        };
        let Some((width, height)) = size else {
            self.fault(
                Fault::new(&codes::PICTURE, board.span, format!("`{}` is not a board with rows", board.text))
                    .label("cannot be pictured")
                    .help("name a square or hex board"),
            );
            return Vec::new();
        };
        let signs = self.signs(id);
        if signs.is_empty() {
            self.fault(
                Fault::new(&codes::PICTURE, board.span, format!("the view of `{}` has no signs to read", board.text))
                    .label("cannot be read as a picture")
                    .help("its `text` parts must be signs with conditions: `\"x\" where disc[c] is black`"),
            );
            return Vec::new();
        }
        let mut facts = Vec::new();
        if rows.len() != height {
            self.picture_size(board.span, height, rows.len(), "rows");
        }
        for (row, line) in rows.iter().enumerate().take(height) {
            let text = line.plain();
            let cells: Vec<&str> = text.split_whitespace().collect();
            if cells.len() != width {
                self.picture_size(line.span, width, cells.len(), "signs");
            }
            for (column, sign) in cells.iter().enumerate().take(width) {
                let cell = Value::Member(id, exact::<_, u32>((height - 1 - row) * width + column));
                match signs.iter().find(|(known, _)| known == sign) {
                    Some((_, meaning)) => {
                        facts.extend(meaning.iter().map(|(state, value)| (*state, vec![cell.clone()], value.clone())));
                    }
                    None => {
                        let known: Vec<String> = signs.iter().map(|(sign, _)| sign.clone()).collect();
                        let message = format!("the view knows no sign `{sign}`");
                        let way_out = format!("its signs: {}", known.join(" "));
                        self.misspelt(&codes::PICTURE, sign, line.span, message, &[], &way_out);
                    }
                }
            }
        }
        facts
    }

    fn picture_size(&mut self, span: Span, wanted: usize, found: usize, what: &str) {
        self.fault(
            Fault::new(&codes::PICTURE, span, format!("the board has {wanted} {what}, the picture {found}"))
                .label(format!("{found} here"))
                .help("signs are separated by blanks, the top row comes first"),
        );
    }

    /// What each sign of a board's view says about a cell.
    fn signs(&self, board: TypeId) -> Vec<(String, Vec<(StateId, Value)>)> {
        let of_board =
            |view: &&View| view.param.is_some_and(|cell| self.bound.local(cell).ty == Some(Type::Named(board)));
        let mut signs = Vec::new();
        for view in self.bound.views.iter().filter(of_board) {
            for slot in view.slots.iter().filter(|slot| slot.word == "text" && slot.each.is_none()) {
                for (part, condition) in &slot.parts {
                    if let (ViewPart::Text(phrase), Some(condition)) = (part, condition)
                        && let [PhrasePart::Words(sign)] = phrase.parts.as_slice()
                    {
                        let mut meaning = Vec::new();
                        if self.meaning(*condition, view.param, &mut meaning).is_some() {
                            signs.push((sign.clone(), meaning));
                        }
                    }
                }
            }
        }
        signs
    }

    /// `PLACE is VALUE`, several joined by `and`.
    fn meaning(&self, condition: ExprId, cell: Option<LocalId>, out: &mut Vec<(StateId, Value)>) -> Option<()> {
        match &self.bound.expr(condition).kind {
            Expr::Binary(BinaryOp::And, left, right) => {
                self.meaning(*left, cell, out)?;
                self.meaning(*right, cell, out)
            }
            Expr::Binary(BinaryOp::Is, place, value) => {
                let Expr::Index(base, args) = &self.bound.expr(*place).kind else { return None };
                let Expr::State(state) = self.bound.expr(*base).kind else { return None };
                let [index] = args.as_slice() else { return None };
                let Expr::Local(local) = self.bound.expr(*index).kind else { return None };
                if Some(local) != cell {
                    return None;
                }
                let plain = self.bound.state(state).ty.plain();
                out.push((state, self.sign_value(*value, plain)?));
                Some(())
            }
            _ => None,
        }
    }

    /// A value written out in a view's condition.
    fn sign_value(&self, value: ExprId, ty: &Type) -> Option<Value> {
        Some(match &self.bound.expr(value).kind {
            Expr::None => Value::None,
            Expr::Int(value) => Value::Int(*value),
            Expr::Bool(value) => Value::Bool(*value),
            Expr::Member(candidates) => {
                let &(id, at) = candidates.iter().find(|(id, _)| ty == &Type::Named(*id))?;
                Value::Member(id, at)
            }
            Expr::Make(id, parts) => {
                let TypeKind::Record(fields) = &self.bound.types.get(*id).kind else { return None };
                let values = fields.iter().zip(parts).map(|((_, ty), part)| self.sign_value(*part, ty.plain()));
                Value::Record(*id, values.collect::<Option<_>>()?)
            }
            _ => return None,
        })
    }
}
