//! Playing an example with the reference evaluator.

use crate::internal::exact;
use std::rc::Rc;

use super::invariants;
use super::moments::Recorder;
use super::outcome::{Failure, Outcome};
use crate::bind::walk::each_expr;
use crate::bind::{Block, Breaks, Entry, Example, Expr, ExprId, Invariant, Outcome as Asked, Position, Step, Value};
use crate::evaluate::{Decision, Frame, Game, Pause, Refusal, Stand, State, Trouble};
use crate::judge::parts;
use crate::load::Loaded;
use crate::parts::{changed_for, named_changes};
use crate::report::Span;

/// A refused entry: why, where, and the requirements with their phrases.
struct Refused {
    refusal: Refusal,
    span: Span,
    requirements: Vec<(String, Option<String>, Span)>,
}

/// Somebody who goes through an example step by step.
pub(super) struct Player<'g, 'c> {
    game: &'g Game<'c>,
    example: &'g Example,
    loaded: &'g Loaded,
    flow: Option<&'g Block>,
    beginning: State,
    decisions: Vec<Decision>,
    /// Where the decisions lead to, if it is known.
    now: Option<Rc<Stand>>,
    legal: Option<Rc<Vec<Decision>>>,
    /// Where the last `when` started.
    start: usize,
    refused: Option<Refused>,
    expected: Vec<(String, Span)>,
    failures: Vec<Failure>,
    expectations: usize,
    /// Invariants that must hold after every entry.
    invariants: Vec<&'c Invariant>,
    /// Does it begin at a position of its own?
    by_hand: bool,
    /// Is a position of its own held to the invariants, but for those that it says it breaks?
    holds_positions: bool,
    /// What its position says it breaks, and whether it does.
    breaks: Vec<(Breaks, bool)>,
    /// What was entered, as far as it is legal.
    entered: Vec<&'g Entry>,
    recorder: Option<Recorder<'g>>,
}

