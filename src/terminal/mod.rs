//! The command line: one file for each command, streams and environment injected, nothing printed elsewhere.

mod check;
mod completions;
mod diff;
mod exit;
mod explain;
mod fmt;
mod game;
mod impact;
mod list;
mod moves;
mod new;
mod numbers;
mod output;
mod page;
mod perft;
mod play;
mod replay;
mod report;
mod rulings;
mod save;
mod score;
mod show;
mod shrink;
mod simulate;
mod stream;
mod test;
mod validate;

use std::ffi::OsString;
use std::io::{self, BufRead, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use clap::{Args, Parser, Subcommand, ValueEnum};

pub use exit::Exit;
pub use output::Output;

use crate::internal;
use crate::judge::By;
use crate::load::Request;
use crate::report::{Escape, clean_lines};

/// What the process knows about its surroundings, read once.
#[derive(Debug, Clone, Default)]
pub struct Environment {
    /// `NO_COLOR` is set.
    pub no_colour: bool,
    /// `CLICOLOR_FORCE` is set.
    pub force_colour: bool,
    /// Diagnostics go to a terminal.
    pub stderr_is_terminal: bool,
    /// Results go to a terminal, which can be cleared.
    pub stdout_is_terminal: bool,
    /// `LUDEX_PATH`: folders in which the rulesets of logs are looked for.
    pub rules_path: Vec<PathBuf>,
    /// Something that is different each time, for games without a seed.
    pub entropy: u64,
    /// Begins to listen for whoever wants to end the command early, and says when that is so. Without it the
    /// process ends at once.
    pub interrupt: Option<fn() -> Arc<AtomicBool>>,
}

/// The judge of board games: rulebooks as data, checked.
#[derive(Debug, Parser)]
#[command(name = "ludex", version, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,

    /// How to write results and diagnostics
    #[arg(long, global = true, value_enum, default_value_t = Format::Human)]
    format: Format,

    /// When to use colours
    #[arg(long, global = true, value_enum, default_value_t = When::Auto)]
    color: When,

    /// Only results and faults
    #[arg(short, long, global = true)]
    quiet: bool,

    /// More detail, such as files and hashes
    #[arg(short, long, global = true)]
    verbose: bool,
}

/// Output formats. `sarif` goes with `check` and `validate`, `junit` with `test` and `validate`, `github` with all
/// three.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people
    Human,
    /// For people and editors, one line each, no drawings
    Plain,
    /// For programs, one object a line
    Json,
    /// SARIF 2.1.0, for code scanning
    Sarif,
    /// Annotations for GitHub Actions
    Github,
    /// XML for build servers, as `JUnit` writes it
    Junit,
}

/// When to use colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum When {
    /// On a terminal, unless `NO_COLOR` is set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

#[derive(Debug, Subcommand)]
enum Command {
    List(list::ListArgs),
    Check(check::CheckArgs),
    Test(test::TestArgs),
    Fmt(fmt::FmtArgs),
    Show(show::ShowArgs),
    Explain(explain::ExplainArgs),
    Numbers(numbers::NumbersArgs),
    Rulings(rulings::RulingsArgs),
    New(new::NewArgs),
    Moves(moves::MovesArgs),
    Play(play::PlayArgs),
    Simulate(simulate::SimulateArgs),
    Report(report::ReportArgs),
    Perft(perft::PerftArgs),
    Validate(validate::ValidateArgs),
    Score(score::ScoreArgs),
    Replay(replay::ReplayArgs),
    Impact(impact::ImpactArgs),
    Diff(diff::DiffArgs),
    Shrink(shrink::ShrinkArgs),
    Completions(completions::CompletionsArgs),
}

/// A ruleset and what is changed for this run.
#[derive(Debug, Clone, Args)]
struct RulesetArgs {
    /// A bundled name (`reversi`, `market:auction+english`), a folder, or a `.ludex` file
    ruleset: String,

    #[command(flatten)]
    changes: Changes,
}

/// Changes for one run.
#[derive(Debug, Clone, Default, Args)]
struct Changes {
    /// Change a number, option or ruling for this run
    #[arg(long = "set", value_name = "KEY=VALUE")]
    settings: Vec<String>,

    /// Lay a TOML file over the numbers for this run
    #[arg(long = "overlay", value_name = "FILE")]
    overlays: Vec<PathBuf>,
}

impl Changes {
    fn are_some(&self) -> bool {
        !self.settings.is_empty() || !self.overlays.is_empty()
    }

    fn request(&self, ruleset: &str) -> Request {
        let (ruleset, overlays, settings) = (ruleset.to_owned(), self.overlays.clone(), self.settings.clone());
        Request { ruleset, overlays, settings, ..Request::default() }
    }
}

/// The rules that a log is judged by.
#[derive(Debug, Clone, Default, Args)]
struct LogRules {
    /// Judge by these rules, whatever the log names
    #[arg(long, value_name = "RULESET")]
    rules: Option<String>,

    /// Look for the rulesets that logs name in this folder; `LUDEX_PATH` lists more such folders
    #[arg(long = "rules-path", value_name = "DIR")]
    rules_path: Vec<PathBuf>,
}

