//! `--sweep` and `--sensitivity`: many changes beside one base.

use std::io;
use std::sync::atomic::AtomicBool;

use super::super::{Exit, Output};
use super::nudges::{Leaf, is_out_of_range, leaves};
use super::variant::{Faulty, Variant};
use super::{Pace, Table};
use crate::load;
use crate::simulate::report::{Failures, Fault, Nudge, Point, Report, Sensitivity, Sweep};
use crate::simulate::{self, Halted, Part, Trial, Trials, measures, try_all};

/// Changes that are played beside each other: each needs a machine on every thread.
const AT_ONCE: usize = 16;

impl Table<'_> {
    pub(super) fn sweep(
        &self,
        key: &str,
        values: &[String],
        stop: Option<&AtomicBool>,
        output: &mut Output<'_>,
    ) -> io::Result<Exit> {
        let mut variants = Vec::new();
        for value in values {
            let setting = format!("{key}={value}");
            let loaded = load::load_changed(&self.request(), &[], std::slice::from_ref(&setting), "--sweep");
            let variant = Variant::new(loaded, self.program.players, self.work);
            let broken = variants.iter().all(|(_, variant): &(_, Result<Variant, Box<Faulty>>)| variant.is_err());
            if let Err(faulty) = &variant
                && (faulty.is_meant_wrongly() || broken && variants.len() + 1 == values.len())
            {
                output.faults(&faulty.loaded.sources, &faulty.shown(), 20)?;
                return Ok(Exit::NoVerdict);
            }
            variants.push((setting, variant));
        }
        for (_, variant) in &variants {
            if let Ok(variant) = variant
                && let Some(exit) = self.misfits(&variant.checked.bound, &variant.program, output)?
            {
                return Ok(exit);
            }
        }
        let playable = variants.iter().filter_map(|(setting, variant)| Some((setting, variant.as_ref().ok()?)));
        let tables: Vec<Table<'_>> =
            playable.map(|(setting, variant)| self.with(variant, std::slice::from_ref(setting))).collect();
        let seated: Vec<simulate::Table<'_>> = tables.iter().map(Table::table).collect();
        let part = self.part(stop);
        let mut pace = Pace::new("games with every value", part.places.end);
        let tried = try_all(&self.table(), &seated, self.plan(), &part, &mut |done| pace.tell(done, output));
        output.progress_ends()?;
        let Trials { games, mut base, failures, trials } = match tried {
            Ok(tried) => tried,
            Err(halted) => return self.halted(halted, output),
        };
        base.failures = self.failures(&failures, output)?;
        let mut trials = trials.into_iter().zip(&tables);
        let mut points = Vec::new();
        for (value, (_, variant)) in values.iter().zip(&variants) {
            let mut point = Point { value: value.clone(), fault: None, figures: None, differences: Vec::new() };
            match variant {
                Err(faulty) => point.fault = Some(Fault { game: None, message: faulty.message() }),
                Ok(_) => match trials.next() {
                    Some((Trial::Played(mut figures, failures, differences), table)) => {
                        figures.failures = table.failures(&failures, output)?;
                        (point.figures, point.differences) = (Some(*figures), differences);
                    }
                    Some((Trial::Broken(fault), _)) => point.fault = Some(fault),
                    None => {}
                },
            }
            points.push(point);
        }
        let report = Sweep {
            head: self.report_head(games < part.places.end, output),
            key: key.to_owned(),
            value: self.value_of(key),
            about: self.about(),
            base,
            statements: measures(&self.table()) * points.len() as u64,
            points,
        };
        self.told(Report::Sweep(Box::new(report))).tell(output)
    }

    /// What a number is without a change, as TOML says it.
    fn value_of(&self, key: &str) -> String {
        let node = self.loaded.numbers.get(key);
        node.map_or_else(|| "not set".to_owned(), |node| node.kind.describe().replace("the text ", "").replace('`', ""))
    }

    pub(super) fn sensitivity(&self, stop: Option<&AtomicBool>, output: &mut Output<'_>) -> io::Result<Exit> {
        let (leaves, unused) = leaves(self.loaded, &self.checked.bound);
        let mut nudges: Vec<Nudge> = Vec::new();
        let part = self.part(stop);
        let mut base = match try_all(&self.table(), &[], self.plan(), &part, &mut |_| Ok(())) {
            Ok(tried) => tried,
            Err(halted) => return self.halted(halted, output),
        };
        base.base.failures = self.failures(&base.failures, output)?;
        let changes: Vec<(&Leaf, i64)> =
            leaves.iter().flat_map(|leaf| leaf.beside().map(move |to| (leaf, to))).collect();
        let mut interrupted = base.games < part.places.end;
        for (nth, chunk) in changes.chunks(AT_ONCE).enumerate() {
            if interrupted {
                break;
            }
            let mut pace = Pace::new("changes", changes.len() as u64);
            pace.tell((nth * AT_ONCE) as u64, output)?;
            let rest = Part { look: 0, ..part.clone() };
            match self.nudged(chunk, &rest, output)? {
                Ok((games, found)) if games == part.places.end => nudges.extend(found),
                Ok(_) => interrupted = true,
                Err(halted) => return self.halted(halted, output),
            }
        }
        output.progress_ends()?;
        let report = Sensitivity {
            head: self.report_head(interrupted, output),
            about: self.about(),
            base: base.base,
            statements: measures(&self.table()) * changes.len() as u64,
            nudges,
            unused,
        };
        self.told(Report::Sensitivity(Box::new(report))).tell(output)
    }

    /// Plays some changes of one number each. Gives how many games, and what came of each change that its range allows.
    fn nudged(
        &self,
        changes: &[(&Leaf, i64)],
        part: &Part<'_>,
        output: &mut Output<'_>,
    ) -> io::Result<Result<(u64, Vec<Nudge>), Halted>> {
        let mut variants: Vec<(Variant, String)> = Vec::new();
        let mut nudges: Vec<(Nudge, bool)> = Vec::new();
        for &(leaf, to) in changes {
            let mut loaded = self.loaded.clone();
            let set = leaf.put(&mut loaded, to);
            let (from, key) = (leaf.value, leaf.key.clone());
            let mut nudge = Nudge {
                key,
                from,
                to,
                fault: None,
                failures: Failures::default(),
                effect: None,
                most: None,
                differences: Vec::new(),
            };
            match Variant::new(loaded, self.program.players, self.work) {
                Ok(variant) => {
                    variants.push((variant, format!("{}={to}", leaf.key)));
                    nudges.push((nudge, true));
                }
                Err(faulty) if is_out_of_range(&faulty.faults, set) => {}
                Err(faulty) => {
                    nudge.fault = Some(Fault { game: None, message: faulty.message() });
                    nudges.push((nudge, false));
                }
            }
        }
        let tables = variants.iter().map(|(variant, change)| self.with(variant, std::slice::from_ref(change)));
        let tables: Vec<Table<'_>> = tables.collect();
        let seated: Vec<simulate::Table<'_>> = tables.iter().map(Table::table).collect();
        let tried = match try_all(&self.table(), &seated, self.plan(), part, &mut |_| Ok(())) {
            Ok(tried) => tried,
            Err(halted) => return Ok(Err(halted)),
        };
        let mut trials = tried.trials.into_iter().zip(&tables);
        for (nudge, _) in nudges.iter_mut().filter(|(_, played)| *played) {
            match trials.next() {
                Some((Trial::Played(_, failures, differences), table)) => {
                    nudge.failures = table.failures(&failures, output)?;
                    nudge.differences = differences;
                }
                Some((Trial::Broken(fault), _)) => nudge.fault = Some(fault),
                None => {}
            }
        }
        Ok(Ok((tried.games, nudges.into_iter().map(|(nudge, _)| nudge).collect())))
    }
}
