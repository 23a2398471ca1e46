//! What depends on a number: the parts that mention it, and those that use what mentions it.
//!
//! A part that plays a phase, asks a definition or runs over a type depends on what that depends on. What is
//! merely offered (an action in a `choose`) or written into a state does not carry a dependency further; what a
//! state holds at first does.

use std::collections::{BTreeSet, VecDeque};

use super::{Part, cut};
use crate::ast::ItemKind;
use crate::bind::walk::{bind_parts, each_expr, each_statement, statement_parts};
use crate::bind::{
    Block, Bound, Effective, Expr, ExprId, LocalId, Number, Phrase, PhrasePart, Statement, Type, ViewPart,
};
use crate::evaluate::{Seen, Touch, Trace};
use crate::report::Span;

/// Something that depends on a number.
#[derive(Debug, Clone)]
pub struct Use {
    /// What it is.
    pub part: Part,
    /// The places in it that mention the number.
    pub places: Vec<Span>,
    /// By what it depends on it, from near to far; nothing if it mentions the number itself.
    pub through: Vec<String>,
}

/// Everything that depends on a number, in the order of the rules.
#[must_use]
pub fn uses(bound: &Bound, items: &Effective<'_>, number: &Number) -> Vec<Use> {
    depending(bound, items, &number.uses, Ranges::End)
}

/// Does whoever mentions a state depend on the numbers in the state's range?
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ranges {
    /// No: a range limits what is written, it changes no value.
    End,
    /// Yes: a write may fail because of it.
    Carry,
}

/// Everything that depends on what is mentioned at these places, in the order of the rules.
pub(super) fn depending(bound: &Bound, items: &Effective<'_>, mentioned: &[Span], ranges: Ranges) -> Vec<Use> {
    let mut parts = cut(items);
    parts.extend(declarations(items));
    let graph = Graph::of(bound, &parts);
    let places = |part: &Part| -> Vec<Span> {
        let mut places: Vec<Span> = mentioned.iter().copied().filter(|span| part.holds(*span)).collect();
        places.sort_unstable();
        places.dedup();
        places
    };
    let direct: Vec<Vec<Span>> = parts.iter().map(places).collect();
    let mut chains: Vec<Option<Vec<usize>>> = vec![None; parts.len()];
    let mut open: VecDeque<usize> = VecDeque::new();
    for (at, (places, chain)) in direct.iter().zip(&mut chains).enumerate() {
        if !places.is_empty() {
            *chain = Some(Vec::new());
            if ranges == Ranges::Carry || graph.carries(at, places) {
                open.push_back(at);
            }
        }
    }
    while let Some(at) = open.pop_front() {
        let Some(chain) = chains.get(at).cloned().flatten() else { continue };
        for (user, edge) in graph.users(at) {
            let Some(known @ None) = chains.get_mut(user) else { continue };
            *known = Some(std::iter::once(at).chain(chain.iter().copied()).collect());
            if edge == Edge::Carries {
                open.push_back(user);
            }
        }
    }
    let names: Vec<String> = parts.iter().map(|part| part.name.clone()).collect();
    let shown = |chain: Vec<usize>| chain.into_iter().filter_map(|at| names.get(at).cloned()).collect();
    let found = parts.into_iter().zip(direct).zip(chains);
    found.filter_map(|((part, places), chain)| Some(Use { part, places, through: shown(chain?) })).collect()
}

/// Numbers whose declarations may mention others: `prize[1..limit.places]`.
fn declarations(items: &Effective<'_>) -> Vec<Part> {
    let mut parts = Vec::new();
    for item in &items.items {
        let ItemKind::Numbers(lines) = &item.kind else { continue };
        for line in lines {
            let Some(first) = line.paths.first() else { continue };
            let name = line.paths.iter().map(|path| path.text.as_str()).collect::<Vec<_>>().join(", ");
            let span = first.span.to(line.ty.span);
            parts.push(Part { kind: "number", name, meaning: String::new(), span, without: Vec::new(), of: None });
        }
    }
    parts
}

/// Which of these an example exercises that was played and traced.
#[must_use]
pub fn exercised<'u>(uses: &'u [Use], trace: &Trace) -> Vec<&'u Use> {
    let shows = |used: &&Use| trace.seen.iter().any(|seen| used.part.is_shown_by(*seen));
    uses.iter().filter(shows).collect()
}

/// Does an example read any element of the number with this place in its table?
#[must_use]
pub fn reads(trace: &Trace, number: usize) -> bool {
    trace.touched.iter().any(|touch| matches!(touch, Touch::Number(known, _) if *known == number))
}