impl LogRules {
    fn are_some(&self) -> bool {
        self.rules.is_some() || !self.rules_path.is_empty()
    }

    /// Folders in which rulesets are looked for.
    fn paths(&self, environment: &Environment) -> Vec<PathBuf> {
        self.rules_path.iter().chain(&environment.rules_path).cloned().collect()
    }

    /// What logs are judged by, with these changes.
    fn by(&self, changes: &Changes, environment: &Environment) -> By {
        By {
            ruleset: self.rules.clone(),
            paths: self.paths(environment),
            overlays: changes.overlays.clone(),
            settings: changes.settings.clone(),
            ..By::default()
        }
    }
}

/// Runs a command line without anybody at the keyboard. Under a closed pipe it goes on silently.
pub fn run(
    args: impl IntoIterator<Item = OsString>,
    environment: Environment,
    results: &mut dyn Write,
    diagnostics: &mut dyn Write,
) -> Exit {
    run_with(args, environment, &mut io::empty(), results, diagnostics)
}

/// Runs a command line that may read what somebody types.
pub fn run_with<'a>(
    args: impl IntoIterator<Item = OsString>,
    environment: Environment,
    input: &'a mut (dyn BufRead + Send),
    results: &'a mut dyn Write,
    diagnostics: &'a mut dyn Write,
) -> Exit {
    let args: Vec<OsString> = args.into_iter().collect();
    let words = args.iter().skip(1).map(|word| word.to_string_lossy().into_owned());
    let command = std::iter::once("ludex".to_owned()).chain(words).collect();
    let cli = match Cli::try_parse_from(args) {
        Ok(cli) => cli,
        Err(error) => {
            let text = error.render().to_string();
            let text = clean_lines(&text, Escape::Braces);
            if error.use_stderr() {
                // What cannot be said does not change the verdict.
                let _ = diagnostics.write_all(text.as_bytes()).and_then(|()| diagnostics.flush());
                return Exit::NoVerdict;
            }
            return match results.write_all(text.as_bytes()).and_then(|()| results.flush()) {
                Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                    let _ = diagnostics.write_all(output::full_disk(&error).as_bytes());
                    Exit::NoVerdict
                }
                _ => Exit::Fine,
            };
        }
    };
    let mut output =
        Output::new((input, results, diagnostics), cli.format, cli.color, environment, (cli.quiet, cli.verbose));
    output.command = command;
    let ended = internal::guard(|| dispatch(&cli, &mut output)).unwrap_or_else(|found| {
        output.internal(&found)?;
        Ok(Exit::NoVerdict)
    });
    match ended.and_then(|exit| output.flush().map(|()| exit)) {
        Ok(exit) => exit,
        Err(error) => {
            output.cannot_write(&error);
            Exit::NoVerdict
        }
    }
}

fn dispatch(cli: &Cli, output: &mut Output<'_>) -> io::Result<Exit> {
    let misplaced = match (cli.format, &cli.command) {
        (Format::Sarif, Command::Check(_) | Command::Validate(_)) => None,
        (Format::Junit, Command::Test(_) | Command::Validate(_)) => None,
        (Format::Github, Command::Check(_) | Command::Test(_) | Command::Validate(_)) => None,
        (Format::Sarif, _) => Some("this format goes with `check` and `validate` only"),
        (Format::Junit, _) => Some("this format goes with `test` and `validate` only"),
        (Format::Github, _) => Some("this format goes with `check`, `test` and `validate` only"),
        (Format::Human | Format::Plain | Format::Json, _) => None,
    };
    if let Some(message) = misplaced {
        output.failure(message, "use human, plain or json")?;
        return Ok(Exit::NoVerdict);
    }
    match &cli.command {
        Command::List(args) => list::list(args, output),
        Command::Check(args) => check::check(args, output),
        Command::Test(args) => test::test(args, output),
        Command::Fmt(args) => fmt::fmt(args, output),
        Command::Show(args) => show::show(args, output),
        Command::Explain(args) => explain::explain(args, output),
        Command::Numbers(args) => numbers::numbers(args, output),
        Command::Rulings(args) => rulings::rulings(args, output),
        Command::New(args) => new::new(args, output),
        Command::Moves(args) => moves::moves(args, output),
        Command::Play(args) => play::play(args, output),
        Command::Simulate(args) => simulate::simulate(args, output),
        Command::Report(args) => report::report(args, output),
        Command::Perft(args) => perft::perft(args, output),
        Command::Validate(args) => validate::validate(args, output),
        Command::Score(args) => score::score(args, output),
        Command::Replay(args) => replay::replay(args, output),
        Command::Impact(args) => impact::impact(args, output),
        Command::Diff(args) => diff::diff(args, output),
        Command::Shrink(args) => shrink::shrink(args, output),
        Command::Completions(args) => completions::completions(args, output),
    }
}

/// The command-line grammar, for completions and the reference.
fn command() -> clap::Command {
    <Cli as clap::CommandFactory>::command()
}

#[cfg(test)]
mod lookup_tests;
#[cfg(test)]
mod stream_tests;
#[cfg(test)]
mod tests;
