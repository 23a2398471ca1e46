//! A program as text: what `show --stage program` prints.

use std::fmt::Write as _;

use super::Program;
use super::instruction::masks_for;
use super::program::{Asks, Otherwise};
use super::{Instruction, Slot, Target};
use crate::bind::Bound;

/// Lists a program: the block, the pauses, then the instructions.
#[must_use]
pub fn list(program: &Program, bound: &Bound) -> String {
    let mut text = String::new();
    let _ = writeln!(
        text,
        "program {}: {} instructions, {} table entries, {} bytes a position",
        bound.name,
        program.code.len(),
        program.tables.len(),
        program.bytes
    );
    let _ = writeln!(text, "\nblock");
    let _ = writeln!(text, "  {:>5}  pause, seat", 0);
    for place in &program.layout {
        let state = bound.state(place.state);
        let shown = bound.types.show(&place.ty).to_string();
        let _ = writeln!(
            text,
            "  {:>5}  {}: {shown}, {} of {} bytes",
            place.first,
            state.name,
            place.count,
            u32::from(place.cell.width) * place.cell.units
        );
    }
    let _ = writeln!(text, "  {:>5}  what the flow keeps, {} bytes", program.flow, program.bytes - program.flow);
    pauses(&mut text, program, bound);
    let _ = writeln!(text, "\ncode");
    let mut names = program.names.iter().peekable();
    for (at, instruction) in (0..).zip(&program.code) {
        while let Some((_, name)) = names.next_if(|(from, _)| *from <= at) {
            let _ = writeln!(text, "{name}:");
        }
        let _ = writeln!(text, "  {at:>5}  {}", Shown { program, instruction: *instruction });
    }
    text
}

fn pauses(text: &mut String, program: &Program, bound: &Bound) {
    let _ = writeln!(text, "\npauses");
    for (number, pause) in (1..).zip(&program.pauses) {
        match pause.asks {
            Asks::Chance(chance) => {
                let Some(chance) = program.chances.get(usize::from(chance)) else { continue };
                let _ = writeln!(
                    text,
                    "  {number:>5}  draw {}: every {}, test {}, then {}",
                    chance.name, chance.every, chance.test, chance.resume
                );
            }
            Asks::Player(choice) => {
                let Some(choice) = program.choices.get(usize::from(choice)) else { continue };
                let otherwise = match choice.otherwise {
                    Otherwise::Must(_) => "something must be possible".to_owned(),
                    Otherwise::Pass(go) => format!("or pass, then {go}"),
                    Otherwise::PassIfNothing(go) => format!("pass if nothing is possible, then {go}"),
                    Otherwise::Skip(go) => format!("if nothing is possible {go}"),
                };
                let _ = writeln!(text, "  {number:>5}  choose; {otherwise}");
                for offer in choice.offers.clone().filter_map(|offer| program.offers.get(usize::from(offer))) {
                    let name = &bound.action(offer.action).name;
                    let _ = writeln!(
                        text,
                        "         {name}: every {}, test {}, carry out {}",
                        offer.every, offer.test, offer.carry_out
                    );
                }
            }
        }
    }
}

struct Shown<'p> {
    program: &'p Program,
    instruction: Instruction,
}

impl Shown<'_> {
    /// A slot: its constant, or its number.
    fn slot(&self, slot: Slot) -> String {
        match self.program.constants.binary_search_by_key(&slot, |(slot, _)| *slot) {
            Ok(at) => self.program.constants[at].1.to_string(),
            Err(_) => format!("s{slot}"),
        }
    }
}

