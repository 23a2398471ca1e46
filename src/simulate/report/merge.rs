//! Putting shards together: the same report as one run would have given.

use super::{Difference, Failures, Fault, Figures, Head, Look, Report, Shard, VERSION};
use crate::statistics::Overflow;

/// Why reports do not belong together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mismatch {
    /// What is wrong, with the names of the files.
    pub message: String,
    /// What to do.
    pub help: String,
}

impl Mismatch {
    fn new(message: impl Into<String>, help: &str) -> Self {
        Self { message: message.into(), help: help.to_owned() }
    }
}

/// Why two reports cannot be added.
enum Apart {
    /// A count is too large.
    Overflow,
    /// They hold other things.
    Other,
}

impl From<Overflow> for Apart {
    fn from(_: Overflow) -> Self {
        Self::Overflow
    }
}

/// The report of one run, from all its shards, each with the name of its file.
pub fn merge(mut shards: Vec<(String, Report)>, command: &[String]) -> Result<Report, Mismatch> {
    together(&shards)?;
    shards.sort_by_key(|(_, report)| report.head().shard.map_or(0, |shard| shard.index));
    let mut shards = shards.into_iter();
    let Some((first, mut whole)) = shards.next() else {
        return Err(Mismatch::new("there is nothing to merge", "name the reports of all shards"));
    };
    for (name, report) in shards {
        whole.add(&report).map_err(|apart| match apart {
            Apart::Overflow => Mismatch::new(
                format!("the counts of `{first}` and `{name}` are too large to be added"),
                "reports that `ludex simulate` wrote are not; has one of them been changed?",
            ),
            Apart::Other => Mismatch::new(
                format!("`{first}` and `{name}` hold other measures"),
                "play all shards with the same command line but for `--shard`, by the same version of Ludex",
            ),
        })?;
    }
    let head = whole.head_mut();
    head.shard = None;
    head.command = command.to_vec();
    whole.derive();
    Ok(whole)
}

/// Are these the shards of one run, all of them?
fn together(shards: &[(String, Report)]) -> Result<(), Mismatch> {
    let again = "play it again with `--shard I/N`";
    let mut seen: Vec<(u64, &str)> = Vec::new();
    let mut parts = None;
    for (name, report) in shards {
        let head = report.head();
        if head.ludex != VERSION {
            let message = format!("`{name}` has the shape of version {}, not {VERSION}", head.ludex);
            return Err(Mismatch::new(message, "use the version of Ludex that wrote it"));
        }
        let Some(Shard { index, of }) = head.shard else {
            return Err(Mismatch::new(format!("`{name}` is not one of several shards but a whole run"), again));
        };
        if head.interrupted {
            return Err(Mismatch::new(format!("`{name}` was interrupted: games are missing"), again));
        }
        if index == 0 || index > of {
            return Err(Mismatch::new(format!("`{name}` is said to be shard {index} of {of}"), again));
        }
        if let Some((_, other)) = seen.iter().find(|(known, _)| *known == index) {
            let message = format!("`{other}` and `{name}` are both shard {index} of {of}");
            return Err(Mismatch::new(message, "name every shard once"));
        }
        seen.push((index, name));
        if let Some((first, whole)) = shards.first()
            && let Some(what) = differing(whole, report)
        {
            return Err(Mismatch::new(
                format!("`{first}` and `{name}` are not of the same run: {what}"),
                "play all shards with the same command line but for `--shard`",
            ));
        }
        parts = Some(of);
    }
    let missing: Vec<String> = (1..=parts.unwrap_or(0))
        .filter(|index| seen.iter().all(|(known, _)| known != index))
        .take(11)
        .map(|index| index.to_string())
        .collect();
    if missing.is_empty() {
        return Ok(());
    }
    let shown = missing.get(..10).map_or_else(|| missing.join(", "), |few| format!("{}, …", few.join(", ")));
    let message = format!("of {} shards these are missing: {shown}", parts.unwrap_or(0));
    Err(Mismatch::new(message, "name the reports of all shards"))
}

