//! From bytes and packed entries back to values with names, and the other way: for showing, logs and comparing.

use super::program::{Param, StatePlace};
use super::values::{code_of, fits, from_code, from_slot, to_slot};
use super::{Machine, Move, Waits};
use crate::bind::{ActionId, StateId, Type, Types, Value};
use crate::evaluate::{Decision, State, Trouble};
use crate::impossible;
use crate::internal::Must;

impl Machine<'_> {
    /// The state, as the reference evaluator has it.
    #[must_use]
    pub fn read(&self, types: &Types) -> State {
        let elements = |place: &StatePlace| (0..place.count).map(|at| self.element(types, place, at)).collect();
        State { elements: self.program.layout.iter().map(elements).collect() }
    }

    /// One element of the state.
    #[must_use]
    pub fn value(&self, types: &Types, state: StateId, at: usize) -> Option<Value> {
        let place = self.program.layout.iter().find(|place| place.state == state)?;
        let at = u32::try_from(at).ok().filter(|at| *at < place.count)?;
        Some(self.element(types, place, at))
    }

    /// Writes one element of the state, whatever the rules say about it; false if it does not fit.
    pub fn put(&mut self, types: &Types, state: StateId, at: usize, value: &Value) -> bool {
        let Some(place) = self.program.layout.iter().find(|place| place.state == state) else { return false };
        let Some(units) = units(types, place, value) else { return false };
        let width = usize::from(place.cell.width);
        let Some(at) = u32::try_from(at).ok().filter(|at| *at < place.count) else { return false };
        let first = place.first as usize + (place.number(at) * place.cell.units) as usize * width;
        let Some(bytes) = self.state.get_mut(first..first + place.cell.units as usize * width) else { return false };
        bytes.fill(0);
        for (unit, bytes) in units.iter().zip(bytes.chunks_mut(width.max(1))) {
            bytes.copy_from_slice(unit.to_le_bytes().get(..bytes.len()).unwrap_or_default());
        }
        self.listed = false;
        self.weighed = false;
        self.decided = None;
        true
    }

    fn element(&self, types: &Types, place: &StatePlace, at: u32) -> Value {
        let width = usize::from(place.cell.width);
        let first = place.first as usize + (place.number(at) * place.cell.units) as usize * width;
        let unit = |nth: usize| {
            let bytes = self.state.get(first + nth * width..first + (nth + 1) * width).unwrap_or_default();
            let mut all = [0_u8; 8];
            all[..bytes.len()].copy_from_slice(bytes);
            u64::from_le_bytes(all)
        };
        let scalar = |ty: &Type, stored: u64| {
            let value = i64::from_le_bytes(stored.to_le_bytes()).wrapping_add(place.cell.bias);
            if place.cell.no_number && stored == 0 { Value::None } else { from_slot(types, ty, value) }
        };
        match &place.ty {
            Type::Set(inner) => {
                let low = if let Type::Int(low, _) = **inner { low } else { 0 };
                let units = place.cell.units as usize;
                let members = (0..units * 64).filter(|bit| unit(bit / 64) >> (bit % 64) & 1 == 1);
                Value::Set(
                    members
                        .map(|bit| match **inner {
                            Type::Int(..) => Value::Int(low + i64::try_from(bit).unwrap_or(0)),
                            _ => from_code(types, inner, bit as u64),
                        })
                        .collect(),
                )
            }
            Type::List(_, inner) => {
                let length = usize::try_from(unit(0)).unwrap_or(0);
                Value::List((1..=length).map(|nth| scalar(inner, unit(nth))).collect())
            }
            ty => scalar(ty, unit(0)),
        }
    }

    /// What an entry means. It must be one that is legal here.
    pub fn decision(&mut self, types: &Types, entry: Move) -> Result<Decision, Trouble> {
        let seat = match self.waits() {
            Waits::Player { seat, .. } => seat,
            Waits::Chance(_) | Waits::Nothing => impossible!("a move where nobody is asked"),
        };
        if entry == Move::PASS {
            return Ok(Decision::Pass { seat });
        }
        // Testing an entry works out what the flow binds, too.
        self.is_legal(entry)?;
        let offer = self.program.offers.get(entry.offer()).must("a legal move has an offer");
        let value = |param: &super::Param| from_slot(types, &param.ty, self.slots[usize::from(param.slot)]);
        Ok(Decision::Act { seat, action: offer.action, args: offer.params.iter().map(value).collect() })
    }

    /// What an offer of the present choice offers: the action, and the arguments that the flow binds. Nothing
    /// if one of these does not fit, so that the offer stands for nothing.
    pub fn offered(&mut self, types: &Types, number: u16) -> Option<(ActionId, Vec<Value>)> {
        let program = self.program;
        let offer = program.offers.get(usize::from(number))?;
        let bound = offer.params.get(..offer.bound)?;
        if bound.is_empty() {
            return Some((offer.action, Vec::new()));
        }
        let first = self.bound_to(number, bound, 1)?;
        // What is the same as what was put there may still be that: something else is put there.
        let open = bound.iter().zip(&first).any(|(param, value)| *value == param.low + 1);
        let values = if open { self.bound_to(number, bound, 0)? } else { first.clone() };
        if first != values {
            return None;
        }
        Some((
            offer.action,
            bound.iter().zip(values).map(|(param, value)| from_slot(types, &param.ty, value)).collect(),
        ))
    }

    /// What the flow binds some parameters to; what it does not bind stays as it was put there, so much above the least.
    fn bound_to(&mut self, offer: u16, bound: &[Param], above: i64) -> Option<Vec<i64>> {
        for param in bound {
            self.slots[usize::from(param.slot)] = param.low + above;
        }
        // Testing any entry works out what the flow binds; what comes of the test does not matter, but for a
        // trouble in the middle of it.
        self.is_legal(Move(u64::from(offer))).ok()?;
        Some(bound.iter().map(|param| self.slots[usize::from(param.slot)]).collect())
    }

    /// The entry of this offer that means this; what the flow binds is not compared.
    #[must_use]
    pub fn entry_of(&self, types: &Types, number: u16, decision: &Decision) -> Option<Move> {
        let Decision::Act { action, args, .. } = decision else { return None };
        let offer = self.program.offers.get(usize::from(number)).filter(|offer| offer.action == *action)?;
        let mut code = u64::from(number);
        for (param, value) in offer.params.iter().zip(args).skip(offer.bound) {
            let value = param.code(to_slot(types, &param.ty, value)?)?;
            if value >= param.size {
                return None;
            }
            code |= value << param.shift;
        }
        Some(Move(code))
    }
}

