//! Statements as text.

use super::{Out, dump_bind, dump_expr, many};
use crate::ast::expr::Expr;
use crate::ast::statement::{AssignOp, Block, Otherwise, Statement, StatementKind};

impl Out {
    pub(super) fn block(&mut self, block: &Block) {
        for statement in &block.statements {
            self.statement(statement);
        }
    }

    fn statement(&mut self, statement: &Statement) {
        let clause = |word: &str, expr: Option<&Expr>| {
            expr.map(|expr| format!(" {word} {}", dump_expr(expr))).unwrap_or_default()
        };
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
                let (condition, seen) =
                    (clause("where", draw.condition.as_ref()), clause("seen by", draw.seen_by.as_ref()));
                self.line(format!(
                    "draw {}{candidate} {word} {}{condition}{seen}",
                    dump_expr(&draw.place),
                    dump_expr(&draw.from)
                ));
            }
            StatementKind::Reveal(place) => self.line(format!("reveal {}", dump_expr(place))),
            StatementKind::End => self.line("end"),
            StatementKind::Call(phase) => self.line(format!("play {}", dump_expr(phase))),
            StatementKind::Choose { who, offers, otherwise } => {
                let who = who.as_ref().map(|who| format!("{} ", dump_expr(who))).unwrap_or_default();
                let offers: Vec<String> =
                    offers.iter().map(|offer| format!("{}({})", offer.action.text, many(&offer.args))).collect();
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
}
