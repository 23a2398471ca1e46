//! What a record says of each step of an example: what an entry cost and changed, who is next and what is possible,
//! what a condition was made of.
//!
//! A line is there if it differs from where the entry was made: an entry that leaves the scores alone has no line of
//! scores. Moves are counted by action, with what they cost; the sign behind their number changes with any of them.

use super::outcome::Moment;
use super::positions::{changes, of_same_size, whole};
use crate::bind::{ActionId, Entry, Value};
use crate::evaluate::{Decision, Game, Pause, Place, Refusal, Stand, State, Try, action_frame, element_name};
use crate::load::text_hash;

/// Writes down what happens in one section.
#[derive(Debug, Default)]
pub(super) struct Recorder<'b> {
    /// How a game with the numbers as they stand begins, with as many players.
    beginning: Option<&'b State>,
    moments: Vec<Moment>,
}

impl<'b> Recorder<'b> {
    pub(super) fn new(beginning: Option<&'b State>) -> Self {
        Self { beginning, moments: Vec::new() }
    }

    pub(super) fn moments(self) -> Vec<Moment> {
        self.moments
    }

    fn note(&mut self, step: impl Into<String>, lines: Vec<String>) {
        self.moments.push(Moment { step: step.into(), lines });
    }

    /// A position: where it differs from the beginning of a game.
    pub(super) fn given(&mut self, game: &Game<'_>, (stand, legal): (&Stand, &[Decision])) -> Try<()> {
        let alike = self.beginning.filter(|beginning| of_same_size(beginning, &stand.state));
        let mut lines = match alike {
            Some(beginning) => changes(game.bound(), beginning, &stand.state),
            None => whole(game.bound(), &stand.state),
        };
        lines.push(next(game, stand, legal)?);
        lines.push(scores(game, &stand.state)?);
        lines.extend(winners(game, stand)?);
        self.note("given", lines);
        Ok(())
    }

    /// An entry that is legal: what it cost, what it changed, where that leads to.
    pub(super) fn entered(
        &mut self,
        game: &Game<'_>,
        step: String,
        (before, decision): (&Stand, &Decision),
        (after, legal): (&Stand, &[Decision]),
    ) -> Try<()> {
        let mut lines = Vec::new();
        if let Decision::Act { seat, action, args } = decision {
            let amount = |(place, amount): (Place, i64)| format!("{amount} {}", element_name(game.bound(), place));
            let paid = prices(game, (*seat, *action, args), &before.state)?;
            let paid: Vec<String> = paid.into_iter().filter(|(_, amount)| *amount != 0).map(amount).collect();
            lines.extend((!paid.is_empty()).then(|| format!("paid: {}", paid.join(", "))));
        }
        lines.extend(changes(game.bound(), &before.state, &after.state));
        lines.push(next(game, after, legal)?);
        let now = scores(game, &after.state)?;
        lines.extend((scores(game, &before.state)? != now).then_some(now));
        lines.extend(winners(game, after)?);
        self.note(step, lines);
        Ok(())
    }

    /// An entry that is refused: all that it is refused for, and what is missing to pay it.
    pub(super) fn refused(
        &mut self,
        game: &Game<'_>,
        step: String,
        stand: &Stand,
        (entry, refusal): (&Entry, &Refusal),
    ) -> Try<()> {
        let mut lines = vec![format!("refused: {}", refusal.names.join(", "))];
        if refusal.names.iter().any(|name| name == "unaffordable")
            && let Some((seat, action, args)) = meant(stand, entry)
        {
            for ((state, at), amount) in prices(game, (seat, action, &args), &stand.state)? {
                let has = stand.state.get(state, at).map_or_else(|| "nothing".to_owned(), |has| show(game, has));
                lines.push(format!("needs {amount} {}, has {has}", element_name(game.bound(), (state, at))));
            }
        }
        self.note(step, lines);
        Ok(())
    }

    /// A condition with the values of its parts.
    pub(super) fn told(&mut self, condition: &str, holds: bool, values: &[(String, String)]) {
        let values: Vec<String> = match values {
            [] => vec![holds.to_string()],
            [(_, value)] => vec![value.clone()],
            several => several.iter().map(|(text, value)| format!("{text} = {value}")).collect(),
        };
        let failed = if holds { "" } else { ", which does not hold" };
        self.note(format!("then {condition}: {}{failed}", values.join(", ")), Vec::new());
    }

    /// The rules cannot go on.
    pub(super) fn stopped(&mut self, why: &str) {
        self.note("stops", vec![why.to_owned()]);
    }
}

