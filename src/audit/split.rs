//! Taking an expression apart by what it adds up.
//!
//! Every part has its points, and the parts of an expression sum to its value: where they would not, or where there
//! is nothing to take apart, the expression is one part.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::record::Past;
use super::rules::RuleId;
use crate::ast::{Aggregate, BinaryOp, UnaryOp};
use crate::bind::walk::each_expr;
use crate::bind::{AwardId, Bind, Expr, ExprId, LocalId, Value};
use crate::evaluate::{Frame, Game, Place, Try};
use crate::report::Sources;

/// Nothing is taken apart deeper than this.
const DEEPEST: usize = 100;

/// So many entries are named of those that last changed what was counted.
const MOST_ENTRIES: usize = 3;

/// Expressions are cut after so many characters.
const LONGEST: usize = 60;

/// Points with where they come from.
#[derive(Debug, Clone)]
pub(super) struct Part {
    pub(super) points: i64,
    /// The rules that lead to it, outermost first.
    pub(super) path: Rc<Vec<Step>>,
    /// What was counted, if the last rule does not say it all.
    pub(super) text: Option<String>,
    /// The condition under which it counts.
    pub(super) since: Option<String>,
    /// The entry that brought it.
    pub(super) entry: Option<usize>,
    /// Entries that last changed what was counted.
    pub(super) from: Vec<usize>,
}

/// A rule on the way to a part.
#[derive(Debug, Clone)]
pub(super) struct Step {
    pub(super) rule: RuleId,
    pub(super) name: String,
    /// Its arguments.
    pub(super) args: Vec<String>,
    /// Variables that sums within it run over, with their values.
    pub(super) bindings: Vec<(String, String)>,
}

/// Where taking apart has come to.
#[derive(Debug, Clone)]
pub(super) struct Way {
    pub(super) path: Rc<Vec<Step>>,
    since: Option<String>,
    factor: Option<String>,
    /// What conditions on the way read.
    reads: BTreeSet<Place>,
    pub(super) entry: Option<usize>,
    depth: usize,
}

impl Way {
    /// Begins within a rule.
    pub(super) fn new(game: &Game<'_>, rule: RuleId, entry: Option<usize>) -> Self {
        let way = Self { path: Rc::default(), since: None, factor: None, reads: BTreeSet::new(), entry, depth: 0 };
        way.within(game, rule, Vec::new())
    }

    pub(super) fn within(&self, game: &Game<'_>, rule: RuleId, args: Vec<String>) -> Self {
        let mut way = self.clone();
        let name = rule.rule(game.bound()).name.to_owned();
        Rc::make_mut(&mut way.path).push(Step { rule, name, args, bindings: Vec::new() });
        way.since = None;
        way
    }

    fn bound(&self, bindings: Vec<(String, String)>, reads: BTreeSet<Place>) -> Self {
        let mut way = self.clone();
        if let Some(step) = Rc::make_mut(&mut way.path).last_mut() {
            step.bindings.extend(bindings);
        }
        way.reads.extend(reads);
        way
    }
}

/// Whoever takes apart: a game, its texts, and what has happened so far.
#[derive(Clone, Copy)]
pub(super) struct Splitter<'s, 'c> {
    pub(super) game: &'s Game<'c>,
    pub(super) sources: &'s Sources,
    pub(super) past: &'s Past,
    /// Is a state told by its history? Otherwise it is one part.
    pub(super) by_history: bool,
}

impl Splitter<'_, '_> {
    /// The parts of a number; none if it is no number, or 0 and cannot be taken apart.
    pub(super) fn split(&self, id: ExprId, frame: &mut Frame<'_>, way: &Way) -> Try<Vec<Part>> {
        let (value, reads) = self.game.reading(|| self.game.eval(id, frame))?;
        let Value::Int(points) = value else { return Ok(Vec::new()) };
        let way = Way { depth: way.depth + 1, ..way.clone() };
        if way.depth <= DEEPEST
            && let Some(parts) = self.open(id, frame, &way)?
            && sum(&parts) == Some(points)
        {
            return Ok(parts);
        }
        let text = self.told(id, frame, &way)?;
        Ok(self.leaf(points, Some(text), &reads, &way))
    }

