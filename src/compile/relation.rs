//! Which members a relation can ever join: found while compiling, as far as it does not depend on the position.
//!
//! `any w in Cell.side: step(a, w, 2) is b` leads from a cell to a few others, whatever the position. Working regions out
//! then asks about these pairs, not about all.

use std::collections::BTreeSet;

use super::compiler::{Compiler, Domain, TableKey};
use crate::ast::{Aggregate, BinaryOp};
use crate::bind::walk::each_expr;
use crate::bind::{Bind, Bound, DefId, Expr, ExprId, Function, LocalId, Region, Type, TypeKind, Value};
use crate::check::Checked;
use crate::evaluate::{Frame, Game, State};

/// Masks of partners that are kept.
const MOST_MASKS: usize = 1 << 21;

/// Pairs that are tested one by one, where nothing better is known.
const MOST_TESTED: u64 = 1 << 14;

/// Plans that are looked at, through definitions.
const MOST_PLANS: u32 = 1000;

/// How the members are found that satisfy a condition together with others that are known. It may find too many, never
/// too few.
enum Plan<'c> {
    /// The value of this expression.
    Value(ExprId),
    /// What this set, list or type holds.
    Within(ExprId),
    /// The neighbours of this cell.
    Around(ExprId),
    /// All members for which this holds.
    Test(ExprId, LocalId),
    /// What the plan finds for any of these.
    Any(Vec<Bind>, Box<Plan<'c>>),
    /// What one of the plans finds.
    Union(Box<Plan<'c>>, Box<Plan<'c>>),
    /// What the plan finds with these parameters.
    Call(Vec<(LocalId, ExprId)>, Box<Plan<'c>>, &'c Checked),
}

/// Makes plans.
struct Planner<'c> {
    checked: &'c Checked,
    /// How many members there are.
    count: u64,
    left: u32,
}

impl Compiler<'_> {
    /// A table of the members that may be joined to each; nothing if these could be any.
    pub(super) fn table_of_partners(&mut self, region: &Region, of: Domain) -> Option<u32> {
        let partners = self.partners(region, of)?;
        Some(self.make_table(TableKey::Partners(region.ty), || partners))
    }

    /// For each member a mask of those that the relation may join it to, one way or the other.
    fn partners(&self, region: &Region, of: Domain) -> Option<Vec<i64>> {
        let TypeKind::Regions(Type::Named(members)) = self.types().get(region.ty).kind else { return None };
        let (count, words) = (usize::try_from(of.size).ok()?, of.words());
        if count.saturating_mul(words) > MOST_MASKS {
            return None;
        }
        let [first, second] = region.pair;
        let (plan, known) = [(second, first), (first, second)].into_iter().find_map(|(unknown, known)| {
            let mut planner = Planner { checked: self.checked, count: of.size, left: MOST_PLANS };
            Some((planner.plan(region.joined, unknown, &[known])?, known))
        })?;
        let state = State { elements: vec![Vec::new(); self.bound.states.len()] };
        let mut masks = vec![0_i64; count * words];
        for at in 0..count {
            let mut frame = Frame::new(&state);
            frame.set(known, Value::Member(members, u32::try_from(at).ok()?));
            let mut found = BTreeSet::new();
            find(&self.tables, &plan, &mut frame, of.size, &mut found)?;
            for other in found {
                let other = usize::try_from(other).ok().filter(|other| *other < count)?;
                masks[at * words + other / 64] |= 1 << (other % 64);
                masks[other * words + at / 64] |= 1 << (at % 64);
            }
        }
        Some(masks)
    }
}

