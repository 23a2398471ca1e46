//! Laws of the compiled engine, at random positions of every bundled ruleset: each holds whatever the game is.
//!
//! A law that fails prints the log of the game so far, which `ludex moves` can play again.

use super::engines::{checked, names, rules};
use super::root;
use crate::bind::Bound;
use crate::check::Checked;
use crate::compile::compile;
use crate::log::{self, Line, Log, Seat};
use crate::machine::{Machine, Move, Otherwise, Position, Program, Step, Waits};
use crate::play::{Random, seat_names};
use crate::simulate::line;

/// Positions of each game at which the laws are tried.
const POSITIONS: usize = 4;

/// Codes of one offer that are all tried; of more some are picked.
const FEW: u64 = 512;

/// A ruleset for one number of players, with a machine.
struct Trial<'p> {
    name: &'p str,
    bound: &'p Bound,
    program: &'p Program,
    machine: Machine<'p>,
    entries: Vec<Step>,
}

impl<'p> Trial<'p> {
    fn new(name: &'p str, checked: &'p Checked, program: &'p Program) -> Self {
        Self { name, bound: &checked.bound, program, machine: Machine::new(program), entries: Vec::new() }
    }

    /// The game so far, as a log.
    fn log(&self) -> String {
        let mut machine = Machine::new(self.program);
        machine.begin().expect("a beginning");
        let text = |&entry| line(&mut machine, self.bound, entry).expect("no trouble");
        let entries = self.entries.iter().map(text).map(|text| Line { text, ..Line::default() }).collect();
        let seats = seat_names(self.bound).into_iter().map(|name| Seat { name, who: None }).collect();
        log::write(&Log { game: self.name.to_owned(), seats, entries, ..Log::default() })
    }

    fn must(&self, holds: bool, law: &str) {
        assert!(holds, "{law}; after this game:\n{}", self.log());
    }

    /// One random entry; false if the game is over.
    fn step(&mut self, random: &mut Random) -> bool {
        let Some(entry) = random_entry(&mut self.machine, random) else { return false };
        self.entries.push(entry);
        play(&mut self.machine, entry);
        true
    }

    /// What is listed is legal, what is not is not, and counting is listing.
    fn listed_is_legal(&mut self, random: &mut Random) {
        let Waits::Player { choice, .. } = self.machine.waits() else { return };
        let first = self.machine.first().expect("no trouble");
        let counted = self.machine.count().expect("no trouble");
        let moves = self.machine.moves().expect("no trouble").to_vec();
        self.must(counted == moves.len() as u64, "entries are counted as they are listed");
        self.must(first == moves.first().copied(), "the first entry is the first of the list");
        let mut once = moves.clone();
        once.sort_unstable();
        once.dedup();
        self.must(once.len() == moves.len(), "no entry is listed twice");
        for &entry in moves.iter().take(400) {
            let legal = self.machine.is_legal(entry).expect("no trouble");
            self.must(legal, &format!("{entry:?} is listed, so it is legal"));
        }
        let point = &self.program.choices[usize::from(choice)];
        for number in point.offers.clone() {
            let offer = &self.program.offers[usize::from(number)];
            let params = &offer.params[offer.bound..];
            let tried = offer.possible.min(FEW);
            for nth in 0..tried {
                let mut pick = if offer.possible <= FEW { nth } else { Random::below(random, offer.possible) };
                let mut code = u64::from(number);
                for param in params {
                    code |= (pick % param.size) << param.shift;
                    pick /= param.size;
                }
                let legal = self.machine.is_legal(Move(code)).expect("no trouble");
                let known = once.binary_search(&Move(code)).is_ok();
                self.must(legal == known, &format!("{:?} is legal if it is listed, and only then", Move(code)));
            }
            // Arguments beyond their types, and offers of other choices, are nothing.
            for param in params.iter().filter(|param| param.bits > 0 && param.size < 1 << param.bits) {
                let beyond = Move(u64::from(number) | param.size << param.shift);
                let legal = self.machine.is_legal(beyond).expect("no trouble");
                self.must(!legal, "arguments stay within their types");
            }
        }
        for number in (0..=self.program.offers.len() as u64)
            .filter(|number| !point.offers.contains(&u16::try_from(*number).expect("few offers")))
        {
            let legal = self.machine.is_legal(Move(number)).expect("no trouble");
            self.must(!legal, "other offers are not legal");
        }
        let pass = self.machine.is_legal(Move::PASS).expect("no trouble");
        self.must(pass == once.contains(&Move::PASS), "a pass is legal if it is listed");
        let always = matches!(point.otherwise, Otherwise::Pass(_));
        self.must(!always || moves.last() == Some(&Move::PASS), "a pass comes last");
    }

