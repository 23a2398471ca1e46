//! Programs with something changed at random: whatever the verifier lets pass stays within its memory.
//!
//! Each is played natively and with a test for every access. It may do anything: other moves, errors, internal errors that name
//! an instruction. It may not reach outside of its memory, and nothing that was proved may turn out to be otherwise.
//! `LUDEX_MUTANTS=5000 cargo test --lib mutants -- --nocapture` tries so many of each ruleset.

use std::panic::{AssertUnwindSafe, catch_unwind};

use super::engines::rules;
use super::generated;
use crate::compile::compile;
use crate::machine::{Code, Draft, Engine, Instruction, Machine, Program, Random, Waits};

/// Mutants of each ruleset that are tried if nobody asks for more.
const MUTANTS: u64 = 6;

/// Seeds of generated rulesets.
const GENERATED: std::ops::Range<u64> = 0..6;

const RULESETS: [(&str, u32); 12] = [
    ("tictactoe", 2),
    ("connectfour", 2),
    ("breakthrough", 2),
    ("reversi", 2),
    ("hex", 2),
    ("nim", 2),
    ("maya", 3),
    ("indus", 2),
    ("src/testing/engines/nested-choice.ludex", 2),
    ("src/testing/engines/lists.ludex", 2),
    ("src/testing/engines/sets.ludex", 2),
    ("src/testing/engines/awards.ludex", 2),
];

struct Chance(Random);

impl Chance {
    fn below(&mut self, count: usize) -> usize {
        usize::try_from(self.0.below(count.max(1) as u64)).expect("a number")
    }

    /// A number that is near, or anything.
    fn number(&mut self, near: i64) -> i64 {
        match self.below(6) {
            0 => near.wrapping_add(1),
            1 => near.wrapping_sub(1),
            2 => near.wrapping_mul(2),
            3 => i64::try_from(self.below(300)).expect("a number"),
            4 => [0, -1, 63, 64, 65, 255, 256, 4095, 65535, i64::from(u32::MAX), i64::MAX, i64::MIN][self.below(12)],
            _ => self.0.below(u64::MAX).cast_signed(),
        }
    }

    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "any number will do")]
    fn small(&mut self, near: u16) -> u16 {
        self.number(near.into()) as u16
    }

    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "any number will do")]
    fn large(&mut self, near: u32) -> u32 {
        self.number(near.into()) as u32
    }

    #[expect(clippy::cast_sign_loss, reason = "any number will do")]
    fn huge(&mut self, near: u64) -> u64 {
        self.number(near.cast_signed()) as u64
    }

    /// One of some things.
    fn one<'a, T>(&mut self, all: &'a mut [T]) -> Option<&'a mut T> {
        let nth = self.below(all.len());
        all.get_mut(nth)
    }
}

/// Changes an instruction.
fn mutate_code(chance: &mut Chance, draft: &mut Draft) {
    let (at, other) = (chance.below(draft.code.len()), chance.below(draft.code.len()));
    let length = u32::try_from(draft.code.len()).expect("a length");
    let copied = draft.code[other];
    let instruction = &mut draft.code[at];
    match chance.below(5) {
        0 => *instruction = copied,
        1 => {
            if let Some(go) = instruction.target_mut() {
                *go = chance.large(*go) % (length + 1);
            }
        }
        _ => mutate_operands(chance, instruction),
    }
}

