//! `ludex simulate`: the arguments, and one set of games

mod columns;
mod compared;
mod failures;
mod flags;
mod logs;
mod nudges;
mod pace;
mod show;
mod sweep;
mod told;
mod variant;
mod versus;
mod work;

use std::io;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use clap::Args;

use super::game::{cannot_go_on, chosen, compiled_for};
use super::page::PageFile;
use super::play::{seat_called, settings};
use super::{Exit, Format, Output, RulesetArgs};
use crate::agent::Agent;
use crate::bind::Bound;
use crate::check::Checked;
use crate::judge::{self, Limits, Short};
use crate::load::{Loaded, Request};
use crate::log::{Log, Seat};
use crate::machine::Program;
use crate::play::seat_names;
use crate::simulate::report::{Report, Shard, Simulation};
use crate::simulate::{self, Broken, Halted, Keep, Rules, Until, Why};

/// Play many games, and say what came of them
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

    /// What chance and agents are decided by
    #[arg(long, value_name = "S")]
    seed: Option<u64>,

    /// Who plays, in every seat or in one that is named or counted from 1: `random`, `greedy`, `mcts:N`
    #[arg(long = "agent", value_name = "AGENT|SEAT=AGENT")]
    agents: Vec<String>,

    /// Play on so many threads; as many as there are cores by default
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,

    /// Cut a game off after so many entries
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(1..))]
    most_entries: u64,

    /// Look closely at the first N games, as far as about a second of work goes: what was legal, who was ahead, where
    /// points come from
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u64).range(..=1_000_000))]
    look: u64,

    /// Change a number, option or ruling, and compare with the games without the change; several are one change
    #[arg(long = "versus", value_name = "KEY=VALUE", conflicts_with_all = ["sweep", "sensitivity"])]
    versus: Vec<String>,

    /// The same, with a TOML file that is laid over the numbers
    #[arg(long = "versus-overlay", value_name = "FILE", conflicts_with_all = ["sweep", "sensitivity"])]
    versus_overlays: Vec<PathBuf>,

    /// Compare until the intervals of all seats' win shares are no wider than this; also `score=W`, `margin=W`, `length=W`
    #[arg(long, value_name = "[MEASURE=]WIDTH")]
    until: Option<String>,

    /// Try a number at several values: `KEY=2..6`, `KEY=2..10 step 2`; or a ruling: `KEY=one,other`
    #[arg(long, value_name = "KEY=VALUES", conflicts_with = "sensitivity")]
    sweep: Option<String>,

    /// Change every number by one, up and down, and say which matter most
    #[arg(long)]
    sensitivity: bool,

    /// Play only the I-th of N parts of the games; `ludex report merge` puts the reports of all parts together
    #[arg(long, value_name = "I/N")]
    shard: Option<String>,

    /// Ask after every entry whether the invariants of the ruleset hold; stop at the first game that breaks one
    #[arg(long)]
    check_invariants: bool,

    /// Write a log of each game into this folder
    #[arg(long, value_name = "DIR", conflicts_with_all = ["versus", "versus_overlays", "sweep", "sensitivity"])]
    logs: Option<PathBuf>,

    /// Write what came of it as a page for a browser, too
    #[arg(long, value_name = "FILE.html")]
    report: Option<PathBuf>,

    /// Overwrite logs, or a page, that are there already
    #[arg(long)]
    force: bool,
}

use pace::Pace;
pub(super) use told::Told;
use told::overlays;
use variant::Variant;
use work::work;

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
    shard: Option<Shard>,
    /// What rulesets are compiled for: see [`work`].
    work: (u64, usize),
    /// The head of every log.
    head: Log,
}

pub(super) fn simulate(args: &SimulateArgs, output: &mut Output<'_>) -> io::Result<Exit> {
    let name = &args.ruleset.ruleset;
    let page = PageFile { file: args.report.as_deref(), force: args.force };
    let job = match Job::of(args).and_then(|job| page.prepare().map(|()| job)) {
        Ok(job) => job,
        Err((message, help)) => {
            output.failure(&message, &help)?;
            return Ok(Exit::NoVerdict);
        }
    };
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
    let shard = job.shard;
    let work = work(args, shard, &agents);
    let Some(program) = compiled_for(&checked, &loaded.sources, work, output)? else { return Ok(Exit::NoVerdict) };
    let head = Log {
        game: loaded.log_name(),
        rules: Some(loaded.rules_hash()),
        seats: seats.into_iter().zip(&agents).map(|(name, who)| Seat { name, who: Some(who.to_string()) }).collect(),
        settings: settings(&args.ruleset.changes.settings),
        ..Log::default()
    };
    let seed = args.seed.unwrap_or(output.environment.entropy);
    let table = Table { args, loaded: &loaded, checked: &checked, program: &program, seed, agents, shard, work, head };
    if let Some(exit) = table.misfits(&checked.bound, &program, output)? {
        return Ok(exit);
    }
    let stop = output.environment.interrupt.map(|listen| listen());
    let stop = stop.as_deref();
    match job.what {
        What::Games => table.play(stop, output),
        What::Versus(until) => table.versus(until.as_ref(), stop, output),
        What::Sweep(key, values) => table.sweep(&key, &values, stop, output),
        What::Sensitivity => table.sensitivity(stop, output),
    }
}