    /// A copy is the same position, for this machine and for a new one.
    fn copies_are_the_same(&mut self, random: &mut Random) {
        let here = self.machine.position();
        let listed = all(&mut self.machine);
        // Other games in between leave no trace.
        let mut spare = Random::new(random.next_word());
        for _ in 0..6 {
            match random_entry(&mut self.machine, &mut spare) {
                Some(entry) => play(&mut self.machine, entry),
                None => self.machine.begin().expect("a beginning"),
            }
        }
        self.machine.load(&here);
        self.must(self.machine.position() == here, "a position comes back byte by byte");
        let again = all(&mut self.machine);
        self.must(again == listed, "the list does not depend on what was played before");
        let mut fresh = Machine::new(self.program);
        fresh.load(&here);
        self.must(all(&mut fresh) == listed, "a new machine lists the same");
        if let Some(entry) = random_entry(&mut self.machine, &mut spare) {
            play(&mut self.machine, entry);
            play(&mut fresh, entry);
            self.must(self.machine.state() == fresh.state(), "the same entry leads to the same bytes");
            self.machine.load(&here);
        }
        let judged = self.machine.broken_invariant().expect("no trouble");
        self.must(judged.is_none(), "invariants hold");
        self.must(self.machine.position() == here, "asking changes nothing");
    }

    /// A machine that trusts comes to the same positions as one that asks.
    fn trust_changes_nothing(&self) {
        let mut trusting = Machine::trusting(self.program);
        trusting.begin().expect("a beginning");
        for &step in &self.entries {
            if !trusting.allows(step).expect("no trouble") {
                trusting.settle().expect("no trouble");
            }
            self.must(trusting.allows(step).expect("no trouble"), "what was played is legal");
            play(&mut trusting, step);
        }
        trusting.settle().expect("no trouble");
        self.must(trusting.state() == self.machine.state(), "who trusts comes to the same bytes");
    }

    /// The same decisions lead to the same bytes.
    fn replay_is_the_game(&self) {
        let mut again = Machine::new(self.program);
        again.begin().expect("a beginning");
        for &entry in &self.entries {
            play(&mut again, entry);
        }
        self.must(again.state() == self.machine.state(), "the same decisions lead to the same bytes");
    }
}

/// Everything that can be entered, in order.
fn all(machine: &mut Machine<'_>) -> (Vec<Move>, Vec<(i64, u64)>) {
    (machine.moves().expect("no trouble").to_vec(), machine.outcomes().expect("no trouble").to_vec())
}

fn random_entry(machine: &mut Machine<'_>, random: &mut Random) -> Option<Step> {
    match machine.waits() {
        Waits::Nothing => None,
        Waits::Player { .. } => machine.sample(random).expect("no trouble").map(Step::Entry),
        Waits::Chance(_) => {
            let outcomes = machine.outcomes().expect("no trouble");
            let drawn = random.weighted(outcomes.iter().map(|(_, weight)| *weight)).expect("an outcome");
            Some(Step::Drawn(outcomes[drawn].0))
        }
    }
}

fn play(machine: &mut Machine<'_>, step: Step) {
    machine.take(step).expect("no trouble");
}

