//! The instructions of a piece in runs without branches, for what is found out by going through them again and again.

use super::super::Program;
use super::super::instruction::Target;
use super::pieces::{Entry, Pieces, each_next};

/// The instructions of a piece in runs without branches.
pub(super) struct Blocks {
    /// By instruction of the piece: its block.
    pub(super) of: Vec<usize>,
    /// The first instruction of each, and the one behind its last.
    pub(super) first: Vec<usize>,
    pub(super) last: Vec<usize>,
    /// Where each leads.
    pub(super) next: Vec<Vec<usize>>,
}

impl Blocks {
    pub(super) fn of(program: &Program, body: &[Target], nth: &[usize], entry: Entry) -> Self {
        let place = |at: Target| nth.get(at as usize).copied().filter(|place| *place != usize::MAX);
        let mut leads = vec![false; body.len()];
        let mut branch = vec![false; body.len()];
        for start in Pieces::starts(program, entry) {
            place(start).into_iter().for_each(|start| leads[start] = true);
        }
        for (number, &at) in body.iter().enumerate() {
            let mut plain = false;
            each_next(program, at, |next| {
                if next == at + 1 && place(next) == Some(number + 1) {
                    plain = true;
                } else if let Some(next) = place(next) {
                    leads[next] = true;
                    branch[number] = true;
                }
            });
            branch[number] |= !plain;
        }
        let mut blocks = Self { of: Vec::new(), first: Vec::new(), last: Vec::new(), next: Vec::new() };
        for number in 0..body.len() {
            if number == 0 || leads[number] || branch[number - 1] {
                blocks.first.push(number);
                blocks.last.push(number);
            }
            blocks.of.push(blocks.first.len() - 1);
            if let Some(last) = blocks.last.last_mut() {
                *last = number + 1;
            }
        }
        for block in 0..blocks.first.len() {
            let mut next = Vec::new();
            each_next(program, body[blocks.last[block] - 1], |at| {
                if let Some(number) = place(at) {
                    next.push(blocks.of[number]);
                }
            });
            blocks.next.push(next);
        }
        blocks
    }
}
