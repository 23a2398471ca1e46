//! `ludex simulate`: the arguments, and one set of games

mod columns;
mod logs;
mod show;

use std::io;
use std::path::PathBuf;

use clap::Args;

use super::game::{cannot_go_on, chosen, compiled};
use super::play::{seat_called, settings};
use super::{Exit, Format, Output, RulesetArgs};
use crate::agent::Agent;
use crate::check::Checked;
use crate::examples;
use crate::load::{Loaded, text_hash};
use crate::log::{Log, Seat};
use crate::machine::Program;
use crate::play::seat_names;
use crate::simulate::report::{Asked, Head, Overlay, Report, Simulation, VERSION};
use crate::simulate::{self, Broken, Halted, Keep, Part, Plan, Played, Rules, Why};
use crate::statistics::Overflow;

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

    /// Who plays: every seat, or a seat that is named or counted from 1: `random`, `greedy`, `mcts:N`
    #[arg(long = "agent", value_name = "AGENT|SEAT=AGENT")]
    agents: Vec<String>,

    /// Play on so many threads; as many as there are cores by default
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,

    /// Cut a game off after so many entries
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(1..))]
    most_entries: u64,

    /// Look closely at the first N games: what was legal, who was ahead, where points come from
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u64).range(..=1_000_000))]
    look: u64,

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

/// How often intervals contain what they are for.
const CONFIDENCE: f64 = 0.95;

/// What stays the same over all games.
struct Table<'a> {
    args: &'a SimulateArgs,
    loaded: &'a Loaded,
    checked: &'a Checked,
    program: &'a Program,
    seed: u64,
    agents: Vec<Agent>,
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
    if let Some((message, help)) = agents.iter().find_map(|agent| agent.fits(&checked.bound, &program).err()) {
        output.failure(&message, &help)?;
        return Ok(Exit::NoVerdict);
    }
    let head = Log {
        game: name.clone(),
        rules: Some(loaded.rules_hash()),
        seats: seats.into_iter().zip(&agents).map(|(name, who)| Seat { name, who: Some(who.to_string()) }).collect(),
        settings: settings(&args.ruleset.changes.settings),
        ..Log::default()
    };
    let seed = args.seed.unwrap_or(output.environment.entropy);
    let table = Table { args, loaded: &loaded, checked: &checked, program: &program, seed, agents, head };
    table.play(output)
}

impl Table<'_> {
    fn play(&self, output: &mut Output<'_>) -> io::Result<Exit> {
        let plan = self.plan();
        let folder = self.args.logs.as_deref();
        let keep = folder.map(|folder| move |game, playout: &_| self.keep(folder, game, playout));
        let keep = keep.as_ref().map(|keep| keep as &Keep<'_>);
        let table = self.table();
        let part = Part { places: 0..plan.games, shard: None, look: self.args.look, stop: None };
        let all = plan.games;
        let mut told = |done| output.progress(&format!("{done} of {all} games"));
        let played = simulate::play(std::slice::from_ref(&table), plan, &part, keep, &mut told);
        output.progress_ends()?;
        match played.and_then(|played| Ok(self.simulation(&table, &played, output.command.clone())?)) {
            Ok(report) => tell(&report, output),
            Err(halted) => self.halted(halted, output),
        }
    }

    fn plan(&self) -> Plan {
        Plan {
            games: self.args.games,
            seed: self.seed,
            most_entries: self.args.most_entries,
            check_invariants: self.args.check_invariants,
            jobs: self.args.jobs.map_or_else(examples::cores, usize::from),
        }
    }

    /// Where the games are played.
    fn table(&self) -> simulate::Table<'_> {
        let rules = Rules { checked: self.checked, sources: &self.loaded.sources };
        simulate::Table { program: self.program, rules: Some(rules), agents: self.agents.clone() }
    }

    /// What a report begins with.
    fn report_head(&self, command: Vec<String>) -> Head {
        Head {
            ludex: VERSION,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            command,
            ruleset: self.args.ruleset.ruleset.clone(),
            title: self.checked.bound.title.clone(),
            hash: format!("{:016x}", self.loaded.rules_hash()),
            settings: self.args.ruleset.changes.settings.clone(),
            overlays: overlays(&self.args.ruleset.changes.overlays, self.loaded),
            players: self.program.players,
            agents: self.agents.iter().map(ToString::to_string).collect(),
            seed: self.seed.to_string(),
            asked: Asked { games: self.args.games, most_entries: self.args.most_entries, look: self.args.look },
            shard: None,
            interrupted: false,
            invariants_checked: self.args.check_invariants,
            confidence: CONFIDENCE,
        }
    }

    fn simulation(
        &self,
        table: &simulate::Table<'_>,
        played: &Played,
        command: Vec<String>,
    ) -> Result<Report, Overflow> {
        let sums = played.tables.first().ok_or(Overflow)?;
        let figures = table.figures(sums)?;
        let mut report = Report::Simulation(Box::new(Simulation { head: self.report_head(command), figures }));
        report.derive();
        Ok(report)
    }

    /// Why there is nothing to report.
    fn halted(&self, halted: Halted, output: &mut Output<'_>) -> io::Result<Exit> {
        let (message, help) = match halted {
            Halted::Broken(broken) => return self.broken(&broken, output),
            Halted::Io(error) if error.kind() == io::ErrorKind::BrokenPipe => return Err(error),
            Halted::Io(error) => {
                (format!("cannot go on: {error}"), "is there room for the logs? Those that are there are whole")
            }
            Halted::Overflow => (
                "the sums of what these games came to are too large to be held".to_owned(),
                "play fewer games; are the scores as large as they should be?",
            ),
        };
        output.failure(&message, help)?;
        Ok(Exit::NoVerdict)
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
        let name = invariant.map_or("?", |invariant| invariant.name.as_str());
        if output.format == Format::Json {
            let object = serde_json::json!({
                "ludex": 1, "kind": "violation", "ruleset": self.args.ruleset.ruleset, "invariant": name,
                "seed": self.seed.to_string(), "game": game, "entries": entries, "log": text,
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
        output.result(text)?;
        Ok(Exit::Negative)
    }
}

/// A report in the format asked for.
fn tell(report: &Report, output: &mut Output<'_>) -> io::Result<Exit> {
    if output.format == Format::Json {
        output.line(serde_json::to_string(report).map_err(io::Error::other)?)?;
    } else if let Report::Simulation(report) = report {
        show::simulation(report, output)?;
    }
    Ok(Exit::Fine)
}

/// Files that were laid over the numbers, with the hashes of their texts.
fn overlays(files: &[PathBuf], loaded: &Loaded) -> Vec<Overlay> {
    let hash = |file: &str| {
        let source = loaded.sources.iter().find(|(_, source)| source.name() == file);
        source.map_or_else(String::new, |(_, source)| format!("{:016x}", text_hash(source.text())))
    };
    let files = files.iter().map(|file| file.display().to_string());
    files.map(|file| Overlay { hash: hash(&file), file }).collect()
}

/// Who plays each seat.
fn agents(said: &[String], seats: &[String]) -> Result<Vec<Agent>, (String, String)> {
    let mut agents = vec![Agent::Random; seats.len()];
    for text in said {
        match text.split_once('=') {
            None => agents.fill(Agent::parse(text)?),
            Some((seat, agent)) => {
                let at = seat_called(seat, seats)?;
                let agent = Agent::parse(agent)?;
                if let Some(place) = agents.get_mut(at) {
                    *place = agent;
                }
            }
        }
    }
    Ok(agents)
}
