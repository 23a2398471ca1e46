//! Types of declarations: states, actions, awards, scores, views, examples.

use crate::bind::walk::each_expr;
use crate::bind::{AwardId, Expr, ExprId, Phrase, PhrasePart, Price, Step, Type, ViewPart};
use crate::internal::exact;
use crate::limits;
use crate::report::{Fault, Span, codes};

use super::checker::{Checker, DefType};
use super::expressions::LARGEST;

impl Checker {
    /// Types everything.
    pub(super) fn declarations(&mut self) {
        self.states();
        for id in 0..self.bound.defs.len() {
            let id = crate::bind::DefId(exact::<_, u32>(id));
            self.def_type(id);
        }
        for region in self.bound.regions.clone() {
            self.bind(&region.of);
            self.condition(region.joined);
        }
        for id in 0..self.bound.awards.len() {
            let id = AwardId(exact::<_, u32>(id));
            self.award_type(id);
        }
        self.actions();
        for phase in self.bound.phases.clone() {
            self.block(&phase.body);
        }
        if let Some(flow) = self.bound.flow.clone() {
            self.block(&flow);
        }
        self.results();
        self.views();
        self.examples();
    }

    fn states(&mut self) {
        let mut bits: u64 = 0;
        for state in self.bound.states.clone() {
            if let Some(guard) = state.guard {
                self.condition(guard);
            }
            match state.init {
                Some(init) => {
                    self.expect(init, &state.ty, &format!("`{}`", state.name));
                    self.reads_only_before(init, state.span);
                }
                None if has_empty_value(&state.ty) => {}
                None => {
                    let shown = self.show(&state.ty);
                    self.fault(
                        Fault::new(
                            &codes::MISSING_INITIAL,
                            state.span,
                            format!("`{}` has no initial value", state.name),
                        )
                        .label(format!("of type {shown}"))
                        .help("give one with `=`, or make the type optional"),
                    );
                }
            }
            let elements = state.indices.iter().map(|ty| self.bound.types.size(ty)).fold(1, u64::saturating_mul);
            bits = bits.saturating_add(elements.saturating_mul(self.bits(&state.ty)));
            if bits > limits::STATE_BITS {
                self.fault(
                    Fault::new(&codes::STATE_SIZE, state.span, "the state of the game is larger than 1 MiB")
                        .label(format!("{elements} elements of {} bits", self.bits(&state.ty)))
                        .help("use smaller ranges, boards or lists"),
                );
                return;
            }
        }
    }

    /// States get their initial values in order, so one may be made of those declared before it.
    fn reads_only_before(&mut self, init: ExprId, own: Span) {
        let mut later = None;
        each_expr(&self.bound, init, &mut |id, kind| {
            if let Expr::State(state) = kind
                && self.bound.state(*state).span >= own
            {
                later = Some((*state, self.bound.expr(id).span));
            }
        });
        if let Some((state, span)) = later {
            let name = self.bound.state(state).name.clone();
            self.fault(
                Fault::new(&codes::MISSING_INITIAL, span, format!("`{name}` has no value yet here"))
                    .label("states get their initial values in order")
                    .help(format!("declare `{name}` before the state that is made of it")),
            );
        }
    }

    /// Bits that a value of this type takes.
    fn bits(&self, ty: &Type) -> u64 {
        match ty {
            Type::Set(inner) => self.bound.types.size(inner),
            Type::List(length, inner) => (u64::from(*length) + 1).saturating_mul(self.bits(inner).max(8)),
            other => u64::from(u64::BITS - self.bound.types.size(other).saturating_sub(1).leading_zeros()),
        }
    }

    /// What an award pays: from nothing to all places together.
    pub(super) fn award_type(&mut self, id: AwardId) -> Type {
        if let DefType::Done(ty) = &self.awards[id.at()] {
            return ty.clone();
        }
        let award = self.bound.award(id).clone();
        let number = Type::Int(-LARGEST, LARGEST).optional();
        self.expect(award.by, &number, "the weight");
        let (mut least, mut most): (i128, i128) = (0, 0);
        for &place in &award.pays {
            if let Type::Int(low, high) = self.expect(place, &number, "what a place pays").plain() {
                least += i128::from(*low.min(&0));
                most += i128::from(*high.max(&0));
            }
        }
        for guard in
            award.ties.iter().filter_map(|(_, guard)| *guard).chain(award.alone.iter().filter_map(|guard| *guard))
        {
            self.condition(guard);
        }
        if let Some(&claimant) = award.params.last() {
            let ty = self.local_type(claimant).clone();
            if !matches!(ty, Type::Named(_) | Type::Unknown) {
                let shown = self.show(&ty);
                self.fault(
                    Fault::new(
                        &codes::TYPE_MISMATCH,
                        self.bound.local(claimant).span,
                        format!("the claimant is of type {shown}"),
                    )
                    .label("the last parameter is who claims the award")
                    .help("make it a Player, or another enumeration such as a colour"),
                );
            }
        }
        let ty = self.number(least, most, award.span);
        self.awards[id.at()] = DefType::Done(ty.clone());
        ty
    }

