//! `ludex numbers`

mod uses;

use std::io;

use clap::Args;

use super::{Exit, Format, Output, RulesetArgs};
use crate::bind::{self, Bound, Choice, Number};
use crate::load::{self, Loaded};
use crate::report::{Fault, Sources, Span, settle, suggest};

/// Every number with its value, range, unit, citation and comment, and where it is used
#[derive(Debug, Args)]
pub(super) struct NumbersArgs {
    #[command(flatten)]
    ruleset: RulesetArgs,

    /// Show what depends on this number, option or ruling: rules that mention it, rules that use these, and examples
    /// that exercise one of them
    #[arg(long, value_name = "KEY")]
    uses: Option<String>,
}

pub(super) fn numbers(args: &NumbersArgs, output: &mut Output<'_>) -> io::Result<Exit> {
    let loaded = load::load(&args.ruleset.changes.request(&args.ruleset.ruleset));
    let Some(bound) = bind_quietly(&loaded, output)? else { return Ok(Exit::NoVerdict) };
    if let Some(key) = &args.uses {
        let Some(number) = bound.numbers.iter().find(|number| number.path == *key) else {
            let paths = || bound.numbers.iter().map(|number| number.path.as_str());
            let ending =
                paths().find(|path| path.ends_with(&format!(".{key}"))).map(|path| format!("did you mean `{path}`?"));
            let near = suggest::did_you_mean(key, paths()).or(ending);
            output.failure(
                &format!("unknown number `{key}`"),
                &near.unwrap_or_else(|| "`ludex numbers` without `--uses` lists them".to_owned()),
            )?;
            return Ok(Exit::NoVerdict);
        };
        return uses::uses(&loaded, &bound, number, output);
    }
    for number in &bound.numbers {
        if output.format == Format::Json {
            output.line(object(&loaded, &bound, number).to_string())?;
            continue;
        }
        let unit = number.unit.as_deref().map(|unit| format!(" {unit}")).unwrap_or_default();
        let comment = comment(&loaded.sources, number.toml).map(|comment| format!("  # {comment}")).unwrap_or_default();
        let left = format!("{} = {}{unit}", number.path, shown(&bound, number));
        output.line(format!("{left:<44} {:<14}{comment}", range(&bound, number)).trim_end())?;
    }
    Ok(Exit::Fine)
}

/// Binds for the fewest players; prints errors and gives nothing if there are any.
pub(super) fn bind_quietly(loaded: &Loaded, output: &mut Output<'_>) -> io::Result<Option<Bound>> {
    let mut faults = loaded.faults.clone();
    let items = bind::effective(&loaded.layers, &mut faults);
    let bound = bind::bind(&items, &[], Choice { players: None, numbers: &loaded.numbers }, &mut faults);
    faults.retain(Fault::is_error);
    // Without a file there is nothing that could miss an item.
    if loaded.layers.is_empty() {
        faults.retain(|fault| fault.code.id.starts_with("load::"));
    }
    settle(&mut faults);
    output.faults(&loaded.sources, &faults, 20)?;
    Ok(faults.is_empty().then_some(bound))
}

fn object(loaded: &Loaded, bound: &Bound, number: &Number) -> serde_json::Value {
    let at = |span: &Span| place(&loaded.sources, *span);
    let mut places = number.uses.clone();
    places.sort_unstable();
    places.dedup();
    serde_json::json!({
        "ludex": 1, "kind": "number", "key": number.path,
        "value": number.values.iter().map(|value| value.show(&bound.types)).collect::<Vec<_>>(),
        "type": bound.types.show(&number.ty).to_string(),
        "indices": number.indices.iter().map(|ty| bound.types.show(ty).to_string()).collect::<Vec<_>>(),
        "unit": number.unit,
        "comment": comment(&loaded.sources, number.toml),
        "citations": number.cites.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "at": number.toml.as_ref().and_then(at),
        "uses": places.iter().filter_map(at).collect::<Vec<_>>(),
    })
}

/// A place, for programs.
pub(super) fn place(sources: &Sources, span: Span) -> Option<serde_json::Value> {
    let source = sources.get(span.file)?;
    let place = source.place_of(span.start);
    Some(serde_json::json!({ "file": source.name(), "line": place.line, "column": place.column }))
}

/// A place, for people: `file:line`.
pub(super) fn file_and_line(sources: &Sources, span: Span) -> String {
    sources
        .get(span.file)
        .map_or_else(String::new, |source| format!("{}:{}", source.name(), source.place_of(span.start).line))
}

/// A plain number's value, or the values of an indexed one, shortened.
pub(super) fn shown(bound: &Bound, number: &Number) -> String {
    const MOST: usize = 9;
    let values: Vec<String> = number.values.iter().take(MOST).map(|value| value.show(&bound.types)).collect();
    match (number.indices.is_empty(), number.values.len() > MOST) {
        (true, _) => values.concat(),
        (false, false) => format!("[{}]", values.join(", ")),
        (false, true) => format!("[{}, … {} in all]", values.join(", "), number.values.len()),
    }
}

fn range(bound: &Bound, number: &Number) -> String {
    let ty = match &number.ty {
        crate::bind::Type::Named(id) => bound.types.member_names(*id).join(" | "),
        other => bound.types.show(other).to_string(),
    };
    let ty = if ty.chars().count() > 40 { bound.types.show(&number.ty).to_string() } else { ty };
    let indices: Vec<String> = number.indices.iter().map(|ty| bound.types.show(ty).to_string()).collect();
    if indices.is_empty() { ty } else { format!("{ty} by {}", indices.join(", ")) }
}

/// The comment behind a value in the TOML.
fn comment(sources: &Sources, span: Option<Span>) -> Option<String> {
    let span = span?;
    let text = sources.get(span.file)?.text();
    let rest = text.get(span.range().end..)?.lines().next()?;
    let (_, comment) = rest.split_once('#')?;
    Some(comment.trim().to_owned())
}
