//! The last pass: jumps lead straight to where they end, and what nothing leads to is left out.

use super::builder::{Builder, Label};
use crate::internal::{Must, exact};
use crate::machine::{Draft, Instruction, NO_MEMBER, Target, Tested};

/// Resolves labels, shortens jumps and drops code that cannot be reached.
pub(super) fn finish(builder: &Builder, program: &mut Draft) {
    let mut code = builder.code.clone();
    // The end of the code returns, should anything ever get there.
    code.push(Instruction::Return);
    for instruction in &mut code {
        if let Some(go) = instruction.target_mut() {
            *go = builder.target(Label(*go));
        }
    }
    each_root(program, &mut |root| *root = builder.target(Label(*root)));
    let number = |at: usize| exact::<_, Target>(at);
    program.spans = builder.spans.iter().map(|(at, span)| (number(*at), *span)).collect();
    let tested = |(from, to, row, question)| Tested { row, question, code: number(from)..number(to) };
    program.tests = builder.tests.iter().copied().map(tested).collect();
    program.names = builder.names.iter().map(|(label, name)| (builder.target(*label), name.clone())).collect();
    program.code = code;
    shorten(program);
    fuse(builder, program);
    compact(program);
    ask_once(program);
    turn_round(program);
    shorten(program);
    compact(program);
    pass_ticks(program);
    program.names.sort();
    program.tables.clone_from(&builder.tables);
    program.table_runs.clone_from(&builder.table_runs);
    program.constants = builder.constants();
    program.runs.clone_from(&builder.rows);
    program.runs.sort_unstable();
    program.runs.dedup();
    program.winner_at_once = program.winner.is_some_and(|winner| is_short_and_straight(&program.code, winner));
}

/// Jumps lead straight to where they end.
fn shorten(program: &mut Draft) {
    let mut code = std::mem::take(&mut program.code);
    for at in 0..code.len() {
        let end = code[at].target().map(|go| end_of(&code, go));
        if let (Some(go), Some(end)) = (code[at].target_mut(), end) {
            *go = end;
        }
    }
    each_root(program, &mut |root| *root = end_of(&code, *root));
    program.code = code;
}

/// Whether two values are the same is not asked twice in a row, unless something else leads to the second question.
fn ask_once(program: &mut Draft) {
    let led_to = led_to(program);
    for at in (1..program.code.len()).filter(|at| !led_to[*at]) {
        let asked = |instruction: Instruction| match instruction {
            Instruction::IfSame { a, b, go } => Some((a, b, true, go)),
            Instruction::IfOther { a, b, go } => Some((a, b, false, go)),
            _ => None,
        };
        let (Some(before), Some(now)) = (asked(program.code[at - 1]), asked(program.code[at])) else { continue };
        if (before.0, before.1) == (now.0, now.1) {
            let next = exact::<_, Target>(at + 1);
            program.code[at] = Instruction::Jump { go: if before.2 == now.2 { next } else { now.3 } };
        }
    }
}

/// By instruction: does anything lead to it but the one before?
fn led_to(program: &mut Draft) -> Vec<bool> {
    let mut led_to = vec![false; program.code.len() + 1];
    let mut lead = |at: Target| led_to.get_mut(at as usize).into_iter().for_each(|led| *led = true);
    program.code.iter().filter_map(|instruction| instruction.target()).for_each(&mut lead);
    each_root(program, &mut |root| lead(*root));
    led_to
}

