//! `--sweep` and `--sensitivity`: many changes beside one base.

use std::io;
use std::sync::atomic::AtomicBool;

use super::super::{Exit, Output};
use super::nudges::{Leaf, leaves};
use super::variant::{Faulty, Variant};
use super::{Pace, Table};
use crate::load;
use crate::simulate::report::{Fault, Nudge, Point, Report, Sensitivity, Sweep};
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
        let tables: Vec<simulate::Table<'_>> = tables.iter().map(Table::table).collect();
        let part = self.part(stop);
        let mut pace = Pace::new("games with every value", part.places.end);
        let tried = try_all(&self.table(), &tables, self.plan(), &part, &mut |done| pace.tell(done, output));
        output.progress_ends()?;
        let Trials { games, base, trials } = match tried {
            Ok(tried) => tried,
            Err(halted) => return self.halted(halted, output),
        };
        let mut trials = trials.into_iter();
        let points = values.iter().zip(&variants).map(|(value, (_, variant))| {
            let mut point = Point { value: value.clone(), fault: None, figures: None, differences: Vec::new() };
            match variant {
                Err(faulty) => point.fault = Some(Fault { game: None, message: faulty.message() }),
                Ok(_) => match trials.next() {
                    Some(Trial::Played(figures, differences)) => {
                        (point.figures, point.differences) = (Some(*figures), differences);
                    }
                    Some(Trial::Broken(fault)) => point.fault = Some(fault),
                    None => {}
                },
            }
            point
        });
        let points: Vec<Point> = points.collect();
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
        let base = match try_all(&self.table(), &[], self.plan(), &part, &mut |_| Ok(())) {
            Ok(tried) => tried,
            Err(halted) => return self.halted(halted, output),
        };
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
            match self.nudged(chunk, &rest) {
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
    fn nudged(&self, changes: &[(&Leaf, i64)], part: &Part<'_>) -> Result<(u64, Vec<Nudge>), Halted> {
        let mut variants: Vec<Variant> = Vec::new();
        let mut nudges: Vec<(Nudge, bool)> = Vec::new();
        for &(leaf, to) in changes {
            let mut loaded = self.loaded.clone();
            leaf.put(&mut loaded.numbers, to);
            let (from, key) = (leaf.value, leaf.key.clone());
            let mut nudge = Nudge { key, from, to, fault: None, effect: None, most: None, differences: Vec::new() };
            match Variant::new(loaded, self.program.players, self.work) {
                Ok(variant) => {
                    variants.push(variant);
                    nudges.push((nudge, true));
                }
                Err(faulty) if leaf.is_out_of_range(&faulty.faults) => {}
                Err(faulty) => {
                    nudge.fault = Some(Fault { game: None, message: faulty.message() });
                    nudges.push((nudge, false));
                }
            }
        }
        let tables: Vec<Table<'_>> = variants.iter().map(|variant| self.with(variant, &[])).collect();
        let tables: Vec<simulate::Table<'_>> = tables.iter().map(Table::table).collect();
        let tried = try_all(&self.table(), &tables, self.plan(), part, &mut |_| Ok(()))?;
        let mut trials = tried.trials.into_iter();
        for (nudge, _) in nudges.iter_mut().filter(|(_, played)| *played) {
            match trials.next() {
                Some(Trial::Played(_, differences)) => nudge.differences = differences,
                Some(Trial::Broken(fault)) => nudge.fault = Some(fault),
                None => {}
            }
        }
        Ok((tried.games, nudges.into_iter().map(|(nudge, _)| nudge).collect()))
    }
}
