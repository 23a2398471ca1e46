//! `ludex test`

mod extras;
mod machine;
mod recorded;
mod show;

use std::io;

use clap::Args;

use super::{Changes, Exit, Format, Output};
use crate::check;
use crate::examples::coverage::Coverage;
use crate::examples::mutants::{self, Fate, Mutant};
use crate::examples::{self, Outcome, Played, Suite, Wants};
use crate::judge::{self, By, Held};
use crate::load::{Folder, Loaded};
use crate::report::{Fault, Span, clean_line};
use recorded::Changed;

/// Play the worked examples of rulesets, and judge their logs; all bundled ones by default
///
/// A ruleset without a colon is tested together with its variants. Where a file of examples has recorded
/// outcomes beside it (`NAME.outcomes`), these are compared as well. Logs in its folder `logs` must be legal, or
/// get the verdict that their line `expect` or their name (`NAME.VERDICT.log`) says.
#[derive(Debug, Args)]
pub(super) struct TestArgs {
    /// Bundled names, folders or `.ludex` files
    rulesets: Vec<String>,

    #[command(flatten)]
    changes: Changes,

    /// Only examples with this row, or with this in their title; only logs with this in their name
    #[arg(long, value_name = "PATTERN")]
    only: Option<String>,

    /// Say what no example shows; fail below MIN percent
    #[arg(
        long,
        value_name = "MIN",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "0",
        value_parser = clap::value_parser!(u8).range(0..=100)
    )]
    coverage: Option<u8>,

    /// Change each number and rule in turn, and print the changes that no example notices
    #[arg(long)]
    mutants: bool,

    /// Record outcomes beside the examples, in place of those recorded before
    #[arg(long, conflicts_with_all = ["mutants", "settings", "overlays"])]
    accept: bool,

    /// Play so many examples at once; as many as there are cores by default
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
}

/// A ruleset with what came of its examples.
struct Ran {
    name: String,
    loaded: Loaded,
    /// Why its examples cannot be played.
    errors: Vec<Fault>,
    outcomes: Vec<Outcome>,
    changed: Vec<Changed>,
    coverage: Option<Coverage>,
    mutants: Vec<(Mutant, Fate)>,
    /// Comments that allow a survivor where none is.
    idle: Vec<Span>,
    /// Its logs, with the verdicts that they got.
    logs: Vec<Held>,
}

impl Ran {
    fn failed(&self) -> bool {
        !self.changed.is_empty()
            || self.outcomes.iter().any(|outcome| !outcome.passed())
            || self.logs.iter().any(|log| !log.passed)
    }
}

pub(super) fn test(args: &TestArgs, output: &mut Output<'_>) -> io::Result<Exit> {
    let mut names: Vec<String> = args.rulesets.clone();
    if names.is_empty() {
        names = Folder::bundled_names().into_iter().map(str::to_owned).collect();
    }
    if let Some((message, help)) = names.iter().filter(|_| args.accept).find_map(|name| recorded::nowhere(name)) {
        output.failure(&message, help)?;
        return Ok(Exit::NoVerdict);
    }
    let jobs = args.jobs.map_or_else(examples::cores, usize::from);
    let mut exit = Exit::Fine;
    let mut all = Vec::new();
    for (name, loaded, report) in super::check::check_all(super::check::with_variants(&names), &args.changes, jobs) {
        let ran = one(args, jobs, (name, loaded, report), output, &mut exit)?;
        if !ran.outcomes.is_empty() || !ran.logs.is_empty() || args.only.is_none() || !ran.errors.is_empty() {
            show::ruleset(output, &ran)?;
            extras::coverage(output, &ran, args.coverage)?;
            extras::mutants(output, &ran)?;
            all.push(ran);
        }
    }
    if args.only.is_some() && all.is_empty() {
        output
            .failure("no example has this row or title", "`--only` takes a row such as `R4`, or a part of a title")?;
        return Ok(Exit::NoVerdict);
    }
    match output.format {
        Format::Junit => output.result(machine::junit(&all, args.coverage))?,
        Format::Github => output.result(machine::github(&all))?,
        _ => {}
    }
    Ok(exit)
}

