//! `ludex play`

mod table;

use std::io;
use std::path::PathBuf;

use clap::Args;

use super::game::{cannot_go_on, chosen, compiled};
use super::save::{folder_of, sweep};
use super::{Exit, Output, RulesetArgs};
use crate::agent::{Agent, Player};
use crate::bind::{self, Bound};
use crate::log::{Log, Seat, Setting};
use crate::machine::Program;
use crate::play::{Random, Session};
use crate::report::{Span, clean_path, suggest};

use table::Table;

/// Play in the terminal, against people or agents
#[derive(Debug, Args)]
pub(super) struct PlayArgs {
    #[command(flatten)]
    ruleset: RulesetArgs,

    /// Number of players; the fewest if not said
    #[arg(long, value_name = "N")]
    players: Option<u32>,

    /// Let an agent play a seat, named or counted from 1: `random`, `greedy`, or `mcts:N` with N iterations a decision
    #[arg(long = "bot", value_name = "SEAT=AGENT")]
    bots: Vec<String>,

    /// What chance and agents are decided by
    #[arg(long, value_name = "S")]
    seed: Option<u64>,

    /// Save the game here when it ends or is left
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
}

pub(super) fn play(args: &PlayArgs, output: &mut Output<'_>) -> io::Result<Exit> {
    if let Some((message, help)) = cannot_save(args) {
        output.failure(&message, &help)?;
        return Ok(Exit::NoVerdict);
    }
    let name = &args.ruleset.ruleset;
    let Some((loaded, checked)) = chosen(name, &args.ruleset.changes, args.players, output)? else {
        return Ok(Exit::NoVerdict);
    };
    let Some(program) = compiled(&checked, &loaded.sources, output)? else { return Ok(Exit::NoVerdict) };
    let session = match Session::new(&checked, &program) {
        Ok(session) => session,
        Err(trouble) => return cannot_go_on((&loaded, &checked.bound), &trouble, output),
    };
    let seats = session.seats();
    let agents = match agents(&args.bots, &seats, (&checked.bound, &program)) {
        Ok(agents) => agents,
        Err((message, help)) => {
            output.failure(&message, &help)?;
            return Ok(Exit::NoVerdict);
        }
    };
    let seed = args.seed.unwrap_or(output.environment.entropy);
    let log = Log {
        game: loaded.log_name(),
        rules: Some(loaded.rules_hash()),
        seats: seats.iter().zip(&agents).map(|(name, who)| seat_of(name, *who)).collect(),
        settings: settings(&args.ruleset.changes.settings),
        seed: Some(seed),
        ..Log::default()
    };
    let mut faults = Vec::new();
    let items = bind::effective(&loaded.layers, &mut faults);
    let choice = bind::Choice { players: Some(checked.bound.players.count), numbers: &loaded.numbers };
    let mut table = Table {
        session,
        notation: bind::Notation::new(&items, choice, seats),
        loaded: &loaded,
        bots: agents.iter().map(|agent| agent.map(|agent| Player::new(agent, &checked.bound, &program))).collect(),
        random: Random::new(seed),
        hints: Random::new(!seed),
        before: Vec::new(),
        told: Vec::new(),
        viewer: None,
        log,
        file: args.log.clone(),
    };
    table.play(output)
}

/// Why a log could not be saved later: better said before the game than after it.
fn cannot_save(args: &PlayArgs) -> Option<(String, String)> {
    let file = args.log.as_ref()?;
    let shown = clean_path(file);
    if !args.ruleset.changes.overlays.is_empty() {
        return Some((
            "a log cannot say what an overlay changes".to_owned(),
            "use `--set` for each number, or leave out `--log`".to_owned(),
        ));
    }
    if file.exists() {
        return Some((format!("`{shown}` is there already"), "choose another name, or delete it first".to_owned()));
    }
    if !folder_of(file).is_dir() {
        return Some((
            format!("there is no folder `{}`", clean_path(folder_of(file))),
            "make it first, or save the game elsewhere".to_owned(),
        ));
    }
    sweep(folder_of(file));
    None
}

/// Who plays each seat: an agent, or a person.
fn agents(
    bots: &[String],
    seats: &[String],
    (bound, program): (&Bound, &Program),
) -> Result<Vec<Option<Agent>>, (String, String)> {
    let mut agents = vec![None; seats.len()];
    for bot in bots {
        let Some((seat, agent)) = bot.split_once('=') else {
            return Err((
                format!("`{bot}` names no agent"),
                "write `--bot SEAT=AGENT`, such as `--bot 2=random`".to_owned(),
            ));
        };
        let at = seat_called(seat, seats)?;
        let agent = Agent::parse(agent)?;
        agent.fits(bound, program)?;
        if let Some(place) = agents.get_mut(at) {
            *place = Some(agent);
        }
    }
    Ok(agents)
}

fn seat_of(name: &str, agent: Option<Agent>) -> Seat {
    Seat { name: name.to_owned(), who: agent.map(|agent| agent.to_string()) }
}

/// The seat with this name or number.
pub(super) fn seat_called(seat: &str, seats: &[String]) -> Result<usize, (String, String)> {
    let counted = seat.parse::<usize>().ok().and_then(|at| at.checked_sub(1)).filter(|at| *at < seats.len());
    seats.iter().position(|known| known == seat).or(counted).ok_or_else(|| {
        let near = suggest::did_you_mean(seat, seats.iter().map(String::as_str));
        (format!("there is no seat `{seat}`"), near.unwrap_or_else(|| format!("the seats: {}", seats.join(", "))))
    })
}

/// `--set key=value`, as a log writes it; of several for one key the last counts.
pub(super) fn settings(texts: &[String]) -> Vec<Setting> {
    let mut found: Vec<Setting> = Vec::new();
    for (key, value) in texts.iter().filter_map(|text| text.split_once('=')) {
        let (key, value) = (key.trim().to_owned(), value.trim().trim_matches('"').to_owned());
        found.retain(|setting| setting.key != key);
        found.push(Setting { key, value, span: Span::default() });
    }
    found
}
