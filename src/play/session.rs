//! A game in progress.

use super::Random;
use super::engine::Engine;
use super::notation::{covered_act, entry_line, left_out, shown_chance};
use super::open::open_arguments;
use super::sight::{has_secrets, hides_arguments, seen_by};
use crate::agent::Player;
use crate::bind::{ActionId, Bound, Entry, Value};
use crate::check::Checked;
use crate::evaluate::{Audience, Decision, Game, Pause, Refusal, Stand, State, Trouble, Try};
use crate::impossible;
use crate::internal::Must;
use crate::machine::{Position, Program};

/// A game by a checked ruleset, with everything that was decided so far.
#[derive(Debug)]
pub struct Session<'c> {
    pub(super) game: Game<'c>,
    engine: Engine<'c>,
    stand: Stand,
    decisions: Vec<Decision>,
    history: Vec<String>,
}

/// Why an entry did not take place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stopped {
    /// It is not legal.
    Refused(Refusal),
    /// The ruleset cannot go on: a fault of its own.
    Trouble(Trouble),
}

impl From<Trouble> for Stopped {
    fn from(trouble: Trouble) -> Self {
        Self::Trouble(trouble)
    }
}

impl<'c> Session<'c> {
    /// A new game, up to its first pause. The program is the same ruleset, compiled.
    pub fn new(checked: &'c Checked, program: &'c Program) -> Try<Self> {
        let game = Game::new(checked);
        let mut engine = Engine::new(&checked.bound, program)?;
        let stand = stand(&game, &mut engine, &[])?;
        Ok(Self { game, engine, stand, decisions: Vec::new(), history: Vec::new() })
    }

    /// A game that was played elsewhere, from where it stands and with what its last action had cost. Nothing of
    /// that can be taken back, and what chance gives is shown to nobody.
    pub(crate) fn at(checked: &'c Checked, program: &'c Program, position: &Position, paid: i64) -> Try<Self> {
        let game = Game::new(checked);
        let mut engine = Engine::at(&checked.bound, program, position, paid);
        let stand = stand(&game, &mut engine, &[])?;
        Ok(Self { game, engine, stand, decisions: Vec::new(), history: Vec::new() })
    }

