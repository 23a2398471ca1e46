//! Lots: what random entries are drawn from, as masks.
//!
//! To pick arguments blindly and test them costs most where few fit each other, where much is required of one, or where
//! what is legal becomes less with every entry. Where masks say something about every requirement (`narrow.rs`), a routine works out the mask of values that they leave, one
//! for each combination of the other arguments, and an entry is drawn from these. If they say all, it is legal; else it is
//! tested. Elsewhere blind picks are as fast.

use super::bits::Bits;
use super::choose::Open;
use super::compiler::{Compiler, Domain, Try, Var};
use super::products::Mask;
use crate::bind::walk::each_expr;
use crate::bind::{Expr, ExprId, LocalId, Statement};
use crate::machine::{Code, Instruction, Lot, Lots, Param};

/// Masks of one choice.
const MOST_LOTS: usize = 64;

/// Combinations of all arguments that are not in the masks.
const MOST_COMBINATIONS: usize = 16;

/// Members that a mask has room for.
const WORD: u64 = 64;

/// To test so much again and again costs more than masks do.
const HEAVY: u64 = 100;

/// Of so few possible entries one that is picked blindly is soon legal.
const FEW: u64 = 16;

impl Compiler<'_> {
    /// What entries of a choice are drawn from. Nothing if a parameter has too many values, if masks say nothing about a
    /// requirement, or if nothing is required.
    pub(super) fn lots(&mut self, choice: u16, offers: &[Open<'_>]) -> Try<Option<Lots>> {
        let possible = offers.iter().map(Open::possible).fold(0, u64::saturating_add);
        let fitting = offers.iter().any(|open| open.params.len() - open.args.len() >= 2);
        let worth = possible > FEW && (fitting || self.required(offers) > HEAVY);
        if !worth && !offers.iter().all(|open| self.uses_itself_up(open)) {
            return Ok(None);
        }
        let mark = self.code.mark();
        let entry = self.code.entry();
        let mut all = Vec::new();
        let mut good = true;
        for open in offers {
            good = good && self.lots_of(open, &mut all)?;
        }
        if !good || all.len() > MOST_LOTS || all.iter().all(|lot: &Lot| self.code.known(lot.mask).is_some()) {
            self.code.take_back(mark);
            return Ok(None);
        }
        let names = offers.iter().map(|open| open.action.name.as_str()).collect::<Vec<_>>().join(", ");
        self.code.names.push((entry, format!("lots of {names}")));
        self.code.push(Instruction::Lots { choice });
        Ok(Some(Lots { work_out: entry.0, all }))
    }

    /// Does an entry take away what the next one like it would need? Then fewer and fewer that are picked are legal.
    fn uses_itself_up(&self, open: &Open<'_>) -> bool {
        let element = |id: ExprId| match &self.bound.expr(id).kind {
            Expr::Index(base, args) => match (&self.bound.expr(*base).kind, args.as_slice()) {
                (Expr::State(state), [arg]) => match self.bound.expr(*arg).kind {
                    Expr::Local(local) => Some((*state, local)),
                    _ => None,
                },
                _ => None,
            },
            _ => None,
        };
        let written = open.action.effect.statements.iter().filter_map(|(statement, _)| match statement {
            Statement::Assign(place, _, _) => element(*place),
            _ => None,
        });
        let is_said = |name: LocalId| open.action.params.iter().any(|(param, _)| *param == name);
        let written: Vec<_> = written.filter(|(_, name)| is_said(*name)).collect();
        let mut needed = false;
        for requirement in open.action.requirements.iter().filter(|requirement| self.is_present(requirement.guard)) {
            each_expr(self.bound, requirement.condition, &mut |id, _| {
                needed |= element(id).is_some_and(|element| written.contains(&element));
            });
        }
        needed
    }

    /// How much is required, roughly.
    fn required(&mut self, offers: &[Open<'_>]) -> u64 {
        let mut required: u64 = 0;
        for requirement in offers.iter().flat_map(|open| &open.action.requirements) {
            required = required.saturating_add(self.weight(requirement.condition));
        }
        required
    }

    /// The lots of an offer; false if there can be none.
    fn lots_of(&mut self, open: &Open<'_>, all: &mut Vec<Lot>) -> Try<bool> {
        let free = &open.params[open.args.len()..];
        let action = open.action;
        let simple = free.iter().all(|param| !param.ty.is_optional() && !self.is_regions(&param.ty));
        let within = action.params.iter().any(|(_, within)| within.is_some());
        let mut after = action.requirements.iter().filter(|requirement| requirement.after);
        if !simple || within || !action.costs.is_empty() || after.any(|after| self.is_present(after.guard)) {
            return Ok(false);
        }
        let Some(draws) = draws(free) else { return Ok(false) };
        let (level, misfit) = (self.code.level(), self.code.label());
        let (locals, me) = self.enter_action(open, misfit)?;
        let mut good = true;
        for draw in draws {
            good = good && self.lot(open, draw, all)?;
        }
        self.locals = locals;
        self.me = me;
        self.code.free_to(level);
        // What the flow gives must fit, or masks would have to say that it does not.
        good &= !self.code.is_used(misfit);
        Ok(good)
    }

    /// One lot, unless it is always empty; false if no mask can say what is legal.
    fn lot(&mut self, open: &Open<'_>, draw: Draw, all: &mut Vec<Lot>) -> Try<bool> {
        let action = open.action;
        let mut counted = Vec::new();
        for (((local, _), param), code) in action.params.iter().zip(&open.params).skip(open.args.len()).zip(&draw.codes)
        {
            match *code {
                Code::Fixed(code) => {
                    let value = self.constant(param.value(code));
                    self.locals.insert(*local, Var::Slot(value));
                }
                Code::Counted { .. } => counted.push((*local, Domain { low: param.value(0), size: param.size })),
            }
        }
        let variable = match counted.as_slice() {
            [] => Bits::none(),
            [(local, of)] => {
                let low = of.low.saturating_add_unsigned(draw.from);
                Bits::of(*local, Domain { low, size: (of.size - draw.from).min(WORD) })
            }
            several => Bits::combinations(several),
        };
        let variable = variable.wanted(draw.worth);
        let mut mask = Mask::constant(draw.worth);
        let mut all_legal = true;
        for requirement in action.requirements.iter().filter(|requirement| !requirement.after) {
            if !self.is_present(requirement.guard) {
                continue;
            }
            for part in self.conjuncts(requirement.condition) {
                if mask.is_empty() {
                    return Ok(true);
                }
                let Some(said) = self.said(std::slice::from_ref(&variable), part)? else { return Ok(false) };
                all_legal &= said.exact;
                mask = said.masks.into_iter().fold(mask, |mask, allowed| self.meet(mask, allowed));
            }
        }
        let mask = self.worked_out(mask);
        let known = self.code.known(mask);
        if known != Some(0) {
            let kept = if known.is_some() { mask } else { self.code.own(1) };
            if known.is_none() {
                self.code.copy(kept, mask);
            }
            all.push(Lot { offer: open.number, mask: kept, from: draw.from, codes: draw.codes, all_legal });
        }
        Ok(true)
    }
}

/// What one lot has, before anything is asked of it.
struct Draw {
    codes: Vec<Code>,
    /// Its first combination,
    from: u64,
    /// and those from there on that are worth drawing.
    worth: i64,
}

/// How arguments are shared out to lots: all of them in one mask, if their combinations fit it; else one lot for each
/// combination of all arguments but that with most values. Nothing if these are too many.
fn draws(params: &[Param]) -> Option<Vec<Draw>> {
    let all = params.iter().map(|param| param.size).fold(1, u64::saturating_mul);
    let shared = params.len() > 1 && all <= WORD;
    let longest = params.iter().enumerate().max_by_key(|(_, param)| param.size).map(|(nth, _)| nth);
    let (mut known, mut below) = (vec![Vec::new()], all);
    for (nth, param) in params.iter().enumerate() {
        below /= param.size.max(1);
        let codes: Vec<Code> = match (shared, Some(nth) == longest) {
            (true, _) => vec![Code::Counted { each: below, of: param.size }],
            (false, true) => vec![Code::Counted { each: 1, of: param.size }],
            (false, false) => (param.first..param.first + param.picks).map(Code::Fixed).collect(),
        };
        if codes.len() > MOST_COMBINATIONS || known.len() > MOST_COMBINATIONS {
            return None;
        }
        let longer = known.iter().flat_map(|known| codes.iter().map(move |code| [known.as_slice(), &[*code]].concat()));
        known = longer.collect();
    }
    let count = if shared { all } else { longest.map_or(1, |longest| params[longest].size) };
    let words = count.div_ceil(WORD);
    if known.len() as u64 * words > MOST_LOTS as u64 {
        return None;
    }
    let is_worth = |(param, code): (&Param, u64)| (param.first..param.first + param.picks).contains(&code);
    let mut draws = Vec::new();
    for (codes, from) in known.iter().flat_map(|codes| (0..words).map(move |word| (codes, word * WORD))) {
        let worth = (0..(count - from).min(WORD)).filter(|bit| {
            let codes = codes.iter().map(|code| code.of(from + bit));
            params.iter().zip(codes).all(is_worth)
        });
        let worth = worth.fold(0_i64, |mask, bit| mask | 1 << bit);
        draws.push(Draw { codes: codes.clone(), from, worth });
    }
    Some(draws)
}
