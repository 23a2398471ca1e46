//! pest pairs → statements.

use pest::iterators::Pair;

use super::expr::Expr;
use super::expr_from_pairs::{bind, expr, exprs, optional_clause, place};
use super::pairs::{Kids, Origin, Read, Rule, has};
use super::statement::{AssignOp, Block, Draw, Offer, Otherwise, Statement, StatementKind};

/// `{ … }`
pub(super) fn block(origin: Origin, pair: Pair<'_, Rule>) -> Read<Block> {
    let span = origin.span(&pair);
    let statements = Kids::of(pair).rest().map(|kid| statement(origin, kid)).collect::<Read<_>>()?;
    Some(Block { statements, span })
}

fn statement(origin: Origin, pair: Pair<'_, Rule>) -> Read<Statement> {
    let inner = Kids::of(pair).next()?;
    let span = origin.span(&inner);
    let kind = match inner.as_rule() {
        Rule::let_statement => {
            let mut kids = Kids::of(inner);
            StatementKind::Let(origin.name(&kids.next()?), expr(origin, kids.next()?)?)
        }
        Rule::if_statement => if_statement(origin, inner)?,
        Rule::for_statement => for_statement(origin, inner)?,
        Rule::repeat_statement => {
            let mut kids = Kids::of(inner);
            let until = optional_clause(origin, kids.take(Rule::until))?;
            StatementKind::Repeat { until, body: block(origin, kids.next()?)? }
        }
        Rule::cycle_statement => cycle_statement(origin, inner)?,
        Rule::turn_statement => {
            let mut kids = Kids::of(inner);
            StatementKind::Turn(expr(origin, kids.next()?)?, block(origin, kids.next()?)?)
        }
        Rule::draw_statement => draw_statement(origin, inner)?,
        Rule::reveal_statement => StatementKind::Reveal(place(origin, Kids::of(inner).next()?)?),
        Rule::end_statement => StatementKind::End,
        Rule::choose_statement => choose_statement(origin, inner)?,
        Rule::assign_statement => assign_statement(origin, inner)?,
        Rule::call_statement => StatementKind::Call(place(origin, Kids::of(inner).next()?)?),
        _ => return None,
    };
    Some(Statement { kind, span })
}

fn if_statement(origin: Origin, pair: Pair<'_, Rule>) -> Read<StatementKind> {
    let mut kids = Kids::of(pair);
    let condition = expr(origin, kids.next()?)?;
    let then = block(origin, kids.next()?)?;
    let otherwise = match kids.next() {
        None => None,
        Some(kid) if kid.as_rule() == Rule::block => Some(block(origin, kid)?),
        Some(chained) => {
            let span = origin.span(&chained);
            let kind = if_statement(origin, chained)?;
            Some(Block { statements: vec![Statement { kind, span }], span })
        }
    };
    Some(StatementKind::If(condition, then, otherwise))
}

fn for_statement(origin: Origin, pair: Pair<'_, Rule>) -> Read<StatementKind> {
    let mut kids = Kids::of(pair);
    let binds = kids.take_all(Rule::bind).into_iter().map(|kid| bind(origin, kid)).collect::<Read<_>>()?;
    let by = match kids.take(Rule::by_slot) {
        Some(slot) => exprs(origin, slot)?,
        None => Vec::new(),
    };
    Some(StatementKind::For { binds, by, body: block(origin, kids.next()?)? })
}

fn cycle_statement(origin: Origin, pair: Pair<'_, Rule>) -> Read<StatementKind> {
    let mut kids = Kids::of(pair);
    Some(StatementKind::Cycle {
        seat: origin.name(&kids.next()?),
        from: expr(origin, kids.next()?)?,
        condition: optional_clause(origin, kids.take(Rule::where_clause))?,
        until: optional_clause(origin, kids.take(Rule::until))?,
        body: block(origin, kids.next()?)?,
    })
}

fn draw_statement(origin: Origin, pair: Pair<'_, Rule>) -> Read<StatementKind> {
    let takes = has(&pair, Rule::soft_from);
    let mut kids = Kids::of(pair);
    Some(StatementKind::Draw(Draw {
        place: place(origin, kids.next()?)?,
        candidate: kids.take(Rule::name).map(|name| origin.name(&name)),
        takes,
        from: expr(origin, kids.next()?)?,
        condition: optional_clause(origin, kids.take(Rule::where_clause))?,
        seen_by: optional_clause(origin, kids.take(Rule::seen_by))?,
    }))
}

fn choose_statement(origin: Origin, pair: Pair<'_, Rule>) -> Read<StatementKind> {
    let mut kids = Kids::of(pair);
    let who = match kids.take(Rule::chooser) {
        Some(pair) => Some(place(origin, pair)?),
        None => None,
    };
    let offers = kids.take_all(Rule::offer).into_iter().map(|kid| offer(origin, kid)).collect::<Read<_>>()?;
    let otherwise = match kids.next() {
        None => Otherwise::Nothing,
        Some(kid) => {
            let rule = kid.as_rule();
            let body = Kids::of(kid).next().map(|kid| block(origin, kid));
            match (rule, body) {
                (Rule::or_pass, None) => Otherwise::OrPass(None),
                (Rule::or_pass, Some(body)) => Otherwise::OrPass(Some(body?)),
                (Rule::else_pass, None) => Otherwise::ElsePass(None),
                (Rule::else_pass, Some(body)) => Otherwise::ElsePass(Some(body?)),
                (_, body) => Otherwise::Else(body??),
            }
        }
    };
    Some(StatementKind::Choose { who, offers, otherwise })
}

fn offer(origin: Origin, pair: Pair<'_, Rule>) -> Read<Offer> {
    let mut kids = Kids::of(pair);
    let action = origin.name(&kids.next()?);
    let args: Vec<Expr> = match kids.next() {
        Some(args) => exprs(origin, args)?,
        None => Vec::new(),
    };
    Some(Offer { action, args })
}

fn assign_statement(origin: Origin, pair: Pair<'_, Rule>) -> Read<StatementKind> {
    let mut kids = Kids::of(pair);
    let target = place(origin, kids.next()?)?;
    let op = match kids.next()?.as_str().trim() {
        "+=" => AssignOp::Add,
        "-=" => AssignOp::Take,
        "<->" => AssignOp::Exchange,
        "=" => AssignOp::Set,
        _ => return None,
    };
    Some(StatementKind::Assign(target, op, expr(origin, kids.next()?)?))
}
