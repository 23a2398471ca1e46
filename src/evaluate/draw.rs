//! Chance: what can be drawn, and drawing it.

use super::Try;
use super::flow::{Audience, Pause, Run, Stop};
use super::game::Decision;
use super::trouble;
use super::watch::How;
use crate::bind::{Draw, DrawPlace, Expr, ExprId, StateId, Type, Value};
use crate::impossible;
use crate::internal::exact;
use crate::report::Span;

/// Where drawn things are taken from.
enum Source {
    /// Nothing is taken.
    Endless,
    /// A set in this element.
    Set(StateId, usize),
    /// Counts in the elements from this one on.
    Counts(StateId, usize),
}

impl Run<'_, '_> {
    pub(super) fn draw(&mut self, draw: &Draw, span: Span) -> Result<(), Stop> {
        let (source, mut candidates) = self.candidates(draw)?;
        if let Some(condition) = draw.condition {
            let mut kept = Vec::new();
            for (value, weight) in candidates {
                if let Some(candidate) = draw.candidate {
                    self.locals.insert(candidate, value.clone());
                }
                if self.holds(condition)? {
                    kept.push((value, weight));
                }
            }
            candidates = kept;
        }
        if candidates.is_empty() {
            return Ok(trouble(span, "there is nothing to draw")?);
        }
        let indices = self.drawn_indices(draw)?;
        let seen = match draw.seen_by {
            _ if draw.hidden => Audience::Nobody,
            None => Audience::All,
            Some(who) => match self.eval(who)? {
                Value::Member(_, seat) => Audience::Seat(seat),
                Value::None => Audience::Nobody,
                other => impossible!("{other:?} sees what is drawn"),
            },
        };
        let pause = Pause::Chance { name: draw.name.clone(), indices, candidates, seen };
        let value = match self.ask(&pause) {
            None => return Err(Stop::Pause(pause)),
            Some(Decision::Chance(value)) => value,
            Some(_) => return Ok(trouble(span, "chance decides here, not a player")?),
        };
        self.take(&source, &value, span)?;
        match draw.place {
            DrawPlace::Local(local) => {
                self.locals.insert(local, value);
            }
            DrawPlace::State(place) => {
                let at = self.place(place)?;
                self.write(at, value, How::Drawn, span)?;
            }
        }
        Ok(())
    }

    fn drawn_indices(&mut self, draw: &Draw) -> Try<Vec<Value>> {
        let DrawPlace::State(place) = draw.place else { return Ok(Vec::new()) };
        match self.game.bound().expr(place).kind.clone() {
            Expr::Index(_, args) => args.iter().map(|arg| self.eval(*arg)).collect(),
            Expr::State(_) => Ok(Vec::new()),
            other => impossible!("{other:?} is drawn"),
        }
    }

    fn candidates(&mut self, draw: &Draw) -> Try<(Source, Vec<(Value, u64)>)> {
        if !draw.takes {
            let members = self.with(|game, frame| game.domain(draw.from, frame))?;
            return Ok((Source::Endless, members.into_iter().map(|member| (member, 1)).collect()));
        }
        let game = self.game;
        let (state, args): (StateId, Vec<ExprId>) = match &game.bound().expr(draw.from).kind {
            Expr::State(state) => (*state, Vec::new()),
            Expr::Index(base, args) => match &game.bound().expr(*base).kind {
                Expr::State(state) => (*state, args.clone()),
                _ => return trouble(game.bound().expr(draw.from).span, "this cannot be drawn from"),
            },
            _ => return trouble(game.bound().expr(draw.from).span, "this cannot be drawn from"),
        };
        let declared = game.bound().state(state);
        if let Type::Set(_) = declared.ty {
            let at = self.place(draw.from)?;
            let members = match self.state.get(at.0, at.1) {
                Some(Value::Set(members)) => members.iter().map(|member| (member.clone(), 1)).collect(),
                // The state does not exist in this game.
                None => Vec::new(),
                Some(other) => impossible!("{other:?} is drawn from"),
            };
            return Ok((Source::Set(at.0, at.1), members));
        }
        let mut values = args.iter().map(|arg| self.eval(*arg)).collect::<Try<Vec<_>>>()?;
        let Some(last) = declared.indices.last() else {
            return trouble(game.bound().expr(draw.from).span, "this cannot be drawn from");
        };
        let span = game.bound().expr(draw.from).span;
        let members = self.with(|game, frame| game.members(last, frame, span))?;
        let mut found = Vec::new();
        let mut first = 0;
        for (nth, member) in members.into_iter().enumerate() {
            values.truncate(args.len());
            values.push(member.clone());
            let Some(at) = super::state::offset(&game.bound().types, &declared.indices, &values) else { continue };
            if nth == 0 {
                first = at;
            }
            if let Some(Value::Int(count)) = self.state.get(state, at)
                && *count > 0
            {
                found.push((member, exact(*count)));
            }
        }
        Ok((Source::Counts(state, first), found))
    }

    fn take(&mut self, source: &Source, value: &Value, span: Span) -> Try<()> {
        match *source {
            Source::Endless => Ok(()),
            Source::Set(state, at) => match self.state.get(state, at) {
                Some(Value::Set(members)) => {
                    let left = members.iter().filter(|member| *member != value).cloned().collect();
                    self.put((state, at), Value::Set(left), How::Drawn, span)
                }
                other => impossible!("{value:?} was drawn from {other:?}"),
            },
            Source::Counts(state, first) => {
                let declared = self.game.bound().state(state);
                let index = declared.indices.last();
                let nth = index.and_then(|ty| super::state::position(&self.game.bound().types, ty, value));
                match nth.and_then(|nth| Some((first + nth, self.state.get(state, first + nth)?))) {
                    Some((at, Value::Int(count))) => {
                        let left = Value::Int(count - 1);
                        self.put((state, at), left, How::Drawn, span)
                    }
                    other => impossible!("{value:?} was drawn from {other:?}"),
                }
            }
        }
    }
}
