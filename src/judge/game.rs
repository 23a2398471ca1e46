//! One game of a log, from its first entry to its result.

use super::blame::{Played, changed, drawn};
use super::finding::Finding;
use super::judged::{Judged, Strictness};
use super::resume::Lost;
use super::rules::Rules;
use super::steps::{cost, steps};
use super::why::{Refused, code_of, why};
use super::worlds::{Worlds, is_open};
use crate::bind::{Choice, Effective, Entry, Notation};
use crate::evaluate::Trouble;
use crate::internal::Must;
use crate::log::{self, Form, Heard, Line, Log, RawLine, Reader, json_line_to_text};
use crate::machine::{Machine, Position, Step};
use crate::play::Session;
use crate::report::{Code, Fault, Span, codes};

/// Judges games by one ruleset.
pub struct Judge<'r> {
    pub(super) rules: &'r Rules,
    items: &'r Effective<'r>,
    pub(super) machine: Machine<'r>,
    beginning: Option<Position>,
    notation: Option<Notation<'r>>,
    strictness: Strictness,
    pub(super) played: Vec<Played>,
    /// What the last action cost.
    pub(super) paid: i64,
    pub(super) worlds: Option<Worlds>,
    pub(super) lost: Option<Lost>,
    pub(super) judged: Judged,
    /// Who sits where: entries may name them instead of their seats.
    people: Vec<Option<String>>,
}

/// A game ends here: there is nothing more to judge, or the ruleset cannot go on.
pub(super) enum Stop {
    Enough,
    Trouble(Trouble),
}

impl From<Trouble> for Stop {
    fn from(trouble: Trouble) -> Self {
        Self::Trouble(trouble)
    }
}

pub(super) type Go<T> = Result<T, Stop>;

/// An entry that gets one of these verdicts is an entry of the game: it only comes at the wrong moment, or says too much.
const KNOWN_ENTRY: [&Code; 4] = [&codes::REQUIREMENT, &codes::UNAFFORDABLE, &codes::WRONG_PLAYER, &codes::BAD_ARGUMENT];

impl<'r> Judge<'r> {
    /// A judge by these rules. `items` are those of the same ruleset.
    #[must_use]
    pub fn new(rules: &'r Rules, items: &'r Effective<'r>, strictness: Strictness) -> Self {
        Self {
            rules,
            items,
            machine: Machine::trusting(&rules.program),
            beginning: None,
            notation: None,
            strictness,
            played: Vec::new(),
            paid: 0,
            worlds: None,
            lost: None,
            judged: Judged::default(),
            people: Vec::new(),
        }
    }

    /// Judges a game. `head` has read the lines before `body`, the byte at which the entries begin.
    pub fn game(&mut self, text: &str, form: Form, head: &Reader, body: usize) -> Judged {
        #[cfg(test)]
        crate::internal::probe("judge", &self.rules.checked.bound.title);
        let log = head.log();
        self.played.clear();
        (self.paid, self.worlds, self.lost) = (0, None, None);
        self.sit(log);
        let (game, ruleset) = (log.game.clone(), self.rules.shown().to_owned());
        self.judged = Judged { game, ruleset, expect: log.expect.clone(), ..Judged::default() };
        self.judged.warnings.extend(self.rules.warnings(log));
        if let Some(finding) = unknown_version(log) {
            self.judged.findings.push(finding);
            return std::mem::take(&mut self.judged);
        }
        let ended = self.begin().map_err(Stop::Trouble).and_then(|()| self.body(text, form, head, body));
        match ended {
            Ok(()) | Err(Stop::Enough) => {}
            Err(Stop::Trouble(trouble)) => {
                let entry = self.played.last().map(|entry| entry.span(self.rules.file));
                let fault = self.rules.cannot_go_on(&trouble, entry);
                self.judged.faults.push(fault);
            }
        }
        self.judged.entries = self.played.len();
        self.other_game(log);
        std::mem::take(&mut self.judged)
    }