impl Part {
    fn is_shown_by(&self, seen: Seen) -> bool {
        match (self.kind, seen) {
            ("action", Seen::Done(span))
            | ("requirement", Seen::Held(span) | Seen::Alone(span))
            | ("cost", Seen::Paid(span))
            | ("award", Seen::Awarded(span))
            | ("flow" | "phase" | "action", Seen::Went(span, _)) => self.holds(span),
            // What could not be paid is told by its action.
            ("cost", Seen::TooDear(span)) => self.of == Some(span),
            _ => false,
        }
    }
}

/// How far a dependency goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Edge {
    /// Whoever uses this depends on it, too.
    Carries,
    /// It ends here.
    Ends,
}

/// Who uses whom, by their places among the parts.
struct Graph {
    /// For each part, those that use it.
    users: Vec<BTreeSet<(usize, bool)>>,
    /// What a state holds at first, and whether it is there: what is read with it.
    beginnings: Vec<Option<Vec<Span>>>,
}

impl Graph {
    fn of(bound: &Bound, parts: &[Part]) -> Self {
        let mut graph = Self { users: vec![BTreeSet::new(); parts.len()], beginnings: vec![None; parts.len()] };
        let walker = Walker { bound, parts };
        for (at, mentioned, carries) in walker.all(&mut graph.beginnings) {
            for used in mentioned.into_iter().filter(|used| *used != at) {
                if let Some(users) = graph.users.get_mut(used) {
                    users.insert((at, carries));
                }
            }
        }
        graph
    }

    fn users(&self, at: usize) -> impl Iterator<Item = (usize, Edge)> + '_ {
        let users = self.users.get(at).into_iter().flatten();
        // What carries comes first, so that it is not lost behind what does not.
        let (ends, carries): (Vec<_>, Vec<_>) = users.partition(|(_, carries)| !carries);
        let edge = |carries: bool| if carries { Edge::Carries } else { Edge::Ends };
        carries.into_iter().chain(ends).map(move |&(user, carries)| (user, edge(carries)))
    }

    /// Does what mentions the number at these places hand it on? The range of a state does not.
    fn carries(&self, at: usize, places: &[Span]) -> bool {
        let within = |outer: &Span, inner: &Span| {
            outer.file == inner.file && outer.start <= inner.start && inner.end <= outer.end
        };
        match self.beginnings.get(at).and_then(Option::as_ref) {
            Some(spans) => places.iter().any(|place| spans.iter().any(|span| within(span, place))),
            None => true,
        }
    }
}

/// A part, the parts that it mentions, and whether it hands on what it gets from them.
type Mentions = (usize, BTreeSet<usize>, bool);

/// Notes what the part of a kind, at a place, mentions.
type Add<'a> = dyn FnMut(&str, Span, BTreeSet<usize>, bool) + 'a;

struct Walker<'w> {
    bound: &'w Bound,
    parts: &'w [Part],
}

