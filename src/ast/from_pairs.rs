//! pest pairs → items: one short function for each kind.

use pest::iterators::Pair;

use super::examples_from_pairs::{example, given_parts};
use super::expr::{Expr, Text};
use super::expr_from_pairs::{bind, expr, exprs, optional_clause, place};
use super::nodes::{
    Action, Award, Cite, Index, ItemKind, NumberLine, Param, Price, Regions, Requirement, Shape, Shown, StateLine,
    TieRule, Ties, ViewEach, ViewPart, ViewSlot,
};
use super::pairs::{Kids, Origin, Read, Rule, has};
use super::statements_from_pairs::block;
use super::types_from_pairs::{column, type_body, type_expr};

/// Any item, by its rule.
pub(super) fn item(origin: Origin, pair: Pair<'_, Rule>) -> Read<ItemKind> {
    let rule = pair.as_rule();
    let state_per_turn = has(&pair, Rule::kw_turn);
    match rule {
        Rule::action_item => return action(origin, pair),
        Rule::award_item => return award(origin, pair),
        Rule::regions_item => return regions(origin, pair),
        Rule::example_item => return Some(ItemKind::Example(example(origin, pair)?)),
        Rule::ruling_item => return ruling(origin, pair),
        Rule::score_item | Rule::winner_item => return result(origin, pair),
        Rule::require_item => return lone_requirement(origin, pair),
        _ => {}
    }
    let mut kids = Kids::of(pair);
    Some(match rule {
        Rule::game_item => ItemKind::Game { name: origin.name(&kids.next()?), title: origin.text(kids.next()?)? },
        Rule::variant_item => ItemKind::Variant {
            name: origin.name(&kids.next()?),
            base: origin.name(&kids.next()?),
            title: origin.text(kids.next()?)?,
        },
        Rule::players_item => ItemKind::Players {
            count: expr(origin, kids.next()?)?,
            seats: kids.rest().map(|kid| origin.name(&kid)).collect(),
        },
        Rule::numbers_item => match kids.take(Rule::text) {
            Some(file) => ItemKind::NumbersFile(origin.text(file)?),
            None => ItemKind::Numbers(kids.rest().map(|kid| number_line(origin, kid)).collect::<Read<_>>()?),
        },
        Rule::board_item => ItemKind::Board { name: origin.name(&kids.next()?), shape: shape(origin, kids.next()?)? },
        Rule::type_item => ItemKind::Type { name: origin.name(&kids.next()?), body: type_body(origin, kids.next()?)? },
        Rule::table_item => ItemKind::Table {
            name: origin.name(&kids.next()?),
            columns: kids.rest().map(|kid| column(origin, kid)).collect::<Read<_>>()?,
        },
        Rule::state_item => ItemKind::State {
            per_turn: state_per_turn,
            guard: optional_clause(origin, kids.take(Rule::guard))?,
            lines: kids.rest().map(|kid| state_line(origin, kid)).collect::<Read<_>>()?,
        },
        Rule::def_item => ItemKind::Def {
            name: origin.name(&kids.next()?),
            params: params(origin, kids.take(Rule::params))?,
            cites: cites(origin, kids.take_all(Rule::cites))?,
            body: expr(origin, kids.next()?)?,
        },
        Rule::invariant_item => ItemKind::Invariant {
            name: origin.name(&kids.next()?),
            guard: optional_clause(origin, kids.take(Rule::guard))?,
            body: expr(origin, kids.next()?)?,
            phrase: optional_text(origin, kids.take(Rule::text))?,
        },
        Rule::view_item => ItemKind::View {
            params: params(origin, kids.take(Rule::params))?,
            slots: kids.rest().map(|kid| view_slot(origin, kid)).collect::<Read<_>>()?,
        },
        Rule::flow_item => ItemKind::Flow(block(origin, kids.next()?)?),
        Rule::phase_item => {
            let name = origin.name(&kids.next()?);
            let params = params(origin, kids.take(Rule::params))?;
            let slots = Slots::read(origin, &mut kids)?;
            ItemKind::Phase {
                name,
                params,
                texts: slots.texts,
                cites: slots.cites,
                body: block(origin, slots.rest.into_iter().next()?)?,
            }
        }
        Rule::given_item => {
            ItemKind::Given { name: origin.name(&kids.next()?), parts: given_parts(origin, kids.next()?)? }
        }
        _ => return None,
    })
}

