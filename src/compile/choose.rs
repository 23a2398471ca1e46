//! Choices: for each offer a routine that finds every legal entry, one that tests an entry, and what it does.
//!
//! Parameters are bound one by one, and each part of each requirement is tested as soon as the parameters
//! that it speaks of are known; what costs are known before any parameter is tested first.

use super::builder::Label;
use super::compiler::{Compiler, Domain, Stored, Try, Var, too_large};
use super::loops::Over;
use crate::bind::{Action, ActionId, Choose, ExprId, LocalId, Otherwise, Type};
use crate::internal::Must;
use crate::internal::exact;
use crate::limits;
use crate::machine::{Asks, Cell, Choice, Instruction, Move, Offer, Param, Pause, Slot, none_of, scalar_size};
use crate::report::Span;

/// An offer while it is compiled.
pub(super) struct Open<'a> {
    pub(super) action: &'a Action,
    pub(super) args: &'a [ExprId],
    pub(super) params: Vec<Param>,
    pub(super) number: u16,
}

impl<'c> Compiler<'c> {
    pub(super) fn choose(&mut self, choose: &Choose, span: Span) -> Try<()> {
        if let Some(end) = self.trial {
            self.code.jump(end);
            return Ok(());
        }
        let seat = match choose.who {
            Some(who) => {
                let fail = self.fail(span, "nobody can be asked here");
                self.strict(who, fail)?
            }
            None => match self.me.clone() {
                Some(me) => self.read(&me),
                None => {
                    let fail = self.fail(span, "nobody is at turn");
                    self.code.jump(fail);
                    return Ok(());
                }
            },
        };
        let number = exact::<_, u16>(self.program.choices.len());
        let pause = self.new_pause(Asks::Player(number), span)?;
        let first = exact::<_, u16>(self.program.offers.len());
        self.program.choices.push(Choice {
            pause,
            seat,
            offers: first..first,
            every: 0,
            possible: 0,
            picks: 0,
            lots: None,
            otherwise: crate::machine::Otherwise::Must(0),
            span,
        });
        self.code.push(Instruction::Choose { choice: number });
        let after = self.code.label();
        // What an offer does, and what happens if nothing is possible, may offer more: that comes after these.
        let mut offers = Vec::new();
        for (action, args, _) in &choose.offers {
            offers.push(self.declare_offer(*action, args, span)?);
        }
        let last = exact::<_, u16>(self.program.offers.len());
        for offer in &offers {
            self.write_offer(offer, after)?;
        }
        let lots = self.lots(number, &offers)?;
        let every = self.every_of_all(first..last);
        let otherwise = match &choose.otherwise {
            Otherwise::Nothing => crate::machine::Otherwise::Must(self.trouble(span, "nothing can be chosen here")),
            Otherwise::PassLeaves => {
                let entry = self.code.entry();
                let leave = self.leave_label();
                self.code.jump(leave);
                crate::machine::Otherwise::Pass(entry.0)
            }
            Otherwise::OrPass(block) => {
                let entry = self.code.entry();
                self.block(block)?;
                self.code.jump(after);
                crate::machine::Otherwise::Pass(entry.0)
            }
            Otherwise::ElsePass(block) => {
                let entry = self.code.entry();
                self.block(block)?;
                self.code.jump(after);
                crate::machine::Otherwise::PassIfNothing(entry.0)
            }
            Otherwise::Else(block) => {
                let entry = self.code.entry();
                self.block(block)?;
                self.code.jump(after);
                crate::machine::Otherwise::Skip(entry.0)
            }
        };
        if let Some(choice) = self.program.choices.get_mut(usize::from(number)) {
            choice.offers = first..last;
            choice.every = every.0;
            let offers = self.program.offers.get(usize::from(first)..usize::from(last)).must("a choice has its offers");
            choice.possible = offers.iter().fold(0, |sum, offer| offer.possible.saturating_add(sum));
            choice.picks = super::picks::most_picks(choice.possible, offers, lots.is_some());
            choice.lots = lots;
            choice.otherwise = otherwise;
        }
        self.code.place(after);
        Ok(())
    }

