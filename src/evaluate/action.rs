//! Actions: what they cost, whether they are legal, and every legal one.

use super::Try;
use super::flow::{Choice, Run};
use super::frame::{Frame, Locals};
use super::game::{Decision, Game, Refusal};
use super::state::State;
use super::trace::Touch;
use crate::bind::walk::{bind_parts, each_expr};
use crate::bind::{Action, ActionId, Expr, LocalId, Price, Requirement, StateId, Value};
use crate::impossible;
use crate::internal::Must;
use crate::report::Span;

/// An element of the state.
pub type Place = (StateId, usize);

impl Game<'_> {
    /// What an action costs: from which elements how much, and where the rules say so.
    pub(crate) fn prices(&self, action: &Action, frame: &mut Frame<'_>) -> Try<Vec<(Place, i64, Span)>> {
        let _question = self.fuel.question();
        let mut prices = Vec::new();
        for price in &action.costs {
            let span = self.bound().expr(price.place).span;
            self.each(price.each.as_slice(), frame, &mut |frame| {
                if let Value::Int(amount) = self.eval(price.amount, frame)? {
                    prices.push((self.place(price.place, frame)?, amount, span));
                }
                Ok(true)
            })?;
        }
        Ok(prices)
    }

    /// Judges an action with all its arguments. What fails is named in the author's order.
    pub(super) fn judge(&self, id: ActionId, seat: u32, args: &[Value], state: &State) -> Try<Result<(), Refusal>> {
        let action = self.bound().action(id);
        self.touch(Touch::Requirements(action.span));
        let mut frame = action_frame(action, seat, args, state);
        if !self.fit(action, args, &mut frame)? {
            return Ok(Err(Refusal::verdict("bad-argument")));
        }
        let failed = self.failing(action, false, &mut frame)?;
        if !failed.is_empty() {
            return Ok(Err(Refusal { names: failed }));
        }
        if !self.affordable(action, &mut frame)? {
            return Ok(Err(Refusal::verdict("unaffordable")));
        }
        if !self.is_tried_out(action, &mut frame)? {
            return Ok(Ok(()));
        }
        let left = self.left_by(seat, id, args, state)?;
        let failed = self.failing(action, true, &mut action_frame(action, seat, args, &left))?;
        Ok(if failed.is_empty() { Ok(()) } else { Err(Refusal { names: failed }) })
    }

    /// Would [`Self::judge`] find nothing wrong, if the arguments fit? This stops at the first thing that is.
    fn may(&self, id: ActionId, seat: u32, args: &[Value], frame: &mut Frame<'_>) -> Try<bool> {
        let action = self.bound().action(id);
        for requirement in action.requirements.iter().filter(|requirement| !requirement.after) {
            if self.fails(requirement, frame)? {
                return Ok(false);
            }
        }
        if !self.affordable(action, frame)? {
            return Ok(false);
        }
        if !self.is_tried_out(action, frame)? {
            return Ok(true);
        }
        let left = self.left_by(seat, id, args, frame.state)?;
        Ok(self.failing(action, true, &mut action_frame(action, seat, args, &left))?.is_empty())
    }

    /// Is every argument of its parameter's type, and in its domain?
    fn fit(&self, action: &Action, args: &[Value], frame: &mut Frame<'_>) -> Try<bool> {
        Ok(self.misfit(action, args, frame)?.is_none())
    }

    /// The first argument that is not of its parameter's type, or not in its domain.
    pub(crate) fn misfit(&self, action: &Action, args: &[Value], frame: &mut Frame<'_>) -> Try<Option<usize>> {
        let _question = self.fuel.question();
        for (at, ((local, within), value)) in action.params.iter().zip(args).enumerate() {
            let inside = match within {
                Some(within) => self.is_within(value, *within, frame)?,
                None => true,
            };
            if !inside || !self.belongs(value, &self.checked.locals[local.at()]) {
                return Ok(Some(at));
            }
        }
        Ok(None)
    }

    /// Names of the requirements that fail: those before the effect, or those on the state that it leaves.
    fn failing(&self, action: &Action, after: bool, frame: &mut Frame<'_>) -> Try<Vec<String>> {
        let mut failed = Vec::new();
        for requirement in action.requirements.iter().filter(|requirement| requirement.after == after) {
            if self.fails(requirement, frame)? {
                failed.push(format!("{}.{}", action.name, requirement.name));
            }
        }
        Ok(failed)
    }

    /// Is a requirement there in this game, and does not hold?
    pub(crate) fn fails(&self, requirement: &Requirement, frame: &mut Frame<'_>) -> Try<bool> {
        Ok(self.is_there(requirement, frame)? && !self.holds(requirement.condition, frame)?)
    }

    fn is_there(&self, requirement: &Requirement, frame: &mut Frame<'_>) -> Try<bool> {
        requirement.guard.map_or(Ok(true), |guard| self.holds(guard, frame))
    }

    /// Is a requirement `after` there in this game? Only then the effect is tried out before an action is legal.
    fn is_tried_out(&self, action: &Action, frame: &mut Frame<'_>) -> Try<bool> {
        for requirement in action.requirements.iter().filter(|requirement| requirement.after) {
            if self.is_there(requirement, frame)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn affordable(&self, action: &Action, frame: &mut Frame<'_>) -> Try<bool> {
        // Several prices may be taken from the same element.
        let mut left: Vec<(Place, i64)> = Vec::new();
        for (place, amount, span) in self.prices(action, frame)? {
            self.spend_on(left.len(), span)?;
            let known = left.iter().position(|(known, _)| *known == place).map(|at| left.swap_remove(at).1);
            let have = match (known, frame.state.get(place.0, place.1)) {
                (Some(have), _) => have,
                (None, Some(Value::Int(have))) => *have,
                // The state may hold nothing, or not exist in this game.
                (None, Some(Value::None) | None) => return Ok(false),
                (None, Some(other)) => impossible!("a price is taken from {other:?}"),
            };
            let rest = have - amount;
            if !self.belongs(&Value::Int(rest), &self.bound().state(place.0).ty) {
                return Ok(false);
            }
            left.push((place, rest));
        }
        Ok(true)
    }

    /// Could an action be paid for with some arguments, whatever it requires? They are tried in order, at most so
    /// many; `bound` are those that the flow binds.
    pub(crate) fn payable(&self, id: ActionId, seat: u32, bound: &[Value], state: &State, most: usize) -> Try<bool> {
        let _question = self.fuel.question();
        let action = self.bound().action(id);
        let mut frame = action_frame(action, seat, bound, state);
        if action.costs.is_empty() {
            return Ok(true);
        }
        if !self.prices_speak_of(action, bound.len()) {
            return self.affordable(action, &mut frame);
        }
        let (mut tried, mut payable) = (0, false);
        // No requirement speaks of so many parameters: none is asked.
        let needs = vec![usize::MAX; action.requirements.len()];
        self.rows((action, &needs), &mut bound.to_vec(), &mut frame, &mut |_, frame| {
            tried += 1;
            // Arguments that belong to nothing may have no price.
            let priced = |price: &Price, frame: &mut Frame<'_>| {
                price.each.is_some() || matches!(self.eval(price.amount, frame), Ok(Value::Int(_)))
            };
            payable = action.costs.iter().all(|price| priced(price, frame)) && self.affordable(action, frame)?;
            Ok(!payable && tried < most)
        })?;
        Ok(payable)
    }

    /// Does what an action costs depend on its parameters, but for the first ones?
    fn prices_speak_of(&self, action: &Action, but: usize) -> bool {
        let params = action.params.get(but..).must("the flow binds parameters that are there");
        let mut found = false;
        for price in &action.costs {
            let each = price.each.iter().flat_map(bind_parts);
            for part in [price.place, price.amount].into_iter().chain(each) {
                each_expr(self.bound(), part, &mut |_, kind| {
                    found =
                        found || matches!(kind, Expr::Local(local) if params.iter().any(|(param, _)| param == local));
                });
            }
        }
        found
    }

    /// The state that an action's effect leaves.
    pub(crate) fn left_by(&self, seat: u32, id: ActionId, args: &[Value], state: &State) -> Try<State> {
        let _question = self.fuel.question();
        let size = state.elements.iter().map(Vec::len).sum();
        self.spend_on(size, self.bound().action(id).span)?;
        let mut run = Run::trial(self, state.clone(), Locals::default(), None);
        match run.act(seat, id, args) {
            Err(super::flow::Stop::Trouble(trouble)) => Err(trouble),
            _ => Ok(run.state),
        }
    }

    /// Is anything legal among the offers?
    pub(super) fn any_legal(&self, choice: &Choice, state: &State) -> Try<bool> {
        for (action, bound) in &choice.offers {
            if !self.legal_of(*action, choice.seat, bound, state, true)?.is_empty() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Every legal decision of a choice: actions in the order of the offers, arguments in the order of their
    /// domains, a pass last.
    pub fn legal(&self, choice: &Choice, state: &State) -> Try<Vec<Decision>> {
        let _question = self.fuel.question();
        let mut all = Vec::new();
        for (action, bound) in &choice.offers {
            let found = self.legal_of(*action, choice.seat, bound, state, false)?;
            all.extend(found.into_iter().map(|args| Decision::Act { seat: choice.seat, action: *action, args }));
        }
        if choice.pass {
            all.push(Decision::Pass { seat: choice.seat });
        }
        Ok(all)
    }

    fn legal_of(
        &self,
        id: ActionId,
        seat: u32,
        bound: &[Value],
        state: &State,
        one_is_enough: bool,
    ) -> Try<Vec<Vec<Value>>> {
        let action = self.bound().action(id);
        self.touch(Touch::Requirements(action.span));
        let mut frame = action_frame(action, seat, bound, state);
        let mut legal = Vec::new();
        if self.fit(action, bound, &mut frame)? {
            let needs = self.needs(action);
            self.rows((action, &needs), &mut bound.to_vec(), &mut frame, &mut |row, frame| {
                self.spend(1, action.span)?;
                if self.may(id, seat, row, frame)? {
                    legal.push(row.to_vec());
                }
                Ok(!one_is_enough || legal.is_empty())
            })?;
        }
        Ok(legal)
    }

    /// How many first parameters each requirement speaks of.
    fn needs(&self, action: &Action) -> Vec<usize> {
        let needed = |requirement: &Requirement| {
            let mut needed = 0;
            each_expr(self.bound(), requirement.condition, &mut |_, kind| {
                let param = |local: &LocalId| action.params.iter().position(|(param, _)| param == local);
                if let Expr::Local(local) = kind {
                    needed = needed.max(param(local).map_or(0, |at| at + 1));
                }
            });
            needed
        };
        action.requirements.iter().map(needed).collect()
    }

    /// Visits all arguments that go on from these, the last one running fastest. The frame has them as locals.
    /// Arguments for which a requirement fails that speaks of no others lead nowhere, and are passed over.
    fn rows<'s>(
        &self,
        (action, needs): (&Action, &[usize]),
        row: &mut Vec<Value>,
        frame: &mut Frame<'s>,
        visit: Visit<'_, 's>,
    ) -> Try<bool> {
        let Some((local, within)) = action.params.get(row.len()) else { return visit(row, frame) };
        let ty = &self.checked.locals[local.at()];
        let values = match within {
            Some(within) => self.domain(*within, frame)?,
            None => self.members(ty, frame, action.span)?,
        };
        for value in values {
            if !self.belongs(&value, ty) {
                continue;
            }
            frame.set(*local, value.clone());
            row.push(value);
            let mut fails = false;
            for (requirement, needed) in action.requirements.iter().zip(needs) {
                fails = fails || *needed == row.len() && !requirement.after && self.fails(requirement, frame)?;
            }
            let more = fails || self.rows((action, needs), row, frame, visit)?;
            row.pop();
            if !more {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// Looks at arguments; says whether it wants to see more.
type Visit<'v, 's> = &'v mut dyn FnMut(&[Value], &mut Frame<'s>) -> Try<bool>;

/// What an action's rules are worked out in.
pub(crate) fn action_frame<'s>(action: &Action, seat: u32, args: &[Value], state: &'s State) -> Frame<'s> {
    let mut frame = Frame::new(state);
    frame.me = Some(seat);
    for ((local, _), value) in action.params.iter().zip(args) {
        frame.locals.insert(*local, value.clone());
    }
    frame
}
