//! Which agents there are, and what they are called.

use std::fmt;

use crate::bind::Bound;
use crate::limits::ITERATIONS;
use crate::machine::Program;
use crate::report::suggest;

/// What is said beside a wrong name.
const KNOWN: &str = "the agents: random, greedy, mcts:N (such as mcts:500)";

/// A way of playing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Agent {
    /// Every legal entry alike.
    #[default]
    Random,
    /// What gives the best score at once.
    Greedy,
    /// Tree search with so many iterations for each decision.
    Mcts(u32),
}

impl Agent {
    /// The agent with this name; a message and a way out if there is none.
    pub fn parse(text: &str) -> Result<Self, (String, String)> {
        match text.split_once(':') {
            None if text == "random" => Ok(Self::Random),
            None if text == "greedy" => Ok(Self::Greedy),
            None if text == "mcts" => {
                Err(("`mcts` does not say how many iterations".to_owned(), "write `mcts:500`, for example".to_owned()))
            }
            Some(("mcts", count)) => {
                let plain = count.bytes().all(|byte| byte.is_ascii_digit()) && !count.starts_with('0');
                let count = count.parse::<u32>().ok().filter(|count| plain && (1..=ITERATIONS).contains(count));
                count.map(Self::Mcts).ok_or_else(|| {
                    (
                        format!("`{text}` has no number of iterations from 1 to {ITERATIONS}"),
                        "write `mcts:500`, for example".to_owned(),
                    )
                })
            }
            found => {
                // What stands behind the colon is not what is misspelt.
                let (name, count) = found.unwrap_or((text, "500"));
                let near = match suggest::nearest(name, ["mcts"]).first() {
                    Some(mcts) => Some(format!("did you mean `{mcts}:{count}`?")),
                    None => suggest::did_you_mean(name, ["random", "greedy"]),
                };
                Err((format!("there is no agent `{text}`"), near.unwrap_or_else(|| KNOWN.to_owned())))
            }
        }
    }

    /// Can it play by these rules, and their program? A message and a way out if not.
    pub fn fits(self, bound: &Bound, program: &Program) -> Result<(), (String, String)> {
        if self == Self::Random || (program.score.is_some() && program.winner.is_some()) {
            return Ok(());
        }
        Err((
            format!("`{self}` needs a score and a winner to go by, and {} does not have both", bound.title),
            "let `random` play, or add `score` and `winner`".to_owned(),
        ))
    }
}

impl fmt::Display for Agent {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Random => write!(out, "random"),
            Self::Greedy => write!(out, "greedy"),
            Self::Mcts(count) => write!(out, "mcts:{count}"),
        }
    }
}
