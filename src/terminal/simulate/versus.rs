//! `--versus`: a change beside the base, game by game.

use std::io;
use std::sync::atomic::AtomicBool;

use super::super::{Exit, Output};
use super::variant::{Variant, same_numbers};
use super::{Table, overlays};
use crate::load;
use crate::simulate::report::{Change, Comparison, Report};
use crate::simulate::{Halted, Until, compare};

impl Table<'_> {
    pub(super) fn versus(
        &self,
        until: Option<&Until>,
        stop: Option<&AtomicBool>,
        output: &mut Output<'_>,
    ) -> io::Result<Exit> {
        let (settings, files) = (&self.args.versus, &self.args.versus_overlays);
        let loaded = load::load_changed(&self.request(), files, settings, "--versus");
        let variant = match Variant::new(loaded, self.program.players, self.work) {
            Ok(variant) => variant,
            Err(faulty) => {
                output.faults(&faulty.loaded.sources, &faulty.shown(), 20)?;
                return Ok(Exit::NoVerdict);
            }
        };
        if same_numbers(&self.checked.bound, &variant.checked.bound) {
            output.failure(
                "what is changed is so already: there is nothing to compare",
                "`ludex numbers` shows the numbers; change one of them",
            )?;
            return Ok(Exit::NoVerdict);
        }
        if let Some(exit) = self.misfits(&variant.checked.bound, &variant.program, output)? {
            return Ok(exit);
        }
        let changed = self.with(&variant, settings);
        let tables = [self.table(), changed.table()];
        let part = self.part(stop);
        let mut progress = super::Pace::new("pairs of games", part.places.end);
        let until = until.map(|until| (until, super::CONFIDENCE));
        let played = compare(&tables, self.plan(), &part, until, &mut |done| progress.tell(done, output));
        output.progress_ends()?;
        let (played, stopping) = match played {
            Ok(played) => played,
            Err(Halted::Broken(broken)) if broken.table > 0 => return changed.broken(&broken, output),
            Err(halted) => return self.halted(halted, output),
        };
        let reached = stopping.as_ref().is_some_and(|stopping| stopping.reached);
        let interrupted = played.games < part.places.end && !reached;
        let differences = played.differences.into_iter().next().unwrap_or_default();
        let looks = stopping.as_ref().map_or(1, |stopping| stopping.looks.len() as u64);
        let statements = differences.len() as u64 * looks;
        let figures = tables.iter().zip(&played.tables).map(|(table, sums)| table.figures(sums));
        let figures: Result<Vec<_>, _> = figures.collect();
        let (Ok([mut base, mut with]), change) = (
            figures.map_err(|_| ()).and_then(|both| <[_; 2]>::try_from(both).map_err(|_| ())),
            Change { settings: settings.clone(), overlays: overlays(files, &variant.loaded) },
        ) else {
            return self.halted(Halted::Overflow, output);
        };
        for ((table, sums), figures) in [self, &changed].into_iter().zip(&played.tables).zip([&mut base, &mut with]) {
            figures.failures = table.failures(&sums.failures, output)?;
        }
        let head = self.report_head(interrupted, output);
        let about = self.about();
        let report = Comparison { head, change, about, base, changed: with, differences, stopping, statements };
        self.told(Report::Comparison(Box::new(report))).tell(output)
    }
}