    /// A routine that calls those of some offers, one after the other.
    fn every_of_all(&mut self, offers: std::ops::Range<u16>) -> Label {
        let offers =
            self.program.offers.get(usize::from(offers.start)..usize::from(offers.end)).must("a choice has its offers");
        let each: Vec<u32> = offers.iter().map(|offer| offer.every).collect();
        if let [only] = each.as_slice() {
            return Label(*only);
        }
        let entry = self.code.entry();
        self.code.names.push((entry, "every entry".to_owned()));
        each.into_iter().for_each(|go| self.code.push(Instruction::Call { go }));
        self.code.push(Instruction::Return);
        entry
    }

    /// Here the flow can wait; what it keeps beyond this point means nothing while it does.
    pub(super) fn new_pause(&mut self, asks: Asks, span: Span) -> Try<u16> {
        let number = self.program.pauses.len();
        let number = u16::try_from(number).ok().filter(|_| number < limits::PAUSES);
        let Some(number) = number else {
            let most = limits::shown(limits::PAUSES as u64);
            return Err(too_large(span, format!("the flow has more than {most} choices and draws")));
        };
        let from = exact::<_, u32>(self.program.flow + self.kept);
        // Where the flow's bytes end is known only later.
        self.program.pauses.push(Pause { asks, clear: vec![(from, u32::MAX)] });
        Ok(number)
    }

    /// Who is asked, from the header of the block.
    fn asked(&mut self) -> Slot {
        let cell = Cell { width: 2, units: 1, bias: 0, no_number: false };
        let header = Stored { first: 2, cell };
        let zero = self.constant(0);
        self.load_one(&header, zero)
    }

