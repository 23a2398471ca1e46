//! `ludex fmt`

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use super::save::replace;
use super::{Exit, Format, Output};
use crate::load::{self, Trouble};
use crate::log::{Document, Form};
use crate::report::{Fault, Sources, clean_path, steers};
use crate::{ast, format, limits};

/// So many faults of a file are shown.
const MOST_FAULTS: usize = 20;

/// Canonical layout of rules (`.ludex`) and logs (`.log`, `.jsonl`); comments are kept
#[derive(Debug, Args)]
pub(super) struct FmtArgs {
    /// Files or folders; `-` reads standard input and writes to standard output
    #[arg(required = true)]
    paths: Vec<PathBuf>,

    /// Change nothing; fail if a file is not in canonical layout
    #[arg(long)]
    check: bool,

    /// Change nothing; show what would change
    #[arg(long)]
    diff: bool,

    /// Change nothing; print logs in this notation
    #[arg(long, value_enum, value_name = "NOTATION", conflicts_with_all = ["check", "diff"])]
    to: Option<Notation>,

    /// The name that `-` would have as a file: its suffix says what it is; rules if not said
    #[arg(long, value_name = "NAME")]
    stdin_name: Option<String>,
}

/// The notations of logs.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum Notation {
    /// One entry a line
    Text,
    /// One JSON object a line
    Jsonl,
}

impl Notation {
    fn form(self) -> Form {
        match self {
            Self::Text => Form::Text,
            Self::Jsonl => Form::JsonLines,
        }
    }
}

pub(super) fn fmt(args: &FmtArgs, output: &mut Output<'_>) -> io::Result<Exit> {
    let mut exit = Exit::Fine;
    for path in &args.paths {
        let one = if path.as_os_str() == "-" { standard_input(args, output)? } else { on_disk(args, path, output)? };
        exit = exit.max(one);
    }
    Ok(exit)
}

fn on_disk(args: &FmtArgs, path: &Path, output: &mut Output<'_>) -> io::Result<Exit> {
    let mut files = Vec::new();
    if path.is_dir() {
        collect(path, &mut files, 0);
        files.sort();
        if files.is_empty() {
            output.failure(
                &format!("`{}` holds no `.ludex` file and no log", clean_path(path)),
                "name a folder with rulesets or logs, or a file",
            )?;
            return Ok(Exit::NoVerdict);
        }
    } else {
        files.push(path.to_owned());
    }
    let mut exit = Exit::Fine;
    for file in files {
        exit = exit.max(one_file(args, &file, output)?);
    }
    Ok(exit)
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>, depth: usize) {
    // A folder that cannot be listed stands for its files: reading it fails as reading them would.
    let Ok(entries) = fs::read_dir(folder) else { return files.push(folder.to_owned()) };
    for entry in entries.flatten() {
        let path = entry.path();
        let linked = entry.file_type().is_ok_and(|kind| kind.is_symlink());
        if path.is_dir() && !linked && depth < limits::FOLDERS {
            collect(&path, files, depth + 1);
        } else if path.is_file() && (path.extension().is_some_and(|kind| kind == "ludex") || is_log(&path)) {
            files.push(path);
        }
    }
}

/// Other programs write files with these suffixes too, so a file in a folder is a log if it begins like one.
fn is_log(path: &Path) -> bool {
    let form = path.to_str().and_then(Form::of);
    form.is_some_and(|form| load::read_text(path).is_ok_and(|text| form.begins(&text)))
}

fn one_file(args: &FmtArgs, file: &Path, output: &mut Output<'_>) -> io::Result<Exit> {
    let shown = clean_path(file);
    let text = match load::read_text(file) {
        Ok(text) => text,
        Err(trouble) => {
            output.failure(&format!("`{shown}` {}", why(&trouble)), "nothing was changed")?;
            return Ok(Exit::NoVerdict);
        }
    };
    let Some(formatted) = formatted(args, &shown, &shown, &text, output)? else { return Ok(Exit::NoVerdict) };
    if args.to.is_some() {
        return print(&shown, &formatted, output);
    }
    // A byte order mark is dropped on reading, so the text on disk decides.
    let changed = fs::read(file).is_ok_and(|bytes| bytes != formatted.as_bytes());
    if !changed {
        return Ok(Exit::Fine);
    }
    if args.check || args.diff {
        report(args, &shown, &text, &formatted, output)?;
        return Ok(if args.check { Exit::Negative } else { Exit::Fine });
    }
    match replace(file, &formatted) {
        // A file is named only after it was written.
        Ok(()) => report(args, &shown, &text, &formatted, output).map(|()| Exit::Fine),
        Err(error) => {
            output.failure(&format!("cannot write `{shown}`: {error}"), "the file is as it was")?;
            Ok(Exit::NoVerdict)
        }
    }
}

