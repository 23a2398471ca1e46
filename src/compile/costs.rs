//! Costs: what an action takes, and whether it is there.

use super::builder::Label;
use super::compiler::{Compiler, Try};
use super::indices::within;
use crate::bind::{Action, ExprId, Price, StateId, Type};
use crate::internal::Must;
use crate::machine::{Instruction, Slot, scalar_size};

impl Compiler<'_> {
    /// Can each price be looked at for itself, whatever else is required?
    pub(super) fn costs_are_simple(&self, action: &Action) -> bool {
        let states: Vec<Option<StateId>> = action.costs.iter().map(|price| self.state_of(price.place)).collect();
        let distinct = (0..states.len()).all(|nth| !states[..nth].contains(&states[nth]));
        distinct && action.costs.iter().all(|price| price.each.is_none() && self.is_somewhere(price.place))
    }

    /// Is there an element wherever a place is asked for? To look for one that there is not is a failure of the ruleset,
    /// unless a requirement refuses the entry before.
    fn is_somewhere(&self, place: ExprId) -> bool {
        let Some(state) = self.state_of(place) else { return false };
        let indices = self.bound.state(state).indices.iter();
        let is_member = |arg: ExprId, ty: &Type| !self.ty(arg).is_optional() && within(self.ty(arg), ty);
        self.state_place(state).count > 0
            && self.indices_of(place).iter().zip(indices).all(|(arg, ty)| is_member(*arg, ty))
    }

    /// On to the label unless a price can be paid.
    pub(super) fn afford(&mut self, price: &Price, no: Label) -> Try<()> {
        let (free, level) = (self.code.label(), self.code.level());
        let amount = self.strict(price.amount, free)?;
        let element = self.place_of(price.place)?;
        let have = self.load_one(&element.place, element.at);
        let left = self.code.subtract(have, amount);
        self.must_be_left(price.place, left, no);
        self.code.place(free);
        self.code.free_to(level);
        Ok(())
    }

    fn must_be_left(&mut self, place: ExprId, left: Slot, no: Label) {
        let ty = self.place_type(place);
        if let Type::Int(low, _) = ty {
            self.code.jump_outside(left, low, scalar_size(self.types(), &ty).must("a scalar type has a size"), no);
        }
    }

    /// Pays all prices, which are worked out before any is paid. On to the label if one cannot be paid.
    pub(super) fn pay(&mut self, action: &Action, no: Option<Label>) -> Try<()> {
        if action.costs.is_empty() && no.is_none() {
            let zero = self.constant(0);
            self.code.push(Instruction::Paid { amount: zero });
            return Ok(());
        }
        let (total, zero) = (self.code.fresh(), self.constant(0));
        self.code.copy(total, zero);
        let mut prices = Vec::new();
        for price in &action.costs {
            let most = match &price.each {
                Some(each) => self.most_rows(each)?,
                None => 1,
            };
            let (count, places, amounts) = (self.code.fresh(), self.code.run(most), self.code.run(most));
            self.code.copy(count, zero);
            let mut found = None;
            let mut work_out = |compiler: &mut Self| -> Try<()> {
                let free = compiler.code.label();
                let amount = compiler.strict(price.amount, free)?;
                let element = compiler.place_of(price.place)?;
                compiler.code.push(Instruction::Put { base: places, at: count, from: element.at });
                compiler.code.push(Instruction::Put { base: amounts, at: count, from: amount });
                compiler.code.push(Instruction::AddConst { to: count, a: count, value: 1 });
                found = Some(element.place);
                compiler.code.place(free);
                Ok(())
            };
            match &price.each {
                Some(each) => self.each_row(std::slice::from_ref(each), &[], &mut work_out)?,
                None => work_out(self)?,
            }
            prices.push((price, count, places, amounts, found));
        }
        for (price, count, places, amounts, place) in prices {
            let Some(place) = place else { continue };
            let fail = match no {
                Some(no) => no,
                None => self.misfit(price.place, &self.place_type(price.place)),
            };
            let (end, one) = (self.code.label(), self.constant(1));
            self.code.jump_if(super::fold::Test::Same, count, zero, true, end);
            let last = self.code.subtract(count, one);
            self.storing(|compiler| {
                compiler.count_up(zero, last, None, &mut |compiler, nth| {
                    let at = compiler.code.work_out(|to| Instruction::Get { to, base: places, at: nth });
                    let amount = compiler.code.work_out(|to| Instruction::Get { to, base: amounts, at: nth });
                    let have = compiler.load_one(&place, at);
                    let left = compiler.code.subtract(have, amount);
                    compiler.must_be_left(price.place, left, fail);
                    compiler.store_one(&place, at, left);
                    compiler.code.push(Instruction::Add { to: total, a: total, b: amount });
                    Ok(())
                })
            })?;
            self.code.place(end);
        }
        if no.is_none() {
            self.code.push(Instruction::Paid { amount: total });
        }
        Ok(())
    }
}
