//! The table of `ludex play`: who is asked, what they may see, what they type.

use std::io;
use std::path::PathBuf;

use super::super::game::cannot_go_on;
use super::super::save::save;
use super::super::{Exit, Format, Output};
use crate::agent::{Agent, Player};
use crate::bind::Notation;
use crate::evaluate::{Decision, Pause, Trouble};
use crate::load::Loaded;
use crate::log::{self, Line, Log, Outcome};
use crate::play::{Random, Session, Stopped, render};
use crate::report::{Span, clean_path};

/// So many decisions of others are told when the screen is handed over.
const RECENT: usize = 12;

/// Moves up to this number are listed without being asked for.
const FEW: usize = 12;

const HELP: &str = "\
type a move as it stands in a log, with or without the seat, or its number in the list
  moves   what is possible, numbered
  board   the position
  hint    some legal move
  undo    take the last move back
  quit    leave the game; with `--log` it is saved
";

pub(super) struct Table<'a, 'c> {
    pub(super) session: Session<'c>,
    pub(super) notation: Notation<'a>,
    pub(super) loaded: &'a Loaded,
    /// By seat; people have none.
    pub(super) bots: Vec<Option<Player<'c>>>,
    pub(super) random: Random,
    pub(super) hints: Random,
    /// The generator before each decision: taking a move back does not roll the dice anew.
    pub(super) before: Vec<Random>,
    /// What each seat may know of each decision, and who took it.
    pub(super) told: Vec<Told>,
    /// Who is at the screen.
    pub(super) viewer: Option<u32>,
    /// The head of the log.
    pub(super) log: Log,
    pub(super) file: Option<PathBuf>,
}

/// A decision in words: whose it was, and the words for each seat.
pub(super) struct Told {
    by: Option<u32>,
    words: Vec<Option<String>>,
}

/// What somebody wants.
enum Wish {
    Decide(Decision),
    /// To be asked again.
    Again,
    /// The game stands elsewhere now.
    Elsewhere,
    Quit,
}

impl Table<'_, '_> {
    pub(super) fn play(&mut self, output: &mut Output<'_>) -> io::Result<Exit> {
        if self.people().len() == 1 {
            self.viewer = self.people().first().copied();
        }
        if let Some(seed) = self.log.seed {
            output.say(format!("{}, seed {seed}; `help` says what can be typed\n", self.session.bound().title))?;
        }
        loop {
            match self.step(output) {
                Ok(Some(true)) => {}
                Ok(Some(false)) => return self.leave(output),
                Ok(None) => return self.finish(output),
                Err(Failed::Trouble(trouble)) => {
                    cannot_go_on((self.loaded, self.session.bound()), &trouble, output)?;
                    self.leave(output)?;
                    return Ok(Exit::NoVerdict);
                }
                Err(Failed::Io(error)) => {
                    // Nobody is there any more to be told, but the game need not be lost.
                    if let Some(file) = self.file.clone() {
                        let _ = save(&file, &self.text());
                    }
                    return Err(error);
                }
            }
        }
    }

    fn people(&self) -> Vec<u32> {
        self.bots.iter().zip(0..).filter(|(bot, _)| bot.is_none()).map(|(_, seat)| seat).collect()
    }

    /// One decision. Nothing when the game is over, false when somebody leaves.
    fn step(&mut self, output: &mut Output<'_>) -> Result<Option<bool>, Failed> {
        let asked = match &self.session.stand().pause {
            Pause::Over => return Ok(None),
            Pause::Choose(choice) => Some(choice.seat),
            Pause::Chance { .. } => None,
        };
        let before = self.random.clone();
        let bot = asked.map(|seat| (seat, self.bots.get_mut(seat as usize).and_then(Option::as_mut)));
        let decision = match bot {
            Some((seat, None)) => return self.turn(seat, output).map(Some),
            Some((_, Some(bot))) if bot.agent() != Agent::Random => self.session.choose(bot, &mut self.random)?,
            // As `docs/logs.md` says, which goes by the list of all entries.
            _ => self.session.draw(&mut self.random)?,
        };
        let Some(decision) = decision else { return Ok(Some(false)) };
        // Tells what chance or an agent decided, if whoever is at the screen may know.
        if let Some(words) = self.session.show_to(&decision, self.viewer) {
            output.say(format!("{words}\n"))?;
        }
        match self.decide(&decision, before) {
            Ok(()) => Ok(Some(true)),
            Err(Stopped::Trouble(trouble)) => Err(trouble.into()),
            // What is legal is not refused.
            Err(Stopped::Refused(_)) => Ok(Some(false)),
        }
    }

