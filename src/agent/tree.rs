//! The tree of a search: what was tried, how often, and what came of it.
//!
//! A node stands for the entries that lead to it, and for nothing else: what chance gave in between makes no
//! difference, and neither does what is hidden. So the same node is met in different positions, where not all of its
//! children are possible; how often each was counts, for one that is seldom possible would else look neglected.

use crate::internal::{Must, exact};
use crate::machine::{Move, Random};

/// Nodes that a tree may have.
const MOST_NODES: usize = 1 << 18;

/// No node.
const NONE: u32 = u32::MAX;

/// How much an entry that was seldom tried is worth trying.
const CURIOSITY: f64 = 0.7;

#[derive(Debug, Default)]
pub(super) struct Tree {
    nodes: Vec<Node>,
    /// Which of the entries at hand have a node.
    tried: Vec<bool>,
    /// The least and the most that ever came; 0 and 1 if nothing was said.
    range: Option<(f64, f64)>,
}

#[derive(Debug, Clone)]
struct Node {
    entry: Move,
    /// Who entered it, and in which choice.
    asked: (u16, u32),
    first: u32,
    next: u32,
    visits: u32,
    /// How often it was possible.
    possible: u32,
    sum: f64,
}

/// A way on from a node.
pub(super) enum Way {
    /// To a node that there was already.
    Known(u32, Move),
    /// To a new one.
    New(u32, Move),
    /// There is no room.
    None,
}

impl Tree {
    pub(super) const ROOT: u32 = 0;

    /// Begins anew.
    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        self.range = None;
        self.nodes.push(Node::new(Move::PASS, (u16::MAX, 0)));
    }

    /// Chooses between entries, which are sorted: one that was never tried if there is any, else the one that
    /// promises most.
    pub(super) fn select(&mut self, from: u32, asked: (u16, u32), sorted: &[Move], random: &mut Random) -> Way {
        self.tried.clear();
        self.tried.resize(sorted.len(), false);
        let (low, high) = self.range.unwrap_or((0.0, 1.0));
        let mut best: Option<(f64, u32)> = None;
        let mut at = self.node(from).map_or(NONE, |node| node.first);
        while let Some(node) = self.nodes.get_mut(at as usize) {
            let place = if node.asked == asked { sorted.binary_search(&node.entry).ok() } else { None };
            if let Some(tried) = place.and_then(|place| self.tried.get_mut(place)) {
                *tried = true;
                node.possible += 1;
                let promise = node.promise(low, high);
                if best.is_none_or(|(most, _)| promise > most) {
                    best = Some((promise, at));
                }
            }
            at = node.next;
        }
        let open = self.tried.iter().filter(|tried| !**tried).count();
        if open > 0 && self.nodes.len() < MOST_NODES {
            let nth = exact::<_, usize>(random.below(open as u64));
            let untried = sorted.iter().zip(&self.tried).filter(|(_, tried)| !**tried).map(|(entry, _)| *entry);
            if let Some(entry) = untried.into_iter().nth(nth) {
                return Way::New(self.add(from, entry, asked), entry);
            }
        }
        let entry = best.and_then(|(_, at)| Some((at, self.node(at)?.entry)));
        entry.map_or(Way::None, |(at, entry)| Way::Known(at, entry))
    }

    fn add(&mut self, from: u32, entry: Move, asked: (u16, u32)) -> u32 {
        let at = exact(self.nodes.len());
        let mut node = Node::new(entry, asked);
        let from = self.nodes.get_mut(from as usize).must("a branch grows from a node");
        node.next = std::mem::replace(&mut from.first, at);
        self.nodes.push(node);
        at
    }

    /// Notes what came of going through a node.
    pub(super) fn learn(&mut self, at: u32, worth: impl FnOnce(u32) -> f64) {
        let node = self.nodes.get_mut(at as usize).must("what came is learnt by a node");
        node.visits += 1;
        node.sum += worth(node.asked.1);
    }

    /// Notes that this much can come, where it need not be between 0 and 1.
    pub(super) fn widen(&mut self, worth: f64) {
        let (low, high) = self.range.unwrap_or((worth, worth));
        self.range = Some((low.min(worth), high.max(worth)));
    }

    /// The entry that was tried most, of those that are legal; of several the one of which most came.
    pub(super) fn best(&self, legal: &[Move]) -> Option<Move> {
        let mut best: Option<&Node> = None;
        let mut at = self.node(Self::ROOT).map_or(NONE, |node| node.first);
        while let Some(node) = self.node(at) {
            let better = best
                .is_none_or(|best| node.visits > best.visits || (node.visits == best.visits && node.sum > best.sum));
            if better && legal.contains(&node.entry) {
                best = Some(node);
            }
            at = node.next;
        }
        best.map(|node| node.entry)
    }

    /// Have all legal entries that were tried come to the same, on average?
    pub(super) fn is_alike(&self, legal: &[Move]) -> bool {
        let mut first: Option<&Node> = None;
        let mut at = self.node(Self::ROOT).map_or(NONE, |node| node.first);
        while let Some(node) = self.node(at) {
            at = node.next;
            if node.visits == 0 || !legal.contains(&node.entry) {
                continue;
            }
            let known = first.get_or_insert(node);
            let (one, other) = (known.sum * f64::from(node.visits), node.sum * f64::from(known.visits));
            // Sums of parts of a win are rounded.
            if (one - other).abs() > 1e-6 * one.abs().max(other.abs()) {
                return false;
            }
        }
        true
    }

    fn node(&self, at: u32) -> Option<&Node> {
        self.nodes.get(at as usize)
    }
}

impl Node {
    fn new(entry: Move, asked: (u16, u32)) -> Self {
        Self { entry, asked, first: NONE, next: NONE, visits: 0, possible: 1, sum: 0.0 }
    }

    /// Upper confidence bound: what came of it so far, and more the less is known.
    fn promise(&self, low: f64, high: f64) -> f64 {
        let visits = f64::from(self.visits.max(1));
        let wide = if high > low { high - low } else { 1.0 };
        (self.sum / visits - low) / wide + CURIOSITY * (logarithm(self.possible) / visits).sqrt()
    }
}

/// The natural logarithm, made of nothing but what every processor works out alike.
fn logarithm(number: u32) -> f64 {
    let doublings = number.max(1).ilog2();
    let rest = f64::from(number.max(1)) / f64::from(1_u32 << doublings);
    // ln x = 2 artanh((x - 1) / (x + 1)), where x is from 1 to 2.
    let part = (rest - 1.0) / (rest + 1.0);
    let square = part * part;
    let series = [11.0, 9.0, 7.0, 5.0, 3.0, 1.0].iter().fold(0.0, |sum, odd| sum * square + 1.0 / odd);
    f64::from(doublings) * std::f64::consts::LN_2 + 2.0 * part * series
}

#[cfg(test)]
mod tests {
    #[test]
    fn logarithms_are_right() {
        for number in [1, 2, 3, 7, 100, 999_999, u32::MAX] {
            assert!((super::logarithm(number) - f64::from(number).ln()).abs() < 1e-5, "{number}");
        }
    }
}
