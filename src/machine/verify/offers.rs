//! Offers: what moves are made of, and what random moves are drawn from.

use super::{Seen, Verifier, must};
use crate::bind::Type;
use crate::machine::lots::{Code, Lot};
use crate::machine::program::{Choice, Offer, Param};
use crate::machine::{Move, none_of};

/// The bits of a move; the highest is never set, so that no move is a pass.
const BITS: u32 = 63;

impl Verifier<'_> {
    pub(super) fn offers(&self) -> Seen {
        let draft = self.draft;
        must(draft.offers.len() <= 1 << Move::OFFER_BITS, || "offers".to_owned(), "there are too many")?;
        let mut taken = vec![false; draft.offers.len()];
        for (number, choice) in draft.choices.iter().enumerate() {
            let place = || format!("choice {number}");
            let (first, last) = (usize::from(choice.offers.start), usize::from(choice.offers.end));
            must(first <= last && last <= draft.offers.len(), place, "it offers what there is not")?;
            for offer in &mut taken[first..last] {
                must(!std::mem::replace(offer, true), place, "it offers what another choice offers")?;
            }
            let sum = draft.offers[first..last].iter().fold(0, |sum: u64, offer| offer.possible.saturating_add(sum));
            must(choice.possible == sum, place, "its offers do not allow as many moves")?;
            self.lots(choice, &place)?;
        }
        for (number, offer) in draft.offers.iter().enumerate() {
            self.offer(offer, &|| format!("offer {number}"))?;
        }
        Ok(())
    }

    fn offer(&self, offer: &Offer, place: &dyn Fn() -> String) -> Seen {
        for target in [offer.every, offer.test, offer.carry_out] {
            self.target(target, place)?;
        }
        must(offer.bound <= offer.params.len(), place, "it binds more parameters than it has")?;
        let mut shift = Move::OFFER_BITS;
        let mut possible = Some(1_u64);
        for (nth, param) in offer.params.iter().enumerate() {
            self.written(param.slot, place)?;
            must(is_range(param), place, "a parameter's values are not those of its type")?;
            let picked = param.first.checked_add(param.picks).is_some_and(|end| end <= param.size);
            must(picked, place, "a parameter's picks are not among its values")?;
            if nth < offer.bound {
                must(param.bits == 0, place, "what the flow binds is part of a move")?;
                continue;
            }
            must(param.shift >= shift && param.shift.saturating_add(param.bits) <= BITS, place, "parameters overlap")?;
            must(param.size <= 1 << param.bits, place, "a parameter has more values than its bits")?;
            shift = param.shift + param.bits;
            possible = possible.and_then(|possible| possible.checked_mul(param.picks));
        }
        must(possible == Some(offer.possible), place, "its parameters do not allow as many moves")?;
        must(offer.possible < 1 << BITS, place, "it allows too many moves")
    }

    fn lots(&self, choice: &Choice, place: &dyn Fn() -> String) -> Seen {
        let Some(lots) = &choice.lots else { return Ok(()) };
        self.target(lots.work_out, place)?;
        lots.all.iter().try_for_each(|lot| self.lot(choice, lot, place))
    }

    fn lot(&self, choice: &Choice, lot: &Lot, place: &dyn Fn() -> String) -> Seen {
        must(choice.offers.contains(&lot.offer), place, "moves of another choice are drawn")?;
        let Some(offer) = self.draft.offers.get(usize::from(lot.offer)) else {
            return must(false, place, "there is no such offer");
        };
        let params = offer.params.get(offer.bound..).unwrap_or_default();
        must(params.len() == lot.codes.len(), place, "a drawn move has other parameters than its offer")?;
        let mut slower = Some(1_u64);
        let mut counted: Vec<(u64, u64)> = Vec::new();
        for (param, code) in params.iter().zip(&lot.codes) {
            match *code {
                Code::Fixed(code) => must(code < param.size, place, "a drawn parameter has no such value")?,
                Code::Counted { each, of } => {
                    let plain = !matches!(param.ty, Type::Optional(_));
                    must(plain && of > 0 && of <= param.size, place, "a drawn parameter has not so many values")?;
                    counted.push((each, of));
                }
            }
        }
        counted.sort_unstable();
        for (each, of) in counted {
            must(Some(each) == slower, place, "drawn parameters are not counted one after the other")?;
            slower = slower.and_then(|slower| slower.checked_mul(of)).filter(|all| *all < 1 << BITS);
        }
        must(slower.is_some_and(|all| lot.from < all), place, "a mask begins behind its last move")
    }
}

/// Are the values of a parameter those of its type, as far as the type says?
fn is_range(param: &Param) -> bool {
    let (low, size) = (i128::from(param.low), i128::from(param.size));
    let optional = i128::from(param.ty.is_optional());
    let last = low + size - 1;
    let fits = match param.ty.plain() {
        Type::Int(least, most) => low == i128::from(*least) - optional && last == i128::from(*most),
        Type::Bool => low == -optional && last == 1,
        plain => low == -optional && (!param.ty.is_optional() || i128::from(none_of(plain)) == low),
    };
    fits && param.size < 1 << 62 && i64::try_from(last).is_ok()
}
