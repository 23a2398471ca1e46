//! Routines: each ends as whoever asks for it expects, none calls itself, and every loop spends steps.
//!
//! Native code plays on from a choice without looking at the list of played moves again before the next one. That is
//! sound because the flow itself emits nothing and does not return.

use super::{Flaw, Seen, Verifier, must};
use crate::limits;
use crate::machine::instruction::{Instruction, Target};
use crate::machine::program::Otherwise;

/// Calls that may be under way at the same time: each takes a part of the processor's stack. Definitions, awards and
/// phases use each other in chains of limited length, and what begins such a chain is called as well.
const DEEPEST: usize = limits::CHAIN + 16;

/// What a routine does besides working values out, as bits.
const RETURN: u16 = 1;
const EMIT: u16 = 2;
const WEIGH: u16 = 4;
const WAIT: u16 = 8;
const LOTS: u16 = 16;
const DECIDE: u16 = 32;

/// What an instruction does besides working values out.
fn does(instruction: Instruction) -> u16 {
    match instruction {
        Instruction::Return => RETURN,
        Instruction::Emit { .. } => EMIT,
        Instruction::Weigh { .. } => WEIGH,
        Instruction::Choose { .. } | Instruction::Chance { .. } | Instruction::Over => WAIT,
        Instruction::Lots { .. } => LOTS,
        Instruction::Decided { .. } => DECIDE,
        _ => 0,
    }
}

/// What is known of routines that are called.
struct Called {
    /// By instruction: what the routine that begins there does, with all that it calls.
    does: Vec<Option<u16>>,
    /// How deep it calls.
    deep: Vec<usize>,
    open: Vec<bool>,
}