/// The texts and citations of an item, and what else it has, in order.
struct Slots<'i> {
    texts: Vec<Text>,
    cites: Vec<Cite>,
    rest: Vec<Pair<'i, Rule>>,
}

impl<'i> Slots<'i> {
    fn read(origin: Origin, kids: &mut Kids<'i>) -> Read<Self> {
        let mut slots = Slots { texts: Vec::new(), cites: Vec::new(), rest: Vec::new() };
        while let Some(kid) = kids.next() {
            match kid.as_rule() {
                Rule::text => slots.texts.push(origin.text(kid)?),
                Rule::cites => slots.cites.extend(cites(origin, vec![kid])?),
                Rule::readings => slots.cites.extend(readings(origin, kid)?),
                _ => slots.rest.push(kid),
            }
        }
        Some(slots)
    }
}

fn action(origin: Origin, pair: Pair<'_, Rule>) -> Read<ItemKind> {
    let mut kids = Kids::of(pair);
    let name = origin.name(&kids.next()?);
    let params = params(origin, kids.take(Rule::params))?;
    let slots = Slots::read(origin, &mut kids)?;
    let (mut costs, mut requirements, mut effect) = (Vec::new(), Vec::new(), None);
    for slot in slots.rest {
        match slot.as_rule() {
            Rule::cost_slot => {
                for price in Kids::of(slot).rest() {
                    let mut kids = Kids::of(price);
                    costs.push(Price {
                        place: place(origin, kids.next()?)?,
                        amount: expr(origin, kids.next()?)?,
                        each: match kids.take(Rule::bind) {
                            Some(each) => Some(bind(origin, each)?),
                            None => None,
                        },
                    });
                }
            }
            Rule::require_slot => {
                let span = origin.span(&slot);
                let after = has(&slot, Rule::soft_after);
                let mut kids = Kids::of(slot);
                requirements.push(requirement(origin, &mut kids, span, after)?);
            }
            _ => effect = Some(block(origin, slot)?),
        }
    }
    let effect = effect?;
    let (texts, cites) = (slots.texts, slots.cites);
    Some(ItemKind::Action(Action { name, params, texts, cites, costs, requirements, effect }))
}

fn requirement(origin: Origin, kids: &mut Kids<'_>, span: crate::report::Span, after: bool) -> Read<Requirement> {
    Some(Requirement {
        name: origin.name(&kids.next()?),
        guard: optional_clause(origin, kids.take(Rule::guard))?,
        after,
        condition: expr(origin, kids.next()?)?,
        phrase: optional_text(origin, kids.take(Rule::text))?,
        cites: cites(origin, kids.take_all(Rule::cites))?,
        span,
    })
}

fn lone_requirement(origin: Origin, pair: Pair<'_, Rule>) -> Read<ItemKind> {
    let span = origin.span(&pair);
    let after = has(&pair, Rule::soft_after);
    let mut kids = Kids::of(pair);
    let action = origin.name(&kids.next()?);
    Some(ItemKind::Require { action, requirement: requirement(origin, &mut kids, span, after)? })
}

fn award(origin: Origin, pair: Pair<'_, Rule>) -> Read<ItemKind> {
    let mut kids = Kids::of(pair);
    let name = origin.name(&kids.next()?);
    let params = params(origin, kids.take(Rule::params))?;
    let slots = Slots::read(origin, &mut kids)?;
    let (mut by, mut pays, mut ties, mut alone) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for slot in slots.rest {
        match slot.as_rule() {
            Rule::by_slot => by.extend(exprs(origin, slot)?),
            Rule::pays_slot => pays.extend(exprs(origin, slot)?),
            Rule::ties_slot => ties.push(tie_rule(origin, slot)?),
            _ => alone.push(optional_clause(origin, Kids::of(slot).take(Rule::guard))?),
        }
    }
    let (texts, cites) = (slots.texts, slots.cites);
    Some(ItemKind::Award(Award { name, params, texts, cites, by, pays, ties, alone }))
}

