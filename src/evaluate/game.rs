//! A game: a checked ruleset, and the list of what was decided so far.

use crate::impossible;
use crate::internal::{Must, exact};
use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use super::action::Place;
use super::flow::{Choice, Decide, Pause};
use super::frame::Frame;
use super::fuel::Fuel;
use super::regions::Partition;
use super::state::State;
use super::trace::Trace;
use super::{Try, trouble};
use crate::bind::{ActionId, Block, Bound, StateId, TypeId, Value};
use crate::check::Checked;

/// A ruleset that can be played.
#[derive(Debug)]
pub struct Game<'c> {
    /// The rules.
    pub checked: &'c Checked,
    /// The last partition of each kind of region, and what it was made of.
    pub(super) partitions: RefCell<HashMap<TypeId, Rc<Partition>>>,
    /// What was touched, if somebody wants to know.
    pub(super) trace: Option<RefCell<Trace>>,
    /// Elements that were read, while somebody listens.
    pub(super) reads: RefCell<Option<BTreeSet<Place>>>,
    /// The steps that are left.
    pub(super) fuel: Fuel,
}

/// What somebody, or chance, decided.
#[derive(Debug, Clone, PartialEq)]
pub enum Decision {
    /// A player acts; all arguments, those that the flow binds included.
    Act {
        /// Who.
        seat: u32,
        /// What.
        action: ActionId,
        /// With what.
        args: Vec<Value>,
    },
    /// A player passes.
    Pass {
        /// Who.
        seat: u32,
    },
    /// What chance gave.
    Chance(Value),
}

/// Why an entry is refused: names of requirements, or one verdict.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// `move.empty`, or `wrong-player`
    pub names: Vec<String>,
}

impl Refusal {
    /// A verdict of its own.
    #[must_use]
    pub fn verdict(name: &str) -> Self {
        Self { names: vec![name.to_owned()] }
    }
}

/// Where a game stands.
#[derive(Debug, Clone, PartialEq)]
pub struct Stand {
    /// The position.
    pub state: State,
    /// What it waits for.
    pub pause: Pause,
    /// What the last action cost.
    pub paid: i64,
}

impl<'c> Game<'c> {
    /// A game by these rules.
    #[must_use]
    pub fn new(checked: &'c Checked) -> Self {
        let fuel = Fuel::default();
        Self { checked, partitions: RefCell::default(), trace: None, reads: RefCell::default(), fuel }
    }

    /// A game by these rules that may take so many steps in all.
    #[must_use]
    pub(crate) fn limited(checked: &'c Checked, steps: u64) -> Self {
        Self { fuel: Fuel::once(steps), ..Self::new(checked) }
    }

    /// What is left of the steps of [`Game::limited`]. After an error, 0 means that they were used up.
    pub(crate) fn steps_left(&self) -> u64 {
        self.fuel.left()
    }

    /// A game by these rules that notes what it touches.
    #[must_use]
    pub fn traced(checked: &'c Checked) -> Self {
        Self { trace: Some(RefCell::default()), ..Self::new(checked) }
    }

