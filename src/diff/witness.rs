//! A log that shows a difference, as short as one was found.

use std::ops::ControlFlow;

use super::games::Sight;
use super::half::Half;
use super::pair::{Detail, Difference, Group, Kind, Pair};
use super::{Plan, Side};
use crate::bind;
use crate::evaluate::{Trouble, Try};
use crate::judge::{self, Finding, Item, Limits, Strictness, Trying, fewest};
use crate::log::{self, Claim, Expect, Form, Line, Log, Outcome, Seat};
use crate::machine::{Position, Step, Waits};
use crate::play::seat_names;
use crate::report::Span;

/// Looking at a position takes as much time as playing so many entries.
const LOOKING: u64 = 200;

/// A log that shows a difference.
#[derive(Debug, Clone)]
pub struct Witness {
    /// What it shows.
    pub group: Group,
    /// Positions at which that was seen, and in how many games.
    pub positions: u64,
    /// Games in which it was seen.
    pub games: u64,
    /// The entries before the one that shows it.
    pub before: Vec<String>,
    /// The entry that shows it.
    pub entry: String,
    /// How many entries stood before it where it was seen first.
    pub was: usize,
    /// Values that are others.
    pub details: Vec<Detail>,
    /// Why the other ruleset refuses it.
    pub finding: Option<Finding>,
    /// The log, as judged by the old rules: with `expect`, and claims that only hold by them.
    pub log: String,
}

/// Shortens what was seen, and writes it down.
pub(super) fn witness(old: &Side, new: &Side, group: &Group, sight: &Sight, plan: &Plan) -> Witness {
    let was = sight.before.len();
    let short = shorten(old, new, group, sight, plan.limits).ok().flatten();
    let (before, entry, details) =
        short.unwrap_or_else(|| (sight.before.clone(), sight.text.clone(), sight.details.clone()));
    let refuses = match group.kind {
        Kind::Illegal => Some(new),
        Kind::Legal => Some(old),
        _ => None,
    };
    let log = written(old, &before, &entry);
    let finding = refuses.and_then(|side| {
        let log = Log { game: side.rules.loaded.log_name(), ..log.clone() };
        let judged = judge::judge_one(&side.rules, &log::write(&log), Form::Text, Strictness::default());
        judged.fault().cloned()
    });
    let log = expecting(old, log, group, &details, finding.as_ref());
    let (positions, games) = (sight.positions, sight.games);
    Witness { group: group.clone(), positions, games, before, entry, was, details, finding, log }
}

/// A log of these entries, by the old rules.
fn written(old: &Side, before: &[String], entry: &str) -> Log {
    let seats = seat_names(old.bound()).into_iter().map(|name| Seat { name, who: None }).collect();
    let line = |text: &str| Line { text: text.to_owned(), ..Line::default() };
    let entries = before.iter().map(|text| line(text)).chain([line(entry)]).collect();
    Log { game: old.rules.loaded.log_name(), seats, entries, ..Log::default() }
}

/// The same with what the old rules make of it.
fn expecting(old: &Side, mut log: Log, group: &Group, details: &[Detail], finding: Option<&Finding>) -> String {
    let expect =
        |verdict: &str, name: Option<String>| Expect { verdict: verdict.to_owned(), name, span: Span::default() };
    if let (Kind::Legal, Some(finding)) = (group.kind, finding) {
        let name = finding.broken.first().map(|broken| broken.name.clone());
        log.expect = Some(expect(finding.verdict(), name));
        return log::write(&log);
    }
    let ended = ending(old, &log);
    if group.kind == Kind::Winner {
        log.result.clone_from(&ended);
    } else if let Some(last) = log.entries.last_mut() {
        let claim =
            |detail: &Detail| Claim { text: format!("{} = {}", detail.what, detail.old), span: Span::default() };
        last.claims = details.iter().map(claim).collect();
    }
    log.expect = Some(expect(if ended.is_some() { "legal" } else { "unfinished" }, None));
    log::write(&log)
}

/// How a game ends by the old rules, if it does.
fn ending(old: &Side, log: &Log) -> Option<Outcome> {
    judge::judge_one(&old.rules, &log::write(log), Form::Text, Strictness::default()).outcome
}

/// What is left of a log: the entries before, the entry, and what differs there.
type Short = (Vec<String>, String, Vec<Detail>);

