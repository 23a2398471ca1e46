//! The functions of the language.

use crate::bind::{ExprId, Function, Type, TypeId, TypeKind};
use crate::internal::exact;
use crate::report::{Fault, Span, codes};

use super::checker::Checker;
use super::expressions::{LARGEST, spread};
use super::fit::{Fit, fit, join};

/// What a board function wants as an argument.
#[derive(Clone, Copy, PartialEq)]
enum Want {
    Cell,
    Side,
    Way,
    Border,
    Rim,
    Number,
}

impl Checker {
    pub(super) fn function(&mut self, function: Function, args: &[ExprId], span: Span) -> Type {
        let arity = match function {
            Function::Step => 2..=3,
            Function::Adjacent
            | Function::Side
            | Function::Ray
            | Function::Between
            | Function::Edge
            | Function::Border
            | Function::Inward
            | Function::Rotate
            | Function::Least
            | Function::Most => 2..=2,
            _ => 1..=1,
        };
        if !arity.contains(&args.len()) {
            self.fault(
                Fault::new(
                    &codes::WRONG_ARITY,
                    span,
                    format!("`{}` takes {}, found {}", function.word(), arguments(*arity.start()), args.len()),
                )
                .label(format!("{} given", args.len()))
                .help("the reference lists the functions with their arguments"),
            );
            return Type::Unknown;
        }
        match function {
            Function::Size => self.size(args[0]),
            Function::Top => self.top(args[0]),
            Function::Least | Function::Most => self.extreme(args, span),
            Function::Seat => {
                // A seat that nobody takes in this game is `none`.
                let seats = i64::from(self.bound.players.count);
                let found = self.expect(args[0], &Type::Int(1, i64::from(self.bound.players.most)), "a seat's number");
                let taken = fit(&found, &Type::Int(1, seats));
                if taken == Fit::OutOfRange {
                    return Type::Nothing.optional();
                }
                self.player().optional_if(taken == Fit::Maybe)
            }
            Function::Ordinal => self.ordinal(args[0]),
            Function::Rotate => self.rotate(args),
            Function::Opposite => self.opposite(args[0]),
            _ => self.board_function(function, args, span),
        }
    }

    fn size(&mut self, arg: ExprId) -> Type {
        let ty = self.infer(arg, None);
        let most = match ty.plain() {
            Type::List(length, _) => i64::from(*length),
            Type::Set(inner) => i64::try_from(self.bound.types.size(inner)).unwrap_or(LARGEST),
            Type::Named(id) => match &self.bound.types.get(*id).kind {
                TypeKind::Edges(_) => 2,
                TypeKind::Regions(of) => i64::try_from(self.bound.types.size(of)).unwrap_or(LARGEST),
                _ => return self.wrong_argument(arg, &ty, "a set, list, edge or region"),
            },
            Type::Unknown => return Type::Unknown,
            _ => return self.wrong_argument(arg, &ty, "a set, list, edge or region"),
        };
        spread(Type::Int(0, most.min(LARGEST)), ty.is_optional())
    }

    fn top(&mut self, arg: ExprId) -> Type {
        let ty = self.infer(arg, None);
        match ty.plain() {
            Type::List(_, inner) => inner.as_ref().clone().optional(),
            Type::Unknown => Type::Unknown,
            _ => self.wrong_argument(arg, &ty, "a list"),
        }
    }

    fn extreme(&mut self, args: &[ExprId], span: Span) -> Type {
        let (a, b) = self.pair(args[0], args[1], None);
        match join(&a, &b) {
            Some(ty) if matches!(ty.plain(), Type::Int(..) | Type::Named(_) | Type::Unknown) => ty,
            _ => self.mismatch(span, &a, &b, "the arguments"),
        }
    }