impl<'g, 'c> Player<'g, 'c> {
    pub(super) fn new(
        game: &'g Game<'c>,
        example: &'g Example,
        loaded: &'g Loaded,
        (recorder, holds_positions): (Option<Recorder<'g>>, bool),
    ) -> Self {
        Self {
            game,
            example,
            loaded,
            flow: game.bound().flow.as_ref(),
            beginning: State::default(),
            decisions: Vec::new(),
            now: None,
            legal: None,
            start: 0,
            refused: None,
            expected: Vec::new(),
            failures: Vec::new(),
            expectations: 0,
            invariants: Vec::new(),
            by_hand: false,
            holds_positions,
            breaks: Vec::new(),
            entered: Vec::new(),
            recorder,
        }
    }

    pub(super) fn play(mut self) -> Outcome {
        #[cfg(test)]
        crate::internal::probe("examples", &self.game.bound().title);
        for step in &self.example.steps {
            if let Err(trouble) = self.step(step) {
                let changed = named_changes(&changed_for(self.loaded, self.game.bound(), trouble.span));
                let with = changed.map(|changed| format!("; {changed}")).unwrap_or_default();
                self.fail(trouble.span, "that the ruleset can go on", format!("{}{with}", trouble.message));
                self.recorder.iter_mut().for_each(|recorder| recorder.stopped(&trouble.message));
                break;
            }
        }
        self.settle_refusal();
        // An entry that is refused comes before what does not hold because of it.
        let file = self.example.span.file;
        self.failures.sort_by_key(|failure| (failure.span.file != file, failure.span));
        Outcome {
            rows: self.example.rows.clone(),
            title: self.example.title.clone(),
            position: 1,
            cites: self.example.cites.iter().map(ToString::to_string).collect(),
            span: self.example.span,
            failures: self.failures,
            expectations: self.expectations,
            players: self.game.bound().players.count,
            breaks: self.breaks,
            moments: self.recorder.map(Recorder::moments).unwrap_or_default(),
        }
    }

    fn fail(&mut self, span: Span, expected: impl Into<String>, found: impl Into<String>) {
        self.failures.push(Failure::new(span, expected, found));
    }

    /// Where the decisions so far lead to.
    fn stand(&mut self) -> Result<Rc<Stand>, Trouble> {
        if let Some(stand) = &self.now {
            return Ok(Rc::clone(stand));
        }
        let empty = Block::default();
        let stand = self.game.play(self.flow.unwrap_or(&empty), self.beginning.clone(), &self.decisions)?;
        let stand = Rc::new(stand);
        self.now = Some(Rc::clone(&stand));
        Ok(stand)
    }

    fn moved(&mut self) {
        (self.now, self.legal) = (None, None);
    }

    fn step(&mut self, step: &'g Step) -> Result<(), Trouble> {
        match step {
            Step::Given(position) => {
                self.beginning = self.game.beginning()?;
                for (state, indices, value) in &position.facts {
                    self.game.put(&mut self.beginning, *state, indices, value.clone());
                }
                self.flow = position.flow.as_ref().or(self.flow);
                self.moved();
                self.by_hand = !position.facts.is_empty() || position.flow.is_some();
                self.hold(position)?;
                if self.recorder.is_some() {
                    let stand = self.stand()?;
                    let legal = self.legal(&stand)?;
                    self.recorder.iter_mut().try_for_each(|recorder| recorder.given(self.game, (&stand, &legal)))?;
                }
            }
            Step::When(entries) => {
                self.settle_refusal();
                self.start = self.decisions.len();
                self.enter("when", entries)?;
            }
            Step::Instead(entries) => {
                self.settle_refusal();
                self.decisions.truncate(self.start);
                self.entered.truncate(self.start);
                self.moved();
                self.enter("instead", entries)?;
            }
            Step::Holds(condition) => self.expect(*condition)?,
            Step::Refused(name, span) => {
                self.expectations += 1;
                self.expected.push((name.clone(), *span));
            }
        }
        Ok(())
    }

    /// Compares what was refused with what should be.
    fn settle_refusal(&mut self) {
        let expected = std::mem::take(&mut self.expected);
        let mut names: Vec<String> = expected.iter().map(|(name, _)| name.clone()).collect();
        names.sort();
        let wanted = format!("to be refused for {}", names.join(", "));
        match (self.refused.take(), expected.first()) {
            (None, None) => {}
            (None, Some((_, span))) => self.fail(*span, wanted, "that it is legal"),
            (Some(refused), None) => self.unexpected(refused),
            (Some(refused), Some((_, span))) => {
                let mut found = refused.refusal.names;
                found.sort();
                if found != names {
                    let requirements = refused.requirements;
                    let found = format!("that it is refused for {}", found.join(", "));
                    self.failures.push(Failure { requirements, ..Failure::new(*span, wanted, found) });
                }
            }
        }
    }

    fn unexpected(&mut self, refused: Refused) {
        let Refused { refusal, span, requirements } = refused;
        let found = format!("that it is refused for {}", refusal.names.join(", "));
        self.failures.push(Failure { requirements, ..Failure::new(span, "a legal entry", found) });
    }

    fn enter(&mut self, word: &str, entries: &'g [(Entry, Span)]) -> Result<(), Trouble> {
        for (at, (entry, span)) in entries.iter().enumerate() {
            let word = if at == 0 { word } else { "and" };
            let stand = self.stand()?;
            let offered = stand.pause.as_offered(entry);
            let judged = match &*offered {
                Entry::Act { seat, action, first, args, .. } => self.game.act(&stand, *seat, *action, *first, args)?,
                Entry::Pass { seat } => self.game.pass(&stand, *seat),
                Entry::Chance { name, indices, value } => match value {
                    Some(value) => self.game.chance(&stand, name, indices, value),
                    None => Err(Refusal::verdict("legal-if")),
                },
                Entry::Unreadable { verdict } => Err(Refusal::verdict(verdict)),
            };
            match judged {
                Ok(decision) => {
                    self.decisions.push(decision.clone());
                    self.entered.push(entry);
                    self.moved();
                    self.keep_invariants(*span)?;
                    self.remember((word, *span), (&stand, &decision))?;
                }
                Err(refusal) => {
                    let step = format!("{word} {}", self.text(*span));
                    let what = (&*offered, &refusal);
                    let recorder = &mut self.recorder;
                    recorder
                        .iter_mut()
                        .try_for_each(|recorder| recorder.refused(self.game, step.clone(), &stand, what))?;
                    let requirements = match &*offered {
                        Entry::Act { seat, action, args, .. } => {
                            // A phrase that cannot be worked out must not hide the refusal.
                            self.game.phrases(&stand, (*seat, *action), args, &refusal).unwrap_or_default()
                        }
                        _ => Vec::new(),
                    };
                    let refused = Refused { refusal, span: *span, requirements };
                    if at + 1 == entries.len() {
                        self.refused = Some(refused);
                    } else {
                        self.unexpected(refused);
                        break;
                    }
                }
            }
        }
        Ok(())
    }

    /// Asks a position for its invariants. One that was set up by hand may break those that it says.
    fn hold(&mut self, position: &Position) -> Result<(), Trouble> {
        if self.game.bound().invariants.is_empty() {
            return Ok(());
        }
        let stand = self.stand()?;
        let (kept, mut broken) = invariants::asked(self.game, &stand.state)?;
        self.invariants = kept;
        if !self.by_hand {
            self.invariants.append(&mut broken);
        }
        for breaks in &position.breaks {
            let is_broken = broken.iter().any(|invariant| invariant.name == breaks.invariant);
            self.breaks.push((breaks.clone(), is_broken));
        }
        broken.retain(|invariant| position.breaks.iter().all(|breaks| breaks.invariant != invariant.name));
        for invariant in broken.into_iter().filter(|_| self.holds_positions) {
            let sources = &self.loaded.sources;
            self.failures.push(invariants::in_position(self.game, sources, invariant, (&stand.state, position.span)));
        }
        self.keep_invariants(self.example.span)
    }

    /// Asks what must hold after every entry. What is broken once is not asked again.
    fn keep_invariants(&mut self, span: Span) -> Result<(), Trouble> {
        if self.invariants.is_empty() {
            return Ok(());
        }
        let stand = self.stand()?;
        while let Some(at) = invariants::broken(self.game, &self.invariants, &stand.state)? {
            let invariant = self.invariants.remove(at);
            let mut failure = invariants::failure(self.game, &self.loaded.sources, invariant, (&stand.state, span));
            // A position that was set up by hand is in no log.
            if !self.by_hand {
                failure.values.extend(invariants::shortest(self.game, invariant, &self.entered));
            }
            self.failures.push(failure);
        }
        Ok(())
    }

    /// The moves that are legal, for whoever is next.
    fn legal(&mut self, stand: &Stand) -> Result<Rc<Vec<Decision>>, Trouble> {
        if let Some(legal) = &self.legal {
            return Ok(Rc::clone(legal));
        }
        let legal = match &stand.pause {
            Pause::Choose(choice) => Rc::new(self.game.legal(choice, &stand.state)?),
            Pause::Chance { .. } | Pause::Over => Rc::default(),
        };
        self.legal = Some(Rc::clone(&legal));
        Ok(legal)
    }

    /// How many moves or chance outcomes are possible.
    fn moves(&mut self, stand: &Stand) -> Result<usize, Trouble> {
        match &stand.pause {
            Pause::Choose(_) => Ok(self.legal(stand)?.len()),
            Pause::Chance { candidates, .. } => Ok(candidates.len()),
            Pause::Over => Ok(0),
        }
    }

    fn expect(&mut self, condition: ExprId) -> Result<(), Trouble> {
        self.expectations += 1;
        let stand = self.stand()?;
        let game = self.game;
        let mut asked = Vec::new();
        each_expr(game.bound(), condition, &mut |_, expr| {
            if let Expr::Outcome(outcome) = expr {
                asked.push(*outcome);
            }
        });
        let mut frame = Frame::new(&stand.state);
        for outcome in asked {
            let value = match outcome {
                Asked::Paid => Value::Int(stand.paid),
                Asked::Next => match &stand.pause {
                    Pause::Choose(choice) => game.seat(choice.seat),
                    Pause::Chance { .. } | Pause::Over => Value::None,
                },
                Asked::Over => Value::Bool(stand.pause == Pause::Over),
                // Listing what is legal takes its time, so it is done only where it is asked for.
                Asked::Moves => Value::Int(exact::<_, i64>(self.moves(&stand)?)),
                Asked::Winner => {
                    Value::Set(game.winners(&stand.state)?.into_iter().map(|seat| game.seat(seat)).collect())
                }
            };
            frame.tell(outcome, value);
        }
        let span = game.bound().expr(condition).span;
        let holds = game.holds(condition, &mut frame)?;
        if self.recorder.is_some() {
            let text = self.text(span);
            let values = parts::values(game, &self.loaded.sources, condition, &mut frame);
            self.recorder.iter_mut().for_each(|recorder| recorder.told(&text, holds, &values));
        }
        if !holds {
            let found = parts::found(game, &self.loaded.sources, condition, &mut frame);
            let values = parts::values(game, &self.loaded.sources, condition, &mut frame);
            let expected = self.text(span);
            self.failures.push(Failure { values, ..Failure::new(span, expected, found) });
        }
        Ok(())
    }

    fn text(&self, span: Span) -> String {
        self.loaded.sources.slice(span).split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// Notes what an entry did, if somebody wants to know.
    fn remember(&mut self, (word, span): (&str, Span), done: (&Stand, &Decision)) -> Result<(), Trouble> {
        if self.recorder.is_some() {
            let step = format!("{word} {}", self.text(span));
            let stand = self.stand()?;
            let legal = self.legal(&stand)?;
            let now = (&*stand, legal.as_slice());
            self.recorder.iter_mut().try_for_each(|recorder| recorder.entered(self.game, step.clone(), done, now))?;
        }
        Ok(())
    }
}
