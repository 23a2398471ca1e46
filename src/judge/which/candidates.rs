//! Rules that a game may have been played under: names first, then names with one thing changed.

use std::sync::{Mutex, PoisonError};

use super::{Tried, game_of};
use crate::check::other_readings;
use crate::judge::finding::Finding;
use crate::judge::judged::Judged;
use crate::judge::rules::By;
use crate::load::{self, Request, parts_of};
use crate::log::Log;

/// So many games are remembered with the names of their variants and editions.
const MOST_GAMES: usize = 16;

/// Rules that may be those of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    /// `market:auction+english`
    pub ruleset: String,
    /// The ruling or option that is changed, as `--set` takes it.
    pub change: Option<String>,
    /// Is it what the log names?
    pub own: bool,
}

/// Names of variants and editions, by game.
#[derive(Debug, Default)]
pub(super) struct Names(Mutex<Vec<(String, Vec<String>)>>);

impl Names {
    /// All rules of the game that `among` is one of; those that a log names come first.
    pub(super) fn of(&self, among: &str, named: &str) -> Vec<Candidate> {
        let game = game_of(among);
        let mut rulesets: Vec<String> = Vec::new();
        rulesets.extend((game_of(named) == game).then(|| named.to_owned()));
        rulesets.push(among.to_owned());
        rulesets.extend(self.all(game));
        let mut found: Vec<Candidate> = Vec::new();
        for ruleset in rulesets {
            if !found.iter().any(|known| is_same(&known.ruleset, &ruleset)) {
                let own = is_same(&ruleset, named);
                found.push(Candidate { ruleset, change: None, own });
            }
        }
        found
    }

    fn all(&self, game: &str) -> Vec<String> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, names)) = known.iter().find(|(other, _)| other == game) {
            return names.clone();
        }
        let names = names_of(game);
        if known.len() >= MOST_GAMES {
            known.remove(0);
        }
        known.push((game.to_owned(), names.clone()));
        names
    }
}

/// A game, its editions, its variants, and these in each edition.
fn names_of(game: &str) -> Vec<String> {
    let editions = |ruleset: &str| {
        let loaded = load::load_rules(&Request { ruleset: ruleset.to_owned(), ..Request::default() });
        load::editions(&loaded.numbers)
    };
    let mut names = vec![game.to_owned()];
    names.extend(editions(game).into_iter().map(|edition| format!("{game}:{edition}")));
    for variant in load::variants(game) {
        let name = format!("{game}:{variant}");
        let editions = editions(&name);
        names.push(name.clone());
        names.extend(editions.into_iter().map(|edition| format!("{name}+{edition}")));
    }
    names
}

/// The same rules, whatever the order of variants and editions.
fn is_same(one: &str, other: &str) -> bool {
    let sorted = |ruleset| {
        let (game, mut parts) = parts_of(ruleset);
        parts.sort_unstable();
        (game, parts)
    };
    sorted(one) == sorted(other)
}

/// Is the whole game legal?
pub(super) fn fits(judged: &Judged) -> bool {
    judged.faults.is_empty() && !judged.findings.iter().any(Finding::is_illegal)
}

/// The closest of what was tried, each with one ruling or option changed. What is set by the log, or by who asks,
/// stays. If something fits already, the first that does is the closest.
pub(super) fn changed(tried: &[Tried], log: &Log, by: &By) -> Vec<Candidate> {
    let judged = || tried.iter().filter(|one| one.judged.faults.is_empty());
    let furthest = judged().map(|one| one.judged.entries).max().unwrap_or(0);
    let closest: Vec<&Tried> = match judged().find(|one| fits(&one.judged)) {
        Some(fitting) => vec![fitting],
        None => judged().filter(|one| one.judged.entries == furthest).collect(),
    };
    let set = |path: &str| {
        let by_who_asks = by.settings.iter().filter_map(|setting| setting.split_once('='));
        log.settings.iter().any(|setting| setting.key == path)
            || by_who_asks.into_iter().any(|(key, _)| key.trim() == path)
    };
    let (mut seen, mut found) = (Vec::new(), Vec::new());
    for one in closest {
        let Some(rules) = &one.rules else { continue };
        let readings = other_readings(&rules.checked.bound);
        // An edition that only says what is so anyway gives the same candidates again.
        let what = (rules.loaded.rules_hash(), readings.clone());
        if seen.contains(&what) {
            continue;
        }
        seen.push(what);
        for (path, values) in readings.into_iter().filter(|(path, _)| !set(path)) {
            found.extend(values.into_iter().map(|value| Candidate {
                ruleset: one.candidate.ruleset.clone(),
                change: Some(format!("{path}={value}")),
                own: false,
            }));
        }
    }
    found
}