fn mutate_operands(chance: &mut Chance, instruction: &mut Instruction) {
    use Instruction as I;
    match instruction {
        I::Load8 { to: slot, at, from, .. }
        | I::Load16 { to: slot, at, from, .. }
        | I::Load32 { to: slot, at, from, .. }
        | I::Load64 { to: slot, at, from }
        | I::Store8 { value: slot, at, to: from, .. }
        | I::Store16 { value: slot, at, to: from, .. }
        | I::Store32 { value: slot, at, to: from, .. }
        | I::Store64 { value: slot, at, to: from }
        | I::IfHolds8 { b: slot, at, from, .. }
        | I::IfLacks8 { b: slot, at, from, .. } => match chance.below(3) {
            0 => *slot = chance.small(*slot),
            1 => *at = chance.small(*at),
            _ => *from = chance.large(*from),
        },
        I::Table { at, from, count, .. } => match chance.below(3) {
            0 => *at = chance.small(*at),
            1 => *from = chance.large(*from),
            _ => *count = chance.large(*count),
        },
        I::Find { at, from, count, .. } => match chance.below(3) {
            0 => *at = chance.small(*at),
            1 => *from = chance.large(*from),
            _ => *count = chance.small(*count),
        },
        I::Get { to: slot, base, at } | I::Put { from: slot, base, at } => match chance.below(3) {
            0 => *slot = chance.small(*slot),
            1 => *base = chance.small(*base),
            _ => *at = chance.small(*at),
        },
        I::Next { bits, members, to, .. } => match chance.below(3) {
            0 => *bits = chance.small(*bits),
            1 => *members = chance.large(*members),
            _ => *to = chance.small(*to),
        },
        I::Lowest { a, members, .. } | I::Highest { a, members, .. } => match chance.below(2) {
            0 => *a = chance.small(*a),
            _ => *members = chance.small(*members),
        },
        I::Matches { from, count, b, .. } => match chance.below(3) {
            0 => *from = chance.large(*from),
            1 => *count = count.wrapping_add(1),
            _ => *b = chance.small(*b),
        },
        I::Among { at, from, set, .. } => match chance.below(3) {
            0 => *at = chance.small(*at),
            1 => *from = chance.large(*from),
            _ => *set = chance.large(*set),
        },
        I::Unite { base, count, .. } | I::Pairing { base, words: count, .. } => match chance.below(2) {
            0 => *base = chance.small(*base),
            _ => *count = chance.small(*count),
        },
        I::Join { bits: a, member: b }
        | I::Leave { bits: a, member: b }
        | I::IfMember { bits: a, member: b, .. }
        | I::IfNoMember { bits: a, member: b, .. }
        | I::Copy { to: a, from: b }
        | I::Tally { to: a, a: b }
        | I::AddConst { to: a, a: b, .. }
        | I::MultiplyAdd { to: a, a: b, .. }
        | I::Add { to: a, a: b, .. }
        | I::Subtract { to: a, a: b, .. }
        | I::Both { to: a, a: b, .. }
        | I::Either { to: a, a: b, .. }
        | I::Modulo { to: a, b, .. }
        | I::Count { at: a, last: b, .. } => match chance.below(2) {
            0 => *a = chance.small(*a),
            _ => *b = chance.small(*b),
        },
        I::Emit { offer: number } | I::Choose { choice: number } | I::Refresh { region: number } => {
            *number = chance.small(*number);
        }
        _ => {}
    }
}

/// Changes something else.
fn mutate_parts(chance: &mut Chance, draft: &mut Draft) -> Option<()> {
    match chance.below(12) {
        0 => {
            let entry = chance.one(&mut draft.tables)?;
            *entry = chance.number(*entry);
        }
        1 => {
            let run = chance.one(&mut draft.runs)?;
            *run = (chance.small(run.0), chance.small(run.1));
        }
        2 => {
            let constant = chance.one(&mut draft.constants)?;
            constant.1 = chance.number(constant.1);
        }
        3 => {
            let place = chance.one(&mut draft.layout)?;
            match chance.below(3) {
                0 => place.first = chance.large(place.first),
                1 => place.count = chance.large(place.count),
                _ => place.values = Some(chance.huge(place.values.unwrap_or(2))),
            }
        }
        4 => draft.flow = chance.below(draft.bytes + 2),
        5 => draft.bytes = chance.below(draft.bytes * 2).next_multiple_of(16),
        6 => {
            let offer = chance.one(&mut draft.offers)?;
            let param = chance.one(&mut offer.params)?;
            match chance.below(6) {
                0 => param.slot = chance.small(param.slot),
                1 => param.low = chance.number(param.low),
                2 => param.size = chance.huge(param.size),
                3 => (param.first, param.picks) = (chance.huge(param.first), chance.huge(param.picks)),
                4 => param.shift = chance.large(param.shift) % 70,
                _ => param.bits = chance.large(param.bits) % 70,
            }
        }
        7 => {
            let offer = chance.one(&mut draft.offers)?;
            match chance.below(5) {
                0 => offer.bound = chance.below(4),
                1 => offer.possible = chance.huge(offer.possible),
                2 => offer.every = chance.large(offer.every),
                3 => std::mem::swap(&mut offer.test, &mut offer.every),
                _ => offer.carry_out = chance.large(offer.carry_out),
            }
        }
        8 => {
            let choice = chance.one(&mut draft.choices)?;
            match chance.below(5) {
                0 => choice.seat = chance.small(choice.seat),
                1 => choice.possible = chance.huge(choice.possible),
                2 => choice.picks = chance.large(choice.picks) % 100,
                3 => choice.offers.end = chance.small(choice.offers.end),
                _ => {
                    let lot = chance.one(&mut choice.lots.as_mut()?.all)?;
                    match chance.below(4) {
                        0 => lot.mask = chance.small(lot.mask),
                        1 => lot.from = chance.huge(lot.from),
                        2 => lot.offer = chance.small(lot.offer),
                        _ => {
                            let (each, of) = (chance.huge(1), chance.huge(2));
                            *chance.one(&mut lot.codes)? = Code::Counted { each, of };
                        }
                    }
                }
            }
        }
        9 => {
            let region = chance.one(&mut draft.regions)?;
            match chance.below(3) {
                0 => region.groups = chance.small(region.groups),
                1 => region.members = chance.small(region.members),
                _ => {
                    let (_, end) = chance.one(&mut region.made_of)?;
                    *end = chance.large(*end);
                }
            }
        }
        10 => draft.players = chance.large(draft.players) % 20,
        _ => {
            let chosen = chance.one(&mut draft.chances)?;
            match chance.below(3) {
                0 => chosen.value = chance.small(chosen.value),
                1 => chosen.size = chance.huge(chosen.size),
                _ => chosen.low = chance.number(chosen.low),
            }
        }
    }
    Some(())
}

