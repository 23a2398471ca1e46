//! One game, judged by rules that are at hand: for those who hold the same game to several rulesets.

use super::game::Judge;
use super::head::Head;
use super::judged::{Judged, Strictness};
use super::rules::Rules;
use crate::bind;
use crate::log::Form;

/// Judges a game by these rules.
#[must_use]
pub fn judge_one(rules: &Rules, text: &str, form: Form, strictness: Strictness) -> Judged {
    let head = match Head::read(text, form, rules.file) {
        Ok(head) => head,
        Err(faults) => return Judged { faults, ..Judged::default() },
    };
    let items = bind::effective(&rules.loaded.layers, &mut Vec::new());
    Judge::new(rules, &items, strictness).game(text, form, &head.reader, head.body)
}