/// What is asked for, as far as it can be known without the rules.
struct Job {
    shard: Option<Shard>,
    what: What,
}

enum What {
    Games,
    Versus(Option<Until>),
    Sweep(String, Vec<String>),
    Sensitivity,
}

impl Job {
    fn of(args: &SimulateArgs) -> Result<Self, flags::Wrong> {
        let shard = args.shard.as_deref().map(flags::shard).transpose()?;
        let until = args.until.as_deref().map(flags::until).transpose()?;
        let versus = !args.versus.is_empty() || !args.versus_overlays.is_empty();
        if args.force && args.logs.is_none() && args.report.is_none() {
            return Err((
                "`--force` has nothing to overwrite".to_owned(),
                "it goes with `--logs DIR` and `--report FILE.html`".to_owned(),
            ));
        }
        if until.is_some() && !versus {
            return Err((
                "`--until` waits for a comparison, and there is none".to_owned(),
                "say what to compare with `--versus KEY=VALUE`".to_owned(),
            ));
        }
        if until.is_some() && shard.is_some() {
            return Err((
                "a shard does not know when all shards together are narrow enough".to_owned(),
                "leave out `--until`, or play in one place".to_owned(),
            ));
        }
        let what = match &args.sweep {
            _ if versus => What::Versus(until),
            Some(text) => {
                let (key, values) = flags::sweep(text)?;
                What::Sweep(key, values)
            }
            None if args.sensitivity => What::Sensitivity,
            None => What::Games,
        };
        Ok(Self { shard, what })
    }
}

impl Table<'_> {
    fn play(&self, stop: Option<&AtomicBool>, output: &mut Output<'_>) -> io::Result<Exit> {
        let folder = self.args.logs.as_deref();
        let keep = folder.map(|folder| move |game, playout: &_| self.keep(folder, game, playout));
        let keep = keep.as_ref().map(|keep| keep as &Keep<'_>);
        let tables = [self.table()];
        let part = self.part(stop);
        let mut pace = Pace::new("games", part.places.end);
        let played = simulate::play(&tables, self.plan(), &part, keep, &mut |done| pace.tell(done, output));
        output.progress_ends()?;
        let figures = played.and_then(|played| {
            let sums = played.tables.first().ok_or(Halted::Overflow)?;
            let [table] = &tables;
            Ok((played.games < part.places.end, table.figures(sums)?, sums.failures.clone()))
        });
        let (interrupted, mut figures, failures) = match figures {
            Ok(figures) => figures,
            Err(halted) => return self.halted(halted, output),
        };
        figures.failures = self.failures(&failures, output)?;
        let head = self.report_head(interrupted, output);
        self.told(Report::Simulation(Box::new(Simulation { head, figures }))).tell(output)
    }

    /// Where the games are played.
    fn table(&self) -> simulate::Table<'_> {
        let rules = Rules { checked: self.checked, sources: &self.loaded.sources };
        simulate::Table { program: self.program, rules: Some(rules), agents: self.agents.clone() }
    }

    /// The same with a change.
    fn with<'v>(&'v self, variant: &'v Variant, changes: &[String]) -> Table<'v> {
        let mut all = self.args.ruleset.changes.settings.clone();
        all.extend_from_slice(changes);
        Table {
            args: self.args,
            loaded: &variant.loaded,
            checked: &variant.checked,
            program: &variant.program,
            seed: self.seed,
            agents: self.agents.clone(),
            shard: self.shard,
            work: self.work,
            head: Log { settings: settings(&all), ..self.head.clone() },
        }
    }

    /// What was loaded.
    fn request(&self) -> Request {
        self.args.ruleset.changes.request(&self.args.ruleset.ruleset)
    }

    /// Says so if an agent cannot play by these rules.
    fn misfits(&self, bound: &Bound, program: &Program, output: &mut Output<'_>) -> io::Result<Option<Exit>> {
        let Some((message, help)) = self.agents.iter().find_map(|agent| agent.fits(bound, program).err()) else {
            return Ok(None);
        };
        output.failure(&message, &help)?;
        Ok(Some(Exit::NoVerdict))
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
                let exit = cannot_go_on((self.loaded, &self.checked.bound), trouble, output)?;
                output.note(format!("this was game {game} of seed {}, at entry {entries}:", self.seed))?;
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

#[cfg(test)]
mod failing;
#[cfg(test)]
mod tests;
