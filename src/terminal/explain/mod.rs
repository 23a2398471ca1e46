//! `ludex explain CODE`, `ludex explain LOG:LINE`

mod line;

use std::io;
use std::path::Path;

use clap::Args;

use super::{Changes, Exit, Format, LogRules, Output};
use crate::report::{Code, codes, suggest};

/// What a code means, or what a line of a log did and why it was refused
#[derive(Debug, Args)]
pub(super) struct ExplainArgs {
    /// A code such as `bind::unknown-name`, or a log and the number of a line in it; without one, all codes are
    /// listed
    #[arg(value_name = "CODE|LOG:LINE")]
    what: Option<String>,

    #[command(flatten)]
    by: LogRules,

    #[command(flatten)]
    changes: Changes,
}

pub(super) fn explain(args: &ExplainArgs, output: &mut Output<'_>) -> io::Result<Exit> {
    let Some(wanted) = &args.what else {
        for code in codes::ALL {
            match output.format {
                Format::Json => {
                    let object = serde_json::json!({ "ludex": 1, "kind": "code", "code": code.id, "severity": code.severity.word(), "title": code.title() });
                    output.line(object.to_string())?;
                }
                _ => output.line(format!("{:<28} {:<8} {}", code.id, code.severity.word(), code.title()))?,
            }
        }
        return Ok(Exit::Fine);
    };
    if let Some((log, number)) = wanted.rsplit_once(':')
        && let Ok(number) = number.parse::<usize>()
    {
        return line::line(args, Path::new(log), number, output);
    }
    if args.by.are_some() || args.changes.are_some() {
        output.failure("a code means the same by all rules", "`--rules` and `--set` go with a line of a log")?;
        return Ok(Exit::NoVerdict);
    }
    // The stage may be left out where the rest is clear; verdicts are known without it.
    if let Some(code) = codes::find(&format!("verdict::{wanted}")) {
        return page(code, output);
    }
    let alike: Vec<&'static Code> = codes::ALL
        .iter()
        .copied()
        .filter(|code| code.id.split_once("::").is_some_and(|(_, name)| name == wanted))
        .collect();
    if alike.len() > 1 {
        let ids: Vec<&str> = alike.iter().map(|code| code.id).collect();
        output
            .failure(&format!("`{wanted}` is the name of several codes"), &format!("say which: {}", ids.join(", ")))?;
        return Ok(Exit::NoVerdict);
    }
    match codes::find(wanted).or(alike.first().copied()) {
        Some(code) => page(code, output),
        None => {
            let near = suggest::did_you_mean(wanted, codes::ALL.iter().map(|code| code.id));
            let help = near.unwrap_or_else(|| "`ludex explain` lists all codes".to_owned());
            output.failure(&format!("unknown code `{wanted}`"), &help)?;
            Ok(Exit::NoVerdict)
        }
    }
}

fn page(code: &Code, output: &mut Output<'_>) -> io::Result<Exit> {
    match output.format {
        Format::Json => {
            let object = serde_json::json!({ "ludex": 1, "kind": "code", "code": code.id, "severity": code.severity.word(), "title": code.title(), "page": code.page });
            output.line(object.to_string())?;
        }
        _ => output.result(format!("{} ({})\n\n{}", code.id, code.severity.word(), code.page))?,
    }
    Ok(Exit::Fine)
}
