//! `--set key=value`

use crate::numbers::{Node, NodeKind, Used};
use crate::report::{Fault, FileId, Span, codes};

/// The path and value of a setting. A value is an integer, `true`, `false`, or a member's name.
pub(super) fn parse(file: FileId, text: &str) -> Result<(String, Node), Box<Fault>> {
    let whole = Span::new(file, 0, text.len().max(1));
    let Some((key, value)) = text.split_once('=') else {
        return Err(Box::new(bad(whole, text)));
    };
    let (path, value_text) = (key.trim(), value.trim());
    let well_formed = !path.is_empty() && path.split('.').all(|part| !part.is_empty()) && !value_text.is_empty();
    if !well_formed {
        return Err(Box::new(bad(whole, text)));
    }
    let kind = match value_text {
        "true" => NodeKind::Bool(true),
        "false" => NodeKind::Bool(false),
        _ => match value_text.parse() {
            Ok(number) => NodeKind::Int(number),
            Err(_) => NodeKind::Text(value_text.trim_matches('"').to_owned()),
        },
    };
    let at = text.len() - value.trim_start().len();
    let span = Span::new(file, at, at + value_text.len());
    let key = Span::new(file, 0, key.trim_end().len());
    Ok((path.to_owned(), Node { kind, span, key, used: Used::default() }))
}

fn bad(span: Span, text: &str) -> Fault {
    Fault::new(&codes::BAD_SETTING, span, format!("`{text}` does not set anything"))
        .label("not of the form key=value")
        .help("write `--set cost.build=4`; `ludex numbers` lists the keys")
}
