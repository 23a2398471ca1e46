//! Searching games from the beginning, level by level, for the first position in which the same entry fails in
//! the same way.
//!
//! What may follow depends on the position only, and equal positions are equal bytes; so each is looked at once,
//! at the level where it is met first, and the first that is found is the nearest.

use std::collections::HashSet;
use std::rc::Rc;

use super::cut::{Item, Tail};
use super::trial::Trial;
use crate::evaluate::Trouble;
use crate::machine::Step;
use crate::machine::{Position, Waits};
use crate::simulate;

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

/// A position with what its last action had cost, if that matters.
type Place = (Position, i64);

struct Node {
    place: Rc<Place>,
    /// The node before it, and the step from there; the beginning has none.
    from: Option<(usize, Step)>,
}

/// Looks for a log with fewer entries before what fails.
pub(super) fn shorter(trial: &mut Trial<'_>, than: usize, most: usize, count: &mut usize) -> Result<Search, Trouble> {
    let with_costs = matches!(trial.tail, Tail::Claim(_));
    trial.machine.begin()?;
    let beginning = Rc::new((trial.machine.position(), 0));
    let size = beginning.0.bytes().len().max(1);
    let most = most.min(MOST_BYTES / size);
    let mut known: HashSet<Rc<Place>> = HashSet::from([Rc::clone(&beginning)]);
    let mut nodes = vec![Node { place: beginning, from: None }];
    let mut level = 0..1;
    for depth in 0..than {
        for at in level.clone() {
            let Some(place) = nodes.get(at).map(|node| Rc::clone(&node.place)) else { continue };
            *count += 1;
            trial.machine.load(&place.0);
            if trial.may_fail(&place.0)? {
                let items = way(trial, &nodes, at)?;
                if trial.is_same(&items.iter().collect::<Vec<_>>()) {
                    return Ok(Search::Shorter(items));
                }
                if trial.is_tired() {
                    return Ok(Search::Tired);
                }
            }
            if depth + 1 == than {
                continue;
            }
            for step in all(trial, &place.0)? {
                trial.machine.load(&place.0);
                // Where the rules cannot go on, nothing follows.
                if trial.machine.take(step).is_err() {
                    continue;
                }
                let paid = match step {
                    _ if !with_costs => 0,
                    Step::Entry(_) => trial.machine.paid(),
                    Step::Drawn(_) => place.1,
                };
                let next = Rc::new((trial.machine.position(), paid));
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

/// Everything that is legal in a position.
fn all(trial: &mut Trial<'_>, position: &Position) -> Result<Vec<Step>, Trouble> {
    trial.machine.load(position);
    Ok(match trial.machine.waits() {
        Waits::Player { .. } => trial.machine.moves()?.iter().copied().map(Step::Entry).collect(),
        Waits::Chance(_) => {
            let outcomes = trial.machine.outcomes()?.iter().filter(|(_, weight)| *weight > 0);
            outcomes.map(|(value, _)| Step::Drawn(*value)).collect()
        }
        Waits::Nothing => Vec::new(),
    })
}

/// The entries that lead to a node.
fn way(trial: &mut Trial<'_>, nodes: &[Node], to: usize) -> Result<Vec<Item>, Trouble> {
    let mut steps = Vec::new();
    let mut at = to;
    while let Some((before, step)) = nodes.get(at).and_then(|node| node.from) {
        steps.push(step);
        at = before;
    }
    trial.machine.begin()?;
    let bound = trial.bound();
    let mut items = Vec::new();
    for step in steps.into_iter().rev() {
        let text = simulate::line(&mut trial.machine, bound, step)?;
        items.push(Item::fixed(text));
    }
    Ok(items)
}