    /// The rules, with their types.
    #[must_use]
    pub fn checked(&self) -> &'c Checked {
        self.checked
    }

    /// The rules.
    #[must_use]
    pub fn bound(&self) -> &'c Bound {
        &self.checked.bound
    }

    /// A seat as a value.
    #[must_use]
    pub fn seat(&self, seat: u32) -> Value {
        Value::Member(self.bound().players.ty, seat)
    }

    /// The state before the game begins.
    pub fn beginning(&self) -> Try<State> {
        let _question = self.fuel.question();
        let mut state = State::default();
        for at in 0..self.bound().states.len() {
            let id = StateId(exact(at));
            let initial = self.initial(id, &state)?;
            state.elements.push(initial);
        }
        Ok(state)
    }

    /// The initial elements of one state; none at all if it does not exist in this game.
    pub(super) fn initial(&self, id: StateId, state: &State) -> Try<Vec<Value>> {
        let declared = self.bound().state(id);
        let mut frame = Frame::new(state);
        if let Some(guard) = declared.guard
            && !self.holds(guard, &mut frame)?
        {
            return Ok(Vec::new());
        }
        let mut rows: Vec<Vec<Value>> = vec![Vec::new()];
        for ty in &declared.indices {
            let members = self.members(ty, &frame, declared.span)?;
            self.spend(rows.len().saturating_mul(members.len()) as u64, declared.span)?;
            rows = rows
                .iter()
                .flat_map(|row| {
                    members.iter().map(move |member| [row.as_slice(), std::slice::from_ref(member)].concat())
                })
                .collect();
        }
        let mut elements = Vec::new();
        for row in rows {
            let Some(init) = declared.init else {
                elements.push(empty(&declared.ty));
                continue;
            };
            for (local, value) in declared.index_locals.iter().zip(row) {
                if let Some(local) = local {
                    frame.locals.insert(*local, value);
                }
            }
            let value = self.eval(init, &mut frame)?;
            if !self.belongs(&value, &declared.ty) {
                let types = &self.bound().types;
                return trouble(
                    declared.span,
                    format!("{} does not fit into {}", value.show(types), types.show(&declared.ty)),
                );
            }
            elements.push(value);
        }
        Ok(elements)
    }

    /// Puts a value into a position, as a fact of an example does.
    pub fn put(&self, state: &mut State, id: StateId, indices: &[Value], value: Value) {
        let at = super::state::offset(&self.bound().types, &self.bound().state(id).indices, indices);
        let value = match value {
            Value::Set(members) => super::expr::set_of(members),
            other => other,
        };
        state.set(id, at.must("a fact of an example names an element that is there"), value);
    }

    /// Plays a flow from a state with these decisions, up to where it needs one more.
    pub fn play(&self, flow: &Block, state: State, decisions: &[Decision]) -> Try<Stand> {
        let mut left = decisions.iter();
        self.play_with(flow, state, Box::new(|_, _, _| left.next().cloned()))
    }

    /// Plays a flow from a state, asking at every pause; where nobody decides, it stops.
    pub fn play_with<'g>(&'g self, flow: &Block, state: State, decide: Decide<'g>) -> Try<Stand> {
        self.play_watched(flow, state, decide, None)
    }

    /// Judges an action where the game stands. `first` arguments are left out, because the flow binds them.
    pub fn act(
        &self,
        stand: &Stand,
        seat: u32,
        action: ActionId,
        first: usize,
        args: &[Value],
    ) -> Try<Result<Decision, Refusal>> {
        let choice = match &stand.pause {
            Pause::Over => return Ok(Err(Refusal::verdict("after-end"))),
            Pause::Chance { .. } => return Ok(Err(Refusal::verdict("wrong-phase"))),
            Pause::Choose(choice) => choice,
        };
        if choice.seat != seat {
            return Ok(Err(Refusal::verdict("wrong-player")));
        }
        let Some((_, bound)) = choice.offers.iter().find(|(offered, bound)| *offered == action && bound.len() == first)
        else {
            return Ok(Err(Refusal::verdict("wrong-phase")));
        };
        let args = [bound.as_slice(), args].concat();
        let _question = self.fuel.question();
        let verdict = self.judge(action, seat, &args, &stand.state)?;
        self.see_entry(action, verdict.as_ref().copied(), &stand.state)?;
        Ok(verdict.map(|()| Decision::Act { seat, action, args }))
    }

    /// Judges a pass.
    pub fn pass(&self, stand: &Stand, seat: u32) -> Result<Decision, Refusal> {
        match &stand.pause {
            Pause::Over => Err(Refusal::verdict("after-end")),
            Pause::Choose(Choice { seat: asked, pass, .. }) if *asked == seat && *pass => Ok(Decision::Pass { seat }),
            Pause::Choose(Choice { seat: asked, .. }) if *asked != seat => Err(Refusal::verdict("wrong-player")),
            _ => Err(Refusal::verdict("wrong-phase")),
        }
    }

    /// Judges what chance is said to have given.
    pub fn chance(&self, stand: &Stand, name: &str, indices: &[Value], value: &Value) -> Result<Decision, Refusal> {
        match &stand.pause {
            Pause::Over => Err(Refusal::verdict("after-end")),
            Pause::Chance { name: drawn, indices: at, candidates, .. } if drawn == name && at == indices => {
                let possible = candidates.iter().any(|(candidate, _)| candidate == value);
                if possible { Ok(Decision::Chance(value.clone())) } else { Err(Refusal::verdict("impossible-chance")) }
            }
            _ => Err(Refusal::verdict("wrong-phase")),
        }
    }
}

fn empty(ty: &crate::bind::Type) -> Value {
    match ty {
        crate::bind::Type::Set(_) => Value::Set(Vec::new()),
        crate::bind::Type::List(..) => Value::List(Vec::new()),
        crate::bind::Type::Bool => Value::Bool(false),
        crate::bind::Type::Optional(_) => Value::None,
        other => impossible!("a state of type {other:?} has no initial value"),
    }
}
