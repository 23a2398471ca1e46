//! `ludex explain CODE`

use std::io;

use clap::Args;

use super::{Exit, Format, Output};
use crate::report::{Code, codes, suggest};

/// The long explanation of a diagnostic code, with a ruleset that raises it
#[derive(Debug, Args)]
pub(super) struct ExplainArgs {
    /// A code such as `bind::unknown-name`; without one, all codes are listed
    code: Option<String>,
}

pub(super) fn explain(args: &ExplainArgs, output: &mut Output<'_>) -> io::Result<Exit> {
    let Some(wanted) = &args.code else {
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
    // The stage may be left out where the rest is clear.
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
        Some(code) => {
            match output.format {
                Format::Json => {
                    let object = serde_json::json!({ "ludex": 1, "kind": "code", "code": code.id, "severity": code.severity.word(), "title": code.title(), "page": code.page });
                    output.line(object.to_string())?;
                }
                _ => output.result(format!("{} ({})\n\n{}", code.id, code.severity.word(), code.page))?,
            }
            Ok(Exit::Fine)
        }
        None => {
            let near = suggest::did_you_mean(wanted, codes::ALL.iter().map(|code| code.id));
            let help = near.unwrap_or_else(|| "`ludex explain` lists all codes".to_owned());
            output.failure(&format!("unknown code `{wanted}`"), &help)?;
            Ok(Exit::NoVerdict)
        }
    }
}
