//! pest pairs → expressions. The Pratt table is the precedence table of the reference, loosest first.

use std::sync::LazyLock;

use pest::iterators::Pair;
use pest::pratt_parser::{Assoc, Op, PrattParser};

use super::expr::{Aggregate, BinaryOp, Bind, Domain, Expr, ExprKind, Name, UnaryOp};
use super::pairs::{Kids, Origin, Read, Rule};

static PRATT: LazyLock<PrattParser<Rule>> = LazyLock::new(|| {
    let left = |rule| Op::infix(rule, Assoc::Left);
    PrattParser::new()
        .op(left(Rule::or_op))
        .op(left(Rule::and_op))
        .op(Op::prefix(Rule::not_op))
        .op(left(Rule::is_op)
            | left(Rule::is_not_op)
            | left(Rule::lt_op)
            | left(Rule::le_op)
            | left(Rule::gt_op)
            | left(Rule::ge_op)
            | left(Rule::in_op)
            | left(Rule::not_in_op))
        .op(left(Rule::range_op))
        .op(left(Rule::add_op) | left(Rule::sub_op))
        .op(left(Rule::mul_op) | left(Rule::div_op))
        .op(Op::prefix(Rule::negate_op))
        .op(Op::postfix(Rule::field) | Op::postfix(Rule::subscript) | Op::postfix(Rule::call_args))
});

/// Any `expr` or `bound`.
pub(super) fn expr(origin: Origin, pair: Pair<'_, Rule>) -> Read<Expr> {
    PRATT
        .map_primary(|pair| primary(origin, pair))
        .map_prefix(|op, operand| {
            let operand = operand?;
            let kind = if op.as_rule() == Rule::not_op { UnaryOp::Not } else { UnaryOp::Negate };
            let span = origin.span(&op).to(operand.span);
            Some(Expr { kind: ExprKind::Unary(kind, Box::new(operand)), span })
        })
        .map_postfix(|operand, op| apply_postfix(origin, operand?, op))
        .map_infix(|left, op, right| {
            let (left, right) = (left?, right?);
            let span = left.span.to(right.span);
            let kind = ExprKind::Binary(binary_op(op.as_rule())?, Box::new(left), Box::new(right));
            Some(Expr { kind, span })
        })
        .parse(pair.into_inner())
}

/// A place or chooser: a name with fields, indices and arguments.
pub(super) fn place(origin: Origin, pair: Pair<'_, Rule>) -> Read<Expr> {
    let mut kids = Kids::of(pair).rest();
    let head = kids.next()?;
    let mut expr = primary(origin, head)?;
    for postfix in kids {
        expr = apply_postfix(origin, expr, postfix)?;
    }
    Some(expr)
}

fn primary(origin: Origin, pair: Pair<'_, Rule>) -> Read<Expr> {
    let span = origin.span(&pair);
    let kind = match pair.as_rule() {
        // A literal that does not fit is as good as the largest: every type is far smaller.
        Rule::integer => ExprKind::Int(pair.as_str().parse().unwrap_or(i64::MAX)),
        Rule::name | Rule::bare_name | Rule::path_head | Rule::place_head => ExprKind::Name(pair.as_str().to_owned()),
        Rule::edge_literal => ExprKind::Edge(pair.as_str().to_owned()),
        Rule::group => return expr(origin, Kids::of(pair).next()?).map(|inner| Expr { span, ..inner }),
        Rule::if_expr => {
            let mut kids = Kids::of(pair);
            let mut part = || expr(origin, kids.next()?).map(Box::new);
            ExprKind::If(part()?, part()?, part()?)
        }
        Rule::aggregate => aggregate(origin, pair)?,
        Rule::set_literal => match members(origin, pair)? {
            Members::Listed(items) => ExprKind::Set(items),
            Members::Filtered(bind) => ExprKind::SetOf(Box::new(bind)),
        },
        Rule::list_literal => match members(origin, pair)? {
            Members::Listed(items) => ExprKind::List(items),
            Members::Filtered(bind) => ExprKind::ListOf(Box::new(bind)),
        },
        _ => return None,
    };
    Some(Expr { kind, span })
}

fn apply_postfix(origin: Origin, operand: Expr, op: Pair<'_, Rule>) -> Read<Expr> {
    let span = operand.span.to(origin.span(&op));
    let operand = Box::new(operand);
    let kind = match op.as_rule() {
        Rule::field => ExprKind::Field(operand, origin.name(&Kids::of(op).next()?)),
        Rule::subscript => ExprKind::Index(operand, exprs(origin, op)?),
        Rule::call_args => ExprKind::Call(operand, exprs(origin, op)?),
        _ => return None,
    };
    Some(Expr { kind, span })
}

