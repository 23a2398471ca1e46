//! Phrases: what rules say, with the values of a position.

use super::Try;
use super::frame::Frame;
use super::game::Game;
use crate::bind::{Phrase, PhrasePart};

impl Game<'_> {
    /// A text with its values.
    pub fn words(&self, phrase: &Phrase, frame: &mut Frame<'_>) -> Try<String> {
        let mut text = String::new();
        for part in &phrase.parts {
            match part {
                PhrasePart::Words(words) => text += words,
                PhrasePart::Value(value) => text += &self.eval(*value, frame)?.show(&self.bound().types),
            }
        }
        Ok(text)
    }
}