/// Who is next, and what is possible.
fn next(game: &Game<'_>, stand: &Stand, legal: &[Decision]) -> Try<String> {
    let bound = game.bound();
    let seat = |seat: u32| game.seat(seat).show(&bound.types);
    match &stand.pause {
        Pause::Over => Ok("over".to_owned()),
        Pause::Chance { name, indices, candidates, .. } => {
            let indices: String = indices.iter().map(|index| format!(" {}", show(game, index))).collect();
            let each = candidates.iter().map(|(value, weight)| format!("{} {weight}\n", show(game, value)));
            Ok(format!(
                "next: chance for {name}{indices}, {} possible {}",
                candidates.len(),
                sign(&each.collect::<String>())
            ))
        }
        Pause::Choose(choice) => {
            let mut text = String::new();
            let mut kinds: Vec<(ActionId, usize, i64, i64)> = Vec::new();
            for decision in legal {
                let Decision::Act { seat, action, args } = decision else { continue };
                let cost = prices(game, (*seat, *action, args), &stand.state)?;
                let words: Vec<String> = args.iter().map(|arg| show(game, arg)).collect();
                text += &format!("{} {} {cost:?}\n", bound.action(*action).name, words.join(" "));
                let cost: i64 = cost.iter().map(|(_, amount)| amount).sum();
                match kinds.iter_mut().find(|(known, ..)| known == action) {
                    Some((_, count, low, high)) => {
                        (*count, *low, *high) = (*count + 1, cost.min(*low), cost.max(*high));
                    }
                    None => kinds.push((*action, 1, cost, cost)),
                }
            }
            let kind = |(action, count, low, high): &(ActionId, usize, i64, i64)| {
                let name = &bound.action(*action).name;
                match (low, high) {
                    (0, 0) => format!("{name} {count}"),
                    (low, high) if low == high => format!("{name} {count} for {low}"),
                    (low, high) => format!("{name} {count} for {low} to {high}"),
                }
            };
            let pass = choice.pass.then(|| "pass".to_owned());
            let kinds: Vec<String> = kinds.iter().map(kind).chain(pass).collect();
            let moves = if legal.len() == 1 { "move" } else { "moves" };
            Ok(format!("next: {}, {} {moves} {}: {}", seat(choice.seat), legal.len(), sign(&text), kinds.join(", ")))
        }
    }
}

/// A few characters that differ if the texts do.
fn sign(text: &str) -> String {
    format!("#{:06x}", text_hash(text) & 0x00ff_ffff)
}

fn show(game: &Game<'_>, value: &Value) -> String {
    value.show(&game.bound().types)
}

/// What an action costs, summed up for each element that is paid from.
fn prices(game: &Game<'_>, (seat, id, args): (u32, ActionId, &[Value]), state: &State) -> Try<Vec<(Place, i64)>> {
    let action = game.bound().action(id);
    let mut sums: Vec<(Place, i64)> = Vec::new();
    for (place, amount, _) in game.prices(action, &mut action_frame(action, seat, args, state))? {
        match sums.iter_mut().find(|(known, _)| *known == place) {
            Some((_, sum)) => *sum += amount,
            None => sums.push((place, amount)),
        }
    }
    Ok(sums)
}

/// An entry with all its arguments, if it is an action that is offered.
fn meant(stand: &Stand, entry: &Entry) -> Option<(u32, ActionId, Vec<Value>)> {
    let (Entry::Act { seat, action, first, args, .. }, Pause::Choose(choice)) = (entry, &stand.pause) else {
        return None;
    };
    let offered = |(offer, bound): &&(ActionId, Vec<Value>)| offer == action && bound.len() == *first;
    let (_, bound) = choice.offers.iter().find(offered)?;
    Some((*seat, *action, [bound.as_slice(), args].concat()))
}

fn scores(game: &Game<'_>, state: &State) -> Try<String> {
    let mut scores = Vec::new();
    for seat in 0..game.bound().players.count {
        scores.push(format!("{} {}", show(game, &game.seat(seat)), show(game, &game.score(seat, state)?)));
    }
    Ok(format!("scores: {}", scores.join(", ")))
}

/// Who has won, once the game is over.
fn winners(game: &Game<'_>, stand: &Stand) -> Try<Option<String>> {
    if stand.pause != Pause::Over {
        return Ok(None);
    }
    let winners: Vec<String> =
        game.winners(&stand.state)?.into_iter().map(|seat| show(game, &game.seat(seat))).collect();
    Ok(Some(format!("winner: {}", if winners.is_empty() { "nobody".to_owned() } else { winners.join(", ") })))
}
