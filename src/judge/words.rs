//! Words → numbers, as fast as a log can be read: one table for each type, made once for a ruleset.
use crate::internal::exact;

/// A table of words. Looking one up hashes its bytes once and mostly compares once.
#[derive(Debug, Clone, Default)]
pub(super) struct Words {
    /// By hash, with open places: the word's place in `known`, from 1 on.
    places: Vec<u32>,
    known: Vec<(Box<[u8]>, u64)>,
}

impl Words {
    pub(super) fn new(words: impl IntoIterator<Item = (String, u64)>) -> Self {
        let known: Vec<(Box<[u8]>, u64)> =
            words.into_iter().map(|(word, number)| (word.into_bytes().into_boxed_slice(), number)).collect();
        let mut places = vec![0; (known.len() * 2).next_power_of_two().max(2)];
        for (number, (word, _)) in (1..).zip(&known) {
            let mut at = start(word, places.len());
            while let Some(place) = places.get(at).filter(|place| **place != 0) {
                // Of two that are spelt alike the first counts.
                if known.get(*place as usize - 1).is_some_and(|(other, _)| other == word) {
                    break;
                }
                at = (at + 1) & (places.len() - 1);
            }
            if let Some(place) = places.get_mut(at).filter(|place| **place == 0) {
                *place = number;
            }
        }
        Self { places, known }
    }

    pub(super) fn get(&self, word: &[u8]) -> Option<u64> {
        let mut at = start(word, self.places.len());
        loop {
            let place = *self.places.get(at)?;
            let (known, number) = self.known.get((place as usize).checked_sub(1)?)?;
            if **known == *word {
                return Some(*number);
            }
            at = (at + 1) & (self.places.len() - 1);
        }
    }
}

/// Where the search for a word begins.
fn start(word: &[u8], places: usize) -> usize {
    let mut hash: u64 = 0;
    for piece in word.chunks(8) {
        let mut bytes = [0; 8];
        bytes[..piece.len()].copy_from_slice(piece);
        hash = (hash.rotate_left(5) ^ u64::from_le_bytes(bytes)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
    exact::<_, usize>(hash >> 32) & (places - 1)
}

/// A whole number as it is written canonically: no sign but `-`, no leading zeros.
pub(super) fn number(word: &[u8]) -> Option<i64> {
    let (negative, digits) = match word {
        [b'-', rest @ ..] => (true, rest),
        rest => (false, rest),
    };
    let plain = matches!(digits, [b'0'] | [b'1'..=b'9', ..]) && digits.len() <= 18 && !(negative && digits == b"0");
    if !plain {
        return None;
    }
    let mut value: i64 = 0;
    for digit in digits {
        if !digit.is_ascii_digit() {
            return None;
        }
        value = value * 10 + i64::from(digit - b'0');
    }
    Some(if negative { -value } else { value })
}
