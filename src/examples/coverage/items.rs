//! All that examples can show of a ruleset: what is reached from its flow in at least one setting.

use crate::internal::exact;
use std::collections::HashSet;

use super::{Item, Key};
use crate::bind::{Action, Block, ExprId, NumberId, Otherwise, Statement, Type, Value};
use crate::check::{self, Checked, decided};
use crate::evaluate::{Seen, Way};
use crate::examples::suite::Suite;
use crate::report::{Sources, Span};

/// Values of a ruling that are asked for one by one; of a longer range only those that sources or the
/// ruleset itself give.
const MOST_VALUES: i64 = 12;

/// Texts of conditions are cut after so many characters.
const LONGEST: usize = 60;

/// Everything that is there in a setting of the ruleset or of one of its examples, by place.
pub(super) fn all(suite: &Suite<'_>) -> Vec<(Key, Item)> {
    let mut items = Items { sources: &suite.loaded.sources, known: HashSet::new(), found: Vec::new() };
    check::each_choice(suite.loaded, &mut |checked| items.ruleset(checked));
    for section in &suite.sections {
        items.ruleset(&suite.bind(section, &suite.loaded.numbers, &mut Vec::new()));
    }
    let mut found = items.found;
    // What belongs to the game is shown by the examples of the game.
    found.retain(|(_, item)| suite.loaded.is_own(item.span.file));
    found.sort_by_key(|(_, item)| item.span);
    found
}

struct Items<'s> {
    sources: &'s Sources,
    known: HashSet<Key>,
    found: Vec<(Key, Item)>,
}

/// What was walked through already in one setting.
#[derive(Default)]
struct Walked {
    actions: HashSet<u32>,
    phases: HashSet<u32>,
}