/// Plays a little; what came of it does not matter.
fn play(program: &Program, engine: Engine, seed: u64) {
    let mut machine = Machine::new(program).with_engine(engine).with_budget(20_000);
    let mut random = Random::new(seed);
    let _ = machine.begin();
    for _ in 0..6 {
        match machine.waits() {
            Waits::Nothing => break,
            Waits::Chance(_) => {
                let outcomes = machine.outcomes().map(<[_]>::to_vec).unwrap_or_default();
                let Some((value, _)) = outcomes.first() else { break };
                let _ = machine.draw(*value);
            }
            Waits::Player { .. } => {
                let _ = machine.moves();
                if let Ok(Some(entry)) = machine.sample(&mut random) {
                    let _ = machine.is_legal(entry);
                    let _ = machine.play(entry);
                }
                let _ = machine.play_on(&mut random, 20);
            }
        }
        let _ = (machine.score(0), machine.broken_invariant());
    }
    let _ = machine.winners();
}

#[test]
#[expect(clippy::print_stdout, reason = "who asks for a long run wants to see how far it is")]
fn mutants_stay_within_their_memory() {
    let asked = std::env::var("LUDEX_MUTANTS").ok().and_then(|count| count.parse().ok());
    let known = RULESETS.map(|(name, players)| (super::root().join(name), name.to_owned(), players));
    let known =
        known.map(|(path, name, players)| (if path.exists() { path.display().to_string() } else { name }, players));
    let generated = GENERATED.flat_map(|seed| [2, 3].map(|players| (generated::written(seed), players)));
    let (mut rulesets, mut played) = (0, 0);
    for (name, players) in known.into_iter().chain(generated) {
        let program = rules(&name, players, &[]).and_then(|rules| compile(&rules.checked).ok());
        let Some(good) = program else { continue };
        let (mut passed, mut ended) = (0, 0);
        for seed in 0..asked.unwrap_or(MUTANTS) {
            let mut chance = Chance(Random::new(seed));
            let mut draft = good.draft();
            for _ in 0..=chance.below(3) {
                if chance.below(2) == 0 {
                    mutate_code(&mut chance, &mut draft);
                } else {
                    let _ = mutate_parts(&mut chance, &mut draft);
                }
            }
            let Ok(mutant) = Program::seal(draft) else { continue };
            passed += 1;
            for engine in [Engine::Checked, Engine::Native] {
                let came = catch_unwind(AssertUnwindSafe(|| play(&mutant, engine, seed)));
                let Err(payload) = came else { continue };
                ended += 1;
                let said = payload.downcast_ref::<String>().cloned().unwrap_or_default();
                assert!(said.starts_with("internal error"), "{name}, mutant {seed}: a panic: {said}");
                assert!(!said.contains("as was proved"), "{name}, mutant {seed}: {said}");
            }
        }
        println!("{name}: {passed} mutants passed, {ended} runs ended with an internal error");
        rulesets += 1;
        played += passed;
    }
    assert!(rulesets >= RULESETS.len(), "only {rulesets} rulesets were compiled");
    assert!(played > rulesets, "the verifier let only {played} mutants pass");
}
