//! What differs, for people.

use std::io;

use super::super::check::plural;
use super::super::numbers::file_and_line;
use super::super::{Format, Output};
use super::Shown;
use crate::diff::{Change, ExampleDifference, Kind, NumberDifference, OutcomeDifference, RuleDifference, Witness};
use crate::parts;
use crate::report::{Span, clean_line};

/// Lines of a changed text that are shown.
const MOST_LINES: usize = 12;

/// Examples that differ, and that come out otherwise, of which each is shown to people.
const MOST_EXAMPLES: usize = 12;

/// Reasons of an example that are shown.
const MOST_REASONS: usize = 3;

pub(super) fn show(shown: &Shown<'_>, output: &mut Output<'_>) -> io::Result<()> {
    let diff = shown.diff;
    if diff.strangers {
        return output.line(format!(
            "`{}` and `{}` are different games: they have no action in common",
            shown.args.old, shown.changed
        ));
    }
    if diff.is_empty() {
        let (old, new) = (clean_line(&shown.args.old), clean_line(&shown.changed));
        return output.line(format!("`{old}` and `{new}` do not differ"));
    }
    let human = output.format == Format::Human;
    let heading = |output: &mut Output<'_>, word: &str, empty: bool| {
        if empty || !human { Ok(()) } else { output.line(word) }
    };
    heading(output, "numbers", diff.numbers.is_empty())?;
    diff.numbers.iter().try_for_each(|number| shown.number(number, output))?;
    heading(output, "rules", diff.rules.is_empty())?;
    diff.rules.iter().try_for_each(|rule| shown.rule(rule, output))?;
    heading(output, "examples", diff.examples.is_empty() && diff.outcomes.is_empty())?;
    let most = if human { MOST_EXAMPLES } else { usize::MAX };
    let more = |output: &mut Output<'_>, all: usize| {
        if all > most { output.line(format!("  and {} more examples", all - most)) } else { Ok(()) }
    };
    diff.examples.iter().take(most).try_for_each(|example| shown.example(example, output))?;
    more(output, diff.examples.len())?;
    diff.outcomes.iter().take(most).try_for_each(|one| outcome(one, output))?;
    more(output, diff.outcomes.len())?;
    heading(output, "games", diff.positions == 0)?;
    diff.witnesses.iter().try_for_each(|witness| shown.witness(witness, output))?;
    if human && diff.positions > 0 {
        let games = usize::try_from(shown.plan.games).unwrap_or(usize::MAX);
        let compared = format!("{} positions of {} of seed {}", diff.positions, plural(games, "game"), shown.plan.seed);
        let what = if diff.witnesses.is_empty() { "nothing differs in" } else { "compared:" };
        output.line(format!("  {what} {compared}"))?;
    }
    if diff.untold > 0 {
        output.note(format!("{} more; `--most-witnesses` tells more of them", plural(diff.untold, "difference")))?;
    }
    Ok(())
}