/// Plays a game with this seed; gives the bytes after every entry, folded into one number.
fn fingerprint(machine: &mut Machine<'_>, seed: u64) -> u64 {
    let mut random = Random::new(seed);
    machine.begin().expect("a beginning");
    let mut sum: u64 = 0;
    for _ in 0..200 {
        let Some(entry) = random_entry(machine, &mut random) else { break };
        play(machine, entry);
        for &byte in machine.state() {
            sum = (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    sum
}

#[test]
fn the_laws_hold_in_every_game() {
    for name in names() {
        for players in 1..=4 {
            let Some(rules) = checked(&name, players) else { continue };
            let program = compile(&rules).unwrap_or_else(|fault| panic!("{name}: {}", fault.message));
            let mut random = Random::new(u64::from(players));
            let mut trial = Trial::new(&name, &rules, &program);
            trial.machine.begin().expect("a beginning");
            for _ in 0..POSITIONS {
                trial.listed_is_legal(&mut random);
                trial.copies_are_the_same(&mut random);
                trial.trust_changes_nothing();
                trial.replay_is_the_game();
                let steps = random.below(40) + 1;
                if !(0..steps).all(|_| trial.step(&mut random)) {
                    trial.entries.clear();
                    trial.machine.begin().expect("a beginning");
                }
            }
        }
    }
}

#[test]
fn the_same_seed_gives_the_same_bytes() {
    for name in names() {
        let Some(rules) = checked(&name, 2) else { continue };
        let program = compile(&rules).unwrap_or_else(|fault| panic!("{name}: {}", fault.message));
        let (mut one, mut other) = (Machine::new(&program), Machine::new(&program));
        let first = fingerprint(&mut one, 5);
        // The other machine has another past.
        assert_ne!(fingerprint(&mut other, 6), first, "{name}");
        assert_eq!(fingerprint(&mut other, 5), first, "{name}");
    }
}

/// Samples at a position; gives chi-square against each entry being equally likely, and how many there are.
fn chi_square(machine: &mut Machine<'_>, here: &Position, random: &mut Random) -> (f64, u32) {
    machine.load(here);
    let moves = machine.moves().expect("no trouble").to_vec();
    let count = u32::try_from(moves.len()).expect("few entries");
    let each = 60;
    let mut seen = vec![0_u32; moves.len()];
    for _ in 0..each * count {
        // Not listed before: this is how simulations ask.
        machine.load(here);
        let entry = machine.sample(random).expect("no trouble").expect("an entry");
        seen[moves.iter().position(|known| *known == entry).expect("a legal entry")] += 1;
    }
    let off = |seen: &u32| (f64::from(*seen) - f64::from(each)).powi(2) / f64::from(each);
    (seen.iter().map(off).sum(), count)
}

#[test]
fn whatever_is_legal_can_be_drawn() {
    let (mut drawn, mut untested) = (0, 0);
    let mut all: Vec<(String, Vec<&str>)> = names().into_iter().map(|name| (name, Vec::new())).collect();
    all.push(("breakthrough".to_owned(), vec!["board.columns=12", "board.rows=13"]));
    all.push(("reversi".to_owned(), vec!["board.size=12"]));
    all.push((root().join("src/testing/engines/rays.ludex").display().to_string(), Vec::new()));
    for (name, settings) in &all {
        let rules = (1..=4).find_map(|players| rules(name, players, settings)).expect("a ruleset").checked;
        let program = compile(&rules).unwrap_or_else(|fault| panic!("{name}: {}", fault.message));
        let mut trial = Trial::new(name, &rules, &program);
        let mut random = Random::new(17);
        trial.machine.begin().expect("a beginning");
        for _ in 0..200 {
            if !trial.step(&mut random) {
                trial.entries.clear();
                trial.machine.begin().expect("a beginning");
            }
            let Some(lots) = trial.machine.drawn_from().expect("no trouble") else { continue };
            drawn += 1;
            let legal = trial.machine.moves().expect("no trouble").to_vec();
            for entry in legal.iter().filter(|entry| **entry != Move::PASS) {
                let times = lots.iter().filter(|(known, _)| known == entry).count();
                trial.must(times == 1, "what is legal can be drawn, in one way");
            }
            for (entry, _) in lots.iter().filter(|(_, all_legal)| *all_legal) {
                untested += 1;
                trial.must(legal.contains(entry), "what is not tested is legal");
            }
        }
    }
    assert!(drawn > 100 && untested > 1000, "{drawn} choices with masks, {untested} entries without a test");
}

#[test]
fn samples_are_uniform_over_the_list() {
    for name in &names() {
        let rules = (1..=4).find_map(|players| checked(name, players)).expect("a ruleset");
        let program = compile(&rules).unwrap_or_else(|fault| panic!("{name}: {}", fault.message));
        let mut trial = Trial::new(name, &rules, &program);
        let mut random = Random::new(11);
        trial.machine.begin().expect("a beginning");
        let mut tried = 0;
        while tried < 3 {
            if !trial.step(&mut random) {
                trial.entries.clear();
                trial.machine.begin().expect("a beginning");
            }
            let many = trial.machine.count().expect("no trouble");
            if !(2..=120).contains(&many) || random.below(3) > 0 {
                continue;
            }
            tried += 1;
            let here = trial.machine.position();
            let (found, count) = chi_square(&mut trial.machine, &here, &mut random);
            trial.machine.load(&here);
            // With f degrees of freedom, chi-square exceeds f + 2 sqrt(20 f) + 40 with a chance below
            // e^-20 (Laurent and Massart 2000, lemma 1): some twenty positions never come near it by chance.
            let free = f64::from(count - 1);
            trial.must(found < free + 2.0 * (20.0 * free).sqrt() + 40.0, "samples are uniform");
        }
    }
}
