//! What a log claims to be so: costs, scores, anything in the position, and the result.

use super::blame::changed;
use super::finding::Finding;
use super::game::{Go, Judge};
use super::steps::is_unknown;
use super::why::code_of;
use super::worlds::Worlds;
use crate::bind::{Bound, Claim, StateId, Value};
use crate::evaluate::{Place, Trouble, element_name};
use crate::log::{self, Line, Outcome, Reader};
use crate::machine::{Machine, Waits};
use crate::play::seat_names;
use crate::report::{Fault, Span, codes};
use crate::simulate::outcome;

impl Judge<'_> {
    /// Checks what stands after an entry, or on a line of its own.
    pub(super) fn claims(&mut self, line: &Line) -> Go<()> {
        for claim in &line.claims {
            let fact = match log::read_claim(claim) {
                Ok(fact) => fact,
                Err(fault) => {
                    self.found(Finding::misread(&codes::UNREADABLE_ENTRY, *fault, &claim.text))?;
                    continue;
                }
            };
            match self.notation().claim(&fact) {
                Ok(claims) => {
                    for one in claims {
                        self.claim(&one, claim.span, &claim.text)?;
                    }
                }
                Err(misread) => {
                    self.found(Finding::misread(code_of(misread.verdict), misread.fault, &claim.text))?;
                }
            }
        }
        Ok(())
    }

    fn claim(&mut self, claim: &Claim, span: Span, text: &str) -> Go<()> {
        // Where the log is lost, what it claims is about another position.
        if self.lost.is_some() {
            return Ok(());
        }
        let bound = &self.rules.checked.bound;
        let machine = &mut self.machine;
        let is_so = match &mut self.worlds {
            Some(worlds) => worlds.keep(span, |world| {
                machine.load(&world.position);
                holds(bound, machine, world.paid, claim)
            })?,
            None => holds(bound, machine, self.paid, claim)?,
        };
        if is_so {
            return Ok(());
        }
        self.must_know(span)?;
        let mut paid = self.paid;
        if let Some(world) = self.worlds.as_ref().and_then(Worlds::first) {
            self.machine.load(&world.position);
            paid = world.paid;
        }
        let bound = &self.rules.checked.bound;
        let (what, is) = really(bound, &mut self.machine, paid, claim)?;
        let mut finding = Finding::new(&codes::BOOKKEEPING, span, text, format!("{what} is {is} here"))
            .label(format!("by the rules: {is}"));
        finding.change = Some("correct the claim, or look for a wrong entry before it".to_owned());
        let about: Vec<Place> = place_of(bound, claim).into_iter().collect();
        if self.worlds.is_none() {
            finding.blame = changed(self.rules, &self.played, &about).unwrap_or_default();
        }
        if self.goes_on() && self.worlds.is_none() {
            finding.resumed = Some(self.take_over(claim));
        }
        self.found(finding)
    }

    /// Goes on with what is claimed, if that is something in the position.
    fn take_over(&mut self, claim: &Claim) -> String {
        let bound = &self.rules.checked.bound;
        if let (Claim::State(_, _, value), Some((state, at))) = (claim, place_of(bound, claim))
            && self.machine.put(&bound.types, state, at, value)
        {
            return "judged on with what is claimed".to_owned();
        }
        "judged on by the rules".to_owned()
    }

    /// What is left to say when all lines are read.
    pub(super) fn end(&mut self, reader: &Reader) -> Go<()> {
        if let Some(missing) = reader.missing_end() {
            return self.no_verdict(vec![missing]);
        }
        let log = reader.log();
        self.judged.outcome = self.ending()?;
        if let Some(said) = &log.result {
            self.result(said, log.places.result)?;
        }
        if let Some(worlds) = self.worlds.as_ref().filter(|worlds| !worlds.telling.is_empty()) {
            let deduced = worlds.deduced();
            let told: Vec<&str> = deduced.iter().map(|(_, told)| told.as_str()).collect();
            let message = match told.as_slice() {
                [] => "this is legal only with some of what is unknown together".to_owned(),
                told if worlds.cut => format!("legal at least if {}", told.join(", ")),
                told => format!("legal only if {}", told.join(", ")),
            };
            let span = worlds.telling.first().copied().unwrap_or_default();
            let mut finding = Finding::new(&codes::LEGAL_IF, span, "", message).label("this line tells");
            finding.blame = deduced;
            self.judged.findings.push(finding);
        }
        if self.is_over() {
            let seats = seat_names(&self.rules.checked.bound);
            let scores = self.ending()?.map(|outcome| outcome.scores).unwrap_or_default();
            self.judged.scores = seats.into_iter().zip(scores).collect();
        } else if log.result.is_none() {
            let last = self.played.last().map_or(log.places.players, |entry| entry.span(self.rules.file));
            let waits = match self.machine.waits() {
                Waits::Player { seat, .. } => {
                    format!(
                        "{} is to move",
                        Value::Member(self.rules.checked.bound.players.ty, seat).show(&self.rules.checked.bound.types)
                    )
                }
                _ => "chance has to decide".to_owned(),
            };
            let finding = Finding::new(&codes::UNFINISHED, last, "", "the log stops before the end of the game")
                .label(format!("legal up to here; {waits}"));
            self.judged.findings.push(finding);
        }
        Ok(())
    }

    /// More is unknown than can be followed: what does not fit here may fit elsewhere.
    pub(super) fn must_know(&mut self, span: Span) -> Go<()> {
        if !self.worlds.as_ref().is_some_and(|worlds| worlds.cut) {
            return Ok(());
        }
        self.no_verdict(vec![
            Fault::new(&codes::TOO_MUCH_UNKNOWN, span, "too much is unknown to judge this")
                .label("not so in any of the possibilities that were followed")
                .help("write what is known instead of `?`"),
        ])
    }

    /// Is the game over in every world that may be?
    pub(super) fn is_over(&mut self) -> bool {
        match &self.worlds {
            None => self.machine.waits() == Waits::Nothing,
            Some(worlds) => worlds.all().iter().all(|world| {
                self.machine.load(&world.position);
                self.machine.waits() == Waits::Nothing
            }),
        }
    }

    /// How the game ends by the rules, if it is over; nothing if that depends on what is unknown.
    fn ending(&mut self) -> Result<Option<Outcome>, Trouble> {
        let machine = &mut self.machine;
        let Some(worlds) = &self.worlds else {
            return if machine.waits() == Waits::Nothing { outcome(machine).map(Some) } else { Ok(None) };
        };
        let mut agreed: Option<Outcome> = None;
        for world in worlds.all() {
            machine.load(&world.position);
            let ends = if machine.waits() == Waits::Nothing { Some(outcome(machine)?) } else { None };
            if ends.is_none() || agreed.as_ref().is_some_and(|agreed| Some(agreed) != ends.as_ref()) {
                return Ok(None);
            }
            agreed = ends;
        }
        Ok(agreed)
    }

    /// Does the result follow?
    fn result(&mut self, said: &Outcome, span: Span) -> Go<()> {
        let machine = &mut self.machine;
        let is_so = |machine: &mut Machine<'_>| -> Result<bool, Trouble> {
            Ok(machine.waits() == Waits::Nothing && outcome(machine)? == *said)
        };
        let right = match &mut self.worlds {
            Some(worlds) => worlds.keep(span, |world| {
                machine.load(&world.position);
                is_so(machine)
            })?,
            None => is_so(machine)?,
        };
        if right {
            return Ok(());
        }
        self.must_know(span)?;
        let told = if self.is_over() {
            let seats = seat_names(&self.rules.checked.bound);
            format!("by the rules: {}", told(&seats, &outcome(&mut self.machine)?))
        } else {
            "the game is not over yet".to_owned()
        };
        let mut finding = Finding::new(&codes::BOOKKEEPING, span, "result", "the game does not end so").label(told);
        finding.change = Some("correct the result, or look for an entry that is missing".to_owned());
        self.found(finding)
    }
}

