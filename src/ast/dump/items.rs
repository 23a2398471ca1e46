//! Items as text.

use super::{Out, dump_bind, dump_expr, dump_indices, dump_params, dump_text, dump_ties, dump_type, guard, many};
use crate::ast::expr::{Expr, Name};
use crate::ast::nodes::{
    Action, Award, Column, Item, ItemKind, NumberLine, Regions, Requirement, Shape, Shown, StateLine, TypeBody,
    ViewEach, ViewSlot,
};

impl Out {
    pub(super) fn item(&mut self, item: &Item) {
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
            ItemKind::Numbers(lines) => lines.iter().for_each(|line| self.number_line(line)),
            ItemKind::Board { name, shape } => self.board(replace, name, shape),
            ItemKind::Type { name, body } => self.line(format!("{replace}type {} = {}", name.text, dump_body(body))),
            ItemKind::Table { name, columns } => {
                self.line(format!("{replace}table {}", name.text));
                self.inside(|out| columns.iter().for_each(|column| out.column(column)));
            }
            ItemKind::State { per_turn, guard: condition, lines } => {
                let turn = if *per_turn { " turn" } else { "" };
                self.line(format!("state{turn}{}", guard(condition.as_ref())));
                self.inside(|out| lines.iter().for_each(|line| out.state_line(line)));
            }
            ItemKind::Given { name, parts } => {
                self.line(format!("given {}", name.text));
                self.inside(|out| out.given(parts));
            }
            ItemKind::Example(example) => {
                let rows: Vec<&str> = example.rows.iter().map(|row| row.text.as_str()).collect();
                self.line(format!("example [{}] {}", rows.join(", "), dump_text(&example.title)));
                self.inside(|out| example.clauses.iter().for_each(|clause| out.clause(clause)));
            }
            _ => self.rule(replace, &item.kind),
        }
    }

    fn rule(&mut self, replace: &str, kind: &ItemKind) {
        match kind {
            ItemKind::Regions(regions) => self.regions(replace, regions),
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
            ItemKind::Action(action) => self.action(replace, action),
            ItemKind::Require { action, requirement } => {
                self.requirement(&format!("{replace}{}.", action.text), requirement);
            }
            ItemKind::Award(award) => self.award(replace, award),
            ItemKind::Score { params, guard: condition, cites, body } => {
                let condition = guard(condition.as_ref());
                self.line(format!("{replace}score{}{condition} = {}", dump_params(params), dump_expr(body)));
                self.inside(|out| out.cites(cites));
            }
            ItemKind::Winner { params, guard: condition, cites, keys, ties } => {
                let ties = ties.as_ref().map(|ties| format!(" {}", dump_ties(ties))).unwrap_or_default();
                let condition = guard(condition.as_ref());
                self.line(format!("{replace}winner{}{condition} by {}{ties}", dump_params(params), many(keys)));
                self.inside(|out| out.cites(cites));
            }
            ItemKind::Invariant { name, guard: condition, body, .. } => {
                let condition = guard(condition.as_ref());
                self.line(format!("{replace}invariant {}{condition}: {}", name.text, dump_expr(body)));
            }
            ItemKind::View { params, slots } => {
                self.line(format!("{replace}view{}", dump_params(params)));
                self.inside(|out| slots.iter().for_each(|slot| out.view_slot(slot)));
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
            _ => {}
        }
    }

    fn number_line(&mut self, line: &NumberLine) {
        let unit = line.unit.as_ref().map(|unit| format!(" {}", dump_text(unit))).unwrap_or_default();
        for path in &line.paths {
            let indices = dump_indices(&line.indices);
            self.line(format!("number {}{indices}: {}{unit}", path.text, dump_type(&line.ty)));
        }
        self.inside(|out| out.cites(&line.cites));
    }

    fn board(&mut self, replace: &str, name: &Name, shape: &Shape) {
        let second = optional(" x ", shape.second.as_ref());
        let layout = shape.layout.as_ref().map(|layout| format!(" {}", layout.text)).unwrap_or_default();
        let first = dump_expr(&shape.first);
        self.line(format!("{replace}board {} = {} {first}{second}{layout}", name.text, shape.word.text));
    }

    fn column(&mut self, column: &Column) {
        let default = optional(" = ", column.default.as_ref());
        for name in &column.names {
            self.line(format!("{}{}: {}{default}", name.text, dump_indices(&column.indices), dump_type(&column.ty)));
        }
    }

    fn state_line(&mut self, line: &StateLine) {
        let (init, seen) = (optional(" = ", line.init.as_ref()), optional(" seen by ", line.seen_by.as_ref()));
        let indices = dump_indices(&line.indices);
        self.line(format!("{}{indices}: {}{init}{seen}", line.name.text, dump_type(&line.ty)));
    }

    fn regions(&mut self, replace: &str, regions: &Regions) {
        let [a, b] = &regions.pair;
        let (of, joined) = (dump_bind(&regions.of), dump_expr(&regions.joined));
        self.line(format!("{replace}regions {} of {of} by {}, {}: {joined}", regions.name.text, a.text, b.text));
        self.inside(|out| out.cites(&regions.cites));
    }

    fn action(&mut self, replace: &str, action: &Action) {
        self.line(format!("{replace}action {}{}", action.name.text, dump_params(&action.params)));
        self.inside(|out| {
            action.texts.iter().for_each(|text| out.line(dump_text(text)));
            out.cites(&action.cites);
            for price in &action.costs {
                let each = price.each.as_ref().map(|each| format!(" for {}", dump_bind(each))).unwrap_or_default();
                out.line(format!("cost {}: {}{each}", dump_expr(&price.place), dump_expr(&price.amount)));
            }
            action.requirements.iter().for_each(|requirement| out.requirement("", requirement));
            out.block(&action.effect);
        });
    }

    fn award(&mut self, replace: &str, award: &Award) {
        self.line(format!("{replace}award {}{}", award.name.text, dump_params(&award.params)));
        self.inside(|out| {
            out.cites(&award.cites);
            out.line(format!("by {} pays {}", many(&award.by), many(&award.pays)));
            award.ties.iter().for_each(|ties| out.line(dump_ties(ties)));
            award.alone.iter().for_each(|alone| out.line(format!("alone all{}", guard(alone.as_ref()))));
        });
    }

    fn requirement(&mut self, prefix: &str, requirement: &Requirement) {
        let after = if requirement.after { " after" } else { "" };
        let phrase = requirement.phrase.as_ref().map(|phrase| format!(" {}", dump_text(phrase))).unwrap_or_default();
        let (condition, guard) = (dump_expr(&requirement.condition), guard(requirement.guard.as_ref()));
        self.line(format!("require {prefix}{}{guard}{after}: {condition}{phrase}", requirement.name.text));
        self.inside(|out| out.cites(&requirement.cites));
    }

    fn view_slot(&mut self, slot: &ViewSlot) {
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
            self.line(format!("{}{each} {shown}{}", slot.word.text, optional(" where ", part.condition.as_ref())));
        }
    }
}

fn dump_body(body: &TypeBody) -> String {
    match body {
        TypeBody::Expr(ty) => dump_type(ty),
        TypeBody::Record(fields) => {
            let fields: Vec<String> =
                fields.iter().map(|(name, ty)| format!("{}: {}", name.text, dump_type(ty))).collect();
            format!("{{ {} }}", fields.join(", "))
        }
    }
}

fn optional(before: &str, expr: Option<&Expr>) -> String {
    expr.map(|expr| format!("{before}{}", dump_expr(expr))).unwrap_or_default()
}
