//! The first place of a track: `first r in 1..6 where disc[Hole(k, r)] is none`.
//!
//! Another variable says which track it is, and its places lie in the state in the order of the track. So the places of
//! all tracks are asked at once, those of one are left, and the lowest or highest of them is the one: nothing is gone
//! through.

use super::bits::Bits;
use super::compiler::{Compiler, Domain, TableKey, Try, Var};
use super::fold::Masks;
use super::rays::nearest;
use crate::ast::BinaryOp;
use crate::bind::walk::each_expr;
use crate::bind::{Bind, Expr, ExprId, LocalId, StateId, Type};
use crate::internal::exact;
use crate::machine::{Instruction, Slot, first_members, none_of};

/// Tracks, and places of all of them.
const MOST: u64 = 64;

/// What is looked for.
struct Tracks<'c> {
    state: StateId,
    args: &'c [ExprId],
    value: ExprId,
    is: bool,
    /// Which track it is: the variable, and what it runs over.
    which: (LocalId, Domain),
}

/// Where places lie.
struct Lines {
    /// For each track its elements.
    masks: Vec<i64>,
    /// For no element, and for each, what stands for it on its track.
    members: Vec<i64>,
    /// Do elements rise along the tracks?
    rises: bool,
}

impl<'c> Compiler<'c> {
    /// What is found first on a track, or what stands for nothing; nothing if places have to be gone through.
    pub(super) fn first_on_track(&mut self, binds: &[Bind], by: &[ExprId]) -> Try<Option<Slot>> {
        let ([bind], []) = (binds, by) else { return Ok(None) };
        let Some(tracks) = self.tracks(bind) else { return Ok(None) };
        let place = self.state_place(tracks.state).clone();
        let plain = place.cell.width == 1 && place.cell.units == 1 && !place.cell.no_number;
        let (Ok(count), Ok(bias)) = (u8::try_from(place.count), i16::try_from(place.cell.bias)) else {
            return Ok(None);
        };
        let Some(range) = self.known_range(bind).filter(|range| range.len() > 2) else { return Ok(None) };
        if !plain || count == 0 || u64::from(count) > MOST {
            return Ok(None);
        }
        let Some(lines) = self.lines(bind, &tracks, &range)? else { return Ok(None) };
        let shape = self.bound.state(tracks.state).ty.clone();
        let b = self.scalar_as(tracks.value, &shape)?;
        let all = self.constant(first_members(u64::from(count)));
        let mut wanted = self.code.work_out(|to| Instruction::Matches { to, from: place.first, count, bias, b });
        if !tracks.is {
            wanted = self.code.masks(Masks::Without, all, wanted);
        }
        let (name, of) = tracks.which;
        let Some(Var::Slot(which)) = self.locals.get(&name).cloned() else { return Ok(None) };
        let low = self.constant(of.low);
        let nth = self.code.subtract(which, low);
        let table = self.make_table(TableKey::Track(lines.masks.clone()), || lines.masks);
        let line = self.code.table(table, nth);
        let a = self.code.masks(Masks::Both, wanted, line);
        let found = self.code.work_out(|to| nearest(lines.rises, to, a, count.into()));
        let one = self.constant(1);
        let at = self.code.add(found, one);
        let table = self.make_table(TableKey::Track(lines.members.clone()), || lines.members);
        Ok(Some(self.code.table(table, at)))
    }

    /// `first x in … where S[f(x, k)] is v`
    fn tracks(&self, bind: &Bind) -> Option<Tracks<'c>> {
        let bound = self.bound;
        let Expr::Binary(op @ (BinaryOp::Is | BinaryOp::IsNot), left, value) = &bound.expr(bind.condition?).kind else {
            return None;
        };
        let Expr::Index(base, args) = &bound.expr(*left).kind else { return None };
        let Expr::State(state) = bound.expr(*base).kind else { return None };
        let mut unknown: Vec<LocalId> = Vec::new();
        for arg in args {
            each_expr(bound, *arg, &mut |_, kind| {
                if let Expr::Local(local) = kind
                    && *local != bind.local
                    && !unknown.contains(local)
                    && !matches!(self.locals.get(local), Some(Var::Slot(slot)) if self.code.known(*slot).is_some())
                {
                    unknown.push(*local);
                }
            });
        }
        let [name] = unknown.as_slice() else { return None };
        let ty = self.local_type(*name);
        let size = crate::machine::scalar_size(self.types(), ty).filter(|size| *size <= MOST)?;
        let low = match ty {
            Type::Int(low, _) => *low,
            Type::Named(_) if !self.is_regions(ty) => 0,
            _ => return None,
        };
        let which = (*name, Domain { low, size });
        let free = !self.mentions(*value, bind.local) && !bind.clockwise;
        free.then_some(Tracks { state, args, value: *value, is: *op == BinaryOp::Is, which })
    }

    /// Where the places of each track lie, if they lie in its order, and no place is on two tracks in two ways.
    fn lines(&mut self, bind: &Bind, tracks: &Tracks<'_>, range: &[i64]) -> Try<Option<Lines>> {
        let (name, of) = tracks.which;
        let before = self.locals.get(&name).cloned();
        let (low, size) = (range[0], range.len() as u64);
        let bits = Bits::of(bind.local, Domain { low, size });
        let nothing = none_of(self.local_type(bind.local));
        let count = self.state_place(tracks.state).count as usize;
        let (mut masks, mut members, mut rises) = (Vec::new(), vec![nothing; count + 1], None);
        let mut good = range.windows(2).all(|pair| pair[1] == pair[0] + 1);
        for track in 0..exact::<_, i64>(of.size) {
            let value = self.constant(of.low + track);
            self.locals.insert(name, Var::Slot(value));
            let elements = self.elements_of_all(&bits, tracks.state, tracks.args)?;
            let elements: Option<Vec<i64>> = elements.and_then(|elements| elements.iter().copied().collect());
            let elements = elements.filter(|_| good).unwrap_or_default();
            let up = elements.windows(2).all(|pair| pair[0] < pair[1]);
            let down = elements.windows(2).all(|pair| pair[0] > pair[1]);
            good &= !elements.is_empty() && (up || down) && *rises.get_or_insert(up) == up;
            for (&element, &member) in elements.iter().zip(range) {
                let place = usize::try_from(element + 1).ok().and_then(|at| members.get_mut(at));
                good &= place.is_some_and(|known| {
                    let free = *known == nothing || *known == member;
                    *known = member;
                    free
                });
            }
            masks.push(elements.iter().fold(0, |mask, element| mask | 1 << element));
        }
        self.locals.extend(before.map(|before| (name, before)));
        Ok(good.then_some(Lines { masks, members, rises: rises.unwrap_or(true) }))
    }
}