impl<'c> Planner<'c> {
    fn bound(&self) -> &'c Bound {
        &self.checked.bound
    }

    /// How to find the values of `unknown` for which a condition can hold.
    fn plan(&mut self, id: ExprId, unknown: LocalId, known: &[LocalId]) -> Option<Plan<'c>> {
        self.left = self.left.checked_sub(1)?;
        let is_unknown = |id: ExprId| matches!(self.bound().expr(id).kind, Expr::Local(local) if local == unknown);
        match &self.bound().expr(id).kind {
            Expr::Binary(BinaryOp::And, left, right) => {
                let plan = self.plan(*left, unknown, known);
                // A test of all is the last resort.
                if plan.as_ref().is_some_and(|plan| !matches!(plan, Plan::Test(..))) {
                    return plan;
                }
                match self.plan(*right, unknown, known) {
                    Some(Plan::Test(..)) | None if plan.is_some() => plan,
                    other => other,
                }
            }
            Expr::Binary(BinaryOp::Or, left, right) if self.checked.types.get(id.at()) == Some(&Type::Bool) => {
                let (left, right) = (self.plan(*left, unknown, known)?, self.plan(*right, unknown, known)?);
                Some(Plan::Union(Box::new(left), Box::new(right)))
            }
            Expr::Binary(BinaryOp::Is, left, right) if is_unknown(*right) && self.is_fixed(*left, known) => {
                Some(Plan::Value(*left))
            }
            Expr::Binary(BinaryOp::Is, left, right) if is_unknown(*left) && self.is_fixed(*right, known) => {
                Some(Plan::Value(*right))
            }
            Expr::Binary(BinaryOp::In, left, right) if is_unknown(*left) && self.is_fixed(*right, known) => {
                Some(Plan::Within(*right))
            }
            Expr::Function(Function::Adjacent, args) => match args.as_slice() {
                [one, other] if is_unknown(*other) && self.is_fixed(*one, known) => Some(Plan::Around(*one)),
                [one, other] if is_unknown(*one) && self.is_fixed(*other, known) => Some(Plan::Around(*other)),
                _ => self.test(id, unknown, known),
            },
            Expr::Aggregate(Aggregate::Any, binds, Some(body), _) => {
                let mut inner = known.to_vec();
                let mut fixed = Vec::new();
                for bind in binds {
                    if bind.clockwise || !self.is_fixed(bind.domain, &inner) {
                        return None;
                    }
                    inner.push(bind.local);
                    let condition = bind.condition.filter(|condition| self.is_fixed(*condition, &inner));
                    fixed.push(Bind { condition, ..bind.clone() });
                }
                let plan = self.plan(*body, unknown, &inner)?;
                Some(Plan::Any(fixed, Box::new(plan)))
            }
            Expr::Def(def, args) => {
                let def = self.bound().def(*def);
                let mut inside = None;
                let mut given = Vec::new();
                for (param, arg) in def.params.iter().zip(args) {
                    if is_unknown(*arg) && inside.is_none() {
                        inside = Some(*param);
                    } else if self.is_fixed(*arg, known) {
                        given.push((*param, *arg));
                    } else {
                        return None;
                    }
                }
                let inner: Vec<LocalId> = given.iter().map(|(param, _)| *param).collect();
                let plan = self.plan(def.body, inside?, &inner)?;
                Some(Plan::Call(given, Box::new(plan), self.checked))
            }
            _ => self.test(id, unknown, known),
        }
    }

    /// Tests all members, if they are few and the position decides nothing.
    fn test(&self, id: ExprId, unknown: LocalId, known: &[LocalId]) -> Option<Plan<'c>> {
        let all: Vec<LocalId> = known.iter().copied().chain([unknown]).collect();
        let few = self.count.saturating_mul(self.count) <= MOST_TESTED;
        (few && self.is_fixed(id, &all)).then_some(Plan::Test(id, unknown))
    }

    /// Does nothing but these decide an expression?
    fn is_fixed(&self, id: ExprId, known: &[LocalId]) -> bool {
        let (mut own, mut asked): (Vec<LocalId>, Vec<LocalId>) = (known.to_vec(), Vec::new());
        let (mut open, mut seen): (Vec<ExprId>, Vec<DefId>) = (vec![id], Vec::new());
        let mut fixed = true;
        while let Some(id) = open.pop() {
            each_expr(self.bound(), id, &mut |id, kind| {
                match kind {
                    Expr::Local(local) => asked.push(*local),
                    Expr::Aggregate(_, binds, ..) => own.extend(binds.iter().map(|bind| bind.local)),
                    Expr::SetOf(bind) | Expr::ListOf(bind) => own.push(bind.local),
                    Expr::Def(def, _) if !seen.contains(def) => {
                        seen.push(*def);
                        own.extend(&self.bound().def(*def).params);
                        open.push(self.bound().def(*def).body);
                    }
                    Expr::State(_) | Expr::Me | Expr::Award(..) | Expr::Score(_) | Expr::Outcome(_) | Expr::Fault => {
                        fixed = false;
                    }
                    _ => {}
                }
                let named = match (kind, self.checked.types.get(id.at()).map(Type::plain)) {
                    (Expr::Members(Type::Named(ty)) | Expr::Make(ty, _), _) | (_, Some(Type::Named(ty))) => Some(*ty),
                    _ => None,
                };
                let is_region = |ty| matches!(self.bound().types.get(ty).kind, TypeKind::Regions(_));
                fixed &= !named.is_some_and(is_region);
            });
        }
        fixed && asked.iter().all(|local| own.contains(local))
    }
}

/// Finds members by a plan; nothing if the reference has no answer.
fn find(game: &Game<'_>, plan: &Plan<'_>, frame: &mut Frame<'_>, count: u64, found: &mut BTreeSet<u32>) -> Option<()> {
    let mut take = |value: &Value| {
        if let Value::Member(_, at) = value {
            found.insert(*at);
        }
    };
    match plan {
        Plan::Value(value) => take(&game.eval(*value, frame).ok()?),
        Plan::Within(set) => game.held(*set, frame).ok()?.iter().for_each(take),
        Plan::Around(cell) => {
            let Value::Member(ty, at) = game.eval(*cell, frame).ok()? else { return Some(()) };
            let (cells, board) = game.bound().types.board_of(ty)?;
            for cell in board.neighbours(at as usize) {
                take(&Value::Member(cells, u32::try_from(cell).ok()?));
            }
        }
        Plan::Test(condition, unknown) => {
            let Type::Named(ty) = *game.checked().locals.get(unknown.at())?.plain() else { return None };
            for at in 0..u32::try_from(count).ok()? {
                let member = Value::Member(ty, at);
                frame.set(*unknown, member.clone());
                if game.holds(*condition, frame).ok()? {
                    take(&member);
                }
            }
        }
        Plan::Any(binds, plan) => {
            for row in game.combinations(binds, frame).ok()? {
                for (bind, value) in binds.iter().zip(row) {
                    frame.set(bind.local, value);
                }
                find(game, plan, frame, count, found)?;
            }
        }
        Plan::Union(one, other) => {
            find(game, one, frame, count, found)?;
            find(game, other, frame, count, found)?;
        }
        Plan::Call(given, plan, checked) => {
            let mut inner = Frame::new(frame.state());
            for (param, arg) in given {
                let value = game.eval(*arg, frame).ok()?;
                // A definition without one of its arguments gives `none`.
                if value == Value::None && !checked.locals.get(param.at())?.is_optional() {
                    return Some(());
                }
                inner.set(*param, value);
            }
            find(game, plan, &mut inner, count, found)?;
        }
    }
    Some(())
}
