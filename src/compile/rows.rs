//! Combinations of variables that satisfy conditions: loops in loops.
//!
//! A condition is tested as soon as its variables are known; those that are known for every member while
//! this is compiled leave only the members for which they hold.

use super::compiler::{Compiler, Domain, Try, Var};
use super::loops::{Body, Over};
use crate::bind::walk::each_expr;
use crate::bind::{Bind, DefId, Expr, ExprId, LocalId, Type};
use crate::internal::exact;
use crate::limits;

/// Combinations of variables.
struct Rows<'a> {
    binds: &'a [Bind],
    /// What is tested before the first variable is known, after the first, after the second, …
    conditions: Vec<Vec<ExprId>>,
    /// Is every loop written out?
    out: bool,
    /// How long the conditions and the body are.
    length: u64,
    /// Is something done for each combination, and not only asked?
    done: bool,
}

impl Rows<'_> {
    /// Are so few members worth a body for each? What is asked is asked often; what is done is done now and then.
    fn are_few(&self, members: usize) -> bool {
        if self.done { members as u64 * self.length <= 300 } else { members <= 16 && self.length <= 100 }
    }
}

/// Loops with no more work than this are written out.
const WRITTEN_OUT: u64 = 1500;

impl<'c> Compiler<'c> {
    /// Emits the body for each combination of variables that satisfies their conditions.
    pub(super) fn each_row(&mut self, binds: &[Bind], bodies: &[ExprId], body: Body<'_, 'c>) -> Try<()> {
        self.each_row_where(binds, &[], bodies, body)
    }

    /// The same for statements, in which these expressions stand.
    pub(super) fn each_row_done(&mut self, binds: &[Bind], inside: &[ExprId], body: Body<'_, 'c>) -> Try<()> {
        self.rows_where((binds, &[]), inside, true, body)
    }

    /// The same, where further conditions hold; each is tested as soon as its variables are known.
    pub(super) fn each_row_where(
        &mut self,
        binds: &[Bind],
        conditions: &[ExprId],
        bodies: &[ExprId],
        body: Body<'_, 'c>,
    ) -> Try<()> {
        self.rows_where((binds, conditions), bodies, false, body)
    }

    fn rows_where(
        &mut self,
        (binds, conditions): (&[Bind], &[ExprId]),
        bodies: &[ExprId],
        done: bool,
        body: Body<'_, 'c>,
    ) -> Try<()> {
        let mut work: u64 = bodies.iter().chain(conditions).map(|&id| self.weight(id)).fold(1, u64::saturating_add);
        for bind in binds.iter().rev() {
            work = work.saturating_add(bind.condition.map_or(0, |condition| self.weight(condition)));
            work = work.saturating_mul(self.run_length(bind).unwrap_or(u64::MAX));
        }
        let mut length: u64 = bodies.iter().chain(conditions).map(|&id| self.length_of(id)).sum();
        length += binds.iter().filter_map(|bind| bind.condition).map(|id| self.length_of(id)).sum::<u64>();
        let out = work <= WRITTEN_OUT;
        let rows = Rows { binds, conditions: self.by_variable(binds, conditions), out, length, done };
        let (end, level) = (self.code.label(), self.code.level());
        for &condition in &rows.conditions[0] {
            self.branch(condition, false, end)?;
        }
        self.each_of(&rows, 0, body)?;
        self.code.place(end);
        self.code.free_to(level);
        Ok(())
    }

    /// Conditions, by how many variables must be known.
    fn by_variable(&self, binds: &[Bind], conditions: &[ExprId]) -> Vec<Vec<ExprId>> {
        let mut sorted = vec![Vec::new(); binds.len() + 1];
        for &condition in conditions {
            let mut needed = 0;
            each_expr(self.bound, condition, &mut |_, kind| {
                if let Expr::Local(local) = kind {
                    let at = binds.iter().rposition(|bind| bind.local == *local);
                    needed = needed.max(at.map_or(0, |at| at + 1));
                }
            });
            sorted[needed].push(condition);
        }
        for (nth, bind) in binds.iter().enumerate() {
            sorted[nth + 1].splice(0..0, bind.condition);
        }
        sorted
    }

    fn each_of(&mut self, rows: &Rows<'_>, nth: usize, body: Body<'_, 'c>) -> Try<()> {
        let Some(bind) = rows.binds.get(nth) else { return body(self) };
        let level = self.code.level();
        let end = self.code.label();
        let mut over = self.span_of(bind, end)?;
        let mut conditions = rows.conditions[nth + 1].clone();
        let mut few = false;
        if let Over::Numbers(low, count) = over {
            const MOST: u64 = 1024;
            if count <= MOST {
                let members = self.filtered(bind, (low, count), &mut conditions)?;
                few = members.len() <= 2 || rows.are_few(members.len());
                let of = Domain { low, size: count };
                // What is done may change what is asked.
                let narrow = !(rows.out || few || rows.done);
                if narrow && let Some(set) = self.narrowed(bind.local, of, Some(&members), &mut conditions)? {
                    over = Over::Set(set);
                } else if u64::try_from(members.len()).is_ok_and(|left| left < count) {
                    over = Over::Known(members);
                }
            }
        }
        let out = rows.out || few || matches!(over, Over::Ends(..)) && rows.length < 100;
        let (outside, copies) = (self.copies, self.copies.saturating_mul(self.most_members(&over)));
        let out = out && copies.saturating_mul(rows.length.max(1)) <= limits::WRITTEN_OUT;
        if out {
            self.copies = copies;
        }
        let written = self.each(&over, None, out, &mut |compiler, value| {
            compiler.locals.insert(bind.local, Var::Slot(value));
            let next = compiler.code.label();
            for &condition in &conditions {
                compiler.branch(condition, false, next)?;
            }
            compiler.each_of(rows, nth + 1, body)?;
            compiler.code.place(next);
            Ok(())
        });
        self.copies = outside;
        written?;
        self.code.place(end);
        self.code.free_to(level);
        Ok(())
    }