    /// Notes who sits where.
    fn sit(&mut self, log: &Log) {
        let same = log.seats.iter().map(|seat| seat.who.as_ref()).eq(self.people.iter().map(Option::as_ref));
        if !same {
            self.people = log.seats.iter().map(|seat| seat.who.clone()).collect();
            if let Some(notation) = &mut self.notation {
                notation.call(self.people.iter().cloned());
            }
        }
    }

    /// A log that names another game is judged all the same. If its first entry is none of these rules, it is no
    /// log of theirs at all.
    fn other_game(&mut self, log: &Log) {
        let Some(named) = &self.rules.other_game else { return };
        let title = &self.rules.checked.bound.title;
        let is_known = |finding: &Finding| KNOWN_ENTRY.iter().any(|code| code.id == finding.code.id);
        // Whether others follow that are legal is known only if the judge goes on.
        let is_first = |fault: &Finding| self.played.iter().all(|played| played.start > fault.span.start);
        let is_foreign = self.judged.fault().is_some_and(|fault| is_first(fault) && !is_known(fault));
        if !is_foreign || !self.judged.faults.is_empty() {
            self.judged.warnings.push(log::names_other_game(named, title, log.places.game));
            return;
        }
        let mut finding = Finding::new(
            &codes::WRONG_GAME,
            log.places.game,
            &format!("game {named}"),
            format!("this is no log of {title}"),
        )
        .label(format!("a log of `{named}`"));
        finding.change = Some(format!("judge it by `--rules {named}`, or by what it names itself"));
        self.judged.findings = vec![finding];
        self.judged.skipped = 0;
    }

    fn begin(&mut self) -> Result<(), Trouble> {
        match &self.beginning {
            Some(position) => self.machine.load(position),
            None => {
                self.machine.begin()?;
                self.machine.settle()?;
                self.beginning = Some(self.machine.position());
            }
        }
        Ok(())
    }

    fn body(&mut self, text: &str, form: Form, head: &Reader, body: usize) -> Go<()> {
        // The reader is only needed for lines that are not canonical entries.
        let mut reader: Option<Reader> = None;
        let mut start = body;
        while let Some(rest) = text.get(start..).filter(|rest| !rest.is_empty()) {
            let length = memchr::memchr(b'\n', rest.as_bytes()).unwrap_or(rest.len());
            let line = rest.get(..length).must("a line ends within its text");
            let span = Span::new(self.rules.file, start, start + length);
            start += length + 1;
            if form == Form::JsonLines {
                reader.get_or_insert_with(|| head.clone()).within(span);
                match json_line_to_text(line, span) {
                    Ok(lines) => lines.lines().try_for_each(|line| self.line(line, span, head, &mut reader))?,
                    Err(fault) if fault.code.id == codes::BAD_LINE.id => return self.no_verdict(vec![*fault]),
                    Err(fault) => {
                        self.astray(None, Finding::misread(&codes::UNREADABLE_ENTRY, *fault, line), span)?;
                    }
                }
            } else {
                self.line(line, span, head, &mut reader)?;
            }
        }
        let reader = reader.unwrap_or_else(|| head.clone());
        self.machine.settle()?;
        self.end(&reader)
    }

    fn line(&mut self, line: &str, span: Span, head: &Reader, reader: &mut Option<Reader>) -> Go<()> {
        let ended = reader.as_ref().is_some_and(|reader| reader.ended().is_some());
        if line.is_empty() || (!ended && self.quickly(line.as_bytes(), span)?) {
            return Ok(());
        }
        let line = RawLine::new(line, span.start as usize);
        if line.is_blank() {
            return Ok(());
        }
        self.slowly(reader.get_or_insert_with(|| head.clone()), &line)
    }