    /// The reference evaluator.
    pub(crate) fn game(&self) -> &Game<'c> {
        &self.game
    }

    /// The rules.
    #[must_use]
    pub fn bound(&self) -> &'c Bound {
        self.game.bound()
    }

    /// The position, what it waits for, and what the last action cost.
    #[must_use]
    pub fn stand(&self) -> &Stand {
        &self.stand
    }

    /// Is the game over?
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.stand.pause == Pause::Over
    }

    /// Does some seat see what others do not?
    #[must_use]
    pub fn has_secrets(&self) -> bool {
        has_secrets(self.bound(), &self.stand.state)
    }

    /// What was decided, in order.
    #[must_use]
    pub fn decisions(&self) -> &[Decision] {
        &self.decisions
    }

    /// The same in the notation of logs, one line each.
    #[must_use]
    pub fn history(&self) -> &[String] {
        &self.history
    }

    /// Names of the seats.
    #[must_use]
    pub fn seats(&self) -> Vec<String> {
        (0..self.bound().players.count).map(|seat| self.seat_name(seat)).collect()
    }

    /// The name of a seat.
    #[must_use]
    pub fn seat_name(&self, seat: u32) -> String {
        self.game.seat(seat).show(&self.bound().types)
    }

    /// Everything that can be decided now, in a stable order: offers as written, arguments in the order of
    /// their domains, a pass last; what chance can give, in the order of its domain.
    pub fn legal(&mut self) -> Try<Vec<Decision>> {
        match &self.stand.pause {
            Pause::Over => Ok(Vec::new()),
            Pause::Choose(_) => self.engine.legal(),
            Pause::Chance { candidates, .. } => {
                Ok(candidates.iter().map(|(value, _)| Decision::Chance(value.clone())).collect())
            }
        }
    }

    /// One of the legal decisions: by the weights of chance, for a player each alike.
    pub fn draw(&mut self, random: &mut Random) -> Try<Option<Decision>> {
        if let Pause::Chance { candidates, .. } = &self.stand.pause {
            let drawn = random.weighted(candidates.iter().map(|(_, weight)| *weight));
            return Ok(drawn.and_then(|at| candidates.get(at)).map(|(value, _)| Decision::Chance(value.clone())));
        }
        self.engine.draw(random)
    }

    /// What a player chooses, in place of the seat that is asked; nothing where no seat is. The game must have been
    /// played here from its beginning, for the player may need to know how it went.
    pub fn choose(&mut self, player: &mut Player<'_>, random: &mut Random) -> Try<Option<Decision>> {
        self.engine.choose(player, random)
    }

    /// Decides, if that is legal.
    pub fn enter(&mut self, decision: &Decision) -> Result<(), Stopped> {
        #[cfg(test)]
        crate::internal::probe("play", &self.game.bound().title);
        let judged = match decision {
            Decision::Pass { seat } => self.game.pass(&self.stand, *seat),
            Decision::Act { seat, action, args } => {
                let first = self.left_out(*action, args);
                self.judge(decision, |session| {
                    session.game.act(
                        &session.stand,
                        *seat,
                        *action,
                        first,
                        args.get(first..).must("the flow binds arguments that are there"),
                    )
                })?
            }
            Decision::Chance(value) => match &self.stand.pause {
                Pause::Chance { name, indices, .. } => self.game.chance(&self.stand, name, indices, value),
                Pause::Over => Err(Refusal::verdict("after-end")),
                Pause::Choose(_) => Err(Refusal::verdict("wrong-phase")),
            },
        };
        self.settle(judged)
    }

    /// Decides what an entry of a log says, if that is legal.
    pub fn enter_entry(&mut self, entry: &Entry) -> Result<(), Stopped> {
        let entry = &*self.stand.pause.as_offered(entry);
        let judged = match entry {
            Entry::Act { seat, action, first, args, .. } => {
                let why = |session: &Self| session.game.act(&session.stand, *seat, *action, *first, args);
                match self.meant(entry) {
                    Some(decision) => self.judge(&decision, why)?,
                    None => why(self)?,
                }
            }
            Entry::Pass { seat } => self.game.pass(&self.stand, *seat),
            Entry::Chance { name, indices, value: Some(value) } => self.game.chance(&self.stand, name, indices, value),
            Entry::Chance { value: None, .. } => Err(Refusal::verdict("legal-if")),
            Entry::Unreadable { verdict } => Err(Refusal::verdict(verdict)),
        };
        self.settle(judged)
    }

    /// What an entry of a player would decide here: with what the flow binds. Nothing if it is not offered.
    #[must_use]
    pub fn meant(&self, entry: &Entry) -> Option<Decision> {
        let entry = &*self.stand.pause.as_offered(entry);
        let (Entry::Act { seat, action, first, args, .. }, Pause::Choose(choice)) = (entry, &self.stand.pause) else {
            return None;
        };
        let offered = choice.offers.iter().find(|(offered, bound)| offered == action && bound.len() == *first);
        let args = [offered?.1.as_slice(), args.as_slice()].concat();
        Some(Decision::Act { seat: *seat, action: *action, args })
    }

    /// The engine says whether it is legal; the reference, if need be, why not.
    fn judge(
        &mut self,
        decision: &Decision,
        why: impl FnOnce(&Self) -> Try<Result<Decision, Refusal>>,
    ) -> Result<Result<Decision, Refusal>, Stopped> {
        if self.engine.allows(decision)? { Ok(Ok(decision.clone())) } else { Ok(why(self)?) }
    }

    fn settle(&mut self, judged: Result<Decision, Refusal>) -> Result<(), Stopped> {
        let decision = judged.map_err(Stopped::Refused)?;
        let shown = self.show(&decision);
        self.engine.enter(&decision)?;
        self.decisions.push(decision);
        match stand(&self.game, &mut self.engine, &self.decisions) {
            Ok(stand) => {
                self.stand = stand;
                self.history.push(shown);
                Ok(())
            }
            Err(trouble) => {
                self.engine.undo();
                self.decisions.pop();
                Err(Stopped::Trouble(trouble))
            }
        }
    }

    /// Takes the last decision back. False if there is none.
    pub fn undo(&mut self) -> Try<bool> {
        if !self.engine.undo() {
            return Ok(false);
        }
        self.decisions.pop();
        self.history.pop();
        self.stand = stand(&self.game, &mut self.engine, &self.decisions)?;
        Ok(true)
    }

    /// The score of each seat.
    pub fn scores(&self) -> Try<Vec<i64>> {
        let score = |seat| match self.game.score(seat, &self.stand.state)? {
            Value::Int(score) => Ok(score),
            other => impossible!("a score is {other:?}"),
        };
        (0..self.bound().players.count).map(score).collect()
    }

    /// The seats that win, as it stands now.
    pub fn winners(&self) -> Try<Vec<u32>> {
        self.game.winners(&self.stand.state)
    }

    /// How many first arguments an entry leaves out here, because the offer binds them.
    fn left_out(&self, action: ActionId, args: &[Value]) -> usize {
        left_out(&self.stand.pause, action, args)
    }

    /// The same as `viewer` may know it: others do not see what is written into hidden places, and what
    /// chance gives only whom it concerns. Nothing for what chance gives unseen.
    #[must_use]
    pub fn show_to(&self, decision: &Decision, viewer: Option<u32>) -> Option<String> {
        match decision {
            Decision::Chance(_) => {
                let seen = match &self.stand.pause {
                    Pause::Chance { seen, .. } => *seen,
                    Pause::Over | Pause::Choose(_) => impossible!("chance decides where nothing is drawn"),
                };
                let visible = seen == Audience::All || viewer.is_some_and(|viewer| seen == Audience::Seat(viewer));
                visible.then(|| self.show(decision))
            }
            Decision::Act { seat, action, args }
                if viewer != Some(*seat) && !args.is_empty() && hides_arguments(self.bound(), *action) =>
            {
                let open = open_arguments(self.bound(), *action);
                let first = self.left_out(*action, args);
                Some(covered_act(self.bound(), (*seat, *action, args), first, |nth| open.contains(&nth)))
            }
            _ => Some(self.show(decision)),
        }
    }

    /// The same as it stands in a log that `viewer` could write: `?` for what is not known.
    #[must_use]
    pub fn known_to(&self, decision: &Decision, viewer: Option<u32>) -> String {
        self.show_to(decision, viewer).unwrap_or_else(|| match &self.stand.pause {
            Pause::Chance { name, indices, .. } => shown_chance(self.bound(), name, indices, &Value::Unknown),
            _ => self.show(decision),
        })
    }

    /// The position as `viewer` sees it; after the end everything is open.
    #[must_use]
    pub fn seen_by(&self, viewer: Option<u32>) -> State {
        let state = &self.stand.state;
        if self.is_over() { state.clone() } else { seen_by(self.bound(), state, viewer) }
    }

    /// The score of each seat, as far as it follows from what is not covered in this position.
    pub fn scores_in(&self, seen: &State) -> Try<Vec<Option<i64>>> {
        let state = &self.stand.state;
        let score = |seat| {
            let (score, reads) = self.game.reading(|| self.game.score(seat, state))?;
            let known = reads.iter().all(|&(id, at)| seen.get(id, at) == state.get(id, at));
            let score = if let Value::Int(score) = score { score } else { 0 };
            Ok(known.then_some(score))
        };
        (0..self.bound().players.count).map(score).collect()
    }

    /// A decision in the notation of logs, as it is written at this pause.
    #[must_use]
    pub fn show(&self, decision: &Decision) -> String {
        entry_line(self.bound(), &self.stand.pause, decision)
    }

    /// The position, for other machines of the same program.
    #[must_use]
    pub fn position(&self) -> Position {
        self.engine.position()
    }
}

/// Where a game stands: as the engine says, or as the reference finds by playing it from its beginning.
fn stand(game: &Game<'_>, engine: &mut Engine<'_>, decisions: &[Decision]) -> Try<Stand> {
    if let Some(stand) = engine.stand()? {
        return Ok(stand);
    }
    let beginning = game.beginning()?;
    match &game.bound().flow {
        Some(flow) => game.play(flow, beginning, decisions),
        None => Ok(Stand { state: beginning, pause: Pause::Over, paid: 0 }),
    }
}