/// Plays the examples of one ruleset, with all that is wanted beside the verdict.
fn one(
    args: &TestArgs,
    jobs: usize,
    (name, loaded, report): (String, Loaded, check::Report),
    output: &mut Output<'_>,
    exit: &mut Exit,
) -> io::Result<Ran> {
    let mut ran = Ran {
        name: clean_line(&name).into_owned(),
        loaded,
        errors: Vec::new(),
        outcomes: Vec::new(),
        changed: Vec::new(),
        coverage: None,
        mutants: Vec::new(),
        idle: Vec::new(),
        logs: Vec::new(),
    };
    if report.has_errors() {
        ran.errors = report.faults.into_iter().filter(Fault::is_error).collect();
        *exit = Exit::NoVerdict;
        return Ok(ran);
    }
    let suite = Suite::new(&ran.loaded).only(args.only.as_deref());
    let files = recorded::files(&name, &ran.loaded);
    let wants = Wants {
        moments: args.accept || files.iter().any(|file| file.recorded.is_some()),
        trace: args.coverage.is_some() || args.mutants,
    };
    let played = suite.run(jobs, wants);
    if args.coverage.is_some() {
        ran.coverage = Some(Coverage::of(&suite, &played));
    }
    let passed = played.iter().all(|played| played.outcome.passed());
    if args.mutants && passed {
        (ran.mutants, ran.idle) = tried(&suite, &played, jobs, output)?;
        // With some of the examples, more survives.
        if args.only.is_some() {
            ran.idle.clear();
        }
    } else if args.mutants {
        output.note(format!("{}: mutants are tried when all examples hold", ran.name))?;
    }
    ran.outcomes = played.into_iter().map(|played| played.outcome).collect();
    let changes = &args.changes;
    let by = By { overlays: changes.overlays.clone(), settings: changes.settings.clone(), ..By::default() };
    ran.logs = judge::held(&name, &by, args.only.as_deref());
    let changed = recorded::compare(files, &ran.outcomes, args.only.is_none(), args.accept);
    if args.accept {
        *exit = (*exit).max(recorded::accept(output, &ran, &changed, args.only.is_none())?);
    } else {
        ran.changed = changed;
    }
    let below =
        ran.coverage.as_ref().is_some_and(|coverage| coverage.percent() < usize::from(args.coverage.unwrap_or(0)));
    if ran.failed() || below {
        *exit = (*exit).max(Exit::Negative);
    }
    Ok(ran)
}

/// Tries every mutant, and says on a terminal how far it is.
fn tried(
    suite: &Suite<'_>,
    played: &[Played],
    jobs: usize,
    output: &mut Output<'_>,
) -> io::Result<(Vec<(Mutant, Fate)>, Vec<Span>)> {
    const AT_ONCE: usize = 16;
    let all = mutants::list(suite, jobs);
    let trial = mutants::Trial::new(suite, played, jobs);
    let mut fates = Vec::new();
    for some in all.chunks(AT_ONCE * jobs) {
        output.progress(&format!("{}: {} of {} mutants", suite.loaded.name, fates.len(), all.len()))?;
        fates.extend(trial.run(some, jobs));
    }
    output.progress("")?;
    let idle = mutants::allow(suite.loaded, &all, &mut fates);
    Ok((all.into_iter().zip(fates).collect(), idle))
}

/// `file:line:column`
fn place(loaded: &Loaded, span: Span) -> String {
    match loaded.sources.get(span.file) {
        Some(source) => {
            let place = source.place_of(span.start);
            format!("{}:{}:{}", source.name(), place.line, place.column)
        }
        None => "?".to_owned(),
    }
}
