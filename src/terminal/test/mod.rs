//! `ludex test`

use std::io;

use clap::Args;

use super::check::plural;
use super::{Changes, Exit, Format, Output};
use crate::check;
use crate::examples::{self, Outcome};
use crate::load::{self, Folder, Loaded};
use crate::report::Span;

/// Play the worked examples of rulesets; all bundled ones by default
#[derive(Debug, Args)]
pub(super) struct TestArgs {
    /// Bundled names, folders or `.ludex` files
    rulesets: Vec<String>,

    #[command(flatten)]
    changes: Changes,

    /// Only examples whose row or title contains this
    #[arg(long, value_name = "PATTERN")]
    only: Option<String>,
}

pub(super) fn test(args: &TestArgs, output: &mut Output<'_>) -> io::Result<Exit> {
    let mut names: Vec<String> = args.rulesets.clone();
    if names.is_empty() {
        names = Folder::bundled_names().into_iter().map(str::to_owned).collect();
    }
    let mut exit = Exit::Fine;
    let mut selected = 0;
    for name in super::check::with_variants(&names) {
        let loaded = load::load(&args.changes.request(&name));
        let report = check::ruleset(&loaded);
        if report.has_errors() {
            let errors: Vec<_> = report.faults.into_iter().filter(crate::report::Fault::is_error).collect();
            output.faults(&loaded.sources, &errors, 20)?;
            output.note(format!("{name}: its examples cannot be played before its errors are mended"))?;
            exit = Exit::NoVerdict;
            continue;
        }
        let chosen = |outcome: &Outcome| {
            args.only.as_ref().is_none_or(|only| outcome.title.contains(only.as_str()) || outcome.rows.contains(only))
        };
        let outcomes: Vec<Outcome> = examples::run(&loaded).into_iter().filter(chosen).collect();
        selected += outcomes.len();
        if outcomes.iter().any(|outcome| !outcome.failures.is_empty()) {
            exit = exit.max(Exit::Negative);
        }
        if !outcomes.is_empty() || args.only.is_none() {
            show(output, &name, &loaded, &outcomes)?;
        }
    }
    if selected == 0 && args.only.is_some() && exit == Exit::Fine {
        output
            .failure("no example has this row or title", "`--only` takes a row such as `R4`, or a part of a title")?;
        return Ok(Exit::NoVerdict);
    }
    Ok(exit)
}

fn show(output: &mut Output<'_>, name: &str, loaded: &Loaded, outcomes: &[Outcome]) -> io::Result<()> {
    for outcome in outcomes {
        if output.format == Format::Json {
            output.line(object(name, loaded, outcome).to_string())?;
            continue;
        }
        for failure in &outcome.failures {
            let rows = if outcome.rows.is_empty() { String::new() } else { format!("{} ", outcome.rows.join(", ")) };
            output.line(format!("{}: failed: {rows}\"{}\"", place(loaded, failure.span), outcome.title))?;
            output.line(format!("    {}", failure.message))?;
            let line = loaded.sources.slice(failure.span).lines().next().unwrap_or("").trim();
            output.line(format!("    {line}"))?;
            if !outcome.cites.is_empty() {
                output.line(format!("    rulebook: {}", outcome.cites.join(", ")))?;
            }
        }
    }
    if output.format == Format::Json {
        return Ok(());
    }
    let mut titles: Vec<Span> = outcomes.iter().map(|outcome| outcome.span).collect();
    titles.sort();
    titles.dedup();
    let mut failed: Vec<Span> =
        outcomes.iter().filter(|outcome| !outcome.failures.is_empty()).map(|outcome| outcome.span).collect();
    failed.sort();
    failed.dedup();
    let expectations = outcomes.iter().map(|outcome| outcome.expectations).sum();
    let word = if failed.is_empty() { "ok" } else { "failed" };
    let mut line =
        format!("{word:<7}{name:<26} {}, {}", plural(titles.len(), "example"), plural(expectations, "expectation"));
    if !failed.is_empty() {
        line += &format!(", {} failed", failed.len());
    }
    output.line(line)
}

fn place(loaded: &Loaded, span: Span) -> String {
    match loaded.sources.get(span.file) {
        Some(source) => {
            let place = source.place_of(span.start);
            format!("{}:{}:{}", source.name(), place.line, place.column)
        }
        None => "?".to_owned(),
    }
}

fn object(name: &str, loaded: &Loaded, outcome: &Outcome) -> serde_json::Value {
    let failures: Vec<serde_json::Value> = outcome
        .failures
        .iter()
        .map(|failure| serde_json::json!({ "at": place(loaded, failure.span), "message": failure.message }))
        .collect();
    serde_json::json!({
        "ludex": 1, "kind": "example", "ruleset": name, "rows": outcome.rows, "title": outcome.title,
        "at": place(loaded, outcome.span), "expectations": outcome.expectations, "passed": failures.is_empty(), "failures": failures,
        "citations": outcome.cites,
    })
}
