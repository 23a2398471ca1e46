//! The choices that a generator makes, as a list of numbers.
//!
//! A ruleset depends on these numbers alone. To make a failing one smaller, [`shrink`] makes the list shorter and its
//! numbers lower: the generator takes 0 for the simplest choice, and reads 0 where the list has ended.

use crate::machine::Random;

/// Choices that are made by chance, or once more as before.
pub(super) struct Choices {
    given: Vec<u32>,
    random: Option<Random>,
    made: Vec<u32>,
}

impl Choices {
    /// By chance.
    pub(super) fn random(seed: u64) -> Self {
        Self { given: Vec::new(), random: Some(Random::new(seed)), made: Vec::new() }
    }

    /// As before; after that, the simplest ones.
    pub(super) fn again(given: Vec<u32>) -> Self {
        Self { given, random: None, made: Vec::new() }
    }

    /// All choices so far.
    pub(super) fn made(self) -> Vec<u32> {
        self.made
    }

    /// A number from 0 to `count - 1`.
    pub(super) fn below(&mut self, count: usize) -> usize {
        let most = u32::try_from(count).expect("few choices").saturating_sub(1);
        let value = match (self.given.get(self.made.len()), &mut self.random) {
            (Some(value), _) => (*value).min(most),
            (None, Some(random)) => u32::try_from(random.below(u64::from(most) + 1)).expect("a small number"),
            (None, None) => 0,
        };
        self.made.push(value);
        value as usize
    }

    /// A number from `low` to `high`.
    pub(super) fn between(&mut self, low: i64, high: i64) -> i64 {
        let count = usize::try_from(high - low + 1).expect("a small range");
        low + i64::try_from(self.below(count)).expect("a small number")
    }

    /// One of these, the first being the simplest.
    pub(super) fn pick<T: Clone>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())].clone()
    }

    /// True once in so many times.
    pub(super) fn once_in(&mut self, times: usize) -> bool {
        self.below(times) + 1 == times
    }
}

/// Makes a list of choices smaller as long as it still fails; asks so often at most.
pub(super) fn shrink(mut made: Vec<u32>, most: usize, mut fails: impl FnMut(&[u32]) -> bool) -> Vec<u32> {
    let mut asked = 0;
    let mut ask = |choices: &[u32]| {
        asked += 1;
        asked <= most && fails(choices)
    };
    loop {
        let before = made.clone();
        let mut length = made.len().div_ceil(2);
        while length > 0 {
            let mut start = 0;
            while start < made.len() {
                let end = (start + length).min(made.len());
                let without = [&made[..start], &made[end..]].concat();
                let mut lowest = made.clone();
                lowest[start..end].fill(0);
                if ask(&without) {
                    made = without;
                } else if lowest != made && ask(&lowest) {
                    made = lowest;
                    start = end;
                } else {
                    start = end;
                }
            }
            length /= 2;
        }
        for at in 0..made.len() {
            while made[at] > 0 {
                let mut lower = made.clone();
                lower[at] /= 2;
                if !ask(&lower) {
                    break;
                }
                made = lower;
            }
        }
        if made == before {
            return made;
        }
    }
}

#[test]
fn choices_are_made_again_and_smaller() {
    let mut first = Choices::random(7);
    let one: Vec<usize> = (0..50).map(|_| first.below(10)).collect();
    let made = first.made();
    let mut again = Choices::again(made.clone());
    assert_eq!((0..50).map(|_| again.below(10)).collect::<Vec<_>>(), one);
    assert_eq!(again.below(10), 0);
    // Two choices of at least 3 are enough to fail.
    let small = shrink(made, 10_000, |made| made.iter().filter(|choice| **choice >= 3).count() >= 2);
    assert_eq!(small.len(), 2, "{small:?}");
}