    fn ordinal(&mut self, arg: ExprId) -> Type {
        let ty = self.infer(arg, None);
        match ty.plain() {
            // A record is no member: it has no place of its own.
            Type::Named(id) if !matches!(self.bound.types.get(*id).kind, TypeKind::Record(_)) => {
                let count = i64::try_from(self.bound.types.count(*id)).unwrap_or(LARGEST).min(LARGEST);
                spread(Type::Int(1, count), ty.is_optional())
            }
            Type::Unknown => Type::Unknown,
            _ => self.wrong_argument(arg, &ty, "a member of an enumeration"),
        }
    }

    fn rotate(&mut self, args: &[ExprId]) -> Type {
        let ty = self.infer(args[0], None);
        let turns = self.expect(args[1], &Type::Int(-LARGEST, LARGEST).optional(), "the number of quarter turns");
        let turned = match ty.plain() {
            Type::Set(inner) => inner.plain(),
            other => other,
        };
        match turned {
            Type::Named(id) if self.turns_on_square(*id) => spread(ty.clone(), turns.is_optional()),
            Type::Unknown | Type::Nothing => ty,
            _ => self.wrong_argument(args[0], &ty, "cells or borders of a square board as wide as it is high"),
        }
    }

    fn turns_on_square(&self, id: TypeId) -> bool {
        let of_kind = matches!(self.bound.types.get(id).kind, TypeKind::Cells(_) | TypeKind::Borders(_));
        let square = self.bound.types.board_of(id).is_some_and(|(_, board)| {
            matches!(board.shape(), crate::bind::Shape::Square) && board.width() == board.height()
        });
        of_kind && square
    }

    fn opposite(&mut self, arg: ExprId) -> Type {
        let ty = self.infer(arg, None);
        match ty.plain() {
            Type::Named(id) if matches!(self.bound.types.get(*id).kind, TypeKind::Sides(_) | TypeKind::Ways(_)) => ty,
            Type::Unknown => Type::Unknown,
            _ => self.wrong_argument(arg, &ty, "a side or way"),
        }
    }

    pub(super) fn wrong_argument(&mut self, arg: ExprId, ty: &Type, wanted: &str) -> Type {
        let shown = self.show(ty);
        self.fault(
            Fault::new(&codes::TYPE_MISMATCH, self.span(arg), format!("expected {wanted}, found {shown}"))
                .label(format!("of type {shown}"))
                .help(format!("give {wanted}")),
        );
        Type::Unknown
    }

    /// A function whose board is known from its first argument.
    fn board_function(&mut self, function: Function, args: &[ExprId], _span: Span) -> Type {
        let first = self.infer(args[0], None);
        if first.is_unknown() {
            for &arg in &args[1..] {
                self.infer(arg, None);
            }
            return Type::Unknown;
        }
        let wants: &[Want] = match function {
            Function::Adjacent | Function::Side | Function::Between => &[Want::Cell, Want::Cell],
            Function::Step => &[Want::Cell, Want::Way, Want::Number],
            Function::Ray => &[Want::Cell, Want::Way],
            Function::Edge if self.second_is_cell(args, &first) => &[Want::Cell, Want::Cell],
            Function::Edge | Function::Border => &[Want::Cell, Want::Side],
            Function::Across => &[Want::Border],
            Function::Inward => &[Want::Rim, Want::Number],
            _ => &[Want::Cell],
        };
        let Some(board) = self.board_argument(args[0], &first, wants[0]) else { return Type::Unknown };
        let by_neighbours = function == Function::Edge && wants == [Want::Cell, Want::Cell];
        let needs_grid = !by_neighbours && !matches!(function, Function::Neighbours | Function::Adjacent);
        if needs_grid && self.bound.types.board_of(board).is_some_and(|(_, board)| !board.is_grid()) {
            return self.wrong_argument(args[0], &first, "a cell of a board with rows and sides");
        }
        let mut spreads = first.is_optional();
        for (&arg, &want) in args.iter().zip(wants).skip(1) {
            let Some(wanted) = self.wanted_type(board, want) else { return Type::Unknown };
            let found = self.infer(arg, Some(&wanted));
            spreads |= found.is_optional();
            // Sides are ways too.
            let side = self.wanted_type(board, Want::Side);
            let is_side = want == Want::Way && side.is_some_and(|side| fit(&found, &side) < Fit::OutOfRange);
            if !is_side {
                self.must_fit(&found, &wanted, self.span(arg), &format!("an argument of `{}`", function.word()));
            }
        }
        spread(self.board_result(function, board), spreads)
    }