    /// One part.
    pub(super) fn leaf(&self, points: i64, text: Option<String>, reads: &BTreeSet<Place>, way: &Way) -> Vec<Part> {
        if points == 0 {
            return Vec::new();
        }
        let text = by_factor(way.factor.as_deref(), text);
        let from = self.last_changes(reads.union(&way.reads), way.entry);
        vec![Part { points, path: Rc::clone(&way.path), text, since: way.since.clone(), entry: way.entry, from }]
    }

    /// The entries that last changed these elements, the latest ones.
    fn last_changes<'r>(&self, reads: impl Iterator<Item = &'r Place>, but: Option<usize>) -> Vec<usize> {
        let entries: BTreeSet<usize> = reads.filter_map(|place| self.past.last.get(place).copied()).collect();
        let told = entries.into_iter().rev().filter(|entry| *entry > 0 && Some(*entry) != but);
        let mut latest: Vec<usize> = told.take(MOST_ENTRIES).collect();
        latest.reverse();
        latest
    }

    fn open(&self, id: ExprId, frame: &mut Frame<'_>, way: &Way) -> Try<Option<Vec<Part>>> {
        let game = self.game;
        Ok(Some(match &game.bound().expr(id).kind {
            Expr::Binary(BinaryOp::Add, left, right) => {
                [self.split(*left, frame, way)?, self.split(*right, frame, way)?].concat()
            }
            Expr::Binary(BinaryOp::Subtract, left, right) => {
                [self.split(*left, frame, way)?, times(self.split(*right, frame, way)?, -1)].concat()
            }
            Expr::Binary(BinaryOp::Multiply, left, right) => return self.product(*left, *right, frame, way),
            Expr::Binary(BinaryOp::Or, left, right) => {
                let branch = if game.eval(*left, frame)? == Value::None { right } else { left };
                self.split(*branch, frame, way)?
            }
            Expr::Unary(UnaryOp::Negate, inner) => times(self.split(*inner, frame, way)?, -1),
            Expr::If(condition, then, otherwise) => {
                let (holds, reads) = game.reading(|| game.holds(*condition, frame))?;
                let said = self.text(*condition);
                let mut way = way.bound(Vec::new(), reads);
                way.since = Some(if holds { format!("as {said}") } else { format!("as not: {said}") });
                self.split(if holds { *then } else { *otherwise }, frame, &way)?
            }
            Expr::Aggregate(which @ (Aggregate::Sum | Aggregate::Count), binds, Some(body), _) => {
                self.each(*which == Aggregate::Count, binds, *body, frame, way)?
            }
            Expr::Def(def, args) => {
                let rule = game.bound().def(*def);
                let way = way.within(game, RuleId::Def(*def), self.shown(args, frame)?);
                match game.bind_params(&rule.params, args, frame)? {
                    Some(mut inner) => self.split(rule.body, &mut inner, &way)?,
                    None => Vec::new(),
                }
            }
            Expr::Award(award, args) => self.award(id, *award, args, frame, way)?,
            Expr::Score(seat) => match game.eval(*seat, frame)? {
                Value::Member(_, seat) => self.score(seat, frame, way)?,
                _ => Vec::new(),
            },
            Expr::Local(local) => return Ok(self.past.lets.get(local).map(|parts| spliced(parts, way, 1))),
            Expr::State(_) | Expr::Index(..) if self.by_history => return Ok(self.history(id, frame, way)),
            _ => return Ok(None),
        }))
    }

    /// A seat's score by the rule that applies.
    pub(super) fn score(&self, seat: u32, frame: &Frame<'_>, way: &Way) -> Try<Vec<Part>> {
        let score = self.game.score_rule(frame.state())?;
        let mut inner = Frame::new(frame.state());
        inner.set(score.param, self.game.seat(seat));
        self.split(score.body, &mut inner, way)
    }

    /// A number times something that can be taken apart.
    fn product(&self, left: ExprId, right: ExprId, frame: &mut Frame<'_>, way: &Way) -> Try<Option<Vec<Part>>> {
        let (factor, of) = match (self.is_number(left), self.is_number(right)) {
            (true, false) => (left, right),
            (false, true) => (right, left),
            _ => return Ok(None),
        };
        let Value::Int(by) = self.game.eval(factor, frame)? else { return Ok(None) };
        let way = Way { factor: by_factor(way.factor.as_deref(), Some(self.text(factor))), ..way.clone() };
        Ok(Some(times(self.split(of, frame, &way)?, by)))
    }

    /// Is it a number of the rules or of the TOML?
    fn is_number(&self, id: ExprId) -> bool {
        match &self.game.bound().expr(id).kind {
            Expr::Int(_) | Expr::Number(_) => true,
            Expr::Index(base, _) => matches!(self.game.bound().expr(*base).kind, Expr::Number(_)),
            _ => false,
        }
    }

    /// One part, or several, for each combination of variables.
    fn each(&self, count: bool, binds: &[Bind], body: ExprId, frame: &mut Frame<'_>, way: &Way) -> Try<Vec<Part>> {
        let game = self.game;
        let mut parts = Vec::new();
        for row in game.combinations(binds, frame)? {
            let mut bindings = Vec::new();
            for (bind, value) in binds.iter().zip(&row) {
                frame.set(bind.local, value.clone());
                bindings.push((self.name(bind.local), value.show(&game.bound().types)));
            }
            let ((), mut reads) = game.reading(|| {
                binds.iter().filter_map(|bind| bind.condition).try_for_each(|id| game.holds(id, frame).map(|_| ()))
            })?;
            if count {
                let (holds, more) = game.reading(|| game.holds(body, frame))?;
                reads.extend(more);
                let way = way.bound(bindings, reads);
                parts.extend(self.leaf(i64::from(holds), None, &BTreeSet::new(), &way));
            } else {
                parts.extend(self.split(body, frame, &way.bound(bindings, reads))?);
            }
        }
        Ok(parts)
    }

    /// What an award gives is one part; it says who had how much weight.
    fn award(&self, id: ExprId, award: AwardId, args: &[ExprId], frame: &mut Frame<'_>, way: &Way) -> Try<Vec<Part>> {
        let game = self.game;
        let (value, reads) = game.reading(|| game.eval(id, frame))?;
        let Value::Int(points) = value else { return Ok(Vec::new()) };
        let way = way.within(game, RuleId::Award(award), self.shown(args, frame)?);
        let weights = match game.bind_params(&game.bound().award(award).params, args, frame)? {
            Some(mut inner) => game.weights(award, &mut inner)?,
            None => Vec::new(),
        };
        let types = &game.bound().types;
        let told: Vec<String> = weights.iter().map(|(who, weight)| format!("{} {weight}", who.show(types))).collect();
        Ok(self.leaf(points, Some(told.join(", ")), &reads, &way))
    }

    /// A state by what it began with and every change of it; nothing for what is no element of a state.
    fn history(&self, id: ExprId, frame: &mut Frame<'_>, way: &Way) -> Option<Vec<Part>> {
        let bound = self.game.bound();
        let (state, indexed) = match &bound.expr(id).kind {
            Expr::State(state) => (*state, false),
            Expr::Index(base, _) => match bound.expr(*base).kind {
                Expr::State(state) => (state, true),
                _ => return None,
            },
            _ => return None,
        };
        // A state without indices may be a list, whose items are no elements.
        if indexed == bound.state(state).indices.is_empty() {
            return None;
        }
        let place = self.game.place(id, frame).ok()?;
        let mut parts = Vec::new();
        if let Some(Value::Int(began)) = self.past.beginning.get(place.0, place.1) {
            let way = way.within(self.game, RuleId::State(state), Vec::new());
            parts.extend(self.leaf(*began, Some("at the beginning".to_owned()), &BTreeSet::new(), &way));
        }
        if let Some(changes) = self.past.changes.get(&place) {
            parts.extend(spliced(changes, way, 0));
        }
        Some(parts)
    }

    /// The values of arguments, in words.
    fn shown(&self, args: &[ExprId], frame: &mut Frame<'_>) -> Try<Vec<String>> {
        let values = self.game.all(args, frame)?;
        Ok(values.iter().map(|value| value.show(&self.game.bound().types)).collect())
    }

    fn name(&self, local: LocalId) -> String {
        self.game.bound().local(local).name.clone()
    }

    /// What was counted: a number of a table by the values of its indices, anything else as the rules write it,
    /// with the values of its variables that nothing on the way has told.
    fn told(&self, id: ExprId, frame: &mut Frame<'_>, way: &Way) -> Try<String> {
        if let Expr::Index(base, args) = &self.game.bound().expr(id).kind
            && let Expr::Number(number) = self.game.bound().expr(*base).kind
        {
            return Ok(format!("{}[{}]", self.game.bound().number(number).path, self.shown(args, frame)?.join(", ")));
        }
        let mut unknown: Vec<String> = Vec::new();
        each_expr(self.game.bound(), id, &mut |_, kind| {
            let Expr::Local(local) = kind else { return };
            let Some(value) = frame.get(*local) else { return };
            let value = value.show(&self.game.bound().types);
            let told =
                |step: &Step| step.args.contains(&value) || step.bindings.iter().any(|(_, known)| *known == value);
            let said = format!("{} = {value}", self.name(*local));
            if !way.path.iter().any(told) && !unknown.contains(&said) {
                unknown.push(said);
            }
        });
        let text = self.text(id);
        // A variable alone is what it is worth.
        let alone = matches!(self.game.bound().expr(id).kind, Expr::Local(_));
        Ok(if unknown.is_empty() || alone { text } else { format!("{text}, {}", unknown.join(", ")) })
    }

    /// An expression as the rules write it, on one line.
    pub(super) fn text(&self, id: ExprId) -> String {
        let text = self.sources.slice(self.game.bound().expr(id).span);
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        match text.char_indices().nth(LONGEST) {
            Some((at, _)) => format!("{}…", text.get(..at).unwrap_or("")),
            None => text,
        }
    }
}

