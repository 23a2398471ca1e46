//! Changes of a text: small ones, by chance, that mostly keep what the text is.

use super::tokens::{Class, Token, cut, groups, join};
use crate::machine::Random;

/// Numbers at which something may be different.
const NUMBERS: &[&str] = &[
    "0",
    "1",
    "2",
    "3",
    "7",
    "8",
    "9",
    "15",
    "16",
    "17",
    "63",
    "64",
    "65",
    "127",
    "128",
    "255",
    "256",
    "257",
    "4095",
    "4096",
    "4097",
    "65535",
    "65536",
    "1099511627776",
    "1099511627777",
    "4611686018427387904",
    "9223372036854775807",
    "9223372036854775808",
    "99999999999999999999",
];

/// Signs of the languages.
const SIGNS: &[&str] = &[
    "+", "-", "*", "/", "<", "<=", ">", ">=", "=", "+=", "-=", "<->", "..", ":", ",", ".", ";", "?", "|", "(", ")",
    "[", "]", "{", "}", "#", "\"", "=",
];

/// Characters that texts rarely have.
const ODD: &[&str] =
    &["\u{0}", "\t", "\r", "\u{feff}", "\u{202e}", "ä", "\u{1f600}", "\u{2028}", "\\", "'", "`", "\u{1b}["];

/// Somebody who changes texts.
pub(super) struct Mutator<'m> {
    pub(super) random: &'m mut Random,
    /// Words of the languages.
    pub(super) words: &'m [String],
}

