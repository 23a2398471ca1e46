//! Statements. The flow is played with the decisions at hand, and stops where it needs one more.

use crate::impossible;
use std::borrow::Cow;

use super::action::Place;
use super::frame::{Frame, Locals};
use super::game::{Decision, Game};
use super::state::State;
use super::trace::{Seen, Touch, Way};
use super::watch::{How, Watch};
use super::{Trouble, Try, trouble};
use crate::ast::{AssignOp, BinaryOp};
use crate::bind::{ActionId, Bind, Block, Choose, Entry, ExprId, Otherwise, StateId, Statement, Type, Value};
use crate::report::Span;

/// Where the flow waits.
#[derive(Debug, Clone, PartialEq)]
pub enum Pause {
    /// For a player.
    Choose(Choice),
    /// For chance: the drawn place, its indices, what can come with its weight.
    Chance {
        /// The drawn place.
        name: String,
        /// Its indices.
        indices: Vec<Value>,
        /// What can come, with its weight.
        candidates: Vec<(Value, u64)>,
        /// Who sees what comes.
        seen: Audience,
    },
    /// The game is over.
    Over,
}

impl Pause {
    /// An entry as one of the offers here reads it.
    #[must_use]
    pub fn as_offered<'e>(&self, entry: &'e Entry) -> Cow<'e, Entry> {
        let Self::Choose(choice) = self else { return Cow::Borrowed(entry) };
        entry.as_offered(|action, first| {
            choice.offers.iter().any(|(offered, bound)| *offered == action && bound.len() == first)
        })
    }
}

/// Who sees what chance gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Audience {
    /// Everybody.
    All,
    /// One seat.
    Seat(u32),
    /// Nobody.
    Nobody,
}

/// What a player may choose from.
#[derive(Debug, Clone, PartialEq)]
pub struct Choice {
    /// Who is asked.
    pub seat: u32,
    /// Actions, each with the arguments that the flow binds.
    pub offers: Vec<(ActionId, Vec<Value>)>,
    /// May one pass?
    pub pass: bool,
    /// The statement.
    pub span: Span,
}

/// Why playing stops.
pub(super) enum Stop {
    Pause(Pause),
    /// A pass leaves the enclosing repetition.
    Leave,
    Trouble(Trouble),
}

impl From<Trouble> for Stop {
    fn from(trouble: Trouble) -> Self {
        Self::Trouble(trouble)
    }
}

type Step = Result<(), Stop>;

/// Who decides at a pause, seeing the state, what is asked and what the last action cost; nobody: it stops there.
pub type Decide<'g> = Box<dyn FnMut(&State, &Pause, i64) -> Option<Decision> + 'g>;

/// Nobody decides anything.
pub(super) fn nobody<'g>() -> Decide<'g> {
    Box::new(|_, _, _| None)
}

/// One playing of the flow.
pub(super) struct Run<'g, 'c> {
    pub(super) game: &'g Game<'c>,
    pub(super) state: State,
    pub(super) locals: Locals,
    pub(super) me: Option<u32>,
    pub(super) decide: Decide<'g>,
    /// Who wants to know what is written.
    pub(super) watch: Option<Watch<'g>>,
    pub(super) paid: i64,
    /// Does what happens count as seen?
    pub(super) watched: bool,
    /// Rounds of loops since the last decision.
    pub(super) idle: u32,
}

impl Run<'_, '_> {
    pub(super) fn with<T>(&mut self, look: impl FnOnce(&Game<'_>, &mut Frame<'_>) -> Try<T>) -> Try<T> {
        let locals = std::mem::take(&mut self.locals);
        let mut frame = Frame { locals, me: self.me, ..Frame::new(&self.state) };
        let result = look(self.game, &mut frame);
        self.locals = frame.locals;
        result
    }

    pub(super) fn eval(&mut self, id: ExprId) -> Try<Value> {
        self.with(|game, frame| game.eval(id, frame))
    }

    pub(super) fn holds(&mut self, id: ExprId) -> Try<bool> {
        self.with(|game, frame| game.holds(id, frame))
    }

    pub(super) fn block(&mut self, block: &Block) -> Step {
        block.statements.iter().try_for_each(|(statement, span)| self.statement(statement, *span))
    }

