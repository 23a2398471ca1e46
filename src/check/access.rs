//! Types of what is looked up: indices, fields, members, and values made of parts.

use crate::ast::Name;
use crate::bind::{ExprId, Type, TypeId, TypeKind};
use crate::report::{Fault, Span, codes, suggest};

use super::checker::Checker;
use super::expressions::{Found, LARGEST, rows, spread};
use super::fit::Fit;

impl Checker {
    pub(super) fn index(&mut self, base: ExprId, args: &[ExprId]) -> Found {
        let found = self.found(base, None);
        let (open, element) = match found {
            Found::Rows(open, element) => (open, element),
            Found::Value(ty) => {
                self.types[base.at()] = ty.clone();
                return Found::Value(self.index_value(&ty, base, args));
            }
        };
        let mut spreads = element.is_optional();
        for (at, &arg) in args.iter().enumerate() {
            let Some(wanted) = open.get(at) else {
                self.fault(
                    Fault::new(&codes::WRONG_ARITY, self.span(arg), format!("{} indices are enough here", open.len()))
                        .label("one too many")
                        .help("leave it out"),
                );
                break;
            };
            let found = self.infer(arg, Some(wanted));
            spreads |= self.must_fit(&found, wanted, self.span(arg), "this index") == Fit::Maybe;
        }
        rows(open.into_iter().skip(args.len()).collect(), spread(element, spreads))
    }

    fn index_value(&mut self, ty: &Type, base: ExprId, args: &[ExprId]) -> Type {
        match (ty.plain(), args) {
            (Type::List(most, inner), &[arg]) => {
                let places = Type::Int(1, i64::from(*most).max(1));
                self.expect(arg, &places, "the place in a list");
                inner.as_ref().clone().optional()
            }
            (Type::Unknown, _) => {
                self.infer_all(args);
                Type::Unknown
            }
            _ => {
                self.infer_all(args);
                let shown = self.show(ty);
                self.fault(
                    Fault::new(&codes::NOT_INDEXABLE, self.span(base), format!("a value of {shown} has no indices"))
                        .label(format!("of type {shown}"))
                        .help("only states, numbers, columns and lists are indexed; definitions take `( )`"),
                );
                Type::Unknown
            }
        }
    }

    fn infer_all(&mut self, args: &[ExprId]) {
        for &arg in args {
            self.infer(arg, None);
        }
    }

    pub(super) fn field(&mut self, base: ExprId, member: &Name) -> Found {
        let base_type = self.infer(base, None);
        let optional = base_type.is_optional();
        let Type::Named(id) = base_type.plain() else {
            if !base_type.is_unknown() {
                self.no_field(&base_type, member, &[]);
            }
            return Found::Value(Type::Unknown);
        };
        self.member_of(*id, member, optional)
    }

    fn member_of(&mut self, id: TypeId, member: &Name, optional: bool) -> Found {
        let name = member.text.as_str();
        let (fields, board): (Vec<(String, Type)>, Option<TypeId>) = match &self.bound.types.get(id).kind {
            TypeKind::Record(fields) => (fields.clone(), None),
            TypeKind::Edges(cells) => (["a", "b"].map(|end| (end.to_owned(), Type::Named(*cells))).to_vec(), None),
            TypeKind::Borders(cells) => (vec![("cell".to_owned(), Type::Named(*cells))], Some(*cells)),
            TypeKind::Regions(Type::Named(of)) => return self.member_of(*of, member, optional),
            _ => (Vec::new(), None),
        };
        let mut fields = fields;
        if let Some(cells) = board {
            let sides = self.bound.types.iter().find(|(_, def)| matches!(def.kind, TypeKind::Sides(of) if of == cells));
            fields.extend(sides.map(|(sides, _)| ("side".to_owned(), Type::Named(sides))));
        }
        if let Some((_, ty)) = fields.iter().find(|(known, _)| known == name) {
            return Found::Value(spread(ty.clone(), optional));
        }
        let column = self.bound.columns.iter_mut().find(|column| column.table == id && column.name == name);
        if let Some(column) = column {
            column.used = true;
            let (indices, ty) = (column.indices.clone(), column.ty.clone());
            return rows(indices, spread(ty, optional));
        }
        let mut known: Vec<String> = fields.into_iter().map(|(name, _)| name).collect();
        known.extend(self.bound.columns.iter().filter(|column| column.table == id).map(|column| column.name.clone()));
        self.no_field(&Type::Named(id), member, &known);
        Found::Value(Type::Unknown)
    }

    fn no_field(&mut self, ty: &Type, member: &Name, known: &[String]) {
        let shown = self.show(ty);
        let near = suggest::did_you_mean(&member.text, known.iter().map(String::as_str));
        let way_out = if known.is_empty() {
            format!("a value of {shown} has no parts")
        } else {
            format!("it has: {}", known.join(", "))
        };
        self.fault(
            Fault::new(&codes::NO_FIELD, member.span, format!("{shown} has no `{}`", member.text))
                .label("not known")
                .help(near.unwrap_or(way_out)),
        );
    }

    /// A type's name as a value: the set of its members.
    pub(super) fn members_of(&mut self, ty: &Type, span: Span) -> Type {
        match ty {
            Type::Named(_) | Type::Int(..) | Type::Bool => Type::Set(Box::new(ty.clone())),
            Type::Unknown => Type::Unknown,
            _ => {
                let shown = self.show(ty);
                self.fault(
                    Fault::new(&codes::NOT_ENUMERABLE, span, format!("the members of {shown} cannot be listed"))
                        .label("too many")
                        .help("loop over an enumeration, a range, a board or a table"),
                );
                Type::Unknown
            }
        }
    }

    pub(super) fn make(&mut self, id: TypeId, args: &[ExprId], span: Span) -> Type {
        let name = self.bound.types.get(id).name.clone();
        let (parts, may_miss) = match &self.bound.types.get(id).kind {
            TypeKind::Record(fields) => (fields.iter().map(|(_, ty)| ty.clone()).collect::<Vec<_>>(), false),
            // The region that a member belongs to; it may belong to none.
            TypeKind::Regions(of) => (vec![of.clone()], true),
            _ => (vec![Type::Int(-LARGEST, LARGEST); 2], true),
        };
        if parts.len() != args.len() {
            self.fault(
                Fault::new(
                    &codes::WRONG_ARITY,
                    span,
                    format!("`{name}` is made of {} parts, found {}", parts.len(), args.len()),
                )
                .label(format!("{} given", args.len()))
                .help(format!("give {}", parts.len())),
            );
        }
        let mut spreads = may_miss;
        for (wanted, &arg) in parts.iter().zip(args) {
            let found = self.infer(arg, Some(wanted));
            let what = format!("a part of `{name}`");
            spreads |= self.must_fit(&found, wanted, self.span(arg), &what) == Fit::Maybe;
        }
        Type::Named(id).optional_if(spreads)
    }
}