    fn board_result(&self, function: Function, board: TypeId) -> Type {
        let cell = Type::Named(board);
        let part = |want| self.wanted_type(board, want).unwrap_or(Type::Unknown);
        let (width, height, cells) = match self.bound.types.board_of(board) {
            Some((_, shape)) => (shape.width(), shape.height(), shape.cell_count()),
            None => (1, 1, 1),
        };
        let wide = |n: usize| i64::try_from(n).unwrap_or(LARGEST);
        match function {
            Function::Neighbours | Function::Between => Type::Set(Box::new(cell)),
            Function::Ray => Type::List(exact::<_, u32>(width.max(height).min(cells)), Box::new(cell)),
            Function::Adjacent => Type::Bool,
            Function::Side => part(Want::Side).optional(),
            Function::Step | Function::Inward => cell.optional(),
            Function::Edge => self.edges_of(board).optional(),
            Function::Border => part(Want::Border),
            Function::Across => part(Want::Border).optional(),
            Function::Column => Type::Int(1, wide(width)),
            Function::Row => Type::Int(1, wide(height)),
            _ => Type::Unknown,
        }
    }

    fn second_is_cell(&mut self, args: &[ExprId], first: &Type) -> bool {
        let second = self.infer(args[1], Some(first.plain()));
        second.plain() == first.plain()
    }

    /// The board that the first argument belongs to.
    fn board_argument(&mut self, arg: ExprId, ty: &Type, want: Want) -> Option<TypeId> {
        let fits = match ty.plain() {
            Type::Named(id) => match (&self.bound.types.get(*id).kind, want) {
                (TypeKind::Cells(_), Want::Cell) => Some(*id),
                (TypeKind::Borders(of), Want::Border) | (TypeKind::Rim(of), Want::Rim) => Some(*of),
                _ => None,
            },
            _ => None,
        };
        if fits.is_none() {
            let wanted = match want {
                Want::Border => "a border of a board",
                Want::Rim => "a rim place of a board",
                _ => "a cell of a board",
            };
            self.wrong_argument(arg, ty, wanted);
        }
        fits
    }

    fn wanted_type(&self, board: TypeId, want: Want) -> Option<Type> {
        let part = |wanted: fn(&TypeKind) -> Option<TypeId>| {
            let mut types = self.bound.types.iter();
            types.find(|(_, def)| wanted(&def.kind) == Some(board)).map(|(id, _)| Type::Named(id))
        };
        match want {
            Want::Cell => Some(Type::Named(board)),
            Want::Number => Some(Type::Int(-LARGEST, LARGEST)),
            Want::Side => part(|kind| if let TypeKind::Sides(of) = kind { Some(*of) } else { None }),
            Want::Way => part(|kind| if let TypeKind::Ways(of) = kind { Some(*of) } else { None }),
            Want::Border => part(|kind| if let TypeKind::Borders(of) = kind { Some(*of) } else { None }),
            Want::Rim => part(|kind| if let TypeKind::Rim(of) = kind { Some(*of) } else { None }),
        }
    }

    fn edges_of(&self, board: TypeId) -> Type {
        let mut types = self.bound.types.iter();
        let found = types.find(|(_, def)| matches!(def.kind, TypeKind::Edges(of) if of == board));
        found.map_or(Type::Unknown, |(id, _)| Type::Named(id))
    }
}

/// `1 argument`, `2 arguments`
pub(super) fn arguments(count: usize) -> String {
    if count == 1 { "1 argument".to_owned() } else { format!("{count} arguments") }
}
