//! Where a ruleset is: its folder, its main file, its variants.

use std::path::Path;

use super::folder::Folder;
use super::loader::{Loader, file_stem};
use crate::report::{Fault, Span, codes, suggest};

/// Is this the path of a ruleset, not the name of a bundled one?
#[must_use]
pub fn is_path(base: &str) -> bool {
    base.contains(['/', '\\']) || base.ends_with(".ludex") || base == "." || base == ".."
}

/// Variants in the folder of a ruleset: files whose first item is `variant`.
#[must_use]
pub fn variants(ruleset: &str) -> Vec<String> {
    let mut loader = Loader::default();
    let Some((folder, main)) = loader.find(ruleset, Span::default()) else { return Vec::new() };
    let others = folder.files("").into_iter().filter(|file| file.ends_with(".ludex") && *file != main);
    let is_variant = |file: &String| {
        // A file that cannot be read is taken along, so that checking says so.
        folder.read(file).map_or(true, |text| text.lines().any(|line| line.starts_with("variant ")))
    };
    others.filter(is_variant).map(|file| file_stem(&file).to_owned()).collect()
}

/// The folder of a ruleset, without its variants.
#[must_use]
pub fn folder_of(base: &str) -> Option<Folder> {
    let mut loader = Loader::default();
    loader.find(base, Span::default()).map(|(folder, _)| folder)
}

impl Loader {
    /// The folder and main file of a ruleset.
    pub(super) fn find(&mut self, base: &str, at: Span) -> Option<(Folder, String)> {
        if !is_path(base) {
            if let Some(folder) = Folder::bundled(base) {
                return Some((folder, format!("{base}.ludex")));
            }
            let near = suggest::did_you_mean(base, Folder::bundled_names());
            let help = if Path::new(base).exists() {
                format!("a path is written as one: `./{base}`")
            } else {
                near.unwrap_or_else(|| {
                    "`ludex list` shows the bundled rulesets; a folder or file is written as a path".to_owned()
                })
            };
            self.fault(
                Fault::new(&codes::UNKNOWN_RULESET, at, format!("unknown ruleset `{base}`"))
                    .label("not bundled")
                    .help(help),
            );
            return None;
        }
        let path = Path::new(base);
        if path.is_file() || base.ends_with(".ludex") {
            let file = path.file_name().and_then(|name| name.to_str()).unwrap_or("").to_owned();
            let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
            return Some((Folder::Disk(parent.to_owned()), file));
        }
        let folder = Folder::Disk(path.to_owned());
        let files = folder.files("");
        let named =
            path.canonicalize().ok().and_then(|path| path.file_name().map(|name| name.to_string_lossy().into_owned()));
        let main = named.map(|name| format!("{name}.ludex")).filter(|name| files.contains(name));
        let main = main.or_else(|| files.iter().find(|file| folder.is_game(file)).cloned());
        if main.is_none() {
            let (what, help) = if let Some(error) = folder.unreadable("") {
                (format!("cannot be read: {error}"), "check the path and its rights")
            } else if path.is_dir() {
                ("holds no ruleset".to_owned(), "a ruleset is a `.ludex` file that begins with `game`")
            } else {
                ("does not exist".to_owned(), "check the path; bundled rulesets are named without one")
            };
            self.fault(
                Fault::new(&codes::UNKNOWN_RULESET, at, format!("`{base}` {what}")).label("no ruleset here").help(help),
            );
        }
        main.map(|main| (folder, main))
    }
}
