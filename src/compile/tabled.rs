//! Conditions, masks and turned sets that few things decide, as tables.
//!
//! `any c in edge: c in closed_edge` takes several comparisons each time it is asked, and yet one of twelve edges and one of
//! thirteen decide it: all answers are worked out here, by the reference, and asking is one look into a table.
//! So is a set that is turned: all its turns are worked out instead of turning member by member.

use super::access::masks;
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
    pub(super) fn tabled_mask(&mut self, names: &[LocalId], of: Domain, id: ExprId) -> Try<Option<Slot>> {
        let Some(cases) = self.cases_of_mask(names, of, id) else { return Ok(None) };
        if let [first, rest @ ..] = cases.masks.as_slice()
            && rest.iter().all(|mask| mask == first)
        {
            return Ok(Some(self.constant(*first)));
        }
        let Some(at) = self.place_in_table(&cases.inputs)? else { return Ok(None) };
        let table = self.make_table(TableKey::Masks(id, of.low, cases.fixed), || cases.masks);
        Ok(Some(self.code.table(table, at)))
    }

    fn cases_of_mask(&self, names: &[LocalId], of: Domain, id: ExprId) -> Option<Cases> {
        let (mut variable, mut inputs, mut fixed) = (None, Vec::new(), Vec::new());
        for what in self.deciders(id)? {
            let known = match what {
                What::Local(local) => match self.locals.get(&local) {
                    Some(Var::Slot(slot)) => self.code.known(*slot).map(|value| (local, value)),
                    _ => None,
                },
                _ => None,
            };
            match (what, known) {
                (What::Local(local), _) if names.contains(&local) => {
                    let members = Input { from: of.low, size: usize::try_from(of.size).ok()?, ..self.input(what)? };
                    if variable.replace(members).is_some() {
                        return None;
                    }
                }
                (_, Some(known)) => fixed.push(known),
                _ => inputs.push(self.input(what)?),
            }
        }
        let members = variable.as_ref().map_or(1, |input| input.size);
        let asked: Vec<Input> = inputs.iter().cloned().chain(variable).collect();
        if asked.iter().fold(1, |all: usize, input| all.saturating_mul(input.size)) > MOST {
            return None;
        }
        let mut answers = Vec::new();
        self.each_case(id, &asked, &fixed, |value| {
            answers.push(value == Value::Bool(true));
            Some(())
        })?;
        let all = if of.size >= 64 { -1 } else { (1 << of.size) - 1 };
        let mask = |answers: &[bool]| match answers {
            [same] if members == 1 => i64::from(*same) * all,
            each => (0..).zip(each).fold(0_i64, |mask, (bit, holds)| mask | i64::from(*holds) << bit),
        };
        let masks = answers.chunks(members.max(1)).map(mask).collect();
        Some(Cases { inputs, fixed, masks })
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
                    Some(var @ (Var::Slot(_) | Var::Kept(_))) => self.read(&var),
                    _ => return Ok(None),
                },
                What::Me => match self.me.clone() {
                    Some(me) => self.read(&me),
                    None => return Ok(None),
                },
                What::State(state) => {
                    let none = self.code.label();
                    let element = self.element(state, &[], none)?;
                    self.load_one(&element.place, element.at)
                }
            };
            let low = self.constant(input.from);
            let nth = self.code.subtract(value, low);
            at = self.code.multiply_add(at, u32::try_from(input.size).unwrap_or(u32::MAX), nth);
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
            // What stands for `none` is far from any number.
            Type::Int(..) => !ty.is_optional(),
            _ => false,
        };
        let size =
            usize::try_from(scalar_size(self.types(), plain)?).ok()?.checked_add(usize::from(ty.is_optional()))?;
        let from = match plain {
            Type::Int(low, _) => *low,
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
                let slot = input.from + i64::try_from(rest % input.size).ok()?;
                rest /= input.size;
                let value = from_slot(self.types(), &input.ty, slot);
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
            tell(self.game.eval(id, &mut frame).ok()?)?;
        }
        Some(())
    }
}
