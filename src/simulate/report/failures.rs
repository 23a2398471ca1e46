//! Games with a runtime error, as a report has them, and where in a report they stand.

use serde::{Deserialize, Serialize};

use super::{Figures, Report};

/// Games with a runtime error. They count for nothing else.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Failures {
    /// How many.
    pub games: u64,
    /// The one with the lowest number.
    pub first: Option<Failure>,
}

/// A game with a runtime error.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    /// Its number.
    pub game: u64,
    /// What happened.
    pub message: String,
    /// The rule in which it happened: file and line.
    pub place: Option<String>,
    /// How many entries the game has.
    pub entries: u64,
    /// Its log; the last entry may be the one that led to the error.
    pub log: String,
    /// The shortest game that was found with the same error.
    pub shortest: Option<ShortLog>,
}

/// A shortened game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShortLog {
    /// How many entries it has.
    pub entries: u64,
    /// Its log.
    pub log: String,
    /// How short it is: `shortest`, `minimal` or `unproved`.
    pub proof: String,
    /// Positions that were searched.
    pub positions: u64,
}

impl Failures {
    /// Both together; the first is the one with the lower number. False if there are too many to count.
    pub(super) fn add(&mut self, other: &Self) -> bool {
        let Some(games) = self.games.checked_add(other.games) else { return false };
        self.games = games;
        let first = self.first.iter().chain(&other.first).min_by_key(|failure| failure.game).cloned();
        self.first = first;
        true
    }
}

/// A set of games of a report.
#[derive(Debug, Clone)]
pub struct Games<'r> {
    /// What it is called: nothing, `base`, `changed`, or the change.
    pub name: String,
    /// Where it stands in the report, key by key.
    pub path: Vec<String>,
    /// Those that failed.
    pub failures: &'r Failures,
    /// What came of the others, if the report has it.
    pub figures: Option<&'r Figures>,
}

impl Report {
    /// All sets of games that a report has, the base first.
    #[must_use]
    pub fn games(&self) -> Vec<Games<'_>> {
        let of = |name: &str, path: &[&str], figures| games(name.to_owned(), path, figures);
        match self {
            Self::Simulation(report) => vec![of("", &[], &report.figures)],
            Self::Comparison(report) => {
                vec![of("base", &["base"], &report.base), of("changed", &["changed"], &report.changed)]
            }
            Self::Sweep(report) => {
                let points = report.points.iter().enumerate().filter_map(|(at, point)| {
                    let name = format!("{}={}", report.key, point.value);
                    Some(games(name, &["points", &at.to_string(), "figures"], point.figures.as_ref()?))
                });
                std::iter::once(of("base", &["base"], &report.base)).chain(points).collect()
            }
            Self::Sensitivity(report) => {
                let nudges = report.nudges.iter().enumerate().map(|(at, nudge)| Games {
                    name: format!("{}={}", nudge.key, nudge.to),
                    path: vec!["nudges".to_owned(), at.to_string()],
                    failures: &nudge.failures,
                    figures: None,
                });
                std::iter::once(of("base", &["base"], &report.base)).chain(nudges).collect()
            }
        }
    }

    /// Did a game fail, or break an invariant?
    #[must_use]
    pub fn has_failures(&self) -> bool {
        let faults = match self {
            Self::Simulation(_) | Self::Comparison(_) => Vec::new(),
            Self::Sweep(report) => report.points.iter().filter_map(|point| point.fault.as_ref()).collect(),
            Self::Sensitivity(report) => report.nudges.iter().filter_map(|nudge| nudge.fault.as_ref()).collect(),
        };
        faults.iter().any(|fault| fault.game.is_some()) || self.games().iter().any(|games| games.failures.games > 0)
    }

    /// Is there a base, or a change that everything is about, of which every game failed?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        let empty = |figures: &Figures| figures.games == 0 && figures.failures.games > 0;
        match self {
            Self::Simulation(report) => empty(&report.figures),
            Self::Comparison(report) => empty(&report.base) || empty(&report.changed),
            Self::Sweep(report) => empty(&report.base),
            Self::Sensitivity(report) => empty(&report.base),
        }
    }
}

fn games<'r>(name: String, path: &[&str], figures: &'r Figures) -> Games<'r> {
    let path = path.iter().map(|&key| key.to_owned()).collect();
    Games { name, path, failures: &figures.failures, figures: Some(figures) }
}
