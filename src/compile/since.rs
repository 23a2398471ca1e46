//! What can have come to hold since it was asked last.
//!
//! `until any q in Player: lined(q)` is asked after every turn, and did not hold before it. Whoever has just moved may
//! have got a line; nobody else can, if all that a turn puts anywhere is the mover's own or nothing, and a line is made of
//! its owner's alone. So after the first time only the mover is asked.

use crate::internal::exact;
use std::cell::Cell;

use super::compiler::{Compiler, Try, Var};
use crate::ast::{Aggregate, AssignOp, BinaryOp, UnaryOp};
use crate::bind::walk::{each_expr, statement_blocks};
use crate::bind::{Bind, Block, Choose, DefId, DrawPlace, Expr, ExprId, LocalId, PhaseId, StateId, Statement, Type};
use crate::machine::Slot;

/// A part of a condition that is asked again and again: one of several of which one is enough.
pub(super) enum Asked {
    /// Something.
    Again(ExprId),
    /// The same of every seat: this name stands for it. Only the one who has moved can have come to it.
    OfMover(LocalId, ExprId),
}

/// What a round of a loop writes.
#[derive(Default)]
struct Written {
    states: Vec<StateId>,
    /// States that get more than nothing and the mover's seat.
    freely: Vec<StateId>,
    /// Phases that were looked at, by who acts and what stands for the mover there.
    phases: Vec<(PhaseId, Mover)>,
}

impl Written {
    fn note(&mut self, state: StateId, freely: bool) {
        if !self.states.contains(&state) {
            self.states.push(state);
        }
        if freely && !self.freely.contains(&state) {
            self.freely.push(state);
        }
    }
}

/// Who moves in a block.
#[derive(Clone, PartialEq, Eq)]
struct Mover {
    /// Names that stand for the mover.
    names: Vec<LocalId>,
    /// Is the mover the one who acts?
    acts: bool,
}

/// Whose condition it is, and what else is known of it.
struct About<'w> {
    written: &'w Written,
    /// Names that stand for the seat.
    seat: Vec<LocalId>,
    /// Expressions that may still be looked at.
    left: &'w Cell<u32>,
}

/// Expressions that are looked at to find out about one condition, through definitions.
const MOST: u32 = 2000;

