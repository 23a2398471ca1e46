//! `ludex check`

use std::collections::HashSet;
use std::io;

use clap::Args;

use super::{Changes, Exit, Format, Output};
use crate::check::{self, Report};
use crate::compile::compile;
use crate::examples::cores;
use crate::load::{self, Folder, Loaded};
use crate::report::{Fault, Sources, Span, clean_line, github, sarif, settle};

/// Parse, bind, type-check and lint rulesets; all bundled ones by default
///
/// A ruleset without a colon is checked together with its variants, for every number of players, every
/// option and every reading of every ruling.
#[derive(Debug, Args)]
pub(super) struct CheckArgs {
    /// Bundled names, folders or `.ludex` files
    rulesets: Vec<String>,

    #[command(flatten)]
    changes: Changes,

    /// Let warnings fail the check
    #[arg(long)]
    deny_warnings: bool,

    /// Show at most this many faults of a ruleset
    #[arg(long, default_value_t = 20, value_name = "N")]
    max_errors: usize,
}

/// A ruleset with what was found.
struct Found {
    name: String,
    loaded: Loaded,
    report: Report,
    broken: bool,
}

pub(super) fn check(args: &CheckArgs, output: &mut Output<'_>) -> io::Result<Exit> {
    let mut names: Vec<String> = args.rulesets.clone();
    if names.is_empty() {
        names = Folder::bundled_names().into_iter().map(str::to_owned).collect();
    }
    let mut seen = HashSet::new();
    let mut all = Vec::new();
    let mut exit = Exit::Fine;
    for (name, loaded, mut report) in check_all(with_variants(&names), &args.changes, cores()) {
        let broken = report.has_errors();
        exit = exit.max(verdict(&loaded, &report, args.deny_warnings));
        // A variant repeats the faults of its game.
        report.faults.retain(|fault| seen.insert(identity(&loaded.sources, fault)));
        output.faults(&loaded.sources, &report.faults, args.max_errors)?;
        let found = Found { name, loaded, report, broken };
        summary(output, &found)?;
        all.push(found);
    }
    let pairs: Vec<(&Sources, &Fault)> =
        all.iter().flat_map(|found| found.report.faults.iter().map(|fault| (&found.loaded.sources, fault))).collect();
    match output.format {
        Format::Sarif => output.line(sarif(&pairs).to_string())?,
        Format::Github => output.result(github(&pairs))?,
        Format::Human if all.len() > 1 => total(output, &all)?,
        _ => {}
    }
    Ok(exit)
}

/// Loads and checks rulesets, so many at once; the order stays.
pub(super) fn check_all(names: Vec<String>, changes: &Changes, jobs: usize) -> Vec<(String, Loaded, Report)> {
    let one = |name: String| {
        let loaded = load::load(&changes.request(&name));
        let mut report = check::ruleset(&loaded);
        #[cfg(test)]
        report.checked.iter().for_each(|checked| crate::internal::probe("check", &checked.bound.title));
        compile_all(&loaded, &mut report);
        (name, loaded, report)
    };
    let mut checked = Vec::new();
    let mut names = names.into_iter().peekable();
    while names.peek().is_some() {
        std::thread::scope(|scope| {
            let running: Vec<_> = names.by_ref().take(jobs).map(|name| scope.spawn(move || one(name))).collect();
            for handle in running {
                checked.push(handle.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
            }
        });
    }
    checked
}

/// What is sound must also fit into a program, for every number of players.
fn compile_all(loaded: &Loaded, report: &mut Report) {
    let Some(players) = report.checked.as_ref().map(|checked| &checked.bound.players) else { return };
    for count in players.fewest..=players.most {
        let compiled = check::chosen(loaded, Some(count), &[], Span::default()).map(|checked| compile(&checked));
        if let Ok(Err(fault)) = compiled {
            report.faults.push(*fault);
        }
    }
    settle(&mut report.faults);
}

/// Each ruleset, then its variants.
pub(super) fn with_variants(names: &[String]) -> Vec<String> {
    let mut all = Vec::new();
    for name in names {
        all.push(name.clone());
        let (base, parts) = load::parts_of(name);
        if parts.is_empty() && !base.ends_with(".ludex") {
            all.extend(load::variants(base).into_iter().map(|variant| format!("{base}:{variant}")));
        }
    }
    all
}

fn verdict(loaded: &Loaded, report: &Report, deny_warnings: bool) -> Exit {
    if loaded.no_verdict(&report.faults) {
        Exit::NoVerdict
    } else if report.has_errors() || (deny_warnings && report.has_warnings()) {
        Exit::Negative
    } else {
        Exit::Fine
    }
}

fn identity(sources: &Sources, fault: &Fault) -> (String, u32, &'static str, String) {
    let file = sources.get(fault.span.file).map_or("", |source| source.name());
    (file.to_owned(), fault.span.start, fault.code.id, fault.message.clone())
}

fn summary(output: &mut Output<'_>, found: &Found) -> io::Result<()> {
    let Found { name, loaded, report, broken } = found;
    let errors = report.faults.iter().filter(|fault| fault.is_error()).count();
    let warnings = report.faults.len() - errors;
    match output.format {
        Format::Json => {
            let object = serde_json::json!({
                "ludex": 1, "kind": "checked", "ruleset": name, "hash": format!("{:016x}", loaded.hash()),
                "sound": !broken, "errors": errors, "warnings": warnings, "examples": report.examples,
            });
            output.line(object.to_string())
        }
        Format::Human | Format::Plain => {
            let mut parts = Vec::new();
            if let Some(checked) = &report.checked {
                let players = &checked.bound.players;
                parts.push(if players.fewest == players.most {
                    format!("{} players", players.most)
                } else {
                    format!("{} to {} players", players.fewest, players.most)
                });
                parts.push(plural(report.examples, "example"));
            }
            if errors > 0 {
                parts.push(plural(errors, "error"));
            }
            if warnings > 0 {
                parts.push(plural(warnings, "warning"));
            }
            if *broken && errors == 0 {
                parts.push("as said above".to_owned());
            }
            let word = if *broken { "fault" } else { "ok" };
            let name = clean_line(name);
            output.line(format!("{word:<6}{name:<27} {}", parts.join(", ")).trim_end())?;
            let files: Vec<&str> = loaded.sources.iter().map(|(_, source)| source.name()).skip(1).collect();
            output.detail(format!("      {:016x} {}", loaded.hash(), files.join(" ")))
        }
        Format::Sarif | Format::Github | Format::Junit => Ok(()),
    }
}

fn total(output: &mut Output<'_>, all: &[Found]) -> io::Result<()> {
    let broken: Vec<&str> = all.iter().filter(|found| found.broken).map(|found| found.name.as_str()).collect();
    if broken.is_empty() {
        output.note(format!("{} rulesets checked", all.len()))
    } else {
        output.note(format!(
            "{} of {} rulesets have errors: {}",
            broken.len(),
            all.len(),
            clean_line(&broken.join(", "))
        ))
    }
}

/// `1 error`, `2 errors`
pub(super) fn plural(count: usize, word: &str) -> String {
    if count == 1 { format!("1 {word}") } else { format!("{count} {word}s") }
}
