//! Where the files of a ruleset are: on disk, or inside the binary.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use crate::limits::RULESET_FILE_BYTES;
use crate::report::clean_path;

/// Every file of `rulesets/`, by its path there.
static BUNDLED: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/bundled.rs"));

/// Why a file could not be read.
#[derive(Debug)]
pub enum Trouble {
    /// It is not there.
    Missing,
    /// It is larger than [`RULESET_FILE_BYTES`].
    TooLarge,
    /// Its bytes are not UTF-8 from here on.
    NotUtf8(usize, Vec<u8>),
    /// A link that leads out of the ruleset's folder.
    Outside,
    /// The system says why.
    System(std::io::Error),
}

/// The folder of a ruleset.
#[derive(Debug, Clone)]
pub enum Folder {
    /// Below this path of the bundled files.
    Bundled(String),
    /// On disk.
    Disk(PathBuf),
}

/// The game whose rules begin with the file at this path. Examples of a variant may have the name of their folder.
fn game_of(path: &str) -> Option<&str> {
    let mut parts = path.rsplit('/');
    let stem = parts.next()?.strip_suffix(".ludex")?;
    (parts.next() == Some(stem) && parts.next() != Some("examples")).then_some(stem)
}

impl Folder {
    /// The bundled ruleset of this name.
    #[must_use]
    pub fn bundled(name: &str) -> Option<Folder> {
        let found = BUNDLED.iter().find(|(path, _)| game_of(path) == Some(name))?;
        found.0.strip_suffix(&format!("/{name}.ludex")).map(|folder| Folder::Bundled(folder.to_owned()))
    }

    /// Names of all bundled rulesets, in order.
    #[must_use]
    pub fn bundled_names() -> Vec<&'static str> {
        BUNDLED.iter().filter_map(|(path, _)| game_of(path)).collect()
    }

    /// A file's name as people see it.
    #[must_use]
    pub fn shown(&self, file: &str) -> String {
        match self {
            Self::Bundled(folder) => format!("rulesets/{folder}/{file}"),
            Self::Disk(folder) => clean_path(&folder.join(file)),
        }
    }

    /// The text of a file; a byte order mark is dropped.
    pub fn read(&self, file: &str) -> Result<String, Trouble> {
        match self {
            Self::Bundled(folder) => {
                let path = format!("{folder}/{file}");
                let found = BUNDLED.iter().find(|(known, _)| *known == path).ok_or(Trouble::Missing)?;
                Ok(found.1.to_owned())
            }
            Self::Disk(folder) => read_text(&folder.join(file)),
        }
    }

    /// Does a file lie in this folder, also where links lead to? One that is not there counts as if it did.
    #[must_use]
    pub fn holds(&self, file: &str) -> bool {
        let Self::Disk(folder) = self else { return true };
        match (folder.canonicalize(), folder.join(file).canonicalize()) {
            (Ok(folder), Ok(file)) => file.starts_with(folder),
            _ => true,
        }
    }

    /// Is this the file of a game, not of a variant or of examples?
    #[must_use]
    pub fn is_game(&self, file: &str) -> bool {
        file.ends_with(".ludex") && self.game(file).is_some()
    }

    /// The game whose rules begin in this file.
    #[must_use]
    pub fn game(&self, file: &str) -> Option<String> {
        let text = self.read(file).ok()?;
        let name = text.lines().find_map(|line| line.strip_prefix("game "))?;
        Some(name.split_whitespace().next().unwrap_or("").to_owned())
    }

    /// Why a folder below this one (`""` for itself) cannot be listed, if it is there.
    #[must_use]
    pub fn unreadable(&self, below: &str) -> Option<std::io::Error> {
        let Self::Disk(folder) = self else { return None };
        let path = folder.join(below);
        // Without rights to the folder above, nothing says whether this one is there.
        fs::read_dir(&path).err().filter(|error| error.kind() == std::io::ErrorKind::PermissionDenied || path.is_dir())
    }

    /// Names of files in a folder below this one (`""` for itself), in order.
    #[must_use]
    pub fn files(&self, below: &str) -> Vec<String> {
        let mut found: Vec<String> = match self {
            Self::Bundled(folder) => {
                let prefix = if below.is_empty() { format!("{folder}/") } else { format!("{folder}/{below}/") };
                let direct = |path: &&str| !path.contains('/');
                BUNDLED
                    .iter()
                    .filter_map(|(path, _)| path.strip_prefix(&prefix))
                    .filter(direct)
                    .map(str::to_owned)
                    .collect()
            }
            Self::Disk(folder) => {
                let entries = fs::read_dir(folder.join(below)).into_iter().flatten().flatten();
                let files = entries.filter(|entry| entry.path().is_file());
                files.filter_map(|entry| entry.file_name().into_string().ok()).collect()
            }
        };
        found.sort();
        found
    }
}

/// Reads a text with a limit; the length of a file is not trusted.
pub fn read_text(path: &Path) -> Result<String, Trouble> {
    let file = fs::File::open(path).map_err(trouble)?;
    let mut bytes = Vec::new();
    file.take(RULESET_FILE_BYTES + 1).read_to_end(&mut bytes).map_err(trouble)?;
    text_of(bytes)
}

/// Bytes as a text, if they are not too many and UTF-8.
pub fn text_of(bytes: Vec<u8>) -> Result<String, Trouble> {
    if bytes.len() as u64 > RULESET_FILE_BYTES {
        return Err(Trouble::TooLarge);
    }
    match String::from_utf8(bytes) {
        Ok(text) => Ok(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text)),
        Err(error) => Err(Trouble::NotUtf8(error.utf8_error().valid_up_to(), error.into_bytes())),
    }
}

fn trouble(error: std::io::Error) -> Trouble {
    if error.kind() == std::io::ErrorKind::NotFound { Trouble::Missing } else { Trouble::System(error) }
}