/// What two runs were not told alike, with both values.
fn differing(a: &Report, b: &Report) -> Option<String> {
    let (one, other) = (a.head(), b.head());
    let list = |texts: &[String]| if texts.is_empty() { "none".to_owned() } else { texts.join(", ") };
    let overlays = |head: &Head| {
        list(&head.overlays.iter().map(|overlay| format!("{} {}", overlay.file, overlay.hash)).collect::<Vec<_>>())
    };
    let facts = |report: &Report, head: &Head| {
        [
            ("kind", report.kind().to_owned()),
            ("ruleset", head.ruleset.clone()),
            ("hash of the rules", head.hash.clone()),
            ("settings", list(&head.settings)),
            ("overlays", overlays(head)),
            ("players", head.players.to_string()),
            ("agents", list(&head.agents)),
            ("seed", head.seed.clone()),
            ("games", head.asked.games.to_string()),
            ("most entries", head.asked.most_entries.to_string()),
            ("games looked at", head.asked.look.to_string()),
            ("invariants", head.invariants_checked.to_string()),
            ("confidence", head.confidence.to_string()),
            ("number of shards", head.shard.map_or(0, |shard| shard.of).to_string()),
            ("version of Ludex", head.version.clone()),
            ("change", report.changes()),
        ]
    };
    let pairs = facts(a, one).into_iter().zip(facts(b, other));
    pairs
        .into_iter()
        .find(|(one, other)| one != other)
        .map(|((what, one), (_, other))| format!("{what} {one} and {other}"))
}

impl Report {
    /// What is changed beside the base, in words.
    fn changes(&self) -> String {
        match self {
            Self::Simulation(_) => String::new(),
            Self::Comparison(report) => {
                let overlays =
                    report.change.overlays.iter().map(|overlay| format!("{} {}", overlay.file, overlay.hash));
                report.change.settings.iter().cloned().chain(overlays).collect::<Vec<_>>().join(", ")
            }
            Self::Sweep(report) => {
                let values: Vec<&str> = report.points.iter().map(|point| point.value.as_str()).collect();
                format!("{}={}", report.key, values.join(","))
            }
            Self::Sensitivity(report) => format!("{} numbers", report.nudges.len()),
        }
    }

    fn add(&mut self, other: &Self) -> Result<(), Apart> {
        match (self, other) {
            (Self::Simulation(a), Self::Simulation(b)) => a.figures.add(&b.figures),
            (Self::Comparison(a), Self::Comparison(b)) => {
                a.base.add(&b.base)?;
                a.changed.add(&b.changed)?;
                add_all(&mut a.differences, &b.differences)
            }
            (Self::Sweep(a), Self::Sweep(b)) if a.points.len() == b.points.len() => {
                a.base.add(&b.base)?;
                for (point, more) in a.points.iter_mut().zip(&b.points) {
                    if add_faults(&mut point.fault, more.fault.as_ref()) {
                        (point.figures, point.differences) = (None, Vec::new());
                        continue;
                    }
                    match (&mut point.figures, &more.figures) {
                        (Some(figures), Some(more)) => figures.add(more)?,
                        _ => return Err(Apart::Other),
                    }
                    add_all(&mut point.differences, &more.differences)?;
                }
                Ok(())
            }
            (Self::Sensitivity(a), Self::Sensitivity(b)) if a.nudges.len() == b.nudges.len() => {
                a.base.add(&b.base)?;
                for nudge in &mut a.nudges {
                    let same = b.nudges.iter().find(|more| (&more.key, more.to) == (&nudge.key, nudge.to));
                    let more = same.ok_or(Apart::Other)?;
                    add_failures(&mut nudge.failures, &more.failures)?;
                    if add_faults(&mut nudge.fault, more.fault.as_ref()) {
                        nudge.differences.clear();
                        continue;
                    }
                    add_all(&mut nudge.differences, &more.differences)?;
                }
                Ok(())
            }
            _ => Err(Apart::Other),
        }
    }
}

/// A change that breaks in one shard is broken, as the first game says. True if it is.
fn add_faults(fault: &mut Option<Fault>, more: Option<&Fault>) -> bool {
    let first = fault.iter().chain(more).min().cloned();
    *fault = first;
    fault.is_some()
}