    /// The short way: true if the line was a legal entry in canonical spelling, and has been played.
    fn quickly(&mut self, line: &[u8], span: Span) -> Go<bool> {
        if self.worlds.is_some() || self.played.len() >= self.strictness.most_entries {
            return Ok(false);
        }
        loop {
            if let Some(step) = self.rules.lexicon.read(&self.rules.program, &mut self.machine, line)
                && self.machine.allows(step)?
            {
                self.take(step, span)?;
                self.lost = None;
                return Ok(true);
            }
            // The line may belong to where the flow goes on if nothing is possible here.
            if !self.machine.is_open() {
                return Ok(false);
            }
            self.machine.settle()?;
        }
    }

    /// Takes a step, and leaves it open whether anything is possible behind it.
    fn take(&mut self, step: Step, span: Span) -> Result<(), Trouble> {
        self.machine.take(step)?;
        self.paid = cost(&self.machine, step);
        self.played.push(Played { step, start: span.start, end: span.end });
        Ok(())
    }

    /// Takes a step, to where something is possible again.
    pub(super) fn play(&mut self, step: Step, span: Span) -> Result<(), Trouble> {
        self.take(step, span)?;
        self.machine.settle()
    }

    /// The long way: any line.
    fn slowly(&mut self, reader: &mut Reader, line: &RawLine<'_>) -> Go<()> {
        self.machine.settle()?;
        if !self.played.is_empty() {
            reader.enter();
        }
        let ended = reader.ended();
        match reader.line(line) {
            Ok(Heard::Head | Heard::End) => Ok(()),
            Ok(Heard::Entry(entry)) => {
                if let Some(end) = ended {
                    let mut finding =
                        Finding::new(&codes::AFTER_END, entry.span, &entry.text, "an entry stands after the result")
                            .label("too late");
                    finding.blame.push((end, "the game is said to have ended here".to_owned()));
                    return self.found(finding);
                }
                self.entry(&entry)?;
                self.claims(&entry)
            }
            Err(faults) => self.no_verdict(faults),
        }
    }

    fn entry(&mut self, line: &Line) -> Go<()> {
        if line.text.is_empty() {
            return Ok(());
        }
        if self.played.len() >= self.strictness.most_entries {
            let most = self.strictness.most_entries;
            return self.no_verdict(vec![
                Fault::new(&codes::TOO_LONG_A_GAME, line.span, format!("the game has more than {most} entries"))
                    .label("judged up to here")
                    .help("`--most-entries` allows more"),
            ]);
        }
        let read = log::read_entry(self.notation(), line.span, &line.text);
        match read {
            Ok(entries) => entries.iter().try_for_each(|entry| self.one(entry, line)),
            Err(misread) => {
                let finding = Finding::misread(code_of(misread.verdict), misread.fault, &line.text);
                self.astray(None, finding, line.span)
            }
        }
    }

    /// What is found about one line, which is not entered; nothing if it is legal.
    pub(super) fn alone(&mut self, line: &Line) -> Result<Option<Finding>, Box<Fault>> {
        let (position, paid, played) = (self.machine.position(), self.paid, self.played.len());
        let worlds = self.worlds.clone();
        let entered = self.entry(line).and_then(|()| self.claims(line));
        self.machine.load(&position);
        (self.paid, self.worlds) = (paid, worlds);
        self.played.truncate(played);
        match entered {
            Err(Stop::Trouble(trouble)) => Err(Box::new(self.rules.cannot_go_on(&trouble, Some(line.span)))),
            Ok(()) | Err(Stop::Enough) => Ok(std::mem::take(&mut self.judged).findings.pop()),
        }
    }

