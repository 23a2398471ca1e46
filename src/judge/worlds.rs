//! What the writer of a log did not know: every position that may be the real one.
//!
//! A log that one player kept has `?` for what that player did not see. Each `?` makes as many worlds as
//! there are possibilities; equal positions are equal bytes, so worlds that come to the same are one. Every
//! later entry drops the worlds in which it would not be legal. What is left says what must have been true.

use crate::internal::Must;
use std::collections::{BTreeSet, HashMap};

use super::steps::{cost, is_unknown, steps};
use crate::bind::{Bound, Entry};
use crate::evaluate::{Decision, Trouble};
use crate::limits;
use crate::machine::{Machine, Position, Step};
use crate::play::shown_act;
use crate::report::Span;

/// All that may be.
#[derive(Debug, Clone, Default)]
pub(super) struct Worlds {
    all: Vec<World>,
    /// How worlds came about: each way goes on from others before it.
    ways: Vec<Way>,
    /// Lines with a `?`.
    unknowns: Vec<Unknown>,
    /// Were there more worlds than can be followed?
    pub(super) cut: bool,
    /// Lines that dropped a world.
    pub(super) telling: Vec<Span>,
}

#[derive(Debug, Clone)]
pub(super) struct World {
    pub(super) position: Position,
    pub(super) paid: i64,
    way: usize,
}

#[derive(Debug, Clone, Default)]
struct Way {
    before: Vec<usize>,
    /// The unknown and what it was taken for.
    taken: Option<(usize, Step)>,
}

#[derive(Debug, Clone)]
struct Unknown {
    span: Span,
    text: String,
    /// Everything it may have been when it was met, in words.
    possible: Vec<(Step, String)>,
}

impl Worlds {
    /// One world: nothing is unknown yet.
    pub(super) fn new(position: Position, paid: i64) -> Self {
        Self { all: vec![World { position, paid, way: 0 }], ways: vec![Way::default()], ..Self::default() }
    }

    /// The first world that is left.
    pub(super) fn first(&self) -> Option<&World> {
        self.all.first()
    }

    /// Every world that is left.
    pub(super) fn all(&self) -> &[World] {
        &self.all
    }

    /// How many are left.
    pub(super) fn count(&self) -> usize {
        self.all.len()
    }

    /// Goes on with an entry in every world; false if it is not legal in any, and then nothing has changed.
    pub(super) fn enter(
        &mut self,
        bound: &Bound,
        machine: &mut Machine<'_>,
        entry: &Entry,
        (span, text): (Span, &str),
    ) -> Result<bool, Trouble> {
        let unknown = is_open(entry);
        let mut next: Vec<World> = Vec::new();
        let mut known: HashMap<Position, usize> = HashMap::new();
        let mut possible: Vec<(Step, String)> = Vec::new();
        let mut dropped = false;
        for world in &self.all {
            machine.load(&world.position);
            let found = steps(bound, machine, entry)?;
            dropped |= found.is_empty();
            for step in found {
                machine.load(&world.position);
                if unknown && !possible.iter().any(|(seen, _)| *seen == step) {
                    possible.push((step, shown(bound, entry, &machine.decides(&bound.types, step)?)));
                    machine.load(&world.position);
                }
                machine.take(step)?;
                machine.settle()?;
                let paid = cost(machine, step);
                let position = machine.position();
                if self.ways.len() >= limits::WAYS || next.len() >= limits::WORLDS {
                    self.cut = true;
                    break;
                }
                let mut way = world.way;
                if unknown {
                    self.ways.push(Way { before: vec![way], taken: Some((self.unknowns.len(), step)) });
                    way = self.ways.len() - 1;
                }
                match known.get(&position).and_then(|at| next.get_mut(*at)) {
                    Some(same) => {
                        self.ways.push(Way { before: vec![same.way, way], taken: None });
                        same.way = self.ways.len() - 1;
                    }
                    None => {
                        known.insert(position.clone(), next.len());
                        next.push(World { position, paid, way });
                    }
                }
            }
        }
        if next.is_empty() {
            return Ok(false);
        }
        if unknown {
            self.unknowns.push(Unknown { span, text: text.to_owned(), possible });
        }
        if dropped {
            self.telling.push(span);
        }
        self.all = next;
        Ok(true)
    }

    /// Keeps the worlds of which this is true; false if there is none, and then nothing has changed.
    pub(super) fn keep(
        &mut self,
        span: Span,
        mut is_so: impl FnMut(&World) -> Result<bool, Trouble>,
    ) -> Result<bool, Trouble> {
        let mut kept = Vec::new();
        for world in &self.all {
            if is_so(world)? {
                kept.push(world.clone());
            }
        }
        if kept.is_empty() {
            return Ok(false);
        }
        if kept.len() < self.all.len() {
            self.telling.push(span);
        }
        self.all = kept;
        Ok(true)
    }

    /// What must have been true: lines with a `?`, and what each may have been after all.
    pub(super) fn deduced(&self) -> Vec<(Span, String)> {
        let mut left: Vec<BTreeSet<Step>> = vec![BTreeSet::new(); self.unknowns.len()];
        let mut seen = vec![false; self.ways.len()];
        let mut open: Vec<usize> = self.all.iter().map(|world| world.way).collect();
        while let Some(at) = open.pop() {
            let way = self.ways.get(at).must("a world has come a way");
            if std::mem::replace(&mut seen[at], true) {
                continue;
            }
            if let Some((unknown, step)) = way.taken
                && let Some(left) = left.get_mut(unknown)
            {
                left.insert(step);
            }
            open.extend(&way.before);
        }
        let mut told = Vec::new();
        for (unknown, left) in self.unknowns.iter().zip(left) {
            if left.len() < unknown.possible.len() {
                let names: Vec<&str> = unknown
                    .possible
                    .iter()
                    .filter(|(step, _)| left.contains(step))
                    .map(|(_, text)| text.as_str())
                    .collect();
                told.push((unknown.span, format!("`{}` was {}", unknown.text, names.join(" or "))));
            }
        }
        told
    }
}

/// Does an entry leave something open?
pub(super) fn is_open(entry: &Entry) -> bool {
    match entry {
        Entry::Act { args, .. } => args.iter().any(is_unknown),
        Entry::Chance { value, .. } => value.as_ref().is_none_or(is_unknown),
        Entry::Pass { .. } | Entry::Unreadable { .. } => false,
    }
}

/// What an open entry may have been, in words.
fn shown(bound: &Bound, entry: &Entry, decision: &Decision) -> String {
    match (entry, decision) {
        (Entry::Act { first, .. }, Decision::Act { seat, action, args }) => {
            format!("`{}`", shown_act(bound, *seat, *action, *first, args))
        }
        (_, Decision::Chance(value)) => value.show(&bound.types),
        _ => "a pass".to_owned(),
    }
}
