//! How a program is cut into pieces: what can be asked for from outside, what is called, and in large programs
//! also where several of these meet, so that no code is translated too often.

use super::super::Program;
use super::super::instruction::{Instruction, Target};
use super::super::program::{Choice, Offer, Otherwise};

/// Where a piece begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Entry {
    /// At an instruction.
    At(Target),
    /// An entry of an offer is taken apart, and carried out.
    Enter(u16),
    /// A number stands for one of the possible entries of a choice: is it legal?
    Pick(u16),
    /// An entry of a choice is picked at random and carried out, and so on as long as players are asked.
    Play(u16),
    /// At an instruction, while entries are played at random.
    On(Target),
}

/// Pieces with no more instructions than this are not cut where parts of the flow meet: each has its own copy.
const SMALL: usize = 3000;

/// What has no more instructions than this up to its end is copied.
const SHORT: usize = 40;

/// The pieces of a program.
#[derive(Debug)]
pub(super) struct Pieces {
    pub(super) entries: Vec<Entry>,
    /// By instruction: the piece that begins there.
    at: Vec<u32>,
    enter: Vec<u32>,
    pick: Vec<u32>,
    play: Vec<u32>,
    /// By instruction: the piece that plays on from there.
    on: Vec<u32>,
    /// By instruction: does every large piece that gets here end here?
    cuts: Vec<bool>,
}

const NO_PIECE: u32 = u32::MAX;

impl Pieces {
    pub(super) fn of(program: &Program) -> Self {
        let length = program.code.len();
        let mut pieces = Self {
            entries: Vec::new(),
            at: vec![NO_PIECE; length],
            enter: Vec::new(),
            pick: Vec::new(),
            play: Vec::new(),
            on: vec![NO_PIECE; length],
            cuts: vec![false; length],
        };
        let flow = flow_roots(program);
        if length > SMALL {
            pieces.cut(program, &flow);
        }
        let cuts = (0..length).filter(|at| pieces.cuts[*at]).filter_map(|at| Target::try_from(at).ok());
        let cuts: Vec<Target> = cuts.collect();
        let roots: Vec<Target> = flow.into_iter().chain(asked(program)).chain(cuts.iter().copied()).collect();
        for root in roots {
            pieces.begin_at(root);
        }
        for place in cuts {
            pieces.on[place as usize] = pieces.begin(Entry::On(place));
        }
        for offer in 0..program.offers.len() {
            let piece = pieces.begin(Entry::Enter(u16::try_from(offer).unwrap_or(u16::MAX)));
            pieces.enter.push(piece);
        }
        for choice in 0..program.choices.len() {
            let piece = pieces.begin(Entry::Pick(u16::try_from(choice).unwrap_or(u16::MAX)));
            pieces.pick.push(piece);
            let piece = pieces.begin(Entry::Play(u16::try_from(choice).unwrap_or(u16::MAX)));
            pieces.play.push(piece);
        }
        pieces
    }

    fn begin(&mut self, entry: Entry) -> u32 {
        self.entries.push(entry);
        u32::try_from(self.entries.len() - 1).unwrap_or(NO_PIECE)
    }

    fn begin_at(&mut self, root: Target) {
        if self.at.get(root as usize) == Some(&NO_PIECE) {
            self.at[root as usize] = self.begin(Entry::At(root));
        }
    }

    /// The piece that begins at an instruction.
    pub(super) fn at(&self, place: Target) -> Option<u32> {
        self.at.get(place as usize).copied().filter(|piece| *piece != NO_PIECE)
    }

    /// The piece that carries out entries of an offer.
    pub(super) fn enter(&self, offer: usize) -> Option<u32> {
        self.enter.get(offer).copied()
    }

    /// The piece that tries entries of a choice.
    pub(super) fn pick(&self, choice: u16) -> Option<u32> {
        self.pick.get(usize::from(choice)).copied()
    }

    /// The piece that plays on from a choice.
    pub(super) fn play(&self, choice: u16) -> Option<u32> {
        self.play.get(usize::from(choice)).copied()
    }

