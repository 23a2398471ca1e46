//! Statements as text.

use super::Printer;
use crate::ast::AssignOp;
use crate::bind::model::{Block, Choose, Draw, DrawPlace, ExprId, Otherwise, Statement};
use crate::bind::walk::statement_blocks;

impl Printer<'_> {
    pub(super) fn block(&mut self, block: &Block) {
        for (statement, _) in &block.statements {
            self.statement(statement);
        }
    }

    fn statement(&mut self, statement: &Statement) {
        let line = self.statement_line(statement);
        self.line(line);
        for (at, block) in statement_blocks(statement).into_iter().enumerate() {
            if at == 1 && !block.statements.is_empty() {
                self.line("else");
            }
            self.inside(|out| out.block(block));
        }
    }

    fn statement_line(&self, statement: &Statement) -> String {
        match statement {
            Statement::Let(local, value) => format!("let {} = {}", self.typed_local(*local), self.expr(*value)),
            Statement::Assign(place, op, value) => {
                let op = match op {
                    AssignOp::Set => "=",
                    AssignOp::Add => "+=",
                    AssignOp::Take => "-=",
                    AssignOp::Exchange => "<->",
                };
                format!("{} {op} {}", self.expr(*place), self.expr(*value))
            }
            Statement::If(condition, ..) => format!("if {}", self.expr(*condition)),
            Statement::For(binds, by, _) => {
                let binds: Vec<String> = binds.iter().map(|bind| self.bind(bind)).collect();
                let by = if by.is_empty() { String::new() } else { format!(" by {}", self.exprs(by)) };
                format!("for {}{by}", binds.join(", "))
            }
            Statement::Repeat(until, _) => format!("repeat{}", self.clause("until", *until)),
            Statement::Cycle(bind, until, _) => format!("cycle {}{}", self.bind(bind), self.clause("until", *until)),
            Statement::Turn(who, _) => format!("turn {}", self.expr(*who)),
            Statement::Draw(draw) => self.draw(draw),
            Statement::Reveal(state, args) => {
                let args = if args.is_empty() { String::new() } else { format!("[{}]", self.exprs(args)) };
                format!("reveal @{}{args}", self.bound.state(*state).name)
            }
            Statement::End => "end".to_owned(),
            Statement::Choose(choose) => self.choose(choose),
            Statement::Call(phase, args) => format!("play {}({})", self.bound.phase(*phase).name, self.exprs(args)),
        }
    }

    fn clause(&self, word: &str, expr: Option<ExprId>) -> String {
        expr.map(|expr| format!(" {word} {}", self.expr(expr))).unwrap_or_default()
    }

    fn draw(&self, draw: &Draw) -> String {
        let place = match draw.place {
            DrawPlace::State(place) => self.expr(place),
            DrawPlace::Local(local) => self.typed_local(local),
        };
        let candidate = draw.candidate.map(|local| format!(" = {}", self.local(local))).unwrap_or_default();
        let word = if draw.takes { "from" } else { "in" };
        let condition = self.clause("where", draw.condition);
        let seen = if draw.hidden { " seen by nobody".to_owned() } else { self.clause("seen by", draw.seen_by) };
        format!("draw {place}{candidate} {word} {}{condition}{seen}", self.expr(draw.from))
    }

    fn choose(&self, choose: &Choose) -> String {
        let who = choose.who.map(|who| format!("{} ", self.expr(who))).unwrap_or_default();
        let offers: Vec<String> = choose
            .offers
            .iter()
            .map(|(action, args, _)| format!("{}({})", self.bound.action(*action).name, self.exprs(args)))
            .collect();
        let otherwise = match choose.otherwise {
            Otherwise::Nothing => "",
            Otherwise::PassLeaves => " or pass, leaving",
            Otherwise::OrPass(_) => " or pass",
            Otherwise::ElsePass(_) => " else pass",
            Otherwise::Else(_) => " else",
        };
        format!("{who}choose {}{otherwise}", offers.join(", "))
    }
}
