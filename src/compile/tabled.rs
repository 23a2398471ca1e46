//! Conditions, masks and turned sets that few things decide, as tables.
//!
//! `any c in edge: c in closed_edge` takes several comparisons each time it is asked, and yet one of twelve edges and one of
//! thirteen decide it: all answers are worked out here, by the reference, and asking is one look into a table.
//! So is a set that is turned: all its turns are worked out instead of turning member by member.

use crate::internal::exact;
use std::rc::Rc;

use super::access::masks;
use super::bits::{Bits, Values};
use super::compiler::{Compiler, Domain, SetVal, TableKey, Try, Var};
use crate::bind::walk::each_expr;
use crate::bind::{DefId, Expr, ExprId, LocalId, StateId, Type, TypeId, Value};
use crate::evaluate::{Frame, State};
use crate::machine::{Slot, from_slot, none_of, scalar_size};

/// More answers than these are not worked out beforehand.
const MOST: usize = 512;

/// What is not heavier is asked at once.
const LIGHT: u64 = 10;

/// Something that decides.
#[derive(Debug, Clone)]
pub(super) struct Input {
    what: What,
    ty: Type,
    /// What stands for its least value in a slot.
    from: i64,
    /// How many values it can have.
    size: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum What {
    Local(LocalId),
    State(StateId),
    Me,
}

/// Masks, one for each case.
struct Cases {
    inputs: Vec<Input>,
    /// What names stand for at each bit.
    varying: Vec<(LocalId, Values)>,
    /// Locals whose values are known.
    fixed: Vec<(LocalId, i64)>,
    masks: Vec<i64>,
}

impl Compiler<'_> {
    /// 1 if a condition holds, from a table; nothing if it is light, or too much decides it.
    pub(super) fn tabled(&mut self, id: ExprId) -> Try<Option<Slot>> {
        if self.weight(id) <= LIGHT {
            return Ok(None);
        }
        let key = TableKey::Condition(id);
        let Some(inputs) = self.tabled_by(id, &key, |_, value, answers| {
            answers.push(i64::from(value == Value::Bool(true)));
            Some(())
        }) else {
            return Ok(None);
        };
        let Some(at) = self.place_in_table(&inputs)? else { return Ok(None) };
        let table = self.make_table(key, Vec::new);
        Ok(Some(self.code.table(table, at)))
    }

    /// A set of cells or borders after so many quarter turns, from a table; nothing if too much decides the set.
    pub(super) fn tabled_turns(&mut self, id: ExprId, ty: TypeId, turns: Slot, of: Domain) -> Try<Option<SetVal>> {
        let key = TableKey::Turned(id);
        let inner = Type::Named(ty);
        let Some(inputs) = self.tabled_by(id, &key, |compiler, value, answers| {
            let Value::Set(members) = value else { return None };
            for turns in 0..4 {
                let turned = members.iter().filter_map(|member| match member {
                    Value::Member(_, at) => u32::try_from(compiler.game.rotated(ty, *at, turns)).ok(),
                    _ => None,
                });
                let turned = Value::Set(turned.map(|at| Value::Member(ty, at)).collect());
                answers.extend(masks(compiler.types(), &inner, &turned, of.words()));
            }
            Some(())
        }) else {
            return Ok(None);
        };
        let Some(at) = self.place_in_table(&inputs)? else { return Ok(None) };
        let at = self.code.multiply_add(at, 4, turns);
        let table = self.make_table(key, Vec::new);
        Ok(Some(self.set_from_table(table, at, 0, of)))
    }

    /// The members for which a condition holds, from a table with a mask for each case of what else decides it; nothing if
    /// that is too much.
    pub(super) fn tabled_mask(&mut self, bits: &Bits, id: ExprId) -> Try<Option<Slot>> {
        let Some(cases) = self.cases_of_mask(bits, id) else { return Ok(None) };
        if let [first, rest @ ..] = cases.masks.as_slice()
            && rest.iter().all(|mask| mask == first)
        {
            return Ok(Some(self.constant(*first)));
        }
        let Some(at) = self.place_in_table(&cases.inputs)? else { return Ok(None) };
        let table = self.make_table(TableKey::Masks(id, bits.count(), cases.varying, cases.fixed), || cases.masks);
        Ok(Some(self.code.table(table, at)))
    }

