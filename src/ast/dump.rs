//! The tree as text, for `show --stage ast` and snapshots: one line for each part, expressions as
//! prefix lists, no spans.

use super::expr::{Bind, Domain, Expr, ExprKind, Text, TextPart};
use super::nodes::{
    AssignOp, Block, Cite, Clause, Entry, Expectation, Fact, File, GivenPart, Index, Item, ItemKind, Otherwise, Param,
    Requirement, Shown, Statement, StatementKind, Ties, TypeBody, TypeExpr, TypeKind, Value, ValueKind, ViewEach,
};

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
        ExprKind::Aggregate(which, binds, body) => {
            let binds: Vec<String> = binds.iter().map(dump_bind).collect();
            let body = body.as_ref().map(|body| format!(" {}", dump_expr(body))).unwrap_or_default();
            format!("({} [{}]{body})", which.word(), binds.join(", "))
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

    fn item(&mut self, item: &Item) {
        let replace = if item.replaces { "replace " } else { "" };
        match &item.kind {
            ItemKind::Game { name, title } => self.line(format!("game {} {}", name.text, dump_text(title))),
            ItemKind::Variant { name, base, title } => {
                self.line(format!("variant {} of {} {}", name.text, base.text, dump_text(title)));
            }
            ItemKind::Players { count, seats } => {
                let seats: Vec<&str> = seats.iter().map(|seat| seat.text.as_str()).collect();
                self.line(format!("players {} [{}]", dump_expr(count), seats.join(", ")));
            }
            ItemKind::NumbersFile(text) => self.line(format!("numbers {}", dump_text(text))),
            ItemKind::Numbers(lines) => {
                for line in lines {
                    for path in &line.paths {
                        let unit = line.unit.as_ref().map(|unit| format!(" {}", dump_text(unit))).unwrap_or_default();
                        self.line(format!("number {}{}: {}{unit}", path.text, dump_indices(&line.indices), dump_type(&line.ty)));
                    }
                    self.inside(|out| out.cites(&line.cites));
                }
            }
            ItemKind::Board { name, shape } => {
                let second = shape.second.as_ref().map(|second| format!(" x {}", dump_expr(second))).unwrap_or_default();
                let layout = shape.layout.as_ref().map(|layout| format!(" {}", layout.text)).unwrap_or_default();
                self.line(format!("{replace}board {} = {} {}{second}{layout}", name.text, shape.word.text, dump_expr(&shape.first)));
            }
            ItemKind::Type { name, body: TypeBody::Expr(ty) } => self.line(format!("{replace}type {} = {}", name.text, dump_type(ty))),
            ItemKind::Type { name, body: TypeBody::Record(fields) } => {
                let fields: Vec<String> = fields.iter().map(|(name, ty)| format!("{}: {}", name.text, dump_type(ty))).collect();
                self.line(format!("{replace}type {} = {{ {} }}", name.text, fields.join(", ")));
            }
            ItemKind::Table { name, columns } => {
                self.line(format!("{replace}table {}", name.text));
                self.inside(|out| {
                    for column in columns {
                        for name in &column.names {
                            let default = column.default.as_ref().map(|default| format!(" = {}", dump_expr(default))).unwrap_or_default();
                            out.line(format!("{}{}: {}{default}", name.text, dump_indices(&column.indices), dump_type(&column.ty)));
                        }
                    }
                });
            }
            ItemKind::State { per_turn, guard: condition, lines } => {
                let turn = if *per_turn { " turn" } else { "" };
                self.line(format!("state{turn}{}", guard(condition.as_ref())));
                self.inside(|out| {
                    for line in lines {
                        let init = line.init.as_ref().map(|init| format!(" = {}", dump_expr(init))).unwrap_or_default();
                        let seen = line.seen_by.as_ref().map(|seen| format!(" seen by {}", dump_expr(seen))).unwrap_or_default();
                        out.line(format!("{}{}: {}{init}{seen}", line.name.text, dump_indices(&line.indices), dump_type(&line.ty)));
                    }
                });
            }
            _ => self.rule(item, replace),
        }
    }

    fn rule(&mut self, item: &Item, replace: &str) {
        match &item.kind {
            ItemKind::Regions(regions) => {
                let [a, b] = &regions.pair;
                self.line(format!("{replace}regions {} of {} by {}, {}: {}", regions.name.text, dump_bind(&regions.of), a.text, b.text, dump_expr(&regions.joined)));
                self.inside(|out| out.cites(&regions.cites));
            }
            ItemKind::Def { name, params, cites, body } => {
                self.line(format!("{replace}def {}{} = {}", name.text, dump_params(params), dump_expr(body)));
                self.inside(|out| out.cites(cites));
            }
            ItemKind::Ruling { name, ty, texts, cites } => {
                self.line(format!("{replace}ruling {}: {}", name.text, dump_type(ty)));
                self.inside(|out| {
                    texts.iter().for_each(|text| out.line(dump_text(text)));
                    out.cites(cites);
                });
            }
            ItemKind::Action(action) => {
                self.line(format!("{replace}action {}{}", action.name.text, dump_params(&action.params)));
                self.inside(|out| {
                    action.texts.iter().for_each(|text| out.line(dump_text(text)));
                    out.cites(&action.cites);
                    for (place, amount) in &action.costs {
                        out.line(format!("cost {}: {}", dump_expr(place), dump_expr(amount)));
                    }
                    action.requirements.iter().for_each(|requirement| out.requirement("", requirement));
                    out.block(&action.effect);
                });
            }
            ItemKind::Require { action, requirement } => {
                self.requirement(&format!("{replace}{}.", action.text), requirement);
            }
            ItemKind::Award(award) => {
                self.line(format!("{replace}award {}{}", award.name.text, dump_params(&award.params)));
                self.inside(|out| {
                    out.cites(&award.cites);
                    out.line(format!("by {} pays {}", many(&award.by), many(&award.pays)));
                    award.ties.iter().for_each(|ties| out.line(dump_ties(ties)));
                    award.alone.iter().for_each(|alone| out.line(format!("alone all{}", guard(alone.as_ref()))));
                });
            }
            ItemKind::Score { params, guard: condition, cites, body } => {
                self.line(format!("{replace}score{}{} = {}", dump_params(params), guard(condition.as_ref()), dump_expr(body)));
                self.inside(|out| out.cites(cites));
            }
            ItemKind::Winner { params, guard: condition, cites, keys, ties } => {
                let ties = ties.as_ref().map(|ties| format!(" {}", dump_ties(ties))).unwrap_or_default();
                self.line(format!("{replace}winner{}{} by {}{ties}", dump_params(params), guard(condition.as_ref()), many(keys)));
                self.inside(|out| out.cites(cites));
            }
            ItemKind::Invariant { name, guard: condition, body, .. } => {
                self.line(format!("{replace}invariant {}{}: {}", name.text, guard(condition.as_ref()), dump_expr(body)));
            }
            ItemKind::View { params, slots } => {
                self.line(format!("{replace}view{}", dump_params(params)));
                self.inside(|out| {
                    for slot in slots {
                        let each = match &slot.each {
                            None => String::new(),
                            Some(ViewEach::Bind(bind)) => format!(" {}:", dump_bind(bind)),
                            Some(ViewEach::Side(name)) => format!(" {}:", name.text),
                        };
                        for part in &slot.parts {
                            let shown = match &part.shown {
                                Shown::Text(text) => dump_text(text),
                                Shown::Value(expr) => dump_expr(expr),
                            };
                            let condition = part.condition.as_ref().map(|c| format!(" where {}", dump_expr(c))).unwrap_or_default();
                            out.line(format!("{}{each} {shown}{condition}", slot.word.text));
                        }
                    }
                });
            }
            ItemKind::Flow(block) => {
                self.line(format!("{replace}flow"));
                self.inside(|out| out.block(block));
            }
            ItemKind::Phase { name, params, texts, cites, body } => {
                self.line(format!("{replace}phase {}{}", name.text, dump_params(params)));
                self.inside(|out| {
                    texts.iter().for_each(|text| out.line(dump_text(text)));
                    out.cites(cites);
                    out.block(body);
                });
            }
            ItemKind::Given { name, parts } => {
                self.line(format!("given {}", name.text));
                self.inside(|out| out.given(parts));
            }
            ItemKind::Example(example) => {
                let rows: String = example.rows.iter().map(|row| format!("{} ", row.text)).collect();
                self.line(format!("example {rows}{}", dump_text(&example.title)));
                self.inside(|out| example.clauses.iter().for_each(|clause| out.clause(clause)));
            }
            _ => {}
        }
    }

    fn requirement(&mut self, prefix: &str, requirement: &Requirement) {
        let after = if requirement.after { " after" } else { "" };
        let phrase = requirement.phrase.as_ref().map(|phrase| format!(" {}", dump_text(phrase))).unwrap_or_default();
        let condition = dump_expr(&requirement.condition);
        self.line(format!("require {prefix}{}{}{after}: {condition}{phrase}", requirement.name.text, guard(requirement.guard.as_ref())));
        self.inside(|out| out.cites(&requirement.cites));
    }

    fn block(&mut self, block: &Block) {
        for statement in &block.statements {
            self.statement(statement);
        }
    }

    fn statement(&mut self, statement: &Statement) {
        let clause = |word: &str, expr: Option<&Expr>| expr.map(|expr| format!(" {word} {}", dump_expr(expr))).unwrap_or_default();
        match &statement.kind {
            StatementKind::Let(name, value) => self.line(format!("let {} = {}", name.text, dump_expr(value))),
            StatementKind::Assign(place, op, value) => {
                let op = match op {
                    AssignOp::Set => "=",
                    AssignOp::Add => "+=",
                    AssignOp::Take => "-=",
                    AssignOp::Exchange => "<->",
                };
                self.line(format!("{} {op} {}", dump_expr(place), dump_expr(value)));
            }
            StatementKind::If(condition, then, otherwise) => {
                self.line(format!("if {}", dump_expr(condition)));
                self.inside(|out| out.block(then));
                if let Some(otherwise) = otherwise {
                    self.line("else");
                    self.inside(|out| out.block(otherwise));
                }
            }
            StatementKind::For { binds, by, body } => {
                let binds: Vec<String> = binds.iter().map(dump_bind).collect();
                let by = if by.is_empty() { String::new() } else { format!(" by {}", many(by)) };
                self.line(format!("for {}{by}", binds.join(", ")));
                self.inside(|out| out.block(body));
            }
            StatementKind::Repeat { until, body } => {
                self.line(format!("repeat{}", clause("until", until.as_ref())));
                self.inside(|out| out.block(body));
            }
            StatementKind::Cycle { seat, from, condition, until, body } => {
                let (condition, until) = (clause("where", condition.as_ref()), clause("until", until.as_ref()));
                self.line(format!("cycle {} clockwise from {}{condition}{until}", seat.text, dump_expr(from)));
                self.inside(|out| out.block(body));
            }
            StatementKind::Turn(who, body) => {
                self.line(format!("turn {}", dump_expr(who)));
                self.inside(|out| out.block(body));
            }
            StatementKind::Draw(draw) => {
                let candidate = draw.candidate.as_ref().map(|name| format!(" = {}", name.text)).unwrap_or_default();
                let word = if draw.takes { "from" } else { "in" };
                let (condition, seen) = (clause("where", draw.condition.as_ref()), clause("seen by", draw.seen_by.as_ref()));
                self.line(format!("draw {}{candidate} {word} {}{condition}{seen}", dump_expr(&draw.place), dump_expr(&draw.from)));
            }
            StatementKind::Reveal(place) => self.line(format!("reveal {}", dump_expr(place))),
            StatementKind::End => self.line("end"),
            StatementKind::Call(phase) => self.line(format!("play {}", dump_expr(phase))),
            StatementKind::Choose { who, offers, otherwise } => {
                let who = who.as_ref().map(|who| format!("{} ", dump_expr(who))).unwrap_or_default();
                let offers: Vec<String> = offers.iter().map(|offer| format!("{}({})", offer.action.text, many(&offer.args))).collect();
                let (word, block) = match otherwise {
                    Otherwise::Nothing => ("", None),
                    Otherwise::OrPass(block) => (" or pass", block.as_ref()),
                    Otherwise::ElsePass(block) => (" else pass", block.as_ref()),
                    Otherwise::Else(block) => (" else", Some(block)),
                };
                self.line(format!("{who}choose {}{word}", offers.join(", ")));
                if let Some(block) = block {
                    self.inside(|out| out.block(block));
                }
            }
        }
    }

    fn given(&mut self, parts: &[GivenPart]) {
        for part in parts {
            match part {
                GivenPart::Count(count, _) => self.line(format!("players {count}")),
                GivenPart::Seats(seats) => {
                    let seats: Vec<&str> = seats.iter().map(|seat| seat.text.as_str()).collect();
                    self.line(format!("players {}", seats.join(", ")));
                }
                GivenPart::Flow(block) => {
                    self.line("flow");
                    self.inside(|out| out.block(block));
                }
                GivenPart::Picture { board, rows } => {
                    self.line(format!("picture {}", board.text));
                    self.inside(|out| rows.iter().for_each(|row| out.line(dump_text(row))));
                }
                GivenPart::Facts { subject, facts } => {
                    let subject = subject.as_ref().map(|subject| format!("{}: ", subject.text)).unwrap_or_default();
                    facts.iter().for_each(|fact| self.line(format!("{subject}{}", dump_fact(fact))));
                }
            }
        }
    }

    fn clause(&mut self, clause: &Clause) {
        match clause {
            Clause::Cite(cites) => self.cites(cites),
            Clause::Erratum { source, texts, .. } => {
                let texts: Vec<String> = texts.iter().map(dump_text).collect();
                self.line(format!("erratum {} {}", source.text, texts.join(" ")));
            }
            Clause::Given { base, parts, .. } => {
                self.line(format!("given {}", base.as_ref().map_or("", |base| &base.text)).trim_end());
                self.inside(|out| out.given(parts));
            }
            Clause::When(entries, _) => self.entries("when", entries),
            Clause::Instead(entries, _) => self.entries("instead", entries),
            Clause::Then(expectations) => {
                for expectation in expectations {
                    match expectation {
                        Expectation::Refused(name) => self.line(format!("then refused {}", name.text)),
                        Expectation::Holds(expr) => self.line(format!("then {}", dump_expr(expr))),
                    }
                }
            }
        }
    }

    fn entries(&mut self, word: &str, entries: &[Entry]) {
        for entry in entries {
            match entry {
                Entry::Chance(fact) => self.line(format!("{word} chance {}", dump_fact(fact))),
                Entry::Move { words: move_words, .. } => self.line(format!("{word} {}", words(move_words))),
            }
        }
    }
}
