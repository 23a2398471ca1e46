//! Refusals in words: the rule that does not hold, as the ruleset phrases it.

use super::Session;
use crate::bind::Requirement;
use crate::evaluate::{Decision, Frame, Pause, Refusal};

impl Session<'_> {
    /// Why a decision is refused, one line for each reason: `{a1} is empty (place.empty)`.
    #[must_use]
    pub fn why(&self, refusal: &Refusal, decision: Option<&Decision>) -> Vec<String> {
        refusal.names.iter().map(|name| self.reason(name, decision)).collect()
    }

    fn reason(&self, name: &str, decision: Option<&Decision>) -> String {
        let Some((action, requirement)) = name.split_once('.') else { return self.verdict(name) };
        let found = self.bound().actions.iter().find(|known| known.name == action);
        let requirement = found.and_then(|found| found.requirements.iter().find(|known| known.name == requirement));
        match requirement.and_then(|requirement| self.rule(requirement, decision)) {
            Some(rule) => format!("{name}: this does not hold: {rule}"),
            None => format!("{name}: this requirement does not hold"),
        }
    }

    fn rule(&self, requirement: &Requirement, decision: Option<&Decision>) -> Option<String> {
        let Some(Decision::Act { seat, action, args }) = decision else { return None };
        let mut frame = Frame::new(&self.stand().state).acting(*seat);
        for ((local, _), value) in self.bound().action(*action).params.iter().zip(args) {
            frame.set(*local, value.clone());
        }
        self.game.words(requirement.phrase.as_ref()?, &mut frame).ok()
    }

    fn verdict(&self, name: &str) -> String {
        let asked = match &self.stand().pause {
            Pause::Choose(choice) => format!("{} is to move", self.seat_name(choice.seat)),
            Pause::Chance { name, .. } => format!("chance decides `{name}` now"),
            Pause::Over => "the game is over".to_owned(),
        };
        let why = match name {
            "wrong-player" => return format!("{name}: {asked}"),
            "wrong-phase" => format!("this is not offered now; {asked}"),
            "after-end" => asked,
            "bad-argument" => "there is no such thing to choose here".to_owned(),
            "unaffordable" => "this costs more than there is".to_owned(),
            "impossible-chance" => "chance cannot give this now".to_owned(),
            "legal-if" => "what is unknown cannot be played".to_owned(),
            _ => "this cannot be entered".to_owned(),
        };
        format!("{name}: {why}")
    }
}
