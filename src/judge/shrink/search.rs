//! Searching games from the beginning, level by level, for the first position in which the same entry fails in
//! the same way.
//!
//! What may follow depends on the position only, and equal positions are equal bytes; so each is looked at once,
//! at the level where it is met first, and the first that is found is the nearest.

use crate::internal::Must;
use std::collections::HashSet;
use std::rc::Rc;

use super::cut::Item;
use super::trying::Trying;
use crate::evaluate::Trouble;
use crate::machine::Step;

/// So many bytes of positions are kept.
const MOST_BYTES: usize = 1 << 28;

/// What came of a search.
pub(super) enum Search {
    /// The entries of the shortest log.
    Shorter(Vec<Item>),
    /// There is none that is shorter.
    None,
    /// There were too many positions.
    Tired,
}

struct Node<P> {
    place: Rc<P>,
    /// The node before it, and the step from there; the beginning has none.
    from: Option<(usize, Step)>,
}

/// Looks for a log with fewer entries before what is to be kept.
pub(super) fn shorter<T: Trying>(
    trial: &mut T,
    than: usize,
    most: usize,
    count: &mut usize,
) -> Result<Search, Trouble> {
    trial.begin()?;
    let (beginning, size) = trial.place();
    let beginning = Rc::new(beginning);
    let most = most.min(MOST_BYTES / size.max(1));
    let mut known: HashSet<Rc<T::Place>> = HashSet::from([Rc::clone(&beginning)]);
    let mut nodes = vec![Node { place: beginning, from: None }];
    let mut level = 0..1;
    for depth in 0..than {
        for at in level.clone() {
            let place = Rc::clone(&nodes.get(at).must("a level is made of nodes").place);
            *count += 1;
            trial.go(&place);
            if trial.may_be_same()? {
                let items = way(trial, &nodes, at)?;
                if trial.is_same(&items.iter().collect::<Vec<_>>()) {
                    return Ok(Search::Shorter(items));
                }
            }
            // Without work left, nothing is ruled out.
            if trial.is_tired() {
                return Ok(Search::Tired);
            }
            if depth + 1 == than {
                continue;
            }
            trial.go(&place);
            for step in trial.steps()? {
                trial.go(&place);
                let taken = trial.take(step);
                if trial.is_tired() {
                    return Ok(Search::Tired);
                }
                if taken.is_break() {
                    continue;
                }
                let next = Rc::new(trial.place().0);
                if known.insert(Rc::clone(&next)) {
                    nodes.push(Node { place: next, from: Some((at, step)) });
                }
                if nodes.len() > most {
                    return Ok(Search::Tired);
                }
            }
        }
        level = level.end..nodes.len();
    }
    Ok(Search::None)
}

/// The entries that lead to a node.
fn way<T: Trying>(trial: &mut T, nodes: &[Node<T::Place>], to: usize) -> Result<Vec<Item>, Trouble> {
    let mut steps = Vec::new();
    let mut at = to;
    while let Some((before, step)) = nodes.get(at).and_then(|node| node.from) {
        steps.push(step);
        at = before;
    }
    trial.begin()?;
    steps.into_iter().rev().map(|step| trial.write(step).map(Item::fixed)).collect()
}
