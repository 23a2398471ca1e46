//! Regions: the partition of a domain by a relation, worked out anew whenever it is asked for.

use crate::impossible;
use crate::internal::Must;
use std::collections::BTreeMap;
use std::rc::Rc;

use super::Try;
use super::frame::Frame;
use super::game::Game;
use crate::bind::walk::{bind_parts, each_expr};
use crate::bind::{AwardId, DefId, Expr, ExprId, Region, StateId, Type, TypeId, Value};

/// A partition, and the states that it was made of.
#[derive(Debug)]
pub(super) struct Partition {
    made_of: Vec<(StateId, Vec<Value>)>,
    groups: Vec<Vec<Value>>,
}

impl Game<'_> {
    /// All regions, each named by its first member.
    pub(super) fn region_members(&self, ty: TypeId, frame: &Frame<'_>) -> Try<Vec<Value>> {
        let partition = self.partition(ty, frame)?;
        let first = |group: &Vec<Value>| match group.first() {
            Some(Value::Member(_, at)) => Value::Member(ty, *at),
            other => impossible!("a region begins with {other:?}"),
        };
        Ok(partition.groups.iter().map(first).collect())
    }

    /// The members of the region with this name; a region may be named by any of its members.
    pub(super) fn region_of(&self, ty: TypeId, at: u32, frame: &Frame<'_>) -> Try<Vec<Value>> {
        let partition = self.partition(ty, frame)?;
        let named =
            |group: &&Vec<Value>| group.iter().any(|member| matches!(member, Value::Member(_, known) if *known == at));
        Ok(partition.groups.iter().find(named).cloned().unwrap_or_default())
    }

    /// The groups, remembered as long as the states that they are made of stay the same.
    fn partition(&self, ty: TypeId, frame: &Frame<'_>) -> Try<Rc<Partition>> {
        let now = |id: StateId| frame.state.elements.get(id.at()).map_or(&[][..], Vec::as_slice);
        let span = self.bound().types.get(ty).span;
        let known = self.partitions.borrow().get(&ty).cloned();
        if let Some(known) = &known {
            self.spend_on(known.made_of.iter().map(|(_, then)| then.len()).sum(), span)?;
        }
        if let Some(known) = &known
            && known.made_of.iter().all(|(id, then)| now(*id) == then)
        {
            self.note_all_read(known.made_of.iter().map(|(id, then)| (*id, then.len())));
            return Ok(Rc::clone(known));
        }
        let region = self.bound().regions.iter().find(|region| region.ty == ty).must("a type of regions has its rule");
        let (read, groups) = (self.read_by_region(region), self.work_out(region, frame)?);
        self.spend_on(read.iter().map(|id| now(*id).len()).sum(), span)?;
        let made_of = read.into_iter().map(|id| (id, now(id).to_vec())).collect();
        let partition = Rc::new(Partition { made_of, groups });
        self.partitions.borrow_mut().insert(ty, Rc::clone(&partition));
        Ok(partition)
    }

    /// The states that a region's domain and relation read, through definitions, awards and other regions.
    fn read_by_region(&self, region: &Region) -> Vec<StateId> {
        let mut open: Vec<ExprId> = bind_parts(&region.of);
        open.push(region.joined);
        let mut states: Vec<StateId> = Vec::new();
        let mut defs: Vec<DefId> = Vec::new();
        let mut regions: Vec<TypeId> = Vec::new();
        let mut awards: Vec<AwardId> = Vec::new();
        let mut scores = false;
        while let Some(id) = open.pop() {
            each_expr(self.bound(), id, &mut |_, kind| match kind {
                Expr::State(state) if !states.contains(state) => states.push(*state),
                Expr::Def(def, _) if !defs.contains(def) => {
                    defs.push(*def);
                    open.push(self.bound().def(*def).body);
                }
                Expr::Award(award, _) if !awards.contains(award) => {
                    awards.push(*award);
                    let award = self.bound().award(*award);
                    open.extend(award.pays.iter().chain([&award.by]));
                }
                Expr::Score(_) if !scores => {
                    scores = true;
                    open.extend(self.bound().scores.iter().map(|score| score.body));
                }
                Expr::Members(Type::Named(ty)) | Expr::Make(ty, _) if !regions.contains(ty) => {
                    regions.push(*ty);
                    for region in self.bound().regions.iter().filter(|region| region.ty == *ty) {
                        open.extend(bind_parts(&region.of));
                        open.push(region.joined);
                    }
                }
                _ => {}
            });
        }
        states.sort();
        states
    }

    fn work_out(&self, region: &Region, frame: &Frame<'_>) -> Try<Vec<Vec<Value>>> {
        let mut inner = frame.fresh();
        let members = self.values(&region.of, &mut inner)?;
        let mut group: Vec<usize> = (0..members.len()).collect();
        for (a, first) in members.iter().enumerate() {
            self.spend_on(members.len(), region.span)?;
            for (b, second) in members.iter().enumerate() {
                if group[a] == group[b] {
                    continue;
                }
                inner.locals.insert(region.pair[0], first.clone());
                inner.locals.insert(region.pair[1], second.clone());
                if self.holds(region.joined, &mut inner)? {
                    self.spend_on(members.len(), region.span)?;
                    let (kept, gone) = (group[a].min(group[b]), group[a].max(group[b]));
                    group.iter_mut().filter(|of| **of == gone).for_each(|of| *of = kept);
                }
            }
        }
        // A group has the number of its first member, so their order is that of their numbers.
        let mut groups: BTreeMap<usize, Vec<Value>> = BTreeMap::new();
        for (of, member) in group.into_iter().zip(members) {
            groups.entry(of).or_default().push(member);
        }
        Ok(groups.into_values().collect())
    }
}
