//! Counting all sequences of entries up to a length: the usual proof that legal entries are right.
//!
//! What players and chance enter counts alike, one each; weights of chance do not matter. A game that is
//! over has no longer sequences, so it is counted at the depth at which it ends and no deeper.

use crate::impossible;
use crate::internal::{Must, exact};
use std::io;

use super::crew::Crew;
use crate::evaluate::{Trouble, Try};
use crate::machine::{Machine, Move, Position, Program, Waits};

/// What is to be counted.
#[derive(Debug, Clone, Copy)]
pub struct Perft {
    /// Entries of the longest sequences.
    pub depth: u32,
    /// Say how many games are over at the last depth? This takes as long as one depth more.
    pub ends: bool,
    /// Threads.
    pub jobs: usize,
}

/// Sequences of one length.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Level {
    /// How many there are.
    pub sequences: u64,
    /// How many of them end the game; nothing if that was not counted.
    pub over: Option<u64>,
}

/// Positions that are shared out: at least so many for each thread.
const SHARES: usize = 64;

/// Counts from a position, for each depth from 0 on.
pub fn perft(
    program: &Program,
    from: &Position,
    wanted: Perft,
    watch: &mut dyn FnMut(u64, u64) -> io::Result<()>,
) -> io::Result<Try<Vec<Level>>> {
    let mut machine = Machine::new(program);
    let last = wanted.depth as usize;
    let mut counts = Counts { sequences: vec![0; last + 1], over: vec![0; last + 1] };
    // The first depths, breadth first, until there is enough to share out.
    let mut front = vec![from.clone()];
    let mut depth = 0;
    counts.sequences[0] = 1;
    loop {
        let over = |position: &Position, machine: &mut Machine<'_>| {
            machine.load(position);
            machine.waits() == Waits::Nothing
        };
        counts.over[depth] = front.iter().filter(|position| over(position, &mut machine)).count() as u64;
        if depth == last || depth + 1 == last || front.is_empty() || front.len() >= SHARES * wanted.jobs {
            break;
        }
        let mut next = Vec::new();
        for position in &front {
            match after(&mut machine, position) {
                Ok(positions) => next.extend(positions),
                Err(trouble) => return Ok(Err(trouble)),
            }
        }
        front = next;
        depth += 1;
        counts.sequences[depth] = front.len() as u64;
    }
    let pieces = front.len() as u64;
    let crew = Crew {
        jobs: wanted.jobs,
        pieces,
        stop: None,
        hire: || Counter::new(program, wanted),
        work: |counter: &mut Counter<'_>, piece| -> Result<(), Trouble> {
            let position = front.get(exact::<_, usize>(piece)).must("a piece of work is a position");
            counter.machine.load(position);
            counter.count(depth)
        },
        leave: |_: &mut Counter<'_>| {},
    };
    let ended = crew.run(&mut |done| watch(done, pieces))?;
    if let Some((_, trouble)) = ended.failed {
        return Ok(Err(trouble));
    }
    for counter in &ended.workers {
        counts.add(&counter.counts);
    }
    // What ends at the last depth is seen only by going there.
    let seen = |depth: usize| depth < last || wanted.ends || depth == 0;
    let level =
        |(depth, (&sequences, &over)): (usize, (&u64, &u64))| Level { sequences, over: seen(depth).then_some(over) };
    Ok(Ok(counts.sequences.iter().zip(&counts.over).enumerate().map(level).collect()))
}

/// By depth.
struct Counts {
    sequences: Vec<u64>,
    over: Vec<u64>,
}

impl Counts {
    fn add(&mut self, other: &Self) {
        let sum = |to: &mut Vec<u64>, from: &[u64]| to.iter_mut().zip(from).for_each(|(to, from)| *to += from);
        sum(&mut self.sequences, &other.sequences);
        sum(&mut self.over, &other.over);
    }
}

struct Counter<'p> {
    machine: Machine<'p>,
    wanted: Perft,
    counts: Counts,
    /// For each depth: where it branches, and what can be entered there.
    branches: Vec<(Position, Vec<Move>, Vec<i64>)>,
}

impl<'p> Counter<'p> {
    fn new(program: &'p Program, wanted: Perft) -> Self {
        let depths = wanted.depth as usize + 1;
        Self {
            machine: Machine::new(program),
            wanted,
            counts: Counts { sequences: vec![0; depths], over: vec![0; depths] },
            branches: vec![Default::default(); depths],
        }
    }

    /// Counts everything below where the machine stands, which is at this depth and counted already.
    fn count(&mut self, depth: usize) -> Try<()> {
        let last = self.wanted.depth as usize;
        let waits = self.machine.waits();
        if depth >= last || waits == Waits::Nothing {
            return Ok(());
        }
        if depth + 1 == last && !self.wanted.ends {
            let count = match waits {
                Waits::Chance(_) => self.machine.outcomes()?.len() as u64,
                _ => self.machine.count()?,
            };
            self.counts.sequences[last] += count;
            return Ok(());
        }
        let (position, mut moves, mut outcomes) = std::mem::take(&mut self.branches[depth]);
        moves.clear();
        outcomes.clear();
        let mut branch = (position, moves, outcomes);
        self.machine.save(&mut branch.0);
        match waits {
            Waits::Chance(_) => branch.2.extend(self.machine.outcomes()?.iter().map(|(value, _)| *value)),
            _ => branch.1.extend_from_slice(self.machine.moves()?),
        }
        for nth in 0..branch.1.len() + branch.2.len() {
            if nth > 0 {
                self.machine.load(&branch.0);
            }
            match (branch.1.get(nth), branch.2.get(nth)) {
                (Some(&entry), _) => self.machine.play(entry)?,
                (_, Some(&value)) => self.machine.draw(value)?,
                (None, None) => impossible!("there are no so many branches"),
            }
            self.counts.sequences[depth + 1] += 1;
            self.counts.over[depth + 1] += u64::from(self.machine.waits() == Waits::Nothing);
            self.count(depth + 1)?;
        }
        self.branches[depth] = branch;
        Ok(())
    }
}

/// The positions one entry after this one.
fn after(machine: &mut Machine<'_>, position: &Position) -> Try<Vec<Position>> {
    machine.load(position);
    let outcomes: Vec<i64> = machine.outcomes()?.iter().map(|(value, _)| *value).collect();
    let mut found = Vec::new();
    for value in outcomes {
        machine.load(position);
        machine.draw(value)?;
        found.push(machine.position());
    }
    machine.load(position);
    for entry in machine.moves()?.to_vec() {
        machine.load(position);
        machine.play(entry)?;
        found.push(machine.position());
    }
    Ok(found)
}
