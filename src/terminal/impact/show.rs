//! What a change does, by game and by rule.

use std::collections::BTreeMap;
use std::io;

use serde_json::{Value, json as value};

use super::super::check::plural;
use super::super::validate::unreadable;
use super::super::{Exit, Format, Output};
use crate::judge::{Effect, Finding, Game, Impact, Judged, Met, Shelf, Strictness};
use crate::log::Outcome;
use crate::report::{Fault, Human, Sources, Style};

/// So many places are named for a rule.
const MOST_PLACES: usize = 3;

/// Of so many games it is drawn why they cannot be judged.
const MOST_DRAWN: usize = 20;

/// Judges a game by the new rules, and makes of it what is to be shown, on any thread.
pub(super) struct Teller {
    pub(super) format: Format,
    pub(super) style: Style,
    pub(super) new: Shelf,
    pub(super) strictness: Strictness,
}

/// What is shown of a game.
pub(super) struct Told {
    effect: Effect,
    /// What it counts under: a rule, or what is different about the end.
    group: String,
    place: String,
    /// How it ends by each ruleset.
    ends: String,
    pub(super) result: String,
    pub(super) diagnostics: String,
}

impl Teller {
    pub(super) fn tell(&self, met: &Met<'_>) -> Told {
        match met {
            Met::Game(game) => self.game(game),
            Met::Unreadable(file, line, why) => {
                let (message, help) = unreadable(file, *line, why);
                let object = value!({
                    "ludex": 1, "kind": "impact", "file": file, "line": line, "effect": Effect::NoVerdict.word(),
                    "message": message, "help": help,
                });
                let is_json = self.format == Format::Json;
                let (result, diagnostics) = if is_json {
                    (format!("{object}\n"), String::new())
                } else {
                    (String::new(), format!("error: {message}\n  help: {help}\n"))
                };
                let group = "cannot be read".to_owned();
                Told {
                    effect: Effect::NoVerdict,
                    group,
                    place: (*file).to_owned(),
                    ends: String::new(),
                    result,
                    diagnostics,
                }
            }
        }
    }

    fn game(&self, game: &Game<'_>) -> Told {
        let impact = Impact::of(game, &self.new, self.strictness);
        let effect = impact.effect;
        let (old, new) = (game.judged, &impact.new);
        let begins = if game.line > 1 { format!("{}:{}", game.file, game.line) } else { game.file.to_owned() };
        let at = |finding: Option<&Finding>| {
            finding.map_or_else(|| begins.clone(), |finding| format!("{}:{}", game.file, game.line_of(finding.span)))
        };
        let rule = |finding: Option<&Finding>| finding.map(Finding::rule).unwrap_or_default();
        let (group, place) = match effect {
            Effect::Illegal | Effect::IllegalByBoth => (rule(new.fault()), at(new.fault())),
            Effect::NewlyLegal => (rule(old.fault()), at(old.fault())),
            Effect::Outcome => (difference(old.outcome.as_ref(), new.outcome.as_ref()).to_owned(), begins.clone()),
            Effect::NoVerdict => (no_verdict(old, new), begins.clone()),
            Effect::Unaffected => (String::new(), begins.clone()),
        };
        let ends = format!("{} → {}", ending(&impact.seats, old), ending(&impact.seats, new));
        let (result, diagnostics) = (String::new(), String::new());
        let mut told = Told { effect, group, place, ends, result, diagnostics };
        match self.format {
            Format::Json => told.result = format!("{}\n", object(game, &impact)),
            Format::Plain if effect.is_affected() => {
                let what = if effect == Effect::Outcome { &told.ends } else { &told.group };
                told.result = format!("{}: {}: {what}\n", told.place, heading(effect));
            }
            _ => {}
        }
        if effect == Effect::NoVerdict && self.format != Format::Json {
            told.diagnostics = self.cannot(game, &impact);
        }
        told
    }

    /// Why a game cannot be judged by both.
    fn cannot(&self, game: &Game<'_>, impact: &Impact) -> String {
        let draw = |sources: &Sources, fault: &Fault| {
            let human = Human { sources, style: self.style };
            if self.format == Format::Human { human.draw(fault) } else { human.line(fault) }
        };
        let mut faults = reasons(game.judged);
        let sources = if faults.is_empty() {
            faults = reasons(&impact.new);
            impact.sources(game)
        } else {
            game.sources()
        };
        faults.iter().map(|fault| draw(&sources, fault)).collect()
    }
}

fn reasons(judged: &Judged) -> Vec<Fault> {
    let mut faults = judged.faults.clone();
    faults.extend(judged.fault().map(Finding::fault));
    faults
}

/// The first thing that makes a verdict impossible.
fn no_verdict(old: &Judged, new: &Judged) -> String {
    let fault = old.faults.first().or(new.faults.first()).map(|fault| fault.code.id.to_owned());
    fault.or_else(|| old.fault().or(new.fault()).map(Finding::rule)).unwrap_or_default()
}

/// What is different about the end of a game.
fn difference(old: Option<&Outcome>, new: Option<&Outcome>) -> &'static str {
    match (old, new) {
        (Some(old), Some(new)) if old.winners != new.winners => "another winner",
        (Some(_), Some(_)) => "other scores",
        (Some(_), None) => "not over any more",
        (None, _) => "over already",
    }
}

/// `ana 3, ben 5; winner ben`
fn ending(seats: &[String], judged: &Judged) -> String {
    let Some(outcome) = &judged.outcome else { return "not over".to_owned() };
    let scores: Vec<String> =
        seats.iter().zip(&outcome.scores).map(|(seat, score)| format!("{seat} {score}")).collect();
    let winners = winners(seats, outcome);
    format!("{}; winner {}", scores.join(", "), if winners.is_empty() { "none".to_owned() } else { winners.join(", ") })
}

