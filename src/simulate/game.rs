//! One game, at random or by agents, and its entries as a log writes them.

use crate::agent::Player;
use crate::bind::{Bound, Value};
use crate::evaluate::{Decision, Trouble, Try};
use crate::impossible;
use crate::internal::Must;
use crate::log::{self, Line, Log, Outcome};
use crate::machine::{Machine, Program, Step, Waits, from_slot};
use crate::play::{Random, shown_act, shown_chance, shown_pass};
use crate::report::Span;

/// How a game went.
#[derive(Debug, Clone, Default)]
pub struct Playout {
    /// Everything that was entered.
    pub entries: Vec<Step>,
    /// Did it come to its end?
    pub over: bool,
    /// The invariant that does not hold any more, by its number in the ruleset.
    pub broken: Option<usize>,
    /// Did it end with a runtime error? The last entry may have led to it.
    pub failed: bool,
}

/// Who chooses.
pub(super) enum Choosers<'a, 'p> {
    /// Every seat at random, by the generator that chance is decided by.
    Random,
    /// A player for each seat, each with a generator of its own.
    Players(&'a mut [Player<'p>], &'a mut [Random]),
}

impl Playout {
    /// Plays on from where the machine stands, with at most so many entries.
    pub(super) fn play(
        &mut self,
        machine: &mut Machine<'_>,
        random: &mut Random,
        choosers: &mut Choosers<'_, '_>,
        (most, check_invariants): (u64, bool),
    ) -> Try<()> {
        self.entries.clear();
        self.over = false;
        self.broken = None;
        self.failed = false;
        loop {
            if check_invariants {
                self.broken = machine.broken_invariant()?;
                if self.broken.is_some() {
                    return Ok(());
                }
            }
            let waits = machine.waits();
            if waits == Waits::Nothing {
                self.over = true;
                return Ok(());
            }
            if self.entries.len() as u64 >= most {
                return Ok(());
            }
            let nothing = || Trouble { message: "nothing can be chosen".to_owned(), span: Span::default() };
            if let Waits::Chance(_) = waits {
                let outcomes = machine.outcomes()?;
                let drawn = random.weighted(outcomes.iter().map(|(_, weight)| *weight));
                let (value, _) = *drawn.and_then(|at| outcomes.get(at)).ok_or_else(nothing)?;
                self.entries.push(Step::Drawn(value));
                machine.draw(value)?;
            } else if let Choosers::Players(players, generators) = choosers {
                let seat = if let Waits::Player { seat, .. } = waits { seat as usize } else { 0 };
                let (player, generator) = players.get_mut(seat).zip(generators.get_mut(seat)).ok_or_else(nothing)?;
                let entry = player.choose(machine, &self.entries, generator)?.ok_or_else(nothing)?;
                self.entries.push(Step::Entry(entry));
                machine.play(entry)?;
            } else {
                // With invariants there is something to ask after every entry.
                let left = if check_invariants { 1 } else { most - self.entries.len() as u64 };
                let played = machine.play_on(random, usize::try_from(left).unwrap_or(usize::MAX));
                // What led to a trouble is wanted most of all.
                self.entries.extend(machine.played().iter().map(|&entry| Step::Entry(entry)));
                played?;
            }
        }
    }
}

/// An entry as it stands in a log; the machine stands before it, and goes on behind it.
pub fn line(machine: &mut Machine<'_>, bound: &Bound, step: Step) -> Try<String> {
    let text = text(machine, bound, step)?;
    machine.take(step)?;
    Ok(text)
}

/// An entry as it stands in a log; the machine stands before it, and stays there.
pub fn text(machine: &mut Machine<'_>, bound: &Bound, step: Step) -> Try<String> {
    let (types, program) = (&bound.types, machine.program());
    match step {
        Step::Drawn(value) => {
            let Waits::Chance(chance) = machine.waits() else { impossible!("chance decides where nothing is drawn") };
            let chance = program.chances.get(usize::from(chance)).must("a machine waits for a chance of its program");
            let at = machine.drawn_at()?;
            let indices: Vec<Value> =
                at.iter().zip(&chance.at).map(|(&at, (_, ty))| from_slot(types, ty, at)).collect();
            Ok(shown_chance(bound, &chance.name, &indices, &from_slot(types, &chance.ty, value)))
        }
        Step::Entry(entry) => {
            let decision = machine.decision(types, entry)?;
            Ok(match decision {
                Decision::Act { seat, action, args } => {
                    let bound_first = program.offers.get(entry.offer()).must("an entry is of an offer").bound;
                    shown_act(bound, seat, action, bound_first, &args)
                }
                Decision::Pass { seat } => shown_pass(bound, seat),
                Decision::Chance(_) => String::new(),
            })
        }
    }
}

/// The log of a game: `head`, the entries, and the result if it is over. If the game does not come back from its
/// entries, the log ends with the one that led to the runtime error, and the error stands beside it.
pub fn written(bound: &Bound, program: &Program, head: &Log, playout: &Playout) -> (String, Try<()>) {
    let mut machine = Machine::new(program);
    let mut log = head.clone();
    let played = machine.begin().and_then(|()| {
        for &step in &playout.entries {
            log.entries.push(Line { text: text(&mut machine, bound, step)?, ..Line::default() });
            machine.take(step)?;
        }
        log.result = if playout.over { Some(outcome(&mut machine)?) } else { None };
        Ok(())
    });
    (log::write(&log), played)
}

/// How a game ends, where the machine stands at its end.
pub fn outcome(machine: &mut Machine<'_>) -> Try<Outcome> {
    let scores = (0..machine.program().players).map(|seat| machine.score(seat)).collect::<Try<_>>()?;
    Ok(Outcome { scores, winners: machine.winners()?.iter().map(|seat| *seat as usize).collect() })
}
