//! Chance by a seed, so exactly described that another program can play the same games.
//!
//! The generator is xoshiro256++ (Blackman, Vigna 2019), its four words filled by splitmix64 from the seed.
//! A number below `n` is taken by multiplication with rejection (Lemire 2019), so that every number has
//! exactly the same chance. `docs/logs.md` describes how games use it.

use super::Dice;

/// A generator of numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Random {
    pub(super) words: [u64; 4],
}

impl Random {
    /// The generator of a seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        let words = [1, 2, 3, 4].map(|number| splitmix(seed, number));
        Self { words }
    }

    /// The next 64 bits.
    pub fn next_word(&mut self) -> u64 {
        let [a, b, c, d] = &mut self.words;
        let result = a.wrapping_add(*d).rotate_left(23).wrapping_add(*a);
        let shifted = *b << 17;
        *c ^= *a;
        *d ^= *b;
        *b ^= *c;
        *a ^= *d;
        *c ^= shifted;
        *d = d.rotate_left(45);
        result
    }

    /// A number from 0 to `count - 1`, all alike; 0 if there is nothing to choose from.
    pub fn below(&mut self, count: u64) -> u64 {
        if count == 0 {
            return 0;
        }
        loop {
            let product = u128::from(self.next_word()) * u128::from(count);
            let low = u64::try_from(product & u128::from(u64::MAX)).unwrap_or(0);
            // What is rejected is below the remainder, which is below `count`: most of the time no division.
            if low >= count || low >= count.wrapping_neg() % count {
                return u64::try_from(product >> 64).unwrap_or(0);
            }
        }
    }

    /// The place of one of these, each with the chance of its weight; `None` if no weight is above 0.
    pub fn weighted(&mut self, weights: impl Iterator<Item = u64> + Clone) -> Option<usize> {
        let total = weights.clone().fold(0_u64, u64::saturating_add);
        if total == 0 {
            return None;
        }
        let mut left = self.below(total);
        for (at, weight) in weights.enumerate() {
            match left.checked_sub(weight) {
                None => return Some(at),
                Some(rest) => left = rest,
            }
        }
        None
    }
}

impl Dice for Random {
    fn below(&mut self, count: u64) -> u64 {
        Self::below(self, count)
    }
}

/// The output of splitmix64 with this number, counted from 1, when it is started with this seed.
fn splitmix(seed: u64, number: u64) -> u64 {
    let mut word = seed.wrapping_add(number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ (word >> 31)
}

/// The seed of one of many games, which are numbered from 1. Games of one seed have different seeds.
#[must_use]
pub fn seed_of_game(seed: u64, game: u64) -> u64 {
    splitmix(seed, game)
}
