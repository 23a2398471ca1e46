//! `ludex simulate`

mod logs;
mod show;

use std::io;
use std::path::PathBuf;

use clap::Args;

use super::game::{cannot_go_on, chosen, compiled};
use super::play::{known_agent, seat_called, settings};
use super::{Exit, Format, Output, RulesetArgs};
use crate::check::Checked;
use crate::examples;
use crate::judge::{self, Limits, Short};
use crate::load::Loaded;
use crate::log::{Log, Seat};
use crate::machine::Program;
use crate::play::seat_names;
use crate::simulate::{Broken, Halted, Keep, Plan, Why, run};

/// Play many games at random, and say what came of them
///
/// Each game has a generator of its own, made from the seed and the number of the game, so that results do
/// not depend on the number of threads.
#[derive(Debug, Args)]
pub(super) struct SimulateArgs {
    #[command(flatten)]
    ruleset: RulesetArgs,

    /// How many games
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    games: u64,

    /// Number of players; the fewest if not said
    #[arg(long, value_name = "N")]
    players: Option<u32>,

    /// What chance and random agents are decided by
    #[arg(long, value_name = "S")]
    seed: Option<u64>,

    /// Who plays: every seat, or a seat that is named or counted from 1; the only agent so far is `random`
    #[arg(long = "agent", value_name = "AGENT|SEAT=AGENT")]
    agents: Vec<String>,

    /// Play on so many threads; as many as there are cores by default
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,

    /// Cut a game off after so many entries
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(1..))]
    most_entries: u64,

    /// Ask after every entry whether the invariants of the ruleset hold; stop at the first game that breaks one
    #[arg(long)]
    check_invariants: bool,

    /// Write a log of each game into this folder
    #[arg(long, value_name = "DIR")]
    logs: Option<PathBuf>,

    /// Overwrite logs that are there already
    #[arg(long, requires = "logs")]
    force: bool,
}

/// What stays the same over all games.
struct Table<'a> {
    args: &'a SimulateArgs,
    loaded: &'a Loaded,
    checked: &'a Checked,
    program: &'a Program,
    seed: u64,
    /// The head of every log.
    head: Log,
}

pub(super) fn simulate(args: &SimulateArgs, output: &mut Output<'_>) -> io::Result<Exit> {
    let name = &args.ruleset.ruleset;
    let Some((loaded, checked)) = chosen(name, &args.ruleset.changes, args.players, output)? else {
        return Ok(Exit::NoVerdict);
    };
    let seats = seat_names(&checked.bound);
    let ready = agents(&args.agents, &seats).and_then(|agents| logs::prepare(args, &checked).map(|()| agents));
    let agents = match ready {
        Ok(agents) => agents,
        Err((message, help)) => {
            output.failure(&message, &help)?;
            return Ok(Exit::NoVerdict);
        }
    };
    let Some(program) = compiled(&checked, &loaded.sources, output)? else { return Ok(Exit::NoVerdict) };
    let head = Log {
        game: name.clone(),
        rules: Some(loaded.rules_hash()),
        seats: seats.into_iter().zip(agents).map(|(name, who)| Seat { name, who: Some(who) }).collect(),
        settings: settings(&args.ruleset.changes.settings),
        ..Log::default()
    };
    let seed = args.seed.unwrap_or(output.environment.entropy);
    let table = Table { args, loaded: &loaded, checked: &checked, program: &program, seed, head };
    table.play(output)
}

impl Table<'_> {
    fn play(&self, output: &mut Output<'_>) -> io::Result<Exit> {
        let plan = Plan {
            games: self.args.games,
            seed: self.seed,
            most_entries: self.args.most_entries,
            check_invariants: self.args.check_invariants,
            jobs: self.args.jobs.map_or_else(examples::cores, usize::from),
        };
        let folder = self.args.logs.as_deref();
        let keep = folder.map(|folder| move |game, playout: &_| self.keep(folder, game, playout));
        let keep = keep.as_ref().map(|keep| keep as &Keep<'_>);
        let all = plan.games;
        let ran = run(self.program, plan, keep, &mut |done| output.progress(&format!("{done} of {all} games")));
        output.progress_ends()?;
        match ran {
            Ok((tally, spent)) => show::show(self, &tally, spent, output),
            Err(Halted::Broken(broken)) => self.broken(&broken, output),
            Err(Halted::Io(error)) if error.kind() == io::ErrorKind::BrokenPipe => Err(error),
            Err(Halted::Io(error)) => {
                output.failure(
                    &format!("cannot go on: {error}"),
                    "is there room for the logs? Those that are there are whole",
                )?;
                Ok(Exit::NoVerdict)
            }
        }
    }

    /// A game shows a fault of the ruleset: it is told with its log, so that it can be played again.
    fn broken(&self, broken: &Broken, output: &mut Output<'_>) -> io::Result<Exit> {
        let (text, _) = self.log(broken.game, &broken.playout);
        let (game, entries) = (broken.game, broken.playout.entries.len());
        let invariant = match &broken.why {
            Why::Trouble(trouble) => {
                let exit = cannot_go_on(&self.loaded.sources, trouble, output)?;
                output.note(format!("this was game {game} of seed {}, after {entries} entries:", self.seed))?;
                if output.format != Format::Json {
                    output.result(text)?;
                }
                return Ok(exit);
            }
            Why::Invariant(number) => self.checked.bound.invariants.get(*number),
        };
        let short = self.shortest(broken);
        let name = invariant.map_or("?", |invariant| invariant.name.as_str());
        if output.format == Format::Json {
            let object = serde_json::json!({
                "ludex": 1, "kind": "violation", "ruleset": self.args.ruleset.ruleset, "invariant": name,
                "seed": self.seed.to_string(), "game": game, "entries": entries, "log": text,
                "shortest": short.as_ref().map(|short| serde_json::json!({
                    "entries": short.lines.len(), "log": short.log(&self.head), "proof": short.proof.word(),
                    "positions": short.positions,
                })),
            });
            output.line(object.to_string())?;
            return Ok(Exit::Negative);
        }
        let place = invariant.and_then(|invariant| {
            let source = self.loaded.sources.get(invariant.span.file)?;
            Some(format!(" ({}:{})", source.name(), source.place_of(invariant.span.start).line))
        });
        output.line(format!(
            "# invariant `{name}`{} does not hold after entry {entries} of game {game}, seed {}",
            place.unwrap_or_default(),
            self.seed
        ))?;
        let Some(short) = short.filter(|short| short.lines.len() < entries) else {
            output.result(text)?;
            return Ok(Exit::Negative);
        };
        output
            .line(format!("# the shortest game found that breaks it has {} of {entries} entries", short.lines.len()))?;
        output.result(short.log(&self.head))?;
        Ok(Exit::Negative)
    }

    /// The shortest game that breaks the same invariant.
    fn shortest(&self, broken: &Broken) -> Option<Short> {
        let Why::Invariant(number) = broken.why else { return None };
        let entries = &broken.playout.entries;
        judge::shortest_violation(&self.checked.bound, self.program, entries, number, Limits::default())
    }
}

/// Who plays each seat.
fn agents(said: &[String], seats: &[String]) -> Result<Vec<String>, (String, String)> {
    let mut agents = vec!["random".to_owned(); seats.len()];
    for text in said {
        match text.split_once('=') {
            None => {
                known_agent(text)?;
                agents.fill(text.clone());
            }
            Some((seat, agent)) => {
                let at = seat_called(seat, seats)?;
                known_agent(agent)?;
                if let Some(place) = agents.get_mut(at) {
                    agent.clone_into(place);
                }
            }
        }
    }
    Ok(agents)
}
