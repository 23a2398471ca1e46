//! Regions: a partition is worked out when it is asked for, and kept as long as what it is made of.

use super::builder::Label;
use super::compiler::{Compiler, Domain, Try, Var, too_large};
use super::define::Pending;
use super::fold::Test;
use super::loops::Over;
use crate::bind::walk::{bind_parts, each_expr};
use crate::bind::{AwardId, DefId, Expr, ExprId, Region, StateId, Type, TypeId, TypeKind};
use crate::impossible;
use crate::internal::{Must, exact};
use crate::limits;
use crate::machine::{Instruction, Partition, Slot};

/// A partition: for each member the first of its group, or −1.
#[derive(Debug, Clone, Copy)]
pub(super) struct Groups {
    base: Slot,
    count: u16,
    number: u16,
    /// The members that can be joined to each, if that is known.
    partners: Option<u32>,
}

impl Groups {
    fn members(&self) -> Domain {
        Domain { low: 0, size: u64::from(self.count) }
    }
}

/// Where a partition is worked out, and where a member more is taken in.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entries {
    pub(super) number: u16,
    pub(super) work_out: Label,
    pub(super) one_more: Option<(Label, Slot)>,
}

impl Compiler<'_> {
    fn groups_of(&mut self, ty: TypeId) -> Groups {
        if let Some(&known) = self.groups.get(&ty) {
            return known;
        }
        let members = match &self.types().get(ty).kind {
            TypeKind::Regions(of) => crate::machine::scalar_size(self.types(), of).must("a scalar type has a size"),
            other => impossible!("{other:?} is grouped"),
        };
        // What is beyond the limit is refused when the routine of the regions is written.
        let count = u16::try_from(members).ok().filter(|_| members <= limits::REGION_MEMBERS).unwrap_or(u16::MAX);
        let number = exact::<_, u16>(self.program.regions.len());
        self.program.regions.push(Partition::default());
        let groups = Groups { base: self.code.own(usize::from(count)), count, number, partners: None };
        self.groups.insert(ty, groups);
        self.pending.push(Pending::Region(ty));
        groups
    }

    /// The group of a member.
    pub(super) fn group(&mut self, ty: TypeId, member: Slot) -> Slot {
        let groups = self.groups_of(ty);
        self.code.refresh(groups.number);
        self.code.work_out_group(groups.base, member)
    }

    /// A loop goes on after an entry was tried out in it: the partition may be that of the trial.
    fn refresh_after_trial(&mut self, groups: Groups) {
        if self.code.tries_in_loops {
            self.code.refresh(groups.number);
        }
    }

    /// Every region, by its first member.
    pub(super) fn each_region(
        &mut self,
        ty: TypeId,
        slot: Option<Slot>,
        body: &mut dyn FnMut(&mut Self, Slot) -> Try<()>,
    ) -> Try<()> {
        let groups = self.groups_of(ty);
        self.code.refresh(groups.number);
        if groups.count == 0 {
            return Ok(());
        }
        let (zero, last) = (self.constant(0), self.constant(i64::from(groups.count) - 1));
        self.count_up(zero, last, slot, &mut |compiler, member| {
            let next = compiler.code.label();
            compiler.refresh_after_trial(groups);
            let group = compiler.code.work_out(|to| Instruction::Get { to, base: groups.base, at: member });
            compiler.code.jump_if(Test::Same, group, member, false, next);
            body(compiler, member)?;
            compiler.code.place(next);
            Ok(())
        })
    }

    /// Every member of a region, which may be named by any of them.
    pub(super) fn each_in_region(
        &mut self,
        ty: TypeId,
        region: Slot,
        slot: Option<Slot>,
        body: &mut dyn FnMut(&mut Self, Slot) -> Try<()>,
    ) -> Try<()> {
        let groups = self.groups_of(ty);
        let wanted = self.group(ty, region);
        let (zero, last, end) = (self.constant(0), self.constant(i64::from(groups.count) - 1), self.code.label());
        self.code.jump_if(Test::Less, wanted, zero, true, end);
        self.count_up(zero, last, slot, &mut |compiler, member| {
            let next = compiler.code.label();
            compiler.refresh_after_trial(groups);
            let group = compiler.code.work_out(|to| Instruction::Get { to, base: groups.base, at: member });
            compiler.code.jump_if(Test::Same, group, wanted, false, next);
            body(compiler, member)?;
            compiler.code.place(next);
            Ok(())
        })?;
        self.code.place(end);
        Ok(())
    }

    /// Works the groups out: every member for itself, then every pair that is joined.
    pub(super) fn write_region(&mut self, ty: TypeId) -> Try<()> {
        let region = self.bound.regions.iter().find(|region| region.ty == ty).must("regions are declared");
        let mut groups = self.groups_of(ty);
        if groups.count == u16::MAX {
            let most = limits::shown(limits::REGION_MEMBERS);
            return Err(too_large(region.span, format!("these regions are made of more than {most} members")));
        }
        groups.partners = self.table_of_partners(region, groups.members());
        let name = self.types().get(ty).name.clone();
        let work_out = self.code.label();
        self.code.begin_at(work_out, format!("regions {name}"), region.span);
        let (zero, nobody) = (self.constant(0), self.constant(-1));
        let last = self.constant(i64::from(groups.count) - 1);
        let base = groups.base;
        if groups.count > 0 {
            self.count_up(zero, last, None, &mut |compiler, at| {
                compiler.code.push(Instruction::Put { base, at, from: nobody });
                Ok(())
            })?;
            let local = region.of.local;
            self.each_row(std::slice::from_ref(&region.of), &[], &mut |compiler| {
                let member = compiler.locals.get(&local).cloned();
                let member = member.map_or(zero, |var| compiler.read(&var));
                compiler.code.push(Instruction::Put { base, at: member, from: member });
                Ok(())
            })?;
            self.count_up(zero, last, None, &mut |compiler, a| compiler.join_to_others(region, groups, a, false))?;
        }
        self.code.push(Instruction::Return);
        let mut changed = None;
        if self.follows_members(region) {
            let (entry, slot) = (self.code.label(), self.code.own(1));
            self.code.begin_at(entry, format!("regions {name}, a member more"), region.span);
            let outside = self.code.label();
            self.locals.insert(region.of.local, Var::Slot(slot));
            if let Some(condition) = region.of.condition {
                self.branch(condition, false, outside)?;
            }
            self.code.push(Instruction::Put { base, at: slot, from: slot });
            self.join_to_others(region, groups, slot, true)?;
            self.code.place(outside);
            self.code.push(Instruction::Return);
            changed = Some((entry, slot));
        }
        let made_of = self.read_by(region);
        if let Some(partition) = self.program.regions.get_mut(usize::from(groups.number)) {
            partition.made_of = made_of;
            partition.groups = base;
            partition.members = groups.count;
        }
        self.region_entries.push(Entries { number: groups.number, work_out, one_more: changed });
        Ok(())
    }

    /// Joins a member to those that the relation joins it to. Where a table says which these can be, it asks only them.
    fn join_to_others(&mut self, region: &Region, groups: Groups, a: Slot, both_ways: bool) -> Try<()> {
        let (base, skip, zero) = (groups.base, self.code.label(), self.constant(0));
        let of_a = self.code.work_out(|to| Instruction::Get { to, base, at: a });
        self.code.jump_if(Test::Less, of_a, zero, true, skip);
        let [first, second] = region.pair;
        let over = match groups.partners {
            Some(table) => Over::Set(self.set_from_table(table, a, 0, groups.members())),
            None => Over::Numbers(0, u64::from(groups.count)),
        };
        let joined = region.joined;
        self.each(&over, None, false, &mut |compiler, b| {
            let (next, unite) = (compiler.code.label(), compiler.code.label());
            let of_a = compiler.code.work_out(|to| Instruction::Get { to, base, at: a });
            let of_b = compiler.code.work_out(|to| Instruction::Get { to, base, at: b });
            compiler.code.jump_if(Test::Less, of_b, zero, true, next);
            compiler.code.jump_if(Test::Same, of_a, of_b, true, next);
            compiler.locals.insert(first, Var::Slot(a));
            compiler.locals.insert(second, Var::Slot(b));
            compiler.branch(joined, true, unite)?;
            if both_ways {
                compiler.locals.insert(first, Var::Slot(b));
                compiler.locals.insert(second, Var::Slot(a));
                compiler.branch(joined, true, unite)?;
            }
            compiler.code.jump(next);
            compiler.code.place(unite);
            compiler.code.push(Instruction::Unite { base, count: groups.count, a, b });
            compiler.code.place(next);
            Ok(())
        })?;
        self.code.place(skip);
        Ok(())
    }

    /// Does whether a member belongs, and to whom, depend on what is said of these members alone?
    ///
    /// Then a member that comes in changes nothing between the others.
    fn follows_members(&self, region: &Region) -> bool {
        let TypeKind::Regions(of) = &self.types().get(region.ty).kind else { return false };
        let whole = matches!(&self.bound.expr(region.of.domain).kind, Expr::Members(ty) if ty == of);
        let named = [region.of.local, region.pair[0], region.pair[1]];
        let mut local = whole && !region.of.clockwise;
        for id in region.of.condition.into_iter().chain([region.joined]) {
            let mut states = 0;
            let mut indexed = 0;
            each_expr(self.bound, id, &mut |_, kind| match kind {
                Expr::State(_) => states += 1,
                Expr::Index(base, args) => {
                    let Expr::State(state) = &self.bound.expr(*base).kind else { return };
                    let by_member = self.bound.state(*state).indices == [of.clone()]
                        && matches!(args.as_slice(), [arg] if matches!(self.bound.expr(*arg).kind,
                            Expr::Local(local) if named.contains(&local)));
                    indexed += u32::from(by_member);
                }
                Expr::Def(..) | Expr::Award(..) | Expr::Score(_) | Expr::Members(_) | Expr::Make(..) => local = false,
                _ => {}
            });
            local &= states == indexed;
        }
        local
    }

    /// The bytes of the states that a region is made of, through definitions.
    fn read_by(&self, region: &Region) -> Vec<(u32, u32)> {
        let mut open: Vec<ExprId> = bind_parts(&region.of);
        open.push(region.joined);
        self.states_read(open).into_iter().map(|state| self.bytes_of_state(state)).filter(|(a, b)| a < b).collect()
    }

    fn bytes_of_state(&self, state: StateId) -> (u32, u32) {
        let place = self.state_place(state);
        let bytes = super::layout::bytes_of(&place.cell) * place.count as usize;
        (place.first, place.first + exact::<_, u32>(bytes))
    }

    /// The states that expressions read, through definitions, awards and regions.
    pub(super) fn states_read(&self, mut open: Vec<ExprId>) -> Vec<StateId> {
        let mut states: Vec<StateId> = Vec::new();
        let mut defs: Vec<DefId> = Vec::new();
        let mut regions: Vec<TypeId> = Vec::new();
        let mut awards: Vec<AwardId> = Vec::new();
        let mut scores = false;
        while let Some(id) = open.pop() {
            each_expr(self.bound, id, &mut |id, kind| {
                match kind {
                    Expr::State(state) if !states.contains(state) => states.push(*state),
                    Expr::Def(def, _) if !defs.contains(def) => {
                        defs.push(*def);
                        open.push(self.bound.def(*def).body);
                    }
                    Expr::Award(award, _) if !awards.contains(award) => {
                        awards.push(*award);
                        let award = self.bound.award(*award);
                        open.extend(award.pays.iter().chain([&award.by]));
                    }
                    Expr::Score(_) if !scores => {
                        scores = true;
                        open.extend(self.bound.scores.iter().map(|score| score.body));
                    }
                    _ => {}
                }
                let named = match (kind, self.ty(id).plain()) {
                    (Expr::Members(Type::Named(ty)), _) | (_, Type::Named(ty)) => Some(*ty),
                    _ => None,
                };
                if let Some(region) = self.bound.regions.iter().find(|region| Some(region.ty) == named)
                    && !regions.contains(&region.ty)
                {
                    regions.push(region.ty);
                    open.extend(bind_parts(&region.of));
                    open.push(region.joined);
                }
            });
        }
        states.sort();
        states
    }
}