impl Mutator<'_> {
    fn below(&mut self, count: usize) -> usize {
        usize::try_from(Random::below(self.random, count as u64)).unwrap_or(0)
    }

    fn pick<'t, T>(&mut self, all: &'t [T]) -> Option<&'t T> {
        if all.is_empty() { None } else { all.get(self.below(all.len())) }
    }

    /// A changed text. Parts may come from another text of the same kind.
    pub(super) fn change(&mut self, text: &str, donor: &str) -> String {
        let mut tokens = cut(text);
        // Most inputs are changed a little, so that they are still sound.
        let times = [1, 1, 1, 1, 2, 2, 3, 5][self.below(8)];
        for _ in 0..times {
            self.once(&mut tokens, donor);
        }
        join(&tokens)
    }

    fn once(&mut self, tokens: &mut Vec<Token>, donor: &str) {
        match self.below(32) {
            0..=6 => self.other_word(tokens),
            7..=10 => self.other_number(tokens),
            11..=13 => self.other_sign(tokens),
            14..=16 => self.exchange(tokens),
            17..=20 => self.other_group(tokens, donor),
            21 | 22 => self.language_word(tokens),
            23 => self.leave_out(tokens, 1),
            24 => self.leave_out(tokens, 6),
            25 => self.twice(tokens),
            26..=28 => self.lines(tokens, donor),
            29 => self.odd(tokens),
            30 => {
                let at = self.below(tokens.len() + 1);
                tokens.insert(at, Token { class: Class::Sign, text: SIGNS[self.below(SIGNS.len())].to_owned() });
            }
            _ if self.below(4) == 0 => {
                let at = self.below(tokens.len() + 1);
                tokens.truncate(at);
            }
            _ => self.other_string(tokens),
        }
    }

    fn places(tokens: &[Token], class: Class) -> Vec<usize> {
        tokens.iter().enumerate().filter(|(_, token)| token.class == class).map(|(at, _)| at).collect()
    }

    /// A word of the same text in place of another one.
    fn other_word(&mut self, tokens: &mut [Token]) {
        let words = Self::places(tokens, Class::Word);
        if let (Some(&to), Some(&from)) = (self.pick(&words), self.pick(&words)) {
            tokens[to].text = tokens[from].text.clone();
        }
    }

    fn language_word(&mut self, tokens: &mut [Token]) {
        let words = Self::places(tokens, Class::Word);
        let all = self.words;
        if let (Some(&to), Some(word)) = (self.pick(&words), self.pick(all)) {
            tokens[to].text.clone_from(word);
        }
    }

    fn other_number(&mut self, tokens: &mut [Token]) {
        let numbers = Self::places(tokens, Class::Number);
        let Some(&at) = self.pick(&numbers) else { return };
        let old = tokens[at].text.parse::<u64>().unwrap_or(0);
        tokens[at].text = match self.below(6) {
            0 => (old.saturating_add(1)).to_string(),
            1 => (old.saturating_sub(1)).to_string(),
            2 => format!("-{old}"),
            3 => self.pick(&numbers).map_or(String::new(), |&other| tokens[other].text.clone()),
            // Small numbers are more often sound.
            4 => NUMBERS[self.below(14)].to_owned(),
            _ => NUMBERS[self.below(NUMBERS.len())].to_owned(),
        };
    }

    fn other_sign(&mut self, tokens: &mut [Token]) {
        let signs = Self::places(tokens, Class::Sign);
        if let Some(&at) = self.pick(&signs) {
            tokens[at].text = SIGNS[self.below(SIGNS.len())].to_owned();
        }
    }

    fn other_string(&mut self, tokens: &mut [Token]) {
        let strings = Self::places(tokens, Class::String);
        if let (Some(&to), Some(&from)) = (self.pick(&strings), self.pick(&strings)) {
            tokens[to].text = tokens[from].text.clone();
        }
    }

    /// Two pieces of one class change places.
    fn exchange(&mut self, tokens: &mut [Token]) {
        let class = [Class::Word, Class::Word, Class::Number, Class::Sign, Class::String][self.below(5)];
        let places = Self::places(tokens, class);
        if let (Some(&one), Some(&other)) = (self.pick(&places), self.pick(&places)) {
            tokens.swap(one, other);
        }
    }

    /// A bracket with everything in it in place of another one.
    fn other_group(&mut self, tokens: &mut Vec<Token>, donor: &str) {
        let here = groups(tokens);
        let Some(&(first, last)) = self.pick(&here) else { return };
        let other = if self.below(4) == 0 { cut(donor) } else { tokens.clone() };
        let all: Vec<(usize, usize)> =
            groups(&other).into_iter().filter(|(from, _)| other[*from].text == tokens[first].text).collect();
        let Some(&(from, to)) = self.pick(&all) else { return };
        if to - from < 400 {
            tokens.splice(first..=last, other[from..=to].iter().cloned());
        }
    }

    fn leave_out(&mut self, tokens: &mut Vec<Token>, most: usize) {
        let at = self.below(tokens.len().max(1));
        let end = (at + 1 + self.below(most)).min(tokens.len());
        tokens.drain(at.min(end)..end);
    }

    fn twice(&mut self, tokens: &mut Vec<Token>) {
        let at = self.below(tokens.len().max(1));
        let end = (at + 1 + self.below(8)).min(tokens.len());
        let again = tokens[at.min(end)..end].to_vec();
        tokens.splice(end..end, again);
    }

    /// Lines are left out, written twice, moved, or taken from another text.
    fn lines(&mut self, tokens: &mut Vec<Token>, donor: &str) {
        let text = join(tokens);
        let mut lines: Vec<&str> = text.split_inclusive('\n').collect();
        if lines.is_empty() {
            return;
        }
        let (one, other) = (self.below(lines.len()), self.below(lines.len()));
        match self.below(5) {
            0 => drop(lines.remove(one)),
            1 => lines.insert(other, lines[one]),
            2 => lines.swap(one, other),
            _ => {
                let all: Vec<&str> = donor.split_inclusive('\n').collect();
                let from = self.below(all.len().max(1));
                let to = (from + 1 + self.below(4)).min(all.len());
                lines.splice(one..one, all[from.min(to)..to].iter().copied());
            }
        }
        *tokens = cut(&lines.concat());
    }

    fn odd(&mut self, tokens: &mut Vec<Token>) {
        let (at, odd) = (self.below(tokens.len() + 1), ODD[self.below(ODD.len())]);
        match self.below(3) {
            0 => tokens.insert(at, Token { class: Class::Sign, text: odd.to_owned() }),
            _ => {
                // Inside of a piece.
                if let Some(token) = tokens.get_mut(at) {
                    let places: Vec<usize> = token.text.char_indices().map(|(at, _)| at).collect();
                    let at = self.pick(&places).copied().unwrap_or(0);
                    token.text.insert_str(at, odd);
                }
            }
        }
    }
}

#[test]
fn changes_are_the_same_for_the_same_seed() {
    let text = "game a \"A\"\nstate { x[1..3]: 0..9 = 0 }\nflow { end }\n";
    let words = vec!["choose".to_owned()];
    let changed = |seed| {
        let mut random = Random::new(seed);
        Mutator { random: &mut random, words: &words }.change(text, text)
    };
    let all: Vec<String> = (0..200).map(changed).collect();
    assert_eq!(all, (0..200).map(changed).collect::<Vec<_>>());
    assert!(all.iter().filter(|changed| *changed != text).count() > 150);
    // No text is too short.
    let mut random = Random::new(1);
    for text in ["", "a", "\n", "(", "()"] {
        for _ in 0..200 {
            Mutator { random: &mut random, words: &words }.change(text, "");
        }
    }
}
