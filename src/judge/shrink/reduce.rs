//! Leaving out: whole turns, then runs of entries, then single ones, until nothing more can go.

use super::cut::Item;
use super::trying::Trying;
use crate::bind::Entry;

/// Runs of up to so many pieces are tried wherever they begin.
const SHORT: usize = 8;

/// The entries that are left, and whether it is known that none of them can go.
pub(super) fn reduce<T: Trying>(trial: &mut T, items: Vec<Item>) -> (Vec<Item>, bool) {
    // Often nothing of what went before matters.
    if items.is_empty() || trial.is_same(&[]) {
        return (Vec::new(), true);
    }
    let mut pieces = turns(items);
    shorten(trial, &mut pieces);
    let mut pieces: Vec<Vec<Item>> = pieces.into_iter().flatten().map(|item| vec![item]).collect();
    let whole = shorten(trial, &mut pieces);
    (pieces.into_iter().flatten().collect(), whole)
}

/// Entries of one seat, with what chance gives between and after them.
fn turns(items: Vec<Item>) -> Vec<Vec<Item>> {
    let (mut turns, mut of) = (Vec::<Vec<Item>>::new(), None);
    for item in items {
        let seat = match &item.entry {
            Some(Entry::Act { seat, .. } | Entry::Pass { seat }) => Some(*seat),
            _ => of,
        };
        match turns.last_mut() {
            Some(turn) if of.is_none() || seat == of => turn.push(item),
            _ => turns.push(vec![item]),
        }
        of = seat;
    }
    turns
}

/// Leaves out runs of pieces, first long ones, until no short one can go; false if that is too much work.
fn shorten<T: Trying>(trial: &mut T, pieces: &mut Vec<Vec<Item>>) -> bool {
    let mut size = pieces.len().div_ceil(2);
    while size > SHORT {
        if !sweep(trial, pieces, size, size) {
            return false;
        }
        size /= 2;
    }
    // Where seats alternate, only runs of a certain length leave the right one to move, wherever they begin. And
    // a piece may become superfluous because a later one is gone.
    loop {
        let before = pieces.len();
        for size in (1..=SHORT).rev() {
            if !sweep(trial, pieces, size, 1) {
                return false;
            }
        }
        if pieces.len() == before {
            return true;
        }
    }
}

/// Leaves out every run of this length that can be, from the first to the last; the next one begins a `step`
/// further on.
fn sweep<T: Trying>(trial: &mut T, pieces: &mut Vec<Vec<Item>>, size: usize, step: usize) -> bool {
    let mut at = 0;
    // The game stands where the piece `at` begins.
    if trial.begin().is_err() {
        return false;
    }
    while at < pieces.len() {
        if trial.is_tired() {
            return false;
        }
        let (end, next) = ((at + size).min(pieces.len()), (at + step).min(pieces.len()));
        let (here, _) = trial.place();
        let (before, rest) = (&pieces[..at], &pieces[end..]);
        let gone = (trial.is_open() || trial.plays(rest.iter().flatten())) && {
            let items: Vec<&Item> = before.iter().chain(rest).flatten().collect();
            trial.is_same(&items)
        };
        trial.go(&here);
        if gone {
            pieces.drain(at..end);
            continue;
        }
        if !trial.is_open() {
            trial.plays(pieces[at..next].iter().flatten());
        }
        at = next;
    }
    true
}
