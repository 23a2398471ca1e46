//! `ludex diff`

mod object;
mod show;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use clap::Args;

use super::game::chosen;
use super::save::{save, sweep};
use super::{Changes, Exit, Format, Output};
use crate::check::Checked;
use crate::diff::{Diff, Plan, Side, Witness};
use crate::examples;
use crate::judge::{By, Limits};
use crate::play::seat_names;
use crate::report::{clean_line, clean_path};

/// What differs between two rulesets: numbers, rules, examples, and what players may do
///
/// Texts are compared by meaning: layout and comments make no difference. What players may do is found by games at
/// random that go through both rulesets; each difference is shown by the shortest log that was found for it. The exit
/// code is 1 if anything differs.
#[derive(Debug, Args)]
pub(super) struct DiffArgs {
    /// The old rules
    old: String,

    /// The new rules; `--set` and `--overlay` change these
    new: String,

    #[command(flatten)]
    changes: Changes,

    /// Number of players; the fewest that can play both if not said
    #[arg(long, value_name = "N")]
    players: Option<u32>,

    /// Games that are played by both rulesets; 0 for none
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u64).range(0..=1_000_000))]
    games: u64,

    /// What chance and choices in these games are decided by
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,

    /// Play on so many threads; as many as there are cores by default
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,

    /// Differences of games that are told, at most
    #[arg(long, value_name = "N", default_value_t = 40)]
    most_witnesses: u16,

    /// Write the logs that show differences into this folder
    #[arg(long, value_name = "DIR")]
    witnesses: Option<PathBuf>,

    /// Overwrite logs that are there already
    #[arg(long, requires = "witnesses")]
    force: bool,
}

/// What is shown, and of what.
struct Shown<'d> {
    args: &'d DiffArgs,
    old: &'d Side,
    new: &'d Side,
    diff: &'d Diff,
    plan: Plan,
    /// The new rules with what is changed, as it was typed.
    changed: String,
}

pub(super) fn diff(args: &DiffArgs, output: &mut Output<'_>) -> io::Result<Exit> {
    let Some((old, new)) = sides(args, output)? else { return Ok(Exit::NoVerdict) };
    let plan = Plan {
        games: args.games,
        seed: args.seed,
        jobs: args.jobs.map_or_else(examples::cores, usize::from),
        most_entries: 2_000,
        most_witnesses: usize::from(args.most_witnesses),
        limits: Limits { positions: 300, steps: 200_000 },
    };
    output.progress("comparing")?;
    let diff = Diff::of(&old, &new, &plan);
    output.progress_ends()?;
    let changes = args.changes.settings.iter().map(|setting| format!(" --set {setting}"));
    let overlays = args.changes.overlays.iter().map(|file| format!(" --overlay {}", clean_path(file)));
    let changed = std::iter::once(args.new.clone()).chain(changes).chain(overlays).collect();
    let shown = Shown { args, old: &old, new: &new, diff: &diff, plan, changed };
    if output.format == Format::Json {
        object::show(&shown, output)?;
    } else {
        show::show(&shown, output)?;
    }
    for trouble in &diff.troubles {
        output.note(format!("a game could not be played on: {trouble}"))?;
    }
    if let Some(folder) = &args.witnesses
        && let Err((message, help)) = keep(folder, &diff.witnesses, args.force)
    {
        output.failure(&message, &help)?;
        return Ok(Exit::NoVerdict);
    }
    Ok(if diff.is_empty() { Exit::Fine } else { Exit::Negative })
}

/// Both rulesets, with as many seats; says why there are none.
fn sides(args: &DiffArgs, output: &mut Output<'_>) -> io::Result<Option<(Side, Side)>> {
    let none = Changes::default();
    let Some((_, old)) = chosen(&args.old, &none, args.players, output)? else { return Ok(None) };
    let Some((_, new)) = chosen(&args.new, &args.changes, args.players, output)? else { return Ok(None) };
    let range = |checked: &Checked| (checked.bound.players.fewest, checked.bound.players.most);
    let ((fewest, most), (others, at_most)) = (range(&old), range(&new));
    let players = args.players.unwrap_or(fewest.max(others));
    if players > most.min(at_most) {
        output.failure(
            &format!("{fewest} to {most} can play `{}`, {others} to {at_most} `{}`", args.old, args.new),
            "compare rulesets that as many can play",
        )?;
        return Ok(None);
    }
    let Some((_, old)) = chosen(&args.old, &none, Some(players), output)? else { return Ok(None) };
    let seats = seat_names(&old.bound);
    let by = By { overlays: args.changes.overlays.clone(), settings: args.changes.settings.clone(), ..By::default() };
    let mut sides = Vec::new();
    for (ruleset, by) in [(&args.old, By::default()), (&args.new, by)] {
        match Side::new(ruleset, by, &seats) {
            Ok(side) => sides.push(side),
            Err(closed) => {
                output.faults(&closed.sources, &closed.faults, 20)?;
                return Ok(None);
            }
        }
    }
    let new = sides.pop();
    Ok(sides.pop().zip(new))
}

/// `01-newly-illegal-move.log`
fn file_of(nth: usize, witness: &Witness) -> String {
    format!("{:02}-{}-{}.log", nth + 1, witness.group.kind.word(), witness.group.action)
}

/// Writes the logs.
fn keep(folder: &Path, witnesses: &[Witness], force: bool) -> Result<(), (String, String)> {
    let shown = clean_path(folder);
    fs::create_dir_all(folder)
        .map_err(|error| (format!("cannot make the folder `{shown}`: {error}"), "choose another folder".to_owned()))?;
    sweep(folder);
    let files: Vec<(PathBuf, &Witness)> =
        witnesses.iter().enumerate().map(|(nth, witness)| (folder.join(file_of(nth, witness)), witness)).collect();
    if let Some((file, _)) = files.iter().find(|(file, _)| !force && file.exists()) {
        let help = "choose another folder, or overwrite logs with `--force`".to_owned();
        return Err((format!("`{}` is there already", clean_path(file)), help));
    }
    for (file, witness) in files {
        let text = format!("# {}\n{}", clean_line(&show::headline(witness)), witness.log);
        save(&file, &text)
            .map_err(|error| (format!("cannot write `{}`: {error}", clean_path(&file)), "is there room?".to_owned()))?;
    }
    Ok(())
}
