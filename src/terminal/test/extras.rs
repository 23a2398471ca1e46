//! What no example shows, and what no example notices.

use std::io;

use serde_json::{Value, json};

use super::{Ran, place};
use crate::examples::coverage::{Coverage, Item};
use crate::examples::mutants::{Fate, Mutant};
use crate::load::Loaded;
use crate::terminal::{Format, Output};

pub(super) fn coverage(output: &mut Output<'_>, ran: &Ran, least: Option<u8>) -> io::Result<()> {
    let (Some(coverage), Some(least)) = (&ran.coverage, least) else { return Ok(()) };
    match output.format {
        Format::Json => output.line(coverage_object(ran, coverage, least).to_string()),
        Format::Human | Format::Plain => output.result(coverage_text(ran, coverage, least)),
        Format::Sarif | Format::Github | Format::Junit => Ok(()),
    }
}

/// The share that is shown, then what is not.
pub(super) fn coverage_text(ran: &Ran, coverage: &Coverage, least: u8) -> String {
    let mut text = String::new();
    for item in coverage.items.iter().filter(|item| !item.exercised) {
        let at = place(&ran.loaded, item.span);
        text += &match &item.exempt {
            None => format!("{at}: never shown: {} {}\n", item.kind, item.what),
            Some(reason) => format!("{at}: exempt: {} {}: {reason}\n", item.kind, item.what),
        };
    }
    for span in &coverage.idle {
        text += &format!("{}: this exempts nothing\n", place(&ran.loaded, *span));
    }
    let percent = coverage.percent();
    let short = if percent < usize::from(least) { format!(", less than {least}%") } else { String::new() };
    let exempt = coverage.items.len() - coverage.counted();
    let exempt = if exempt > 0 { format!(", {exempt} exempt") } else { String::new() };
    text + &format!(
        "shown  {:<26} {} of {} parts of the rules, {percent}%{short}{exempt}\n",
        ran.name,
        coverage.exercised(),
        coverage.counted()
    )
}

fn coverage_object(ran: &Ran, coverage: &Coverage, least: u8) -> Value {
    let object = |item: &Item| json!({ "kind": item.kind, "what": item.what, "at": place(&ran.loaded, item.span), "reason": item.exempt });
    let missing = coverage.items.iter().filter(|item| !item.exercised && item.exempt.is_none());
    let exempt = coverage.items.iter().filter(|item| item.exempt.is_some());
    json!({
        "ludex": 1, "kind": "coverage", "ruleset": ran.name, "percent": coverage.percent(), "least": least,
        "exercised": coverage.exercised(), "counted": coverage.counted(),
        "missing": missing.map(object).collect::<Vec<_>>(), "exempt": exempt.map(object).collect::<Vec<_>>(),
        "idle": coverage.idle.iter().map(|span| place(&ran.loaded, *span)).collect::<Vec<_>>(),
    })
}

pub(super) fn mutants(output: &mut Output<'_>, ran: &Ran) -> io::Result<()> {
    match output.format {
        Format::Json => {
            ran.mutants.iter().try_for_each(|(mutant, fate)| output.line(mutant_object(ran, mutant, fate).to_string()))
        }
        Format::Human | Format::Plain => {
            if !ran.mutants.is_empty() {
                output.result(mutants_text(ran))?;
            }
            // Whoever wants to know more is told which example caught what.
            for (mutant, fate) in &ran.mutants {
                let by = match fate {
                    Fate::Example(heading, message) => format!("{heading}: {message}"),
                    Fate::Check(message) => format!("check: {message}"),
                    Fate::Survived(_) | Fate::Allowed(_) => continue,
                    Fate::Equivalent => {
                        output.detail(format!("{}: the same ruleset", described(&ran.loaded, mutant)))?;
                        continue;
                    }
                };
                output.detail(format!("{}: caught by {by}", described(&ran.loaded, mutant)))?;
            }
            Ok(())
        }
        Format::Sarif | Format::Github | Format::Junit => Ok(()),
    }
}

/// Survivors, then how many there are.
pub(super) fn mutants_text(ran: &Ran) -> String {
    let (mut examples, mut check, mut same, mut allowed, mut survivors) = (0, 0, 0, 0, 0);
    let mut text = String::new();
    for (mutant, fate) in &ran.mutants {
        match fate {
            Fate::Example(..) => examples += 1,
            Fate::Check(_) => check += 1,
            Fate::Equivalent => same += 1,
            Fate::Allowed(reason) => {
                allowed += 1;
                text += &format!("{}: survives, allowed: {reason}\n", described(&ran.loaded, mutant));
            }
            Fate::Survived(readers) => {
                survivors += 1;
                text += &format!("{}: {}\n", described(&ran.loaded, mutant), survival(*readers));
            }
        }
    }
    let all = ran.mutants.len();
    for span in &ran.idle {
        text += &format!("{}: this allows nothing\n", place(&ran.loaded, *span));
    }
    let counted = |count: usize, word: &str| if count > 0 { format!("{count} {word}, ") } else { String::new() };
    let same = counted(same, "equivalent") + &counted(allowed, "allowed");
    text + &format!(
        "mutants {:<25} {all}: {examples} caught by examples, {check} by check, {same}{survivors} survive\n",
        ran.name
    )
}

/// `file:line:column: number cost.move 2 -> 3`
pub(super) fn described(loaded: &Loaded, mutant: &Mutant) -> String {
    format!("{}: {}", place(loaded, mutant.span), changed(mutant))
}

/// `number cost.move 2 -> 3`
pub(super) fn changed(mutant: &Mutant) -> String {
    format!("{} {} {}", mutant.kind, mutant.name, mutant.change)
}

/// Why it survives.
pub(super) fn survival(readers: usize) -> String {
    match readers {
        0 => "survives, no example reads it".to_owned(),
        1 => "survives, though 1 position reads it".to_owned(),
        many => format!("survives, though {many} positions read it"),
    }
}

fn mutant_object(ran: &Ran, mutant: &Mutant, fate: &Fate) -> Value {
    let mut reason = None;
    let (caught_by, example, message, readers) = match fate {
        Fate::Example(heading, message) => (Some("examples"), Some(heading), Some(message), None),
        Fate::Check(message) => (Some("check"), None, Some(message), None),
        Fate::Equivalent => (None, None, None, None),
        Fate::Survived(readers) => (None, None, None, Some(readers)),
        Fate::Allowed(why) => {
            reason = Some(why);
            (None, None, None, None)
        }
    };
    json!({
        "ludex": 1, "kind": "mutant", "ruleset": ran.name, "of": mutant.kind, "name": mutant.name,
        "change": mutant.change, "at": place(&ran.loaded, mutant.span), "caught_by": caught_by, "example": example,
        "message": message, "equivalent": *fate == Fate::Equivalent, "readers": readers,
        "reason": reason,
    })
}