    /// The piece that plays on from an instruction.
    pub(super) fn on(&self, place: Target) -> Option<u32> {
        self.on.get(place as usize).copied().filter(|piece| *piece != NO_PIECE)
    }

    fn is_cut(&self, place: Target) -> bool {
        self.cuts.get(place as usize).copied().unwrap_or(false)
    }

    /// Where the instructions of a piece begin: more than one for a choice.
    pub(super) fn starts(program: &Program, entry: Entry) -> Vec<Target> {
        match entry {
            Entry::At(place) | Entry::On(place) => vec![place],
            Entry::Enter(offer) => {
                program.offers.get(usize::from(offer)).map(|offer| offer.carry_out).into_iter().collect()
            }
            Entry::Pick(choice) => offers(program, choice).map(|offer| offer.test).collect(),
            Entry::Play(choice) => {
                let otherwise = program.choices.get(usize::from(choice)).map(|choice| choice.otherwise);
                let listed = program.choices.get(usize::from(choice)).is_some_and(Choice::is_listed);
                let pass = match otherwise {
                    Some(Otherwise::Pass(go)) => Some(go),
                    // Who lists finds out that nothing is possible.
                    Some(Otherwise::PassIfNothing(go) | Otherwise::Skip(go)) if listed => Some(go),
                    _ => None,
                };
                let lots = program.choices.get(usize::from(choice)).and_then(|choice| choice.lots.as_ref());
                let lots = lots.map(|lots| lots.work_out);
                // What is listed needs no test.
                let tests = offers(program, choice).filter(|_| !listed).map(|offer| offer.test);
                tests.chain(offers(program, choice).map(|offer| offer.carry_out)).chain(pass).chain(lots).collect()
            }
        }
    }

    /// The instructions of a piece, in order: all that it leads to if they are few, else up to where parts meet.
    pub(super) fn body(&self, program: &Program, entry: Entry) -> Vec<Target> {
        let whole = Self::reach(program, entry, SMALL, |_| false);
        whole.or_else(|| Self::reach(program, entry, usize::MAX, |place| self.is_cut(place))).unwrap_or_default()
    }

    fn reach(program: &Program, entry: Entry, most: usize, ends_at: impl Fn(Target) -> bool) -> Option<Vec<Target>> {
        let mut reached = vec![false; program.code.len()];
        let mut open = Self::starts(program, entry);
        for start in &open {
            if let Some(reached) = reached.get_mut(*start as usize) {
                *reached = true;
            }
        }
        let mut body = Vec::new();
        while let Some(at) = open.pop() {
            body.push(at);
            if body.len() > most {
                return None;
            }
            each_next(program, at, |next| {
                if !ends_at(next)
                    && let Some(reached) = reached.get_mut(next as usize)
                    && !std::mem::replace(reached, true)
                {
                    open.push(next);
                }
            });
        }
        body.sort_unstable();
        body.dedup();
        Some(body)
    }

    /// Finds where parts of the flow meet: what is reached from more than one root begins a piece of its own, unless
    /// it is short.
    fn cut(&mut self, program: &Program, flow: &[Target]) {
        let mut roots = flow.to_vec();
        let mut kept_whole = vec![false; program.code.len()];
        loop {
            let owners = owners(program, &roots);
            let mut more = Vec::new();
            for (at, owner) in owners.iter().enumerate().filter(|(_, owner)| **owner < MANY) {
                let at = Target::try_from(at).unwrap_or(Target::MAX);
                each_next(program, at, |next| {
                    let shared = owners.get(next as usize).is_some_and(|of| *of != *owner);
                    if shared && !self.is_cut(next) && !kept_whole[next as usize] {
                        kept_whole[next as usize] = true;
                        more.push(next);
                    }
                });
            }
            if more.is_empty() {
                return;
            }
            for place in more {
                if !is_short(program, place) {
                    self.cuts[place as usize] = true;
                    roots.push(place);
                }
            }
        }
    }
}