fn shorten(old: &Side, new: &Side, group: &Group, sight: &Sight, limits: Limits) -> Try<Option<Short>> {
    let items = [old, new].map(|side| bind::effective(&side.rules.loaded.layers, &mut Vec::new()));
    let [old_items, new_items] = &items;
    let pair = Pair::new(Half::new(&old.rules, old_items)?, Half::new(&new.rules, new_items)?);
    let mut hunt = Hunt { pair, group, text: sight.text.clone(), left: limits.steps, found: None };
    let entries = sight.before.iter().map(|text| Item::new(text.clone(), None)).collect();
    let (kept, ..) = fewest(&mut hunt, entries, limits)?;
    let before: Vec<String> = kept.into_iter().map(|item| item.text).collect();
    // Once more from the beginning, for what differs there.
    let items: Vec<Item> = before.iter().map(|text| Item::new(text.clone(), None)).collect();
    let found = hunt.is_same(&items.iter().collect::<Vec<_>>()).then(|| hunt.found.take()).flatten();
    Ok(found.map(|difference| (before, difference.text, difference.details)))
}

/// Looks for logs that show a difference of the same group.
struct Hunt<'r, 'g> {
    pair: Pair<'r>,
    group: &'g Group,
    /// The entry that shows it.
    text: String,
    left: u64,
    /// What was found last.
    found: Option<Difference>,
}

impl Hunt<'_, '_> {
    /// Does any entry show the same where both games stand? The one that is known first.
    fn look(&mut self) -> Try<bool> {
        self.left = self.left.saturating_sub(LOOKING);
        let here = (self.pair.old.position(), self.pair.new.position());
        self.found = if self.group.kind == Kind::Effect {
            self.effect(&here)?
        } else {
            let compared = self.pair.compare(Some(&self.group.action))?;
            let mut same = compared.differences.into_iter().filter(|difference| difference.group == *self.group);
            let first = same.next();
            let known = first.iter().cloned().chain(same).find(|difference| difference.text == self.text);
            known.or(first)
        };
        self.pair.old.go(&here.0);
        self.pair.new.go(&here.1);
        Ok(self.found.is_some())
    }

    /// An entry that does something else, where both games stand alike.
    fn effect(&mut self, here: &(Position, Position)) -> Try<Option<Difference>> {
        if self.pair.other_state().is_some() {
            return Ok(None);
        }
        let text = self.text.clone();
        let all: Vec<String> = self.pair.old.all()?.into_iter().map(|entered| entered.text).collect();
        for text in std::iter::once(text).chain(all) {
            self.pair.old.go(&here.0);
            self.pair.new.go(&here.1);
            let Some(entered) = self.pair.old.enter_line(&text)? else { continue };
            if entered.action != self.group.action || self.pair.new.enter_line(&text)?.is_none() {
                continue;
            }
            if let Some((rule, detail)) = self.pair.other_state().filter(|(rule, _)| *rule == self.group.rule) {
                let group = Group { rule, ..self.group.clone() };
                return Ok(Some(Difference { group, text, details: vec![detail] }));
            }
        }
        Ok(None)
    }
}

impl Trying for Hunt<'_, '_> {
    type Place = (Position, Position);

    fn begin(&mut self) -> Result<(), Trouble> {
        self.pair.old.begin()?;
        self.pair.new.begin()
    }

    fn place(&self) -> (Self::Place, usize) {
        let place = (self.pair.old.position(), self.pair.new.position());
        let size = place.0.bytes().len() + place.1.bytes().len();
        (place, size)
    }

    fn go(&mut self, (old, new): &Self::Place) {
        self.pair.old.go(old);
        self.pair.new.go(new);
    }

    fn steps(&mut self) -> Result<Vec<Step>, Trouble> {
        if self.pair.old.machine.waits() == Waits::Nothing {
            return Ok(Vec::new());
        }
        judge::legal(&mut self.pair.old.machine)
    }

    fn take(&mut self, step: Step) -> ControlFlow<()> {
        self.left = self.left.saturating_sub(1);
        let entered = self.pair.old.enter(step).map(|entered| self.pair.new.enter_line(&entered.text));
        if matches!(entered, Ok(Ok(Some(_)))) { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }

    fn write(&mut self, step: Step) -> Result<String, Trouble> {
        let entered = self.pair.old.enter(step)?;
        self.pair.new.enter_line(&entered.text)?;
        Ok(entered.text)
    }

    fn plays<'i>(&mut self, items: impl IntoIterator<Item = &'i Item>) -> bool {
        items.into_iter().all(|item| {
            self.left = self.left.saturating_sub(1);
            let both = [&mut self.pair.old, &mut self.pair.new];
            both.into_iter().all(|half| matches!(half.enter_line(&item.text), Ok(Some(_))))
        })
    }

    fn may_be_same(&mut self) -> Result<bool, Trouble> {
        self.look()
    }

    fn is_same(&mut self, items: &[&Item]) -> bool {
        self.begin().is_ok() && self.plays(items.iter().copied()) && self.look().unwrap_or(false)
    }

    fn is_tired(&self) -> bool {
        self.left == 0
    }

    fn rest(&mut self, steps: u64) {
        self.left = steps;
    }
}
