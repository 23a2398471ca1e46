//! Types as written → types. A type's name is resolved when it is first asked for, so that the order of
//! items does not matter; asking for one that is being resolved is a cycle.

use crate::internal::exact;
use std::collections::HashSet;
use std::sync::OnceLock;

use super::binder::{Binder, TypeSlot};
use super::board::{Board, Shape};
use super::bounds::dotted;
use super::types::{Type, TypeDef, TypeId, TypeKind};
use crate::ast::{self, ItemKind, Name, TypeBody, TypeExpr};
use crate::limits;
use crate::limits::BOARD_CELLS;

use crate::report::{Fault, Span, codes};

impl<'a> Binder<'a> {
    /// A type as written. `owner` names an inline enumeration.
    pub(super) fn type_of(&mut self, ty: &TypeExpr, owner: &str) -> Type {
        let plain = match &ty.kind {
            ast::TypeKind::Set(inner) => {
                let inner = self.type_of(inner, owner);
                let members = self.bound.types.size(&inner);
                if members > limits::MEMBERS { self.too_many(members, ty.span) } else { Type::Set(Box::new(inner)) }
            }
            ast::TypeKind::List(length, inner) => {
                let inner = self.type_of(inner, owner);
                match self.constant(length).map(|length| (length, u32::try_from(length))) {
                    Some((1..=65_535, Ok(length))) => Type::List(length, Box::new(inner)),
                    Some((length, _)) => self.bad_length(length, ty.span),
                    None => Type::Unknown,
                }
            }
            ast::TypeKind::Enum(names) => self.enumeration(owner, names, ty.span),
            ast::TypeKind::Range(low, high) => self.range(low, high, ty.span),
            ast::TypeKind::Path(head, member) => self.type_path(head, member.as_ref()),
        };
        if plain.depth() > limits::TYPE_DEPTH {
            return self.too_deep(ty.span);
        }
        if ty.optional && plain == Type::Bool {
            self.fault(
                Fault::new(&codes::OPTIONAL_BOOL, ty.span, "a bool cannot be optional")
                    .label("three-valued")
                    .help("use an enumeration with three members, such as `yes | no | open`"),
            );
            return plain;
        }
        plain.optional_if(ty.optional)
    }

    fn bad_length(&mut self, length: i64, span: Span) -> Type {
        self.fault(
            Fault::new(&codes::EMPTY_TYPE, span, format!("a list cannot have up to {length} members"))
                .label("from 1 to 65535")
                .help("give the most that it can ever hold"),
        );
        Type::Unknown
    }

    fn range(&mut self, low: &ast::Expr, high: &ast::Expr, span: Span) -> Type {
        let (Some(low), Some(high)) = (self.constant(low), self.constant(high)) else { return Type::Unknown };
        if low > high {
            self.fault(
                Fault::new(&codes::EMPTY_TYPE, span, format!("the range {low}..{high} is empty"))
                    .label("holds no number")
                    .help("the lower bound comes first"),
            );
            return Type::Unknown;
        }
        if low < -limits::NUMBER || high > limits::NUMBER {
            return self.too_many(u64::MAX, span);
        }
        Type::Int(low, high)
    }

    /// `a | b`: a new named type.
    pub(super) fn enumeration(&mut self, owner: &str, names: &[Name], span: Span) -> Type {
        let mut members: Vec<String> = Vec::new();
        let mut seen = HashSet::new();
        for name in names {
            let again = !seen.insert(name.text.as_str());
            if again {
                self.fault(
                    Fault::new(
                        &codes::DUPLICATE_NAME,
                        name.span,
                        format!("`{}` stands twice in this enumeration", name.text),
                    )
                    .label("again here")
                    .help("leave one of them out"),
                );
            } else {
                members.push(name.text.clone());
            }
        }
        let id = self.add_type(owner, TypeKind::Members(members.into_iter().collect()), false, span);
        Type::Named(id)
    }

    /// Adds a type and makes its members known by name.
    pub(super) fn add_type(&mut self, name: &str, kind: TypeKind, cyclic: bool, span: Span) -> TypeId {
        let id = self.bound.types.add(TypeDef { name: name.to_owned(), kind, cyclic, span, counted: OnceLock::new() });
        self.publish_members(id);
        id
    }

    /// Makes the members of an enumeration known by name.
    pub(super) fn publish_members(&mut self, id: TypeId) {
        if let TypeKind::Members(members) = &self.bound.types.get(id).kind {
            for (name, at) in members.iter().zip(0..) {
                self.members.entry(name.clone()).or_default().push((id, at));
            }
        }
    }