enum Members {
    Listed(Vec<Expr>),
    Filtered(Bind),
}

/// What stands in braces or brackets. `{x in D}` and `{x in D where C}` filter; the grammar reads
/// `x in D` as a comparison, which as the only member of a set would be of no use.
fn members(origin: Origin, pair: Pair<'_, Rule>) -> Read<Members> {
    let span = origin.span(&pair);
    let mut kids = Kids::of(pair);
    let Some(first) = kids.next() else { return Some(Members::Listed(Vec::new())) };
    let first = expr(origin, first)?;
    let condition = optional_clause(origin, kids.take(Rule::where_clause))?;
    let mut items: Vec<Expr> = kids.rest().map(|kid| expr(origin, kid)).collect::<Read<_>>()?;
    if !items.is_empty() {
        items.insert(0, first);
        return Some(Members::Listed(items));
    }
    Some(match first.kind {
        ExprKind::Binary(BinaryOp::In, member, domain) if matches!(member.kind, ExprKind::Name(_)) => {
            let ExprKind::Name(text) = member.kind else { return None };
            let name = Name { text, span: member.span };
            Members::Filtered(Bind { name, domain: Domain::In(*domain), condition, span })
        }
        kind => Members::Listed(vec![Expr { kind, span: first.span }]),
    })
}

fn aggregate(origin: Origin, pair: Pair<'_, Rule>) -> Read<ExprKind> {
    let mut kids = Kids::of(pair);
    let word = kids.next()?;
    let which = Aggregate::ALL.into_iter().find(|which| which.word() == word.as_str())?;
    let binds = kids.take_all(Rule::bind).into_iter().map(|pair| bind(origin, pair)).collect::<Read<_>>()?;
    let body = match kids.take(Rule::expr) {
        Some(body) => Some(Box::new(expr(origin, body)?)),
        None => None,
    };
    let by = match kids.take(Rule::first_by) {
        Some(by) => exprs(origin, by)?,
        None => Vec::new(),
    };
    Some(ExprKind::Aggregate(which, binds, body, by))
}

/// `x in D where C`
pub(super) fn bind(origin: Origin, pair: Pair<'_, Rule>) -> Read<Bind> {
    let span = origin.span(&pair);
    let mut kids = Kids::of(pair);
    let name = origin.name(&kids.next()?);
    let over = kids.next()?;
    let round = over.as_rule() == Rule::bind_round;
    let domain = expr(origin, Kids::of(over).next()?)?;
    let domain = if round { Domain::Clockwise(domain) } else { Domain::In(domain) };
    let condition = optional_clause(origin, kids.take(Rule::where_clause))?;
    Some(Bind { name, domain, condition, span })
}

/// The expression of a `where`, `until`, `if` or `seen by`, if there is one. The outer `Read` is as
/// everywhere; the inner option is the clause's absence.
pub(super) fn optional_clause(origin: Origin, pair: Option<Pair<'_, Rule>>) -> Read<Option<Expr>> {
    match pair {
        Some(pair) => expr(origin, Kids::of(pair).next()?).map(Some),
        None => Some(None),
    }
}

/// All expressions in a pair.
pub(super) fn exprs(origin: Origin, pair: Pair<'_, Rule>) -> Read<Vec<Expr>> {
    Kids::of(pair).rest().map(|kid| expr(origin, kid)).collect()
}

fn binary_op(rule: Rule) -> Read<BinaryOp> {
    Some(match rule {
        Rule::or_op => BinaryOp::Or,
        Rule::and_op => BinaryOp::And,
        Rule::is_op => BinaryOp::Is,
        Rule::is_not_op => BinaryOp::IsNot,
        Rule::lt_op => BinaryOp::Less,
        Rule::le_op => BinaryOp::AtMost,
        Rule::gt_op => BinaryOp::More,
        Rule::ge_op => BinaryOp::AtLeast,
        Rule::in_op => BinaryOp::In,
        Rule::not_in_op => BinaryOp::NotIn,
        Rule::range_op => BinaryOp::Range,
        Rule::add_op => BinaryOp::Add,
        Rule::sub_op => BinaryOp::Subtract,
        Rule::mul_op => BinaryOp::Multiply,
        Rule::div_op => BinaryOp::Divide,
        _ => return None,
    })
}