/// Leaves out what nothing leads to, and jumps to the next instruction.
fn compact(program: &mut Draft) {
    let mut roots = Vec::new();
    each_root(program, &mut |root| roots.push(*root));
    let reached = reach(&program.code, &roots);
    let mut moved: Vec<Target> = Vec::with_capacity(program.code.len());
    let mut kept: Vec<Instruction> = Vec::new();
    for (instruction, reached) in program.code.iter().zip(&reached) {
        moved.push(exact::<_, Target>(kept.len()));
        let next = exact::<_, Target>(moved.len());
        if *reached && *instruction != (Instruction::Jump { go: next }) {
            kept.push(*instruction);
        }
    }
    let to = |at: Target| moved.get(at as usize).copied().must("a jump leads to an instruction");
    for instruction in &mut kept {
        if let Some(go) = instruction.target_mut() {
            *go = to(*go);
        }
    }
    each_root(program, &mut |root| *root = to(*root));
    program.spans.iter_mut().for_each(|(at, _)| *at = to(*at));
    program.names.iter_mut().for_each(|(at, _)| *at = to(*at));
    program.tests.iter_mut().for_each(|test| test.code = to(test.code.start)..to(test.code.end));
    program.tests.retain(|test| !test.code.is_empty());
    program.code = kept;
}

/// A jump back is a step of the budget by itself, so it passes over the tick that it leads to. The last thing of all: a
/// branch that such a jump became would not be one.
fn pass_ticks(program: &mut Draft) {
    for at in 0..program.code.len() {
        if let Instruction::Jump { go } = program.code[at]
            && go as usize <= at
            && matches!(program.code[go as usize], Instruction::Tick { .. })
        {
            program.code[at] = Instruction::Jump { go: go + 1 };
        }
    }
}

/// A branch over a jump becomes one branch the other way, unless something else leads to the jump. A jump back spends a
/// step, which a branch does not: it stays, unless it leads to a tick.
fn turn_round(program: &mut Draft) {
    let led_to = led_to(program);
    let code = &mut program.code;
    for at in (1..code.len()).filter(|at| !led_to[*at]) {
        let Instruction::Jump { go: far } = code[at] else { continue };
        if far as usize <= at && !matches!(code[far as usize], Instruction::Tick { .. }) {
            continue;
        }
        let Some(near) = code[at - 1].target() else { continue };
        let past = exact::<_, Target>(at + 1);
        if end_of(code, near) != end_of(code, past) {
            continue;
        }
        if let Some(turned) = turned(code[at - 1], far) {
            code[at - 1] = turned;
            code[at] = Instruction::Jump { go: past };
        }
    }
}

fn turned(instruction: Instruction, go: Target) -> Option<Instruction> {
    Some(match instruction {
        Instruction::IfSame { a, b, .. } => Instruction::IfOther { a, b, go },
        Instruction::IfOther { a, b, .. } => Instruction::IfSame { a, b, go },
        Instruction::IfLess { a, b, .. } => Instruction::IfAtMost { a: b, b: a, go },
        Instruction::IfAtMost { a, b, .. } => Instruction::IfLess { a: b, b: a, go },
        Instruction::IfMember { bits, member, .. } => Instruction::IfNoMember { bits, member, go },
        Instruction::IfNoMember { bits, member, .. } => Instruction::IfMember { bits, member, go },
        Instruction::IfHolds8 { at, from, bias, b, .. } => Instruction::IfLacks8 { at, from, bias, b, go },
        Instruction::IfLacks8 { at, from, bias, b, .. } => Instruction::IfHolds8 { at, from, bias, b, go },
        _ => return None,
    })
}

/// Makes one instruction of a load and the comparison that alone needs it, or of a look-up and the question
/// whether there is anything.
fn fuse(builder: &Builder, program: &mut Draft) {
    // What something leads to stays as it is.
    let led_to = led_to(program);
    let Draft { code, choices, .. } = program;
    let mut reads = vec![0_u32; 1 << 16];
    for instruction in code.iter() {
        instruction.each_read(|slot| reads[usize::from(slot)] += 1);
    }
    choices.iter().for_each(|choice| reads[usize::from(choice.seat)] += 1);
    for at in (1..code.len()).filter(|at| !led_to[*at]) {
        if let (Instruction::Table { to, at: entry, from, count }, Instruction::IfSame { a, b, go }) =
            (code[at - 1], code[at])
            && a == to
            && let Ok(count) = u16::try_from(count)
            && builder.known(b) == Some(NO_MEMBER)
        {
            code[at - 1] = Instruction::Find { to, at: entry, from, count, go };
            code[at] = Instruction::Jump { go: exact::<_, Target>(at + 1) };
            continue;
        }
        let Instruction::Load8 { to, at: element, from, bias } = code[at - 1] else { continue };
        let (a, b, go, same) = match code[at] {
            Instruction::IfSame { a, b, go } => (a, b, go, true),
            Instruction::IfOther { a, b, go } => (a, b, go, false),
            _ => continue,
        };
        let other = if a == to { b } else { a };
        let alone = Builder::is_value(to) && reads[usize::from(to)] == 1 && (a == to) != (b == to);
        if let (true, Ok(bias)) = (alone, i16::try_from(bias)) {
            // The comparison is left over, and jumped over: nothing else leads to it.
            code[at - 1] = if same {
                Instruction::IfHolds8 { at: element, from, bias, b: other, go }
            } else {
                Instruction::IfLacks8 { at: element, from, bias, b: other, go }
            };
            code[at] = Instruction::Jump { go: exact::<_, Target>(at + 1) };
        }
    }
}

