//! Playing examples with the reference evaluator.

use super::outcome::{Failure, Outcome};
use crate::ast::BinaryOp;
use crate::bind::{self, Block, Choice as Setting, Entry, Example, Expr, ExprId, Outcome as Asked, Step, Value};
use crate::check::{self, Checked};
use crate::evaluate::{Decision, Frame, Game, Pause, Refusal, Stand, State, Trouble};
use crate::load::Loaded;
use crate::report::Span;

/// Plays every example of a ruleset that has been found sound.
#[must_use]
pub fn run(loaded: &Loaded) -> Vec<Outcome> {
    let mut faults = Vec::new();
    let items = bind::effective(&loaded.layers, &mut faults);
    let sections = bind::sections(&items, &loaded.examples, &mut faults);
    let mut outcomes = Vec::new();
    for section in &sections {
        let numbers = section.numbers(&loaded.numbers);
        let setting = Setting { players: section.players, numbers: &numbers };
        let bound = bind::bind(&items, &[section], setting, &mut faults);
        let checked = check::check(bound, &mut faults);
        outcomes.extend(checked.bound.examples.iter().map(|example| Player::new(&checked, example).play()));
    }
    outcomes
}

struct Player<'c> {
    game: Game<'c>,
    example: &'c Example,
    flow: Option<&'c Block>,
    beginning: State,
    decisions: Vec<Decision>,
    /// Where the last `when` started.
    start: usize,
    refusal: Option<(Refusal, Span)>,
    expected: Vec<(String, Span)>,
    failures: Vec<Failure>,
    expectations: usize,
}

impl<'c> Player<'c> {
    fn new(checked: &'c Checked, example: &'c Example) -> Self {
        Self {
            game: Game::new(checked),
            example,
            flow: checked.bound.flow.as_ref(),
            beginning: State::default(),
            decisions: Vec::new(),
            start: 0,
            refusal: None,
            expected: Vec::new(),
            failures: Vec::new(),
            expectations: 0,
        }
    }

    fn play(mut self) -> Outcome {
        for step in &self.example.steps {
            if let Err(trouble) = self.step(step) {
                self.failures.push(Failure {
                    message: format!("the ruleset cannot go on: {}", trouble.message),
                    span: trouble.span,
                });
                break;
            }
        }
        self.settle_refusal();
        Outcome {
            rows: self.example.rows.clone(),
            title: self.example.title.clone(),
            cites: self.example.cites.iter().map(ToString::to_string).collect(),
            span: self.example.span,
            failures: self.failures,
            expectations: self.expectations,
        }
    }

    fn fail(&mut self, span: Span, message: impl Into<String>) {
        self.failures.push(Failure { message: message.into(), span });
    }

    fn stand(&self) -> Result<Stand, Trouble> {
        let empty = Block::default();
        self.game.play(self.flow.unwrap_or(&empty), self.beginning.clone(), &self.decisions)
    }

    fn step(&mut self, step: &'c Step) -> Result<(), Trouble> {
        match step {
            Step::Given(position) => {
                self.beginning = self.game.beginning()?;
                for (state, indices, value) in &position.facts {
                    self.game.put(&mut self.beginning, *state, indices, value.clone());
                }
                self.flow = position.flow.as_ref().or(self.flow);
            }
            Step::When(entries) => {
                self.settle_refusal();
                self.start = self.decisions.len();
                self.enter(entries)?;
            }
            Step::Instead(entries) => {
                self.settle_refusal();
                self.decisions.truncate(self.start);
                self.enter(entries)?;
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
        match (self.refusal.take(), expected.first()) {
            (None, None) => {}
            (None, Some((_, span))) => {
                self.fail(*span, format!("expected to be refused ({}), but it is legal", names.join(", ")));
            }
            (Some((refusal, span)), None) => self.fail(span, format!("refused: {}", refusal.names.join(", "))),
            (Some((refusal, _)), Some((_, span))) => {
                let mut found = refusal.names;
                found.sort();
                if found != names {
                    self.fail(*span, format!("expected {}, refused for {}", names.join(", "), found.join(", ")));
                }
            }
        }
    }

    fn enter(&mut self, entries: &'c [(Entry, Span)]) -> Result<(), Trouble> {
        for (at, (entry, span)) in entries.iter().enumerate() {
            let stand = self.stand()?;
            let judged = match entry {
                Entry::Act { seat, action, first, args } => self.game.act(&stand, *seat, *action, *first, args)?,
                Entry::Pass { seat } => self.game.pass(&stand, *seat),
                Entry::Chance { name, indices, value } => match value {
                    Some(value) => self.game.chance(&stand, name, indices, value),
                    None => Err(Refusal::verdict("legal-if")),
                },
                Entry::Unreadable { verdict } => Err(Refusal::verdict(verdict)),
            };
            match judged {
                Ok(decision) => self.decisions.push(decision),
                Err(refusal) if at + 1 == entries.len() => self.refusal = Some((refusal, *span)),
                Err(refusal) => {
                    self.fail(*span, format!("refused: {}", refusal.names.join(", ")));
                    break;
                }
            }
        }
        Ok(())
    }

    fn expect(&mut self, condition: ExprId) -> Result<(), Trouble> {
        self.expectations += 1;
        let stand = self.stand()?;
        let game = &self.game;
        let mut frame = Frame::new(&stand.state);
        let over = stand.pause == Pause::Over;
        let (next, moves) = match &stand.pause {
            Pause::Choose(choice) => (game.seat(choice.seat), game.legal(choice, &stand.state)?.len()),
            Pause::Chance { candidates, .. } => (Value::None, candidates.len()),
            Pause::Over => (Value::None, 0),
        };
        let winners = game.winners(&stand.state)?.into_iter().map(|seat| game.seat(seat)).collect();
        frame.tell(Asked::Paid, Value::Int(stand.paid));
        frame.tell(Asked::Next, next);
        frame.tell(Asked::Over, Value::Bool(over));
        frame.tell(Asked::Moves, Value::Int(i64::try_from(moves).unwrap_or(i64::MAX)));
        frame.tell(Asked::Winner, Value::Set(winners));
        if !game.holds(condition, &mut frame)? {
            let message = self.describe(condition, &mut frame)?;
            self.fail(self.game.bound().expr(condition).span, message);
        }
        Ok(())
    }

    /// What did not hold, with the values of both sides where there are two.
    fn describe(&self, condition: ExprId, frame: &mut Frame<'_>) -> Result<String, Trouble> {
        let types = &self.game.bound().types;
        Ok(match &self.game.bound().expr(condition).kind {
            Expr::Binary(op, left, right)
                if !matches!(op, BinaryOp::And | BinaryOp::Or | BinaryOp::In | BinaryOp::NotIn) =>
            {
                let (left, right) = (self.game.eval(*left, frame)?, self.game.eval(*right, frame)?);
                format!("does not hold: {} {} {}", left.show(types), op.symbol(), right.show(types))
            }
            _ => "does not hold".to_owned(),
        })
    }
}