    /// How often the body of a loop is written if it is written out.
    fn most_members(&self, over: &Over) -> u64 {
        match over {
            Over::Numbers(_, count) => *count,
            Over::Known(members) => members.len() as u64,
            Over::Seats(_) => u64::from(self.bound.players.count),
            Over::Ends(..) => 2,
            Over::Set(set) => set.of.size,
            Over::Range(..) | Over::List(_) | Over::Regions(_) | Over::Region(..) => 1,
        }
    }

    /// The members for which those conditions hold that are known for every member; what is left to be
    /// tested stays among the conditions.
    fn filtered(&mut self, bind: &Bind, (low, count): (i64, u64), conditions: &mut Vec<ExprId>) -> Try<Vec<i64>> {
        let last = low.saturating_add(exact::<_, i64>(count));
        let mut members: Vec<i64> = (low..last).collect();
        let mut left = Vec::new();
        for &condition in conditions.iter() {
            let known = self.is_known_but_for(condition, &[bind.local]);
            let kept = if known { self.members_with(bind, &members, condition)? } else { None };
            match kept {
                Some(kept) => members = kept,
                None => left.push(condition),
            }
        }
        *conditions = left;
        Ok(members)
    }

    /// The members for which a condition holds, if that comes out for every one.
    fn members_with(&mut self, bind: &Bind, members: &[i64], condition: ExprId) -> Try<Option<Vec<i64>>> {
        let mut kept = Vec::new();
        for &member in members {
            match self.holds_for(bind.local, member, condition)? {
                Some(true) => kept.push(member),
                Some(false) => {}
                None => return Ok(None),
            }
        }
        Ok(Some(kept))
    }

    /// Does an expression mention a name?
    pub(super) fn mentions(&self, id: ExprId, name: LocalId) -> bool {
        let mut found = false;
        each_expr(self.bound, id, &mut |_, kind| found |= matches!(kind, Expr::Local(local) if *local == name));
        found
    }

    /// Does a condition depend on nothing but a variable, by all its names, and what is known?
    pub(super) fn is_known_but_for(&self, condition: ExprId, variable: &[LocalId]) -> bool {
        let mut known = true;
        let (mut open, mut seen): (Vec<ExprId>, Vec<DefId>) = (vec![condition], Vec::new());
        let mut params: Vec<LocalId> = variable.to_vec();
        while let Some(id) = open.pop() {
            each_expr(self.bound, id, &mut |id, kind| match kind {
                Expr::Local(local) if !params.contains(local) => match self.locals.get(local) {
                    Some(Var::Slot(slot)) => known &= self.code.known(*slot).is_some(),
                    _ => known = false,
                },
                Expr::Def(def, _) if seen.contains(def) => {}
                Expr::Def(def, _) => {
                    seen.push(*def);
                    let def = self.bound.def(*def);
                    params.extend(&def.params);
                    open.push(def.body);
                }
                Expr::Me => known &= matches!(self.me, Some(Var::Slot(slot)) if self.code.known(slot).is_some()),
                Expr::State(_)
                | Expr::Award(..)
                | Expr::Score(_)
                | Expr::Aggregate(..)
                | Expr::SetOf(_)
                | Expr::ListOf(_)
                | Expr::Outcome(_) => known = false,
                Expr::Make(ty, _) => known &= !self.is_regions(&Type::Named(*ty)),
                Expr::Members(ty) => known &= !self.is_regions(ty),
                _ => known &= !self.is_regions(self.ty(id).plain()),
            });
        }
        known
    }

    /// Compiles a condition for one member, and looks what came of it: nothing if it is not known.
    pub(super) fn holds_for(&mut self, name: LocalId, member: i64, condition: ExprId) -> Try<Option<bool>> {
        let value = self.constant(member);
        self.locals.insert(name, Var::Slot(value));
        self.holds_now(condition)
    }

    /// The same with all names as they are.
    pub(super) fn holds_now(&mut self, condition: ExprId) -> Try<Option<bool>> {
        let (no, mark) = (self.code.label(), self.code.mark());
        self.branch(condition, false, no)?;
        let holds = if self.code.nothing_since(mark) {
            Some(true)
        } else {
            self.code.only_jumped_since(mark, no).then_some(false)
        };
        self.code.take_back(mark);
        Ok(holds)
    }
}