fn winners<'s>(seats: &'s [String], outcome: &Outcome) -> Vec<&'s str> {
    outcome.winners.iter().filter_map(|&seat| seats.get(seat)).map(String::as_str).collect()
}

fn object(game: &Game<'_>, impact: &Impact) -> Value {
    let side = |judged: &Judged, sources: &dyn Fn() -> Sources| {
        let fault = judged.fault();
        let scores = judged.outcome.as_ref().map(|outcome| {
            let scores = impact.seats.iter().cloned().zip(outcome.scores.iter().map(|score| value!(score)));
            scores.collect::<serde_json::Map<String, Value>>()
        });
        let faults: Vec<Value> = if judged.faults.is_empty() {
            Vec::new()
        } else {
            let sources = sources();
            judged.faults.iter().map(|fault| crate::report::json(&sources, fault)).collect()
        };
        value!({
            "verdict": judged.verdict(), "entries": judged.entries, "scores": scores,
            "winners": judged.outcome.as_ref().map(|outcome| winners(&impact.seats, outcome)),
            "line": fault.map(|fault| game.line_of(fault.span)), "entry": fault.map(|fault| fault.entry.clone()),
            "message": fault.map(|fault| fault.message.clone()),
            "requirements": fault.map_or_else(Vec::new, |fault| fault.broken.iter().map(|broken| broken.name.clone()).collect()),
            "faults": faults,
        })
    };
    value!({
        "ludex": 1, "kind": "impact", "file": game.file, "line": game.line, "game": game.judged.game,
        "effect": impact.effect.word(),
        "old": side(game.judged, &|| game.sources()), "new": side(&impact.new, &|| impact.sources(game)),
    })
}

#[derive(Default)]
struct Group {
    games: usize,
    places: Vec<String>,
}

/// What came of all games.
#[derive(Default)]
pub(super) struct Summary {
    pub(super) games: usize,
    effects: BTreeMap<Effect, usize>,
    groups: BTreeMap<(Effect, String), Group>,
}

impl Summary {
    /// Counts a game; says whether it is to be drawn, if it cannot be judged.
    pub(super) fn take(&mut self, told: &Told) -> bool {
        self.games += 1;
        let count = self.effects.entry(told.effect).or_default();
        *count += 1;
        let drawn = told.effect == Effect::NoVerdict && *count <= MOST_DRAWN;
        if told.effect != Effect::Unaffected {
            let group = self.groups.entry((told.effect, told.group.clone())).or_default();
            group.games += 1;
            if group.places.len() < MOST_PLACES {
                let ends = if told.effect == Effect::Outcome { format!(": {}", told.ends) } else { String::new() };
                group.places.push(format!("{}{ends}", told.place));
            }
        }
        drawn
    }

    pub(super) fn progress(&self) -> String {
        let affected: usize =
            self.effects.iter().filter(|(effect, _)| effect.is_affected()).map(|(_, count)| count).sum();
        format!("{} games judged, {affected} affected", self.games)
    }

    pub(super) fn exit(&self) -> Exit {
        let exit = |effect: &Effect| match effect {
            Effect::NoVerdict => Exit::NoVerdict,
            effect if effect.is_affected() => Exit::Negative,
            _ => Exit::Fine,
        };
        self.effects.keys().map(exit).max().unwrap_or(Exit::Fine)
    }
}

fn heading(effect: Effect) -> &'static str {
    match effect {
        Effect::Illegal => "illegal by the new rules",
        Effect::Outcome => "other outcome",
        Effect::NewlyLegal => "newly legal",
        Effect::Unaffected => "unaffected",
        Effect::IllegalByBoth => "illegal by both",
        Effect::NoVerdict => "no verdict",
    }
}

/// What is said once, at the end: by rule, the most frequent first, and in numbers.
pub(super) fn whole(summary: &Summary, output: &mut Output<'_>) -> io::Result<()> {
    let of = |effect: Effect| {
        let mut groups: Vec<(&str, &Group)> = summary
            .groups
            .iter()
            .filter(|((known, _), _)| *known == effect)
            .map(|((_, rule), group)| (rule.as_str(), group))
            .collect();
        groups.sort_by_key(|(_, group)| std::cmp::Reverse(group.games));
        groups
    };
    if output.format == Format::Json {
        let mut groups = Vec::new();
        for effect in Effect::ALL {
            groups.extend(of(effect).into_iter().map(|(rule, group)| {
                value!({ "effect": effect.word(), "rule": rule, "games": group.games, "places": group.places })
            }));
        }
        let effects: serde_json::Map<String, Value> = Effect::ALL
            .iter()
            .map(|effect| (effect.word().to_owned(), value!(summary.effects.get(effect).copied().unwrap_or(0))))
            .collect();
        let object = value!({
            "ludex": 1, "kind": "impact-summary", "games": summary.games, "effects": effects, "groups": groups,
        });
        return output.line(object.to_string());
    }
    if output.format == Format::Human {
        for effect in Effect::ALL {
            let groups = of(effect);
            if !groups.is_empty() {
                output.line(heading(effect))?;
            }
            for (rule, group) in groups {
                output.line(format!("  {rule}: {}", plural(group.games, "game")))?;
                for place in &group.places {
                    output.line(format!("    {place}"))?;
                }
                if group.games > group.places.len() {
                    output.line(format!("    and {} more", group.games - group.places.len()))?;
                }
            }
        }
    }
    let effects: Vec<String> = Effect::ALL
        .iter()
        .filter_map(|effect| Some(format!("{} {}", summary.effects.get(effect)?, heading(*effect))))
        .collect();
    if summary.games > 0 {
        output.line(format!("{}: {}", plural(summary.games, "game"), effects.join(", ")))?;
    }
    Ok(())
}