    fn type_path(&mut self, head: &Name, member: Option<&Name>) -> Type {
        let base = self.type_named(head);
        let Some(member) = member else { return base };
        match base {
            Type::Named(id) => match self.board_part(id, &member.text) {
                Some(part) => Type::Named(part),
                None => {
                    let parts: Vec<String> = ["side", "way", "edge", "border", "rim"].map(str::to_owned).to_vec();
                    let message = format!("`{}` has no `{}`", head.text, member.text);
                    let way_out = "a board has .side, .way, .edge and .border; a square one also .rim";
                    self.misspelt(&codes::UNKNOWN_TYPE, &member.text, member.span, message, &parts, way_out);
                    Type::Unknown
                }
            },
            _ => Type::Unknown,
        }
    }

    /// `Square.edge`: made when it is first asked for.
    pub(super) fn board_part(&mut self, board: TypeId, part: &str) -> Option<TypeId> {
        if let Some(&known) = self.board_parts.get(&(board, part.to_owned())) {
            return Some(known);
        }
        let def = self.bound.types.get(board);
        let TypeKind::Cells(shape) = &def.kind else { return None };
        let (kind, cyclic, fits) = match part {
            "side" => (TypeKind::Sides(board), true, shape.is_grid()),
            "way" => (TypeKind::Ways(board), true, shape.is_grid()),
            "border" => (TypeKind::Borders(board), false, shape.is_grid()),
            "edge" => (TypeKind::Edges(board), false, true),
            "rim" => (TypeKind::Rim(board), false, matches!(shape.shape(), Shape::Square)),
            _ => return None,
        };
        let (name, span) = (format!("{}.{part}", def.name), def.span);
        if !fits {
            return None;
        }
        let id = self.add_type(&name, kind, cyclic, span);
        self.board_parts.insert((board, part.to_owned()), id);
        Some(id)
    }

    /// The type with this name.
    pub(super) fn type_named(&mut self, name: &Name) -> Type {
        if name.text == "bool" {
            return Type::Bool;
        }
        match self.types.get(&name.text).cloned() {
            Some(TypeSlot::Done(ty)) => ty,
            Some(TypeSlot::Pending(item)) => {
                self.types.insert(name.text.clone(), TypeSlot::Running(name.span));
                self.type_depth += 1;
                let ty = if self.type_depth > limits::TYPE_DEPTH {
                    self.too_deep(name.span)
                } else {
                    self.define_type(item)
                };
                self.type_depth -= 1;
                self.types.insert(name.text.clone(), TypeSlot::Done(ty.clone()));
                ty
            }
            Some(TypeSlot::Running(first)) => {
                self.fault(
                    Fault::new(&codes::CYCLE, name.span, format!("the type `{}` is made of itself", name.text))
                        .label("needs itself here")
                        .also(first, "asked for here")
                        .help("a type must be finite: break the circle, perhaps with a table key"),
                );
                Type::Unknown
            }
            None => {
                let mut known: Vec<String> = self.types.keys().cloned().chain(["bool".to_owned()]).collect();
                known.sort();
                let message = format!("unknown type `{}`", name.text);
                let way_out = "declare it with `type`, `table` or `board`";
                self.misspelt(&codes::UNKNOWN_TYPE, &name.text, name.span, message, &known, way_out);
                Type::Unknown
            }
        }
    }

    fn too_many(&mut self, members: u64, span: Span) -> Type {
        self.fault(if members == u64::MAX {
            let most = limits::shown(limits::NUMBER.unsigned_abs());
            Fault::new(&codes::TOO_MANY, span, "this reaches beyond the numbers of any game")
                .label("too large")
                .help(format!("choose bounds from -{most} to {most}, or a set of something smaller"))
        } else {
            Fault::new(&codes::TOO_MANY, span, format!("a set over {members} possible members is too large"))
                .label(format!("at most {}", limits::shown(limits::MEMBERS)))
                .help("make it a set of something smaller, or a list")
        });
        Type::Unknown
    }

    fn too_deep(&mut self, span: Span) -> Type {
        self.fault(
            Fault::new(
                &codes::NESTING,
                span,
                format!("types are made of each other more than {} deep", limits::TYPE_DEPTH),
            )
            .label("too deep from here on")
            .help("make the types of parts that stand nearer to each other"),
        );
        Type::Unknown
    }