    fn statement(&mut self, statement: &Statement, span: Span) -> Step {
        self.game.touch(Touch::Statement(span));
        match statement {
            Statement::Let(local, value) => {
                let said = *value;
                let value = self.eval(said)?;
                self.note_let(*local, said, &value)?;
                self.locals.insert(*local, value);
            }
            Statement::Assign(place, op, value) => self.assign(*place, *op, *value)?,
            Statement::If(condition, then, otherwise) => {
                let (branch, way) = if self.holds(*condition)? { (then, Way::Then) } else { (otherwise, Way::Else) };
                self.see(Seen::Went(span, way));
                return self.block(branch);
            }
            Statement::For(binds, by, body) => {
                let mut rows = self.with(|game, frame| game.combinations(binds, frame))?;
                self.with(|game, frame| game.sort(&mut rows, binds, by, frame))?;
                for row in rows {
                    self.see(Seen::Went(span, Way::Entered));
                    for (bind, value) in binds.iter().zip(row) {
                        self.locals.insert(bind.local, value);
                    }
                    self.block(body)?;
                }
            }
            Statement::Repeat(until, body) => return self.repeat(*until, body, span),
            Statement::Cycle(bind, until, body) => return self.cycle(bind, *until, body, span),
            Statement::Turn(who, body) => return self.turn(*who, body, span),
            Statement::Draw(draw) => return self.draw(draw, span),
            Statement::Choose(choose) => return self.choose(choose, span),
            Statement::Call(phase, args) => {
                let game = self.game;
                let phase = game.bound().phase(*phase);
                let values = args.iter().map(|arg| self.eval(*arg)).collect::<Try<Vec<_>>>()?;
                let outer = std::mem::take(&mut self.locals);
                for (param, value) in phase.params.iter().zip(values) {
                    self.must_fit(&value, &game.checked.locals[param.at()], span)?;
                    self.locals.insert(*param, value);
                }
                let result = self.block(&phase.body);
                self.locals = outer;
                return result;
            }
            Statement::Reveal(..) => {}
            Statement::End => return Err(Stop::Pause(Pause::Over)),
        }
        Ok(())
    }

    fn repeat(&mut self, until: Option<ExprId>, body: &Block, span: Span) -> Step {
        loop {
            if let Some(until) = until
                && self.holds(until)?
            {
                return Ok(());
            }
            self.go_round("repeat", span)?;
            match self.block(body) {
                Err(Stop::Leave) => return Ok(()),
                other => other?,
            }
        }
    }

    fn cycle(&mut self, bind: &Bind, until: Option<ExprId>, body: &Block, span: Span) -> Step {
        let players = self.game.bound().players.clone();
        let mut seat = match self.eval(bind.domain)? {
            Value::Member(_, seat) => seat,
            Value::None => return Ok(()),
            other => impossible!("a cycle from {other:?}"),
        };
        let mut skipped = 0;
        loop {
            if let Some(until) = until
                && self.holds(until)?
            {
                return Ok(());
            }
            self.locals.insert(bind.local, Value::Member(players.ty, seat));
            let holds = match bind.condition {
                Some(condition) => self.holds(condition)?,
                None => true,
            };
            if holds {
                skipped = 0;
                self.go_round("cycle", span)?;
                self.block(body)?;
            } else {
                skipped += 1;
                // Nobody is left to go round.
                if skipped >= players.count {
                    return Ok(());
                }
            }
            seat = (seat + 1) % players.count.max(1);
        }
    }

    fn turn(&mut self, who: ExprId, body: &Block, span: Span) -> Step {
        let Value::Member(_, seat) = self.eval(who)? else { return Ok(trouble(span, "nobody can be at turn here")?) };
        let game = self.game;
        for (state, id) in game.bound().states.iter().zip((0..).map(StateId)) {
            if state.per_turn {
                let initial = game.initial(id, &self.state)?;
                self.put_all(id, initial, span)?;
            }
        }
        let before = self.me.replace(seat);
        let result = self.block(body);
        self.me = before;
        result
    }