/// `factor x text`, as far as there are any.
fn by_factor(factor: Option<&str>, text: Option<String>) -> Option<String> {
    match (factor, text) {
        (Some(factor), Some(text)) => Some(format!("{factor} x {text}")),
        (factor, text) => text.or_else(|| factor.map(str::to_owned)),
    }
}

/// Parts that were found before, as they stand on this way; so many first rules of theirs are on it already.
fn spliced(parts: &[Part], way: &Way, known: usize) -> Vec<Part> {
    let splice = |part: &Part| Part {
        points: part.points,
        path: Rc::new(way.path.iter().chain(part.path.iter().skip(known)).cloned().collect()),
        text: by_factor(way.factor.as_deref(), part.text.clone()),
        since: part.since.clone().or_else(|| way.since.clone()),
        entry: way.entry.or(part.entry),
        from: part.from.clone(),
    };
    parts.iter().map(splice).collect()
}

/// All points together; nothing if they are too many to count.
pub(super) fn sum(parts: &[Part]) -> Option<i64> {
    parts.iter().try_fold(0_i64, |sum, part| sum.checked_add(part.points))
}

/// Every part so many times.
pub(super) fn times(parts: Vec<Part>, by: i64) -> Vec<Part> {
    parts.into_iter().map(|part| Part { points: part.points.saturating_mul(by), ..part }).collect()
}
