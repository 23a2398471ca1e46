//! What is listed is legal, and nothing else is: every entry that `moves` lists is accepted by the judge, and other entries
//! of the right types are refused. All combinations of arguments are tried where they are few, a sample where they are many.

use std::collections::BTreeSet;

use super::constructs::cases;
use super::engines::{Rules, names, rules};
use crate::compile::compile;
use crate::examples::{cores, parallel};
use crate::judge::{self, By, Origin, Strictness, judge_one};
use crate::log::{self, Form, Line, Log, Seat};
use crate::machine::{Machine, Move, Program, Random, Step, Waits, scalar_size};
use crate::play::seat_names;
use crate::simulate::{line, text};

/// Positions of each ruleset.
const POSITIONS: usize = 4;

/// Entries between two of them, at most.
const APART: u64 = 12;

/// Entries that are tried at a position: listed ones, and of each offer.
const FEW: u64 = 60;

/// A game so far, with the rules that judge it.
struct Trial<'t> {
    bound: &'t crate::bind::Bound,
    program: &'t Program,
    machine: Machine<'t>,
    judge: &'t judge::Rules,
    name: &'t str,
    lines: Vec<String>,
}

fn written(name: &str, bound: &crate::bind::Bound, lines: &[String]) -> String {
    let seats = seat_names(bound).into_iter().map(|name| Seat { name, who: None }).collect();
    let entries = lines.iter().map(|text| Line { text: text.clone(), ..Line::default() }).collect();
    log::write(&Log { game: name.to_owned(), seats, entries, ..Log::default() })
}

impl Trial<'_> {
    /// Does the judge accept this entry here? Nothing if the rules cannot go on after it.
    fn accepts(&self, entry: &str) -> Option<bool> {
        let lines: Vec<String> = self.lines.iter().map(String::as_str).chain([entry]).map(str::to_owned).collect();
        let judged = judge_one(self.judge, &written(self.name, self.bound, &lines), Form::Text, Strictness::default());
        if !judged.faults.is_empty() {
            return None;
        }
        Some(judged.fault().is_none() && judged.entries == lines.len())
    }

    /// Was it judged at all?
    fn must(&self, entry: &str, is_legal: bool) -> Result<usize, String> {
        match self.accepts(entry) {
            Some(said) if said != is_legal => {
                let told = if is_legal { "is listed, but refused" } else { "is not listed, but accepted" };
                Err(format!("`{entry}` {told} after\n{}", written(self.name, self.bound, &self.lines)))
            }
            Some(_) => Ok(1),
            None => Ok(0),
        }
    }

    /// Entries of the right types: all of an offer, or some by chance.
    fn candidates(&self, choice: u16, random: &mut Random) -> Vec<Move> {
        let mut found = vec![Move::PASS];
        for number in self.program.choices[usize::from(choice)].offers.clone() {
            let offer = &self.program.offers[usize::from(number)];
            let params = &offer.params[offer.bound..];
            let all = params.iter().fold(1_u64, |all, param| all.saturating_mul(param.size));
            for nth in 0..all.min(FEW) {
                let mut pick = if all <= FEW { nth } else { Random::below(random, all) };
                let mut code = u64::from(number);
                for param in params {
                    code |= (pick % param.size) << param.shift;
                    pick /= param.size;
                }
                found.push(Move(code));
            }
        }
        found
    }

    /// Asks about everything here; gives how many entries were judged. Nothing is said where the rules cannot go on.
    fn ask(&mut self, random: &mut Random) -> Result<usize, String> {
        let bound = self.bound;
        let (listed, others) = match self.machine.waits() {
            Waits::Nothing => return Ok(0),
            Waits::Player { choice, .. } => {
                let Ok(moves) = self.machine.moves().map(<[Move]>::to_vec) else { return Ok(0) };
                (
                    steps(moves.into_iter().map(Step::Entry)),
                    steps(self.candidates(choice, random).into_iter().map(Step::Entry)),
                )
            }
            Waits::Chance(chance) => {
                let Ok(outcomes) = self.machine.outcomes().map(<[_]>::to_vec) else { return Ok(0) };
                let ty = &self.program.chances[usize::from(chance)].ty;
                let low = if let crate::bind::Type::Int(low, _) = ty.plain() { *low } else { 0 };
                let size = scalar_size(&bound.types, ty.plain()).unwrap_or(0).min(FEW);
                let all = (low..).take(usize::try_from(size).unwrap_or(0));
                (steps(outcomes.into_iter().map(|(value, _)| Step::Drawn(value))), steps(all.map(Step::Drawn)))
            }
        };
        let mut legal = BTreeSet::new();
        for step in listed {
            let Ok(text) = text(&mut self.machine, bound, step) else { return Ok(0) };
            legal.insert(text);
        }
        let mut asked = 0;
        for entry in legal.iter().take(usize::try_from(FEW).unwrap_or(0)) {
            asked += self.must(entry, true)?;
        }
        for step in others {
            // A value that its type has not, such as an edge that is not there, has no text.
            let Ok(text) = text(&mut self.machine, bound, step) else { continue };
            if !legal.contains(&text) && !text.is_empty() {
                asked += self.must(&text, false)?;
            }
        }
        Ok(asked)
    }

    /// One random entry; false if the game is over or cannot go on.
    fn step(&mut self, random: &mut Random) -> bool {
        let step = match self.machine.waits() {
            Waits::Nothing => None,
            Waits::Player { .. } => self.machine.sample(random).ok().flatten().map(Step::Entry),
            Waits::Chance(_) => {
                let outcomes = self.machine.outcomes().map(<[_]>::to_vec).unwrap_or_default();
                random.weighted(outcomes.iter().map(|(_, weight)| *weight)).map(|nth| Step::Drawn(outcomes[nth].0))
            }
        };
        let Some(step) = step else { return false };
        let Ok(text) = line(&mut self.machine, self.bound, step) else { return false };
        self.lines.push(text);
        true
    }
}

