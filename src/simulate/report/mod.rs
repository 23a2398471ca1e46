//! What a simulation found, as one object: for programs, for pages, and for putting shards together.
//!
//! A report holds whole numbers that add up, and beside them what is worked out from these
//! (`derive.rs`): means, shares, intervals. Reports of shards are added number by number, and what follows is worked
//! out again (`merge.rs`), so that it does not matter whether games were played here or there.

mod derive;
mod difference;
mod failures;
mod figures;
mod head;
mod merge;

pub use difference::{Difference, Side};
pub use failures::{Failure, Failures, Games, ShortLog};
pub use figures::{ActionFigures, Dead, Dominated, Figures, Look, Points, SeatFigures, Source, Unspent};
pub use head::{Asked, Head, Overlay, Shard, VERSION};
pub use merge::{Mismatch, merge};

use serde::{Deserialize, Serialize};

/// A report of any kind.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Report {
    /// One set of games.
    Simulation(Box<Simulation>),
    /// The same games with a change of the rules.
    Comparison(Box<Comparison>),
    /// The same games with one number at several values.
    Sweep(Box<Sweep>),
    /// The same games with each number one up and one down.
    Sensitivity(Box<Sensitivity>),
}

/// One set of games.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Simulation {
    /// What was asked for.
    #[serde(flatten)]
    pub head: Head,
    /// What came of it.
    #[serde(flatten)]
    pub figures: Figures,
}

/// A change of the rules.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Change {
    /// `key=value`, in order.
    pub settings: Vec<String>,
    /// TOML files laid over the numbers.
    pub overlays: Vec<Overlay>,
}

/// The same games before and after a change: pairs by number, each with one seed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Comparison {
    /// What was asked for.
    #[serde(flatten)]
    pub head: Head,
    /// What was changed.
    pub change: Change,
    /// Who the statements are about: the agents, in words.
    pub about: String,
    /// Without the change.
    pub base: Figures,
    /// With it.
    pub changed: Figures,
    /// What it does, measure by measure.
    pub differences: Vec<Difference>,
    /// How it was decided when to stop, if it was.
    pub stopping: Option<Stopping>,
    /// How many statements the adjusted intervals are shared out to: measures, times looks.
    pub statements: u64,
}

/// Playing until an interval is narrow enough.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Stopping {
    /// The measure.
    pub measure: String,
    /// Wanted: no interval of it is wider than this.
    pub until: f64,
    /// Numbers of games after which it was, or would have been, looked at.
    pub looks: Vec<u64>,
    /// Was it narrow enough?
    pub reached: bool,
}

/// One number at several values.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Sweep {
    /// What was asked for.
    #[serde(flatten)]
    pub head: Head,
    /// The number.
    pub key: String,
    /// What it is without a change.
    pub value: String,
    /// Who the statements are about: the agents, in words.
    pub about: String,
    /// Without a change.
    pub base: Figures,
    /// Every value, in the order asked for.
    pub points: Vec<Point>,
    /// How many statements the adjusted intervals are shared out to.
    pub statements: u64,
}

/// Why a change cannot be played.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Fault {
    /// The first game in which it showed; nothing if the ruleset is broken by it.
    pub game: Option<u64>,
    /// What is wrong.
    pub message: String,
}

/// One value of a sweep.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// The value.
    pub value: String,
    /// Why it cannot be played.
    pub fault: Option<Fault>,
    /// What came of it.
    pub figures: Option<Figures>,
    /// Beside the base.
    pub differences: Vec<Difference>,
}

/// Every number one up and one down.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Sensitivity {
    /// What was asked for.
    #[serde(flatten)]
    pub head: Head,
    /// Who the statements are about: the agents, in words.
    pub about: String,
    /// Without a change.
    pub base: Figures,
    /// Changes, the greatest effect first; those that cannot be played at the end.
    pub nudges: Vec<Nudge>,
    /// Numbers that no rule of this game uses.
    pub unused: Vec<String>,
    /// How many statements the adjusted intervals are shared out to.
    pub statements: u64,
}

/// One number, changed by one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Nudge {
    /// The number, with its index if it has one: `cost.build`, `weight.clubs`.
    pub key: String,
    /// What it is.
    pub from: i64,
    /// What it was made.
    pub to: i64,
    /// Why that cannot be played.
    pub fault: Option<Fault>,
    /// Games that failed with it.
    #[serde(default)]
    pub failures: Failures,
    /// The greatest effect on any measure: the difference of its means, in deviations; 0 to 2.
    pub effect: Option<f64>,
    /// The measure that has it.
    pub most: Option<String>,
    /// Beside the base.
    pub differences: Vec<Difference>,
}

impl Report {
    /// What was asked for.
    #[must_use]
    pub fn head(&self) -> &Head {
        match self {
            Self::Simulation(report) => &report.head,
            Self::Comparison(report) => &report.head,
            Self::Sweep(report) => &report.head,
            Self::Sensitivity(report) => &report.head,
        }
    }

    /// The same, to be changed.
    pub fn head_mut(&mut self) -> &mut Head {
        match self {
            Self::Simulation(report) => &mut report.head,
            Self::Comparison(report) => &mut report.head,
            Self::Sweep(report) => &mut report.head,
            Self::Sensitivity(report) => &mut report.head,
        }
    }

    /// Its kind, as it stands in JSON.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Simulation(_) => "simulation",
            Self::Comparison(_) => "comparison",
            Self::Sweep(_) => "sweep",
            Self::Sensitivity(_) => "sensitivity",
        }
    }
}
