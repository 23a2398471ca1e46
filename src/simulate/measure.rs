//! Measures of a game that can be compared with the same game after a change: whole numbers, one a game.

use super::outcome::{Options, Outcome};
use super::report::Difference;
use super::table::{Seated, Table};
use super::tally::share_unit;
use crate::internal::{Must, exact};
use crate::play::seat_names;
use crate::statistics::Overflow;

/// The measures of a table and the first one, nothing counted yet. [`compare`] goes through them in the same order.
pub(super) fn template(tables: &[Table<'_>], changed: &Table<'_>) -> Vec<Difference> {
    let Some((base, rules)) = tables.first().and_then(|base| Some((base, base.rules?))) else { return Vec::new() };
    let bound = &rules.checked.bound;
    let seats = seat_names(bound);
    let measure = |measure: &str, of: Option<&str>, unit: u64| Difference {
        measure: measure.to_owned(),
        of: of.map(str::to_owned),
        unit,
        ..Difference::default()
    };
    let mut all = Vec::new();
    let unit = share_unit(base.program.players);
    all.extend(seats.iter().map(|seat| measure("share", Some(seat), unit)));
    all.extend(seats.iter().map(|seat| measure("score", Some(seat), 1)));
    for name in ["margin", "length", "lead_changes", "draw", "nobody", "unfinished"] {
        all.push(measure(name, None, 1));
    }
    let (own, other) = (Options::of(base.program), Options::of(changed.program));
    for action in own.iter().filter(|action| other.iter().any(|known| known == *action)) {
        let name = action.map_or("pass", |id| bound.action(id).name.as_str());
        all.push(measure("chosen", Some(name), 1));
    }
    all
}

/// How many measures a table has: what statements are counted by, whatever comes of a change.
#[must_use]
pub fn measures(table: &Table<'_>) -> u64 {
    template(std::slice::from_ref(table), table).len() as u64
}

/// The places of options that both programs have, in each of them.
pub(super) fn common(base: &Table<'_>, changed: &Table<'_>) -> Vec<(usize, usize)> {
    let (base, changed) = (Options::of(base.program), Options::of(changed.program));
    let place = |action| changed.iter().position(|known| known == action);
    base.iter().enumerate().filter_map(|(at, action)| Some((at, place(action)?))).collect()
}

/// One pair of games more. `options` are those of both, as [`common`] gives them.
pub(super) fn compare(
    differences: &mut [Difference],
    options: &[(usize, usize)],
    (base, changed): (&Seated<'_>, &Seated<'_>),
) -> Result<(), Overflow> {
    if base.playout.failed || changed.playout.failed {
        return Ok(());
    }
    let (one, other) = (&base.outcome, &changed.outcome);
    let unit = differences.first().map_or(1, |difference| difference.unit);
    let mut next = differences.iter_mut();
    let mut pair = |base: Option<i64>, changed: Option<i64>| {
        let difference = next.next().must("every measure has a difference");
        base.zip(changed).map_or(Ok(()), |(base, changed)| difference.add(base, changed))
    };
    let ended = |outcome: &Outcome, value: i64| outcome.over.then_some(value);
    let seats = base.players().max(changed.players());
    for seat in 0..seats {
        pair(share(one, seat, unit), share(other, seat, unit))?;
    }
    for seat in 0..seats as usize {
        pair(one.scores.get(seat).copied(), other.scores.get(seat).copied())?;
    }
    pair(one.margin(), other.margin())?;
    let length = |outcome: &Outcome| ended(outcome, exact(outcome.entries));
    pair(length(one), length(other))?;
    // Only some games are looked at: see `add_lead_changes`.
    pair(None, None)?;
    let draw = |outcome: &Outcome| ended(outcome, i64::from(outcome.winners.len() > 1));
    pair(draw(one), draw(other))?;
    let nobody = |outcome: &Outcome| ended(outcome, i64::from(outcome.winners.is_empty()));
    pair(nobody(one), nobody(other))?;
    pair(Some(i64::from(!one.over)), Some(i64::from(!other.over)))?;
    for &(at, there) in options {
        let chosen = |outcome: &Outcome, at: usize| Some(exact(*outcome.chosen.get(at)?));
        pair(chosen(one, at), chosen(other, there))?;
    }
    Ok(())
}

/// How the lead changes, in the games that were looked at.
pub(super) fn add_lead_changes(differences: &mut [Difference], lead: &Difference) -> Result<(), Overflow> {
    let mut these = differences.iter_mut().filter(|difference| difference.measure == "lead_changes");
    these.try_for_each(|difference| difference.merge(lead))
}

/// A seat's part of a game, in parts.
fn share(outcome: &Outcome, seat: u32, unit: u64) -> Option<i64> {
    let parts = if outcome.winners.contains(&seat) { unit / outcome.winners.len() as u64 } else { 0 };
    outcome.over.then(|| exact(parts))
}
