//! Logs of simulated games: where they go, and what stands in them.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::super::save::{save, sweep};
use super::{SimulateArgs, Table};
use crate::check::Checked;
use crate::evaluate::Try;
use crate::log::Log;
use crate::play::seed_of_game;
use crate::report::clean_path;
use crate::simulate::{self, Playout};

/// Makes the folder, and says why logs could not be written into it: better before the games than after.
pub(super) fn prepare(args: &SimulateArgs, checked: &Checked) -> Result<(), (String, String)> {
    let Some(folder) = &args.logs else { return Ok(()) };
    let shown = clean_path(folder);
    if !args.ruleset.changes.overlays.is_empty() {
        return Err((
            "a log cannot say what an overlay changes".to_owned(),
            "use `--set` for each number, or leave out `--logs`".to_owned(),
        ));
    }
    fs::create_dir_all(folder)
        .map_err(|error| (format!("cannot make the folder `{shown}`: {error}"), "choose another folder".to_owned()))?;
    sweep(folder);
    if args.force {
        return Ok(());
    }
    let there = (1..=args.games).map(|game| file(folder, &checked.bound.name, game, args.games));
    match there.into_iter().find(|file| file.exists()) {
        Some(file) => Err((
            format!("`{}` is there already", clean_path(&file)),
            "choose another folder, or overwrite logs with `--force`".to_owned(),
        )),
        None => Ok(()),
    }
}

/// `NAME-0001.log`; all numbers of a run have the same width, and no system minds the name of a variant.
fn file(folder: &Path, name: &str, game: u64, games: u64) -> PathBuf {
    let width = games.to_string().len().max(4);
    folder.join(format!("{}-{game:0width$}.log", name.replace(':', "-")))
}

impl Table<'_> {
    /// Writes the log of a game.
    pub(super) fn keep(&self, folder: &Path, game: u64, playout: &Playout) -> io::Result<()> {
        let file = file(folder, &self.checked.bound.name, game, self.args.games);
        let failed = |message: String| io::Error::other(format!("`{}`: {message}", clean_path(&file)));
        let (text, played) = self.log(game, playout);
        // The log of a game that failed ends where it failed.
        if !playout.failed {
            played.map_err(|trouble| failed(trouble.message))?;
        }
        save(&file, &text).map_err(|error| failed(error.to_string()))
    }

    /// The log of a game, and whether it comes back from its entries.
    pub(super) fn log(&self, game: u64, playout: &Playout) -> (String, Try<()>) {
        let head = Log { seed: Some(seed_of_game(self.seed, game)), ..self.head.clone() };
        simulate::written(&self.checked.bound, self.program, &head, playout)
    }
}