fn steps(all: impl Iterator<Item = Step>) -> Vec<Step> {
    all.collect()
}

/// Plays a random game and asks now and then; gives how many entries were judged.
pub(super) fn listed_is_legal(name: &str, rules: &Rules, seed: u64) -> Result<usize, String> {
    let Ok(program) = compile(&rules.checked) else { return Ok(0) };
    let bound = &rules.checked.bound;
    let head = written(name, bound, &[]);
    let read = judge::Head::read(&head, Form::Text, crate::report::FileId::default()).map_err(|_| "no head")?;
    let by = By { ruleset: Some(name.to_owned()), ..By::default() };
    let Ok(judge) = judge::Rules::of(read.log(), &by, Origin::nowhere("game.log", 1), &head) else { return Ok(0) };
    let mut random = Random::new(seed);
    let mut trial =
        Trial { bound, program: &program, machine: Machine::new(&program), judge: &judge, name, lines: Vec::new() };
    let mut asked = 0;
    if trial.machine.begin().is_err() {
        return Ok(0);
    }
    for _ in 0..POSITIONS {
        asked += trial.ask(&mut random)?;
        let apart = Random::below(&mut random, APART) + 1;
        if !(0..apart).all(|_| trial.step(&mut random)) {
            break;
        }
    }
    Ok(asked)
}

#[test]
fn only_what_is_listed_is_legal() {
    let all: Vec<String> = names().into_iter().chain(cases()).collect();
    let told = parallel::each(cores(), &all, |name| {
        let mut asked = 0;
        for players in 1..=4 {
            let Some(rules) = rules(name, players, &[]) else { continue };
            asked += listed_is_legal(name, &rules, 7).map_err(|wrong| format!("{name} for {players}: {wrong}"))?;
        }
        Ok(asked)
    });
    let wrong: Vec<&String> = told.iter().filter_map(|told: &Result<usize, String>| told.as_ref().err()).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    let asked: usize = told.iter().flatten().sum();
    assert!(asked > 2000, "only {asked} entries were judged");
}
