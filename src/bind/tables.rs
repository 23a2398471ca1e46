//! Tables: enumerations whose members are TOML keys and whose columns are constants.

use std::collections::HashMap;

use super::binder::Binder;
use super::model::Column;
use super::numbers::Element;
use super::types::{Type, TypeKind};
use super::value::Value;
use crate::ast::{self, Name};
use crate::numbers::{Node, NodeKind, Tree};
use crate::report::{Fault, codes, suggest};

impl<'a> Binder<'a> {
    /// The rows of a table as a type: its TOML keys in file order.
    pub(super) fn define_table(&mut self, name: &Name) -> Type {
        let rows = self.table_rows(name).map(|rows| rows.entries.keys().cloned().collect()).unwrap_or_default();
        Type::Named(self.add_type(&name.text, TypeKind::Members(rows), false, name.span))
    }

    fn table_rows(&mut self, name: &Name) -> Option<&'a Tree> {
        let key = name.text.to_lowercase();
        let node: &'a Node = self.choice.numbers.get(&key)?;
        match &node.kind {
            NodeKind::Table(rows) => Some(rows),
            _ => None,
        }
    }

    /// Reads the columns of a table.
    pub(super) fn bind_table(&mut self, name: &Name, columns: &[ast::Column]) {
        let Type::Named(table) = self.type_named(name) else { return };
        let key = name.text.to_lowercase();
        self.table_keys.push(key.clone());
        let tree = self.choice.numbers;
        let Some(node) = tree.get(&key) else {
            self.fault(
                Fault::new(&codes::MISSING_KEY, name.span, format!("the TOML has no table `{key}`"))
                    .label("its rows are read from there")
                    .help(format!("add `[{key}]` with a line for each row: `name = {{ … }}`")),
            );
            // Its columns exist all the same.
            let none = Tree::default();
            for column in columns {
                for column_name in &column.names {
                    self.bind_column(table, (&key, &none), column, column_name);
                }
            }
            return;
        };
        node.used.mark();
        let Some(rows) = self.table_rows(name) else {
            self.wrong_node(node, "a table of rows");
            return;
        };
        if rows.entries.is_empty() {
            self.fault(
                Fault::new(&codes::EMPTY_TYPE, node.span, format!("the table `{key}` has no rows"))
                    .label("empty")
                    .help("a table needs at least one row"),
            );
        }
        let mut seen = HashMap::new();
        for column in columns {
            for column_name in &column.names {
                if let Some(first) = seen.insert(column_name.text.as_str(), column_name.span) {
                    self.only_once(&column_name.text, column_name.span, first);
                }
                self.bind_column(table, (&key, rows), column, column_name);
            }
        }
        let known: Vec<String> =
            columns.iter().flat_map(|column| &column.names).map(|name| name.text.clone()).collect();
        for (row, node) in &rows.entries {
            node.used.mark();
            let NodeKind::Table(cells) = &node.kind else {
                self.wrong_node(node, "a row `{ column = value }`");
                continue;
            };
            for (cell, value) in &cells.entries {
                if !known.contains(cell) {
                    value.used.mark();
                    let near = suggest::did_you_mean(cell, known.iter().map(String::as_str));
                    self.fault(
                        Fault::new(
                            &codes::UNKNOWN_KEY,
                            value.key,
                            format!("the table `{}` has no column `{cell}`", name.text),
                        )
                        .label(format!("in row `{row}`"))
                        .help(near.unwrap_or_else(|| format!("its columns: {}", known.join(", ")))),
                    );
                }
            }
        }
    }

    fn bind_column(&mut self, table: super::types::TypeId, rows: (&str, &Tree), column: &ast::Column, name: &Name) {
        let indices = self.index_types(&column.indices);
        let ty = self.type_of(&column.ty, &name.text);
        self.range_names = self.names_in_range(&column.ty);
        let default = column.default.as_ref().map(|default| self.column_default(default, &ty));
        let mut values = Vec::new();
        for (row, node) in &rows.1.entries {
            let cell = match &node.kind {
                NodeKind::Table(cells) => cells.entries.get(&name.text),
                _ => continue,
            };
            let path = format!("{}.{row}.{}", rows.0, name.text);
            let element = Element { declared: node.key, ty: &ty, default: default.as_ref() };
            self.read_elements(&path, cell, &indices, element, &mut values);
        }
        self.range_names.clear();
        self.elements = self.elements.saturating_add(values.len() as u64);
        let unit = column.unit.as_ref().map(ast::Text::plain);
        self.bound.columns.push(Column {
            table,
            name: name.text.clone(),
            indices,
            ty,
            unit,
            values,
            span: name.span,
            used: false,
        });
    }

    /// The default of a column: a constant of its type.
    fn column_default(&mut self, expr: &ast::Expr, ty: &Type) -> Value {
        let value = self.literal(expr, ty);
        if value.is_none() {
            let shown = self.bound.types.show(ty).to_string();
            self.fault(
                Fault::new(&codes::NOT_CONSTANT, expr.span, format!("the default must be a constant of type {shown}"))
                    .label(format!("not a constant of type {shown}"))
                    .help("write a number, a member, `true`, `false`, `none`, `{}` or `[]`"),
            );
        }
        value.unwrap_or(Value::Unknown)
    }

    /// A literal of a type: a column's default, a ruling's reading.
    pub(super) fn literal(&mut self, expr: &ast::Expr, ty: &Type) -> Option<Value> {
        match (&expr.kind, ty) {
            (ast::ExprKind::Set(items), Type::Set(_)) if items.is_empty() => Some(Value::Set(Vec::new())),
            (ast::ExprKind::List(items), Type::List(..)) if items.is_empty() => Some(Value::List(Vec::new())),
            (ast::ExprKind::Name(word) | ast::ExprKind::Edge(word), _) => self.value_of_words(ty, &[word], &mut 0),
            (_, Type::Int(low, high)) => {
                let value = self.constant(expr)?;
                (*low..=*high).contains(&value).then_some(Value::Int(value))
            }
            (_, Type::Optional(inner)) => self.literal(expr, inner),
            _ => None,
        }
    }
}
