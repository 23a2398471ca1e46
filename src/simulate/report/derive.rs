//! What follows from the counts of a report: the one place where whole numbers become fractions.

use super::{
    ActionFigures, Comparison, Dead, Difference, Dominated, Figures, Look, Nudge, Points, Report, SeatFigures,
    Sensitivity, Source, Sweep,
};
use crate::statistics::{ratio, wilson};

/// Billionths of a choice.
pub(in crate::simulate) const BILLION: u64 = 1_000_000_000;

/// An option is said to be avoided if it is chosen less than this for once by chance,
const AVOIDED: f64 = 0.1;

/// and if chance would have chosen it at least so often.
const ENOUGH: f64 = 10.0;

/// Whoever judges and still chooses as chance would in this part of the decisions is warned about.
const NOTABLE: f64 = 0.1;

impl Report {
    /// Works out everything that follows from the counts.
    pub fn derive(&mut self) {
        let confidence = self.head().confidence;
        match self {
            Self::Simulation(report) => report.figures.derive(confidence),
            Self::Comparison(report) => {
                let Comparison { base, changed, differences, statements, .. } = &mut **report;
                base.derive(confidence);
                changed.derive(confidence);
                each(differences, confidence, *statements);
            }
            Self::Sweep(report) => {
                let Sweep { base, points, statements, .. } = &mut **report;
                base.derive(confidence);
                for point in points {
                    point.figures.iter_mut().for_each(|figures| figures.derive(confidence));
                    each(&mut point.differences, confidence, *statements);
                }
            }
            Self::Sensitivity(report) => {
                let Sensitivity { base, nudges, statements, .. } = &mut **report;
                base.derive(confidence);
                for nudge in nudges.iter_mut() {
                    each(&mut nudge.differences, confidence, *statements);
                    nudge.rank();
                }
                nudges.sort_by(|a, b| {
                    let effect = |nudge: &Nudge| nudge.effect.unwrap_or(-1.0);
                    effect(b).total_cmp(&effect(a)).then_with(|| (&a.key, a.to).cmp(&(&b.key, b.to)))
                });
            }
        }
    }
}

fn each(differences: &mut [Difference], confidence: f64, statements: u64) {
    differences.iter_mut().for_each(|difference| difference.derive(confidence, statements));
}

impl Nudge {
    /// The greatest effect; of equal ones the first measure.
    fn rank(&mut self) {
        (self.effect, self.most) = (None, None);
        for difference in &self.differences {
            if difference.effect.is_some_and(|effect| self.effect.is_none_or(|most| effect > most)) {
                self.effect = difference.effect;
                self.most = Some(difference.name());
            }
        }
    }
}

impl Figures {
    /// Games that ended.
    #[must_use]
    pub fn finished(&self) -> u64 {
        self.games.saturating_sub(self.unfinished)
    }

    /// Works out what follows from the counts.
    pub fn derive(&mut self, confidence: f64) {
        let finished = self.finished();
        self.length.derive(confidence);
        self.margin.derive(confidence);
        for seat in &mut self.seats {
            seat.score.derive(confidence);
            seat.mean_score = seat.score.mean;
            seat.win_share = ratio(i128::from(seat.wins), u128::from(finished));
            seat.share = wilson(seat.share_parts, self.share_unit, finished, confidence);
            seat.by_chance_share = ratio(i128::from(seat.by_chance), u128::from(seat.choices));
        }
        self.warnings = warnings(&self.seats);
        let chosen: u128 = self.actions.iter().map(|action| u128::from(action.chosen)).sum();
        let decisions = self.look.decisions;
        self.actions.iter_mut().for_each(|action| action.derive(chosen, decisions));
        self.look.derive(confidence);
        self.dead = self.actions.iter().filter_map(|action| action.dead(decisions)).collect();
        self.dominated = self.actions.iter().filter_map(ActionFigures::dominated).collect();
        let rate = |count: u64| {
            (self.cpu_seconds > 0.0).then(|| ratio(i128::from(count), 1).unwrap_or(0.0) / self.cpu_seconds)
        };
        (self.playouts_per_second, self.entries_per_second) = (rate(self.games), rate(self.entries));
    }
}

