//! Where snapshots are kept, and running the command line inside the test process.

use std::path::{Path, PathBuf};

use crate::terminal::{self, Environment};

/// The root of the repository.
pub(crate) fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Compares a text with `snapshots/AREA/NAME.snap`.
pub(crate) fn pin(area: &str, name: &str, description: &str, text: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(root().join("snapshots").join(area));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    if !description.is_empty() {
        settings.set_description(description);
    }
    settings.bind(|| insta::assert_snapshot!(name, text));
}

/// An empty folder for a case. Its path is relative, so that it has the same length on every machine and
/// pictures come out the same.
pub(crate) fn case_folder(name: &str) -> PathBuf {
    let folder = Path::new("target").join("cases").join(name).join("case");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder for the case");
    folder
}

/// Runs a command line; gives its exit code, results and diagnostics.
pub(crate) fn run(args: &[&str]) -> (u8, String, String) {
    run_typing(args, "")
}

/// Runs a command line while somebody types this.
pub(crate) fn run_typing(args: &[&str], typed: &str) -> (u8, String, String) {
    let (mut input, mut results, mut diagnostics) = (typed.as_bytes(), Vec::new(), Vec::new());
    let args: Vec<_> = std::iter::once("ludex").chain(args.iter().copied()).map(Into::into).collect();
    let exit = terminal::run_with(args, Environment::default(), &mut input, &mut results, &mut diagnostics);
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("output is UTF-8");
    (exit.code(), text(results), text(diagnostics))
}

/// Runs a command line and writes everything down, with the path of a folder replaced by a word.
pub(crate) fn run_in(folder: &Path, word: &str, args: &[&str]) -> (u8, String) {
    let (code, results, diagnostics) = run(args);
    let shown = folder.display().to_string();
    let out = format!("exit {code}\n--- results\n{results}--- diagnostics\n{diagnostics}").replace(&shown, word);
    (code, without_hashes(&out))
}

/// A hash changes with every text of a ruleset; that it is there is enough.
fn without_hashes(text: &str) -> String {
    let hidden = |text: &str, key: &str| {
        let mut parts = text.split(key);
        let mut out = parts.next().unwrap_or("").to_owned();
        for part in parts {
            out.push_str(key);
            out.push('…');
            out.push_str(part.trim_start_matches(|c: char| c.is_ascii_hexdigit()));
        }
        out
    };
    hidden(&hidden(text, "\"hash\":\""), "the rules at hand have ")
}