/// Where a chain of jumps ends; a chain that never ends stays as it is.
fn end_of(code: &[Instruction], from: Target) -> Target {
    let mut at = from;
    for _ in 0..64 {
        match code.get(at as usize) {
            Some(Instruction::Jump { go }) if *go > at => at = *go,
            _ => return at,
        }
    }
    at
}

fn reach(code: &[Instruction], roots: &[Target]) -> Vec<bool> {
    let mut reached = vec![false; code.len()];
    let mut open: Vec<usize> = roots.iter().map(|root| *root as usize).collect();
    while let Some(at) = open.pop() {
        if at >= code.len() || std::mem::replace(&mut reached[at], true) {
            continue;
        }
        if let Some(go) = code[at].target() {
            open.push(go as usize);
        }
        if !code[at].ends() {
            open.push(at + 1);
        }
    }
    reached
}

/// Instructions that are few enough to be carried out whether anybody asks for what they work out or not.
const FEW: usize = 120;

/// Are few instructions reached from here, none of which goes back, calls, fails or touches more than slots?
fn is_short_and_straight(code: &[Instruction], from: Target) -> bool {
    let reached = reach(code, &[from]);
    let mut all = (0..).zip(code).zip(&reached).filter(|(_, reached)| **reached).map(|(each, _)| each);
    let plain = |(at, instruction): (Target, &Instruction)| {
        let leaves = matches!(
            instruction,
            Instruction::Call { .. }
                | Instruction::Refresh { .. }
                | Instruction::Keep
                | Instruction::Restore
                | Instruction::Sort { .. }
                | Instruction::Pairing { .. }
                | Instruction::Fail { .. }
                | Instruction::Tick { .. }
        );
        !leaves && instruction.target().is_none_or(|go| go > at)
    };
    all.clone().count() <= FEW && all.all(plain)
}

/// Every place where something begins that no instruction leads to.
fn each_root(program: &mut Draft, visit: &mut dyn FnMut(&mut Target)) {
    use crate::machine::Otherwise;
    visit(&mut program.begin);
    for choice in &mut program.choices {
        visit(&mut choice.every);
        if let Otherwise::Pass(go) | Otherwise::PassIfNothing(go) | Otherwise::Skip(go) = &mut choice.otherwise {
            visit(go);
        }
        if let Some(lots) = &mut choice.lots {
            visit(&mut lots.work_out);
        }
    }
    for offer in &mut program.offers {
        visit(&mut offer.every);
        visit(&mut offer.test);
        visit(&mut offer.carry_out);
    }
    for chance in &mut program.chances {
        visit(&mut chance.indices);
        visit(&mut chance.every);
        visit(&mut chance.test);
        visit(&mut chance.resume);
    }
    for region in &mut program.regions {
        visit(&mut region.work_out);
        if let Some((entry, _)) = &mut region.one_more {
            visit(entry);
        }
    }
    let invariants = program.invariants.iter_mut().map(|(_, routine)| routine);
    for routine in program.score.iter_mut().chain(invariants) {
        visit(&mut routine.entry);
    }
    if let Some(winner) = &mut program.winner {
        visit(winner);
    }
}