    /// Enters a decision; `before` is the generator as it was before it.
    fn decide(&mut self, decision: &Decision, before: Random) -> Result<(), Stopped> {
        let by = match decision {
            Decision::Act { seat, .. } | Decision::Pass { seat } => Some(*seat),
            Decision::Chance(_) => None,
        };
        let seats = 0..self.session.bound().players.count;
        let words = seats.map(|seat| self.session.show_to(decision, Some(seat))).collect();
        self.session.enter(decision)?;
        self.before.push(before);
        self.told.push(Told { by, words });
        Ok(())
    }

    /// Asks a person until something is decided.
    fn turn(&mut self, seat: u32, output: &mut Output<'_>) -> Result<bool, Failed> {
        if !self.hand_over(seat, output)? {
            return Ok(false);
        }
        let legal = self.session.legal()?;
        self.board(output)?;
        if legal.len() <= FEW {
            self.list(&legal, output)?;
        } else {
            output.say(format!("{} moves; `moves` lists them\n", legal.len()))?;
        }
        let prompt = format!("{}> ", self.session.seat_name(seat));
        loop {
            let Some(typed) = output.ask(&prompt)? else {
                output.say("\n")?;
                return Ok(false);
            };
            match self.wish(&typed, seat, &legal, output)? {
                Wish::Again => {}
                Wish::Quit => return Ok(false),
                Wish::Elsewhere => return Ok(true),
                Wish::Decide(decision) => match self.decide(&decision, self.random.clone()) {
                    Ok(()) => return Ok(true),
                    Err(Stopped::Trouble(trouble)) => return Err(trouble.into()),
                    Err(Stopped::Refused(refusal)) => {
                        for reason in self.session.why(&refusal, Some(&decision)) {
                            output.say(format!("refused: {reason}\n"))?;
                        }
                    }
                },
            }
        }
    }

    /// Several people share the screen: nobody should see what is another's.
    fn hand_over(&mut self, seat: u32, output: &mut Output<'_>) -> io::Result<bool> {
        let (before, others) = (self.viewer, self.people().len() > 1);
        self.viewer = Some(seat);
        if !others || before == Some(seat) || !self.session.has_secrets() {
            return Ok(true);
        }
        if output.environment.stdout_is_terminal && output.format != Format::Json {
            // Clear the screen and what scrolled out of it.
            output.clear()?;
        }
        let name = self.session.seat_name(seat);
        let there =
            output.ask(&format!("the screen is for {name} now; press enter when nobody else looks "))?.is_some();
        if there {
            self.recall(seat, output)?;
        }
        Ok(there)
    }

    /// What has happened since this seat decided something, as far as it may know.
    fn recall(&self, seat: u32, output: &mut Output<'_>) -> io::Result<()> {
        let since = self.told.iter().rposition(|told| told.by == Some(seat)).map_or(0, |last| last + 1);
        let news = self.told.iter().skip(since).filter_map(|told| told.words.get(seat as usize)?.as_deref());
        let news: Vec<&str> = news.collect();
        for words in news.iter().skip(news.len().saturating_sub(RECENT)) {
            output.say(format!("{words}\n"))?;
        }
        Ok(())
    }

    fn board(&self, output: &mut Output<'_>) -> io::Result<()> {
        output.say(format!("\n{}\n", render(&self.session, &self.loaded.sources, self.viewer)))
    }

    fn list(&self, legal: &[Decision], output: &mut Output<'_>) -> io::Result<()> {
        let width = legal.len().to_string().len();
        for (at, decision) in legal.iter().enumerate() {
            output.say(format!("{:>width$}  {}\n", at + 1, self.session.show(decision)))?;
        }
        Ok(())
    }

    fn wish(&mut self, typed: &str, seat: u32, legal: &[Decision], output: &mut Output<'_>) -> Result<Wish, Failed> {
        match typed {
            "" => {}
            "help" | "?" => output.say(HELP)?,
            "moves" => self.list(legal, output)?,
            "board" => self.board(output)?,
            "quit" | "exit" => return Ok(Wish::Quit),
            "hint" => {
                if let Some(decision) = self.session.draw(&mut self.hints)? {
                    output.say(format!("{}\n", self.session.show(&decision)))?;
                }
            }
            "undo" => return self.undo(output),
            _ => {
                if let Ok(number) = typed.parse::<usize>() {
                    match number.checked_sub(1).and_then(|at| legal.get(at)) {
                        Some(decision) => return Ok(Wish::Decide(decision.clone())),
                        None => output.say(format!("there is no move {number}; `moves` lists them\n"))?,
                    }
                } else {
                    return self.entry(typed, seat, output);
                }
            }
        }
        Ok(Wish::Again)
    }