impl Items<'_> {
    fn add(&mut self, key: Key, kind: &'static str, what: impl Into<String>, span: Span) {
        if self.known.insert(key.clone()) {
            self.found.push((key, Item { kind, what: what.into(), span, exercised: false, exempt: None }));
        }
    }

    fn see(&mut self, seen: Seen, kind: &'static str, what: impl Into<String>, span: Span) {
        self.add(Key::Seen(seen), kind, what, span);
    }

    fn ruleset(&mut self, checked: &Checked) {
        let bound = &checked.bound;
        if let Some(flow) = &bound.flow {
            self.block(checked, flow, &mut Walked::default());
        }
        for award in bound.awards.iter().filter(|award| award.used) {
            self.see(Seen::Awarded(award.span), "award", format!("{} gives something", award.name), award.span);
        }
        for ruling in &bound.rulings {
            let mut values = values_of(checked, ruling.number);
            values.extend(ruling.readings.iter().map(|(_, value, _)| value.clone()));
            for value in values {
                let value = value.show(&bound.types);
                let what = format!("{} is {value}", ruling.name);
                self.add(Key::Reading(ruling.name.clone(), value), "ruling", what, ruling.span);
            }
        }
    }

    fn block(&mut self, checked: &Checked, block: &Block, walked: &mut Walked) {
        for (statement, span) in &block.statements {
            self.statement(checked, statement, *span, walked);
        }
    }

    fn statement(&mut self, checked: &Checked, statement: &Statement, span: Span, walked: &mut Walked) {
        match statement {
            Statement::If(condition, then, otherwise) => {
                let known = decided(checked, *condition);
                let text = self.text(checked.bound.expr(*condition).span);
                if known != Some(false) {
                    self.see(Seen::Went(span, Way::Then), "flow", format!("`if {text}` holds"), span);
                    self.block(checked, then, walked);
                }
                if known != Some(true) {
                    self.see(Seen::Went(span, Way::Else), "flow", format!("`if {text}` does not hold"), span);
                    self.block(checked, otherwise, walked);
                }
            }
            Statement::For(_, _, body) | Statement::Repeat(_, body) | Statement::Cycle(_, _, body) => {
                let word = match statement {
                    Statement::For(..) => "for",
                    Statement::Repeat(..) => "repeat",
                    _ => "cycle",
                };
                self.see(Seen::Went(span, Way::Entered), "flow", format!("`{word}` is entered"), span);
                self.block(checked, body, walked);
            }
            Statement::Turn(_, body) => self.block(checked, body, walked),
            Statement::Choose(choose) => {
                let offers: Vec<&str> =
                    choose.offers.iter().map(|(action, ..)| checked.bound.action(*action).name.as_str()).collect();
                let text = format!("choose {}", offers.join(", "));
                match &choose.otherwise {
                    Otherwise::Nothing => {}
                    Otherwise::PassLeaves => {
                        self.see(Seen::Went(span, Way::Passed), "flow", format!("`{text}` is passed"), span);
                    }
                    Otherwise::OrPass(block) | Otherwise::ElsePass(block) => {
                        self.see(Seen::Went(span, Way::Passed), "flow", format!("`{text}` is passed"), span);
                        self.block(checked, block, walked);
                    }
                    Otherwise::Else(block) => {
                        let what = format!("`{text}` has nothing to offer");
                        self.see(Seen::Went(span, Way::Otherwise), "flow", what, span);
                        self.block(checked, block, walked);
                    }
                }
                for (action, ..) in &choose.offers {
                    if walked.actions.insert(action.0) {
                        self.action(checked, checked.bound.action(*action), walked);
                    }
                }
            }
            Statement::Call(phase, _) => {
                if walked.phases.insert(phase.0) {
                    self.block(checked, &checked.bound.phase(*phase).body, walked);
                }
            }
            Statement::Let(..)
            | Statement::Assign(..)
            | Statement::Draw(_)
            | Statement::Reveal(..)
            | Statement::End => {}
        }
    }

    fn action(&mut self, checked: &Checked, action: &Action, walked: &mut Walked) {
        let name = &action.name;
        self.see(Seen::Done(action.span), "action", format!("{name} is carried out"), action.span);
        for price in &action.costs {
            let place = checked.bound.expr(price.place).span;
            self.see(Seen::Paid(place), "cost", format!("{name} is paid from {}", self.text(place)), place);
        }
        if let Some(price) = action.costs.first() {
            let place = checked.bound.expr(price.place).span;
            self.see(Seen::TooDear(action.span), "cost", format!("{name} cannot be paid"), place);
        }
        let present = |guard: Option<ExprId>| guard.is_none_or(|guard| decided(checked, guard) != Some(false));
        for requirement in action.requirements.iter().filter(|requirement| present(requirement.guard)) {
            let (name, span) = (format!("{name}.{}", requirement.name), requirement.span);
            self.see(Seen::Held(span), "requirement", format!("{name} holds"), span);
            self.see(Seen::Alone(span), "requirement", format!("{name} fails alone"), span);
        }
        self.block(checked, &action.effect, walked);
    }

    fn text(&self, span: Span) -> String {
        let text = self.sources.slice(span).split_whitespace().collect::<Vec<_>>().join(" ");
        match text.char_indices().nth(LONGEST) {
            Some((at, _)) => format!("{}…", text.get(..at).unwrap_or("").trim_end()),
            None => text,
        }
    }
}

/// The values that a ruling can have; for a long range, the one it has.
fn values_of(checked: &Checked, id: NumberId) -> Vec<Value> {
    let number = checked.bound.number(id);
    match &number.ty {
        Type::Bool => vec![Value::Bool(false), Value::Bool(true)],
        Type::Named(ty) => {
            let count = exact::<_, u32>(checked.bound.types.count(*ty));
            (0..count).map(|at| Value::Member(*ty, at)).collect()
        }
        Type::Int(low, high) if high - low < MOST_VALUES => (*low..=*high).map(Value::Int).collect(),
        _ => number.values.first().cloned().into_iter().collect(),
    }
}