impl Compiler<'_> {
    /// The parts of a condition that ends rounds of seats, as they are asked after a round; nothing if that is no less
    /// than the condition itself.
    pub(super) fn asked_after(&self, mover: LocalId, until: ExprId, body: &Block) -> Option<Vec<Asked>> {
        let mut written = Written::default();
        self.written_in(body, &Mover { names: vec![mover], acts: false }, &mut written);
        let parts = self.alternatives(until).into_iter().map(|part| {
            let Expr::Aggregate(Aggregate::Any, binds, Some(body), _) = &self.bound.expr(part).kind else {
                return Asked::Again(part);
            };
            let [Bind { local, domain, clockwise: false, condition: None }] = binds.as_slice() else {
                return Asked::Again(part);
            };
            let seats = Type::Named(self.bound.players.ty);
            let of_all = matches!(&self.bound.expr(*domain).kind, Expr::Members(ty) if *ty == seats);
            let about = About { written: &written, seat: vec![*local], left: &Cell::new(MOST) };
            if of_all && self.is_own(&about, *body, true) { Asked::OfMover(*local, *body) } else { Asked::Again(part) }
        });
        let parts: Vec<Asked> = parts.collect();
        parts.iter().any(|part| matches!(part, Asked::OfMover(..))).then_some(parts)
    }

    /// On to `end` if any of these parts holds now that somebody has moved.
    pub(super) fn ask_after(&mut self, parts: &[Asked], mover: Slot, end: super::builder::Label) -> Try<()> {
        for part in parts {
            match part {
                Asked::Again(part) => self.branch(*part, true, end)?,
                Asked::OfMover(seat, part) => {
                    let before = self.locals.insert(*seat, Var::Slot(mover));
                    self.branch(*part, true, end)?;
                    self.locals.extend(before.map(|before| (*seat, before)));
                }
            }
        }
        Ok(())
    }

    /// Conditions of which one is enough.
    fn alternatives(&self, id: ExprId) -> Vec<ExprId> {
        match &self.bound.expr(id).kind {
            Expr::Binary(BinaryOp::Or, left, right) => {
                let mut all = self.alternatives(*left);
                all.extend(self.alternatives(*right));
                all
            }
            _ => vec![id],
        }
    }

    /// Can a condition on a seat that has not moved come to hold only if it held before? With `holds` false: can it cease
    /// to hold only if it did not hold before?
    fn is_own(&self, about: &About<'_>, id: ExprId, holds: bool) -> bool {
        if !self.reads_any(&[id], &about.written.states) {
            return true;
        }
        let Some(left) = about.left.get().checked_sub(1) else { return false };
        about.left.set(left);
        match &self.bound.expr(id).kind {
            Expr::Unary(UnaryOp::Not, inner) => self.is_own(about, *inner, !holds),
            Expr::Binary(BinaryOp::And, ..) => {
                let parts = self.conjuncts(id);
                let own =
                    |part: &ExprId| self.is_own(about, *part, holds) || holds && self.is_joined(about, *part, &parts);
                parts.iter().all(own)
            }
            Expr::Binary(BinaryOp::Or, left, right) => {
                self.is_own(about, *left, holds) && self.is_own(about, *right, holds)
            }
            Expr::Binary(BinaryOp::Is, left, right) => holds && self.is_of_seat(about, *left, *right).is_some(),
            Expr::Binary(BinaryOp::IsNot, left, right) => !holds && self.is_of_seat(about, *left, *right).is_some(),
            Expr::If(condition, then, otherwise) => {
                !self.reads_any(&[*condition], &about.written.states)
                    && self.is_own(about, *then, holds)
                    && self.is_own(about, *otherwise, holds)
            }
            Expr::Aggregate(Aggregate::Any, binds, Some(body), _) => self.is_own_of_some(about, binds, *body, holds),
            Expr::Aggregate(Aggregate::No, binds, Some(body), _) => self.is_own_of_some(about, binds, *body, !holds),
            Expr::Aggregate(Aggregate::All, binds, Some(body), _) => {
                let fixed = binds.iter().all(|bind| bind.condition.is_none() && self.is_fixed(about, bind.domain));
                fixed && self.is_own(about, *body, holds)
            }
            Expr::Def(def, args) => self.is_own_definition(about, *def, args, holds),
            _ => false,
        }
    }

    fn is_own_of_some(&self, about: &About<'_>, binds: &[Bind], body: ExprId, holds: bool) -> bool {
        let own = |bind: &Bind| {
            let condition = bind.condition.is_none_or(|condition| self.is_own(about, condition, holds));
            condition && self.is_fixed(about, bind.domain)
        };
        binds.iter().all(own) && self.is_own(about, body, holds)
    }

    fn is_own_definition(&self, about: &About<'_>, def: DefId, args: &[ExprId], holds: bool) -> bool {
        let def = self.bound.def(def);
        let mut seat = Vec::new();
        for (param, arg) in def.params.iter().zip(args) {
            if self.is_seat(about, *arg) {
                seat.push(*param);
            } else if !self.is_fixed(about, *arg) {
                return false;
            }
        }
        self.is_own(&About { written: about.written, seat, left: about.left }, def.body, holds)
    }

    fn is_seat(&self, about: &About<'_>, id: ExprId) -> bool {
        matches!(&self.bound.expr(id).kind, Expr::Local(local) if about.seat.contains(local))
    }

    fn is_fixed(&self, about: &About<'_>, id: ExprId) -> bool {
        !self.reads_any(&[id], &about.written.states)
    }

    /// `S[…] is seat`, where nobody but the mover gets anything in `S`: the state.
    fn is_of_seat(&self, about: &About<'_>, left: ExprId, right: ExprId) -> Option<(StateId, &[ExprId])> {
        let (element, _) = [(left, right), (right, left)].into_iter().find(|(_, value)| self.is_seat(about, *value))?;
        let (state, args) = self.element_of_state(element)?;
        let fixed = args.iter().all(|arg| self.is_fixed(about, *arg));
        (fixed && !about.written.freely.contains(&state)).then_some((state, args))
    }

    fn element_of_state(&self, id: ExprId) -> Option<(StateId, &[ExprId])> {
        let Expr::Index(base, args) = &self.bound.expr(id).kind else { return None };
        let Expr::State(state) = self.bound.expr(*base).kind else { return None };
        Some((state, args))
    }

    /// `Region(x) is Region(y)`, beside `S[x] is seat`, where regions are made of members alike in `S`: what has been
    /// written is not the seat's, so it joins nothing of the seat's.
    fn is_joined(&self, about: &About<'_>, id: ExprId, beside: &[ExprId]) -> bool {
        let Expr::Binary(BinaryOp::Is, left, right) = &self.bound.expr(id).kind else { return false };
        let (Expr::Make(ty, one), Expr::Make(other_ty, other)) =
            (&self.bound.expr(*left).kind, &self.bound.expr(*right).kind)
        else {
            return false;
        };
        if !other.iter().all(|arg| self.is_fixed(about, *arg)) {
            return false;
        }
        let Some(region) = self.bound.regions.iter().find(|region| region.ty == *ty && ty == other_ty) else {
            return false;
        };
        let ([member], Expr::Local(member_name)) = (one.as_slice(), &self.bound.expr(one[0]).kind) else {
            return false;
        };
        if !self.is_fixed(about, *member) {
            return false;
        }
        let seats_state = beside.iter().find_map(|part| {
            let Expr::Binary(BinaryOp::Is, left, right) = &self.bound.expr(*part).kind else { return None };
            let (state, args) = self.is_of_seat(about, *left, *right)?;
            let [arg] = args else { return None };
            matches!(&self.bound.expr(*arg).kind, Expr::Local(name) if name == member_name).then_some(state)
        });
        let Some(state) = seats_state else { return false };
        // Whether two are joined follows from themselves in this state.
        let [a, b] = region.pair;
        let own = |id: ExprId| {
            let (mut all, mut by_name) = (0, 0);
            each_expr(self.bound, id, &mut |_, kind| {
                all += u32::from(matches!(kind, Expr::State(_) | Expr::Def(..) | Expr::Award(..) | Expr::Score(_)));
                if let Expr::Index(base, args) = kind
                    && matches!(self.bound.expr(*base).kind, Expr::State(known) if known == state)
                    && let [arg] = args.as_slice()
                    && matches!(&self.bound.expr(*arg).kind, Expr::Local(name) if region.pair.contains(name))
                {
                    by_name += 1;
                }
            });
            all == by_name
        };
        let named = |id: ExprId, wanted: LocalId| {
            self.element_of_state(id).is_some_and(|(known, args)| {
                known == state
                    && matches!(args, [arg] if matches!(self.bound.expr(*arg).kind, Expr::Local(name) if name == wanted))
            })
        };
        let alike = self.conjuncts(region.joined).iter().any(|part| match &self.bound.expr(*part).kind {
            Expr::Binary(BinaryOp::Is, left, right) => {
                named(*left, a) && named(*right, b) || named(*left, b) && named(*right, a)
            }
            _ => false,
        });
        // What is the seat's belongs somewhere: two that belong nowhere would be the same.
        let members = region.of.condition.is_none_or(|condition| match &self.bound.expr(condition).kind {
            Expr::Binary(BinaryOp::IsNot, left, right) => {
                named(*left, region.of.local) && matches!(self.bound.expr(*right).kind, Expr::None)
            }
            _ => false,
        });
        let read = self.states_read(vec![region.joined]);
        let only = read.iter().all(|read| *read == state || !about.written.states.contains(read));
        alike && members && only && self.is_fixed(about, region.of.domain) && own(region.joined)
    }

    fn reads_any(&self, ids: &[ExprId], states: &[StateId]) -> bool {
        self.states_read(ids.to_vec()).iter().any(|state| states.contains(state))
    }

    // ------------------------------------------------------------ what is written

    /// Everything that a block writes.
    fn written_in(&self, block: &Block, mover: &Mover, written: &mut Written) {
        for (statement, _) in &block.statements {
            let mut inner = mover.clone();
            match statement {
                Statement::Assign(place, AssignOp::Set, value) => {
                    self.note_place(*place, !self.is_movers(*value, mover), written);
                }
                Statement::Assign(place, op, value) => {
                    self.note_place(*place, true, written);
                    if *op == AssignOp::Exchange {
                        self.note_place(*value, true, written);
                    }
                }
                Statement::Draw(draw) => {
                    if let DrawPlace::State(place) = draw.place {
                        self.note_place(place, true, written);
                    }
                    self.note_place(draw.from, true, written);
                }
                Statement::Turn(who, _) => {
                    inner.acts = self.is_named(*who, mover);
                    for (at, state) in self.bound.states.iter().enumerate() {
                        if state.per_turn {
                            written.note(StateId(exact::<_, u32>(at)), true);
                        }
                    }
                }
                Statement::Choose(choose) => self.written_by_entries(choose, mover, written),
                Statement::Call(phase, args) => self.written_in_phase(*phase, args, mover, written),
                _ => {}
            }
            for block in statement_blocks(statement) {
                self.written_in(block, &inner, written);
            }
        }
    }

    fn written_in_phase(&self, phase: PhaseId, args: &[ExprId], mover: &Mover, written: &mut Written) {
        let body = self.bound.phase(phase);
        let params = body.params.iter().zip(args);
        let names = params.filter(|(_, arg)| self.is_named(**arg, mover)).map(|(param, _)| *param).collect();
        let inside = (phase, Mover { names, acts: mover.acts });
        if !written.phases.contains(&inside) {
            written.phases.push(inside.clone());
            self.written_in(&body.body, &inside.1, written);
        }
    }

    fn written_by_entries(&self, choose: &Choose, mover: &Mover, written: &mut Written) {
        // The parameters of an action are what a player says.
        let mover = Mover { names: Vec::new(), acts: mover.acts && choose.who.is_none() };
        for (action, ..) in &choose.offers {
            let action = self.bound.action(*action);
            action.costs.iter().for_each(|price| self.note_place(price.place, true, written));
            self.written_in(&action.effect, &mover, written);
        }
    }

    /// Is a value nothing, or the mover?
    fn is_movers(&self, value: ExprId, mover: &Mover) -> bool {
        match &self.bound.expr(value).kind {
            Expr::None => true,
            Expr::Me => mover.acts,
            Expr::If(_, then, otherwise) => self.is_movers(*then, mover) && self.is_movers(*otherwise, mover),
            _ => self.is_named(value, mover),
        }
    }

    fn is_named(&self, id: ExprId, mover: &Mover) -> bool {
        matches!(&self.bound.expr(id).kind, Expr::Local(local) if mover.names.contains(local))
    }

    /// The state that a place is in is written.
    fn note_place(&self, place: ExprId, freely: bool, written: &mut Written) {
        match &self.bound.expr(place).kind {
            Expr::Index(base, _) => self.note_place(*base, freely, written),
            Expr::State(state) => written.note(*state, freely),
            _ => {}
        }
    }
}