fn standard_input(args: &FmtArgs, output: &mut Output<'_>) -> io::Result<Exit> {
    let mut bytes = Vec::new();
    io::stdin().lock().take(limits::RULESET_FILE_BYTES + 1).read_to_end(&mut bytes)?;
    let text = match load::text_of(bytes) {
        Ok(text) => text,
        Err(trouble) => {
            output.failure(&format!("standard input {}", why(&trouble)), "nothing was written")?;
            return Ok(Exit::NoVerdict);
        }
    };
    let name = args.stdin_name.as_deref().unwrap_or("");
    let Some(formatted) = formatted(args, name, "standard input", &text, output)? else { return Ok(Exit::NoVerdict) };
    if args.check || args.diff {
        let changed = formatted != text;
        if changed {
            report(args, "standard input", &text, &formatted, output)?;
        }
        return Ok(if changed && args.check { Exit::Negative } else { Exit::Fine });
    }
    print("standard input", &formatted, output)
}

/// Prints a text as it is, which is refused if it could steer a terminal: shown in another form it would be another
/// text.
fn print(shown: &str, text: &str, output: &mut Output<'_>) -> io::Result<Exit> {
    let steering = |line: &str| line.chars().find(|&c| steers(c) && c != '\t');
    if let Some((number, c)) = text.lines().zip(1..).find_map(|(line, number)| Some((number, steering(line)?))) {
        let number: u32 = number;
        let message = format!("{shown} holds the control character {} in line {number}", c.escape_unicode());
        output.failure(&message, "take it out; nothing was printed")?;
        return Ok(Exit::NoVerdict);
    }
    output.result(text)?;
    Ok(Exit::Fine)
}

pub(super) fn why(trouble: &Trouble) -> String {
    match trouble {
        Trouble::Missing => "does not exist".to_owned(),
        Trouble::Outside => "is a link that leads out of its folder".to_owned(),
        Trouble::TooLarge => format!("is larger than {} MiB", limits::RULESET_FILE_BYTES >> 20),
        Trouble::NotUtf8(at, _) => format!("is not UTF-8 at byte {at}"),
        Trouble::System(error) => format!("cannot be read: {error}"),
    }
}

/// The canonical text, or faults if it does not parse. `name` says by its suffix what it is.
fn formatted(
    args: &FmtArgs,
    name: &str,
    shown: &str,
    text: &str,
    output: &mut Output<'_>,
) -> io::Result<Option<String>> {
    let mut sources = Sources::default();
    let id = sources.add(shown, text);
    let Some(source) = sources.get(id) else { return Ok(None) };
    let laid_out: Result<String, Vec<Fault>> = match (Form::of(name), args.to) {
        (Some(form), to) => {
            Document::read(id, text, form).map(|document| document.write(to.map_or(form, Notation::form)))
        }
        (None, Some(_)) => {
            let help = "`--to` takes files that end in `.log` or `.jsonl`; for `-`, say `--stdin-name x.log`";
            output.failure(&format!("{shown} is not a log"), help)?;
            return Ok(None);
        }
        (None, None) => {
            let mut faults = Vec::new();
            ast::parse(id, source, &mut faults);
            if faults.is_empty() { Ok(format::format(text)) } else { Err(faults) }
        }
    };
    match laid_out {
        Ok(laid_out) => Ok(Some(laid_out)),
        Err(mut faults) => {
            faults.sort_by_key(|fault| fault.span);
            output.faults(&sources, faults.get(..MOST_FAULTS).unwrap_or(&faults), MOST_FAULTS)?;
            output.note(format!("{shown}: left as it is, because it does not parse"))?;
            Ok(None)
        }
    }
}

fn report(args: &FmtArgs, shown: &str, old: &str, new: &str, output: &mut Output<'_>) -> io::Result<()> {
    if output.format == Format::Json {
        let object =
            serde_json::json!({ "ludex": 1, "kind": "format", "file": shown, "written": !(args.check || args.diff) });
        return output.line(object.to_string());
    }
    output.line(shown)?;
    if args.diff {
        output.result(diff(old, new))?;
    }
    Ok(())
}

/// Changed lines. The formatter never joins or splits lines, so that pairing them by place is nearly a diff.
fn diff(old: &str, new: &str) -> String {
    let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let mut out = String::new();
    let (mut a, mut b) = (0, 0);
    while a < old.len() || b < new.len() {
        match (old.get(a), new.get(b)) {
            (Some(x), Some(y)) if x == y => (a, b) = (a + 1, b + 1),
            (Some(x), Some(y)) if x.trim().is_empty() && !y.trim().is_empty() => {
                out += &format!("{:>5} -{x}\n", a + 1);
                a += 1;
            }
            (x, y) => {
                out += &x.map(|x| format!("{:>5} -{x}\n", a + 1)).unwrap_or_default();
                out += &y.map(|y| format!("{:>5} +{y}\n", b + 1)).unwrap_or_default();
                (a, b) = (a + 1, b + 1);
            }
        }
    }
    out
}
