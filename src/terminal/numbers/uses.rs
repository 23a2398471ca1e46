//! What depends on a number: the rules, and the examples that exercise them.

use std::io;

use serde_json::{Value, json};

use super::super::{Exit, Format, Output};
use super::{file_and_line, object, place, shown};
use crate::bind::{self, Bound, Number};
use crate::check;
use crate::examples::{Outcome, Suite, Wants, cores};
use crate::load::Loaded;
use crate::parts::{self, Use};

/// An example that depends on the number: by these rules, or because it reads it.
struct Shown {
    outcome: Outcome,
    by: Vec<String>,
}

pub(super) fn uses(loaded: &Loaded, bound: &Bound, number: &Number, output: &mut Output<'_>) -> io::Result<Exit> {
    let items = bind::effective(&loaded.layers, &mut Vec::new());
    let uses = parts::uses(bound, &items, number);
    let sound = !check::ruleset(loaded).has_errors();
    let examples = if sound { examples(loaded, bound, number, &uses) } else { Vec::new() };
    if output.format == Format::Json {
        let mut whole = object(loaded, bound, number);
        if let Value::Object(fields) = &mut whole {
            fields.insert("dependents".to_owned(), uses.iter().map(|used| dependent(loaded, used)).collect());
            fields.insert("examples".to_owned(), examples.iter().map(|shown| example(loaded, shown)).collect());
        }
        output.line(whole.to_string())?;
    } else {
        people(loaded, bound, number, (&uses, &examples), output)?;
    }
    if !sound {
        output.note("the ruleset has faults, so its examples were not played; `ludex check` tells them")?;
    }
    Ok(Exit::Fine)
}

fn examples(loaded: &Loaded, bound: &Bound, number: &Number, uses: &[Use]) -> Vec<Shown> {
    let at = bound.numbers.iter().position(|known| known.path == number.path);
    let played = Suite::new(loaded).run(cores(), Wants { moments: false, trace: true });
    let mut found = Vec::new();
    for played in played {
        let exercised = parts::exercised(uses, &played.trace);
        let reads = number.in_types || at.is_some_and(|at| parts::reads(&played.trace, at));
        if reads || !exercised.is_empty() {
            let by = exercised.iter().map(|used| used.part.title()).collect();
            found.push(Shown { outcome: played.outcome, by });
        }
    }
    found
}

fn dependent(loaded: &Loaded, used: &Use) -> Value {
    json!({
        "kind": used.part.kind, "name": used.part.name, "at": place(&loaded.sources, used.part.span),
        "through": used.through,
        "places": used.places.iter().filter_map(|span| place(&loaded.sources, *span)).collect::<Vec<_>>(),
    })
}

fn example(loaded: &Loaded, shown: &Shown) -> Value {
    let outcome = &shown.outcome;
    json!({
        "rows": outcome.rows, "title": outcome.title, "position": outcome.position,
        "at": place(&loaded.sources, outcome.span), "by": shown.by,
    })
}

fn people(
    loaded: &Loaded,
    bound: &Bound,
    number: &Number,
    (uses, examples): (&[Use], &[Shown]),
    output: &mut Output<'_>,
) -> io::Result<()> {
    let unit = number.unit.as_deref().map(|unit| format!(" {unit}")).unwrap_or_default();
    output.line(format!("{} = {}{unit}", number.path, shown(bound, number)))?;
    if uses.is_empty() {
        output.line("  never used")?;
    }
    let (direct, indirect): (Vec<&Use>, Vec<&Use>) = uses.iter().partition(|used| used.through.is_empty());
    for used in direct {
        output.line(format!("  {}", used.part.title()))?;
        let mut told = Vec::new();
        for span in &used.places {
            let at = file_and_line(&loaded.sources, *span);
            if !told.contains(&at) {
                output.line(format!("    {at}: {}", line_at(loaded, span)))?;
                told.push(at);
            }
        }
    }
    if !indirect.is_empty() {
        output.line("through these")?;
    }
    for used in indirect {
        let through: Vec<String> = used.through.iter().map(|name| format!("through `{name}`")).collect();
        let at = file_and_line(&loaded.sources, used.part.span);
        output.line(format!("  {} {} ({at})", used.part.title(), through.join(" ")))?;
    }
    if !examples.is_empty() {
        output.line("examples")?;
    }
    for Shown { outcome, by } in examples {
        let at = file_and_line(&loaded.sources, outcome.span);
        output.line(format!("  {} ({at})", outcome.heading()))?;
        output.line(format!("    {}", if by.is_empty() { "reads it".to_owned() } else { by.join(", ") }))?;
    }
    Ok(())
}

/// The line of the rules that mentions it.
fn line_at<'l>(loaded: &'l Loaded, span: &crate::report::Span) -> &'l str {
    let Some(source) = loaded.sources.get(span.file) else { return "" };
    let line = source.place_of(span.start).line;
    source.text().lines().nth(line - 1).unwrap_or("").trim()
}