fn told(seats: &[String], outcome: &Outcome) -> String {
    let scores: Vec<String> =
        seats.iter().zip(&outcome.scores).map(|(seat, score)| format!("{seat} {score}")).collect();
    let winners: Vec<&str> = outcome.winners.iter().filter_map(|&seat| seats.get(seat)).map(String::as_str).collect();
    let winners = if winners.is_empty() { "none".to_owned() } else { winners.join(", ") };
    format!("result {}; winner {winners}", scores.join(", "))
}

fn place_of(bound: &Bound, claim: &Claim) -> Option<Place> {
    let Claim::State(state, indices, _) = claim else { return None };
    crate::evaluate::offset(&bound.types, &bound.state(*state).indices, indices).map(|at| (*state, at))
}

/// Is what is claimed so?
fn holds(bound: &Bound, machine: &mut Machine<'_>, paid: i64, claim: &Claim) -> Result<bool, Trouble> {
    Ok(match claim {
        Claim::Paid(said) => paid == *said,
        Claim::Score(seat, said) => machine.score(*seat)? == *said,
        Claim::Next(said) => next(machine) == *said,
        // What is not known is not claimed.
        Claim::State(_, indices, value) if indices.iter().chain([value]).any(is_unknown) => true,
        Claim::State(state, _, said) => {
            let is = place_of(bound, claim).and_then(|(_, at)| machine.value(&bound.types, *state, at));
            is.as_ref() == Some(&settled(said))
        }
    })
}

/// Members of a set in order, as the machine tells them.
fn settled(value: &Value) -> Value {
    match value {
        Value::Set(members) => {
            let mut members = members.clone();
            members.sort();
            members.dedup();
            Value::Set(members)
        }
        other => other.clone(),
    }
}

fn next(machine: &Machine<'_>) -> Option<u32> {
    match machine.waits() {
        Waits::Player { seat, .. } => Some(seat),
        Waits::Chance(_) | Waits::Nothing => None,
    }
}

/// What is spoken of, and how it really is.
fn really(bound: &Bound, machine: &mut Machine<'_>, paid: i64, claim: &Claim) -> Result<(String, String), Trouble> {
    let seat = |seat: u32| Value::Member(bound.players.ty, seat).show(&bound.types);
    Ok(match claim {
        Claim::Paid(_) => ("what was paid".to_owned(), paid.to_string()),
        Claim::Score(who, _) => (format!("the score of `{}`", seat(*who)), machine.score(*who)?.to_string()),
        Claim::Next(_) => ("who is next".to_owned(), next(machine).map_or_else(|| "nobody".to_owned(), seat)),
        Claim::State(state, ..) => match place_of(bound, claim) {
            Some(place) => {
                let value = machine.value(&bound.types, place.0, place.1);
                let shown = value.map_or_else(|| "not there".to_owned(), |value| value.show(&bound.types));
                (format!("`{}`", element_name(bound, place)), shown)
            }
            None => (name_of(bound, *state), "not there".to_owned()),
        },
    })
}

fn name_of(bound: &Bound, state: StateId) -> String {
    format!("`{}`", bound.state(state).name)
}