fn add_all(all: &mut [Difference], more: &[Difference]) -> Result<(), Apart> {
    let same = |(a, b): (&Difference, &Difference)| (&a.measure, &a.of, a.unit) == (&b.measure, &b.of, b.unit);
    if all.len() != more.len() || !all.iter().zip(more).all(same) {
        return Err(Apart::Other);
    }
    all.iter_mut().zip(more).try_for_each(|(one, more)| Ok(one.merge(more)?))
}

fn add_failures(all: &mut Failures, more: &Failures) -> Result<(), Apart> {
    if all.add(more) { Ok(()) } else { Err(Apart::Overflow) }
}

/// A count more.
fn count(sum: &mut u64, more: u64) -> Result<(), Apart> {
    *sum = sum.checked_add(more).ok_or(Apart::Overflow)?;
    Ok(())
}

impl Figures {
    /// Both together; what follows from the counts is left as it was.
    fn add(&mut self, other: &Self) -> Result<(), Apart> {
        let seats = self.seats.len() == other.seats.len() && self.share_unit == other.share_unit;
        if !seats || self.actions.len() != other.actions.len() {
            return Err(Apart::Other);
        }
        count(&mut self.games, other.games)?;
        add_failures(&mut self.failures, &other.failures)?;
        count(&mut self.entries, other.entries)?;
        count(&mut self.unfinished, other.unfinished)?;
        count(&mut self.draws, other.draws)?;
        count(&mut self.no_winner, other.no_winner)?;
        self.length.merge(&other.length)?;
        self.margin.merge(&other.margin)?;
        for (seat, more) in self.seats.iter_mut().zip(&other.seats) {
            if (&seat.seat, &seat.agent) != (&more.seat, &more.agent) {
                return Err(Apart::Other);
            }
            count(&mut seat.wins, more.wins)?;
            count(&mut seat.shared, more.shared)?;
            count(&mut seat.share_parts, more.share_parts)?;
            seat.score.merge(&more.score)?;
            count(&mut seat.choices, more.choices)?;
            count(&mut seat.by_chance, more.by_chance)?;
        }
        for (action, more) in self.actions.iter_mut().zip(&other.actions) {
            if action.action != more.action {
                return Err(Apart::Other);
            }
            count(&mut action.chosen, more.chosen)?;
            count(&mut action.offered, more.offered)?;
            count(&mut action.affordable, more.affordable)?;
            count(&mut action.legal, more.legal)?;
            count(&mut action.taken, more.taken)?;
            count(&mut action.judged, more.judged)?;
            count(&mut action.judged_by_chance, more.judged_by_chance)?;
        }
        self.cpu_seconds += other.cpu_seconds;
        self.look.add(&other.look)
    }
}

impl Look {
    fn add(&mut self, other: &Self) -> Result<(), Apart> {
        count(&mut self.games, other.games)?;
        count(&mut self.skipped, other.skipped)?;
        count(&mut self.stumbled, other.stumbled)?;
        if self.stumble.is_none() {
            self.stumble.clone_from(&other.stumble);
        }
        self.cpu_seconds += other.cpu_seconds;
        count(&mut self.decisions, other.decisions)?;
        count(&mut self.legal_entries, other.legal_entries)?;
        count(&mut self.audited, other.audited)?;
        self.lead_changes.merge(&other.lead_changes)?;
        if self.unspent.len() != other.unspent.len() {
            return Err(Apart::Other);
        }
        for (unspent, more) in self.unspent.iter_mut().zip(&other.unspent) {
            if (&unspent.resource, &unspent.when) != (&more.resource, &more.when) {
                return Err(Apart::Other);
            }
            unspent.left.merge(&more.left)?;
        }
        for more in &other.sources {
            let known = self.sources.iter_mut().find(|source| (&source.kind, &source.name) == (&more.kind, &more.name));
            let Some(known) = known else {
                self.sources.push(more.clone());
                continue;
            };
            if known.points.len() != more.points.len() {
                return Err(Apart::Other);
            }
            for (points, more) in known.points.iter_mut().zip(&more.points) {
                points.gained = points.gained.checked_add(more.gained).ok_or(Apart::Overflow)?;
                points.lost = points.lost.checked_add(more.lost).ok_or(Apart::Overflow)?;
            }
        }
        Ok(())
    }
}
