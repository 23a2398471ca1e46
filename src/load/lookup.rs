//! Which ruleset a log was played by.
//!
//! A log names a game, never a file. Candidates are, in this order: the ruleset whose folder holds the log
//! (`NAME/logs/x.log`), those in folders that the user names (`--rules-path`, `LUDEX_PATH`), and the bundled one. The
//! first with the log's hash is taken; if none has it, the first. Nothing else on disk is looked at, and nothing
//! depends on the current folder.

use std::path::{Component, Path, PathBuf};

use super::find::is_path;
use super::folder::Folder;
use super::loader::{Request, load_rules, parts_of};
use crate::limits::LOG_FOLDERS;
use crate::report::suggest;

/// Where the files of a ruleset are.
#[derive(Debug, Clone)]
pub struct Location {
    /// Its folder.
    pub folder: Folder,
    /// The file in it that the rules begin with.
    pub main: String,
}

/// A ruleset that a log may have been played by.
#[derive(Debug, Clone)]
pub struct Candidate {
    /// Where it is.
    pub location: Location,
    /// As people see it: the name of a bundled ruleset, otherwise its main file; with variants and editions.
    pub shown: String,
    /// The hash of its rules.
    pub hash: u64,
}

/// The rulesets that a log may have been played by.
#[derive(Debug, Clone)]
pub struct Candidates {
    /// The name that was looked up, with variants and editions: of a path, its last part.
    pub name: String,
    /// Does the log name a path?
    pub from_path: bool,
    /// In the order in which they count.
    pub found: Vec<Candidate>,
}

impl Candidates {
    /// Looks up what a log names. `log` is its file; standard input has none. `paths` are folders of the user.
    #[must_use]
    pub fn of(named: &str, log: Option<&Path>, paths: &[PathBuf]) -> Self {
        let (base, parts) = parts_of(named);
        let from_path = is_path(base);
        let base = if from_path { last_part(base) } else { base };
        let behind = if parts.is_empty() { String::new() } else { format!(":{}", parts.join("+")) };
        let name = format!("{base}{behind}");
        let mut found = Vec::new();
        // A word that cannot be the name of a game is not looked for in folders.
        if base.chars().all(|c| c.is_alphanumeric() || c == '_') && !base.is_empty() {
            let around = log.and_then(|log| around(log, base));
            let chosen = paths.iter().filter_map(|folder| below(folder, base));
            let bundled = Folder::bundled(base).map(|folder| Location { folder, main: format!("{base}.ludex") });
            for location in around.into_iter().chain(chosen).chain(bundled) {
                let shown = match &location.folder {
                    Folder::Bundled(_) => name.clone(),
                    Folder::Disk(_) => format!("{}{behind}", location.folder.shown(&location.main)),
                };
                let request = Request { ruleset: name.clone(), location: Some(location.clone()), ..Request::default() };
                let hash = load_rules(&request).rules_hash();
                found.push(Candidate { location, shown, hash });
            }
        }
        Self { name, from_path, found }
    }

    /// The ruleset for a log with this hash: the first that has it, otherwise the first.
    #[must_use]
    pub fn choose(&self, hash: Option<u64>) -> Option<&Candidate> {
        self.found.iter().find(|candidate| Some(candidate.hash) == hash).or(self.found.first())
    }

    /// What to do if there is none.
    #[must_use]
    pub fn help(&self) -> String {
        let (base, _) = parts_of(&self.name);
        let near = suggest::did_you_mean(base, Folder::bundled_names());
        near.unwrap_or_else(|| {
            format!("name its rules with `--rules`, or a folder that holds `{base}` with `--rules-path`")
        })
    }
}

/// `../games/mine.ludex` → `mine`
fn last_part(path: &str) -> &str {
    let last = path.rsplit(['/', '\\']).find(|part| !part.is_empty()).unwrap_or("");
    last.strip_suffix(".ludex").unwrap_or(last)
}

/// The ruleset of this name in a folder of the user, or in the folder of that name below it.
fn below(folder: &Path, name: &str) -> Option<Location> {
    game_in(folder, name).or_else(|| game_in(&folder.join(name), name))
}

/// The ruleset of this name in whose folder `logs` a log is, however deep.
fn around(log: &Path, name: &str) -> Option<Location> {
    // The same from every current folder.
    let mut real = log.parent().map(or_here)?.canonicalize().ok()?;
    let mut shown = or_here(log.parent()?).to_owned();
    for _ in 0..LOG_FOLDERS {
        let is_logs = real.file_name().is_some_and(|name| name == "logs");
        if !real.pop() {
            break;
        }
        shown = above(&shown);
        if is_logs && let Some(found) = game_in(&real, name) {
            // Shown as the log is named, if that is the same folder.
            let same = shown.canonicalize().is_ok_and(|other| other == real);
            let folder = Folder::Disk(if same { shown } else { real });
            return Some(Location { folder, ..found });
        }
    }
    None
}

fn or_here(folder: &Path) -> &Path {
    if folder.as_os_str().is_empty() { Path::new(".") } else { folder }
}

/// The folder above another one, as it would be written.
fn above(folder: &Path) -> PathBuf {
    match folder.components().next_back() {
        Some(Component::Normal(_)) => or_here(folder.parent().unwrap_or(Path::new(""))).to_owned(),
        Some(Component::CurDir) | None => PathBuf::from(".."),
        _ => folder.join(".."),
    }
}

/// The file of a folder that begins the game of this name: the one that is called so, otherwise the first.
fn game_in(folder: &Path, name: &str) -> Option<Location> {
    let folder = Folder::Disk(folder.to_owned());
    let mut files = folder.files("");
    files.retain(|file| file.ends_with(".ludex"));
    let own = format!("{name}.ludex");
    files.sort_by_key(|file| *file != own);
    let main = files.into_iter().find(|file| folder.game(file).is_some_and(|game| game == name))?;
    Some(Location { folder, main })
}
