//! `ludex new`

use std::fs;
use std::io;
use std::path::Path;

use clap::Args;

use super::{Exit, Format, Output};
use crate::ast;
use crate::load::{self, Folder};
use crate::report::{Sources, suggest};

/// A new ruleset that passes `check`, or a copy of another one to change
#[derive(Debug, Args)]
pub(super) struct NewArgs {
    /// The name of the ruleset; a folder of that name is made here
    name: String,

    /// Copy this ruleset, bundled or a folder
    #[arg(long, value_name = "RULESET")]
    from: Option<String>,
}

/// A small game that has most of what a game needs.
const RULES: &str = include_str!("new/template.ludex");
const NUMBERS: &str = include_str!("new/template.toml");
const EXAMPLES: &str = include_str!("new/examples.ludex");

/// What the template is called in its own text.
const TEMPLATE: &str = "template";

pub(super) fn new(args: &NewArgs, output: &mut Output<'_>) -> io::Result<Exit> {
    let name = args.name.as_str();
    let well_formed = name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_');
    let mut sources = Sources::default();
    let head = sources.add("name", format!("game {name} \"\"\n"));
    let mut faults = Vec::new();
    sources.get(head).map(|source| ast::parse(head, source, &mut faults));
    // A reserved word would not parse as a name.
    if !well_formed || !faults.is_empty() {
        output.failure(
            &format!("`{name}` cannot be the name of a ruleset"),
            "use small letters, digits and `_`, begin with a letter, and take no word of the language",
        )?;
        return Ok(Exit::NoVerdict);
    }
    if Path::new(name).exists() {
        output.failure(&format!("`{name}` is there already"), "choose another name, or delete it first")?;
        return Ok(Exit::NoVerdict);
    }
    let files = match &args.from {
        None => template(name),
        Some(from) => match copy(from, name) {
            Some(files) => files,
            None => {
                let near = suggest::did_you_mean(from, Folder::bundled_names());
                let help = near.unwrap_or_else(|| {
                    "`ludex list` shows the bundled rulesets; a folder is written as a path".to_owned()
                });
                output.failure(&format!("there is no ruleset `{from}` to copy"), &help)?;
                return Ok(Exit::NoVerdict);
            }
        },
    };
    if let Err(error) = write(name, &files) {
        output.failure(
            &format!("cannot write `{name}`: {error}"),
            "check the rights of this folder and the space on the disk",
        )?;
        return Ok(Exit::NoVerdict);
    }
    if output.format == Format::Json {
        let names: Vec<&str> = files.iter().map(|(file, _)| file.as_str()).collect();
        let object = serde_json::json!({ "ludex": 1, "kind": "new", "folder": name, "files": names });
        output.line(object.to_string())?;
    } else {
        output.line(format!("{name}/"))?;
        for (file, _) in &files {
            output.line(format!("  {file}"))?;
        }
    }
    output.note(format!("next: `ludex check ./{name}`"))?;
    Ok(Exit::Fine)
}

pub(super) fn template(name: &str) -> Vec<(String, String)> {
    let rename = |text: &str| text.replace(TEMPLATE, name);
    vec![
        (format!("{name}.ludex"), rename(RULES)),
        (format!("{name}.toml"), rename(NUMBERS)),
        (format!("examples/{name}.ludex"), rename(EXAMPLES)),
    ]
}

/// All files of a ruleset, with the game and its files renamed.
pub(super) fn copy(from: &str, name: &str) -> Option<Vec<(String, String)>> {
    let is_path = from.contains(['/', '\\']) || from == ".";
    let folder = if is_path { Some(Folder::Disk(from.into())) } else { Folder::bundled(from) }?;
    let main = folder.files("").into_iter().find(|file| folder.is_game(file))?;
    let old = main.strip_suffix(".ludex")?.to_owned();
    let mut below = vec![String::new(), "examples".to_owned()];
    below.extend(load::variants(from).into_iter().map(|variant| format!("examples/{variant}")));
    let mut files = Vec::new();
    for folder_below in below {
        for file in folder.files(&folder_below) {
            let path = if folder_below.is_empty() { file.clone() } else { format!("{folder_below}/{file}") };
            let Ok(text) = folder.read(&path) else { continue };
            let renamed = path.replace(&format!("{old}."), &format!("{name}."));
            files.push((renamed, rename_game(&text, &old, name)));
        }
    }
    Some(files)
}

/// `game old` and `variant v of old` name the new game, and comments its files; everything else stays.
fn rename_game(text: &str, old: &str, name: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let renamed = if line.starts_with("game ") {
            line.replacen(&format!("game {old}"), &format!("game {name}"), 1)
        } else if line.starts_with("variant ") {
            line.replacen(&format!(" of {old} "), &format!(" of {name} "), 1)
        } else if line.trim_start().starts_with('#') {
            ["ludex", "toml"]
                .iter()
                .fold(line.to_owned(), |line, kind| line.replace(&format!("{old}.{kind}"), &format!("{name}.{kind}")))
        } else {
            line.to_owned()
        };
        out.push_str(&renamed);
    }
    out
}

/// Writes into a folder beside the wanted one and moves it there when all is written.
fn write(name: &str, files: &[(String, String)]) -> io::Result<()> {
    let draft = tempfile::Builder::new().prefix(".ludex-new-").tempdir_in(".")?;
    for (file, text) in files {
        let path = draft.path().join(file);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::write(path, text)?;
    }
    let kept = draft.keep();
    fs::rename(&kept, name).inspect_err(|_| {
        let _ = fs::remove_dir_all(&kept);
    })?;
    open_to_others(Path::new(name))
}

/// A temporary folder is its owner's alone; a ruleset is an ordinary folder.
#[cfg(unix)]
fn open_to_others(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(folder, fs::Permissions::from_mode(0o755))
}

#[cfg(not(unix))]
fn open_to_others(_folder: &Path) -> io::Result<()> {
    Ok(())
}