    /// A move as it stands in a log; the seat may be left out.
    fn entry(&mut self, typed: &str, seat: u32, output: &mut Output<'_>) -> Result<Wish, Failed> {
        let first = typed.split_whitespace().next().unwrap_or("");
        let named = self.session.seats().iter().any(|name| name.eq_ignore_ascii_case(first));
        let line = if named { typed.to_owned() } else { format!("{} {typed}", self.session.seat_name(seat)) };
        let entries = match log::read_entry(&mut self.notation, Span::default(), &line) {
            Ok(entries) => entries,
            Err(misread) => {
                output.say(format!("{}\n", misread.fault.message))?;
                if let Some(help) = &misread.fault.help {
                    output.say(format!("  {help}\n"))?;
                }
                return Ok(Wish::Again);
            }
        };
        let [entry] = entries.as_slice() else { return Ok(Wish::Again) };
        if let Some(decision) = self.session.meant(entry) {
            return Ok(Wish::Decide(decision));
        }
        // A pass, or something that is not offered: judged as it is.
        match self.session.enter_entry(entry) {
            Ok(()) => {
                // Taken back, to be entered like every other decision.
                let decision = self.session.decisions().last().cloned();
                self.session.undo()?;
                Ok(decision.map_or(Wish::Again, Wish::Decide))
            }
            Err(Stopped::Trouble(trouble)) => Err(trouble.into()),
            Err(Stopped::Refused(refusal)) => {
                for reason in self.session.why(&refusal, None) {
                    output.say(format!("refused: {reason}\n"))?;
                }
                Ok(Wish::Again)
            }
        }
    }

    /// Takes back everything up to the last decision of a person.
    fn undo(&mut self, output: &mut Output<'_>) -> Result<Wish, Failed> {
        let by_person = |decision: &Decision| match decision {
            Decision::Act { seat, .. } | Decision::Pass { seat } => {
                self.bots.get(*seat as usize).is_none_or(Option::is_none)
            }
            Decision::Chance(_) => false,
        };
        let Some(last) = self.session.decisions().iter().rposition(by_person) else {
            output.say("there is nothing to take back\n")?;
            return Ok(Wish::Again);
        };
        while self.session.decisions().len() > last {
            self.session.undo()?;
            self.told.pop();
            if let Some(random) = self.before.pop() {
                self.random = random;
            }
        }
        Ok(Wish::Elsewhere)
    }

    fn finish(&mut self, output: &mut Output<'_>) -> io::Result<Exit> {
        self.board(output)?;
        let (scores, winners) = match self.session.scores().and_then(|scores| Ok((scores, self.session.winners()?))) {
            Ok(known) => known,
            Err(trouble) => {
                cannot_go_on((self.loaded, self.session.bound()), &trouble, output)?;
                self.leave(output)?;
                return Ok(Exit::NoVerdict);
            }
        };
        let winners: Vec<usize> = winners.into_iter().map(|seat| seat as usize).collect();
        self.log.result = Some(Outcome { scores, winners });
        let text = log::write(&self.log);
        for line in text.lines().filter(|line| line.starts_with("result ") || line.starts_with("winner ")) {
            output.say(format!("{line}\n"))?;
        }
        self.leave(output)
    }

    /// The log so far.
    fn text(&self) -> String {
        let entries = self.session.history().iter().map(|text| Line { text: text.clone(), ..Line::default() });
        log::write(&Log { entries: entries.collect(), ..self.log.clone() })
    }

    /// Saves what was played, if a file was named.
    fn leave(&mut self, output: &mut Output<'_>) -> io::Result<Exit> {
        let text = self.text();
        let mut exit = Exit::Fine;
        if let Some(file) = &self.file {
            let shown = clean_path(file);
            match save(file, &text) {
                Ok(()) => output.say(format!("saved as {shown}\n"))?,
                Err(error) => {
                    output.failure(
                        &format!("cannot write `{shown}`: {error}"),
                        "the log follows, so that it is not lost",
                    )?;
                    output.say(&text)?;
                    exit = Exit::NoVerdict;
                }
            }
        }
        if output.format == Format::Json {
            let names: Vec<&str> = self.log.seats.iter().map(|seat| seat.name.as_str()).collect();
            let winners =
                self.log.result.as_ref().map(|result| {
                    result.winners.iter().filter_map(|&seat| names.get(seat).copied()).collect::<Vec<_>>()
                });
            let object = serde_json::json!({
                "ludex": 1, "kind": "game", "ruleset": self.log.game, "hash": format!("{:016x}", self.log.rules.unwrap_or(0)),
                "seed": self.log.seed.map(|seed| seed.to_string()), "seats": names, "over": self.session.is_over(),
                "entries": self.session.history(), "scores": self.log.result.as_ref().map(|result| result.scores.clone()),
                "winners": winners,
            });
            output.line(object.to_string())?;
        }
        Ok(exit)
    }
}

/// Why the table breaks up.
enum Failed {
    Trouble(Trouble),
    Io(io::Error),
}

impl From<Trouble> for Failed {
    fn from(trouble: Trouble) -> Self {
        Self::Trouble(trouble)
    }
}

impl From<io::Error> for Failed {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}
