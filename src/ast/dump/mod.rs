//! The tree as text, for `show --stage ast` and snapshots: one line for each part, expressions as
//! prefix lists, no spans.

mod examples;
mod items;
mod statements;

use super::example::{Fact, Value, ValueKind};
use super::expr::{Bind, Domain, Expr, ExprKind, Text, TextPart};
use super::nodes::{Cite, File, Index, Param, Ties, TypeExpr, TypeKind};

/// A file's items.
#[must_use]
pub fn dump(file: &File) -> String {
    let mut out = Out::default();
    for item in &file.items {
        out.item(item);
    }
    out.text
}

/// An expression.
#[must_use]
pub fn dump_expr(expr: &Expr) -> String {
    let list = |head: &str, parts: &[Expr]| {
        let parts: String = parts.iter().map(|part| format!(" {}", dump_expr(part))).collect();
        format!("({head}{parts})")
    };
    match &expr.kind {
        ExprKind::Int(value) => value.to_string(),
        ExprKind::Name(name) | ExprKind::Edge(name) => name.clone(),
        ExprKind::Field(base, member) => format!("{}.{}", dump_expr(base), member.text),
        ExprKind::Index(base, args) => format!("{}[{}]", dump_expr(base), many(args)),
        ExprKind::Call(base, args) => format!("{}({})", dump_expr(base), many(args)),
        ExprKind::Unary(op, inner) => format!("({} {})", op.symbol(), dump_expr(inner)),
        ExprKind::Binary(op, left, right) => format!("({} {} {})", op.symbol(), dump_expr(left), dump_expr(right)),
        ExprKind::If(a, b, c) => format!("(if {} {} {})", dump_expr(a), dump_expr(b), dump_expr(c)),
        ExprKind::Aggregate(which, binds, body, by) => {
            let binds: Vec<String> = binds.iter().map(dump_bind).collect();
            let body = body.as_ref().map(|body| format!(" {}", dump_expr(body))).unwrap_or_default();
            let by = if by.is_empty() { String::new() } else { format!(" by {}", many(by)) };
            format!("({} [{}]{body}{by})", which.word(), binds.join(", "))
        }
        ExprKind::Set(items) => list("set", items),
        ExprKind::List(items) => list("list", items),
        ExprKind::SetOf(bind) => format!("(set-of {})", dump_bind(bind)),
        ExprKind::ListOf(bind) => format!("(list-of {})", dump_bind(bind)),
    }
}

fn many(exprs: &[Expr]) -> String {
    exprs.iter().map(dump_expr).collect::<Vec<_>>().join(", ")
}

fn dump_bind(bind: &Bind) -> String {
    let domain = match &bind.domain {
        Domain::In(domain) => format!("in {}", dump_expr(domain)),
        Domain::Clockwise(from) => format!("clockwise from {}", dump_expr(from)),
    };
    let condition = bind.condition.as_ref().map(|c| format!(" where {}", dump_expr(c))).unwrap_or_default();
    format!("{} {domain}{condition}", bind.name.text)
}

/// A type.
#[must_use]
pub fn dump_type(ty: &TypeExpr) -> String {
    let mark = if ty.optional { "?" } else { "" };
    let plain = match &ty.kind {
        TypeKind::Set(inner) => format!("set of {}", dump_type(inner)),
        TypeKind::List(length, inner) => format!("list {} of {}", dump_expr(length), dump_type(inner)),
        TypeKind::Enum(names) => names.iter().map(|name| name.text.as_str()).collect::<Vec<_>>().join(" | "),
        TypeKind::Range(low, high) => format!("{}..{}", dump_expr(low), dump_expr(high)),
        TypeKind::Path(head, None) => head.text.clone(),
        TypeKind::Path(head, Some(member)) => format!("{}.{}", head.text, member.text),
    };
    plain + mark
}

fn dump_text(text: &Text) -> String {
    let part = |part: &TextPart| match part {
        TextPart::Words(words) => words.replace('"', "\\\""),
        TextPart::Value(expr) => format!("{{{}}}", dump_expr(expr)),
    };
    format!("\"{}\"", text.parts.iter().map(part).collect::<String>())
}

fn dump_params(params: &[Param]) -> String {
    let param = |param: &Param| {
        let within = param.within.as_ref().map(|set| format!(" in {}", dump_expr(set))).unwrap_or_default();
        format!("{}: {}{within}", param.name.text, dump_type(&param.ty))
    };
    format!("({})", params.iter().map(param).collect::<Vec<_>>().join(", "))
}

fn dump_indices(indices: &[Index]) -> String {
    if indices.is_empty() {
        return String::new();
    }
    let index = |index: &Index| {
        let name = index.name.as_ref().map(|name| format!("{}: ", name.text)).unwrap_or_default();
        name + &dump_type(&index.ty)
    };
    format!("[{}]", indices.iter().map(index).collect::<Vec<_>>().join(", "))
}

fn dump_value(value: &Value) -> String {
    let rows = |rows: &[Vec<Value>]| rows.iter().map(|row| words(row)).collect::<Vec<_>>().join(", ");
    match &value.kind {
        ValueKind::Word(word) => word.clone(),
        ValueKind::Text(text) => format!("{text:?}"),
        ValueKind::Unknown => "?".to_owned(),
        ValueKind::Set(items) => format!("{{{}}}", rows(items)),
        ValueKind::List(items) => format!("[{}]", rows(items)),
    }
}

fn words(values: &[Value]) -> String {
    values.iter().map(dump_value).collect::<Vec<_>>().join(" ")
}

fn dump_fact(fact: &Fact) -> String {
    let indices: String = fact.indices.iter().map(|index| format!(" {}", dump_value(index))).collect();
    format!("{}{indices} = {}", fact.name.text, words(&fact.values))
}

fn dump_cite(cite: &Cite) -> String {
    let page = cite.page.map(|page| format!(" {page}")).unwrap_or_default();
    let section = cite.section.as_ref().map(|text| format!(" {}", dump_text(text))).unwrap_or_default();
    let reading = cite.reading.as_ref().map(|expr| format!(" = {}", dump_expr(expr))).unwrap_or_default();
    format!("{}{page}{section}{reading}", cite.source.text)
}

fn guard(guard: Option<&Expr>) -> String {
    guard.map(|guard| format!(" if {}", dump_expr(guard))).unwrap_or_default()
}

fn dump_ties(ties: &Ties) -> String {
    format!("ties {:?}{}", ties.rule, guard(ties.guard.as_ref()))
}

#[derive(Default)]
struct Out {
    text: String,
    depth: usize,
}

impl Out {
    fn line(&mut self, line: impl AsRef<str>) {
        self.text.push_str(&"  ".repeat(self.depth));
        self.text.push_str(line.as_ref());
        self.text.push('\n');
    }

    fn inside(&mut self, inner: impl FnOnce(&mut Self)) {
        self.depth += 1;
        inner(self);
        self.depth -= 1;
    }

    fn cites(&mut self, cites: &[Cite]) {
        for cite in cites {
            self.line(format!("cite {}", dump_cite(cite)));
        }
    }
}