impl Verifier<'_> {
    pub(super) fn flow(&self) -> Seen {
        let draft = self.draft;
        let length = draft.code.len();
        let mut called = Called { does: vec![None; length], deep: vec![0; length], open: vec![false; length] };
        let flow = self.flow_roots();
        self.role(&flow, WAIT, None, &mut called, "the flow")?;
        for (number, offer) in (0_u16..).zip(&draft.offers) {
            self.role(&[offer.every, offer.test], RETURN | EMIT, Some(number), &mut called, "what finds moves")?;
        }
        for (number, choice) in (0_u16..).zip(&draft.choices) {
            self.role(&[choice.every], RETURN | EMIT, None, &mut called, "what lists moves")?;
            if let Some(lots) = &choice.lots {
                let reached = self.role(&[lots.work_out], LOTS, None, &mut called, "what draws moves")?;
                let own = reached
                    .iter()
                    .all(|at| !matches!(draft.code[*at as usize], Instruction::Lots { choice } if choice != number));
                must(own, || format!("choice {number}"), "masks of another choice are drawn from")?;
            }
        }
        for chance in &draft.chances {
            self.role(&[chance.every, chance.test], RETURN | WEIGH, None, &mut called, "what weighs")?;
            self.role(&[chance.indices], RETURN, None, &mut called, "what finds indices")?;
        }
        let routines: Vec<Target> = draft.routines().map(|routine| routine.entry).collect();
        self.role(&routines, RETURN, None, &mut called, "what answers")?;
        if let Some(winner) = draft.winner {
            self.role(&[winner], DECIDE, None, &mut called, "what finds winners")?;
        }
        self.loops()
    }

    /// Where the flow is taken up from outside.
    fn flow_roots(&self) -> Vec<Target> {
        let draft = self.draft;
        let otherwise = draft.choices.iter().filter_map(|choice| match choice.otherwise {
            Otherwise::Pass(go) | Otherwise::PassIfNothing(go) | Otherwise::Skip(go) => Some(go),
            Otherwise::Must(_) => None,
        });
        let offers = draft.offers.iter().map(|offer| offer.carry_out);
        let chances = draft.chances.iter().map(|chance| chance.resume);
        [draft.begin].into_iter().chain(otherwise).chain(offers).chain(chances).collect()
    }

    /// Verifies that what is reached from some places, and what that calls, does nothing but this. Gives what is reached.
    fn role(
        &self,
        roots: &[Target],
        may: u16,
        offer: Option<u16>,
        called: &mut Called,
        what: &str,
    ) -> Result<Vec<Target>, Flaw> {
        let reached = self.reach(roots);
        for &at in &reached {
            let instruction = self.draft.code[at as usize];
            let place = || format!("{what}, instruction {at}, {instruction:?}");
            must(does(instruction) & !may == 0, place, "this routine may not do that")?;
            let own = !matches!((instruction, offer), (Instruction::Emit { offer }, Some(own)) if offer != own);
            must(own, place, "it emits moves of another offer")?;
            for go in self.calls(instruction) {
                let more = self.called(go, called, 0)? & !RETURN;
                must(more & !may == 0, place, "it calls a routine that may not be called here")?;
            }
        }
        Ok(reached)
    }

    /// What an instruction calls, in native code.
    fn calls(&self, instruction: Instruction) -> Vec<Target> {
        match instruction {
            Instruction::Call { go } => vec![go],
            Instruction::Refresh { region } => {
                let region = &self.draft.regions[usize::from(region)];
                std::iter::once(region.work_out).chain(region.one_more.map(|(entry, _)| entry)).collect()
            }
            _ => Vec::new(),
        }
    }

    /// What a routine that is called does, with all that it calls.
    fn called(&self, entry: Target, known: &mut Called, depth: usize) -> Result<u16, Flaw> {
        let place = || format!("routine at {entry}");
        let nth = entry as usize;
        must(depth < DEEPEST, place, "it is called too deep")?;
        if let Some(all) = known.does[nth] {
            must(depth + known.deep[nth] < DEEPEST, place, "it is called too deep")?;
            return Ok(all);
        }
        must(!std::mem::replace(&mut known.open[nth], true), place, "it calls itself")?;
        let (mut all, mut deep) = (0, 0);
        for at in self.reach(&[entry]) {
            let instruction = self.draft.code[at as usize];
            all |= does(instruction);
            for go in self.calls(instruction) {
                all |= self.called(go, known, depth + 1)?;
                deep = deep.max(1 + known.deep[go as usize]);
            }
        }
        must(all & (WAIT | LOTS | DECIDE) == 0, place, "it is called and does not return")?;
        known.does[nth] = Some(all);
        known.deep[nth] = deep;
        Ok(all)
    }

    fn reach(&self, roots: &[Target]) -> Vec<Target> {
        let mut seen = vec![false; self.draft.code.len()];
        let mut reached = Vec::new();
        let mut open = roots.to_vec();
        while let Some(at) = open.pop() {
            if !std::mem::replace(&mut seen[at as usize], true) {
                reached.push(at);
                self.each_next(at, |next| open.push(next));
            }
        }
        reached
    }

    /// The instructions that may follow one; what is called comes back to the next.
    fn each_next(&self, at: Target, mut visit: impl FnMut(Target)) {
        let instruction = self.draft.code[at as usize];
        if let (Some(go), false) = (instruction.target(), matches!(instruction, Instruction::Call { .. })) {
            visit(go);
        }
        if let Instruction::Choose { choice } = instruction
            && let Otherwise::Skip(go) = self.draft.choices[usize::from(choice)].otherwise
        {
            visit(go);
        }
        if !instruction.ends() {
            visit(at + 1);
        }
    }

    /// No instruction is reached again without a step having been spent.
    fn loops(&self) -> Seen {
        const NEW: u8 = 0;
        const OPEN: u8 = 1;
        const DONE: u8 = 2;
        let length = self.draft.code.len();
        let mut state = vec![NEW; length];
        for root in 0..length {
            let mut path: Vec<(Target, Vec<Target>)> = Vec::new();
            let mut next = Target::try_from(root).ok().filter(|_| state[root] == NEW);
            loop {
                if let Some(at) = next.take() {
                    state[at as usize] = OPEN;
                    path.push((at, self.free_steps(at)));
                }
                let Some((at, left)) = path.last_mut() else { break };
                match left.pop() {
                    Some(go) => {
                        let again = state[go as usize];
                        must(again != OPEN, || format!("instruction {go}"), "a loop spends no steps")?;
                        next = (again == NEW).then_some(go);
                    }
                    None => {
                        state[*at as usize] = DONE;
                        path.pop();
                    }
                }
            }
        }
        Ok(())
    }

    /// The instructions that may follow one without a step being spent.
    fn free_steps(&self, at: Target) -> Vec<Target> {
        let mut free = Vec::new();
        match self.draft.code[at as usize] {
            Instruction::Tick { cost: 1.. } | Instruction::Keep | Instruction::Restore | Instruction::Unite { .. } => {}
            Instruction::Jump { go } if go <= at => {}
            Instruction::Count { .. } => free.push(at + 1),
            _ => self.each_next(at, |next| free.push(next)),
        }
        free
    }
}
