//! Chance: what can come with which weight, and what happens when it has come.

use super::compiler::{Compiler, Domain, Try, Var};
use super::fold::Test;
use super::loops::Over;
use crate::bind::{Draw, DrawPlace, Expr, ExprId, Type};
use crate::impossible;
use crate::internal::{Must, exact};
use crate::machine::{Asks, Chance, Instruction, Seen, Slot, scalar_size};
use crate::report::Span;

impl Compiler<'_> {
    pub(super) fn draw(&mut self, draw: &Draw, span: Span, then_pauses: bool) -> Try<()> {
        if let Some(end) = self.trial {
            self.code.jump(end);
            return Ok(());
        }
        let number = exact::<_, u16>(self.program.chances.len());
        let pause = self.new_pause(Asks::Chance(number), span)?;
        let value = self.code.own(1);
        let ty = self.drawn_type(draw);
        let nothing = self.trouble(span, "there is nothing to draw");
        self.program.chances.push(Chance {
            pause,
            name: draw.name.clone(),
            indices: 0,
            at: Vec::new(),
            seen: if draw.hidden { Seen::Nobody } else { Seen::All },
            every: 0,
            test: 0,
            value,
            low: if let Type::Int(low, _) = ty.plain() { *low } else { 0 },
            size: scalar_size(self.types(), ty.plain()).must("what is drawn has a size"),
            ty: ty.clone(),
            resume: 0,
            nothing,
            span,
        });
        self.code.push(Instruction::Chance { chance: number });
        let level = self.code.level();
        let every = self.code.entry();
        self.code.names.push((every, format!("every {}", draw.name)));
        self.code.rule(span);
        self.weigh(draw)?;
        self.code.push(Instruction::Return);
        self.code.free_to(level);

        let test = self.code.entry();
        self.code.names.push((test, format!("test {}", draw.name)));
        self.code.rule(span);
        self.weigh_one(draw, value)?;
        self.code.push(Instruction::Return);
        self.code.free_to(level);

        let indices = self.code.entry();
        let at = self.drawn_indices(draw)?;
        let seat = self.drawn_for(draw)?;
        self.code.push(Instruction::Return);
        self.code.free_to(level);

        let resume = self.code.entry();
        self.code.names.push((resume, format!("draw {}", draw.name)));
        self.code.rule(span);
        if let Some(chance) = self.program.chances.get_mut(usize::from(number)) {
            chance.every = every.0;
            chance.test = test.0;
            chance.indices = indices.0;
            chance.at = at;
            chance.seen = seat.map_or(chance.seen, Seen::Seat);
            chance.resume = resume.0;
        }
        if draw.takes {
            self.take(draw, value)?;
        }
        match draw.place {
            DrawPlace::State(place) => {
                let wanted = self.place_type(place);
                let fail = self.misfit(place, &wanted);
                self.must_fit(value, &ty, &wanted, fail);
                let element = self.place_of(place)?;
                self.store_one(&element.place, element.at, value);
            }
            DrawPlace::Local(local) => {
                let copy = self.code.fresh();
                self.code.copy(copy, value);
                self.declare(local, Var::Slot(copy), then_pauses, span)?;
            }
        }
        Ok(())
    }

    /// The type of what is drawn.
    fn drawn_type(&self, draw: &Draw) -> Type {
        if draw.takes
            && let Some(state) = self.state_of(draw.from)
            && !matches!(self.bound.state(state).ty, Type::Set(_))
        {
            return self.bound.state(state).indices.last().cloned().must("counts that are drawn from have an index");
        }
        match self.ty(draw.from).plain() {
            Type::Set(inner) | Type::List(_, inner) => inner.as_ref().clone(),
            Type::Named(id) => match &self.types().get(*id).kind {
                crate::bind::TypeKind::Edges(cells) => Type::Named(*cells),
                crate::bind::TypeKind::Regions(of) => of.clone(),
                other => impossible!("{other:?} is drawn from"),
            },
            other => impossible!("{other:?} is drawn from"),
        }
    }

    fn drawn_indices(&mut self, draw: &Draw) -> Try<Vec<(Slot, Type)>> {
        let DrawPlace::State(place) = draw.place else { return Ok(Vec::new()) };
        let Expr::Index(base, args) = &self.bound.expr(place).kind else { return Ok(Vec::new()) };
        let Expr::State(state) = &self.bound.expr(*base).kind else { impossible!("what is drawn is no state") };
        let mut at = Vec::new();
        for (&arg, ty) in args.iter().zip(&self.bound.state(*state).indices) {
            let value = self.scalar_as(arg, ty)?;
            let own = self.code.own(1);
            self.code.copy(own, value);
            at.push((own, ty.clone()));
        }
        Ok(at)
    }

    /// The only seat that sees what comes.
    fn drawn_for(&mut self, draw: &Draw) -> Try<Option<Slot>> {
        let Some(who) = draw.seen_by.filter(|_| !draw.hidden) else { return Ok(None) };
        let seat = self.scalar_as(who, &Type::Named(self.bound.players.ty))?;
        let own = self.code.own(1);
        self.code.copy(own, seat);
        Ok(Some(own))
    }

    /// Everything that can come, with its weight.
    fn weigh(&mut self, draw: &Draw) -> Try<()> {
        let end = self.code.label();
        let counts = self.counts(draw);
        let over = match counts {
            Some(state) => {
                let last =
                    self.bound.state(state).indices.last().cloned().must("counts that are drawn from have an index");
                self.span_of_type(&last, draw.from)?
            }
            None => self.span_in(draw.from, end)?,
        };
        let (zero, one) = (self.constant(0), self.constant(1));
        let candidate: Vec<_> = draw.candidate.into_iter().collect();
        let conditions: Vec<_> = draw.condition.into_iter().collect();
        let mut weigh = |compiler: &mut Self, value: Slot| {
            let next = compiler.code.label();
            let weight = match counts {
                Some(_) => {
                    let weight = compiler.counted(draw, value)?;
                    compiler.code.jump_if(Test::AtMost, weight, zero, true, next);
                    weight
                }
                None => one,
            };
            if let Some(candidate) = draw.candidate {
                compiler.locals.insert(candidate, Var::Slot(value));
            }
            if let Some(condition) = draw.condition {
                compiler.branch(condition, false, next)?;
            }
            compiler.code.push(Instruction::Weigh { value, weight });
            compiler.code.place(next);
            Ok(())
        };
        self.before_loop(&conditions, &candidate, |compiler| compiler.each(&over, None, false, &mut weigh))?;
        self.code.place(end);
        Ok(())
    }

    /// This one value, if it can come: without looking at any other.
    fn weigh_one(&mut self, draw: &Draw, value: Slot) -> Try<()> {
        let no = self.code.label();
        let weight = if let Some(state) = self.counts(draw) {
            let last = self.bound.state(state).indices.last().cloned().must("counts that are drawn from have an index");
            if let Over::Numbers(low, count) = self.span_of_type(&last, draw.from)? {
                self.code.jump_outside(value, low, count, no);
            }
            let weight = self.counted(draw, value)?;
            let zero = self.constant(0);
            self.code.jump_if(Test::AtMost, weight, zero, true, no);
            weight
        } else {
            let yes = self.code.label();
            self.member_of(value, draw.from, yes, no, false)?;
            self.code.place(yes);
            self.constant(1)
        };
        if let Some(candidate) = draw.candidate {
            self.locals.insert(candidate, Var::Slot(value));
        }
        if let Some(condition) = draw.condition {
            self.branch(condition, false, no)?;
        }
        self.code.push(Instruction::Weigh { value, weight });
        self.code.place(no);
        Ok(())
    }

    /// The state whose last index is drawn, if counts are drawn from.
    fn counts(&self, draw: &Draw) -> Option<crate::bind::StateId> {
        let state = self.state_of(draw.from).filter(|_| draw.takes)?;
        (!matches!(self.bound.state(state).ty, Type::Set(_))).then_some(state)
    }

    /// The element that counts a value.
    fn count_of(&mut self, draw: &Draw, value: Slot) -> Try<super::access::Element> {
        let fail = self.fail(self.span(draw.from), "this cannot be drawn from");
        let (state, args): (_, &[ExprId]) = match (self.state_of(draw.from), &self.bound.expr(draw.from).kind) {
            (Some(state), Expr::Index(_, args)) => (state, args),
            (Some(state), _) => (state, &[]),
            (None, _) => (crate::bind::StateId(0), &[]),
        };
        let types = &self.bound.state(state).indices;
        let (outer, last) = types.split_at(types.len().saturating_sub(1));
        let mut indices = self.index_values(outer, args, fail)?;
        indices.extend(last.iter().map(|ty| self.index(ty, value)));
        let (at, below) = self.number_in(state, &indices);
        let below = self.constant(-below);
        let at = self.code.add(at, below);
        let place = self.state_place(state).clone();
        let place = super::compiler::Stored { first: place.first as usize, cell: place.cell };
        Ok(super::access::Element { place, at })
    }

    fn counted(&mut self, draw: &Draw, value: Slot) -> Try<Slot> {
        let element = self.count_of(draw, value)?;
        Ok(self.load_one(&element.place, element.at))
    }

    /// Takes what has come out of what it was drawn from.
    fn take(&mut self, draw: &Draw, value: Slot) -> Try<()> {
        if self.counts(draw).is_some() {
            let element = self.count_of(draw, value)?;
            let now = self.load_one(&element.place, element.at);
            let one = self.constant(1);
            let left = self.code.subtract(now, one);
            self.store_one(&element.place, element.at, left);
            return Ok(());
        }
        let element = self.place_of(draw.from)?;
        let Type::Set(inner) = self.place_type(draw.from) else {
            impossible!("what is drawn from keeps what is drawn")
        };
        let of: Domain = self.domain_of(&inner, self.span(draw.from))?;
        let set = self.load_set(&element.place, element.at, of);
        let below = self.constant(-of.low);
        let member = self.code.add(value, below);
        self.code.push(Instruction::Leave { bits: set.bits, member });
        self.store_set(&element.place, element.at, set);
        Ok(())
    }
}