    fn cases_of_mask(&self, bits: &Bits, id: ExprId) -> Option<Cases> {
        let (mut varying, mut inputs, mut fixed) = (Vec::new(), Vec::new(), Vec::new());
        for what in self.deciders(id)? {
            let local = if let What::Local(local) = what { Some(local) } else { None };
            let known = local.and_then(|local| match self.locals.get(&local) {
                Some(Var::Slot(slot)) => self.code.known(*slot).map(|value| (local, value)),
                _ => None,
            });
            let each = local.and_then(|local| Some((local, Rc::clone(bits.values(local)?))));
            match (each, known) {
                (Some(each), _) => varying.push(each),
                (None, Some(known)) => fixed.push(known),
                (None, None) => inputs.push(self.input(what)?),
            }
        }
        // Bits that differ in nothing that matters are asked once.
        let mut asked: Vec<Vec<(LocalId, i64)>> = Vec::new();
        let mut asked_by_bit = Vec::new();
        for bit in 0..bits.count() {
            let now: Vec<(LocalId, i64)> = varying.iter().map(|(name, values)| (*name, values[bit])).collect();
            let known = asked.iter().position(|known| *known == now);
            asked_by_bit.push(known.unwrap_or(asked.len()));
            if known.is_none() {
                asked.push(now);
            }
        }
        let cases = inputs.iter().fold(1, |all: usize, input| all.saturating_mul(input.size));
        if cases.saturating_mul(asked.len()) > MOST {
            return None;
        }
        let mut answers = Vec::new();
        for now in asked {
            let now: Vec<(LocalId, i64)> = fixed.iter().copied().chain(now).collect();
            self.each_case(id, &inputs, &now, |value| {
                answers.push(value == Value::Bool(true));
                Some(())
            })?;
        }
        let holds = |case: usize, asked: usize| i64::from(answers[asked * cases + case]);
        let mask =
            |case: usize| (0..).zip(&asked_by_bit).fold(0_i64, |mask, (bit, asked)| mask | holds(case, *asked) << bit);
        Some(Cases { inputs, varying, fixed, masks: (0..cases).map(mask).collect() })
    }

    /// What decides an expression; its table is there, made of what the reference says in every case.
    fn tabled_by(
        &mut self,
        id: ExprId,
        key: &TableKey,
        mut write: impl FnMut(&Self, Value, &mut Vec<i64>) -> Option<()>,
    ) -> Option<Vec<Input>> {
        if let Some(known) = self.inputs.get(key) {
            return known.clone();
        }
        let found = self.find_inputs(id).and_then(|inputs| {
            let mut answers = Vec::new();
            self.each_case(id, &inputs, &[], |value| write(self, value, &mut answers))?;
            self.make_table(key.clone(), || answers);
            Some(inputs)
        });
        self.inputs.insert(key.clone(), found.clone());
        found
    }

    /// Which case it is; nothing where one of the inputs cannot be had.
    fn place_in_table(&mut self, inputs: &[Input]) -> Try<Option<Slot>> {
        let mut at = self.constant(0);
        for input in inputs {
            let value = match input.what {
                What::Local(local) => match self.locals.get(&local).cloned() {
                    Some(var @ (Var::Slot(_) | Var::Kept(_))) => Some(self.read(&var)),
                    _ => None,
                },
                What::Me => self.me.clone().map(|me| self.read(&me)),
                What::State(_) => None,
            };
            let nth = match (input.what, value) {
                // What is stored counts from the least value on, with nothing before it.
                (What::State(state), _) => {
                    let none = self.code.label();
                    let element = self.element(state, &[], none)?;
                    self.load_unit(&element.place, element.at, 0, 0)
                }
                (_, Some(value)) => {
                    let low = self.constant(input.from);
                    self.code.subtract(value, low)
                }
                _ => return Ok(None),
            };
            at = self.code.multiply_add(at, exact::<_, u32>(input.size), nth);
        }
        Ok(Some(at))
    }

    /// Everything that decides a condition, if that is little.
    fn find_inputs(&self, condition: ExprId) -> Option<Vec<Input>> {
        let inputs: Vec<Input> =
            self.deciders(condition)?.iter().map(|what| self.input(*what)).collect::<Option<_>>()?;
        let answers = inputs.iter().fold(1, |answers: usize, input| answers.saturating_mul(input.size));
        (!inputs.is_empty() && answers <= MOST).then_some(inputs)
    }