fn tie_rule(origin: Origin, pair: Pair<'_, Rule>) -> Read<Ties> {
    let span = origin.span(&pair);
    let mut kids = Kids::of(pair);
    let word = kids.next()?.as_str().to_owned();
    let up = kids.take(Rule::tie_up).is_some();
    let rule = match word.as_str() {
        "none" => TieRule::None,
        "share" => TieRule::Share,
        _ if up => TieRule::SplitUp,
        _ => TieRule::Split,
    };
    Some(Ties { rule, guard: optional_clause(origin, kids.take(Rule::guard))?, span })
}

fn regions(origin: Origin, pair: Pair<'_, Rule>) -> Read<ItemKind> {
    let mut kids = Kids::of(pair);
    Some(ItemKind::Regions(Regions {
        name: origin.name(&kids.next()?),
        of: bind(origin, kids.next()?)?,
        title: optional_text(origin, kids.take(Rule::text))?,
        cites: cites(origin, kids.take_all(Rule::cites))?,
        pair: [origin.name(&kids.next()?), origin.name(&kids.next()?)],
        joined: expr(origin, kids.next()?)?,
    }))
}

fn ruling(origin: Origin, pair: Pair<'_, Rule>) -> Read<ItemKind> {
    let mut kids = Kids::of(pair);
    let name = origin.name(&kids.next()?);
    let ty = type_expr(origin, kids.next()?)?;
    let slots = Slots::read(origin, &mut kids)?;
    Some(ItemKind::Ruling { name, ty, texts: slots.texts, cites: slots.cites })
}

fn result(origin: Origin, pair: Pair<'_, Rule>) -> Read<ItemKind> {
    let is_score = pair.as_rule() == Rule::score_item;
    let mut kids = Kids::of(pair);
    let params = params(origin, kids.take(Rule::params))?;
    let guard = optional_clause(origin, kids.take(Rule::guard))?;
    let slots = Slots::read(origin, &mut kids)?;
    let mut rest = slots.rest.into_iter();
    let main = rest.next()?;
    let cites = slots.cites;
    Some(if is_score {
        ItemKind::Score { params, guard, cites, body: expr(origin, main)? }
    } else {
        let keys = exprs(origin, main)?;
        let ties = match rest.next() {
            Some(slot) => Some(tie_rule(origin, slot)?),
            None => None,
        };
        ItemKind::Winner { params, guard, cites, keys, ties }
    })
}

fn number_line(origin: Origin, pair: Pair<'_, Rule>) -> Read<NumberLine> {
    let mut kids = Kids::of(pair);
    let path = kids.next()?;
    Some(NumberLine {
        paths: number_paths(origin, path),
        indices: indices(origin, kids.take(Rule::index_list))?,
        ty: type_expr(origin, kids.next()?)?,
        unit: optional_text(origin, kids.take(Rule::text))?,
        cites: cites(origin, kids.take_all(Rule::cites))?,
    })
}

/// `limit.{hands, turns}` stands for two paths.
fn number_paths(origin: Origin, pair: Pair<'_, Rule>) -> Vec<super::expr::Name> {
    let whole = origin.name(&pair);
    let mut head: Vec<String> = Vec::new();
    let mut group = Vec::new();
    for kid in Kids::of(pair).rest() {
        match kid.as_rule() {
            Rule::number_group => group = Kids::of(kid).rest().map(|kid| origin.name(&kid)).collect(),
            _ => head.push(kid.as_str().to_owned()),
        }
    }
    let head = head.join(".");
    if group.is_empty() {
        return vec![super::expr::Name { text: head, span: whole.span }];
    }
    let full = |member: super::expr::Name| super::expr::Name { text: format!("{head}.{}", member.text), ..member };
    group.into_iter().map(full).collect()
}

fn shape(origin: Origin, pair: Pair<'_, Rule>) -> Read<Shape> {
    let span = origin.span(&pair);
    let mut kids = Kids::of(pair);
    let word = origin.name(&kids.next()?);
    let first = expr(origin, kids.next()?)?;
    let second = match kids.take(Rule::bound) {
        Some(bound) => Some(expr(origin, bound)?),
        None => None,
    };
    let layout = kids.take(Rule::shape_layout).map(|layout| origin.name(&layout));
    Some(Shape { word, first, second, layout, span })
}