    fn actions(&mut self) {
        for action in self.bound.actions.clone() {
            for &(param, within) in &action.params {
                if let Some(within) = within {
                    let wanted = self.local_type(param).clone();
                    let inner = self.domain_of(within, Some(&wanted));
                    self.must_fit(
                        &inner,
                        &wanted,
                        self.span(within),
                        &format!("`{}`", self.bound.local(param).name.clone()),
                    );
                }
            }
            for &Price { place, amount, ref each } in &action.costs {
                if let Some(each) = each {
                    self.bind(each);
                }
                if let Some(target) = self.place(place)
                    && !matches!(target, Type::Int(..) | Type::Unknown)
                {
                    self.wrong_argument(place, &target, "a number to pay from");
                }
                self.expect(amount, &Type::Int(-LARGEST, LARGEST).optional(), "a cost");
            }
            for requirement in &action.requirements {
                if let Some(guard) = requirement.guard {
                    self.condition(guard);
                }
                self.condition(requirement.condition);
                self.phrase(requirement.phrase.as_ref());
            }
            self.block(&action.effect);
        }
    }

    fn phrase(&mut self, phrase: Option<&Phrase>) {
        for part in phrase.map(|phrase| phrase.parts.as_slice()).unwrap_or_default() {
            if let PhrasePart::Value(value) = part {
                self.infer(*value, None);
            }
        }
    }

    /// The type of `score(p)`: all guarded ones together.
    pub(super) fn score_type(&mut self) -> Type {
        if self.score_running {
            if let Some(score) = self.bound.scores.first() {
                let span = score.span;
                self.fault(
                    Fault::new(&codes::RECURSION, span, "`score` is defined by itself")
                        .label("needs itself")
                        .help("say what a score is made of"),
                );
            }
            return Type::Unknown;
        }
        self.score_running = true;
        let mut all = Type::Nothing;
        for score in self.bound.scores.clone() {
            let ty = self.infer(score.body, None);
            all = super::fit::join(&all, &ty).unwrap_or(Type::Unknown);
        }
        self.score_running = false;
        // A score that may be `none` is a fault of its own, told where it is defined.
        if all == Type::Nothing { Type::Unknown } else { all.plain().clone() }
    }

    /// A number that players are compared by: it must be there.
    fn result(&mut self, id: ExprId, what: &str, instead: &str) {
        if !self.expect(id, &Type::Int(-LARGEST, LARGEST), what).is_optional() {
            return;
        }
        self.fault(
            Fault::new(&codes::OPTIONAL_RESULT, self.span(id), format!("{what} may be `none` here"))
                .label("not always a number")
                .help(format!("say what counts if there is nothing: `… or {instead}`")),
        );
    }

    fn results(&mut self) {
        for score in self.bound.scores.clone() {
            if let Some(guard) = score.guard {
                self.condition(guard);
            }
            self.result(score.body, "a score", "0");
        }
        for winner in self.bound.winners.clone() {
            if let Some(guard) = winner.guard {
                self.condition(guard);
            }
            for &key in &winner.keys {
                self.result(key, "what decides the winner", "0");
            }
        }
        for invariant in self.bound.invariants.clone() {
            if let Some(guard) = invariant.guard {
                self.condition(guard);
            }
            self.condition(invariant.condition);
            self.phrase(invariant.phrase.as_ref());
        }
    }

    fn views(&mut self) {
        self.rows_allowed = true;
        for view in self.bound.views.clone() {
            for slot in &view.slots {
                if let Some(each) = &slot.each {
                    self.bind(each);
                }
                for (part, condition) in &slot.parts {
                    match part {
                        ViewPart::Text(phrase) => self.phrase(Some(phrase)),
                        ViewPart::Value(value) => {
                            self.infer(*value, None);
                        }
                    }
                    if let Some(condition) = condition {
                        self.condition(*condition);
                    }
                }
            }
        }
        self.rows_allowed = false;
    }

    fn examples(&mut self) {
        for example in self.bound.examples.clone() {
            for step in &example.steps {
                match step {
                    Step::Holds(condition) => self.condition(*condition),
                    Step::Given(position) => {
                        if let Some(flow) = &position.flow {
                            self.block(flow);
                        }
                    }
                    Step::When(_) | Step::Instead(_) | Step::Refused(..) => {}
                }
            }
        }
    }
}

/// `none`, `{}`, `[]`, `false`: values that a state may begin with unsaid.
fn has_empty_value(ty: &Type) -> bool {
    matches!(ty, Type::Optional(_) | Type::Set(_) | Type::List(..) | Type::Bool | Type::Unknown)
}
