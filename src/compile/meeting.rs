//! Two variables that meet in one value: `any a in A, b in B: P(a) and Q(b) and f(a) is g(b)`.
//!
//! Instead of all pairs, what the first ones come to is put into a set, and the second ones look whether they come to
//! anything in there.

use super::builder::Label;
use super::compiler::{Compiler, Domain, Try};
use super::fold::Test;
use crate::ast::BinaryOp;
use crate::bind::{Bind, Expr, ExprId, LocalId, Type, TypeKind};

/// Fewer pairs are asked one by one.
const FEWEST_PAIRS: u64 = 64;

/// Values that two variables may meet in.
const MOST_VALUES: u64 = 1024;

/// What is asked of two variables.
struct Meeting {
    /// Of the first, and of the second.
    alone: [Vec<ExprId>; 2],
    /// What must be the same.
    values: [ExprId; 2],
    of: Domain,
}

impl Compiler<'_> {
    /// On to `found` if there are two that meet; false, and nothing is written, if it cannot be asked in this way.
    pub(super) fn branch_meeting(&mut self, binds: &[Bind], conditions: &[ExprId], found: Label) -> Try<bool> {
        let [one, other] = binds else { return Ok(false) };
        let Some(meeting) = self.meeting([one, other], conditions)? else { return Ok(false) };
        let level = self.code.level();
        let (set, absent) = (self.new_set(meeting.of), self.code.fresh());
        let (zero, yes) = (self.constant(0), self.constant(1));
        self.code.copy(absent, zero);
        let [first, second] = meeting.values;
        self.each_row_where(std::slice::from_ref(one), &meeting.alone[0], &[first], &mut |compiler| {
            let (none, next) = (compiler.code.label(), compiler.code.label());
            let value = compiler.strict(first, none)?;
            compiler.join(set, value);
            compiler.code.jump(next);
            compiler.code.place(none);
            compiler.code.copy(absent, yes);
            compiler.code.place(next);
            Ok(())
        })?;
        self.each_row_where(std::slice::from_ref(other), &meeting.alone[1], &[second], &mut |compiler| {
            let (none, next) = (compiler.code.label(), compiler.code.label());
            let value = compiler.strict(second, none)?;
            let below = compiler.constant(-meeting.of.low);
            let member = compiler.code.add(value, below);
            compiler.code.jump_if_member(set.bits, member, true, found);
            compiler.code.jump(next);
            compiler.code.place(none);
            // What is absent is the same as what is absent.
            compiler.code.jump_if(Test::Same, absent, yes, true, found);
            compiler.code.place(next);
            Ok(())
        })?;
        self.code.free_to(level);
        Ok(true)
    }

    fn meeting(&mut self, binds: [&Bind; 2], conditions: &[ExprId]) -> Try<Option<Meeting>> {
        let names = binds.map(|bind| bind.local);
        let pairs = binds.iter().map(|bind| self.run_length(bind).unwrap_or(0)).fold(1, u64::saturating_mul);
        let apart = binds.iter().all(|bind| !bind.clockwise)
            && binds[1].condition.is_none_or(|condition| !self.mentions(condition, names[0]))
            && !self.mentions(binds[1].domain, names[0]);
        if pairs < FEWEST_PAIRS || !apart {
            return Ok(None);
        }
        let (mut alone, mut values) = ([Vec::new(), Vec::new()], None);
        for &condition in conditions {
            let nth = match names.map(|name| self.mentions(condition, name)) {
                [true, true] => {
                    let Some(same) = self.same_of_each(condition, names).filter(|_| values.is_none()) else {
                        return Ok(None);
                    };
                    values = Some(same);
                    continue;
                }
                [_, second] => usize::from(second),
            };
            alone[nth].push(condition);
        }
        let Some(values) = values else { return Ok(None) };
        let [one, other] = values.map(|value| self.ty(value).plain());
        if one != other || !matches!(one, Type::Int(..) | Type::Named(_)) {
            return Ok(None);
        }
        let of = match one {
            Type::Named(ty) if let TypeKind::Regions(of) = &self.types().get(*ty).kind => of,
            _ => one,
        };
        let fits = crate::machine::scalar_size(self.types(), of).is_some_and(|size| size <= MOST_VALUES);
        Ok(if fits { Some(Meeting { alone, values, of: self.domain_of(of, self.span(values[0]))? }) } else { None })
    }

    /// `f(a) is g(b)`: what the first variable comes to, and the second.
    fn same_of_each(&self, condition: ExprId, [one, other]: [LocalId; 2]) -> Option<[ExprId; 2]> {
        let Expr::Binary(BinaryOp::Is, left, right) = self.bound.expr(condition).kind else { return None };
        let is_of = |id: ExprId, own: LocalId, other: LocalId| self.mentions(id, own) && !self.mentions(id, other);
        let pairs = [[left, right], [right, left]];
        pairs.into_iter().find(|[first, second]| is_of(*first, one, other) && is_of(*second, other, one))
    }
}
