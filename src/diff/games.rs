//! Games at random, played by both rulesets at once: at every position it is asked what differs.

use crate::internal::exact;
use std::collections::BTreeMap;

use super::half::Half;
use super::pair::{Detail, Difference, Group, Kind, Pair};
use super::{Plan, Side};
use crate::bind;
use crate::evaluate::Try;
use crate::examples::parallel;
use crate::play::{Random, seed_of_game};

/// What was seen of a group.
#[derive(Debug, Clone)]
pub(super) struct Sight {
    /// Positions at which it was seen, and games.
    pub(super) positions: u64,
    pub(super) games: u64,
    /// The entries before it, where it was seen earliest, and the entry that shows it.
    pub(super) before: Vec<String>,
    pub(super) text: String,
    pub(super) details: Vec<Detail>,
}

/// What came of all games.
#[derive(Debug, Default)]
pub(super) struct Seen {
    pub(super) groups: BTreeMap<Group, Sight>,
    /// Positions that were compared.
    pub(super) positions: u64,
    /// Games that could not be played on, because one ruleset cannot go on: what it says.
    pub(super) troubles: Vec<String>,
}

/// Plays all games. The result does not depend on the number of threads.
pub(super) fn play(old: &Side, new: &Side, plan: &Plan) -> Seen {
    let numbers: Vec<u64> = (1..=plan.games).collect();
    let games = parallel::each(plan.jobs, &numbers, |number| {
        let mut seen = Seen::default();
        if let Err(trouble) = game(old, new, plan, *number, &mut seen) {
            seen.troubles.push(trouble.message);
        }
        seen
    });
    let mut all = Seen::default();
    for seen in games {
        all.positions += seen.positions;
        all.troubles.extend(seen.troubles);
        for (group, sight) in seen.groups {
            match all.groups.get_mut(&group) {
                None => {
                    all.groups.insert(group, sight);
                }
                Some(known) => {
                    let counts = (known.positions + sight.positions, known.games + sight.games);
                    if sight.before.len() < known.before.len() {
                        *known = sight;
                    }
                    (known.positions, known.games) = counts;
                }
            }
        }
    }
    all.troubles.sort();
    all.troubles.dedup();
    all
}

/// Entries that are tried before two games part after all.
const ATTEMPTS: usize = 4;

/// One game: entries that both allow, each as likely as the others, until none is left.
fn game(old: &Side, new: &Side, plan: &Plan, number: u64, seen: &mut Seen) -> Try<()> {
    let items = [old, new].map(|side| bind::effective(&side.rules.loaded.layers, &mut Vec::new()));
    let [old_items, new_items] = &items;
    let pair = Pair::new(Half::new(&old.rules, old_items)?, Half::new(&new.rules, new_items)?);
    let alike = pair.other_state().is_none();
    let random = Random::new(seed_of_game(plan.seed, number));
    // Every other game keeps to what does not differ while it can: so it gets further before both games part.
    let mut walk = Walk { pair, random, alike, cautious: number.is_multiple_of(2), history: Vec::new(), seen };
    while walk.history.len() < plan.most_entries && walk.goes_on()? {}
    Ok(())
}

/// Two games on their way.
struct Walk<'r, 's> {
    pair: Pair<'r>,
    random: Random,
    /// Are all states of the same name the same so far? What follows when they are not is no effect of an entry.
    alike: bool,
    cautious: bool,
    history: Vec<String>,
    seen: &'s mut Seen,
}

impl Walk<'_, '_> {
    /// Compares where both games stand, and enters something that both allow; false if there is nothing.
    fn goes_on(&mut self) -> Try<bool> {
        let compared = self.pair.compare(None)?;
        self.seen.positions += 1;
        let mut common = compared.common;
        if common.is_empty() && !self.alike {
            // They wait for different things because of what differed before, and that has been told.
            return Ok(false);
        }
        if self.cautious {
            let differs = |text: &str| compared.differences.iter().any(|difference| difference.text == text);
            let same: Vec<_> = common.iter().filter(|(entered, _)| !differs(&entered.text)).cloned().collect();
            common = if same.is_empty() { common } else { same };
        }
        for difference in first_of_each(compared.differences) {
            note(self.seen, difference, &self.history);
        }
        let here = (self.pair.old.position(), self.pair.new.position());
        for left in (0..ATTEMPTS).rev() {
            if common.is_empty() {
                return Ok(false);
            }
            let nth = exact::<_, usize>(self.random.below(common.len() as u64));
            let (a, b) = common.swap_remove(nth);
            self.pair.old.machine.take(a.step)?;
            self.pair.new.machine.take(b.step)?;
            let other = if self.alike { self.pair.other_state() } else { None };
            if let Some((rule, detail)) = other {
                let group = Group { kind: Kind::Effect, action: a.action, rule };
                let text = a.text.clone();
                note(self.seen, Difference { group, text, details: vec![detail] }, &self.history);
                if self.cautious && left > 0 && !common.is_empty() {
                    self.pair.old.go(&here.0);
                    self.pair.new.go(&here.1);
                    continue;
                }
                self.alike = false;
            }
            self.history.push(a.text);
            return Ok(true);
        }
        Ok(false)
    }
}

/// Each group once at a position.
fn first_of_each(mut differences: Vec<Difference>) -> Vec<Difference> {
    differences.sort_by(|a, b| (&a.group, &a.text).cmp(&(&b.group, &b.text)));
    differences.dedup_by(|a, b| a.group == b.group);
    differences
}

fn note(seen: &mut Seen, difference: Difference, history: &[String]) {
    let Difference { group, text, details } = difference;
    seen.groups.entry(group).and_modify(|sight| sight.positions += 1).or_insert_with(|| Sight {
        positions: 1,
        games: 1,
        before: history.to_vec(),
        text,
        details,
    });
}
