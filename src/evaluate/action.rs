//! Actions: what they cost, whether they are legal, and every legal one.

use super::flow::{Choice, Frame, Run};
use super::game::{Decision, Game, Refusal};
use super::state::State;
use super::trace::Touch;
use super::{Try, trouble};
use crate::bind::{Action, ActionId, StateId, Value};
use crate::report::Span;

/// An element of the state.
type Place = (StateId, usize);

impl Game<'_> {
    /// What an action costs: from which elements how much, and where the rules say so.
    pub(super) fn prices(
        &self,
        action: &Action,
        seat: u32,
        args: &[Value],
        state: &State,
    ) -> Try<Vec<(Place, i64, Span)>> {
        let mut prices = Vec::new();
        for price in &action.costs {
            let mut frame = action_frame(action, seat, args, state);
            let rows = match &price.each {
                Some(each) => self.combinations(std::slice::from_ref(each), &mut frame)?,
                None => vec![Vec::new()],
            };
            for row in rows {
                if let (Some(each), Some(value)) = (&price.each, row.into_iter().next()) {
                    frame.locals.insert(each.local, value);
                }
                let Value::Int(amount) = self.eval(price.amount, &mut frame)? else { continue };
                let mut run = Run::trial(self, state.clone(), frame.locals.clone(), Some(seat));
                prices.push((run.place(price.place)?, amount, self.bound().expr(price.place).span));
            }
        }
        Ok(prices)
    }

    /// Judges an action with all its arguments. What fails is named in the author's order.
    pub(super) fn judge(&self, id: ActionId, seat: u32, args: &[Value], state: &State) -> Try<Result<(), Refusal>> {
        let action = self.bound().action(id);
        self.touch(Touch::Requirements(action.span));
        let mut frame = action_frame(action, seat, args, state);
        for ((local, within), value) in action.params.iter().zip(args) {
            let fits = self.belongs(value, &self.checked.locals[local.at()]);
            let inside = match within {
                Some(within) => self.domain(*within, &mut frame)?.contains(value),
                None => true,
            };
            if !fits || !inside {
                return Ok(Err(Refusal::verdict("bad-argument")));
            }
        }
        let mut failed = Vec::new();
        for requirement in action.requirements.iter().filter(|requirement| !requirement.after) {
            let present = match requirement.guard {
                Some(guard) => self.holds(guard, &mut frame)?,
                None => true,
            };
            if present && !self.holds(requirement.condition, &mut frame)? {
                failed.push(format!("{}.{}", action.name, requirement.name));
            }
        }
        if !failed.is_empty() {
            return Ok(Err(Refusal { names: failed }));
        }
        if !self.affordable(action, seat, args, state)? {
            return Ok(Err(Refusal::verdict("unaffordable")));
        }
        self.judge_after(id, seat, args, state)
    }

    fn affordable(&self, action: &Action, seat: u32, args: &[Value], state: &State) -> Try<bool> {
        let mut left = state.clone();
        for (place, amount, _) in self.prices(action, seat, args, state)? {
            let Some(Value::Int(have)) = left.get(place.0, place.1).cloned() else { return Ok(false) };
            let rest = Value::Int(have - amount);
            if !self.belongs(&rest, &self.bound().state(place.0).ty) {
                return Ok(false);
            }
            left.set(place.0, place.1, rest);
        }
        Ok(true)
    }

    /// Requirements that are tested on the state that the effect leaves.
    fn judge_after(&self, id: ActionId, seat: u32, args: &[Value], state: &State) -> Try<Result<(), Refusal>> {
        let action = self.bound().action(id);
        if action.requirements.iter().all(|requirement| !requirement.after) {
            return Ok(Ok(()));
        }
        let left = self.left_by(seat, id, args, state)?;
        let mut frame = action_frame(action, seat, args, &left);
        let mut failed = Vec::new();
        for requirement in action.requirements.iter().filter(|requirement| requirement.after) {
            let present = match requirement.guard {
                Some(guard) => self.holds(guard, &mut frame)?,
                None => true,
            };
            if present && !self.holds(requirement.condition, &mut frame)? {
                failed.push(format!("{}.{}", action.name, requirement.name));
            }
        }
        Ok(if failed.is_empty() { Ok(()) } else { Err(Refusal { names: failed }) })
    }

    /// The state that an action's effect leaves.
    pub(super) fn left_by(&self, seat: u32, id: ActionId, args: &[Value], state: &State) -> Try<State> {
        let mut run = Run::trial(self, state.clone(), std::collections::HashMap::new(), None);
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
        let mut rows: Vec<Vec<Value>> = vec![bound.to_vec()];
        for (local, within) in action.params.iter().skip(bound.len()) {
            let mut longer = Vec::new();
            for row in &rows {
                let mut frame = action_frame(action, seat, row, state);
                let values = match within {
                    Some(within) => self.domain(*within, &mut frame)?,
                    None => self.members(&self.checked.locals[local.at()], &frame)?,
                };
                longer.extend(values.into_iter().map(|value| [row.as_slice(), &[value]].concat()));
            }
            rows = longer;
            if rows.len() > MOST_ROWS {
                return trouble(action.span, "this action has too many combinations of arguments to try");
            }
        }
        let mut legal = Vec::new();
        for row in rows {
            if self.judge(id, seat, &row, state)?.is_ok() {
                legal.push(row);
                if one_is_enough {
                    break;
                }
            }
        }
        Ok(legal)
    }
}

/// Combinations of arguments that are tried one by one.
const MOST_ROWS: usize = 2_000_000;

/// What an action's rules are worked out in.
pub(super) fn action_frame<'s>(action: &Action, seat: u32, args: &[Value], state: &'s State) -> Frame<'s> {
    let mut frame = Frame::new(state);
    frame.me = Some(seat);
    for ((local, _), value) in action.params.iter().zip(args) {
        frame.locals.insert(*local, value.clone());
    }
    frame
}
