//! Which rules was a game played under? Tried one after the other: those that its log names, the game without
//! and with each variant and edition, and then the closest of these with one ruling or option changed.

mod candidates;

use std::sync::{Arc, Mutex, PoisonError};

pub use candidates::Candidate;
use candidates::{Names, changed, fits};

use super::head::Head;
use super::judged::{Judged, Strictness};
use super::rules::{By, Origin, Rules, key_of};
use super::single::judge_one;
use crate::examples::parallel::each;
use crate::load::parts_of;
use crate::log::{Closed, Form, Log, Wanted};
use crate::report::{FileId, Sources};

/// So many rulesets are kept ready for the next game.
const MOST_KEPT: usize = 64;

/// So many candidates with something changed are tried.
const MOST_CHANGED: usize = 256;

/// Looks for the rules of games.
#[derive(Debug)]
pub struct Which {
    by: By,
    strictness: Strictness,
    jobs: usize,
    names: Names,
    kept: Mutex<Vec<(String, Arc<Rules>)>>,
}

/// A candidate by which a game was judged.
#[derive(Debug)]
pub struct Tried {
    /// What was tried.
    pub candidate: Candidate,
    /// What came of it.
    pub judged: Judged,
    /// The rules, unless others get further.
    pub rules: Option<Arc<Rules>>,
}

/// What was found about a game.
#[derive(Debug)]
pub struct Found {
    /// The game, as its log names it.
    pub game: String,
    /// Rules by which all of it is legal; what the log names comes first, if it is among them.
    pub fits: Vec<Tried>,
    /// If there are none: the rules by which most entries are legal.
    pub furthest: Option<Tried>,
    /// How many were tried.
    pub tried: usize,
    /// How many were not, because there would have been too many.
    pub untried: usize,
}

impl Which {
    /// Looks among the rules of each log's game, or of the game that `by` names; what else `by` sets holds for all
    /// of them.
    #[must_use]
    pub fn new(by: By, strictness: Strictness, jobs: usize) -> Self {
        Self { by, strictness, jobs, names: Names::default(), kept: Mutex::default() }
    }

    /// Tries everything on a game. If nothing can be tried, it is said why.
    pub fn find(&self, origin: Origin<'_>, text: &str, form: Form) -> Result<Found, Box<Closed>> {
        let closed = |faults| {
            let mut sources = Sources::default();
            sources.add_part(origin.name, text, origin.line);
            Box::new(Closed { sources, faults })
        };
        let head = Head::read(text, form, FileId::default()).map_err(closed)?;
        let log = head.log();
        let (among, own) = match &self.by.ruleset {
            Some(ruleset) => (ruleset.clone(), log.game.clone()),
            None => {
                let wanted = Wanted { paths: &self.by.paths, log: origin.path, ..Wanted::default() };
                let chosen = wanted.choose(log).map_err(|fault| closed(vec![*fault]))?;
                (chosen.as_asked(), chosen.as_asked())
            }
        };
        let named = self.names.of(&among, &own);
        let judge = |candidate: &Candidate| -> Result<Tried, Box<Closed>> {
            let rules = self.rules(candidate, log, origin, text)?;
            let judged = judge_one(&rules, text, form, self.strictness);
            Ok(Tried { candidate: candidate.clone(), judged, rules: Some(rules) })
        };
        let mut closed = None;
        let mut tried = Vec::new();
        for result in each(self.jobs, &named, judge) {
            match result {
                Ok(one) => tried.push(one),
                Err(why) => closed = closed.or(Some(why)),
            }
        }
        if let Some(closed) = closed.filter(|_| tried.is_empty()) {
            return Err(closed);
        }
        let mut more = changed(&tried, log, &self.by);
        let untried = more.len().saturating_sub(MOST_CHANGED);
        more.truncate(MOST_CHANGED);
        let furthest = tried.iter().map(|one| one.judged.entries).max().unwrap_or(0);
        // There may be many of these, so only those rules stay that may be told about.
        let further = |candidate: &Candidate| {
            let mut one = judge(candidate).ok()?;
            if fits(&one.judged) || one.judged.entries <= furthest {
                one.rules = None;
            }
            Some(one)
        };
        tried.extend(each(self.jobs, &more, further).into_iter().flatten());
        Ok(sorted(log, tried, untried))
    }

    /// The rules of a candidate for a log.
    fn rules(
        &self,
        candidate: &Candidate,
        log: &Log,
        origin: Origin<'_>,
        text: &str,
    ) -> Result<Arc<Rules>, Box<Closed>> {
        let key = format!("{}\n{}\n{}", candidate.ruleset, candidate.change.as_deref().unwrap_or(""), key_of(log));
        let kept = || self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, rules)) = kept().iter().find(|(known, _)| *known == key) {
            return Ok(Arc::clone(rules));
        }
        // A log that names the game itself is to be blamed for what is wrong with the name.
        let own = self.by.ruleset.is_none() && candidate.own && candidate.change.is_none();
        let mut settings = self.by.settings.clone();
        settings.extend(candidate.change.clone());
        let ruleset = (!own).then(|| candidate.ruleset.clone());
        let (paths, overlays) = (self.by.paths.clone(), self.by.overlays.clone());
        let by = By { ruleset, paths, overlays, settings, ..By::default() };
        let rules = Arc::new(Rules::of(log, &by, origin, text)?);
        let mut kept = kept();
        if kept.len() >= MOST_KEPT {
            kept.remove(0);
        }
        kept.push((key, Arc::clone(&rules)));
        Ok(rules)
    }
}

fn sorted(log: &Log, tried: Vec<Tried>, untried: usize) -> Found {
    let count = tried.len();
    let (fitting, others): (Vec<Tried>, Vec<Tried>) = tried.into_iter().partition(|one| fits(&one.judged));
    let mut furthest: Option<Tried> = None;
    for one in others.into_iter().filter(|one| one.judged.faults.is_empty() && fitting.is_empty()) {
        // Of several that get as far the first counts: the fewest changes.
        if furthest.as_ref().is_none_or(|best| one.judged.entries > best.judged.entries) {
            furthest = Some(one);
        }
    }
    Found { game: log.game.clone(), fits: fitting, furthest, tried: count, untried }
}

/// The game without its variants.
fn game_of(ruleset: &str) -> &str {
    parts_of(ruleset).0
}

#[cfg(test)]
mod tests;