impl std::fmt::Display for Shown<'_> {
    #[expect(clippy::too_many_lines, reason = "one arm for each instruction")]
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let s = |slot: Slot| self.slot(slot);
        let masks = |bits: Slot, members: u32| match masks_for(members) {
            1 => s(bits),
            words => format!("{}..+{words}", s(bits)),
        };
        let load = |out: &mut std::fmt::Formatter<'_>, width: u8, to: Slot, from: u32, at: Slot, bias: i32| {
            let plus = if bias == 0 { String::new() } else { format!(" {bias:+}") };
            write!(out, "{} = load{width} {from}[{}]{plus}", s(to), s(at))
        };
        let store = |out: &mut std::fmt::Formatter<'_>, width: u8, value: Slot, to: u32, at: Slot, bias: i32| {
            let minus = if bias == 0 { String::new() } else { format!(" {:+}", -i64::from(bias)) };
            write!(out, "store{width} {to}[{}] = {}{minus}", s(at), s(value))
        };
        let branch = |out: &mut std::fmt::Formatter<'_>, a: Slot, sign: &str, b: Slot, go: Target| {
            write!(out, "if {} {sign} {} go {go}", s(a), s(b))
        };
        match self.instruction {
            Instruction::Copy { to, from } => write!(out, "{} = {}", s(to), s(from)),
            Instruction::Add { to, a, b } => write!(out, "{} = {} + {}", s(to), s(a), s(b)),
            Instruction::AddConst { to, a, value } => write!(out, "{} = {} {value:+}", s(to), s(a)),
            Instruction::Subtract { to, a, b } => write!(out, "{} = {} - {}", s(to), s(a), s(b)),
            Instruction::Multiply { to, a, b } => write!(out, "{} = {} * {}", s(to), s(a), s(b)),
            Instruction::Divide { to, a, b } => write!(out, "{} = {} / {}", s(to), s(a), s(b)),
            Instruction::Modulo { to, a, b } => write!(out, "{} = {} mod {}", s(to), s(a), s(b)),
            Instruction::MultiplyAdd { to, a, times, plus } => {
                write!(out, "{} = {} * {times} + {}", s(to), s(a), s(plus))
            }
            Instruction::Least { to, a, b } => write!(out, "{} = least {} {}", s(to), s(a), s(b)),
            Instruction::Most { to, a, b } => write!(out, "{} = most {} {}", s(to), s(a), s(b)),
            Instruction::Both { to, a, b } => write!(out, "{} = {} and {}", s(to), s(a), s(b)),
            Instruction::Either { to, a, b } => write!(out, "{} = {} or {}", s(to), s(a), s(b)),
            Instruction::Without { to, a, b } => write!(out, "{} = {} without {}", s(to), s(a), s(b)),
            Instruction::Matches { to, from, count, bias, b } => {
                write!(out, "{} = where {count} of load8 {from} {bias:+} are {}", s(to), s(b))
            }
            Instruction::Among { to, at, from, count, set } => {
                write!(out, "{} = where {count} of load8 {from}[{}] are in table {set}", s(to), s(at))
            }
            Instruction::Alike { to, from, other, count } => {
                write!(out, "{} = where {count} of load8 {from} are as of load8 {other}", s(to))
            }
            Instruction::Lower { to, a, by } => write!(out, "{} = {} each {by} lower", s(to), s(a)),
            Instruction::Lowest { to, a, members } => write!(out, "{} = lowest of {}", s(to), masks(a, members.into())),
            Instruction::Highest { to, a, members } => {
                write!(out, "{} = highest of {}", s(to), masks(a, members.into()))
            }
            Instruction::Tally { to, a } => write!(out, "{} += size {}", s(to), s(a)),
            Instruction::Join { bits, member } => write!(out, "join {} to {}", s(member), s(bits)),
            Instruction::Leave { bits, member } => write!(out, "take {} from {}", s(member), s(bits)),
            Instruction::Next { bits, members, to, go } => {
                write!(out, "{} = next of {}; if none go {go}", s(to), masks(bits, members))
            }
            Instruction::Jump { go } => write!(out, "go {go}"),
            Instruction::IfSame { a, b, go } => branch(out, a, "=", b, go),
            Instruction::IfOther { a, b, go } => branch(out, a, "/=", b, go),
            Instruction::IfLess { a, b, go } => branch(out, a, "<", b, go),
            Instruction::IfAtMost { a, b, go } => branch(out, a, "<=", b, go),
            Instruction::IfOutside { a, low, count, go } => {
                write!(out, "if {} outside {low}..{} go {go}", s(a), i64::from(low) + i64::from(count) - 1)
            }
            Instruction::IfMember { bits, member, go } => branch(out, member, "in", bits, go),
            Instruction::IfNoMember { bits, member, go } => branch(out, member, "not in", bits, go),
            Instruction::IfHolds8 { at, from, bias, b, go } => {
                write!(out, "if load8 {from}[{}] {bias:+} = {} go {go}", s(at), s(b))
            }
            Instruction::IfLacks8 { at, from, bias, b, go } => {
                write!(out, "if load8 {from}[{}] {bias:+} /= {} go {go}", s(at), s(b))
            }
            Instruction::Count { at, last, go } => write!(out, "next {} to {} go {go}", s(at), s(last)),
            Instruction::Tick { cost } => write!(out, "tick {cost}"),
            Instruction::Table { to, at, from, .. } => write!(out, "{} = table {from}[{}]", s(to), s(at)),
            Instruction::Find { to, at, from, go, .. } => {
                write!(out, "{} = table {from}[{}]; if none go {go}", s(to), s(at))
            }
            Instruction::Load8 { to, at, from, bias } => load(out, 8, to, from, at, bias),
            Instruction::Load16 { to, at, from, bias } => load(out, 16, to, from, at, bias),
            Instruction::Load32 { to, at, from, bias } => load(out, 32, to, from, at, bias),
            Instruction::Load64 { to, at, from } => load(out, 64, to, from, at, 0),
            Instruction::Store8 { value, at, to, bias } => store(out, 8, value, to, at, bias),
            Instruction::Store16 { value, at, to, bias } => store(out, 16, value, to, at, bias),
            Instruction::Store32 { value, at, to, bias } => store(out, 32, value, to, at, bias),
            Instruction::Store64 { value, at, to } => store(out, 64, value, to, at, 0),
            Instruction::Get { to, base, at } => write!(out, "{} = s{base}[{}]", s(to), s(at)),
            Instruction::Put { base, at, from } => write!(out, "s{base}[{}] = {}", s(at), s(from)),
            Instruction::Call { go } => write!(out, "call {go}"),
            Instruction::Return => write!(out, "return"),
            Instruction::Lots { choice } => write!(out, "lots of choice {choice}"),
            Instruction::Refresh { region } => write!(out, "refresh partition {region}"),
            Instruction::Unite { base, count, a, b } => {
                write!(out, "unite {} and {} in s{base}..+{count}", s(a), s(b))
            }
            Instruction::Pairing { to, base, rows, words } => {
                write!(out, "{} = pairing of {} rows of {words} from s{base}", s(to), s(rows))
            }
            Instruction::Sort { sorting } => write!(out, "sort {sorting}"),
            Instruction::Keep => write!(out, "keep"),
            Instruction::Restore => write!(out, "restore"),
            Instruction::Choose { choice } => write!(out, "choose {choice}"),
            Instruction::Chance { chance } => write!(out, "chance {chance}"),
            Instruction::Over => write!(out, "over"),
            Instruction::Decided { winners } => write!(out, "decided for {}", s(winners)),
            Instruction::Emit { offer } => write!(out, "emit {offer}"),
            Instruction::Weigh { value, weight } => write!(out, "weigh {} {}", s(value), s(weight)),
            Instruction::Paid { amount } => write!(out, "paid {}", s(amount)),
            Instruction::Fail { trouble } => {
                let message = self.program.troubles.get(usize::from(trouble)).map_or("?", |(message, _)| message);
                write!(out, "fail: {message}")
            }
        }
    }
}