/// A value as it lies in the block; nothing if it is not one of its place.
fn units(types: &Types, place: &StatePlace, value: &Value) -> Option<Vec<u64>> {
    let scalar = |ty: &Type, value: &Value| {
        if !fits(types, ty, value) {
            return None;
        }
        if place.cell.no_number && *value == Value::None {
            return Some(0);
        }
        let slot = to_slot(types, ty, value)?.wrapping_sub(place.cell.bias);
        Some(u64::from_le_bytes(slot.to_le_bytes()))
    };
    match (&place.ty, value) {
        (Type::Set(inner), Value::Set(members)) => {
            let mut units = vec![0_u64; place.cell.units as usize];
            for member in members {
                if !fits(types, inner, member) {
                    return None;
                }
                let bit = usize::try_from(code_of(types, inner, member)?).ok()?;
                *units.get_mut(bit / 64)? |= 1 << (bit % 64);
            }
            Some(units)
        }
        (Type::List(_, inner), Value::List(items)) if items.len() < place.cell.units as usize => {
            let items = items.iter().map(|item| scalar(inner, item));
            std::iter::once(Some(items.len() as u64)).chain(items).collect()
        }
        (Type::Set(_) | Type::List(..), _) => None,
        (ty, value) => scalar(ty, value).map(|unit| vec![unit]),
    }
}
