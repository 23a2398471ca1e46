//! pest pairs → positions, examples, and the notation of entries.

use pest::iterators::Pair;

use super::example::{Clause, Entry, Example, Expectation, Fact, GivenPart, Value, ValueKind};
use super::expr::Name;
use super::expr_from_pairs::expr;
use super::from_pairs::cites;
use super::pairs::{Kids, Origin, Read, Rule};
use super::statements_from_pairs::block;

/// A whole example.
pub(super) fn example(origin: Origin, pair: Pair<'_, Rule>) -> Read<Example> {
    let mut kids = Kids::of(pair);
    let rows = kids.take_all(Rule::name).iter().map(|row| origin.name(row)).collect();
    let title = origin.text(kids.next()?)?;
    let clauses = kids.rest().map(|kid| clause(origin, Kids::of(kid).next()?)).collect::<Read<_>>()?;
    Some(Example { rows, title, clauses })
}

fn clause(origin: Origin, pair: Pair<'_, Rule>) -> Read<Clause> {
    let span = origin.span(&pair);
    Some(match pair.as_rule() {
        Rule::cites => Clause::Cite(cites(origin, vec![pair])?),
        Rule::erratum => {
            let mut kids = Kids::of(pair);
            Clause::Erratum {
                source: origin.name(&kids.next()?),
                page: kids.take(Rule::integer).and_then(|page| page.as_str().parse().ok()),
                texts: kids.rest().map(|kid| origin.text(kid)).collect::<Read<_>>()?,
                span,
            }
        }
        Rule::example_given => {
            let mut kids = Kids::of(pair);
            match kids.take(Rule::name) {
                None => Clause::Given { base: None, parts: given_parts(origin, kids.next()?)?, span },
                Some(base) => {
                    let parts = kids.rest().map(|kid| given_part(origin, kid)).collect::<Read<_>>()?;
                    Clause::Given { base: Some(origin.name(&base)), parts, span }
                }
            }
        }
        Rule::when_clause => Clause::When(entries(origin, pair)?, span),
        Rule::instead_clause => Clause::Instead(entries(origin, pair)?, span),
        Rule::then_clause => {
            Clause::Then(Kids::of(pair).rest().map(|kid| expectation(origin, kid)).collect::<Read<_>>()?)
        }
        _ => return None,
    })
}

fn expectation(origin: Origin, pair: Pair<'_, Rule>) -> Read<Expectation> {
    let inner = Kids::of(pair).next()?;
    Some(match inner.as_rule() {
        Rule::refusal => Expectation::Refused(origin.name(&Kids::of(inner).next()?)),
        _ => Expectation::Holds(expr(origin, inner)?),
    })
}

fn entries(origin: Origin, pair: Pair<'_, Rule>) -> Read<Vec<Entry>> {
    Kids::of(pair).rest().map(|kid| entry(origin, kid)).collect()
}

/// One entry.
pub(super) fn entry(origin: Origin, pair: Pair<'_, Rule>) -> Read<Entry> {
    let inner = Kids::of(pair).next()?;
    let span = origin.span(&inner);
    Some(match inner.as_rule() {
        Rule::fact => Entry::Chance(fact(origin, inner)?),
        _ => Entry::Move { words: values(origin, Kids::of(inner))?, span },
    })
}

/// The parts of a position in braces.
pub(super) fn given_parts(origin: Origin, pair: Pair<'_, Rule>) -> Read<Vec<GivenPart>> {
    Kids::of(pair).rest().map(|kid| given_part(origin, kid)).collect()
}

fn given_part(origin: Origin, pair: Pair<'_, Rule>) -> Read<GivenPart> {
    let inner = Kids::of(pair).next()?;
    let rule = inner.as_rule();
    let span = origin.span(&inner);
    let mut kids = Kids::of(inner);
    Some(match rule {
        Rule::given_players => match kids.take(Rule::integer) {
            Some(count) => GivenPart::Count(count.as_str().parse().unwrap_or(i64::MAX), span),
            None => {
                let seat = |kid: Pair<'_, Rule>| Some(origin.name(&Kids::of(kid).next()?));
                GivenPart::Seats(kids.rest().map(seat).collect::<Read<_>>()?)
            }
        },
        Rule::given_flow => GivenPart::Flow(block(origin, kids.next()?)?),
        Rule::picture => GivenPart::Picture {
            board: origin.name(&kids.next()?),
            rows: kids.rest().map(|kid| origin.text(kid)).collect::<Read<_>>()?,
        },
        Rule::breaks => GivenPart::Breaks {
            invariants: kids.take_all(Rule::name).iter().map(|name| origin.name(name)).collect(),
            reason: origin.text(kids.next()?)?,
        },
        Rule::facts => {
            let subject = match kids.take(Rule::subject) {
                Some(subject) => Some(origin.name(&Kids::of(subject).next()?)),
                None => None,
            };
            let facts = Kids::of(kids.next()?).rest().map(|kid| fact(origin, kid)).collect::<Read<_>>()?;
            GivenPart::Facts { subject, facts }
        }
        _ => return None,
    })
}

fn fact(origin: Origin, pair: Pair<'_, Rule>) -> Read<Fact> {
    let span = origin.span(&pair);
    let mut kids = Kids::of(pair);
    let name: Name = origin.name(&kids.next()?);
    let indices = kids.take_all(Rule::value).into_iter().map(|kid| value(origin, kid)).collect::<Read<_>>()?;
    let values = values(origin, Kids::of(kids.next()?))?;
    Some(Fact { name, indices, values, span })
}

fn values(origin: Origin, kids: Kids<'_>) -> Read<Vec<Value>> {
    kids.rest().map(|kid| value(origin, kid)).collect()
}

/// A `value`, or a bare `word` at the head of an entry.
fn value(origin: Origin, pair: Pair<'_, Rule>) -> Read<Value> {
    let span = origin.span(&pair);
    if pair.as_rule() == Rule::word {
        return Some(Value { kind: ValueKind::Word(pair.as_str().to_owned()), span });
    }
    let inner = Kids::of(pair).next()?;
    let members = |pair| Kids::of(pair).rest().map(|kid| values(origin, Kids::of(kid))).collect::<Read<Vec<_>>>();
    let kind = match inner.as_rule() {
        Rule::word => ValueKind::Word(inner.as_str().to_owned()),
        Rule::unknown => ValueKind::Unknown,
        Rule::text => ValueKind::Text(origin.text(inner)?.plain()),
        Rule::value_set => ValueKind::Set(members(inner)?),
        Rule::value_list => ValueKind::List(members(inner)?),
        _ => return None,
    };
    Some(Value { kind, span })
}