    fn choose(&mut self, choose: &Choose, span: Span) -> Step {
        let seat = match choose.who {
            Some(who) => match self.eval(who)? {
                Value::Member(_, seat) => seat,
                _ => return Ok(trouble(span, "nobody can be asked here")?),
            },
            None => match self.me {
                Some(seat) => seat,
                None => return Ok(trouble(span, "nobody is at turn")?),
            },
        };
        let mut offers = Vec::new();
        for (action, args, _) in &choose.offers {
            let args = args.iter().map(|arg| self.eval(*arg)).collect::<Try<Vec<_>>>()?;
            offers.push((*action, args));
        }
        let mut choice = Choice { seat, offers, pass: false, span };
        let conditional = !matches!(choose.otherwise, Otherwise::PassLeaves | Otherwise::OrPass(_));
        let possible = !conditional || self.game.any_legal(&choice, &self.state)?;
        match &choose.otherwise {
            Otherwise::PassLeaves | Otherwise::OrPass(_) => choice.pass = true,
            Otherwise::ElsePass(_) => choice.pass = !possible,
            Otherwise::Else(block) if !possible => {
                self.see(Seen::Went(span, Way::Otherwise));
                return self.block(block);
            }
            Otherwise::Nothing if !possible => return Ok(trouble(span, "nothing can be chosen here")?),
            Otherwise::Else(_) | Otherwise::Nothing => {}
        }
        let pause = Pause::Choose(choice);
        match self.ask(&pause) {
            None => Err(Stop::Pause(pause)),
            Some(Decision::Pass { .. }) => {
                self.see(Seen::Went(span, Way::Passed));
                match &choose.otherwise {
                    Otherwise::OrPass(block) | Otherwise::ElsePass(block) => self.block(block),
                    Otherwise::PassLeaves => Err(Stop::Leave),
                    Otherwise::Else(_) | Otherwise::Nothing => impossible!("a pass where none was offered"),
                }
            }
            Some(Decision::Act { action, args, .. }) => self.act(seat, action, &args),
            Some(Decision::Chance(_)) => Ok(trouble(span, "a player chooses here, not chance")?),
        }
    }

    /// Pays and carries out an action that was judged to be legal.
    pub(super) fn act(&mut self, seat: u32, action: ActionId, args: &[Value]) -> Step {
        let game = self.game;
        let action = game.bound().action(action);
        let outer = std::mem::take(&mut self.locals);
        let before = self.me.replace(seat);
        for ((local, _), value) in action.params.iter().zip(args) {
            self.locals.insert(*local, value.clone());
        }
        self.paid = 0;
        self.see(Seen::Done(action.span));
        for (place, amount, said) in self.with(|game, frame| game.prices(action, frame))? {
            self.paid += amount;
            if amount != 0 {
                self.see(Seen::Paid(said));
            }
            if let Some(Value::Int(left)) = self.state.get(place.0, place.1) {
                let left = Value::Int(left - amount);
                self.must_fit(&left, &game.bound().state(place.0).ty, action.span)?;
                self.put(place, left, How::Paid, said)?;
            }
        }
        let result = self.block(&action.effect);
        self.me = before;
        self.locals = outer;
        result
    }

    /// The state and element that a place names.
    pub(super) fn place(&mut self, place: ExprId) -> Try<Place> {
        self.with(|game, frame| game.place(place, frame))
    }

    fn must_fit(&self, value: &Value, ty: &Type, span: Span) -> Try<()> {
        if self.game.belongs(value, ty) {
            return Ok(());
        }
        let types = &self.game.bound().types;
        trouble(span, format!("{} does not fit into {}", value.show(types), types.show(ty)))
    }

    fn assign(&mut self, place: ExprId, op: AssignOp, value: ExprId) -> Try<()> {
        let game = self.game;
        let span = game.bound().expr(place).span;
        if op == AssignOp::Exchange {
            let (a, b) = (self.place(place)?, self.place(value)?);
            let first = self.state.read(a.0, a.1);
            let second = self.state.read(b.0, b.1);
            self.write(a, second, How::Exchanged, span)?;
            return self.write(b, first, How::Exchanged, span);
        }
        let how = match op {
            AssignOp::Add => How::Added(value),
            AssignOp::Take => How::Taken(value),
            AssignOp::Set | AssignOp::Exchange => How::Set(value),
        };
        let value = self.eval(value)?;
        let at = self.place(place)?;
        let now = self.state.read(at.0, at.1);
        let new = match (op, now, value) {
            (AssignOp::Set, _, value) => value,
            (AssignOp::Add, Value::List(items), Value::List(more)) => Value::List([items, more].concat()),
            (AssignOp::Add, Value::List(items), one) => Value::List([items, vec![one]].concat()),
            (_, Value::List(mut items), value) => {
                let gone = if let Value::List(many) | Value::Set(many) = value { many } else { vec![value] };
                for member in gone {
                    if let Some(at) = items.iter().rposition(|item| *item == member) {
                        items.remove(at);
                    }
                }
                Value::List(items)
            }
            (AssignOp::Add, now, value) => game.arithmetic(BinaryOp::Add, now, value, span)?,
            (_, now, value) => game.arithmetic(BinaryOp::Subtract, now, value, span)?,
        };
        self.write(at, new, how, span)
    }

    pub(super) fn write(&mut self, at: Place, value: Value, how: How, span: Span) -> Try<()> {
        self.must_fit(&value, &self.game.bound().state(at.0).ty, span)?;
        self.put(at, value, how, span)
    }
}