/// What a choice offers.
pub(super) fn offers(program: &Program, choice: u16) -> impl Iterator<Item = &Offer> {
    let offers = program.choices.get(usize::from(choice)).map_or(0..0, |choice| choice.offers.clone());
    offers.filter_map(|offer| program.offers.get(usize::from(offer)))
}

const NOBODY: u32 = u32::MAX;
const MANY: u32 = u32::MAX - 1;

/// By instruction: the only root that leads there, or that there are many.
fn owners(program: &Program, roots: &[Target]) -> Vec<u32> {
    let mut owners = vec![NOBODY; program.code.len()];
    let mut open: Vec<(Target, u32)> = Vec::new();
    for (number, root) in roots.iter().enumerate() {
        open.push((*root, u32::try_from(number).unwrap_or(MANY)));
    }
    let own: std::collections::BTreeSet<Target> = roots.iter().copied().collect();
    while let Some((at, root)) = open.pop() {
        let Some(owner) = owners.get_mut(at as usize) else { continue };
        let now = if *owner == NOBODY || *owner == root { root } else { MANY };
        if *owner == now {
            continue;
        }
        *owner = now;
        each_next(program, at, |next| {
            if !own.contains(&next) {
                open.push((next, now));
            }
        });
    }
    owners
}

fn is_short(program: &Program, from: Target) -> bool {
    let mut seen = vec![from];
    let mut nth = 0;
    while let Some(&at) = seen.get(nth) {
        nth += 1;
        each_next(program, at, |next| {
            if !seen.contains(&next) {
                seen.push(next);
            }
        });
        if seen.len() > SHORT {
            return false;
        }
    }
    true
}

/// The instructions that may follow one inside its piece.
pub(super) fn each_next(program: &Program, at: Target, mut visit: impl FnMut(Target)) {
    let Some(&instruction) = program.code.get(at as usize) else { return };
    match instruction {
        Instruction::Call { .. } => visit(at + 1),
        Instruction::Choose { choice } => {
            let otherwise = program.choices.get(usize::from(choice)).map(|choice| choice.otherwise);
            if let Some(Otherwise::Skip(go)) = otherwise {
                visit(go);
            }
        }
        _ => {
            if let Some(go) = instruction.target() {
                visit(go);
            }
            if !instruction.ends() {
                visit(at + 1);
            }
        }
    }
}

/// Where the flow is taken up from outside.
fn flow_roots(program: &Program) -> Vec<Target> {
    let mut roots = vec![program.begin];
    roots.extend(program.choices.iter().filter_map(|choice| match choice.otherwise {
        Otherwise::Pass(go) | Otherwise::PassIfNothing(go) | Otherwise::Skip(go) => Some(go),
        Otherwise::Must(_) => None,
    }));
    roots.extend(program.offers.iter().map(|offer| offer.carry_out));
    roots.extend(program.chances.iter().map(|chance| chance.resume));
    roots
}

/// What else is asked for from outside, or called.
fn asked(program: &Program) -> Vec<Target> {
    let mut roots = Vec::new();
    roots.extend(program.offers.iter().map(|offer| offer.test));
    roots.extend(program.choices.iter().map(|choice| choice.every));
    roots.extend(program.choices.iter().filter_map(|choice| choice.lots.as_ref()).map(|lots| lots.work_out));
    roots.extend(program.chances.iter().flat_map(|chance| [chance.indices, chance.every, chance.test]));
    roots.extend(program.routines().map(|routine| routine.entry).chain(program.winner));
    roots.extend(called(program));
    roots
}

/// What instructions call, asking whether anything is possible among that.
pub(super) fn called(program: &Program) -> Vec<Target> {
    let calls = program.code.iter().filter_map(|instruction| match instruction {
        Instruction::Call { go } => Some(*go),
        _ => None,
    });
    let regions = program.regions.iter();
    let regions = regions.flat_map(|region| [Some(region.work_out), region.one_more.map(|(entry, _)| entry)]).flatten();
    let asked = program.offers.iter().map(|offer| offer.every);
    calls.chain(regions).chain(asked).collect()
}