impl Shown<'_> {
    /// `old.ludex:3 → new.ludex:4`
    fn places(&self, (old, new): (Option<Span>, Option<Span>)) -> String {
        let old = old.map(|span| file_and_line(&self.old.rules.loaded.sources, span));
        let new = new.map(|span| file_and_line(&self.new.rules.loaded.sources, span));
        match (old, new) {
            (Some(old), Some(new)) if old == new => old,
            (Some(old), Some(new)) => format!("{old} → {new}"),
            (Some(one), None) | (None, Some(one)) => one,
            (None, None) => "not in the TOML".to_owned(),
        }
    }

    fn number(&self, number: &NumberDifference, output: &mut Output<'_>) -> io::Result<()> {
        let what = match number.what {
            "value" | "row" => String::new(),
            what => format!("{what} "),
        };
        let change = match (&number.old, &number.new) {
            (Some(old), Some(new)) => format!("{what}{old} → {new}"),
            (Some(old), None) => format!("removed, was {old}"),
            (None, Some(new)) => format!("added, is {new}"),
            (None, None) => String::new(),
        };
        let unit = number.unit.as_ref().filter(|_| number.what == "value").map(|unit| format!(" {unit}"));
        let line = format!("{}: {change}{} ({})", number.key, unit.unwrap_or_default(), self.places(number.at));
        if output.format == Format::Plain {
            return output.line(format!("{} {line}", number.kind));
        }
        output.line(format!("  {line}"))?;
        number.citations.iter().try_for_each(|citation| output.line(format!("    {citation}")))
    }

    fn rule(&self, rule: &RuleDifference, output: &mut Output<'_>) -> io::Result<()> {
        let title = parts::title(rule.kind, &rule.name);
        let line = format!("{title} {} ({})", rule.change.word(), self.places(rule.at));
        if output.format == Format::Plain {
            return output.line(line);
        }
        output.line(format!("  {line}"))?;
        if rule.change == Change::Changed { changed_lines(&rule.lines, output) } else { Ok(()) }
    }

    fn example(&self, example: &ExampleDifference, output: &mut Output<'_>) -> io::Result<()> {
        let line = format!("{} {} ({})", example.heading, example.change.word(), self.places(example.at));
        if output.format == Format::Plain {
            return output.line(format!("example {line}"));
        }
        output.line(format!("  {line}"))?;
        if example.change == Change::Changed { changed_lines(&example.lines, output) } else { Ok(()) }
    }

    fn witness(&self, witness: &Witness, output: &mut Output<'_>) -> io::Result<()> {
        let seen = format!("{} in {}", many(witness.positions, "position"), many(witness.games, "game"));
        let line = format!("{}: {seen}", headline(witness));
        if output.format == Format::Plain {
            let entries: Vec<&str> = witness.before.iter().chain([&witness.entry]).map(String::as_str).collect();
            return output.line(format!("{line}: {}", entries.join("; ")));
        }
        output.line(format!("  {line}"))?;
        if let Some(finding) = &witness.finding {
            let refuses = if witness.group.kind == Kind::Legal { self.old } else { self.new };
            output.line(format!("    {}", finding.message))?;
            for broken in &finding.broken {
                let at = file_and_line(&refuses.rules.loaded.sources, broken.span);
                output.line(format!("    {} ({at}): {}", broken.name, broken.text))?;
                let values: Vec<String> =
                    broken.values.iter().map(|(text, value)| format!("{text} is {value}")).collect();
                if !values.is_empty() {
                    output.line(format!("      {}", values.join(", ")))?;
                }
                broken.citations.iter().try_for_each(|citation| output.line(format!("      {citation}")))?;
            }
        }
        let (was, is) = (witness.was, witness.before.len());
        let fewer = if is < was { format!(", found after {was}") } else { String::new() };
        output.line(format!("    shown after {}{fewer}:", super::super::game::entries(is)))?;
        witness.before.iter().try_for_each(|text| output.line(format!("      {text}")))?;
        output.line(format!("    > {}", witness.entry))
    }
}

fn outcome(outcome: &OutcomeDifference, output: &mut Output<'_>) -> io::Result<()> {
    let by = if outcome.by_new { "new" } else { "old" };
    let line = format!("{} passes by the {by} rules only ({})", outcome.heading, outcome.place);
    if output.format == Format::Plain {
        return output.line(format!("example {line}: {}", outcome.reasons.join("; ")));
    }
    output.line(format!("  {line}"))?;
    for reason in outcome.reasons.iter().take(MOST_REASONS) {
        output.line(format!("    {reason}"))?;
    }
    let more = outcome.reasons.len().saturating_sub(MOST_REASONS);
    if more > 0 { output.line(format!("    and {more} more")) } else { Ok(()) }
}

/// What a witness shows, in one line.
pub(super) fn headline(witness: &Witness) -> String {
    let group = &witness.group;
    let details: Vec<String> =
        witness.details.iter().map(|detail| format!("{}: {} → {}", detail.what, detail.old, detail.new)).collect();
    let details = details.join(", ");
    let action = &group.action;
    match group.kind {
        Kind::Illegal => format!("newly illegal: {action} ({})", group.rule),
        Kind::Legal => format!("newly legal: {action} (before: {})", group.rule),
        Kind::Dearer => format!("dearer: {action} ({details})"),
        Kind::Cheaper => format!("cheaper: {action} ({details})"),
        Kind::Scored => format!("scored otherwise: {action} ({details})"),
        Kind::Winner => format!("another winner: {action} ({details})"),
        Kind::Effect => format!("another effect: {action} ({details})"),
    }
}

fn many(count: u64, word: &str) -> String {
    plural(usize::try_from(count).unwrap_or(usize::MAX), word)
}

/// What was changed of a text, without what stayed.
fn changed_lines(lines: &[String], output: &mut Output<'_>) -> io::Result<()> {
    let changed: Vec<&String> = lines.iter().filter(|line| !line.starts_with(' ')).collect();
    for line in changed.iter().take(MOST_LINES) {
        let (sign, text) = line.split_at_checked(1).unwrap_or((line, ""));
        output.line(format!("    {sign} {text}"))?;
    }
    let more = changed.len().saturating_sub(MOST_LINES);
    if more > 0 { output.line(format!("    and {more} more lines")) } else { Ok(()) }
}
