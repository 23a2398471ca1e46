//! Logs of simulated games: where they go, and what stands in them.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::super::save::save;
use super::{SimulateArgs, Table};
use crate::check::Checked;
use crate::log::{self, Line, Log, Outcome};
use crate::machine::Machine;
use crate::play::seed_of_game;
use crate::simulate::{Playout, line};

/// Makes the folder, and says why logs could not be written into it: better before the games than after.
pub(super) fn prepare(args: &SimulateArgs, checked: &Checked) -> Result<(), (String, String)> {
    let Some(folder) = &args.logs else { return Ok(()) };
    let shown = folder.display();
    if !args.ruleset.changes.overlays.is_empty() {
        return Err((
            "a log cannot say what an overlay changes".to_owned(),
            "use `--set` for each number, or leave out `--logs`".to_owned(),
        ));
    }
    fs::create_dir_all(folder)
        .map_err(|error| (format!("cannot make the folder `{shown}`: {error}"), "choose another folder".to_owned()))?;
    if args.force {
        return Ok(());
    }
    let there = (1..=args.games).map(|game| file(folder, &checked.bound.name, game, args.games));
    match there.into_iter().find(|file| file.exists()) {
        Some(file) => Err((
            format!("`{}` is there already", file.display()),
            "choose another folder, or overwrite logs with `--force`".to_owned(),
        )),
        None => Ok(()),
    }
}

/// `NAME-0001.log`; all numbers of a run have the same width.
fn file(folder: &Path, name: &str, game: u64, games: u64) -> PathBuf {
    let width = games.to_string().len().max(4);
    folder.join(format!("{name}-{game:0width$}.log"))
}

impl Table<'_> {
    /// Writes the log of a game.
    pub(super) fn keep(&self, folder: &Path, game: u64, playout: &Playout) -> io::Result<()> {
        let file = file(folder, &self.checked.bound.name, game, self.args.games);
        let (whole, text) = self.log(game, playout);
        let failed = |message: String| io::Error::other(format!("`{}`: {message}", file.display()));
        if !whole {
            return Err(failed("the game does not come back from its entries".to_owned()));
        }
        save(&file, &text).map_err(|error| failed(error.to_string()))
    }

    /// The log of a game, and whether all of it could be written down.
    pub(super) fn log(&self, game: u64, playout: &Playout) -> (bool, String) {
        let mut machine = Machine::new(self.program);
        let mut entries = Vec::new();
        let mut whole = machine.begin().is_ok();
        for &entry in &playout.entries {
            match line(&mut machine, &self.checked.bound, entry) {
                Ok(text) => entries.push(Line { text, ..Line::default() }),
                Err(_) => {
                    whole = false;
                    break;
                }
            }
        }
        let result = if playout.over && whole { outcome(&mut machine, self.program.players) } else { None };
        let seed = Some(seed_of_game(self.seed, game));
        (whole, log::write(&Log { seed, entries, result, ..self.head.clone() }))
    }
}

fn outcome(machine: &mut Machine<'_>, players: u32) -> Option<Outcome> {
    let scores: Option<Vec<i64>> = (0..players).map(|seat| machine.score(seat).ok()).collect();
    let winners = machine.winners().ok()?.into_iter().map(|seat| seat as usize).collect();
    Some(Outcome { scores: scores?, winners })
}
