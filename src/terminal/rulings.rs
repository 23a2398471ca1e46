//! `ludex rulings`

use std::io;

use clap::Args;

use super::numbers::{bind_quietly, shown};
use super::{Exit, Format, Output, RulesetArgs};
use crate::load;

/// Every decision with its question, what the sources say, and the reason
#[derive(Debug, Args)]
pub(super) struct RulingsArgs {
    #[command(flatten)]
    ruleset: RulesetArgs,
}

pub(super) fn rulings(args: &RulingsArgs, output: &mut Output<'_>) -> io::Result<Exit> {
    let loaded = load::load_rules(&args.ruleset.changes.request(&args.ruleset.ruleset));
    let Some(bound) = bind_quietly(&loaded, output)? else { return Ok(Exit::NoVerdict) };
    for ruling in &bound.rulings {
        let number = bound.number(ruling.number);
        let value = shown(&bound, number);
        let readings: Vec<(String, String)> = ruling
            .readings
            .iter()
            .map(|(citation, value, _)| (citation.to_string(), value.show(&bound.types)))
            .collect();
        if output.format == Format::Json {
            let object = serde_json::json!({
                "ludex": 1, "kind": "ruling", "name": ruling.name, "key": number.path, "value": value,
                "question": ruling.question, "reason": ruling.reason, "conflict": ruling.is_conflict(),
                "readings": readings.iter().map(|(citation, value)| serde_json::json!({ "citation": citation, "value": value })).collect::<Vec<_>>(),
            });
            output.line(object.to_string())?;
            continue;
        }
        let mark = if ruling.is_conflict() { "  (the sources disagree)" } else { "" };
        output.line(format!("{} = {value}{mark}", number.path))?;
        output.line(format!("  {}", ruling.question))?;
        for (citation, value) in readings {
            output.line(format!("  {citation}: {value}"))?;
        }
        output.line(format!("  {}\n", ruling.reason))?;
    }
    if bound.rulings.is_empty() && output.format != Format::Json {
        output.note("this ruleset decides nothing that its rulebook leaves open")?;
    }
    Ok(Exit::Fine)
}