impl Walker<'_> {
    /// The part of this kind that holds a place.
    fn part(&self, kind: &str, span: Span) -> Option<usize> {
        self.parts.iter().position(|part| part.kind == kind && part.holds(span))
    }

    fn all(&self, beginnings: &mut [Option<Vec<Span>>]) -> Vec<Mentions> {
        let bound = self.bound;
        let mut found = Vec::new();
        let mut add = |kind: &str, span: Span, mentioned: BTreeSet<usize>, carries: bool| {
            found.extend(self.part(kind, span).map(|at| (at, mentioned, carries)));
        };
        for state in &bound.states {
            let first: Vec<ExprId> = state.init.into_iter().chain(state.guard).collect();
            if let Some(place) = self.part("state", state.span).and_then(|at| beginnings.get_mut(at)) {
                *place = Some(first.iter().map(|id| bound.expr(*id).span).collect());
            }
            add("state", state.span, self.exprs(first), true);
            let types = state.indices.iter().chain([&state.ty]);
            add("state", state.span, types.filter_map(|ty| self.of_type(ty)).collect(), false);
        }
        for def in &bound.defs {
            add("def", def.span, join([self.exprs([def.body]), self.locals(&def.params)]), true);
        }
        for region in &bound.regions {
            let exprs = bind_parts(&region.of).into_iter().chain([region.joined]);
            add("regions", region.span, self.exprs(exprs), true);
        }
        for award in &bound.awards {
            let guards = award.ties.iter().filter_map(|(_, guard)| *guard).chain(award.alone.iter().flatten().copied());
            let exprs = std::iter::once(award.by).chain(award.pays.iter().copied()).chain(guards);
            add("award", award.span, join([self.exprs(exprs), self.locals(&award.params)]), true);
        }
        for action in &bound.actions {
            let locals: Vec<LocalId> = action.params.iter().map(|(local, _)| *local).collect();
            let sets = self.exprs(action.params.iter().filter_map(|(_, set)| *set));
            add("action", action.span, join([sets, self.locals(&locals), self.block(&action.effect)]), true);
            for price in &action.costs {
                let each = price.each.as_ref().map(bind_parts).unwrap_or_default();
                let exprs = each.into_iter().chain([price.place, price.amount]);
                add("cost", bound.expr(price.place).span, self.exprs(exprs), true);
            }
            for requirement in &action.requirements {
                let exprs = std::iter::once(requirement.condition).chain(requirement.guard);
                let exprs = exprs.chain(requirement.phrase.iter().flat_map(values));
                add("requirement", requirement.span, self.exprs(exprs), true);
            }
        }
        for phase in &bound.phases {
            add("phase", phase.span, join([self.block(&phase.body), self.locals(&phase.params)]), true);
        }
        self.results(&mut add);
        found
    }

    /// The flow, and what stands at its end or beside it.
    fn results(&self, add: &mut Add<'_>) {
        let bound = self.bound;
        if let Some(flow) = self.parts.iter().find(|part| part.kind == "flow")
            && let Some(block) = &bound.flow
        {
            add("flow", flow.span, self.block(block), true);
        }
        for score in &bound.scores {
            add("score", score.span, self.exprs(score.guard.into_iter().chain([score.body])), true);
        }
        for winner in &bound.winners {
            let exprs = winner.guard.into_iter().chain(winner.keys.iter().copied());
            add("winner", winner.span, self.exprs(exprs), true);
        }
        for invariant in &bound.invariants {
            let exprs = invariant.guard.into_iter().chain([invariant.condition]);
            let exprs = exprs.chain(invariant.phrase.iter().flat_map(values));
            add("invariant", invariant.span, self.exprs(exprs), true);
        }
        for view in &bound.views {
            let mut exprs = Vec::new();
            for slot in &view.slots {
                exprs.extend(slot.each.iter().flat_map(bind_parts));
                for (part, condition) in &slot.parts {
                    exprs.extend(*condition);
                    match part {
                        ViewPart::Text(phrase) => exprs.extend(values(phrase)),
                        ViewPart::Value(value) => exprs.push(*value),
                    }
                }
            }
            add("view", view.span, self.exprs(exprs), true);
        }
    }

    fn exprs(&self, ids: impl IntoIterator<Item = ExprId>) -> BTreeSet<usize> {
        let bound = self.bound;
        let mut found = BTreeSet::new();
        for id in ids {
            each_expr(bound, id, &mut |_, expr| match expr {
                Expr::Def(def, _) => found.extend(self.part("def", bound.def(*def).span)),
                Expr::Award(award, _) => found.extend(self.part("award", bound.award(*award).span)),
                Expr::State(state) => found.extend(self.part("state", bound.state(*state).span)),
                Expr::Score(_) => {
                    let scores = self.parts.iter().enumerate().filter(|(_, part)| part.kind == "score");
                    found.extend(scores.map(|(at, _)| at));
                }
                Expr::Members(ty) => found.extend(self.of_type(ty)),
                Expr::Make(ty, _) => found.extend(self.of_type(&Type::Named(*ty))),
                _ => {}
            });
        }
        found
    }

    fn block(&self, block: &Block) -> BTreeSet<usize> {
        let mut found = BTreeSet::new();
        each_statement(block, &mut |statement, _| {
            found.extend(self.exprs(statement_parts(statement)));
            if let Statement::Call(phase, _) = statement {
                found.extend(self.part("phase", self.bound.phase(*phase).span));
            }
        });
        found
    }

    /// The types of parameters.
    fn locals(&self, locals: &[LocalId]) -> BTreeSet<usize> {
        let types = locals.iter().filter_map(|local| self.bound.local(*local).ty.as_ref());
        types.filter_map(|ty| self.of_type(ty)).collect()
    }

    /// The declaration of a type; of a side or an edge, that of its board.
    fn of_type(&self, ty: &Type) -> Option<usize> {
        match ty {
            Type::Named(id) => {
                let name = self.bound.types.get(*id).name.split('.').next().unwrap_or("");
                let kinds = ["type", "board", "table", "regions"];
                self.parts.iter().position(|part| kinds.contains(&part.kind) && part.name == name)
            }
            Type::Optional(inner) | Type::Set(inner) | Type::List(_, inner) => self.of_type(inner),
            Type::Bool | Type::Int(..) | Type::Nothing | Type::Unknown => None,
        }
    }
}

fn join<const N: usize>(sets: [BTreeSet<usize>; N]) -> BTreeSet<usize> {
    sets.into_iter().flatten().collect()
}

/// The values in a text.
fn values(phrase: &Phrase) -> impl Iterator<Item = ExprId> + '_ {
    phrase.parts.iter().filter_map(|part| match part {
        PhrasePart::Value(value) => Some(*value),
        PhrasePart::Words(_) => None,
    })
}
