//! What one set of games came to.

use serde::{Deserialize, Serialize};

use super::Failures;
use crate::statistics::{Interval, Spread, text};

/// One set of games. Lengths, scores, shares and margins are of games that ended.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Figures {
    /// Games that were played, without those that failed.
    pub games: u64,
    /// Games with a runtime error.
    #[serde(default)]
    pub failures: Failures,
    /// Entries of players and of chance, in all of them.
    pub entries: u64,
    /// Games that were cut off.
    pub unfinished: u64,
    /// Games that several seats win together.
    pub draws: u64,
    /// Games that nobody wins.
    pub no_winner: u64,
    /// Entries of a game.
    pub length: Spread,
    /// Points between the first and the second; nothing counted with one seat.
    pub margin: Spread,
    /// Parts that a game won alone counts; who wins with others gets as many parts of it.
    pub share_unit: u64,
    /// By seat.
    pub seats: Vec<SeatFigures>,
    /// By action in the order of the rules, `pass` last if it was ever possible.
    pub actions: Vec<ActionFigures>,
    /// The first games, looked at closely.
    pub look: Look,
    /// Options that might as well not be there.
    pub dead: Vec<Dead>,
    /// Options that agents avoid.
    pub dominated: Vec<Dominated>,
    /// What to know before anything is read, in words.
    #[serde(default)]
    pub warnings: Vec<String>,
    /// CPU time of the playing threads.
    pub cpu_seconds: f64,
    /// Games for each second of it.
    pub playouts_per_second: Option<f64>,
    /// Entries for each second of it.
    pub entries_per_second: Option<f64>,
}

/// One seat.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct SeatFigures {
    /// Its name.
    pub seat: String,
    /// Who plays.
    pub agent: String,
    /// Games that it wins alone.
    pub wins: u64,
    /// Games that it wins with others.
    pub shared: u64,
    /// The part of the games that it wins alone.
    pub win_share: Option<f64>,
    /// Parts of games that it wins, in units of `share_unit`.
    pub share_parts: u64,
    /// The part of the games that it wins, with its part of those that it wins with others.
    pub share: Option<Interval>,
    /// The mean of its scores.
    pub mean_score: Option<f64>,
    /// Its scores.
    pub score: Spread,
    /// Decisions between two legal entries or more, if an agent plays that judges: any but `random`.
    #[serde(default)]
    pub choices: u64,
    /// Those that it made as chance would.
    #[serde(default)]
    pub by_chance: u64,
    /// The part that these are of its decisions.
    #[serde(default)]
    pub by_chance_share: Option<f64>,
}

/// One action, or passing.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct ActionFigures {
    /// Its name.
    pub action: String,
    /// What it is, in the words of the rules.
    pub title: Option<String>,
    /// How often it was chosen, in all games.
    pub chosen: u64,
    /// That part of everything that players chose.
    pub chosen_share: Option<f64>,
    /// Of the decisions looked at: where the flow offers it.
    pub offered: u64,
    /// Where its price could be paid.
    pub affordable: u64,
    /// Where it was legal.
    pub legal: u64,
    /// Where it was chosen.
    pub taken: u64,
    /// The same, by agents that judge: all but random ones.
    pub judged: u64,
    /// How often chance would have chosen it for them, each legal entry alike, in billionths.
    pub judged_by_chance: u64,
    /// The part of the decisions where it was legal.
    pub legal_share: Option<f64>,
    /// The part of the decisions that offer it where its price could be paid.
    pub affordable_share: Option<f64>,
    /// The part of the decisions where it was legal in which it was chosen.
    pub taken_share: Option<f64>,
    /// How often agents that judge choose it, for once by chance; nothing if none of them judges.
    pub liking: Option<f64>,
}

/// The first games, looked at closely.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Look {
    /// How many games.
    pub games: u64,
    /// Games that were to be looked at and were not, because the work was used up.
    #[serde(default)]
    pub skipped: u64,
    /// Games in which the look met a runtime error: a move that nobody chose cannot be carried out.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub stumbled: u64,
    /// What went wrong in the first of these.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stumble: Option<String>,
    /// CPU time of looking.
    #[serde(default)]
    pub cpu_seconds: f64,
    /// How often players were asked in them.
    pub decisions: u64,
    /// How many entries were legal, in all decisions.
    pub legal_entries: u64,
    /// Legal entries at a decision.
    pub branching: Option<f64>,
    /// How often somebody else came to be ahead, in a game.
    pub lead_changes: Spread,
    /// Games among them that ended, whose points were taken apart.
    pub audited: u64,
    /// Where the points come from, the most first.
    pub sources: Vec<Source>,
    /// What was not spent.
    pub unspent: Vec<Unspent>,
}

/// A rule that gives points.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Source {
    /// `award`, `phase`, `action`, …
    pub kind: String,
    /// Its name.
    pub name: String,
    /// What it is, in the words of the rules.
    pub title: Option<String>,
    /// Points by seat, in all games looked at.
    pub points: Vec<Points>,
    /// Points in a game, by seat.
    pub means: Vec<Option<f64>>,
    /// The part that it is of all points that were gained.
    pub share: Option<f64>,
}

/// Points of a seat: what was gained and what was lost apart from each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Points {
    /// Above 0.
    #[serde(with = "text")]
    pub gained: i128,
    /// Below 0.
    #[serde(with = "text")]
    pub lost: i128,
}

/// Something that actions are paid from, and what was left of it.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Unspent {
    /// The name of the state.
    pub resource: String,
    /// `turn`: left when a turn ends, after which it is lost; `game`: left to a seat when the game ends.
    pub when: String,
    /// How much was left.
    pub left: Spread,
}

/// An option that might as well not be there.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Dead {
    /// Its name.
    pub action: String,
    /// `never offered`, `never legal` or `never chosen`.
    pub why: String,
    /// In so many decisions where it was offered; of `never chosen`, where it was legal.
    pub decisions: u64,
}

/// An option that agents avoid.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Dominated {
    /// Its name.
    pub action: String,
    /// How often agents that judge chose it.
    pub judged: u64,
    /// How often chance would have chosen it for them.
    pub by_chance: f64,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks so")]
fn is_zero(count: &u64) -> bool {
    *count == 0
}
