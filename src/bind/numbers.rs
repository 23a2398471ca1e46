//! TOML values → values of the types that the rules declare. All faults point into the TOML.

use crate::internal::exact;
use std::collections::HashSet;

use super::binder::Binder;
use super::model::{Number, NumberId};
use super::types::{Type, TypeKind};
use super::value::Value;
use crate::ast;
use crate::limits;
use crate::numbers::{Node, NodeKind, Tree};
use crate::report::{Fault, Span, codes, suggest};

/// What one element of an indexed value must be.
#[derive(Clone, Copy)]
pub(super) struct Element<'t> {
    /// Where the rules or the row ask for it.
    pub(super) declared: Span,
    pub(super) ty: &'t Type,
    /// For elements that the TOML leaves out.
    pub(super) default: Option<&'t Value>,
}

impl<'a> Binder<'a> {
    /// Binds every declared number and reports keys that none of them asks for.
    pub(super) fn declare_numbers(&mut self, lines: &[&'a ast::NumberLine]) {
        for line in lines {
            let indices = self.index_types(&line.indices);
            self.range_names = self.names_in_range(&line.ty);
            for (at, path) in line.paths.iter().enumerate() {
                let ty = if at == 0 { Some(self.type_of(&line.ty, &path.text)) } else { None };
                let ty = ty.unwrap_or_else(|| self.bound.numbers.last().map_or(Type::Unknown, |last| last.ty.clone()));
                let unit = line.unit.as_ref().map(ast::Text::plain);
                let cites = self.citations(&line.cites);
                self.add_number(path, indices.clone(), ty, unit, cites);
            }
            self.range_names.clear();
        }
    }

    /// Adds one number with its value.
    pub(super) fn add_number(
        &mut self,
        path: &ast::Name,
        indices: Vec<Type>,
        ty: Type,
        unit: Option<String>,
        cites: Vec<super::model::Citation>,
    ) -> NumberId {
        let id = NumberId(exact::<_, u32>(self.bound.numbers.len()));
        if self.numbers.contains_key(&path.text) {
            self.fault(
                Fault::new(&codes::DUPLICATE_NAME, path.span, format!("the number `{}` is declared twice", path.text))
                    .label("again here")
                    .help("leave one of them out"),
            );
        }
        let tree = self.choice.numbers;
        tree.mark_way(&path.text);
        let node = tree.get(&path.text);
        let mut values = Vec::new();
        let element = Element { declared: path.span, ty: &ty, default: None };
        self.read_elements(&path.text, node, &indices, element, &mut values);
        self.numbers.insert(path.text.clone(), id);
        let toml = node.map(|node| node.span);
        self.elements = self.elements.saturating_add(values.len() as u64);
        self.bound.numbers.push(Number {
            path: path.text.clone(),
            indices,
            ty,
            unit,
            cites,
            values,
            span: path.span,
            toml,
            uses: Vec::new(),
            in_types: false,
        });
        id
    }

    /// Reads all elements of an indexed value, the last index running fastest.
    pub(super) fn read_elements(
        &mut self,
        path: &str,
        node: Option<&Node>,
        indices: &[Type],
        element: Element<'_>,
        out: &mut Vec<Value>,
    ) {
        if let Some(node) = node {
            node.used.mark();
        }
        let whole = indices.iter().map(|ty| self.bound.types.size(ty)).fold(1, u64::saturating_mul);
        let before = self.elements.saturating_add(out.len() as u64);
        if before > limits::ELEMENTS {
            return;
        }
        if before.saturating_add(whole) > limits::ELEMENTS {
            let most = limits::shown(limits::ELEMENTS);
            self.fault(
                Fault::new(&codes::TOO_MANY, element.declared, format!("`{path}` would have {whole} elements"))
                    .label(format!("with {before} before it, too many"))
                    .help(format!("at most {most} are possible in all: index numbers by smaller types")),
            );
            // One fault is enough.
            self.elements = u64::MAX;
            return;
        }
        let Some((index, deeper)) = indices.split_first() else {
            out.push(match node {
                Some(node) => self.read_value(path, node, element.ty),
                None => self.absent(path, element),
            });
            return;
        };
        let size = self.bound.types.size(index);
        match node.map(|node| (&node.kind, node)) {
            None => {
                let said_once = self.absent(path, element);
                out.extend(std::iter::repeat_n(said_once, exact::<_, usize>(whole)));
            }
            Some((NodeKind::Table(table), _)) => self.read_table(path, table, (index, deeper), element, out),
            Some((NodeKind::Array(elements), node)) => {
                if elements.len() as u64 != size {
                    let shown = self.bound.types.show(index).to_string();
                    self.fault(
                        Fault::new(
                            &codes::WRONG_LENGTH,
                            node.span,
                            format!("`{path}` needs {size} elements, found {}", elements.len()),
                        )
                        .label(format!("one for each of {shown}"))
                        .help(format!("its index is {shown}, declared in the rules")),
                    );
                }
                for at in 0..exact::<_, usize>(size) {
                    let below = format!("{path}[{}]", self.index_name(index, at));
                    match elements.get(at) {
                        Some(value) => self.read_elements(&below, Some(value), deeper, element, out),
                        None => out.push(Value::Unknown),
                    }
                }
            }
            Some((_, node)) => {
                let shown = self.bound.types.show(index).to_string();
                self.wrong_node(node, &format!("a table or array by {shown}"));
                out.extend(std::iter::repeat_n(Value::Unknown, exact::<_, usize>(whole)));
            }
        }
    }

    fn read_table(
        &mut self,
        path: &str,
        table: &Tree,
        index: (&Type, &[Type]),
        element: Element<'_>,
        out: &mut Vec<Value>,
    ) {
        let (index, deeper) = index;
        let names: Vec<String> =
            (0..exact::<_, usize>(self.bound.types.size(index))).map(|at| self.index_name(index, at)).collect();
        let known: HashSet<&str> = names.iter().map(String::as_str).collect();
        for (key, node) in &table.entries {
            if !known.contains(key.as_str()) {
                node.used.mark();
                let shown = self.bound.types.show(index).to_string();
                let near = suggest::did_you_mean(key, names.iter().map(String::as_str));
                self.fault(
                    Fault::new(&codes::UNKNOWN_KEY, node.key, format!("`{path}` has no element `{key}`"))
                        .label(format!("not one of {shown}"))
                        .help(near.unwrap_or_else(|| format!("its keys are the members of {shown}"))),
                );
            }
        }
        for name in names {
            let below = format!("{path}.{name}");
            let node = table.entries.get(&name);
            self.read_elements(&below, node, deeper, element, out);
        }
    }

    /// The name of the `at`-th member of an index type.
    pub(super) fn index_name(&self, index: &Type, at: usize) -> String {
        let at_wide = exact::<_, i64>(at);
        match index {
            Type::Int(low, _) => (low + at_wide).to_string(),
            Type::Named(id) => self.bound.types.member_name(*id, exact::<_, u32>(at)),
            Type::Bool => (at == 1).to_string(),
            _ => at.to_string(),
        }
    }

    fn absent(&mut self, path: &str, element: Element<'_>) -> Value {
        let Element { declared, ty, default } = element;
        if let Some(default) = default {
            return default.clone();
        }
        if ty.is_optional() {
            return Value::None;
        }
        if !ty.is_unknown() {
            let shown = self.bound.types.show(ty).to_string();
            self.fault(
                Fault::new(&codes::MISSING_KEY, declared, format!("the TOML has no `{path}`"))
                    .label(format!("a value of type {shown} is needed"))
                    .help(format!("add {} to the TOML", suggested_line(path))),
            );
        }
        Value::Unknown
    }

    /// A fault: this is not the kind of value that is wanted.
    pub(super) fn wrong_node(&mut self, node: &Node, wanted: &str) {
        self.fault(
            Fault::new(&codes::WRONG_TYPE, node.span, format!("expected {wanted}, found {}", node.kind.describe()))
                .label(format!("not {wanted}"))
                .help(format!("write {wanted} here, or change the type in the rules")),
        );
    }

    /// One value of the TOML as a value of `ty`.
    pub(super) fn read_value(&mut self, path: &str, node: &Node, ty: &Type) -> Value {
        node.used.mark();
        match (ty, &node.kind) {
            (Type::Unknown, _) => Value::Unknown,
            (Type::Optional(_), NodeKind::Text(text)) if text == "none" => Value::None,
            (Type::Optional(inner), _) => self.read_value(path, node, inner),
            (Type::Bool, NodeKind::Bool(value)) => Value::Bool(*value),
            (Type::Int(low, high), NodeKind::Int(value)) => {
                if !(low..=high).contains(&value) {
                    self.out_of_range(path, node, *value, (*low, *high));
                }
                Value::Int((*value).clamp(*low, *high))
            }
            (Type::Named(id), NodeKind::Int(seat)) if *id == self.bound.players.ty => self.read_seat(node, *seat),
            (Type::Set(inner), NodeKind::Array(elements)) => {
                let mut members: Vec<Value> = Vec::new();
                for element in elements {
                    let value = self.read_value(path, element, inner);
                    if !members.contains(&value) {
                        members.push(value);
                    }
                }
                members.sort();
                Value::Set(members)
            }
            (Type::List(most, _), NodeKind::Array(elements)) if elements.len() > *most as usize => {
                self.fault(
                    Fault::new(
                        &codes::WRONG_LENGTH,
                        node.span,
                        format!("`{path}` holds at most {most}, found {}", elements.len()),
                    )
                    .label("too many")
                    .help("leave some out, or make the list longer in the rules"),
                );
                Value::Unknown
            }
            (Type::List(_, inner), NodeKind::Array(elements)) => {
                Value::List(elements.iter().map(|element| self.read_value(path, element, inner)).collect())
            }
            (Type::Named(_), NodeKind::Text(text)) => self.read_text(node, text, ty),
            _ => {
                let wanted = self.wanted(ty);
                self.wrong_node(node, &wanted);
                Value::Unknown
            }
        }
    }

    /// A fault: this value does not lie in its range, which other numbers may bound.
    fn out_of_range(&mut self, path: &str, node: &Node, value: i64, (low, high): (i64, i64)) {
        let help = if self.range_names.is_empty() {
            "choose a value in the range, or widen the range in the rules"
        } else {
            "choose a value in the range, or change a number that bounds it"
        };
        let message = format!("`{path}` is {value}, outside of {low}..{high}");
        let fault = Fault::new(&codes::OUT_OF_RANGE, node.span, message).label(format!("must be {low}..{high}"));
        let fault = self.range_names.iter().fold(fault, |fault, (span, words)| fault.also(*span, words.as_str()));
        self.fault(fault.help(help));
    }

    fn read_seat(&mut self, node: &Node, seat: i64) -> Value {
        let most = i64::from(self.bound.players.most);
        if !(1..=most).contains(&seat) {
            self.fault(
                Fault::new(&codes::OUT_OF_RANGE, node.span, format!("there is no seat {seat}"))
                    .label(format!("seats are 1..{most}"))
                    .help("seats are numbered clockwise from 1"),
            );
            return Value::Unknown;
        }
        Value::Member(self.bound.players.ty, exact::<_, u32>(seat - 1))
    }

    fn read_text(&mut self, node: &Node, text: &str, ty: &Type) -> Value {
        let words: Vec<&str> = text.split_whitespace().collect();
        let mut at = 0;
        let value = self.value_of_words(ty, &words, &mut at);
        match value {
            Some(value) if at == words.len() => value,
            _ => {
                let known = self.known_members(ty);
                let shown = self.bound.types.show(ty).to_string();
                let message = format!("`{text}` is not a member of {shown}");
                let way_out = format!("its members: {}", shortened(&known));
                self.misspelt(&codes::UNKNOWN_MEMBER, text, node.span, message, &known, &way_out);
                Value::Unknown
            }
        }
    }

    /// Reads a value of `ty` from words, as entries and texts write it: a record takes a word for each field.
    pub(super) fn value_of_words(&self, ty: &Type, words: &[&str], at: &mut usize) -> Option<Value> {
        if let Type::Named(id) = ty
            && let TypeKind::Record(fields) = &self.bound.types.get(*id).kind
        {
            let values = fields.iter().map(|(_, ty)| self.value_of_words(ty, words, at)).collect::<Option<_>>()?;
            return Some(Value::Record(*id, values));
        }
        let word = *words.get(*at)?;
        let value = match ty {
            Type::Optional(_) if word == "none" => Some(Value::None),
            Type::Optional(inner) => return self.value_of_words(inner, words, at),
            Type::Bool => word.parse().ok().map(Value::Bool),
            Type::Int(low, high) => word.parse().ok().filter(|value| (low..=high).contains(&value)).map(Value::Int),
            Type::Named(id) if *id == self.bound.players.ty => {
                let seat = self.seats.iter().position(|seat| seat == word).and_then(|at| u32::try_from(at).ok());
                seat.or_else(|| self.bound.types.find(*id, word)).map(|at| Value::Member(*id, at))
            }
            Type::Named(id) => self.bound.types.find(*id, word).map(|at| Value::Member(*id, at)),
            Type::Set(_) | Type::List(..) | Type::Nothing => None,
            Type::Unknown => Some(Value::Unknown),
        };
        *at += usize::from(value.is_some());
        value
    }

    /// Names that a value of this type may have.
    pub(super) fn known_members(&self, ty: &Type) -> Vec<String> {
        match ty.plain() {
            Type::Named(id) if *id == self.bound.players.ty && !self.seats.is_empty() => self.seats.clone(),
            Type::Named(id) => self.bound.types.member_names(*id),
            Type::Bool => vec!["true".to_owned(), "false".to_owned()],
            _ => Vec::new(),
        }
    }

    /// A type as something to write in TOML.
    fn wanted(&self, ty: &Type) -> String {
        match ty.plain() {
            Type::Bool => "`true` or `false`".to_owned(),
            Type::Int(low, high) => format!("a whole number from {low} to {high}"),
            Type::Named(_) => format!("a member of {} in quotation marks", self.bound.types.show(ty.plain())),
            Type::Set(inner) | Type::List(_, inner) => format!("an array of {}", self.bound.types.show(inner)),
            _ => "a value".to_owned(),
        }
    }
}

/// `limit.hands` → `[limit] hands = …`
fn suggested_line(path: &str) -> String {
    match path.rsplit_once('.') {
        Some((table, key)) => format!("`{key} = …` under `[{table}]`"),
        None => format!("`{path} = …`"),
    }
}

/// A list of names that fits on a line.
pub(super) fn shortened(names: &[String]) -> String {
    const SHOWN: usize = 8;
    if names.len() <= SHOWN {
        return names.join(", ");
    }
    format!("{}, … ({} in all)", names[..SHOWN].join(", "), names.len())
}