    /// One entry, however it is spelt.
    fn one(&mut self, entry: &Entry, line: &Line) -> Go<()> {
        let bound = &self.rules.checked.bound;
        if self.worlds.is_none() {
            if !is_open(entry) {
                return match steps(bound, &mut self.machine, entry)?.first() {
                    Some(step) => {
                        self.lost = None;
                        Ok(self.play(*step, line.span)?)
                    }
                    None => self.refused(entry, line),
                };
            }
            self.worlds = Some(Worlds::new(self.machine.position(), self.paid));
        }
        let Some(worlds) = &mut self.worlds else { return Ok(()) };
        if worlds.enter(bound, &mut self.machine, entry, (line.span, &line.text))? {
            self.played.push(Played { step: Step::Drawn(0), start: line.span.start, end: line.span.end });
            return Ok(());
        }
        self.refused(entry, line)
    }

    /// Nothing that the entry can mean is legal.
    fn refused(&mut self, entry: &Entry, line: &Line) -> Go<()> {
        self.must_know(line.span)?;
        if self.resynchronises(entry, line)? {
            return Ok(());
        }
        let mut session = self.session()?;
        let sources = &self.rules.loaded.sources;
        let refused = Refused { entry, span: line.span, text: &line.text };
        let Some(found) = why(&mut session, sources, refused)? else {
            return Err(Stop::Trouble(Trouble {
                message: "the engines do not agree about an entry".to_owned(),
                span: line.span,
            }));
        };
        let mut finding = found.finding;
        if self.worlds.as_ref().is_some_and(|worlds| worlds.count() > 1) {
            finding.message += ", whatever it was that is unknown";
        }
        if self.worlds.is_none() {
            finding.blame = match finding.verdict() {
                "impossible-chance" => drawn(self.rules, &self.played, entry).unwrap_or_default(),
                "after-end" => {
                    let last = self.played.last().map(|entry| entry.span(self.rules.file));
                    last.map(|span| (span, "this ended the game".to_owned())).into_iter().collect()
                }
                // After a fault that was passed over the game may not come back from its entries.
                _ => changed(self.rules, &self.played, &found.about).unwrap_or_default(),
            };
        }
        self.astray(Some(entry), finding, line.span)
    }

    /// A game at the present position, for explanations.
    pub(super) fn session(&mut self) -> Result<Session<'r>, Trouble> {
        let first = self.worlds.as_ref().and_then(Worlds::first);
        let (position, paid) = match first {
            Some(world) => (world.position.clone(), world.paid),
            None => (self.machine.position(), self.paid),
        };
        Session::at(&self.rules.checked, &self.rules.program, &position, paid)
    }

    /// Something was found; the game goes on only if everything is to be found.
    pub(super) fn found(&mut self, finding: Finding) -> Go<()> {
        self.judged.findings.push(finding);
        if self.strictness.all { Ok(()) } else { Err(Stop::Enough) }
    }

    /// The rest cannot be judged. A verdict that there is already stays one.
    pub(super) fn no_verdict(&mut self, faults: Vec<Fault>) -> Go<()> {
        if !self.judged.findings.iter().any(Finding::is_illegal) {
            self.judged.faults.extend(faults);
        }
        Err(Stop::Enough)
    }

    pub(super) fn goes_on(&self) -> bool {
        self.strictness.all
    }

    pub(super) fn notation(&mut self) -> &mut Notation<'r> {
        let (rules, items, people) = (self.rules, self.items, &self.people);
        self.notation.get_or_insert_with(|| {
            let bound = &rules.checked.bound;
            let seats = crate::play::seat_names(bound);
            let choice = Choice { players: Some(bound.players.count), numbers: &rules.loaded.numbers };
            let mut notation = Notation::new(items, choice, seats);
            notation.call(people.iter().cloned());
            notation
        })
    }
}

/// A log in a notation that this program does not know.
fn unknown_version(log: &Log) -> Option<Finding> {
    let version = log.version.filter(|version| *version != 1)?;
    let mut finding = Finding::new(
        &codes::UNKNOWN_VERSION,
        log.places.version,
        &format!("ludex {version}"),
        format!("version {version} of the notation is not known"),
    )
    .label("this program knows version 1");
    finding.change = Some("use a newer `ludex`, or write `ludex 1` if it is that".to_owned());
    Some(finding)
}