    /// Everything that decides a condition; nothing if regions or results do.
    fn deciders(&self, condition: ExprId) -> Option<Vec<What>> {
        let (mut found, mut good) = (Vec::new(), true);
        let (mut own, mut seen): (Vec<LocalId>, Vec<DefId>) = (Vec::new(), Vec::new());
        let mut open = vec![condition];
        while let Some(id) = open.pop() {
            each_expr(self.bound, id, &mut |id, kind| {
                let what = match kind {
                    Expr::Local(local) => Some(What::Local(*local)),
                    Expr::State(state) => Some(What::State(*state)),
                    Expr::Me => Some(What::Me),
                    _ => None,
                };
                if let Some(what) = what.filter(|what| !found.contains(what)) {
                    found.push(what);
                }
                match kind {
                    Expr::Def(def, _) => {
                        if !seen.contains(def) {
                            seen.push(*def);
                            own.extend(&self.bound.def(*def).params);
                            open.push(self.bound.def(*def).body);
                        }
                    }
                    Expr::Aggregate(_, binds, ..) => own.extend(binds.iter().map(|bind| bind.local)),
                    Expr::SetOf(bind) | Expr::ListOf(bind) => own.push(bind.local),
                    Expr::Award(..) | Expr::Score(_) | Expr::Outcome(_) | Expr::Fault => good = false,
                    // The position decides which regions there are, whoever asks.
                    Expr::Members(ty) => good &= !self.is_regions(ty),
                    Expr::Make(ty, _) => good &= !self.is_regions(&Type::Named(*ty)),
                    _ => good &= !self.is_regions(self.ty(id).plain()),
                }
            });
        }
        found.retain(|what| !matches!(what, What::Local(local) if own.contains(local)));
        good.then_some(found)
    }

    fn input(&self, what: What) -> Option<Input> {
        let ty = match what {
            What::Local(local) => self.local_type(local).clone(),
            What::Me => Type::Named(self.bound.players.ty),
            What::State(id) => {
                let state = self.bound.state(id);
                let single = state.indices.is_empty() && self.state_place(id).count == 1;
                single.then(|| state.ty.clone())?
            }
        };
        let plain = ty.plain();
        let simple = match plain {
            Type::Bool | Type::Named(_) => !self.is_regions(plain),
            // What stands for `none` in a slot is far from any number.
            Type::Int(..) => !ty.is_optional() || matches!(what, What::State(_)),
            _ => false,
        };
        let size =
            usize::try_from(scalar_size(self.types(), plain)?).ok()?.checked_add(usize::from(ty.is_optional()))?;
        let from = match plain {
            Type::Int(low, _) => *low - i64::from(ty.is_optional()),
            _ if ty.is_optional() => none_of(&ty),
            _ => 0,
        };
        simple.then_some(Input { what, ty, from, size })
    }

    /// Asks the reference in every case; nothing if it has no answer in one of them.
    fn each_case(
        &self,
        id: ExprId,
        inputs: &[Input],
        fixed: &[(LocalId, i64)],
        mut tell: impl FnMut(Value) -> Option<()>,
    ) -> Option<()> {
        for case in 0..inputs.iter().map(|input| input.size).product() {
            let mut state = State { elements: vec![Vec::new(); self.bound.states.len()] };
            let known =
                |(local, slot): &(LocalId, i64)| (*local, from_slot(self.types(), self.local_type(*local), *slot));
            let (mut locals, mut me): (Vec<_>, _) = (fixed.iter().map(known).collect(), None);
            let mut rest: usize = case;
            for input in inputs.iter().rev() {
                let nth = rest % input.size;
                let slot = input.from + i64::try_from(nth).ok()?;
                rest /= input.size;
                let nothing = nth == 0 && input.ty.is_optional();
                let value = if nothing { Value::None } else { from_slot(self.types(), &input.ty, slot) };
                match input.what {
                    What::Local(local) => locals.push((local, value)),
                    What::State(id) => state.elements.get_mut(id.at())?.push(value),
                    What::Me => me = Some(u32::try_from(slot).ok()?),
                }
            }
            let mut frame = Frame::new(&state);
            if let Some(seat) = me {
                frame = frame.acting(seat);
            }
            locals.into_iter().for_each(|(local, value)| frame.set(local, value));
            tell(self.tables.eval(id, &mut frame).ok()?)?;
        }
        Some(())
    }
}