fn state_line(origin: Origin, pair: Pair<'_, Rule>) -> Read<StateLine> {
    let mut kids = Kids::of(pair);
    Some(StateLine {
        name: origin.name(&kids.next()?),
        indices: indices(origin, kids.take(Rule::index_list))?,
        ty: type_expr(origin, kids.next()?)?,
        init: optional_expr(origin, kids.take(Rule::expr))?,
        seen_by: optional_clause(origin, kids.take(Rule::seen_by))?,
    })
}

fn view_slot(origin: Origin, pair: Pair<'_, Rule>) -> Read<ViewSlot> {
    let mut kids = Kids::of(pair);
    let word = origin.name(&kids.next()?);
    let each = match kids.take(Rule::view_for).and_then(|each| Kids::of(each).next()) {
        None => None,
        Some(kid) if kid.as_rule() == Rule::bind => Some(ViewEach::Bind(bind(origin, kid)?)),
        Some(kid) => Some(ViewEach::Side(origin.name(&kid))),
    };
    let mut parts = Vec::new();
    for part in kids.rest() {
        let mut inner = Kids::of(part);
        let shown = inner.next()?;
        let shown = match shown.as_rule() {
            Rule::text => Shown::Text(origin.text(shown)?),
            _ => Shown::Value(expr(origin, shown)?),
        };
        parts.push(ViewPart { shown, condition: optional_expr(origin, inner.next())? });
    }
    Some(ViewSlot { word, each, parts })
}

/// `(p: Player, at: Square in free)`
pub(super) fn params(origin: Origin, pair: Option<Pair<'_, Rule>>) -> Read<Vec<Param>> {
    let Some(pair) = pair else { return Some(Vec::new()) };
    let param = |pair| {
        let mut kids = Kids::of(pair);
        Some(Param {
            name: origin.name(&kids.next()?),
            ty: type_expr(origin, kids.next()?)?,
            within: optional_expr(origin, kids.next())?,
        })
    };
    Kids::of(pair).rest().map(param).collect()
}

/// `[p: Point, Player]`
pub(super) fn indices(origin: Origin, pair: Option<Pair<'_, Rule>>) -> Read<Vec<Index>> {
    let Some(pair) = pair else { return Some(Vec::new()) };
    let index = |pair| {
        let mut kids = Kids::of(pair);
        let name = kids.take(Rule::name).map(|name| origin.name(&name));
        Some(Index { name, ty: type_expr(origin, kids.next()?)? })
    };
    Kids::of(pair).rest().map(index).collect()
}

/// All citations of several `cite` clauses.
pub(super) fn cites(origin: Origin, pairs: Vec<Pair<'_, Rule>>) -> Read<Vec<Cite>> {
    pairs
        .into_iter()
        .flat_map(|pair| Kids::of(pair).rest().collect::<Vec<_>>())
        .map(|pair| cite(origin, pair))
        .collect()
}

fn cite(origin: Origin, pair: Pair<'_, Rule>) -> Read<Cite> {
    let span = origin.span(&pair);
    let mut kids = Kids::of(pair);
    Some(Cite {
        source: origin.name(&kids.next()?),
        page: kids.take(Rule::integer).and_then(|page| page.as_str().parse().ok()),
        section: optional_text(origin, kids.take(Rule::text))?,
        reading: None,
        span,
    })
}

/// The citations of a ruling, each with what it says.
fn readings(origin: Origin, pair: Pair<'_, Rule>) -> Read<Vec<Cite>> {
    let reading = |pair: Pair<'_, Rule>| {
        let span = origin.span(&pair);
        let mut kids = Kids::of(pair);
        let cited = cite(origin, kids.next()?)?;
        Some(Cite { reading: optional_expr(origin, kids.take(Rule::expr))?, span, ..cited })
    };
    Kids::of(pair).rest().map(reading).collect()
}

pub(super) fn optional_text(origin: Origin, pair: Option<Pair<'_, Rule>>) -> Read<Option<Text>> {
    match pair {
        Some(pair) => origin.text(pair).map(Some),
        None => Some(None),
    }
}

pub(super) fn optional_expr(origin: Origin, pair: Option<Pair<'_, Rule>>) -> Read<Option<Expr>> {
    match pair {
        Some(pair) => expr(origin, pair).map(Some),
        None => Some(None),
    }
}