    fn define_type(&mut self, item: &'a ast::Item) -> Type {
        match &item.kind {
            ItemKind::Type { name, body: TypeBody::Expr(ty) } => self.type_of(ty, &name.text),
            ItemKind::Type { name, body: TypeBody::Record(fields) } => {
                let mut bound: Vec<(String, Type)> = Vec::new();
                let mut seen = HashSet::new();
                for (field, ty) in fields {
                    if !seen.insert(field.text.as_str()) {
                        self.only_once(&field.text, field.span, name.span);
                    }
                    bound.push((field.text.clone(), self.type_of(ty, &field.text)));
                }
                Type::Named(self.add_type(&name.text, TypeKind::Record(bound), false, name.span))
            }
            ItemKind::Board { name, shape } => self.define_board(name, shape),
            ItemKind::Table { name, .. } => self.define_table(name),
            ItemKind::Regions(regions) => {
                let named = match &regions.of.domain {
                    ast::Domain::In(domain) => dotted(domain).map(|text| Name { text, span: domain.span }),
                    ast::Domain::Clockwise(_) => None,
                };
                // A region is named by a member, so its members must have names.
                let of = named.filter(|name| !name.text.contains('.')).map(|name| self.type_named(&name));
                let Some(of) = of.filter(|of| match of {
                    Type::Named(id) => !matches!(self.bound.types.get(*id).kind, TypeKind::Record(_)),
                    ty => *ty == Type::Unknown,
                }) else {
                    let what = "regions are made of the members of a named type";
                    self.fault(
                        Fault::new(&codes::NOT_ENUMERABLE, regions.of.span, what)
                            .label("not the name of a type whose members have names")
                            .help("name a type after `in`, and filter it with `where`"),
                    );
                    return Type::Unknown;
                };
                Type::Named(self.add_type(&regions.name.text, TypeKind::Regions(of), false, regions.name.span))
            }
            _ => Type::Unknown,
        }
    }

    fn define_board(&mut self, name: &Name, shape: &ast::Shape) -> Type {
        let board = match shape.word.text.as_str() {
            "graph" => self.graph(shape),
            "ring" if shape.second.is_none() && shape.layout.is_none() => {
                self.length(&shape.first).map(|length| Board::new(Shape::Ring, length, 1))
            }
            word => {
                let kind = match (word, shape.layout.as_ref().map(|layout| layout.text.as_str())) {
                    ("square", None) => Some(Shape::Square),
                    ("hex", Some("flat")) => Some(Shape::HexFlat),
                    ("hex", Some(_)) => Some(Shape::HexRhombus),
                    _ => None,
                };
                self.grid(kind, shape)
            }
        };
        let Some(board) = board else { return Type::Unknown };
        let cyclic = matches!(board.shape(), Shape::Ring);
        let id = self.add_type(&name.text, TypeKind::Cells(board), cyclic, name.span);
        self.boards.push(id);
        for part in ["side", "way", "edge", "border", "rim"] {
            self.board_part(id, part);
        }
        Type::Named(id)
    }

    pub(super) fn grid(&mut self, kind: Option<Shape>, shape: &ast::Shape) -> Option<Board> {
        let (Some(kind), Some(second)) = (kind, shape.second.as_ref()) else {
            self.fault(
                Fault::new(&codes::BOARD_SHAPE, shape.span, "this board's shape is incomplete")
                    .label("incomplete")
                    .help("write `square W x H`, `hex W x H flat`, `hex W x H rhombus`, `ring N` or `graph PATH`"),
            );
            return None;
        };
        let (width, height) = (self.length(&shape.first)?, self.length(second)?);
        if width.saturating_mul(height) > exact::<_, usize>(BOARD_CELLS) {
            self.too_large(shape.span);
            return None;
        }
        Some(Board::new(kind, width, height))
    }

    fn length(&mut self, expr: &ast::Expr) -> Option<usize> {
        let length = self.constant(expr)?;
        if !(1..=BOARD_CELLS).contains(&length) {
            self.too_large(expr.span);
            return None;
        }
        usize::try_from(length).ok()
    }

    pub(super) fn too_large(&mut self, span: Span) {
        self.fault(
            Fault::new(&codes::BOARD_SHAPE, span, format!("a board has 1 to {BOARD_CELLS} cells"))
                .label("outside of that")
                .help("choose a size within these limits"),
        );
    }
}
