//! Awards, scores and winners.

use super::frame::Frame;
use super::game::Game;
use super::state::State;
use super::trace::{Seen, Touch};
use super::{Try, trouble};
use crate::ast::TieRule;
use crate::bind::{AwardId, ExprId, Score, Value};
use crate::impossible;
use crate::internal::{Must, exact};

impl Game<'_> {
    /// What the claimant gets.
    pub(super) fn award(&self, id: AwardId, args: &[ExprId], frame: &mut Frame<'_>) -> Try<Value> {
        let points = self.worked_out(id, args, frame)?;
        if !matches!(points, Value::None | Value::Int(0)) {
            self.see(Seen::Awarded(self.bound().award(id).span));
        }
        Ok(points)
    }

    fn worked_out(&self, id: AwardId, args: &[ExprId], frame: &mut Frame<'_>) -> Try<Value> {
        let award = self.bound().award(id);
        let Some(mut inner) = self.bind_params(&award.params, args, frame)? else { return Ok(Value::None) };
        self.touch(Touch::Award(award.span));
        let claimant = *award.params.last().must("an award has a claimant");
        let me = inner.locals.get(claimant).cloned().must("the claimant is known");
        let weights = self.weights(id, &mut inner)?;
        let Some(mine) = weights.iter().find(|(rival, _)| *rival == me).map(|(_, weight)| *weight) else {
            return Ok(Value::Int(0));
        };
        inner.locals.insert(claimant, me);
        let mut places = Vec::new();
        for &pays in &award.pays {
            places.push(match self.eval(pays, &mut inner)? {
                Value::Int(points) => points,
                Value::None => 0,
                other => impossible!("an award pays {other:?}"),
            });
        }
        let ahead = weights.iter().filter(|(_, weight)| *weight > mine).count();
        let tied = weights.iter().filter(|(_, weight)| *weight == mine).count();
        if weights.len() == 1 && self.any_guard(award.alone.iter().copied(), frame)? {
            return Ok(Value::Int(places.iter().sum()));
        }
        let mut rule = TieRule::None;
        for (candidate, guard) in &award.ties {
            if self.any_guard(std::iter::once(*guard), frame)? {
                rule = *candidate;
            }
        }
        let shared: i64 = places.iter().skip(ahead).take(tied).sum();
        let tied: i64 = exact(tied);
        Ok(Value::Int(match rule {
            _ if tied == 1 => places.get(ahead).copied().unwrap_or(0),
            TieRule::None => 0,
            TieRule::Split => shared.div_euclid(tied),
            TieRule::SplitUp => (shared + tied - 1).div_euclid(tied),
            TieRule::Share => places.get(ahead).copied().unwrap_or(0),
        }))
    }

    /// Who has a claim, with how much weight. The frame has the award's parameters; the claimant's changes.
    pub fn weights(&self, id: AwardId, inner: &mut Frame<'_>) -> Try<Vec<(Value, i64)>> {
        let _question = self.fuel.question();
        let award = self.bound().award(id);
        let claimant = *award.params.last().must("an award has a claimant");
        let mut weights: Vec<(Value, i64)> = Vec::new();
        for rival in self.members(&self.checked.locals[claimant.at()], inner, award.span)? {
            inner.locals.insert(claimant, rival.clone());
            if let Value::Int(weight) = self.eval(award.by, inner)?
                && weight > 0
            {
                weights.push((rival, weight));
            }
        }
        Ok(weights)
    }

    fn any_guard(&self, guards: impl Iterator<Item = Option<ExprId>>, frame: &mut Frame<'_>) -> Try<bool> {
        for guard in guards {
            match guard {
                None => return Ok(true),
                Some(guard) if self.holds(guard, frame)? => return Ok(true),
                Some(_) => {}
            }
        }
        Ok(false)
    }

    /// A seat's score.
    pub fn score(&self, seat: u32, state: &State) -> Try<Value> {
        let _question = self.fuel.question();
        let score = self.score_rule(state)?;
        let mut frame = Frame::new(state);
        frame.locals.insert(score.param, self.seat(seat));
        self.eval(score.body, &mut frame)
    }

    /// The rule by which scores are counted in this game.
    pub fn score_rule(&self, state: &State) -> Try<&Score> {
        for score in &self.bound().scores {
            if self.any_guard(std::iter::once(score.guard), &mut Frame::new(state))? {
                return Ok(score);
            }
        }
        trouble(self.bound().scores.first().map(|score| score.span).unwrap_or_default(), "no score applies")
    }

    /// Who wins: most first, later keys break ties.
    pub fn winners(&self, state: &State) -> Try<Vec<u32>> {
        let _question = self.fuel.question();
        for winner in &self.bound().winners {
            let mut frame = Frame::new(state);
            if !self.any_guard(std::iter::once(winner.guard), &mut frame)? {
                continue;
            }
            self.touch(Touch::Winner(winner.span));
            let mut keyed = Vec::new();
            for seat in 0..self.bound().players.count {
                frame.locals.insert(winner.param, self.seat(seat));
                keyed.push((self.all(&winner.keys, &mut frame)?, seat));
            }
            let best = keyed.iter().map(|(keys, _)| keys.clone()).max().must("somebody plays");
            let seats: Vec<u32> = keyed.into_iter().filter(|(keys, _)| *keys == best).map(|(_, seat)| seat).collect();
            return Ok(if seats.len() > 1 && winner.ties == TieRule::None { Vec::new() } else { seats });
        }
        Ok(Vec::new())
    }
}