    /// Gives an offer its number and its parameters.
    fn declare_offer<'a>(&mut self, id: ActionId, args: &'a [ExprId], span: Span) -> Try<Open<'a>>
    where
        'c: 'a,
    {
        let action = self.bound.action(id);
        let number = self.program.offers.len();
        let number = u16::try_from(number).ok().filter(|_| number < limits::OFFERS);
        let Some(number) = number else {
            let most = limits::shown(limits::OFFERS as u64);
            return Err(too_large(span, format!("the choices of the flow offer more than {most} actions")));
        };
        let mut params = self.params(action, args.len())?;
        self.narrow_picks(action, &mut params, args.len())?;
        let open = Open { action, args, params, number };
        self.program.offers.push(Offer {
            action: id,
            params: open.params.clone(),
            bound: args.len(),
            every: 0,
            test: 0,
            carry_out: 0,
            possible: open.possible(),
        });
        Ok(open)
    }

    /// Writes the routines of an offer.
    fn write_offer(&mut self, open: &Open<'_>, after: Label) -> Try<()> {
        let action = open.action;
        let every = self.routine(open, "every", |compiler, open, end| {
            let nth = open.args.len();
            compiler.within_domains(open, nth, end)?;
            compiler.code.tries_in_loops = compiler.has_last_tests(action);
            let written = compiler.keeping_repeated(action, |compiler| compiler.next_param(open, nth, end));
            compiler.code.tries_in_loops = false;
            written
        })?;
        let test = self.routine(open, "test", |compiler, open, end| {
            compiler.within_domains(open, open.params.len(), end)?;
            compiler.keeping_repeated(action, |compiler| compiler.tests(open, None, None, end))?;
            compiler.last_tests(open, end)?;
            compiler.code.push(Instruction::Emit { offer: open.number });
            Ok(())
        })?;
        let carry_out = self.carry_out(open, after)?;
        if let Some(offer) = self.program.offers.get_mut(usize::from(open.number)) {
            offer.every = every.0;
            offer.test = test.0;
            offer.carry_out = carry_out.0;
        }
        Ok(())
    }

    fn params(&mut self, action: &Action, bound: usize) -> Try<Vec<Param>> {
        let mut shift = Move::OFFER_BITS;
        let mut params = Vec::new();
        for (nth, (local, _)) in action.params.iter().enumerate() {
            let ty = self.local_type(*local).clone();
            let span = self.bound.local(*local).span;
            let Some(size) = scalar_size(self.types(), &ty) else {
                return Err(too_large(span, format!("a parameter cannot be of type {}", self.types().show(&ty))));
            };
            let low = if let Type::Int(low, _) = ty.plain() { *low } else { 0 } - i64::from(ty.is_optional());
            let bits = if nth < bound { 0 } else { 64 - size.saturating_sub(1).leading_zeros() };
            if shift + bits > Move::OFFER_BITS + limits::ARGUMENT_BITS {
                let most = limits::ARGUMENT_BITS;
                let message = format!("the arguments of this action have more combinations than {most} bits can count");
                return Err(too_large(action.span, message));
            }
            params.push(Param { slot: self.code.own(1), ty, low, size, first: 0, picks: size, shift, bits });
            shift += bits;
        }
        Ok(params)
    }

    /// A routine of an offer: who is asked acts, and what the flow binds is worked out.
    fn routine(
        &mut self,
        open: &Open<'_>,
        what: &str,
        write: impl FnOnce(&mut Self, &Open<'_>, Label) -> Try<()>,
    ) -> Try<Label> {
        let (entry, since) = (self.code.entry(), self.code.mark());
        self.code.names.push((entry, format!("{what} {}", open.action.name)));
        self.code.rule(open.action.span);
        let (level, end) = (self.code.level(), self.code.label());
        let (locals, me) = self.enter_action(open, end)?;
        write(self, open, end)?;
        self.code.place(end);
        self.code.tick_if_long(since);
        self.code.push(Instruction::Return);
        self.locals = locals;
        self.me = me;
        self.code.free_to(level);
        Ok(entry)
    }

    /// Binds what the flow gives, and who acts; what names stood for before is given back.
    pub(super) fn enter_action(
        &mut self,
        open: &Open<'_>,
        misfit: Label,
    ) -> Try<(std::collections::HashMap<LocalId, Var>, Option<Var>)> {
        for ((local, _), (param, &arg)) in open.action.params.iter().zip(open.params.iter().zip(open.args)) {
            if let Var::Slot(value) = self.argument(*local, arg, misfit)? {
                self.code.copy(param.slot, value);
            }
        }
        let seat = self.asked();
        let locals = std::mem::take(&mut self.locals);
        for ((local, _), param) in open.action.params.iter().zip(&open.params) {
            self.locals.insert(*local, Var::Slot(param.slot));
        }
        Ok((locals, self.me.replace(Var::Slot(seat))))
    }

    /// Goes through the values of a parameter, testing what becomes known.
    fn next_param(&mut self, open: &Open<'_>, nth: usize, end: Label) -> Try<()> {
        if nth == open.args.len() {
            for known in 0..=nth {
                self.tests(open, Some(known), None, end)?;
            }
            self.some_of_each(open, end)?;
        }
        let Some((local, within)) = open.action.params.get(nth) else {
            self.last_tests(open, end)?;
            self.code.push(Instruction::Emit { offer: open.number });
            return Ok(());
        };
        let param = &open.params[nth];
        let done = self.code.label();
        let mut over = match within {
            Some(within) => self.span_in(*within, done)?,
            None => match self.local_type(*local) {
                ty if self.is_regions(ty) || !ty.is_optional() => {
                    self.span_of_type(ty, open.action.requirements.first().map_or(ExprId(0), |first| first.condition))?
                }
                ty => self.or_nothing(ty, *local)?,
            },
        };
        // What masks say about all values need not be tested for each.
        let mut left = self.due(open, Some(nth + 1)).into_iter().map(|(part, _)| part).collect();
        let fewer = match over {
            Over::Numbers(low, size) => self.narrowed(*local, Domain { low, size }, None, &mut left)?,
            Over::Set(set) => self.left_of(*local, set, &mut left)?,
            _ => None,
        };
        over = fewer.map_or(over, Over::Set);
        self.locals.insert(*local, Var::Slot(param.slot));
        let ty = self.local_type(*local);
        self.each(&over, Some(param.slot), false, &mut |compiler, value| {
            let next = compiler.code.label();
            compiler.code.copy(param.slot, value);
            // What the domain gives may lie outside of the parameter's type.
            if let Some(Type::Set(inner) | Type::List(_, inner)) = within.map(|within| compiler.ty(within).plain()) {
                compiler.must_fit(param.slot, inner, ty, next);
            }
            compiler.tests(open, Some(nth + 1), Some(&left), next)?;
            compiler.next_param(open, nth + 1, next)?;
            compiler.code.place(next);
            Ok(())
        })?;
        self.code.place(done);
        Ok(())
    }

    /// On to the label if no value of a later parameter is legal whatever the earlier ones are. What masks say about that
    /// is worked out here, and not for each of the earlier ones again.
    fn some_of_each(&mut self, open: &Open<'_>, end: Label) -> Try<()> {
        let free: Vec<LocalId> = open.action.params.iter().skip(open.args.len()).map(|(local, _)| *local).collect();
        for (nth, (local, _)) in open.action.params.iter().enumerate().skip(open.args.len() + 1) {
            let ty = self.local_type(*local);
            let is_large = scalar_size(self.types(), ty).is_none_or(|size| size > limits::MEMBERS);
            if self.is_regions(ty) || ty.is_optional() || is_large {
                continue;
            }
            let mut parts: Vec<ExprId> = self.due(open, Some(nth + 1)).into_iter().map(|(part, _)| part).collect();
            parts.retain(|part| free.iter().all(|other| other == local || !self.mentions(*part, *other)));
            let of = self.domain_of(ty, open.action.span)?;
            self.some_left(*local, of, &parts, end)?;
        }
        Ok(())
    }

    /// The members of a type, and `none` as the last.
    fn or_nothing(&mut self, ty: &Type, param: LocalId) -> Try<Over> {
        let size = scalar_size(self.types(), ty.plain()).filter(|size| *size <= limits::OPTIONAL_MEMBERS);
        let Some(size) = size.and_then(|size| i64::try_from(size).ok()) else {
            let most = limits::shown(limits::OPTIONAL_MEMBERS);
            let message = format!("this optional parameter has more than {most} members");
            return Err(too_large(self.bound.local(param).span, message));
        };
        let low = if let Type::Int(low, _) = ty.plain() { *low } else { 0 };
        let from = exact::<_, u32>(self.code.tables.len());
        self.code.add_table((low..low + size).chain([none_of(ty)]).collect());
        let (start, length) = (self.constant(0), self.constant(size + 1));
        Ok(Over::List(super::compiler::ListVal::Table { from, start, length }))
    }

    /// Pays, carries out, and goes on.
    fn carry_out(&mut self, open: &Open<'_>, after: Label) -> Try<Label> {
        let entry = self.code.entry();
        self.code.names.push((entry, format!("carry out {}", open.action.name)));
        self.code.rule(open.action.span);
        let (level, kept) = (self.code.level(), self.kept);
        let misfit = self.fail(open.action.span, "an argument does not fit");
        let (locals, me) = self.enter_action(open, misfit)?;
        if self.block_pauses(&open.action.effect) {
            for ((local, _), param) in open.action.params.iter().zip(&open.params) {
                self.declare(*local, Var::Slot(param.slot), true, open.action.span)?;
            }
            if let Some(Var::Slot(seat)) = self.me.clone() {
                let seat_type = Type::Named(self.bound.players.ty);
                let seat = self.keep_var(&Var::Slot(seat), &seat_type, open.action.span)?;
                self.me = Some(Var::Kept(seat));
            }
        }
        self.pay(open.action, None)?;
        self.block(&open.action.effect)?;
        self.code.jump(after);
        self.locals = locals;
        self.me = me;
        self.kept = kept;
        self.code.free_to(level);
        Ok(entry)
    }
}