impl SeatFigures {
    /// Did an agent that judges choose as chance would so often that one should know?
    #[must_use]
    pub fn chooses_by_chance(&self) -> bool {
        self.by_chance_share.is_some_and(|share| share >= NOTABLE)
    }
}

/// What to know about agents that often chose as chance would, in one sentence for each.
fn warnings(seats: &[SeatFigures]) -> Vec<String> {
    let warned: Vec<&SeatFigures> = seats.iter().filter(|seat| seat.chooses_by_chance()).collect();
    let mut agents: Vec<&str> = Vec::new();
    for seat in &warned {
        if !agents.contains(&seat.agent.as_str()) {
            agents.push(&seat.agent);
        }
    }
    let told = |agent: &str| {
        let these = warned.iter().filter(|seat| seat.agent == agent);
        let shares = these.enumerate().map(|(nth, seat)| {
            let of = if nth == 0 { " of its decisions" } else { "" };
            format!("{:.1}%{of} as {}", seat.by_chance_share.unwrap_or(0.0) * 100.0, seat.seat)
        });
        let shares = shares.collect::<Vec<_>>().join(", ");
        format!("`{agent}` chose as chance would in {shares}: it could not tell the options apart")
    };
    agents.into_iter().map(told).collect()
}

impl ActionFigures {
    fn derive(&mut self, chosen: u128, decisions: u64) {
        let part = |part: u64, whole: u64| ratio(i128::from(part), u128::from(whole));
        self.chosen_share = ratio(i128::from(self.chosen), chosen);
        self.legal_share = part(self.legal, decisions);
        self.affordable_share = part(self.affordable, self.offered);
        self.taken_share = part(self.taken, self.legal);
        self.liking = self.by_chance().and_then(|by_chance| Some(ratio(i128::from(self.judged), 1)? / by_chance));
    }

    /// How often chance would have chosen it for agents that judge.
    fn by_chance(&self) -> Option<f64> {
        ratio(i128::from(self.judged_by_chance), u128::from(BILLION)).filter(|by_chance| *by_chance > 0.0)
    }

    fn dead(&self, decisions: u64) -> Option<Dead> {
        let (why, decisions) = match self {
            _ if decisions == 0 || self.chosen > 0 => return None,
            Self { offered: 0, .. } => ("never offered", 0),
            Self { legal: 0, .. } => ("never legal", self.offered),
            _ => ("never chosen", self.legal),
        };
        Some(Dead { action: self.action.clone(), why: why.to_owned(), decisions })
    }

    fn dominated(&self) -> Option<Dominated> {
        let by_chance = self.by_chance().filter(|by_chance| *by_chance >= ENOUGH)?;
        let avoided = self.chosen > 0 && self.liking.is_some_and(|liking| liking < AVOIDED);
        avoided.then(|| Dominated { action: self.action.clone(), judged: self.judged, by_chance })
    }
}

impl Look {
    fn derive(&mut self, confidence: f64) {
        self.branching = ratio(i128::from(self.legal_entries), u128::from(self.decisions));
        self.lead_changes.derive(confidence);
        self.unspent.iter_mut().for_each(|unspent| unspent.left.derive(confidence));
        let gained = |source: &Source| source.points.iter().fold(0_i128, |sum, of| sum.saturating_add(of.gained));
        let all = self.sources.iter().map(gained).fold(0_i128, i128::saturating_add);
        for source in &mut self.sources {
            let games = u128::from(self.audited);
            let mean = |points: &Points| ratio(points.gained.saturating_add(points.lost), games);
            source.means = source.points.iter().map(mean).collect();
            source.share = ratio(gained(source), u128::try_from(all).unwrap_or(0));
        }
        self.sources
            .sort_by(|a, b| gained(b).cmp(&gained(a)).then_with(|| (&a.kind, &a.name).cmp(&(&b.kind, &b.name))));
    }
}
